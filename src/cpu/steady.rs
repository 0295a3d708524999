//! A step in which few bodies changed, so that most pairs are those of the step before.
//!
//! A body is *loose* if it changed since the strips were last sorted, otherwise *settled*.
//!
//! - Pairs of two settled bodies stay as they were. They form one list.
//! - Pairs with a loose body form a second list. In each step, the pairs of the bodies that changed in that step are
//!   removed from it and found anew; the others stay.
//! - A changed body is paired with settled ones in the strips as they were last sorted, because settled bodies are
//!   still there. It is paired with loose ones in strips of the loose bodies alone, which are sorted in each step by
//!   the same cut.
//! - The answer is the two lists, merged.

use std::ops::Range;

use super::broad::cut::Cut;
use super::broad::found::Found;
use super::broad::pairs::{GATHERED, Pairs};
use super::broad::strips::Strips;
use super::broad::sweep::{Entries, SweepEntries};
use super::broad::table::{Table, block};
use super::means::{self, FOUND, Means};
use super::order::{Answer, Order, raise_all};
use super::team::{Parts, Team};
use crate::ground::bit_set::{self, has, insert};
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::hits::Hits;
use crate::simd::{Kernel, Lanes, WIDTH};
use crate::world::packed::Packed;

/// A step is steady while at most one body in this many changed.
pub(super) const CHANGED: usize = 32;
/// Strips are sorted anew once the loose bodies have more than one entry for this many bodies.
const LOOSE: usize = 12;
/// Minimum number of loose entries for a task.
const LOOSE_ENTRIES: usize = 512;
/// Minimum number of pairs in a part of the list of settled pairs.
const PART_PAIRS: usize = 1 << 14;

/// The state kept from the step before.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The pairs of settled bodies, in order, in parts.
    settled: Vec<Vec<[u32; 2]>>,
    /// The first pair of each part but the first.
    starts: Vec<[u32; 2]>,
    /// The flags of the bodies of the settled pairs.
    flags: Vec<u32>,
    /// For each place of the strips, the length of its longest entry along the strip.
    longest: Vec<i32>,
    /// The loose bodies, in the order in which they became loose.
    loose: Vec<u32>,
    /// How many of `loose`, from the first on, have had their pairs taken out of `settled`.
    taken_out: usize,
    /// A bit for each body that is loose.
    is_loose: Vec<u32>,
    /// A bit for each body that changed in this step.
    is_changed: Vec<u32>,
    /// The loose bodies, sorted into strips of their own.
    strips: Strips,
    /// The pairs with a loose body.
    pairs: Hits,
}

impl Kept {
    /// Keeps the answer of a step whose strips were just sorted. Returns an error if there is no memory for that.
    pub(super) fn keep(&mut self, strips: &Strips, hits: &Hits, Means { team, room, .. }: Means<'_>) -> Result<()> {
        let ranges = Parts::new(hits.pairs.len(), team.tasks(hits.pairs.len(), PART_PAIRS));
        self.starts.clear();
        self.starts.extend((1..ranges.count()).map(|k| hits.pairs[ranges.part(k).start]));
        self.settled.resize_with(ranges.count(), Vec::new);
        team.try_each_mut(&mut self.settled, |task, pairs| {
            pairs.clear();
            let range = ranges.part(task);
            room.reserve(pairs, range.len(), means::PAIRS)?;
            pairs.extend_from_slice(&hits.pairs[range]);
            Ok(())
        })?;
        self.flags.clone_from(&hits.flags);
        self.longest = strips.longest(team);
        self.loose.clear();
        self.taken_out = 0;
        self.is_loose.clear();
        self.pairs.pairs.clear();
        self.pairs.flags.clear();
        Ok(())
    }

    /// Returns the bytes that the state holds.
    pub(super) fn bytes(&self) -> usize {
        let pairs = self.settled.iter().map(Vec::capacity).sum::<usize>();
        let words = [&self.flags, &self.loose, &self.is_loose, &self.is_changed, &self.pairs.flags];
        let words = words.into_iter().map(Vec::capacity).sum::<usize>() + self.longest.capacity();
        8 * (pairs + self.starts.capacity() + self.pairs.pairs.capacity()) + 4 * words + self.strips.bytes()
    }

