//! The boundaries of convex pieces, which are merged.

use crate::ground::lattice::Point;

use super::canonical;
use super::segment::cross;

/// The boundaries of the pieces, as loops of half-edges by index; each has its piece on its positive side.
pub(super) struct Loops {
    pub(super) from: Vec<Point>,
    pub(super) next: Vec<usize>,
    pub(super) prev: Vec<usize>,
    /// Part of a loop; not a merged diagonal, not outside.
    pub(super) live: Vec<bool>,
}

impl Loops {
    /// Merges the two pieces along a diagonal, given as both its half-edges, if that leaves both of its ends convex.
    ///
    /// Two convex pieces never share more than this one edge: there would be a straight angle between.
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
        pieces.sort_unstable();
        pieces
    }
}
