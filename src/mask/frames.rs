//! Sheets: the frames of an animation, or the tiles of a set, in one image.
//!
//! ```text
//!     margin
//!    +------+--------------------------+
//!    |      .                          |   size [w, h], of each frame
//!    |      .   w   spacing            |
//!    | . . .+-----+ +-----+ +-----+    |   Frames are numbered from left to right, then downward.
//!    |      |  0  | |  1  | |  2  |    |
//!    |      +-----+ +-----+ +-----+    |   At the right and below, the margin and the spacing may
//!    |      +-----+ +-----+ +-----+    |   be there again. More space is an error, unless allowed.
//!    |      |  3  | |  4  | |  5  |    |
//!    |      +-----+ +-----+ +-----+    |
//!    +---------------------------------+
//! ```

use ::image::{ColorType, DynamicImage};

use super::image::{check_region, check_threshold};
use super::{Mask, check_size};
use crate::ground::error::{Error, Result};

/// The largest number of frames on a sheet.
const MAX_FRAMES: usize = 1 << 16;

/// The layout of the frames on a sheet: a [`Grid`], or regions `[x, y, width, height]` in pixels, which may differ in
/// size and overlap.
///
/// Both convert with `into`, so functions that take `impl Into<Frames>` accept either directly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Frames {
    /// Frames in rows and columns.
    Grid(Grid),
    /// The region of each frame.
    Regions(Vec<[u32; 4]>),
}

/// A grid of frames of one size, numbered from left to right, then downward.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    size: [u32; 2],
    count: Option<u32>,
    margin: u32,
    spacing: u32,
    /// Whether pixels may be left over at the right and below.
    remainder: bool,
}

impl From<Grid> for Frames {
    fn from(grid: Grid) -> Self {
        Self::Grid(grid)
    }
}

impl From<Vec<[u32; 4]>> for Frames {
    fn from(regions: Vec<[u32; 4]>) -> Self {
        Self::Regions(regions)
    }
}

impl From<&[[u32; 4]]> for Frames {
    fn from(regions: &[[u32; 4]]) -> Self {
        Self::Regions(regions.to_vec())
    }
}

impl<const N: usize> From<[[u32; 4]; N]> for Frames {
    fn from(regions: [[u32; 4]; N]) -> Self {
        Self::Regions(regions.to_vec())
    }
}

