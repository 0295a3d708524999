//! The order stage: sorts the pairs and sets the flags of their bodies.
//!
//! The pairs of each task are dealt to blocks of rows (a row is the pairs with one lower index), as 32-bit keys that
//! identify them within a block. A block, which holds pairs of all tasks, is then [sorted](block) within the
//! first-level cache.

mod block;

use std::ops::Range;

use super::broad::found::Found;
use super::means::{DETAILS, Means, PAIRS};
use super::team::{Parts, Team};
use crate::ground::bit_set;
use crate::ground::buckets::starts;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::ground::pool::Pool;
use crate::hits::{Hits, raise_flags};
use crate::simd::{Kernel, Lanes};
use block::{Block, Sorter};

/// Approximate number of pairs in a block. With fewer, there are more blocks than the caches have lines for; with more,
/// each pair takes longer to sort.
const BLOCK: usize = 1 << 7;
/// Approximate minimum number of pairs that a task deals to a block.
const PIECE: usize = 1 << 6;
/// The most blocks, unless the keys require more: in a world of `n` bodies, 32 bits identify the pairs of `2^32 / n`
/// rows.
const MOST_BLOCKS: usize = 1 << 12;
/// How many keys ahead the write position in a block is prefetched.
const AHEAD: usize = 24;
/// Minimum number of pairs for a task that sorts blocks.
const TASK: usize = 1 << 12;

/// `count` blocks of `1 << shift` rows each, from row `first` on.
#[derive(Clone, Copy, Debug)]
struct Blocks {
    first: u32,
    count: usize,
    shift: u32,
    /// The number of bits of an index.
    bits: u32,
}

/// The memory of the stage.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The keys of all pairs: task after task, and within a task block by block.
    dealt: Vec<u32>,
    /// For each task, the ends of its blocks, counted from the task's first pair.
    ends: Vec<Vec<u32>>,
    sorters: Pool<Sorter>,
}

impl Blocks {
    /// Chooses blocks of about `pairs_each` pairs, for pairs whose lower indices are in `rows`, in a world of `bodies`
    /// bodies.
    fn new(found: &[Found], rows: Range<usize>, bodies: usize, pairs_each: usize) -> Self {
        let most = (pairs_of(found) / pairs_each).clamp(1, MOST_BLOCKS);
        // Few pairs may belong to few bodies.
        let rows = if most == 1 { rows_of(found) } else { rows };
        let bits = bodies.saturating_sub(1).max(1).ilog2() + 1;
        // A row and an index share a key.
        let shift = rows.len().div_ceil(most).next_power_of_two().ilog2().min(u32::BITS - bits);
        Self { first: rows.start as u32, count: rows.len().div_ceil(1 << shift), shift, bits }
    }

    /// Returns the block of a row.
    #[inline(always)]
    fn block(&self, row: u32) -> usize {
        ((row - self.first) >> self.shift) as usize
    }

    /// Returns the key of a pair within its block; [`block::pair`] is the inverse.
    #[inline(always)]
    fn key(&self, [i, j]: [u32; 2]) -> u32 {
        ((i - self.first) & ((1 << self.shift) - 1)).unbounded_shl(self.bits) | j
    }

    /// Returns the first row of a block.
    fn row(&self, block: usize) -> u32 {
        self.first + ((block as u32) << self.shift)
    }
}

/// Returns the number of pairs that hit.
fn pairs_of(found: &[Found]) -> usize {
    found.iter().map(|found| found.hits.len()).sum()
}

/// Returns the rows from the first that has a pair to the last.
fn rows_of(found: &[Found]) -> Range<usize> {
    let rows = found.iter().flat_map(|found| &found.hits).map(|[i, _]| *i as usize);
    let (first, end) = rows.fold((usize::MAX, 0), |(first, end), row| (first.min(row), end.max(row + 1)));
    first.min(end)..end
}

impl Order {
    /// Returns the bytes that the stage holds.
    pub(super) fn bytes(&self) -> usize {
        let ends = self.ends.iter().map(Vec::capacity).sum::<usize>();
        4 * (self.dealt.capacity() + ends) + self.sorters.sum(Sorter::bytes)
    }

