//! The rings of a polygon: its outline and its holes.

use crate::ground::error::{Error, Result};
use crate::ground::lattice::Point;

use super::canonical;
use super::segment::{Meet, Segment, cross, meet, products};

/// Returns the ring's name in errors: "the outline" or "hole 0".
pub(super) fn ring_name(number: usize) -> String {
    if number == 0 { "the outline".into() } else { format!("hole {}", number - 1) }
}

/// The outline or a hole.
pub(super) struct Ring<'a> {
    /// 0 is the outline, `n + 1` is hole `n`.
    pub(super) number: usize,
    /// The points as given.
    points: &'a [Point],
    /// The corners, at which the ring turns: at least three indices into `points`, ascending. Of repeated points it has
    /// the last, where an edge begins.
    corners: Vec<usize>,
}

impl<'a> Ring<'a> {
    /// Finds the corners. Returns an error if the ring has no area or doubles back along an edge.
    pub(super) fn new(number: usize, points: &'a [Point]) -> Result<Self> {
        let next = |i: usize| (i + 1) % points.len();
        let kept: Vec<usize> = (0..points.len()).filter(|&i| points[i] != points[next(i)]).collect();
        let flat = |&i: &usize| cross(points[kept[0]], points[next(kept[0])], points[i]) == 0;
        if kept.iter().all(flat) {
            let few = match points.len() {
                1 => " of 1 point".into(),
                count @ (0 | 2) => format!(" of {count} points"),
                _ => String::new(),
            };
            return Err(Error::NoArea { what: ring_name(number) + &few });
        }
        let mut corners = Vec::with_capacity(kept.len());
        for (k, &i) in kept.iter().enumerate() {
            let before = kept[k.checked_sub(1).unwrap_or(kept.len() - 1)];
            let [from, at, to] = [before, i, next(i)].map(|i| points[i]);
            let [turn, back] = products(at, from, to);
            if turn != 0 {
                corners.push(i);
            } else if back > 0 {
                return Err(crossing([(number, before, [from, at]), (number, i, [at, to])], at));
            }
        }
        Ok(Self { number, points, corners })
    }

    /// Returns the corners in positive winding; `None` if the ring is not a convex polygon.
    pub(super) fn convex(&self) -> Option<Vec<Point>> {
        let mut corners: Vec<Point> = self.corners.iter().map(|&i| self.points[i]).collect();
        let n = corners.len();
        let turns = |i: usize| cross(corners[i], corners[(i + 1) % n], corners[(i + 2) % n]);
        let forward = |i: usize| corners[i % n] < corners[(i + 1) % n];
        // Even a ring that turns only one way may wind more than once, as a pentagram does; it then goes back more than
        // once.
        let winds_once = (0..n).filter(|&i| forward(i) && !forward(i + 1)).count() == 1;
        if (0..n).all(|i| turns(i) < 0) {
            corners.reverse();
        } else if !(0..n).all(|i| turns(i) > 0) {
            return None;
        }
        winds_once.then(|| canonical(corners))
    }

    /// Returns the edges from corner to corner; their `next` counts from `base`.
    fn edges(&self, base: usize) -> impl Iterator<Item = Edge<'_>> {
        let n = self.corners.len();
        (0..n).map(move |k| {
            let [first, end] = [k, (k + 1) % n].map(|k| self.corners[k]);
            Edge { ring: self, span: [first, end].map(|i| self.points[i]), first, end, next: base + (k + 1) % n }
        })
    }
}

/// Returns the edges of all rings, from corner to corner.
pub(super) fn edges<'a>(rings: &'a [Ring<'a>]) -> Vec<Edge<'a>> {
    let mut edges = Vec::new();
    for ring in rings {
        edges.extend(ring.edges(edges.len()));
    }
    edges
}

/// An edge between two corners: one given edge, or several in a straight line.
pub(super) struct Edge<'a> {
    pub(super) ring: &'a Ring<'a>,
    pub(super) span: Segment,
    /// The index of the first of the given edges.
    first: usize,
    /// The index of the given edge after the last.
    end: usize,
    /// The index of the ring's next edge.
    pub(super) next: usize,
}

impl Edge<'_> {
    /// Returns ring, index and ends of the first given edge in this one that meets `other`.
    pub(super) fn given(&self, other: Segment) -> Given {
        let points = self.ring.points;
        let n = points.len();
        let indices = (0..(self.end + n - self.first) % n).map(|k| (self.first + k) % n);
        let mut given = indices.map(|i| (self.ring.number, i, [points[i], points[(i + 1) % n]]));
        // An edge of length 0 follows one that ends in its point, so it is never the first.
        let meets = |&(_, _, span): &Given| meet(span, other) != Meet::Apart;
        given.find(meets).unwrap_or((self.ring.number, self.first, self.span))
    }

    /// Returns the lower and the upper end in x (`axis` 0) or y (1).
    pub(super) fn extent(&self, axis: usize) -> [i32; 2] {
        let [from, to] = self.span.map(|p| [p.x, p.y][axis]);
        [from.min(to), from.max(to)]
    }
}

/// Ring, index and ends of an edge as it was given.
pub(super) type Given = (usize, usize, Segment);

/// Makes an [`Error::Crossing`] of two given edges.
pub(super) fn crossing(mut edges: [Given; 2], near: Point) -> Error {
    edges.sort_unstable();
    let [first, second] = edges.map(|(ring, index, span)| {
        let [[ax, ay], [bx, by]] = span.map(Point::units);
        format!("edge {index} of {}, from ({ax}, {ay}) to ({bx}, {by}),", ring_name(ring))
    });
    Error::Crossing { first, second, near: near.units() }
}
