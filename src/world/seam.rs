//! Seams between the convex pieces of a polygon. What lies on a seam is in the polygon's interior, though in that of no
//! piece.

use std::ops::Range;

use crate::ground::lattice::Point;

/// An edge that two pieces share. Vertices are counted through all pieces; the earlier piece comes first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seam {
    pub(crate) ends: [usize; 2],
    /// The vertices of the two pieces.
    pub(crate) pieces: [Range<usize>; 2],
}

/// An edge of a piece. Edges in order have those that may be a seam side by side, the earlier piece first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Edge {
    part: u32,
    /// The end points, the smaller first.
    span: [Point; 2],
    /// The vertices at both ends, in the winding of the piece.
    ends: [usize; 2],
    /// The index of the piece's first vertex and the number of its vertices.
    piece: [usize; 2],
}

impl Edge {
    fn vertices(&self) -> Range<usize> {
        let [first, count] = self.piece;
        first..first + count
    }
}

/// Returns the seams of pieces, which all have the same winding, in the order of their first pieces. Each piece is
/// given with its part; there is no seam between two parts.
pub(crate) fn seams(pieces: &[(&[Point], u32)]) -> Vec<Seam> {
    let mut edges = Vec::with_capacity(pieces.iter().map(|(piece, _)| piece.len()).sum());
    let mut first = 0;
    for &(piece, part) in pieces {
        let count = piece.len();
        // A segment is no seam with itself.
        edges.extend((0..count).filter(|_| count > 2).map(|k| {
            let next = if k + 1 < count { k + 1 } else { 0 };
            let [from, to] = [k, next].map(|k| piece[k]);
            let [ends, piece] = [[first + k, first + next], [first, count]];
            Edge { part, span: [from.min(to), from.max(to)], ends, piece }
        }));
        first += count;
    }
    edges.sort_unstable();
    // As all pieces wind the same way and do not overlap, an edge is shared by two at most, and runs back in the other.
    let is_shared = |(a, b): &(&Edge, &Edge)| (a.part, a.span) == (b.part, b.span);
    let pairs = edges.iter().zip(edges.iter().skip(1)).filter(is_shared);
    let mut pairs: Vec<[Edge; 2]> = pairs.map(|(&a, &b)| [a, b]).collect();
    pairs.sort_unstable_by_key(|[a, b]| (a.piece, b.ends[0]));
    pairs.into_iter().map(|[a, b]| Seam { ends: a.ends, pieces: [a.vertices(), b.vertices()] }).collect()
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
