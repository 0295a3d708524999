//! Undo and redo: what changes replaced, within a limit of memory.

use hitmask_files::NamedBox;

use super::patch::Patch;

/// The most bytes that the history takes: 256 MiB.
const MOST: usize = 1 << 28;
/// The bytes of a change beside its masks and boxes, roughly.
const ENTRY: usize = 256;

/// The state that a change has replaced. Frames are given by their indices.
pub(crate) enum Change {
    Threshold(u8),
    Marks(usize, Patch),
    /// The boxes of frames; `None` if they were the artist's.
    Boxes(Vec<(usize, Option<Vec<NamedBox>>)>),
    /// The pivot of a frame; `None` if it was the artist's.
    Pivot(usize, Option<[f64; 2]>),
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
    /// Adds a change, or joins it to the last one if it continues its group.
    pub(crate) fn add(&mut self, change: Change, group: Option<Group>) {
        self.future.clear();
        if group.is_some() && self.group == group {
            // Of the others, the state before the first is kept.
            if let (Some(Change::Marks(_, patch)), Change::Marks(_, later)) = (self.past.last_mut(), change) {
                patch.join(later);
            }
        } else {
            self.group = group;
            self.past.push(change);
        }
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

    /// Takes the change to undo, or to make again. It comes back by [`History::put`].
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
    pub(crate) fn bytes(&self) -> usize {
        let of_boxes = |boxes: &Vec<NamedBox>| boxes.len() * ENTRY;
        match self {
            Self::Threshold(_) | Self::Pivot(..) => ENTRY,
            Self::Marks(_, patch) => ENTRY + patch.bytes(),
            Self::Boxes(frames) => frames.iter().map(|(_, boxes)| ENTRY + boxes.as_ref().map_or(0, of_boxes)).sum(),
        }
    }
}
