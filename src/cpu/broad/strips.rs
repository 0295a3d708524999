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
//! A body is in each strip that its bounds meet. Strips are several times as high as bodies are, so that most are in
//! one; where bodies lie so far apart that there were too many strips, strip `k` shares its place with strips `k + n`,
//! `k + 2 n` and so on. This is the sort of sweep and prune (Baraff, *Dynamic Simulation of Non-penetrating Rigid
//! Bodies*, 1992; for strips, Tracy, Buss, Woods, *Efficient Large-Scale Sweep and Prune Methods with AABB Insertion
//! and Removal*, 2009).

use std::ops::Range;

use super::columns::{Columns, SortPlaces, Sorter};
use super::cut::Cut;
use super::scatter::Scattered;
use crate::bits::look::Look;
use crate::cpu::means::{Means, STRIPS};
use crate::cpu::pool::Pool;
use crate::cpu::team::{Parts, Team};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::memory::Room;
use crate::simd::{Lanes, WIDTH};
use crate::world::packed::Packed;

/// Strips are made higher where a body has more entries than this, on the average.
const ENTRIES_OF_A_BODY: usize = 3;
/// Elements of a task that looks up.
const TASK: usize = 1 << 14;

/// The strips of a world and what is in them, sorted by `u[0]`. The vectors have [`WIDTH`] elements of padding.
#[derive(Debug, Default)]
pub(crate) struct Strips {
    cut: Cut,
    /// The cut that was best when it was made: `cut` may have higher strips, as bodies had too many entries.
    best: Cut,
    /// Where the entries of each place begin, and the end of the last.
    starts: Vec<u32>,
    unsorted: Scattered,
    /// The bounds of the bodies that are sorted, where these are not all.
    some: Vec<Aabb>,
    sorters: Pool<Sorter>,
    /// The entries' bounds along the strip.
    pub(in crate::cpu) u: [Vec<i32>; 2],
    /// Their bounds across.
    pub(in crate::cpu) v: [Vec<i32>; 2],
    /// Their bodies.
    pub(in crate::cpu) bodies: Vec<u32>,
    /// The layers that they are on, and those that they hit, where some body is filtered.
    pub(in crate::cpu) filters: Option<[Vec<u32>; 2]>,
    /// Their groups, where some body is of one.
    pub(in crate::cpu) groups: Option<Vec<i32>>,
    /// How they look, where some body has a look that touch does not change.
    pub(in crate::cpu) looks: Option<Vec<Look>>,
}

impl Strips {
    /// Sorts all bodies anew.
    pub(crate) fn sort(&mut self, packed: &Packed, means: Means<'_>) -> Result<()> {
        let bounds = &packed.bounds;
        // Bodies are counted by the cut of the step before, which mostly is good enough, while they are surveyed for a
        // new one.
        let best = Cut::new(self.unsorted.count(bounds, self.cut, means));
        if !self.best.is_like(&best) {
            (self.best, self.cut) = (best, best);
            self.unsorted.count(bounds, self.cut, means);
        }
        // Higher strips make fewer entries, unless bodies are in all.
        while self.unsorted.total() > ENTRIES_OF_A_BODY * bounds.len() + self.cut.places as usize
            && !self.cut.is_highest()
        {
            self.cut = self.cut.higher();
            self.unsorted.count(bounds, self.cut, means);
        }
        self.unsorted.scatter(bounds, self.cut, means)?;
        self.sort_each(means)?;
        self.look_up(packed, means)
    }

    /// Sorts some bodies anew, into strips that were cut for others.
    pub(in crate::cpu) fn sort_some(
        &mut self,
        packed: &Packed,
        bodies: &[u32],
        cut: Cut,
        means: Means<'_>,
    ) -> Result<()> {
        self.some.clear();
        means.room.reserve(&mut self.some, bodies.len(), STRIPS)?;
        self.some.extend(bodies.iter().map(|&body| packed.bounds[body as usize]));
        self.cut = cut;
        self.unsorted.count(&self.some, cut, means);
        self.unsorted.scatter(&self.some, cut, means)?;
        self.sort_each(means)?;
        let len = self.len();
        self.bodies[..len].iter_mut().for_each(|index| *index = bodies[*index as usize]);
        self.look_up(packed, means)
    }

