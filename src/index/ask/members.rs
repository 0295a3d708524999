//! Queries whose answers are plain bodies, without details.

use super::{Finder, Place};
use crate::cpu::padded::MOST;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::index::memory::{Memory, Posed, Seen};
use crate::index::walk::{Leaf, Meeting};
use crate::simd::{Lanes, WIDTH};
use crate::world::body::BodyId;

/// A point or box; the answers are the bodies that meet it.
pub(super) trait Member {
    /// Returns a walk over the bodies whose bounds meet it.
    fn meeting<'a>(&self, seen: &Seen<'a>) -> Meeting<'a>;

    /// Returns whether one of these bodies also meets it with its exact shape.
    fn meets_shape<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, theirs: &mut Posed, body: u32) -> bool;

    /// Returns whether one of these bodies is an answer. For an aligned box the bounds decide.
    #[inline(always)]
    fn is<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, theirs: &mut Posed, leaf: &Leaf) -> bool {
        !seen.leaves_out(leaf.body) && (leaf.bounds.aligned || self.meets_shape(lanes, seen, theirs, leaf.body))
    }
}

/// The finder of the bodies that meet a [`Member`].
#[derive(Clone, Copy, Debug)]
pub struct Members<M>(pub(super) M);

impl Place for Members<(Aabb, u32)> {
    fn place(&self) -> Point {
        self.0.0.centre()
    }
}

impl Place for Members<(Point, u32)> {
    fn place(&self) -> Point {
        self.0.0
    }
}

impl<M: Member> Finder for Members<M> {
    type Found = BodyId;

    /// Appends the bodies in ascending order of index.
    #[inline(always)]
    fn all<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<BodyId>) {
        let Memory { theirs, indices, .. } = memory;
        let mut count = 0;
        let mut meeting = self.0.meeting(seen);
        while let Some((part, bits)) = meeting.next(lanes) {
            if indices.len() < count + WIDTH {
                indices.resize(2 * count + WIDTH, 0);
            }
            let (bodies, aligned) = part.aligned();
            if let Some(to) = indices[count..].first_chunk_mut() {
                lanes.pick(bits & aligned, bodies, to);
                count += (bits & aligned).count_ones() as usize;
            }
            let mut bits = bits & !aligned;
            while bits != 0 {
                let leaf = part.leaf(bits.trailing_zeros());
                bits &= bits - 1;
                if self.0.meets_shape(lanes, seen, theirs, leaf.body) {
                    indices[count] = leaf.body;
                    count += 1;
                }
            }
        }
        sort(lanes, indices, count);
        let met = indices[..count].iter().filter(|&&body| !seen.leaves_out(body));
        found.extend(met.map(|&body| seen.id(body)));
    }

    /// Returns the body with the lowest index.
    #[inline(always)]
    fn first<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<BodyId> {
        let mut first = None;
        let mut meeting = self.0.meeting(seen);
        while let Some((part, mut bits)) = meeting.next(lanes) {
            while bits != 0 {
                let leaf = part.leaf(bits.trailing_zeros());
                bits &= bits - 1;
                if first.is_none_or(|first| leaf.body < first) && self.0.is(lanes, seen, &mut memory.theirs, &leaf) {
                    first = Some(leaf.body);
                }
            }
        }
        first.map(|body| seen.id(body))
    }

    #[inline(always)]
    fn any<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> bool {
        let mut meeting = self.0.meeting(seen);
        while let Some((part, mut bits)) = meeting.next(lanes) {
            while bits != 0 {
                let leaf = part.leaf(bits.trailing_zeros());
                bits &= bits - 1;
                if self.0.is(lanes, seen, &mut memory.theirs, &leaf) {
                    return true;
                }
            }
        }
        false
    }
}

/// Sorts the first `count` indices.
#[inline(always)]
fn sort<L: Lanes>(lanes: L, indices: &mut Vec<u32>, count: usize) {
    if count > MOST {
        return indices[..count].sort_unstable();
    }
    // The padding of the last vector must sort last.
    let padded = count.next_multiple_of(WIDTH);
    indices.resize(padded.max(indices.len()), 0);
    indices[count..padded].fill(u32::MAX);
    lanes.sort(indices[..padded].as_chunks_mut().0);
}
