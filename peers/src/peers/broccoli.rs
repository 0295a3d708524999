//! `broccoli`: a KD-tree with a sweep in each node, rebuilt each step, as its documentation recommends.

use broccoli::aabb::BBox;
use broccoli::aabb::pin::AabbPin;
use broccoli::axgeom::rect;
use broccoli::{Tree, bbox};
use broccoli_rayon::prelude::*;
use hitmask::geometry::Aabb;

use super::{Peer, pair};

/// The tree on all threads, with `broccoli-rayon`.
pub(crate) struct Broccoli;

impl Peer for Broccoli {
    const NAME: &'static str = "broccoli";
    const THREADS: &'static str = "all";
    const ORDERED: bool = false;

    fn pairs<H: Fn(u32, u32) -> bool + Sync>(&mut self, boxes: &[Aabb], hits: H) -> Vec<[u32; 2]> {
        let mut boxes = boxed(boxes);
        let hits = &hits;
        Tree::par_new(&mut boxes).par_find_colliding_pairs_acc_closure(
            Vec::new(),
            |_| Vec::new(),
            |all, mut more| all.append(&mut more),
            |pairs, a, b| push(pairs, a, b, hits),
        )
    }
}

/// The tree on one thread.
pub(crate) struct BroccoliAlone;

impl Peer for BroccoliAlone {
    const NAME: &'static str = "broccoli, one thread";
    const THREADS: &'static str = "one";
    const ORDERED: bool = false;

    fn pairs<H: Fn(u32, u32) -> bool + Sync>(&mut self, boxes: &[Aabb], hits: H) -> Vec<[u32; 2]> {
        let mut boxes = boxed(boxes);
        let mut pairs = Vec::new();
        Tree::new(&mut boxes).find_colliding_pairs(|a, b| push(&mut pairs, a, b, &hits));
        pairs
    }
}

type Leaf = BBox<i32, u32>;

fn boxed(boxes: &[Aabb]) -> Vec<Leaf> {
    boxes.iter().zip(0..).map(|(b, i)| bbox(rect(b.min.x, b.max.x, b.min.y, b.max.y), i)).collect()
}

fn push(pairs: &mut Vec<[u32; 2]>, a: AabbPin<&mut Leaf>, b: AabbPin<&mut Leaf>, hits: &impl Fn(u32, u32) -> bool) {
    let [i, j] = pair(*a.unpack_inner(), *b.unpack_inner());
    if hits(i, j) {
        pairs.push([i, j]);
    }
}
