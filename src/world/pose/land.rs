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

/// Where the vertices of a body's pieces that come to a box land: each in its place among all. Others are left.
#[inline(always)]
pub(crate) fn core_near(packed: &Packed, body: &Body, near: &Aabb, landed: &mut [Point]) {
    let vertices = packed.vertices(&packed.shapes[body.shape as usize]);
    for (first, count) in packed.pieces(body).meeting(near.grown(body.radius)) {
        core(body, &vertices[first..first + count], &mut landed[first..first + count]);
    }
}

/// The vertices of a convex body's pieces, landed.
pub(crate) fn pieces(packed: &Packed, body: &Body) -> Vec<Vec<Point>> {
    landed(packed, body, packed.pieces(body).all())
}

/// The same of those pieces that come to a box, and maybe of some that only come near it.
pub(crate) fn pieces_near(packed: &Packed, body: &Body, near: &Aabb) -> Vec<Vec<Point>> {
    landed(packed, body, packed.pieces(body).meeting(near.grown(body.radius)))
}

fn landed(packed: &Packed, body: &Body, pieces: impl Iterator<Item = (usize, usize)>) -> Vec<Vec<Point>> {
    let vertices = packed.vertices(&packed.shapes[body.shape as usize]);
    let landed = |(first, count): (usize, usize)| {
        let mut landed = vec![Point::ZERO; count];
        core(body, &vertices[first..first + count], &mut landed);
        landed
    };
    pieces.map(landed).collect()
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
    // Where a sprite ends, it may paint other pixels.
    here.join(&here.moved(gone(position, motion, sprite))).join(&end)
}

/// Where a body's position comes within the step, whether the body lies around it or beside it.
#[inline(always)]
pub(crate) fn way_of(position: Point, motion: Point, sprite: bool) -> Aabb {
    let here = Aabb { min: position, max: position };
    here.join(&here.moved(gone(position, motion, sprite))).join(&here.moved(motion))
}

/// How far a body goes within the step: a sprite one way along each axis, by whole pixels.
#[inline(always)]
fn gone(position: Point, motion: Point, sprite: bool) -> Point {
    let whole = if sprite { !255 } else { !0 };
    let along = |p: i32, m: i32| ((p + m) & whole) - (p & whole);
    Point::new(along(position.x, motion.x), along(position.y, motion.y))
}
