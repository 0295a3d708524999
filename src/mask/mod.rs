//! Masks: the solid texels of an image, one bit each, and how two masks overlap.
//!
//! A row consists of whole 64-bit words; the leftmost texel is the lowest bit of the first word:
//!
//! ```text
//!            word 0              word 1
//!         bit 0 ...... 63     bit 0 ...... 63
//! row 0   #..##..   ...##     ##.#.00   ...00     0: past the width, never set
//! row 1   .####..   ....#     #..#.00   ...00
//! ```
//!
//! An offset is the position of the *other* mask's top-left corner in the frame of this one, +x to the right and +y
//! down. It may have any value. Everything outside a mask is empty, so masks that lie side by side do not overlap:
//!
//! ```text
//!   offset [4, 2]            offset [-3, -1]         offset [8, 0]
//!
//!                            +-----+
//!   +-------+                |  +--|----+            +-------+------+
//!   | self  |                |  |##|    |            | self  | other|
//!   |   +---|--+             |  |##| s  |            |       |      |     nothing in
//!   |   |###|  |             +-----+    |            |       +------+     common
//!   +-------+  |              other-----+            +-------+
//!       +------+
//!         other
//! ```

#![doc = include_str!("pygame.md")]

mod components;
mod decoder;
mod edit;
mod file;
mod frames;
mod grow;
mod image;
mod labels;
mod loose;
mod measure;
mod offsets;
mod outline;
mod overlap;
mod png;
mod polygons;
#[cfg(test)]
mod samples;
mod shapes;
mod text;
mod touched;
mod transform;

use std::fmt;
use std::ops::Range;

pub use crate::bits::MAX_SIDE;
use crate::bits::blocks::Blocks;
use crate::ground::error::{Error, Result};
pub use components::{Component, Components, Neighbours};
/// For `hitmask-files` and the program, which decode images too.
#[doc(hidden)]
pub use decoder::{guarded, image_reader};
#[cfg(feature = "scene")]
pub(crate) use file::Content;
pub use frames::{Frames, Grid};
pub use labels::Labels;
pub use polygons::Polygon;
use touched::Touched;

/// The default alpha threshold: 128, half opaque. A texel with this alpha or more is solid.
pub const DEFAULT_THRESHOLD: u8 = 128;

/// The solid texels of an image, one bit each.
///
/// ```
/// use hitmask::Mask;
///
/// let ship = Mask::from_rows(&["..#..", ".###.", "#####"])?;
/// let rock = Mask::from_rows(&["##", "##"])?;
/// assert!(!ship.overlaps(&rock, [0, -1])); // the rock's corner is on the ship's empty one
/// assert!(ship.overlaps(&rock, [0, 0]));
/// assert_eq!(ship.overlap_area(&rock, [1, 1]), 4);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Mask {
    /// 1 to [`MAX_SIDE`].
    width: u32,
    /// 1 to [`MAX_SIDE`].
    height: u32,
    /// Words in a row: `ceil(width / 64)`.
    stride: u32,
    /// Row by row, `stride * height` in all; bit `i % 64` of word `i / 64` of a row is its texel `i`. The bits past the
    /// width are zero: counting, comparing and hashing rely on it.
    words: Vec<u64>,
    /// The blocks of `words`, always up to date; `None` for a mask too small to benefit from them.
    blocks: Option<Blocks>,
    touched: Touched,
}

