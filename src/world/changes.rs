//! What changed in a world since an engine last looked.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::BODIES;
use crate::ground::error::Result;
use crate::ground::memory::Room;

/// A log of the bodies that were added or set. Engines remember how far they have read.
#[derive(Debug)]
pub(crate) struct Changes {
    /// Tells this log from all others.
    log: u64,
    /// Bodies, in order of their change; a body may be there more than once.
    bodies: Vec<u32>,
    /// The changes before the first of `bodies`.
    forgotten: u64,
}

/// How far a log was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Mark {
    log: u64,
    read: u64,
}

impl Changes {
    /// Notes a change of one of `count` bodies.
    pub(crate) fn note(&mut self, body: u32, count: usize) {
        // Whoever has missed more than all bodies begins anew.
        if self.bodies.len() > count {
            self.forgotten += self.bodies.len() as u64;
            self.bodies.clear();
        }
        self.bodies.push(body);
    }

    /// Makes room for as many changes as are kept of a world of so many bodies.
    pub(crate) fn reserve(&mut self, count: usize, room: &Room) -> Result<()> {
        room.grow_to(&mut self.bodies, count + 1, BODIES)
    }

    /// The end of the log.
    pub(crate) fn mark(&self) -> Mark {
        Mark { log: self.log, read: self.forgotten + self.bodies.len() as u64 }
    }

    /// Whether a mark is of this log, be what came since forgotten or not.
    #[cfg(feature = "gpu")]
    pub(crate) fn is_of(&self, mark: Mark) -> bool {
        mark.log == self.log
    }

    /// The changes since a mark; nothing where they are forgotten, or the mark is of another world.
    pub(crate) fn since(&self, mark: Mark) -> Option<&[u32]> {
        let read = mark.read.checked_sub(self.forgotten).filter(|_| mark.log == self.log)?;
        self.bodies.get(read as usize..)
    }
}

impl Default for Changes {
    fn default() -> Self {
        // 0 is in no log: it is the mark of an engine that has read none.
        static LOGS: AtomicU64 = AtomicU64::new(1);
        Self { log: LOGS.fetch_add(1, Relaxed), bodies: Vec::new(), forgotten: 0 }
    }
}

impl Clone for Changes {
    /// A log of its own: the copy goes its own way.
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
        changes.note(1, 4);
        assert_eq!(changes.since(middle), None);
        assert_eq!(changes.since(start), None);
        assert_eq!(changes.since(changes.mark()), Some([].as_slice()));
    }
}
