//! What runs, jumps and falls in the cave, at any speed, and never ends a step inside the rock.
//!
//! ```text
//! run:    along x; what is in the way is climbed      Search::sweep
//! climb:  up, along, and down again to the ground     Search::sweep
//! fall:   along y, and along what stops it            Search::slide
//! ```

use hitmask::geometry::Vec2;
use hitmask::query::{BodyHit, Search, Slide, Sweep};
use hitmask::response::{Impact, Stop};
use hitmask::{Body, World};

/// What is added to a fall in a step, and how fast a fall is at most, in units a step.
const GRAVITY: f64 = 0.23;
const FASTEST: f64 = 7.0;
/// The highest stair that is climbed, in units.
const STAIR: f64 = 4.0;
/// Steps for which it may still jump after it has left the ground.
const LATE: u32 = 5;
/// Up on the screen.
const UP: [f64; 2] = [0.0, -1.0];

/// The tags of what is in the way: from all sides, and from above alone.
pub(super) const SOLID: u64 = 1;
pub(super) const PLANK: u64 = 2;

/// A body that walks in the world of a step, which it does not change: the way of a body is asked for as if it were not
/// there.
pub(super) struct Walker {
    pub(super) body: usize,
    /// The speed of its fall, in units a step.
    pub(super) fall: f64,
    /// Steps since it stood on something.
    airborne: u32,
    /// Whether something beside it stopped it in the last step.
    pub(super) blocked: bool,
}

/// A world in which walkers go.
pub(super) struct Ground<'a> {
    pub(super) world: &'a World,
    pub(super) search: Search<'a>,
    pub(super) hits: &'a mut Vec<BodyHit>,
}

impl Walker {
    pub(super) fn new(body: usize) -> Self {
        Self { body, fall: 0.0, airborne: 0, blocked: false }
    }

    /// Whether it stands on something, or just did.
    pub(super) fn stands(&self) -> bool {
        self.airborne <= LATE
    }

    /// Jumps, at this speed.
    pub(super) fn jump(&mut self, speed: f64) {
        (self.fall, self.airborne) = (-speed, LATE + 1);
    }

    /// A step of so much along x, through planks where it wants to drop; where it is then.
    pub(super) fn step(&mut self, ground: &mut Ground<'_>, run: f64, drops: bool) -> anyhow::Result<Option<Vec2>> {
        let id = ground.world.id(self.body as u32);
        let Some(mut body) = id.and_then(|id| ground.world.body(id)) else { return Ok(None) };
        let counts = |world: &World, impact: &Impact| match world.body(impact.other).map(|body| body.tag) {
            Some(SOLID) => true,
            Some(PLANK) => impact.lands(UP) && !drops,
            _ => false,
        };
        ground.free(&mut body)?;
        self.blocked = self.run(ground, &mut body, run, &counts)?;
        self.fall = (self.fall + GRAVITY).min(FASTEST);
        let stops = ground.slide(&mut body, [0.0, self.fall], &counts)?;
        self.airborne = self.airborne.saturating_add(1);
        if !stops.is_empty() {
            // A ceiling is no ground.
            self.airborne = if self.fall > 0.0 { 0 } else { self.airborne };
            self.fall = 0.0;
        }
        Ok(Some(body.at))
    }

    /// Goes along x: up what is not too steep, and along what is. Whether something stopped it.
    fn run(
        &self,
        ground: &Ground<'_>,
        body: &mut Body,
        run: f64,
        counts: &impl Fn(&World, &Impact) -> bool,
    ) -> anyhow::Result<bool> {
        let Some(stop) = ground.sweep(body, [run, 0.0], counts)? else { return Ok(false) };
        if self.airborne > 0 {
            ground.slide(body, stop.slide(), counts)?;
            return Ok(true);
        }
        let stopped = body.at;
        ground.sweep(body, [0.0, -STAIR], counts)?;
        let up = body.at.y;
        ground.sweep(body, [stop.left.x, 0.0], counts)?;
        ground.sweep(body, [0.0, stopped.y - up], counts)?;
        // It came as far as it could, or it is a wall.
        let climbed = (body.at.x - stopped.x).abs() > 0.0;
        if !climbed {
            body.at = stopped;
        }
        Ok(!climbed)
    }
}

impl Ground<'_> {
    /// Puts a body that is inside something beside it, as where it was dragged.
    fn free(&mut self, body: &mut Body) -> anyhow::Result<()> {
        let asked = body.moving([0.0; 2]);
        self.search.all(&asked, self.hits)?;
        let solid = |impact: &Impact| self.world.body(impact.other).is_some_and(|body| body.tag == SOLID);
        body.at = self.world.pushed_out_of(&asked, self.hits, solid)?.unwrap_or(body.at);
        Ok(())
    }

    /// Goes until something that counts is in the way; what that is.
    fn sweep(
        &self,
        body: &mut Body,
        motion: impl Into<Vec2>,
        counts: &impl Fn(&World, &Impact) -> bool,
    ) -> anyhow::Result<Option<Stop>> {
        let Sweep { at, stop } = self.search.sweep(&body.moving(motion), |impact| counts(self.world, impact))?;
        body.at = at;
        Ok(stop)
    }

    /// Goes, and on along what stops it; what that is.
    fn slide(
        &self,
        body: &mut Body,
        motion: impl Into<Vec2>,
        counts: &impl Fn(&World, &Impact) -> bool,
    ) -> anyhow::Result<Vec<Stop>> {
        let Slide { at, stops } = self.search.slide(&body.moving(motion), |impact| counts(self.world, impact))?;
        body.at = at;
        Ok(stops)
    }
}
