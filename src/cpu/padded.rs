//! Keys for a sorting network, in whole vectors, the last of which is padded.

use crate::ground::error::Result;
use crate::ground::memory::{Need, Room};
use crate::simd::WIDTH;

/// The most keys that a network sorts faster than buckets or 32-bit comparisons do: its cost per key grows with their
/// number.
pub(crate) const MOST: usize = 1 << 13;

/// The memory for keys.
#[derive(Debug, Default)]
pub(super) struct Padded(Vec<[u32; WIDTH]>);

impl Padded {
    /// Returns vectors for `len` keys, which the caller must write. The padding behind them is `u32::MAX`.
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

    /// Returns the keys as last sorted, followed by values without meaning.
    #[inline(always)]
    pub(super) fn keys(&self) -> &[u32] {
        self.0.as_flattened()
    }

    /// Returns the bytes that the keys take.
    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<[u32; WIDTH]>()
    }
}
