//! The triangulation between the walls of a polygon, and the faces of it that are inside.

use spade::handles::{DirectedEdgeHandle, FaceHandle, InnerTag};
use spade::{CdtEdge, ConstrainedDelaunayTriangulation, Point2, Triangulation};

use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::sorting::{sort, sort_by_key};

use super::loops::Loops;
use super::refused;
use super::ring::ring_name;
use super::walls::Wall;

type Mesh = ConstrainedDelaunayTriangulation<Point2<f64>>;
type HalfEdge<'a> = DirectedEdgeHandle<'a, Point2<f64>, (), CdtEdge<()>, ()>;
type InnerFace<'a> = FaceHandle<'a, InnerTag, Point2<f64>, (), CdtEdge<()>, ()>;

/// Returns the point at which a half-edge begins.
fn origin(edge: HalfEdge<'_>) -> Point {
    let p = edge.from().position();
    Point::new(p.x as i32, p.y as i32)
}

/// The triangulation of the walls.
pub(super) struct Faces {
    /// In ascending order.
    walls: Vec<Wall>,
    mesh: Mesh,
}

impl Faces {
    /// Triangulates the walls. They are added one by one along the rings, so that each new one crosses few edges.
    /// (Inserting all vertices first, in any order, takes quadratic time for a comb, and the bulk loading of `spade`
    /// depends on the order of a hash set.)
    pub(super) fn new(mut walls: Vec<Wall>) -> Result<Self> {
        let broken = || refused("the outline and its holes cannot be triangulated");
        let mut mesh = Mesh::new();
        for &([a, b], _) in &walls {
            let mut vertex = |p: Point| mesh.insert(Point2::new(p.x.into(), p.y.into())).map_err(|_| broken());
            let (a, b) = (vertex(a)?, vertex(b)?);
            mesh.try_add_constraint(a, b);
        }
        sort(&mut walls);
        if mesh.num_constraints() == walls.len() { Ok(Self { walls, mesh }) } else { Err(broken()) }
    }

    /// Returns the ring that an edge is part of; `None` for an edge between walls.
    fn ring(&self, edge: HalfEdge<'_>) -> Option<usize> {
        if !edge.is_constraint_edge() {
            return None;
        }
        let (a, b) = (origin(edge), origin(edge.rev()));
        let ends = [a.min(b), a.max(b)];
        self.walls.binary_search_by_key(&ends, |wall| wall.0).ok().map(|i| self.walls[i].1)
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
        let is_inside = |edge: HalfEdge<'_>| inside[edge.face().index()];
        let mut loops = Loops {
            from: self.mesh.directed_edges().map(origin).collect(),
            next: self.mesh.directed_edges().map(|e| e.next().fix().index()).collect(),
            prev: self.mesh.directed_edges().map(|e| e.prev().fix().index()).collect(),
            live: self.mesh.directed_edges().map(is_inside).collect(),
        };
        // A wall has the inside on one side only, so edges with the inside on both sides are the diagonals.
        let diagonals = self.mesh.directed_edges().filter(|&e| is_inside(e) && is_inside(e.rev()));
        let mut diagonals: Vec<_> = diagonals.map(|e| (origin(e), origin(e.rev()), e)).filter(|d| d.0 < d.1).collect();
        sort_by_key(&mut diagonals, |d| (d.0, d.1));
        for (_, _, edge) in diagonals {
            loops.merge(edge.fix().index(), edge.rev().fix().index());
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
