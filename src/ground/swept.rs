//! The exact predicate in closed form, for cores that are axis-aligned boxes or points: boxes, circles and pixels, at
//! rest or moving. It gives the answers of the [search](super::predicate).
//!
//! The difference of two boxes is a box `C`. While the first moves by `by`, `C` sweeps a hexagon. The two hit if the
//! origin lies in it, or closer to it than the radius. The point of the hexagon that is nearest to the origin belongs
//! to `C`, to `C + by`, or to the path of the corner that passes the origin most closely (Ericson, *Real-Time Collision
//! Detection*, 2005, section 5.5, has the same cases for floats):
//!
//! ```text
//!   low · · · · · · · · · · · · ·     a line along by, through one corner
//!        +-----+        +-----+
//!        |  C  |        | C+by|
//!        +-----+        +-----+
//!  high · · · · · · · · · · · · ·     and through the opposite one
//! ```
//!
//! Widths: corners of `C` and `C + by` are below 2^31, a radius at most 2^30, `by` at most 2^28, as rays are; distances
//! across `by`, times its length, below 2^61.

use super::aabb::Aabb;
use super::lattice::Point;
use super::normal::{Normal, beyond, dot, left, toward_origin};
use super::touch::Touch;

/// Returns a direction in which `a`, moving by `by`, lies so far behind `b` that they do not hit, with the sum `radius`
/// of their radii; `None` if they hit. With radius 0 and touch excluded, one of them must have an area; a point that
/// moves then counts as its path.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
#[must_use]
pub(crate) fn apart(a: &Aabb, b: &Aabb, by: Point, radius: i32, touch: Touch) -> Option<Normal> {
    let all = Aabb { min: a.min - b.max, max: a.max - b.min };
    let across = Across::new(&all, by);
    match (radius, touch) {
        (0, Touch::Excluded) => without_radius(&all, &across),
        _ => with_radius(&all, &across, radius, touch),
    }
}

/// The extent of a box across the direction of its motion.
struct Across {
    by: Point,
    /// A direction perpendicular to `by`.
    normal: Normal,
    /// The corners first and last along `normal`.
    corners: [Point; 2],
    /// The places of these along `normal`.
    low: i64,
    high: i64,
}

impl Across {
    #[inline(always)]
    fn new(&Aabb { min, max }: &Aabb, by: Point) -> Self {
        let normal = left(Point::ZERO, by);
        let first = Point::new(if by.y > 0 { max.x } else { min.x }, if by.x > 0 { min.y } else { max.y });
        let last = Point::new(if by.y > 0 { min.x } else { max.x }, if by.x > 0 { max.y } else { min.y });
        Self { by, normal, corners: [first, last], low: dot(normal, first), high: dot(normal, last) }
    }
}

/// Separates the interior of the hexagon from the origin, by the normals of its sides.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn without_radius(&Aabb { min, max }: &Aabb, &Across { by, normal, low, high, .. }: &Across) -> Option<Normal> {
    let moves = by != Point::ZERO;
    let tests = [
        (max.x + by.x.max(0) <= 0, [1, 0]),
        (min.x + by.x.min(0) >= 0, [-1, 0]),
        (max.y + by.y.max(0) <= 0, [0, 1]),
        (min.y + by.y.min(0) >= 0, [0, -1]),
        (moves && high <= 0, normal),
        (moves && low >= 0, normal.map(|v| -v)),
    ];
    // One branch for all tests: most pairs come close to each other, so that a single test is hard to predict.
    if tests.iter().fold(false, |any, test| any | test.0) {
        tests.iter().find(|test| test.0).map(|test| test.1)
    } else {
        None
    }
}

/// Separates the hexagon from the disc around the origin, by the direction from its nearest point.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn with_radius(all: &Aabb, across: &Across, radius: i32, touch: Touch) -> Option<Normal> {
    let &Across { by, normal, corners, low, high } = across;
    let limit = u64::from(radius.unsigned_abs()).pow(2);
    let (start, end) = (nearest(all), nearest(&all.moved(by)));
    // The point of `C` or `C + by` that is nearest to the origin.
    let ends = if square(start) < square(end) { start } else { end };
    let distance = square(ends);
    if distance < limit || (distance == limit && touch == Touch::Included) {
        return None;
    }
    let (corner, n, along) = match (low > 0, high < 0) {
        (true, _) => (corners[0], normal.map(|v| -v), -low),
        (_, true) => (corners[1], normal, high),
        // The origin lies between the two lines.
        _ if holds_zero([all.min.x, all.max.x], by.x) && holds_zero([all.min.y, all.max.y], by.y) => return None,
        _ => return Some(toward_origin(ends)),
    };
    let passed = -dot([by.x.into(), by.y.into()], corner);
    if passed <= 0 || passed.unsigned_abs() >= square(by) {
        return Some(toward_origin(ends));
    }
    beyond(along, n, radius, touch).then_some(n)
}

