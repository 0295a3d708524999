//! What a walker is told of bodies, and what it tells of a step.

use crate::ground::vec2::Vec2;
use crate::world::body::BodyId;

/// What a body of the world is to a walker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Surface {
    /// In the way from all sides.
    #[default]
    Solid,
    /// A platform that is jumped through from below and stood on: only its upper side is in the way, and only of what
    /// does not overlap it already.
    OneWay,
    /// Not in the way: coins, doors that are open, a plank that is dropped through.
    Open,
}

/// Along what a walker keeps its speed on slopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pace {
    /// Across, at a right angle to up: as fast over a hill as over a plain, as platformers have it.
    #[default]
    Across,
    /// Along the slope: slower across, the steeper it is. Slopes that are drawn in pixels have level sides, and count
    /// as level.
    Along,
}

/// A side of a body that a walker has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Side {
    /// The body.
    pub body: BodyId,
    /// Unit normal of the side, out of the body. Where a walker stands on corners, as on those of pixels, that of the
    /// line through the places on its left and on its right where it would stand.
    pub normal: [f64; 2],
}

/// Where a walker has come within a step, and what it has come to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walk {
    /// Where the body stands now, in units.
    pub at: Vec2,
    /// What it stands on. None in the air, on what is too steep, and while it jumps.
    pub ground: Option<Side>,
    /// What was in its way beside it: a wall, a stair that is too high, a slope that is too steep, up or down.
    pub wall: Option<Side>,
    /// What was in its way above it.
    pub ceiling: Option<Side>,
    /// The fall to go on with in the next step, before gravity is added: 0 on the ground, under a ceiling and in a
    /// press, else what it was.
    pub fall: f64,
    /// By how much the ground has carried it, in units. One that jumps off may add it to its own speed.
    pub carried: Vec2,
    /// Whether it is inside something solid that no way leads out of, as in a press: then nothing but the ground has
    /// moved it.
    pub stuck: bool,
}
