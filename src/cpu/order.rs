//! The last stage: pairs in their order, and the flags of their bodies.
//!
//! Pairs are dealt to blocks of rows (a row is the pairs of one lower index), so that each block is ordered within a cache: a counting
//! sort by row, then the few of each row by comparison.

use std::ops::Range;

use super::found::Found;
use super::team::Team;
use crate::hits::Hits;

/// Pairs of a block, about.
const BLOCK: usize = 1 << 12;
/// The most blocks.
const MOST_BLOCKS: usize = 1 << 10;

/// The memory of the stage.
#[derive(Debug, Default)]
pub(super) struct Order {
    dealt: Vec<[u32; 2]>,
}

impl Order {
    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        8 * self.dealt.capacity()
    }

    /// Puts the pairs of all tasks into their order, and raises the flags of their bodies.
    pub(super) fn order(&mut self, found: &[Found], bodies: usize, team: Team, hits: &mut Hits) {
        let total: usize = found.iter().map(|found| found.hits.len()).sum();
        hits.pairs.resize(total, [0; 2]);
        hits.flags.clear();
        hits.flags.resize(bodies.div_ceil(32), 0);
        if total == 0 {
            return;
        }
        // Rows of a block, as a power of two that whole words of flags go into.
        let blocks = (total / BLOCK).clamp(1, MOST_BLOCKS);
        let shift = (bodies.div_ceil(blocks)).next_power_of_two().ilog2().max(5);
        let ends = self.deal(found, bodies.div_ceil(1 << shift), shift, team);

        // Each block goes to its part of the answer.
        let (mut rest, mut flags) = (hits.pairs.as_mut_slice(), hits.flags.as_mut_slice());
        let mut start = 0;
        let mut tasks: Vec<Block<'_>> = Vec::with_capacity(ends.len());
        for (block, &end) in ends.iter().enumerate() {
            let (pairs, behind) = rest.split_at_mut(end - start);
            let (words, other_flags) = flags.split_at_mut(((1 << shift) / 32).min(flags.len()));
            (rest, flags) = (behind, other_flags);
            tasks.push(Block { first: (block as u32) << shift, dealt: start..end, pairs, flags: words });
            start = end;
        }
        let mut groups: Vec<_> = tasks.chunks_mut(ends.len().div_ceil(team.tasks(total, BLOCK))).collect();
        let dealt = &self.dealt;
        team.each_mut(&mut groups, |_, blocks| {
            let mut scratch = Scratch::default();
            for block in blocks.iter_mut() {
                block.sort(&dealt[block.dealt.clone()], 1 << shift, &mut scratch);
            }
        });
        raise_higher(hits, team);
    }

    /// Deals all pairs to blocks of `1 << shift` rows; where each block ends.
    fn deal(&mut self, found: &[Found], blocks: usize, shift: u32, team: Team) -> Vec<usize> {
        let counts = team.each(found, |found| {
            let mut counts = vec![0_u32; blocks];
            for [i, _] in &found.hits {
                counts[(i >> shift) as usize] += 1;
            }
            counts
        });
        let total: usize = found.iter().map(|found| found.hits.len()).sum();
        self.dealt.resize(total, [0; 2]);
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
    /// The first row.
    first: u32,
    /// Its pairs as they were dealt.
    dealt: Range<usize>,
    /// Where they go.
    pairs: &'a mut [[u32; 2]],
    /// The flags of its rows.
    flags: &'a mut [u32],
}

/// The memory of a thread.
#[derive(Default)]
struct Scratch {
    ends: Vec<u32>,
}

impl Block<'_> {
    fn sort(&mut self, dealt: &[[u32; 2]], rows: usize, scratch: &mut Scratch) {
        let ends = &mut scratch.ends;
        ends.clear();
        ends.resize(rows, 0);
        let row = |i: u32| (i - self.first) as usize;
        for [i, _] in dealt {
            ends[row(*i)] += 1;
        }
        let mut start = 0;
        for end in ends.iter_mut() {
            start += std::mem::replace(end, start);
        }
        for pair in dealt {
            let place = &mut ends[row(pair[0])];
            self.pairs[*place as usize] = *pair;
            *place += 1;
        }
        let mut start = 0;
        for (row, &end) in ends.iter().enumerate() {
            let pairs = &mut self.pairs[start..end as usize];
            if !pairs.is_empty() {
                self.flags[row / 32] |= 1 << (row % 32);
                sort_row(pairs);
            }
            start = end as usize;
        }
    }
}

/// Sorts the pairs of a row by their higher index.
#[inline]
fn sort_row(pairs: &mut [[u32; 2]]) {
    if pairs.len() > 16 {
        pairs.sort_unstable_by_key(|pair| pair[1]);
        return;
    }
    for k in 1..pairs.len() {
        let pair = pairs[k];
        let mut to = k;
        while to > 0 && pairs[to - 1][1] > pair[1] {
            pairs[to] = pairs[to - 1];
            to -= 1;
        }
        pairs[to] = pair;
    }
}

/// Raises the flags of the higher index of each pair.
fn raise_higher(hits: &mut Hits, team: Team) {
    let Hits { flags, pairs, .. } = hits;
    if team.threads == 1 {
        raise(flags, pairs);
        return;
    }
    let parts: Vec<_> = pairs.chunks(pairs.len().div_ceil(team.threads).max(1)).collect();
    let raised = team.each(&parts, |pairs| {
        let mut raised = vec![0; flags.len()];
        raise(&mut raised, pairs);
        raised
    });
    for raised in raised {
        flags.iter_mut().zip(raised).for_each(|(flags, raised)| *flags |= raised);
    }
}

fn raise(flags: &mut [u32], pairs: &[[u32; 2]]) {
    for [_, j] in pairs {
        flags[*j as usize / 32] |= 1 << (j % 32);
    }
}
