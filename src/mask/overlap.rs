//! Where two masks overlap, 64 texels at a time.
//!
//! The other mask's words start somewhere within this one's; a funnel shift brings them into line:
//!
//! ```text
//!   self     |   word i-1    |    word i     |   word i+1    |
//!   other         |    word k     |   word k+1    |
//!                            <---->
//!                            shift: the texels of word k before texel 64 i
//!
//!   for each row y that both have
//!       for each of its words i that the other reaches
//!           k, shift = quotient and remainder of (64 i - offset.x) by 64, rounded down
//!           common = self[y][i] & (other[y - offset.y][k] >> shift | other[y - offset.y][k + 1] << (64 - shift))
//! ```
//!
//! The idea is that of pygame's `bitmask.c`, which has a loop for each sign of the offset.

use std::ops::Range;

use super::Mask;

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
        self.common(other, offset).any(|(_, word)| word != 0)
    }

    /// How many texels are solid in both, the other's top-left corner at `offset` in this one's frame, which may be
    /// anything.
    #[must_use]
    pub fn overlap_area(&self, other: &Self, offset: [i32; 2]) -> u64 {
        self.common(other, offset).map(|(_, word)| u64::from(word.count_ones())).sum()
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
        for (index, word) in self.common(other, offset) {
            words[index] = word;
        }
        Self { words, ..*self }
    }

    /// The words of this mask that the other reaches, each by its index and with only the bits that are set in both.
    fn common(&self, other: &Self, [dx, dy]: [i32; 2]) -> impl Iterator<Item = (usize, u64)> {
        let rows = meet(self.height, other.height, dy);
        let columns = meet(self.width, other.width, dx);
        let words = columns.start / 64..columns.end.div_ceil(64);
        let start = words.start as i64 * 64 - i64::from(dx);
        let (first, shift) = (start.div_euclid(64), start.rem_euclid(64) as u32);
        rows.flat_map(move |y| {
            let base = y * self.stride as usize;
            let theirs = other.row((y as i64 - i64::from(dy)) as u32);
            // Index -1 is where the other starts within the first word; cast, it lies past the end, and reads as empty.
            let word = move |k: i64| theirs.get(k as usize).copied().unwrap_or(0);
            words
                .clone()
                .zip(first..)
                .map(move |(i, k)| (base + i, self.words[base + i] & funnel(word(k), word(k + 1), shift)))
        })
    }
}

/// The indices below `length` that lie in `offset..offset + other` too.
fn meet(length: u32, other: u32, offset: i32) -> Range<usize> {
    let start = i64::from(offset).max(0);
    let end = (i64::from(offset) + i64::from(other)).min(length.into());
    if start < end { start as usize..end as usize } else { 0..0 }
}

/// The 64 bits from bit `shift`, 0 to 63, of the 128 of `low` and `high`. In two steps to the left, because one of 64,
/// where `shift` is 0, is not defined.
fn funnel(low: u64, high: u64, shift: u32) -> u64 {
    low >> shift | high << 1 << (63 - shift)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
