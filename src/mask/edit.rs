//! Edits of a whole mask: combining it with another mask, or changing all its texels.
//!
//! Each edit returns the bounding box of the texels that it changed. Its cost is proportional to the number of words
//! that it covers.

use super::Mask;
use crate::bits::raster::Rectangle;
use crate::bits::shift::Shifted;
use crate::bits::stamp::{Edit, Stamp, apply};
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::simd::Simd;

impl Mask {
    /// Makes every texel solid that is solid in the other mask, whose top-left corner lies at `offset` in this one's
    /// frame. The offset may have any value; the part outside this mask is ignored.
    ///
    /// Returns the bounding box `[x, y, width, height]` of the texels that changed; `None` if none did.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let mut wall = Mask::from_rows(&["#...", "#...", "...."])?;
    /// let stone = Mask::from_rows(&["##", "##"])?;
    /// assert_eq!(wall.draw(&stone, [0, 1]), Some([0, 1, 2, 2]));
    /// assert_eq!(wall.to_rows(), ["#...", "##..", "##.."]);
    /// assert_eq!(wall.draw(&stone, [3, -1]), Some([3, 0, 1, 1]));
    /// assert_eq!(wall.draw(&stone, [0, 1]), None); // all solid already
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "or")]
    #[doc(alias = "union")]
    pub fn draw(&mut self, other: &Self, offset: [i32; 2]) -> Option<[u32; 4]> {
        self.lay(Edit::Draw, other, offset)
    }

    /// Makes every texel empty that is solid in the other mask, whose top-left corner lies at `offset` in this one's
    /// frame. The offset may have any value.
    ///
    /// Returns the bounding box `[x, y, width, height]` of the texels that changed; `None` if none did.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let mut ground = Mask::from_rows(&["....", "####", "####"])?;
    /// let crater = Mask::from_rows(&["###", ".#."])?;
    /// assert_eq!(ground.erase(&crater, [0, 1]), Some([0, 1, 3, 2]));
    /// assert_eq!(ground.to_rows(), ["....", "...#", "#.##"]);
    /// assert_eq!(ground.erase(&crater, [0, -1]), None); // in the air
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "difference")]
    pub fn erase(&mut self, other: &Self, offset: [i32; 2]) -> Option<[u32; 4]> {
        self.lay(Edit::Erase, other, offset)
    }

    /// Makes every texel empty that is not solid in the other mask, whose top-left corner lies at `offset` in this
    /// one's frame. The offset may have any value. All texels outside the other mask become empty. [`Mask::overlap`]
    /// returns the same result as a new mask.
    ///
    /// Returns the bounding box `[x, y, width, height]` of the texels that changed; `None` if none did.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let mut beam = Mask::from_rows(&["####", "####"])?;
    /// let window = Mask::from_rows(&["##", "#."])?;
    /// assert_eq!(beam.intersect(&window, [1, 0]), Some([0, 0, 4, 2]));
    /// assert_eq!(beam.to_rows(), [".##.", ".#.."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "and")]
    pub fn intersect(&mut self, other: &Self, offset: [i32; 2]) -> Option<[u32; 4]> {
        self.lay(Edit::Keep, other, offset)
    }

    /// Inverts every texel that is solid in the other mask, whose top-left corner lies at `offset` in this one's frame.
    /// The offset may have any value. A second identical call undoes the first.
    ///
    /// Returns the bounding box `[x, y, width, height]` of the texels that changed; `None` if none did.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let mut doors = Mask::from_rows(&["##..", "##.."])?;
    /// let lever = Mask::from_rows(&["##"])?;
    /// assert_eq!(doors.xor(&lever, [1, 0]), Some([1, 0, 2, 1]));
    /// assert_eq!(doors.to_rows(), ["#.#.", "##.."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "symmetric_difference")]
    pub fn xor(&mut self, other: &Self, offset: [i32; 2]) -> Option<[u32; 4]> {
        self.lay(Edit::Flip, other, offset)
    }

    /// Makes all texels solid.
    ///
    /// Returns the bounding box `[x, y, width, height]` of the texels that changed; `None` if none did.
    ///
    /// ```
    /// let mut mask = hitmask::Mask::from_rows(&["#..", "##."])?;
    /// assert_eq!(mask.fill(), Some([1, 0, 2, 2]));
    /// assert_eq!(mask.to_rows(), ["###", "###"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn fill(&mut self) -> Option<[u32; 4]> {
        self.apply(Edit::Draw, self.all())
    }

    /// Makes all texels empty.
    ///
    /// Returns the bounding box `[x, y, width, height]` of the texels that changed; `None` if none did.
    ///
    /// ```
    /// let mut mask = hitmask::Mask::from_rows(&["#..", "##."])?;
    /// assert_eq!(mask.clear(), Some([0, 0, 2, 2]));
    /// assert_eq!(mask.to_rows(), ["...", "..."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn clear(&mut self) -> Option<[u32; 4]> {
        self.apply(Edit::Erase, self.all())
    }

    /// Inverts every texel: solid becomes empty, empty becomes solid.
    ///
    /// Returns the box of the whole mask, since every texel has changed.
    ///
    /// ```
    /// let mut mask = hitmask::Mask::from_rows(&["#..", "##."])?;
    /// assert_eq!(mask.invert(), Some([0, 0, 3, 2]));
    /// assert_eq!(mask.to_rows(), [".##", "..#"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "not")]
    pub fn invert(&mut self) -> Option<[u32; 4]> {
        self.apply(Edit::Flip, self.all())
    }

    fn all(&self) -> Rectangle {
        Rectangle { columns: 0..self.width, rows: 0..self.height }
    }

    /// Applies an edit with another mask at an offset.
    fn lay(&mut self, edit: Edit, other: &Self, offset: [i32; 2]) -> Option<[u32; 4]> {
        let bounds = Aabb { min: Point::ZERO, max: Point::new(self.width as i32, self.height as i32) };
        self.apply(edit, Shifted::new(Point::ZERO, &bounds, &other.rows_at(offset)))
    }

    /// Applies an edit to the words, and updates the blocks and the box of touched texels.
    pub(super) fn apply(&mut self, edit: Edit, stamp: impl Stamp) -> Option<[u32; 4]> {
        let changed = apply(Simd::best(), edit, &mut self.words, self.stride as usize, stamp)?;
        if let Some(blocks) = &mut self.blocks {
            blocks.update(&self.words, self.stride, changed);
        }
        self.touched.add(changed);
        Some(changed)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{WIDTHS, any_masks, difference, full, large_masks, masks, offsets, under};
    use super::*;

    /// The result for a texel of this mask under a texel of the other, each solid or not.
    type Oracle = fn(bool, bool) -> bool;

    type Edited = fn(&mut Mask, &Mask, [i32; 2]) -> Option<[u32; 4]>;

    /// Each edit with another mask, and its effect.
    const EDITS: [(Edited, Oracle); 4] = [
        (Mask::draw, |mine, its| mine || its),
        (Mask::erase, |mine, its| mine && !its),
        (Mask::intersect, |mine, its| mine && its),
        (Mask::xor, |mine, its| mine != its),
    ];

    fn check(a: &Mask, b: &Mask, offset: [i32; 2]) {
        for (k, (edit, oracle)) in EDITS.into_iter().enumerate() {
            let mut edited = a.clone();
            let changed = edit(&mut edited, b, offset);
            edited.validate();
            let expected = Mask::from_fn(a.width(), a.height(), |x, y| oracle(a.get(x, y), under(b, offset, x, y)));
            assert!(edited == expected.unwrap(), "edit {k} of {a:?} by {b:?} at {offset:?}");
            assert_eq!(changed, difference(a, &edited), "edit {k} of {a:?} by {b:?} at {offset:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn edits_are_those_of_the_oracle(a in masks(), b in masks(), offset in offsets()) {
            check(&a, &b, offset);
        }

        #[test]
        fn edits_undo_each_other(a in any_masks(), b in any_masks(), offset in offsets()) {
            let mut twice = a.clone();
            let changed = twice.xor(&b, offset);
            prop_assert_eq!(twice.xor(&b, offset), changed);
            prop_assert!(twice == a);

            // Draw only the texels that are not solid yet, then erase them.
            let (mut new, mut drawn) = (b.clone(), a.clone());
            new.erase(&a, offset.map(i32::saturating_neg));
            let changed = drawn.draw(&b, offset);
            let more = b.count() - outside(&b, offset, &a) - a.overlap_area(&b, offset);
            prop_assert_eq!(drawn.count(), a.count() + more);
            prop_assert_eq!(drawn.erase(&new, offset), changed);
            prop_assert!(drawn == a);

            // Split into two parts, the texels that both have and those that only this one has; together they are the
            // mask.
            let (mut kept, mut left) = (a.clone(), a.clone());
            kept.intersect(&b, offset);
            prop_assert!(kept == a.overlap(&b, offset));
            left.erase(&b, offset);
            prop_assert!(!left.overlaps(&b, offset) && !left.overlaps(&kept, [0, 0]));
            left.xor(&kept, [0, 0]);
            prop_assert!(left == a);
        }
    }

    /// Returns the number of solid texels of `b` outside `a`.
    fn outside(b: &Mask, offset: [i32; 2], a: &Mask) -> u64 {
        b.count() - full(a.width(), a.height()).overlap_area(b, offset)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn large_masks_keep_their_blocks_right(
            a in large_masks(), b in large_masks(), small in masks(), [dx, dy] in offsets(),
        ) {
            check(&a, &b, [dx, dy]);
            for (a, b) in [(&a, &b), (&a, &small), (&small, &a)] {
                check(a, b, [dx.saturating_mul(8), dy.saturating_mul(4)]);
            }
        }
    }

    /// Many edits in a row, as in a game's level, so that each starts from the blocks that earlier edits have left.
    #[test]
    fn many_edits_keep_blocks_right() {
        let mut random = hitmask_workbench::workloads::SplitMix64(7);
        let mut level = Mask::new(1100, 200).unwrap();
        let mut oracle = level.clone();
        let stamps = [full(70, 40), full(130, 90), full(1, 1), full(1100, 33), full(64, 32)];
        for round in 0..3000 {
            let stamp = &stamps[random.below(5) as usize];
            // Half of them at block boundaries.
            let mut place = |side: u32, grid: u32| {
                let at = random.below(side + 100) as i32 - 50;
                if random.below(2) == 0 { at } else { at / grid as i32 * grid as i32 }
            };
            let offset = [place(1100, 64), place(200, 32)];
            // Draw for a while, then erase, so that blocks become full and empty.
            let solid = round / 200 % 2 == 0;
            if solid {
                level.draw(stamp, offset)
            } else {
                level.erase(stamp, offset)
            };
            level.validate();
            let within =
                |v: i32, length: u32, side: u32| v.max(0) as u32..((v + length as i32).clamp(0, side as i32) as u32);
            for y in within(offset[1], stamp.height(), 200) {
                within(offset[0], stamp.width(), 1100).for_each(|x| oracle.set(x, y, solid).unwrap());
            }
            assert!(level == oracle, "round {round}");
        }
    }

    #[test]
    fn all_texels_are_filled_cleared_and_inverted() {
        for width in WIDTHS.into_iter().chain([1000, 1024]) {
            for height in [1, 5, 100] {
                let start = Mask::from_fn(width, height, |x, y| (x * 7 + y * 5) % 11 < 3).unwrap();
                let mut mask = start.clone();
                assert_eq!(mask.invert(), Some([0, 0, width, height]));
                mask.validate();
                assert_eq!(mask.count(), u64::from(width * height) - start.count());
                assert!(!mask.overlaps(&start, [0, 0]));
                mask.invert();
                assert!(mask == start);
                let changed = mask.fill();
                mask.validate();
                assert!(mask == full(width, height) && changed == difference(&mask, &start));
                assert_eq!(mask.fill(), None);
                let mut mask = start.clone();
                assert_eq!(mask.clear(), start.bounds());
                mask.validate();
                assert_eq!((mask.count(), mask.clear()), (0, None));
            }
        }
    }
}
