//! Cores and bounds, landed in the world; twin of `shaders/stages/land.wgsl`.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::world::packed::{Body, EMPTY, Packed, SPRITE, reach};

/// Where a body's vertices land.
pub(crate) fn core(body: &Body, vertices: &[Point], landed: &mut [Point]) {
    for (to, &from) in landed.iter_mut().zip(vertices) {
        let [x, y] = body.linear.land(from);
        *to = body.position + Point::new(x as i32, y as i32);
    }
}

/// The vertices of a convex body's pieces, landed.
pub(crate) fn pieces(packed: &Packed, body: &Body) -> Vec<Vec<Point>> {
    let shape = &packed.shapes[body.shape as usize];
    let vertices = packed.vertices(shape);
    let mut landed = vec![Point::ZERO; vertices.len()];
    core(body, vertices, &mut landed);
    packed.pieces(shape).map(|(first, count)| landed[first..first + count].to_vec()).collect()
}

/// All that a body reaches within the step: where it starts, where it ends, and between; what is empty, nowhere.
#[must_use]
pub(crate) fn bound(body: &Body) -> Aabb {
    if body.is(EMPTY) { Aabb::NOWHERE } else { bound_of(body.position, body.motion, &body.extent, body.is(SPRITE)) }
}

/// What a body that is not empty reaches within the step.
#[inline(always)]
pub(crate) fn bound_of(position: Point, motion: Point, extent: &Aabb, sprite: bool) -> Aabb {
    let (here, end) = (reach(position, extent, sprite), reach(position + motion, extent, sprite));
    // A sprite goes one way along each axis, by whole pixels; where it ends, it may paint others.
    let whole = if sprite { !255 } else { !0 };
    let gone = |p: i32, m: i32| ((p + m) & whole) - (p & whole);
    let by = Point::new(gone(position.x, motion.x), gone(position.y, motion.y));
    here.join(&Aabb { min: here.min + by, max: here.max + by }).join(&end)
}