impl Grid {
    /// Makes a grid of frames of `[width, height]` pixels, without margin or spacing. The frames must fill the sheet:
    /// see [`Grid::allow_remainder`].
    ///
    /// ```
    /// use hitmask::mask::{Frames, Grid};
    ///
    /// let frames = Frames::from(Grid::new([16, 24]).spacing(2).count(3));
    /// assert_eq!(frames.regions([34, 50])?, [[0, 0, 16, 24], [18, 0, 16, 24], [0, 26, 16, 24]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn new(size: [u32; 2]) -> Self {
        Self { size, count: None, margin: 0, spacing: 0, remainder: false }
    }

    /// Limits the grid to its first `count` frames.
    ///
    /// ```
    /// use hitmask::mask::{Frames, Grid};
    ///
    /// let frames = Frames::from(Grid::new([16, 16]).count(1));
    /// assert_eq!(frames.regions([48, 48])?.len(), 1);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn count(self, count: u32) -> Self {
        Self { count: Some(count), ..self }
    }

    /// Leaves `margin` pixels free at the left and at the top of the sheet. It may have as many at the right and at the
    /// bottom.
    ///
    /// ```
    /// use hitmask::mask::{Frames, Grid};
    ///
    /// let frames = Frames::from(Grid::new([16, 16]).margin(4));
    /// assert_eq!(frames.regions([40, 20])?, [[4, 4, 16, 16], [20, 4, 16, 16]]); // another 4 pixels at the right
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn margin(self, margin: u32) -> Self {
        Self { margin, ..self }
    }

    /// Leaves `spacing` pixels free between adjacent frames, in x and in y. It may also follow the last frame.
    ///
    /// ```
    /// use hitmask::mask::{Frames, Grid};
    ///
    /// let frames = Frames::from(Grid::new([16, 16]).spacing(1));
    /// assert_eq!(frames.regions([33, 16])?, [[0, 0, 16, 16], [17, 0, 16, 16]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn spacing(self, spacing: u32) -> Self {
        Self { spacing, ..self }
    }

    /// Allows pixels to be left over at the right and at the bottom of the sheet, which belong to no frame. Without
    /// this they are an error, because the size of the frames is often wrong then. Another margin or spacing there, or
    /// both, is always allowed.
    ///
    /// ```
    /// use hitmask::mask::{Frames, Grid};
    ///
    /// let grid = Grid::new([32, 32]);
    /// let error = Frames::from(grid).regions([100, 32]).unwrap_err().to_string();
    /// assert!(error.contains("4 are left over at the right, 0 at the bottom"), "{error}");
    /// assert_eq!(Frames::from(grid.allow_remainder()).regions([100, 32])?.len(), 3);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn allow_remainder(self) -> Self {
        Self { remainder: true, ..self }
    }

    /// Returns the region of each frame on a sheet.
    fn regions(self, sheet: [u32; 2]) -> Result<Vec<[u32; 4]>> {
        let Self { size: [width, height], count, margin, spacing, remainder } = self;
        if width == 0 || height == 0 {
            return Err(Error::value("frames.size", format!("[{width}, {height}]"), "have sides of 1 or more"));
        }
        let along = |side: u32, length: u32| {
            let [side, length, margin, spacing] = [side, length, margin, spacing].map(u64::from);
            side.saturating_sub(margin).saturating_add(spacing) / (length + spacing)
        };
        let [columns, rows] = [along(sheet[0], width), along(sheet[1], height)];
        let [across, down] = sheet;
        if columns * rows == 0 {
            let limit = format!("fit the sheet of {across} x {down} pixels, after its margin of {margin}");
            return Err(Error::value("frames.size", format!("[{width}, {height}]"), limit));
        }
        if !remainder {
            self.check_filled(sheet, [columns, rows])?;
        }
        let all = columns * rows;
        if let Some(count) = count.filter(|&count| count == 0 || u64::from(count) > all) {
            let limit =
                format!("be from 1 to {all}: the sheet of {across} x {down} pixels has {columns} x {rows} frames");
            return Err(Error::value("frames.count", count, limit));
        }
        let count = count.map_or(all, u64::from);
        check_count(count)?;
        // The result lies within the sheet, so it fits in 32 bits.
        let at = |k: u64, length: u32| (u64::from(margin) + k * (u64::from(length) + u64::from(spacing))) as u32;
        Ok((0..count).map(|k| [at(k % columns, width), at(k / columns, height), width, height]).collect())
    }

    /// Checks that these columns and rows of frames fill a sheet. The margin and the spacing may follow them.
    fn check_filled(self, sheet: [u32; 2], counts: [u64; 2]) -> Result<()> {
        let [margin, spacing] = [self.margin, self.spacing].map(u64::from);
        let [right, below] = [0, 1].map(|axis| {
            let used = margin + counts[axis] * (u64::from(self.size[axis]) + spacing) - spacing;
            let left = u64::from(sheet[axis]) - used;
            if [0, margin, spacing, margin + spacing].contains(&left) { 0 } else { left }
        });
        if [right, below] == [0; 2] {
            return Ok(());
        }
        let ([width, height], [across, down]) = (self.size, sheet);
        let limit = format!(
            "fill the sheet of {across} x {down} pixels, unless a remainder is allowed: {right} are left over at the \
             right, {below} at the bottom"
        );
        Err(Error::value("frames.size", format!("[{width}, {height}]"), limit))
    }
}

