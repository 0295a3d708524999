//! Overlap of two masks, compared as rows of bits.

use super::Mask;
use super::touched::Touched;
use crate::bits::MAX_SIDE;
use crate::bits::blocks::Blocks;
use crate::bits::common;
use crate::bits::rows::{self, Rows};
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::simd::{Kernel, Lanes, Simd};

impl Mask {
    /// Returns whether any texel is solid in both masks, with the other's top-left corner at `offset` in this one's
    /// frame.
    ///
    /// The offset may have any value. Masks that share no texel do not overlap, even if they touch. The search stops at
    /// the first word in common.
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
        rows::meet(Simd::best, &self.rows_at([0, 0]), &other.rows_at(offset))
    }

    /// Returns the first texel that is solid in both masks, the topmost, then leftmost, in this one's frame; `None` if
    /// they do not overlap. The other's top-left corner is at `offset`, which may have any value.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let a = Mask::from_rows(&["..#", ".##", "###"])?;
    /// let b = Mask::from_rows(&["##", "##"])?;
    /// assert_eq!(a.first_overlap(&b, [0, 1]), Some([1, 1]));
    /// assert_eq!(a.first_overlap(&b, [-1, -1]), None);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn first_overlap(&self, other: &Self, offset: [i32; 2]) -> Option<[u32; 2]> {
        common::first(Simd::best(), &self.rows_at([0, 0]), &other.rows_at(offset)).map(|[x, y]| [x as u32, y as u32])
    }

    /// Returns the number of texels that are solid in both masks, with the other's top-left corner at `offset` in this
    /// one's frame. The offset may have any value.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let a = Mask::from_rows(&["..#", ".##", "###"])?;
    /// assert_eq!(a.overlap_area(&a, [0, 0]), a.count());
    /// assert_eq!(a.overlap_area(&a, [1, 0]), 3);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn overlap_area(&self, other: &Self, offset: [i32; 2]) -> u64 {
        rows::area(Simd::best(), &self.rows_at([0, 0]), &other.rows_at(offset))
    }

    /// Returns the texels that are solid in both masks, as a mask of this one's size and frame. The other's top-left
    /// corner is at `offset`, which may have any value.
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
        common::common(Simd::best(), &self.rows_at([0, 0]), &other.rows_at(offset), &mut words);
        let blocks = Blocks::empty(self.height, self.stride);
        Self { words, blocks, touched: Touched::default(), ..*self }.blocked()
    }

    /// Appends to `answers` whether each pair overlaps, in the order of the pairs, as [`Mask::overlaps`] returns it for
    /// one. Vector instructions are chosen once for all pairs, so pairs of masks of 32 texels a side take three
    /// quarters of the time of single calls.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let (a, b) = (Mask::from_rows(&["##", "##"])?, Mask::from_rows(&["###"])?);
    /// let mut answers = Vec::new();
    /// Mask::overlaps_each(&[(&a, &b, [1, 1]), (&b, &a, [1, 1])], &mut answers);
    /// assert_eq!(answers, [true, false]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn overlaps_each(pairs: &[(&Self, &Self, [i32; 2])], answers: &mut Vec<bool>) {
        Simd::best().run(OverlapsEach { pairs, answers });
    }

    /// Appends to `answers` the number of texels that are solid in both masks of each pair, in the order of the pairs,
    /// as [`Mask::overlap_area`] returns it for one.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let (a, b) = (Mask::from_rows(&["##", "##"])?, Mask::from_rows(&["###"])?);
    /// let mut answers = Vec::new();
    /// Mask::overlap_areas(&[(&a, &b, [1, 1]), (&a, &a, [0, 0])], &mut answers);
    /// assert_eq!(answers, [1, 4]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn overlap_areas(pairs: &[(&Self, &Self, [i32; 2])], answers: &mut Vec<u64>) {
        Simd::best().run(OverlapAreas { pairs, answers });
    }

    /// Returns all rows, with the top-left corner at a pixel. A position out of reach of every other mask is clamped to
    /// one that is out of reach as well.
    #[inline(always)]
    pub(super) fn rows_at(&self, at: [i32; 2]) -> Rows<'_> {
        let far = MAX_SIDE as i32;
        let [x, y] = at.map(|v| v.clamp(-far, far));
        let max = Point::new(x + self.width as i32, y + self.height as i32);
        let at = Point::new(x, y);
        let bounds = Aabb { min: at, max };
        Rows { words: &self.words, stride: self.stride as usize, at, bounds, blocks: self.blocks() }
    }
}

/// The kernel of [`Mask::overlaps_each`].
struct OverlapsEach<'a, 'm> {
    pairs: &'a [(&'m Mask, &'m Mask, [i32; 2])],
    answers: &'a mut Vec<bool>,
}

impl Kernel for OverlapsEach<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        self.answers.reserve(self.pairs.len());
        for &(a, b, offset) in self.pairs {
            self.answers.push(rows::meet_in(lanes, &a.rows_at([0, 0]), &b.rows_at(offset)));
        }
    }
}

/// The kernel of [`Mask::overlap_areas`].
struct OverlapAreas<'a, 'm> {
    pairs: &'a [(&'m Mask, &'m Mask, [i32; 2])],
    answers: &'a mut Vec<u64>,
}

impl Kernel for OverlapAreas<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        self.answers.reserve(self.pairs.len());
        for &(a, b, offset) in self.pairs {
            self.answers.push(rows::area_in(lanes, &a.rows_at([0, 0]), &b.rows_at(offset)));
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{WIDTHS, fill, fills, full, large_masks, masks, under};
    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    /// Computes the overlap one texel at a time.
    fn oracle(a: &Mask, b: &Mask, offset: [i32; 2]) -> Mask {
        Mask::from_fn(a.width(), a.height(), |x, y| a.get(x, y) && under(b, offset, x, y)).unwrap()
    }

    fn check(a: &Mask, b: &Mask, offset: [i32; 2]) {
        let expected = oracle(a, b, offset);
        let both = a.overlap(b, offset);
        both.validate();
        assert!(both == expected, "overlap of {a:?} and {b:?} at {offset:?}");
        assert_eq!(a.overlap_area(b, offset), expected.count(), "{a:?} and {b:?} at {offset:?}");
        assert_eq!(a.overlaps(b, offset), expected.count() > 0, "{a:?} and {b:?} at {offset:?}");
        let first = (0..a.height()).find_map(|y| Some([expected.runs(y).next()?.start, y]));
        assert_eq!(a.first_overlap(b, offset), first, "{a:?} and {b:?} at {offset:?}");
        let (mut flags, mut areas) = (Vec::new(), Vec::new());
        Mask::overlaps_each(&[(a, b, offset); 2], &mut flags);
        Mask::overlap_areas(&[(a, b, offset); 2], &mut areas);
        assert_eq!(
            (flags, areas),
            (vec![expected.count() > 0; 2], vec![expected.count(); 2]),
            "{a:?} {b:?} {offset:?}"
        );
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
                    prop_assert_eq!(rows::meet(|| simd, &mine, &its), expected > 0, "{:?}", simd);
                }
            }
        }
    }

    #[test]
    fn every_shift_of_every_width_is_right() {
        for wide in WIDTHS {
            for narrow in WIDTHS {
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
