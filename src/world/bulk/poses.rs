//! Bulk edits of more than position and motion, and their sources.

use super::Bodies;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::linear::Linear;
use crate::ground::vec2::Vec2;
use crate::world::World;
use crate::world::body::ShapeId;
use crate::world::pose;

/// All that decides the pose of a body, as it is wanted.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    pub(super) position: Point,
    pub(super) motion: Point,
    pub(super) shape: u32,
    pub(super) linear: Linear,
}

/// A source of new poses.
pub(super) trait Poses: Copy + Send + Sync {
    /// Returns what the body at an index is to be, given its place among those that are edited.
    fn want(&self, world: &World, place: usize, index: usize) -> Result<Wanted>;
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
    fn want(&self, world: &World, place: usize, index: usize) -> Result<Wanted> {
        let Self(at, linear, motion) = *self;
        let [position, motion] = pose::place(at[place].into(), motion[place].into())?;
        Ok(Wanted { position, motion, linear: linear[place].into(), ..world.as_it_is(index) })
    }
}

impl<L: Into<Linear> + Copy + Sync> Poses for Linears<'_, L> {
    #[inline(always)]
    fn want(&self, world: &World, place: usize, index: usize) -> Result<Wanted> {
        Ok(Wanted { linear: self.0[place].into(), ..world.as_it_is(index) })
    }
}

impl Poses for Shapes<'_> {
    #[inline(always)]
    fn want(&self, world: &World, place: usize, index: usize) -> Result<Wanted> {
        Ok(Wanted { shape: world.index_of_shape(self.0[place])? as u32, ..world.as_it_is(index) })
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
}
