//! The narrow phase: which of the candidates hit, when, and where.

mod gather;
pub(super) mod judge;
pub(super) mod kind;
pub(crate) mod paint;
pub(super) mod pair;
pub(super) mod posed;
