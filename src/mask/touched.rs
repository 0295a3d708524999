//! The texels that an edit in place has changed, for code that keeps a copy of a mask's words.

use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Mask;

/// The texels that changed since an edit began. They are not part of a mask's value: all compare equal, and a clone has
/// none.
#[derive(Debug, Default)]
pub(super) struct Touched {
    /// The number of the edit; 0 is none.
    edit: u64,
    /// The bounding box `[x, y, width, height]` of the texels that changed.
    area: Option<[u32; 4]>,
}

impl Clone for Touched {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Touched {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Touched {}

impl Hash for Touched {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Touched {
    /// Extends the area by a box of texels.
    pub(super) fn add(&mut self, [x, y, width, height]: [u32; 4]) {
        let [left, top, right, bottom] = match self.area {
            Some([x0, y0, w, h]) => [x.min(x0), y.min(y0), (x + width).max(x0 + w), (y + height).max(y0 + h)],
            None => [x, y, x + width, y + height],
        };
        self.area = Some([left, top, right - left, bottom - top]);
    }
}

impl Mask {
    /// Begins an edit, and returns its number.
    pub(crate) fn begin_edit(&mut self) -> u64 {
        static EDITS: AtomicU64 = AtomicU64::new(1);
        let edit = EDITS.fetch_add(1, Relaxed);
        self.touched = Touched { edit, area: None };
        edit
    }

    /// Returns the bounding box of all texels that may have changed since an edit began. That is the whole mask if it
    /// has been replaced by another one since.
    pub(crate) fn end_edit(&mut self, edit: u64) -> Option<[u32; 4]> {
        let Touched { edit: begun, area } = std::mem::take(&mut self.touched);
        if begun == edit { area } else { Some([0, 0, self.width, self.height]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_knows_what_it_touched() {
        let mut mask = Mask::new(200, 100).unwrap();
        mask.fill();
        let edit = mask.begin_edit();
        assert_eq!(mask.end_edit(edit), None);
        let edit = mask.begin_edit();
        mask.erase_rect([3, 4, 5, 6]);
        mask.set(150, 2, true).unwrap(); // solid already
        mask.set(199, 99, false).unwrap();
        assert_eq!(mask.end_edit(edit), Some([3, 4, 197, 96]));
    }

    #[test]
    fn another_mask_has_changed_all_over() {
        let mut mask = Mask::new(20, 10).unwrap();
        let edit = mask.begin_edit();
        let mut other = mask.clone();
        assert_eq!(other.end_edit(edit), Some([0, 0, 20, 10]));
        other.begin_edit();
        assert_eq!(other.end_edit(edit), Some([0, 0, 20, 10]));
        assert!(mask == other);
    }
}
