//! Conversion of masks from and to images: alpha against a threshold, 64 texels per word.

use ::image::{DynamicImage, Rgba, RgbaImage};

use super::Mask;
use crate::ground::error::{Error, Result};

impl Mask {
    /// Makes a mask from one byte of alpha per texel, row by row. A texel is solid if its alpha is at least
    /// `threshold`.
    ///
    /// Returns [`Error::Value`] if `threshold` is 0, and [`Error::Mask`] for a size that a mask cannot have or if
    /// `alpha` does not hold `width * height` bytes.
    ///
    /// ```
    /// let mask = hitmask::Mask::from_alpha(&[0, 127, 128, 255], 2, 2, 128)?;
    /// assert_eq!(mask.to_rows(), ["..", "##"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn from_alpha(alpha: &[u8], width: u32, height: u32, threshold: u8) -> Result<Self> {
        Self::from_bytes::<1>(alpha, width, height, threshold)
    }

    /// Makes a mask from RGBA, 4 bytes per texel with alpha last, row by row. A texel is solid if its alpha is at least
    /// `threshold`.
    ///
    /// Returns [`Error::Value`] if `threshold` is 0, and [`Error::Mask`] for a size that a mask cannot have or if
    /// `pixels` does not hold `4 * width * height` bytes.
    ///
    /// ```
    /// let pixels = [9, 9, 9, 200, /**/ 9, 9, 9, 20];
    /// assert_eq!(hitmask::Mask::from_rgba(&pixels, 2, 1, 128)?.to_rows(), ["#."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn from_rgba(pixels: &[u8], width: u32, height: u32, threshold: u8) -> Result<Self> {
        Self::from_bytes::<4>(pixels, width, height, threshold)
    }

    /// Makes a mask from `N` bytes per texel, alpha last.
    fn from_bytes<const N: usize>(bytes: &[u8], width: u32, height: u32, threshold: u8) -> Result<Self> {
        check_threshold(threshold)?;
        let mask = Self::new(width, height)?;
        check_bytes::<N>(bytes, width, height)?;
        Ok(mask.filled(bytes.as_chunks::<N>().0, width, [0, 0], threshold))
    }

    /// Makes a mask from an image, or from a `region` of it, `[x, y, width, height]` in texels. A texel is solid if its
    /// alpha is at least `threshold`.
    ///
    /// An image without alpha is opaque. Alpha of more than 8 bits is first rounded to 8 bits as the `image` crate
    /// does: a 16-bit `a` becomes `floor((a + 128) / 257)`. Pixels are read in place, without a copy, except in images
    /// with float alpha.
    ///
    /// Returns [`Error::Value`] for a threshold of 0 or a region that is empty or reaches outside the image, and
    /// [`Error::Mask`] for a size that a mask cannot have.
    ///
    /// ```
    /// let sheet = image::RgbaImage::from_fn(8, 4, |x, _| image::Rgba([0, 0, 0, x as u8 * 36]));
    /// let mask = hitmask::Mask::from_image(&sheet.into(), 128, Some([2, 0, 4, 2]))?;
    /// assert_eq!(mask.to_rows(), ["..##", "..##"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "from_surface")]
    pub fn from_image(image: &DynamicImage, threshold: u8, region: Option<[u32; 4]>) -> Result<Self> {
        check_threshold(threshold)?;
        let [x, y, width, height] = check_region(region, [image.width(), image.height()])?;
        let (across, at) = (image.width(), [x, y]);
        let mut mask = Self::new(width, height)?;
        // The least 16-bit alpha that rounds to the threshold.
        let deep = u16::from(threshold) * 257 - 128;
        Ok(match image {
            DynamicImage::ImageRgba8(image) => mask.filled(image.as_chunks::<4>().0, across, at, threshold),
            DynamicImage::ImageLumaA8(image) => mask.filled(image.as_chunks::<2>().0, across, at, threshold),
            DynamicImage::ImageRgba16(image) => mask.filled(image.as_chunks::<4>().0, across, at, deep),
            DynamicImage::ImageLumaA16(image) => mask.filled(image.as_chunks::<2>().0, across, at, deep),
            opaque if !opaque.color().has_alpha() => {
                mask.words.fill(u64::MAX);
                mask.trim();
                mask.blocked()
            }
            other => mask.filled(other.to_rgba8().as_chunks::<4>().0, across, at, threshold),
        })
    }

    /// Returns one byte of alpha per texel, row by row, as [`Mask::from_alpha`] reads them: 255 for a solid texel, 0
    /// for an empty one.
    ///
    /// ```
    /// let mask = hitmask::Mask::from_rows(&["#.", "##"])?;
    /// assert_eq!(mask.to_alpha(), [255, 0, 255, 255]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn to_alpha(&self) -> Vec<u8> {
        let mut alpha = vec![0; self.width as usize * self.height as usize];
        self.paint(&mut alpha, u8::MAX);
        alpha
    }

    /// Returns an image with one pixel per texel, in the RGBA colour `solid` or `empty`, alpha last; use it for
    /// textures and image files. If `solid` has an alpha of at least the threshold and `empty` a lower one,
    /// [`Mask::from_image`] gives the mask back.
    ///
    /// ```
    /// let mask = hitmask::Mask::from_rows(&["#.", "##"])?;
    /// let image = mask.to_image([255, 0, 0, 255], [0; 4]);
    /// assert_eq!(image.get_pixel(0, 0).0, [255, 0, 0, 255]);
    /// assert_eq!(hitmask::Mask::from_image(&image.into(), 128, None)?, mask);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "to_surface")]
    #[must_use]
    pub fn to_image(&self, solid: [u8; 4], empty: [u8; 4]) -> RgbaImage {
        let mut image = RgbaImage::from_pixel(self.width, self.height, Rgba(empty));
        self.paint(image.as_chunks_mut::<4>().0, solid);
        image
    }

    /// Writes a colour to the pixels of all solid texels, in an image of this mask's size.
    fn paint<T: Copy>(&self, pixels: &mut [T], colour: T) {
        for (y, row) in (0..).zip(pixels.chunks_exact_mut(self.width as usize)) {
            for run in self.runs(y) {
                row[run.start as usize..run.end as usize].fill(colour);
            }
        }
    }

    /// Fills this empty mask from an image with rows of `across` pixels, starting at its pixel `[x, y]`. A texel is
    /// solid if its last channel, alpha, is at least `threshold`. The image must contain the whole region.
    fn filled<T: Copy + PartialOrd, const N: usize>(
        mut self,
        pixels: &[[T; N]],
        across: u32,
        [x, y]: [u32; 2],
        threshold: T,
    ) -> Self {
        let sources = pixels.chunks_exact(across as usize).skip(y as usize);
        let columns = x as usize..(x + self.width) as usize;
        for (words, source) in self.words.chunks_exact_mut(self.stride as usize).zip(sources) {
            let (whole, rest) = source[columns.clone()].as_chunks::<64>();
            for (word, pixels) in words.iter_mut().zip(whole) {
                *word = pack(pixels, threshold);
            }
            for (i, pixel) in rest.iter().enumerate() {
                words[whole.len()] |= u64::from(pixel[N - 1] >= threshold) << i;
            }
        }
        self.blocked()
    }
}

