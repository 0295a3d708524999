//! The input that describes bodies to a walker, and the result of its step.

use crate::ground::vec2::Vec2;
use crate::world::body::BodyId;

/// How a walker treats a body of the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Surface {
    /// Solid from all sides.
    #[default]
    Solid,
    /// A platform to jump through from below and stand on. Only its upper side is solid, and only to a walker that does
    /// not overlap it already.
    OneWay,
    /// Not in the way: coins, open doors, a plank to drop through.
    Open,
}

/// The direction along which a walker keeps its speed on slopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pace {
    /// Across, at a right angle to up: as fast over a hill as on level ground, as is common in platformers.
    #[default]
    Across,
    /// Along the slope: the steeper it is, the slower across. Slopes drawn in pixels have level sides, and count as
    /// level.
    Along,
}

/// A side of a body that a walker has met.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Side {
    /// The body.
    pub body: BodyId,
    /// Outward unit normal of the side. If the walker stands on corners, such as those of pixels, this is the normal of
    /// the line through the places where it would stand to its left and to its right.
    pub normal: [f64; 2],
}

/// The result of [`Walker::step`](super::Walker::step): the new position, and the sides that the walker met.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Walk {
    /// The new position of the body, in units.
    pub at: Vec2,
    /// The ground on which it stands; `None` in the air, on a slope that is too steep, and while it jumps. A walker
    /// that slides also stands in a crevice between two sides that are too steep, on one of them. If the walker is
    /// stuck, this is the ground that carried it, if any.
    pub ground: Option<Side>,
    /// The side that blocked it sideways: a wall, a stair that is too high, a slope that is too steep, up or down.
    pub wall: Option<Side>,
    /// The side that blocked it from above.
    pub ceiling: Option<Side>,
    /// The fall to continue with in the next step, before you add gravity: 0 on the ground, under a ceiling and when
    /// stuck, otherwise unchanged.
    pub fall: f64,
    /// The motion by which the ground has carried it, in units, without the way out of bodies that have moved into it
    /// and the way to the pixel at which a sprite that moves by fractions stands. When the walker jumps off, you may
    /// add this to its own speed.
    pub carried: Vec2,
    /// The solid body that the walker overlapped after the ground had carried it: the one with the lowest index. The
    /// walker has then moved out, or is stuck. If this is the body that walks, it was not left out with
    /// [`Search::except`](crate::query::Search::except).
    pub started_inside: Option<BodyId>,
    /// Whether the walker is inside a solid body with no way out, as when it is crushed. Then only the ground has moved
    /// it.
    pub stuck: bool,
}
