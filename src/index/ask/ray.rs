//! Ray queries: which bodies a ray hits, and when.

use std::cell::Cell;
use std::ops::Range;

use super::span::{Line, Span};
use super::{Asked, Finder, Firsts, Place, Query, pixels};
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_COORDINATE, MAX_RAY, Point, SUBPIXELS, snap_radius};
use crate::ground::normal::dot;
use crate::ground::predicate::{Core, apart, cross, crosses};
use crate::ground::text::Number;
use crate::ground::ticks::{TICKS, come};
use crate::ground::touch::Touch;
use crate::index::memory::{Memory, Seen};
use crate::index::node::{Way, key_of};
use crate::index::seek::{self, Seek};
use crate::index::walk::{InOrder, Leaf};
use crate::queries::{RayCast, RayHit};
use crate::reference::queries::Definition;
use crate::simd::Lanes;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, SPRITE};
use crate::world::pose::land;
use crate::world::seam::{Seam, seams_from};

impl Query for RayCast {
    type Answer = RayHit;
}

/// A ray on the lattice.
#[derive(Clone, Copy, Debug)]
pub struct Snapped {
    pub(super) line: Line,
    pub(super) radius: i32,
    mask: u32,
}

impl Asked for RayCast {
    type Snapped = Snapped;
    type Found = RayHit;

    #[inline(always)]
    fn snap(&self, _: &World) -> Result<Snapped> {
        let (from, to) = (self.from.snap("from", MAX_COORDINATE)?, self.to.snap("to", MAX_COORDINATE)?);
        let radius = snap_radius("radius", self.radius, 0)?;
        let way = to - from;
        for (field, way, to) in [("to.x", way.x, self.to.x), ("to.y", way.y, self.to.y)] {
            if way.abs() > MAX_RAY {
                return Err(Error::value(
                    field,
                    Number(to),
                    format!("lie within {} units of the start of the ray", MAX_RAY / SUBPIXELS),
                ));
            }
        }
        Ok(Snapped { line: Line::new(from, way), radius, mask: self.mask })
    }

    #[inline(always)]
    fn firsts<L: Lanes>(asked: Firsts<'_, Self>, lanes: L) {
        seek::firsts::<Self, Met, L>(lanes, asked);
    }

    fn plainly(&self, by: &Definition, world: &World, except: &[BodyId]) -> Vec<RayHit> {
        (by.ray)(world, self, except)
    }

    fn first_of(found: Vec<RayHit>) -> Option<RayHit> {
        found.into_iter().min_by_key(|hit| (hit.tick, hit.body))
    }
}

impl Finder for Snapped {
    type Found = RayHit;

    #[inline(always)]
    fn all<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<RayHit>) {
        let (start, way, mut walk) = (found.len(), self.way(), InOrder::new(seen.index));
        while let Some(leaf) = walk.next(lanes, &way, self.mask, Way::end()) {
            if let Some(tick) = self.tick(seen, memory, &leaf, TICKS)
                && !seen.leaves_out(leaf.body)
            {
                found.push(RayHit { body: seen.id(leaf.body), tick });
            }
        }
        found[start..].sort_unstable_by_key(|hit| hit.body);
    }

    #[inline(always)]
    fn first<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<RayHit> {
        seek::first::<Met, L>(lanes, self, seen, memory)
    }

    #[inline(always)]
    fn any<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> bool {
        let (way, mut walk) = (self.way(), InOrder::new(seen.index));
        while let Some(leaf) = walk.next(lanes, &way, self.mask, Way::end()) {
            if !seen.leaves_out(leaf.body) && self.tick(seen, memory, &leaf, TICKS).is_some() {
                return true;
            }
        }
        false
    }
}

impl Place for Snapped {
    fn place(&self) -> Point {
        self.line.from
    }
}

