//! What a walker stood on, and what has moved since.

use super::answer::{Side, Surface};
use super::way::{Going, STEP, Way};
use crate::ground::error::Result;
use crate::ground::linear::Linear;
use crate::ground::vec2::Vec2;
use crate::world::World;
use crate::world::body::{Body, BodyId};

/// How often a way out of all that is solid is looked for.
const WAYS: u32 = 4;

/// What a walker stood on at the end of a step, or was above; and where that was then.
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

    /// How far a place on it has moved since: with a body that turns, around that.
    fn moved(&self, world: &World, place: Vec2) -> Option<Vec2> {
        let Body { at, linear, .. } = world.body(self.side.body)?;
        let shift = at - self.at;
        // A body that is flipped moves nobody.
        if linear == self.linear || linear.determinant() * self.linear.determinant() <= 0.0 {
            return Some(shift);
        }
        let [x, y] = self.linear.inverted();
        let from = place - self.at;
        Some(shift + linear * (Linear { x, y } * from) - from)
    }
}

impl<F: Fn(BodyId) -> Surface> Way<'_, F> {
    /// Goes with what it stood on, or up with what has risen to it.
    pub(super) fn carry(&mut self, stood: Option<Stood>) -> Result<()> {
        let Some(stood) = stood else { return Ok(()) };
        self.ground = stood.ground();
        let Some(moved) = stood.moved(self.search.world, self.body.at) else { return Ok(()) };
        if moved == Vec2::default() {
            return Ok(());
        }
        if stood.stands {
            return self.sweep(moved, Going::Carried).map(drop);
        }
        // As if what is below had stayed, and it had come down onto that.
        let (start, rise) = (self.body.at, self.limits.height(moved));
        if rise > 0.0 && self.go(0.0, rise + STEP, Going::Over)?.is_none() {
            let stop = self.go(0.0, -rise - STEP, Going::Down)?;
            self.ground = stop.filter(|stop| stop.impact.other == stood.side.body).map(|_| stood.side);
        }
        if self.ground.is_none() {
            self.body.at = start;
        }
        Ok(())
    }

    /// Leaves what is solid and has come into it, by the shortest way; whether it is free.
    pub(super) fn leave(&mut self) -> Result<bool> {
        let (start, mut solid, mut met) = (self.body, Vec::new(), Vec::new());
        for _ in 0..=WAYS {
            self.search.all(&self.body, &mut met)?;
            met.retain(|hit| self.surface(hit.body) == Surface::Solid);
            if met.is_empty() {
                return Ok(true);
            }
            solid.append(&mut met);
            let Some(at) = self.search.world.pushed_out_of(&start, &solid, |_| true)? else { break };
            self.body.at = at;
        }
        self.body = start;
        Ok(false)
    }

    /// What is remembered of a step: what it stands on, or the platform below it, by that fall.
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
