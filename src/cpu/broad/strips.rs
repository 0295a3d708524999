//! The order of the broad phase: the world is cut into strips, and the bodies of each strip are sorted along it.
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
//! A body is in each strip that its bounds meet. Strips are several times as high as bodies, so that most bodies are in
//! one. If bodies lie so far apart that there would be too many strips, strip `k` shares its place with strips `k + n`,
//! `k + 2 n` and so on. This is the sort of sweep and prune (Baraff, *Dynamic Simulation of Non-penetrating Rigid
//! Bodies*, 1992; for strips, Tracy, Buss, Woods, *Efficient Large-Scale Sweep and Prune Methods with AABB Insertion
//! and Removal*, 2009).

use std::ops::Range;

use super::cut::Cut;
use super::keys::{Keys, SortPlaces};
use super::scatter::Scattered;
use super::table::Table;
use crate::cpu::means::{Means, STRIPS};
use crate::cpu::team::{Parts, Team};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::pool::Pool;
use crate::world::packed::Packed;

/// Maximum number of entries per body, on average; beyond it, strips are made higher.
const ENTRIES_OF_A_BODY: usize = 3;

/// The strips of a world and their entries, sorted by where they begin along the strip.
#[derive(Debug, Default)]
pub(crate) struct Strips {
    cut: Cut,
    /// The best cut when `cut` was made. `cut` has higher strips if bodies had too many entries with this one.
    best: Cut,
    /// The start of each place's entries, then the end of the last place's.
    starts: Vec<u32>,
    unsorted: Scattered,
    /// The bounds of the bodies to sort, if these are not all.
    some: Vec<Aabb>,
    keys: Pool<Keys>,
    /// The entries; `u` is along the strip, `v` across.
    pub(in crate::cpu) table: Table,
}

impl Strips {
    /// Sorts all bodies anew.
    pub(crate) fn sort(&mut self, packed: &Packed, means: Means<'_>) -> Result<()> {
        self.sort_bounds(&packed.bounds, means)?;
        self.look_up(packed, means)
    }

    /// Sorts bodies with these bounds; entries then hold indices into `bounds`.
    fn sort_bounds(&mut self, bounds: &[Aabb], means: Means<'_>) -> Result<()> {
        // Count bodies by the cut of the previous step, which is usually good enough, while surveying them for a new
        // one.
        let best = Cut::new(self.unsorted.count(bounds, self.cut, means)?);
        if !self.best.is_like(&best) {
            (self.best, self.cut) = (best, best);
            self.unsorted.count(bounds, self.cut, means)?;
        }
        // Higher strips mean fewer entries, unless bodies are in all strips.
        while self.unsorted.total() > ENTRIES_OF_A_BODY * bounds.len() + self.cut.places as usize
            && !self.cut.is_highest()
        {
            self.cut = self.cut.higher();
            self.unsorted.count(bounds, self.cut, means)?;
        }
        self.unsorted.scatter(bounds, means)?;
        self.sort_each(means)
    }

    /// Sorts some bodies anew.
    pub(in crate::cpu) fn sort_some(&mut self, packed: &Packed, bodies: &[u32], means: Means<'_>) -> Result<()> {
        self.take_some(packed, bodies, means)?;
        let some = std::mem::take(&mut self.some);
        let sorted = self.sort_bounds(&some, means);
        self.some = some;
        sorted.and_then(|()| self.name_some(packed, bodies, means))
    }

    /// Sorts some bodies anew, into strips that were cut for other bodies.
    pub(in crate::cpu) fn sort_into(
        &mut self,
        packed: &Packed,
        bodies: &[u32],
        cut: Cut,
        means: Means<'_>,
    ) -> Result<()> {
        self.take_some(packed, bodies, means)?;
        self.cut = cut;
        self.unsorted.count(&self.some, cut, means)?;
        self.unsorted.scatter(&self.some, means)?;
        self.sort_each(means)?;
        self.name_some(packed, bodies, means)
    }

    /// Copies the bounds of the bodies to sort into `some`.
    fn take_some(&mut self, packed: &Packed, bodies: &[u32], means: Means<'_>) -> Result<()> {
        self.some.clear();
        means.room.reserve(&mut self.some, bodies.len(), STRIPS)?;
        self.some.extend(bodies.iter().map(|&body| packed.bounds[body as usize]));
        Ok(())
    }

