//! Moving many bodies: their new columns are checked, snapped and bounded, then become the world's.
//!
//! A body's kind and look do not depend on its position, only on whether it moves. The few bodies that start or stop
//! moving are updated one by one.

use std::ops::Range;

use super::Bodies;
use super::parts::{each, parts};
use super::repose::Reposed;
use super::source::{Places, Source};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::memory::Room;
use crate::simd::{Kernel, Lanes, Simd};
use crate::world::World;
use crate::world::bodies::BODIES;
use crate::world::packed::{Kind, SPRITE, reach};
use crate::world::pose::land::{bound_of, way_of};
use crate::world::pose::{check_inside, is_inside};

/// Number of places that are settled without a branch, before their rare cases are handled.
const TOGETHER: usize = 64;
/// If an edit is for more than one in this many bodies of the world, and more than one in this many of a part changed,
/// the log notes all bodies of the world as changed.
const CHANGED: usize = 4;

/// New columns, computed while the world's are still in use. A clone of a world has its own.
#[derive(Debug, Default)]
pub(in crate::world) struct Spare {
    positions: Vec<Point>,
    motions: Vec<Point>,
    bounds: Vec<Aabb>,
    /// The new poses, by the parts that computed them.
    pub(super) reposed: Vec<Vec<Reposed>>,
}

impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// A range of places, and the new columns of their bodies.
struct Part<'a> {
    places: Range<usize>,
    positions: &'a mut [Point],
    /// Empty if bodies keep their motions.
    motions: &'a mut [Point],
    bounds: &'a mut [Aabb],
    found: Found,
}

/// The findings in a part.
#[derive(Default)]
struct Found {
    /// The first place whose body cannot be where it is put; if there is one, nothing else counts.
    bad: Option<usize>,
    /// Ranges of places in which some body has a new position or motion.
    touched: Vec<Range<usize>>,
    /// The number of bodies with a new position or motion.
    count: usize,
    /// The indices of these bodies.
    changed: Vec<u32>,
    /// Whether so many bodies changed that they are not listed.
    many: bool,
    /// The bodies that start or stop moving.
    turned: Vec<u32>,
}

impl World {
    /// Gives bodies the positions and motions of a source. On an error no body changes.
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
        let Spare { positions, motions, bounds, .. } = spare;
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

    /// Makes room in the spare columns: as much as the world's have, because they may replace them.
    fn reserve_spare(&self, places: usize, spare: &mut Spare) -> Result<()> {
        let (room, count) = (Room::default(), places.max(self.tags.capacity()));
        room.grow_to(&mut spare.positions, count, BODIES)?;
        room.grow_to(&mut spare.motions, count, BODIES)?;
        room.grow_to(&mut spare.bounds, count, BODIES)
    }

    /// Computes the spare columns, on several threads if there are enough places.
    fn fill<S: Source>(&self, bodies: Bodies<'_>, source: S, spare: &mut Spare) -> Vec<Found> {
        let places = self.places(bodies);
        let Spare { positions, motions, bounds, .. } = spare;
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

    /// Returns an error if the body at a place cannot be where it is put.
    fn check<S: Source>(&self, bodies: Bodies<'_>, source: S, place: usize) -> Result<()> {
        let Some(index) = self.index_at(bodies, place)? else { return Ok(()) };
        let mut body = self.packed.body(index);
        let given = source.check(place, [body.position, body.motion]);
        let checked = given.and_then(|given| {
            [body.position, body.motion] = given;
            check_inside(&body).map(drop)
        });
        checked.map_err(|error| bodies.blame(place, self.blame(index, error)))
    }
}

/// The kernel that fills a part. `MOVES` is true if some body may move.
struct Settle<'a, 'b, S, const MOVES: bool> {
    world: &'a World,
    bodies: Bodies<'a>,
    source: S,
    part: &'a mut Part<'b>,
}

/// The columns of some places before the edit, in their order.
struct Before<'c> {
    at: Places<'c>,
    extents: &'c [Aabb],
    kinds: &'c [Kind],
    /// Flags of the bodies that are sprites; empty if no body moves.
    sprites: &'c [bool],
}

