//! Segments between lattice points, and how two of them meet; exact for all of `i32`.

use std::cmp::Ordering;

use crate::ground::lattice::Point;

/// A segment, as its start and its end.
pub(super) type Segment = [Point; 2];

/// Returns the cross product and the dot product of `b - a` and `c - a`, exact for all of `i32`: factors have 33 bits,
/// products 65.
pub(super) fn products(a: Point, b: Point, c: Point) -> [i128; 2] {
    let [ux, uy, vx, vy] = [(b.x, a.x), (b.y, a.y), (c.x, a.x), (c.y, a.y)].map(|(p, q)| i64::from(p) - i64::from(q));
    let times = |p: i64, q: i64| i128::from(p) * i128::from(q);
    [times(ux, vy) - times(uy, vx), times(ux, vx) + times(uy, vy)]
}

/// Returns twice the signed area of the triangle `a`, `b`, `c`; positive if it turns from +x toward +y.
pub(super) fn cross(a: Point, b: Point, c: Point) -> i128 {
    products(a, b, c)[0]
}

/// The way in which two segments meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meet {
    /// They have no point in common.
    Apart,
    /// They meet at one point, which is an end of at least one of them.
    Touch(Point),
    /// They cross inside both or share a stretch. The point is a common point, rounded to the lattice.
    Cross(Point),
}

pub(super) fn meet([a, b]: Segment, [c, d]: Segment) -> Meet {
    let same_side = |p: i128, q: i128| p.signum() * q.signum() > 0;
    let (of_a, of_b) = (cross(c, d, a), cross(c, d, b));
    if same_side(of_a, of_b) {
        return Meet::Apart;
    }
    let (of_c, of_d) = (cross(a, b, c), cross(a, b, d));
    if same_side(of_c, of_d) {
        return Meet::Apart;
    }
    if [of_a, of_b, of_c, of_d] == [0; 4] {
        // Both lie on one line, on which the order of points is their order along it.
        let (from, to) = (a.min(b).max(c.min(d)), a.max(b).min(c.max(d)));
        return match from.cmp(&to) {
            Ordering::Less => Meet::Cross(from),
            Ordering::Equal => Meet::Touch(from),
            Ordering::Greater => Meet::Apart,
        };
    }
    // The lines are not parallel, and neither segment lies entirely on one side of the other's line, so an end on the
    // other's line lies on both segments.
    if let Some((end, _)) = [(a, of_a), (b, of_b), (c, of_c), (d, of_d)].into_iter().find(|&(_, side)| side == 0) {
        return Meet::Touch(end);
    }
    let along = of_a as f64 / (of_a - of_b) as f64;
    let at = |from: i32, to: i32| (f64::from(from) + along * (f64::from(to) - f64::from(from))).round() as i32;
    Meet::Cross(Point::new(at(a.x, b.x), at(a.y, b.y)))
}
