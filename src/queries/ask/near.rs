//! Which bodies are nearest to a point.

use std::collections::BinaryHeap;

use super::{Asked, Question, distance};
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{Point, SUBPIXELS, WORLD};
use crate::ground::predicate::Core;
use crate::ground::text::Number;
use crate::queries::block::Around;
use crate::queries::memory::{Memory, Seen};
use crate::queries::walk::{InOrder, Leaf};
use crate::questions::{Near, Nearby};
use crate::reference::questions;
use crate::simd::Lanes;
use crate::world::World;
use crate::world::packed::SPRITE;

impl Question for Near {
    type Answer = Nearby;
}

/// A point of the lattice, with all else.
#[derive(Clone, Copy, Debug)]
pub struct Snapped {
    at: Point,
    within: f64,
    count: usize,
    hits: u32,
}

impl Asked for Near {
    type Snapped = Snapped;
    type Found = Nearby;

    fn snap(&self, _: &World) -> Result<Snapped> {
        if self.within.is_nan() || self.within < 0.0 {
            return Err(Error::value("within", Number(self.within), "be 0 or more"));
        }
        let Self { within, count, hits, .. } = *self;
        Ok(Snapped { at: self.at.snap("at", WORLD)?, within, count, hits })
    }

    #[inline(always)]
    fn all<L: Lanes>(near: &Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<Nearby>) {
        if near.count == 0 {
            return;
        }
        // The farthest that is kept comes first.
        let mut kept = BinaryHeap::from(std::mem::take(&mut memory.nearest));
        let (mut within, mut walk) = (near.within, near.walk(seen));
        while let Some(leaf) = walk.next(lanes, Around::limit(most(within))) {
            if let Some(nearby) = near.nearby(seen, memory, &leaf, within) {
                kept.push(nearby);
                if kept.len() > near.count {
                    kept.pop();
                }
                if kept.len() == near.count {
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
    fn first<L: Lanes>(near: &Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<Nearby> {
        if near.count == 0 {
            return None;
        }
        let (mut best, mut within, mut walk) = (None, near.within, near.walk(seen));
        while let Some(leaf) = walk.next(lanes, Around::limit(most(within))) {
            if let Some(nearby) = near.nearby(seen, memory, &leaf, within)
                && best.is_none_or(|best| nearby < best)
            {
                best = Some(nearby);
                within = nearby.distance;
            }
        }
        best
    }

    fn plainly(&self, world: &World) -> Vec<Nearby> {
        questions::near(world, self)
    }

    fn first_of(found: Vec<Nearby>) -> Option<Nearby> {
        found.into_iter().next()
    }
}

impl Snapped {
    /// The bodies that may be near.
    #[inline(always)]
    fn walk<'a>(&self, seen: &Seen<'a>) -> InOrder<'a, Around> {
        InOrder::new(seen.index, Around(self.at), self.hits)
    }

    /// A body, unless it is farther than a distance.
    #[inline(always)]
    fn nearby(&self, seen: &Seen<'_>, memory: &mut Memory, leaf: &Leaf, within: f64) -> Option<Nearby> {
        let distance = self.distance(seen, memory, leaf, most(within))? / f64::from(SUBPIXELS);
        (distance <= within).then(|| Nearby { body: seen.id(leaf.body), distance })
    }

    /// How far a body is, in steps; nothing where that is more than `most`.
    fn distance(&self, seen: &Seen<'_>, memory: &mut Memory, leaf: &Leaf, most: f64) -> Option<f64> {
        if leaf.bounds.aligned {
            return Some(distance::to_box(&leaf.bounds.reach, self.at));
        }
        let (packed, body) = (seen.packed(), seen.body(leaf.body));
        if body.is(SPRITE) {
            return distance::to_pixels(&seen.sampled(body), self.at, most);
        }
        let landed = seen.landed(&body, &mut memory.theirs);
        let pieces = packed.pieces(&packed.shapes[body.shape as usize]);
        let distances = pieces
            .map(|(first, count)| distance::to_piece(Core::Hull(&landed[first..first + count]), self.at, body.radius));
        distances.reduce(f64::min)
    }
}

/// A distance in steps, and one more for what is rounded.
#[inline(always)]
fn most(within: f64) -> f64 {
    within * f64::from(SUBPIXELS) + 1.0
}