    /// All bodies in order of index, in one strip, which is not sorted: for a comparison of all with all.
    pub(in crate::cpu) fn list(&mut self, packed: &Packed, means: Means<'_>) -> Result<()> {
        (self.cut, self.best) = (Cut::ONE, Cut::ONE);
        let somewhere = packed.bounds.iter().zip(0..).filter(|(bound, _)| bound.is_somewhere());
        self.bodies.clear();
        means.room.reserve(&mut self.bodies, packed.bounds.len(), STRIPS)?;
        self.bodies.extend(somewhere.map(|(_, body)| body));
        self.starts = vec![0, self.bodies.len() as u32];
        self.resize(means.room)?;
        for k in 0..self.len() {
            let Aabb { min, max } = packed.bounds[self.bodies[k] as usize];
            ([self.u[0][k], self.u[1][k]], [self.v[0][k], self.v[1][k]]) = ([min.x, max.x], [min.y, max.y]);
        }
        self.look_up(packed, means)
    }

    /// Looks up what else of bodies is wanted in the order of the entries.
    fn look_up(&mut self, packed: &Packed, means: Means<'_>) -> Result<()> {
        let (filters, groups, looks) = (self.filters.take(), self.groups.take(), self.looks.take());
        let bodies = &self.bodies[..self.len()];
        if packed.filtered {
            let mut columns = filters.unwrap_or_default();
            look_up_filters(&mut columns, bodies, packed, means)?;
            self.filters = Some(columns);
        }
        if packed.grouped {
            let mut column = groups.unwrap_or_default();
            look_up(&mut column, bodies, means, |body| packed.filters[body].group as i32)?;
            self.groups = Some(column);
        }
        if packed.masked {
            let mut column = looks.unwrap_or_default();
            look_up(&mut column, bodies, means, |body| packed.looks[body])?;
            self.looks = Some(column);
        }
        Ok(())
    }

    /// Those of the entries from `next` on that are not of the group of an entry of strips that have groups where these
    /// have.
    #[inline(always)]
    pub(in crate::cpu) fn strangers<L: Lanes>(&self, lanes: L, next: usize, of: &Self, entry: usize) -> u32 {
        match (&self.groups, &of.groups) {
            (Some(groups), Some(own)) if own[entry] != 0 => {
                let others = block(groups, next);
                !lanes.within(others, own[entry], others, own[entry])
            }
            _ => u32::MAX,
        }
    }

    /// The number of entries.
    pub(in crate::cpu) fn len(&self) -> usize {
        self.starts.last().map_or(0, |&end| end as usize)
    }

    /// The number of places of strips.
    pub(in crate::cpu) fn places(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// The pixels that an entry may paint, where it is a sprite at rest.
    #[inline(always)]
    pub(in crate::cpu) fn pixels(&self, k: usize) -> Aabb {
        let (u, v) = ([self.u[0][k], self.u[1][k]], [self.v[0][k], self.v[1][k]]);
        let (x, y) = if self.cut.upright { (v, u) } else { (u, v) };
        Aabb { min: Point::new(x[0] >> 8, y[0] >> 8), max: Point::new(x[1] >> 8, y[1] >> 8) }
    }

    pub(in crate::cpu) fn cut(&self) -> Cut {
        self.cut
    }

    /// For each place the length of its longest entry.
    pub(in crate::cpu) fn longest(&self, team: Team<'_>) -> Vec<i32> {
        let places: Vec<_> = (0..self.places()).collect();
        team.each(&places, |&place| self.entries_of(place).map(|k| self.u[1][k] - self.u[0][k]).max().unwrap_or(0))
    }

    /// The entries of a place.
    pub(in crate::cpu) fn entries_of(&self, place: usize) -> Range<usize> {
        self.starts[place] as usize..self.starts[place + 1] as usize
    }

    /// The place that an entry is in.
    pub(in crate::cpu) fn place_of(&self, entry: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= entry) - 1
    }

