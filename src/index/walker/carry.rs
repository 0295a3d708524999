//! Carrying by the ground, and moving out of bodies that have moved into the walker.

use super::answer::{Side, Surface};
use super::way::{Going, PIXEL, STEP, Way};
use crate::ground::error::Result;
use crate::ground::lattice::{MAX_MOTION, SUBPIXELS};
use crate::ground::linear::Linear;
use crate::ground::vec2::Vec2;
use crate::world::World;
use crate::world::body::{Body, BodyId};

/// The most checks for overlap with solid bodies: one at first, and one after each way out.
const WAYS: u32 = 5;
/// The longest way out that is taken without a sweep, in units; it may pass through anything thinner.
const SHORT: f64 = 2.0;

/// The longest ride, in units: the longest motion in a step.
const FARTHEST: f64 = (MAX_MOTION / SUBPIXELS) as f64;

/// A side of a body at the end of a step, and the pose of the body then.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rest {
    side: Side,
    at: Vec2,
    linear: Linear,
}

impl Rest {
    fn new(world: &World, side: Side) -> Option<Self> {
        world.body(side.body).map(|Body { at, linear, .. }| Self { side, at, linear })
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

/// The bodies that may carry a walker.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stood {
    /// The side on which it stood at the end of a step.
    ground: Option<Rest>,
    /// The upper side of another one-way platform that was below it then.
    below: Option<Rest>,
}

impl Stood {
    pub(super) fn ground(self) -> Option<Side> {
        self.ground.map(|rest| rest.side)
    }
}

impl<F: Fn(BodyId) -> Surface> Way<'_, F> {
    /// Moves with the ground, or up with a platform that has risen to it.
    pub(super) fn carry(&mut self, stood: Stood) -> Result<()> {
        if let Some(rest) = stood.ground.filter(|rest| self.is_in_the_way(rest.side.body)) {
            self.ground = Some(rest.side);
            self.ride(&rest)?;
        }
        if let Some(rest) = stood.below.filter(|rest| self.is_in_the_way(rest.side.body)) {
            let moved = rest.moved(self.search.world, self.feet()).unwrap_or_default();
            let rise = self.limits.height(moved);
            let (start, ground) = (self.body.at, self.ground);
            if rise > 0.0 {
                // As if the platform had stayed, and the body had come down onto it.
                self.ground = Some(rest.side);
                if self.mount([rise + self.slack(&rest.side), 0.0], Going::Over)? {
                    self.carried += self.body.at - start;
                } else {
                    self.ground = ground;
                }
            }
        }
        Ok(())
    }

    /// Moves with the ground.
    fn ride(&mut self, rest: &Rest) -> Result<()> {
        let moved = |place: Vec2| rest.moved(self.search.world, place).unwrap_or_default();
        let ride = moved(self.feet());
        // If the ground turns, it rises more beside the feet.
        let lifts = self.corners().map(|corner| self.limits.height(moved(corner) - ride));
        let lift = lifts.into_iter().fold(0.0, f64::max);
        // What moves farther than a body can move in a step takes nobody along.
        let is_too_far = ride.x.abs().max(ride.y.abs()) > FARTHEST;
        if is_too_far || (ride == Vec2::default() && lift == 0.0) {
            return Ok(());
        }
        let (start, slack) = (self.body.at, self.slack(&rest.side));
        if self.sweep(ride, Going::Carried)?.is_some() {
            // A wall beside it does not keep it from going up or down, nor a ceiling from going across, nor rounding
            // into what moves along with the ground.
            let left = ride - (self.body.at - start);
            self.go(0.0, self.limits.height(left), Going::Carried)?;
            let level = self.body.at;
            self.go(0.0, slack, Going::Carried)?;
            let rose = self.limits.height(self.body.at - level);
            self.go(self.limits.across(left), 0.0, Going::Carried)?;
            self.go(0.0, -rose, Going::Carried)?;
        }
        self.carried = self.body.at - start;
        let mut met = Vec::new();
        self.search.all(&self.body, &mut met)?;
        // The ground may have come up into it, or what moves along with it, or be below it, as it may have been before.
        let is_in = met.iter().any(|hit| self.surface(hit.body) != Surface::Open);
        if self.mount([if is_in { lift + slack } else { 0.0 }, 2.0 * slack], Going::Carried)? {
            return Ok(());
        }
        // Rounding may also have carried it to beside the ground.
        let is_on_other = is_in && self.mount([slack, 0.0], Going::Carried)?;
        if !is_on_other && met.iter().all(|hit| hit.body != rest.side.body) {
            self.ground = Some(rest.side);
        }
        Ok(())
    }

    /// Moves onto the ground, or onto any ground if it has none: up by at most `up`, as far as there is room, and down
    /// by as much as it rose plus `down`. Returns whether it stands there; otherwise it has no ground and has not
    /// moved.
    fn mount(&mut self, [up, down]: [f64; 2], going: Going) -> Result<bool> {
        let start = self.body.at;
        self.go(0.0, up, going)?;
        let rose = self.limits.height(self.body.at - start);
        self.ground = match (self.go(0.0, -rose - down, Going::Onto)?, self.ground) {
            (Some(stop), Some(side)) if stop.impact.other == side.body || self.is_beside(&side)? => Some(side),
            (Some(stop), None) => self.standing(&stop)?,
            _ => None,
        };
        if self.ground.is_none() {
            self.body.at = start;
        }
        Ok(self.ground.is_some())
    }

    /// Returns whether a body that stands on something else stands on a side too, as on the seam between two tiles.
    fn is_beside(&self, side: &Side) -> Result<bool> {
        let down = self.limits.vector(0.0, -self.slack(side));
        let stop = self.search.sweep(&self.body.moving(down), |impact| impact.other == side.body)?.stop;
        Ok(stop.is_some())
    }

    /// Returns by how much a side may stand higher or lower than where it has carried the body: sprites move by pixels,
    /// so on a slope also by those across, and others are rounded.
    fn slack(&self, side: &Side) -> f64 {
        let pixels = self.is_sprite || self.is_sprite(side.body);
        if pixels { PIXEL + self.limits.rise(PIXEL).floor() } else { 2.0 * STEP }
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

    /// Returns the state to remember after a step: the ground, and another platform below within reach of `fall`.
    pub(super) fn stands_on(&mut self, fall: f64) -> Result<Stood> {
        let (start, world) = (self.body.at, self.search.world);
        let reach = self.limits.stair + self.limits.snap + fall.max(0.0);
        let below = self.go(0.0, -reach, Going::Under)?;
        self.body.at = start;
        let below = below.map(|stop| Side { body: stop.impact.other, normal: stop.impact.normal });
        let rest = |side: Option<Side>| side.and_then(|side| Rest::new(world, side));
        Ok(Stood { ground: rest(self.ground), below: rest(below) })
    }
}
