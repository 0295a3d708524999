//! The sort of a block of pairs, mostly few enough for a sorting network.

use crate::cpu::means::PAIRS;
use crate::cpu::padded::{MOST, Padded};
use crate::ground::buckets::starts;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::hits::raise_flags;
use crate::simd::{Kernel, Lanes};

/// Approximate number of keys in a bucket; keys are dealt to buckets if they are too many for a network.
const BUCKET: usize = 1 << 8;

/// Sorts the pairs of some rows, whose keys lie in pieces, and raises the flags of their bodies.
pub(super) struct Block<'a, P> {
    pub pieces: P,
    /// The first row.
    pub first: u32,
    /// The number of bits of a key that hold the higher index.
    pub bits: u32,
    /// The output.
    pub pairs: &'a mut [[u32; 2]],
    /// The number of words in the flags of all bodies.
    pub flags: usize,
    pub sorter: &'a mut Sorter,
    pub room: &'a Room,
}

/// The memory of a thread.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    keys: Padded,
    spare: Spare,
    /// The flags that were raised since they were last taken.
    raised: Vec<u32>,
}

/// The memory for many keys.
#[derive(Debug, Default)]
struct Spare {
    /// The ends of the rows.
    rows: Vec<u32>,
    /// The ends of the buckets of a row.
    buckets: Vec<u32>,
    /// The keys, row by row.
    dealt: Vec<u32>,
    /// The keys of a row or a bucket.
    some: Padded,
}

impl Sorter {
    /// Returns the bytes that the sorter holds.
    pub(super) fn bytes(&self) -> usize {
        let words = [&self.spare.rows, &self.spare.buckets, &self.spare.dealt, &self.raised].map(Vec::capacity);
        4 * words.iter().sum::<usize>() + self.keys.bytes() + self.spare.some.bytes()
    }

    /// Adds the raised flags to `all` and clears them.
    pub(super) fn take_flags(&mut self, all: &mut [u32]) {
        all.iter_mut().zip(&self.raised).for_each(|(all, raised)| *all |= raised);
        self.raised.clear();
    }
}

impl<'p, P: Iterator<Item = &'p [u32]>> Kernel for Block<'_, P> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let Self { pieces, first, bits, pairs, flags, sorter: Sorter { keys, spare, raised }, room } = self;
        let len = pairs.len();
        if len == 0 {
            return Ok(());
        }
        let vectors = keys.of(len, PAIRS, room)?;
        let mut end = 0;
        for piece in pieces {
            vectors.as_flattened_mut()[end..end + piece.len()].copy_from_slice(piece);
            end += piece.len();
        }
        // Bodies that are looked up in index order find their pairs in order.
        if !vectors.as_flattened()[..len].is_sorted() {
            if len <= MOST {
                lanes.sort(vectors);
            } else {
                sort_many(lanes, &mut vectors.as_flattened_mut()[..len], bits, spare, room)?;
            }
        }
        for (pair, &key) in pairs.iter_mut().zip(keys.keys()) {
            *pair = self::pair(key, first, bits);
        }
        if raised.is_empty() {
            room.resize(raised, flags, 0, PAIRS)?;
        }
        raise_flags(raised, pairs);
        Ok(())
    }
}

/// Returns the pair of a key in a block whose first row is `first`: the low `bits` hold the higher index, the bits
/// above hold the row.
#[inline(always)]
pub(super) fn pair(key: u32, first: u32, bits: u32) -> [u32; 2] {
    [first + key.unbounded_shr(bits), key & (u32::MAX >> (u32::BITS - bits))]
}

/// Sorts many keys, row by row. A row with many is dealt to buckets of equally many indices each.
#[inline(always)]
fn sort_many<L: Lanes>(lanes: L, keys: &mut [u32], bits: u32, spare: &mut Spare, room: &Room) -> Result<()> {
    let Spare { rows, buckets, dealt, some } = spare;
    room.resize(dealt, keys.len(), 0, PAIRS)?;
    deal(keys, dealt, |key| key.unbounded_shr(bits) as usize, rows, room)?;
    keys.copy_from_slice(dealt);
    let mut start = 0;
    for &end in &*rows {
        let (row, copy) = (&mut keys[start..end as usize], &mut dealt[start..end as usize]);
        start = end as usize;
        if row.len() <= MOST {
            sort_some(lanes, row, some, room)?;
            continue;
        }
        let (Some(&min), Some(&max)) = (row.iter().min(), row.iter().max()) else { continue };
        let shift = ((max - min) as usize / (row.len() / BUCKET)).checked_ilog2().map_or(0, |log| log + 1);
        deal(copy, row, |key| ((key - min) >> shift) as usize, buckets, room)?;
        let mut start = 0;
        for &end in &*buckets {
            sort_some(lanes, &mut row[start..end as usize], some, room)?;
            start = end as usize;
        }
    }
    Ok(())
}

