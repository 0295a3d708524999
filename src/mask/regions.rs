//! Regions of a mask: a label for each texel.

use super::check_size;
use crate::ground::error::{Error, Result};

/// Labels of a mask's texels, such as head, body and legs, to tell which of them are hit: see
/// [`World::regions_hit`](crate::World::regions_hit). A mask and its regions are kept apart; texels outside the mask's
/// solid ones may have any label.
///
/// ```
/// use hitmask::mask::Regions;
///
/// const HEAD: u32 = 1;
/// const BODY: u32 = 2;
/// let regions = Regions::from_fn(16, 32, |_, y| if y < 10 { HEAD } else { BODY })?;
/// assert_eq!((regions.label(3, 9), regions.label(3, 10), regions.label(16, 0)), (Some(HEAD), Some(BODY), None));
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Regions {
    size: [u32; 2],
    /// Row by row.
    labels: Vec<u32>,
}

impl Regions {
    /// Makes regions from one label per texel, row by row.
    ///
    /// Returns [`Error::Mask`] for a size that a mask cannot have, or if `labels` does not hold `width * height` of
    /// them.
    ///
    /// ```
    /// use hitmask::mask::Regions;
    ///
    /// let regions = Regions::new(2, 2, vec![7, 7, 8, 9])?;
    /// assert_eq!(regions.label(1, 1), Some(9));
    /// assert!(Regions::new(2, 2, vec![7]).is_err());
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

    /// Makes regions from a function of the texel's column and row. Returns [`Error::Mask`] for a size that a mask
    /// cannot have.
    pub fn from_fn(width: u32, height: u32, label: impl Fn(u32, u32) -> u32) -> Result<Self> {
        check_size(width.into(), height.into())?;
        let labels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| label(x, y)).collect();
        Self::new(width, height, labels)
    }

    /// Makes regions from a second image of the same size as the mask's, painted with one colour per region: RGBA, 4
    /// bytes per texel, row by row. The label of a colour is the number `0xRRGGBBAA`.
    ///
    /// Returns [`Error::Mask`] for a size that a mask cannot have, or if `pixels` does not hold `4 * width * height`
    /// bytes.
    ///
    /// ```
    /// use hitmask::mask::Regions;
    ///
    /// let pixels = [255, 0, 0, 255, /**/ 0, 0, 255, 255];
    /// assert_eq!(Regions::from_rgba(&pixels, 2, 1)?.label(0, 0), Some(0xFF00_00FF)); // red
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn from_rgba(pixels: &[u8], width: u32, height: u32) -> Result<Self> {
        check_size(width.into(), height.into())?;
        let (given, expected) = (pixels.len(), 4 * width as usize * height as usize);
        if given != expected {
            let problem = format!("{given} bytes for {width} x {height} texels of 4 each; there must be {expected}");
            return Err(Error::Mask { problem });
        }
        let label = |texel: &[u8]| texel.iter().fold(0, |label, &byte| label << 8 | u32::from(byte));
        Self::new(width, height, pixels.chunks_exact(4).map(label).collect())
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
