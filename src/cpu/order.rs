//! The last stage: pairs in their order, and the flags of their bodies.
//!
//! Each task's pairs are dealt to blocks of rows (a row is the pairs of one lower index), as keys of as few bits as
//! tell them within a block. A block, which has pairs of all tasks, is then [sorted](block) within a cache.

mod block;
mod key;

use std::ops::Range;

use super::broad::buckets::starts;
use super::broad::found::Found;
use super::means::{DETAILS, Means, PAIRS};
use super::pool::Pool;
use super::team::{Parts, Team};
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::hits::{Hits, raise_flags};
use crate::simd::{Kernel, Lanes};
use block::{Block, Rows, Sorter};
use key::{Key, words};

/// Pairs of a block, about.
const BLOCK: usize = 1 << 12;
/// Keys of a block that are asked for before one comes to them.
const AHEAD: usize = 24;
/// The most blocks.
const MOST_BLOCKS: usize = 1 << 10;

/// So many blocks of `1 << shift` rows each, from row `first` on.
#[derive(Clone, Copy, Debug)]
struct Blocks {
    first: u32,
    count: usize,
    shift: u32,
    /// The bits of an index.
    bits: u32,
}

/// The memory of the stage.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The keys of the pairs of all tasks, one task's behind those of another, in each block by block; of one size or
    /// the other.
    dealt: Vec<u64>,
    /// For each task where its blocks end, from the task's first pair on: at most [`MOST_BLOCKS`], so that nobody asks
    /// whether there is room for them.
    ends: Vec<Vec<u32>>,
    sorters: Pool<Sorter>,
}

impl Blocks {
    /// For the pairs of all tasks, whose lower indices are in `rows`, of so many bodies.
    fn new(found: &[Found], rows: Range<usize>, bodies: usize) -> Self {
        let pairs: usize = found.iter().map(|found| found.hits.len()).sum();
        let most = (pairs / BLOCK).clamp(1, MOST_BLOCKS);
        // Few pairs may be those of few bodies.
        let rows = if most == 1 { rows_of(found) } else { rows };
        let shift = rows.len().div_ceil(most).next_power_of_two().ilog2();
        let bits = bodies.saturating_sub(1).max(1).ilog2() + 1;
        Self { first: rows.start as u32, count: rows.len().div_ceil(1 << shift), shift, bits }
    }

    /// Whether keys of a block fit 32 bits: half as many bytes are sorted twice as fast.
    fn are_short(&self) -> bool {
        self.bits < u32::BITS && self.bits + self.shift <= u32::BITS
    }

    /// The block of a row.
    #[inline(always)]
    fn block(&self, row: u32) -> usize {
        ((row - self.first) >> self.shift) as usize
    }

    /// The key of a pair within its block.
    #[inline(always)]
    fn key<K: Key>(&self, [i, j]: [u32; 2]) -> K {
        K::new((i - self.first) & ((1 << self.shift) - 1), j, self.bits)
    }

    /// The rows of a block.
    fn rows(&self, block: usize) -> Rows {
        Rows { first: self.first + ((block as u32) << self.shift), count: 1 << self.shift }
    }
}

/// The rows from the first that has a pair to the last.
fn rows_of(found: &[Found]) -> Range<usize> {
    let rows = found.iter().flat_map(|found| &found.hits).map(|[i, _]| *i as usize);
    let (first, end) = rows.fold((usize::MAX, 0), |(first, end), row| (first.min(row), end.max(row + 1)));
    first.min(end)..end
}