impl Mask {
    /// Makes an empty mask of `width` by `height` texels. Returns [`Error::Mask`] unless each is 1 to [`MAX_SIDE`].
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// assert_eq!(Mask::new(3, 2)?.to_rows(), ["...", "..."]);
    /// assert!(Mask::new(0, 2).is_err() && Mask::new(3, 8193).is_err());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn new(width: u32, height: u32) -> Result<Self> {
        Self::sized(width.into(), height.into())
    }

    /// Makes an empty mask as [`Mask::new`] does, from sizes of any value.
    fn sized(width: i64, height: i64) -> Result<Self> {
        check_size(width, height)?;
        Ok(Self::empty(width as u32, height as u32))
    }

    /// Makes an empty mask of a valid size.
    fn empty(width: u32, height: u32) -> Self {
        let stride = width.div_ceil(64);
        let words = vec![0; stride as usize * height as usize];
        Self { width, height, stride, words, blocks: Blocks::empty(height, stride), touched: Touched::default() }
    }

    /// Makes a mask of a valid size from the words of another mask of that size.
    pub(crate) fn of_words([width, height]: [u32; 2], words: Vec<u64>) -> Self {
        let mut mask = Self::empty(width, height);
        mask.words = words;
        mask.blocked()
    }

    /// Makes a mask from words that were saved, the lowest byte first. Returns [`Error::Mask`] for a size that a mask
    /// cannot have, or bits past the width.
    pub(crate) fn of_saved(size: [u32; 2], words: &[[u8; 8]]) -> Result<Self> {
        check_size(size[0].into(), size[1].into())?;
        let mut mask = Self::empty(size[0], size[1]);
        mask.words = words.iter().map(|&word| u64::from_le_bytes(word)).collect();
        mask.trim();
        if !mask.words.iter().zip(words).all(|(trimmed, &word)| *trimmed == u64::from_le_bytes(word)) {
            return Err(Error::Mask { problem: "a texel past the width is solid".into() });
        }
        Ok(mask.blocked())
    }

    /// Makes a mask whose texel at column `x` and row `y` is solid if `solid(x, y)` is true. `solid` is called row by
    /// row, from left to right. Returns [`Error::Mask`] for a size that a mask cannot have.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// // The pixels near a colour.
    /// let sheet = image::RgbImage::from_fn(3, 2, |x, y| image::Rgb([100 * x as u8, 10 * y as u8, 0]));
    /// let near = |a: u8, b: u8| a.abs_diff(b) <= 20;
    /// let red = Mask::from_fn(3, 2, |x, y| near(sheet.get_pixel(x, y).0[0], 200))?;
    /// assert_eq!(red.to_rows(), ["..#", "..#"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "from_threshold")]
    pub fn from_fn(width: u32, height: u32, mut solid: impl FnMut(u32, u32) -> bool) -> Result<Self> {
        let mut mask = Self::new(width, height)?;
        for (y, row) in (0..).zip(mask.words.chunks_exact_mut(mask.stride as usize)) {
            for x in 0..width {
                row[x as usize / 64] |= u64::from(solid(x, y)) << (x % 64);
            }
        }
        Ok(mask.blocked())
    }

    /// Returns the number of texels in a row.
    ///
    /// ```
    /// assert_eq!(hitmask::Mask::new(3, 2)?.width(), 3);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the number of rows.
    ///
    /// ```
    /// assert_eq!(hitmask::Mask::new(3, 2)?.height(), 2);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the width and the height in texels.
    ///
    /// ```
    /// assert_eq!(hitmask::Mask::new(3, 2)?.size(), [3, 2]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "get_size")]
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        [self.width, self.height]
    }

    /// Returns the number of words in a row: `ceil(width / 64)`.
    ///
    /// ```
    /// assert_eq!(hitmask::Mask::new(65, 2)?.stride(), 2);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn stride(&self) -> u32 {
        self.stride
    }

    /// Returns all words, row by row, [`Mask::stride`] in each row: bit `i % 64` of word `i / 64` of a row is its texel
    /// `i`, and the bits past the width are zero.
    ///
    /// ```
    /// let mask = hitmask::Mask::from_rows(&["#..", ".##"])?;
    /// assert_eq!(mask.words(), [0b001, 0b110]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Returns the words of row `y`, where the top row is 0; an empty slice if there is no such row.
    ///
    /// ```
    /// let mask = hitmask::Mask::from_rows(&["#..", ".##"])?;
    /// assert_eq!(mask.row(1), [0b110]);
    /// assert!(mask.row(2).is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn row(&self, y: u32) -> &[u64] {
        let stride = self.stride as usize;
        if y < self.height { &self.words[y as usize * stride..][..stride] } else { &[] }
    }

    /// Returns the words of each row, top row first.
    fn rows(&self) -> std::slice::ChunksExact<'_, u64> {
        self.words.chunks_exact(self.stride as usize)
    }

    /// Returns whether the texel at column `x` and row `y` is solid; false outside the mask.
    ///
    /// ```
    /// let mask = hitmask::Mask::from_rows(&[".#"])?;
    /// assert!(mask.get(1, 0));
    /// assert!(!mask.get(2, 0) && !mask.get(0, u32::MAX));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "get_at")]
    #[must_use]
    pub fn get(&self, x: u32, y: u32) -> bool {
        self.locate(x, y).is_some_and(|(word, bit)| self.words[word] & bit != 0)
    }

    /// Returns the runs of solid texels in row `y`, from left to right; none if there is no such row.
    ///
    /// ```
    /// let mask = hitmask::Mask::from_rows(&["##.#"])?;
    /// assert_eq!(mask.runs(0).collect::<Vec<_>>(), [0..2, 3..4]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn runs(&self, y: u32) -> impl Iterator<Item = Range<u32>> {
        let mut x = 0;
        std::iter::from_fn(move || {
            let start = self.next_texel(x, y, true);
            x = self.next_texel(start, y, false);
            (start < x).then_some(start..x)
        })
    }

    /// Returns the first column from `x` on in a row whose texel is solid, or whose texel is empty; the width if there
    /// is none.
    fn next_texel(&self, mut x: u32, y: u32, solid: bool) -> u32 {
        let row = self.row(y);
        while let Some(word) = row.get(x as usize / 64) {
            let rest = if solid { *word } else { !word } >> (x % 64);
            if rest != 0 {
                return (x + rest.trailing_zeros()).min(self.width);
            }
            x = x / 64 * 64 + 64;
        }
        self.width
    }

    /// Makes a texel solid or empty. Returns [`Error::Value`] if it lies outside the mask.
    ///
    /// ```
    /// let mut mask = hitmask::Mask::new(3, 1)?;
    /// mask.set(1, 0, true)?;
    /// assert_eq!(mask.to_rows(), [".#."]);
    /// assert!(mask.set(3, 0, true).is_err());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "set_at")]
    pub fn set(&mut self, x: u32, y: u32, solid: bool) -> Result<()> {
        let Some((word, bit)) = self.locate(x, y) else {
            let limit = format!("lie within the mask, {} x {} texels", self.width, self.height);
            return Err(Error::value("texel", format!("({x}, {y})"), limit));
        };
        let before = self.words[word];
        self.words[word] = if solid { before | bit } else { before & !bit };
        if self.words[word] != before {
            self.touched.add([x, y, 1, 1]);
        }
        if let Some(blocks) = &mut self.blocks {
            blocks.note(&self.words, self.stride, word, before);
        }
        Ok(())
    }

    /// Returns the index of a texel's word and its bit there; `None` outside the mask.
    fn locate(&self, x: u32, y: u32) -> Option<(usize, u64)> {
        let inside = x < self.width && y < self.height;
        inside.then(|| (y as usize * self.stride as usize + x as usize / 64, 1 << (x % 64)))
    }

    /// Returns the blocks, which say where the mask is all empty or all solid; `None` for a mask too small to benefit.
    #[must_use]
    pub(crate) fn blocks(&self) -> Option<&Blocks> {
        self.blocks.as_ref()
    }

    /// Recomputes the blocks, for a builder that has written the words.
    fn blocked(mut self) -> Self {
        if let Some(blocks) = &mut self.blocks {
            blocks.read(&self.words, self.stride);
        }
        self
    }

    /// Clears the bits past the width, for a builder that writes whole words.
    fn trim(&mut self) {
        let past = self.stride * 64 - self.width;
        for last in self.words.iter_mut().skip(self.stride as usize - 1).step_by(self.stride as usize) {
            *last &= u64::MAX >> past;
        }
    }

    /// Asserts the invariants of the fields.
    #[cfg(test)]
    pub(crate) fn validate(&self) {
        assert!((1..=MAX_SIDE).contains(&self.width) && (1..=MAX_SIDE).contains(&self.height));
        assert_eq!(self.stride, self.width.div_ceil(64));
        assert_eq!(self.words.len(), self.stride as usize * self.height as usize);
        let mut trimmed = self.clone();
        trimmed.trim();
        assert!(self.words == trimmed.words, "a bit past the width is set");
        assert_eq!(self.blocks, self.clone().blocked().blocks, "blocks are not those of the words");
    }
}

