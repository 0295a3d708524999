//! Rows of bits: what masks are made of, where two of them have a bit in common, and how they are edited.

pub(crate) mod blocks;
pub(crate) mod common;
pub(crate) mod look;
pub(crate) mod raster;
pub(crate) mod row;
pub(crate) mod rows;
pub(crate) mod shift;
pub(crate) mod stamp;

/// A mask has at most this many texels a side: 8192. A full one takes 8 MiB, and texel indices keep to 13 bits, which
/// leaves the sampling of a turned sprite all the room it needs in its integers.
pub const MAX_SIDE: u32 = 8192;

/// The most words in a row of a mask.
pub(crate) const MOST_STRIDE: usize = MAX_SIDE as usize / 64;
