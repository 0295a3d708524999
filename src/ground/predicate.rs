//! The exact predicate on convex cores; twin of `shaders/shared/predicate.wgsl`.
//!
//! Two cores `A` and `B` are closer than `R` if the origin is closer than `R` to `C = A - B`, the set of all
//! differences. The search walks from one feature of `C` (a vertex or an edge) to the one nearest the origin, as
//! Gilbert, Johnson and Keerthi do (1988; van den Bergen, *Collision Detection in Interactive 3D Environments*, 2003),
//! but in integers: each step is exact and strictly nearer, so the search ends:
//!
//! ```text
//! n = some direction
//! repeat: w = the vertex of C farthest along n
//!         if n·w lies so far behind the origin that all of C is R away: they are apart along n
//!         if w is no farther than the feature: the feature is the nearest, and within R: they meet
//!         feature = the nearest of the simplex of the feature and w; if the simplex holds the origin: they meet
//!         n = from the feature to the origin
//! ```
//!
//! The vertices of a core may be in any order. So neither the hull of landed vertices, which rounding may have
//! reordered, nor the hull of a core and its translate is ever built.
//!
//! Widths: coordinates are at most 2^29, a sweep 2^25, or 2^28 if it is that of a ray; a vertex of `C` at most
//! 2^30 + 2^28; `n` at most 2^31 + 2^29 (33 bits with its sign); `n·w` below 2^63; the squares of `n·w` and of `R |n|`
//! below 2^126.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::normal::{Normal, beyond, dot, left, toward_origin};
use crate::ground::swept;
#[cfg(any(test, feature = "internals"))]
use crate::ground::ticks;
use crate::ground::touch::Touch;

/// A convex core: the hull of its vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Core<'a> {
    /// The hull of points in any order, at least one.
    Hull(&'a [Point]),
    /// A segment without an interior, or the hull of its path.
    Segment(&'a [Point]),
    /// An axis-aligned box.
    Square(Aabb),
}

impl Core<'_> {
    /// Returns a vertex farthest along `n`.
    #[inline]
    pub(crate) fn support(self, n: Normal) -> Point {
        match self {
            Core::Hull(vertices) | Core::Segment(vertices) => {
                let mut best = vertices[0];
                let mut farthest = dot(n, best);
                for &vertex in &vertices[1..] {
                    let along = dot(n, vertex);
                    if along > farthest {
                        (best, farthest) = (vertex, along);
                    }
                }
                best
            }
            Core::Square(Aabb { min, max }) => {
                Point::new(if n[0] > 0 { max.x } else { min.x }, if n[1] > 0 { max.y } else { min.y })
            }
        }
    }

    /// Returns the core as a box, if it is a box or a point.
    #[inline(always)]
    pub(crate) fn square(self) -> Option<Aabb> {
        match self {
            Core::Square(bounds) => Some(bounds),
            Core::Hull(&[at]) => Some(Aabb { min: at, max: at }),
            _ => None,
        }
    }

    /// Returns the bounds of all vertices.
    #[must_use]
    pub(crate) fn bounds(self) -> Aabb {
        match self {
            Core::Hull(vertices) | Core::Segment(vertices) => Aabb::around(vertices),
            Core::Square(bounds) => bounds,
        }
    }

    /// Returns whether the core, swept along `sweep`, can hit another without a radius by more than touching it: it has
    /// an area, or is a segment.
    #[must_use]
    pub(crate) fn is_solid(self, sweep: Point) -> bool {
        self.is_segment() || self.has_area(sweep)
    }

    /// Returns true if it is a segment.
    #[inline]
    pub(crate) fn is_segment(self) -> bool {
        matches!(self, Core::Segment(_))
    }

    /// Returns the number of vertices.
    fn count(self) -> usize {
        match self {
            Core::Hull(vertices) | Core::Segment(vertices) => vertices.len(),
            Core::Square(_) => 4,
        }
    }

    /// Returns any vertex.
    fn vertex(self) -> Point {
        match self {
            Core::Hull(vertices) | Core::Segment(vertices) => vertices[0],
            Core::Square(Aabb { min, .. }) => min,
        }
    }

    /// Returns whether the hull of the core and its translate by `sweep` has an area.
    #[must_use]
    pub(crate) fn has_area(self, sweep: Point) -> bool {
        match self {
            Core::Square(_) => true,
            Core::Hull(vertices) | Core::Segment(vertices) => {
                let mut along = sweep;
                for &vertex in vertices {
                    let edge = vertex - vertices[0];
                    if cross(along, edge) != 0 {
                        return true;
                    }
                    if along == Point::ZERO {
                        along = edge;
                    }
                }
                false
            }
        }
    }
}

#[inline]
pub(crate) fn cross(p: Point, q: Point) -> i64 {
    i64::from(p.x) * i64::from(q.y) - i64::from(p.y) * i64::from(q.x)
}

/// Returns `q · (q - p)`. If it is not positive, the foot of the origin on the line through `p` and `q` lies at or
/// beyond `q`.
#[inline]
fn past(p: Point, q: Point) -> i64 {
    dot([i64::from(q.x), i64::from(q.y)], q) - dot([i64::from(q.x), i64::from(q.y)], p)
}

/// Returns whether `a`, swept along `sweep`, and `b` hit, with the sum `radius` of their radii.
#[must_use]
pub(crate) fn meets(a: Core<'_>, b: Core<'_>, sweep: Point, radius: i32, touch: Touch) -> bool {
    (radius > 0 || touch == Touch::Included || can_overlap(a, b, sweep)) && apart(a, b, sweep, radius, touch).is_none()
}

