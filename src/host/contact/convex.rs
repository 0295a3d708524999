//! One convex set of translations, the differences of two cores inflated by a radius, and the shortest way out of it.
//!
//! Moving `A` by `t` makes it meet `B` if `t` is a difference `b - a`, or within the radii's sum `R` of one. The
//! differences form a convex polygon whose edges are those of `B` and of `-A`, sorted by direction (de Berg et al.,
//! *Computational Geometry*, 2008, section 13.3).

use std::cmp::Ordering;

use crate::ground::lattice::Point;
use crate::ground::sorting::{sort, sort_by};

/// A point, vector or direction, in lattice steps.
pub(crate) type V = [f64; 2];

pub(crate) fn add(p: V, q: V) -> V {
    [p[0] + q[0], p[1] + q[1]]
}

pub(crate) fn sub(p: V, q: V) -> V {
    [p[0] - q[0], p[1] - q[1]]
}

pub(crate) fn scale(p: V, s: f64) -> V {
    [p[0] * s, p[1] * s]
}

pub(crate) fn dot(p: V, q: V) -> f64 {
    p[0] * q[0] + p[1] * q[1]
}

/// Returns the cross product. Its sign is exact for integers below 2^53, except that it may be 0 if the products nearly
/// agree: rounding is monotone.
pub(crate) fn cross(p: V, q: V) -> f64 {
    p[0] * q[1] - p[1] * q[0]
}

pub(crate) fn length(p: V) -> f64 {
    dot(p, p).sqrt()
}

/// Converts a point exactly, in lattice steps.
pub(crate) fn wide(p: Point) -> V {
    [f64::from(p.x), f64::from(p.y)]
}

/// Returns the unit normal to the right of an edge: outward, if the inside is on the left.
pub(crate) fn outward(edge: V) -> V {
    let length = length(edge);
    [edge[1] / length + 0.0, -edge[0] / length + 0.0]
}

/// A point or vector of whole lattice steps.
pub(crate) type P = [i64; 2];

fn cross_exact(p: P, q: P) -> i64 {
    p[0] * q[1] - p[1] * q[0]
}

/// Returns the vertices of the hull, with the inside on the left, starting at the least (Andrew's monotone chain,
/// 1979). A segment has two vertices, a point one.
///
/// Widths: coordinates below 2^31, differences within a body below 2^30, cross products below 2^61.
pub(crate) fn hull(points: impl Iterator<Item = P>) -> Vec<P> {
    let mut points: Vec<P> = points.collect();
    sort(&mut points);
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let edge = |p: P, q: P| [q[0] - p[0], q[1] - p[1]];
    let mut chain: Vec<P> = Vec::with_capacity(points.len() + 1);
    for _ in 0..2 {
        let start = chain.len();
        for &p in &points {
            while let [.., from, last] = chain[start..] {
                if cross_exact(edge(from, last), edge(last, p)) > 0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        points.reverse();
    }
    chain
}

/// A convex polygon, segment or point, as edges sorted by direction.
pub(super) struct Hull {
    /// The least vertex, where the edges start; they go around with the inside on their left.
    least: P,
    edges: Vec<P>,
}

impl Hull {
    /// Makes the hull of at least one point.
    pub(super) fn new(points: impl Iterator<Item = P>) -> Self {
        let hull = hull(points);
        let ends = hull.iter().zip(hull.iter().cycle().skip(1));
        let edges = ends.map(|(p, q)| [q[0] - p[0], q[1] - p[1]]).filter(|&edge| edge != [0, 0]).collect();
        Self { least: hull[0], edges }
    }

    /// Makes the hull of a piece.
    pub(super) fn of(piece: &[Point]) -> Self {
        Self::new(piece.iter().map(|p| [i64::from(p.x), i64::from(p.y)]))
    }

    /// Makes the hull of a piece mirrored at the origin.
    pub(super) fn mirrored(piece: &[Point]) -> Self {
        Self::new(piece.iter().map(|p| [-i64::from(p.x), -i64::from(p.y)]))
    }

    /// Returns the hull of all sums of two points.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut edges = [&self.edges[..], &other.edges].concat();
        sort_by(&mut edges, |&p, &q| turn(p, q));
        Self { least: [self.least[0] + other.least[0], self.least[1] + other.least[1]], edges }
    }

    /// Writes the vertices of the polygon of all sums of two points, with the inside on the left.
    pub(super) fn sum(&self, other: &Self, vertices: &mut Vec<V>) {
        vertices.clear();
        let mut at = [self.least[0] + other.least[0], self.least[1] + other.least[1]];
        let (mut ours, mut theirs) = (self.edges.iter().peekable(), other.edges.iter().peekable());
        let mut before: Option<P> = None;
        while let Some(&edge) = match (ours.peek(), theirs.peek()) {
            (Some(&&p), Some(&&q)) if turn(q, p).is_lt() => theirs.next(),
            (None, _) => theirs.next(),
            _ => ours.next(),
        } {
            // Parallel edges become one.
            if before.is_none_or(|before| turn(before, edge).is_ne()) {
                vertices.push(at.map(|v| v as f64));
            }
            at = [at[0] + edge[0], at[1] + edge[1]];
            before = Some(edge);
        }
        if vertices.is_empty() {
            vertices.push(at.map(|v| v as f64));
        }
    }
}

/// Compares edges by direction: from straight down, excluded, counterclockwise in the sense of the hull, so that edges
/// that lead away from the least point come first.
fn turn(p: P, q: P) -> Ordering {
    let back = |[x, y]: P| !(x > 0 || (x == 0 && y > 0));
    back(p).cmp(&back(q)).then_with(|| 0.cmp(&cross_exact(p, q)))
}

/// Returns the polygon of all `b - a`, with the inside on the left.
pub(crate) fn differences(a: &[Point], b: &[Point]) -> Vec<V> {
    let mut vertices = Vec::with_capacity(a.len() + b.len());
    Hull::mirrored(a).sum(&Hull::of(b), &mut vertices);
    vertices
}

/// A way out of a set, or, for a point outside, the way farther off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    /// The unit direction.
    pub normal: V,
    /// The distance to the boundary; negative for a point outside.
    pub depth: f64,
    /// Whether the way starts at a vertex of the set's core, where another normal is possible too.
    pub corner: bool,
}

