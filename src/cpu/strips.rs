//! The order of the broad phase: the world cut into strips, the bodies of each sorted along it.
//!
//! ```text
//!            u (along)
//!      v  +-----------------------------+
//!         |  [a ]    [c  ]              |  strip 0: a b c
//!         |    [ b  ]            [ d ]  |
//!         |- - - - - - - - - - - [ - ]- |
//!         |       [e  ]          [ d ]  |  strip 1: e d
//!         +-----------------------------+
//! ```
//!
//! A body is in each strip that its bounds meet. Strips are several times as high as bodies are, so that most are in one; where
//! bodies lie so far apart that there were too many strips, strip `k` shares its place with strips `k + n`, `k + 2 n` and so on.
//! This is the sort of sweep and prune (Baraff, *Dynamic Simulation of Non-penetrating Rigid Bodies*, 1992; for strips, Tracy, Buss, Woods,
//! *Efficient Large-Scale Sweep and Prune Methods with AABB Insertion and Removal*, 2009).

use std::ops::Range;
use std::slice::IterMut;

use super::settle::Settle;
use super::team::{Team, parts};
use crate::lattice::Point;
use crate::packed::{Aabb, Look, Packed};
use crate::simd::{Simd, WIDTH};

/// Strips are at least this many times as high as a typical body, as a power of two: with less, more bodies are in two; with more, more
/// are compared in vain.
const HEIGHT: u32 = 3;
/// The height of the highest strips, as a power of two: two are as high as the world.
const HIGHEST: u32 = 30;
/// The most places of strips.
const MOST_STRIPS: i32 = 4096;
/// Bodies for a place of a strip, at least: in a sparse world, strips share.
const BODIES: usize = 8;
/// Entries of a body, on the average, that are too many.
const ENTRIES: usize = 3;
/// Keys in a bucket beyond which a strip is sorted by comparisons.
const CROWDED: u32 = 24;

/// Elements of a task that looks up.
const TASK: usize = 1 << 14;

/// A body in a strip.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Its bounds along the strip.
    u: [i32; 2],
    /// Its bounds across.
    v: [i32; 2],
    body: u32,
}

/// The strips of a world and what is in them, sorted by `u[0]`. The vectors have [`WIDTH`] elements of padding.
#[derive(Debug, Default)]
pub struct Strips {
    cut: Cut,
    /// Where each strip begins, and the end of the last.
    starts: Vec<u32>,
    unsorted: Vec<Entry>,
    /// The entries' bounds along the strip.
    pub(super) u: [Vec<i32>; 2],
    /// Their bounds across.
    pub(super) v: [Vec<i32>; 2],
    /// Their bodies.
    pub(super) bodies: Vec<u32>,
    /// The layers that they are on, and those that they hit, where some body is filtered.
    pub(super) filters: Option<[Vec<u32>; 2]>,
    /// How they look, where some body has a look that touch does not change.
    pub(super) looks: Option<Vec<Look>>,
}

/// How a world is cut into strips.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cut {
    /// Whether strips go along y.
    upright: bool,
    /// The least coordinate across.
    first: i32,
    /// The largest.
    last: i32,
    /// The height of a strip, as a power of two.
    shift: u32,
    /// The number of places.
    places: i32,
    /// Whether several strips share a place.
    pub(super) shared: bool,
}

/// What the cut depends on.
#[derive(Clone, Copy)]
struct Survey {
    /// The bounds of all.
    all: Aabb,
    /// The number of bodies that are anywhere.
    count: u64,
    /// The sums of the logarithms of their widths and heights: a mean that few giants do not move.
    logs: [u64; 2],
}

impl Survey {
    const NOTHING: Self = Self { all: Aabb::NOWHERE, count: 0, logs: [0; 2] };

    fn of(bounds: &[Aabb]) -> Self {
        bounds.iter().filter(|bound| bound.is_somewhere()).fold(Self::NOTHING, |survey, bound| {
            let log = |min: i32, max: i32| u64::from((max.abs_diff(min) | 1).ilog2());
            survey.join(Self {
                all: *bound,
                count: 1,
                logs: [log(bound.min.x, bound.max.x), log(bound.min.y, bound.max.y)],
            })
        })
    }