/// Packs 64 pixels into a word: bit `i` is set if the alpha of pixel `i` is at least `threshold`.
///
/// It has no branches, and two steps that compilers turn into vector instructions: the first makes 64 bytes of 0 or 1,
/// the second turns every eight bytes into eight bits by a multiplication. In the product, byte `j` adds its bit at
/// `8 j + 7 k` for `k` in 1 to 8, no two at the same place, and those in the top byte, `8 j + 7 (8 - j) = 56 + j`, are
/// in order.
fn pack<T: Copy + PartialOrd, const N: usize>(pixels: &[[T; N]; 64], threshold: T) -> u64 {
    let solid: [u8; 64] = std::array::from_fn(|i| u8::from(pixels[i][N - 1] >= threshold));
    let (eights, _) = solid.as_chunks::<8>();
    let bits = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().rev().fold(0, |word, eight| word << 8 | bits(eight))
}

/// Returns [`Error::Mask`] unless there are `N` bytes for each texel.
pub(super) fn check_bytes<const N: usize>(bytes: &[u8], width: u32, height: u32) -> Result<()> {
    let (given, expected) = (bytes.len(), N * width as usize * height as usize);
    if given == expected {
        return Ok(());
    }
    let problem = format!("{given} bytes for {width} x {height} texels of {N} each; there must be {expected}");
    Err(Error::Mask { problem })
}

