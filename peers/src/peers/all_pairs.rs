//! All pairs: compares every box with every later one.

use hitmask::geometry::Aabb;

use super::{Peer, by_rows};

/// The plain loop.
pub(crate) struct AllPairs;

impl Peer for AllPairs {
    const NAME: &'static str = "all pairs";
    const THREADS: &'static str = "all";
    const ORDERED: bool = true;

    fn pairs<H: Fn(u32, u32) -> bool + Sync>(&mut self, boxes: &[Aabb], hits: H) -> Vec<[u32; 2]> {
        by_rows(boxes.len(), |i, row| {
            let a = boxes[i as usize];
            for (j, b) in (i + 1..).zip(&boxes[i as usize + 1..]) {
                let meet = a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y;
                if meet && hits(i, j) {
                    row.push(j);
                }
            }
        })
    }
}
