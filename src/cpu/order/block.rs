//! A block of pairs in their order: a counting sort by row, then the few of each row by comparison.

use super::key::Key;
use crate::cpu::broad::settle::settle;
use crate::cpu::means::PAIRS;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::hits::raise_flags;
use crate::simd::{Kernel, Lanes};

/// Pairs of a row beyond which it is sorted by itself.
const LONG: u32 = 12;
/// A long row is sorted by a bit for each index where there are no more words of these than so many for a pair.
const WORDS_OF_A_PAIR: usize = 4;

/// Sorts the pairs of some rows, which lie in pieces, and raises the flags of their bodies.
pub(super) struct Block<'a, P> {
    pub pieces: P,
    pub rows: Rows,
    /// How many bits of a key the higher index has.
    pub bits: u32,
    /// Where they go.
    pub pairs: &'a mut [[u32; 2]],
    /// The words of the flags of all bodies.
    pub flags: usize,
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
    /// Keys, of one size or the other.
    keys: Vec<u64>,
    present: Vec<u64>,
    /// The flags that were raised since they were taken.
    raised: Vec<u32>,
}

impl Sorter {
    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.ends.capacity() + self.raised.capacity()) + 8 * (self.keys.capacity() + self.present.capacity())
    }

    /// Puts the flags that were raised to others, and forgets them.
    pub(super) fn take_flags(&mut self, all: &mut [u32]) {
        all.iter_mut().zip(&self.raised).for_each(|(all, raised)| *all |= raised);
        self.raised.clear();
    }
}

impl<'p, K: Key, P: Iterator<Item = &'p [K]> + Clone> Kernel for Block<'_, P> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let Self { pieces, rows, bits, pairs, flags, sorter: Sorter { ends, keys, present, raised }, room } = self;
        let len = pairs.len();
        if len == 0 {
            return Ok(());
        }
        // Where pairs are few, several rows together.
        let shift = bits + (rows.count as usize / (2 * len)).max(1).ilog2();
        let row = |key: K| key.row(shift) as usize;
        ends.clear();
        room.resize(ends, row(K::new(rows.count - 1, 0, bits)) + 1, 0, PAIRS)?;
        for piece in pieces.clone() {
            for &key in piece {
                ends[row(key)] += 1;
            }
        }
        let (mut start, mut most, mut most_of_short) = (0, 0, 0);
        for end in ends.iter_mut() {
            most = most.max(*end);
            most_of_short = most_of_short.max(if *end > LONG { 0 } else { *end });
            start += std::mem::replace(end, start);
        }
        room.resize(keys, (len * size_of::<K>()).div_ceil(size_of::<u64>()), 0, PAIRS)?;
        let keys = &mut bytemuck::cast_slice_mut::<u64, K>(keys)[..len];
        for piece in pieces {
            for &key in piece {
                let end = &mut ends[row(key)];
                keys[*end as usize] = key;
                *end += 1;
            }
        }
        // Bodies that are looked up in order of index find their pairs in order.
        if !keys.is_sorted() {
            if most > LONG {
                sort_long(keys, ends, present, room)?;
            }
            settle(lanes, keys, most_of_short);
        }
        for (pair, key) in pairs.iter_mut().zip(keys) {
            *pair = [rows.first + key.row(bits), key.other(bits)];
        }
        if raised.is_empty() {
            room.resize(raised, flags, 0, PAIRS)?;
        }
        raise_flags(raised, pairs);
        Ok(())
    }
}

/// Sorts each long row by itself.
fn sort_long<K: Key>(keys: &mut [K], ends: &[u32], present: &mut Vec<u64>, room: &Room) -> Result<()> {
    let mut start = 0;
    for &end in ends {
        if end - start > LONG {
            sort_row(&mut keys[start as usize..end as usize], present, room)?;
        }
        start = end;
    }
    Ok(())
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
