//! A step in which few bodies changed: the pairs of the others are those of the step before.
//!
//! Bodies that changed since the strips were sorted, the *loose*, are not looked for there any more, but sorted by themselves. Those that
//! changed now are compared with the strips and with the loose; the pairs that they had are forgotten.

use super::found::Found;
use super::order::{make_room, raise_all};
use super::pairs::{GATHERED, Pairs};
use super::strips::Strips;
use super::sweep::{Entries, Sweep, block};
use super::team::{Team, parts};
use crate::hits::Hits;
use crate::packed::Packed;
use crate::simd::{Kernel, Lanes, Simd, WIDTH};
use crate::world::Touch;

/// A step is steady while at most one body in so many changed.
pub(super) const CHANGED: usize = 32;
/// Strips are sorted anew where more than one body in so many is loose.
const LOOSE: usize = 16;
/// Bodies of a task.
const BODIES: usize = 512;
/// Pairs of a task.
const PAIRS: usize = 1 << 14;

/// What is kept of the step before.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Its pairs, in order, in parts.
    pairs: Vec<Vec<[u32; 2]>>,
    /// The pairs from which on each part but the first goes.
    starts: Vec<[u32; 2]>,
    /// For each place of the strips the length of its longest entry.
    longest: Vec<i32>,
    /// The bodies that changed since the strips were sorted.
    loose: Members,
    /// Those that changed now.
    changed: Members,
    /// The loose, sorted.
    loose_strips: Strips,
    /// The parts as they become.
    next: Vec<Vec<[u32; 2]>>,
}

/// Some bodies.
#[derive(Debug, Default)]
struct Members {
    list: Vec<u32>,
    bits: Vec<u32>,
}

#[inline(always)]
fn has(bits: &[u32], body: u32) -> bool {
    bits[body as usize / 32] >> (body % 32) & 1 == 1
}

impl Members {
    fn clear(&mut self, bodies: usize) {
        self.list.clear();
        self.bits.clear();
        self.bits.resize(bodies.div_ceil(32), 0);
    }

    #[inline(always)]
    fn has(&self, body: u32) -> bool {
        has(&self.bits, body)
    }

    fn insert(&mut self, body: u32) {
        if !self.has(body) {
            self.bits[body as usize / 32] |= 1 << (body % 32);
            self.list.push(body);
        }
    }

    fn bytes(&self) -> usize {
        4 * (self.list.capacity() + self.bits.capacity())
    }
}

impl Kept {
    /// Keeps a step whose strips were just sorted.
    pub(super) fn keep(&mut self, strips: &Strips, hits: &Hits, bodies: usize, team: Team<'_>) {
        let ranges = parts(hits.pairs.len(), team.tasks(hits.pairs.len(), PAIRS));
        self.starts.clear();
        self.starts.extend(ranges[1..].iter().map(|range| hits.pairs[range.start]));
        self.pairs.resize_with(ranges.len(), Vec::new);
        team.each_mut(&mut self.pairs, |task, pairs| {
            pairs.clear();
            pairs.extend_from_slice(&hits.pairs[ranges[task].clone()]);
        });
        self.longest = strips.longest(team);
        self.loose.clear(bodies);
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let pairs = self.pairs.iter().chain(&self.next).map(Vec::capacity).sum::<usize>() + self.starts.capacity();
        8 * pairs + 4 * self.longest.capacity() + self.loose.bytes() + self.changed.bytes() + self.loose_strips.bytes()
    }

    /// Takes changes in; whether the strips are good enough for another step.
    pub(super) fn change(&mut self, changes: &[u32], bodies: usize) -> bool {
        self.changed.clear(bodies);
        // Bodies may have been added.
        self.loose.bits.resize(bodies.div_ceil(32), 0);
        for &body in changes {
            self.changed.insert(body);
            self.loose.insert(body);
        }
        self.loose.list.len() * LOOSE <= bodies
    }

    /// Sorts the loose, and with them what changed, so that neighbours are looked for one after the other.
    pub(super) fn sort(&mut self, packed: &Packed, simd: Simd, team: Team<'_>) {
        let Self { loose_strips, loose, changed, .. } = self;
        loose_strips.sort_some(packed, &loose.list, simd, team);
        let Members { list, bits } = changed;
        list.clear();
        list.extend(loose_strips.each_once().filter(|&body| has(bits, body)));
    }

