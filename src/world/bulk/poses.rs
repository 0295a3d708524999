//! Bulk edits of more than position and motion: bodies are posed on all threads, then stored.

use std::ops::Range;

use super::Bodies;
use super::parts::{EDITED, each, parts};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::linear::Linear;
use crate::ground::memory::Room;
use crate::ground::vec2::Vec2;
use crate::simd::{Kernel, Lanes, Simd};
use crate::world::World;
use crate::world::body::ShapeId;
use crate::world::packed;
use crate::world::pose::{self, Posed, check_inside};

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

/// A source of new poses.
trait Poses: Copy + Send + Sync {
    /// Returns the new pose of the body at an index, given its place among those that are edited, and its linear part.
    fn pose(&self, world: &World, place: usize, index: usize) -> Result<(Posed, Linear)>;
}

/// Positions, linear parts and motions.
struct All<'a, P, L, M>(&'a [P], &'a [L], &'a [M]);

/// Linear parts.
struct Linears<'a, L>(&'a [L]);

/// Shapes.
#[derive(Clone, Copy)]
struct Shapes<'a>(&'a [ShapeId]);

impl<P, L, M> Clone for All<'_, P, L, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, L, M> Copy for All<'_, P, L, M> {}

impl<L> Clone for Linears<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Linears<'_, L> {}

impl<P: Into<Vec2> + Copy + Sync, L: Into<Linear> + Copy + Sync, M: Into<Vec2> + Copy + Sync> Poses
    for All<'_, P, L, M>
{
    #[inline(always)]
    fn pose(&self, world: &World, place: usize, index: usize) -> Result<(Posed, Linear)> {
        let Self(at, linear, motion) = *self;
        let body = pose::place(at[place].into(), motion[place].into(), world.packed.body(index))?;
        let linear = linear[place].into();
        Ok((world.turned(index, body, linear)?, linear))
    }
}

impl<L: Into<Linear> + Copy + Sync> Poses for Linears<'_, L> {
    #[inline(always)]
    fn pose(&self, world: &World, place: usize, index: usize) -> Result<(Posed, Linear)> {
        let linear = self.0[place].into();
        Ok((world.turned(index, world.packed.body(index), linear)?, linear))
    }
}

impl Poses for Shapes<'_> {
    #[inline(always)]
    fn pose(&self, world: &World, place: usize, index: usize) -> Result<(Posed, Linear)> {
        let (shape, linear) = (world.index_of_shape(self.0[place])? as u32, world.linears[index]);
        let body = packed::Body { shape, ..world.packed.body(index) };
        Ok((world.turned(index, body, linear)?, linear))
    }
}

impl World {
    /// Sets the positions, linear parts and motions of many bodies; their shapes, filters and tags stay.
    ///
    /// Threads and errors are as for [`World::set_positions`].
    ///
    /// ```
    /// use hitmask::{Bodies, Body, Linear, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(4.0, 2.0)?)?;
    /// let id = world.add(&Body::new(tile, [0, 0]))?;
    /// world.set_poses(Bodies::All, &[[10, 10]], &[Linear::from_degrees(90.0)], &[[0, 0]])?;
    /// assert_eq!(world.bounds(id).unwrap().min.units(), [8.0, 10.0]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn set_poses<P, L, M>(&mut self, bodies: Bodies<'_>, at: &[P], linear: &[L], motion: &[M]) -> Result<()>
    where
        P: Into<Vec2> + Copy + Sync,
        L: Into<Linear> + Copy + Sync,
        M: Into<Vec2> + Copy + Sync,
    {
        self.check_len(bodies, "at", at.len())?;
        self.check_len(bodies, "linear", linear.len())?;
        self.check_len(bodies, "motion", motion.len())?;
        self.repose(bodies, All(at, linear, motion))
    }

    /// Sets the linear parts of many bodies: rotation, scale, flip and shear; everything else stays.
    ///
    /// Threads and errors are as for [`World::set_positions`]. A body whose linear part is as before costs little.
    ///
    /// ```
    /// use hitmask::{Bodies, Body, Linear, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(4.0, 2.0)?)?;
    /// let id = world.add(&Body::new(tile, [0, 0]))?;
    /// world.set_linears(Bodies::All, &[Linear::scaled(3.0)])?;
    /// assert_eq!(world.bounds(id).unwrap().max.units(), [12.0, 6.0]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn set_linears<L>(&mut self, bodies: Bodies<'_>, linear: &[L]) -> Result<()>
    where
        L: Into<Linear> + Copy + Sync,
    {
        self.check_len(bodies, "linear", linear.len())?;
        self.repose(bodies, Linears(linear))
    }

    /// Gives many bodies other shapes, such as the next frames of their animations; everything else stays.
    ///
    /// Threads and errors are as for [`World::set_positions`], with an [`Error::Gone`](crate::Error::Gone) for a shape
    /// that was removed. A body whose shape is as before costs little.
    ///
    /// ```
    /// use hitmask::{Bodies, Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let frames = [Mask::from_rows(&["#..#"])?, Mask::from_rows(&["##.."])?].map(Shape::sprite);
    /// let frames = world.add_shapes(frames)?;
    /// let walkers = world.add_all(&[Body::new(frames[0], [10, 10]), Body::new(frames[1], [50, 10])])?;
    /// world.set_shapes(Bodies::These(&walkers), &[frames[1], frames[0]])?;
    /// assert_eq!(world.body(walkers[0]).unwrap().shape, frames[1]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn set_shapes(&mut self, bodies: Bodies<'_>, shapes: &[ShapeId]) -> Result<()> {
        self.check_len(bodies, "shape", shapes.len())?;
        self.repose(bodies, Shapes(shapes))
    }

    /// Gives bodies the poses of a source. On an error no body changes.
    fn repose(&mut self, bodies: Bodies<'_>, source: impl Poses) -> Result<()> {
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

    /// Returns a body of the world with a shape or linear part that may be new.
    #[inline(always)]
    fn turned(&self, index: usize, body: packed::Body, linear: Linear) -> Result<Posed> {
        if body.shape == self.packed.poses[index].shape && self.linears[index] == linear {
            Ok((body, check_inside(&body)?))
        } else {
            pose::turn(body, linear, &self.model_at(body.shape as usize)?)
        }
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
                world.use_shape(index, body.shape);
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
        let Repose { world, bodies, source, ref places, ref mut to } = *self;
        for place in places.clone() {
            let Some(index) = world.index_at(bodies, place)? else { continue };
            let posed = source.pose(world, place, index);
            let ((body, bounds), linear) = posed.map_err(|error| bodies.blame(place, world.blame(index, error)))?;
            to.push(Reposed { index: index as u32, linear, body, bounds });
        }
        Ok(())
    }
}
