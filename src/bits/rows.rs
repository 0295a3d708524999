//! Rows of bits, and the bits common to two sets of them: the kernel under all mask operations.
//!
//! Both sets lie on the same grid of pixels, and each is zero outside its bounds. The one that starts farther right is
//! the *base*: each of its words overlaps at most two words of the other, and its first word starts no earlier than the
//! other's first.
//!
//! ```text
//!   other    |     word k     |    word k+1    |    word k+2    |
//!   base             |     word i     |    word i+1    |
//!            <------->
//!            shift
//!
//!   for each row that both have
//!       for each word i of the base that the other reaches
//!           common = base[i] & (other[k] >> shift | other[k + 1] << (64 - shift))
//! ```
//!
//! If both have rows of one word, as small sprites do, their rows are adjacent in memory: eight of them fill a vector,
//! and no bits come from a next word.
//!
//! The funnel shift is that of pygame's `bitmask.c`, which has a loop for each sign of the offset.

mod coarse;

use std::ops::Range;

use super::blocks::Blocks;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::simd::{Kernel, Lanes, Simd, Words};
use coarse::{Level, is_clear};

/// The number of bits in a word.
pub(super) const BITS: i32 = 64;

/// All lanes of a vector.
const ALL: u32 = u32::MAX;

/// The number of rows of a column handled between two checks for a result.
const COLUMN: usize = 32;

/// The number of one-word rows up to which a plain loop is faster than starting a kernel.
const FEW: usize = 16;

/// Rows of bits on a grid of pixels. The lowest bit of a word is leftmost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    /// The words row by row, `stride` words each, from the top down.
    pub words: &'a [u64],
    /// The number of words in a row.
    pub stride: usize,
    /// The pixel of the lowest bit of the first word. Differences of pixels fit in an `i32`.
    pub at: Point,
    /// The pixels that may be set, `max` excluded, all of them in `words`. Every other bit of the rows is zero.
    pub bounds: Aabb,
    /// The blocks, if these are all rows of a mask that has them: what can be skipped.
    pub blocks: Option<&'a Blocks>,
}

impl Rows<'_> {
    /// Returns the rows moved right and down by `by` pixels.
    #[inline(always)]
    pub(crate) fn moved(self, by: Point) -> Self {
        Self { at: self.at + by, bounds: self.bounds.moved(by), ..self }
    }
}

/// Returns whether some pixel is set in both. Detects the instruction set only if a kernel pays.
#[must_use]
#[inline]
pub(crate) fn meet(simd: impl FnOnce() -> Simd, a: &Rows<'_>, b: &Rows<'_>) -> bool {
    if is_one_word(a, b) {
        let meets = |rows: OneWord<'_>| if rows.base.len() <= FEW { rows.meet() } else { simd().run(Meet(&rows)) };
        return OneWord::of(a, b).is_some_and(meets);
    }
    let meets = |overlap: Overlap<'_>| if overlap.is_few() { overlap.meet() } else { simd().run(Meet(&overlap)) };
    Overlap::new(a, b).is_some_and(meets)
}

/// Returns how many pixels are set in both.
#[must_use]
#[inline]
pub(crate) fn area(simd: Simd, a: &Rows<'_>, b: &Rows<'_>) -> u64 {
    if is_one_word(a, b) {
        return OneWord::of(a, b).map_or(0, |rows| simd.run(Area(&rows)));
    }
    Overlap::new(a, b).map_or(0, |overlap| simd.run(Area(&overlap)))
}

/// As [`meet`], for a caller that is itself a kernel: without closures, which would be compiled without its
/// instructions.
#[doc(hidden)]
#[inline(always)]
pub(crate) fn meet_in<L: Lanes>(lanes: L, a: &Rows<'_>, b: &Rows<'_>) -> bool {
    if is_one_word(a, b) {
        if let Some(rows) = OneWord::of(a, b) { Meet(&rows).run(lanes) } else { false }
    } else {
        match Overlap::new(a, b) {
            Some(overlap) if overlap.is_few() => overlap.meet(),
            Some(overlap) => Meet(&overlap).run(lanes),
            None => false,
        }
    }
}

/// As [`area`], for a caller that is itself a kernel.
#[inline(always)]
pub(crate) fn area_in<L: Lanes>(lanes: L, a: &Rows<'_>, b: &Rows<'_>) -> u64 {
    if is_one_word(a, b) {
        if let Some(rows) = OneWord::of(a, b) { Area(&rows).run(lanes) } else { 0 }
    } else {
        if let Some(overlap) = Overlap::new(a, b) { Area(&overlap).run(lanes) } else { 0 }
    }
}

