//! Plain values that all else stands on: coordinates, boxes, the touch rule, ticks, the exact predicate, errors and
//! their words, and the memory that can be had.

pub(crate) mod aabb;
pub(crate) mod error;
pub(crate) mod lattice;
pub(crate) mod linear;
pub(crate) mod memory;
pub(crate) mod predicate;
pub(crate) mod text;
pub(crate) mod ticks;
pub(crate) mod touch;
