//! Region queries: which bodies hit an axis-aligned box.

use super::members::{Member, Members};
use super::{Asked, Query};
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_COORDINATE, Point};
use crate::ground::predicate::{Core, meets};
use crate::ground::text::Number;
use crate::ground::touch::Touch;
use crate::index::memory::{Posed, Seen};
use crate::index::walk::Meeting;
use crate::queries::RegionQuery;
use crate::reference::queries::Definition;
use crate::simd::Lanes;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::SPRITE;
use crate::world::pose::texel::WORD;

impl Query for RegionQuery {
    type Answer = BodyId;
}

impl Asked for RegionQuery {
    type Snapped = Members<(Aabb, u32)>;
    type Found = BodyId;

    fn snap(&self, _: &World) -> Result<Self::Snapped> {
        let (min, max) = (self.min.snap("min", MAX_COORDINATE)?, self.max.snap("max", MAX_COORDINATE)?);
        for (field, min, max) in [("max.x", min.x, max.x), ("max.y", min.y, max.y)] {
            if min >= max {
                let units = |v: i32| Point::new(v, 0).units()[0];
                let limit = format!("exceed that of `min`, {}, by at least 1/256 unit", Number(units(min)));
                return Err(Error::value(field, Number(units(max)), limit));
            }
        }
        Ok(Members((Aabb { min, max }, self.mask)))
    }

    fn plainly(&self, by: &Definition, world: &World, except: &[BodyId]) -> Vec<BodyId> {
        (by.region)(world, self, except)
    }
}

impl Member for (Aabb, u32) {
    #[inline(always)]
    fn meeting<'a>(&self, seen: &Seen<'a>) -> Meeting<'a> {
        let &(Aabb { min, max }, mask) = self;
        // If touching does not count, bounds that only touch the box must not match: shrink it by a lattice step on
        // each side.
        let open = i32::from(seen.touch() == Touch::Excluded);
        let by = Point::new(open, open);
        Meeting::new(seen.index, Aabb { min: min + by, max: max - by }, mask)
    }

    #[inline(always)]
    fn meets_shape<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, theirs: &mut Posed, body: u32) -> bool {
        hit(lanes, seen, theirs, body, &self.0)
    }
}

/// Returns whether a body whose bounds meet a box hits the box.
#[inline(always)]
fn hit<L: Lanes>(lanes: L, seen: &Seen<'_>, theirs: &mut Posed, index: u32, region: &Aabb) -> bool {
    let touch = seen.touch();
    let body = seen.body(index);
    let view = seen.view(lanes, body, region, theirs);
    if !body.is(SPRITE) {
        let mut pieces = view.pieces(&region.grown(body.radius));
        return pieces.any(|piece| meets(Core::Square(*region), piece.core, Point::ZERO, piece.radius, touch));
    }
    // The pixels whose squares meet the box.
    let open = i32::from(touch == Touch::Excluded);
    let (before, behind) = (|v: i32| (v - 1 + open) >> 8, |v: i32| ((v - open) >> 8) + 1);
    let (min, max) = (view.pixels.min, view.pixels.max);
    let [left, right] = [min.x.max(before(region.min.x)), max.x.min(behind(region.max.x))];
    let mut rows = min.y.max(before(region.min.y))..max.y.min(behind(region.max.y));
    rows.any(|y| {
        let [first, end] = view.columns(y, [left, right]);
        (first..end).step_by(WORD as usize).any(|x| {
            let bits = view.painted_word(x, y);
            bits & (u64::MAX >> (WORD - (right - x).min(WORD))) != 0
        })
    })
}