/// Returns [`Error::Mask`] for a size that a mask cannot have.
fn check_size(width: i64, height: i64) -> Result<()> {
    let sides = 1..=i64::from(MAX_SIDE);
    if sides.contains(&width) && sides.contains(&height) {
        return Ok(());
    }
    let problem = format!("a mask cannot have {width} x {height} texels; each side must have 1 to {MAX_SIDE}");
    Err(Error::Mask { problem })
}

impl fmt::Debug for Mask {
    /// Writes the size and the number of solid texels; the texels of a large mask would fill the screen.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Mask({} x {}, {} solid)", self.width, self.height, self.count())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::samples::WIDTHS;
    use super::*;

    #[test]
    fn runs_are_what_is_solid() {
        let patterns: [fn(u32) -> bool; 5] =
            [|_| true, |_| false, |x| x % 3 > 0, |x| x / 64 % 2 == 1, |x| x % 64 != 63];
        for width in WIDTHS {
            for solid in patterns {
                let mut mask = Mask::new(width, 2).unwrap();
                (0..width).filter(|&x| solid(x)).for_each(|x| mask.set(x, 1, true).unwrap());
                let runs: Vec<_> = mask.runs(1).collect();
                assert!(runs.windows(2).all(|pair| pair[0].end < pair[1].start), "{runs:?} are apart, in order");
                let all: Vec<u32> = runs.into_iter().flatten().collect();
                assert_eq!(all, (0..width).filter(|&x| solid(x)).collect::<Vec<_>>(), "{width}");
                assert_eq!(mask.runs(0).chain(mask.runs(2)).count(), 0);
            }
        }
    }

