//! Keys for a sorting network: in whole vectors, the last of which is filled up.

use crate::ground::error::Result;
use crate::ground::memory::{Need, Room};
use crate::simd::WIDTH;

/// The most keys that a network sorts faster than buckets do, or comparisons of 32 bits: it takes the longer for each
/// the more there are.
pub(crate) const MOST: usize = 1 << 13;

/// The memory for keys.
#[derive(Debug, Default)]
pub(super) struct Padded(Vec<[u32; WIDTH]>);

impl Padded {
    /// Vectors for so many keys, which are still to be written; what the last has behind them is `u32::MAX`.
    #[inline(always)]
    pub(super) fn of(&mut self, len: usize, need: Need, room: &Room) -> Result<&mut [[u32; WIDTH]]> {
        let count = len.div_ceil(WIDTH);
        if self.0.len() < count {
            room.resize(&mut self.0, count, [0; WIDTH], need)?;
        }
        let vectors = &mut self.0[..count];
        vectors.as_flattened_mut()[len..].fill(u32::MAX);
        Ok(vectors)
    }

    /// The keys, as they were sorted last; behind them come others that mean nothing.
    #[inline(always)]
    pub(super) fn keys(&self) -> &[u32] {
        self.0.as_flattened()
    }

    /// The bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<[u32; WIDTH]>()
    }
}
