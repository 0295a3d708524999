//! Connected components: the islands that the solid texels form.
//!
//! The algorithm collects the runs of solid texels and joins them in a forest, in time near linear in the number of
//! runs (He, Chao, Suzuki, "A run-based two-scan labeling algorithm", IEEE Transactions on Image Processing, 2008; the
//! forest with path halving is by Tarjan and van Leeuwen, 1984):
//!
//! ```text
//! for each row, for each of its runs
//!     for each run of the row above that neighbours it        both rows from left to right, once
//!         join their trees; the root is the earlier run
//! for each run: its root's number, counted in the order in which roots come; sort the runs by it
//! ```

use std::ops::Range;

use super::Mask;
use crate::bits::row;

/// The texels that count as neighbours of a texel.
///
/// ```text
///   Four        Eight
///    #          # # #
///  # o #        # o #
///    #          # # #
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Neighbours {
    /// The four texels that share an edge with it.
    Four,
    /// The eight texels that share an edge or a corner with it.
    Eight,
}

impl Mask {
    /// Returns the connected components of the solid texels, in the order of their first texels: topmost, then
    /// leftmost.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let mut cliff = Mask::from_rows(&[".##..", "..#..", ".....", "#####"])?;
    /// // A part that hangs in the air falls: it leaves the cliff and becomes a mask of its own.
    /// for part in cliff.components(Neighbours::Four).iter() {
    ///     let [x, y, _, height] = part.bounds();
    ///     if y + height < cliff.height() {
    ///         assert_eq!(part.mask().to_rows(), ["##", ".#"]);
    ///         cliff.erase(&part.mask(), [x as i32, y as i32]);
    ///     }
    /// }
    /// assert_eq!(cliff.to_rows(), [".....", ".....", ".....", "#####"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "connected_components")]
    #[doc(alias = "label")]
    #[must_use]
    pub fn components(&self, neighbours: Neighbours) -> Components {
        Components::new(self, neighbours)
    }

    /// Returns the bounding box `[x, y, width, height]` of each connected component, in the order of
    /// [`Mask::components`].
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let mask = Mask::from_rows(&["##..", "..#.", "#..."])?;
    /// assert_eq!(mask.bounding_boxes(Neighbours::Four), [[0, 0, 2, 1], [2, 1, 1, 1], [0, 2, 1, 1]]);
    /// assert_eq!(mask.bounding_boxes(Neighbours::Eight), [[0, 0, 3, 2], [0, 2, 1, 1]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "get_bounding_rects")]
    #[must_use]
    pub fn bounding_boxes(&self, neighbours: Neighbours) -> Vec<[u32; 4]> {
        self.components(neighbours).iter().map(|part| part.bounds()).collect()
    }
}

/// The connected components of a mask: a snapshot that later edits of the mask do not change.
#[derive(Clone, Debug)]
pub struct Components {
    /// Grouped by component, in the order of `parts`; within a component by row, then column.
    runs: Vec<Run>,
    parts: Vec<Part>,
}

/// One of the connected components of a mask.
#[derive(Clone, Copy, Debug)]
pub struct Component<'a> {
    part: &'a Part,
    runs: &'a [Run],
}

/// A run of adjacent solid texels in a row. A side of a mask fits in 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    pub(super) y: u16,
    pub(super) start: u16,
    pub(super) end: u16,
}

#[derive(Clone, Debug)]
struct Part {
    /// Indices into all runs.
    runs: Range<u32>,
    /// The bounding box in `x` and `y`; `max` is exclusive.
    min: [u16; 2],
    max: [u16; 2],
    area: u32,
}

impl Components {
    fn new(mask: &Mask, neighbours: Neighbours) -> Self {
        let (runs, mut forest) = join(mask, neighbours);
        // A root precedes the other runs of its tree, so its component has a number by the time they look it up. The
        // loop replaces the parents in the forest with these numbers.
        let mut parts: Vec<Part> = Vec::new();
        for (k, run) in (0..).zip(&runs) {
            let number = if forest[k] == k as u32 {
                parts.push(Part { runs: 0..0, min: [run.start, run.y], max: [0; 2], area: 0 });
                parts.len() as u32 - 1
            } else {
                // A parent is earlier than its child, so it has its number already.
                forest[forest[k] as usize]
            };
            forest[k] = number;
            parts[number as usize].take(*run);
        }
        let mut end = 0;
        for part in &mut parts {
            let start = end;
            end += part.runs.end;
            part.runs = start..start;
        }
        let mut sorted = vec![Run::default(); runs.len()];
        for (run, number) in runs.into_iter().zip(forest) {
            let place = &mut parts[number as usize].runs.end;
            sorted[*place as usize] = run;
            *place += 1;
        }
        Self { runs: sorted, parts }
    }

