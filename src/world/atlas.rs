//! The words of all shapes, in one array. The words of removed shapes are used again.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::ground::error::Result;
use crate::ground::memory::{Need, Room};

/// An array of words, each in use or free.
#[derive(Clone, Debug, Default)]
pub(crate) struct Atlas {
    words: Vec<u64>,
    /// The number of words of each free range, by its first word. No two ranges adjoin.
    free: BTreeMap<usize, usize>,
}

impl Atlas {
    /// Creates an atlas of words that are all in use.
    #[cfg(all(any(test, feature = "internals"), feature = "gpu"))]
    pub(crate) fn of(words: Vec<u64>) -> Self {
        Self { words, free: BTreeMap::new() }
    }

    /// Returns all words.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns a range of words, for writing.
    pub(super) fn words_mut(&mut self, range: Range<usize>) -> &mut [u64] {
        &mut self.words[range]
    }

    /// Returns how many words there would be after an insertion of `count` more.
    pub(super) fn len_with(&self, count: usize) -> usize {
        if self.fit(count).is_some() { self.words.len() } else { self.words.len() + count }
    }

    /// Makes room for an insertion of `count` words.
    pub(super) fn reserve(&mut self, count: usize, room: &Room, need: Need) -> Result<()> {
        if self.fit(count).is_some() { Ok(()) } else { room.reserve(&mut self.words, count, need) }
    }

    /// Inserts words where there is room and returns the index of the first.
    pub(super) fn insert(&mut self, words: &[u64]) -> usize {
        let first = self.take(words.len());
        self.words[first..first + words.len()].copy_from_slice(words);
        first
    }

    /// Frees a range that is in use.
    pub(super) fn remove(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let (mut first, mut count) = (range.start, range.len());
        if let Some((&before, &length)) = self.free.range(..range.start).next_back()
            && before + length == first
        {
            self.free.remove(&before);
            (first, count) = (before, count + length);
        }
        if let Some(length) = self.free.remove(&range.end) {
            count += length;
        }
        if first + count == self.words.len() {
            self.words.truncate(first);
        } else {
            self.free.insert(first, count);
        }
    }

    /// Returns the start of the smallest free range that is large enough.
    fn fit(&self, count: usize) -> Option<usize> {
        let parts = self.free.iter().filter(|(_, length)| **length >= count);
        parts.min_by_key(|(_, length)| **length).map(|(&first, _)| first)
    }

    fn take(&mut self, count: usize) -> usize {
        let Some(first) = self.fit(count).filter(|_| count > 0) else {
            let first = self.words.len();
            self.words.resize(first + count, 0);
            return first;
        };
        if let Some(length) = self.free.remove(&first)
            && length > count
        {
            self.free.insert(first + count, length - count);
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    #[test]
    fn what_is_freed_is_used_again() {
        let mut atlas = Atlas::default();
        let mut random = SplitMix64(1);
        let mut held: Vec<(usize, Vec<u64>)> = Vec::new();
        let mut most = 0;
        for step in 0..5_000 {
            if held.len() > 20 {
                let (first, words) = held.swap_remove(random.below(held.len() as u32) as usize);
                assert_eq!(atlas.words()[first..first + words.len()], words);
                atlas.remove(first..first + words.len());
            }
            let words: Vec<u64> = (0..=random.below(50)).map(|_| random.next_u64()).collect();
            let expected = atlas.len_with(words.len());
            held.push((atlas.insert(&words), words));
            assert_eq!(atlas.words().len(), expected);
            if step == 500 {
                most = atlas.words().len();
            }
        }
        assert!(atlas.words().len() < 2 * most, "{} words, {most} before", atlas.words().len());
        for (first, words) in held {
            assert_eq!(atlas.words()[first..first + words.len()], words);
            atlas.remove(first..first + words.len());
        }
        assert!(atlas.words().is_empty() && atlas.free.is_empty());
    }
}
