//! Bodies as unions of convex sets in the plane, in lattice steps.

use hitmask::geometry::Piece;
use hitmask::{Body, BodyId, World};

pub(super) type V = [f64; 2];

pub(super) fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

pub(super) fn length(v: V) -> f64 {
    dot(v, v).sqrt()
}

/// A body: the hulls of sets of points, each inflated by a radius.
pub(super) struct Solid {
    pub(super) hulls: Vec<Vec<V>>,
    pub(super) radius: f64,
}

impl Solid {
    /// Creates the solid of a body of a world, at its position.
    pub(super) fn new(world: &World, id: BodyId) -> Self {
        let Some(landed) = world.landed(id) else { return Self { hulls: runs(world, id), radius: 0.0 } };
        let points = |piece: &Piece| piece.vertices.iter().map(|p| [p.x, p.y]).collect();
        let hulls = landed.iter().map(|piece| hull(points(piece))).collect();
        Self { hulls, radius: f64::from(landed[0].radius) }
    }

    /// Creates the solid of a body outside any world, relative to its position and mirrored. Its sums with another body
    /// are the places at which the two meet.
    pub(super) fn mirrored(world: &World, body: &Body) -> Self {
        let mut alone = World::default();
        let shape = alone.add_shape(world.shape(body.shape).unwrap().clone()).unwrap();
        let body = Body { shape, at: [0, 0].into(), motion: [0, 0].into(), ..*body };
        let id = alone.add(&body).unwrap();
        let mut solid = Self::new(&alone, id);
        for p in solid.hulls.iter_mut().flatten() {
            *p = p.map(|v| -v);
        }
        solid
    }
}

/// Returns the pixels that a sprite paints, with adjacent pixels of a row as one box.
fn runs(world: &World, id: BodyId) -> Vec<Vec<V>> {
    let mut boxes = Vec::new();
    let Some([left, top, width, height]) = world.pixels(id) else { return boxes };
    for y in top..top + height {
        let mut x = left;
        while x < left + width {
            let start = x;
            while world.texel(id, [x, y]).is_some() {
                x += 1;
            }
            if x > start {
                boxes.push(
                    [[start, y], [x, y], [x, y + 1], [start, y + 1]].map(|p| p.map(|v| f64::from(v * 256))).into(),
                );
            }
            x += 1;
        }
    }
    boxes
}

/// Returns the corners of the convex hull of points, in order (Andrew's monotone chain, 1979).
fn hull(mut points: Vec<[i32; 2]>) -> Vec<V> {
    points.sort_unstable();
    points.dedup();
    if points.len() > 2 {
        let back = chain(points.iter().rev());
        points = chain(points.iter());
        points.extend(back);
    }
    points.into_iter().map(|p| p.map(f64::from)).collect()
}

/// Returns one side of a hull, without its last point.
fn chain<'a>(points: impl Iterator<Item = &'a [i32; 2]>) -> Vec<[i32; 2]> {
    let turns = |from: [i32; 2], by: [i32; 2], to: [i32; 2]| {
        let [[ax, ay], [bx, by]] = [by, to].map(|p| [0, 1].map(|axis| i64::from(p[axis]) - i64::from(from[axis])));
        ax * by - ay * bx > 0
    };
    let mut side: Vec<[i32; 2]> = Vec::new();
    for &point in points {
        while side.len() > 1 && !turns(side[side.len() - 2], side[side.len() - 1], point) {
            side.pop();
        }
        side.push(point);
    }
    side.pop();
    side
}