/// Returns whether all rows of both are one word.
#[inline(always)]
fn is_one_word(a: &Rows<'_>, b: &Rows<'_>) -> bool {
    a.stride == 1 && b.stride == 1
}

/// Rows of one word each, stored somewhere in a list of words.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// The pixel of the lowest bit of the first word.
    pub at: Point,
    /// The index of the first word.
    pub first: u32,
    /// The number of rows, which may exceed that of a mask if it is painted enlarged.
    pub height: u32,
}

/// Returns whether two columns of `words` have a pixel in common, for a caller that is itself a kernel.
#[inline(always)]
pub(crate) fn columns_meet_in<L: Lanes>(lanes: L, words: &[u64], a: &Column, b: &Column) -> bool {
    if let Some(rows) = OneWord::new([words; 2], [a, b]) { Meet(&rows).run(lanes) } else { false }
}

/// The common bits of two sets, word by word.
trait Show {
    /// Passes the words of common bits to `sink`, until it has enough.
    fn show<L: Lanes>(&self, lanes: L, sink: &mut impl Sink<L::Words>);
}

struct Meet<'a, S>(&'a S);

impl<S: Show> Kernel for Meet<'_, S> {
    type Output = bool;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> bool {
        let mut joined = Joined(L::Words::zero());
        self.0.show(lanes, &mut joined);
        joined.has_enough()
    }
}

struct Area<'a, S>(&'a S);

impl<S: Show> Kernel for Area<'_, S> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> u64 {
        let mut counted = Counted(L::Words::zero(), 0);
        self.0.show(lanes, &mut counted);
        counted.0.sum() + counted.1
    }
}

/// Returns the 64 bits from bit `shift`, 0 to 63, of the 128 bits of `low` and `high`. Shifts left in two steps,
/// because a shift by 64, where `shift` is 0, is undefined.
#[inline(always)]
pub(super) fn funnel(low: u64, high: u64, shift: u32) -> u64 {
    low >> shift | high << 1 << (63 - shift)
}

/// Returns the intersection of two bounds, if it has any pixels.
#[inline(always)]
pub(super) fn both(a: &Aabb, b: &Aabb) -> Option<Aabb> {
    let min = Point::new(a.min.x.max(b.min.x), a.min.y.max(b.min.y));
    let max = Point::new(a.max.x.min(b.max.x), a.max.y.min(b.max.y));
    (min.x < max.x && min.y < max.y).then_some(Aabb { min, max })
}

/// Returns the words, of a row that begins at pixel `at`, that hold the columns of `pixels`.
#[inline(always)]
pub(super) fn words(pixels: Aabb, at: Point) -> Range<usize> {
    let word = |x: i32| ((x - at.x) / BITS) as usize;
    word(pixels.min.x)..word(pixels.max.x - 1) + 1
}

/// The common rows of two sets of one-word rows: two runs of words.
struct OneWord<'a> {
    /// The rows of the set that starts farther right.
    base: &'a [u64],
    /// As many rows of the other.
    other: &'a [u64],
    /// The number of bits of the other's words before the base's, less than 64.
    shift: u32,
}

impl<'a> OneWord<'a> {
    /// Makes the overlap of two sets whose rows are all one word.
    #[inline(always)]
    fn of(a: &Rows<'a>, b: &Rows<'a>) -> Option<Self> {
        let column = |rows: &Rows<'_>| {
            let (top, bottom) = (rows.bounds.min.y, rows.bounds.max.y);
            let (first, height) = ((top - rows.at.y) as u32, (bottom - top) as u32);
            Column { at: Point::new(rows.at.x, top), first, height }
        };
        Self::new([a.words, b.words], [&column(a), &column(b)])
    }

    /// Makes the overlap of two columns of some words; `None` if no word of one reaches the other's.
    #[inline(always)]
    fn new([words_a, words_b]: [&'a [u64]; 2], [a, b]: [&Column; 2]) -> Option<Self> {
        let (base, other) = if a.at.x < b.at.x { ((words_b, b), (words_a, a)) } else { ((words_a, a), (words_b, b)) };
        let shift = (base.1.at.x - other.1.at.x) as u32;
        let end = |column: &Column| column.at.y + column.height as i32;
        let (top, bottom) = (a.at.y.max(b.at.y), end(a).min(end(b)));
        if shift >= BITS as u32 || top >= bottom {
            return None;
        }
        let within = |(words, column): (&'a [u64], &Column)| {
            &words[column.first as usize + (top - column.at.y) as usize..][..(bottom - top) as usize]
        };
        Some(Self { base: within(base), other: within(other), shift })
    }

    /// Returns whether some pixel is set in both, row by row.
    #[inline(always)]
    fn meet(&self) -> bool {
        self.base.iter().zip(self.other).any(|(base, other)| base & other >> self.shift != 0)
    }
}

