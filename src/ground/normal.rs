//! Directions that separate convex sets.

use super::lattice::Point;
use super::touch::Touch;

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

/// Returns whether two cores with the sum `radius` of their radii are apart, given that `n·c` is at most `along` for
/// each difference `c` of their points.
#[inline]
pub(super) fn beyond(along: i64, n: Normal, radius: i32, touch: Touch) -> bool {
    match (radius, touch) {
        (0, Touch::Excluded) => along <= 0,
        (0, Touch::Included) => along < 0,
        _ if along >= 0 => false,
        _ => {
            let square = u128::from(along.unsigned_abs()).pow(2);
            let length = n[0].unsigned_abs().pow(2) + n[1].unsigned_abs().pow(2);
            let reach = u128::from(radius.unsigned_abs()).pow(2) * u128::from(length);
            square > reach || (square == reach && touch == Touch::Excluded)
        }
    }
}
