//! Stairs and rough ground, measured by moving up, across and down again.
//!
//! ```text
//!              .------->.          up by the step height, across by the width in which the steepest stairs rise by
//!              |        |          it, and down: stairs that rise no more than the steepest are climbed
//!              |    ____v____
//!    __body____|___|
//! ```
//!
//! This needs no normals. So corners on which a round body rests are climbed, and pixels are climbed like the slope
//! that they draw.

use super::answer::Surface;
use super::way::{Going, PIXEL, STEP, Way};
use crate::ground::error::Result;
use crate::host::stop::Stop;
use crate::world::body::BodyId;

/// The least width over which rough ground is measured to either side, in units: some pixels.
const WINDOW: f64 = 2.0;

/// The most measurements along stairs of pixels, one after the other.
const MEASURES: u32 = 4;

/// The displacement to the place where a body would stand.
#[derive(Default)]
struct Step {
    across: f64,
    rise: f64,
    /// The ground below.
    below: Option<Stop>,
}

impl<F: Fn(BodyId) -> Surface> Way<'_, F> {
    /// Climbs a stair that is in the way and moves on, by at most `across`. Returns the distance across; 0 if it cannot
    /// climb.
    pub(super) fn climb(&mut self, across: f64, pixels: bool) -> Result<f64> {
        let start = self.body.at;
        if self.limits.stair > 0.0 && self.is_stair_up(across, pixels)? {
            let step = self.step_over(across, self.limits.snap)?;
            if step.across >= STEP && self.is_no_corner_of_a_platform(&step)? {
                return Ok(step.across);
            }
        }
        self.body.at = start;
        Ok(0.0)
    }

    /// Returns false if the body would rest on a corner of a platform, where it cannot stand: it passes through
    /// instead.
    fn is_no_corner_of_a_platform(&mut self, step: &Step) -> Result<bool> {
        match &step.below {
            Some(stop) if self.surface(stop.impact.other) == Surface::OneWay => Ok(self.standing(stop)?.is_some()),
            _ => Ok(true),
        }
    }

    /// Returns whether the stairs ahead are climbable. Stairs of `pixels` may rise by one pixel more than the slope
    /// that they draw, so in doubt it measures further on.
    fn climbs(&mut self, across: f64, pixels: bool) -> Result<bool> {
        let tread = across.abs().max(self.limits.tread()).copysign(across);
        let mut all = Step::default();
        for _ in 0..MEASURES {
            let step = self.step_over(tread, 0.0)?;
            if step.across < STEP {
                return Ok(all.across > 0.0);
            }
            all = Step { across: all.across + step.across, rise: all.rise + step.rise, below: step.below };
            if self.limits.climbs(all.across, all.rise) {
                return Ok(true);
            }
            if !pixels || !self.limits.climbs(all.across, all.rise - PIXEL) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the normal of the ground around a body that rests on a corner, if it is not too steep and there is
    /// ground on both sides. Unless neither side is lower, up and down from here there may be no more than stairs: the
    /// foot and the top of a smooth slope do not make it less steep.
    pub(super) fn rough(&mut self, pixels: bool) -> Result<Option<[f64; 2]>> {
        if !self.limits.has_stairs() {
            return Ok(None);
        }
        let width = (self.limits.tread() / 2.0).max(WINDOW);
        let [right, left] = [self.beside(width)?, self.beside(-width)?];
        let (across, rise) = (right.across + left.across, right.rise - left.rise);
        if right.below.is_none() || left.below.is_none() || !self.limits.climbs(across, rise.abs()) {
            return Ok(None);
        }
        let normal = self.limits.normal(across, rise);
        let [high, low] = if rise < 0.0 { [left, right] } else { [right, left] };
        let up = WINDOW.copysign(rise);
        let stands = low.rise > -STEP
            || (self.limits.climbs(high.across, high.rise) || self.is_stair_up(up, pixels)?)
                && (self.limits.climbs(low.across, -low.rise) || self.is_stair_down(-up, pixels)?);
        Ok(stands.then_some(normal))
    }

    /// Returns whether the stairs ahead are climbable, and stays where it is.
    fn is_stair_up(&mut self, across: f64, pixels: bool) -> Result<bool> {
        let start = self.body.at;
        let climbs = self.climbs(across, pixels)?;
        self.body.at = start;
        Ok(climbs)
    }

    /// Returns whether stairs that lead up to here from ahead would be climbable.
    fn is_stair_down(&mut self, across: f64, pixels: bool) -> Result<bool> {
        let step = self.beside(across.abs().max(self.limits.tread()).copysign(across))?;
        Ok(self.limits.climbs(step.across, -step.rise - if pixels { PIXEL } else { 0.0 }))
    }

    /// Returns the displacement to the place beside it where it would stand, and stays where it is.
    fn beside(&mut self, across: f64) -> Result<Step> {
        let start = self.body.at;
        let step = self.step_over(across, self.limits.stair + self.limits.tangent * across.abs())?;
        self.body.at = start;
        Ok(step)
    }

    /// Moves up by the step height, across, and down by as much as it rose plus `more`. Returns the displacement.
    fn step_over(&mut self, across: f64, more: f64) -> Result<Step> {
        let start = self.body.at;
        self.go(0.0, self.limits.stair, Going::Over)?;
        let up = self.limits.height(self.body.at - start);
        self.go(across, 0.0, Going::Over)?;
        let below = self.go(0.0, -up - more, Going::Down)?;
        let came = self.body.at - start;
        Ok(Step { across: self.limits.across(came) * across.signum(), rise: self.limits.height(came), below })
    }
}
