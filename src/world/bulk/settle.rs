//! Bodies put in other places: checked, snapped and bounded, then taken over.
//!
//! What else follows of a body (its kind, its look) does not depend on where it stands, but on whether it moves: those
//! that begin or cease to are brought up to date one by one, and are few.

use std::ops::Range;

use super::Bodies;
use super::parts::{each, parts};
use super::source::Source;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, WORLD};
use crate::ground::memory::Room;
use crate::simd::{Kernel, Lanes, Simd};
use crate::world::World;
use crate::world::bodies::BODIES;
use crate::world::packed::{Kind, SPRITE, reach};
use crate::world::pose::check_inside;
use crate::world::pose::land::bound_of;

/// Places that are settled without a branch, and then looked at for what is rare.
const TOGETHER: usize = 64;
/// Where more than one in so many changed, it is not told which.
const CHANGED: usize = 4;

/// Columns that are made while the world's still stand. A copy of a world makes its own.
#[derive(Debug, Default)]
pub(in crate::world) struct Spare {
    positions: Vec<Point>,
    motions: Vec<Point>,
    bounds: Vec<Aabb>,
}

impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Some places, and what becomes of the bodies there.
struct Part<'a> {
    places: Range<usize>,
    positions: &'a mut [Point],
    /// Empty, where bodies keep their motions.
    motions: &'a mut [Point],
    bounds: &'a mut [Aabb],
    found: Found,
}

/// What was found on the way.
#[derive(Default)]
struct Found {
    /// The first place whose body cannot be where it is to be: then nothing else counts.
    bad: Option<usize>,
    /// The bodies whose position or motion is another now.
    changed: Vec<u32>,
    /// Whether these are so many that no more were looked for.
    many: bool,
    /// The bodies that begin or cease to move.
    turned: Vec<u32>,
}

impl World {
    /// Gives bodies the positions and motions of a source; all or, on an error, none.
    pub(super) fn settle(&mut self, bodies: Bodies<'_>, source: impl Source) -> Result<()> {
        let mut spare = std::mem::take(&mut self.spare);
        let done = self.settle_with(bodies, source, &mut spare);
        self.spare = spare;
        done
    }

    fn settle_with<S: Source>(&mut self, bodies: Bodies<'_>, source: S, spare: &mut Spare) -> Result<()> {
        self.reserve_spare(self.places(bodies), spare)?;
        let found = self.fill(bodies, source, spare);
        if let Some(place) = found.iter().filter_map(|found| found.bad).min() {
            self.check(bodies, source, place)?;
        }
        let Spare { positions, motions, bounds } = spare;
        match bodies {
            Bodies::All => {
                std::mem::swap(&mut self.packed.positions, positions);
                std::mem::swap(&mut self.packed.bounds, bounds);
                if S::MOTIONS {
                    std::mem::swap(&mut self.packed.motions, motions);
                }
            }
            Bodies::These(ids) => {
                for (place, id) in ids.iter().enumerate() {
                    self.packed.positions[id.index as usize] = positions[place];
                    self.packed.bounds[id.index as usize] = bounds[place];
                }
                for (id, motion) in ids.iter().zip(motions) {
                    self.packed.motions[id.index as usize] = *motion;
                }
            }
        }
        if found.iter().any(|found| found.many) {
            self.changed_bodies.note_all();
        } else {
            let changed = found.iter().flat_map(|found| &found.changed);
            changed.for_each(|&body| self.changed_bodies.note(body, self.packed.len()));
        }
        found.iter().flat_map(|found| &found.turned).for_each(|&body| self.refresh(body as usize));
        Ok(())
    }

    /// Makes room in the spare columns: as much as the world's have, whose place they may take.
    fn reserve_spare(&self, places: usize, spare: &mut Spare) -> Result<()> {
        let (room, count) = (Room::default(), places.max(self.tags.capacity()));
        room.grow_to(&mut spare.positions, count, BODIES)?;
        room.grow_to(&mut spare.motions, count, BODIES)?;
        room.grow_to(&mut spare.bounds, count, BODIES)
    }

    /// Makes the spare columns.
    fn fill<S: Source>(&self, bodies: Bodies<'_>, source: S, spare: &mut Spare) -> Vec<Found> {
        let places = self.places(bodies);
        let Spare { positions, motions, bounds } = spare;
        positions.resize(places, Point::ZERO);
        motions.resize(if S::MOTIONS { places } else { 0 }, Point::ZERO);
        bounds.resize(places, Aabb::NOWHERE);
        let ranges = parts(places);
        let step = ranges[0].len().max(1);
        let mut all_motions = motions.chunks_mut(step);
        let columns = positions.chunks_mut(step).zip(bounds.chunks_mut(step));
        let mut all: Vec<Part<'_>> = ranges
            .into_iter()
            .zip(columns)
            .map(|(places, (positions, bounds))| {
                let motions = all_motions.next().unwrap_or_default();
                Part { places, positions, motions, bounds, found: Found::default() }
            })
            .collect();
        let simd = Simd::best();
        if S::MOTIONS || self.packed.moving {
            each(&mut all, |part| simd.run(Settle::<_, true> { world: self, bodies, source, part }));
        } else {
            each(&mut all, |part| simd.run(Settle::<_, false> { world: self, bodies, source, part }));
        }
        all.into_iter().map(|part| part.found).collect()
    }

