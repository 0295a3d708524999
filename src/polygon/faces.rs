//! The triangulation between the walls of a polygon, and the faces of it that are inside.

use spade::handles::{DirectedEdgeHandle, FaceHandle, FixedVertexHandle, InnerTag};
use spade::{CdtEdge, ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::ground::error::Result;
use crate::ground::lattice::Point;

use super::loops::{self, Loops};
use super::pass::cross_at_points;
use super::refused;
use super::ring::{Edge, ring_name};

/// A triangulation. Each of its walls has the index of the edge that it is a part of.
type Mesh = ConstrainedDelaunayTriangulation<Point2<f64>, (), Option<usize>>;
type HalfEdge<'a> = DirectedEdgeHandle<'a, Point2<f64>, (), CdtEdge<Option<usize>>, ()>;
type InnerFace<'a> = FaceHandle<'a, InnerTag, Point2<f64>, (), CdtEdge<Option<usize>>, ()>;

/// Returns the point at which a half-edge begins.
fn origin(edge: HalfEdge<'_>) -> Point {
    let p = edge.from().position();
    Point::new(p.x as i32, p.y as i32)
}

/// The triangulation between walls: edges, cut where a ring touches them.
pub(super) struct Faces<'a> {
    edges: &'a [Edge<'a>],
    mesh: Mesh,
    /// The places where edges are cut: the index of the edge, and the point.
    cuts: Vec<(usize, Point)>,
}

impl<'a> Faces<'a> {
    /// Triangulates edges; `None` if two of them cross or overlap.
    ///
    /// The edges are added one by one along the rings, so that each new one crosses few edges. (Inserting all vertices
    /// first, in any order, takes quadratic time for a comb, and the bulk loading of `spade` depends on the order of a
    /// hash set.)
    pub(super) fn new(edges: &'a [Edge<'a>]) -> Option<Self> {
        let mut faces = Self { edges, mesh: Mesh::new(), cuts: Vec::new() };
        // An edge often begins where the one before ends. The search for any other vertex begins at the last one.
        let mut last = FixedVertexHandle::from_index(0);
        let mut known: Option<[(Point, FixedVertexHandle); 2]> = None;
        for (number, edge) in edges.iter().enumerate() {
            let mut vertex = |end: Point| {
                last = match known.iter().flatten().find(|(point, _)| *point == end) {
                    Some((_, vertex)) => *vertex,
                    None => faces.insert(end, last)?,
                };
                Some((end, last))
            };
            let [a, b] = edge.span;
            let found = [vertex(a.min(b))?, vertex(a.max(b))?];
            faces.add(number, found.map(|(_, vertex)| vertex))?;
            known = Some(found);
        }
        Some(faces)
    }

    /// Inserts a vertex, which may cut a wall. The search for its place begins at another.
    fn insert(&mut self, at: Point, near: FixedVertexHandle) -> Option<FixedVertexHandle> {
        let mesh = &mut self.mesh;
        let count = mesh.num_constraints();
        let vertex = mesh.insert_with_hint(Point2::new(at.x.into(), at.y.into()), near).ok()?;
        if mesh.num_constraints() > count {
            let walls = mesh.vertex(vertex).out_edges().filter(|wall| wall.is_constraint_edge());
            let walls: Vec<_> = walls.map(|wall| wall.as_undirected().fix()).collect();
            let cut = walls.iter().find_map(|&wall| *mesh.undirected_edge(wall).data().data())?;
            for wall in walls {
                *mesh.undirected_edge_data_mut(wall).data_mut() = Some(cut);
            }
            self.cuts.push((cut, at));
        }
        Some(vertex)
    }

    /// Adds an edge between two vertices, which others may cut; `None` if it crosses a wall or runs along one.
    fn add(&mut self, number: usize, [from, to]: [FixedVertexHandle; 2]) -> Option<()> {
        let count = self.mesh.num_constraints();
        let walls = self.mesh.try_add_constraint(from, to);
        for &wall in &walls {
            *self.mesh.undirected_edge_data_mut(wall.as_undirected()).data_mut() = Some(number);
            let wall = self.mesh.directed_edge(wall);
            let cuts = [wall, wall.rev()].map(origin).into_iter().filter(|at| !self.edges[number].span.contains(at));
            self.cuts.extend(cuts.map(|at| (number, at)));
        }
        (!walls.is_empty() && self.mesh.num_constraints() == count + walls.len()).then_some(())
    }

    /// Returns whether a ring crosses itself at a point.
    pub(super) fn has_crossing(&self) -> bool {
        let touches = self.mesh.num_vertices() < self.edges.len() || !self.cuts.is_empty();
        touches && cross_at_points(self.edges, &self.cuts)
    }

    /// Returns the ring that an edge is part of; `None` for an edge between walls.
    fn ring(&self, edge: HalfEdge<'_>) -> Option<usize> {
        let number = edge.as_undirected().data().data().filter(|_| edge.is_constraint_edge());
        number.map(|number| self.edges[number].ring.number)
    }

    /// Returns a flag for each face: true if it is inside. Returns an error if a hole leaves the outline or overlaps
    /// another hole.
    ///
    /// As no two walls cross, each face lies entirely inside or outside each ring. This is exact even where rings
    /// touch.
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

    /// Returns the convex pieces: the inside faces, merged.
    pub(super) fn pieces(&self) -> Result<Vec<Vec<Point>>> {
        let inside = self.inside()?;
        let is_inside = |edge: &HalfEdge<'_>| inside[edge.face().index()];
        let mut loops = Loops(vec![loops::HalfEdge::default(); self.mesh.num_directed_edges()]);
        // A wall has the inside on one side only, so edges with the inside on both sides are the diagonals.
        let mut diagonals = Vec::new();
        for edge in self.mesh.directed_edges().filter(is_inside) {
            let [index, next, prev] = [edge, edge.next(), edge.prev()].map(|edge| edge.fix().index());
            let from = origin(edge);
            loops.0[index] = loops::HalfEdge { from, next: next as u32, prev: prev as u32, is_live: true };
            let to = origin(edge.rev());
            if from < to && is_inside(&edge.rev()) {
                diagonals.push(([from, to].map(Point::rank), index, edge.rev().fix().index()));
            }
        }
        diagonals.sort_unstable();
        for (_, edge, twin) in diagonals {
            loops.merge(edge, twin);
        }
        Ok(loops.pieces())
    }
}

/// The rings that a face lies within. More than one hole is never valid.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Within {
    outline: bool,
    hole: Option<usize>,
}

impl Within {
    /// Returns the rings on the other side of a wall of `ring`.
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
