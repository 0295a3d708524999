//! Rows of bits shifted into the words of a frame, to combine them with a mask's own words.
//!
//! ```text
//!   frame    |     word i     |    word i+1    |    word i+2    |
//!   other         |     word 0     |     word 1     |
//!             <-->
//!             into         then   frame[i+1] = other[0] >> shift | other[1] << (64 - shift)
//! ```

use std::ops::Range;

use super::MOST_STRIDE;
use super::rows::{BITS, Rows, both, funnel, words};
use super::stamp::Stamp;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;

/// The rows of a mask, in the words of another mask's frame.
pub(crate) struct Shifted<'a> {
    /// The other mask's words, from the first common row on, and its number of words in a row.
    other: &'a [u64],
    stride: usize,
    /// The frame's rows that both have.
    rows: Range<usize>,
    /// The frame's words that hold common columns.
    words: Range<usize>,
    /// If the other starts within the first of those words, the number of bits before it; otherwise 0.
    into: u32,
    /// The other's word that holds the start of the first frame word not before it, and the number of bits of that word
    /// before the start.
    first: usize,
    shift: u32,
    /// The common bits of the last word.
    last: u64,
}

impl<'a> Shifted<'a> {
    /// Takes the rows of `other` in a frame whose first word starts at `at`, within the frame's `bounds`.
    #[inline(always)]
    pub(crate) fn new(at: Point, bounds: &Aabb, other: &Rows<'a>) -> Self {
        let none = Self { other: &[], stride: 1, rows: 0..0, words: 0..0, into: 0, first: 0, shift: 0, last: 0 };
        let Some(pixels) = both(bounds, &other.bounds) else { return none };
        let words = words(pixels, at);
        let start = at.x + words.start as i32 * BITS - other.at.x;
        let ([top, bottom], right) = ([pixels.min.y, pixels.max.y].map(|y| (y - at.y) as usize), pixels.max.x - at.x);
        Self {
            other: &other.words[(pixels.min.y - other.at.y) as usize * other.stride..],
            stride: other.stride,
            rows: top..bottom,
            into: if start < 0 { -start as u32 } else { 0 },
            first: start.div_euclid(BITS).max(0) as usize,
            shift: start.rem_euclid(BITS) as u32,
            last: u64::MAX >> ((words.end as i32 * BITS - right) as u32),
            words,
        }
    }
}

impl Stamp for Shifted<'_> {
    #[inline(always)]
    fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    #[inline(always)]
    fn row(&mut self, y: usize, to: &mut [u64; MOST_STRIDE]) -> Range<usize> {
        let other = &self.other[(y - self.rows.start) * self.stride..][..self.stride];
        let to = &mut to[self.words.clone()];
        let (rest, other) = if self.into > 0 {
            to[0] = other[0] << self.into;
            (&mut to[1..], other)
        } else {
            (&mut *to, &other[self.first..])
        };
        let full = rest.len().min(other.len() - 1);
        for ((to, low), high) in rest[..full].iter_mut().zip(other).zip(&other[1..]) {
            *to = funnel(*low, *high, self.shift);
        }
        if full < rest.len() {
            rest[full] = other[full] >> self.shift;
        }
        if let Some(to) = to.last_mut() {
            *to &= self.last;
        }
        self.words.clone()
    }
}
