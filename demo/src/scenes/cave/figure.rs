//! A figure that runs, jumps and falls in the cave, at any speed, and never ends a step inside the rock.

use hitmask::geometry::Vec2;
use hitmask::query::Search;
use hitmask::response::{Surface, Walker};
use hitmask::{BodyId, World};

/// Gravity, and the greatest speed of a fall, in units a step.
const GRAVITY: f64 = 0.23;
const FASTEST: f64 = 7.0;
/// Steps for which it may still jump after it has left the ground.
const LATE: u32 = 5;

/// The tags of what is in the way: from all sides, and from above alone.
pub(super) const SOLID: u64 = 1;
pub(super) const PLANK: u64 = 2;

/// A body that walks in the world of a step, which it does not change.
pub(super) struct Figure {
    pub(super) body: usize,
    walker: Walker,
    /// The speed of its fall, in units a step.
    fall: f64,
    /// Steps since it stood on something.
    airborne: u32,
    /// True if something beside it stopped it in the last step.
    pub(super) blocked: bool,
}

impl Figure {
    pub(super) fn new(body: usize) -> Self {
        Self { body, walker: Walker::new(), fall: 0.0, airborne: 0, blocked: false }
    }

    /// Returns true if it stands on something, or just did.
    pub(super) fn stands(&self) -> bool {
        self.airborne <= LATE
    }

    /// Jumps at a speed, in units a step.
    pub(super) fn jump(&mut self, speed: f64) {
        (self.fall, self.airborne) = (-speed - GRAVITY, LATE + 1);
    }

    /// Moves for a step by `run` along x, through planks where it `drops`. Returns where it is then.
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
