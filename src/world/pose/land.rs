//! Cores and bounds, landed in the world; twin of `shaders/land.wgsl`.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::ticks::{TICKS, offset};
use crate::world::packed::{Body, EMPTY, Packed, SPRITE, Shape};

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

/// All that a body reaches within the step: where it starts, where it ends, and between.
#[must_use]
pub(crate) fn bound(body: &Body, shape: &Shape) -> Aabb {
    let here = body.reach(shape);
    if !body.moves() || body.is(EMPTY) {
        return here;
    }
    let end = body.at_end().reach(shape);
    if !body.is(SPRITE) {
        return here.join(&end);
    }
    // By whole pixels it goes one way along each axis; where it ends, it may paint others.
    let Point { x, y } = offset(body.position, body.motion, TICKS);
    let by = Point::new(x << 8, y << 8);
    here.join(&Aabb { min: here.min + by, max: here.max + by }).join(&end)
}