impl Way {
    /// Compares ways: by depth, then by preference.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        self.depth.total_cmp(&other.depth).then_with(|| self.preference(other))
    }

    /// Compares equally short ways: not from a corner, then the more vertical, then upward, then leftward.
    fn preference(&self, other: &Self) -> Ordering {
        let [p, q] = [self.normal, other.normal];
        let vertical = p[0].abs().total_cmp(&q[0].abs());
        self.corner.cmp(&other.corner).then(vertical).then(p[1].total_cmp(&q[1])).then(p[0].total_cmp(&q[0]))
    }

    /// Returns the shorter of two ways.
    pub(super) fn shorter(self, other: Self) -> Self {
        if self.order(&other).is_le() { self } else { other }
    }

    /// Returns the deeper of two ways.
    pub(super) fn deeper(self, other: Self) -> Self {
        if other.depth.total_cmp(&self.depth).then(self.preference(&other)).is_le() { self } else { other }
    }
}

/// Returns the shortest way from `at` out of a core inflated by `radius`. Concentric circles part upward.
pub(crate) fn way_out(core: &[V], radius: f64, at: V) -> Way {
    let from_vertex = |p: V| {
        let distance = length(p);
        let normal = if distance > 0.0 { p.map(|v| -v / distance + 0.0) } else { [0.0, -1.0] };
        Way { normal, depth: radius - distance, corner: true }
    };
    let mut q = sub(core[core.len() - 1], at);
    if core.len() == 1 {
        return from_vertex(q);
    }
    let mut inside = true;
    let (mut out, mut away): (Option<Way>, Option<Way>) = (None, None);
    for &vertex in core {
        let p = std::mem::replace(&mut q, sub(vertex, at));
        let edge = sub(q, p);
        // How far `at` lies behind the edge, and the foot of its perpendicular.
        let behind = cross(p, q) / length(edge);
        let (foot, end) = (-dot(p, edge), dot(edge, edge));
        let on_edge = foot > 0.0 && foot < end;
        inside &= behind >= 0.0 && (core.len() > 2 || (foot >= 0.0 && foot <= end));
        let way = Way { normal: outward(edge), depth: radius + behind, corner: !on_edge };
        if behind >= 0.0 {
            out = Some(out.map_or(way, |out| out.shorter(way)));
        }
        let way = if on_edge { way } else { from_vertex(if foot <= 0.0 { p } else { q }) };
        if behind <= 0.0 {
            away = Some(away.map_or(way, |away| away.deeper(way)));
        }
    }
    (if inside { out } else { away }).unwrap_or_else(|| from_vertex(q))
}
