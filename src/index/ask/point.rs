//! Point queries: which bodies contain a point.

use super::members::{Member, Members};
use super::{Asked, Query};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{MAX_COORDINATE, Point};
use crate::ground::predicate::{Core, meets};
use crate::ground::touch::Touch;
use crate::index::memory::{Posed, Seen};
use crate::index::walk::Meeting;
use crate::queries::PointQuery;
use crate::reference::queries::Definition;
use crate::simd::Lanes;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::SPRITE;
use crate::world::pose::texel::texel;

impl Query for PointQuery {
    type Answer = BodyId;
}

impl Asked for PointQuery {
    type Snapped = Members<(Point, u32)>;
    type Found = BodyId;

    fn snap(&self, _: &World) -> Result<Self::Snapped> {
        Ok(Members((self.at.snap("at", MAX_COORDINATE)?, self.mask)))
    }

    fn plainly(&self, by: &Definition, world: &World, except: &[BodyId]) -> Vec<BodyId> {
        (by.point)(world, self, except)
    }
}

impl Member for (Point, u32) {
    #[inline(always)]
    fn meeting<'a>(&self, seen: &Seen<'a>) -> Meeting<'a> {
        let &(at, mask) = self;
        Meeting::new(seen.index, Aabb { min: at, max: at }, mask)
    }

    #[inline(always)]
    fn meets_shape<L: Lanes>(&self, _: L, seen: &Seen<'_>, theirs: &mut Posed, body: u32) -> bool {
        holds(seen, theirs, body, self.0)
    }
}

/// Returns whether a body whose bounds contain a point contains it with its exact shape.
fn holds(seen: &Seen<'_>, theirs: &mut Posed, index: u32, at: Point) -> bool {
    let packed = seen.packed();
    let body = seen.body(index);
    if body.is(SPRITE) {
        return texel(packed, &body, [at.x >> 8, at.y >> 8]).is_some();
    }
    let near = Aabb { min: at, max: at };
    let landed = seen.landed(&body, &near, theirs);
    let mut pieces = packed.pieces(&body).meeting(near.grown(body.radius));
    pieces.any(|piece| {
        let core = Core::Hull(&landed[piece.vertices()]);
        meets(core, Core::Hull(&[at]), Point::ZERO, piece.radius, Touch::Included)
    })
}