    /// Finds the pairs of what changed.
    pub(super) fn sweep(
        &self,
        packed: &Packed,
        touch: Touch,
        strips: &Strips,
        found: &mut Vec<Found>,
        (simd, team): (Simd, Team<'_>),
    ) {
        let (changed, loose) = (&self.changed.list, &self.loose_strips);
        let queries = parts(changed.len(), team.tasks(changed.len(), BODIES));
        let sweeps = parts(loose.len(), team.tasks(loose.len(), BODIES));
        found.resize_with(queries.len() + sweeps.len(), Found::default);
        team.each_mut(found, |task, found| {
            found.clear();
            if let Some(part) = queries.get(task) {
                let query = Query { packed, touch, strips, kept: self, bodies: &changed[part.clone()], found };
                simd.run(query);
            } else {
                let range = sweeps[task - queries.len()].clone();
                simd.run(Sweep(Entries { packed, touch, strips: loose, range, found: &mut *found }));
                // Of the pairs of the loose, those that are not new are known.
                let new = |pair: &[u32; 2]| pair.iter().any(|&body| self.changed.has(body));
                found.hits.retain(new);
                found.candidates.retain(new);
            }
        });
    }

    /// Puts the pairs that were found among those that are kept; the answer's pairs and flags.
    pub(super) fn merge(&mut self, found: &[Found], bodies: usize, team: Team<'_>, hits: &mut Hits) {
        if !self.changed.bits.iter().all(|&word| word == 0) {
            self.next.resize_with(self.pairs.len(), Vec::new);
            let (pairs, starts, changed) = (&self.pairs, &self.starts, &self.changed);
            team.each_mut(&mut self.next, |part, next| {
                let first = if part == 0 { [0; 2] } else { starts[part - 1] };
                let end = starts.get(part).copied().unwrap_or([u32::MAX; 2]);
                let all = found.iter().flat_map(|found| &found.hits).copied();
                let mut new: Vec<_> = all.filter(|pair| (first..end).contains(pair)).collect();
                new.sort_unstable_by_key(|&[i, j]| u64::from(i) << 32 | u64::from(j));
                renew(&pairs[part], &new, changed, next);
            });
            std::mem::swap(&mut self.pairs, &mut self.next);
        }
        make_room(&mut hits.pairs, self.pairs.iter().map(Vec::len).sum());
        let mut rest = hits.pairs.as_mut_slice();
        let mut copies = Vec::with_capacity(self.pairs.len());
        for pairs in &self.pairs {
            let (to, behind) = rest.split_at_mut(pairs.len());
            rest = behind;
            copies.push((pairs, to));
        }
        team.each_mut(&mut copies, |_, (pairs, to)| to.copy_from_slice(pairs));
        raise_all(hits, bodies, team);
    }
}

/// Of a part of the pairs those that did not change, and the new ones among them.
fn renew(old: &[[u32; 2]], new: &[[u32; 2]], changed: &Members, next: &mut Vec<[u32; 2]>) {
    let key = |&[i, j]: &[u32; 2]| u64::from(i) << 32 | u64::from(j);
    next.resize(old.len() + new.len(), [0; 2]);
    let (mut len, mut added) = (0, 0);
    let mut next_new = new.first().map_or(u64::MAX, key);
    for pair in old {
        while next_new < key(pair) {
            next[len] = new[added];
            (len, added) = (len + 1, added + 1);
            next_new = new.get(added).map_or(u64::MAX, key);
        }
        // Without a branch: it stays only where the next is not put over it.
        next[len] = *pair;
        len += usize::from(!(changed.has(pair[0]) | changed.has(pair[1])));
    }
    let behind = &new[added..];
    next[len..len + behind.len()].copy_from_slice(behind);
    next.truncate(len + behind.len());
}

/// Some of the bodies that changed, against strips without the loose.
struct Query<'a> {
    packed: &'a Packed,
    touch: Touch,
    strips: &'a Strips,
    kept: &'a Kept,
    bodies: &'a [u32],
    found: &'a mut Found,
}

impl Kernel for Query<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { packed, touch, strips, kept, bodies, found } = self;
        let ([u0, u1], [v0, v1]) = (&strips.u, &strips.v);
        let open = i32::from(touch == Touch::Excluded);
        let cut = strips.cut();
        let mut pairs = Pairs::new();
        for &body in bodies {
            let bound = &packed.bounds[body as usize];
            if !bound.is_somewhere() {
                continue;
            }
            let [u, v] = cut.sides(bound);
            let ([left, right], [top, bottom]) = ([u[0] + open, u[1] - open], [v[0] + open, v[1] - open]);
            for place in cut.places_of_any(v) {
                let strip = strips.strip(place);
                let begins = &u0[strip.clone()];
                let end = strip.start + begins.partition_point(|&begin| begin <= right);
                let mut next =
                    strip.start + begins.partition_point(|&begin| begin < left.saturating_sub(kept.longest[place]));
                while next < end {
                    let mut bits = lanes.within(block(u0, next), right, block(u1, next), left)
                        & lanes.within(block(v0, next), bottom, block(v1, next), top);
                    if end - next < WIDTH {
                        bits &= (1 << (end - next)) - 1;
                    }
                    let mut known = bits;
                    while known != 0 {
                        let lane = known.trailing_zeros();
                        known &= known - 1;
                        let entry = next + lane as usize;
                        let other = strips.bodies[entry];
                        let first = cut.place(cut.strip(v0[entry].max(v[0]))) == place;
                        let sees = packed.bodies[body as usize].sees(&packed.bodies[other as usize]);
                        if !first || !sees || kept.loose.has(other) {
                            bits &= !(1 << lane);
                        }
                    }
                    pairs.add(lanes, body, bits, block(&strips.bodies, next));
                    if pairs.len > GATHERED {
                        found.take(packed, touch, pairs.drain());
                    }
                    next += WIDTH;
                }
            }
        }
        found.take(packed, touch, pairs.drain());
    }
}
