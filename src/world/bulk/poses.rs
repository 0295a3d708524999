//! Bulk edits of more than position and motion: bodies are posed on all threads, then stored.

use super::Bodies;
use super::parts::collect;
use crate::ground::error::Result;
use crate::ground::linear::Linear;
use crate::ground::vec2::Vec2;
use crate::world::World;
use crate::world::body::{Body, ShapeId};

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
        self.repose(bodies, |place, body| Body {
            at: at[place].into(),
            linear: linear[place].into(),
            motion: motion[place].into(),
            ..body
        })
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
        self.repose(bodies, |place, body| Body { linear: linear[place].into(), ..body })
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
        self.repose(bodies, |place, body| Body { shape: shapes[place], ..body })
    }

    /// Replaces the body at each place by what `edit` makes of it. On an error no body changes.
    fn repose(&mut self, bodies: Bodies<'_>, edit: impl Fn(usize, Body) -> Body + Send + Sync) -> Result<()> {
        let world = &*self;
        let posed = collect(self.places(bodies), |place| {
            let index = match world.index_at(bodies, place) {
                Ok(index) => index?,
                Err(error) => return Some(Err(error)),
            };
            let body = edit(place, world.body(world.id(index as u32)?)?);
            let posed = world.pose_again(index, &body).map_err(|error| bodies.blame(place, error));
            Some(posed.map(|posed| (index, posed, body.linear)))
        })?;
        for (index, posed, linear) in posed.into_iter().flatten() {
            if self.packed.body(index) == posed && self.linears[index] == linear {
                continue;
            }
            self.edit_form(index, |world| {
                world.linears[index] = linear.without_minus_zero();
                if world.packed.body(index) != posed {
                    world.use_shape(index, posed.shape);
                    world.put_posed(index, &posed);
                }
            });
        }
        Ok(())
    }
}
