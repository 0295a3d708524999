//! `rstar`: an R*-tree, loaded in bulk.

use std::convert::Infallible;
use std::ops::ControlFlow;

use hitmask::geometry::Aabb;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{AABB, RTree, RTreeObject};

use super::{Peer, by_rows};

/// The tree, loaded on one thread, then queried for each box.
pub(crate) struct Rstar;

impl Peer for Rstar {
    const NAME: &'static str = "rstar";
    const THREADS: &'static str = "one builds, all ask";
    const ORDERED: bool = true;

    fn pairs<H: Fn(u32, u32) -> bool + Sync>(&mut self, boxes: &[Aabb], hits: H) -> Vec<[u32; 2]> {
        let leaf = |(b, i): (&Aabb, u32)| GeomWithData::new(Rectangle::from_aabb(envelope(b)), i);
        let tree: RTree<GeomWithData<Rectangle<[f32; 2]>, u32>> =
            RTree::bulk_load(boxes.iter().zip(0..).map(leaf).collect());
        by_rows(boxes.len(), |i, row| {
            let ControlFlow::<Infallible>::Continue(()) =
                tree.locate_in_envelope_intersecting_int(envelope(&boxes[i as usize]), |leaf| {
                    if leaf.data > i && hits(i, leaf.data) {
                        row.push(leaf.data);
                    }
                    ControlFlow::Continue(())
                });
        })
    }
}

/// Returns a box in `f32`, as its area does not fit in an `i32`.
fn envelope(b: &Aabb) -> <Rectangle<[f32; 2]> as RTreeObject>::Envelope {
    AABB::from_corners([b.min.x as f32, b.min.y as f32], [b.max.x as f32, b.max.y as f32])
}
