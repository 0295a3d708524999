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

/// The bodies that are anywhere, sorted along a Morton curve, then by index.
fn morton_order(bounds: &[Aabb]) -> Vec<u32> {
    let somewhere = || bounds.par_iter().enumerate().filter(|(_, bound)| **bound != Aabb::NOWHERE);
    let all = somewhere().map(|(_, bound)| *bound).reduce(|| Aabb::NOWHERE, |a, b| a.join(&b));
    if all == Aabb::NOWHERE {
        return Vec::new();
    }
    // The curve has 2^16 cells to a side; the smallest power of two that covers all is a cell's size.
    let extent = [(all.min.x, all.max.x), (all.min.y, all.max.y)].map(|(min, max)| i64::from(max) - i64::from(min));
    let shift = (64 - extent[0].max(extent[1]).leading_zeros()).saturating_sub(16);
    let mut keyed: Vec<u64> = somewhere()
        .map(|(body, bound)| {
            let cell = |min: i32, max: i32, from: i32| {
                spread(((i64::midpoint(min.into(), max.into()) - i64::from(from)) >> shift) as u32)
            };
            let code = cell(bound.min.x, bound.max.x, all.min.x) | cell(bound.min.y, bound.max.y, all.min.y) << 1;
            u64::from(code) << 32 | body as u64
        })
        .collect();
    keyed.par_sort_unstable();
    keyed.into_iter().map(|key| key as u32).collect()
}

/// The low 16 bits, each followed by a zero.
fn spread(v: u32) -> u32 {
    let v = (v | v << 8) & 0x00FF_00FF;
    let v = (v | v << 4) & 0x0F0F_0F0F;
    let v = (v | v << 2) & 0x3333_3333;
    (v | v << 1) & 0x5555_5555
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreading_leaves_a_zero_behind_each_bit() {
        assert_eq!(spread(0xFFFF), 0x5555_5555);
        assert_eq!(spread(0b1011), 0b100_0101);
    }
}
