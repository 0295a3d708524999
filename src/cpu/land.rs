//! Cores and bounds, landed in the world; twin of `shaders/land.wgsl`.

use rayon::prelude::*;

use crate::lattice::Point;
use crate::packed::{Aabb, Body, Packed, Shape, Slots};

/// How far the whole-pixel path of a moving sprite strays from the straight line, at most: half a pixel where the motion is
/// rounded and half a pixel along the way, in lattice steps.
pub const STRAY: i32 = 256;

/// Bodies whose landing is one task.
const CHUNK: usize = 1024;

/// Where a body's vertices land.
pub fn core(body: &Body, vertices: &[Point], landed: &mut [Point]) {
    for (to, &from) in landed.iter_mut().zip(vertices) {
        let [x, y] = body.linear.land(from);
        *to = body.position + Point::new(x as i32, y as i32);
    }
}

/// All that a body reaches within the step.
#[must_use]
pub fn bound(body: &Body, shape: &Shape) -> Aabb {
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

/// The landed cores of all convex bodies, at their slots.
#[must_use]
pub fn cores(packed: &Packed, slots: &Slots) -> Vec<Point> {
    let mut cores = vec![Point::ZERO; slots.vertices];
    for_each_slot(
        &packed.bodies,
        &mut cores,
        |body| packed.corners(body),
        |body, landed| {
            core(body, packed.vertices(&packed.shapes[body.shape as usize]), landed);
        },
    );
    cores
}

/// The bounds of all bodies.
#[must_use]
pub fn bounds(packed: &Packed) -> Vec<Aabb> {
    packed.bodies.par_iter().map(|body| bound(body, &packed.shapes[body.shape as usize])).collect()
}

/// Gives each body in turn its part of `all`, as long as `len` says, on all threads.
pub(super) fn for_each_slot<T: Send>(
    bodies: &[Body],
    all: &mut [T],
    len: impl Fn(&Body) -> usize + Sync,
    fill: impl Fn(&Body, &mut [T]) + Sync,
) {
    let mut rest = all;
    let mut tasks = Vec::with_capacity(bodies.len().div_ceil(CHUNK));
    for chunk in bodies.chunks(CHUNK) {
        let (part, behind) = rest.split_at_mut(chunk.iter().map(&len).sum());
        rest = behind;
        tasks.push((chunk, part));
    }
    tasks.into_par_iter().for_each(|(chunk, mut part)| {
        for body in chunk {
            let (slot, behind) = part.split_at_mut(len(body));
            part = behind;
            fill(body, slot);
        }
    });
}
