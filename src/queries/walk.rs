//! Walks through the index: all bodies that meet a box, or bodies block by block in the order in which a probe reaches
//! them.
//!
//! ```text
//!   state, for each level of a tree from the top down to the current one:   a block, and which of its lanes are left
//!   take the next lane that is left (with the lowest key) -> its block, one level below; a body on the lowest
//!   none is left -> go one level up
//! ```
//!
//! Both return one item at a time and take no closure, because a closure would be compiled without the vector
//! instructions of the kernel in which it runs.

use super::block::{Block, Bounds, Keys, Probe};
use super::index::Index;
use super::tree::Tree;
use crate::ground::aabb::Aabb;
use crate::simd::{Lanes, WIDTH};

/// At least the number of levels of a tree of 2^32 bodies, and a power of two.
const LEVELS: usize = 8;

/// A body that a walk reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) body: u32,
    /// Its bounds.
    pub(super) bounds: Bounds,
}

/// A block of bodies.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    block: &'a Block,
    bodies: &'a [u32; WIDTH],
}

impl<'a> Part<'a> {
    #[inline(always)]
    pub(super) fn leaf(&self, lane: u32) -> Leaf {
        let lane = lane as usize % WIDTH;
        Leaf { body: self.bodies[lane], bounds: self.block.lane(lane) }
    }

    /// Returns its bodies, and a bit for each aligned box, whose bounds are its exact shape.
    #[inline(always)]
    pub(super) fn aligned(&self) -> (&'a [u32; WIDTH], u32) {
        (self.bodies, self.block.aligned())
    }
}

/// The parts of the index to search: the trees, then each block of the tail.
#[derive(Clone, Copy)]
struct Parts<'a> {
    index: &'a Index,
    next: usize,
}

/// The next part of an index.
enum Next<'a> {
    /// A tree, and its highest level.
    Tree(&'a Tree, usize),
    Tail(Part<'a>),
}

impl<'a> Parts<'a> {
    #[inline(always)]
    fn next(&mut self) -> Option<Next<'a>> {
        let trees = self.index.trees();
        while let Some(tree) = trees.get(self.next) {
            self.next += 1;
            if let Some(top) = tree.levels.len().checked_sub(1) {
                return Some(Next::Tree(tree, top));
            }
        }
        let (block, bodies) = self.index.tail().get(self.next - trees.len())?;
        self.next += 1;
        Some(Next::Tail(Part { block, bodies }))
    }
}

/// A walk over the blocks with bodies on any of the layers `hits` whose bounds meet a closed box.
pub(super) struct Meeting<'a> {
    parts: Parts<'a>,
    reach: Aabb,
    hits: u32,
    /// The tree that it is in, and the level.
    tree: Option<&'a Tree>,
    level: usize,
    /// For each level the place of the first lane of its block, and a bit for each lane that is left.
    first: [u32; LEVELS],
    left: [u32; LEVELS],
}

impl<'a> Meeting<'a> {
    #[inline(always)]
    pub(super) fn new(index: &'a Index, reach: Aabb, hits: u32) -> Self {
        let parts = Parts { index, next: 0 };
        Self { parts, reach, hits, tree: None, level: 0, first: [0; LEVELS], left: [0; LEVELS] }
    }

    /// Returns the next block, with a bit for each body that meets the box; at least one.
    #[inline(always)]
    pub(super) fn next<L: Lanes>(&mut self, lanes: L) -> Option<(Part<'a>, u32)> {
        loop {
            let Some(tree) = self.tree else {
                match self.parts.next()? {
                    Next::Tree(tree, top) => {
                        (self.tree, self.level) = (Some(tree), top);
                        if let Some(found) = self.enter(lanes, tree, 0) {
                            return Some(found);
                        }
                    }
                    Next::Tail(part) => {
                        let bits = part.block.meeting(lanes, &self.reach, self.hits);
                        if bits != 0 {
                            return Some((part, bits));
                        }
                    }
                }
                continue;
            };
            let at = self.level % LEVELS;
            if self.left[at] == 0 {
                self.level += 1;
                if self.level >= tree.levels.len() {
                    self.tree = None;
                }
                continue;
            }
            let block = self.first[at] + self.left[at].trailing_zeros();
            self.left[at] &= self.left[at] - 1;
            self.level -= 1;
            if let Some(found) = self.enter(lanes, tree, block) {
                return Some(found);
            }
        }
    }

