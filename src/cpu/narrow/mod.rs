//! The narrow phase: decides which candidates hit, when, and where.

mod convex;
pub(crate) mod decide;
mod gather;
pub(super) mod judge;
pub(crate) mod mixed;
pub(crate) mod paint;
pub(crate) mod pair;
pub(super) mod posed;
pub(crate) mod seen;
mod sprites;
pub(crate) mod view;
