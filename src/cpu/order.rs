//! The last stage: pairs in their order, and the flags of their bodies.
//!
//! Each task's pairs are dealt to blocks of rows (a row is the pairs of one lower index). A block, which has pairs of
//! all tasks, is then [sorted](block) within a cache.

mod block;

use std::ops::Range;

use super::broad::found::Found;
use super::means::{DETAILS, Means, PAIRS};
use super::pool::Pool;
use super::team::{Parts, Team};
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::hits::{Hits, raise_flags};
use block::{Block, Rows, Sorter};

/// Pairs of a block, about.
const BLOCK: usize = 1 << 12;
/// The most blocks.
const MOST_BLOCKS: usize = 1 << 10;

/// So many blocks of `1 << shift` rows each, from row `first` on.
#[derive(Clone, Copy, Debug)]
struct Blocks {
    first: u32,
    count: usize,
    shift: u32,
}

/// The memory of the stage.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// The pairs of all tasks, one task's behind those of another, in each block by block.
    dealt: Vec<[u32; 2]>,
    /// For each task where its blocks end, from the task's first pair on: at most [`MOST_BLOCKS`], so that nobody asks
    /// whether there is room for them.
    ends: Vec<Vec<u32>>,
    sorters: Pool<Sorter>,
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
        let Means { simd, team, room } = means;
        let total: usize = found.iter().map(|found| found.hits.len()).sum();
        // Rows of a block, as a power of two.
        let blocks = (total / BLOCK).clamp(1, MOST_BLOCKS);
        let shift = rows.len().div_ceil(blocks).next_power_of_two().ilog2();
        if blocks > 1 {
            room.resize(&mut self.dealt, total, [0; 2], PAIRS)?;
        }
        to.resize(total, room)?;
        let Hits { flags, pairs, .. } = &mut *to.hits;
        if blocks == 1 {
            // There is nothing to deal.
            let pieces = found.iter().map(|found| found.hits.as_slice());
            let rows = Rows::of(pieces.clone());
            self.sorters.lend(|sorter| simd.run(Block { pieces, rows, bodies, pairs, sorter, room }))?;
            raise_all(flags, [&**pairs].into_iter(), bodies, team);
            return Ok(());
        }
        let blocks = rows.len().div_ceil(1 << shift);
        let first = rows.start as u32;
        self.deal(found, Blocks { first, count: blocks, shift }, team);

        // Groups of blocks, each of which goes to its part of the answer.
        let groups = Parts::new(blocks, team.tasks(total, BLOCK));
        let mut rest = pairs.as_mut_slice();
        let tasks = (0..groups.count()).map(|group| {
            let (pairs, behind) = std::mem::take(&mut rest).split_at_mut(self.len(groups.part(group)));
            rest = behind;
            (groups.part(group), pairs)
        });
        team.try_each_of(groups.count(), tasks, |(blocks, mut rest)| {
            self.sorters.lend(|sorter| {
                blocks.into_iter().try_for_each(|block| {
                    let (pairs, behind) = std::mem::take(&mut rest).split_at_mut(self.len(block..block + 1));
                    rest = behind;
                    let pieces = self.pieces(block..block + 1);
                    let rows = Rows { first: first + ((block as u32) << shift), count: 1 << shift };
                    simd.run(Block { pieces, rows, bodies, pairs, sorter, room })
                })
            })
        })?;
        raise_all(flags, pairs.chunks(total.div_ceil(team.threads()).max(1)), bodies, team);
        Ok(())
    }

    /// The pairs that were dealt to some blocks, task by task.
    fn pieces(&self, blocks: Range<usize>) -> impl Iterator<Item = &[[u32; 2]]> + Clone {
        let mut rest = self.dealt.as_slice();
        self.ends.iter().map(move |ends| {
            let (here, behind) = rest.split_at(ends.last().map_or(0, |&end| end as usize));
            rest = behind;
            let end = |blocks: usize| blocks.checked_sub(1).map_or(0, |last| ends[last] as usize);
            &here[end(blocks.start)..end(blocks.end)]
        })
    }

    /// The number of pairs that were dealt to some blocks.
    fn len(&self, blocks: Range<usize>) -> usize {
        self.pieces(blocks).map(<[_]>::len).sum()
    }

    /// Deals the pairs of each task to blocks.
    fn deal(&mut self, found: &[Found], Blocks { first, count, shift }: Blocks, team: Team<'_>) {
        self.ends.resize_with(found.len(), Vec::new);
        let mut rest = self.dealt.as_mut_slice();
        let tasks = found.iter().zip(&mut self.ends).map(|(Found { hits, .. }, ends)| {
            let (dealt, behind) = std::mem::take(&mut rest).split_at_mut(hits.len());
            rest = behind;
            (hits, ends, dealt)
        });
        team.each_of(found.len(), tasks, |(hits, ends, dealt)| {
            ends.clear();
            ends.resize(count, 0);
            for [i, _] in hits {
                ends[((i - first) >> shift) as usize] += 1;
            }
            let mut start = 0;
            for end in &mut *ends {
                start += std::mem::replace(end, start);
            }
            for pair in hits {
                let end = &mut ends[((pair[0] - first) >> shift) as usize];
                dealt[*end as usize] = *pair;
                *end += 1;
            }
        });
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
