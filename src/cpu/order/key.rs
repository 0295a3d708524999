//! Pairs as numbers, whose order is that of the pairs.

use bytemuck::Pod;

/// A pair of a block: its row from the block's first on, above the bits of its higher index.
pub(super) trait Key: Pod + Ord + Send + Sync {
    fn new(row: u32, other: u32, bits: u32) -> Self;
    fn row(self, bits: u32) -> u32;
    fn other(self, bits: u32) -> u32;
    /// How far it is behind another.
    fn behind(self, other: Self) -> usize;
}

/// The words that so many keys take.
pub(super) fn words<K: Key>(keys: usize) -> usize {
    (keys * size_of::<K>()).div_ceil(size_of::<u64>())
}

macro_rules! key {
    ($word:ty) => {
        impl Key for $word {
            #[inline(always)]
            fn new(row: u32, other: u32, bits: u32) -> Self {
                Self::from(row) << bits | Self::from(other)
            }

            #[inline(always)]
            fn row(self, bits: u32) -> u32 {
                (self >> bits) as u32
            }

            #[inline(always)]
            fn other(self, bits: u32) -> u32 {
                (self & ((1 << bits) - 1)) as u32
            }

            #[inline(always)]
            fn behind(self, other: Self) -> usize {
                (self - other) as usize
            }
        }
    };
}

key!(u32);
key!(u64);
