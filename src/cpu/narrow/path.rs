//! Pairs of boxes and circles, decided without their vertices: whether they hit on their way, and when.

use super::round::Round;
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
    /// Whether their interiors can overlap: not if one is a circle and both radii are 0.
    solid: bool,
    /// The motion of the first relative to the second.
    motion: Point,
    /// Whether one of them moves.
    moves: bool,
}

impl Path {
    /// Returns the path of two bodies of these kinds, in either order; `None` unless both are boxes or circles.
    #[inline(always)]
    pub(in crate::cpu) fn of(packed: &Packed, kinds: [Kind; 2], pair: [u32; 2]) -> Option<Self> {
        let [i, j] = pair.map(|body| body as usize);
        let discs = [kinds[0].is_disc()?, kinds[1].is_disc()?];
        let (a, b) = (Round::new(packed, i, discs[0]), Round::new(packed, j, discs[1]));
        let radius = a.radius + b.radius;
        Some(Self {
            a: a.core,
            b: b.core,
            radius,
            solid: radius > 0 || !(discs[0] || discs[1]),
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
        let time = if self.moves { tick().map(|tick| [tick, TICKS]) } else { None };
        Detail { time, ..Detail::default() }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn hits_by(&self, by: Point, touch: Touch) -> bool {
        (self.solid || touch == Touch::Included) && apart(&self.a, &self.b, by, self.radius, touch).is_none()
    }
}
