//! A coarse level above the words of a large mask: the blocks that are empty, and those that are full.
//!
//! A block is one word wide and 32 rows high; blocks side by side form a *strip*.
//!
//! ```text
//!             word 0   word 1   word 2   word 3
//!   row 0    |        |      ##|########|###     |
//!   row 1    |        |    ####|########|####    |     empty, mixed, full, mixed:
//!     :      |        |  ######|########|#####   |     some .###, full ..#.
//!   row 31   |        | #######|########|######  |
//! ```
//!
//! Higher blocks mean fewer strips to test, and cost nothing at an edge that runs along y, where the words of the rows
//! are examined anyway.

use std::ops::Range;

use super::{MOST_STRIDE, row};

/// The number of rows of a block: 32 was faster than 8, which has four times as many strips.
pub(crate) const ROWS: usize = 32;

/// The number of words in a row from which a mask has blocks: below that, the words that a sprite overlaps are a few
/// cache lines.
pub(crate) const LEAST_STRIDE: usize = 16;
/// The number of rows from which a mask has blocks.
const LEAST_HEIGHT: usize = 64;
/// One block in this many must be empty or full for blocks to pay.
const PLAIN: usize = 4;

/// The blocks of a mask, always in step with its words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Blocks {
    /// The strips, from the top down.
    strips: Vec<Strip>,
    /// The number of blocks that are empty or full.
    plain: usize,
}

/// The blocks of [`ROWS`] rows, one bit each: a mask has at most 128 words in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Strip {
    /// The blocks with a solid texel.
    pub some: u128,
    /// The blocks without an empty texel. The last of a row can be one only if the mask's width is a whole number of
    /// words.
    pub full: u128,
}

const _: () = assert!(MOST_STRIDE == u128::BITS as usize);

impl Strip {
    /// Summarizes some words of some rows; the bits of all other blocks are clear.
    fn new(rows: &[u64], stride: usize, columns: Range<usize>) -> Self {
        /// The number of adjacent words handled at once.
        const AT_ONCE: usize = 8;
        let mut strip = Self::default();
        for first in columns.clone().step_by(AT_ONCE) {
            let few = first..columns.end.min(first + AT_ONCE);
            let (mut any, mut all) = ([0; AT_ONCE], [u64::MAX; AT_ONCE]);
            for row in rows.chunks_exact(stride) {
                for ((any, all), word) in any.iter_mut().zip(&mut all).zip(&row[few.clone()]) {
                    *any |= word;
                    *all &= word;
                }
            }
            for ((column, any), all) in few.zip(any).zip(all) {
                strip.some |= u128::from(any != 0) << column;
                strip.full |= u128::from(all == u64::MAX) << column;
            }
        }
        strip
    }

    /// Returns how many of `stride` blocks are empty or full.
    fn plain(self, stride: usize) -> usize {
        stride - (self.some & !self.full).count_ones() as usize
    }
}

/// Returns the bits of some blocks of a strip, at least one.
fn bits(columns: &Range<usize>) -> u128 {
    u128::MAX >> (MOST_STRIDE - columns.len()) << columns.start
}

impl Blocks {
    /// Makes the blocks of an empty mask; `None` if it is too small for them to pay.
    pub(crate) fn empty(height: u32, stride: u32) -> Option<Self> {
        let (height, stride) = (height as usize, stride as usize);
        (stride >= LEAST_STRIDE && height >= LEAST_HEIGHT).then(|| {
            let strips = vec![Strip::default(); height.div_ceil(ROWS)];
            Self { plain: stride * strips.len(), strips }
        })
    }

    /// Recomputes the blocks from a mask's words.
    pub(crate) fn read(&mut self, words: &[u64], stride: u32) {
        let stride = stride as usize;
        self.plain = 0;
        for (strip, words) in self.strips.iter_mut().zip(words.chunks(stride * ROWS)) {
            *strip = Strip::new(words, stride, 0..stride);
            self.plain += strip.plain(stride);
        }
    }

    /// Updates the blocks after one word of the mask changed. Mostly neither the old nor the new word is empty or full;
    /// then there is nothing to do.
    pub(crate) fn note(&mut self, words: &[u64], stride: u32, word: usize, before: u64) {
        let is_plain = |word: u64| word == 0 || word == u64::MAX;
        if !is_plain(before) && !is_plain(words[word]) {
            return;
        }
        let (y, x) = (word as u32 / stride, word as u32 % stride);
        self.update(words, stride, [64 * x, y, 64, 1]);
    }

