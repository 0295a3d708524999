//! What the stages of a step work with.

use super::team::Team;
use crate::ground::memory::{Need, Room};
use crate::simd::Simd;

/// Vector instructions, threads, and memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means<'a> {
    pub(crate) simd: Simd,
    pub(crate) team: Team<'a>,
    pub(crate) room: &'a Room,
}

const ADVICE: &str = "let fewer bodies overlap, part them by layers, or make several worlds of them";

/// Bodies in the order of the broad phase.
pub(super) const STRIPS: Need =
    Need { what: "the order of the bodies", advice: "make several worlds of them", beside: 0 };
/// Pairs as they are found by a task.
pub(super) const FOUND: Need = Need { what: "a list of pairs that hit", advice: ADVICE, beside: 0 };
/// Pairs that a task still has to judge.
pub(super) const CANDIDATES: Need = Need { what: "a list of pairs that may hit", advice: ADVICE, beside: 0 };
/// Bodies as a thread poses them, for its candidates.
pub(super) const POSED: Need =
    Need { what: "a list of posed bodies", advice: "use fewer threads, or polygons of fewer vertices", beside: 0 };
/// Pairs in their order.
pub(super) const PAIRS: Need = Need { what: "the list of pairs that hit", advice: ADVICE, beside: 0 };
/// What pairs carry.
pub(super) const DETAILS: Need =
    Need { what: "the list of what pairs carry", advice: "ask for the pairs without details", beside: 0 };
