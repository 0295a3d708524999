//! Convex sets within convex sets, and within unions of them; exact.
//!
//! ```text
//! one holds another, with radii R and r:
//!     R >= r   each vertex of the inner core is at most R - r from the outer core
//!     R < r    each vertex of the inner core is at least r - R inside each edge of the outer core
//!
//! several without radius hold a set together:
//!     for each edge of each of them: gaps = what no other covers on the far side of the edge
//!         no gap reaches into the inner set
//!     the inner set overlaps one of them
//! ```
//!
//! The gaps are the outline of the union. An edge that two of them share, back and forth, has none. The interior of the
//! inner set is connected, so if no gap reaches into it, it lies on one side of the outline.
//!
//! Widths: coordinates are at most 2^29, differences 2^30, cross and dot products 2^61, radii 2^29. A place on an edge
//! is a fraction of two such products; the square of its distance has 250 bits.

use super::contact::convex::hull;
use crate::ground::aabb::Aabb;
use crate::ground::gap::{Gap, Square};
use crate::ground::lattice::Point;
use crate::ground::normal;
use crate::ground::predicate::{self, Core};
use crate::ground::touch::Touch;
use crate::ground::wide::Wide;

/// A convex core, inflated by a radius, in lattice steps.
pub(super) struct Solid {
    /// The vertices, with the inside on the left of each edge.
    hull: Vec<Point>,
    radius: i32,
}

impl Solid {
    /// Makes the hull of vertices in any order; `None` if it has no interior.
    pub(super) fn new(vertices: &[Point], radius: i32) -> Option<Self> {
        let hull = hull(vertices.iter().map(|p| [i64::from(p.x), i64::from(p.y)]));
        let hull: Vec<Point> = hull.into_iter().map(|[x, y]| Point::new(x as i32, y as i32)).collect();
        (radius > 0 || hull.len() > 2).then_some(Self { hull, radius })
    }

    pub(super) fn bounds(&self) -> Aabb {
        Aabb::around(&self.hull).grown(self.radius)
    }

    fn core(&self) -> Core<'_> {
        Core::Hull(&self.hull)
    }

    /// Returns the edges of the core. A segment has two, back and forth, and a point has one, of length 0.
    fn edges(&self) -> impl Iterator<Item = Edge> {
        let ends = self.hull.iter().zip(self.hull.iter().cycle().skip(1));
        ends.map(|(&a, &b)| [a, b])
    }

    /// Returns whether this set contains another.
    pub(super) fn holds(&self, inner: &Self) -> bool {
        let spare = i64::from(self.radius) - i64::from(inner.radius);
        if spare >= 0 {
            let most = Square::whole(spare * spare);
            return inner.hull.iter().all(|&vertex| Gap::to_point(self.core(), vertex).square <= most);
        }
        let deep = |[a, b]: Edge, vertex: Point| {
            let side = cross(a, b, vertex);
            side >= 0 && square(side) >= square(spare) * u128::from(dot(a, b, b).unsigned_abs())
        };
        self.hull.len() > 2 && inner.hull.iter().all(|&vertex| self.edges().all(|edge| deep(edge, vertex)))
    }
}

/// Returns whether the union of sets without radius contains a set.
pub(super) fn hold(outer: &[&Solid], inner: &Solid) -> bool {
    let mut all: Vec<Edge> = outer.iter().flat_map(|solid| solid.edges()).collect();
    all.sort_unstable();
    let reaches_in = |edge: Edge, gap: Span| {
        if inner.radius == 0 {
            through(edge, inner, false).is_some_and(|[from, to]| from.max(gap[0]) < to.min(gap[1]))
        } else {
            comes_near(edge, gap, inner)
        }
    };
    let shows = |(k, solid): (usize, &&Solid)| {
        // Where two sets share an edge, the other covers its far side.
        let is_shared = |[from, to]: Edge| all.binary_search(&[to, from]).is_ok();
        let mut edges = solid.edges().filter(|&edge| reaches_in(edge, [Place::START, Place::END]) && !is_shared(edge));
        edges.any(|edge| gaps(edge, outer, k).into_iter().any(|gap| reaches_in(edge, gap)))
    };
    let overlaps =
        |solid: &&Solid| predicate::meets(solid.core(), inner.core(), Point::ZERO, inner.radius, Touch::Excluded);
    !outer.iter().enumerate().any(shows) && outer.iter().any(overlaps)
}

