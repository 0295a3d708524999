//! A block of pairs in their order: a bucket sort, in which a row is a bucket, and a long row has buckets of its own.

use super::key::{Key, words};
use crate::cpu::broad::buckets::{settle, starts};
use crate::cpu::means::PAIRS;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::hits::raise_flags;
use crate::simd::{Kernel, Lanes};

/// Pairs of a row beyond which it is dealt to buckets.
const LONG: u32 = 16;

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
    spare: Spare,
    /// The flags that were raised since they were taken.
    raised: Vec<u32>,
}

/// The memory for a long row.
#[derive(Debug, Default)]
struct Spare {
    /// Where buckets end.
    ends: Vec<u32>,
    /// The row's keys, of one size or the other.
    copy: Vec<u64>,
}

impl Sorter {
    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let words = [&self.ends, &self.spare.ends, &self.raised].map(Vec::capacity);
        let keys = [&self.keys, &self.spare.copy].map(Vec::capacity);
        4 * words.iter().sum::<usize>() + 8 * keys.iter().sum::<usize>()
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
        let Self { pieces, rows, bits, pairs, flags, sorter: Sorter { ends, keys, spare, raised }, room } = self;
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
        let most = starts(ends);
        room.resize(keys, words::<K>(len), 0, PAIRS)?;
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
            let most = if most > LONG { deal_long(keys, ends, spare, room)? } else { most };
            settle(lanes, keys, most);
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

/// Deals the keys of each long row to buckets; the most keys of a bucket, or of a row that is not long.
fn deal_long<K: Key>(keys: &mut [K], ends: &[u32], spare: &mut Spare, room: &Room) -> Result<u32> {
    let (mut start, mut most) = (0, 0);
    for &end in ends {
        let len = end - start;
        let row = &mut keys[start as usize..end as usize];
        most = most.max(if len > LONG { deal_row(row, spare, room)? } else { len });
        start = end;
    }
    Ok(most)
}

/// Deals the keys of a row to about as many buckets as there are keys, each for equally many indices; the most keys of
/// a bucket. Where one gets too many, the row is sorted, and nothing is left to do.
fn deal_row<K: Key>(keys: &mut [K], Spare { ends, copy }: &mut Spare, room: &Room) -> Result<u32> {
    let (Some(&min), Some(&max)) = (keys.iter().min(), keys.iter().max()) else { return Ok(0) };
    // Less than twice as many buckets as keys.
    let shift = (max.behind(min) / keys.len()).checked_ilog2().map_or(0, |log| log + 1);
    let bucket = |key: K| key.behind(min) >> shift;
    ends.clear();
    room.resize(ends, bucket(max) + 1, 0, PAIRS)?;
    for &key in &*keys {
        ends[bucket(key)] += 1;
    }
    let most = starts(ends);
    if most > LONG {
        keys.sort_unstable();
        return Ok(1);
    }
    room.resize(copy, words::<K>(keys.len()).max(copy.len()), 0, PAIRS)?;
    let copy = &mut bytemuck::cast_slice_mut::<u64, K>(copy)[..keys.len()];
    copy.copy_from_slice(keys);
    for &key in &*copy {
        let end = &mut ends[bucket(key)];
        keys[*end as usize] = key;
        *end += 1;
    }
    Ok(most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Simd;
    use hitmask_workbench::workloads::SplitMix64;

    const BITS: u32 = 17;

    fn ordered<K: Key>(simd: Simd, pairs: &[[u32; 2]], rows: Rows) -> Vec<[u32; 2]> {
        let keys: Vec<K> = pairs.iter().map(|[i, j]| K::new(i - rows.first, *j, BITS)).collect();
        let pieces = [&keys[..keys.len() / 3], &keys[keys.len() / 3..]].into_iter();
        let mut ordered = vec![[0; 2]; pairs.len()];
        let (mut sorter, room) = (Sorter::default(), Room::default());
        let block = Block {
            pieces,
            rows,
            bits: BITS,
            pairs: &mut ordered,
            flags: 1 << (BITS - 5),
            sorter: &mut sorter,
            room: &room,
        };
        simd.run(block).expect("there is memory");
        ordered
    }

    #[test]
    fn rows_of_any_length_are_ordered_wherever_their_indices_lie() {
        let mut random = SplitMix64(5);
        for len in [1, 2, LONG, LONG + 1, 40, 300, 3000] {
            // Anywhere; one after the other; few far from the others, so that buckets are no help; two places.
            for kind in 0..4 {
                let index = |random: &mut SplitMix64, k: u32| match kind {
                    0 => random.below(1 << BITS),
                    1 => 5000 + k,
                    2 => k + if k % 50 == 7 { 90_000 } else { 400 },
                    _ => k + if k < len / 2 { 10_000 } else { 120_000 },
                };
                let row = |random: &mut SplitMix64, i: u32, len: u32| -> Vec<[u32; 2]> {
                    let mut others: Vec<u32> = (0..len).map(|k| index(random, k)).collect();
                    others.sort_unstable();
                    others.dedup();
                    others.into_iter().map(|j| [i, j]).collect()
                };
                let sorted = [(64, 3), (65, len), (67, 1), (90, len), (95, 2)];
                let sorted: Vec<_> = sorted.into_iter().flat_map(|(i, len)| row(&mut random, i, len)).collect();
                let mut pairs = sorted.clone();
                for k in (1..pairs.len()).rev() {
                    pairs.swap(k, random.below(k as u32 + 1) as usize);
                }
                let rows = Rows { first: 64, count: 32 };
                for simd in Simd::available() {
                    assert_eq!(ordered::<u32>(simd, &pairs, rows), sorted, "{simd:?}: {len} of kind {kind}");
                    assert_eq!(ordered::<u64>(simd, &pairs, rows), sorted, "{simd:?}: {len} of kind {kind}");
                }
            }
        }
    }
}
