//! Simple polygons, concave ones and with holes: checked exactly, and cut into convex pieces without adding a vertex.
//!
//! ```text
//! rings  = the outline and the holes, without repeated and straight points
//! walls  = their edges, by a sweep over pairs that meet: a crossing is refused, at a touch the edge is cut
//! faces  = the constrained Delaunay triangulation of the walls
//! inside = the faces within the outline and no hole, told by walking inward and counting walls
//! pieces = the inside faces, merged across a diagonal where both its ends stay strictly convex
//! ```
//!
//! The merging is Hertel and Mehlhorn's ("Fast triangulation of simple polygons", 1983; O'Rourke, "Computational
//! Geometry in C", section 2.5). Strictly convex, because a straight angle may land concave once a body is turned and
//! snapped.
//!
//! Every decision is exact: the predicates here are integers, those of `spade` are adaptive on `f64`, which holds every
//! lattice point. Nothing depends on a hash: the same polygon gives the same pieces, each time and everywhere.

use std::cmp::Ordering;

use spade::handles::{DirectedEdgeHandle, FaceHandle, InnerTag};
use spade::{CdtEdge, ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::ground::error::{Error, Result};
use crate::ground::lattice::Point;

/// The most points of a polygon, holes included: the sweep is quadratic where all edges lie over each other, and at
/// this size then takes a quarter of a minute; an ordinary outline of this size takes a fraction of a second.
const MAX_POINTS: usize = 1 << 16;

/// From, to.
type Segment = [Point; 2];

/// The convex pieces of the polygon with this outline and these holes; an error unless it is simple.
///
/// A ring is not closed by repeating its first point and winds either way; repeated neighbours and straight points are
/// dropped. A hole lies within the outline, and may touch it or another hole at single points.
///
/// Each piece is strictly convex, winds positively (`cross > 0`), begins with its smallest vertex and has only vertices
/// that were given; the pieces ascend. Without holes there is one piece exactly where the outline is convex.
pub(crate) fn convex_pieces(outline: &[Point], holes: &[Vec<Point>]) -> Result<Vec<Vec<Point>>> {
    let count = outline.len() + holes.iter().map(Vec::len).sum::<usize>();
    if count > MAX_POINTS {
        return Err(refused(format!(
            "a polygon has at most {MAX_POINTS} points, holes included; this one has {count}"
        )));
    }
    let rings = std::iter::once(outline).chain(holes.iter().map(Vec::as_slice)).enumerate();
    let rings = rings.map(|(number, points)| Ring::new(number, points)).collect::<Result<Vec<_>>>()?;
    if let [outline] = rings.as_slice()
        && let Some(piece) = outline.convex()
    {
        return Ok(vec![piece]);
    }
    Faces::new(walls(&rings)?)?.pieces()
}

/// An [`Error::Polygon`].
fn refused(problem: impl Into<String>) -> Error {
    Error::Polygon { problem: problem.into() }
}

/// "the outline" or "hole 0".
fn ring_name(number: usize) -> String {
    if number == 0 { "the outline".into() } else { format!("hole {}", number - 1) }
}

/// The cross product and the dot product of `b - a` and `c - a`, exact for all of `i32`: factors of 33 bits, products
/// of 65.
fn products(a: Point, b: Point, c: Point) -> [i128; 2] {
    let [ux, uy, vx, vy] = [(b.x, a.x), (b.y, a.y), (c.x, a.x), (c.y, a.y)].map(|(p, q)| i64::from(p) - i64::from(q));
    let times = |p: i64, q: i64| i128::from(p) * i128::from(q);
    [times(ux, vy) - times(uy, vx), times(ux, vx) + times(uy, vy)]
}

/// Twice the signed area of the triangle `a`, `b`, `c`: positive where it turns from +x toward +y.
fn cross(a: Point, b: Point, c: Point) -> i128 {
    products(a, b, c)[0]
}

/// A convex piece in its one form: from its smallest vertex on.
fn canonical(mut piece: Vec<Point>) -> Vec<Point> {
    let smallest = piece.iter().enumerate().min_by_key(|&(_, p)| p).map_or(0, |(i, _)| i);
    piece.rotate_left(smallest);
    piece
}

/// The outline or a hole.
struct Ring<'a> {
    /// 0 is the outline, `n + 1` is hole `n`.
    number: usize,
    /// As given.
    points: &'a [Point],
    /// Where it turns: at least three indices into `points`, ascending; of repeated points the last, where an edge
    /// begins.
    corners: Vec<usize>,
}