    /// Enters a block of the current level.
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, lanes: L, tree: &'a Tree, place: u32) -> Option<(Part<'a>, u32)> {
        let block = &tree.levels[self.level][place as usize];
        let bits = block.meeting(lanes, &self.reach, self.hits);
        if self.level > 0 {
            let (at, first) = (self.level % LEVELS, WIDTH as u32 * place);
            (self.first[at], self.left[at]) = (first, bits);
            let mut bits = bits;
            while bits != 0 {
                tree.levels[self.level - 1][(first + bits.trailing_zeros()) as usize].prefetch(lanes);
                bits &= bits - 1;
            }
            return None;
        }
        self.level = 1;
        if tree.levels.len() == 1 {
            self.tree = None;
        }
        (bits != 0).then(|| (Part { block, bodies: tree.bodies_of(place) }, bits))
    }
}

/// A walk to bodies in the order in which a probe reaches them. In a tree, blocks are visited depth first, of each
/// block the lanes that the probe reaches first before the others.
#[derive(Clone, Copy)]
pub(super) struct InOrder<'a> {
    parts: Parts<'a>,
    /// The tree that it is in; `None` in the tail.
    tree: Option<&'a Tree>,
    /// The current level, and the end of the levels; at `end` nothing is left.
    level: usize,
    end: usize,
    /// For each level the block that it is in.
    at: [At; LEVELS],
    /// The block of the current level to enter next; it is being prefetched.
    into: Option<u32>,
    /// The block of bodies that it is in.
    part: Option<Part<'a>>,
}

/// The state of a walk within a block.
#[derive(Clone, Copy)]
struct At {
    keys: Keys,
    /// The key of the next lane.
    next: i32,
    /// The place of its first lane.
    first: u32,
}

/// The result of a step.
pub(super) enum Step {
    /// It has entered or left a block.
    On,
    /// A body.
    To(Leaf),
    /// The end of the walk.
    End,
}

impl<'a> InOrder<'a> {
    #[inline(always)]
    pub(super) fn new(index: &'a Index) -> Self {
        let (parts, nowhere) = (Parts { index, next: 0 }, At { keys: Keys::NONE, next: 0, first: 0 });
        Self { parts, tree: None, level: 0, end: 0, at: [nowhere; LEVELS], into: None, part: None }
    }

    /// Restarts the walk.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        (self.parts.next, self.level, self.end) = (0, 0, 0);
    }

    /// Returns the next body on any of the layers `hits` within a limit, which must not grow.
    #[inline(always)]
    pub(super) fn next<L: Lanes>(&mut self, lanes: L, probe: &impl Probe, hits: u32, limit: i32) -> Option<Leaf> {
        loop {
            match self.step(lanes, probe, hits, limit) {
                Step::On => {}
                Step::To(leaf) => return Some(leaf),
                Step::End => return None,
            }
        }
    }

    /// Goes on by one block or body. All steps must use the same probe and layers, and the limit must not grow.
    #[inline(always)]
    pub(super) fn step<L: Lanes>(&mut self, lanes: L, probe: &impl Probe, hits: u32, limit: i32) -> Step {
        if let (Some(tree), Some(place)) = (self.tree, self.into.take()) {
            self.enter(lanes, probe, hits, tree, place);
            return Step::On;
        }
        if self.level >= self.end {
            (self.level, self.tree) = (0, None);
            match self.parts.next() {
                Some(Next::Tree(tree, top)) => {
                    (self.level, self.end, self.tree) = (top, top + 1, Some(tree));
                    self.enter(lanes, probe, hits, tree, 0);
                }
                Some(Next::Tail(part)) => {
                    self.end = 1;
                    let keys = part.block.near(probe, hits);
                    (self.at[0].keys, self.at[0].next) = (keys, keys.first(lanes));
                    self.part = Some(part);
                }
                None => {
                    self.end = 0;
                    return Step::End;
                }
            }
            return Step::On;
        }
        let at = &mut self.at[self.level % LEVELS];
        let key = at.next;
        if Keys::is_beyond(key, limit) {
            self.level += 1;
            return Step::On;
        }
        // Computed now, so that it is ready by the time the block below has been visited.
        at.next = at.keys.after(lanes, key);
        let lane = Keys::lane(key);
        if self.level == 0 {
            if let Some(part) = &self.part {
                return Step::To(part.leaf(lane));
            }
        } else if let Some(tree) = self.tree {
            let block = at.first + lane;
            self.level -= 1;
            tree.levels[self.level][block as usize].prefetch(lanes);
            if self.level == 0 {
                lanes.prefetch(tree.bodies_of(block));
            }
            self.into = Some(block);
        }
        Step::On
    }

    /// Enters a block of the current level.
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, lanes: L, probe: &impl Probe, hits: u32, tree: &'a Tree, place: u32) {
        let block = &tree.levels[self.level][place as usize];
        let at = &mut self.at[self.level % LEVELS];
        at.keys = block.near(probe, hits);
        (at.next, at.first) = (at.keys.first(lanes), WIDTH as u32 * place);
        if self.level == 0 {
            self.part = Some(Part { block, bodies: tree.bodies_of(place) });
        }
    }
}
