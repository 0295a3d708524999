//! The resources that the stages of a step work with.

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

const ADVICE: &str = "let fewer bodies overlap, separate them by layers, or split them over several worlds";

/// Bodies in the order of the broad phase.
pub(super) const STRIPS: Need =
    Need { what: "the order of the bodies", advice: "split them over several worlds", beside: 0 };
/// Pairs as a task finds them.
pub(super) const FOUND: Need = Need { what: "a list of pairs that hit", advice: ADVICE, beside: 0 };
/// Pairs that a task has yet to judge.
pub(super) const CANDIDATES: Need = Need { what: "a list of pairs that may hit", advice: ADVICE, beside: 0 };
/// Bodies that a thread has posed for its candidates.
pub(super) const POSED: Need =
    Need { what: "a list of posed bodies", advice: "use fewer threads, or polygons of fewer vertices", beside: 0 };
/// The ordered pairs.
pub(super) const PAIRS: Need = Need { what: "the list of pairs that hit", advice: ADVICE, beside: 0 };
/// The details of pairs.
pub(super) const DETAILS: Need =
    Need { what: "the list of the pairs' details", advice: "ask for the pairs without details", beside: 0 };