/// As [`Before`], gathered from arbitrary indices.
struct Gathered {
    positions: [Point; TOGETHER],
    motions: [Point; TOGETHER],
    extents: [Aabb; TOGETHER],
    kinds: [Kind; TOGETHER],
}

impl<S: Source, const MOVES: bool> Kernel for Settle<'_, '_, S, MOVES> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(mut self, _: L) {
        let (packed, all) = (self.world.packed(), self.part.places.clone());
        let mut gathered = Gathered {
            positions: [Point::ZERO; TOGETHER],
            motions: [Point::ZERO; TOGETHER],
            extents: [Aabb::NOWHERE; TOGETHER],
            kinds: [Kind::Absent; TOGETHER],
        };
        let mut sprites = [false; TOGETHER];
        let mut start = all.start;
        while start < all.end && self.part.found.bad.is_none() {
            let places = start..all.end.min(start + TOGETHER);
            start = places.end;
            let sprites = &mut sprites[..if MOVES { places.len() } else { 0 }];
            let bodies = match self.bodies {
                Bodies::All => {
                    let poses = &packed.poses[places.clone()];
                    sprites.iter_mut().zip(poses).for_each(|(sprite, pose)| *sprite = pose.flags & SPRITE != 0);
                    Before {
                        at: Places {
                            positions: &packed.positions[places.clone()],
                            motions: &packed.motions[places.clone()],
                        },
                        extents: &packed.extents[places.clone()],
                        kinds: &packed.kinds[places.clone()],
                        sprites,
                    }
                }
                Bodies::These(_) => match self.gather(places.clone(), &mut gathered, sprites) {
                    Some(bodies) => bodies,
                    None => return,
                },
            };
            self.settle(places, &bodies);
        }
        if !self.part.found.many {
            self.list();
        }
    }
}