    /// Sorts the pairs of all tasks, whose lower indices are in `rows`, and raises the flags of their bodies.
    ///
    /// On an error the answer is invalid.
    pub(super) fn order(
        &mut self,
        found: &[Found],
        rows: Range<usize>,
        bodies: usize,
        to: &mut Answer<'_>,
        means: Means<'_>,
    ) -> Result<()> {
        let Means { simd, team, room } = means;
        to.resize(pairs_of(found), room)?;
        let Hits { flags, pairs, .. } = &mut *to.hits;
        flags.clear();
        flags.resize(bit_set::words(bodies), 0);
        // The pairs that several tasks have found are dealt by one, so that the pieces of blocks do not become too
        // small.
        let lists_each = found.len().div_ceil(2 * team.threads()).max(1);
        let pairs_each = BLOCK.max(PIECE * found.len().div_ceil(lists_each));
        let blocks = Blocks::new(found, rows, bodies, pairs_each);
        self.deal(found, lists_each, blocks, means)?;

        // Groups of blocks, each of which goes to its part of the answer.
        let groups = Parts::new(blocks.count, team.tasks(pairs.len(), TASK));
        let mut rest = pairs.as_mut_slice();
        let tasks = (0..groups.count()).map(|group| {
            let (pairs, behind) = std::mem::take(&mut rest).split_at_mut(self.len(groups.part(group)));
            rest = behind;
            (groups.part(group), pairs)
        });
        let ordered = team.try_each_of(groups.count(), tasks, |(group, mut rest)| {
            self.sorters.lend(|sorter| {
                group.into_iter().try_for_each(|block| {
                    let (pairs, behind) = std::mem::take(&mut rest).split_at_mut(self.len(block..block + 1));
                    rest = behind;
                    let (pieces, first) = (self.pieces(block), blocks.row(block));
                    simd.run(Block { pieces, first, bits: blocks.bits, pairs, flags: flags.len(), sorter, room })
                })
            })
        });
        self.sorters.each_mut(|sorter| sorter.take_flags(flags));
        ordered
    }

    /// Returns the ranges in which the pairs of some blocks lie, task by task.
    fn ranges(&self, blocks: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let mut start = 0;
        self.ends.iter().map(move |ends| {
            let end = |blocks: usize| start + blocks.checked_sub(1).map_or(0, |last| ends[last] as usize);
            let range = end(blocks.start)..end(blocks.end);
            start = end(ends.len());
            range
        })
    }

    /// Returns the keys of the pairs that were dealt to a block, task by task.
    fn pieces(&self, block: usize) -> impl Iterator<Item = &[u32]> {
        self.ranges(block..block + 1).map(|range| &self.dealt[range])
    }

    /// Returns the number of pairs that were dealt to some blocks.
    fn len(&self, blocks: Range<usize>) -> usize {
        self.ranges(blocks).map(|range| range.len()).sum()
    }

    /// Deals all pairs to blocks; a task deals those of `lists_each` lists.
    fn deal(&mut self, found: &[Found], lists_each: usize, blocks: Blocks, means: Means<'_>) -> Result<()> {
        let Means { simd, team, room } = means;
        for found in found.chunks(lists_each) {
            countable(pairs_of(found) as u64)?;
        }
        let len = pairs_of(found).max(self.dealt.len());
        room.resize(&mut self.dealt, len, 0, PAIRS)?;
        self.ends.resize_with(found.len().div_ceil(lists_each), Vec::new);
        for ends in &mut self.ends {
            ends.clear();
            room.resize(ends, blocks.count, 0, PAIRS)?;
        }
        let mut rest = self.dealt.as_mut_slice();
        let count = self.ends.len();
        let tasks = found.chunks(lists_each).zip(&mut self.ends).map(|(found, ends)| {
            let (dealt, behind) = std::mem::take(&mut rest).split_at_mut(pairs_of(found));
            rest = behind;
            Deal { found, blocks, ends, dealt }
        });
        team.each_of(count, tasks, |deal| simd.run(deal));
        Ok(())
    }
}