    /// Replaces the entries' indices into `bodies` by the bodies themselves, and looks up their properties.
    fn name_some(&mut self, packed: &Packed, bodies: &[u32], means: Means<'_>) -> Result<()> {
        let len = self.len();
        self.table.bodies[..len].iter_mut().for_each(|index| *index = bodies[*index as usize]);
        self.look_up(packed, means)
    }

    /// Lists all bodies by index in a single unsorted strip, for comparing all with all.
    pub(in crate::cpu) fn list(&mut self, packed: &Packed, means: Means<'_>) -> Result<()> {
        (self.cut, self.best) = (Cut::ONE, Cut::ONE);
        let somewhere = packed.bounds.iter().zip(0..).filter(|(bound, _)| bound.is_somewhere());
        self.table.bodies.clear();
        means.room.reserve(&mut self.table.bodies, packed.bounds.len(), STRIPS)?;
        self.table.bodies.extend(somewhere.map(|(_, body)| body));
        self.starts = vec![0, self.table.bodies.len() as u32];
        self.table.resize(self.len(), means.room)?;
        for k in 0..self.len() {
            let Aabb { min, max } = packed.bounds[self.table.bodies[k] as usize];
            ([self.table.u[0][k], self.table.u[1][k]], [self.table.v[0][k], self.table.v[1][k]]) =
                ([min.x, max.x], [min.y, max.y]);
        }
        self.look_up(packed, means)
    }

    /// Looks up the other properties of bodies, in the order of the entries.
    fn look_up(&mut self, packed: &Packed, means: Means<'_>) -> Result<()> {
        let len = self.len();
        self.table.look_up_layers(len, packed, means)?;
        self.table.look_up_groups(len, packed, means)?;
        self.table.look_up_kinds(len, packed, means)?;
        self.table.look_up_looks(len, packed, means)
    }

    /// Returns the number of entries.
    pub(in crate::cpu) fn len(&self) -> usize {
        self.starts.last().map_or(0, |&end| end as usize)
    }

    /// Returns the number of places.
    pub(in crate::cpu) fn places(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    pub(in crate::cpu) fn cut(&self) -> Cut {
        self.cut
    }

    /// Returns the length of the longest entry of each place.
    pub(in crate::cpu) fn longest(&self, team: Team<'_>) -> Vec<i32> {
        let places: Vec<_> = (0..self.places()).collect();
        team.each(&places, |&place| {
            self.entries_of(place).map(|k| self.table.u[1][k] - self.table.u[0][k]).max().unwrap_or(0)
        })
    }

    /// Returns the entries of a place.
    pub(in crate::cpu) fn entries_of(&self, place: usize) -> Range<usize> {
        self.starts[place] as usize..self.starts[place + 1] as usize
    }

    /// Returns the place of an entry.
    pub(in crate::cpu) fn place_of(&self, entry: usize) -> usize {
        self.starts.partition_point(|&start| start as usize <= entry) - 1
    }

    /// Returns the bytes that the buffers hold.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        let bounds = self.some.capacity() * size_of::<Aabb>();
        let starts = 4 * self.starts.capacity();
        self.table.bytes() + bounds + starts + self.unsorted.bytes() + self.keys.sum(Keys::bytes)
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
        self.table.resize(self.len(), room)?;
        // Groups of places with about the same number of entries.
        let groups = Parts::new(self.len(), team.tasks(self.len(), 1 << 13));
        let mut place = 0;
        let starts = &self.starts;
        let mut rest = Some(self.table.columns());
        let tasks = (0..groups.count()).map_while(|group| {
            let (first, end) = (place, groups.part(group).end);
            while place + 1 < starts.len() && (starts[place] as usize) < end {
                place += 1;
            }
            let (columns, behind) = rest.take()?.split_at((starts[place] - starts[first]) as usize);
            rest = Some(behind);
            Some((first..place, columns))
        });
        let (cut, scattered, keys) = (self.cut, &self.unsorted, &self.keys);
        team.try_each_of(groups.count(), tasks, |(places, columns)| {
            keys.lend(|keys| simd.run(SortPlaces { cut, scattered, places, columns, keys, room }))
        })
    }
}
