//! Answers that are bodies and nothing else.

use super::Finder;
use crate::queries::memory::{Memory, Posed, Seen};
use crate::queries::walk::{Leaf, Meeting};
use crate::simd::Lanes;
use crate::world::body::BodyId;

/// What bodies are asked for, whose bounds meet something.
pub(super) trait Member {
    /// The bodies that may be.
    fn meeting<'a>(&self, seen: &Seen<'a>) -> Meeting<'a>;

    /// Whether one is.
    fn is<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, theirs: &mut Posed, leaf: &Leaf) -> bool;
}

/// Finds them.
#[derive(Clone, Copy, Debug)]
pub struct Members<M>(pub(super) M);

impl<M: Member> Finder for Members<M> {
    type Found = BodyId;

    /// In the order of their indices.
    #[inline(always)]
    fn all<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<BodyId>) {
        let Memory { theirs, indices, .. } = memory;
        indices.clear();
        let mut meeting = self.0.meeting(seen);
        while let Some(leaf) = meeting.next(lanes) {
            if self.0.is(lanes, seen, theirs, &leaf) {
                indices.push(leaf.body);
            }
        }
        indices.sort_unstable();
        found.extend(indices.iter().map(|&body| seen.id(body)));
    }

    /// The one of the lowest index.
    #[inline(always)]
    fn first<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<BodyId> {
        let mut first = None;
        let mut meeting = self.0.meeting(seen);
        while let Some(leaf) = meeting.next(lanes) {
            if first.is_none_or(|first| leaf.body < first) && self.0.is(lanes, seen, &mut memory.theirs, &leaf) {
                first = Some(leaf.body);
            }
        }
        first.map(|body| seen.id(body))
    }

    #[inline(always)]
    fn any<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> bool {
        let mut meeting = self.0.meeting(seen);
        while let Some(leaf) = meeting.next(lanes) {
            if self.0.is(lanes, seen, &mut memory.theirs, &leaf) {
                return true;
            }
        }
        false
    }
}
