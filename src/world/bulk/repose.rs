//! Posing many bodies: on all threads each gets its new pose, then all are stored.

use std::ops::Range;

use super::Bodies;
use super::parts::{EDITED, each, parts};
use super::poses::{Poses, Wanted};
use super::turned::{TOGETHER, Turned};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::linear::{Linear, Snapped};
use crate::ground::memory::Room;
use crate::simd::{Kernel, Lanes, Simd};
use crate::world::World;
use crate::world::packed;
use crate::world::pose::{self, check_inside, turned_sprite};

/// A body with its new pose, until it is stored.
#[derive(Debug)]
pub(super) struct Reposed {
    index: u32,
    /// The linear part, as it was set.
    linear: Linear,
    body: packed::Body,
    /// Its bounds, if it is not absent.
    bounds: Aabb,
}

impl World {
    /// Gives bodies the poses of a source. On an error no body changes.
    pub(super) fn repose(&mut self, bodies: Bodies<'_>, source: impl Poses) -> Result<()> {
        let mut spare = std::mem::take(&mut self.spare.reposed);
        let done = self.pose_all(bodies, source, &mut spare);
        if done.is_ok() {
            if 2 * self.places(bodies) > self.len() {
                self.forget_forms();
            }
            for reposed in spare.iter().flatten() {
                self.store(reposed);
            }
        }
        self.spare.reposed = spare;
        done
    }

    /// Computes the new poses, a list for each part. The error is that of the lowest place with one.
    fn pose_all(&self, bodies: Bodies<'_>, source: impl Poses, spare: &mut Vec<Vec<Reposed>>) -> Result<()> {
        let ranges = parts(self.places(bodies));
        spare.resize_with(ranges.len(), Vec::new);
        let mut all = Vec::new();
        for (places, to) in ranges.into_iter().zip(spare) {
            to.clear();
            Room::default().grow_to(to, places.len(), EDITED)?;
            all.push((Repose { world: self, bodies, source, places, to }, Ok(())));
        }
        let simd = Simd::best();
        each(&mut all, |(part, done)| *done = simd.run(part));
        all.into_iter().try_for_each(|(_, done)| done)
    }

    /// Returns all that decides the pose of the body at an index now.
    #[inline(always)]
    pub(super) fn as_it_is(&self, index: usize) -> Wanted {
        let (position, motion) = (self.packed.positions[index], self.packed.motions[index]);
        Wanted { position, motion, shape: self.packed.poses[index].shape, linear: self.linears[index] }
    }

    /// Returns true if the body at an index has this shape and this linear part.
    #[inline(always)]
    fn is_posed(&self, index: usize, shape: u32, linear: Linear) -> bool {
        self.packed.poses[index].shape == shape && self.linears[index] == linear
    }

    /// Stores a new pose, unless the body has it already.
    #[inline(always)]
    fn store(&mut self, &Reposed { index, linear, ref body, bounds }: &Reposed) {
        let index = index as usize;
        let packed = &self.packed;
        let is_there = packed.poses[index] == body.pose()
            && packed.positions[index] == body.position
            && packed.motions[index] == body.motion;
        if is_there && self.linears[index] == linear {
            return;
        }
        self.edit_form(index, |world| {
            world.linears[index] = linear.without_minus_zero();
            if !is_there {
                if body.shape != world.packed.poses[index].shape {
                    world.use_shape(index, body.shape);
                }
                world.put_pose(index, body, bounds);
            }
        });
    }
}

/// The kernel that poses the bodies of a part.
struct Repose<'a, 'b, S> {
    world: &'a World,
    bodies: Bodies<'a>,
    source: S,
    places: Range<usize>,
    to: &'b mut Vec<Reposed>,
}

impl<S: Poses> Kernel for &mut Repose<'_, '_, S> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Result<()> {
        let mut turned = Turned::default();
        let Range { start, end } = self.places;
        for start in (start..end).step_by(TOGETHER) {
            let places = start..end.min(start + TOGETHER);
            self.turn(places.clone(), &mut turned);
            for (k, place) in places.enumerate() {
                let Some(index) = self.world.index_at(self.bodies, place)? else { continue };
                let blame = |error| self.bodies.blame(place, self.world.blame(index, error));
                let (body, linear) = self.pose(place, index, turned.get(k)).map_err(blame)?;
                let bounds = check_inside(&body).map_err(blame)?;
                self.to.push(Reposed { index: index as u32, linear, body, bounds });
            }
        }
        Ok(())
    }
}

impl<S: Poses> Repose<'_, '_, S> {
    /// Turns the sprites among the bodies of some places, up to the first with an error.
    #[inline(always)]
    fn turn(&self, places: Range<usize>, turned: &mut Turned) {
        let Self { world, bodies, source, .. } = *self;
        turned.clear();
        for (k, place) in places.enumerate() {
            let Ok(index) = world.index_at(bodies, place) else { break };
            let Some(index) = index else { continue };
            let Ok(Wanted { shape, linear, .. }) = source.want(world, place, index) else { break };
            // An unturned sprite needs no division.
            if linear != Linear::IDENTITY
                && !world.is_posed(index, shape, linear)
                && let Some((anchor, solid)) = world.solid_of(shape as usize)
            {
                turned.put(k, linear, anchor, solid);
            }
        }
        turned.turn();
    }

    /// Returns the body of a place with its new pose, and its linear part. `turned` is its inverse and its extent, if
    /// it was turned with others.
    #[inline(always)]
    fn pose(&self, place: usize, index: usize, turned: Option<(Snapped, Aabb)>) -> Result<(packed::Body, Linear)> {
        let Self { world, source, .. } = *self;
        let Wanted { position, motion, shape, linear } = source.want(world, place, index)?;
        let body = packed::Body { position, motion, shape, ..world.packed.body(index) };
        let body = if let Some((inverse, extent)) = turned {
            turned_sprite(body, inverse, extent)
        } else if world.is_posed(index, shape, linear) {
            body
        } else {
            pose::turn(body, linear, &world.model_at(shape as usize)?)?
        };
        Ok((body, linear))
    }
}
