//! Polygons, concave and with holes: checked exactly, and cut into convex pieces without adding a vertex.
//!
//! ```text
//! rings  = the outline and the holes, without repeated and straight points
//! edges  = from corner to corner
//! faces  = the constrained Delaunay triangulation of the edges, which are cut where a vertex lies on them; where edges
//!          cross there is none, and a sweep over pairs that meet finds the first two, for the error
//! passes = the ways of a ring through a point at which it touches itself: refused if they cross there
//! inside = the faces within the outline and in no hole, found by walking inward across edges of rings
//! pieces = the inside faces, merged across a diagonal where both its ends stay strictly convex
//! ```
//!
//! The merging is by Hertel and Mehlhorn ("Fast triangulation of simple polygons", 1983; O'Rourke, "Computational
//! Geometry in C", section 2.5). Pieces are strictly convex, because a straight angle may become concave once a body is
//! turned and snapped.
//!
//! Every decision is exact: the predicates here use integers, and those of `spade` are adaptive on `f64`, which
//! represents every lattice point. Nothing depends on a hash: a polygon always gives the same pieces, on every
//! platform.

mod crossing;
mod faces;
mod loops;
mod pass;
mod ring;
mod segment;
#[cfg(test)]
mod tests;

use crate::ground::error::{Error, Result};
use crate::ground::lattice::Point;

use crossing::crossing_of;
use faces::Faces;
use ring::Ring;

/// The most points of a polygon, holes included. The sweep for an error is quadratic if all edges lie on top of each
/// other; at this size it then takes a quarter of a minute. An ordinary outline of this size takes a fraction of a
/// second.
const MAX_POINTS: usize = 1 << 16;

/// Returns the convex pieces of a polygon with this outline and these holes, or an error if its rings cross.
///
/// A ring is closed without repeating its first point, and may wind either way. Repeated neighbours and straight points
/// are dropped. A hole lies within the outline. A ring may touch itself and others at single points, but cross none.
///
/// Each piece is strictly convex, winds positively (`cross > 0`), begins with its smallest vertex and has only vertices
/// that were given. The pieces are in ascending order. Without holes there is one piece exactly if the outline is
/// convex.
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
    let edges = ring::edges(&rings);
    match Faces::new(&edges) {
        Some(faces) if !faces.has_crossing() => faces.pieces(),
        _ => Err(crossing_of(&edges).unwrap_or_else(|| refused("the outline and its holes cannot be triangulated"))),
    }
}

/// Makes an [`Error::Polygon`].
fn refused(problem: impl Into<String>) -> Error {
    Error::Polygon { problem: problem.into() }
}

/// Turns a convex piece into its canonical form, which begins with its smallest vertex.
fn canonical(mut piece: Vec<Point>) -> Vec<Point> {
    let smallest = piece.iter().enumerate().min_by_key(|&(_, p)| p).map_or(0, |(i, _)| i);
    piece.rotate_left(smallest);
    piece
}
