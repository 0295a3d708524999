//! Falling to the ground, rising to a ceiling, and sliding along slopes that are too steep.

use super::answer::{Side, Surface};
use super::way::{Going, PIXEL, STEP, Way};
use crate::ground::error::Result;
use crate::ground::touch::Touch;
use crate::host::impact::Impact;
use crate::world::body::BodyId;

/// The most slides along slopes that are too steep.
const SLIDES: u32 = 6;

impl<F: Fn(BodyId) -> Surface> Way<'_, F> {
    /// Falls by `fall` unless it has landed, or jumps if `fall` is negative. If `drops`, it falls through the former
    /// ground. Returns the fall to continue with.
    pub(super) fn fall(&mut self, fall: f64, landed: bool, drops: bool) -> Result<f64> {
        if fall < 0.0 {
            self.ground = None;
            return self.rise(fall);
        }
        if self.ground.is_some() && !landed {
            self.settle(fall.max(self.limits.snap) + 2.0 * STEP)?;
        }
        if self.ground.is_none() {
            // A fall of less than a pixel leaves a sprite on the platform that it drops through, or touching it.
            let least = if self.search.world.touch() == Touch::Included { 2.0 * PIXEL } else { PIXEL };
            self.drop_by(if drops && self.is_sprite { fall.max(least) } else { fall })?;
        }
        Ok(if self.ground.is_some() { 0.0 } else { fall })
    }

    /// Falls through the air.
    fn drop_by(&mut self, fall: f64) -> Result<()> {
        let (start, mut sides) = (self.body.at, [None; 2]);
        let mut stop = self.go(0.0, -fall, Going::Down)?;
        for _ in 0..SLIDES {
            let Some(met) = stop else { break };
            self.ground = self.standing(&met)?;
            if self.ground.is_some() {
                return Ok(());
            }
            self.note(&met);
            let Impact { other: body, normal, .. } = met.impact;
            sides[usize::from(self.limits.across(normal) > 0.0)] = Some(Side { body, normal });
            if !self.limits.slides {
                return Ok(());
            }
            // Where two sides meet, the way along the second may lead up it.
            if self.limits.height(met.slide()) > STEP {
                break;
            }
            stop = self.slide(&met, Going::Down)?;
        }
        // A body that touches the ground stands; so does a sprite within a pixel of it.
        self.settle(if self.is_sprite { PIXEL } else { 2.0 * STEP })?;
        let came_down = self.limits.height(start - self.body.at);
        if let [Some(a), Some(b)] = sides
            && self.ground.is_none()
            && came_down < STEP
            && fall >= STEP
        {
            // In a crevice: it can go neither down nor along.
            self.body.at = start;
            let upward = if self.limits.height(a.normal) > self.limits.height(b.normal) { a } else { b };
            self.ground = Some(upward).filter(|side| self.limits.height(side.normal) > 0.0);
        }
        Ok(())
    }

    /// Rises through the air.
    fn rise(&mut self, fall: f64) -> Result<f64> {
        let mut stop = self.go(0.0, -fall, Going::Over)?;
        for _ in 0..SLIDES {
            let Some(met) = stop else { break };
            self.note(&met);
            // Where two slanted ceilings meet, the way along the second may lead down it.
            let is_caught = self.limits.height(met.slide()) < -STEP;
            if is_caught || self.limits.is_ceiling(met.impact.normal) || !self.limits.slides {
                return Ok(0.0);
            }
            stop = self.slide(&met, Going::Over)?;
        }
        Ok(fall)
    }
}
