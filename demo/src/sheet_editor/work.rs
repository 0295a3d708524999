//! The sheet being edited: the artist's frames, the changes to them, and what was saved.

use std::collections::BTreeSet;

use hitmask::Mask;
use hitmask_files::{FrameRetouch, Mark, Marks, NamedBox, Retouch, Sheet};

use super::history::{Change, Group, History};
use super::patch::Patch;

/// The artist's sheet and the changes to it.
pub(crate) struct Work {
    art: Sheet,
    retouch: Retouch,
    /// The changes as in the file.
    saved: Retouch,
    history: History,
    /// The frames whose changes differ from those in the file.
    unsaved: BTreeSet<usize>,
    /// The frame of a stroke, which counts as unsaved until the stroke is over.
    stroked: Option<usize>,
    /// The mask of the last frame that was asked for.
    shown: Option<Shown>,
    /// The texels whose marks have changed since they were asked for, by frames, as `[x, y, width, height]`.
    fresh: Vec<(usize, [i32; 4])>,
}

/// The mask of a frame.
struct Shown {
    frame: usize,
    threshold: u8,
    /// The mask by the threshold alone.
    plain: Mask,
    mask: Mask,
}

impl Work {
    pub(crate) fn new(art: Sheet, retouch: Retouch) -> Self {
        Self {
            art,
            saved: retouch.clone(),
            retouch,
            history: History::default(),
            unsaved: BTreeSet::new(),
            stroked: None,
            shown: None,
            fresh: Vec::new(),
        }
    }

    pub(crate) fn art(&self) -> &Sheet {
        &self.art
    }

    pub(crate) fn retouch(&self) -> &Retouch {
        &self.retouch
    }

    pub(crate) fn is_unsaved(&self) -> bool {
        !self.unsaved.is_empty() || self.retouch.threshold != self.saved.threshold
    }

