//! Logs of what changed in a world, for readers that each remember how far they have read.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::ground::error::Result;
use crate::ground::memory::{Need, Room};

/// A log of changes to bodies, shapes or words. A reader keeps a [`Mark`] of how far it has read.
#[derive(Debug)]
pub(crate) struct Changes<T> {
    /// The number of this log, which no other log has.
    log: u64,
    /// The changes, in order; an item may be listed more than once.
    entries: Vec<T>,
    /// The number of changes before the first of `entries`.
    forgotten: u64,
}

/// A place in a log, up to which a reader has read it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    log: u64,
    read: u64,
}

impl<T> Changes<T> {
    /// Notes a change. A log that has more than `most` entries, or for which there is no memory, is cleared first; a
    /// reader that has missed these must read everything anew.
    pub(crate) fn note(&mut self, entry: T, most: usize) {
        if self.entries.len() > most || self.entries.try_reserve(1).is_err() {
            self.forget();
        }
        if self.entries.len() < self.entries.capacity() {
            self.entries.push(entry);
        } else {
            self.forgotten += 1;
        }
    }

    /// Notes that everything has changed.
    pub(crate) fn note_all(&mut self) {
        self.forget();
        // Counted as a change that no reader has seen.
        self.forgotten += 1;
    }

    fn forget(&mut self) {
        self.forgotten += self.entries.len() as u64;
        self.entries.clear();
    }

    /// Makes room for as many changes as [`Changes::note`] keeps with the same `most`.
    pub(crate) fn reserve(&mut self, most: usize, room: &Room, need: Need) -> Result<()> {
        room.grow_to(&mut self.entries, most + 1, need)
    }

    /// Returns the mark of the end of the log.
    pub(crate) fn mark(&self) -> Mark {
        Mark { log: self.log, read: self.forgotten + self.entries.len() as u64 }
    }

    /// Returns whether a mark is of this log.
    #[cfg(feature = "gpu")]
    pub(crate) fn is_of(&self, mark: Mark) -> bool {
        mark.log == self.log
    }

    /// Returns the changes since a mark; `None` if some are forgotten or the mark is of another log.
    pub(crate) fn since(&self, mark: Mark) -> Option<&[T]> {
        let read = mark.read.checked_sub(self.forgotten).filter(|_| mark.log == self.log)?;
        self.entries.get(read as usize..)
    }
}

impl<T> Default for Changes<T> {
    fn default() -> Self {
        // No log has number 0, so the default mark is that of a reader that has read nothing.
        static LOGS: AtomicU64 = AtomicU64::new(1);
        Self { log: LOGS.fetch_add(1, Relaxed), entries: Vec::new(), forgotten: 0 }
    }
}

impl<T> Clone for Changes<T> {
    /// Returns a new, empty log, because the copy changes independently.
    fn clone(&self) -> Self {
        Self::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_good_until_what_it_missed_is_forgotten() {
        let mut changes = Changes::default();
        assert_eq!(changes.since(Mark::default()), None);
        let start = changes.mark();
        assert_eq!(changes.since(start), Some([].as_slice()));
        for body in [3, 1, 3] {
            changes.note(body, 4);
        }
        let middle = changes.mark();
        assert_eq!(changes.since(start), Some([3, 1, 3].as_slice()));
        for body in [0, 2] {
            changes.note(body, 4);
        }
        assert_eq!(changes.since(middle), Some([0, 2].as_slice()));
        assert_eq!(changes.clone().since(middle), None);
        #[cfg(feature = "gpu")]
        assert!(changes.is_of(start) && !changes.clone().is_of(start));
        changes.note(1, 4);
        assert_eq!(changes.since(middle), None);
        assert_eq!(changes.since(start), None);
        assert_eq!(changes.since(changes.mark()), Some([].as_slice()));
    }

    #[test]
    fn no_mark_is_good_when_all_has_changed() {
        let mut changes: Changes<u32> = Changes::default();
        let start = changes.mark();
        changes.note_all();
        assert_eq!(changes.since(start), None);
        assert_eq!(changes.since(changes.mark()), Some([].as_slice()));
    }
}
