//! Shapes as bits: the texels of each mask row whose centres lie in a rectangle, a disc or a polygon.
//!
//! Everything is in lattice steps of 1/256 texel, so that no rounding decides: the centre of texel `(i, j)` is
//! `(256 i + 128, 256 j + 128)`.
//!
//! ```text
//!   polygon:  for each edge, for each row of centres that it crosses, its upper end included and its lower not
//!                 flip the first texel whose centre does not lie left of the crossing
//!             for each row, from left to right
//!                 a texel is inside if an odd number of texels up to it was flipped
//! ```
//!
//! This is the even-odd rule, computed by Ackland and Weste's edge flag algorithm ("The edge flag algorithm: a fill
//! method for raster scan displays", IEEE Transactions on Computers, 1981), with the top-left rule of Direct3D for
//! centres on an edge: two polygons on either side of an edge find the same crossings, at which one ends and the other
//! starts.

use std::ops::Range;

use super::stamp::Stamp;
use super::{MOST_STRIDE, row};
use crate::ground::lattice::{Point, SUBPIXELS};

/// The number of lattice steps in a texel.
const TEXEL: i64 = SUBPIXELS as i64;

/// Returns the first texel of `0..side` whose centre does not lie before `v`; `side` if there is none.
fn first_at(v: i64, side: u32) -> u32 {
    // ceil((v - 128) / 256)
    (v + TEXEL / 2 - 1).div_euclid(TEXEL).clamp(0, side.into()) as u32
}

/// All texels of some columns and rows within the mask.
pub(crate) struct Rectangle {
    pub columns: Range<u32>,
    pub rows: Range<u32>,
}

impl Stamp for Rectangle {
    fn rows(&self) -> Range<usize> {
        self.rows.start as usize..self.rows.end as usize
    }

    #[inline(always)]
    fn row(&mut self, _: usize, to: &mut [u64; MOST_STRIDE]) -> Range<usize> {
        run(&self.columns, to)
    }
}

/// Writes one run as a row of a stamp.
#[inline(always)]
fn run(columns: &Range<u32>, to: &mut [u64; MOST_STRIDE]) -> Range<usize> {
    let words = row::words(columns);
    to[words.clone()].fill(0);
    row::set(to, columns.clone());
    words
}

/// The texels whose centres lie within a circle or on it.
pub(crate) struct Disc {
    centre: [i64; 2],
    /// The square of the radius.
    radius: i64,
    width: u32,
    rows: Range<u32>,
}

impl Disc {
    /// Makes a disc on a mask of the given size; centre and radius lie within the limits of a world.
    pub(crate) fn new([width, height]: [u32; 2], centre: Point, radius: i32) -> Self {
        let ([x, y], r) = ([centre.x, centre.y].map(i64::from), i64::from(radius));
        let rows = first_at(y - r, height)..first_at(y + r + 1, height);
        Self { centre: [x, y], radius: r * r, width, rows }
    }
}

impl Stamp for Disc {
    fn rows(&self) -> Range<usize> {
        self.rows.start as usize..self.rows.end as usize
    }

    #[inline(always)]
    fn row(&mut self, y: usize, to: &mut [u64; MOST_STRIDE]) -> Range<usize> {
        let [x, down] = [self.centre[0], y as i64 * TEXEL + TEXEL / 2 - self.centre[1]];
        // For integers, `dx^2 <= s` if and only if `|dx| <= floor(sqrt(s))`.
        let half = ((self.radius - down * down) as u64).isqrt() as i64;
        run(&(first_at(x - half, self.width)..first_at(x + half + 1, self.width)), to)
    }
}

/// The texels whose centres lie inside a polygon.
pub(crate) struct Polygon {
    /// The bits of the rows and words that it reaches.
    bits: Vec<u64>,
    rows: Range<u32>,
    words: Range<usize>,
}

impl Polygon {
    /// Makes a polygon on a mask of the given size; the outline is closed from its last point to its first.
    pub(crate) fn new([width, height]: [u32; 2], outline: &[Point]) -> Self {
        let reach = |side: u32, of: fn(&Point) -> i32| {
            let first = |v: Option<i32>| v.map_or(0, |v| first_at(v.into(), side));
            first(outline.iter().map(of).min())..first(outline.iter().map(of).max())
        };
        let (columns, rows) = (reach(width, |p| p.x), reach(height, |p| p.y));
        let words = if columns.is_empty() || rows.is_empty() { 0..0 } else { row::words(&columns) };
        let mut polygon = Self { bits: vec![0; words.len() * rows.len()], rows, words };
        if !polygon.bits.is_empty() {
            let ends = outline.iter().cycle().skip(1);
            outline.iter().zip(ends).for_each(|(&p, &q)| polygon.cross(p, q));
            let past = (polygon.words.end as u32 * 64).saturating_sub(width);
            polygon.bits.chunks_exact_mut(polygon.words.len()).for_each(|row| fill(row, past));
        }
        polygon
    }

    /// Flips the first texel of each row that does not lie left of an edge.
    fn cross(&mut self, p: Point, q: Point) {
        let (p, q) = if p.y < q.y { (p, q) } else { (q, p) };
        let [x, y, dx, dy] = [p.x, p.y, q.x - p.x, q.y - p.y].map(i64::from);
        let end = self.words.end as u32 * 64;
        let first = self.words.start as u32 * 64;
        for row in first_at(y, self.rows.end)..first_at(y + dy, self.rows.end) {
            // The crossing, `x + down dx / dy`, rounded up, because centres are whole numbers. The products are below
            // 2^61.
            let down = i64::from(row) * TEXEL + TEXEL / 2 - y;
            let crossing = x - (-down * dx).div_euclid(dy);
            // No crossing lies left of the outline, so none comes before the first word.
            let column = first_at(crossing, end);
            if column < end {
                let word = (row - self.rows.start) as usize * self.words.len() + (column - first) as usize / 64;
                self.bits[word] ^= 1 << (column % 64);
            }
        }
    }
}

/// Sets every bit with an odd number of set bits up to and including it, except in the last `past` bits.
fn fill(row: &mut [u64], past: u32) {
    let mut inside = 0;
    for word in row.iter_mut() {
        for step in [1, 2, 4, 8, 16, 32] {
            *word ^= *word << step;
        }
        *word ^= inside;
        inside = if *word >> 63 == 1 { u64::MAX } else { 0 };
    }
    if let Some(last) = row.last_mut() {
        *last &= u64::MAX >> past;
    }
}

impl Stamp for Polygon {
    fn rows(&self) -> Range<usize> {
        self.rows.start as usize..self.rows.end as usize
    }

    #[inline(always)]
    fn row(&mut self, y: usize, to: &mut [u64; MOST_STRIDE]) -> Range<usize> {
        let stride = self.words.len();
        let bits = &self.bits[(y - self.rows.start as usize) * stride..][..stride];
        to[self.words.clone()].copy_from_slice(bits);
        self.words.clone()
    }
}