    /// Records which bodies changed. Returns whether the strips are good enough for another step.
    pub(super) fn change(&mut self, changes: &[u32], packed: &Packed, strips: &Strips) -> bool {
        let bodies = packed.len();
        self.is_changed.clear();
        self.is_changed.resize(bit_set::words(bodies), 0);
        // Bodies may have been added.
        self.is_loose.resize(bit_set::words(bodies), 0);
        for &body in changes {
            insert(&mut self.is_changed, body);
            if !has(&self.is_loose, body) {
                insert(&mut self.is_loose, body);
                self.loose.push(body);
            }
        }
        let cut = strips.cut();
        let entries = self.loose.iter().map(|&body| cut.places_of(&packed.bounds[body as usize])).sum::<usize>();
        // The first body with a filter or a group may have been added since, or the first detector.
        let Table { filters, sights, groups, .. } = &strips.table;
        let looked_up = [filters.is_some(), sights.is_some(), groups.is_some()];
        let needed = [packed.filtered, packed.filtered && packed.detecting, packed.grouped];
        entries * LOOSE <= bodies && needed == looked_up
    }

    /// Sorts the loose bodies.
    pub(super) fn sort(&mut self, packed: &Packed, cut: Cut, means: Means<'_>) -> Result<()> {
        self.strips.sort_into(packed, &self.loose, cut, means)
    }

    /// Finds the pairs with a loose body: pairs with a changed body anew, the others from the step before.
    pub(super) fn sweep(
        &self,
        packed: &Packed,
        touch: Touch,
        strips: &Strips,
        found: &mut Vec<Found>,
        Means { simd, team, room }: Means<'_>,
    ) -> Result<()> {
        let Self { is_loose, is_changed, .. } = self;
        let changed = |pair: &[u32; 2]| pair.iter().any(|&body| has(is_changed, body));
        let ranges = Parts::new(self.strips.len(), team.tasks(self.strips.len(), LOOSE_ENTRIES));
        // Two tasks for each range of loose entries (against the settled, and among the loose), and one for the pairs
        // that stay.
        found.resize_with(2 * ranges.count() + 1, Found::default);
        team.try_each_mut(found, |task, found| {
            found.clear();
            let range = (task / 2 < ranges.count()).then(|| ranges.part(task / 2));
            match (range, task % 2) {
                (None, _) => {
                    room.reserve(&mut found.hits, self.pairs.pairs.len(), FOUND)?;
                    found.hits.extend(self.pairs.pairs.iter().filter(|pair| !changed(pair)));
                }
                (Some(range), 0) => {
                    simd.run(SweepSettled { packed, touch, strips, kept: self, range, found, room })?;
                    // The strips of the settled bodies still hold a loose body's old entry; pairs with that do not
                    // count.
                    let one = |[i, j]: &[u32; 2]| has(is_loose, *i) != has(is_loose, *j);
                    found.hits.retain(one);
                    found.candidates.retain(one);
                }
                (Some(range), _) => {
                    simd.run(SweepEntries(Entries { packed, touch, strips: &self.strips, range, found, room }))?;
                    found.hits.retain(changed);
                    found.candidates.retain(changed);
                }
            }
            Ok(())
        })
    }

    /// Makes the answer: the pairs of settled bodies, and those that were found with a loose one. On an error the
    /// answer is unchanged, and the kept state is invalid.
    pub(super) fn merge(
        &mut self,
        found: &[Found],
        order: &mut Order,
        bodies: usize,
        to: &mut Answer<'_>,
        means: Means<'_>,
    ) -> Result<()> {
        let Means { simd, team, room } = means;
        order.order(found, 0..bodies, bodies, &mut Answer { hits: &mut self.pairs, details: false }, means)?;
        self.take_out_loose(bodies, team);
        let Self { settled, starts, flags, pairs: loose, .. } = self;
        to.resize(settled.iter().map(Vec::len).sum::<usize>() + loose.pairs.len(), room)?;
        let hits = &mut *to.hits;
        let mut to = hits.pairs.as_mut_slice();
        let mut loose_rest = loose.pairs.as_slice();
        let merges = settled.iter().enumerate().map(|(part, settled)| {
            let here = starts.get(part).map_or(loose_rest.len(), |end| loose_rest.partition_point(|pair| pair < end));
            let (loose, rest) = loose_rest.split_at(here);
            let (both, behind) = std::mem::take(&mut to).split_at_mut(settled.len() + loose.len());
            (loose_rest, to) = (rest, behind);
            Merge { settled, loose, to: both }
        });
        team.each_of(settled.len(), merges, |merge| simd.run(merge));
        hits.flags.clear();
        hits.flags.resize(bit_set::words(bodies), 0);
        hits.flags.iter_mut().zip(&*flags).for_each(|(all, flags)| *all |= flags);
        hits.flags.iter_mut().zip(&loose.flags).for_each(|(all, flags)| *all |= flags);
        Ok(())
    }

