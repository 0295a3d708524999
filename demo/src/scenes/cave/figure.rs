//! A figure that runs, jumps and falls in the cave. It never ends a step inside the rock, however fast it moves.

use hitmask::geometry::Vec2;
use hitmask::query::Search;
use hitmask::response::{Surface, Walker};
use hitmask::{BodyId, World};

/// Gravity in units per step squared, and the maximum falling speed in units per step.
const GRAVITY: f64 = 0.23;
const FASTEST: f64 = 7.0;
/// The number of steps during which it may still jump after leaving the ground.
const LATE: u32 = 5;

/// The tags of obstacles that block from all sides, and from above only.
pub(super) const SOLID: u64 = 1;
pub(super) const PLANK: u64 = 2;

/// A body that walks in the world of a step, without changing it.
pub(super) struct Figure {
    pub(super) body: usize,
    walker: Walker,
    /// The falling speed, in units per step.
    fall: f64,
    /// Steps since it stood on something.
    airborne: u32,
    /// Whether something beside it stopped it in the last step.
    pub(super) blocked: bool,
}

impl Figure {
    pub(super) fn new(body: usize) -> Self {
        Self { body, walker: Walker::new(), fall: 0.0, airborne: 0, blocked: false }
    }

    /// Returns whether it stands on something, or did within the last few steps.
    pub(super) fn stands(&self) -> bool {
        self.airborne <= LATE
    }

    /// Jumps at a speed in units per step.
    pub(super) fn jump(&mut self, speed: f64) {
        (self.fall, self.airborne) = (-speed - GRAVITY, LATE + 1);
    }

    /// Moves by a step: by `run` along x, and through planks if it `drops`. Returns its new position.
    pub(super) fn step(
        &mut self,
        world: &World,
        search: Search<'_>,
        run: f64,
        drops: bool,
    ) -> anyhow::Result<Option<Vec2>> {
        let id = world.id(self.body as u32);
        let Some(body) = id.and_then(|id| world.body(id)) else { return Ok(None) };
        let surface = |id: BodyId| match world.body(id).map(|body| body.tag) {
            Some(SOLID) => Surface::Solid,
            Some(PLANK) if !drops => Surface::OneWay,
            _ => Surface::Open,
        };
        let walk = self.walker.step(search, &body, run, (self.fall + GRAVITY).min(FASTEST), surface)?;
        self.airborne = if walk.ground.is_some() { 0 } else { self.airborne.saturating_add(1) };
        (self.fall, self.blocked) = (walk.fall, walk.wall.is_some());
        Ok(Some(walk.at))
    }
}
