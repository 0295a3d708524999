//! The component of the library's character controller.

use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_reflect::prelude::*;
use hitmask::Result;
use hitmask::response::{Pace, Walker};

use super::body::HitBody;
use super::layers::LayerMask;
use crate::units::down;

/// Moves an entity with a body as a character: up slopes and stairs, carried by platforms, stopped by walls.
///
/// In `FixedUpdate`, set how far it runs, and add gravity to [`Character::fall`]. In
/// [`HitmaskSystems::Walk`](crate::HitmaskSystems::Walk) the plugin moves its `Transform` and says what it met. Its
/// children go with it. The bodies that its [`Layers`](crate::Layers) let it hit are solid to it. While `run` or `fall`
/// is not finite it stands still, with one warning. It also stands still while its parent has no area, as with a scale
/// of 0. In a tilted parent it keeps its own z.
///
/// The body is swept straight from its last place to its new one. Over a hilltop or a stair that line cuts through the
/// ground, so a hit with the ground may be reported: tell by layers what counts.
#[derive(Component, Clone, Debug, Reflect)]
#[require(HitBody)]
#[reflect(Component, Default, Debug, Clone)]
pub struct Character {
    /// The distance that it runs in each step, in units: along the ground, to the right if positive.
    pub run: f32,
    /// The distance that it falls in each step, in units; negative while it jumps. The plugin sets it to 0 on the
    /// ground and under a ceiling.
    pub fall: f32,
    /// Layers whose bodies are solid only from above.
    pub one_way: LayerMask,
    /// Layers whose bodies are not in its way.
    pub open: LayerMask,
    /// The entity that it stands on.
    pub ground: Option<Entity>,
    /// The normal of the ground; 0 in the air.
    pub ground_normal: Vec2,
    /// The entity that blocked it sideways.
    pub wall: Option<Entity>,
    /// The entity that blocked it from above.
    pub ceiling: Option<Entity>,
    /// The motion by which the ground carried it.
    pub carried: Vec2,
    /// True if it is inside a solid body and cannot get out.
    pub stuck: bool,
    #[reflect(ignore)]
    pub(crate) walker: Walker,
    /// True if its last step failed and has been reported.
    #[reflect(ignore)]
    pub(crate) is_reported: bool,
}

impl Default for Character {
    /// Makes a character that climbs slopes up to 50 degrees and stairs up to 4 units.
    fn default() -> Self {
        Self {
            run: 0.0,
            fall: 0.0,
            one_way: LayerMask::NONE,
            open: LayerMask::NONE,
            ground: None,
            ground_normal: Vec2::ZERO,
            wall: None,
            ceiling: None,
            carried: Vec2::ZERO,
            stuck: false,
            walker: Walker::new(),
            is_reported: false,
        }
    }
}

impl Character {
    /// Sets the steepest slope that it climbs, in degrees.
    pub fn max_slope(self, degrees: f32) -> Result<Self> {
        Ok(Self { walker: self.walker.max_slope(f64::from(degrees))?, ..self })
    }

    /// Sets the highest stair that it climbs, in units. A slope drawn in pixels needs at least 1.
    pub fn step_height(self, units: f32) -> Result<Self> {
        Ok(Self { walker: self.walker.step_height(f64::from(units))?, ..self })
    }

    /// Sets how far it steps down without falling, in units. Unless this is 0, it also stays on slopes within the
    /// limit.
    pub fn snap(self, units: f32) -> Result<Self> {
        Ok(Self { walker: self.walker.snap(f64::from(units))?, ..self })
    }

    /// Sets the direction against gravity.
    pub fn up(self, up: Vec2) -> Result<Self> {
        Ok(Self { walker: self.walker.up(down(up))?, ..self })
    }

    /// Sets the layers whose bodies are solid only from above.
    #[must_use]
    pub fn one_way(self, layers: impl Into<LayerMask>) -> Self {
        Self { one_way: layers.into(), ..self }
    }

    /// Sets the layers whose bodies are not in its way, such as coins.
    #[must_use]
    pub fn open(self, layers: impl Into<LayerMask>) -> Self {
        Self { open: layers.into(), ..self }
    }

    /// Sets the direction along which it keeps its speed on slopes.
    #[must_use]
    pub fn pace(self, pace: Pace) -> Self {
        Self { walker: self.walker.pace(pace), ..self }
    }

    /// Forgets the ground. Call it when you teleport the character or its platform.
    pub fn leave(&mut self) {
        self.walker.leave();
        self.ground = None;
    }
}
