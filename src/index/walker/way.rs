//! The body of a walker during a step: its sweeps, and the sides that it meets.

use super::answer::{Side, Surface};
use super::limits::Limits;
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::SUBPIXELS;
use crate::ground::vec2::Vec2;
use crate::host::impact::Impact;
use crate::host::stop::Stop;
use crate::index::search::Search;
use crate::world::World;
use crate::world::body::{Body, BodyId};
use crate::world::packed::EMPTY;
use crate::world::pose::check_inside;

/// A lattice step, in units.
pub(super) const STEP: f64 = 1.0 / SUBPIXELS as f64;

/// The distance by which sprites move at once, in units.
pub(super) const PIXEL: f64 = 1.0;

/// The kind of a move. It decides which sides of one-way platforms are in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Going {
    /// With the ground, past everything that it overlaps: no platform is in the way.
    Carried,
    /// Out of the bodies that it overlaps: no platform is in the way.
    Out,
    /// Up, or over a stair: no platform is in the way.
    Over,
    /// Along the ground: all sides are in the way, since a stair may lead up onto them.
    Along,
    /// Sideways through the air: sides that are ground are in the way.
    Flying,
    /// Down: upper sides are in the way.
    Down,
    /// Down onto the ground that carries it, past everything that it overlaps: upper sides are in the way.
    Onto,
    /// Down, to find a platform that may rise: only upper sides of platforms are in the way, but not of the ground.
    Under,
}

/// The body of a walker during a step, and the sides that it has met.
pub(super) struct Way<'a, F> {
    pub(super) search: Search<'a>,
    pub(super) limits: Limits,
    surface: F,
    /// The body, at its current position.
    pub(super) body: Body,
    /// The box around it, `[min, max]`, from its position.
    bounds: [Vec2; 2],
    /// Whether it moves by whole pixels.
    pub(super) is_sprite: bool,
    /// The platforms that it passes through from the side.
    pub(super) through: Vec<BodyId>,
    pub(super) ground: Option<Side>,
    pub(super) wall: Option<Side>,
    pub(super) ceiling: Option<Side>,
    /// The motion by which the ground has carried it.
    pub(super) carried: Vec2,
    /// The solid body that it overlapped once the ground had carried it.
    pub(super) started_inside: Option<BodyId>,
}

impl<'a, F: Fn(BodyId) -> Surface> Way<'a, F> {
    pub(super) fn new(search: Search<'a>, limits: Limits, body: &Body, surface: F) -> Result<Self> {
        let is_sprite = has_pixels(search.world, body);
        let limits = if is_sprite { limits } else { limits.over_lips() };
        let body = body.moving([0.0; 2]);
        let posed = search.world.pose_apart(&body)?;
        let inside = check_inside(&posed)?;
        let Aabb { min, max } = if posed.is(EMPTY) { Aabb::around(&[posed.position]) } else { inside };
        let bounds = [min, max].map(|corner| Vec2::from(corner.units()) - Vec2::from(posed.position.units()));
        let (through, ground, wall, ceiling, started_inside) = (Vec::new(), None, None, None, None);
        let carried = Vec2::default();
        Ok(Self {
            search,
            limits,
            surface,
            body,
            bounds,
            is_sprite,
            through,
            ground,
            wall,
            ceiling,
            carried,
            started_inside,
        })
    }

    /// Returns the middle of the lower side of the box around the body.
    pub(super) fn feet(&self) -> Vec2 {
        let [min, max] = self.bounds;
        let [middle, half] = [(min + max) * 0.5, (max - min) * 0.5];
        let up = self.limits.vector(0.0, 1.0);
        self.body.at + middle - up * (half.x * up.x.abs() + half.y * up.y.abs())
    }

    /// Returns the corners of the box around the body.
    pub(super) fn corners(&self) -> [Vec2; 4] {
        let [min, max] = self.bounds;
        [[min.x, min.y], [max.x, min.y], [min.x, max.y], [max.x, max.y]].map(|corner| self.body.at + corner)
    }

    /// Returns whether a body of the world is a sprite.
    pub(super) fn is_sprite(&self, id: BodyId) -> bool {
        self.search.world.body(id).is_some_and(|body| has_pixels(self.search.world, &body))
    }

    /// Returns how it treats a body of the world.
    pub(super) fn surface(&self, id: BodyId) -> Surface {
        (self.surface)(id)
    }

    /// Returns whether a body that it met in an earlier step may still be in its way.
    pub(super) fn is_in_the_way(&self, id: BodyId) -> bool {
        let is_on = self.search.world.body(id).is_some_and(|body| body.enabled);
        is_on && !self.search.except.contains(&id) && self.surface(id) != Surface::Open
    }