impl Show for OneWord<'_> {
    #[inline(always)]
    fn show<L: Lanes>(&self, _: L, sink: &mut impl Sink<L::Words>) {
        column(self.base, self.other, self.shift, sink);
    }
}

/// The rows and words that two sets have in common.
struct Overlap<'a> {
    /// The base's words, from the first common row on.
    base: &'a [u64],
    base_stride: usize,
    /// The other's words, from the first common row on.
    other: &'a [u64],
    other_stride: usize,
    /// The number of common rows.
    height: usize,
    /// The common words of the base's rows.
    words: Range<usize>,
    /// The other's word in which the first common word begins. Its index is not less than that of the base's word,
    /// because the base starts farther right.
    first: usize,
    /// The number of bits of that word before it.
    shift: u32,
    /// The blocks of the base, and those of the other.
    levels: [Level<'a>; 2],
}

impl<'a> Overlap<'a> {
    #[inline(always)]
    fn new(a: &Rows<'a>, b: &Rows<'a>) -> Option<Self> {
        let pixels = both(&a.bounds, &b.bounds).filter(|pixels| !is_clear(a, pixels) && !is_clear(b, pixels))?;
        let (base, other) = if a.at.x < b.at.x { (b, a) } else { (a, b) };
        let words = words(pixels, base.at);
        let start = base.at.x - other.at.x + words.start as i32 * BITS;
        let first = (start / BITS) as usize;
        let from = |rows: &Rows<'a>| &rows.words[(pixels.min.y - rows.at.y) as usize * rows.stride..];
        Some(Self {
            base: from(base),
            base_stride: base.stride,
            other: from(other),
            other_stride: other.stride,
            height: (pixels.max.y - pixels.min.y) as usize,
            first,
            shift: (start % BITS) as u32,
            levels: [Level::new(base, &pixels, words.start), Level::new(other, &pixels, first)],
            words,
        })
    }

    /// Returns whether there are few rows, each one word of the base.
    #[inline(always)]
    fn is_few(&self) -> bool {
        self.words.len() == 1 && self.height <= FEW
    }

    /// Returns whether some pixel is set in both, row by row, if there [are few](Self::is_few).
    #[inline(always)]
    fn meet(&self) -> bool {
        let Self { base, other, words, first, .. } = self;
        // The last word of a row of the other has no next one.
        let next = usize::from(first + 1 < self.other_stride);
        (0..self.height).any(|row| {
            let (a, b) = (row * self.base_stride + words.start, row * self.other_stride + first);
            base[a] & funnel(other[b], other[b + next] * next as u64, self.shift) != 0
        })
    }

    /// Returns whether both have equally many words in a row, and whole rows fit in a vector.
    #[inline(always)]
    fn is_run<W: Words>(&self) -> bool {
        let stride = self.base_stride;
        stride == self.other_stride && stride.is_power_of_two() && stride <= W::COUNT
    }

    /// Handles the rows of both as two runs of words.
    #[inline(always)]
    fn run<W: Words>(&self, sink: &mut impl Sink<W>) {
        let Range { start, end } = self.words;
        let ahead = self.first - start;
        // The last word of a row of the other has no next one.
        let has_next = end.min(self.other_stride - 1 - ahead);
        // Repeats a row's lanes for each row of a vector.
        let rows = u32::MAX / ((1 << self.base_stride) - 1);
        let (in_common, has_next) = (lanes(start..end) * rows, lanes(start..has_next.max(start)) * rows);
        let base = self.base[..(self.height - 1) * self.base_stride + end].chunks_exact(W::COUNT);
        let other = self.other[ahead..].chunks_exact(W::COUNT);
        let rest = (base.remainder(), &self.other[ahead + base.len() * W::COUNT..]);
        for (k, (a, b)) in base.zip(other).enumerate() {
            let low = W::load(b);
            sink.take(W::load_some(a, in_common).and(low.funnel(low.next(low, has_next), self.shift)));
            if k % 4 == 3 && sink.has_enough() {
                return;
            }
        }
        let low = W::load_some(rest.1, ALL);
        sink.take(W::load_some(rest.0, in_common).and(low.funnel(low.next(low, has_next), self.shift)));
    }