type Edge = [Point; 2];

/// A part of an edge.
type Span = [Place; 2];

/// Returns the parts of an edge of set `own` on whose right side is no other set.
fn gaps(edge: Edge, outer: &[&Solid], own: usize) -> Vec<Span> {
    let others = outer.iter().enumerate().filter(|&(k, _)| k != own);
    let mut covered: Vec<Span> = others.filter_map(|(_, solid)| through(edge, solid, true)).collect();
    covered.sort_unstable();
    let (mut gaps, mut at) = (Vec::new(), Place::START);
    for [from, to] in covered.into_iter().chain([[Place::END; 2]]) {
        if at < from {
            gaps.push([at, from]);
        }
        at = at.max(to);
    }
    gaps
}

/// Returns the part of an edge that runs through the interior of a core; if `beside`, also along the core's edge with
/// the core on the right.
fn through([a, b]: Edge, solid: &Solid, beside: bool) -> Option<Span> {
    let [mut from, mut to] = [Place::START, Place::END];
    for [c, d] in solid.edges() {
        let (first, second) = (cross(c, d, a), cross(c, d, b));
        if first <= 0 && second <= 0 {
            let runs_along = first == 0 && second == 0 && beside && dot(a, b, b + (d - c)) < dot(a, b, b);
            if !runs_along {
                return None;
            }
        } else if first < 0 || second < 0 {
            let place = Place::new(first.abs(), (first - second).abs());
            if first < 0 { from = from.max(place) } else { to = to.min(place) }
        }
    }
    (from < to).then_some([from, to])
}

/// Returns whether a part of an edge comes nearer to a core than its radius.
fn comes_near(edge: Edge, [from, to]: Span, solid: &Solid) -> bool {
    let [a, b] = edge;
    let length = dot(a, b, b);
    let within = |place: Place| from <= place && place <= to;
    // The nearest place is an end, the foot of a vertex, or where an edge of the core crosses.
    let foot_is_near = |&vertex: &Point| {
        let along = dot(a, b, vertex);
        let near = square(cross(a, b, vertex)) < square(solid.radius.into()) * u128::from(length.unsigned_abs());
        near && along >= 0 && within(Place::new(along, length))
    };
    let crosses = |[c, d]: Edge| {
        let [first, second] = [cross(a, b, c), cross(a, b, d)];
        let [start, end] = [cross(c, d, a), cross(c, d, b)];
        let is_between = first.signum() * second.signum() < 0 && start.signum() * end.signum() < 0;
        is_between && within(Place::new(start.abs(), (start - end).abs()))
    };
    [from, to].into_iter().any(|place| is_near(edge, place, solid))
        || solid.hull.iter().any(foot_is_near)
        || solid.edges().any(crosses)
}

/// Returns whether a place on an edge is nearer to a core than its radius.
fn is_near([a, b]: Edge, place: Place, solid: &Solid) -> bool {
    let scale = i128::from(place.whole);
    let along =
        |from: i32, to: i32| i128::from(from) * scale + i128::from(place.part) * (i128::from(to) - i128::from(from));
    let [x, y] = [along(a.x, b.x), along(a.y, b.y)];
    // From a vertex to the place, times `scale`.
    let to = |p: Point| [x - i128::from(p.x) * scale, y - i128::from(p.y) * scale];
    let wide = |v: i128| Wide::product(v.unsigned_abs(), v.unsigned_abs());
    let reach = i128::from(solid.radius) * scale;
    let vertex_is_near = |&p: &Point| {
        let [x, y] = to(p);
        wide(x).plus(wide(y)) < wide(reach)
    };
    let sides = |[c, d]: Edge| {
        let ([x, y], [u, v]) = (to(c), [d.x - c.x, d.y - c.y].map(i128::from));
        (u * y - v * x, u * x + v * y, u * u + v * v)
    };
    let edge_is_near = |edge: Edge| {
        let (side, along, length) = sides(edge);
        let most = Wide::product(square(solid.radius.into()) * length.unsigned_abs(), (scale * scale).unsigned_abs());
        0 < along && along < length * scale && wide(side) < most
    };
    let is_inside = solid.hull.len() > 2 && solid.edges().all(|edge| sides(edge).0 >= 0);
    is_inside || solid.hull.iter().any(vertex_is_near) || solid.edges().any(edge_is_near)
}

