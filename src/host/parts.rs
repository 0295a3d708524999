//! The convex parts of a body, sorted for lookup by height: a sprite has one for each run of pixels.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::touch::Touch;

/// Convex parts, which keep their order.
pub(super) struct Parts {
    all: Vec<Vec<Point>>,
    /// The bounds of each part with its index, sorted by upper edge.
    by_top: Vec<(Aabb, usize)>,
    /// The height of the tallest part.
    tallest: i32,
}

impl Parts {
    pub(super) fn new(all: Vec<Vec<Point>>) -> Self {
        let mut by_top: Vec<_> = all.iter().enumerate().map(|(k, part)| (Aabb::around(part), k)).collect();
        by_top.sort_by_key(|(bounds, _)| bounds.min.y);
        let tallest = by_top.iter().map(|(bounds, _)| bounds.max.y - bounds.min.y).max().unwrap_or(0);
        Self { all, by_top, tallest }
    }

    /// Returns the parts whose bounds meet a box, in their order.
    pub(super) fn meeting(&self, near: &Aabb) -> impl Iterator<Item = &[Point]> {
        let mut met: Vec<usize> =
            self.level_with(near).filter(|(bounds, _)| near.meets(bounds, Touch::Included)).map(|(_, k)| *k).collect();
        met.sort_unstable();
        met.into_iter().map(|k| &self.all[k][..])
    }

    /// Returns the parts whose height range may meet that of a box.
    fn level_with(&self, near: &Aabb) -> impl Iterator<Item = &(Aabb, usize)> {
        let first = self.by_top.partition_point(|(bounds, _)| bounds.min.y < near.min.y - self.tallest);
        self.by_top[first..].iter().take_while(|(bounds, _)| bounds.min.y <= near.max.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    #[test]
    fn all_parts_that_meet_a_box_are_found_in_order_and_few_others_looked_at() {
        let mut random = SplitMix64(6);
        let mut draw = |below: u32| random.below(below) as i32;
        let mut corners = |size: i32| {
            let min = Point::new(draw(9000), draw(9000));
            vec![min, min + Point::new(draw(300), draw(300) + size)]
        };
        let all: Vec<Vec<Point>> = (0..900).map(|_| corners(0)).collect();
        let parts = Parts::new(all.clone());
        for _ in 0..200 {
            let near = Aabb::around(&corners(9));
            let plain = all.iter().filter(|part| near.meets(&Aabb::around(part), Touch::Included));
            assert!(parts.meeting(&near).eq(plain.map(|part| &part[..])));
            let looked = parts.level_with(&near).count();
            assert!(looked < 200, "{looked} of 900");
        }
    }
}