/// Returns an error if a task cannot count this many pairs: the ends of blocks have 32 bits.
fn countable(pairs: u64) -> Result<()> {
    let [needed, most] = [pairs, u32::MAX.into()].map(|pairs| pairs * size_of::<[u32; 2]>() as u64);
    if needed <= most { Ok(()) } else { Err(PAIRS.refused(needed, "what a task can count", most)) }
}

/// Deals the pairs of a task to blocks.
struct Deal<'a> {
    found: &'a [Found],
    blocks: Blocks,
    /// All zeros at first; afterwards the end of each block.
    ends: &'a mut [u32],
    dealt: &'a mut [u32],
}

impl Kernel for Deal<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { found, blocks, ends, dealt } = self;
        if let [end] = ends {
            // A single block: write the keys in sequence, without waiting for the position of the last one.
            *end = dealt.len() as u32;
            let hits = found.iter().flat_map(|found| &found.hits);
            for (key, &pair) in dealt.iter_mut().zip(hits) {
                *key = blocks.key(pair);
            }
            return;
        }
        for found in found {
            for [i, _] in &found.hits {
                ends[blocks.block(*i)] += 1;
            }
        }
        starts(ends);
        for found in found {
            for &pair in &found.hits {
                let end = &mut ends[blocks.block(pair[0])];
                lanes.prefetch_at(dealt, *end as usize + AHEAD);
                dealt[*end as usize] = blocks.key(pair);
                *end += 1;
            }
        }
    }
}

/// Sets `flags` to those of all pairs, which come in parts.
pub(super) fn raise_all<'a>(
    flags: &mut Vec<u32>,
    parts: impl Iterator<Item = &'a [[u32; 2]]>,
    bodies: usize,
    team: Team<'_>,
) {
    flags.clear();
    flags.resize(bit_set::words(bodies), 0);
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

/// An answer under construction.
pub(super) struct Answer<'a> {
    pub(super) hits: &'a mut Hits,
    /// Whether details will follow for each pair.
    pub(super) details: bool,
}

impl Answer<'_> {
    /// Makes the answer `len` pairs long, with room for their details; the contents are unspecified. An error changes
    /// nothing.
    pub(super) fn resize(&mut self, len: usize, room: &Room) -> Result<()> {
        let Hits { pairs, details, .. } = &mut *self.hits;
        if self.details {
            room.reserve(details, len.saturating_sub(details.len()), DETAILS)?;
        }
        if pairs.capacity() < len {
            // Fresh memory is zero: nothing has to write to it before the threads do.
            *pairs = room.zeros(len + len / 8, PAIRS).or_else(|_| room.zeros(len, PAIRS))?;
            pairs.truncate(len);
        } else {
            pairs.resize(len, [0; 2]);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_pairs_than_a_task_can_count_are_refused() {
        let most = u64::from(u32::MAX);
        assert!(countable(0).is_ok() && countable(most).is_ok());
        let message = countable(most + 1).expect_err("32 bits cannot tell so many").to_string();
        assert!(message.starts_with("the list of pairs that hit needs 34359738368 bytes"), "{message}");
    }

    #[test]
    fn keys_tell_pairs_within_their_block() {
        for bodies in [2, 3, 4, 5, 1 << 16, 1 << 24, (1 << 24) + 1, u32::MAX] {
            let last = bodies - 1;
            for rows in [0..last, bodies / 3..last, last - 1..last] {
                let pairs = [rows.start, rows.start.midpoint(rows.end - 1), rows.end - 1].map(|row| [row, last]);
                let found = Found { hits: pairs.into(), ..Found::default() };
                for pairs_each in [1, BLOCK] {
                    let found = std::slice::from_ref(&found);
                    let blocks =
                        Blocks::new(found, rows.start as usize..rows.end as usize, bodies as usize, pairs_each);
                    for [i, j] in pairs.into_iter().chain(pairs.map(|[i, _]| [i, i + 1])) {
                        let (number, key) = (blocks.block(i), blocks.key([i, j]));
                        assert!(number < blocks.count, "{bodies} bodies: row {i}");
                        assert_eq!(block::pair(key, blocks.row(number), blocks.bits), [i, j], "{bodies} bodies");
                    }
                }
            }
        }
    }
}