    /// Makes components of lists of runs, each sorted by row, then column.
    pub(super) fn of_parts(lists: impl IntoIterator<Item = Vec<Run>>) -> Self {
        let mut all = Self { runs: Vec::new(), parts: Vec::new() };
        for runs in lists.into_iter().filter(|runs| !runs.is_empty()) {
            let start = all.runs.len() as u32;
            let mut part = Part { runs: start..start, min: [runs[0].start, runs[0].y], max: [0; 2], area: 0 };
            for run in &runs {
                part.take(*run);
            }
            all.runs.extend(runs);
            all.parts.push(part);
        }
        all
    }

    /// Returns the number of components.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let mask = Mask::from_rows(&["#.", ".#"])?;
    /// assert_eq!(mask.components(Neighbours::Four).len(), 2);
    /// assert_eq!(mask.components(Neighbours::Eight).len(), 1);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Returns whether there is no component, as in an empty mask.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// assert!(Mask::new(9, 9)?.components(Neighbours::Four).is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Returns an iterator over all components, in order.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let mask = Mask::from_rows(&["###.#", ".#..#"])?;
    /// let large = mask.components(Neighbours::Four).iter().filter(|part| part.area() > 2).count();
    /// assert_eq!(large, 1);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Component<'_>> + ExactSizeIterator {
        self.parts.iter().map(|part| {
            let runs = part.runs.start as usize..part.runs.end as usize;
            Component { part, runs: &self.runs[runs] }
        })
    }

    /// Returns the component with the most texels, the first if several are equally large; `None` for an empty mask.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let mask = Mask::from_rows(&["##..", "...#", "..##"])?;
    /// let parts = mask.components(Neighbours::Four);
    /// assert_eq!(parts.largest().map(|part| part.bounds()), Some([2, 1, 2, 2]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "connected_component")]
    #[must_use]
    pub fn largest(&self) -> Option<Component<'_>> {
        // `max_by_key` returns the last of equals.
        self.iter().rev().max_by_key(Component::area)
    }

    /// Returns the component that contains the texel at column `x` and row `y`; `None` if that texel is empty or
    /// outside the mask. It tests the bounds of each component, then searches its runs by bisection.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let parts = Mask::from_rows(&["##..", "...#", "..##"])?.components(Neighbours::Four);
    /// assert_eq!(parts.at(3, 2).map(|part| part.area()), Some(3));
    /// assert!(parts.at(2, 1).is_none());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "connected_component")]
    #[must_use]
    pub fn at(&self, x: u32, y: u32) -> Option<Component<'_>> {
        self.iter().find(|part| part.holds(x, y))
    }
}