impl<'a> Ring<'a> {
    /// Finds the corners; an error where the ring has no area, or goes back along the edge that it came by.
    fn new(number: usize, points: &'a [Point]) -> Result<Self> {
        let next = |i: usize| (i + 1) % points.len();
        let kept: Vec<usize> = (0..points.len()).filter(|&i| points[i] != points[next(i)]).collect();
        let flat = |&i: &usize| cross(points[kept[0]], points[next(kept[0])], points[i]) == 0;
        if kept.iter().all(flat) {
            let few = if points.len() < 3 { format!(" of {} points", points.len()) } else { String::new() };
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

    /// The corners in positive winding, if they are those of a convex polygon.
    fn convex(&self) -> Option<Vec<Point>> {
        let mut corners: Vec<Point> = self.corners.iter().map(|&i| self.points[i]).collect();
        let n = corners.len();
        let turns = |i: usize| cross(corners[i], corners[(i + 1) % n], corners[(i + 2) % n]);
        let forward = |i: usize| corners[i % n] < corners[(i + 1) % n];
        // Turning one way only, it still may wind more than once, as a pentagram does: then it turns back more than
        // once.
        let winds_once = (0..n).filter(|&i| forward(i) && !forward(i + 1)).count() == 1;
        if (0..n).all(|i| turns(i) < 0) {
            corners.reverse();
        } else if !(0..n).all(|i| turns(i) > 0) {
            return None;
        }
        winds_once.then(|| canonical(corners))
    }

    /// The edges from corner to corner; their `next` counts from `base`.
    fn edges(&self, base: usize) -> impl Iterator<Item = Edge<'_>> {
        let n = self.corners.len();
        (0..n).map(move |k| {
            let [first, end] = [k, (k + 1) % n].map(|k| self.corners[k]);
            Edge { ring: self, span: [first, end].map(|i| self.points[i]), first, end, next: base + (k + 1) % n }
        })
    }
}

/// An edge between two corners: one given edge, or several in a straight line.
struct Edge<'a> {
    ring: &'a Ring<'a>,
    span: Segment,
    /// The first of the given edges.
    first: usize,
    /// The given edge after the last.
    end: usize,
    /// The index of the ring's next edge.
    next: usize,
}

impl Edge<'_> {
    /// Ring, index and ends of the first given edge in this one that meets `other`.
    fn given(&self, other: Segment) -> Given {
        let points = self.ring.points;
        let n = points.len();
        let indices = (0..(self.end + n - self.first) % n).map(|k| (self.first + k) % n);
        let mut given = indices.map(|i| (self.ring.number, i, [points[i], points[(i + 1) % n]]));
        // One of length 0 follows one that ends in its point, so is never the first.
        let meets = |&(_, _, span): &Given| meet(span, other) != Meet::Apart;
        given.find(meets).unwrap_or((self.ring.number, self.first, self.span))
    }

    /// Lower and upper end in x (`axis` 0) or y (1).
    fn extent(&self, axis: usize) -> [i32; 2] {
        let [from, to] = self.span.map(|p| [p.x, p.y][axis]);
        [from.min(to), from.max(to)]
    }
}

/// Ring, index and ends of an edge as it was given.
type Given = (usize, usize, Segment);

/// An [`Error::Crossing`] of two given edges.
fn crossing(mut edges: [Given; 2], near: Point) -> Error {
    edges.sort_unstable();
    let [first, second] = edges.map(|(ring, index, span)| {
        let [[ax, ay], [bx, by]] = span.map(Point::units);
        format!("edge {index} of {}, from ({ax}, {ay}) to ({bx}, {by}),", ring_name(ring))
    });
    Error::Crossing { first, second, near: near.units() }
}

/// How two segments meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meet {
    /// Not at all.
    Apart,
    /// At one point, which is an end of at least one of them.
    Touch(Point),
    /// Within both or along a stretch; the point is near, to the next step of the lattice.
    Cross(Point),
}

fn meet([a, b]: Segment, [c, d]: Segment) -> Meet {
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
        // On one line, where points compare by their order along it.
        let (from, to) = (a.min(b).max(c.min(d)), a.max(b).min(c.max(d)));
        return match from.cmp(&to) {
            Ordering::Less => Meet::Cross(from),
            Ordering::Equal => Meet::Touch(from),
            Ordering::Greater => Meet::Apart,
        };
    }
    // The lines are not parallel, and neither segment lies to one side of the other's line: an end on that line is on
    // both.
    if let Some((end, _)) = [(a, of_a), (b, of_b), (c, of_c), (d, of_d)].into_iter().find(|&(_, side)| side == 0) {
        return Meet::Touch(end);
    }
    let along = of_a as f64 / (of_a - of_b) as f64;
    let at = |from: i32, to: i32| (f64::from(from) + along * (f64::from(to) - f64::from(from))).round() as i32;
    Meet::Cross(Point::new(at(a.x, b.x), at(a.y, b.y)))
}

