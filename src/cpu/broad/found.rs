//! The pairs that a task of a step has found.

use crate::cpu::flags::Flags;
use crate::cpu::means::{CANDIDATES, FOUND};
use crate::cpu::narrow::decide::decide;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::world::packed::{Kind, Packed};

/// Pairs of bodies, lower index first, in no particular order. Aligned so that no two threads write to the same cache
/// line or to two lines that are prefetched together.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(in crate::cpu) struct Found {
    /// Pairs that hit.
    pub hits: Vec<[u32; 2]>,
    /// Pairs that only the narrow phase can decide.
    pub candidates: Vec<[u32; 2]>,
    /// The number of pairs of masks that were compared without becoming candidates.
    pub masks: u64,
}

impl Found {
    /// Removes all pairs but keeps the memory.
    pub(in crate::cpu) fn clear(&mut self) {
        self.hits.clear();
        self.candidates.clear();
        self.masks = 0;
    }

    /// Returns the number of pairs.
    pub(in crate::cpu) fn len(&self) -> usize {
        self.hits.len() + self.candidates.len()
    }

    /// Returns the bytes that the lists hold.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        8 * (self.hits.capacity() + self.candidates.capacity())
    }

    /// Adds pairs whose bounds meet. Returns an error if there is no memory for all of them.
    #[inline(always)]
    pub(in crate::cpu) fn take(
        &mut self,
        packed: &Packed,
        touch: Touch,
        pairs: impl ExactSizeIterator<Item = [u32; 2]>,
        room: &Room,
    ) -> Result<()> {
        room.reserve(&mut self.hits, pairs.len(), FOUND)?;
        if packed.varied {
            room.reserve(&mut self.candidates, pairs.len(), CANDIDATES)?;
            for pair in pairs {
                match decide(packed, touch, pair) {
                    Some(true) => self.hits.push(pair),
                    Some(false) => {}
                    None => self.candidates.push(pair),
                }
            }
        } else {
            debug_assert!(packed.kinds.iter().all(|kind| matches!(kind, Kind::Box | Kind::Absent)));
            self.hits.extend(pairs);
        }
        Ok(())
    }

    /// Adds pairs whose bounds meet when only flags are wanted: raises the flags of pairs that are known to hit, and
    /// lists the candidates whose two flags are not both raised.
    #[inline]
    pub(in crate::cpu) fn take_unflagged(
        &mut self,
        packed: &Packed,
        touch: Touch,
        pairs: impl ExactSizeIterator<Item = [u32; 2]>,
        flags: &Flags,
        room: &Room,
    ) -> Result<()> {
        room.reserve(&mut self.candidates, pairs.len(), CANDIDATES)?;
        for pair in pairs {
            if !flags.both_raised(pair) {
                match decide(packed, touch, pair) {
                    Some(true) => flags.raise(pair),
                    Some(false) => {}
                    None => self.candidates.push(pair),
                }
            }
        }
        Ok(())
    }
}
