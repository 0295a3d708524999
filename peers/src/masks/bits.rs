//! The simple algorithm: compares a row of words with another, shifted into place. Edges need no special cases, as rows
//! lie between empty words.

#![allow(clippy::inline_always, reason = "what is not inlined is not compiled for the machine's vectors")]

use std::ops::Range;

use hitmask::Mask;
use multiversion::multiversion;

/// A mask's rows, each between two empty words.
pub(super) struct Bits {
    width: i32,
    height: i32,
    /// The number of words in a row, including the empty ones.
    stride: usize,
    words: Vec<u64>,
}

impl Bits {
    pub(super) fn new(mask: &Mask) -> Self {
        let row = |y| [&[0], mask.row(y), &[0]].concat();
        Self {
            width: mask.width() as i32,
            height: mask.height() as i32,
            stride: mask.stride() as usize + 2,
            words: (0..mask.height()).flat_map(row).collect(),
        }
    }

    /// Returns `count` words of row `y` from word `first`, at least -1, on.
    #[inline(always)]
    fn row(&self, y: i32, first: i32, count: usize) -> &[u64] {
        &self.words[y as usize * self.stride..][..self.stride][(first + 1) as usize..][..count]
    }
}

/// Returns the rows of the first mask that lie under the second, and the words of each.
#[inline(always)]
fn common([a, b]: [&Bits; 2], [dx, dy]: [i32; 2]) -> (Range<i32>, Range<i32>) {
    let columns = dx.max(0)..(dx + b.width).min(a.width);
    let words = columns.start / 64..(columns.end + 63) / 64;
    let rows = dy.max(0)..(dy + b.height).min(a.height);
    if columns.is_empty() { (0..0, 0..0) } else { (rows, words) }
}

/// Returns the number of words of the first mask that lie under the second.
pub(super) fn words(pair: [&Bits; 2], offset: [i32; 2]) -> u64 {
    let (rows, words) = common(pair, offset);
    (rows.len() * words.len()) as u64
}

/// Calls `row` for each row until it returns false: with the words of the first mask, the two words of the second that
/// each overlaps, and the shift between them.
#[inline(always)]
fn each_row([a, b]: [&Bits; 2], [dx, dy]: [i32; 2], mut row: impl FnMut(&[u64], &[u64], &[u64], u32) -> bool) {
    let (rows, words) = common([a, b], [dx, dy]);
    let (at, shift) = (words.start - dx.div_euclid(64), dx.rem_euclid(64) as u32);
    for y in rows {
        let before = b.row(y - dy, at - 1, words.len());
        if !row(a.row(y, words.start, words.len()), before, b.row(y - dy, at, words.len()), shift) {
            return;
        }
    }
}

/// Returns the bits common to a word and the 64 bits under it. Two shifts, since a single shift by 64 would overflow.
#[inline(always)]
fn and(a: u64, before: u64, at: u64, shift: u32) -> u64 {
    a & (at << shift | before >> 1 >> (63 - shift))
}

#[inline(always)]
fn meet_with(pair: [&Bits; 2], offset: [i32; 2]) -> bool {
    let mut meet = false;
    each_row(pair, offset, |a, before, at, shift| {
        let words = a.iter().zip(before).zip(at).map(|((&a, &before), &at)| and(a, before, at, shift));
        meet = words.fold(0, |all, word| all | word) != 0;
        !meet
    });
    meet
}

#[inline(always)]
fn area_with(pair: [&Bits; 2], offset: [i32; 2]) -> u64 {
    let mut area = 0;
    each_row(pair, offset, |a, before, at, shift| {
        let words = a.iter().zip(before).zip(at).map(|((&a, &before), &at)| and(a, before, at, shift));
        area += words.map(|word| u64::from(word.count_ones())).sum::<u64>();
        true
    });
    area
}

/// Returns whether a bit is set in both, compiled for the baseline instruction set.
pub(super) fn meet(pair: [&Bits; 2], offset: [i32; 2]) -> bool {
    meet_with(pair, offset)
}

/// Returns the number of bits that are set in both, compiled for the baseline instruction set.
pub(super) fn area(pair: [&Bits; 2], offset: [i32; 2]) -> u64 {
    area_with(pair, offset)
}

/// Returns the result of [`meet`], compiled for the machine's vectors.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt",
))]
pub(super) fn wide_meet(pair: [&Bits; 2], offset: [i32; 2]) -> bool {
    meet_with(pair, offset)
}

/// Returns the result of [`area`], compiled for the machine's vectors.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt",
))]
pub(super) fn wide_area(pair: [&Bits; 2], offset: [i32; 2]) -> u64 {
    area_with(pair, offset)
}

/// Does the least work that any algorithm for areas must do: reads that many words of both masks, here contiguous ones,
/// and counts the bits that are set in both. These words do not overlap in the pair, so the count means nothing.
pub(super) fn floor([a, b]: [&[u64]; 2], count: u64) -> u64 {
    stream(&a[..count as usize], &b[..count as usize])
}

#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl+avx512vpopcntdq+bmi1+bmi2+lzcnt+popcnt",
    "x86_64+avx2+bmi1+bmi2+lzcnt+popcnt",
))]
fn stream(a: &[u64], b: &[u64]) -> u64 {
    a.iter().zip(b).map(|(a, b)| u64::from((a & b).count_ones())).sum()
}
