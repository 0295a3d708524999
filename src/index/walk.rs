//! Walks through the index: all bodies that meet a box, or bodies node by node in the order in which a probe reaches
//! them.
//!
//! ```text
//!   state, for each level of a tree from the root down to the current one:   a node, and which of its lanes are left
//!   take the next lane that is left (with the lowest key) -> its node, one level below; a body on the lowest
//!   none is left -> go one level up
//! ```
//!
//! Both return one item at a time and take no closure, because a closure would be compiled without the vector
//! instructions of the kernel in which it runs.

use super::node::{Bounds, Keys, Node, Probe};
use super::spatial::Index;
use super::tree::{LEVELS, Tree};
use crate::ground::aabb::Aabb;
use crate::simd::{Lanes, WIDTH};

/// A body that a walk reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leaf {
    pub(super) body: u32,
    /// Its bounds.
    pub(super) bounds: Bounds,
}

/// A node of bodies.
#[derive(Clone, Copy)]
pub(super) struct Part<'a>(&'a Node);

impl<'a> Part<'a> {
    #[inline(always)]
    pub(super) fn leaf(self, lane: u32) -> Leaf {
        let lane = lane as usize % WIDTH;
        Leaf { body: self.0.children[lane], bounds: self.0.lane(lane) }
    }

    /// Returns its bodies, and a bit for each aligned box, whose bounds are its exact shape.
    #[inline(always)]
    pub(super) fn aligned(self) -> (&'a [u32; WIDTH], u32) {
        (&self.0.children, self.0.aligned())
    }
}

/// The trees of the index that are still to be searched.
#[derive(Clone, Copy)]
struct Trees<'a> {
    index: &'a Index,
    next: usize,
}

impl<'a> Trees<'a> {
    /// Returns the next tree that is not empty, and its highest level.
    #[inline(always)]
    fn next(&mut self) -> Option<(&'a Tree, usize)> {
        while let Some(tree) = self.index.trees().get(self.next) {
            self.next += 1;
            if let Some(top) = tree.levels.len().checked_sub(1) {
                return Some((tree, top));
            }
        }
        None
    }
}

/// A walk over the nodes with bodies on any of the layers `mask` whose bounds meet a closed box.
pub(super) struct Meeting<'a> {
    trees: Trees<'a>,
    reach: Aabb,
    mask: u32,
    /// The tree that it is in, and the level.
    tree: Option<&'a Tree>,
    level: usize,
    /// For each level its node, and a bit for each lane that is left.
    nodes: [&'a Node; LEVELS],
    left: [u32; LEVELS],
}

impl<'a> Meeting<'a> {
    #[inline(always)]
    pub(super) fn new(index: &'a Index, reach: Aabb, mask: u32) -> Self {
        let trees = Trees { index, next: 0 };
        Self { trees, reach, mask, tree: None, level: 0, nodes: [&Node::EMPTY; LEVELS], left: [0; LEVELS] }
    }

    /// Returns the next node, with a bit for each body that meets the box; at least one.
    #[inline(always)]
    pub(super) fn next<L: Lanes>(&mut self, lanes: L) -> Option<(Part<'a>, u32)> {
        loop {
            let Some(tree) = self.tree else {
                let (tree, top) = self.trees.next()?;
                (self.tree, self.level) = (Some(tree), top);
                if let Some(found) = self.enter(lanes, tree, 0) {
                    return Some(found);
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
            let child = self.nodes[at].children[self.left[at].trailing_zeros() as usize % WIDTH];
            self.left[at] &= self.left[at] - 1;
            self.level -= 1;
            if let Some(found) = self.enter(lanes, tree, child) {
                return Some(found);
            }
        }
    }

    /// Enters a node of the current level.
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, lanes: L, tree: &'a Tree, node: u32) -> Option<(Part<'a>, u32)> {
        let node = &tree.levels[self.level][node as usize];
        let bits = node.meeting(lanes, &self.reach, self.mask);
        if self.level > 0 {
            let at = self.level % LEVELS;
            (self.nodes[at], self.left[at]) = (node, bits);
            let mut bits = bits;
            while bits != 0 {
                let child = node.children[bits.trailing_zeros() as usize % WIDTH];
                tree.levels[self.level - 1][child as usize].prefetch(lanes);
                bits &= bits - 1;
            }
            return None;
        }
        self.level = 1;
        if tree.levels.len() == 1 {
            self.tree = None;
        }
        (bits != 0).then_some((Part(node), bits))
    }
}

/// A walk to bodies in the order in which a probe reaches them. In a tree, nodes are visited depth first, of each node
/// the lanes that the probe reaches first before the others.
#[derive(Clone, Copy)]
pub(super) struct InOrder<'a> {
    trees: Trees<'a>,
    /// The tree that it is in.
    tree: Option<&'a Tree>,
    /// The current level, and the end of the levels; at `end` nothing is left.
    level: usize,
    end: usize,
    /// For each level the node that it is in.
    at: [At<'a>; LEVELS],
    /// The node of the current level to enter next; it is being prefetched.
    into: Option<u32>,
}

/// The state of a walk within a node.
#[derive(Clone, Copy)]
struct At<'a> {
    keys: Keys,
    /// The key of the next lane.
    next: i32,
    node: &'a Node,
}

