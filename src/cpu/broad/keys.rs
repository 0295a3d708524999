//! The order of a place's entries.

use std::ops::Range;

use super::buckets::{settle, starts};
use super::cut::Cut;
use super::scatter::Entry;
use crate::cpu::means::STRIPS;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::simd::Lanes;

/// Keys in a bucket beyond which a strip is sorted by comparisons.
const CROWDED: u32 = 24;

/// The keys by which the entries of a place are sorted: in the high word how far behind the first an entry begins along
/// the strip, in the low one its index.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Keys {
    counts: Vec<u32>,
    pub(in crate::cpu) sorted: Vec<u64>,
}

impl Keys {
    /// The bytes that it holds.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        4 * self.counts.capacity() + 8 * self.sorted.capacity()
    }

    /// Sorts entries, which lie in several pieces of a slice: in one pass into buckets, then within these.
    #[inline(always)]
    pub(in crate::cpu) fn sort<L: Lanes>(
        &mut self,
        lanes: L,
        cut: Cut,
        entries: &[Entry],
        pieces: &[Range<usize>],
        room: &Room,
    ) -> Result<()> {
        let begin = |entry: &Entry| cut.turn(&entry.bound)[0][0];
        let (mut n, mut min, mut max) = (0, i32::MAX, i32::MIN);
        for piece in pieces {
            n += piece.len();
            for entry in &entries[piece.clone()] {
                (min, max) = (min.min(begin(entry)), max.max(begin(entry)));
            }
        }
        let bits = (2 * n as u32).max(2).ilog2().min(16);
        let shift = (max.abs_diff(min) | 1).ilog2().saturating_sub(bits - 1);
        let bucket = |u: u32| (u >> shift) as usize;
        self.counts.clear();
        self.counts.resize(1 << bits, 0);
        for piece in pieces {
            for entry in &entries[piece.clone()] {
                self.counts[bucket(begin(entry).abs_diff(min))] += 1;
            }
        }
        let most = starts(&mut self.counts);
        room.resize(&mut self.sorted, n, 0, STRIPS)?;
        for piece in pieces {
            for (entry, index) in entries[piece.clone()].iter().zip(piece.start as u64..) {
                let u = begin(entry).abs_diff(min);
                let slot = &mut self.counts[bucket(u)];
                self.sorted[*slot as usize] = u64::from(u) << 32 | index;
                *slot += 1;
            }
        }
        if most > CROWDED {
            self.sorted.sort_unstable();
        } else {
            settle(lanes, &mut self.sorted, most);
        }
        Ok(())
    }
}
