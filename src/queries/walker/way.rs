//! A body on its way through a step: sweeps, and what they come to.

use super::answer::{Side, Surface};
use super::limits::Limits;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::SUBPIXELS;
use crate::ground::vec2::Vec2;
use crate::host::impact::Impact;
use crate::host::stop::Stop;
use crate::queries::search::Search;
use crate::world::World;
use crate::world::body::{Body, BodyId};

/// A lattice step, in units.
pub(super) const STEP: f64 = 1.0 / SUBPIXELS as f64;

/// By how much sprites go at once, in units.
pub(super) const PIXEL: f64 = 1.0;

/// Which way a body goes, and so which sides of one-way platforms are in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Going {
    /// With what it stands on, past all that it overlaps: no platform is in the way.
    Carried,
    /// Out of what it overlaps.
    Out,
    /// Up, or over a stair: no platform is in the way.
    Over,
    /// Along the ground: all sides are, since a stair may lead up them.
    Along,
    /// Through the air: upper sides are.
    Flying,
    /// To what is below: upper sides are.
    Down,
    /// To what may rise from below: nothing but platforms is in the way.
    Under,
}

/// A body on its way, and what it has come to.
pub(super) struct Way<'a, F> {
    pub(super) search: Search<'a>,
    pub(super) limits: Limits,
    surface: F,
    /// Where it is now.
    pub(super) body: Body,
    /// Whether it goes by pixels.
    pub(super) is_sprite: bool,
    /// Platforms that it goes through from the side.
    pub(super) through: Vec<BodyId>,
    pub(super) ground: Option<Side>,
    pub(super) wall: Option<Side>,
    pub(super) ceiling: Option<Side>,
}

impl<'a, F: Fn(BodyId) -> Surface> Way<'a, F> {
    pub(super) fn new(search: Search<'a>, limits: Limits, body: &Body, surface: F) -> Self {
        let is_sprite = has_pixels(search.world, body);
        let body = body.moving([0.0; 2]);
        let (through, ground, wall, ceiling) = (Vec::new(), None, None, None);
        Self { search, limits, surface, body, is_sprite, through, ground, wall, ceiling }
    }

    /// Whether a body of the world is made of pixels.
    pub(super) fn is_sprite(&self, id: BodyId) -> bool {
        self.search.world.body(id).is_some_and(|body| has_pixels(self.search.world, &body))
    }

    pub(super) fn surface(&self, id: BodyId) -> Surface {
        (self.surface)(id)
    }

    fn counts(&self, impact: &Impact, going: Going) -> bool {
        let is_new = impact.tick > 0;
        match self.surface(impact.other) {
            Surface::Open => false,
            Surface::Solid => match going {
                Going::Under => false,
                Going::Out => is_new,
                Going::Carried => is_new && self.ground.is_none_or(|ground| ground.body != impact.other),
                _ => true,
            },
            Surface::OneWay => {
                is_new
                    && match going {
                        Going::Carried | Going::Out | Going::Over => false,
                        Going::Along => !self.through.contains(&impact.other),
                        Going::Flying => self.limits.is_ground(impact.normal),
                        Going::Down | Going::Under => self.limits.height(impact.normal) > 0.0,
                    }
            }
        }
    }

    /// Goes by so much until something is in the way; what that is. Where the way leads out of the world, it stays.
    pub(super) fn sweep(&mut self, motion: Vec2, going: Going) -> Result<Option<Stop>> {
        match self.search.sweep(&self.body.moving(motion), |impact| self.counts(impact, going)) {
            Ok(sweep) => {
                self.body.at = sweep.at;
                Ok(sweep.stop)
            }
            Err(Error::Value { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Goes across, or up where that is above 0.
    pub(super) fn go(&mut self, across: f64, up: f64, going: Going) -> Result<Option<Stop>> {
        self.sweep(self.limits.vector(across, up), going)
    }

    /// Goes on along what is in the way.
    pub(super) fn slide(&mut self, stop: &Stop, going: Going) -> Result<Option<Stop>> {
        let way = stop.slide();
        if !self.is_sprite {
            return self.sweep(way, going);
        }
        // By pixels, across before it goes into what it slides along.
        self.go(self.limits.across(way), 0.0, going)?;
        self.go(0.0, self.limits.height(way), going)
    }

    /// Goes down to the ground if that is no farther, or stays.
    pub(super) fn settle(&mut self, reach: f64) -> Result<()> {
        let start = self.body.at;
        let stop = self.go(0.0, -reach, Going::Down)?;
        self.ground = stop.map_or(Ok(None), |stop| self.standing(&stop))?;
        if self.ground.is_none() {
            self.body.at = start;
        }
        Ok(())
    }

    /// What it stands on, where something is below that it can stand on.
    pub(super) fn standing(&mut self, stop: &Stop) -> Result<Option<Side>> {
        let Impact { other, normal, .. } = stop.impact;
        if self.limits.is_ground(normal) {
            return Ok(Some(Side { body: other, normal }));
        }
        Ok(self.rough()?.map(|normal| Side { body: other, normal }))
    }

    /// Notes what it has come to beside it, or above it.
    pub(super) fn note(&mut self, stop: &Stop) {
        let Impact { other: body, normal, .. } = stop.impact;
        let side = if self.limits.is_ceiling(normal) { &mut self.ceiling } else { &mut self.wall };
        *side = Some(Side { body, normal });
    }
}

fn has_pixels(world: &World, body: &Body) -> bool {
    world.shape(body.shape).is_some_and(|shape| shape.mask().is_some())
}
