//! Running along the ground, in legs: each across or up a slope, and back down to the ground.

use super::answer::{Pace, Side, Surface};
use super::way::{Going, PIXEL, STEP, Way};
use crate::ground::error::Result;
use crate::ground::vec2::Vec2;
use crate::host::stop::Stop;
use crate::world::body::BodyId;

/// The least length of a leg, in units.
const LEG: f64 = 4.0;
/// The length down to which a leg on which the ground is lost is tried again in halves, in units.
const SHORTEST: f64 = 1.0 / 16.0;
/// The most legs of a step if nothing stops the run.
const LEGS: f64 = 16.0;
/// The most legs of a step.
const STOPS: u32 = 512;
/// The most by which a path up a slope is lifted off it if rounding leads into the slope, in lattice steps.
const LIFT: f64 = 16.0;

/// The state of a run.
#[derive(Clone, Copy)]
struct Run {
    /// The direction along the ground: 1 or -1.
    way: f64,
    left: f64,
    /// The distance across since it last stood, and the rise.
    across: f64,
    rise: f64,
    /// The distance by which a path up a slope is lifted off it.
    lift: f64,
    /// Whether to leave the slope and go level, because of a ceiling over it.
    level: bool,
    jumps: bool,
    /// The length of the next leg, and the longest.
    leg: f64,
    longest: f64,
    /// Whether it has been set down on the ground where it is.
    landed: bool,
}

/// The state before a leg.
#[derive(Clone, Copy)]
struct Before {
    at: Vec2,
    ground: Option<Side>,
    run: Run,
}