impl<'a> Component<'a> {
    /// Returns the bounding box of the component, `[x, y, width, height]` in texels of the whole mask.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let parts = Mask::from_rows(&["....", "..#.", ".##."])?.components(Neighbours::Four);
    /// assert_eq!(parts.largest().map(|part| part.bounds()), Some([1, 1, 2, 2]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn bounds(&self) -> [u32; 4] {
        let ([left, top], [right, bottom]) = (self.part.min, self.part.max);
        [left, top, right - left, bottom - top].map(u32::from)
    }

    /// Returns the number of texels.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let parts = Mask::from_rows(&["....", "..#.", ".##."])?.components(Neighbours::Four);
    /// assert_eq!(parts.largest().map(|part| part.area()), Some(3));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn area(&self) -> u64 {
        self.part.area.into()
    }

    /// Returns the runs of texels, each as a row and a range of columns of the whole mask, sorted by row, then column.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let parts = Mask::from_rows(&["....", "#.#.", "###."])?.components(Neighbours::Four);
    /// let runs: Vec<_> = parts.iter().flat_map(|part| part.runs()).collect();
    /// assert_eq!(runs, [(1, 0..1), (1, 2..3), (2, 0..3)]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn runs(&self) -> impl Iterator<Item = (u32, Range<u32>)> + use<'a> {
        self.runs.iter().map(|run| (run.y.into(), run.columns()))
    }

    /// Makes a mask of this component alone, with the size of [`Component::bounds`]; texels of other components within
    /// the bounds are left out.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let parts = Mask::from_rows(&["...", "#.#", "#..", "##."])?.components(Neighbours::Four);
    /// let part = parts.largest().unwrap();
    /// assert_eq!(part.bounds(), [0, 1, 2, 3]);
    /// assert_eq!(part.mask().to_rows(), ["#.", "#.", "##"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn mask(&self) -> Mask {
        let [left, top, width, height] = self.bounds();
        let mut mask = Mask::empty(width, height);
        let stride = mask.stride as usize;
        for (y, columns) in self.runs() {
            let row = &mut mask.words[(y - top) as usize * stride..][..stride];
            row::set(row, columns.start - left..columns.end - left);
        }
        mask.blocked()
    }

    fn holds(&self, x: u32, y: u32) -> bool {
        let [left, top, width, height] = self.bounds();
        let within = |v: u32, start: u32, length: u32| v >= start && v - start < length;
        // The last run that does not start after the texel.
        let place =
            || self.runs.partition_point(|run| (u32::from(run.y), u32::from(run.start)) <= (y, x)).checked_sub(1);
        let run = || place().map(|k| self.runs[k]);
        within(x, left, width) && within(y, top, height) && run().is_some_and(|run| run.holds(x, y))
    }
}

impl Run {
    /// Returns the number of texels.
    pub(super) fn area(self) -> u64 {
        u64::from(self.end - self.start)
    }

    fn columns(self) -> Range<u32> {
        self.start.into()..self.end.into()
    }

    fn holds(self, x: u32, y: u32) -> bool {
        u32::from(self.y) == y && self.columns().contains(&x)
    }
}

impl Part {
    /// Adds a run.
    fn take(&mut self, run: Run) {
        self.runs.end += 1;
        self.min = [self.min[0].min(run.start), self.min[1].min(run.y)];
        self.max = [self.max[0].max(run.end), self.max[1].max(run.y + 1)];
        self.area += u32::from(run.end - run.start);
    }
}

/// Returns all runs of a mask by row, then column, and for each run its parent: an earlier run that it is connected to,
/// or itself if it is the first of its component.
fn join(mask: &Mask, neighbours: Neighbours) -> (Vec<Run>, Vec<u32>) {
    // With corners, two runs are also neighbours if one ends just before the other starts.
    let reach = u16::from(neighbours == Neighbours::Eight);
    let (mut runs, mut forest) = (Vec::<Run>::new(), Vec::new());
    let mut above = 0..0;
    for y in 0..mask.height {
        let row = runs.len();
        for columns in mask.runs(y) {
            let run = Run { y: y as u16, start: columns.start as u16, end: columns.end as u16 };
            let number = runs.len() as u32;
            forest.push(number);
            // A run above that ends before this one starts is no neighbour of the runs that follow in this row either.
            while above.start < above.end && runs[above.start].end + reach <= run.start {
                above.start += 1;
            }
            for (k, other) in above.clone().zip(&runs[above.clone()]) {
                if other.start >= run.end + reach {
                    break;
                }
                let roots = [root(&mut forest, k as u32), root(&mut forest, number)];
                forest[roots[0].max(roots[1]) as usize] = roots[0].min(roots[1]);
            }
            runs.push(run);
        }
        above = row..runs.len();
    }
    (runs, forest)
}