    /// An error where the body at a place cannot be where it is to be.
    fn check<S: Source>(&self, bodies: Bodies<'_>, source: S, place: usize) -> Result<()> {
        let Some(index) = self.index_at(bodies, place)? else { return Ok(()) };
        let mut body = self.packed.body(index);
        let given = source.check(place, [body.position, body.motion]);
        let checked = given.and_then(|given| {
            [body.position, body.motion] = given;
            check_inside(&body)
        });
        checked.map_err(|error| bodies.blame(place, error.of(format!("body {index}"))))
    }
}

/// Fills a part. `MOVES`: some body may move.
struct Settle<'a, 'b, S, const MOVES: bool> {
    world: &'a World,
    bodies: Bodies<'a>,
    source: S,
    part: &'a mut Part<'b>,
}

impl<S: Source, const MOVES: bool> Kernel for Settle<'_, '_, S, MOVES> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, _: L) {
        let (world, places) = (self.world, self.part.places.clone());
        let mut start = places.start;
        while start < places.end && self.part.found.bad.is_none() {
            let end = places.end.min(start + TOGETHER);
            match self.bodies {
                Bodies::All => self.settle(start..end, Some),
                Bodies::These(ids) => self.settle(start..end, |place| world.index_of(ids[place]).ok()),
            }
            start = end;
        }
    }
}

impl<S: Source, const MOVES: bool> Settle<'_, '_, S, MOVES> {
    /// Some places, whose bodies are at these indices.
    #[expect(clippy::needless_bitwise_bool, reason = "without a branch, many at once")]
    #[inline(always)]
    fn settle(&mut self, places: Range<usize>, index: impl Fn(usize) -> Option<usize>) {
        let Self { world, bodies, source, ref mut part } = *self;
        let packed = world.packed();
        let (mut bad, mut absent, mut changed, mut turned) = (false, false, false, false);
        for place in places.clone() {
            let Some(body) = index(place) else {
                bad = true;
                continue;
            };
            let (kind, extent) = (packed.kinds[body], &packed.extents[body]);
            let before = [packed.positions[body], if MOVES { packed.motions[body] } else { Point::ZERO }];
            let ([position, motion], within) = source.give(place, before);
            let bound = if MOVES {
                bound_of(position, motion, extent, packed.poses[body].flags & SPRITE != 0)
            } else {
                // What is absent may be a sprite: the larger bounds are right for `bad`.
                let sprite = (kind == Kind::Mask) | (kind == Kind::Painted) | (kind == Kind::Absent);
                reach(position, extent, sprite)
            };
            bad |= !(within & is_inside(&bound));
            absent |= kind == Kind::Absent;
            changed |= before != [position, motion];
            turned |= (before[1] != Point::ZERO) != (motion != Point::ZERO);
            let k = place - part.places.start;
            (part.positions[k], part.bounds[k]) = (position, bound);
            if S::MOTIONS {
                part.motions[k] = motion;
            }
        }
        if bad {
            // Unless it is empty, or what stands at a free index.
            part.found.bad = places.clone().find(|&place| world.check(bodies, source, place).is_err());
        }
        if absent || turned || (changed && !part.found.many) {
            places.filter_map(|place| Some((place, index(place)?))).for_each(|(place, body)| self.note(place, body));
        }
    }

    /// What is rare, and what changed.
    fn note(&mut self, place: usize, body: usize) {
        let Self { world, bodies, ref mut part, .. } = *self;
        let packed = world.packed();
        let (k, before) = (place - part.places.start, [packed.positions[body], packed.motions[body]]);
        if packed.kinds[body] == Kind::Absent {
            part.bounds[k] = Aabb::NOWHERE;
        }
        if world.body_handles.serial(body as u32).is_none() {
            part.positions[k] = Point::ZERO;
            part.motions.get_mut(k).into_iter().for_each(|motion| *motion = Point::ZERO);
        }
        let now = [part.positions[k], if S::MOTIONS { part.motions[k] } else { before[1] }];
        if now != before {
            part.found.changed.push(body as u32);
            part.found.many = bodies == Bodies::All && part.found.changed.len() * CHANGED > part.places.len();
        }
        if (now[1] == Point::ZERO) != (before[1] == Point::ZERO) {
            part.found.turned.push(body as u32);
        }
    }
}

/// Whether a box lies in the world.
#[expect(clippy::needless_bitwise_bool, reason = "without a branch, many at once")]
#[inline(always)]
fn is_inside(Aabb { min, max }: &Aabb) -> bool {
    (min.x >= -WORLD) & (min.y >= -WORLD) & (max.x <= WORLD) & (max.y <= WORLD)
}