    /// Handles each row in whole vectors, whose words all have a next one in the other, and at most one partial vector.
    #[inline(always)]
    fn rows<W: Words>(&self, sink: &mut impl Sink<W>) {
        let count = self.words.len();
        let others = self.other_stride - self.first;
        let whole = count.min(others - 1) / W::COUNT * W::COUNT;
        let rest = count - whole;
        let (in_common, has_next) = (lanes(0..rest), lanes(0..rest.min(others - 1 - whole)));
        let within = W::ones(in_common);
        for y in 0..self.height {
            let base = &self.base[y * self.base_stride + self.words.start..];
            let other = &self.other[y * self.other_stride + self.first..];
            let low = other[..whole].chunks_exact(W::COUNT);
            let high = other[1..=whole].chunks_exact(W::COUNT);
            for ((a, low), high) in base[..whole].chunks_exact(W::COUNT).zip(low).zip(high) {
                sink.take(W::load(a).and(W::load(low).funnel(W::load(high), self.shift)));
            }
            if rest > 0 {
                let (base, other) = (&base[whole..], &other[whole..]);
                // Partial loads are needed only in the last rows.
                let (a, low) = if base.len().min(other.len()) < W::COUNT {
                    (W::load_some(base, in_common), W::load_some(other, ALL))
                } else {
                    (W::load(base).and(within), W::load(other))
                };
                sink.take(a.and(low.funnel(low.next(low, has_next), self.shift)));
            }
            if sink.has_enough() {
                return;
            }
        }
    }
}

impl Show for Overlap<'_> {
    #[inline(always)]
    fn show<L: Lanes>(&self, _: L, sink: &mut impl Sink<L::Words>) {
        if self.is_coarse() {
            self.strips(sink);
        } else if self.is_run::<L::Words>() {
            self.run(sink);
        } else {
            self.rows(sink);
        }
    }
}

/// Handles equally many words of both. Takes so many rows at once that small sprites have no unpredictable branch in
/// between.
#[inline(always)]
fn column<W: Words>(base: &[u64], other: &[u64], shift: u32, sink: &mut impl Sink<W>) {
    let mut row = 0;
    while row < base.len() && !sink.has_enough() {
        for row in (row..row + COLUMN).step_by(W::COUNT) {
            sink.take(W::load_from(base, row).and(W::load_from(other, row).shift(shift)));
        }
        row += COLUMN;
    }
}

/// Returns a bit for each lane of a range.
#[inline(always)]
fn lanes(lanes: Range<usize>) -> u32 {
    (1 << lanes.end) - (1 << lanes.start)
}

/// A consumer of the common words of two sets. A trait, because a closure called by an iterator is compiled without the
/// kernel's instructions.
trait Sink<W> {
    /// Takes a vector of common words.
    fn take(&mut self, common: W);

    /// Takes a number of common bits counted elsewhere.
    fn take_full(&mut self, count: u64);

    /// Returns whether the rest does not matter.
    fn has_enough(&self) -> bool;
}

/// All common bits, joined in one vector.
struct Joined<W>(W);

impl<W: Words> Sink<W> for Joined<W> {
    #[inline(always)]
    fn take(&mut self, common: W) {
        self.0 = self.0.or(common);
    }

    #[inline(always)]
    fn take_full(&mut self, _: u64) {
        self.0 = W::ones(ALL);
    }

    #[inline(always)]
    fn has_enough(&self) -> bool {
        self.0.any()
    }
}

/// The number of common bits.
struct Counted<W>(W, u64);

impl<W: Words> Sink<W> for Counted<W> {
    #[inline(always)]
    fn take(&mut self, common: W) {
        self.0 = self.0.add_count(common);
    }

    #[inline(always)]
    fn take_full(&mut self, count: u64) {
        self.1 += count;
    }

