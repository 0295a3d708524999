//! Keys in vectors, to be sorted by a network.

use crate::ground::error::Result;
use crate::ground::memory::{Need, Room};
use crate::simd::WIDTH;

/// The most keys that a network sorts faster than they are sorted otherwise: it takes the longer for each the more
/// there are.
pub(crate) const MOST: usize = 1 << 13;

/// The memory for keys.
#[derive(Debug, Default)]
pub(super) struct Vectors(Vec<[u32; WIDTH]>);

impl Vectors {
    /// The vectors of so many keys, whatever these are. What the last has behind them belongs behind all others.
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

    /// The keys, as they were sorted last.
    #[inline(always)]
    pub(super) fn keys(&self) -> &[u32] {
        self.0.as_flattened()
    }

    /// The bytes that they take.
    pub(super) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<[u32; WIDTH]>()
    }
}
