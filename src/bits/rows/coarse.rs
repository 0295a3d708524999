//! Overlaps of large masks: handles only the words that their blocks do not decide.
//!
//! ```text
//!   for each run of rows within one strip of the base and one of the other
//!       some = the base's `some` & (the other's `some` of the word in which each begins | that of the next)
//!       full = likewise with `full` and `&`
//!       all bits of `full` are common; the words of `some & !full` are compared row by row
//! ```

use std::ops::Range;

use super::{ALL, BITS, Overlap, Rows, Sink, lanes};
use crate::bits::blocks::{Blocks, ROWS, Strip};
use crate::ground::aabb::Aabb;
use crate::simd::Words;

/// The number of common words from which testing blocks pays: below, a row is a few vectors.
const WIDE: usize = 32;

/// The blocks of a set of rows, if it has any, from the first common row and the first common word on.
#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    blocks: Option<&'a Blocks>,
    stride: usize,
    row: usize,
    word: usize,
}

impl<'a> Level<'a> {
    /// Makes the level of a set of rows, from its word at index `word` and the topmost row of `pixels` on.
    #[inline(always)]
    pub(super) fn new(rows: &Rows<'a>, pixels: &Aabb, word: usize) -> Self {
        let row = (pixels.min.y - rows.at.y) as usize;
        Self { blocks: rows.blocks, stride: rows.stride, row, word }
    }

    /// Returns whether enough blocks are empty or full.
    #[inline(always)]
    fn pays(self) -> bool {
        self.blocks.is_some_and(|blocks| blocks.pay(self.stride))
    }

    /// Returns the strip of a row, with the first common word in the lowest bit, and the number of rows from this one
    /// to its end. Without blocks, all are mixed.
    #[inline(always)]
    fn strip(self, y: usize) -> (Strip, usize) {
        let Some(blocks) = self.blocks else { return (Strip { some: u128::MAX, full: 0 }, usize::MAX) };
        let row = self.row + y;
        let Strip { some, full } = blocks.strip(row);
        (Strip { some: some >> self.word, full: full >> self.word }, ROWS - row % ROWS)
    }
}

/// Returns whether the blocks of a set of rows prove that it is empty in `pixels`.
#[inline(always)]
pub(super) fn is_clear(rows: &Rows<'_>, Aabb { min, max }: &Aabb) -> bool {
    let within = |min: i32, max: i32, at: i32| (min - at) as usize..(max - at) as usize;
    let clear = |blocks: &Blocks| blocks.are_empty(within(min.x, max.x, rows.at.x), within(min.y, max.y, rows.at.y));
    rows.blocks.is_some_and(clear)
}

impl Overlap<'_> {
    /// Returns whether to test blocks before words.
    #[inline(always)]
    pub(super) fn is_coarse(&self) -> bool {
        self.words.len() >= WIDE && self.levels.iter().any(|level| level.pays())
    }

    /// Handles the overlap strip by strip.
    #[inline(always)]
    pub(super) fn strips<W: Words>(&self, sink: &mut impl Sink<W>) {
        let [base, other] = self.levels;
        // At most as many as a mask has in a row, because one of the two has blocks.
        let all = u128::MAX >> (u128::BITS as usize - self.words.len());
        let next = u32::from(self.shift > 0);
        // Rows with the same runs are handled together.
        let (mut first, mut runs) = (0, 0);
        let mut y = 0;
        while y < self.height {
            let ((mine, rows), (its, its_rows)) = (base.strip(y), other.strip(y));
            let end = self.height.min(y + rows.min(its_rows));
            let some = mine.some & (its.some | its.some >> next) & all;
            let full = mine.full & its.full & its.full >> next & all;
            if full != 0 {
                sink.take_full(u64::from(full.count_ones()) * BITS as u64 * (end - y) as u64);
                if sink.has_enough() {
                    return;
                }
            }
            let mixed = some & !full;
            if mixed != runs {
                self.runs(first..y, runs, sink);
                if sink.has_enough() {
                    return;
                }
                (first, runs) = (y, mixed);
            }
            y = end;
        }
        self.runs(first..self.height, runs, sink);
    }

    /// Handles the runs of words of some rows.
    #[inline(always)]
    fn runs<W: Words>(&self, rows: Range<usize>, mut runs: u128, sink: &mut impl Sink<W>) {
        while runs != 0 {
            let start = runs.trailing_zeros() as usize;
            let len = (runs >> start).trailing_ones() as usize;
            let part = Self {
                base: &self.base[rows.start * self.base_stride..],
                other: &self.other[rows.start * self.other_stride..],
                height: rows.len(),
                words: self.words.start + start..self.words.start + start + len,
                first: self.first + start,
                ..*self
            };
            if len <= W::COUNT {
                part.narrow(sink);
            } else {
                part.rows(sink);
            }
            // The carry clears the lowest run.
            runs &= runs.wrapping_add(runs & runs.wrapping_neg());
        }
    }

    /// Handles rows of at most as many words as a vector has.
    #[inline(always)]
    fn narrow<W: Words>(&self, sink: &mut impl Sink<W>) {
        let count = self.words.len();
        let has_next = count.min(self.other_stride - 1 - self.first);
        let (in_common, has_next) = (lanes(0..count), lanes(0..has_next));
        let (within, before_last) = (W::ones(in_common), W::ones(has_next));
        let (mut k, mut i) = (self.words.start, self.first);
        for y in 0..self.height {
            let (base, other) = (self.base.get(k..k + W::COUNT), self.other.get(i..i + W::COUNT + 1));
            let common = if let (Some(base), Some(other)) = (base, other) {
                let high = W::load(&other[1..]).and(before_last);
                W::load(base).and(within).and(W::load(other).funnel(high, self.shift))
            } else {
                // The last rows of a mask.
                let low = W::load_some(&self.other[i..], ALL);
                W::load_some(&self.base[k..], in_common).and(low.funnel(low.next(low, has_next), self.shift))
            };
            sink.take(common);
            if y % 8 == 7 && sink.has_enough() {
                return;
            }
            (k, i) = (k + self.base_stride, i + self.other_stride);
        }
    }
}