impl Frames {
    /// Returns the region `[x, y, width, height]` of each frame on a sheet of `[width, height]` pixels.
    ///
    /// Returns [`Error::Value`] for a grid if no frame fits on the sheet, or fewer than its count, or if it leaves
    /// pixels over ([`Grid::allow_remainder`]). Returns it for more than 65,536 frames, and for a region that is empty
    /// or reaches outside the sheet. Returns [`Error::Mask`] for a size that a mask cannot have. An error about a
    /// region names the frame.
    ///
    /// ```
    /// use hitmask::mask::{Frames, Grid};
    ///
    /// let frames = Frames::from(Grid::new([3, 2]));
    /// assert_eq!(frames.regions([6, 4])?, [[0, 0, 3, 2], [3, 0, 3, 2], [0, 2, 3, 2], [3, 2, 3, 2]]);
    /// let error = frames.regions([2, 4]).unwrap_err();
    /// assert!(error.to_string().starts_with("`frames.size` is [3, 2]; it must fit the sheet of 2 x 4 pixels"));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn regions(&self, sheet: [u32; 2]) -> Result<Vec<[u32; 4]>> {
        let regions = match self {
            Self::Grid(grid) => grid.regions(sheet)?,
            Self::Regions(regions) => regions.clone(),
        };
        check_count(regions.len() as u64)?;
        for (k, &region) in regions.iter().enumerate() {
            check_region(Some(region), sheet)
                .and_then(|[_, _, width, height]| check_size(width.into(), height.into()))
                .map_err(|error| error.of(format!("frame {k}")))?;
        }
        Ok(regions)
    }
}

fn check_count(count: u64) -> Result<()> {
    if count <= MAX_FRAMES as u64 {
        return Ok(());
    }
    Err(Error::value("frames", count, format!("be at most {MAX_FRAMES}")))
}

impl Mask {
    /// Makes the masks of all frames of a sheet, such as an animation or a tile set. Each is made from the frame's
    /// region, as by [`Mask::from_image`].
    ///
    /// The errors are those of [`Frames::regions`], and [`Error::Value`] if `threshold` is 0.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Grid};
    ///
    /// let sheet = Mask::from_rows(&["##.#", "#..#"])?.to_image([255; 4], [0; 4]).into();
    /// let walk = Mask::frames(&sheet, 128, Grid::new([2, 2]))?;
    /// assert_eq!([&walk[0], &walk[1]].map(Mask::to_rows), [["##", "#."], [".#", ".#"]]);
    /// let parts = Mask::frames(&sheet, 128, [[0, 0, 3, 1], [3, 0, 1, 2]])?;
    /// assert_eq!(parts[0].to_rows(), ["##."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn frames(sheet: &DynamicImage, threshold: u8, frames: impl Into<Frames>) -> Result<Vec<Self>> {
        check_threshold(threshold)?;
        let regions = frames.into().regions([sheet.width(), sheet.height()])?;
        // Float alpha is rounded once here, not again for each frame.
        let rounded;
        let sheet = if sheet.color() == ColorType::Rgba32F {
            rounded = sheet.to_rgba8().into();
            &rounded
        } else {
            sheet
        };
        regions.into_iter().map(|region| Self::from_image(sheet, threshold, Some(region))).collect()
    }
}

#[cfg(test)]
mod tests {
    use ::image::{Rgba, RgbaImage};
    use proptest::prelude::*;

    use super::*;

    fn sheet(width: u32, height: u32) -> DynamicImage {
        RgbaImage::from_fn(width, height, |x, y| Rgba([0, 0, 0, (x * 37 + y * 101) as u8])).into()
    }

    fn message<T>(result: Result<T>) -> String {
        result.err().unwrap().to_string()
    }

