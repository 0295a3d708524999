//! Rows of bits: what masks are made of, and where two of them have a bit in common.

pub(crate) mod blocks;
pub(crate) mod look;
pub(crate) mod rows;

/// A mask has at most this many texels a side: 8192. A full one takes 8 MiB, and texel indices keep to 13 bits, which
/// leaves the sampling of a turned sprite all the room it needs in its integers.
pub const MAX_SIDE: u32 = 8192;