/// A place on an edge: `part` of `whole` from its start to its end.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// 0 to `whole`, for a place between the ends.
    part: i64,
    /// At least 1.
    whole: i64,
}

impl Place {
    const START: Self = Self { part: 0, whole: 1 };
    const END: Self = Self { part: 1, whole: 1 };

    fn new(part: i64, whole: i64) -> Self {
        Self { part, whole }
    }
}

impl Ord for Place {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let times = |v: i64, w: i64| i128::from(v) * i128::from(w);
        times(self.part, other.whole).cmp(&times(other.part, self.whole))
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Place {}

/// Returns the cross product of `b - a` and `c - a`, positive if `c` lies on the left of `a` to `b`.
fn cross(a: Point, b: Point, c: Point) -> i64 {
    predicate::cross(b - a, c - a)
}

/// Returns the dot product of `b - a` and `c - a`.
fn dot(a: Point, b: Point, c: Point) -> i64 {
    let edge = b - a;
    normal::dot([edge.x.into(), edge.y.into()], c - a)
}

fn square(v: i64) -> u128 {
    u128::from(v.unsigned_abs()).pow(2)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type V = [f64; 2];

    /// The distance within which a place is sampled. Lines, vertices and radii of small coordinates differ by far more.
    const NEAR: f64 = 1e-6;

    fn side([a, b]: [V; 2], p: V) -> f64 {
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    }

    fn vertices(solid: &Solid) -> Vec<V> {
        solid.hull.iter().map(|p| [f64::from(p.x), f64::from(p.y)]).collect()
    }

    fn segments(solid: &Solid) -> Vec<[V; 2]> {
        let vertices = vertices(solid);
        (0..vertices.len()).map(|k| [vertices[k], vertices[(k + 1) % vertices.len()]]).collect()
    }

    /// Returns the distance of a point from a core; negative inside, by the distance from the nearest edge.
    fn distance(solid: &Solid, p: V) -> f64 {
        let edges = segments(solid);
        let away = |[a, b]: [V; 2]| {
            let [u, v] = [b[0] - a[0], b[1] - a[1]];
            let length = u * u + v * v;
            let along = if length == 0.0 { 0.0 } else { ((p[0] - a[0]) * u + (p[1] - a[1]) * v) / length };
            let t = along.clamp(0.0, 1.0);
            (p[0] - a[0] - t * u).hypot(p[1] - a[1] - t * v)
        };
        let away = edges.iter().map(|&edge| away(edge)).fold(f64::INFINITY, f64::min);
        if edges.len() > 2 && edges.iter().all(|&edge| side(edge, p) > 0.0) { -away } else { away }
    }

    /// The oracle, for small coordinates: looks for a point of the inner set that is in no outer one. Such points form
    /// an area, so there are some around a vertex of it, in the middle between two directions of edges. Its vertices
    /// are those of the sets, places where edges cross, and the feet of vertices on edges.
    fn hold_by_samples(outer: &[&Solid], inner: &Solid) -> bool {
        let edges: Vec<[V; 2]> = outer.iter().flat_map(|solid| segments(solid)).chain(segments(inner)).collect();
        let mut places: Vec<V> = edges.iter().map(|edge| edge[0]).collect();
        let corners = places.clone();
        for &[a, b] in &edges {
            let [u, v] = [b[0] - a[0], b[1] - a[1]];
            let length = u * u + v * v;
            if length > 0.0 {
                let at = |t: f64| [a[0] + t * u, a[1] + t * v];
                places.extend(corners.iter().map(|p| at(((p[0] - a[0]) * u + (p[1] - a[1]) * v) / length)));
                let crossed = edges.iter().map(|&edge| [side(edge, a), side(edge, b)]).filter(|[s, t]| s != t);
                places.extend(crossed.map(|[s, t]| at(s / (s - t))));
            }
        }
        let mut angles: Vec<f64> = edges.iter().map(|[a, b]| (b[1] - a[1]).atan2(b[0] - a[0])).collect();
        angles.extend(angles.clone().iter().map(|angle| angle + std::f64::consts::PI));
        angles.extend([-3.0, -1.0, 1.0, 3.0]);
        angles.sort_by(f64::total_cmp);
        let middles: Vec<f64> = angles.windows(2).filter(|w| w[1] - w[0] > 1e-9).map(|w| w[0].midpoint(w[1])).collect();
        let is_free = |p: V| {
            let is_in =
                if inner.radius == 0 { distance(inner, p) < 0.0 } else { distance(inner, p) < f64::from(inner.radius) };
            is_in && outer.iter().all(|solid| distance(solid, p) > f64::from(solid.radius))
        };
        let around = |p: V| middles.iter().map(move |m| [p[0] + NEAR * m.cos(), p[1] + NEAR * m.sin()]);
        !places.into_iter().flat_map(around).any(is_free)
    }

    fn points(range: std::ops::Range<i32>, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Point>> {
        prop::collection::vec((range.clone(), range).prop_map(|(x, y)| Point::new(x, y)), count)
    }

    /// The four sides of a square, and perhaps what is inside it, as a union of pieces that often covers what is
    /// inside.
    fn pieces() -> impl Strategy<Value = Vec<Vec<Point>>> {
        let cut = (0..9_i32, 0..9_i32, any::<bool>()).prop_map(|(v, w, upright)| {
            let turn = |x: i32, y: i32| if upright { Point::new(x, y) } else { Point::new(y, x) };
            let [left, right] = [[turn(0, 0), turn(v, 0)], [turn(8, 0), turn(v, 0)]];
            [left, right].map(|[a, b]| vec![a, b, turn(w, 8), turn(if a == turn(0, 0) { 0 } else { 8 }, 8)]).to_vec()
        });
        let loose = prop::collection::vec(points(0..9, 3..6), 0..3);
        (prop::collection::vec(cut, 0..3), loose).prop_map(|(cuts, loose)| [cuts.concat(), loose].concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn a_union_holds_what_no_sample_lies_beside(
            outer in pieces(), inner in points(0..9, 1..6), radius in prop_oneof![2 => Just(0), 1 => 0..4],
        ) {
            let outer: Vec<Solid> = outer.iter().filter_map(|piece| Solid::new(piece, 0)).collect();
            let outer: Vec<&Solid> = outer.iter().collect();
            let Some(inner) = Solid::new(&inner, radius) else { return Ok(()) };
            prop_assert_eq!(hold(&outer, &inner), hold_by_samples(&outer, &inner));
        }

        #[test]
        fn one_set_holds_what_a_union_of_it_does(outer in points(0..9, 1..6), inner in points(2..7, 1..4), radii in [0..9_i32, 0..4]) {
            let [Some(outer), Some(inner)] = [Solid::new(&outer, radii[0]), Solid::new(&inner, radii[1])] else { return Ok(()) };
            prop_assert_eq!(outer.holds(&inner), held_by_depth(&outer, &inner));
            if radii[0] == 0 {
                prop_assert_eq!(hold(&[&outer], &inner), outer.holds(&inner));
            }
        }
    }

    /// The oracle for two convex sets: no point at the inner set's edge is farther out than the outer's. Points that
    /// are just as far out are told apart by samples of many directions.
    fn held_by_depth(outer: &Solid, inner: &Solid) -> bool {
        let around = (0..3600).map(|k| f64::from(k).to_radians() / 10.0);
        let radius = f64::from(inner.radius);
        let mut edge = around.flat_map(|angle| {
            let off = [radius * angle.cos(), radius * angle.sin()];
            vertices(inner).into_iter().map(move |[x, y]| [x + off[0], y + off[1]])
        });
        edge.all(|p| distance(outer, p) <= f64::from(outer.radius) + 1e-9)
    }

    fn solid(points: &[[i32; 2]], radius: i32) -> Solid {
        Solid::new(&points.iter().map(|&[x, y]| Point::new(x, y)).collect::<Vec<_>>(), radius).unwrap()
    }

    #[test]
    fn a_step_decides() {
        const FAR: i32 = (1 << 29) - 1;
        // Two triangles that share a diagonal of the whole world, and a body in a corner of it.
        let world = [[[-FAR, -FAR], [FAR, -FAR], [FAR, FAR]], [[-FAR, -FAR], [FAR, FAR], [-FAR, FAR]]];
        let [lower, upper] = world.map(|triangle| solid(&triangle, 0));
        let both = [&lower, &upper];
        for radius in [1, 1 << 28] {
            let corner = FAR - radius;
            assert!(hold(&both, &solid(&[[corner, corner]], radius)) && !hold(&both[..1], &solid(&[[0, 0]], radius)));
            assert!(!hold(&both, &solid(&[[corner + 1, corner]], radius)));
            assert!(!hold(&both, &solid(&[[corner, corner]], radius + 1)));
        }
        // A circle that touches a side of slope 3/4: exactly 5 from the origin.
        let slope = solid(&[[-25, 0], [0, -25], [7, 1], [3, 4], [-1, 7]], 0);
        assert!(slope.holds(&solid(&[[0, 0]], 5)) && !slope.holds(&solid(&[[0, 0]], 6)));
        assert!(solid(&[[0, 0]], 5).holds(&solid(&[[3, 4], [-4, 3], [0, -5]], 0)));
        assert!(!solid(&[[0, 0]], 5).holds(&solid(&[[3, 4], [-4, 4]], 1)));
        assert!(solid(&[[0, 0]], 7).holds(&solid(&[[3, 4]], 2)) && !solid(&[[0, 0]], 7).holds(&solid(&[[3, 4]], 3)));
    }

    #[test]
    fn a_gap_that_begins_within_an_edge_is_measured_exactly() {
        // Of the lower side of the upper box, the left third is covered; the circle is 5 steps from where that ends.
        let [upper, lower] =
            [solid(&[[0, -90], [90, -90], [90, 0], [0, 0]], 0), solid(&[[-90, 0], [30, 0], [30, 90], [-90, 90]], 0)];
        let left = solid(&[[-90, -90], [0, -90], [0, 0], [-90, 0]], 0);
        let all = [&upper, &lower, &left];
        assert!(
            hold(&all, &solid(&[[26, -3]], 3))
                && hold(&all, &solid(&[[26, 3]], 4))
                && !hold(&all, &solid(&[[26, 3]], 5))
        );
        assert!(hold(&all, &solid(&[[27, -4]], 4)) && !hold(&all, &solid(&[[27, -4]], 5 + 1)));
        assert!(hold(&all, &solid(&[[27, -4]], 5)), "touches the corner (30, 0)");
    }

    #[test]
    fn a_hole_deep_inside_a_rounded_body_is_seen() {
        let sides = [[0, 0, 90, 40], [0, 50, 90, 90], [0, 40, 40, 50], [50, 40, 90, 50]];
        let sides = sides.map(|[x0, y0, x1, y1]| solid(&[[x0, y0], [x1, y0], [x1, y1], [x0, y1]], 0));
        let frame = [&sides[0], &sides[1], &sides[2], &sides[3]];
        let rounded = |from: i32, to: i32| solid(&[[from, from], [to, from], [to, to], [from, to]], 1);
        assert!(!hold(&frame, &rounded(20, 70)) && !hold(&frame, &rounded(1, 40)) && hold(&frame, &rounded(1, 39)));
    }
}
