//! Rows of bits, of which masks consist: finding common bits of two sets of rows, and editing.

pub(crate) mod blocks;
pub(crate) mod common;
pub(crate) mod look;
pub(crate) mod raster;
pub(crate) mod row;
pub(crate) mod rows;
pub(crate) mod shift;
pub(crate) mod stamp;

/// The maximum side of a mask, in texels: 8192. A full mask takes 8 MiB, and texel indices fit in 13 bits, which leaves
/// the sampling of a turned sprite enough room in its integers.
pub const MAX_SIDE: u32 = 8192;

/// The maximum number of words in a row of a mask.
pub(crate) const MOST_STRIDE: usize = MAX_SIDE as usize / 64;