    #[inline(always)]
    fn has_enough(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::common::{common, first};
    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    /// Rows of random bits somewhere near the origin; some of their words lie outside the bounds.
    struct Random {
        words: Vec<u64>,
        stride: usize,
        at: Point,
        bounds: Aabb,
    }

    impl Random {
        fn new(random: &mut SplitMix64, width: u32, height: u32, dense: bool) -> Self {
            let mut draw = |below: u32| random.below(below) as i32;
            let at = Point::new(draw(width + 30) - width as i32 / 2, draw(height) - height as i32 / 2);
            // Rows and columns outside the bounds, as in a mask whose solid texels do not reach its edges.
            let min = Point::new(at.x + draw(90).max(20) - 20, at.y + draw(3));
            let max = Point::new(min.x + 1 + draw(width), min.y + 1 + height as i32 / 2 + draw(height / 2));
            let stride = ((max.x - at.x) as usize).div_ceil(64) + draw(2) as usize;
            let mut words = vec![0; stride * ((max.y - at.y) + draw(2)) as usize];
            for y in min.y..max.y {
                for x in min.x..max.x {
                    let bit = u64::from(if dense { draw(2) == 0 } else { draw(40) == 0 });
                    words[(y - at.y) as usize * stride + (x - at.x) as usize / 64] |= bit << ((x - at.x) % 64);
                }
            }
            Self { words, stride, at, bounds: Aabb { min, max } }
        }

        fn rows(&self) -> Rows<'_> {
            Rows { words: &self.words, stride: self.stride, at: self.at, bounds: self.bounds, blocks: None }
        }

        fn is_set(&self, x: i32, y: i32) -> bool {
            let Aabb { min, max } = self.bounds;
            let word = |x: i32, y: i32| self.words[y as usize * self.stride + x as usize / 64] >> (x % 64) & 1;
            (min.x..max.x).contains(&x) && (min.y..max.y).contains(&y) && word(x - self.at.x, y - self.at.y) == 1
        }
    }

    /// Checks pixel by pixel.
    fn check(a: &Random, b: &Random) -> bool {
        let mut expected = vec![0; a.words.len()];
        let mut area = 0;
        for y in a.bounds.min.y..a.bounds.max.y {
            for x in a.bounds.min.x..a.bounds.max.x {
                if a.is_set(x, y) && b.is_set(x, y) {
                    let (x, y) = (x - a.at.x, y - a.at.y);
                    expected[y as usize * a.stride + x as usize / 64] |= 1 << (x % 64);
                    area += 1;
                }
            }
        }
        for simd in Simd::available() {
            assert_eq!(super::meet(|| simd, &a.rows(), &b.rows()), area > 0, "{simd:?}");
            assert_eq!(super::area(simd, &a.rows(), &b.rows()), area, "{simd:?}");
            let mut words = vec![0; a.words.len()];
            common(simd, &a.rows(), &b.rows(), &mut words);
            assert!(words == expected, "{simd:?}");
            let word = expected.iter().position(|&word| word != 0);
            let bit = |word: usize| expected[word].trailing_zeros() as usize;
            let pixel = word.map(|word| [word % a.stride * 64 + bit(word), word / a.stride]);
            assert_eq!(first(simd, &a.rows(), &b.rows()), pixel, "{simd:?}");
        }
        area > 0
    }

    #[test]
    fn all_instructions_find_what_is_set_in_both() {
        let mut random = SplitMix64(3);
        let mut met = 0;
        // Up to one word, as far as a vector of each set, and beyond.
        for (width, height, times) in [(40, 40, 600), (120, 20, 300), (250, 9, 300), (500, 9, 300), (1500, 5, 200)] {
            for k in 0..times {
                let dense = k % 2 == 0;
                let [a, b] = [(); 2].map(|()| Random::new(&mut random, width, height, dense));
                met += u32::from(check(&a, &b));
            }
            // Unlike each other.
            for k in 0..times {
                let a = Random::new(&mut random, width, height, k % 2 == 0);
                let b = Random::new(&mut random, 60, 30, true);
                met += u32::from(check(&a, &b) || check(&b, &a));
            }
        }
        assert!((800..3000).contains(&met), "{met} pairs of 3400 overlap");
    }

    /// Tests a mask of one column and 8,192 rows, drawn ten times as high.
    #[test]
    fn more_rows_than_sixteen_bits_count() {
        let height = 80_000;
        let bounds = Aabb { min: Point::ZERO, max: Point::new(2, height) };
        let of = |top: u64| {
            let mut words = vec![0; height as usize];
            (words[0], words[height as usize - 1]) = (top, 1);
            Random { words, stride: 1, at: Point::ZERO, bounds }
        };
        assert!(check(&of(1), &of(2)));
        assert!(check(&of(1), &of(1)));
    }
}
