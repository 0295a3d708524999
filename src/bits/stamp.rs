//! Edits that change the words of a mask by the bits of a stamp placed on it.
//!
//! ```text
//!   for each row that the stamp reaches
//!       by = the stamp's bits of that row, in the mask's words
//!       for each of those words
//!           word = word & !(by & clear) ^ (by & flip)
//!       record the bits that have changed
//! ```

use std::ops::Range;

use super::{MOST_STRIDE, row};
use crate::simd::{Kernel, Lanes, Simd};

/// A pattern of bits placed on a mask.
pub(crate) trait Stamp {
    /// Returns the rows of the mask that it reaches.
    fn rows(&self) -> Range<usize>;

    /// Writes the words of one of the rows that it reaches to their places in `to`, and returns their range. It sets no
    /// bit past the mask's width. Mark it `#[inline(always)]`.
    fn row(&mut self, y: usize, to: &mut [u64; MOST_STRIDE]) -> Range<usize>;
}

/// The effect of a stamp on a mask's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// Sets bits where the stamp is set.
    Draw,
    /// Clears bits where the stamp is set.
    Erase,
    /// Inverts bits where the stamp is set.
    Flip,
    /// Clears bits where the stamp is not set, in the whole mask.
    Keep,
}

impl Edit {
    /// Returns masks `[invert, clear, flip]`: the stamp's bits are inverted by `invert`; of the result, the bits in
    /// `clear` clear bits of the mask, then those in `flip` flip them.
    #[inline(always)]
    fn invert_clear_flip(self) -> [u64; 3] {
        match self {
            Self::Draw => [0, u64::MAX, u64::MAX],
            Self::Erase => [0, u64::MAX, 0],
            Self::Flip => [0, 0, u64::MAX],
            Self::Keep => [u64::MAX, u64::MAX, 0],
        }
    }
}

/// Edits a mask of `stride` words in a row, and returns the smallest box of all changed bits, `[x, y, width, height]`.
pub(crate) fn apply(simd: Simd, edit: Edit, words: &mut [u64], stride: usize, stamp: impl Stamp) -> Option<[u32; 4]> {
    simd.run(Apply { edit, words, stride, stamp })
}

struct Apply<'a, S> {
    edit: Edit,
    words: &'a mut [u64],
    stride: usize,
    stamp: S,
}

impl<S: Stamp> Kernel for Apply<'_, S> {
    type Output = Option<[u32; 4]>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Self::Output {
        let Self { edit, words, stride, mut stamp } = self;
        let [invert, clear, flip] = edit.invert_clear_flip();
        let reached = stamp.rows();
        let rows = if edit == Edit::Keep { 0..words.len() / stride } else { reached.clone() };
        let mut by = [0; MOST_STRIDE];
        // The columns that have changed in any row.
        let mut shadow = [0; MOST_STRIDE];
        let mut changed: Option<Range<usize>> = None;
        for y in rows {
            let within = if edit == Edit::Keep {
                by[..stride].fill(0);
                if reached.contains(&y) {
                    stamp.row(y, &mut by);
                }
                0..stride
            } else {
                stamp.row(y, &mut by)
            };
            let mut any = 0;
            let row = &mut words[y * stride..][within.clone()];
            for ((word, by), shadow) in row.iter_mut().zip(&by[within.clone()]).zip(&mut shadow[within]) {
                let by = *by ^ invert;
                let after = *word & !(by & clear) ^ (by & flip);
                let differ = *word ^ after;
                *shadow |= differ;
                any |= differ;
                *word = after;
            }
            if any != 0 {
                changed = Some(changed.map_or(y, |rows| rows.start)..y + 1);
            }
        }
        let (rows, columns) = (changed?, row::extent(&shadow[..stride])?);
        Some([columns.start, rows.start as u32, columns.len() as u32, rows.len() as u32])
    }
}