    fn join(self, other: Self) -> Self {
        Self {
            all: self.all.join(&other.all),
            count: self.count + other.count,
            logs: [self.logs[0] + other.logs[0], self.logs[1] + other.logs[1]],
        }
    }
}

impl Cut {
    /// Along the axis across which there are more strips.
    fn new(Survey { all, count, logs }: Survey) -> Self {
        if count == 0 {
            return Self { places: 1, ..Self::default() };
        }
        let along = |upright: bool| {
            let (first, last, log) =
                if upright { (all.min.x, all.max.x, logs[0]) } else { (all.min.y, all.max.y, logs[1]) };
            let shift = ((log / count) as u32 + HEIGHT).min(HIGHEST);
            (
                ((i64::from(last) - i64::from(first)) >> shift) + 1,
                Self { upright, first, last, shift, places: 0, shared: false },
            )
        };
        let [(rows, lying), (columns, upright)] = [false, true].map(along);
        let most = (count as usize / BODIES).clamp(1, MOST_STRIPS as usize) as i64;
        // Cut across only where it is a clear gain: for a row of bodies.
        let (strips, cut) = if columns > rows * 8 && rows < most { (columns, upright) } else { (rows, lying) };
        Self { places: strips.min(most) as i32, shared: strips > most, ..cut }
    }

    /// The same with higher strips.
    fn higher(self) -> Self {
        Self { shift: self.shift + 1, ..self }
    }

    /// The strip of a coordinate across. The first and the last are without end: bodies may come later than the cut.
    #[inline(always)]
    fn strip(&self, v: i32) -> i32 {
        (v.clamp(self.first, self.last) - self.first) >> self.shift
    }

    /// The place of a strip.
    #[inline(always)]
    fn place(&self, strip: i32) -> usize {
        (if self.shared { strip % self.places } else { strip }) as usize
    }

    #[inline(always)]
    fn entry(&self, bound: &Aabb, body: u32) -> Entry {
        let (x, y) = ([bound.min.x, bound.max.x], [bound.min.y, bound.max.y]);
        let (u, v) = if self.upright { (y, x) } else { (x, y) };
        Entry { u, v, body }
    }

    /// The strips that a body is in, no more than there are places.
    #[inline(always)]
    fn strips(&self, v: [i32; 2]) -> Range<i32> {
        let first = self.strip(v[0]);
        first..(self.strip(v[1]) + 1).min(first + self.places)
    }

    /// The number of places that a body is in.
    pub(super) fn places_of(&self, bound: &Aabb) -> usize {
        self.strips(self.entry(bound, 0).v).len()
    }

    /// The least that a body with `v0` has in common with one that begins at it or behind, across, where this place is that of their first
    /// common strip: it is, where one of them begins in it.
    #[inline(always)]
    pub(super) fn least(&self, place: usize, v0: i32) -> i32 {
        let start = self.first + ((place as i32) << self.shift);
        if self.shared || place == 0 || v0 >= start { i32::MIN } else { start }
    }

    /// Those of some others, by where they begin across, whose first common strip with a body that begins at `v0` has this place.
    pub(super) fn first_common(&self, place: usize, v0: i32, others: &[i32; WIDTH], mut bits: u32) -> u32 {
        let mut first = 0;
        while bits != 0 {
            let lane = bits.trailing_zeros();
            let strip = self.strip(v0.max(others[lane as usize % WIDTH]));
            first |= u32::from(self.place(strip) == place) << lane;
            bits &= bits - 1;
        }
        first
    }
}

impl Strips {
    /// Sorts all bodies anew.
    pub fn sort(&mut self, packed: &Packed, simd: Simd, team: Team<'_>) {
        let bounds = &packed.bounds;
        let chunks = chunks(bounds, team);
        let survey = team.each(&chunks, |range| Survey::of(&bounds[range.clone()]));
        let survey = survey.into_iter().fold(Survey::NOTHING, Survey::join);
        self.cut = Cut::new(survey);
        let counts = loop {
            let counts = team.each(&chunks, |range| self.count(&bounds[range.clone()]));
            let total: usize = counts.iter().flatten().map(|&count| count as usize).sum();
            // Higher strips make fewer entries, unless bodies are in all.
            if total <= ENTRIES * bounds.len() + counts[0].len() || self.cut.places == 1 || self.cut.shift >= HIGHEST {
                break counts;
            }
            self.cut = self.cut.higher();
        };
        self.scatter(bounds, &chunks, &counts, team);
        self.sort_each(simd, team);
        self.look_up(packed, team);
    }

