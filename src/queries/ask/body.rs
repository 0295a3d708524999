//! Which bodies hit one that is not in the world, by the narrow phase of a pair in which it comes first.

use super::{Asked, Question};
use crate::cpu::narrow::pair::{Ends, Pair};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::queries::block::{Way, key_of};
use crate::queries::memory::{Memory, Seen};
use crate::queries::walk::{self, ENOUGH};
use crate::questions::BodyHit;
use crate::reference::questions;
use crate::simd::Lanes;
use crate::world::World;
use crate::world::body::Body;
use crate::world::packed::{self, EMPTY, OFF, SPRITE};
use crate::world::pose::land;

/// How far from the straight way of its bounds a sprite may paint, in steps: a pixel less a step as it goes on by whole pixels, a pixel
/// between two steps of one tick, a pixel where at its end it paints others, and one for touch.
const STRAY: i32 = 4 * 256;

/// A body, posed.
#[derive(Clone, Copy, Debug)]
pub struct Snapped(packed::Body);

impl Question for Body {
    type Answer = BodyHit;
}

impl Asked for Body {
    type Snapped = Snapped;
    type Found = BodyHit;

    fn snap(&self, world: &World) -> Result<Snapped> {
        world.pose_apart(self).map(Snapped)
    }

    #[inline(always)]
    fn all<L: Lanes>(body: &Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<BodyHit>) {
        let first = found.len();
        each(&body.0, lanes, seen, memory, |index, pair, ends| {
            if let Some(at) = pair.find(lanes, ends) {
                found.push(BodyHit { body: seen.id(index), detail: pair.detail(lanes, ends, at) });
            }
            Way::end()
        });
        found[first..].sort_unstable_by_key(|hit| hit.body);
    }

    #[inline(always)]
    fn first<L: Lanes>(body: &Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<BodyHit> {
        let mut first: Option<(u32, u32, BodyHit)> = None;
        each(&body.0, lanes, seen, memory, |index, pair, ends| {
            // None comes before the lowest index at the first tick.
            let open = first.is_none_or(|(tick, before, _)| tick > 0 || index < before);
            if open
                && let Some(at) = pair.find(lanes, ends)
                && first.is_none_or(|(tick, before, _)| (at.tick(), index) < (tick, before))
            {
                let hit = BodyHit { body: seen.id(index), detail: pair.detail(lanes, ends, at) };
                first = Some((at.tick(), index, hit));
            }
            first.map_or(Way::end(), |(tick, ..)| key_of(tick as f32))
        });
        first.map(|(_, _, hit)| hit)
    }

    #[inline(always)]
    fn any<L: Lanes>(body: &Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> bool {
        let mut any = false;
        each(&body.0, lanes, seen, memory, |_, pair, ends| {
            any = pair.hits(lanes, ends);
            if any { ENOUGH } else { Way::end() }
        });
        any
    }

    fn plainly(&self, world: &World) -> Vec<BodyHit> {
        questions::body(world, self)
    }

    fn first_of(found: Vec<BodyHit>) -> Option<BodyHit> {
        found.into_iter().min_by_key(|hit| (hit.detail.time.map_or(0, |[tick, _]| tick), hit.body))
    }
}

/// Calls `visit` with each body that is looked at, in a pair, as long as the keys of bounds are within the limit that it gives.
#[inline(always)]
fn each<L: Lanes>(
    body: &packed::Body,
    lanes: L,
    seen: &Seen<'_>,
    memory: &mut Memory,
    mut visit: impl FnMut(u32, &Pair<'_>, &mut Ends) -> i32,
) {
    if body.is(EMPTY) || body.is(OFF) {
        return;
    }
    let Memory { ours, theirs, ends, .. } = memory;
    let (reach, bound) = (body.reach(), land::bound(body));
    let a = seen.view(lanes, *body, &reach, ours);
    let stray = if body.is(SPRITE) { STRAY } else { 2 };
    let by = Point::new(stray, stray);
    let probe = Way::new(Aabb { min: reach.min - by, max: reach.max + by }, body.motion);
    let mut limit = Way::end();
    walk::in_order(lanes, seen.index, &probe, body.filter.hits, limit, |leaf| {
        let other = seen.body(leaf.body);
        if other.filter.sees(&body.filter) {
            let b = seen.view(lanes, other, &bound, theirs);
            limit = visit(leaf.body, &Pair { a, b, touch: seen.touch() }, ends);
        }
        limit
    });
}
