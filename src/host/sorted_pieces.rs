//! The convex pieces of a body, sorted for lookup by height: a sprite has one for each run of pixels.

use crate::ground::aabb::Aabb;
use crate::ground::sorting::{sort, sort_by_key};
use crate::ground::touch::Touch;
use crate::world::pose::land::Piece;

/// Convex pieces, which keep their order.
pub(super) struct SortedPieces {
    all: Vec<Piece>,
    /// The bounds of each piece with its index, sorted by upper edge.
    by_top: Vec<(Aabb, usize)>,
    /// The height of the tallest piece.
    tallest: i32,
}

impl SortedPieces {
    pub(super) fn new(all: Vec<Piece>) -> Self {
        let mut by_top: Vec<_> = all.iter().map(Piece::bounds).zip(0..).collect();
        sort_by_key(&mut by_top, |(bounds, _)| bounds.min.y);
        let tallest = by_top.iter().map(|(bounds, _)| bounds.max.y - bounds.min.y).max().unwrap_or(0);
        Self { all, by_top, tallest }
    }

    /// Returns all pieces, in their order.
    pub(super) fn all(&self) -> &[Piece] {
        &self.all
    }

    /// Returns the pieces whose bounds meet a box, in their order.
    pub(super) fn meeting(&self, near: &Aabb) -> impl Iterator<Item = &Piece> {
        let mut met: Vec<usize> =
            self.level_with(near).filter(|(bounds, _)| near.meets(bounds, Touch::Included)).map(|(_, k)| *k).collect();
        sort(&mut met);
        met.into_iter().map(|k| &self.all[k])
    }

    /// Returns the pieces whose height range may meet that of a box.
    fn level_with(&self, near: &Aabb) -> impl Iterator<Item = &(Aabb, usize)> {
        let first = self.by_top.partition_point(|(bounds, _)| bounds.min.y < near.min.y - self.tallest);
        self.by_top[first..].iter().take_while(|(bounds, _)| bounds.min.y <= near.max.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::lattice::Point;
    use hitmask_workbench::workloads::SplitMix64;

    #[test]
    fn all_pieces_that_meet_a_box_are_found_in_order_and_few_others_looked_at() {
        let mut random = SplitMix64(6);
        let mut draw = |below: u32| random.below(below) as i32;
        let mut corners = |size: i32| {
            let min = Point::new(draw(9000), draw(9000));
            vec![min, min + Point::new(draw(300), draw(300) + size)]
        };
        let piece = |vertices: Vec<Point>| Piece::hull(vertices, 0);
        let all: Vec<Piece> = (0..900).map(|_| piece(corners(0))).collect();
        let pieces = SortedPieces::new(all.clone());
        for _ in 0..200 {
            let near = Aabb::around(&corners(9));
            let plain = all.iter().filter(|piece| near.meets(&piece.bounds(), Touch::Included));
            assert!(pieces.meeting(&near).eq(plain));
            let looked = pieces.level_with(&near).count();
            assert!(looked < 200, "{looked} of 900");
        }
    }
}