    /// Notes that the changes are in the file.
    pub(crate) fn saved(&mut self) {
        self.saved.clone_from(&self.retouch);
        (self.unsaved, self.stroked) = (BTreeSet::new(), None);
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

    /// Returns the size of a frame.
    pub(crate) fn size(&self, frame: usize) -> [u32; 2] {
        self.art.frames[frame].image.dimensions().into()
    }

    /// Returns the mask of a frame, and its marks, if any texel has one.
    pub(crate) fn mask(&mut self, frame: usize) -> hitmask::Result<(&Mask, Option<&Marks>)> {
        let (marks, threshold) = (marks(&self.retouch, frame), self.retouch.threshold);
        let kept = self.shown.take().filter(|shown| (shown.frame, shown.threshold) == (frame, threshold));
        let shown = if let Some(kept) = kept {
            kept
        } else {
            let image = &self.art.frames[frame].image;
            let (width, height) = image.dimensions();
            let plain = Mask::from_rgba(image.as_raw(), width, height, threshold)?;
            let mut mask = plain.clone();
            if let Some(marks) = marks {
                marks.apply(&mut mask);
            }
            Shown { frame, threshold, plain, mask }
        };
        Ok((&self.shown.insert(shown).mask, marks))
    }

    /// Returns the texels whose marks have changed since the last call, by frames, as `[x, y, width, height]`.
    pub(crate) fn take_fresh(&mut self) -> Vec<(usize, [i32; 4])> {
        std::mem::take(&mut self.fresh)
    }

    /// Sets the threshold. The changes of a drag are undone at once.
    pub(crate) fn set_threshold(&mut self, threshold: u8) {
        if threshold == 0 || threshold == self.retouch.threshold {
            return;
        }
        self.history.add(Change::Threshold(self.retouch.threshold), Some(Group::Threshold));
        self.retouch.threshold = threshold;
    }

    /// Marks the texels of a frame that a brush covers if its top-left corner lies at any of some offsets. It takes
    /// time and memory for these texels only.
    pub(crate) fn mark(
        &mut self,
        frame: usize,
        brush: &Mask,
        offsets: impl IntoIterator<Item = [i32; 2]>,
        mark: Mark,
    ) -> anyhow::Result<()> {
        let mut marks = self.take_marks(frame)?;
        let ([width, height], mut patch) = (brush.size().map(u32::cast_signed), Patch::default());
        let mut areas = Vec::new();
        let marked = offsets.into_iter().try_for_each(|[x, y]| {
            patch.keep(&marks, [x, y, width, height])?;
            areas.extend(marks.set(brush, [x, y], mark).map(|area| area.map(u32::cast_signed)));
            Ok(())
        });
        // All that is marked is not looked through if it cannot be empty.
        let has_marks = (mark != Mark::Alpha && !areas.is_empty()) || !marks.is_empty();
        self.edit(frame, |change| change.marks = has_marks.then_some(marks));
        if !areas.is_empty() {
            self.history.add(Change::Marks(frame, patch), Some(Group::Stroke));
            self.renew(frame, areas);
            self.unsaved.insert(frame);
            self.stroked = Some(frame);
        }
        marked
    }

    /// Edits the boxes of a frame.
    pub(crate) fn edit_boxes(&mut self, frame: usize, group: Option<Group>, edit: impl FnOnce(&mut Vec<NamedBox>)) {
        let mut boxes = self.boxes(frame).to_vec();
        edit(&mut boxes);
        if let Some(before) = self.set_boxes(frame, boxes) {
            self.history.add(Change::Boxes(vec![before]), group);
        }
    }

    /// Copies a box to frames: it replaces the first of its name, or is added. One without a name replaces none.
    pub(crate) fn copy_box(&mut self, named: &NamedBox, frames: impl IntoIterator<Item = usize>) {
        let mut before = Vec::new();
        for frame in frames {
            let mut boxes = self.boxes(frame).to_vec();
            match boxes.iter_mut().find(|own| own.name == named.name && !named.name.is_empty()) {
                Some(own) => own.clone_from(named),
                None => {
                    if !boxes.contains(named) {
                        boxes.push(named.clone());
                    }
                }
            }
            before.extend(self.set_boxes(frame, boxes));
        }
        if !before.is_empty() {
            self.history.add(Change::Boxes(before), None);
        }
    }

    /// Sets the boxes of a frame. Returns the frame and the changed boxes that it had; `None` if they are the same.
    fn set_boxes(&mut self, frame: usize, boxes: Vec<NamedBox>) -> Option<(usize, Option<Vec<NamedBox>>)> {
        if self.boxes(frame) == boxes {
            return None;
        }
        let boxes = Some(boxes).filter(|boxes| *boxes != self.art.frames[frame].boxes);
        let before = self.edit(frame, |change| std::mem::replace(&mut change.boxes, boxes));
        self.compare(frame);
        Some((frame, before))
    }

    /// Sets the pivot of a frame.
    pub(crate) fn set_pivot(&mut self, frame: usize, pivot: [f64; 2]) {
        if self.pivot(frame) != Some(pivot) {
            let pivot = Some(pivot).filter(|_| self.art.frames[frame].pivot != Some(pivot));
            let before = self.edit(frame, |change| std::mem::replace(&mut change.pivot, pivot));
            self.history.add(Change::Pivot(frame, before), Some(Group::Pivot));
            self.compare(frame);
        }
    }

    /// Ends a group of edits that are undone at once.
    pub(crate) fn seal(&mut self) {
        self.history.seal();
        if let Some(frame) = self.stroked.take() {
            self.compare(frame);
        }
    }

    /// Undoes a change, or makes it again. Returns a frame that has changed. On an error nothing has.
    pub(crate) fn undo(&mut self, again: bool) -> anyhow::Result<Option<usize>> {
        self.seal();
        let Some(mut change) = self.history.take(again) else { return Ok(None) };
        let swapped = self.swap(&mut change);
        self.history.put(change, again == swapped.is_ok());
        swapped
    }

    /// Exchanges the state with the one that a change has. Returns the first frame that it is of.
    fn swap(&mut self, change: &mut Change) -> anyhow::Result<Option<usize>> {
        match change {
            Change::Threshold(threshold) => {
                std::mem::swap(&mut self.retouch.threshold, threshold);
                Ok(None)
            }
            Change::Marks(frame, patch) => {
                let mut marks = self.take_marks(*frame)?;
                let swapped = patch.swap(&mut marks);
                let has_marks = !marks.is_empty();
                self.edit(*frame, |change| change.marks = has_marks.then_some(marks));
                self.renew(*frame, patch.areas().collect());
                self.compare(*frame);
                swapped.map(|()| Some(*frame))
            }
            Change::Boxes(frames) => {
                for (frame, boxes) in &mut *frames {
                    self.edit(*frame, |change| std::mem::swap(&mut change.boxes, boxes));
                    self.compare(*frame);
                }
                Ok(frames.first().map(|(frame, _)| *frame))
            }
            Change::Pivot(frame, pivot) => {
                self.edit(*frame, |change| std::mem::swap(&mut change.pivot, pivot));
                self.compare(*frame);
                Ok(Some(*frame))
            }
        }
    }

    /// Takes the marks of a frame, or makes some of which no texel has one.
    fn take_marks(&mut self, frame: usize) -> anyhow::Result<Marks> {
        match self.retouch.frames.get_mut(&frame).and_then(|change| change.marks.take()) {
            Some(marks) => Ok(marks),
            None => Ok(Marks::new(self.size(frame))?),
        }
    }

    /// Edits the changes to a frame.
    fn edit<T>(&mut self, frame: usize, edit: impl FnOnce(&mut FrameRetouch) -> T) -> T {
        let change = self.retouch.frames.entry(frame).or_default();
        let answer = edit(change);
        if *change == FrameRetouch::default() {
            self.retouch.frames.remove(&frame);
        }
        answer
    }

    /// Notes whether the changes to a frame differ from those in the file.
    fn compare(&mut self, frame: usize) {
        let [now, then] = [&self.retouch, &self.saved].map(|retouch| retouch.frames.get(&frame));
        let differs = match (now, then) {
            // Masks may be large.
            (Some(now), Some(then)) => (now.pivot, &now.boxes) != (then.pivot, &then.boxes) || now.marks != then.marks,
            (now, then) => now.is_some() || then.is_some(),
        };
        if differs {
            self.unsaved.insert(frame);
        } else {
            self.unsaved.remove(&frame);
        }
    }

    /// Renews the mask of a frame where its marks have changed.
    fn renew(&mut self, frame: usize, areas: Vec<[i32; 4]>) {
        if let Some(mut shown) = self.shown.take().filter(|shown| shown.frame == frame) {
            let own = marks(&self.retouch, frame);
            let renewed = areas.iter().try_for_each(|&area| {
                let mut part = shown.plain.cropped(area)?;
                if let Some(own) = own {
                    own.cropped(area)?.apply(&mut part);
                }
                shown.mask.erase_rect(area);
                shown.mask.draw(&part, [area[0], area[1]]);
                Ok::<_, hitmask_files::Error>(())
            });
            self.shown = renewed.is_ok().then_some(shown);
        }
        self.fresh.extend(areas.into_iter().map(|area| (frame, area)));
    }
}

/// Returns the marks of a frame, if any texel has one.
fn marks(retouch: &Retouch, frame: usize) -> Option<&Marks> {
    retouch.frames.get(&frame)?.marks.as_ref()
}