    /// Removes the pairs of bodies that became loose from the pairs of settled bodies.
    fn take_out_loose(&mut self, bodies: usize, team: Team<'_>) {
        let Self { settled, flags, loose, taken_out, is_loose, .. } = self;
        if *taken_out == loose.len() {
            return;
        }
        *taken_out = loose.len();
        team.each_mut(settled, |_, pairs| {
            let mut len = 0;
            for k in 0..pairs.len() {
                // Branch-free: every pair is written, and the next overwrites a pair that is dropped.
                let pair = pairs[k];
                pairs[len] = pair;
                len += usize::from(!(has(is_loose, pair[0]) | has(is_loose, pair[1])));
            }
            pairs.truncate(len);
        });
        raise_all(flags, settled.iter().map(Vec::as_slice), bodies, team);
    }
}

/// The merge of two ordered lists of pairs into one.
struct Merge<'a> {
    settled: &'a [[u32; 2]],
    /// Far fewer than the settled.
    loose: &'a [[u32; 2]],
    /// The output, as long as both lists together.
    to: &'a mut [[u32; 2]],
}

/// Number of pairs that are copied at once.
const RUN: usize = 8;

impl Kernel for Merge<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self { mut settled, loose, mut to } = self;
        let key = |[i, j]: [u32; 2]| u64::from(i) << 32 | u64::from(j);
        for &pair in loose {
            loop {
                let before = if let (Some(run), Some(to)) = (settled.first_chunk::<RUN>(), to.first_chunk_mut::<RUN>())
                {
                    // The part of the run that belongs behind `pair` is written again after it.
                    *to = *run;
                    run.iter().map(|&other| usize::from(key(other) < key(pair))).sum()
                } else {
                    let before = settled.partition_point(|&other| key(other) < key(pair));
                    to[..before].copy_from_slice(&settled[..before]);
                    before
                };
                settled = &settled[before..];
                to = &mut to[before..];
                if before < RUN {
                    break;
                }
            }
            to[0] = pair;
            to = &mut to[1..];
        }
        to.copy_from_slice(settled);
    }
}

/// Compares the changed ones among some loose bodies with the entries of the settled bodies.
struct SweepSettled<'a> {
    packed: &'a Packed,
    touch: Touch,
    strips: &'a Strips,
    kept: &'a Kept,
    /// The range of loose entries to compare.
    range: Range<usize>,
    found: &'a mut Found,
    room: &'a Room,
}

impl Kernel for SweepSettled<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> Result<()> {
        let loose = &self.kept.strips;
        let mut pairs = Pairs::new();
        let Range { mut start, end } = self.range.clone();
        while start < end {
            let place = loose.place_of(start);
            let entries = loose.entries_of(place);
            self.sweep_place(lanes, place, start..entries.end.min(end), &mut pairs)?;
            start = entries.end;
        }
        self.found.take(self.packed, self.touch, pairs.drain(), self.room)
    }
}

impl SweepSettled<'_> {
    /// Compares some loose entries of a place with the settled ones of the same place.
    #[inline(always)]
    fn sweep_place<L: Lanes>(&mut self, lanes: L, place: usize, range: Range<usize>, pairs: &mut Pairs) -> Result<()> {
        let Self { packed, touch, strips, kept, room, .. } = *self;
        let (cut, loose) = (strips.cut(), &kept.strips);
        let ([u0, u1], [v0, v1]) = (&strips.table.u, &strips.table.v);
        let open = i32::from(touch == Touch::Excluded);
        let Range { start: mut low, end } = strips.entries_of(place);
        for k in range {
            let (body, begin) = (loose.table.bodies[k], loose.table.v[0][k]);
            if !has(&kept.is_changed, body) {
                continue;
            }
            let (left, right) = (loose.table.u[0][k] + open, loose.table.u[1][k] - open);
            let (top, bottom) = (begin + open, loose.table.v[1][k] - open);
            let least = cut.least(place, begin);
            let row = loose.table.row(k);
            // Entries that begin before `far` end before this one begins, as none is longer than the longest. The loose
            // entries are sorted, so this also holds for all that follow.
            let far = left.saturating_sub(kept.longest[place]);
            while low + WIDTH <= end && u0[low + WIDTH - 1] < far {
                low += WIDTH;
            }
            let mut next = low;
            while next < end {
                let near = block(u0, next);
                let mut bits = lanes.within(near, right, block(u1, next), left)
                    & lanes.within(block(v0, next), bottom, block(v1, next), top)
                    & lanes.within(near, i32::MAX, block(v0, next), least);
                if end - next < WIDTH {
                    bits &= (1 << (end - next)) - 1;
                }
                bits &= strips.table.tested(lanes, next, row);
                if cut.shared {
                    bits = cut.first_common(place, begin, block(v0, next), bits);
                }
                pairs.add(lanes, body, bits, block(&strips.table.bodies, next));
                if pairs.len > GATHERED {
                    self.found.take(packed, touch, pairs.drain(), room)?;
                }
                if near[WIDTH - 1] > right {
                    break;
                }
                next += WIDTH;
            }
        }
        Ok(())
    }
}
