//! Plain values that all else stands on: coordinates, boxes, the touch rule, ticks, the exact predicate, errors.

pub(crate) mod aabb;
pub(crate) mod error;
pub(crate) mod lattice;
pub(crate) mod linear;
pub(crate) mod predicate;
pub(crate) mod ticks;
pub(crate) mod touch;
