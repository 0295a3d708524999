//! The narrow phase: decides which candidates hit, when, and where.

mod convex;
pub(crate) mod decide;
mod gather;
pub(super) mod judge;
pub(crate) mod mixed;
pub(crate) mod paint;
pub(crate) mod pair;
pub(super) mod path;
pub(super) mod posed;
mod rounded;
pub(crate) mod seen;
mod sprites;
mod verdict;
pub(crate) mod view;