/// Returns whether two cores without a radius, the first swept along `sweep`, can hit by more than touching: each has
/// an area or is a segment, and not both are segments.
#[must_use]
pub(crate) fn can_overlap(a: Core<'_>, b: Core<'_>, sweep: Point) -> bool {
    !(a.is_segment() && b.is_segment()) && a.is_solid(sweep) && b.is_solid(Point::ZERO)
}

/// Returns a direction in which `a`, swept along `sweep`, lies so far behind `b` that they do not hit, with the sum
/// `radius` of their radii; `None` if they hit. With radius 0 and touch excluded, they must be able to overlap.
#[must_use]
pub(crate) fn apart(a: Core<'_>, b: Core<'_>, sweep: Point, radius: i32, touch: Touch) -> Option<Normal> {
    match (a.square(), b.square()) {
        (Some(a), Some(b)) => swept::apart(&a, &b, sweep, radius, touch),
        _ => search(a, b, sweep, radius, touch),
    }
}

/// As [`apart`], by the search, whatever the cores are.
#[must_use]
pub(crate) fn search(a: Core<'_>, b: Core<'_>, sweep: Point, radius: i32, touch: Touch) -> Option<Normal> {
    let open = radius == 0 && touch == Touch::Excluded;
    let support = |n: Normal| {
        let swept = if dot(n, sweep) > 0 { sweep } else { Point::ZERO };
        (a.support(n) + swept) - b.support([-n[0], -n[1]])
    };
    let mut n = toward_origin(a.vertex() - b.vertex());
    if n == [0, 0] {
        n = [1, 0];
    }
    // The feature: the vertex `p`, or the edge from `p` to `q` with the origin on its left; `height` is n·p.
    let mut p = support(n);
    let mut q = p;
    let mut height = dot(n, p);
    if beyond(height, n, radius, touch) {
        return Some(n);
    }
    n = toward_origin(p);
    if n == [0, 0] {
        return None;
    }
    height = dot(n, p);
    for _ in 0..most_turns(a, b) {
        let w = support(n);
        let along = dot(n, w);
        if beyond(along, n, radius, touch) {
            return Some(n);
        }
        if along <= height {
            return None;
        }
        if p == q {
            if past(p, w) <= 0 {
                (p, q) = (w, w);
            } else {
                let side = cross(p, w);
                if side == 0 {
                    // The origin lies on the edge: closed sets meet; interiors meet if C has points on both sides.
                    n = left(p, w);
                    let other = [-n[0], -n[1]];
                    return [n, other].into_iter().find(|&n| open && dot(n, support(n)) <= 0);
                }
                (p, q) = if side > 0 { (p, w) } else { (w, p) };
            }
        } else {
            // The triangle p, q, w has the origin on the left of p, q. An edge through the origin is no way out of a
            // closed set, but may be one out of its interior.
            let outside = |side: i64| side < 0 || (open && side == 0);
            let (wp, qw) = (outside(cross(w, p)), outside(cross(q, w)));
            if !wp && !qw {
                return None;
            }
            (p, q) = if wp && past(p, w) > 0 {
                (p, w)
            } else if qw && past(q, w) > 0 {
                (w, q)
            } else {
                (w, w)
            };
        }
        n = if p == q { toward_origin(p) } else { left(p, q) };
        if n == [0, 0] {
            return None;
        }
        height = dot(n, p);
    }
    debug_assert!(false, "a search without an end: {a:?}, {b:?}, {sweep:?}, {radius}, {touch:?}");
    None
}

/// Returns the maximum number of iterations of a search. Each finds a vertex of `C` nearer than all before, which
/// splits the chain of vertices still in question. So there are hardly more iterations than `C` has vertices: at most
/// those of both cores, and two more for a sweep. Twice as many are allowed; a million searches took 13 at most.
fn most_turns(a: Core<'_>, b: Core<'_>) -> usize {
    2 * (a.count() + b.count()) + 8
}

/// Returns whether a path leads from one side of a segment through it to the other.
#[must_use]
pub(crate) fn crosses([from, to]: [Point; 2], [p, q]: [Point; 2]) -> bool {
    let side = |[a, b]: [Point; 2], c: Point| cross(b - a, c - a).signum();
    side([p, q], from) * side([p, q], to) < 0 && side([from, to], p) * side([from, to], q) <= 0
}

/// Returns the first tick of `low..=high` by which something meets, found by bisection; `None` if it does not by
/// `high`. `low` is tested too.
pub(crate) fn first_tick(mut low: u32, mut high: u32, meets_by: impl Fn(u32) -> bool) -> Option<u32> {
    if !meets_by(high) {
        return None;
    }
    if low == high || meets_by(low) {
        return Some(low);
    }
    while high - low > 1 {
        let middle = u32::midpoint(low, high);
        if meets_by(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// Returns the first tick by which `a`, moving along `sweep`, and `b` hit, if they do, apart from seams.
#[cfg(any(test, feature = "internals"))]
#[must_use]
pub(crate) fn first_contact(a: Core<'_>, b: Core<'_>, sweep: Point, radius: i32, touch: Touch) -> Option<u32> {
    first_tick(0, ticks::TICKS, |k| meets(a, b, ticks::come(sweep, k), radius, touch))
}
