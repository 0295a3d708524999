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
#[inline(always)]
pub(crate) fn turned_extent(inverse: Snapped, anchor: Point, solid: Aabb) -> Option<Aabb> {
    let [min, max] = turned_pixels(inverse, edges(anchor, solid)).map(|corner| corner.map(|v| v as i64));
    // Added to any position within a pixel and rounded down, these are whole pixels.
    Some(Aabb { min: from_position(min.map(|v| v * 256))?, max: from_position(max.map(|v| v * 256))? })
}

/// As [`turned_extent`], in whole pixels, given the edges of the solid texels. It has no branch, so compilers vectorize
/// it.
#[inline(always)]
pub(in crate::world) fn turned_pixels(inverse: Snapped, [u, v]: [[f64; 2]; 2]) -> [[f64; 2]; 2] {
    const ERROR: f64 = 1e-3;
    let ([a, b], [c, d]) = (inverse.x.map(f64::from), inverse.y.map(f64::from));
    let det = a * d - b * c;
    // A difference is greatest where its first part is and its second is least, and rounding keeps the order.
    let across = difference(u.map(|u| d * u), v.map(|v| b * v));
    let down = difference(v.map(|v| a * v), u.map(|u| c * u));
    let [[left, right], [top, bottom]] = [across, down].map(|ends| sorted(ends.map(|end| end / det)));
    let min = [left, top].map(|v| (v - 0.5 - ERROR).ceil());
    let max = [right, bottom].map(|v| (v + 127.0 / 256.0 + ERROR).floor() + 1.0);
    [min, max]
}

/// Returns the left and right, and the upper and lower edges of a sprite's solid texels, from its anchor, in 2^-16 of a
/// texel.
#[inline(always)]
pub(in crate::world) fn edges(anchor: Point, solid: Aabb) -> [[f64; 2]; 2] {
    let along = |anchor: i32, ends: [i32; 2]| ends.map(|end| f64::from(end) * 65536.0 - f64::from(anchor) * 256.0);
    [along(anchor.x, [solid.min.x, solid.max.x]), along(anchor.y, [solid.min.y, solid.max.y])]
}

/// Returns the least and the greatest difference of an element of `a` and one of `b`.
#[inline(always)]
fn difference(a: [f64; 2], b: [f64; 2]) -> [f64; 2] {
    let ([a0, a1], [b0, b1]) = (sorted(a), sorted(b));
    [a0 - b1, a1 - b0]
}

#[inline(always)]
fn sorted([a, b]: [f64; 2]) -> [f64; 2] {
    if a <= b { [a, b] } else { [b, a] }
}

/// The greatest distance of an extent's corner from the position, along an axis: beyond it, the corner lies beyond the
/// world from every position in it.
pub(in crate::world) const MAX_EXTENT: i32 = 2 * MAX_COORDINATE;

/// Returns a corner of an extent; `None` if it lies beyond the world from every position in it.
#[inline(always)]
pub(super) fn from_position([x, y]: [i64; 2]) -> Option<Point> {
    let limit = i64::from(MAX_EXTENT);
    (x.abs() <= limit && y.abs() <= limit).then(|| Point::new(x as i32, y as i32))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_corner_is_within_two_worlds_of_each_position() {
        let limit = 2 * i64::from(MAX_COORDINATE);
        for corner in [[limit, 0], [-limit, 0], [0, limit], [0, -limit]] {
            assert_eq!(from_position(corner), Some(Point::new(corner[0] as i32, corner[1] as i32)));
            assert_eq!(from_position(corner.map(|v| v + v.signum())), None);
        }
    }
}