/// The result of a step.
pub(super) enum Step {
    /// It has entered or left a node.
    On,
    /// A body.
    To(Leaf),
    /// The end of the walk.
    End,
}

impl<'a> InOrder<'a> {
    #[inline(always)]
    pub(super) fn new(index: &'a Index) -> Self {
        let (trees, nowhere) = (Trees { index, next: 0 }, At { keys: Keys::NONE, next: 0, node: &Node::EMPTY });
        Self { trees, tree: None, level: 0, end: 0, at: [nowhere; LEVELS], into: None }
    }

    /// Restarts the walk.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        (self.trees.next, self.level, self.end) = (0, 0, 0);
    }

    /// Returns the next body on any of the layers `mask` within a limit, which must not grow.
    #[inline(always)]
    pub(super) fn next<L: Lanes>(&mut self, lanes: L, probe: &impl Probe, mask: u32, limit: i32) -> Option<Leaf> {
        loop {
            match self.step(lanes, probe, mask, limit) {
                Step::On => {}
                Step::To(leaf) => return Some(leaf),
                Step::End => return None,
            }
        }
    }

    /// Goes on by one node or body. All steps must use the same probe and layers, and the limit must not grow.
    #[inline(always)]
    pub(super) fn step<L: Lanes>(&mut self, lanes: L, probe: &impl Probe, mask: u32, limit: i32) -> Step {
        if let (Some(tree), Some(node)) = (self.tree, self.into.take()) {
            self.enter(lanes, probe, mask, tree, node);
            return Step::On;
        }
        if self.level >= self.end {
            (self.level, self.end, self.tree) = (0, 0, None);
            let Some((tree, top)) = self.trees.next() else { return Step::End };
            (self.level, self.end, self.tree) = (top, top + 1, Some(tree));
            self.enter(lanes, probe, mask, tree, 0);
            return Step::On;
        }
        let at = &mut self.at[self.level % LEVELS];
        let key = at.next;
        if Keys::is_beyond(key, limit) {
            self.level += 1;
            return Step::On;
        }
        // Computed now, so that it is ready by the time the node below has been visited.
        at.next = at.keys.after(lanes, key);
        let lane = Keys::lane(key);
        if self.level == 0 {
            return Step::To(Part(at.node).leaf(lane));
        }
        if let Some(tree) = self.tree {
            let child = at.node.children[lane as usize % WIDTH];
            self.level -= 1;
            tree.levels[self.level][child as usize].prefetch(lanes);
            self.into = Some(child);
        }
        Step::On
    }

    /// Enters a node of the current level.
    #[inline(always)]
    fn enter<L: Lanes>(&mut self, lanes: L, probe: &impl Probe, mask: u32, tree: &'a Tree, node: u32) {
        let node = &tree.levels[self.level][node as usize];
        let at = &mut self.at[self.level % LEVELS];
        (at.keys, at.node) = (node.near(probe, mask), node);
        at.next = at.keys.first(lanes);
    }
}
