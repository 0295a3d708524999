//! The broad phase: which pairs of bodies have bounds that meet.

pub(super) mod all_pairs;
pub(super) mod columns;
pub(super) mod cut;
pub(super) mod found;
mod keys;
pub(super) mod pairs;
mod scatter;
pub(super) mod settle;
pub(crate) mod strips;
pub(super) mod sweep;
