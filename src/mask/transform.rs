//! Masks of another size or orientation, made from an existing one.

use super::Mask;
use crate::bits::row;
use crate::ground::error::Result;
use crate::ground::linear::Flip;

impl Mask {
    /// Returns this mask scaled to `width` by `height` texels. Returns [`Error::Mask`](crate::Error::Mask) unless each
    /// is 1 to [`MAX_SIDE`](crate::mask::MAX_SIDE).
    ///
    /// With the new mask stretched over this one, each of its texels takes the value of the texel under its centre:
    /// texel `i` of `width` shows texel `floor((2 i + 1) w / (2 width))` of this mask's `w`. This is nearest-neighbour
    /// sampling, by which scaled sprites are drawn too. Scaling up by whole factors and back gives the same mask again.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let mask = Mask::from_rows(&["#..", "..#"])?;
    /// assert_eq!(mask.scaled(6, 4)?.to_rows(), ["##....", "##....", "....##", "....##"]);
    /// assert_eq!(mask.scaled(2, 1)?.to_rows(), [".#"]);
    /// assert!(mask.scaled(0, 1).is_err());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "scale")]
    #[doc(alias = "resize")]
    pub fn scaled(&self, width: u32, height: u32) -> Result<Self> {
        let mut mask = Self::new(width, height)?;
        // Returns the first texel of the new row that shows texel `start` or one right of it:
        // `ceil(start * width / w - 1/2)`.
        let first = |start: u32| {
            let [start, from, to] = [start, self.width, width].map(u64::from);
            (2 * start * to).saturating_sub(from).div_ceil(2 * from) as u32
        };
        let first: Vec<u32> = (0..=self.width).map(first).collect();
        let stride = mask.stride as usize;
        let mut shown = None;
        for y in 0..height {
            let from = ((2 * u64::from(y) + 1) * u64::from(self.height) / (2 * u64::from(height))) as u32;
            let start = y as usize * stride;
            if shown == Some(from) {
                mask.words.copy_within(start - stride..start, start);
                continue;
            }
            let row = &mut mask.words[start..start + stride];
            for run in self.runs(from) {
                row::set(row, first[run.start as usize]..first[run.end as usize]);
            }
            shown = Some(from);
        }
        Ok(mask.blocked())
    }

    /// Returns this mask mirrored in x, in y, or in both.
    ///
    /// ```
    /// use hitmask::geometry::Flip;
    /// use hitmask::Mask;
    ///
    /// let mask = Mask::from_rows(&["##.", "#.."])?;
    /// assert_eq!(mask.flipped(Flip { x: true, y: false }).to_rows(), [".##", "..#"]);
    /// assert_eq!(mask.flipped(Flip { x: false, y: true }).to_rows(), ["#..", "##."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "mirrored")]
    #[must_use]
    pub fn flipped(&self, flip: Flip) -> Self {
        let mut mask = self.clone();
        let stride = self.stride as usize;
        if flip.y {
            for (to, from) in mask.words.chunks_exact_mut(stride).zip(self.rows().rev()) {
                to.copy_from_slice(from);
            }
        }
        if flip.x {
            mask.words.chunks_exact_mut(stride).for_each(|row| mirror(row, self.stride * 64 - self.width));
        }
        mask.blocked()
    }

    /// Returns the texels of a rectangle, `[x, y, width, height]`, as a mask of that size. The rectangle may reach
    /// outside this mask, where all is empty, so this can also enlarge the canvas.
    ///
    /// Returns [`Error::Mask`](crate::Error::Mask) for a size that a mask cannot have.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let mask = Mask::from_rows(&["...", ".##", ".#."])?;
    /// let bounds = mask.bounds().unwrap_or_default();
    /// assert_eq!(mask.cropped(bounds.map(u32::cast_signed))?.to_rows(), ["##", "#."]);
    /// assert_eq!(mask.cropped([1, 1, 4, 2])?.to_rows(), ["##..", "#..."]);
    /// assert_eq!(mask.cropped([-2, 1, 4, 1])?.to_rows(), ["...#"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "region")]
    #[doc(alias = "subsurface")]
    #[doc(alias = "resized_canvas")]
    pub fn cropped(&self, [x, y, width, height]: [i32; 4]) -> Result<Self> {
        let mut mask = Self::sized(width.into(), height.into())?;
        mask.draw(self, [x, y].map(i32::saturating_neg));
        Ok(mask)
    }
}