    proptest! {
        #[test]
        fn frames_are_regions_of_the_sheet(
            sides in [1_u32..200, 1..40], size in [1_u32..70, 1..20], margin in 0_u32..9, spacing in 0_u32..5,
            threshold in 1_u8..=255,
        ) {
            let image = sheet(sides[0], sides[1]);
            // Finds where each frame starts on the sheet, one after another.
            let starts = |k: usize| {
                let mut starts = Vec::new();
                let mut at = margin;
                while at + size[k] <= sides[k] {
                    starts.push(at);
                    at += size[k] + spacing;
                }
                starts
            };
            let (columns, rows) = (starts(0), starts(1));
            let expected: Vec<[u32; 4]> =
                rows.iter().flat_map(|&y| columns.iter().map(move |&x| [x, y, size[0], size[1]])).collect();
            let strict = Grid::new(size).margin(margin).spacing(spacing);
            let grid = strict.allow_remainder();
            if let Some(&[x, y, ..]) = expected.last() {
                // Pixels that follow the last frame, unless they are another spacing, another margin, or both.
                let left = [sides[0] - x - size[0], sides[1] - y - size[1]];
                let over = left.map(|left| if [0, spacing, margin, spacing + margin].contains(&left) { 0 } else { left });
                let told = Frames::from(strict).regions(sides).err().map(|error| error.to_string());
                prop_assert_eq!(told.is_some(), over != [0; 2]);
                let words = format!(": {} are left over at the right, {} at the bottom", over[0], over[1]);
                prop_assert!(told.is_none_or(|told| told.ends_with(&words)), "{}", words);
            }
            match Mask::frames(&image, threshold, grid) {
                Err(error) => {
                    prop_assert!(expected.is_empty());
                    let message = format!("`frames.size` is {size:?}; it must fit");
                    prop_assert!(error.to_string().starts_with(&message), "{error}");
                }
                Ok(frames) => {
                    prop_assert_eq!(Frames::from(grid).regions(sides).unwrap(), &*expected);
                    let alone = |&region| Mask::from_image(&image, threshold, Some(region)).unwrap();
                    prop_assert!(frames == expected.iter().map(alone).collect::<Vec<_>>());
                    prop_assert!(Mask::frames(&image, threshold, &expected[..]).unwrap() == frames);
                    let few = Mask::frames(&image, threshold, grid.count(1 + frames.len() as u32 / 2)).unwrap();
                    prop_assert!(few == frames[..=frames.len() / 2]);
                }
            }
        }
    }

