//! A label for each texel of a mask.

use super::check_size;
use super::image::check_bytes;
use crate::ground::error::{Error, Result};

/// A label for each texel of a mask, such as head, body and legs, to tell which of them are hit: see
/// [`World::labels_hit`](crate::World::labels_hit). A mask and its labels are kept apart; texels that are not solid may
/// have any label.
///
/// ```
/// use hitmask::mask::Labels;
///
/// const HEAD: u32 = 1;
/// const BODY: u32 = 2;
/// let labels = Labels::from_fn(16, 32, |_, y| if y < 10 { HEAD } else { BODY })?;
/// assert_eq!((labels.label(3, 9), labels.label(3, 10), labels.label(16, 0)), (Some(HEAD), Some(BODY), None));
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Labels {
    size: [u32; 2],
    /// Row by row.
    labels: Vec<u32>,
}

impl Labels {
    /// Makes labels from one number per texel, row by row.
    ///
    /// Returns [`Error::Mask`] for a size that a mask cannot have, or if `labels` does not hold `width * height` of
    /// them.
    ///
    /// ```
    /// use hitmask::mask::Labels;
    ///
    /// let labels = Labels::new(2, 2, vec![7, 7, 8, 9])?;
    /// assert_eq!(labels.label(1, 1), Some(9));
    /// assert!(Labels::new(2, 2, vec![7]).is_err());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn new(width: u32, height: u32, labels: Vec<u32>) -> Result<Self> {
        check_size(width.into(), height.into())?;
        let (given, expected) = (labels.len(), width as usize * height as usize);
        if given != expected {
            let problem = format!("{given} labels for {width} x {height} texels; there must be {expected}");
            return Err(Error::Mask { problem });
        }
        Ok(Self { size: [width, height], labels })
    }

    /// Makes labels from a function of the texel's column and row. Returns [`Error::Mask`] for a size that a mask
    /// cannot have.
    pub fn from_fn(width: u32, height: u32, mut label: impl FnMut(u32, u32) -> u32) -> Result<Self> {
        check_size(width.into(), height.into())?;
        let labels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| label(x, y)).collect();
        Self::new(width, height, labels)
    }

    /// Makes labels from a second image of the same size as the mask's, painted with one colour per label: RGBA, 4
    /// bytes per texel, row by row. The label of a colour is the number `0xRRGGBBAA`.
    ///
    /// Returns [`Error::Mask`] for a size that a mask cannot have, or if `pixels` does not hold `4 * width * height`
    /// bytes.
    ///
    /// ```
    /// use hitmask::mask::Labels;
    ///
    /// let pixels = [255, 0, 0, 255, /**/ 0, 0, 255, 255];
    /// assert_eq!(Labels::from_rgba(&pixels, 2, 1)?.label(0, 0), Some(0xFF00_00FF)); // red
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn from_rgba(pixels: &[u8], width: u32, height: u32) -> Result<Self> {
        check_size(width.into(), height.into())?;
        check_bytes::<4>(pixels, width, height)?;
        let label = |texel: &[u8]| texel.iter().fold(0, |label, &byte| label << 8 | u32::from(byte));
        Self::new(width, height, pixels.chunks_exact(4).map(label).collect())
    }

    /// Returns the labels of the box `[x, y, width, height]`, as [`Mask::cropped`](super::Mask::cropped) returns its
    /// texels, for example of a frame of a sheet, or of a part that [`World::split`](crate::World::split) has cut off.
    /// Texels outside get the label 0. Returns [`Error::Mask`] for a size that a mask cannot have.
    ///
    /// ```
    /// use hitmask::mask::Labels;
    ///
    /// let sheet = Labels::new(4, 1, vec![1, 2, 3, 4])?;
    /// assert_eq!(sheet.cropped([2, 0, 2, 1])?, Labels::new(2, 1, vec![3, 4])?);
    /// assert_eq!(sheet.cropped([3, 0, 2, 1])?.label(1, 0), Some(0));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn cropped(&self, [x, y, width, height]: [i32; 4]) -> Result<Self> {
        check_size(width.into(), height.into())?;
        let at = |from: i32, by: u32| u32::try_from(i64::from(from) + i64::from(by)).ok();
        let label = |dx, dy| at(x, dx).zip(at(y, dy)).and_then(|(x, y)| self.label(x, y)).unwrap_or_default();
        Self::from_fn(width as u32, height as u32, label)
    }

    /// Returns the width and the height, in texels.
    #[must_use]
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the label of the texel in column `x` of row `y`; `None` outside.
    #[must_use]
    pub fn label(&self, x: u32, y: u32) -> Option<u32> {
        let [width, height] = self.size;
        (x < width && y < height).then(|| self.labels[y as usize * width as usize + x as usize])
    }
}
