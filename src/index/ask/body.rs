//! Body queries: which bodies a body outside the world would hit. The narrow phase decides, with that body first in
//! each pair.

use super::{Asked, Finder, Place, Query};
use crate::cpu::narrow::pair::Pair;
use crate::cpu::narrow::view::View;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::index::memory::{Memory, Posed, Seen};
use crate::index::node::{Way, key_of};
use crate::index::walk::{InOrder, Leaf};
use crate::queries::BodyHit;
use crate::reference::queries::Definition;
use crate::simd::Lanes;
use crate::world::World;
use crate::world::body::{Body, BodyId};
use crate::world::packed::{self, EMPTY, OFF, SPRITE};
use crate::world::pose::land;

/// The distance by which a sprite may paint outside the straight path of its bounds, in lattice steps: a pixel less a
/// step because it moves by whole pixels, a pixel between two unit moves within one tick, a pixel because it may paint
/// others at its end, and a pixel for touch.
const STRAY: i32 = 4 * 256;

/// A posed body.
#[derive(Clone, Copy, Debug)]
pub struct Snapped(packed::Body);

impl Query for Body {
    type Answer = BodyHit;
}

impl Asked for Body {
    type Snapped = Snapped;
    type Found = BodyHit;

    fn snap(&self, world: &World) -> Result<Snapped> {
        world.pose_apart(self).map(Snapped)
    }

    fn plainly(&self, by: &Definition, world: &World, except: &[BodyId]) -> Vec<BodyHit> {
        (by.body)(world, self, except)
    }

    fn first_of(found: Vec<BodyHit>) -> Option<BodyHit> {
        found.into_iter().min_by_key(|hit| (hit.detail.tick(), hit.body))
    }
}

impl Finder for Snapped {
    type Found = BodyHit;

    #[inline(always)]
    fn all<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<BodyHit>) {
        let start = found.len();
        let (Memory { ours, theirs, ends, .. }, way, mask, mut walk) =
            (memory, self.way(), self.mask(), InOrder::new(seen.index));
        let a = seen.view(lanes, self.0, &self.0.reach(), ours);
        while let Some(leaf) = walk.next(lanes, &way, mask, Way::end()) {
            let Some(b) = self.other(lanes, seen, &leaf, theirs) else { continue };
            let pair = Pair { a, b, touch: seen.touch() };
            if let Some(at) = pair.find(lanes, ends) {
                found.push(BodyHit { body: seen.id(leaf.body), detail: pair.detail(lanes, ends, at) });
            }
        }
        found[start..].sort_unstable_by_key(|hit| hit.body);
    }

    #[inline(always)]
    fn first<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<BodyHit> {
        let (Memory { ours, theirs, ends, .. }, way, mask, mut walk) =
            (memory, self.way(), self.mask(), InOrder::new(seen.index));
        let a = seen.view(lanes, self.0, &self.0.reach(), ours);
        let (mut first, mut limit): (Option<(u32, u32, BodyHit)>, i32) = (None, Way::end());
        while let Some(leaf) = walk.next(lanes, &way, mask, limit) {
            // Nothing precedes a hit at tick 0 with a lower index.
            if first.is_some_and(|(tick, before, _)| tick == 0 && before < leaf.body) {
                continue;
            }
            let Some(b) = self.other(lanes, seen, &leaf, theirs) else { continue };
            let pair = Pair { a, b, touch: seen.touch() };
            if let Some(at) = pair.find(lanes, ends)
                && first.is_none_or(|(tick, before, _)| (at.tick(), leaf.body) < (tick, before))
            {
                let hit = BodyHit { body: seen.id(leaf.body), detail: pair.detail(lanes, ends, at) };
                first = Some((at.tick(), leaf.body, hit));
                limit = key_of(at.tick() as f32);
            }
        }
        first.map(|(_, _, hit)| hit)
    }

    #[inline(always)]
    fn any<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> bool {
        let (Memory { ours, theirs, ends, .. }, way, mask, mut walk) =
            (memory, self.way(), self.mask(), InOrder::new(seen.index));
        let a = seen.view(lanes, self.0, &self.0.reach(), ours);
        while let Some(leaf) = walk.next(lanes, &way, mask, Way::end()) {
            let Some(b) = self.other(lanes, seen, &leaf, theirs) else { continue };
            if (Pair { a, b, touch: seen.touch() }).hits(lanes, ends) {
                return true;
            }
        }
        false
    }
}

impl Place for Snapped {
    fn place(&self) -> Point {
        self.0.position
    }
}

impl Snapped {
    /// Returns the layers that the body may hit; 0 if it is empty or switched off.
    #[inline(always)]
    fn mask(&self) -> u32 {
        let Self(body) = self;
        if body.is(EMPTY) || body.is(OFF) { 0 } else { body.filter.mask }
    }

    /// Returns the path on which the body visits the bodies of the index.
    #[inline(always)]
    fn way(&self) -> Way {
        let Self(body) = self;
        let reach = if self.mask() == 0 { Aabb::around(&[Point::ZERO]) } else { body.reach() };
        let stray = if body.is(SPRITE) { STRAY } else { 2 };
        let by = Point::new(stray, stray);
        Way::new(Aabb { min: reach.min - by, max: reach.max + by }, body.motion)
    }

    /// Returns the view of a body of the world, limited to the part that this body may reach, if it sees the other.
    #[inline(always)]
    fn other<'m, 'a: 'm, L: Lanes>(
        &self,
        lanes: L,
        seen: &Seen<'a>,
        leaf: &Leaf,
        theirs: &'m mut Posed,
    ) -> Option<View<'m>> {
        let other = seen.body(leaf.body);
        if seen.leaves_out(leaf.body) || !self.0.sees(&other) {
            return None;
        }
        Some(seen.view(lanes, other, &land::bound(&self.0), theirs))
    }
}