/// Deals keys to buckets, and sets `ends` to the ends of the buckets.
#[inline(always)]
fn deal(keys: &[u32], to: &mut [u32], bucket: impl Fn(u32) -> usize, ends: &mut Vec<u32>, room: &Room) -> Result<()> {
    ends.clear();
    room.resize(ends, keys.iter().max().map_or(0, |&max| bucket(max) + 1), 0, PAIRS)?;
    for &key in keys {
        ends[bucket(key)] += 1;
    }
    starts(ends);
    for &key in keys {
        let end = &mut ends[bucket(key)];
        to[*end as usize] = key;
        *end += 1;
    }
    Ok(())
}

/// Sorts keys, mostly few, by a network; if there are many, by comparisons.
#[inline(always)]
fn sort_some<L: Lanes>(lanes: L, keys: &mut [u32], vectors: &mut Padded, room: &Room) -> Result<()> {
    if keys.len() > MOST {
        keys.sort_unstable();
    } else {
        let vectors = vectors.of(keys.len(), PAIRS, room)?;
        vectors.as_flattened_mut()[..keys.len()].copy_from_slice(keys);
        lanes.sort(vectors);
        keys.copy_from_slice(&vectors.as_flattened()[..keys.len()]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Simd;
    use hitmask_workbench::workloads::SplitMix64;

    const BITS: u32 = 17;

    fn ordered(simd: Simd, pairs: &[[u32; 2]], first: u32) -> Vec<[u32; 2]> {
        let keys: Vec<u32> = pairs.iter().map(|[i, j]| (i - first) << BITS | j).collect();
        let pieces = [&keys[..keys.len() / 3], &keys[keys.len() / 3..]].into_iter();
        let mut ordered = vec![[0; 2]; pairs.len()];
        let (mut sorter, room) = (Sorter::default(), Room::default());
        let (sorter, flags) = (&mut sorter, 1 << (BITS - 5));
        simd.run(Block { pieces, first, bits: BITS, pairs: &mut ordered, flags, sorter, room: &room })
            .expect("there is memory");
        ordered
    }

    #[test]
    fn rows_of_any_length_are_ordered_wherever_their_indices_lie() {
        let mut random = SplitMix64(5);
        for len in [1, 2, 15, 16, 17, 300, 3000, MOST as u32, 20_000] {
            // Anywhere; consecutive; few far from the others, so that buckets are no help; in two places.
            for kind in 0..4 {
                let index = |random: &mut SplitMix64, k: u32| match kind {
                    0 => random.below(1 << BITS),
                    1 => 5000 + k,
                    2 => k + if k % 50 == 7 { 90_000 } else { 400 },
                    _ => k + if k < len / 2 { 10_000 } else { 110_000 },
                };
                let row = |random: &mut SplitMix64, i: u32, len: u32| -> Vec<[u32; 2]> {
                    let mut others: Vec<u32> = (0..len).map(|k| index(random, k)).collect();
                    others.sort_unstable();
                    others.dedup();
                    others.into_iter().map(|j| [i, j]).collect()
                };
                let sorted = [(64, 3), (65, len), (67, 1), (90, len / 5), (95, 2)];
                let sorted: Vec<_> = sorted.into_iter().flat_map(|(i, len)| row(&mut random, i, len)).collect();
                let mut pairs = sorted.clone();
                for k in (1..pairs.len()).rev() {
                    pairs.swap(k, random.below(k as u32 + 1) as usize);
                }
                for simd in Simd::available() {
                    assert_eq!(ordered(simd, &pairs, 64), sorted, "{simd:?}: {len} of kind {kind}");
                }
            }
        }
    }
}
