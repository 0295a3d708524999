//! Where bodies stand within a step, and how a world goes on to the next.

use super::World;
use super::body::BodyId;
use super::packed::{self, SPRITE};
use super::pose::{check_inside, check_place};
use crate::ground::error::Result;
use crate::ground::lattice::{Point, Vec2};
use crate::ground::ticks::{TICKS, come, offset};

impl World {
    /// Where a body stands at a tick of the step, 0 to 65,536, in units: a convex body as far as its motion has come, a sprite by whole pixels from
    /// its start, as it is drawn. Later ticks count as the last.
    ///
    /// ```
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let dot = world.add_shape(Shape::sprite(Mask::from_rows(&["#"])?))?;
    /// let ball = world.add(&Body::new(ball, [0.5, 0.0]).moving([3.0, 0.0]))?;
    /// let dot = world.add(&Body::new(dot, [0.5, 0.0]).moving([3.0, 0.0]))?;
    /// assert_eq!(world.place(ball, 16384).unwrap().x, 1.25);
    /// assert_eq!(world.place(dot, 16384).unwrap().x, 1.5); // a pixel further
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn place(&self, id: BodyId, tick: u32) -> Option<Vec2> {
        self.posed(id).map(|body| place(&body, tick.min(TICKS)).units().into())
    }

    /// Puts each body where its motion ends. All keep their motions: the next step begins where this one ended, to the lattice step.
    ///
    /// All bodies or, on an error, none: an [`Error::Value`](crate::Error::Value) names the first that would leave the world.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]).moving([0.1, 0.0]))?;
    /// for _ in 0..256 {
    ///     world.advance()?;
    /// }
    /// assert_eq!(world.body(id).unwrap().at.x, 26.0); // 0.1 is 26 steps of 1/256
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn advance(&mut self) -> Result<()> {
        if !self.packed.moving {
            return Ok(());
        }
        for index in 0..self.packed.len() {
            if self.packed.motions[index] != Point::ZERO {
                let end = self.packed.body(index);
                let end = packed::Body { position: end.position + end.motion, ..end };
                check_place(end.position)
                    .and_then(|()| check_inside(&end))
                    .map_err(|error| error.of(format!("body {index}")))?;
            }
        }
        for index in 0..self.packed.len() {
            let motion = self.packed.motions[index];
            if motion != Point::ZERO {
                self.packed.positions[index] = self.packed.positions[index] + motion;
                self.refresh(index);
            }
        }
        Ok(())
    }
}

/// Where a body stands at a tick.
pub(crate) fn place(body: &packed::Body, tick: u32) -> Point {
    if body.is(SPRITE) {
        let Point { x, y } = offset(body.position, body.motion, tick);
        body.position + Point::new(x << 8, y << 8)
    } else {
        body.position + come(body.motion, tick)
    }
}
