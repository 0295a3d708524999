//! Limits on what a file may claim, checked before memory is allocated.

use crate::error::{Error, Problem, Result};

/// The largest number of frames in a file.
pub(crate) const MAX_FRAMES: usize = 1 << 16;

/// The largest number of boxes in all frames together.
const MAX_BOXES: u64 = 1 << 20;

/// The number of times that the limit of pixels may be drawn: layers overlap, and a frame shows cels of other frames.
const DRAWN: u64 = 64;

/// The pixels that a file may still claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    limit: u64,
}

impl Budget {
    pub(crate) fn new(limit: u64) -> Self {
        // The bytes of an image are counted in `usize`, and an indexed or compressed one takes up to 8 a pixel.
        Self { limit: limit.min(usize::MAX as u64 / 8) }
    }

    /// Checks the pixels of one image: an atlas, a cel, a set of tiles.
    pub(crate) fn image(self, [width, height]: [u32; 2]) -> Result<()> {
        at_most("pixels in one image", self.limit, u64::from(width) * u64::from(height))
    }

    /// Checks the pixels of all frames, and of images of the same size that are needed to draw one.
    pub(crate) fn frames(self, sizes: impl IntoIterator<Item = [u32; 2]>) -> Result<()> {
        at_most("pixels in all frames", self.limit, area(sizes))
    }

    /// Checks the pixels of all images of a level.
    pub(crate) fn images(self, pixels: u64) -> Result<()> {
        at_most("pixels in all images", self.limit, pixels)
    }

    /// Checks the words of masks and the points of polygons of all tiles of a layer.
    pub(crate) fn stamped(self, size: u64) -> Result<()> {
        at_most("words of masks or points of polygons in a layer", self.limit.saturating_mul(2), size)
    }

    /// Checks the pixels of the masks of a layer.
    pub(crate) fn masks(self, pixels: u64) -> Result<()> {
        at_most("pixels in the masks of a layer", self.limit.saturating_mul(16), pixels)
    }

    /// Checks the pixels of the masks of tile objects.
    pub(crate) fn object_masks(self, pixels: u64) -> Result<()> {
        at_most("pixels in the masks of tile objects", self.limit.saturating_mul(16), pixels)
    }

    /// Checks the pixels that are drawn, layer by layer, to make all frames.
    pub(crate) fn drawn(self, sizes: impl IntoIterator<Item = [u32; 2]>) -> Result<()> {
        at_most("pixels in all layers of all frames", self.limit.saturating_mul(DRAWN), area(sizes))
    }
}

/// Checks the number of boxes in all frames.
pub(crate) fn box_count(count: u64) -> Result<()> {
    at_most("boxes in all frames", MAX_BOXES, count)
}

/// Checks a size against a limit.
pub(crate) fn at_most(what: &'static str, limit: u64, size: u64) -> Result<()> {
    if size <= limit { Ok(()) } else { Err(Error::from(Problem::TooLarge { what, size, limit })) }
}

fn area(sizes: impl IntoIterator<Item = [u32; 2]>) -> u64 {
    sizes.into_iter().fold(0, |sum: u64, [width, height]| sum.saturating_add(u64::from(width) * u64::from(height)))
}