    /// Sorts some bodies anew, into strips that were cut for others.
    pub(super) fn sort_some(&mut self, packed: &Packed, bodies: &[u32], cut: Cut, simd: Simd, team: Team<'_>) {
        let bounds: Vec<Aabb> = bodies.iter().map(|&body| packed.bounds[body as usize]).collect();
        let chunks = chunks(&bounds, team);
        self.cut = cut;
        let counts = team.each(&chunks, |range| self.count(&bounds[range.clone()]));
        self.scatter(&bounds, &chunks, &counts, team);
        self.sort_each(simd, team);
        let len = self.len();
        self.bodies[..len].iter_mut().for_each(|index| *index = bodies[*index as usize]);
        self.look_up(packed, team);
    }

    /// All bodies in order of index, in one strip, which is not sorted: for a comparison of all with all.
    pub(super) fn list(&mut self, packed: &Packed, team: Team<'_>) {
        self.cut = Cut { places: 1, ..Cut::default() };
        let somewhere = packed.bounds.iter().zip(0..).filter(|(bound, _)| bound.is_somewhere());
        self.unsorted.clear();
        self.unsorted.extend(somewhere.map(|(bound, body)| self.cut.entry(bound, body)));
        self.starts = vec![0, self.unsorted.len() as u32];
        self.resize();
        for (k, &entry) in self.unsorted.iter().enumerate() {
            [self.u[0][k], self.u[1][k]] = entry.u;
            [self.v[0][k], self.v[1][k]] = entry.v;
            self.bodies[k] = entry.body;
        }
        self.look_up(packed, team);
    }

    /// Looks up what else of bodies is wanted in the order of the entries.
    fn look_up(&mut self, packed: &Packed, team: Team<'_>) {
        let bodies = &self.bodies[..self.len()];
        self.filters = packed.filtered.then(|| {
            let [mut layers, mut hits] = self.filters.take().unwrap_or_default();
            look_up(&mut layers, bodies, team, |body| packed.bodies[body].layer);
            look_up(&mut hits, bodies, team, |body| packed.bodies[body].hits);
            [layers, hits]
        });
        self.looks = packed.masked.then(|| {
            let mut looks = self.looks.take().unwrap_or_default();
            look_up(&mut looks, bodies, team, |body| packed.looks[body]);
            looks
        });
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.starts.last().map_or(0, |&end| end as usize)
    }

    /// The number of places of strips.
    pub(super) fn places(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The pixels that an entry may paint, where it is a sprite at rest.
    #[inline(always)]
    pub(super) fn pixels(&self, k: usize) -> Aabb {
        let (u, v) = ([self.u[0][k], self.u[1][k]], [self.v[0][k], self.v[1][k]]);
        let (x, y) = if self.cut.upright { (v, u) } else { (u, v) };
        Aabb { min: Point::new(x[0] >> 8, y[0] >> 8), max: Point::new(x[1] >> 8, y[1] >> 8) }
    }

    pub(super) fn cut(&self) -> Cut {
        self.cut
    }

    /// For each place the length of its longest entry.
    pub(super) fn longest(&self, team: Team<'_>) -> Vec<i32> {
        let places: Vec<_> = (0..self.places()).collect();
        team.each(&places, |&place| self.strip(place).map(|k| self.u[1][k] - self.u[0][k]).max().unwrap_or(0))
    }

    /// The entries of a strip.
    pub(super) fn strip(&self, place: usize) -> Range<usize> {
        self.starts[place] as usize..self.starts[place + 1] as usize
    }

    /// The strip that an entry is in.
    pub(super) fn strip_of(&self, entry: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= entry) - 1
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let words = self.starts.capacity()
            + self.u.iter().chain(&self.v).map(Vec::capacity).sum::<usize>()
            + self.bodies.capacity()
            + self.filters.iter().flatten().map(Vec::capacity).sum::<usize>();
        let looks = self.looks.as_ref().map_or(0, Vec::capacity) * size_of::<Look>();
        looks + 4 * words + size_of::<Entry>() * self.unsorted.capacity()
    }

