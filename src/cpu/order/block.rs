//! A block of pairs in their order: few enough keys for a sorting network.

use crate::cpu::broad::buckets::starts;
use crate::cpu::means::PAIRS;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::hits::raise_flags;
use crate::simd::{Kernel, Lanes, WIDTH};

/// Keys beyond which those of a block are dealt to buckets first: a network takes the longer for each the more there
/// are.
const MANY: usize = 1 << 13;
/// Keys of such a bucket, about.
const BUCKET: usize = 1 << 8;

/// Sorts the pairs of some rows, whose keys lie in pieces, and raises the flags of their bodies.
pub(super) struct Block<'a, P> {
    pub pieces: P,
    /// The first row.
    pub first: u32,
    /// How many bits of a key the higher index has.
    pub bits: u32,
    /// Where they go.
    pub pairs: &'a mut [[u32; 2]],
    /// The words of the flags of all bodies.
    pub flags: usize,
    pub sorter: &'a mut Sorter,
    pub room: &'a Room,
}

/// The memory of a thread.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    keys: Vec<[u32; WIDTH]>,
    spare: Spare,
    /// The flags that were raised since they were taken.
    raised: Vec<u32>,
}

/// The memory for many keys.
#[derive(Debug, Default)]
struct Spare {
    /// Where buckets end.
    ends: Vec<u32>,
    /// The keys, bucket by bucket.
    dealt: Vec<u32>,
    /// The keys of a bucket.
    some: Vec<[u32; WIDTH]>,
}

impl Sorter {
    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let words = [&self.spare.ends, &self.spare.dealt, &self.raised].map(Vec::capacity);
        let vectors = [&self.keys, &self.spare.some].map(Vec::capacity);
        4 * (words.iter().sum::<usize>() + WIDTH * vectors.iter().sum::<usize>())
    }

    /// Puts the flags that were raised to others, and forgets them.
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
        let vectors = room_for(keys, len, room)?;
        let mut end = 0;
        for piece in pieces {
            vectors.as_flattened_mut()[end..end + piece.len()].copy_from_slice(piece);
            end += piece.len();
        }
        // Bodies that are looked up in order of index find their pairs in order.
        if !vectors.as_flattened()[..len].is_sorted() {
            if len <= MANY {
                lanes.sort(vectors);
            } else {
                sort_many(lanes, &mut vectors.as_flattened_mut()[..len], spare, room)?;
            }
        }
        for (pair, &key) in pairs.iter_mut().zip(vectors.as_flattened()) {
            *pair = [first + key.unbounded_shr(bits), key & (u32::MAX >> (u32::BITS - bits))];
        }
        if raised.is_empty() {
            room.resize(raised, flags, 0, PAIRS)?;
        }
        raise_flags(raised, pairs);
        Ok(())
    }
}

/// Vectors for so many keys; those of the last behind them belong behind all others.
#[inline(always)]
fn room_for<'a>(keys: &'a mut Vec<[u32; WIDTH]>, len: usize, room: &Room) -> Result<&'a mut [[u32; WIDTH]]> {
    let vectors = len.div_ceil(WIDTH);
    if keys.len() < vectors {
        room.resize(keys, vectors, [0; WIDTH], PAIRS)?;
    }
    let keys = &mut keys[..vectors];
    keys.as_flattened_mut()[len..].fill(u32::MAX);
    Ok(keys)
}

/// Sorts many keys: dealt to buckets for equally many numbers each, these are sorted one by one; by comparisons, where
/// a bucket gets too many.
#[inline(always)]
fn sort_many<L: Lanes>(lanes: L, keys: &mut [u32], Spare { ends, dealt, some }: &mut Spare, room: &Room) -> Result<()> {
    let (Some(&min), Some(&max)) = (keys.iter().min(), keys.iter().max()) else { return Ok(()) };
    let shift = ((max - min) as usize / (keys.len() / BUCKET).max(1)).checked_ilog2().map_or(0, |log| log + 1);
    let bucket = |key: u32| ((key - min) >> shift) as usize;
    ends.clear();
    room.resize(ends, bucket(max) + 1, 0, PAIRS)?;
    for &key in &*keys {
        ends[bucket(key)] += 1;
    }
    starts(ends);
    dealt.clear();
    room.resize(dealt, keys.len(), 0, PAIRS)?;
    for &key in &*keys {
        let end = &mut ends[bucket(key)];
        dealt[*end as usize] = key;
        *end += 1;
    }
    let mut start = 0;
    for &end in &*ends {
        let (from, to) = (&mut dealt[start..end as usize], &mut keys[start..end as usize]);
        start = end as usize;
        if from.len() > MANY {
            from.sort_unstable();
            to.copy_from_slice(from);
        } else {
            let vectors = room_for(some, from.len(), room)?;
            vectors.as_flattened_mut()[..from.len()].copy_from_slice(from);
            lanes.sort(vectors);
            to.copy_from_slice(&vectors.as_flattened()[..to.len()]);
        }
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
        for len in [1, 2, 15, 16, 17, 300, 3000, MANY as u32, 20_000] {
            // Anywhere; one after the other; few far from the others, so that buckets are no help; two places.
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