impl<F: Fn(BodyId) -> Surface> Way<'_, F> {
    /// Runs by `run` along the ground. A body that jumps does not stay on the ground. Returns whether the run has put
    /// it down on the ground where it now is.
    pub(super) fn run(&mut self, run: f64, jumps: bool) -> Result<bool> {
        let (way, left) = (1_f64.copysign(run), run.abs());
        let (leg, level, landed) = (LEG.max(left / LEGS), false, false);
        let (longest, lift) = (leg, STEP);
        let mut run = Run { way, left, across: 0.0, rise: 0.0, lift, level, jumps, leg, longest, landed };
        for _ in 0..STOPS {
            // Less than half a lattice step is nothing.
            if run.left < STEP / 2.0 || !self.leg(&mut run)? {
                break;
            }
        }
        self.land(&mut run)?;
        Ok(run.landed)
    }

    /// Moves until something is in the way, by at most a leg. Returns whether it can go on.
    fn leg(&mut self, run: &mut Run) -> Result<bool> {
        let along = self.ground.map_or(0.0, |ground| self.limits.walkable(ground.normal) * run.way);
        let slope = if run.level { 0.0 } else { along.max(0.0) };
        let pace = match self.limits.pace {
            Pace::Across => 1.0,
            Pace::Along => 1.0 / (1.0 + along * along).sqrt(),
        };
        let stood = self.ground.is_some();
        let across = if stood { run.leg.min(run.left * pace) } else { run.left };
        let rise = if slope > 0.0 { slope * across + run.lift } else { 0.0 };
        let before = Before { at: self.body.at, ground: self.ground, run: *run };
        let stop = self.go(across * run.way, rise, if stood { Going::Along } else { Going::Flying })?;
        let came = self.body.at - before.at;
        let across = self.limits.across(came) * run.way;
        run.left -= across / pace;
        run.across += across;
        run.rise += self.limits.height(came);
        run.landed &= came == Vec2::default();
        if across >= STEP {
            run.lift = STEP;
        }
        let Some(stop) = stop else {
            self.land(run)?;
            if self.takes_back(run, before, across) {
                return Ok(true);
            }
            run.leg = run.longest.min(2.0 * run.leg);
            run.level = false;
            return Ok(across >= STEP / 2.0);
        };
        self.turn(run, (before, across), slope, &stop)
    }

    /// Takes back a leg that has lost the ground, which may have gone down and on within it, so that the next one has
    /// half its length. Returns whether it did.
    fn takes_back(&mut self, run: &mut Run, before: Before, across: f64) -> bool {
        let is_lost = before.ground.is_some() && self.ground.is_none() && across > SHORTEST;
        if is_lost {
            (self.body.at, self.ground) = (before.at, before.ground);
            *run = Run { leg: across / 2.0, ..before.run };
        }
        is_lost
    }

    /// Moves down to the ground after a leg: by the rise of the leg, and by the distance by which the ground may have
    /// dropped. If the ground has dropped by more, the body leaves it, no higher than the leg began.
    fn land(&mut self, run: &mut Run) -> Result<()> {
        let Run { way, across, .. } = *run;
        let (rise, came) = (run.rise.max(0.0), across > 0.0 || run.rise > 0.0);
        (run.across, run.rise) = (0.0, 0.0);
        let Some(from) = self.ground.filter(|_| came && (!run.jumps || rise > 0.0)) else { return Ok(()) };
        let (top, follows) = (self.body.at, self.limits.snap > 0.0 && !run.jumps);
        let snap = if follows { self.limits.snap + self.limits.tangent * across } else { 0.0 };
        self.settle(rise + snap + STEP)?;
        if let Some(ground) = self.ground {
            // Down a slope it goes by as much as both ends do, and down stairs by the snap. On a leg so short that no
            // cliff hides in it, it goes by as much as the steeper of both ends.
            let down = [from, ground].map(|side| (-self.limits.slope(side.normal) * way).max(0.0));
            let slope = if across > SHORTEST { down[0].min(down[1]) } else { down[0].max(down[1]) };
            let least = if self.is_sprite { PIXEL } else { 4.0 * STEP };
            let most = self.limits.snap + slope * across + least;
            if follows && self.limits.height(top - self.body.at) - rise > most {
                (self.ground, self.body.at) = (None, top);
            }
        }
        if self.ground.is_none() && rise > 0.0 {
            self.descend(rise)?;
        }
        run.landed = self.ground.is_some() && !run.jumps;
        Ok(())
    }

    /// Decides how to go on from a stop, after a leg of some length on a run up a slope that rises by `slope` per unit.
    /// Returns whether it can.
    fn turn(&mut self, run: &mut Run, (before, across): (Before, f64), slope: f64, stop: &Stop) -> Result<bool> {
        let normal = stop.impact.normal;
        if self.limits.is_ground(normal) && !run.level {
            let steeper = self.limits.slope(normal) * run.way > slope + STEP / 16.0;
            if steeper || run.lift < LIFT * STEP {
                self.ground = Some(Side { body: stop.impact.other, normal });
                run.lift *= if steeper { 1.0 } else { 2.0 };
                return Ok(true);
            }
        }
        let (start, came) = (self.body.at, run.across >= STEP);
        self.land(run)?;
        if self.takes_back(run, before, across) {
            return Ok(true);
        }
        if came && self.body.at != start {
            return Ok(true); // from where it stands
        }
        if slope > 0.0 && self.limits.height(normal) < 0.0 {
            run.level = true;
            return Ok(true);
        }
        if self.ground.is_some() {
            let pixels = self.is_sprite || self.is_sprite(stop.impact.other);
            let came = self.climb(run.left.min(run.leg) * run.way, pixels)?;
            run.left -= came;
            run.across += came;
            if came > 0.0 {
                run.landed = false;
                return Ok(true);
            }
        }
        if self.surface(stop.impact.other) == Surface::OneWay {
            self.through.push(stop.impact.other);
            return Ok(true);
        }
        self.note(stop);
        if self.limits.slides && self.limits.height(normal) < 0.0 {
            self.slide(stop, Going::Flying)?;
            run.landed = false;
        }
        Ok(false)
    }
}