    /// The number of entries in each place: those that begin in it or before, without those that end before it. So nothing depends on how many
    /// places a body is in.
    fn count(&self, bounds: &[Aabb]) -> Vec<u32> {
        let cut = self.cut;
        let mut ends = vec![[0, 0]; cut.places as usize];
        // Bodies that are in the last place and then in the first.
        let mut open = 0;
        for bound in bounds.iter().filter(|bound| bound.is_somewhere()) {
            let strips = cut.strips(cut.entry(bound, 0).v);
            let (first, last) = (cut.place(strips.start), cut.place(strips.end - 1));
            ends[first][0] += 1;
            ends[last][1] += 1;
            open += u32::from(last < first);
        }
        let count = |[begin, end]: [u32; 2]| {
            let count = open + begin;
            open = count - end;
            count
        };
        ends.into_iter().map(count).collect()
    }

    /// Puts the entries into their strips: for each strip those of the first chunk, then those of the second, and so on.
    fn scatter(&mut self, bounds: &[Aabb], chunks: &[Range<usize>], counts: &[Vec<u32>], team: Team<'_>) {
        self.starts.clear();
        self.starts.push(0);
        let mut end = 0;
        for place in 0..self.cut.places as usize {
            end += counts.iter().map(|counts| counts[place]).sum::<u32>();
            self.starts.push(end);
        }
        self.unsorted.resize(end as usize, Entry::default());
        let mut rest = self.unsorted.as_mut_slice();
        let mut slots: Vec<Vec<IterMut<'_, Entry>>> =
            counts.iter().map(|counts| Vec::with_capacity(counts.len())).collect();
        for place in 0..self.cut.places as usize {
            for (slots, counts) in slots.iter_mut().zip(counts) {
                let (slot, behind) = rest.split_at_mut(counts[place] as usize);
                slots.push(slot.iter_mut());
                rest = behind;
            }
        }
        let cut = self.cut;
        team.each_mut(&mut slots, |chunk, slots| {
            let range = chunks[chunk].clone();
            for (bound, body) in bounds[range.clone()].iter().zip(range.start as u32..) {
                if bound.is_somewhere() {
                    let entry = cut.entry(bound, body);
                    for strip in cut.strips(entry.v) {
                        if let Some(slot) = slots[cut.place(strip)].next() {
                            *slot = entry;
                        }
                    }
                }
            }
        });
    }

    /// Makes room for all entries.
    fn resize(&mut self) {
        let padded = self.len() + WIDTH;
        for side in 0..2 {
            self.u[side].resize(padded, 0);
            self.v[side].resize(padded, 0);
        }
        self.bodies.resize(padded, 0);
    }

    /// Sorts the entries of each strip.
    fn sort_each(&mut self, simd: Simd, team: Team<'_>) {
        self.resize();
        // Strips in groups of about as many entries.
        let groups = parts(self.len(), team.tasks(self.len(), 1 << 13));
        let mut place = 0;
        let mut tasks = Vec::with_capacity(groups.len());
        let ([u0, u1], [v0, v1]) = (&mut self.u, &mut self.v);
        let mut rest = Columns { u0, u1, v0, v1, bodies: &mut self.bodies };
        for group in groups {
            let first = place;
            while place + 1 < self.starts.len() && (self.starts[place] as usize) < group.end {
                place += 1;
            }
            let len = self.starts[place] - self.starts[first];
            let (columns, behind) = rest.split_at(len as usize);
            rest = behind;
            tasks.push((first..place, columns));
        }
        let (starts, unsorted) = (&self.starts, &self.unsorted);
        team.each_mut(&mut tasks, |_, (places, columns)| {
            let mut keys = Keys::default();
            let mut columns = columns.all();
            for place in places.clone() {
                let entries = &unsorted[starts[place] as usize..starts[place + 1] as usize];
                let (mut strip, behind) = columns.split_at(entries.len());
                columns = behind;
                strip.take(entries, &mut keys, simd);
            }
        });
    }
}

