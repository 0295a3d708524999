//! A block of pairs in their order: a counting sort by row, then the few of each row by comparison.

use crate::cpu::broad::settle::settle;
use crate::cpu::means::PAIRS;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::simd::{Kernel, Lanes};

/// Pairs of a row beyond which it is sorted by itself.
const LONG: u32 = 12;
/// A long row is sorted by a bit for each index where there are no more words of these than so many for a pair.
const WORDS_OF_A_PAIR: usize = 4;

/// Sorts some pairs, of bodies below `bodies`, which lie in pieces.
pub(super) struct Block<'a, P> {
    pub pieces: P,
    pub rows: Rows,
    pub bodies: usize,
    /// Where they go.
    pub pairs: &'a mut [[u32; 2]],
    pub sorter: &'a mut Sorter,
    pub room: &'a Room,
}

/// Some rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rows {
    pub first: u32,
    pub count: u32,
}

/// The memory of a thread.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    /// Where rows end.
    ends: Vec<u32>,
    short: Vec<u32>,
    long: Vec<u64>,
    present: Vec<u64>,
}

/// A pair: its row from the block's first on, above the bits of its higher index.
trait Key: Copy + Ord + Default {
    fn new(row: u32, other: u32, bits: u32) -> Self;
    fn row(self, bits: u32) -> u32;
    fn other(self, bits: u32) -> u32;
    /// How far it is behind another.
    fn behind(self, other: Self) -> usize;
    /// The one so far behind this.
    fn plus(self, behind: u32) -> Self;
}

macro_rules! key {
    ($word:ty) => {
        impl Key for $word {
            #[inline(always)]
            fn new(row: u32, other: u32, bits: u32) -> Self {
                Self::from(row) << bits | Self::from(other)
            }

            #[inline(always)]
            fn row(self, bits: u32) -> u32 {
                (self >> bits) as u32
            }

            #[inline(always)]
            fn other(self, bits: u32) -> u32 {
                (self & ((1 << bits) - 1)) as u32
            }

            #[inline(always)]
            fn behind(self, other: Self) -> usize {
                (self - other) as usize
            }

            #[inline(always)]
            fn plus(self, behind: u32) -> Self {
                self + Self::from(behind)
            }
        }
    };
}

key!(u32);
key!(u64);

impl Rows {
    /// Those from the first of some pairs to the last.
    pub(super) fn of<'a>(pieces: impl Iterator<Item = &'a [[u32; 2]]>) -> Self {
        let rows = pieces.flatten().map(|[i, _]| *i);
        let (first, last) = rows.fold((u32::MAX, 0), |(first, last), row| (first.min(row), last.max(row)));
        Self { first, count: last.saturating_sub(first) + 1 }
    }
}

impl Sorter {
    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.ends.capacity() + self.short.capacity()) + 8 * (self.long.capacity() + self.present.capacity())
    }
}

impl<'p, P: Iterator<Item = &'p [[u32; 2]]> + Clone> Kernel for Block<'_, P> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let Self { pieces, rows, bodies, pairs, sorter: Sorter { ends, short, long, present }, room } = self;
        // Half as many bytes are sorted twice as fast.
        let bits = bodies.saturating_sub(1).max(1).ilog2() + 1;
        let is_short = bits < u32::BITS && u64::from(rows.count) << bits <= 1 << 32;
        let sorted = &mut Sorted { pieces, rows, bits, pairs, ends, present, room };
        if is_short { sorted.sort(lanes, short) } else { sorted.sort(lanes, long) }
    }
}

/// A block with keys whose higher index has so many bits.
struct Sorted<'a, P> {
    pieces: P,
    rows: Rows,
    bits: u32,
    pairs: &'a mut [[u32; 2]],
    ends: &'a mut Vec<u32>,
    present: &'a mut Vec<u64>,
    room: &'a Room,
}

impl<'p, P: Iterator<Item = &'p [[u32; 2]]> + Clone> Sorted<'_, P> {
    #[inline(always)]
    fn sort<L: Lanes, K: Key>(&mut self, lanes: L, keys: &mut Vec<K>) -> Result<()> {
        let Self { pieces, rows, bits, ends, room, .. } = self;
        let len = self.pairs.len();
        // Where pairs are few, several rows together.
        let shift = (rows.count as usize / (2 * len).max(1)).max(1).ilog2();
        ends.clear();
        room.resize(ends, (rows.count as usize >> shift) + 1, 0, PAIRS)?;
        for piece in pieces.clone() {
            for [i, _] in piece {
                ends[((i - rows.first) >> shift) as usize] += 1;
            }
        }
        let (mut start, mut most, mut most_of_short) = (0, 0, 0);
        for end in ends.iter_mut() {
            most = most.max(*end);
            most_of_short = most_of_short.max(if *end > LONG { 0 } else { *end });
            start += std::mem::replace(end, start);
        }
        room.resize(keys, len, K::default(), PAIRS)?;
        let keys = &mut keys[..len];
        for piece in pieces.clone() {
            for &[i, j] in piece {
                let row = i - rows.first;
                let end = &mut ends[(row >> shift) as usize];
                keys[*end as usize] = K::new(row, j, *bits);
                *end += 1;
            }
        }
        // Bodies that are looked up in order of index find their pairs in order.
        if !keys.is_sorted() {
            if most > LONG {
                self.sort_long(keys)?;
            }
            settle(lanes, keys, most_of_short);
        }
        for (pair, key) in self.pairs.iter_mut().zip(keys) {
            *pair = [self.rows.first + key.row(self.bits), key.other(self.bits)];
        }
        Ok(())
    }

    /// Sorts each long row by itself.
    fn sort_long<K: Key>(&mut self, keys: &mut [K]) -> Result<()> {
        let mut start = 0;
        for &end in &*self.ends {
            if end - start > LONG {
                sort_row(&mut keys[start as usize..end as usize], self.present, self.room)?;
            }
            start = end;
        }
        Ok(())
    }
}

/// Sorts the keys of a long row; where they lie close, by a bit for each higher index.
fn sort_row<K: Key>(keys: &mut [K], present: &mut Vec<u64>, room: &Room) -> Result<()> {
    let (Some(&min), Some(&max)) = (keys.iter().min(), keys.iter().max()) else { return Ok(()) };
    let words = max.behind(min) / 64 + 1;
    if words > WORDS_OF_A_PAIR * keys.len() {
        keys.sort_unstable();
        return Ok(());
    }
    present.clear();
    room.resize(present, words, 0, PAIRS)?;
    for key in keys.iter() {
        let bit = key.behind(min);
        present[bit / 64] |= 1 << (bit % 64);
    }
    let mut to = keys.iter_mut();
    for (word, first) in present.iter().zip((0..).step_by(64)) {
        let mut word = *word;
        while word != 0 {
            if let Some(key) = to.next() {
                *key = min.plus(first + word.trailing_zeros());
            }
            word &= word - 1;
        }
    }
    Ok(())
}
