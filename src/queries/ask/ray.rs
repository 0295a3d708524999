//! Which bodies a ray meets, and when.

use super::span::{Line, Span};
use super::{Asked, Question, pixels};
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{Point, RADIUS, RAY, SUBPIXELS, WORLD, snap};
use crate::ground::predicate::{Core, apart};
use crate::ground::text::Number;
use crate::ground::ticks::come;
use crate::ground::touch::Touch;
use crate::queries::block::{Way, key_of};
use crate::queries::memory::{Memory, Seen};
use crate::queries::walk::{self, ENOUGH, Leaf};
use crate::questions::{Ray, RayHit};
use crate::reference::questions;
use crate::simd::Lanes;
use crate::world::World;
use crate::world::packed::{Body, SPRITE};

impl Question for Ray {
    type Answer = RayHit;
}

/// A ray of the lattice.
#[derive(Clone, Copy, Debug)]
pub struct Snapped {
    line: Line,
    radius: i32,
    hits: u32,
}

impl Asked for Ray {
    type Snapped = Snapped;
    type Found = RayHit;

    fn snap(&self, _: &World) -> Result<Snapped> {
        let (from, to) = (self.from.snap("from", WORLD)?, self.to.snap("to", WORLD)?);
        let radius = snap("radius", self.radius, RADIUS)?;
        if radius < 0 {
            return Err(Error::value("radius", Number(self.radius), "be 0 or more"));
        }
        let way = to - from;
        for (field, way, to) in [("to.x", way.x, self.to.x), ("to.y", way.y, self.to.y)] {
            if way.abs() > RAY {
                return Err(Error::value(field, Number(to), format!("lie within {} units of `from`", RAY / SUBPIXELS)));
            }
        }
        Ok(Snapped { line: Line { from, way }, radius, hits: self.hits })
    }

    #[inline(always)]
    fn all<L: Lanes>(ray: &Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<RayHit>) {
        let first = found.len();
        ray.each(lanes, seen, memory, Way::end(), |body, tick| {
            found.push(RayHit { body: seen.id(body), tick });
            Way::end()
        });
        found[first..].sort_unstable_by_key(|hit| hit.body);
    }

    #[inline(always)]
    fn first<L: Lanes>(ray: &Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<RayHit> {
        let mut first: Option<(u32, u32)> = None;
        ray.each(lanes, seen, memory, Way::end(), |body, tick| {
            let best = first.map_or((tick, body), |first| first.min((tick, body)));
            first = Some(best);
            key_of(best.0 as f32)
        });
        first.map(|(tick, body)| RayHit { body: seen.id(body), tick })
    }

    #[inline(always)]
    fn any<L: Lanes>(ray: &Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> bool {
        let mut any = false;
        ray.each(lanes, seen, memory, Way::end(), |_, _| {
            any = true;
            ENOUGH
        });
        any
    }

    fn plainly(&self, world: &World) -> Vec<RayHit> {
        questions::ray(world, self)
    }

    fn first_of(found: Vec<RayHit>) -> Option<RayHit> {
        found.into_iter().min_by_key(|hit| (hit.tick, hit.body))
    }
}

impl Snapped {
    /// Calls `visit` with each body that it meets, and the tick, as long as the keys of bounds are within the limit that it gives.
    #[inline(always)]
    fn each<L: Lanes>(
        &self,
        lanes: L,
        seen: &Seen<'_>,
        memory: &mut Memory,
        mut limit: i32,
        mut visit: impl FnMut(u32, u32) -> i32,
    ) {
        let Line { from, way } = self.line;
        // A step for where ticks are rounded, and one for touch.
        let by = Point::new(self.radius + 2, self.radius + 2);
        let probe = Way::new(Aabb { min: from - by, max: from + by }, way);
        walk::in_order(lanes, seen.index, &probe, self.hits, limit, |leaf| {
            if let Some(tick) = self.tick(seen, memory, &leaf, f32::from_bits(limit as u32).into()) {
                limit = visit(leaf.body, tick);
            }
            limit
        });
    }

    /// The tick at which it meets a body, if that may be one up to `most`.
    fn tick(&self, seen: &Seen<'_>, memory: &mut Memory, leaf: &Leaf, most: f64) -> Option<u32> {
        let touch = seen.touch();
        if leaf.bounds.aligned {
            let bounds = leaf.bounds.reach;
            let span = self.line.box_span(&bounds, self.radius);
            return self.piece_tick(span, Core::Square(bounds), self.radius, touch, most);
        }
        let body = seen.body(leaf.body);
        if !body.is(SPRITE) {
            return self.convex_tick(seen, &body, memory, most);
        }
        pixels::tick(&seen.sampled(body), &self.line, self.radius, touch)
    }

    /// The tick at which it meets a convex body or polygon: the smallest of the pieces.
    fn convex_tick(&self, seen: &Seen<'_>, body: &Body, memory: &mut Memory, most: f64) -> Option<u32> {
        let (packed, touch) = (seen.packed(), seen.touch());
        let radius = self.radius + body.radius;
        let landed = seen.landed(body, &mut memory.theirs);
        let pieces = packed.pieces(&packed.shapes[body.shape as usize]);
        let ticks = pieces.filter_map(|(first, count)| {
            let piece = Core::Hull(&landed[first..first + count]);
            // A core without area or radius has no interior.
            if radius == 0 && touch == Touch::Excluded && !piece.has_area(Point::ZERO) {
                return None;
            }
            let span = match &landed[first..first + count] {
                [centre] => self.line.disc_span(*centre, radius),
                _ => self.line.bounds_span(&piece.bounds(), radius),
            };
            self.piece_tick(span, piece, radius, touch, most)
        });
        ticks.min()
    }

    /// The tick at which it meets a piece, of which a span is known, if that may be one up to `most`.
    fn piece_tick(&self, span: Span, piece: Core<'_>, radius: i32, touch: Touch, most: f64) -> Option<u32> {
        if span.from > most {
            return None;
        }
        let from = [self.line.from];
        span.first_tick(|k| apart(Core::Hull(&from), piece, come(self.line.way, k), radius, touch).is_none())
    }
}
