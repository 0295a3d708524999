//! The verdict on a pair of posed bodies: from rows of pixels where these are enough, else by following both paths.

use super::pair::{Pair, Verdict};
use super::posed::{AHEAD, Posed};
use super::rounded::RoundedBox;
use super::view::{View, rows_of};
use crate::bits::rows::{Rows, meet_in};
use crate::ground::lattice::Point;
use crate::ground::ticks::{TICKS, offset};
use crate::ground::touch::Touch;
use crate::simd::{Lanes, Simd};
use crate::world::packed::{Kind, Packed, SPRITE};

/// Everything needed to decide pairs whose bodies are posed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Narrow<'a> {
    /// The bodies and their shapes.
    pub(super) packed: &'a Packed,
    /// The posed bodies.
    pub(super) posed: &'a Posed,
    /// The rule for bodies that only touch.
    pub(super) touch: Touch,
    /// The instruction set.
    pub(super) simd: Simd,
}

impl<'a> Narrow<'a> {
    /// Prefetches the bodies of the pair [`AHEAD`] places after the one that is decided.
    #[inline(always)]
    pub(super) fn ask_ahead<L: Lanes>(&self, lanes: L, pairs: &[[u32; 2]], judged: usize) {
        for &body in pairs.get(judged + AHEAD).into_iter().flatten() {
            lanes.prefetch(&self.packed.poses[body as usize]);
            lanes.prefetch(&self.packed.extents[body as usize]);
            lanes.prefetch(&self.packed.positions[body as usize]);
            lanes.prefetch(&self.packed.motions[body as usize]);
            lanes.prefetch(&self.packed.filters[body as usize]);
        }
    }

    /// Returns the verdict on a pair posed at its start.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn verdict<L: Lanes>(&self, lanes: L, pair: [u32; 2]) -> Verdict {
        match [self.is_sprite(pair[0]), self.is_sprite(pair[1])] {
            [true, true] => self.sprites(lanes, pair),
            [true, false] => self.mixed(pair[0], pair[1]),
            [false, true] => self.mixed(pair[1], pair[0]),
            [false, false] => None,
        }
        .unwrap_or_else(|| self.pair(pair).verdict())
    }

    /// Returns the verdict on two sprites if comparing words of their pixels gives one. Most pairs that meet on the way
    /// do so where they begin or end, which takes no ticks.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn sprites<L: Lanes>(&self, lanes: L, [a, b]: [u32; 2]) -> Option<Verdict> {
        if self.touch == Touch::Included {
            return None;
        }
        let (rows_a, rows_b) = (self.rows(a)?, self.rows(b)?);
        let moves = self.kind(a).moves() || self.kind(b).moves();
        let end = || self.way(a) - self.way(b);
        if meet_in(lanes, &rows_a, &rows_b) || (moves && meet_in(lanes, &rows_a.moved(end()), &rows_b)) {
            return Some(Verdict::Hit);
        }
        (!moves).then_some(Verdict::Miss)
    }

    /// Returns the verdict on a sprite and a box or circle if rows of pixels give one, where they begin or end.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn mixed(&self, sprite: u32, other: u32) -> Option<Verdict> {
        let (packed, touch) = (self.packed, self.touch);
        let is_disc = self.kind(other).is_disc()?;
        let (rows, round) = (self.rows(sprite)?, RoundedBox::new(packed, other as usize, is_disc));
        if touch == Touch::Excluded && round.radius == 0 && !round.has_area() {
            return None;
        }
        let moves = self.kind(sprite).moves() || self.kind(other).moves();
        let at_end = || round.moved(packed.motions[other as usize]).meets(&rows.moved(self.way(sprite)), touch);
        if round.meets(&rows, touch) || (moves && at_end()) {
            return Some(Verdict::Hit);
        }
        (!moves).then_some(Verdict::Miss)
    }

    #[inline(always)]
    fn kind(&self, body: u32) -> Kind {
        self.packed.kinds[body as usize]
    }

    #[inline(always)]
    fn is_sprite(&self, body: u32) -> bool {
        self.packed.poses[body as usize].flags & SPRITE != 0
    }

    /// Returns the pixels of a sprite, if they are available.
    #[inline(always)]
    fn rows(&self, body: u32) -> Option<Rows<'a>> {
        rows_of(self.packed, self.posed, body, &self.packed.body(body as usize))
    }

    /// Returns how many pixels a sprite moves within the step.
    #[inline(always)]
    fn way(&self, body: u32) -> Point {
        offset(self.packed.positions[body as usize], self.packed.motions[body as usize], TICKS)
    }

    #[inline(always)]
    pub(super) fn pair(&self, [a, b]: [u32; 2]) -> Pair<'a> {
        // Not with `map`, which would copy the views twice.
        let view = |body: u32| View::new(self.packed, self.posed, self.simd, body);
        Pair { a: view(a), b: view(b), touch: self.touch }
    }
}

#[cfg(test)]
mod tests {
    use crate::ground::touch::Touch;
    use crate::{Ask, Body, Hits, Linear, Mask, Shape, World, cpu};

    /// A point has no interior, so it hits nothing by more than touching, even if a box sweeps over it.
    #[test]
    fn a_circle_whose_radius_lands_at_0_hits_only_by_touch() {
        let others = [Shape::sprite(Mask::from_fn(8, 8, |_, _| true).unwrap()), Shape::rect(8.0, 8.0).unwrap()];
        let quarter = Linear { x: [0.25, 0.0], y: [0.0, 0.25] };
        for other in others {
            for (motion, point) in [([0.0, 0.0], [2.0, 2.0]), ([12.0, 0.0], [9.5, 2.0]), ([12.0, 1.0], [15.0, 2.5])] {
                for touch in [Touch::Excluded, Touch::Included] {
                    for point_is_first in [false, true] {
                        let mut world = World::new(touch);
                        let dot = world.add_shape(Shape::circle(1.0 / 256.0).unwrap()).unwrap();
                        let other = world.add_shape(other.clone()).unwrap();
                        let mut bodies =
                            [Body::new(dot, point).posed(quarter), Body::new(other, [0.0, 0.0]).moving(motion)];
                        if !point_is_first {
                            bodies.reverse();
                        }
                        world.add_all(&bodies).unwrap();
                        let mut hits = Hits::default();
                        cpu::Engine::new().unwrap().run_into(&world, Ask::Pairs, &mut hits).unwrap();
                        let count = usize::from(touch == Touch::Included);
                        assert_eq!(hits.pairs.len(), count, "{motion:?} {point:?} {touch:?} {point_is_first}");
                    }
                }
            }
        }
    }
}
