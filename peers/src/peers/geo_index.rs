//! `geo-index`: a packed, immutable R-tree.

use geo_index::rtree::sort::HilbertSort;
use geo_index::rtree::{RTreeBuilder, RTreeIndex};
use hitmask::geometry::Aabb;

use super::{Peer, by_rows};

/// The tree, sorted along a Hilbert curve on one thread, then queried for each box.
pub(crate) struct GeoIndex;

impl Peer for GeoIndex {
    const NAME: &'static str = "geo-index";
    const THREADS: &'static str = "one builds, all ask";
    const ORDERED: bool = true;

    fn pairs<H: Fn(u32, u32) -> bool + Sync>(&mut self, boxes: &[Aabb], hits: H) -> Vec<[u32; 2]> {
        let mut builder = RTreeBuilder::<i32>::new(boxes.len() as u32);
        for Aabb { min, max } in boxes {
            builder.add(min.x, min.y, max.x, max.y);
        }
        let tree = builder.finish::<HilbertSort>();
        by_rows(boxes.len(), |i, row| {
            let Aabb { min, max } = boxes[i as usize];
            let found = tree.search(min.x, min.y, max.x, max.y);
            row.extend(found.into_iter().filter(|&j| j > i && hits(i, j)));
        })
    }
}
