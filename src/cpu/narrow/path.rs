//! Pairs of boxes and circles, decided without their vertices: whether they hit on their way, and when.

use super::rounded::RoundedBox;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::predicate::first_tick;
use crate::ground::swept::apart;
use crate::ground::ticks::{TICKS, come};
use crate::ground::touch::Touch;
use crate::hits::Detail;
use crate::world::packed::{Kind, Packed};

/// Two bodies, one of which may move relative to the other.
pub(in crate::cpu) struct Path {
    /// The first box, or the centre of a circle.
    a: Aabb,
    b: Aabb,
    /// The sum of the radii.
    radius: i32,
    /// True if their interiors can overlap: not if one is a circle and both radii are 0.
    solid: bool,
    /// The motion of the first relative to the second.
    motion: Point,
    /// True if one of them moves.
    moves: bool,
}

impl Path {
    /// Returns the path of two bodies of these kinds, in either order; `None` unless both are boxes or circles.
    #[inline(always)]
    pub(in crate::cpu) fn of(packed: &Packed, kinds: [Kind; 2], pair: [u32; 2]) -> Option<Self> {
        let [i, j] = pair.map(|body| body as usize);
        let a = RoundedBox::new(packed, i, kinds[0].is_disc()?);
        let b = RoundedBox::new(packed, j, kinds[1].is_disc()?);
        let radius = a.radius + b.radius;
        Some(Self {
            a: a.core,
            b: b.core,
            radius,
            solid: radius > 0 || (a.has_area() && b.has_area()),
            motion: packed.motions[i] - packed.motions[j],
            moves: kinds[0].moves() || kinds[1].moves(),
        })
    }

    /// Returns whether they hit within the step.
    #[inline(always)]
    pub(in crate::cpu) fn hits(&self, touch: Touch) -> bool {
        self.hits_by(self.motion, touch)
    }

    /// Returns the details of a pair that hits: its time, if a body moves. The first body must have the lower index.
    pub(in crate::cpu) fn detail(&self, touch: Touch) -> Detail {
        let tick = || first_tick(0, TICKS, |k| self.hits_by(come(self.motion, k), touch));
        let tick = self.moves.then(tick).flatten();
        Detail { time: tick.map(|tick| [tick, TICKS]), ..Detail::default() }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn hits_by(&self, by: Point, touch: Touch) -> bool {
        (self.solid || touch == Touch::Included) && apart(&self.a, &self.b, by, self.radius, touch).is_none()
    }
}
