//! A tree of bounds whose nodes have up to sixteen children (Guttman, *R-trees: A Dynamic Index Structure for Spatial
//! Searching*, 1984). All bodies are on the lowest level.
//!
//! ```text
//!   levels[2]   [ . . . . ]                      one node, the root
//!                 | | | \-------------------\
//!   levels[1]   [ . . . . ][ . .     ][ . . . ]   each lane: the bounds of a node below
//!                 |
//!   levels[0]   [ b b b b ][ b b b   ] ...        each lane: the bounds of a body
//! ```
//!
//! A build packs the bodies (`pack.rs`); after that, nodes that are full are split (`split.rs`), and nodes with few
//! bodies are dissolved.

use super::node::{Bounds, INDEX, NONE, Node};
use super::split::{Entry, split};
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::simd::WIDTH;

/// The most levels of a tree that is searched: enough to pack 2^32 bodies. A power of two.
pub(super) const LEVELS: usize = 8;
/// A node with this many bodies or fewer is dissolved when a body leaves it.
const FEW: usize = 4;

/// A tree of bounds, level by level. The last level has one node, the root; an empty tree has no levels.
///
/// A *place* is a lane of a node: `WIDTH` times the node's index in its level, plus the lane.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) levels: Vec<Vec<Node>>,
    /// For each level the nodes that are free.
    free: Vec<Vec<u32>>,
    /// The number of bodies.
    pub(super) len: usize,
    /// The sum of the half perimeters of all nodes below the root, which estimates the cost of a query: the longer the
    /// perimeter of a node, the more often it is entered (Goldsmith and Salmon, *Automatic Creation of Object
    /// Hierarchies for Ray Tracing*, 1987).
    pub(super) cost: i64,
}

impl Tree {
    /// Rebuilds the tree from these bodies, in this order. The places of the bodies are 0, 1, 2 and so on.
    pub(super) fn build(
        &mut self,
        bodies: impl ExactSizeIterator<Item = u32>,
        bounds: impl Fn(u32) -> Bounds,
        room: &Room,
    ) -> Result<()> {
        self.free.iter_mut().for_each(Vec::clear);
        self.len = bodies.len();
        let mut nodes = self.len.div_ceil(WIDTH);
        let mut height = 0;
        while nodes > 0 {
            self.grow(height + 1);
            self.levels[height].clear();
            room.resize(&mut self.levels[height], nodes, Node::EMPTY, INDEX)?;
            height += 1;
            if nodes == 1 {
                break;
            }
            nodes = nodes.div_ceil(WIDTH);
        }
        self.levels.truncate(height);
        for (place, body) in bodies.enumerate() {
            let node = &mut self.levels[0][place / WIDTH];
            node.children[place % WIDTH] = body;
            node.set(place % WIDTH, bounds(body));
        }
        for level in 1..height {
            let (below, above) = self.levels.split_at_mut(level);
            for (place, below) in below[level - 1].iter_mut().enumerate() {
                above[0][place / WIDTH].children[place % WIDTH] = place as u32;
                below.above = place as u32;
            }
        }
        self.refit();
        Ok(())
    }

    /// Makes room for as many levels.
    fn grow(&mut self, height: usize) {
        while self.levels.len() < height {
            self.levels.push(Vec::new());
        }
        while self.free.len() < height {
            self.free.push(Vec::new());
        }
    }

