//! Answers that are bodies and nothing else, by what lists them in any order until it is told that this is enough.

use crate::queries::memory::{Memory, Posed, Seen};
use crate::world::body::BodyId;

/// Puts all behind those that are there already, in order.
#[inline(always)]
pub(super) fn all(
    seen: &Seen<'_>,
    memory: &mut Memory,
    found: &mut Vec<BodyId>,
    list: impl FnOnce(&mut Posed, &mut dyn FnMut(u32) -> bool),
) {
    let Memory { theirs, indices, .. } = memory;
    indices.clear();
    list(theirs, &mut |body| {
        indices.push(body);
        false
    });
    indices.sort_unstable();
    found.extend(indices.iter().map(|&body| seen.id(body)));
}

/// The one of the lowest index.
#[inline(always)]
pub(super) fn first(seen: &Seen<'_>, list: impl FnOnce(&mut dyn FnMut(u32) -> bool)) -> Option<BodyId> {
    let mut first = None;
    list(&mut |body| {
        first = Some(first.map_or(body, |first: u32| first.min(body)));
        false
    });
    first.map(|body| seen.id(body))
}

/// Whether there is one.
#[inline(always)]
pub(super) fn any(list: impl FnOnce(&mut dyn FnMut(u32) -> bool)) -> bool {
    let mut any = false;
    list(&mut |_| {
        any = true;
        true
    });
    any
}
