//! Carrying by the ground, and moving out of bodies that have moved into the walker.

use super::answer::{Side, Surface};
use super::way::{Going, PIXEL, STEP, Way};
use crate::ground::error::Result;
use crate::ground::linear::Linear;
use crate::ground::vec2::Vec2;
use crate::world::World;
use crate::world::body::{Body, BodyId};

/// The most checks for overlap with solid bodies: one at first, and one after each way out.
const WAYS: u32 = 5;
/// The longest way out that is taken without a sweep, in units; it may pass through anything thinner.
const SHORT: f64 = 2.0;

/// The side on which a walker stood at the end of a step, or that was just below it, and the pose of its body then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stood {
    side: Side,
    at: Vec2,
    linear: Linear,
    stands: bool,
}

impl Stood {
    pub(super) fn ground(self) -> Option<Side> {
        self.stands.then_some(self.side)
    }

    /// Returns how far a place on the body has moved since, by translation and rotation.
    fn moved(&self, world: &World, place: Vec2) -> Option<Vec2> {
        let Body { at, linear, .. } = world.body(self.side.body)?;
        let shift = at - self.at;
        // A flip carries nobody.
        if linear == self.linear || linear.determinant() * self.linear.determinant() <= 0.0 {
            return Some(shift);
        }
        let [x, y] = self.linear.inverted();
        let from = place - self.at;
        Some(shift + linear * (Linear { x, y } * from) - from)
    }
}

impl<F: Fn(BodyId) -> Surface> Way<'_, F> {
    /// Moves with the ground, or up with a platform that has risen to it.
    pub(super) fn carry(&mut self, stood: Option<Stood>) -> Result<()> {
        let Some(stood) = stood else { return Ok(()) };
        self.ground = stood.ground();
        let Some(moved) = stood.moved(self.search.world, self.body.at) else { return Ok(()) };
        if moved == Vec2::default() {
            return Ok(());
        }
        let rise = self.limits.height(moved);
        if !stood.stands {
            // As if the platform had stayed, and the body had come down onto it.
            return if rise > 0.0 { self.mount(stood.side, rise) } else { Ok(()) };
        }
        self.sweep(moved, Going::Carried)?;
        let mut met = Vec::new();
        self.search.all(&self.body, &mut met)?;
        if met.iter().any(|hit| hit.body == stood.side.body) {
            self.mount(stood.side, 0.0)?; // sprites move by pixels, others are rounded
        }
        Ok(())
    }

    /// Moves onto a side that has risen into it by `rise`, if there is room above.
    fn mount(&mut self, side: Side, rise: f64) -> Result<()> {
        let (start, lift) = (self.body.at, rise + if self.is_sprite { PIXEL } else { 2.0 * STEP });
        let stop = match self.go(0.0, lift, Going::Over)? {
            None => self.go(0.0, -lift, Going::Down)?,
            bumped => bumped,
        };
        self.ground = stop.filter(|stop| stop.impact.other == side.body).map(|_| side);
        if self.ground.is_none() {
            self.body.at = start;
        }
        Ok(())
    }

    /// Moves out of solid bodies by the shortest way. Returns whether it is free of them.
    pub(super) fn leave(&mut self) -> Result<bool> {
        let (start, mut solid, mut met) = (self.body, Vec::new(), Vec::new());
        for _ in 0..WAYS {
            // A body that it only touches is not in its way.
            let Some(stop) = self.go(0.0, 0.0, Going::Over)? else { return self.lead(start.at) };
            self.started_inside = self.started_inside.or(Some(stop.impact.other));
            self.search.all(&self.body, &mut met)?;
            solid.extend(met.iter().filter(|hit| self.surface(hit.body) == Surface::Solid));
            let Some(at) = self.search.world.probe_pushed_out(&start, &solid, |_| true)? else { break };
            self.body.at = at;
        }
        self.body = start;
        Ok(false)
    }

    /// Returns whether the way from `start` to the body's position passes through no other solid body; otherwise moves
    /// the body back to `start`.
    fn lead(&mut self, start: Vec2) -> Result<bool> {
        let (end, way) = (self.body.at, self.body.at - start);
        if way.x.abs().max(way.y.abs()) <= SHORT {
            return Ok(true);
        }
        self.body.at = start;
        let free = self.sweep(way, Going::Out)?.is_none();
        self.body.at = if free { end } else { start };
        Ok(free)
    }

    /// Returns the state to remember after a step: the ground, or the platform below within reach of `fall`.
    pub(super) fn stands_on(&mut self, fall: f64) -> Result<Option<Stood>> {
        let (start, mut side) = (self.body.at, self.ground);
        if side.is_none() {
            let reach = self.limits.stair + self.limits.snap + fall.max(0.0);
            let stop = self.go(0.0, -reach, Going::Under)?;
            side = stop.map(|stop| Side { body: stop.impact.other, normal: stop.impact.normal });
            self.body.at = start;
        }
        let stands = self.ground.is_some();
        let there = |side: Side| self.search.world.body(side.body).map(|body| (side, body));
        Ok(side.and_then(there).map(|(side, Body { at, linear, .. })| Stood { side, at, linear, stands }))
    }
}
