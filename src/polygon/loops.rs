//! The boundaries of convex pieces, merged across diagonals.

use crate::ground::lattice::Point;
use crate::ground::sorting::sort;

use super::canonical;
use super::segment::cross;

/// The boundaries of the pieces, as loops of half-edges by index; the piece is on the positive side of each half-edge.
pub(super) struct Loops {
    pub(super) from: Vec<Point>,
    pub(super) next: Vec<usize>,
    pub(super) prev: Vec<usize>,
    /// Whether the half-edge is part of a loop: it is inside and not a merged diagonal.
    pub(super) live: Vec<bool>,
}

impl Loops {
    /// Merges the two pieces along a diagonal, given as both its half-edges, if both its ends stay convex.
    ///
    /// Two convex pieces never share more than one edge, as the angle between two shared edges would be straight.
    pub(super) fn merge(&mut self, edge: usize, twin: usize) {
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

    pub(super) fn pieces(mut self) -> Vec<Vec<Point>> {
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
        sort(&mut pieces);
        pieces
    }
}