/// Returns whether a range, moving by `by`, passes through 0.
#[inline(always)]
fn holds_zero([min, max]: [i32; 2], by: i32) -> bool {
    min + by.min(0) <= 0 && max + by.max(0) >= 0
}

/// Returns the point of a box that is nearest to the origin.
#[inline(always)]
fn nearest(&Aabb { min, max }: &Aabb) -> Point {
    Point::new(min.x.max(max.x.min(0)), min.y.max(max.y.min(0)))
}

#[inline(always)]
fn square(p: Point) -> u64 {
    let [x, y] = [p.x, p.y].map(|v| u64::from(v.unsigned_abs()).pow(2));
    x + y
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::predicate::{Core, search};
    use hitmask_workbench::workloads::SplitMix64;

    /// Compares with the search, and checks that the direction separates. Returns whether both hit.
    fn check(a: &Aabb, b: &Aabb, by: Point, radius: i32, touch: Touch) -> bool {
        let case = || format!("{a:?} by {by:?}, {b:?}, radius {radius}, {touch:?}");
        let found = apart(a, b, by, radius, touch);
        let searched = search(Core::Square(*a), Core::Square(*b), by, radius, touch);
        assert_eq!(found.is_none(), searched.is_none(), "{}", case());
        if let Some(n) = found {
            let farthest =
                |by: Point| dot(n, Core::Square(*a).support(n) + by - Core::Square(*b).support(n.map(|v| -v)));
            let along = farthest(Point::ZERO).max(farthest(by));
            assert!(beyond(along, n, radius, touch), "{}: {n:?}", case());
        }
        found.is_none()
    }

    #[test]
    fn small_boxes_are_decided_as_by_the_search() {
        let origin = Aabb { min: Point::ZERO, max: Point::ZERO };
        let mut hits = [0; 2];
        for k in 0..9_i32.pow(4) * 16 {
            let digit = |power: u32| k / 16 / 9_i32.pow(power) % 9 - 4;
            let (min, by) = (Point::new(digit(0), digit(1)), Point::new(digit(2), digit(3)));
            let size = Point::new(k % 4, k / 4 % 4);
            let a = Aabb { min, max: min + size };
            for radius in 0..4 {
                for touch in [Touch::Excluded, Touch::Included] {
                    let flat = size.x == 0 || size.y == 0;
                    if radius > 0 || touch == Touch::Included || !flat {
                        hits[usize::from(check(&a, &origin, by, radius, touch))] += 1;
                    }
                }
            }
        }
        assert!(hits.iter().all(|&count| count > 100_000), "{hits:?}");
    }

    #[test]
    fn boxes_anywhere_are_decided_as_by_the_search() {
        let mut random = SplitMix64(3);
        let mut hits = [0; 2];
        for _ in 0..200_000 {
            // Small, large, and as large as the world.
            let scale = [1 << 10, 1 << 20, 1 << 28][random.below(3) as usize];
            let mut within = |most: i32| random.below(2 * most as u32 + 1) as i32 - most;
            let mut side = |most: i32| within(most).max(0);
            let sizes = [(); 4].map(|()| side(scale / 2));
            let radius = side(scale / 3);
            let mut place = |most: i32| Point::new(within(most), within(most));
            let (at, by, centre) = (place(scale), place(scale), place((1 << 28) - 1));
            let boxed = |min: Point, [x, y]: [i32; 2]| Aabb { min, max: min + Point::new(x, y) };
            let (a, b) = (boxed(centre, [sizes[0], sizes[1]]), boxed(centre + at, [sizes[2], sizes[3]]));
            for touch in [Touch::Excluded, Touch::Included] {
                let flat = [0, 1].iter().any(|k| sizes[*k] + sizes[k + 2] == 0);
                if radius > 0 || touch == Touch::Included || !flat {
                    hits[usize::from(check(&a, &b, by, radius, touch))] += 1;
                }
            }
        }
        assert!(hits.iter().all(|&count| count > 20_000), "{hits:?}");
    }
}