/// Calls `near` with each pair of edges whose boxes meet, but for neighbours, by a sweep along the axis in which the
/// edges are shorter, so that few are under it at a time.
fn sweep(edges: &[Edge<'_>], mut near: impl FnMut([usize; 2])) {
    let length = |axis| edges.iter().map(|e| e.extent(axis)).map(|[lo, hi]| i64::from(hi) - i64::from(lo)).sum::<i64>();
    let along = usize::from(length(1) < length(0));
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_unstable_by_key(|&i| (edges[i].extent(along), i));
    let mut under: Vec<(usize, [i32; 2], i32)> = Vec::new();
    for j in order {
        let [lo, hi] = edges[j].extent(along);
        let [left, right] = edges[j].extent(1 - along);
        under.retain(|&(i, [from, to], end)| {
            if end >= lo && from <= right && left <= to && edges[i].next != j && edges[j].next != i {
                near([i.min(j), i.max(j)]);
            }
            end >= lo
        });
        under.push((j, [left, right], hi));
    }
}

/// A stretch of a ring that no ring touches except at its ends: lower and upper end, and the ring's number.
type Wall = (Segment, usize);

/// All edges, cut where another ring touches them; an error that names the first two that cross, overlap, or touch
/// within one ring.
fn walls(rings: &[Ring<'_>]) -> Result<Vec<Wall>> {
    let mut edges = Vec::new();
    for ring in rings {
        edges.extend(ring.edges(edges.len()));
    }
    let ends = edges.iter().enumerate().flat_map(|(i, edge)| edge.span.map(|end| (i, end)));
    let mut nodes: Vec<(usize, Point)> = ends.collect();
    let mut first: Option<([usize; 2], Point)> = None;
    sweep(&edges, |pair| {
        if first.is_some_and(|(least, _)| least < pair) {
            return;
        }
        let [a, b] = pair.map(|i| &edges[i]);
        match meet(a.span, b.span) {
            Meet::Apart => {}
            Meet::Touch(at) if a.ring.number != b.ring.number => {
                // Through one point goes one edge, or there is a crossing: so these stay few.
                let through = pair.into_iter().filter(|&i| first.is_none() && !edges[i].span.contains(&at));
                nodes.extend(through.map(|i| (i, at)));
            }
            Meet::Touch(at) | Meet::Cross(at) => first = Some((pair, at)),
        }
    });
    if let Some((pair, near)) = first {
        let [a, b] = pair.map(|i| &edges[i]);
        let given = a.given(b.span);
        return Err(crossing([given, b.given(given.2)], near));
    }
    // On a straight edge, points compare by their order along it.
    nodes.sort_unstable();
    nodes.dedup();
    let stretches = nodes.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    Ok(stretches.map(|pair| ([pair[0].1, pair[1].1], edges[pair[0].0].ring.number)).collect())
}

type Mesh = ConstrainedDelaunayTriangulation<Point2<f64>>;
type HalfEdge<'a> = DirectedEdgeHandle<'a, Point2<f64>, (), CdtEdge<()>, ()>;
type InnerFace<'a> = FaceHandle<'a, InnerTag, Point2<f64>, (), CdtEdge<()>, ()>;

/// Where a half-edge begins.
fn origin(edge: HalfEdge<'_>) -> Point {
    let p = edge.from().position();
    Point::new(p.x as i32, p.y as i32)
}

/// The triangulation of the walls.
struct Faces {
    /// Ascending.
    walls: Vec<Wall>,
    mesh: Mesh,
}

impl Faces {
    /// Adds wall after wall along the rings, so that few edges are in the way of one. (All vertices first, in whatever
    /// order, takes quadratic time for a comb, and `spade`'s loading in bulk goes by the order of a hash set.)
    fn new(mut walls: Vec<Wall>) -> Result<Self> {
        let broken = || refused("the outline and its holes cannot be triangulated");
        let mut mesh = Mesh::new();
        for &([a, b], _) in &walls {
            let mut vertex = |p: Point| mesh.insert(Point2::new(p.x.into(), p.y.into())).map_err(|_| broken());
            let (a, b) = (vertex(a)?, vertex(b)?);
            mesh.try_add_constraint(a, b);
        }
        walls.sort_unstable();
        if mesh.num_constraints() == walls.len() { Ok(Self { walls, mesh }) } else { Err(broken()) }
    }

    /// The ring that the edge is a part of.
    fn ring(&self, edge: HalfEdge<'_>) -> Option<usize> {
        let (a, b) = (origin(edge), origin(edge.rev()));
        let ends = [a.min(b), a.max(b)];
        self.walls.binary_search_by_key(&ends, |wall| wall.0).ok().map(|i| self.walls[i].1)
    }

    /// For each face whether it is inside; an error where a hole leaves the outline or overlaps another hole.
    ///
    /// As no two walls cross, each face lies wholly within or without each ring. That is exact also where rings touch.
    fn inside(&self) -> Result<Vec<bool>> {
        let mut inside = vec![None; self.mesh.num_all_faces()];
        inside[self.mesh.outer_face().index()] = Some(false);
        let hull = self.mesh.directed_edges().filter(HalfEdge::is_outer_edge);
        let mut ahead: Vec<_> = hull.map(|edge| (edge, Within::default())).collect();
        while let Some((edge, within)) = ahead.pop() {
            let face = edge.rev().face();
            let known = &mut inside[face.index()];
            if known.is_none() {
                let within = self.ring(edge).map_or(Ok(within), |ring| within.across(ring))?;
                *known = Some(within == Within { outline: true, hole: None });
                ahead.extend(face.as_inner().iter().flat_map(InnerFace::adjacent_edges).map(|edge| (edge, within)));
            }
        }
        Ok(inside.into_iter().map(|known| known == Some(true)).collect())
    }

    /// The inside faces, merged.
    fn pieces(&self) -> Result<Vec<Vec<Point>>> {
        let inside = self.inside()?;
        let is_inside = |edge: HalfEdge<'_>| inside[edge.face().index()];
        let mut loops = Loops {
            from: self.mesh.directed_edges().map(origin).collect(),
            next: self.mesh.directed_edges().map(|e| e.next().fix().index()).collect(),
            prev: self.mesh.directed_edges().map(|e| e.prev().fix().index()).collect(),
            live: self.mesh.directed_edges().map(is_inside).collect(),
        };
        // A wall has the inside on one side only, so these are the diagonals.
        let diagonals = self.mesh.directed_edges().filter(|&e| is_inside(e) && is_inside(e.rev()));
        let mut diagonals: Vec<_> = diagonals.map(|e| (origin(e), origin(e.rev()), e)).filter(|d| d.0 < d.1).collect();
        diagonals.sort_unstable_by_key(|d| (d.0, d.1));
        for (_, _, edge) in diagonals {
            loops.merge(edge.fix().index(), edge.rev().fix().index());
        }
        Ok(loops.pieces())
    }
}

/// The rings that a face lies within.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Within {
    outline: bool,
    hole: Option<usize>,
}

impl Within {
    /// On the other side of a wall of `ring`.
    fn across(self, ring: usize) -> Result<Self> {
        let there = match self.hole {
            _ if ring == 0 => Self { outline: !self.outline, ..self },
            None => Self { hole: Some(ring), ..self },
            Some(hole) if hole == ring => Self { hole: None, ..self },
            Some(hole) => {
                let [first, second] = [hole.min(ring), hole.max(ring)].map(ring_name);
                return Err(refused(format!("{second} overlaps {first}")));
            }
        };
        match there {
            Self { outline: false, hole: Some(hole) } => {
                Err(refused(format!("{} does not lie within the outline", ring_name(hole))))
            }
            _ => Ok(there),
        }
    }
}

/// The boundaries of the pieces, as loops of half-edges by index; each has its piece on its positive side.
struct Loops {
    from: Vec<Point>,
    next: Vec<usize>,
    prev: Vec<usize>,
    /// Part of a loop; not a merged diagonal, not outside.
    live: Vec<bool>,
}

impl Loops {
    /// Merges the two pieces along a diagonal, given as both its half-edges, if that leaves both of its ends convex.
    ///
    /// Two convex pieces never share more than this one edge: there would be a straight angle between.
    fn merge(&mut self, edge: usize, twin: usize) {
        let stays_convex = |edge: usize, twin: usize| {
            let (before, after) = (self.prev[edge], self.next[self.next[twin]]);
            cross(self.from[before], self.from[edge], self.from[after]) > 0
        };
        if stays_convex(edge, twin) && stays_convex(twin, edge) {
            for (a, b) in [(edge, twin), (twin, edge)] {
                let (before, after) = (self.prev[a], self.next[b]);
                self.next[before] = after;
                self.prev[after] = before;
                self.live[a] = false;
            }
        }
    }

    fn pieces(mut self) -> Vec<Vec<Point>> {
        let mut pieces = Vec::new();
        for first in 0..self.live.len() {
            let mut piece = Vec::new();
            let mut edge = first;
            while std::mem::take(&mut self.live[edge]) {
                piece.push(self.from[edge]);
                edge = self.next[edge];
            }
            if !piece.is_empty() {
                pieces.push(canonical(piece));
            }
        }
        pieces.sort_unstable();
        pieces
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ground::lattice::SUBPIXELS;

    fn ring(points: &[[i32; 2]]) -> Vec<Point> {
        points.iter().map(|&[x, y]| Point::new(x, y)).collect()
    }

    fn pieces(outline: &[[i32; 2]], holes: &[&[[i32; 2]]]) -> Result<Vec<Vec<Point>>> {
        check(&ring(outline), &holes.iter().map(|hole| ring(hole)).collect::<Vec<_>>())
    }

    /// The message, of a polygon in whole units.
    fn message(outline: &[[i32; 2]], holes: &[&[[i32; 2]]]) -> String {
        let units = |points: &[[i32; 2]]| ring(&points.iter().map(|p| p.map(|v| v * SUBPIXELS)).collect::<Vec<_>>());
        let holes: Vec<_> = holes.iter().map(|hole| units(hole)).collect();
        convex_pieces(&units(outline), &holes).unwrap_err().to_string()
    }

    const SQUARE: [[i32; 2]; 4] = [[0, 0], [8, 0], [8, 8], [0, 8]];

    #[test]
    fn a_convex_outline_is_one_piece_without_repeated_and_straight_points() {
        let square = vec![ring(&SQUARE)];
        assert_eq!(pieces(&SQUARE, &[]).unwrap(), square);
        assert_eq!(pieces(&[[8, 8], [8, 0], [0, 0], [0, 8]], &[]).unwrap(), square);
        let untidy = [[4, 0], [8, 0], [8, 0], [8, 3], [8, 5], [8, 8], [0, 8], [0, 8], [0, 0], [2, 0], [4, 0], [4, 0]];
        assert_eq!(pieces(&untidy, &[]).unwrap(), square);
    }

    #[test]
    fn concave_outlines_take_few_pieces() {
        let count = |outline: &[[i32; 2]]| pieces(outline, &[]).unwrap().len();
        assert_eq!(count(&[[0, 0], [8, 0], [8, 2], [2, 2], [2, 8], [0, 8]]), 2, "an L");
        let comb = [[0, 0], [14, 0], [14, 9], [12, 9], [12, 2], [8, 2], [8, 9], [6, 9], [6, 2], [2, 2], [2, 9], [0, 9]];
        assert_eq!(count(&comb), 6, "a comb of three teeth: without straight angles four do not do");
        assert!(count(&[[0, 9], [2, 2], [9, 0], [2, -2], [0, -9], [-2, -2], [-9, 0], [-2, 2]]) <= 5, "a star");
        assert_eq!(count(&[[0, 0], [12, 3], [6, 5], [4, 14]]), 2, "a dart");
    }

    #[test]
    fn holes_may_touch_at_points() {
        assert!(pieces(&SQUARE, &[&[[2, 2], [6, 2], [6, 6], [2, 6]]]).unwrap().len() <= 4 * 4);
        let a_vertex_on_an_edge: &[[i32; 2]] = &[[0, 4], [3, 2], [3, 6]];
        let a_vertex_on_a_vertex: &[[i32; 2]] = &[[8, 8], [6, 7], [7, 6]];
        let two_that_touch: &[&[[i32; 2]]] = &[&[[1, 1], [4, 4], [1, 4]], &[[4, 4], [7, 5], [5, 7]]];
        pieces(&SQUARE, &[a_vertex_on_an_edge, a_vertex_on_a_vertex]).unwrap();
        pieces(&SQUARE, two_that_touch).unwrap();
        let diamond: &[[i32; 2]] = &[[4, 0], [8, 4], [4, 8], [0, 4]];
        assert_eq!(pieces(&SQUARE, &[diamond]).unwrap().len(), 4, "cuts the inside into the four corners");
    }

    #[test]
    fn crossing_edges_are_named_as_they_were_given() {
        assert_eq!(
            message(&[[0, 0], [4, 4], [4, 0], [0, 4]], &[]),
            "edge 0 of the outline, from (0, 0) to (4, 4), and edge 2 of the outline, from (4, 0) to (0, 4), \
             cross or overlap, near (2, 2)"
        );
        // Repeated and straight points count.
        let message_of_long = message(&[[0, 0], [0, 0], [1, 1], [3, 3], [3, 3], [4, 4], [4, 0], [0, 4]], &[]);
        assert!(
            message_of_long.starts_with("edge 2 of the outline, from (1, 1) to (3, 3), and edge 6"),
            "{message_of_long}"
        );
        let hole: &[[i32; 2]] = &[[4, 4], [5, 4], [10, 5]];
        assert_eq!(
            message(&SQUARE, &[&[[1, 1], [2, 1], [1, 2]], hole]),
            "edge 1 of the outline, from (8, 0) to (8, 8), and edge 1 of hole 1, from (5, 4) to (10, 5), \
             cross or overlap, near (8, 4.6015625)"
        );
        let pentagram = message(&[[0, -9], [5, 7], [-8, -3], [8, -3], [-5, 7]], &[]);
        assert!(pentagram.starts_with("edge 0 of the outline, from (0, -9) to (5, 7), and edge 2"), "{pentagram}");
    }

    #[test]
    fn an_outline_may_not_touch_itself() {
        let refused = |outline: &[[i32; 2]]| message(outline, &[]).contains("cross or overlap");
        assert!(refused(&[[0, 0], [8, 0], [4, 4], [8, 8], [0, 8], [4, 4]]), "vertex on vertex");
        assert!(refused(&[[0, 0], [8, 0], [8, 8], [4, 0], [0, 8]]), "vertex on edge");
        assert!(refused(&[[0, 0], [8, 0], [8, 8], [6, 8], [6, 0], [3, 0], [3, 8], [0, 8]]), "edge along edge");
        let spike = message(&[[0, 0], [4, 0], [4, 4], [9, 4], [4, 4], [0, 4]], &[]);
        assert!(spike.starts_with("edge 2 of the outline, from (4, 4) to (9, 4), and edge 3"), "{spike}");
        assert!(spike.ends_with("near (9, 4)"), "{spike}");
    }

    #[test]
    fn what_has_no_area_is_refused() {
        for outline in [&[[1, 1], [1, 1], [1, 1]][..], &[[0, 0], [4, 2], [2, 1], [6, 3]]] {
            assert_eq!(message(outline, &[]), "the outline has no area");
        }
        for outline in [&[][..], &[[1, 1]], &[[0, 0], [5, 5]]] {
            assert_eq!(message(outline, &[]), format!("the outline of {} points has no area", outline.len()));
        }
        let holes: [&[[i32; 2]]; 2] = [&[[1, 1], [2, 1], [1, 2]], &[[5, 5], [6, 6]]];
        assert_eq!(message(&SQUARE, &holes), "hole 1 of 2 points has no area");
    }

    #[test]
    fn holes_that_are_no_holes_are_refused() {
        let outside: &[[i32; 2]] = &[[9, 1], [12, 1], [12, 4]];
        let around: &[[i32; 2]] = &[[-1, -1], [20, -1], [-1, 20]];
        let outside_at_a_vertex: &[[i32; 2]] = &[[8, 8], [12, 9], [9, 12]];
        for hole in [outside, around, outside_at_a_vertex] {
            assert_eq!(message(&SQUARE, &[hole]), "hole 0 does not lie within the outline");
        }
        // Through the notch's vertices, across the outside, without crossing an edge.
        let notched = [[0, 0], [8, 0], [8, 8], [6, 8], [4, 4], [2, 8], [0, 8]];
        assert_eq!(message(&notched, &[&[[2, 8], [4, 2], [6, 8]]]), "hole 0 does not lie within the outline");
        let big: &[[i32; 2]] = &[[1, 1], [7, 1], [7, 7], [1, 7]];
        assert_eq!(message(&SQUARE, &[big, &[[2, 2], [3, 2], [2, 3]]]), "hole 1 overlaps hole 0");
        assert_eq!(message(&SQUARE, &[big, &[[1, 1], [3, 2], [2, 3]]]), "hole 1 overlaps hole 0");
        assert!(message(&SQUARE, &[big, big]).contains("cross or overlap"));
        assert!(message(&SQUARE, &[&SQUARE]).contains("cross or overlap"));
    }

    #[test]
    fn the_largest_coordinates_and_too_many_points_do_no_harm() {
        let (lo, hi) = (i32::MIN, i32::MAX);
        let arrow = [[lo, lo], [hi, lo], [hi, hi], [0, 1], [lo, hi]].map(|[x, y]| Point::new(x, y));
        let pieces = convex_pieces(&arrow, &[ring(&[[lo, lo], [1, 0], [0, 0]])]).unwrap();
        assert_eq!(pieces.iter().map(|piece| area(piece)).sum::<i128>(), area(&arrow) - (1 << 31));
        assert!(
            convex_pieces(&[Point::new(lo, lo), Point::new(hi, hi), Point::new(hi, lo), Point::new(lo, hi)], &[])
                .is_err()
        );
        let error = convex_pieces(&vec![Point::ZERO; MAX_POINTS + 1], &[]).unwrap_err().to_string();
        assert!(error.contains("at most 65536 points") && error.contains("65537"), "{error}");
    }

    /// Twice the area; positive in positive winding.
    fn area(ring: &[Point]) -> i128 {
        (0..ring.len()).map(|i| cross(Point::ZERO, ring[i], ring[(i + 1) % ring.len()])).sum()
    }

    fn segments(ring: &[Point]) -> Vec<Segment> {
        (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]).filter(|[a, b]| a != b).collect()
    }

    fn holds([a, b]: Segment, p: Point) -> bool {
        cross(a, b, p) == 0
            && (a.x.min(b.x)..=a.x.max(b.x)).contains(&p.x)
            && (a.y.min(b.y)..=a.y.max(b.y)).contains(&p.y)
    }

    /// By the even-odd rule; `None` on the boundary.
    fn within(ring: &[Point], p: Point) -> Option<bool> {
        let segments = segments(ring);
        let crossed = |&[a, b]: &Segment| (a.y > p.y) != (b.y > p.y) && (cross(a, b, p) > 0) == (a.y < b.y);
        let on = segments.iter().any(|&segment| holds(segment, p));
        (!on).then(|| segments.iter().filter(|segment| crossed(segment)).count() % 2 == 1)
    }

    fn doubled(ring: &[Point]) -> Vec<Point> {
        ring.iter().map(|&p| p + p).collect()
    }

    /// The oracle: the rules for small coordinates, pair by pair.
    fn is_polygon(outline: &[Point], holes: &[Vec<Point>]) -> bool {
        let rings: Vec<&[Point]> = std::iter::once(outline).chain(holes.iter().map(Vec::as_slice)).collect();
        let crosses = |[a, b]: Segment, [c, d]: Segment| {
            cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0
        };
        let shared = |s: Segment, t: Segment| {
            let mut points: Vec<Point> =
                s.into_iter().filter(|&p| holds(t, p)).chain(t.into_iter().filter(|&p| holds(s, p))).collect();
            points.sort_unstable();
            points.dedup();
            points
        };
        for ring in &rings {
            let edges = segments(ring);
            if edges.len() < 3 || (0..ring.len()).all(|i| cross(edges[0][0], edges[0][1], ring[i]) == 0) {
                return false;
            }
            for i in 0..edges.len() {
                for j in 0..i {
                    let follow = i == j + 1 || (j == 0 && i == edges.len() - 1);
                    if crosses(edges[i], edges[j]) || shared(edges[i], edges[j]).len() > usize::from(follow) {
                        return false;
                    }
                }
            }
        }
        // The parts of one ring between its touches with another, each by its middle, in doubled coordinates.
        let middles = |of: &[Point], with: &[Point]| {
            let mut middles = Vec::new();
            for s in segments(of) {
                let mut cuts: Vec<Point> = segments(with).into_iter().flat_map(|t| shared(s, t)).chain(s).collect();
                cuts.sort_unstable();
                cuts.dedup();
                middles.extend(cuts.windows(2).map(|pair| pair[0] + pair[1]));
            }
            middles
        };
        for (i, a) in rings.iter().enumerate() {
            for b in &rings[..i] {
                let bad = |s: &Segment| segments(b).into_iter().any(|t| crosses(*s, t) || shared(*s, t).len() > 1);
                if segments(a).iter().any(bad) {
                    return false;
                }
            }
            let all = |of: &[Point], with: &[Point], is| {
                middles(of, with).into_iter().all(|p| within(&doubled(with), p) == Some(is))
            };
            if i > 0 && !(all(a, outline, true) && rings[1..i].iter().all(|b| all(a, b, false) && all(b, a, false))) {
                return false;
            }
        }
        true
    }

    /// Compares with the oracle, and validates the pieces; for small coordinates.
    fn check(outline: &[Point], holes: &[Vec<Point>]) -> Result<Vec<Vec<Point>>> {
        let answer = convex_pieces(outline, holes);
        assert_eq!(answer.is_ok(), is_polygon(outline, holes), "{outline:?} {holes:?} {answer:?}");
        let pieces = match answer {
            Ok(pieces) => pieces,
            Err(error) => {
                let flat = outline.iter().all(|&p| outline.iter().all(|&q| cross(outline[0], p, q) == 0));
                let count = outline.len();
                let name = if count < 3 { format!("the outline of {count} points") } else { "the outline".into() };
                assert_eq!(flat, matches!(&error, Error::NoArea { what } if *what == name));
                assert!(flat || !holes.is_empty() || matches!(error, Error::Crossing { .. }), "{outline:?} {error:?}");
                return Err(error);
            }
        };
        let given: Vec<Point> = outline.iter().chain(holes.iter().flatten()).copied().collect();
        for piece in &pieces {
            assert!(piece.len() >= 3 && piece.iter().all(|p| given.contains(p)));
            assert_eq!(piece.iter().min(), piece.first());
            for [a, b] in segments(piece) {
                assert!(piece.iter().all(|&p| p == a || p == b || cross(a, b, p) > 0), "strictly convex: {piece:?}");
            }
        }
        assert!(pieces.is_sorted());
        let whole = area(outline).abs() - holes.iter().map(|hole| area(hole).abs()).sum::<i128>();
        assert_eq!(pieces.iter().map(|piece| area(piece)).sum::<i128>(), whole, "{outline:?} {holes:?}");
        covers(outline, holes, &pieces);

        let turned = |ring: &[Point]| ring[1..].iter().chain(&ring[..1]).rev().copied().collect::<Vec<_>>();
        let same = convex_pieces(&turned(outline), &holes.iter().map(|hole| turned(hole)).collect::<Vec<_>>()).unwrap();
        assert_eq!(
            same.iter().map(|piece| area(piece)).sum::<i128>(),
            whole,
            "begun elsewhere and wound the other way"
        );
        assert_eq!(convex_pieces(outline, holes).unwrap(), pieces, "the same each time");
        Ok(pieces)
    }

    /// No point of the half lattice is within two pieces, and one is within some piece just where it is inside.
    fn covers(outline: &[Point], holes: &[Vec<Point>], pieces: &[Vec<Point>]) {
        let [outline, holes, pieces] = [&[outline.to_vec()], holes, pieces]
            .map(|rings: &[Vec<Point>]| rings.iter().map(|ring| doubled(ring)).collect::<Vec<_>>());
        let bounds = |of: fn(&Point) -> i32| {
            let values = || outline[0].iter().map(of);
            values().min().unwrap()..=values().max().unwrap()
        };
        for (x, y) in bounds(|p| p.x).flat_map(|x| bounds(|p| p.y).map(move |y| (x, y))) {
            let p = Point::new(x, y);
            let inside =
                within(&outline[0], p) == Some(true) && holes.iter().all(|hole| within(hole, p) == Some(false));
            let of_pieces: Vec<_> = pieces.iter().map(|piece| within(piece, p)).collect();
            let count = of_pieces.iter().filter(|&&w| w == Some(true)).count();
            let on_the_seams = count == 0 && of_pieces.contains(&None);
            assert!(count == usize::from(inside) || (inside && on_the_seams), "{p:?} in {count} of {pieces:?}");
        }
    }

    /// Every sequence of `count` points of the grid `0..side` by `0..side`.
    fn every(side: i32, count: u32) -> impl Iterator<Item = Vec<Point>> {
        let cells = side * side;
        (0..cells.pow(count)).map(move |code| {
            let cell = |k| code / cells.pow(k) % cells;
            (0..count).map(|k| Point::new(cell(k) % side, cell(k) / side)).collect()
        })
    }

    #[test]
    fn every_outline_of_few_points_is_judged_as_by_the_oracle() {
        let simple = |count| every(3, count).filter(|outline| check(outline, &[]).is_ok()).count();
        assert_eq!([3, 4, 5].map(simple), [456, 2_960, 12_640]);
    }

    #[test]
    fn every_triangular_hole_is_judged_as_by_the_oracle() {
        let notched = ring(&[[0, 0], [4, 0], [4, 4], [3, 4], [2, 2], [1, 4], [0, 4]]);
        let allowed = every(5, 3).filter(|hole| check(&notched, std::slice::from_ref(hole)).is_ok()).count();
        assert_eq!(allowed, 3_360);
    }

    fn point(range: std::ops::Range<i32>) -> impl Strategy<Value = Point> {
        (range.clone(), range).prop_map(|(x, y)| Point::new(x, y))
    }

    fn points(range: std::ops::Range<i32>, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Point>> {
        prop::collection::vec(point(range), count)
    }

    /// Sorted by angle around the origin, of equal angle the first: simple, unless it leaves out half a turn.
    fn around(mut points: Vec<Point>) -> Vec<Point> {
        let half = |p: Point| (p.y, p.x) < (0, 0);
        let by_angle = |p: &Point, q: &Point| half(*p).cmp(&half(*q)).then(0.cmp(&cross(Point::ZERO, *p, *q)));
        points.retain(|&p| p != Point::ZERO);
        points.sort_by(by_angle);
        points.dedup_by(|p, q| by_angle(p, q).is_eq());
        points
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn random_rings(outline in points(0..6, 3..9)) {
            let _ = check(&outline, &[]);
        }

        #[test]
        fn stars(outline in points(-9..10, 3..40)) {
            let _ = check(&around(outline), &[]);
        }

        #[test]
        fn stars_with_holes(outline in points(-9..10, 3..30), holes in prop::collection::vec((point(-5..6), points(-3..4, 3..6)), 1..4)) {
            let hole = |(at, points): (Point, Vec<Point>)| around(points).into_iter().map(|p| p + at).collect();
            let mut outline = around(outline);
            outline.extend([[-9, -10], [10, -10], [10, 10], [-10, 10]].map(|[x, y]| Point::new(x, y)));
            let _ = check(&around(outline), &holes.into_iter().map(hole).collect::<Vec<_>>());
        }

        #[test]
        fn holes_in_a_square(holes in prop::collection::vec(points(0..9, 3..5), 1..4)) {
            let _ = check(&ring(&SQUARE), &holes);
        }

        #[test]
        fn large_stars(outline in points(-(1 << 30)..(1 << 30), 8..200)) {
            let outline = around(outline);
            if let Ok(pieces) = convex_pieces(&outline, &[]) {
                prop_assert_eq!(pieces.iter().map(|piece| area(piece)).sum::<i128>(), area(&outline));
                let turns = |piece: &Vec<Point>| (0..piece.len()).all(|i| cross(piece[i], piece[(i + 1) % piece.len()], piece[(i + 2) % piece.len()]) > 0);
                prop_assert!(pieces.iter().all(turns));
            }
        }
    }
}