    /// Recomputes all levels above the lowest.
    pub(super) fn refit(&mut self) {
        self.cost = 0;
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            for node in &mut above[0] {
                for (lane, child) in node.children() {
                    let around = below[level - 1][child as usize].around();
                    self.cost += around.perimeter();
                    node.set(lane, around);
                }
            }
        }
    }

    /// Replaces the bounds of a body and updates the nodes above it.
    pub(super) fn set(&mut self, place: u32, bounds: Bounds) {
        self.set_on(0, place, bounds);
    }

    /// Replaces the bounds at a place of a level, and updates the levels above.
    fn set_on(&mut self, lowest: usize, mut place: u32, mut bounds: Bounds) {
        for level in lowest..self.levels.len() {
            let (node, lane) = (&mut self.levels[level][place as usize / WIDTH], place as usize % WIDTH);
            let before = node.lane(lane);
            if before == bounds {
                return;
            }
            node.set(lane, bounds);
            (place, bounds) = (node.above, node.around());
            if level > 0 {
                self.cost += node.lane(lane).perimeter() - before.perimeter();
            }
        }
    }

    /// Adds a body. `moved` is called with each body that has another place afterwards, and with its new place; the
    /// new body is among them.
    pub(super) fn insert(
        &mut self,
        body: u32,
        bounds: Bounds,
        room: &Room,
        mut moved: impl FnMut(u32, u32),
    ) -> Result<()> {
        if self.levels.is_empty() {
            self.add_root(room)?;
        }
        self.len += 1;
        let mut node = self.choose(&bounds);
        let mut new = Entry { bounds, child: body };
        for level in 0.. {
            if let Some(lane) = self.levels[level][node as usize].free_lane() {
                self.attach(level, node * WIDTH as u32 + lane as u32, new, &mut moved);
                break;
            }
            let other = self.add_node(level, room)?;
            if level + 1 == self.levels.len() {
                let root = Entry { bounds: self.levels[level][node as usize].around(), child: node };
                self.add_root(room)?;
                self.attach(level + 1, 0, root, &mut moved);
            }
            let full = &self.levels[level][node as usize];
            let mut entries = [new; WIDTH + 1];
            for (lane, child) in full.children() {
                entries[lane] = Entry { bounds: full.lane(lane), child };
            }
            let above = full.above;
            let (left, right) = split(&mut entries);
            self.fill(level, node, left, &mut moved);
            self.fill(level, other, right, &mut moved);
            self.set_on(level + 1, above, self.levels[level][node as usize].around());
            new = Entry { bounds: self.levels[level][other as usize].around(), child: other };
            node = above / WIDTH as u32;
        }
        Ok(())
    }

    /// Removes the body at a place. `moved` is as in [`Tree::insert`].
    pub(super) fn remove(&mut self, place: u32, room: &Room, mut moved: impl FnMut(u32, u32)) -> Result<()> {
        self.len -= 1;
        self.detach(0, place);
        let Some(node) = self.levels.first().map(|lowest| lowest[place as usize / WIDTH]) else { return Ok(()) };
        let left = node.children().count();
        if left == 0 || left > FEW || self.levels.len() == 1 {
            return Ok(());
        }
        for (lane, _) in node.children() {
            self.detach(0, place - place % WIDTH as u32 + lane as u32);
        }
        self.len -= left;
        node.children().try_for_each(|(lane, body)| self.insert(body, node.lane(lane), room, &mut moved))
    }

    /// Returns the bounds of the node that contains a body's place.
    pub(super) fn around(&self, place: u32) -> Bounds {
        self.levels[0][place as usize / WIDTH].around()
    }

    /// Returns the node of the lowest level that needs to grow least to include these bounds.
    fn choose(&self, bounds: &Bounds) -> u32 {
        let mut node = 0;
        for level in self.levels[1..].iter().rev() {
            node = level[node as usize].least_enlarged(bounds);
        }
        node
    }

    /// Puts a child at a free place of a level.
    fn attach(&mut self, level: usize, place: u32, entry: Entry, moved: &mut impl FnMut(u32, u32)) {
        self.link(level, place, entry.child, moved);
        self.set_on(level, place, entry.bounds);
    }

    /// Notes that a child is at a place of a level.
    fn link(&mut self, level: usize, place: u32, child: u32, moved: &mut impl FnMut(u32, u32)) {
        self.levels[level][place as usize / WIDTH].children[place as usize % WIDTH] = child;
        match level.checked_sub(1) {
            None => moved(child, place),
            Some(below) => self.levels[below][child as usize].above = place,
        }
    }

    /// Gives a node of a level these children in place of those that it has. The levels above are not updated.
    fn fill(&mut self, level: usize, node: u32, entries: &[Entry], moved: &mut impl FnMut(u32, u32)) {
        let old = self.levels[level][node as usize];
        let costs = |node: &Node| node.children().map(|(lane, _)| node.lane(lane).perimeter()).sum::<i64>();
        let mut new = Node::EMPTY;
        new.above = old.above;
        for (lane, entry) in entries.iter().enumerate() {
            new.children[lane] = entry.child;
            new.set(lane, entry.bounds);
        }
        if level > 0 {
            self.cost += costs(&new) - costs(&old);
        }
        self.levels[level][node as usize] = new;
        for (place, entry) in (node * WIDTH as u32..).zip(entries) {
            self.link(level, place, entry.child, moved);
        }
    }

    /// Frees a place of a level, with the nodes above that have no other child.
    fn detach(&mut self, mut level: usize, mut place: u32) {
        loop {
            let (index, lane) = (place / WIDTH as u32, place as usize % WIDTH);
            let node = &mut self.levels[level][index as usize];
            if level > 0 {
                self.cost -= node.lane(lane).perimeter();
            }
            node.children[lane] = NONE;
            node.set(lane, Bounds::NOWHERE);
            let (above, around) = (node.above, node.around());
            if node.children().next().is_some() {
                return self.set_on(level + 1, above, around);
            }
            level += 1;
            if level == self.levels.len() {
                return self.levels.clear();
            }
            self.free[level - 1].push(index);
            place = above;
        }
    }

    /// Returns a node without children.
    fn add_node(&mut self, level: usize, room: &Room) -> Result<u32> {
        if let Some(node) = self.free[level].pop() {
            return Ok(node);
        }
        room.reserve(&mut self.levels[level], 1, INDEX)?;
        self.levels[level].push(Node::EMPTY);
        Ok(self.levels[level].len() as u32 - 1)
    }

    /// Adds a level with an empty root.
    fn add_root(&mut self, room: &Room) -> Result<()> {
        let level = self.levels.len();
        self.grow(level + 1);
        self.free[level].clear();
        self.add_node(level, room).map(drop)
    }

    pub(super) fn bytes(&self) -> usize {
        let nodes = self.levels.iter().map(Vec::capacity).sum::<usize>();
        size_of::<Node>() * nodes + 4 * self.free.iter().map(Vec::capacity).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::aabb::Aabb;
    use crate::ground::lattice::Point;
    use hitmask_workbench::workloads::SplitMix64;

    fn bounds(body: u32, shift: i32) -> Bounds {
        let min = Point::new(10 * body as i32 + shift, shift);
        Bounds {
            reach: Aabb { min, max: min + Point::new(5, 5) },
            layers: 1 << (body % 7),
            aligned: body.is_multiple_of(2),
        }
    }

    /// Checks that each lane above the lowest level has the bounds of the node below it, that each node but the free
    /// ones has a parent, and that the cost and the number of bodies are right.
    fn validate(tree: &Tree) {
        let (mut cost, mut nodes) = (0, 0);
        for level in 1..tree.levels.len() {
            for (k, node) in tree.levels[level].iter().enumerate() {
                for lane in 0..WIDTH {
                    let child = node.children[lane];
                    if child == NONE {
                        assert_eq!(node.lane(lane), Bounds::NOWHERE);
                        continue;
                    }
                    let below = &tree.levels[level - 1][child as usize];
                    assert_eq!(below.above as usize, WIDTH * k + lane);
                    assert!(below.children().next().is_some());
                    assert_eq!(node.lane(lane), below.around());
                    cost += below.around().perimeter();
                    nodes += 1;
                }
            }
        }
        let below = tree.levels.len().saturating_sub(1);
        let all = tree.levels.iter().take(below).map(Vec::len).sum::<usize>();
        assert_eq!(nodes + tree.free.iter().take(below).map(Vec::len).sum::<usize>(), all);
        assert_eq!(tree.cost, cost);
        assert!(tree.levels.last().is_none_or(|top| top.len() == 1));
        let bodies = tree.levels.first().into_iter().flatten().flat_map(Node::children);
        assert_eq!(bodies.count(), tree.len);
    }

    #[test]
    fn a_tree_is_right_however_it_came_about() {
        for count in [0, 1, 16, 17, 256, 257, 5_000] {
            let (mut tree, mut edited) = (Tree::default(), Tree::default());
            tree.build(0..count, |body| bounds(body, 3), &Room::default()).unwrap();
            edited.build(0..count, |body| bounds(body, 0), &Room::default()).unwrap();
            validate(&edited);
            for place in (0..count).rev() {
                edited.set(place, bounds(place, 3));
            }
            validate(&edited);
            validate(&tree);
            assert_eq!(tree.cost, edited.cost);
        }
    }

    #[test]
    fn bodies_come_and_go() {
        let room = Room::default();
        let (mut tree, mut places) = (Tree::default(), vec![NONE; 3_000]);
        let mut random = SplitMix64(5);
        // Grows to most bodies, shrinks to few, to none, and grows again.
        for (step, share) in
            [(0, 9), (1, 1), (2, 0), (3, 9)].into_iter().flat_map(|(_, share)| vec![share; 9_000]).enumerate()
        {
            let body = random.below(places.len() as u32);
            let place = places[body as usize];
            if place != NONE && random.below(10) >= share {
                places[body as usize] = NONE;
                tree.remove(place, &room, |body, place| places[body as usize] = place).unwrap();
            } else if place == NONE && random.below(10) < share {
                tree.insert(body, bounds(body, 0), &room, |body, place| places[body as usize] = place).unwrap();
            }
            if step % 500 == 0 {
                validate(&tree);
                for (body, &place) in places.iter().enumerate().filter(|(_, place)| **place != NONE) {
                    let node = &tree.levels[0][place as usize / WIDTH];
                    assert_eq!(node.children[place as usize % WIDTH], body as u32);
                    assert_eq!(node.lane(place as usize % WIDTH), bounds(body as u32, 0));
                }
                let few = |node: &Node| (1..=FEW).contains(&node.children().count());
                assert!(
                    tree.levels.len() < 2 || !tree.levels[0].iter().any(few),
                    "nodes with few bodies are dissolved"
                );
                assert_eq!(places.iter().filter(|place| **place != NONE).count(), tree.len);
            }
        }
        assert!(tree.len > 2_000);
        let (grown, mut packed) = (tree.cost, Tree::default());
        let bodies: Vec<u32> = (0..3_000).filter(|&body| places[body as usize] != NONE).collect();
        packed.build(bodies.into_iter(), |body| bounds(body, 0), &room).unwrap();
        assert!(2 * grown < 3 * packed.cost, "{grown} of {}", packed.cost);
    }
}