/// Mirrors a row whose last word has `past` bits past the width.
fn mirror(row: &mut [u64], past: u32) {
    row.reverse();
    // The bits past the width are now the lowest of the first word.
    let mut next = 0;
    for word in row.iter_mut().rev() {
        let bits = word.reverse_bits();
        // Two left shifts: a single one would shift by 64 if `past` is 0, which overflows.
        *word = bits >> past | next << 1 << (63 - past);
        next = bits;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{WIDTHS, any_masks, largest, rectangles, under};
    use super::*;

    fn check_scaled(mask: &Mask, width: u32, height: u32) {
        let scaled = mask.scaled(width, height).unwrap();
        scaled.validate();
        let under =
            |i: u32, from: u32, to: u32| ((2 * u64::from(i) + 1) * u64::from(from) / (2 * u64::from(to))) as u32;
        let texel = |x, y| mask.get(under(x, mask.width(), width), under(y, mask.height(), height));
        assert!(scaled == Mask::from_fn(width, height, texel).unwrap(), "{mask:?} to {width} x {height}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn scaled_shows_the_texel_under_each_centre(
            mask in any_masks(), width in 1_u32..700, height in 1_u32..40, factor in [1_u32..4, 1..4],
        ) {
            check_scaled(&mask, width, height);
            let [width, height] = [mask.width(), mask.height()];
            check_scaled(&mask, width * factor[0] + 1, height);
            let large = mask.scaled(width * factor[0], height * factor[1]).unwrap();
            large.validate();
            prop_assert_eq!(large.count(), mask.count() * u64::from(factor[0] * factor[1]));
            prop_assert!(large.scaled(width, height).unwrap() == mask);
        }

        #[test]
        fn flipped_is_a_mirror(mask in any_masks(), x: bool, y: bool) {
            let flip = Flip { x, y };
            let flipped = mask.flipped(flip);
            flipped.validate();
            let [width, height] = [mask.width(), mask.height()];
            let texel = |u, v| mask.get(if x { width - 1 - u } else { u }, if y { height - 1 - v } else { v });
            prop_assert!(flipped == Mask::from_fn(width, height, texel).unwrap());
            prop_assert!(flipped.flipped(flip) == mask);
        }

        #[test]
        fn cropped_is_what_the_rectangle_holds(mask in any_masks(), rectangle in rectangles()) {
            let [x, y, width, height] = rectangle;
            let sides = 1..=crate::mask::MAX_SIDE as i32;
            match mask.cropped(rectangle) {
                Err(error) => {
                    prop_assert!(!sides.contains(&width) || !sides.contains(&height));
                    let message = format!("a mask cannot have {width} x {height} texels");
                    prop_assert!(error.to_string().starts_with(&message), "{}", error);
                }
                Ok(part) => {
                    part.validate();
                    let texel = |u, v| under(&mask, [x.saturating_neg(), y.saturating_neg()], u, v);
                    prop_assert!(part == Mask::from_fn(width as u32, height as u32, texel).unwrap());
                }
            }
        }
    }

    #[test]
    fn the_largest_masks_are_scaled_and_flipped() {
        let row = Mask::from_fn(8192, 1, |x, _| x % 3 == 0).unwrap();
        for width in WIDTHS.into_iter().chain([8191, 8192]) {
            check_scaled(&row, width, 1);
            let small = Mask::from_fn(width, 2, |x, y| (x + y) % 2 == 0).unwrap();
            check_scaled(&small, 8192, 3);
            check_scaled(&small, 8191, 1);
        }
        assert!(largest().flipped(Flip { x: true, y: true }) == largest());
    }
}
