//! The seams of a polygon: edges that two of its pieces share.

use std::collections::BTreeSet;

use super::{P, cross, sub};
use crate::ground::lattice::Point;
use crate::world::pieces::Node;
use crate::world::shape::{Geometry, Shape};

/// An edge that two pieces of a polygon share and on both sides of which they land: points between its ends are in the
/// interior of the polygon, but not in that of either piece.
pub(super) struct Seam {
    pub(super) ends: [P; 2],
    /// The pieces by their numbers, ascending.
    pub(super) pieces: [usize; 2],
}

/// Returns the seams of a shape, given where its points land.
pub(super) fn seams(shape: &Shape, lands: impl Fn(Point) -> P) -> Vec<Seam> {
    let Geometry::Convex { pieces, nodes, members, .. } = &shape.geometry else { return Vec::new() };
    let edges = |piece: &Vec<Point>| -> BTreeSet<[Point; 2]> {
        let edges = (0..piece.len()).map(|k| [piece[k], piece[(k + 1) % piece.len()]]);
        edges.filter(|_| piece.len() > 2).collect()
    };
    // There are no seams between parts. Those of a single polygon are all of one part.
    let parts = nodes.iter().filter_map(Node::part).chain(std::iter::repeat(0));
    let with_edges: Vec<_> = pieces.iter().zip(parts).map(|(piece, part)| (piece, part, edges(piece))).collect();
    let mut seams = Vec::new();
    for (k, (piece, part, edges)) in with_edges.iter().enumerate() {
        if members.get(*part as usize).is_some_and(|member| member.radius > 0) {
            continue;
        }
        let others = with_edges.iter().enumerate().skip(k + 1).filter(|(_, (_, other, _))| other == part);
        for (l, (other, _, other_edges)) in others {
            for &[p, q] in other_edges.iter().filter(|[p, q]| edges.contains(&[*q, *p])) {
                let ends = [p, q].map(&lands);
                let sides = || piece.iter().chain(*other).map(|&p| side(ends, lands(p)));
                if sides().any(|side| side < 0) && sides().any(|side| side > 0) {
                    seams.push(Seam { ends, pieces: [k, l] });
                }
            }
        }
    }
    seams
}

/// Returns the side of the line through two points on which another lies; only the sign matters.
pub(super) fn side([p, q]: [P; 2], r: P) -> i128 {
    cross(sub(q, p), sub(r, p))
}
