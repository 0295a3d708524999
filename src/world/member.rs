//! The parts of a shape as it stores them.

/// A part as its shape stores it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Member {
    /// The radius before it lands, in lattice steps.
    pub(crate) radius: i32,
    pub(crate) tag: u32,
    /// The number of its rings: an outline, and holes.
    pub(crate) rings: usize,
}
