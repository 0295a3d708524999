//! Plain values that all else stands on: coordinates, boxes, the touch rule, ticks, the exact predicate, errors and
//! their words, and what there is to be had of memory and threads.

pub(crate) mod aabb;
#[cfg(feature = "gpu")]
pub(crate) mod background;
pub(crate) mod error;
pub(crate) mod lattice;
pub(crate) mod linear;
pub(crate) mod memory;
pub(crate) mod patience;
pub(crate) mod predicate;
pub(crate) mod text;
pub(crate) mod threads;
pub(crate) mod ticks;
pub(crate) mod touch;
pub(crate) mod vec2;
