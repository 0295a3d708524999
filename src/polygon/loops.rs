//! The boundaries of convex pieces, merged across diagonals.

use crate::ground::lattice::Point;

use super::canonical;
use super::segment::cross;

/// The boundaries of the pieces, as loops of half-edges by index; the piece is on the positive side of each half-edge.
pub(super) struct Loops(pub(super) Vec<HalfEdge>);

/// A half-edge of a loop. Others are the default.
#[derive(Clone, Copy, Default)]
pub(super) struct HalfEdge {
    pub(super) from: Point,
    pub(super) next: u32,
    pub(super) prev: u32,
    /// True if it is part of a loop: it is inside and not a merged diagonal.
    pub(super) is_live: bool,
}

impl Loops {
    /// Merges the two pieces along a diagonal, given as both its half-edges, if both its ends stay convex.
    ///
    /// Two convex pieces never share more than one edge, as the angle between two shared edges would be straight.
    pub(super) fn merge(&mut self, edge: usize, twin: usize) {
        let edges = &mut self.0;
        let stays_convex = |edge: usize, twin: usize| {
            let [before, here] = [edges[edges[edge].prev as usize], edges[edge]];
            let after = edges[edges[edges[twin].next as usize].next as usize];
            cross(before.from, here.from, after.from) > 0
        };
        if stays_convex(edge, twin) && stays_convex(twin, edge) {
            for (a, b) in [(edge, twin), (twin, edge)] {
                let (before, after) = (edges[a].prev, edges[b].next);
                edges[before as usize].next = after;
                edges[after as usize].prev = before;
                edges[a].is_live = false;
            }
        }
    }

    pub(super) fn pieces(mut self) -> Vec<Vec<Point>> {
        let mut pieces = Vec::new();
        for first in 0..self.0.len() {
            let mut piece = Vec::new();
            let mut edge = first;
            while std::mem::take(&mut self.0[edge].is_live) {
                piece.push(self.0[edge].from);
                edge = self.0[edge].next as usize;
            }
            if !piece.is_empty() {
                pieces.push(canonical(piece));
            }
        }
        pieces.sort_unstable();
        pieces
    }
}