    #[test]
    fn a_size_outside_the_limits_is_refused() {
        for (width, height) in [(0, 5), (5, 0), (8193, 5), (5, 8193), (u32::MAX, u32::MAX)] {
            let message = Mask::new(width, height).unwrap_err().to_string();
            let expected = format!("a mask cannot have {width} x {height} texels; each side must have 1 to 8192");
            assert_eq!(message, expected);
        }
        for (width, height) in [(1, 1), (8192, 1), (1, 8192)] {
            let mask = Mask::new(width, height).unwrap();
            mask.validate();
            assert_eq!((mask.width(), mask.height(), mask.count(), mask.bounds()), (width, height, 0, None));
        }
    }

    #[test]
    fn texels_lie_where_the_words_say() {
        for width in WIDTHS {
            let mut mask = Mask::new(width, 3).unwrap();
            for x in 0..width {
                mask.set(x, 1, true).unwrap();
                mask.validate();
                assert_eq!(mask.row(1)[x as usize / 64] >> (x % 64) & 1, 1);
                assert!(mask.get(x, 1) && !mask.get(x, 0) && !mask.get(x, 2));
                assert_eq!((mask.count(), mask.bounds()), (u64::from(x) + 1, Some([0, 1, x + 1, 1])));
            }
            let (stride, words) = (mask.stride() as usize, mask.words());
            assert_eq!(words[stride..2 * stride], *mask.row(1));
            assert!(mask.row(3).is_empty() && mask.row(u32::MAX).is_empty());
            for x in 0..width - 1 {
                mask.set(x, 1, false).unwrap();
                assert_eq!(mask.bounds(), Some([x + 1, 1, width - x - 1, 1]));
            }
        }
    }

    #[test]
    fn outside_is_empty_and_cannot_be_set() {
        let mut mask = Mask::from_rows(&["##", "##"]).unwrap();
        for (x, y) in [(2, 0), (0, 2), (63, 0), (64, 0), (u32::MAX, 0), (0, u32::MAX), (u32::MAX, u32::MAX)] {
            assert!(!mask.get(x, y));
            let message = mask.set(x, y, true).unwrap_err().to_string();
            assert_eq!(message, format!("`texel` is ({x}, {y}); it must lie within the mask, 2 x 2 texels"));
        }
        mask.validate();
        assert_eq!(mask.count(), 4);
    }

    #[test]
    fn a_mask_tells_its_size_and_not_its_texels() {
        let mask = Mask::from_rows(&["#.#", ".#."]).unwrap();
        assert_eq!(format!("{mask:?}"), "Mask(3 x 2, 3 solid)");
    }

    #[test]
    fn from_fn_asks_of_every_texel_once() {
        for width in WIDTHS {
            let mut asked = Vec::new();
            let mask = Mask::from_fn(width, 3, |x, y| {
                asked.push((x, y));
                (x + y) % 3 == 0
            });
            let mask = mask.unwrap();
            mask.validate();
            assert!(asked == (0..3).flat_map(|y| (0..width).map(move |x| (x, y))).collect::<Vec<_>>());
            assert!(asked.iter().all(|&(x, y)| mask.get(x, y) == ((x + y) % 3 == 0)));
        }
        assert!(Mask::from_fn(0, 3, |_, _| true).is_err());
    }

    #[test]
    fn equal_masks_are_equal_and_hash_alike() {
        let masks = [["#.", ".."], ["..", "#."], ["#.", ".."]].map(|rows| Mask::from_rows(&rows).unwrap());
        assert!(masks[0] == masks[2] && masks[0] != masks[1]);
        assert_eq!(HashSet::from(masks).len(), 2);
        assert_ne!(Mask::new(2, 1).unwrap(), Mask::new(3, 1).unwrap());
    }

    #[test]
    #[should_panic(expected = "past the width")]
    fn validate_sees_a_bit_past_the_width() {
        let mut mask = Mask::new(65, 2).unwrap();
        mask.words[1] |= 2;
        mask.validate();
    }
}