/// Returns [`Error::Value`] for a threshold of 0: a texel with an alpha of 0 is never solid.
pub(super) fn check_threshold(threshold: u8) -> Result<()> {
    if threshold == 0 {
        return Err(Error::value("threshold", threshold, "be from 1 to 255"));
    }
    Ok(())
}

/// Returns the region, or the whole image if there is none. Returns [`Error::Value`] if it is empty or reaches outside.
pub(super) fn check_region(region: Option<[u32; 4]>, [width, height]: [u32; 2]) -> Result<[u32; 4]> {
    let Some([x, y, w, h]) = region else { return Ok([0, 0, width, height]) };
    let fits = |start: u32, length: u32, side: u32| length > 0 && start < side && length <= side - start;
    if fits(x, w, width) && fits(y, h, height) {
        return Ok([x, y, w, h]);
    }
    let limit = format!("be [x, y, width, height], not empty, within the image of {width} x {height} texels");
    Err(Error::value("region", format!("[{x}, {y}, {w}, {h}]"), limit))
}

#[cfg(test)]
mod tests {
    use ::image::{GrayAlphaImage, GrayImage, ImageBuffer, Luma, LumaA, Rgb, Rgb32FImage, RgbImage, Rgba32FImage};
    use proptest::prelude::*;

    use super::super::samples::{WIDTHS, any_masks};
    use super::*;

    /// Returns a varied alpha for a texel; 127, 128 and 129 are among them.
    fn alpha(x: u32, y: u32) -> u8 {
        (x * 37 + y * 101 + 127) as u8
    }

    fn rgba(width: u32, height: u32) -> RgbaImage {
        RgbaImage::from_fn(width, height, |x, y| Rgba([255, 0, 255, alpha(x, y)]))
    }

    /// Makes the expected mask one texel at a time.
    fn oracle([x, y, width, height]: [u32; 4], solid: impl Fn(u32, u32) -> bool) -> Mask {
        Mask::from_fn(width, height, |u, v| solid(x + u, y + v)).unwrap()
    }

    #[test]
    fn alpha_and_rgba_are_packed_alike() {
        for width in WIDTHS {
            for threshold in [1, 127, 128, 129, 255] {
                let expected = oracle([0, 0, width, 5], |x, y| alpha(x, y) >= threshold);
                let image = rgba(width, 5);
                let bytes: Vec<u8> = image.pixels().map(|pixel| pixel.0[3]).collect();
                let masks = [
                    Mask::from_rgba(image.as_raw(), width, 5, threshold).unwrap(),
                    Mask::from_alpha(&bytes, width, 5, threshold).unwrap(),
                ];
                for mask in masks {
                    mask.validate();
                    assert_eq!(mask.to_rows(), expected.to_rows(), "{width}, {threshold}");
                }
            }
        }
    }

    #[test]
    fn alpha_equal_to_the_threshold_is_solid() {
        let rows = |threshold| Mask::from_alpha(&[0, 1, 127, 128, 254, 255], 6, 1, threshold).unwrap().to_string();
        assert_eq!(rows(1), ".#####");
        assert_eq!(rows(127), "..####");
        assert_eq!(rows(128), "...###");
        assert_eq!(rows(255), ".....#");
    }

    #[test]
    fn a_threshold_of_0_is_refused() {
        let message = "`threshold` is 0; it must be from 1 to 255";
        assert_eq!(Mask::from_alpha(&[0], 1, 1, 0).unwrap_err().to_string(), message);
        assert_eq!(Mask::from_rgba(&[0; 4], 1, 1, 0).unwrap_err().to_string(), message);
        assert_eq!(Mask::from_image(&rgba(1, 1).into(), 0, None).unwrap_err().to_string(), message);
        let opaque = DynamicImage::from(RgbImage::new(1, 1));
        assert_eq!(Mask::from_image(&opaque, 0, None).unwrap_err().to_string(), message);
    }