    /// Updates the blocks after words of the mask changed in a non-empty box of texels, `[x, y, width, height]`.
    /// Outside the box, reads only the words of blocks that the box cannot decide: its part of them has become empty or
    /// full.
    pub(crate) fn update(&mut self, words: &[u64], stride: u32, [x, y, width, height]: [u32; 4]) {
        let stride = stride as usize;
        let columns = row::words(&(x..x + width));
        let (top, bottom) = (y as usize, (y + height) as usize);
        let within = bits(&columns);
        for number in top / ROWS..bottom.div_ceil(ROWS) {
            let rows = number * ROWS..((number + 1) * ROWS).min(words.len() / stride);
            let part = rows.start.max(top)..rows.end.min(bottom);
            let strip = &mut self.strips[number];
            let of = |rows: &Range<usize>, columns| {
                Strip::new(&words[rows.start * stride..rows.end * stride], stride, columns)
            };
            let mut now = of(&part, columns.clone());
            let mut unsure = if part == rows { 0 } else { (strip.some & !now.some | now.full & !strip.full) & within };
            while unsure != 0 {
                let column = unsure.trailing_zeros() as usize;
                unsure &= unsure - 1;
                let block = of(&rows, column..column + 1);
                let others = !(1 << column);
                now = Strip { some: now.some & others | block.some, full: now.full & others | block.full };
            }
            self.plain -= strip.plain(stride);
            *strip = Strip { some: strip.some & !within | now.some, full: strip.full & !within | now.full };
            self.plain += strip.plain(stride);
        }
    }

    /// Returns whether enough blocks are empty or full for testing them first to pay.
    pub(crate) fn pay(&self, stride: usize) -> bool {
        self.plain * PLAIN >= self.strips.len() * stride
    }

    /// Returns whether all blocks that hold texels of these columns and rows, at least one each, are empty.
    pub(crate) fn are_empty(&self, columns: Range<usize>, rows: Range<usize>) -> bool {
        let (first, last) = (columns.start / 64, (columns.end - 1) / 64);
        let within = bits(&(first..last + 1));
        self.strips[rows.start / ROWS..=(rows.end - 1) / ROWS].iter().all(|strip| strip.some & within == 0)
    }

    /// Returns the strip of a row.
    #[inline(always)]
    pub(crate) fn strip(&self, row: usize) -> Strip {
        self.strips[row / ROWS]
    }
}

#[cfg(test)]
mod tests {
    use crate::Mask;
    use crate::bits::blocks::ROWS;
    use hitmask_workbench::workloads::SplitMix64;

    #[test]
    fn small_masks_have_none() {
        for (width, height, has) in [(960, 8192, false), (961, 63, false), (961, 64, true), (8192, 8192, true)] {
            let mask = Mask::new(width, height).unwrap();
            assert_eq!(mask.blocks().is_some(), has, "{width} x {height}");
        }
    }

    /// Tests texel by texel, also on the last block of a row and of a column.
    #[test]
    fn edits_fill_blocks_and_empty_them() {
        for (width, height) in [(1024, 64), (1030, 65 + ROWS as u32)] {
            let mut mask = Mask::new(width, height).unwrap();
            let columns = [0..64, 960..1024, width - 64..width];
            let rows = [0..ROWS as u32, height - ROWS as u32 - 1..height];
            for solid in [true, false] {
                for columns in &columns {
                    for rows in &rows {
                        for y in rows.clone() {
                            columns.clone().for_each(|x| mask.set(x, y, solid).unwrap());
                            mask.validate();
                        }
                    }
                }
            }
            assert_eq!(mask.count(), 0);
        }
    }

    #[test]
    fn blocks_are_empty_where_no_texel_is_solid() {
        let mut random = SplitMix64(9);
        let mut mask = Mask::new(1500, 300).unwrap();
        for _ in 0..20 {
            mask.set(random.below(1500), random.below(300), true).unwrap();
        }
        let blocks = mask.blocks().unwrap();
        for _ in 0..2000 {
            let mut side = |most: u32| {
                let start = random.below(most);
                start..(start + 1 + random.below(200)).min(most)
            };
            let (columns, rows) = (side(1500), side(300));
            // All texels of those blocks.
            let whole = |range: &std::ops::Range<u32>, by: u32| range.start / by * by..range.end.next_multiple_of(by);
            let (wide, high) = (whole(&columns, 64), whole(&rows, ROWS as u32));
            let clear = high.clone().all(|y| wide.clone().all(|x| !mask.get(x, y)));
            let indices = |range: std::ops::Range<u32>| range.start as usize..range.end as usize;
            assert_eq!(blocks.are_empty(indices(columns), indices(rows)), clear, "{wide:?} x {high:?}");
        }
    }
}
