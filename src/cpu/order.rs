//! The last stage: pairs in their order, and the flags of their bodies.
//!
//! Pairs are dealt to blocks of rows (a row is the pairs of one lower index), so that each block is ordered within a
//! cache: a counting sort by row, then the few of each row by comparison.

use std::ops::Range;

use super::broad::found::Found;
use super::broad::settle::Settle;
use super::means::{DETAILS, Means, PAIRS};
use super::pool::Pool;
use super::team::Team;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::hits::{Hits, raise_flags};
use crate::simd::Simd;

/// Pairs of a block, about.
const BLOCK: usize = 1 << 12;
/// The most blocks.
const MOST_BLOCKS: usize = 1 << 10;

/// Pairs of a row beyond which it is sorted by itself.
const LONG: u32 = 24;

/// The memory of the stage.
#[derive(Debug, Default)]
pub(super) struct Order {
    dealt: Vec<[u32; 2]>,
    sorters: Pool<Sorter>,
}

impl Order {
    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        8 * self.dealt.capacity() + self.sorters.sum(|sorter| 4 * sorter.ends.capacity() + 8 * sorter.keys.capacity())
    }

    /// Puts the pairs of all tasks into their order, and raises the flags of their bodies.
    ///
    /// On an error the answer is as it was.
    pub(super) fn order(
        &mut self,
        found: &[Found],
        bodies: usize,
        to: &mut Answer<'_>,
        means: Means<'_>,
    ) -> Result<()> {
        let Means { simd, team, room } = means;
        let total: usize = found.iter().map(|found| found.hits.len()).sum();
        room.resize(&mut self.dealt, total, [0; 2], PAIRS)?;
        to.resize(total, room)?;
        let Answer { hits, .. } = to;
        // Rows of a block, as a power of two.
        let blocks = (total / BLOCK).clamp(1, MOST_BLOCKS);
        let shift = bodies.div_ceil(blocks).next_power_of_two().ilog2();
        if blocks == 1 {
            // There is nothing to deal.
            let mut to = self.dealt.as_mut_slice();
            for Found { hits, .. } in found {
                let (here, behind) = to.split_at_mut(hits.len());
                here.copy_from_slice(hits);
                to = behind;
            }
            let mut block = Block { dealt: 0..total, pairs: &mut hits.pairs };
            self.sorters.lend(|sorter| block.sort(&self.dealt, sorter, simd));
            raise_all(&mut hits.flags, [&*hits.pairs].into_iter(), bodies, team);
            return Ok(());
        }
        let ends = self.deal(found, bodies.div_ceil(1 << shift), shift, team);

        // Each block goes to its part of the answer.
        let mut rest = hits.pairs.as_mut_slice();
        let mut start = 0;
        let mut tasks: Vec<Block<'_>> = Vec::with_capacity(ends.len());
        for &end in &ends {
            let (pairs, behind) = rest.split_at_mut(end - start);
            rest = behind;
            tasks.push(Block { dealt: start..end, pairs });
            start = end;
        }
        let mut groups: Vec<_> = tasks.chunks_mut(ends.len().div_ceil(team.tasks(total, BLOCK)).max(1)).collect();
        let (dealt, sorters) = (&self.dealt, &self.sorters);
        team.each_mut(&mut groups, |_, blocks| {
            sorters.lend(|sorter| {
                for block in blocks.iter_mut() {
                    block.sort(&dealt[block.dealt.clone()], sorter, simd);
                }
            });
        });
        let Hits { flags, pairs, .. } = &mut **hits;
        raise_all(flags, pairs.chunks(total.div_ceil(team.threads()).max(1)), bodies, team);
        Ok(())
    }

    /// Deals all pairs to blocks of `1 << shift` rows; where each block ends.
    fn deal(&mut self, found: &[Found], blocks: usize, shift: u32, team: Team<'_>) -> Vec<usize> {
        let counts = team.each(found, |found| {
            let mut counts = vec![0_u32; blocks];
            for [i, _] in &found.hits {
                counts[(i >> shift) as usize] += 1;
            }
            counts
        });
        let total = self.dealt.len();
        let mut rest = self.dealt.as_mut_slice();
        let mut ends = Vec::with_capacity(blocks);
        let mut slots: Vec<(&Found, Vec<&mut [[u32; 2]]>)> =
            found.iter().map(|found| (found, Vec::with_capacity(blocks))).collect();
        for block in 0..blocks {
            for ((_, slots), counts) in slots.iter_mut().zip(&counts) {
                let (slot, behind) = rest.split_at_mut(counts[block] as usize);
                slots.push(slot);
                rest = behind;
            }
            ends.push(total - rest.len());
        }
        team.each_mut(&mut slots, |_, (found, slots)| {
            let mut filled = vec![0_u32; blocks];
            for pair in &found.hits {
                let block = (pair[0] >> shift) as usize;
                slots[block][filled[block] as usize] = *pair;
                filled[block] += 1;
            }
        });
        ends
    }
}