impl Order {
    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let ends = self.ends.iter().map(Vec::capacity).sum::<usize>();
        8 * self.dealt.capacity() + 4 * ends + self.sorters.sum(Sorter::bytes)
    }

    /// Puts the pairs of all tasks, whose lower indices are in `rows`, into their order, and raises the flags of their
    /// bodies.
    ///
    /// On an error the answer is of no use.
    pub(super) fn order(
        &mut self,
        found: &[Found],
        rows: Range<usize>,
        bodies: usize,
        to: &mut Answer<'_>,
        means: Means<'_>,
    ) -> Result<()> {
        let total: usize = found.iter().map(|found| found.hits.len()).sum();
        to.resize(total, means.room)?;
        let Hits { flags, pairs, .. } = &mut *to.hits;
        flags.clear();
        flags.resize(bodies.div_ceil(32), 0);
        let blocks = Blocks::new(found, rows, bodies);
        let ordered = if blocks.are_short() {
            self.order_as::<u32>(found, blocks, flags.len(), pairs, means)
        } else {
            self.order_as::<u64>(found, blocks, flags.len(), pairs, means)
        };
        self.sorters.each_mut(|sorter| sorter.take_flags(flags));
        ordered
    }

    /// The same, by keys of a size.
    fn order_as<K: Key>(
        &mut self,
        found: &[Found],
        blocks: Blocks,
        flags: usize,
        pairs: &mut [[u32; 2]],
        means: Means<'_>,
    ) -> Result<()> {
        let Means { simd, team, room } = means;
        let words = words::<K>(pairs.len()).max(self.dealt.len());
        room.resize(&mut self.dealt, words, 0, PAIRS)?;
        self.deal::<K>(found, blocks, means);

        // Groups of blocks, each of which goes to its part of the answer.
        let groups = Parts::new(blocks.count, team.tasks(pairs.len(), BLOCK));
        let mut rest = pairs;
        let tasks = (0..groups.count()).map(|group| {
            let (pairs, behind) = std::mem::take(&mut rest).split_at_mut(self.len(groups.part(group)));
            rest = behind;
            (groups.part(group), pairs)
        });
        team.try_each_of(groups.count(), tasks, |(group, mut rest)| {
            self.sorters.lend(|sorter| {
                group.into_iter().try_for_each(|block| {
                    let (pairs, behind) = std::mem::take(&mut rest).split_at_mut(self.len(block..block + 1));
                    rest = behind;
                    let (pieces, rows) = (self.pieces::<K>(block), blocks.rows(block));
                    simd.run(Block { pieces, rows, bits: blocks.bits, pairs, flags, sorter, room })
                })
            })
        })
    }

    /// Where the pairs of some blocks lie, task by task.
    fn ranges(&self, blocks: Range<usize>) -> impl Iterator<Item = Range<usize>> + Clone {
        let mut start = 0;
        self.ends.iter().map(move |ends| {
            let end = |blocks: usize| start + blocks.checked_sub(1).map_or(0, |last| ends[last] as usize);
            let range = end(blocks.start)..end(blocks.end);
            start = end(ends.len());
            range
        })
    }

    /// The keys of the pairs that were dealt to a block, task by task.
    fn pieces<K: Key>(&self, block: usize) -> impl Iterator<Item = &[K]> + Clone {
        let dealt = bytemuck::cast_slice::<u64, K>(&self.dealt);
        self.ranges(block..block + 1).map(|range| &dealt[range])
    }

    /// The number of pairs that were dealt to some blocks.
    fn len(&self, blocks: Range<usize>) -> usize {
        self.ranges(blocks).map(|range| range.len()).sum()
    }

    /// Deals the pairs of each task to blocks.
    fn deal<K: Key>(&mut self, found: &[Found], blocks: Blocks, Means { simd, team, .. }: Means<'_>) {
        self.ends.resize_with(found.len(), Vec::new);
        let mut rest = bytemuck::cast_slice_mut::<u64, K>(&mut self.dealt);
        let tasks = found.iter().zip(&mut self.ends).map(|(Found { hits, .. }, ends)| {
            let (dealt, behind) = std::mem::take(&mut rest).split_at_mut(hits.len());
            rest = behind;
            (hits, ends, dealt)
        });
        team.each_of(found.len(), tasks, |(hits, ends, dealt)| simd.run(Deal { hits, blocks, ends, dealt }));
    }
}

/// Deals the pairs of a task to blocks.
struct Deal<'a, K> {
    hits: &'a [[u32; 2]],
    blocks: Blocks,
    ends: &'a mut Vec<u32>,
    dealt: &'a mut [K],
}

impl<K: Key> Kernel for Deal<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { hits, blocks, ends, dealt } = self;
        ends.clear();
        if blocks.count == 1 {
            // There is nothing to part: one key behind the other, without waiting for where the last one went.
            for (key, &pair) in dealt.iter_mut().zip(hits) {
                *key = blocks.key(pair);
            }
            return ends.push(hits.len() as u32);
        }
        ends.resize(blocks.count, 0);
        for [i, _] in hits {
            ends[blocks.block(*i)] += 1;
        }
        starts(ends);
        for &pair in hits {
            let end = &mut ends[blocks.block(pair[0])];
            if let Some(soon) = dealt.get(*end as usize + AHEAD) {
                lanes.prefetch(soon);
            }
            dealt[*end as usize] = blocks.key(pair);
            *end += 1;
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
