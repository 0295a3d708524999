//! Cores and bounds, landed in the world; twin of `shaders/land.wgsl`.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::world::packed::{Body, Packed, Shape};

/// How far the whole-pixel path of a moving sprite strays from the straight line, at most: half a pixel where the motion is
/// rounded and half a pixel along the way, in lattice steps.
pub(crate) const STRAY: i32 = 256;

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

/// Where engines look for a body: all that it reaches within the step, and nowhere where it never hits, so that it
/// costs them nothing.
#[must_use]
pub(crate) fn bound(body: &Body, shape: &Shape) -> Aabb {
    if body.never_hits() { Aabb::NOWHERE } else { span(body, shape) }
}

/// All that a body reaches within the step.
#[must_use]
pub(crate) fn span(body: &Body, shape: &Shape) -> Aabb {
    let reach = body.reach(shape);
    if !body.moves() || reach == Aabb::NOWHERE {
        return reach;
    }
    let Point { x, y } = body.motion;
    Aabb {
        min: reach.min + Point::new(x.min(0) - STRAY, y.min(0) - STRAY),
        max: reach.max + Point::new(x.max(0) + STRAY, y.max(0) + STRAY),
    }
}