    #[test]
    fn sizes_must_be_those_of_the_bytes() {
        let message = |result: Result<Mask>| result.unwrap_err().to_string();
        let expected = "5 bytes for 2 x 3 texels of 1 each; there must be 6";
        assert_eq!(message(Mask::from_alpha(&[0; 5], 2, 3, 128)), expected);
        let expected = "25 bytes for 2 x 3 texels of 4 each; there must be 24";
        assert_eq!(message(Mask::from_rgba(&[0; 25], 2, 3, 128)), expected);
        assert!(message(Mask::from_rgba(&[], 0, 3, 128)).starts_with("a mask cannot have 0 x 3 texels"));
        assert!(message(Mask::from_rgba(&[], u32::MAX, u32::MAX, 128)).contains("1 to 8192"));
        let long = RgbaImage::new(8193, 1).into();
        assert!(message(Mask::from_image(&long, 128, None)).starts_with("a mask cannot have 8193 x 1 texels"));
        assert_eq!(Mask::from_image(&long, 128, Some([1, 0, 8192, 1])).unwrap().width(), 8192);
        assert!(Mask::from_image(&RgbaImage::new(0, 0).into(), 128, None).is_err());
    }

    #[test]
    fn images_of_every_kind_are_read() {
        let (width, height) = (130, 3);
        let expected = oracle([0, 0, width, height], |x, y| alpha(x, y) >= 128);
        let full = oracle([0, 0, width, height], |_, _| true);
        // 32,768 is the least 16-bit alpha that rounds to 128 in 8 bits.
        let deep = |x, y| if alpha(x, y) >= 128 { 32_768_u16 } else { 32_767 };
        let images: [(DynamicImage, &Mask); 8] = [
            (rgba(width, height).into(), &expected),
            (GrayAlphaImage::from_fn(width, height, |x, y| LumaA([7, alpha(x, y)])).into(), &expected),
            (ImageBuffer::from_fn(width, height, |x, y| Rgba([9, 9, 9, deep(x, y)])).into(), &expected),
            (ImageBuffer::from_fn(width, height, |x, y| LumaA([9, deep(x, y)])).into(), &expected),
            (RgbImage::new(width, height).into(), &full),
            (GrayImage::new(width, height).into(), &full),
            (ImageBuffer::<Rgb<u16>, _>::new(width, height).into(), &full),
            (ImageBuffer::<Luma<u16>, _>::new(width, height).into(), &full),
        ];
        for (image, expected) in images {
            let mask = Mask::from_image(&image, 128, None).unwrap();
            mask.validate();
            assert_eq!(mask.to_rows(), expected.to_rows(), "{:?}", image.color());
        }
    }

    #[test]
    fn deep_alpha_rounds_as_the_image_crate_does() {
        let whole: Vec<u16> = (0..=u16::MAX).collect();
        let deep = ImageBuffer::from_fn(256, 256, |x, y| LumaA([0, whole[(y * 256 + x) as usize]]));
        let deep = DynamicImage::from(deep);
        let shallow = DynamicImage::from(deep.to_luma_alpha8());
        for threshold in 1..=255 {
            let mask = |image| Mask::from_image(image, threshold, None).unwrap();
            assert_eq!(mask(&deep), mask(&shallow), "{threshold}");
        }
    }

    #[test]
    fn float_alpha_is_rounded() {
        let float = |x, _| Rgba([0.0, 0.0, 0.0, [0.0, -1.0, 127.4 / 255.0, 127.6 / 255.0, 2.0][x as usize]]);
        let image = Rgba32FImage::from_fn(5, 1, float).into();
        assert_eq!(Mask::from_image(&image, 128, None).unwrap().to_string(), "...##");
        let opaque = DynamicImage::from(Rgb32FImage::new(5, 1));
        assert_eq!(Mask::from_image(&opaque, 128, None).unwrap().to_string(), "#####");
    }

    #[test]
    fn a_region_may_touch_the_edges_and_not_cross_them() {
        let image = DynamicImage::from(rgba(70, 9));
        for region in [[0, 0, 70, 9], [69, 8, 1, 1], [5, 0, 65, 9], [0, 0, 1, 9], [3, 8, 64, 1], [1, 2, 63, 4]] {
            let expected = oracle(region, |x, y| alpha(x, y) >= 128);
            assert_eq!(Mask::from_image(&image, 128, Some(region)).unwrap(), expected, "{region:?}");
            let opaque = RgbImage::new(70, 9).into();
            let full = Mask::from_image(&opaque, 128, Some(region)).unwrap();
            full.validate();
            assert_eq!(full.count(), u64::from(region[2] * region[3]), "{region:?}");
        }
        let max = u32::MAX;
        let outside = [[0, 0, 71, 9], [0, 0, 70, 10], [1, 0, 70, 9], [0, 1, 70, 9], [70, 0, 1, 1], [0, 9, 1, 1]];
        let empty = [[0, 0, 0, 1], [0, 0, 1, 0]];
        let wrapping = [[max, 0, 2, 1], [0, max, 1, 2], [1, 1, max, max], [max; 4]];
        for region in [&outside[..], &empty, &wrapping].concat() {
            let message = format!(
                "`region` is {region:?}; it must be [x, y, width, height], not empty, within the image of 70 x 9 texels"
            );
            assert_eq!(Mask::from_image(&image, 128, Some(region)).unwrap_err().to_string(), message);
        }
    }

