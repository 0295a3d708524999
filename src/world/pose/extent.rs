//! Extents: what a body may cover relative to its position, wherever that is.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::{MAX_COORDINATE, Point};
use crate::ground::linear::Snapped;

/// Returns the box of pixels that a turned sprite may paint, in lattice steps from the pixel that holds its position,
/// wherever the position lies within that pixel. Returns `None` if the box is larger than the world.
///
/// A pixel at offset `d` is painted if `N (d + f) + a` lies in the box of solid texels, with the inverse `N`, the
/// anchor `a` in texels, and `f` in `[-127/256, 1/2]`. So `d` lies in a parallelogram, and this is its bounding box. It
/// is computed in `f64`, whose error stays below 2^-10 pixel because `|det N|` is at least 1/32258. The box is enlarged
/// by more than that, so no float decides what is painted.
pub(crate) fn turned_extent(inverse: Snapped, anchor: Point, solid: Aabb) -> Option<Aabb> {
    const ERROR: f64 = 1e-3;
    let ([a, b], [c, d]) = (inverse.x.map(f64::from), inverse.y.map(f64::from));
    let det = a * d - b * c;
    let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for x in [solid.min.x, solid.max.x] {
        for y in [solid.min.y, solid.max.y] {
            let u = f64::from(x) * 65536.0 - f64::from(anchor.x) * 256.0;
            let v = f64::from(y) * 65536.0 - f64::from(anchor.y) * 256.0;
            let pixel = [(d * u - b * v) / det, (a * v - c * u) / det];
            for axis in 0..2 {
                min[axis] = min[axis].min(pixel[axis]);
                max[axis] = max[axis].max(pixel[axis]);
            }
        }
    }
    let min = min.map(|v| (v - 0.5 - ERROR).ceil() as i64);
    let max = max.map(|v| (v + 127.0 / 256.0 + ERROR).floor() as i64 + 1);
    // Added to any position within a pixel and rounded down, these are whole pixels.
    Some(Aabb { min: from_position(min.map(|v| v * 256))?, max: from_position(max.map(|v| v * 256))? })
}

/// Returns a corner of an extent; `None` if it lies beyond the world from every position in it.
pub(super) fn from_position([x, y]: [i64; 2]) -> Option<Point> {
    let limit = 2 * i64::from(MAX_COORDINATE);
    (x.abs() <= limit && y.abs() <= limit).then(|| Point::new(x as i32, y as i32))
}
