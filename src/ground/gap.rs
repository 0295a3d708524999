//! The gap between two convex cores: the square of their distance, exact, and their closest points.
//!
//! The search is that of the exact [predicate](super::predicate), run to its end: over the differences of the two
//! cores, from feature to feature, each strictly nearer to the origin.
//!
//! Widths: coordinates are at most 2^29, a difference of two 2^30; an edge, and a direction, at most 2^31 along each
//! axis; their products with points 2^62; the square of a cross product 2^122.

use std::cmp::Ordering;

use super::aabb::Aabb;
use super::lattice::Point;
use super::normal::{Normal, dot};
use super::predicate::{Core, cross};

/// The gap between two closed cores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gap {
    /// The square of the distance, in lattice steps; 0 if the cores meet.
    pub(crate) square: Square,
    /// A direction that leads from the first straight to the second; (0, 0) if they meet.
    pub(crate) normal: Normal,
}

/// A fraction that is at least 0: a whole number and the rest, `rest / scale`, which is less than 1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Square {
    pub(crate) whole: i64,
    rest: i64,
    scale: i64,
}

impl Square {
    const ZERO: Self = Self { whole: 0, rest: 0, scale: 1 };

    /// Makes a whole number.
    pub(crate) fn whole(whole: i64) -> Self {
        Self { whole, ..Self::ZERO }
    }

    /// Makes the fraction `square / scale`, which is at most 2^61.
    fn new(square: u128, scale: i64) -> Self {
        let by = u128::from(scale.unsigned_abs());
        Self { whole: (square / by) as i64, rest: (square % by) as i64, scale }
    }

    /// Returns the square root. The whole part is split off, so that equal fractions have equal roots, however they are
    /// written.
    pub(crate) fn root(self) -> f64 {
        (self.whole as f64 + self.rest as f64 / self.scale as f64).sqrt()
    }
}

impl PartialEq for Square {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Square {}

impl PartialOrd for Square {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Square {
    fn cmp(&self, other: &Self) -> Ordering {
        let times = |v: i64, w: i64| i128::from(v) * i128::from(w);
        let rests = || times(self.rest, other.scale).cmp(&times(other.rest, self.scale));
        self.whole.cmp(&other.whole).then_with(rests)
    }
}

impl Gap {
    const NONE: Self = Self { square: Square::ZERO, normal: [0, 0] };

    /// Returns the gap from a core to a point.
    pub(crate) fn to_point(core: Core<'_>, at: Point) -> Self {
        search(|n| core.support(n) - at)
    }

    /// Returns the gap from one core to another.
    pub(crate) fn between(a: Core<'_>, b: Core<'_>) -> Self {
        search(|n| a.support(n) - b.support([-n[0], -n[1]]))
    }
}

/// Returns the gap from a convex set to the origin, given a vertex of the set that is farthest along a direction.
#[inline(always)]
fn search(support: impl Fn(Normal) -> Point) -> Gap {
    let wide = |p: Point| [i64::from(p.x), i64::from(p.y)];
    let back = |p: Point| [-i64::from(p.x), -i64::from(p.y)];
    let mut p = support([1, 0]);
    let mut q = p;
    loop {
        let edge = q - p;
        // The direction to the origin, from the vertex or from the edge, which has the origin on its left.
        let n = if p == q { back(p) } else { [-i64::from(edge.y), i64::from(edge.x)] };
        let w = support(n);
        if dot(n, w) <= dot(n, p) {
            let square = if p == q {
                Square::whole(dot(wide(p), p))
            } else {
                Square::new(u128::from(cross(p, q).unsigned_abs()).pow(2), dot(wide(edge), edge))
            };
            return Gap { square, normal: n };
        }
        // Whether the foot of the perpendicular from the origin to the line through `a` and `b` lies before `b`.
        let before = |a: Point, b: Point| dot(wide(b), b - a) > 0;
        let turned = |a: Point, b: Point| if cross(a, b) > 0 { (a, b) } else { (b, a) };
        if p == q {
            if !before(p, w) {
                (p, q) = (w, w);
            } else if cross(p, w) == 0 {
                return Gap::NONE;
            } else {
                (p, q) = turned(p, w);
            }
        } else {
            let (left, right) = (cross(w, p), cross(q, w));
            if left >= 0 && right >= 0 {
                return Gap::NONE;
            }
            (p, q) = if left < 0 && before(p, w) {
                (p, w)
            } else if right < 0 && before(q, w) {
                (w, q)
            } else {
                (w, w)
            };
        }
    }
}

/// The closest points of two cores, in lattice steps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    /// A point of each core.
    pub(crate) points: [[f64; 2]; 2],
    /// The unit vector from the first to the second.
    pub(crate) normal: [f64; 2],
}

impl Closest {
    /// Returns the closest points of two cores, given the normal of their gap, which is not (0, 0). Of several pairs it
    /// is the uppermost, then the leftmost. With the cores swapped, the points are swapped, to the last bit.
    pub(crate) fn new(a: Core<'_>, b: Core<'_>, normal: Normal) -> Self {
        // The shortest of equal directions, so that rounding depends on neither its length nor the order.
        let by = common_divisor(normal[0].unsigned_abs(), normal[1].unsigned_abs()) as i64;
        let n = normal.map(|v| v / by);
        let up = if n[0] > 0 || (n[0] == 0 && n[1] < 0) { [n[1], -n[0]] } else { [-n[1], n[0]] };
        // The upper ends of the faces that look at each other; the lower of them has its opposite on the other face.
        let (p, q) = (farthest(a, n, up), farthest(b, [-n[0], -n[1]], up));
        let wide = |p: Point| [f64::from(p.x), f64::from(p.y)];
        let square = (n[0] * n[0] + n[1] * n[1]) as f64;
        let part = (dot(n, q) - dot(n, p)) as f64 / square;
        let [x, y] = n.map(|v| v as f64);
        let points = match dot(up, p).cmp(&dot(up, q)) {
            Ordering::Less => [wide(p), [f64::from(p.x) + x * part, f64::from(p.y) + y * part]],
            Ordering::Equal => [p, q].map(wide),
            Ordering::Greater => [[f64::from(q.x) - x * part, f64::from(q.y) - y * part], wide(q)],
        };
        let length = square.sqrt();
        Self { points, normal: [x / length, y / length] }
    }
}

/// Returns the vertex of a core farthest along a direction; of several, the farthest along another.
fn farthest(core: Core<'_>, n: Normal, then: Normal) -> Point {
    let farther = |p: Point, q: Point| {
        let key = |p: Point| (dot(n, p), dot(then, p));
        if key(q) > key(p) { q } else { p }
    };
    match core {
        Core::Hull(vertices) | Core::Segment(vertices) => vertices.iter().copied().fold(vertices[0], farther),
        Core::Square(Aabb { min, max }) => {
            [Point::new(max.x, min.y), max, Point::new(min.x, max.y)].into_iter().fold(min, farther)
        }
    }
}

/// Returns the greatest common divisor, by Euclid's algorithm.
fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
