//! Ways through the index: all that meets a box, or block by block in the order in which a probe comes to them.
//!
//! ```text
//!   on each level of a tree, from the highest down to where the walk is:   the lanes of one block, and which are left
//!   take the next lane that is left (of the lowest key) -> its block, one level below; a body on the lowest
//!   none is left -> one level up
//! ```
//!
//! Both give one after the other, and take no closure: one would be compiled without the vector instructions of the
//! kernel in which they run.

use super::block::{Block, Bounds, Keys, Probe};
use super::index::Index;
use super::tree::Tree;
use crate::ground::aabb::Aabb;
use crate::simd::{Lanes, WIDTH};

/// At least the levels of a tree of 2^32 bodies, and a power of two.
const LEVELS: usize = 8;

/// A body that is come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) body: u32,
    /// Where it stands.
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

    /// Its bodies, and a bit for each of which the bounds are all.
    #[inline(always)]
    pub(super) fn aligned(&self) -> (&'a [u32; WIDTH], u32) {
        (self.bodies, self.block.aligned())
    }
}

/// What is looked through, part by part: the trees, then each block of the tail.
#[derive(Clone, Copy)]
struct Parts<'a> {
    index: &'a Index,
    next: usize,
}

/// What comes next of an index.
enum Next<'a> {
    /// The highest block of a tree, and its level.
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

/// The blocks of bodies on some of the layers `hits` of which the bounds meet a closed box.
pub(super) struct Meeting<'a> {
    parts: Parts<'a>,
    reach: Aabb,
    hits: u32,
    /// The tree in which it is, and the level.
    tree: Option<&'a Tree>,
    level: usize,
    /// On each level the first lane of the block that it is in, and those that are left.
    first: [u32; LEVELS],
    left: [u32; LEVELS],
}

impl<'a> Meeting<'a> {
    #[inline(always)]
    pub(super) fn new(index: &'a Index, reach: Aabb, hits: u32) -> Self {
        let parts = Parts { index, next: 0 };
        Self { parts, reach, hits, tree: None, level: 0, first: [0; LEVELS], left: [0; LEVELS] }
    }

    /// The next block, with a bit for each body; at least one.
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

    /// Goes into a block of the level on which it is.
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

/// A way to bodies in the order in which a probe comes to them. Of a tree, blocks are looked at depth first, those to
/// which the probe comes first before their neighbours.
#[derive(Clone, Copy)]
pub(super) struct InOrder<'a> {
    parts: Parts<'a>,
    /// The tree in which it is; none in the tail.
    tree: Option<&'a Tree>,
    /// The level on which it is, and behind the last: on none of them is anything left.
    level: usize,
    end: usize,
    /// On each level the block that it is in.
    at: [At; LEVELS],
    /// The block of its level that it goes into next, whose memory is asked for.
    into: Option<u32>,
    /// The block of bodies that it is in.
    part: Option<Part<'a>>,
}

/// The block of a level in which a walk is.
#[derive(Clone, Copy)]
struct At {
    keys: Keys,
    /// That of the lane that comes next.
    next: i32,
    /// The place of its first lane.
    first: u32,
}

/// What a step comes to.
pub(super) enum Step {
    /// A block, or the end of one.
    On,
    /// A body.
    To(Leaf),
    /// The end.
    End,
}

impl<'a> InOrder<'a> {
    #[inline(always)]
    pub(super) fn new(index: &'a Index) -> Self {
        let (parts, nowhere) = (Parts { index, next: 0 }, At { keys: Keys::NONE, next: 0, first: 0 });
        Self { parts, tree: None, level: 0, end: 0, at: [nowhere; LEVELS], into: None, part: None }
    }

    /// Begins anew.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        (self.parts.next, self.level, self.end) = (0, 0, 0);
    }

    /// The next body on some of the layers `hits` within a limit, which must not grow.
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

    /// Goes on by one block or body; all steps are by the same probe and layers, and the limit must not grow.
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
        // Found while what this leads to is looked at.
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

    /// Goes into a block of the level on which it is.
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
