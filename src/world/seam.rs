//! Seams between the convex pieces of a polygon. What lies on a seam is in the polygon's interior, though in that of no
//! piece.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::ground::lattice::Point;

/// An edge that two pieces share. Vertices are counted through all pieces; the earlier piece comes first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seam {
    pub(crate) ends: [usize; 2],
    /// The vertices of the two pieces.
    pub(crate) pieces: [Range<usize>; 2],
}

/// An edge not matched yet: the vertices at both ends, and those of the piece.
type Unmatched = ([usize; 2], Range<usize>);

/// Returns the seams of pieces, which all have the same winding, in the order of their first pieces. Each piece is
/// given with its part; there is no seam between two parts.
pub(crate) fn seams(pieces: &[(&[Point], u32)]) -> Vec<Seam> {
    let mut seams = Vec::new();
    let mut edges: BTreeMap<_, Unmatched> = BTreeMap::new();
    let mut first = 0;
    for &(piece, part) in pieces {
        let vertices = first..first + piece.len();
        // A segment is no seam with itself.
        for k in vertices.clone().filter(|_| piece.len() > 2) {
            let next = if k + 1 < vertices.end { k + 1 } else { first };
            let [from, to] = [k, next].map(|k| piece[k - first]);
            // By part and end points.
            if let Some((ends, other)) = edges.remove(&(part, [to, from])) {
                seams.push(Seam { ends, pieces: [other, vertices.clone()] });
            } else {
                edges.insert((part, [from, to]), ([k, next], vertices.clone()));
            }
        }
        first = vertices.end;
    }
    seams.sort_by_key(|seam| seam.pieces[0].start);
    seams
}

/// Returns the seams of a polygon whose earlier piece begins with `vertex`.
pub(crate) fn seams_from(seams: &[Seam], vertex: usize) -> &[Seam] {
    let first = seams.partition_point(|seam| seam.pieces[0].start < vertex);
    let count = seams[first..].partition_point(|seam| seam.pieces[0].start == vertex);
    &seams[first..first + count]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::polygon::convex_pieces;

    fn points(of: &[[i32; 2]]) -> Vec<Point> {
        of.iter().map(|&[x, y]| Point::new(x, y)).collect()
    }

    #[test]
    fn pieces_in_a_ring_have_a_seam_each() {
        let corners = |a, b| points(&[[a, a], [b, a], [b, b], [a, b]]);
        let pieces = convex_pieces(&corners(0, 12), &[corners(4, 8)]).unwrap();
        let seams = seams(&pieces.iter().map(|piece| (&piece[..], 0)).collect::<Vec<_>>());
        assert_eq!(seams.len(), pieces.len());
        let vertices = pieces.concat();
        for Seam { ends, pieces: [p, q] } in seams {
            assert!(ends.iter().all(|end| p.contains(end)));
            assert!(ends.iter().all(|&end| vertices[q.clone()].contains(&vertices[end])));
        }
    }

    #[test]
    fn a_convex_outline_has_none() {
        assert_eq!(seams(&[(&points(&[[0, 0], [3, 0], [3, 3], [0, 3]]), 0)]), []);
    }
}
