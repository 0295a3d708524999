//! What runs, jumps and falls in the cave, at any speed, and never ends a step inside the rock.
//!
//! ```text
//! go:     a sweep that is stopped goes on along what stopped it      World::stop, Stop::slide
//! sweep:  nothing is in the way      it stands where its motion ends      World::advance
//!         something is               a tick before it                     Stop::at
//! climb:  up, along, and down again to the ground
//! ```

use hitmask::geometry::Vec2;
use hitmask::response::{Impact, Stop};
use hitmask::{Ask, Body, BodyId, Engine, Hits, World};

/// What is added to a fall in a step, and how fast a fall is at most, in units a step.
const GRAVITY: f64 = 0.23;
const FASTEST: f64 = 7.0;
/// The highest stair that is climbed, in units.
const STAIR: f64 = 4.0;
/// Hits in a step along one axis after which it stays where it is.
const LEGS: u32 = 4;
/// How often the way to a stop is made shorter before it stays where it was.
const SHORTER: u32 = 4;
/// Steps for which it may still jump after it has left the ground.
const LATE: u32 = 5;
/// Up on the screen.
const UP: [f64; 2] = [0.0, -1.0];

/// The tags of what is in the way: from all sides, and from above alone.
pub(super) const SOLID: u64 = 1;
pub(super) const PLANK: u64 = 2;

/// A body that walks, in the world of a step.
pub(super) struct Walker {
    pub(super) body: usize,
    /// The speed of its fall, in units a step.
    pub(super) fall: f64,
    /// Steps since it stood on something.
    airborne: u32,
    /// Whether something beside it stopped it in the last step.
    pub(super) blocked: bool,
}

/// A world in which walkers go, and what answers about it.
pub(super) struct Ground<'a> {
    pub(super) world: &'a mut World,
    pub(super) engine: &'a mut Engine,
    pub(super) hits: &'a mut Hits,
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
        let Some(id) = ground.world.id(self.body as u32) else { return Ok(None) };
        let counts = |world: &World, impact: &Impact| match world.body(impact.other).map(|body| body.tag) {
            Some(SOLID) => true,
            Some(PLANK) => impact.lands(UP) && !drops,
            _ => false,
        };
        ground.free(id)?;
        self.blocked = self.run(ground, id, run, &counts)?;
        self.fall = (self.fall + GRAVITY).min(FASTEST);
        let stop = ground.go(id, [0.0, self.fall].into(), &counts)?;
        self.airborne = self.airborne.saturating_add(1);
        if stop.is_some() {
            // A ceiling is no ground.
            self.airborne = if self.fall > 0.0 { 0 } else { self.airborne };
            self.fall = 0.0;
        }
        Ok(ground.world.body(id).map(|body| body.at))
    }

    /// Goes along x: up what is not too steep, and along what is. Whether something stopped it.
    fn run(
        &self,
        ground: &mut Ground<'_>,
        id: BodyId,
        run: f64,
        counts: &impl Fn(&World, &Impact) -> bool,
    ) -> anyhow::Result<bool> {
        let Some(stop) = ground.sweep(id, [run, 0.0].into(), counts)? else { return Ok(false) };
        let Some(before) = ground.world.body(id).filter(|_| self.airborne == 0) else {
            ground.go(id, stop.slide(), counts)?;
            return Ok(true);
        };
        ground.sweep(id, [0.0, -STAIR].into(), counts)?;
        let up = ground.at(id).y;
        ground.sweep(id, [stop.left.x, 0.0].into(), counts)?;
        ground.sweep(id, [0.0, before.at.y - up].into(), counts)?;
        // It came as far as it could, or it is a wall.
        let climbed = (ground.at(id).x - before.at.x).abs() > 0.0;
        if !climbed {
            ground.world.set(id, &before)?;
        }
        Ok(!climbed)
    }
}

impl Ground<'_> {
    fn at(&self, id: BodyId) -> Vec2 {
        self.world.body(id).map_or_else(Vec2::default, |body| body.at)
    }

    /// Puts a body that is inside something beside it, as where it was dragged.
    fn free(&mut self, id: BodyId) -> anyhow::Result<()> {
        self.engine.run_into(self.world, Ask::Details, self.hits)?;
        let solid = |impact: &Impact| self.world.body(impact.other).is_some_and(|body| body.tag == SOLID);
        if let (Some(body), Some(at)) = (self.world.body(id), self.world.pushed_out(id, self.hits, solid)) {
            self.world.set(id, &Body { at, ..body })?;
        }
        Ok(())
    }

    /// Goes on along what stops it, a few times; what stopped it first.
    fn go(
        &mut self,
        id: BodyId,
        motion: Vec2,
        counts: &impl Fn(&World, &Impact) -> bool,
    ) -> anyhow::Result<Option<Stop>> {
        let first = self.sweep(id, motion, counts)?;
        let mut last = first;
        for _ in 1..LEGS {
            let Some(left) = last.map(|stop| stop.slide()).filter(|&left| left != Vec2::default()) else { break };
            last = self.sweep(id, left, counts)?;
        }
        Ok(first)
    }

    /// Goes until something that counts is in the way; what that is.
    ///
    /// Places on a way are rounded to the lattice, so that the place before a hit may lie a lattice step aside, where
    /// something else is. Therefore the way there is looked at too, until nothing is in it.
    fn sweep(
        &mut self,
        id: BodyId,
        mut motion: Vec2,
        counts: &impl Fn(&World, &Impact) -> bool,
    ) -> anyhow::Result<Option<Stop>> {
        let Some(start) = self.world.body(id) else { return Ok(None) };
        let mut first = None;
        for _ in 0..SHORTER {
            self.world.set(id, &start.moving(motion))?;
            self.engine.run_into(self.world, Ask::Details, self.hits)?;
            let Some(stop) = self.world.stop(id, self.hits, |impact| counts(self.world, impact)) else {
                self.world.advance()?;
                break;
            };
            motion = Vec2 { x: stop.at.x - start.at.x, y: stop.at.y - start.at.y };
            first.get_or_insert(stop);
        }
        let at = self.at(id);
        self.world.set(id, &Body { at, ..start.moving([0.0; 2]) })?;
        Ok(first)
    }
}
