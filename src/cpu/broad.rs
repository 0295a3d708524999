//! The broad phase: candidate pairs from a wide implicit tree over Morton order.
//!
//! Bodies are sorted by the Morton code of their bounds' centres (Morton 1966; Lauterbach et al., *Fast BVH Construction
//! on GPUs*, 2009), so that neighbours in the order are neighbours in the world. Each `FAN` of them, in order, share a node, each
//! `FAN` nodes a node above, and so on: there is no tree to build beyond the sort. A body then descends from the top into the
//! nodes that its bounds meet, and takes what comes after it in the order.
//!
//! ```text
//!   level 1   [ ............................ ]
//!   level 0   [ ........ ][ ....... ][ ..... ]
//!   bodies    o o o o o o  o o o o o  o o o o
//! ```

use rayon::prelude::*;

use crate::morton::morton_order;
use crate::packed::{Aabb, Packed};
use crate::world::Touch;

/// Children of a node.
const FAN: usize = 8;

/// Bodies whose descent is one task.
const CHUNK: usize = 256;

/// Whether two bounds meet, so that their bodies may hit.
#[inline]
#[must_use]
pub fn bounds_meet(a: &Aabb, b: &Aabb, touch: Touch) -> bool {
    match touch {
        Touch::Excluded => a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y,
        Touch::Included => closed_meet(a, b),
    }
}

#[inline]
fn closed_meet(a: &Aabb, b: &Aabb) -> bool {
    a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y
}

/// What `keep` makes of each candidate pair, in any order: pairs (lower index first) whose bounds meet and that see each other.
pub fn pairs<T: Send>(
    packed: &Packed,
    bounds: &[Aabb],
    touch: Touch,
    keep: impl Fn(u32, u32) -> Option<T> + Sync,
) -> Vec<([u32; 2], T)> {
    let order = morton_order(bounds);
    let boxes: Vec<Aabb> = order.par_iter().map(|&body| bounds[body as usize]).collect();
    let levels = tree(&boxes);
    let tasks = order.par_chunks(CHUNK).enumerate().map(|(chunk, bodies)| {
        let mut found = Vec::new();
        for (k, &body) in bodies.iter().enumerate() {
            let rank = chunk * CHUNK + k;
            descend(&levels, &boxes, rank, touch, &mut |other| {
                let (i, j) = (body.min(order[other]), body.max(order[other]));
                if packed.bodies[i as usize].sees(&packed.bodies[j as usize]) {
                    found.extend(keep(i, j).map(|kept| ([i, j], kept)));
                }
            });
        }
        found
    });
    let parts: Vec<Vec<_>> = tasks.collect();
    let mut all = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    for part in parts {
        all.extend(part);
    }
    all
}

/// The levels of the tree over boxes, the lowest first; the last has at most [`FAN`] nodes.
fn tree(boxes: &[Aabb]) -> Vec<Vec<Aabb>> {
    let mut levels: Vec<Vec<Aabb>> = Vec::new();
    loop {
        let below = levels.last().map_or(boxes, Vec::as_slice);
        if below.len() <= FAN {
            return levels;
        }
        levels.push(below.par_chunks(FAN).map(|node| node.iter().fold(Aabb::NOWHERE, |a, b| a.join(b))).collect());
    }
}

/// Calls `candidate` with the place of each body after `rank` in the order whose bounds meet those of `rank`.
fn descend(levels: &[Vec<Aabb>], boxes: &[Aabb], rank: usize, touch: Touch, candidate: &mut impl FnMut(usize)) {
    visit(levels, boxes, 0..levels.last().map_or(boxes, Vec::as_slice).len(), rank, touch, candidate);
}

fn visit(
    levels: &[Vec<Aabb>],
    boxes: &[Aabb],
    nodes: std::ops::Range<usize>,
    rank: usize,
    touch: Touch,
    candidate: &mut impl FnMut(usize),
) {
    let bound = &boxes[rank];
    let Some((level, below)) = levels.split_last() else {
        // Bodies themselves.
        let later = nodes.start.max(rank + 1)..nodes.end;
        later.filter(|&other| bounds_meet(bound, &boxes[other], touch)).for_each(candidate);
        return;
    };
    let children = below.last().map_or(boxes.len(), Vec::len);
    // Bodies under a node.
    let span = FAN.pow(levels.len() as u32);
    let later = nodes.start.max((rank + 1) / span)..nodes.end;
    // Closed, whatever touch says: a node may be flatter than what is in it.
    for node in later.filter(|&node| closed_meet(bound, &level[node])) {
        visit(below, boxes, node * FAN..(node * FAN + FAN).min(children), rank, touch, candidate);
    }
}
