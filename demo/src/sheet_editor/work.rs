//! The sheet being edited: the artist's frames, the changes to them, and what was saved.

use hitmask::Mask;
use hitmask_files::{FrameRetouch, Mark, Marks, NamedBox, Retouch, Sheet};

use super::history::{Change, Group, History};

/// The artist's sheet and the changes to it.
pub(crate) struct Work {
    art: Sheet,
    retouch: Retouch,
    /// The changes as in the file.
    saved: Retouch,
    history: History,
    /// The number of changes so far, undone ones included.
    version: u64,
    /// True if the changes differ from those in the file.
    is_unsaved: bool,
    /// The mask of the last frame that was asked for.
    shown: Option<Shown>,
}

/// The mask of a frame.
struct Shown {
    frame: usize,
    threshold: u8,
    version: u64,
    /// The mask by the threshold alone.
    plain: Mask,
    mask: Mask,
}

impl Work {
    pub(crate) fn new(art: Sheet, retouch: Retouch) -> Self {
        let saved = retouch.clone();
        Self { art, retouch, saved, history: History::default(), version: 0, is_unsaved: false, shown: None }
    }

    pub(crate) fn art(&self) -> &Sheet {
        &self.art
    }

    pub(crate) fn retouch(&self) -> &Retouch {
        &self.retouch
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn is_unsaved(&self) -> bool {
        self.is_unsaved
    }

    /// Notes that the changes are in the file.
    pub(crate) fn saved(&mut self) {
        self.saved.clone_from(&self.retouch);
        self.is_unsaved = false;
    }

    pub(crate) fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    pub(crate) fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// Returns whether a frame differs from the artist's.
    pub(crate) fn is_changed(&self, frame: usize) -> bool {
        self.retouch.frames.contains_key(&frame)
    }

    /// Returns the boxes of a frame.
    pub(crate) fn boxes(&self, frame: usize) -> &[NamedBox] {
        let own = self.retouch.frames.get(&frame).and_then(|change| change.boxes.as_deref());
        own.unwrap_or(&self.art.frames[frame].boxes)
    }

    /// Returns the pivot of a frame.
    pub(crate) fn pivot(&self, frame: usize) -> Option<[f64; 2]> {
        self.retouch.frames.get(&frame).and_then(|change| change.pivot).or(self.art.frames[frame].pivot)
    }

    /// Returns the marks of a frame, if any texel has one.
    pub(crate) fn marks(&self, frame: usize) -> Option<&Marks> {
        self.retouch.frames.get(&frame)?.marks.as_ref()
    }

    /// Returns the size of a frame.
    pub(crate) fn size(&self, frame: usize) -> [u32; 2] {
        self.art.frames[frame].image.dimensions().into()
    }

    /// Returns the mask of a frame.
    pub(crate) fn mask(&mut self, frame: usize) -> hitmask::Result<&Mask> {
        let threshold = self.retouch.threshold;
        let is_plain = |shown: &Shown| (shown.frame, shown.threshold) == (frame, threshold);
        let shown = match self.shown.take().filter(is_plain) {
            Some(shown) if shown.version == self.version => shown,
            before => {
                let image = &self.art.frames[frame].image;
                let (width, height) = image.dimensions();
                let plain = match before {
                    Some(shown) => shown.plain,
                    None => Mask::from_rgba(image.as_raw(), width, height, threshold)?,
                };
                let mut mask = plain.clone();
                if let Some(marks) = self.marks(frame) {
                    marks.apply(&mut mask);
                }
                Shown { frame, threshold, version: self.version, plain, mask }
            }
        };
        Ok(&self.shown.insert(shown).mask)
    }

    /// Sets the threshold. The changes of a drag are undone at once.
    pub(crate) fn set_threshold(&mut self, threshold: u8) {
        if threshold == 0 || threshold == self.retouch.threshold {
            return;
        }
        self.history.add(Change::Threshold(self.retouch.threshold), Some(Group::Threshold));
        self.retouch.threshold = threshold;
        self.changed();
    }

    /// Marks the texels of a frame that a stamp covers.
    pub(crate) fn mark(&mut self, frame: usize, stamp: &Mask, offset: [i32; 2], mark: Mark) -> anyhow::Result<()> {
        let mut marks = match self.marks(frame) {
            Some(marks) => marks.clone(),
            None => Marks::new(self.size(frame))?,
        };
        marks.set(stamp, offset, mark);
        self.edit(frame, Some(Group::Stroke), |change| change.marks = Some(marks));
        Ok(())
    }

    /// Edits the boxes of a frame.
    pub(crate) fn edit_boxes(&mut self, frame: usize, group: Option<Group>, edit: impl FnOnce(&mut Vec<NamedBox>)) {
        let mut boxes = self.boxes(frame).to_vec();
        edit(&mut boxes);
        self.edit(frame, group, |change| change.boxes = Some(boxes));
    }

    /// Sets the pivot of a frame.
    pub(crate) fn set_pivot(&mut self, frame: usize, pivot: [f64; 2]) {
        self.edit(frame, Some(Group::Pivot), |change| change.pivot = Some(pivot));
    }

    /// Edits the changes to a frame. Edits of the same group are undone at once, until [`Work::seal`].
    fn edit(&mut self, frame: usize, group: Option<Group>, edit: impl FnOnce(&mut FrameRetouch)) {
        let before = self.retouch.frames.get(&frame).cloned().unwrap_or_default();
        let mut after = before.clone();
        edit(&mut after);
        if after == before {
            return;
        }
        self.history.add(Change::Frames(vec![(frame, before)]), group);
        self.put(frame, after);
        self.changed();
    }

    /// Copies a box to other frames: it replaces the first of its name, or is added.
    pub(crate) fn copy_box(&mut self, named: &NamedBox, frames: impl IntoIterator<Item = usize>) {
        let mut before = Vec::new();
        for frame in frames {
            let mut boxes = self.boxes(frame).to_vec();
            match boxes.iter_mut().find(|own| own.name == named.name) {
                Some(own) => own.clone_from(named),
                None => boxes.push(named.clone()),
            }
            if boxes != self.boxes(frame) {
                let old = self.retouch.frames.get(&frame).cloned().unwrap_or_default();
                self.put(frame, FrameRetouch { boxes: Some(boxes), ..old.clone() });
                before.push((frame, old));
            }
        }
        if !before.is_empty() {
            self.history.add(Change::Frames(before), None);
            self.changed();
        }
    }

    /// Ends a group of edits that are undone at once.
    pub(crate) fn seal(&mut self) {
        self.history.seal();
    }

    /// Undoes a change, or makes it again. Returns a frame that has changed.
    pub(crate) fn undo(&mut self, again: bool) -> Option<usize> {
        let change = self.history.take(again)?;
        let (frame, inverse) = match change {
            Change::Threshold(threshold) => {
                (None, Change::Threshold(std::mem::replace(&mut self.retouch.threshold, threshold)))
            }
            Change::Frames(frames) => {
                let first = frames.first().map(|(frame, _)| *frame);
                let swap = |(frame, change)| {
                    let now = self.retouch.frames.get(&frame).cloned().unwrap_or_default();
                    self.put(frame, change);
                    (frame, now)
                };
                (first, Change::Frames(frames.into_iter().map(swap).collect()))
            }
        };
        self.history.put(inverse, again);
        self.changed();
        frame
    }

    /// Sets the changes to a frame, without those that change nothing.
    fn put(&mut self, frame: usize, mut change: FrameRetouch) {
        let art = &self.art.frames[frame];
        change.marks = change.marks.filter(|marks| !marks.is_empty());
        change.pivot = change.pivot.filter(|pivot| Some(*pivot) != art.pivot);
        change.boxes = change.boxes.filter(|boxes| *boxes != art.boxes);
        if change.is_empty() {
            self.retouch.frames.remove(&frame);
        } else {
            self.retouch.frames.insert(frame, change);
        }
    }

    fn changed(&mut self) {
        self.version += 1;
        self.is_unsaved = self.retouch != self.saved;
    }
}
