//! `parry2d`: its BVH, which Rapier uses.

use parry2d::bounding_volume::Aabb;
use parry2d::math::Vector;
use parry2d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use rayon::prelude::*;

use super::{Peer, pair};

/// A BVH that is rebuilt each step on one thread.
pub(crate) struct ParryRebuilt;

impl Peer for ParryRebuilt {
    const NAME: &'static str = "parry2d, rebuilt";
    const THREADS: &'static str = "one builds, all ask";
    const ORDERED: bool = false;

    fn pairs<H: Fn(u32, u32) -> bool + Sync>(&mut self, boxes: &[hitmask::geometry::Aabb], hits: H) -> Vec<[u32; 2]> {
        ask(&build(boxes), hits)
    }
}

/// A BVH that is built once. In each step all leaves are updated and the tree is refitted.
#[derive(Default)]
pub(crate) struct ParryRefitted {
    bvh: Bvh,
    workspace: BvhWorkspace,
    statuses: Vec<parry2d::partitioning::BvhLeafUpdateStatus>,
}

impl Peer for ParryRefitted {
    const NAME: &'static str = "parry2d, refitted";
    const THREADS: &'static str = "all";
    const ORDERED: bool = false;

    fn pairs<H: Fn(u32, u32) -> bool + Sync>(&mut self, boxes: &[hitmask::geometry::Aabb], hits: H) -> Vec<[u32; 2]> {
        if self.bvh.leaf_count() as usize == boxes.len() {
            let updates: Vec<_> = boxes.par_iter().zip(0..boxes.len() as u32).map(|(b, i)| (aabb(b), i, 0.0)).collect();
            self.bvh.insert_or_update_batch_partially_parallel(&updates, &mut self.statuses);
            self.bvh.refit_parallel(&mut self.workspace);
        } else {
            self.bvh = build(boxes);
        }
        ask(&self.bvh, hits)
    }
}

/// A BVH that is built once. In each step only the leaves that moved are updated, and the tree above them.
pub(crate) struct ParryPartly {
    bvh: Bvh,
    moved: Vec<u32>,
}

impl ParryPartly {
    /// Creates the peer for a scene in which only the bodies `moved` move.
    pub(crate) fn new(moved: Vec<u32>) -> Self {
        Self { bvh: Bvh::new(), moved }
    }
}

impl Peer for ParryPartly {
    const NAME: &'static str = "parry2d, refitted where moved";
    const THREADS: &'static str = "one refits, all ask";
    const ORDERED: bool = false;

    fn pairs<H: Fn(u32, u32) -> bool + Sync>(&mut self, boxes: &[hitmask::geometry::Aabb], hits: H) -> Vec<[u32; 2]> {
        if self.bvh.leaf_count() as usize == boxes.len() {
            for &i in &self.moved {
                self.bvh.insert_or_update_partially(aabb(&boxes[i as usize]), i, 0.0);
            }
            self.bvh.refit_partial(&[], &self.moved);
        } else {
            self.bvh = build(boxes);
        }
        ask(&self.bvh, hits)
    }
}

fn build(boxes: &[hitmask::geometry::Aabb]) -> Bvh {
    let leaves: Vec<Aabb> = boxes.iter().map(aabb).collect();
    Bvh::from_leaves(BvhBuildStrategy::Binned, &leaves)
}

fn ask(bvh: &Bvh, hits: impl Fn(u32, u32) -> bool + Sync) -> Vec<[u32; 2]> {
    let candidates = bvh.traverse_bvtt_single_tree_parallel::<false>();
    candidates.into_par_iter().map(|(i, j)| pair(i, j)).filter(|&[i, j]| hits(i, j)).collect()
}

fn aabb(b: &hitmask::geometry::Aabb) -> Aabb {
    Aabb::new(Vector::new(b.min.x as f32, b.min.y as f32), Vector::new(b.max.x as f32, b.max.y as f32))
}
