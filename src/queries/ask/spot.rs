//! Which bodies hold a point.

use super::{Asked, Question, members};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, WORLD};
use crate::ground::predicate::{Core, meets};
use crate::ground::touch::Touch;
use crate::queries::memory::{Memory, Posed, Seen};
use crate::queries::walk;
use crate::questions::Spot;
use crate::reference::questions;
use crate::simd::Lanes;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::SPRITE;
use crate::world::pose::texel::texel;

impl Question for Spot {
    type Answer = BodyId;
}

impl Asked for Spot {
    type Snapped = (Point, u32);
    type Found = BodyId;

    fn snap(&self, _: &World) -> Result<Self::Snapped> {
        Ok((self.at.snap("at", WORLD)?, self.hits))
    }

    #[inline(always)]
    fn all<L: Lanes>(snapped: &Self::Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<BodyId>) {
        members::all(seen, memory, found, |theirs, visit| each(snapped, lanes, seen, theirs, visit));
    }

    #[inline(always)]
    fn first<L: Lanes>(snapped: &Self::Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<BodyId> {
        members::first(seen, |visit| each(snapped, lanes, seen, &mut memory.theirs, visit))
    }

    #[inline(always)]
    fn any<L: Lanes>(snapped: &Self::Snapped, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> bool {
        members::any(|visit| each(snapped, lanes, seen, &mut memory.theirs, visit))
    }

    fn plainly(&self, world: &World) -> Vec<BodyId> {
        questions::spot(world, self)
    }

    fn first_of(found: Vec<BodyId>) -> Option<BodyId> {
        found.into_iter().next()
    }
}

/// Calls `visit` with each body that holds the point, until it says that this is enough.
#[inline(always)]
fn each<L: Lanes>(
    &(at, hits): &(Point, u32),
    lanes: L,
    seen: &Seen<'_>,
    theirs: &mut Posed,
    visit: &mut dyn FnMut(u32) -> bool,
) {
    walk::meeting(lanes, seen.index, &Aabb { min: at, max: at }, hits, |leaf| {
        (leaf.bounds.aligned || holds(seen, theirs, leaf.body, at)) && visit(leaf.body)
    });
}

/// Whether a body, of which the bounds hold a point, does so itself.
fn holds(seen: &Seen<'_>, theirs: &mut Posed, index: u32, at: Point) -> bool {
    let packed = seen.packed();
    let body = seen.body(index);
    if body.is(SPRITE) {
        return texel(packed, &body, [at.x >> 8, at.y >> 8]).is_some();
    }
    let landed = seen.landed(&body, theirs);
    let mut pieces = packed.pieces(&packed.shapes[body.shape as usize]);
    pieces.any(|(first, count)| {
        let piece = Core::Hull(&landed[first..first + count]);
        meets(piece, Core::Hull(&[at]), Point::ZERO, body.radius, Touch::Included)
    })
}
