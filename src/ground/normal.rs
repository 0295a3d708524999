//! Directions that separate convex sets.

use super::lattice::Point;

/// A direction along which all of `A` lies behind all of `B`.
pub(crate) type Normal = [i64; 2];

/// Returns how far a point is along a direction, times the length of the direction.
#[inline]
pub(crate) fn dot(n: Normal, p: Point) -> i64 {
    n[0] * i64::from(p.x) + n[1] * i64::from(p.y)
}

/// Returns a direction to the left of the edge from `p` to `q`.
#[inline]
pub(super) fn left(p: Point, q: Point) -> Normal {
    [i64::from(p.y) - i64::from(q.y), i64::from(q.x) - i64::from(p.x)]
}

#[inline]
pub(super) fn toward_origin(p: Point) -> Normal {
    [-i64::from(p.x), -i64::from(p.y)]
}
