//! All offsets at which two masks overlap, as a mask.

use super::Mask;
use crate::ground::error::Result;

impl Mask {
    /// Returns all offsets at which the other mask overlaps this one, as a mask. Its texel at column `i` and row `j` is
    /// solid if [`Mask::overlaps`] is true at the offset `[i - (w - 1), j - (h - 1)]`, where the other mask is `w` by
    /// `h` texels. It has one column fewer than both masks together, and one row fewer; at any offset beyond it the
    /// masks do not overlap. One lookup then says whether the other mask fits at an offset; the empty texels connected
    /// to that one are the offsets that it can reach by moving.
    ///
    /// It is the configuration-space obstacle (Lozano-Pérez, "Spatial planning: a configuration space approach", IEEE
    /// Transactions on Computers, 1983): the Minkowski sum of this mask and the other rotated by 180 degrees. For each
    /// run of the other mask, it draws this mask smeared to the run's length; smears are made by doubling. The cost is
    /// that of drawing this mask once for each run of the other.
    ///
    /// Returns [`Error::Mask`](crate::Error::Mask) if the result would have more than
    /// [`MAX_SIDE`](crate::mask::MAX_SIDE) texels a side.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let room = Mask::from_rows(&["#####", "#...#", "#...#", "#####"])?;
    /// let table = Mask::from_rows(&["##"])?;
    /// let blocked = room.overlap_offsets(&table)?;
    /// assert_eq!(blocked.to_rows(), ["######", "##..##", "##..##", "######"]);
    /// // Column 2 and row 1 stand for the offset [2 - 1, 1 - 0].
    /// assert!(!room.overlaps(&table, [1, 1]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "convolve")]
    #[doc(alias = "minkowski_sum")]
    #[doc(alias = "dilate")]
    pub fn overlap_offsets(&self, other: &Self) -> Result<Self> {
        let sum = |a: u32, b: u32| i64::from(a) + i64::from(b) - 1;
        let mut offsets = Self::sized(sum(self.width, other.width), sum(self.height, other.height))?;
        // Length, end and row of each run, sorted by length, so that each smear is made from the one before.
        let mut runs: Vec<[u32; 3]> =
            (0..other.height).flat_map(|y| other.runs(y).map(move |run| [run.end - run.start, run.end, y])).collect();
        runs.sort_unstable();
        let Some(&[longest, ..]) = runs.last() else { return Ok(offsets) };
        let mut smear = Self::sized(sum(self.width, longest), self.height.into())?;
        smear.draw(self, [0, 0]);
        let mut smeared = 1;
        for [length, end, y] in runs {
            while smeared < length {
                let step = smeared.min(length - smeared);
                smear.draw(&smear.clone(), [step as i32, 0]);
                smeared += step;
            }
            offsets.draw(&smear, [(other.width - end) as i32, (other.height - 1 - y) as i32]);
        }
        Ok(offsets)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{large_masks, masks};
    use super::*;

    fn check(a: &Mask, b: &Mask) {
        let offsets = a.overlap_offsets(b).unwrap();
        offsets.validate();
        let [right, below] = [b.width(), b.height()].map(|v| v as i32 - 1);
        let overlap = |x: u32, y: u32| a.overlaps(b, [x as i32 - right, y as i32 - below]);
        let expected = Mask::from_fn(a.width() + b.width() - 1, a.height() + b.height() - 1, overlap).unwrap();
        assert!(offsets == expected, "{a:?} and {b:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn each_offset_is_solid_where_they_overlap(a in masks(), b in masks()) {
            check(&a, &b);
            // With the masks exchanged, each offset is negated.
            let turned = a.overlap_offsets(&b).unwrap().flipped(crate::ground::linear::Flip { x: true, y: true });
            prop_assert!(turned == b.overlap_offsets(&a).unwrap());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(5))]

        #[test]
        fn so_it_is_of_large_masks(a in large_masks(), b in masks()) {
            check(&a, &b);
        }
    }

    #[test]
    fn what_would_be_too_large_is_refused() {
        let (wide, two) = (Mask::new(8192, 1).unwrap(), Mask::new(2, 1).unwrap());
        let message = wide.overlap_offsets(&two).unwrap_err().to_string();
        assert_eq!(message, "a mask cannot have 8193 x 1 texels; each side must have 1 to 8192");
        assert_eq!(wide.overlap_offsets(&Mask::new(1, 8192).unwrap()).unwrap().count(), 0);
    }
}