/// Returns the root of a tree in a forest of parents, and halves the path to it.
pub(super) fn root(forest: &mut [u32], mut run: u32) -> u32 {
    loop {
        let parent = forest[run as usize];
        if parent == run {
            return run;
        }
        forest[run as usize] = forest[parent as usize];
        run = forest[run as usize];
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{any_masks, large_masks, largest};
    use super::*;

    /// Finds components by flood fill from each texel that is in none yet, in order.
    fn oracle(mask: &Mask, neighbours: Neighbours) -> Vec<Vec<[u32; 2]>> {
        let mut rest = mask.clone();
        let mut parts = Vec::new();
        for y in 0..mask.height() {
            for x in 0..mask.width() {
                if !rest.get(x, y) {
                    continue;
                }
                rest.set(x, y, false).unwrap();
                let (mut part, mut k) = (vec![[x, y]], 0);
                while let Some(&[x, y]) = part.get(k) {
                    k += 1;
                    for [dx, dy] in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| [dx, dy])) {
                        let (x, y) = (x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
                        if (neighbours == Neighbours::Eight || dx == 0 || dy == 0) && rest.get(x, y) {
                            rest.set(x, y, false).unwrap();
                            part.push([x, y]);
                        }
                    }
                }
                part.sort_unstable_by_key(|&[x, y]| [y, x]);
                parts.push(part);
            }
        }
        parts
    }

    fn check(mask: &Mask) {
        for neighbours in [Neighbours::Four, Neighbours::Eight] {
            let expected = oracle(mask, neighbours);
            let parts = mask.components(neighbours);
            assert_eq!((parts.len(), parts.is_empty()), (expected.len(), expected.is_empty()));
            let mut union = Mask::new(mask.width(), mask.height()).unwrap();
            for (part, texels) in parts.iter().zip(&expected) {
                let runs: Vec<_> = part.runs().flat_map(|(y, columns)| columns.map(move |x| [x, y])).collect();
                assert!(runs == *texels, "{mask:?}, {neighbours:?}");
                assert_eq!(part.area(), texels.len() as u64);
                let [x, y, width, height] = part.bounds();
                let alone = part.mask();
                alone.validate();
                assert_eq!(alone.bounds(), Some([0, 0, width, height]));
                assert_eq!([alone.width(), alone.height()], [width, height]);
                // No two components share a texel, and together they are the mask.
                let offset = [x as i32, y as i32];
                assert!(!union.overlaps(&alone, offset));
                union.draw(&alone, offset);
            }
            assert!(union == *mask);
            let largest = expected.iter().map(Vec::len).max();
            let first = expected.iter().position(|part| Some(part.len()) == largest);
            let largest = parts.largest().map(|part| part.runs().next().unwrap());
            assert_eq!(largest.map(|(y, columns)| [columns.start, y]), first.map(|k| expected[k][0]));
            let boxes: Vec<_> = parts.iter().map(|part| part.bounds()).collect();
            assert_eq!(mask.bounding_boxes(neighbours), boxes);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn components_are_those_of_a_flood(mask in any_masks()) {
            check(&mask);
        }

        #[test]
        fn every_solid_texel_is_in_its_component(
            mask in any_masks(), places in prop::collection::vec((0_u32..220, 0_u32..14), 20),
        ) {
            let parts = mask.components(Neighbours::Eight);
            for (x, y) in places {
                let at = parts.at(x, y);
                prop_assert_eq!(at.is_some(), mask.get(x, y));
                let holds = |part: Component<'_>| part.runs().any(|(v, columns)| v == y && columns.contains(&x));
                prop_assert!(at.is_none_or(holds));
            }
            prop_assert!(parts.at(u32::MAX, u32::MAX).is_none());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn those_of_large_masks_too(mask in large_masks()) {
            check(&mask);
        }
    }

    /// Arms that meet only at their ends, so that large trees of runs grow before they are joined.
    #[test]
    fn what_meets_late_is_one() {
        let comb = Mask::from_fn(1000, 400, |x, y| x % 2 == 0 || y == 399).unwrap();
        let spiral = Mask::from_rows(&["#######", "#.....#", "#.###.#", "#.#.#.#", "#.#...#", "#.#####"]).unwrap();
        let nested = Mask::from_fn(401, 401, |x, y| x.abs_diff(200).max(y.abs_diff(200)) % 2 == 0).unwrap();
        let stairs = Mask::from_fn(301, 301, |x, y| x + y == 300 || x == y).unwrap();
        for (mask, four, eight) in [(&comb, 1, 1), (&spiral, 1, 1), (&nested, 101, 101), (&stairs, 601, 1)] {
            check(mask);
            let count = |neighbours| mask.components(neighbours).len();
            assert_eq!([count(Neighbours::Four), count(Neighbours::Eight)], [four, eight], "{mask:?}");
        }
        let checks = Mask::from_fn(8192, 64, |x, y| (x + y) % 2 == 0).unwrap();
        assert_eq!(checks.components(Neighbours::Four).len(), 8192 * 32);
        assert_eq!(checks.components(Neighbours::Eight).len(), 1);
        let whole = largest();
        assert_eq!(whole.components(Neighbours::Four).largest().map(|part| part.area()), Some(8192 * 8192));
    }
}