/// Bounds in chunks, for several threads.
fn chunks(bounds: &[Aabb], team: Team<'_>) -> Vec<Range<usize>> {
    parts(bounds.len(), team.tasks(bounds.len(), 1 << 13).min(2 * team.threads()))
}

/// Fills a column, padded, with something of each entry's body.
fn look_up<T: Copy + Default + Send>(
    column: &mut Vec<T>,
    bodies: &[u32],
    team: Team<'_>,
    get: impl Fn(usize) -> T + Sync,
) {
    column.resize(bodies.len() + WIDTH, T::default());
    let mut tasks: Vec<_> = column.chunks_mut(TASK).zip(bodies.chunks(TASK)).collect();
    team.each_mut(&mut tasks, |_, (column, bodies)| {
        for (value, &body) in column.iter_mut().zip(*bodies) {
            *value = get(body as usize);
        }
    });
}

/// A part of the sorted entries.
struct Columns<'a> {
    u0: &'a mut [i32],
    u1: &'a mut [i32],
    v0: &'a mut [i32],
    v1: &'a mut [i32],
    bodies: &'a mut [u32],
}

impl Columns<'_> {
    fn split_at(self, len: usize) -> (Self, Self) {
        let (u0, u1, v0, v1) = (
            self.u0.split_at_mut(len),
            self.u1.split_at_mut(len),
            self.v0.split_at_mut(len),
            self.v1.split_at_mut(len),
        );
        let bodies = self.bodies.split_at_mut(len);
        (
            Self { u0: u0.0, u1: u1.0, v0: v0.0, v1: v1.0, bodies: bodies.0 },
            Self { u0: u0.1, u1: u1.1, v0: v0.1, v1: v1.1, bodies: bodies.1 },
        )
    }

    fn all(&mut self) -> Columns<'_> {
        Columns { u0: self.u0, u1: self.u1, v0: self.v0, v1: self.v1, bodies: self.bodies }
    }

    /// Takes the entries of a strip, sorted by `u[0]`.
    fn take(&mut self, entries: &[Entry], keys: &mut Keys, simd: Simd) {
        keys.sort(entries, simd);
        for (k, &key) in keys.sorted.iter().enumerate() {
            let entry = &entries[key as u32 as usize];
            [self.u0[k], self.u1[k]] = entry.u;
            [self.v0[k], self.v1[k]] = entry.v;
            self.bodies[k] = entry.body;
        }
    }
}

/// The keys by which the entries of a strip are sorted: `u[0]`, from the least on, above the entry's index.
#[derive(Default)]
struct Keys {
    counts: Vec<u32>,
    sorted: Vec<u64>,
}

impl Keys {
    /// Sorts in one pass into buckets, and within them.
    fn sort(&mut self, entries: &[Entry], simd: Simd) {
        let n = entries.len();
        let (min, max) = entries.iter().fold((i32::MAX, i32::MIN), |(min, max), e| (min.min(e.u[0]), max.max(e.u[0])));
        let bits = (2 * n as u32).max(2).ilog2().min(16);
        let shift = (max.abs_diff(min) | 1).ilog2().saturating_sub(bits - 1);
        self.counts.clear();
        self.counts.resize(1 << bits, 0);
        for entry in entries {
            self.counts[(entry.u[0].abs_diff(min) >> shift) as usize] += 1;
        }
        let (mut start, mut most) = (0, 0);
        for count in &mut self.counts {
            most = most.max(*count);
            start += std::mem::replace(count, start);
        }
        self.sorted.resize(n, 0);
        for (entry, index) in entries.iter().zip(0..) {
            let u = entry.u[0].abs_diff(min);
            let place = &mut self.counts[(u >> shift) as usize];
            self.sorted[*place as usize] = u64::from(u) << 32 | index;
            *place += 1;
        }
        if most > CROWDED {
            self.sorted.sort_unstable();
        } else {
            simd.run(Settle { keys: &mut self.sorted, most });
        }
    }
}
