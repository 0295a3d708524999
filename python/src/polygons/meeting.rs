//! Decides how two polygons meet, in whole numbers, without taking either apart into convex pieces.
//!
//! Most polygons that meet have sides that cross, or one contains the other. Pairs that only touch are left open; a
//! world decides about those.

use super::polygon::{Corner, Polygon};
use super::sweep::{Boxed, any_pair, best_axis, sort};

/// The most sides of which each is compared with all of the other polygon: that is faster than to sort both, as most
/// that cross do so early.
const FEW: usize = 512;

/// How two polygons meet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Meeting {
    /// Their closed sets have no common point.
    Apart,
    /// Their interiors overlap.
    Overlap,
    /// Their boundaries have a common point, but no sides cross: interiors may overlap or not.
    Contact,
}

/// Two neighbouring corners of a ring.
pub(super) type Side = [Corner; 2];

/// A box: its least corner, then its largest.
pub(super) type Rect = [Corner; 2];

/// Returns the box of a side.
#[inline]
pub(super) fn bounds(&[from, to]: &Side) -> Rect {
    [[from[0].min(to[0]), from[1].min(to[1])], [from[0].max(to[0]), from[1].max(to[1])]]
}

/// Returns whether two closed boxes meet.
#[inline]
#[expect(clippy::needless_bitwise_bool, reason = "which comparison fails cannot be predicted")]
fn meet(a: &Rect, b: &Rect) -> bool {
    (a[0][0] <= b[1][0]) & (b[0][0] <= a[1][0]) & (a[0][1] <= b[1][1]) & (b[0][1] <= a[1][1])
}

/// Returns on which side of a line a point lies: the sign of the area that they span.
#[inline]
fn turn(&[from, to]: &Side, point: Corner) -> i64 {
    let [u, v] = [to, point].map(|to| [0, 1].map(|axis| i64::from(to[axis]) - i64::from(from[axis])));
    (u[0] * v[1] - u[1] * v[0]).signum()
}

/// Returns how two sides meet: `Overlap` if they cross at a point inside both.
#[inline]
pub(super) fn cross((a, of_a): &Boxed, (b, of_b): &Boxed) -> Meeting {
    if meet(of_a, of_b) { cross_near(a, b) } else { Meeting::Apart }
}

/// Returns how two sides meet whose boxes meet.
#[inline]
fn cross_near(a: &Side, b: &Side) -> Meeting {
    let of_a = turn(a, b[0]) * turn(a, b[1]);
    if of_a > 0 {
        return Meeting::Apart;
    }
    match of_a.max(turn(b, a[0]) * turn(b, a[1])) {
        1 => Meeting::Apart,
        // Neither end of one lies on the line of the other.
        -1 => Meeting::Overlap,
        _ => Meeting::Contact,
    }
}

/// Returns the two corners of each side.
pub(super) fn sides(polygon: Polygon<'_>) -> impl Iterator<Item = Side> {
    polygon.rings().flat_map(|ring| ring.windows(2).map(|side| [side[0], side[1]]))
}

/// Returns whether a point that is on no side lies in a polygon: a ray from it to the right crosses an odd number.
fn contains(polygon: Polygon<'_>, point: Corner) -> bool {
    let crosses = |side: &Side| {
        let down = side[0][1] <= point[1];
        down != (side[1][1] <= point[1]) && (turn(side, point) > 0) == down
    };
    sides(polygon).filter(crosses).count() % 2 == 1
}

/// Calls `work` with each side of a polygon whose box meets `rect`, and with that box, until it returns something.
/// Corners are moved by a vector.
#[inline]
fn near<T>(polygon: Polygon<'_>, by: Corner, rect: &Rect, mut work: impl FnMut(Side, Rect) -> Option<T>) -> Option<T> {
    let moved = |corner: &Corner| [corner[0] + by[0], corner[1] + by[1]];
    // Beyond which sides of the box a corner lies: a side of the polygon is not near if both ends are beyond one.
    let beyond = |corner: &Corner| {
        u8::from(corner[0] < rect[0][0])
            | u8::from(corner[0] > rect[1][0]) << 1
            | u8::from(corner[1] < rect[0][1]) << 2
            | u8::from(corner[1] > rect[1][1]) << 3
    };
    for ring in polygon.rings() {
        let Some((first, others)) = ring.split_first() else { continue };
        let mut from = moved(first);
        let mut from_beyond = beyond(&from);
        for corner in others {
            let to = moved(corner);
            let to_beyond = beyond(&to);
            if from_beyond & to_beyond == 0 {
                let side = [from, to];
                if let Some(found) = work(side, bounds(&side)) {
                    return Some(found);
                }
            }
            (from, from_beyond) = (to, to_beyond);
        }
    }
    None
}

/// Replaces `found` by the sides of a polygon whose boxes meet `rect`. Corners are moved by a vector.
fn gather(polygon: Polygon<'_>, by: Corner, rect: &Rect, found: &mut Vec<Boxed>) {
    found.clear();
    near(polygon, by, rect, |side, bounds| {
        found.push((side, bounds));
        None::<()>
    });
}

/// Returns how two polygons meet. `memory` is room to work in, kept from call to call.
pub(super) fn meeting([a, b]: [Polygon<'_>; 2], [of_a, of_b]: &mut [Vec<Boxed>; 2]) -> Meeting {
    // From the origin of `a` to that of `b`.
    let by = [0, 1].map(|axis| b.frame().origin[axis] - a.frame().origin[axis]);
    let most = [0, 1].map(|axis| i64::from(a.frame().size[axis]).min(by[axis] + i64::from(b.frame().size[axis])));
    if (0..2).any(|axis| most[axis] < by[axis].max(0)) {
        return Meeting::Apart;
    }
    // The boxes meet, so all coordinates from the origin of `a` have at most 30 bits.
    let by = by.map(|by| by as i32);
    let common = [by.map(|by| by.max(0)), most.map(|most| most as i32)];
    let mut contact = false;
    let mut overlaps = |side: &Boxed, other: &Boxed| match cross(side, other) {
        Meeting::Apart => false,
        Meeting::Overlap => true,
        Meeting::Contact => {
            contact = true;
            false
        }
    };
    gather(b, by, &common, of_b);
    let are_many = of_b.len() > FEW && {
        gather(a, [0; 2], &common, of_a);
        of_a.len() > FEW
    };
    let is_overlap = if are_many {
        let axis = best_axis(of_a.iter().chain(&*of_b));
        sort(of_a, axis);
        sort(of_b, axis);
        any_pair([of_a, of_b], axis, overlaps)
    } else {
        let of_any = |side, bounds| of_b.iter().any(|other| overlaps(&(side, bounds), other)).then_some(());
        near(a, [0; 2], &common, of_any).is_some()
    };
    if is_overlap {
        return Meeting::Overlap;
    }
    // If no boundary is met, each lies on one side of the other.
    let [of_a, of_b] = [a, b].map(|polygon| polygon.rings().flatten().next().copied());
    let is_in = |polygon: Polygon<'_>, corner: Option<Corner>, by: Corner| {
        corner.is_some_and(|corner| contains(polygon, [corner[0] + by[0], corner[1] + by[1]]))
    };
    match contact {
        true => Meeting::Contact,
        false if is_in(b, of_a, by.map(|by| -by)) || is_in(a, of_b, by) => Meeting::Overlap,
        false => Meeting::Apart,
    }
}