impl<S: Source, const MOVES: bool> Settle<'_, '_, S, MOVES> {
    /// Gathers the bodies of some places of a list. If one of them is gone, notes the first bad place and returns
    /// `None`.
    #[inline(always)]
    fn gather<'c>(
        &mut self,
        places: Range<usize>,
        to: &'c mut Gathered,
        sprites: &'c mut [bool],
    ) -> Option<Before<'c>> {
        let Self { world, bodies, source, ref mut part } = *self;
        let (packed, count) = (world.packed(), places.len());
        for (k, place) in places.clone().enumerate() {
            let Ok(Some(body)) = world.index_at(bodies, place) else {
                part.found.bad = places.clone().find(|&place| world.check(bodies, source, place).is_err());
                return None;
            };
            (to.positions[k], to.motions[k]) = (packed.positions[body], packed.motions[body]);
            (to.extents[k], to.kinds[k]) = (packed.extents[body], packed.kinds[body]);
            sprites.get_mut(k).into_iter().for_each(|sprite| *sprite = packed.poses[body].flags & SPRITE != 0);
        }
        let at = Places { positions: &to.positions[..count], motions: &to.motions[..count] };
        Some(Before { at, extents: &to.extents[..count], kinds: &to.kinds[..count], sprites })
    }

    /// Settles the bodies of some places. The loops have no branch, so compilers vectorize them.
    #[inline(always)]
    fn settle(&mut self, places: Range<usize>, &Before { at: before, extents, kinds, sprites }: &Before<'_>) {
        let Self { world, bodies, source, ref mut part } = *self;
        let here = places.start - part.places.start..places.end - part.places.start;
        let positions = &mut part.positions[here.clone()];
        let motions = if S::MOTIONS { &mut part.motions[here.clone()] } else { &mut [] };
        let within = source.give(places.clone(), before, positions, motions);
        let motions = if S::MOTIONS { &*motions } else { before.motions };
        let bounds = &mut part.bounds[here];
        let mut inside = true;
        if MOVES {
            let moving = positions.iter().zip(motions).zip(sprites);
            for (((position, motion), sprite), (extent, bound)) in moving.zip(extents.iter().zip(bounds)) {
                *bound = bound_of(*position, *motion, extent, *sprite);
                inside &= is_inside(&bound.join(&way_of(*position, *motion, *sprite)));
            }
        } else {
            // The source has checked that positions lie in the world.
            for ((position, kind), (extent, bound)) in positions.iter().zip(kinds).zip(extents.iter().zip(bounds)) {
                // An absent body may be a sprite, so it is bounded as one. If these larger bounds leave the world,
                // `check` decides.
                let sprite = matches!(kind, Kind::Mask | Kind::Painted | Kind::Absent);
                *bound = reach(*position, extent, sprite);
                inside &= is_inside(bound);
            }
        }
        if !(within && inside) {
            // A body that is empty, or a free index, is not bad.
            part.found.bad = places.clone().find(|&place| world.check(bodies, source, place).is_err());
        }
        let mut absent = false;
        for kind in kinds {
            absent |= *kind == Kind::Absent;
        }
        let turns = |k: usize| (before.motions[k] == Point::ZERO) != (motions[k] == Point::ZERO);
        let turned = MOVES && (0..motions.len()).any(turns);
        if absent || turned {
            places.clone().for_each(|place| self.note(place));
        }
        self.count(places, before);
    }

    /// Counts the bodies that changed, and notes the places if there are any.
    #[inline(always)]
    fn count(&mut self, places: Range<usize>, before: Places<'_>) {
        let Self { world, bodies, ref mut part, .. } = *self;
        if part.found.many {
            return;
        }
        let is_wide = world.places(bodies) * CHANGED > world.indices();
        let first = places.start - part.places.start;
        let changed = (0..places.len())
            .filter(|&k| part.is_changed::<S>(first + k, [before.positions[k], before.motions[k]]))
            .count();
        if changed > 0 {
            part.found.count += changed;
            part.found.many = is_wide && part.found.count * CHANGED > part.places.len();
            part.found.touched.push(places);
        }
    }

    /// Handles rare cases: absent bodies, free indices, and bodies that start or stop moving.
    fn note(&mut self, place: usize) {
        let Self { world, bodies, ref mut part, .. } = *self;
        let body = match bodies {
            // The index may be free.
            Bodies::All => place,
            Bodies::These(ids) => ids[place].index as usize,
        };
        let packed = world.packed();
        let (k, before) = (place - part.places.start, packed.motions[body]);
        if packed.kinds[body] == Kind::Absent {
            part.bounds[k] = Aabb::NOWHERE;
        }
        if world.body_handles.serial(body as u32).is_none() {
            part.positions[k] = Point::ZERO;
            part.motions.get_mut(k).into_iter().for_each(|motion| *motion = Point::ZERO);
        }
        let now = if S::MOTIONS { part.motions[k] } else { before };
        if (now == Point::ZERO) != (before == Point::ZERO) {
            part.found.turned.push(body as u32);
        }
    }

    /// Lists the bodies that changed.
    fn list(&mut self) {
        let Self { world, bodies, ref mut part, .. } = *self;
        let packed = world.packed();
        for place in std::mem::take(&mut part.found.touched).into_iter().flatten() {
            if let Ok(Some(body)) = world.index_at(bodies, place)
                && part.is_changed::<S>(place - part.places.start, [packed.positions[body], packed.motions[body]])
            {
                part.found.changed.push(body as u32);
            }
        }
    }
}

impl Part<'_> {
    /// Returns true if the body at the `k`-th place has a new position or motion.
    #[inline(always)]
    fn is_changed<S: Source>(&self, k: usize, before: [Point; 2]) -> bool {
        self.positions[k] != before[0] || (S::MOTIONS && self.motions[k] != before[1])
    }
}
