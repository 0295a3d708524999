//! Bit-packed alpha.

/// A mask.
#[derive(Clone, Debug)]
pub struct Mask;
