//! Where two masks overlap: their rows of bits, on the pixels of the one.

use super::Mask;
use crate::bits::MAX_SIDE;
use crate::bits::blocks::Blocks;
use crate::bits::rows;
use crate::bits::rows::Rows;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::simd::Simd;

impl Mask {
    /// Whether some texel is solid in both, the other's top-left corner at `offset` in this one's frame.
    ///
    /// The offset may be anything: masks without a texel in common, those that touch included, do not overlap.
    /// Stops at the first word in common.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let a = Mask::from_rows(&["##", "##"])?;
    /// let b = Mask::from_rows(&["###"])?;
    /// assert!(a.overlaps(&b, [1, 1]) && a.overlaps(&b, [-2, 0]));
    /// assert!(!a.overlaps(&b, [2, 0]) && !a.overlaps(&b, [-3, 0])); // side by side
    /// assert!(!a.overlaps(&b, [i32::MIN, i32::MAX]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn overlaps(&self, other: &Self, offset: [i32; 2]) -> bool {
        rows::meet(Simd::best(), &self.rows_at([0, 0]), &other.rows_at(offset))
    }

    /// How many texels are solid in both, the other's top-left corner at `offset` in this one's frame, which may be
    /// anything.
    #[must_use]
    pub fn overlap_area(&self, other: &Self, offset: [i32; 2]) -> u64 {
        rows::area(Simd::best(), &self.rows_at([0, 0]), &other.rows_at(offset))
    }

    /// The texels that are solid in both, the other's top-left corner at `offset` in this one's frame, which may be
    /// anything: a mask of this one's size and frame.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let a = Mask::from_rows(&["..#", ".##", "###"])?;
    /// let b = Mask::from_rows(&["##", "##"])?;
    /// assert_eq!(a.overlap(&b, [0, 1]).to_rows(), ["...", ".#.", "##."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "overlap_mask")]
    #[must_use]
    pub fn overlap(&self, other: &Self, offset: [i32; 2]) -> Self {
        let mut words = vec![0; self.words.len()];
        rows::common(Simd::best(), &self.rows_at([0, 0]), &other.rows_at(offset), &mut words);
        let blocks = Blocks::empty(self.height, self.stride);
        Self { words, blocks, ..*self }.blocked()
    }

    /// All rows, with the top-left corner at a pixel; one so far away that no other mask reaches it is brought nearer, to where
    /// none does either.
    fn rows_at(&self, at: [i32; 2]) -> Rows<'_> {
        let far = MAX_SIDE as i32;
        let [x, y] = at.map(|v| v.clamp(-far, far));
        let max = Point::new(x + self.width as i32, y + self.height as i32);
        let at = Point::new(x, y);
        let bounds = Aabb { min: at, max };
        Rows { words: &self.words, stride: self.stride as usize, at, bounds, blocks: self.blocks() }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    /// A texel at a time.
    fn oracle(a: &Mask, b: &Mask, [dx, dy]: [i32; 2]) -> Mask {
        let mut both = Mask::new(a.width(), a.height()).unwrap();
        for y in 0..a.height() {
            for x in 0..a.width() {
                let under = |v: u32, d: i32| u32::try_from(i64::from(v) - i64::from(d)).unwrap_or(u32::MAX);
                both.set(x, y, a.get(x, y) && b.get(under(x, dx), under(y, dy))).unwrap();
            }
        }
        both
    }

    fn check(a: &Mask, b: &Mask, offset: [i32; 2]) {
        let expected = oracle(a, b, offset);
        let both = a.overlap(b, offset);
        both.validate();
        assert!(both == expected, "overlap of {a:?} and {b:?} at {offset:?}");
        assert_eq!(a.overlap_area(b, offset), expected.count(), "{a:?} and {b:?} at {offset:?}");
        assert_eq!(a.overlaps(b, offset), expected.count() > 0, "{a:?} and {b:?} at {offset:?}");
    }

    fn full(width: u32, height: u32) -> Mask {
        Mask::from_rows(&vec!["#".repeat(width as usize); height as usize]).unwrap()
    }

    /// Random texels, from nearly empty to nearly full.
    fn masks() -> impl Strategy<Value = Mask> {
        (1_u32..=200, 1_u32..=12, 1_u8..=255).prop_flat_map(|(width, height, threshold)| {
            prop::collection::vec(any::<u8>(), (width * height) as usize)
                .prop_map(move |alpha| Mask::from_alpha(&alpha, width, height, threshold).unwrap())
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn overlaps_are_those_of_the_oracle(a in masks(), b in masks(), dx in -210..210, dy in -13..13) {
            check(&a, &b, [dx, dy]);
        }

        #[test]
        fn any_offset_will_do(a in masks(), b in masks(), dx: i32, dy: i32, near in -210..210, down in -13..13) {
            for offset in [[dx, dy], [near, dy], [dx, down], [i32::MIN, down], [i32::MAX, down], [near, i32::MIN],
                [near, i32::MAX], [i32::MIN, i32::MIN], [i32::MAX, i32::MAX], [near - 64 * 8192, 0]] {
                check(&a, &b, offset);
            }
        }
    }

    /// Something to fill a part of a mask with.
    #[derive(Clone, Copy, Debug)]
    enum Fill {
        Empty,
        Full,
        Noise(u32),
    }

    /// Fills a part of a mask, texel by texel.
    fn fill(mask: &mut Mask, [left, top, width, height]: [u32; 4], fill: Fill, random: &mut SplitMix64) {
        for y in top.min(mask.height())..(top + height).min(mask.height()) {
            for x in left.min(mask.width())..(left + width).min(mask.width()) {
                let solid = match fill {
                    Fill::Empty => false,
                    Fill::Full => true,
                    Fill::Noise(permille) => random.below(1000) < permille,
                };
                mask.set(x, y, solid).unwrap();
            }
        }
    }

    fn fills() -> impl Strategy<Value = Fill> {
        prop_oneof![2 => Just(Fill::Empty), 2 => Just(Fill::Full), 1 => (1_u32..1000).prop_map(Fill::Noise)]
    }

    /// A mask with blocks, of empty, full and random parts.
    fn large_masks() -> impl Strategy<Value = Mask> {
        let part = ([0_u32..2600, 0..120, 1..2600, 1..120], fills());
        (2048_u32..2600, 64_u32..120, fills(), prop::collection::vec(part, 0..8), any::<u64>()).prop_map(
            |(width, height, ground, parts, seed)| {
                let (mut mask, mut random) = (Mask::new(width, height).unwrap(), SplitMix64(seed));
                fill(&mut mask, [0, 0, width, height], ground, &mut random);
                for (part, with) in parts {
                    fill(&mut mask, part, with, &mut random);
                }
                mask.validate();
                mask
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn blocks_leave_out_what_is_plain(
            mut a in large_masks(), b in large_masks(), small in masks(), dx in -300..300, dy in -100..100,
            edit in ([0_u32..2600, 0..120, 1..300, 1..90], fills()),
        ) {
            check(&a, &b, [dx, dy]);
            fill(&mut a, edit.0, edit.1, &mut SplitMix64(1));
            a.validate();
            for (a, b) in [(&a, &b), (&b, &a), (&a, &small), (&small, &a)] {
                check(a, b, [dx, dy]);
                check(a, b, [dx * 8, dy]);
                for simd in Simd::available() {
                    let (mine, its) = (a.rows_at([0, 0]), b.rows_at([dx, dy]));
                    let expected = rows::area(simd, &Rows { blocks: None, ..mine }, &Rows { blocks: None, ..its });
                    prop_assert_eq!(rows::area(simd, &mine, &its), expected, "{:?}", simd);
                    prop_assert_eq!(rows::meet(simd, &mine, &its), expected > 0, "{:?}", simd);
                }
            }
        }
    }

    #[test]
    fn every_shift_of_every_width_is_right() {
        for wide in super::super::tests::WIDTHS {
            for narrow in super::super::tests::WIDTHS {
                let (a, b) = (full(wide, 1), full(narrow, 1));
                let (w, n) = (wide as i32, narrow as i32);
                for dx in -n - 1..=w + 1 {
                    let columns = (w.min(dx + n) - dx.max(0)).max(0);
                    assert_eq!(a.overlap_area(&b, [dx, 0]), columns as u64, "{wide} and {narrow} at {dx}");
                }
            }
        }
    }

    #[test]
    fn a_single_texel_meets_where_it_is() {
        let (mut a, mut b) = (Mask::new(130, 20).unwrap(), Mask::new(90, 30).unwrap());
        a.set(127, 19, true).unwrap();
        b.set(64, 0, true).unwrap();
        assert!(a.overlaps(&b, [63, 19]) && b.overlaps(&a, [-63, -19]));
        for [dx, dy] in [[62, 19], [64, 19], [63, 18], [63, 20]] {
            assert!(!a.overlaps(&b, [dx, dy]) && !b.overlaps(&a, [-dx, -dy]));
        }
        assert_eq!(a.overlap(&b, [63, 19]), a);
    }
}
