//! Nearest-body queries: the bodies nearest to a point.

use std::cell::Cell;
use std::collections::BinaryHeap;

use super::{Asked, Finder, Firsts, Place, Query, distance};
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_COORDINATE, Point, SUBPIXELS};
use crate::ground::predicate::Core;
use crate::ground::text::Number;
use crate::index::memory::{Memory, Seen};
use crate::index::node::{Around, NOTHING};
use crate::index::seek::{self, Seek};
use crate::index::walk::{InOrder, Leaf};
use crate::queries::{Nearest, NearestHit};
use crate::reference::queries::Definition;
use crate::simd::Lanes;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::SPRITE;
use crate::world::pieces::Piece;
use crate::world::pose::land;

impl Query for Nearest {
    type Answer = NearestHit;
}

/// The query, with its point on the lattice.
#[derive(Clone, Copy, Debug)]
pub struct Snapped {
    at: Point,
    within: f64,
    count: usize,
    mask: u32,
}

impl Asked for Nearest {
    type Snapped = Snapped;
    type Found = NearestHit;

    #[inline(always)]
    fn snap(&self, _: &World) -> Result<Snapped> {
        if self.within.is_nan() || self.within < 0.0 {
            return Err(Error::value("within", Number(self.within), "be 0 or more"));
        }
        let Self { within, count, mask, .. } = *self;
        Ok(Snapped { at: self.at.snap("at", MAX_COORDINATE)?, within, count, mask })
    }

    #[inline(always)]
    fn firsts<L: Lanes>(asked: Firsts<'_, Self>, lanes: L) {
        seek::firsts::<Self, Closest, L>(lanes, asked);
    }

    fn plainly(&self, by: &Definition, world: &World, except: &[BodyId]) -> Vec<NearestHit> {
        (by.nearest)(world, self, except)
    }
}

impl Finder for Snapped {
    type Found = NearestHit;

    #[inline(always)]
    fn all<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<NearestHit>) {
        if self.count == 0 {
            return;
        }
        // A max-heap: the farthest of the kept bodies is on top.
        let mut kept = BinaryHeap::from(std::mem::take(&mut memory.nearest));
        let (mut within, mut walk) = (self.within, InOrder::new(seen.index));
        while let Some(leaf) = walk.next(lanes, &Around(self.at), self.mask, Around::limit(most(within))) {
            if let Some(distance) = self.distance(seen, memory, &leaf, within)
                && !seen.leaves_out(leaf.body)
            {
                kept.push(NearestHit { body: seen.id(leaf.body), distance });
                if kept.len() > self.count {
                    kept.pop();
                }
                if kept.len() == self.count {
                    within = kept.peek().map_or(within, |farthest| farthest.distance);
                }
            }
        }
        let mut kept = kept.into_vec();
        kept.sort_unstable();
        found.extend_from_slice(&kept);
        kept.clear();
        memory.nearest = kept;
    }

    #[inline(always)]
    fn first<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<NearestHit> {
        seek::first::<Closest, L>(lanes, self, seen, memory)
    }
}

impl Place for Snapped {
    fn place(&self) -> Point {
        self.at
    }
}

impl Snapped {
    /// Returns the distance of a body in units, or `None` if it is more than `within`.
    #[inline(always)]
    fn distance(&self, seen: &Seen<'_>, memory: &mut Memory, leaf: &Leaf, within: f64) -> Option<f64> {
        let steps = if leaf.bounds.aligned {
            distance::to_box(&leaf.bounds.reach, self.at)
        } else {
            self.shape_distance(seen, memory, leaf.body, most(within))?
        };
        let distance = steps / f64::from(SUBPIXELS);
        (distance <= within).then_some(distance)
    }

    /// Returns the distance in lattice steps of a body that is not an aligned box. If it is more than `most`, returns
    /// `None` or any larger number.
    fn shape_distance(&self, seen: &Seen<'_>, memory: &mut Memory, body: u32, most: f64) -> Option<f64> {
        let (packed, body) = (seen.packed(), seen.body(body));
        if body.is(SPRITE) {
            return distance::to_pixels(&seen.sampled(body), self.at, most);
        }
        let (pieces, vertices) = (packed.pieces(&body), packed.vertices(&packed.shapes[body.shape as usize]));
        let landed = seen.vertices(&body, &mut memory.theirs);
        let mut distance = |piece: Piece| {
            let landed = &mut landed[..piece.count];
            land::core(&body, &vertices[piece.vertices()], landed);
            distance::to_piece(Core::Hull(landed), self.at, piece.radius)
        };
        let to_box = |bounds: &Aabb| distance::to_box(bounds, self.at);
        // The distance of any nearby piece is an upper bound on that of the nearest.
        let beside = if pieces.are_many() { distance(pieces.beside(to_box)) } else { f64::INFINITY };
        let least = Cell::new(beside);
        for piece in pieces.near(|bounds| to_box(bounds) <= least.get().min(most) + f64::from(body.radius) + 1.0) {
            least.set(least.get().min(distance(piece)));
        }
        Some(least.get())
    }
}

/// The search for the nearest body, with the best so far.
struct Closest {
    near: Snapped,
    probe: Around,
    best: Option<(f64, u32)>,
    limit: i32,
}

impl Seek for Closest {
    type Snapped = Snapped;
    type Probe = Around;
    type Found = NearestHit;

    #[inline(always)]
    fn new(near: &Snapped) -> Self {
        let limit = if near.count == 0 { NOTHING } else { Around::limit(most(near.within)) };
        Self { near: *near, probe: Around(near.at), best: None, limit }
    }

    #[inline(always)]
    fn probe(&self) -> (&Around, u32) {
        (&self.probe, self.near.mask)
    }

    #[inline(always)]
    fn limit(&self) -> i32 {
        self.limit
    }

    #[inline(always)]
    fn meet<L: Lanes>(&mut self, lanes: L, seen: &Seen<'_>, memory: &mut Memory, leaf: &Leaf) {
        if let Some(distance) = self.near.distance(seen, memory, leaf, self.near.within)
            && self.best.is_none_or(|best| (distance, leaf.body) < best)
            && !seen.leaves_out(leaf.body)
        {
            seen.world.prefetch_id(lanes, leaf.body);
            self.best = Some((distance, leaf.body));
            self.near.within = distance;
            self.limit = Around::limit(most(distance));
        }
    }

    #[inline(always)]
    fn found(&self, seen: &Seen<'_>) -> Option<NearestHit> {
        self.best.map(|(distance, body)| NearestHit { body: seen.id(body), distance })
    }
}

/// Converts a distance in units to lattice steps, plus one step for rounding.
#[inline(always)]
fn most(within: f64) -> f64 {
    within * f64::from(SUBPIXELS) + 1.0
}
