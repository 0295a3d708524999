//! Indices, and the serial numbers that make handles of them: indices are used again, handles never.
//!
//! A serial number is a digest of the history that led to it, so the same history gives the same handles everywhere:
//!
//! ```text
//! past = digest(past, index, content of the item)        at each addition; the new past is the item's serial number
//! ```

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::ground::digest;
use crate::ground::error::Result;
use crate::ground::memory::{Need, Room};
use crate::simd::Lanes;

/// The serial number of a free index.
pub(super) const NONE: u64 = 0;

/// The items that live at indices, by serial number. A clone of a world knows the handles of all items that it was made
/// with; items added later have the same handles on both sides if both add the same.
#[derive(Debug, Default)]
pub(super) struct Handles {
    /// The serial number of the item at each index.
    serials: Vec<u64>,
    /// The free indices.
    free: BinaryHeap<Reverse<u32>>,
    living: usize,
    /// One more than the last index in use. It grows by at most one at a time, because the lowest free index is taken
    /// first.
    used: usize,
    /// The digest of all additions so far.
    past: u64,
}

impl Clone for Handles {
    fn clone(&self) -> Self {
        let Self { serials, free, living, used, past } = self;
        Self { serials: serials.clone(), free: free.clone(), living: *living, used: *used, past: *past }
    }

    fn clone_from(&mut self, source: &Self) {
        self.serials.clone_from(&source.serials);
        self.free.clone_from(&source.free);
        (self.living, self.used, self.past) = (source.living, source.used, source.past);
    }
}

impl PartialEq for Handles {
    fn eq(&self, other: &Self) -> bool {
        self.past == other.past && self.serials == other.serials
    }
}

impl Handles {
    /// Makes handles for items that come after a past.
    pub(super) fn after(past: u64) -> Self {
        Self { past, ..Self::default() }
    }

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

    /// Returns the digest of all additions so far.
    pub(super) fn past(&self) -> u64 {
        self.past
    }

    /// Takes the next index for an item with this content, and returns its serial number.
    pub(super) fn take<const N: usize>(&mut self, content: [u64; N]) -> u64 {
        let index = self.next();
        let serial = digest::of_words([self.past, index as u64, digest::of_words(content)]).max(NONE + 1);
        self.past = serial;
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

    /// Sets the digest of all additions so far.
    pub(super) fn set_past(&mut self, past: u64) {
        self.past = past;
    }

    /// Replaces all serial numbers.
    pub(super) fn replace(&mut self, serials: impl IntoIterator<Item = u64>) {
        self.serials.clear();
        self.serials.extend(serials);
        let mut free = std::mem::take(&mut self.free).into_vec();
        free.clear();
        let all = self.serials.iter().enumerate();
        free.extend(all.clone().filter(|(_, serial)| **serial == NONE).map(|(index, _)| Reverse(index as u32)));
        self.living = self.serials.len() - free.len();
        self.used = all.rev().find(|(_, serial)| **serial != NONE).map_or(0, |(index, _)| index + 1);
        self.free = free.into();
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

    /// Returns the serial number of each index, [`NONE`] if it is free.
    pub(super) fn serials(&self) -> &[u64] {
        &self.serials
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
    #[inline]
    pub(super) fn lives(&self, index: u32, serial: u64) -> bool {
        self.serial(index) == Some(serial)
    }

    /// Asserts that the free list and the counts agree with the serial numbers.
    #[cfg(any(test, feature = "internals"))]
    pub(super) fn validate(&self) {
        let free = |(index, serial): (usize, &u64)| (*serial == NONE).then_some(index as u32);
        let free: Vec<u32> = self.serials.iter().enumerate().filter_map(free).collect();
        let mut listed: Vec<u32> = self.free.iter().map(|Reverse(index)| *index).collect();
        listed.sort_unstable();
        assert_eq!((listed, self.living), (free.clone(), self.serials.len() - free.len()));
        assert_eq!(self.used, self.iter().next_back().map_or(0, |(index, _)| index as usize + 1));
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
        let serials: Vec<u64> = (0..5).map(|k| handles.take([k])).collect();
        for index in [3, 1] {
            handles.give_back(index);
        }
        assert_eq!((handles.next(), handles.living(), handles.indices()), (1, 3, 5));
        let again = handles.take([0]);
        assert!(handles.lives(1, again) && !handles.lives(1, serials[1]) && handles.lives(2, serials[2]));
        assert_eq!(handles.next(), 3);
        handles.take([0]);
        assert_eq!(handles.next(), 5);
    }

    #[test]
    fn a_handle_is_stale_however_often_its_index_was_taken() {
        let mut handles = Handles::default();
        let first = handles.take([0]);
        for _ in 0..1 << 17 {
            handles.give_back(0);
            handles.take([0]);
        }
        assert!(!handles.lives(0, first) && handles.living() == 1 && handles.indices() == 1);
    }

    #[test]
    fn a_copy_goes_its_own_way_until_it_does_the_same() {
        let mut handles = Handles::default();
        handles.take([5]);
        let mut copy = handles.clone();
        copy.give_back(0);
        handles.give_back(0);
        assert_eq!(handles.take([6]), copy.take([6]));
    }

    #[test]
    fn a_copy_with_other_additions_has_other_handles() {
        let mut handles = Handles::default();
        let old = handles.take([7]);
        let mut copy = handles.clone();
        let [here, there] = [handles.take([1]), copy.take([2])];
        assert!(handles.lives(0, old) && copy.lives(0, old) && !handles.lives(1, there) && !copy.lives(1, here));
        assert_ne!(handles.take([3]), copy.take([3]), "their pasts differ");
    }

    #[test]
    fn what_is_unused_at_the_end_is_forgotten() {
        let mut handles = Handles::default();
        let _: Vec<u64> = (0..100).map(|k| handles.take([k])).collect();
        (20..99).for_each(|index| handles.give_back(index));
        assert!(!handles.shrink(10), "the last is used");
        handles.give_back(99);
        handles.give_back(5);
        assert!(!handles.shrink(81) && handles.shrink(80));
        assert_eq!((handles.indices(), handles.next(), handles.living()), (20, 5, 19));
        handles.take([0]);
        assert_eq!(handles.next(), 20);
        handles.take([0]);
        (0..21).for_each(|index| handles.give_back(index));
        assert!(handles.shrink(21));
        assert_eq!((handles.indices(), handles.next()), (0, 0));
    }

    /// These are in saved games, so they never change.
    #[test]
    fn serial_numbers_are_the_same_for_ever() {
        let mut handles = Handles::default();
        let serials = [handles.take([1, 2]), handles.take([1, 2])];
        assert_eq!(serials, [15_185_031_865_374_453_726, 15_203_860_258_118_317_586]);
    }
}
