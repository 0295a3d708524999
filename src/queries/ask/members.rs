//! Answers that are bodies and nothing else.

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

/// Puts all behind those that are there already, in order.
#[inline(always)]
pub(super) fn all<L: Lanes>(
    asked: &impl Member,
    lanes: L,
    seen: &Seen<'_>,
    memory: &mut Memory,
    found: &mut Vec<BodyId>,
) {
    let Memory { theirs, indices, .. } = memory;
    indices.clear();
    let mut meeting = asked.meeting(seen);
    while let Some(leaf) = meeting.next(lanes) {
        if asked.is(lanes, seen, theirs, &leaf) {
            indices.push(leaf.body);
        }
    }
    indices.sort_unstable();
    found.extend(indices.iter().map(|&body| seen.id(body)));
}

/// The one of the lowest index.
#[inline(always)]
pub(super) fn first<L: Lanes>(asked: &impl Member, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<BodyId> {
    let mut first = None;
    let mut meeting = asked.meeting(seen);
    while let Some(leaf) = meeting.next(lanes) {
        if first.is_none_or(|first| leaf.body < first) && asked.is(lanes, seen, &mut memory.theirs, &leaf) {
            first = Some(leaf.body);
        }
    }
    first.map(|body| seen.id(body))
}

/// Whether there is one.
#[inline(always)]
pub(super) fn any<L: Lanes>(asked: &impl Member, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> bool {
    let mut meeting = asked.meeting(seen);
    while let Some(leaf) = meeting.next(lanes) {
        if asked.is(lanes, seen, &mut memory.theirs, &leaf) {
            return true;
        }
    }
    false
}
