//! What a task of a step has found.

use super::kind::decide;
use crate::packed::{Kind, Packed};
use crate::world::Touch;

/// Pairs of bodies, lower index first, in any order.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Those that hit.
    pub hits: Vec<[u32; 2]>,
    /// Those that only the narrow phase can tell.
    pub candidates: Vec<[u32; 2]>,
}

impl Found {
    /// Forgets all, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.hits.clear();
        self.candidates.clear();
    }

    /// The bytes that it holds beyond the pairs that hit.
    pub(super) fn bytes(&self) -> usize {
        8 * (self.hits.capacity() + self.candidates.capacity())
    }

    /// Takes pairs whose bounds meet.
    #[inline]
    pub(super) fn take(&mut self, packed: &Packed, touch: Touch, pairs: impl ExactSizeIterator<Item = [u32; 2]>) {
        if packed.varied {
            for pair in pairs {
                match decide(packed, touch, pair) {
                    Some(true) => self.hits.push(pair),
                    Some(false) => {}
                    None => self.candidates.push(pair),
                }
            }
        } else {
            debug_assert!(packed.kinds.iter().all(|kind| *kind == Kind::Box));
            self.hits.extend(pairs);
        }
    }
}