impl Snapped {
    /// Returns the path on which the ray visits the bodies of the index.
    #[inline(always)]
    fn way(&self) -> Way {
        let Line { from, way, .. } = self.line;
        // One lattice step because positions at ticks are rounded, and one for touch.
        let by = Point::new(self.radius + 2, self.radius + 2);
        Way::new(Aabb { min: from - by, max: from + by }, way)
    }

    /// Returns the tick at which the ray hits a body. May return `None` if that is after `most`.
    #[inline(always)]
    fn tick(&self, seen: &Seen<'_>, memory: &mut Memory, leaf: &Leaf, most: u32) -> Option<u32> {
        let bounds = leaf.bounds.reach;
        if !leaf.bounds.aligned || self.radius > 0 {
            return self.shape_tick(seen, memory, leaf, most);
        }
        let span = self.line.box_span(&bounds, 0);
        if span.from > f64::from(most) {
            return None;
        }
        span.first_tick(|k| Line::new(self.line.from, come(self.line.way, k)).crosses(&bounds, seen.touch()))
    }

    /// As [`Snapped::tick`], for shapes other than aligned boxes and for rays with a radius.
    fn shape_tick(&self, seen: &Seen<'_>, memory: &mut Memory, leaf: &Leaf, most: u32) -> Option<u32> {
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

    /// Returns the tick at which the ray hits a convex body or polygon: the smallest over its pieces and the seams
    /// between them.
    fn convex_tick(&self, seen: &Seen<'_>, body: &Body, memory: &mut Memory, most: u32) -> Option<u32> {
        let (packed, touch) = (seen.packed(), seen.touch());
        let is_open = |radius: i32| radius == 0 && touch == Touch::Excluded;
        let seams = if is_open(self.radius) { seen.world.seams(body.shape) } else { &[] };
        let vertices = packed.vertices(&packed.shapes[body.shape as usize]);
        let landed = seen.vertices(body, &mut memory.theirs);
        let land = |landed: &mut [Point], at: Range<usize>| land::core(body, &vertices[at.clone()], &mut landed[at]);
        // The ray may hit the edge between two pieces a tick before either piece.
        let most = Cell::new(most);
        let near = |bounds: &Aabb| {
            let limit = if seams.is_empty() { most.get() } else { TICKS };
            self.line.bounds_span(bounds, self.radius + body.radius).from <= f64::from(limit)
        };
        let mut tick: Option<u32> = None;
        let mut take = |found: Option<u32>| {
            tick = tick.into_iter().chain(found).min();
            most.set(found.map_or(most.get(), |found| most.get().min(found)));
        };
        for piece in packed.pieces(body).near(near) {
            land(landed, piece.vertices());
            let radius = self.radius + piece.radius;
            let vertices = &landed[piece.vertices()];
            if let ([p, q], true) = (vertices, is_open(radius)) {
                take(self.segment_tick([*p, *q], most.get()));
            } else {
                take(self.hull_tick(vertices, radius, is_open(radius), touch, most.get()));
            }
            for seam in seams_from(seams, piece.first) {
                land(landed, seam.pieces[1].clone());
                take(self.seam_tick(seam, landed, most.get()));
            }
        }
        tick
    }

    /// Returns the tick at which the ray hits the hull of `vertices`. May return `None` if that is after `most`.
    #[inline(always)]
    fn hull_tick(&self, vertices: &[Point], radius: i32, is_open: bool, touch: Touch, most: u32) -> Option<u32> {
        let piece = Core::Hull(vertices);
        // A core without area or radius has no interior.
        if is_open && !piece.has_area(Point::ZERO) {
            return None;
        }
        let span = match vertices {
            [centre] => self.line.disc_span(*centre, radius),
            _ => self.line.bounds_span(&piece.bounds(), radius),
        };
        self.piece_tick(span, piece, radius, touch, most)
    }

    /// Returns the tick at which the ray, without a radius, crosses a segment. May return `None` if that is after
    /// `most`.
    fn segment_tick(&self, segment: [Point; 2], most: u32) -> Option<u32> {
        let Line { from, way, .. } = self.line;
        let span = self.line.bounds_span(&Aabb::around(&segment), 0);
        if span.from > f64::from(most) {
            return None;
        }
        span.first_tick(|k| crosses([from, from + come(way, k)], segment))
    }

    /// Returns the tick at which the ray enters the interior of two pieces together with the open edge that they share,
    /// if the ray starts on the line of that edge. Any other ray enters one of the pieces before the edge.
    fn seam_tick(&self, seam: &Seam, landed: &[Point], most: u32) -> Option<u32> {
        let Line { from, way, .. } = self.line;
        let [a, b] = seam.ends.map(|end| landed[end]);
        let aside = |p: Point| cross(b - a, p - a);
        let pieces = seam.pieces.clone().map(|vertices| &landed[vertices]);
        let some = |is: fn(i64) -> bool| pieces.iter().copied().flatten().any(|&p| is(aside(p)));
        if aside(from) != 0 || !some(|aside| aside < 0) || !some(|aside| aside > 0) {
            return None;
        }
        let pieces = pieces.map(Core::Hull);
        let areas = pieces.map(|piece| piece.has_area(Point::ZERO));
        let span =
            pieces.map(|piece| self.line.bounds_span(&piece.bounds(), 0)).into_iter().fold(Span::NEVER, Span::or);
        if span.from > f64::from(most) {
            return None;
        }
        // Position along the edge.
        let edge = [(b - a).x, (b - a).y].map(i64::from);
        let along = |p: Point| dot(edge, p - a);
        let is_on = |to: Point| {
            let (start, end) = (along(from), if aside(to) == 0 { along(to) } else { along(from) });
            start.max(end) > 0 && start.min(end) < along(b)
        };
        span.first_tick(|k| {
            let way = come(way, k);
            let in_piece = |(piece, area): (Core<'_>, bool)| {
                area && apart(Core::Hull(&[from]), piece, way, 0, Touch::Excluded).is_none()
            };
            is_on(from + way) || pieces.into_iter().zip(areas).any(in_piece)
        })
    }

    /// Returns the tick at which the ray hits a piece, given a span that brackets it. May return `None` if that is
    /// after `most`.
    fn piece_tick(&self, span: Span, piece: Core<'_>, radius: i32, touch: Touch, most: u32) -> Option<u32> {
        if span.from > f64::from(most) {
            return None;
        }
        let from = [self.line.from];
        span.first_tick(|k| apart(Core::Hull(&from), piece, come(self.line.way, k), radius, touch).is_none())
    }
}

/// The search for the first hit, with the best so far.
struct Met {
    ray: Snapped,
    way: Way,
    first: Option<(u32, u32)>,
    limit: i32,
}

impl Seek for Met {
    type Snapped = Snapped;
    type Probe = Way;
    type Found = RayHit;

    #[inline(always)]
    fn new(ray: &Snapped) -> Self {
        Self { ray: *ray, way: ray.way(), first: None, limit: Way::end() }
    }

    #[inline(always)]
    fn probe(&self) -> (&Way, u32) {
        (&self.way, self.ray.mask)
    }

    #[inline(always)]
    fn limit(&self) -> i32 {
        self.limit
    }

    #[inline(always)]
    fn meet<L: Lanes>(&mut self, lanes: L, seen: &Seen<'_>, memory: &mut Memory, leaf: &Leaf) {
        let most = self.first.map_or(TICKS, |(tick, _)| tick);
        if let Some(tick) = self.ray.tick(seen, memory, leaf, most)
            && self.first.is_none_or(|first| (tick, leaf.body) < first)
            && !seen.leaves_out(leaf.body)
        {
            seen.world.prefetch_id(lanes, leaf.body);
            (self.first, self.limit) = (Some((tick, leaf.body)), key_of(tick as f32));
        }
    }

    #[inline(always)]
    fn found(&self, seen: &Seen<'_>) -> Option<RayHit> {
        self.first.map(|(tick, body)| RayHit { body: seen.id(body), tick })
    }
}
