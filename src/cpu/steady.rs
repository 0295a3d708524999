//! A step in which few bodies changed: the pairs of the others are those of the step before.
//!
//! Bodies that changed since the strips were sorted are *loose*, all others *settled*. The pairs of the settled are kept as they are; those
//! of the loose with any are kept apart, and of them, those of what changed now are found anew: among the settled in their strips, and among the loose,
//! which are sorted each time, into strips that are cut as those. The answer is both, merged.

use std::ops::Range;

use super::broad::cut::Cut;
use super::broad::found::Found;
use super::broad::pairs::{GATHERED, Pairs};
use super::broad::strips::Strips;
use super::broad::sweep::{Entries, Sweep, block};
use super::means::{self, FOUND, Means};
use super::order::{Answer, Order, raise_all};
use super::team::{Team, parts};
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::hits::Hits;
use crate::simd::{Kernel, Lanes, WIDTH};
use crate::world::packed::Packed;

/// A step is steady while at most one body in so many changed.
pub(super) const CHANGED: usize = 32;
/// Strips are sorted anew where the loose have more than one entry for so many bodies.
const LOOSE: usize = 12;
/// Entries of a task.
const ENTRIES: usize = 512;
/// Pairs of a task.
const PAIRS: usize = 1 << 14;

/// What is kept of the step before.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The pairs of the settled, in order, in parts.
    settled: Vec<Vec<[u32; 2]>>,
    /// The pairs from which on each part but the first goes.
    starts: Vec<[u32; 2]>,
    /// The flags that they raise.
    flags: Vec<u32>,
    /// For each place of the strips the length of its longest entry.
    longest: Vec<i32>,
    /// The loose, as they became so.
    loose: Vec<u32>,
    /// Of them, those that have no pair among the settled any more.
    parted: usize,
    /// A bit for each body that is loose.
    is_loose: Vec<u32>,
    /// A bit for each that changed now.
    is_changed: Vec<u32>,
    /// The loose, sorted.
    strips: Strips,
    /// The pairs of the loose with any.
    pairs: Hits,
}

#[inline(always)]
fn has(bits: &[u32], body: u32) -> bool {
    bits[body as usize / 32] >> (body % 32) & 1 == 1
}

fn insert(bits: &mut [u32], body: u32) {
    bits[body as usize / 32] |= 1 << (body % 32);
}

impl Kept {
    /// Keeps a step whose strips were just sorted; an error where there is no memory for that.
    pub(super) fn keep(&mut self, strips: &Strips, hits: &Hits, Means { team, room, .. }: Means<'_>) -> Result<()> {
        let ranges = parts(hits.pairs.len(), team.tasks(hits.pairs.len(), PAIRS));
        self.starts.clear();
        self.starts.extend(ranges[1..].iter().map(|range| hits.pairs[range.start]));
        self.settled.resize_with(ranges.len(), Vec::new);
        team.try_each_mut(&mut self.settled, |task, pairs| {
            pairs.clear();
            room.reserve(pairs, ranges[task].len(), means::PAIRS)?;
            pairs.extend_from_slice(&hits.pairs[ranges[task].clone()]);
            Ok(())
        })?;
        self.flags.clone_from(&hits.flags);
        self.longest = strips.longest(team);
        self.loose.clear();
        self.parted = 0;
        self.is_loose.clear();
        self.pairs.pairs.clear();
        self.pairs.flags.clear();
        Ok(())
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let pairs = self.settled.iter().map(Vec::capacity).sum::<usize>();
        let words = [&self.flags, &self.loose, &self.is_loose, &self.is_changed, &self.pairs.flags];
        let words = words.into_iter().map(Vec::capacity).sum::<usize>() + self.longest.capacity();
        8 * (pairs + self.starts.capacity() + self.pairs.pairs.capacity()) + 4 * words + self.strips.bytes()
    }

    /// Takes changes in; whether the strips are good enough for another step.
    pub(super) fn change(&mut self, changes: &[u32], packed: &Packed, strips: &Strips) -> bool {
        let bodies = packed.len();
        self.is_changed.clear();
        self.is_changed.resize(bodies.div_ceil(32), 0);
        // Bodies may have been added.
        self.is_loose.resize(bodies.div_ceil(32), 0);
        for &body in changes {
            insert(&mut self.is_changed, body);
            if !has(&self.is_loose, body) {
                insert(&mut self.is_loose, body);
                self.loose.push(body);
            }
        }
        let cut = strips.cut();
        let entries = self.loose.iter().map(|&body| cut.places_of(&packed.bounds[body as usize])).sum::<usize>();
        // A first body with a filter may have come since.
        entries * LOOSE <= bodies && packed.filtered == strips.filters.is_some()
    }

    /// Sorts the loose.
    pub(super) fn sort(&mut self, packed: &Packed, cut: Cut, means: Means<'_>) -> Result<()> {
        self.strips.sort_some(packed, &self.loose, cut, means)
    }

