//! The broad phase: finds the pairs of bodies whose bounds meet.

pub(super) mod all_pairs;
pub(super) mod columns;
pub(super) mod cut;
pub(super) mod found;
mod grid;
pub(super) mod join;
mod keys;
pub(super) mod pairs;
pub(super) mod parted;
mod scatter;
mod seek;
mod sight;
mod sizes;
pub(crate) mod strips;
pub(super) mod sweep;
pub(super) mod table;
