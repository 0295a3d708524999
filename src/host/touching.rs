//! Bodies that only touch another at the start of their motion, if touching is a hit: such a body is free to move along
//! the other or away from it, and is stopped where their interiors meet.

use super::encounter::Met;
use super::moment::{gone, hits_at_rest};
use crate::cpu::narrow::pair::{Ends, FirstHit, Pair};
use crate::cpu::narrow::view::View;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::touch::Touch;
use crate::simd::{Kernel, Lanes, Simd};
use crate::world::packed::{Body, Packed, SPRITE, UNTURNED};
use crate::world::pose::land;

/// Returns a hit unchanged, unless the body only touches the other from the start: then the first moment at which their
/// interiors meet, if there is one.
pub(super) fn beyond_touch(packed: &Packed, body: &Body, met: Met) -> Option<Met> {
    let [start, other] = [body, &met.other].map(|body| gone(body, Point::ZERO));
    let is_in = || hits_at_rest(packed, &start, &other, Touch::Excluded);
    if met.tick > 0 || met.touch == Touch::Excluded || is_in() {
        return Some(met);
    }
    let tick = Simd::Scalar.run(First { packed, body, other: &met.other, second: met.second })?;
    Some(Met { tick, touch: Touch::Excluded, ..met })
}

/// A kernel that finds the first tick at which the interiors of two bodies meet.
struct First<'a> {
    packed: &'a Packed,
    body: &'a Body,
    other: &'a Body,
    /// Whether the body is the second of the pair.
    second: bool,
}

impl Kernel for First<'_> {
    type Output = Option<u32>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Option<u32> {
        let Self { packed, body, other, second } = self;
        // Two lattice steps, because positions are rounded.
        let near = body.reach().swept(body.motion - other.motion).grown(2);
        let cores = [(body, &body.reach()), (other, &near)].map(|(body, near)| {
            let mut landed = vec![Point::ZERO; packed.corners(body)];
            if !body.is(SPRITE) {
                land::core_near(packed, body, near, &mut landed);
            }
            landed
        });
        let view = |body: &Body, core, near: Aabb| {
            if body.is(SPRITE) {
                View::sprite(packed, Simd::Scalar, *body, body.is(UNTURNED).then(|| packed.rows(body)))
            } else {
                View::convex(packed, Simd::Scalar, *body, core, near.grown(body.radius))
            }
        };
        let [ours, theirs] = [view(body, &cores[0], body.reach()), view(other, &cores[1], near)];
        let (a, b) = if second { (theirs, ours) } else { (ours, theirs) };
        Pair { a, b, touch: Touch::Excluded }.find(lanes, &mut Ends::default()).map(FirstHit::tick)
    }
}
