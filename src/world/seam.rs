//! Seams between the convex pieces of a polygon. What lies on a seam is in the polygon's interior, though in that of no
//! piece.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};

use crate::ground::lattice::Point;
use crate::ground::normal::dot;
use crate::ground::predicate::cross;
use crate::ground::sorting::{sort, sort_by_key};

/// An edge that two pieces share. Vertices are counted through all pieces; the earlier piece comes first.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seam {
    pub(crate) ends: [usize; 2],
    /// The vertices of the two pieces.
    pub(crate) pieces: [Range<usize>; 2],
}

impl Seam {
    /// Returns the seam as each of its two pieces has it.
    fn entries(&self, vertices: &[Point]) -> [Entry; 2] {
        let [ours, theirs] = &self.pieces;
        let entry = |start: usize, other: &Range<usize>| Entry {
            start: start as u32,
            first: other.start as u32,
            count: other.len() as u32,
            unused: 0,
        };
        // It runs back in the other piece.
        let start = theirs.clone().find(|&k| vertices[k] == vertices[self.ends[1]]).unwrap_or(theirs.start);
        [entry(self.ends[0], theirs), entry(start, ours)]
    }
}

/// A seam in the atlas, as one of its pieces has it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Entry {
    /// The vertex at which it starts, in the winding of the piece.
    start: u32,
    /// The first vertex of the other piece, and the number of its vertices.
    first: u32,
    count: u32,
    unused: u32,
}

/// The number of 32-bit words of an entry.
pub(crate) const ENTRY_WORDS: usize = size_of::<Entry>() / 4;

impl Entry {
    /// Returns the vertices of the other piece.
    fn other(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// Returns the seams of a polygon as each of their pieces has them, in the order of their first vertices.
pub(super) fn entries(seams: &[Seam], vertices: &[Point]) -> Vec<Entry> {
    let mut entries: Vec<Entry> = seams.iter().flat_map(|seam| seam.entries(vertices)).collect();
    sort_by_key(&mut entries, |entry| entry.start);
    entries
}

/// Returns whether a segment, moving by `by`, runs along a seam of a piece whose first vertex is `first` and that has
/// landed at `vertices`. `landed` returns where another piece has landed, given its vertices.
pub(crate) fn has_seam_along<'a>(
    entries: &[Entry],
    first: usize,
    vertices: &'a [Point],
    segment: &[Point],
    by: Point,
    landed: impl Fn(Range<usize>) -> Option<&'a [Point]>,
) -> bool {
    let ends = vertices.iter().zip(vertices.iter().cycle().skip(1)).map(|(&from, &to)| [from, to]);
    !entries.is_empty()
        && ends.enumerate().filter(|(_, ends)| runs_along(segment, by, *ends)).any(|(k, ends)| {
            let other = entry_at(entries, first + k).and_then(|seam| landed(seam.other()));
            other.is_some_and(|other| parts(ends, [vertices, other]))
        })
}

/// Returns the seam that starts at a vertex.
fn entry_at(entries: &[Entry], vertex: usize) -> Option<&Entry> {
    entries.binary_search_by_key(&vertex, |entry| entry.start as usize).ok().map(|k| &entries[k])
}

/// Returns whether a segment, moving by `by`, has a point between the ends of an edge, and all of it lies on the edge's
/// line.
fn runs_along(segment: &[Point], by: Point, [from, to]: [Point; 2]) -> bool {
    let edge = to - from;
    if cross(edge, by) != 0 || segment.iter().any(|&p| cross(edge, p - from) != 0) {
        return false;
    }
    let edge_along = [edge.x, edge.y].map(i64::from);
    let along = |p: Point| dot(edge_along, p);
    let places = || segment.iter().map(|&p| along(p - from));
    let (Some(least), Some(most)) = (places().min(), places().max()) else { return false };
    most + along(by).max(0) > 0 && least + along(by).min(0) < along(edge)
}

/// Returns whether pieces have landed on both sides of the line through a seam, so that it is in their interior.
fn parts([from, to]: [Point; 2], pieces: [&[Point]; 2]) -> bool {
    let is_on = |side: fn(i64) -> bool| pieces.iter().copied().flatten().any(|&p| side(cross(to - from, p - from)));
    is_on(|side| side < 0) && is_on(|side| side > 0)
}

/// An edge of a piece.
#[derive(Clone, Copy)]
struct Edge {
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
    let count = pieces.iter().map(|(piece, _)| piece.len()).sum();
    let mut edges = Vec::with_capacity(count);
    // The ends of each edge, the smaller first, its part and its index: in order, those that may be a seam are side by
    // side, the earlier piece first.
    let mut spans = Vec::with_capacity(count);
    let mut first = 0;
    for &(piece, part) in pieces {
        let count = piece.len();
        // A segment is no seam with itself.
        for k in (0..count).filter(|_| count > 2) {
            let next = if k + 1 < count { k + 1 } else { 0 };
            let [from, to] = [k, next].map(|k| piece[k].rank());
            spans.push(([from.min(to), from.max(to)], part, edges.len()));
            edges.push(Edge { ends: [first + k, first + next], piece: [first, count] });
        }
        first += count;
    }
    sort(&mut spans);
    // As all pieces wind the same way and do not overlap, an edge is shared by two at most, and runs back in the other.
    let pairs = spans.windows(2).filter(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1));
    let mut pairs: Vec<[Edge; 2]> = pairs.map(|pair| [edges[pair[0].2], edges[pair[1].2]]).collect();
    sort_by_key(&mut pairs, |[a, b]| (a.piece, b.ends[0]));
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
