//! Ways through the index: all that meets a box, or block by block in the order in which a probe comes to them.
//!
//! Both give one body after the other, and take no closure: one would be compiled without the vector instructions of the kernel in which they run.

use super::block::{Block, Bounds, Probe};
use super::index::Index;
use super::tree::{NONE, Tree};
use crate::ground::aabb::Aabb;
use crate::simd::{Lanes, WIDTH};

/// More blocks than can wait: those of a block at each level, of which there are at most eight for 2^32 bodies.
const WAITING: usize = 9 * WIDTH;
/// So many lanes are sorted by insertion.
const FEW: u32 = 6;

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

/// What is looked through, part by part: the trees, then each block of the tail.
struct Parts<'a> {
    index: &'a Index,
    next: usize,
    waiting: [Waiting; WAITING],
    count: usize,
}

/// A block of some part, with the level on which it is and the place of its first lane there.
#[derive(Clone, Copy)]
struct Part<'a> {
    block: &'a Block,
    bodies: &'a [u32],
    level: u32,
    first: u32,
}

impl<'a> Parts<'a> {
    #[inline(always)]
    fn new(index: &'a Index) -> Self {
        Self { index, next: 0, waiting: [Waiting::default(); WAITING], count: 0 }
    }

    /// The next block of which the key is within a limit.
    #[inline(always)]
    fn next(&mut self, limit: i32) -> Option<Part<'a>> {
        let trees = self.index.trees();
        loop {
            if self.count > 0 {
                self.count -= 1;
                let Waiting { key, level, block } = self.waiting[self.count];
                if key > limit {
                    continue;
                }
                // Those that wait are of the tree that was begun last.
                let Tree { levels, bodies, .. } = &trees[self.next - 1];
                let first = WIDTH as u32 * block;
                return Some(Part { block: &levels[level as usize][block as usize], bodies, level, first });
            }
            let next = self.next;
            self.next += 1;
            if next < trees.len() {
                if let Some(top) = trees[next].levels.len().checked_sub(1) {
                    self.wait(0, top as u32, 0);
                }
            } else {
                let (block, bodies) = self.index.tail(next - trees.len())?;
                return Some(Part { block, bodies, level: 0, first: 0 });
            }
        }
    }

    /// Asks for the memory of the block that waits since last.
    #[inline(always)]
    fn prefetch<L: Lanes>(&self, lanes: L) {
        let Waiting { level, block, .. } = self.waiting[self.count - 1];
        self.index.trees()[self.next - 1].levels[level as usize][block as usize].prefetch(lanes);
    }

    #[inline(always)]
    fn wait(&mut self, key: i32, level: u32, block: u32) {
        self.waiting[self.count] = Waiting { key, level, block };
        self.count += 1;
    }
}

impl Part<'_> {
    #[inline(always)]
    fn leaf(&self, lane: u32) -> Leaf {
        Leaf { body: self.bodies[(self.first + lane) as usize], bounds: self.block.lane(lane as usize) }
    }
}

/// The bodies on some of the layers `hits` of which the bounds meet a closed box.
pub(super) struct Meeting<'a> {
    parts: Parts<'a>,
    reach: Aabb,
    hits: u32,
    /// A block of bodies, and those of its lanes that are left.
    at: Option<Part<'a>>,
    bits: u32,
}

impl<'a> Meeting<'a> {
    #[inline(always)]
    pub(super) fn new(index: &'a Index, reach: Aabb, hits: u32) -> Self {
        Self { parts: Parts::new(index), reach, hits, at: None, bits: 0 }
    }

    /// The next.
    #[inline(always)]
    pub(super) fn next<L: Lanes>(&mut self, lanes: L) -> Option<Leaf> {
        loop {
            if let Some(part) = &self.at
                && self.bits != 0
            {
                let lane = self.bits.trailing_zeros();
                self.bits &= self.bits - 1;
                return Some(part.leaf(lane));
            }
            let part = self.parts.next(0)?;
            let mut bits = part.block.meeting(lanes, &self.reach, self.hits);
            if part.level == 0 {
                (self.at, self.bits) = (Some(part), bits);
                continue;
            }
            while bits != 0 {
                let block = part.first + bits.trailing_zeros();
                bits &= bits - 1;
                self.parts.wait(0, part.level - 1, block);
                self.parts.prefetch(lanes);
            }
        }
    }
}

/// The bodies on some of the layers `hits` to which a probe comes no later than a limit. Of a tree, blocks are looked at depth first, those to which the
/// probe comes first before their neighbours.
pub(super) struct InOrder<'a, P> {
    parts: Parts<'a>,
    probe: P,
    hits: u32,
    /// A block of bodies, its lanes with their keys, and how many of these were given out.
    at: Option<Part<'a>>,
    near: [(i32, u32); WIDTH],
    found: usize,
    given: usize,
}

impl<'a, P: Probe> InOrder<'a, P> {
    #[inline(always)]
    pub(super) fn new(index: &'a Index, probe: P, hits: u32) -> Self {
        Self { parts: Parts::new(index), probe, hits, at: None, near: [(0, NONE); WIDTH], found: 0, given: 0 }
    }

    /// The next within a limit, which must not grow.
    #[inline(always)]
    pub(super) fn next<L: Lanes>(&mut self, lanes: L, limit: i32) -> Option<Leaf> {
        loop {
            while self.given < self.found {
                let (key, lane) = self.near[self.given];
                self.given += 1;
                if let Some(part) = &self.at
                    && key <= limit
                {
                    return Some(part.leaf(lane));
                }
            }
            let part = self.parts.next(limit)?;
            self.sort(lanes, part.block, limit);
            if part.level == 0 {
                (self.at, self.given) = (Some(part), 0);
                continue;
            }
            // The first comes last, and is taken first.
            for &(key, lane) in self.near[..self.found].iter().rev() {
                self.parts.wait(key, part.level - 1, part.first + lane);
                if self.found as u32 <= FEW {
                    self.parts.prefetch(lanes);
                }
            }
            self.given = self.found;
        }
    }

    /// Lists the lanes of a block to which the probe comes: few in the order in which it does; of many, the first before all others, since most of
    /// these are left out once that was looked at.
    #[inline(always)]
    fn sort<L: Lanes>(&mut self, lanes: L, block: &Block, limit: i32) {
        let mut keys = [0; WIDTH];
        let mut bits = block.near(lanes, &self.probe, self.hits, limit, &mut keys);
        let (near, mut count) = (&mut self.near, 0);
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
            } else if count > 0 && near[0].0 > key {
                near[at] = near[0];
                at = 0;
            }
            near[at] = (key, lane);
            count += 1;
        }
        self.found = count;
    }
}
