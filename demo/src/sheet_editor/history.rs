//! Undo and redo: what changes replaced, within a limit of memory.

use hitmask_files::{FrameRetouch, Marks};

/// The most bytes that the history takes: 256 MiB.
const MOST: usize = 1 << 28;
/// The bytes of a change beside its masks and boxes, roughly.
const ENTRY: usize = 256;

/// The state that a change has replaced.
pub(crate) enum Change {
    Threshold(u8),
    Frames(Vec<(usize, FrameRetouch)>),
}

/// Changes that are undone at once if they follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Threshold,
    Stroke,
    Pivot,
    /// A box that is dragged or nudged, by its place in the frame.
    Bounds(usize),
    /// The name or the data of a box, by its place in the frame.
    Text(usize),
}

/// The changes that can be undone, and those that can be made again.
#[derive(Default)]
pub(crate) struct History {
    past: Vec<Change>,
    future: Vec<Change>,
    group: Option<Group>,
}

impl History {
    /// Adds a change, unless it continues the group of the last one.
    pub(crate) fn add(&mut self, change: Change, group: Option<Group>) {
        self.future.clear();
        if group.is_some() && self.group == group {
            return;
        }
        self.group = group;
        self.past.push(change);
        // Of those that do not fit, the oldest are forgotten; the last one stays.
        let mut bytes = 0;
        let fits = |change: &&Change| {
            bytes += change.bytes();
            bytes <= MOST
        };
        let kept = self.past.iter().rev().take_while(fits).count().max(1);
        self.past.drain(..self.past.len() - kept);
    }

    /// Ends the group of the last change.
    pub(crate) fn seal(&mut self) {
        self.group = None;
    }

    pub(crate) fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    pub(crate) fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Takes the change to undo, or to make again.
    pub(crate) fn take(&mut self, again: bool) -> Option<Change> {
        self.group = None;
        if again { self.future.pop() } else { self.past.pop() }
    }

    /// Adds the inverse of a change that was taken.
    pub(crate) fn put(&mut self, inverse: Change, again: bool) {
        if again { self.past.push(inverse) } else { self.future.push(inverse) }
    }
}

impl Change {
    fn bytes(&self) -> usize {
        let of_frame = |(_, change): &(usize, FrameRetouch)| {
            let texels = change.marks.as_ref().map_or(0, |marks: &Marks| {
                let [width, height] = marks.size().map(|side| side as usize);
                width.div_ceil(64) * 16 * height
            });
            ENTRY + texels + change.boxes.as_ref().map_or(0, |boxes| boxes.len() * ENTRY)
        };
        match self {
            Self::Threshold(_) => ENTRY,
            Self::Frames(frames) => frames.iter().map(of_frame).sum(),
        }
    }
}
