//! Ways through the index: all that meets a box, or block by block in the order in which a probe comes to them.

use super::block::{Block, Bounds, Probe};
use super::index::Index;
use super::tree::{NONE, Tree};
use crate::ground::aabb::Aabb;
use crate::simd::{Lanes, WIDTH};

/// More blocks than can wait: those of a block at each level, of which there are at most eight for 2^32 bodies.
const WAITING: usize = 9 * WIDTH;
/// So many lanes are sorted by insertion.
const FEW: u32 = 6;
/// The limit of one who has found all that was wanted.
pub(super) const ENOUGH: i32 = -1;

/// A body that is come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) body: u32,
    /// Where it stands.
    pub(super) bounds: Bounds,
}

/// A block that waits to be looked at.
#[derive(Clone, Copy, Default)]
struct Waiting {
    key: i32,
    level: u32,
    block: u32,
}

/// Calls `visit` with each body on some of the layers `hits` of which the bounds meet a closed box, until it says that this is enough.
#[inline(always)]
pub(super) fn meeting<L: Lanes>(lanes: L, index: &Index, reach: &Aabb, hits: u32, mut visit: impl FnMut(Leaf) -> bool) {
    let mut waiting = [(0_u32, 0_u32); WAITING];
    for Tree { levels, bodies, .. } in index.trees() {
        let mut count = usize::from(!levels.is_empty());
        waiting[0] = (levels.len().saturating_sub(1) as u32, 0);
        while count > 0 {
            count -= 1;
            let (level, block) = waiting[count];
            let first = WIDTH as u32 * block;
            let block = &levels[level as usize][block as usize];
            let mut bits = block.meeting(lanes, reach, hits);
            while bits != 0 {
                let lane = bits.trailing_zeros();
                bits &= bits - 1;
                if level > 0 {
                    waiting[count] = (level - 1, first + lane);
                    lanes.prefetch(&levels[level as usize - 1][(first + lane) as usize]);
                    count += 1;
                } else if visit(leaf(block, bodies, first, lane)) {
                    return;
                }
            }
        }
    }
    for (block, bodies) in index.tail() {
        let mut bits = block.meeting(lanes, reach, hits);
        while bits != 0 {
            if visit(leaf(block, bodies, 0, bits.trailing_zeros())) {
                return;
            }
            bits &= bits - 1;
        }
    }
}

/// Calls `visit` with each body on some of the layers `hits` to which a probe comes no later than `limit`; it gives the limit from then on. Of a tree, blocks are looked at depth first, those to which the probe comes first before their neighbours.
#[inline(always)]
pub(super) fn in_order<L: Lanes>(
    lanes: L,
    index: &Index,
    probe: &impl Probe,
    hits: u32,
    mut limit: i32,
    mut visit: impl FnMut(Leaf) -> i32,
) {
    let mut waiting = [Waiting::default(); WAITING];
    for Tree { levels, bodies, .. } in index.trees() {
        let mut count = usize::from(!levels.is_empty());
        waiting[0] = Waiting { key: 0, level: levels.len().saturating_sub(1) as u32, block: 0 };
        while count > 0 {
            count -= 1;
            let Waiting { key, level, block } = waiting[count];
            if key > limit {
                continue;
            }
            let first = WIDTH as u32 * block;
            let block = &levels[level as usize][block as usize];
            let (near, found) = sorted(lanes, block, probe, hits, limit);
            if level > 0 {
                // The first comes last, and is taken first.
                for &(key, lane) in near[..found].iter().rev() {
                    waiting[count] = Waiting { key, level: level - 1, block: first + lane };
                    count += 1;
                }
            } else {
                for &(key, lane) in &near[..found] {
                    if key <= limit {
                        limit = visit(leaf(block, bodies, first, lane));
                    }
                }
            }
        }
    }
    for (block, bodies) in index.tail() {
        let (near, found) = sorted(lanes, block, probe, hits, limit);
        for &(key, lane) in &near[..found] {
            if key <= limit {
                limit = visit(leaf(block, bodies, 0, lane));
            }
        }
    }
}

/// The body of a lane of a block, of which the first has a place among `bodies`.
#[inline(always)]
fn leaf(block: &Block, bodies: &[u32], first: u32, lane: u32) -> Leaf {
    Leaf { body: bodies[(first + lane) as usize], bounds: block.lane(lane as usize) }
}

/// The lanes of a block to which a probe comes, and how many they are: few in the order in which it does; of many, the first before all others, since most
/// of these are left out once that was looked at.
#[inline(always)]
fn sorted<L: Lanes>(
    lanes: L,
    block: &Block,
    probe: &impl Probe,
    hits: u32,
    limit: i32,
) -> ([(i32, u32); WIDTH], usize) {
    let mut keys = [0; WIDTH];
    let mut bits = block.near(lanes, probe, hits, limit, &mut keys);
    let (mut near, mut count) = ([(0, NONE); WIDTH], 0);
    let few = bits.count_ones() <= FEW;
    while bits != 0 {
        let lane = bits.trailing_zeros();
        bits &= bits - 1;
        let key = keys[lane as usize];
        let mut at = count;
        if few {
            while at > 0 && near[at - 1].0 > key {
                near[at] = near[at - 1];
                at -= 1;
            }
        } else if near[0].0 > key {
            near[at] = near[0];
            at = 0;
        }
        near[at] = (key, lane);
        count += 1;
    }
    (near, count)
}