    #[test]
    fn a_sheet_in_a_file_is_cut_alike() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("walk.png");
        let image = sheet(130, 40);
        image.save(&path).unwrap();
        let grid = Grid::new([20, 18]).margin(1).spacing(2).allow_remainder();
        assert_eq!(Mask::open_frames(&path, 99, grid).unwrap(), Mask::frames(&image, 99, grid).unwrap());
        let regions = vec![[0, 0, 130, 40], [129, 39, 1, 1], [5, 3, 65, 9], [5, 3, 65, 9]];
        let cut = Mask::open_frames(&path, 99, regions.clone()).unwrap();
        assert_eq!(cut, Mask::frames(&image, 99, regions).unwrap());
        assert_eq!(cut[2], cut[3]);
        let wrong = message(Mask::open_frames(&path, 99, [[0, 0, 9, 9], [0, 0, 131, 1]]));
        let expected = message(Mask::frames(&image, 99, [[0, 0, 9, 9], [0, 0, 131, 1]]));
        assert!(expected.starts_with("frame 1: `region` is [0, 0, 131, 1]"), "{expected}");
        assert!(wrong.ends_with(&format!("walk.png: {expected}")), "{wrong}");
        assert!(message(Mask::open_frames(&path, 0, grid)).contains("walk.png: `threshold` is 0"));
        assert!(message(Mask::open_frames(&dir.path().join("none.png"), 9, grid)).contains("none.png: "));
    }

    #[test]
    fn float_sheets_are_cut_too() {
        let image = DynamicImage::from(sheet(40, 20).to_rgba32f());
        let grid = Grid::new([8, 20]);
        assert_eq!(Mask::frames(&image, 128, grid).unwrap(), Mask::frames(&sheet(40, 20), 128, grid).unwrap());
    }

    #[test]
    fn what_a_sheet_does_not_have_is_refused_and_named() {
        let image = sheet(40, 20);
        let frames = |frames: Frames| message(Mask::frames(&image, 128, frames));
        let fit = "it must fit the sheet of 40 x 20 pixels, after its margin of";
        assert_eq!(frames(Grid::new([41, 1]).into()), format!("`frames.size` is [41, 1]; {fit} 0"));
        assert_eq!(frames(Grid::new([1, 1]).margin(20).into()), format!("`frames.size` is [1, 1]; {fit} 20"));
        assert_eq!(
            frames(Grid::new([1, 1]).margin(u32::MAX).into()),
            format!("`frames.size` is [1, 1]; {fit} {}", u32::MAX)
        );
        assert_eq!(frames(Grid::new([0, 5]).into()), "`frames.size` is [0, 5]; it must have sides of 1 or more");
        let count = "it must be from 1 to 8: the sheet of 40 x 20 pixels has 4 x 2 frames";
        assert_eq!(frames(Grid::new([10, 10]).count(9).into()), format!("`frames.count` is 9; {count}"));
        assert_eq!(frames(Grid::new([10, 10]).count(0).into()), format!("`frames.count` is 0; {count}"));
        let over = |size: [u32; 2], right: u32, below: u32| {
            let fill = "it must fill the sheet of 40 x 20 pixels, unless a remainder is allowed";
            format!("`frames.size` is {size:?}; {fill}: {right} are left over at the right, {below} at the bottom")
        };
        assert_eq!(frames(Grid::new([9, 10]).into()), over([9, 10], 4, 0));
        assert_eq!(frames(Grid::new([9, 11]).count(1).into()), over([9, 11], 4, 9));
        assert_eq!(frames(Grid::new([1, 1]).spacing(u32::MAX).into()), over([1, 1], 39, 19));
        // The margin and the spacing may follow the last frame.
        for (grid, count) in [
            (Grid::new([8, 18]).margin(1).spacing(2), 4),
            (Grid::new([12, 18]).margin(2), 3),
            (Grid::new([6, 16]).spacing(4), 4),
            (Grid::new([10, 12]).spacing(2).margin(3), 3),
        ] {
            assert_eq!(Frames::from(grid).regions([40, 20]).map(|regions| regions.len()).unwrap(), count, "{grid:?}");
        }
        let huge = Grid::new([u32::MAX; 2]).spacing(u32::MAX);
        assert!(frames(huge.into()).starts_with("`frames.size`"));
        assert_eq!(Mask::frames(&image, 128, Grid::new([40, 20]).spacing(u32::MAX)).unwrap().len(), 1);
        assert!(frames(vec![[0, 0, 0, 1]].into()).starts_with("frame 0: `region` is [0, 0, 0, 1]"));
        assert_eq!(Mask::frames(&image, 128, Vec::new()).unwrap(), []);
        assert_eq!(message(Mask::frames(&image, 0, Vec::new())), "`threshold` is 0; it must be from 1 to 255");

        let many = Frames::from(Grid::new([1, 1]));
        assert_eq!(many.regions([256, 256]).unwrap().len(), 65_536);
        assert_eq!(message(many.regions([256, 257])), "`frames` is 65792; it must be at most 65536");
        assert_eq!(
            message(Frames::from(vec![[0, 0, 1, 1]; 65_537]).regions([9, 9])),
            "`frames` is 65537; it must be at most 65536"
        );
        let long = Frames::from(Grid::new([8193, 1]).allow_remainder());
        assert!(message(long.regions([9000, 1])).starts_with("frame 0: a mask cannot have 8193 x 1 texels"));
    }
}
