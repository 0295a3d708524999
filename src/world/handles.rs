//! Indices, and the serial numbers that make handles of them: indices are used again, handles never.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::ground::error::Result;
use crate::ground::memory::{Need, Room};
use crate::simd::Lanes;

/// The serial number of a free index.
const NONE: u64 = 0;

/// Draws a serial number that nothing else in this process has, in this world or another.
fn draw() -> u64 {
    static SERIALS: AtomicU64 = AtomicU64::new(NONE + 1);
    SERIALS.fetch_add(1, Relaxed)
}

/// The items that live at indices, by serial number. A clone of a world knows the handles of all items that it was made
/// with; items added later, on either side, have serial numbers of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Handles {
    /// The serial number of the item at each index.
    serials: Vec<u64>,
    /// The free indices.
    free: BinaryHeap<Reverse<u32>>,
    living: usize,
    /// One more than the last index in use. It grows by at most one at a time, because the lowest free index is taken
    /// first.
    used: usize,
}

impl Handles {
    /// Returns the number of indices, free ones included.
    pub(super) fn indices(&self) -> usize {
        self.serials.len()
    }

    /// Returns the number of items.
    pub(super) fn living(&self) -> usize {
        self.living
    }

    /// Returns the index that the next item will have: the lowest free one.
    pub(super) fn next(&self) -> usize {
        let lowest = self.free.peek().map(|Reverse(index)| *index as usize);
        lowest.filter(|&index| index < self.serials.len()).unwrap_or(self.serials.len())
    }

    /// Makes room for this many indices.
    pub(super) fn reserve(&mut self, indices: usize, room: &Room, need: Need) -> Result<()> {
        // Each index may later be in the free list.
        room.grow_to(&mut self.serials, indices, Need { beside: size_of::<u32>(), ..need })
    }

    /// Takes the next index and returns its serial number.
    pub(super) fn take(&mut self) -> u64 {
        let (index, serial) = (self.next(), draw());
        if index < self.serials.len() {
            self.free.pop();
            self.serials[index] = serial;
        } else {
            self.serials.push(serial);
        }
        self.living += 1;
        self.used = self.used.max(index + 1);
        serial
    }

    /// Frees an index in use.
    pub(super) fn give_back(&mut self, index: usize) {
        self.serials[index] = NONE;
        self.free.push(Reverse(index as u32));
        self.living -= 1;
        while self.used > 0 && self.serials[self.used - 1] == NONE {
            self.used -= 1;
        }
    }

    /// Drops the free indices behind the last one in use if they are more than half of all and at least `least`.
    /// Returns true if it dropped any.
    pub(super) fn shrink(&mut self, least: usize) -> bool {
        let unused = self.serials.len() - self.used;
        let pays = unused >= least && unused > self.used;
        if pays {
            self.serials.truncate(self.used);
            self.free.retain(|Reverse(index)| (*index as usize) < self.used);
        }
        pays
    }

    /// Returns the serial number of the item at an index.
    #[inline]
    pub(super) fn serial(&self, index: u32) -> Option<u64> {
        self.serials.get(index as usize).copied().filter(|&serial| serial != NONE)
    }

    /// Prefetches a serial number.
    #[inline(always)]
    pub(super) fn prefetch<L: Lanes>(&self, lanes: L, index: u32) {
        if let Some(serial) = self.serials.get(index as usize) {
            lanes.prefetch(serial);
        }
    }

    /// Returns true if the item with this serial number lives at an index.
    pub(super) fn lives(&self, index: u32, serial: u64) -> bool {
        self.serial(index) == Some(serial)
    }

    /// Returns the indices in use and their serial numbers, in order of index.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> + '_ {
        self.serials
            .iter()
            .enumerate()
            .filter(|(_, serial)| **serial != NONE)
            .map(|(index, &serial)| (index as u32, serial))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_index_is_taken_again() {
        let mut handles = Handles::default();
        let serials: Vec<u64> = (0..5).map(|_| handles.take()).collect();
        for index in [3, 1] {
            handles.give_back(index);
        }
        assert_eq!((handles.next(), handles.living(), handles.indices()), (1, 3, 5));
        let again = handles.take();
        assert!(handles.lives(1, again) && !handles.lives(1, serials[1]) && handles.lives(2, serials[2]));
        assert_eq!(handles.next(), 3);
        handles.take();
        assert_eq!(handles.next(), 5);
    }

    #[test]
    fn a_handle_is_stale_however_often_its_index_was_taken() {
        let mut handles = Handles::default();
        let first = handles.take();
        for _ in 0..1 << 17 {
            handles.give_back(0);
            handles.take();
        }
        assert!(!handles.lives(0, first) && handles.living() == 1 && handles.indices() == 1);
    }

    #[test]
    fn a_copy_goes_its_own_way() {
        let mut handles = Handles::default();
        let old = handles.take();
        let mut copy = handles.clone();
        let [here, there] = [handles.take(), copy.take()];
        assert!(handles.lives(0, old) && copy.lives(0, old) && !handles.lives(1, there) && !copy.lives(1, here));
    }

    #[test]
    fn what_is_unused_at_the_end_is_forgotten() {
        let mut handles = Handles::default();
        let _: Vec<u64> = (0..100).map(|_| handles.take()).collect();
        (20..99).for_each(|index| handles.give_back(index));
        assert!(!handles.shrink(10), "the last is used");
        handles.give_back(99);
        handles.give_back(5);
        assert!(!handles.shrink(81) && handles.shrink(80));
        assert_eq!((handles.indices(), handles.next(), handles.living()), (20, 5, 19));
        handles.take();
        assert_eq!(handles.next(), 20);
        handles.take();
        (0..21).for_each(|index| handles.give_back(index));
        assert!(handles.shrink(21));
        assert_eq!((handles.indices(), handles.next()), (0, 0));
    }
}
