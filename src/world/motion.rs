//! Positions of bodies within a step.

use super::World;
use super::body::BodyId;
use super::packed::{self, SPRITE};
use crate::ground::lattice::Point;
use crate::ground::ticks::{TICKS, come, offset};
use crate::ground::vec2::Vec2;

impl World {
    /// Returns the position of a body at a tick of the step (0 to 65,536), in units; `None` if the body is gone. A
    /// convex body moves in lattice steps, a sprite by whole pixels from its start, as it is drawn. Ticks above 65,536
    /// count as 65,536.
    ///
    /// ```
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let dot = world.add_shape(Shape::sprite(Mask::from_rows(&["#"])?))?;
    /// let ball = world.add(&Body::new(ball, [0.5, 0.0]).moving([3.0, 0.0]))?;
    /// let dot = world.add(&Body::new(dot, [0.5, 0.0]).moving([3.0, 0.0]))?;
    /// assert_eq!(world.position_at(ball, 16384).unwrap().x, 1.25);
    /// assert_eq!(world.position_at(dot, 16384).unwrap().x, 1.5); // a pixel further
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn position_at(&self, id: BodyId, tick: u32) -> Option<Vec2> {
        self.posed(id).map(|body| position_at(&body, tick.min(TICKS)).units().into())
    }
}

/// Returns the position of a body at a tick.
pub(crate) fn position_at(body: &packed::Body, tick: u32) -> Point {
    if body.is(SPRITE) {
        let Point { x, y } = offset(body.position, body.motion, tick);
        body.position + Point::new(x << 8, y << 8)
    } else {
        body.position + come(body.motion, tick)
    }
}