/// A block of rows.
struct Block<'a> {
    /// Its pairs as they were dealt.
    dealt: Range<usize>,
    /// Where they go.
    pairs: &'a mut [[u32; 2]],
}

/// The memory of a thread.
#[derive(Debug, Default)]
struct Sorter {
    ends: Vec<u32>,
    keys: Vec<u64>,
}

impl Block<'_> {
    fn sort(&mut self, dealt: &[[u32; 2]], sorter: &mut Sorter, simd: Simd) {
        let Sorter { ends, keys } = sorter;
        let first = dealt.iter().fold(u32::MAX, |first, [i, _]| first.min(*i));
        let last = dealt.iter().fold(first, |last, [i, _]| last.max(*i));
        // Where pairs are few, several rows together.
        let rows = (last - first) as usize + 1;
        let shift = (rows / (2 * dealt.len()).max(1)).max(1).ilog2();
        ends.clear();
        ends.resize((rows >> shift) + 1, 0);
        let row = |i: u32| ((i - first) >> shift) as usize;
        for [i, _] in dealt {
            ends[row(*i)] += 1;
        }
        let (mut start, mut most) = (0, 0);
        for end in ends.iter_mut() {
            most = most.max(*end);
            start += std::mem::replace(end, start);
        }
        keys.resize(dealt.len(), 0);
        for &[i, j] in dealt {
            let slot = &mut ends[row(i)];
            keys[*slot as usize] = u64::from(i) << 32 | u64::from(j);
            *slot += 1;
        }
        // Bodies that are looked up in order of index find them in order.
        if !keys.is_sorted() {
            sort_rows(keys, ends, most, simd);
        }
        for (pair, key) in self.pairs.iter_mut().zip(keys) {
            *pair = [(*key >> 32) as u32, *key as u32];
        }
    }
}

/// Sorts the keys of each row; where rows end, and the most keys of one.
fn sort_rows(keys: &mut [u64], ends: &[u32], most: u32, simd: Simd) {
    if most > LONG {
        let mut start = 0;
        for &end in ends {
            if end - start > LONG {
                sort_row(&mut keys[start as usize..end as usize]);
            }
            start = end;
        }
    }
    simd.run(Settle { keys, most: most.min(LONG) });
}

/// Sorts the keys of a long row; where they lie close, by a bit for each higher index.
fn sort_row(keys: &mut [u64]) {
    let (Some(min), Some(max)) = (keys.iter().min().copied(), keys.iter().max().copied()) else { return };
    let words = ((max - min) / 64 + 1) as usize;
    if words > 4 * keys.len() {
        keys.sort_unstable();
        return;
    }
    let mut present = vec![0_u64; words];
    for key in keys.iter() {
        present[((key - min) / 64) as usize] |= 1 << ((key - min) % 64);
    }
    let mut to = keys.iter_mut();
    for (mut word, first) in present.into_iter().zip((min..).step_by(64)) {
        while word != 0 {
            if let Some(key) = to.next() {
                *key = first + u64::from(word.trailing_zeros());
            }
            word &= word - 1;
        }
    }
}

/// Raises the flags of all pairs, which are in parts, and no other.
pub(super) fn raise_all<'a>(
    flags: &mut Vec<u32>,
    parts: impl Iterator<Item = &'a [[u32; 2]]>,
    bodies: usize,
    team: Team<'_>,
) {
    flags.clear();
    flags.resize(bodies.div_ceil(32), 0);
    if team.threads() == 1 {
        return parts.for_each(|pairs| raise_flags(flags, pairs));
    }
    let parts: Vec<_> = parts.collect();
    let groups: Vec<_> = parts.chunks(parts.len().div_ceil(team.threads()).max(1)).collect();
    let raised = team.each(&groups, |parts| {
        let mut raised = vec![0; flags.len()];
        parts.iter().for_each(|pairs| raise_flags(&mut raised, pairs));
        raised
    });
    for raised in raised {
        flags.iter_mut().zip(raised).for_each(|(flags, raised)| *flags |= raised);
    }
}

/// An answer as it is made.
pub(super) struct Answer<'a> {
    pub(super) hits: &'a mut Hits,
    /// Whether there will be a detail for each pair.
    pub(super) details: bool,
}

impl Answer<'_> {
    /// Makes it so many pairs long, with room for what they carry; what is in it does not matter. An error changes
    /// nothing.
    pub(super) fn resize(&mut self, len: usize, room: &Room) -> Result<()> {
        let Hits { pairs, details, .. } = &mut *self.hits;
        if self.details {
            room.reserve(details, len.saturating_sub(details.len()), DETAILS)?;
        }
        if pairs.capacity() < len {
            // Fresh memory is zero: nobody has to write to it before the threads do.
            *pairs = room.zeros(len + len / 8, PAIRS).or_else(|_| room.zeros(len, PAIRS))?;
            pairs.truncate(len);
        } else {
            pairs.resize(len, [0; 2]);
        }
        Ok(())
    }
}