    /// The bytes that it holds.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        let words = self.starts.capacity()
            + self.u.iter().chain(&self.v).map(Vec::capacity).sum::<usize>()
            + self.bodies.capacity()
            + self.filters.iter().flatten().map(Vec::capacity).sum::<usize>()
            + self.groups.as_ref().map_or(0, Vec::capacity);
        let looks = self.looks.as_ref().map_or(0, Vec::capacity) * size_of::<Look>();
        let bounds = self.some.capacity() * size_of::<Aabb>();
        bounds + looks + 4 * words + self.unsorted.bytes() + self.sorters.sum(Sorter::bytes)
    }

    /// Makes room for all entries.
    fn resize(&mut self, room: &Room) -> Result<()> {
        let padded = self.len() + WIDTH;
        for side in 0..2 {
            room.resize(&mut self.u[side], padded, 0, STRIPS)?;
            room.resize(&mut self.v[side], padded, 0, STRIPS)?;
        }
        room.resize(&mut self.bodies, padded, 0, STRIPS)
    }

    /// Sorts the entries of each place.
    fn sort_each(&mut self, Means { simd, team, room }: Means<'_>) -> Result<()> {
        self.starts.clear();
        self.starts.push(0);
        let mut end = 0;
        for place in 0..self.cut.places as usize {
            end += self.unsorted.len(place);
            self.starts.push(end);
        }
        self.resize(room)?;
        // Places in groups of about as many entries.
        let groups = Parts::new(self.len(), team.tasks(self.len(), 1 << 13));
        let mut place = 0;
        let ([u0, u1], [v0, v1]) = (&mut self.u, &mut self.v);
        let mut rest = Some(Columns { u0, u1, v0, v1, bodies: &mut self.bodies });
        let starts = &self.starts;
        let tasks = (0..groups.count()).map_while(|group| {
            let (first, end) = (place, groups.part(group).end);
            while place + 1 < starts.len() && (starts[place] as usize) < end {
                place += 1;
            }
            let (columns, behind) = rest.take()?.split_at((starts[place] - starts[first]) as usize);
            rest = Some(behind);
            Some((first..place, columns))
        });
        let (cut, scattered, sorters) = (self.cut, &self.unsorted, &self.sorters);
        team.try_each_of(groups.count(), tasks, |(places, columns)| {
            sorters.lend(|sorter| simd.run(SortPlaces { cut, scattered, places, columns, sorter, room }))
        })
    }
}

/// Fills a column, padded, with something of each entry's body.
fn look_up<T: Copy + Default + Send>(
    column: &mut Vec<T>,
    bodies: &[u32],
    Means { team, room, .. }: Means<'_>,
    get: impl Fn(usize) -> T + Sync,
) -> Result<()> {
    room.resize(column, bodies.len() + WIDTH, T::default(), STRIPS)?;
    let tasks = column.chunks_mut(TASK).zip(bodies.chunks(TASK));
    team.each_of(bodies.len().div_ceil(TASK), tasks, |(column, bodies)| {
        for (value, &body) in column.iter_mut().zip(bodies) {
            *value = get(body as usize);
        }
    });
    Ok(())
}

/// Fills the columns of layers and of hits, padded: both at once, as memory gives both for the time of one.
fn look_up_filters(columns: &mut [Vec<u32>; 2], bodies: &[u32], packed: &Packed, means: Means<'_>) -> Result<()> {
    let Means { team, room, .. } = means;
    let [layers, hits] = columns;
    room.resize(layers, bodies.len() + WIDTH, 0, STRIPS)?;
    room.resize(hits, bodies.len() + WIDTH, 0, STRIPS)?;
    let columns = layers.chunks_mut(TASK).zip(hits.chunks_mut(TASK));
    team.each_of(bodies.len().div_ceil(TASK), columns.zip(bodies.chunks(TASK)), |((layers, hits), bodies)| {
        for ((layer, hits), &body) in layers.iter_mut().zip(hits.iter_mut()).zip(bodies) {
            let filter = &packed.filters[body as usize];
            (*layer, *hits) = (filter.layer, filter.hits);
        }
    });
    Ok(())
}

/// The elements from `start` on.
#[inline(always)]
pub(in crate::cpu) fn block<T>(all: &[T], start: usize) -> &[T; WIDTH] {
    all[start..start + WIDTH].try_into().expect("a slice of as many")
}