    fn counts(&self, impact: &Impact, going: Going) -> bool {
        let is_new = impact.tick > 0;
        match self.surface(impact.other) {
            Surface::Open => false,
            Surface::Solid => match going {
                Going::Under => false,
                Going::Out | Going::Onto => is_new,
                Going::Carried => is_new && self.ground.is_none_or(|ground| ground.body != impact.other),
                _ => true,
            },
            Surface::OneWay => {
                is_new
                    && match going {
                        Going::Carried | Going::Out | Going::Over => false,
                        Going::Along => !self.through.contains(&impact.other),
                        Going::Flying => self.limits.is_ground(impact.normal),
                        Going::Down | Going::Onto => self.limits.height(impact.normal) > 0.0,
                        Going::Under => {
                            let is_ground = self.ground.is_some_and(|ground| ground.body == impact.other);
                            self.limits.height(impact.normal) > 0.0 && !is_ground
                        }
                    }
            }
        }
    }

    /// Moves by `motion` until something is in the way, or until the world ends. Returns that stop.
    pub(super) fn sweep(&mut self, motion: Vec2, going: Going) -> Result<Option<Stop>> {
        let sweep = |motion| self.search.sweep(&self.body.moving(motion), |impact| self.counts(impact, going));
        let sweep = match sweep(motion) {
            Err(Error::Value { .. }) => sweep(self.within_world(motion))?,
            swept => swept?,
        };
        self.body.at = sweep.at;
        Ok(sweep.stop)
    }

    /// Returns the longest part of a motion, to within 2^-32 of it, that does not lead out of the world.
    fn within_world(&self, motion: Vec2) -> Vec2 {
        let is_inside = |part: f64| {
            let posed = self.search.world.pose_apart(&self.body.moving(motion * part));
            posed.is_ok_and(|posed| check_inside(&posed).is_ok())
        };
        let mut part = 0.0;
        for bit in 1..=32 {
            let more = part + f64::from(bit).exp2().recip();
            if is_inside(more) {
                part = more;
            }
        }
        motion * part
    }

    /// Moves across and up; a negative `up` is down.
    pub(super) fn go(&mut self, across: f64, up: f64, going: Going) -> Result<Option<Stop>> {
        self.sweep(self.limits.vector(across, up), going)
    }

    /// Slides along the side that is in the way.
    pub(super) fn slide(&mut self, stop: &Stop, going: Going) -> Result<Option<Stop>> {
        let way = stop.slide();
        if !self.is_sprite {
            return self.sweep(way, going);
        }
        // A sprite moves by whole pixels: across first, before it moves into the side that it slides along.
        let beside = self.go(self.limits.across(way), 0.0, going)?;
        let met = self.go(0.0, self.limits.height(way), going)?;
        // It has met the side that it slides along before.
        let is_new = |stop: &Stop| beside.is_none() || self.limits.is_ground(stop.impact.normal);
        Ok(met.filter(is_new).or(beside))
    }

    /// Moves down to the ground if that is within `reach`; otherwise stays.
    pub(super) fn settle(&mut self, reach: f64) -> Result<()> {
        let start = self.body.at;
        self.descend(reach)?;
        if self.ground.is_none() {
            self.body.at = start;
        }
        Ok(())
    }

    /// Moves down by `reach`, or to what is in the way before that; the ground is what it can stand on there.
    pub(super) fn descend(&mut self, reach: f64) -> Result<()> {
        let stop = self.go(0.0, -reach, Going::Down)?;
        self.ground = stop.map_or(Ok(None), |stop| self.standing(&stop))?;
        Ok(())
    }

    /// Returns the ground at a stop below, if the body can stand on it.
    pub(super) fn standing(&mut self, stop: &Stop) -> Result<Option<Side>> {
        let Impact { other, normal, .. } = stop.impact;
        if self.limits.is_ground(normal) {
            return Ok(Some(Side { body: other, normal }));
        }
        let pixels = self.is_sprite || self.is_sprite(other);
        Ok(self.rough(pixels)?.map(|normal| Side { body: other, normal }))
    }

    /// Records the side at a stop as wall or ceiling.
    pub(super) fn note(&mut self, stop: &Stop) {
        let Impact { other: body, normal, .. } = stop.impact;
        let side = if self.limits.is_ceiling(normal) { &mut self.ceiling } else { &mut self.wall };
        *side = Some(Side { body, normal });
    }
}

fn has_pixels(world: &World, body: &Body) -> bool {
    world.shape(body.shape).is_some_and(|shape| shape.mask().is_some())
}
