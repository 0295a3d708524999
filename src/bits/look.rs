//! Sprites whose mask can be compared where it lies: unturned and at rest.

use std::ops::Range;

use crate::ground::lattice::Point;

/// Where an [`UNTURNED`] sprite at rest paints which words: the rows of its mask from the first with a solid texel to the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// The pixel of the lowest bit of the first word.
    pub at: Point,
    /// The first word in [`Packed::words`].
    pub first: u32,
    /// The number of rows; 0 for any other body.
    pub height: u16,
    /// Words in a row.
    pub stride: u16,
}

impl Look {
    /// Where its words lie in [`Packed::words`].
    pub(crate) fn words(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.height) * usize::from(self.stride)
    }
}