    /// Finds the pairs of the loose: those of what changed anew, all others as they were.
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
        let ranges = parts(self.strips.len(), team.tasks(self.strips.len(), ENTRIES));
        found.resize_with(2 * ranges.len() + 1, Found::default);
        team.try_each_mut(found, |task, found| {
            found.clear();
            let range = ranges.get(task / 2).cloned();
            match (range, task % 2) {
                (None, _) => {
                    room.reserve(&mut found.hits, self.pairs.pairs.len(), FOUND)?;
                    found.hits.extend(self.pairs.pairs.iter().filter(|pair| !changed(pair)));
                }
                (Some(range), 0) => {
                    simd.run(Query { packed, touch, strips, kept: self, range, found, room })?;
                    // Of the loose there, where they were.
                    let one = |[i, j]: &[u32; 2]| has(is_loose, *i) != has(is_loose, *j);
                    found.hits.retain(one);
                    found.candidates.retain(one);
                }
                (Some(range), _) => {
                    simd.run(Sweep(Entries { packed, touch, strips: &self.strips, range, found, room }))?;
                    found.hits.retain(changed);
                    found.candidates.retain(changed);
                }
            }
            Ok(())
        })
    }

    /// Makes the answer of the pairs of the settled, and those that were found of the loose. On an error the answer is
    /// as it was, and what is kept is of no use.
    pub(super) fn merge(
        &mut self,
        found: &[Found],
        order: &mut Order,
        bodies: usize,
        to: &mut Answer<'_>,
        means: Means<'_>,
    ) -> Result<()> {
        let Means { simd, team, room } = means;
        order.order(found, bodies, &mut Answer { hits: &mut self.pairs, details: false }, means)?;
        self.part(bodies, team);
        let Self { settled, starts, flags, pairs: loose, .. } = self;
        to.resize(settled.iter().map(Vec::len).sum::<usize>() + loose.pairs.len(), room)?;
        let hits = &mut *to.hits;
        let mut to = hits.pairs.as_mut_slice();
        let mut loose_rest = loose.pairs.as_slice();
        let mut merges = Vec::with_capacity(settled.len());
        for (part, settled) in settled.iter().enumerate() {
            let here = starts.get(part).map_or(loose_rest.len(), |end| loose_rest.partition_point(|pair| pair < end));
            let (loose, rest) = loose_rest.split_at(here);
            let (both, behind) = to.split_at_mut(settled.len() + loose.len());
            (loose_rest, to) = (rest, behind);
            merges.push(Merge { settled, loose, to: both });
        }
        team.each_mut(&mut merges, |_, Merge { settled, loose, to }| simd.run(Merge { settled, loose, to }));
        hits.flags.clear();
        hits.flags.resize(bodies.div_ceil(32), 0);
        hits.flags.iter_mut().zip(&*flags).for_each(|(all, flags)| *all |= flags);
        hits.flags.iter_mut().zip(&loose.flags).for_each(|(all, flags)| *all |= flags);
        Ok(())
    }

    /// Takes those that became loose out of the pairs of the settled.
    fn part(&mut self, bodies: usize, team: Team<'_>) {
        let Self { settled, flags, loose, parted, is_loose, .. } = self;
        if *parted == loose.len() {
            return;
        }
        *parted = loose.len();
        team.each_mut(settled, |_, pairs| {
            let mut len = 0;
            for k in 0..pairs.len() {
                // Without a branch: it stays only where the next is not put over it.
                let pair = pairs[k];
                pairs[len] = pair;
                len += usize::from(!(has(is_loose, pair[0]) | has(is_loose, pair[1])));
            }
            pairs.truncate(len);
        });
        let parts: Vec<_> = settled.iter().map(Vec::as_slice).collect();
        raise_all(flags, &parts, bodies, team);
    }
}

/// Two lists of pairs, each in order, that become one.
struct Merge<'a> {
    settled: &'a [[u32; 2]],
    /// Of which there are far fewer.
    loose: &'a [[u32; 2]],
    /// With room for both.
    to: &'a mut [[u32; 2]],
}

/// Pairs that are copied at once.
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
                    // Those behind the pair are written again.
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

/// Those of some of the loose that changed, against the strips of the settled.
struct Query<'a> {
    packed: &'a Packed,
    touch: Touch,
    strips: &'a Strips,
    kept: &'a Kept,
    /// Entries of the strips of the loose.
    range: Range<usize>,
    found: &'a mut Found,
    room: &'a Room,
}

impl Kernel for Query<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> Result<()> {
        let loose = &self.kept.strips;
        let mut pairs = Pairs::new();
        let Range { mut start, end } = self.range.clone();
        while start < end {
            let place = loose.strip_of(start);
            let strip = loose.strip(place);
            self.strip(lanes, place, start..strip.end.min(end), &mut pairs)?;
            start = strip.end;
        }
        self.found.take(self.packed, self.touch, pairs.drain(), self.room)
    }
}

impl Query<'_> {
    /// Some of the loose of a place.
    #[inline(always)]
    fn strip<L: Lanes>(&mut self, lanes: L, place: usize, range: Range<usize>, pairs: &mut Pairs) -> Result<()> {
        let Self { packed, touch, strips, kept, room, .. } = *self;
        let (cut, loose) = (strips.cut(), &kept.strips);
        let ([u0, u1], [v0, v1]) = (&strips.u, &strips.v);
        let open = i32::from(touch == Touch::Excluded);
        let Range { start: mut low, end } = strips.strip(place);
        for k in range {
            let (body, begin) = (loose.bodies[k], loose.v[0][k]);
            if !has(&kept.is_changed, body) {
                continue;
            }
            let (left, right) = (loose.u[0][k] + open, loose.u[1][k] - open);
            let (top, bottom) = (begin + open, loose.v[1][k] - open);
            let least = cut.least(place, begin);
            // The loose are sorted: what lies too far left for one does so for the next.
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
                if let (Some([layers, hits]), Some([layer, hit])) = (&strips.filters, &loose.filters) {
                    bits &= lanes.share(block(layers, next), hit[k], block(hits, next), layer[k]);
                }
                if cut.shared {
                    bits = cut.first_common(place, begin, block(v0, next), bits);
                }
                pairs.add(lanes, body, bits, block(&strips.bodies, next));
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