    proptest! {
        #[test]
        fn any_region_of_any_image_is_packed_texel_by_texel(
            (image, region) in (1_u32..150, 1_u32..9).prop_flat_map(|(w, h)| {
                let bytes = prop::collection::vec(any::<u8>(), (4 * w * h) as usize);
                (bytes.prop_map(move |bytes| RgbaImage::from_raw(w, h, bytes).unwrap()), (0..w, 0..h))
                    .prop_flat_map(move |(image, (x, y))| {
                        (Just(image), (1..=w - x, 1..=h - y).prop_map(move |(w, h)| [x, y, w, h]))
                    })
            }),
            threshold in 1_u8..=255,
        ) {
            let expected = oracle(region, |x, y| image.get_pixel(x, y).0[3] >= threshold);
            let mask = Mask::from_image(&image.into(), threshold, Some(region)).unwrap();
            mask.validate();
            prop_assert_eq!(mask.to_rows(), expected.to_rows());
        }
    }

    proptest! {
        #[test]
        fn images_of_masks_are_those_masks(
            mask in any_masks(), solid: [u8; 4], empty: [u8; 4], [x, y] in [0_u32..200, 0..12],
        ) {
            prop_assume!(solid[3] > empty[3]);
            let (x, y) = (x % mask.width(), y % mask.height());
            let image = mask.to_image(solid, empty);
            prop_assert_eq!(image.dimensions(), (mask.width(), mask.height()));
            prop_assert_eq!(image.get_pixel(x, y).0, if mask.get(x, y) { solid } else { empty });
            prop_assert!(Mask::from_image(&image.into(), solid[3], None).unwrap() == mask);
            let alpha = mask.to_alpha();
            prop_assert_eq!(alpha.iter().map(|&alpha| u64::from(alpha)).sum::<u64>(), 255 * mask.count());
            for threshold in [1, 255] {
                let read = Mask::from_alpha(&alpha, mask.width(), mask.height(), threshold).unwrap();
                prop_assert!(read == mask);
            }
        }
    }

    /// `cargo test --release --lib mask -- --ignored --nocapture`
    #[test]
    #[ignore = "a measurement"]
    fn time_of_4096_by_4096() {
        let image = DynamicImage::from(rgba(4096, 4096));
        let mask = Mask::from_image(&image, 128, None).unwrap();
        assert_eq!(
            mask.count(),
            image.as_bytes().iter().skip(3).step_by(4).filter(|&&alpha| alpha >= 128).count() as u64
        );
        let best = |what: &str, run: &dyn Fn() -> u64| {
            let times = (0..9).map(|_| {
                let start = std::time::Instant::now();
                std::hint::black_box(run());
                start.elapsed()
            });
            println!("{what}: {:?}", times.min().unwrap());
        };
        best("from_image, RGBA8", &|| Mask::from_image(&image, 128, None).unwrap().words()[0]);
        best("from_rgba", &|| Mask::from_rgba(image.as_bytes(), 4096, 4096, 128).unwrap().words()[0]);
        let deep = DynamicImage::from(image.to_rgba16());
        best("from_image, RGBA16", &|| Mask::from_image(&deep, 128, None).unwrap().words()[0]);
        best("count", &|| mask.count());
        best("overlap_area at [3, 5]", &|| mask.overlap_area(&mask, [3, 5]));
        best("overlap at [-3, 5]", &|| mask.overlap(&mask, [-3, 5]).words()[0]);
        let small = Mask::from_image(&image, 255, Some([0, 0, 64, 64])).unwrap();
        let empty = Mask::new(64, 64).unwrap();
        best("1000 times overlaps, 64 x 64, none in common", &|| {
            (0..1000).filter(|i| small.overlaps(std::hint::black_box(&empty), [i % 50, i % 31])).count() as u64
        });
    }
}
