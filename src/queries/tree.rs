//! A tree of bounds, sixteen to a block, without pointers: the children of lane `k` of block `b` are block `16 b + k`
//! of the level below.
//!
//! ```text
//!   levels[2]   [ . . . . ]                                one block
//!                 | | | \--------------------------\
//!   levels[1]   [ . . . . ][ . . . . ][ . . . . ][ . . ]   each lane: the bounds of a block below
//!                 |
//!   levels[0]   [ b b b b ][ b b b b ] ...                 each lane: the bounds of a body, packed (`pack.rs`)
//! ```

use super::block::{Block, Bounds, INDEX};
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::simd::WIDTH;

/// The index that stands for no body.
pub(super) const NONE: u32 = u32::MAX;

/// A tree of bounds, level by level. The last level has one block; an empty tree has no levels.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) levels: Vec<Vec<Block>>,
    /// For each place of the lowest level its body, or [`NONE`].
    pub(super) bodies: Vec<u32>,
    /// The sum of the half perimeters of all blocks below the top, which estimates the cost of a query: the longer the
    /// perimeter of a block, the more often it is entered (Goldsmith and Salmon, *Automatic Creation of Object
    /// Hierarchies for Ray Tracing*, 1987).
    pub(super) cost: i64,
}

impl Tree {
    /// Rebuilds the tree from these bodies, in this order.
    pub(super) fn build(
        &mut self,
        bodies: impl ExactSizeIterator<Item = u32>,
        bounds: impl Fn(u32) -> Bounds,
        room: &Room,
    ) -> Result<()> {
        self.bodies.clear();
        room.grow_to(&mut self.bodies, bodies.len().next_multiple_of(WIDTH), INDEX)?;
        self.bodies.extend(bodies);
        self.bodies.resize(self.bodies.len().next_multiple_of(WIDTH), NONE);
        let mut blocks = self.bodies.len() / WIDTH;
        let mut level = 0;
        while blocks > 0 {
            if self.levels.len() == level {
                self.levels.push(Vec::new());
            }
            self.levels[level].clear();
            room.resize(&mut self.levels[level], blocks, Block::EMPTY, INDEX)?;
            level += 1;
            if blocks == 1 {
                break;
            }
            blocks = blocks.div_ceil(WIDTH);
        }
        self.levels.truncate(level);
        if let Some(lowest) = self.levels.first_mut() {
            for (block, bodies) in lowest.iter_mut().zip(self.bodies.chunks_exact(WIDTH)) {
                for (lane, &body) in bodies.iter().enumerate().filter(|(_, body)| **body != NONE) {
                    block.set(lane, bounds(body));
                }
            }
        }
        self.refit();
        Ok(())
    }

    /// Recomputes all levels above the lowest.
    pub(super) fn refit(&mut self) {
        self.cost = 0;
        for level in 1..self.levels.len() {
            let (below, above) = self.levels.split_at_mut(level);
            for (block, below) in above[0].iter_mut().zip(below[level - 1].chunks(WIDTH)) {
                for (lane, below) in below.iter().enumerate() {
                    let around = below.around();
                    self.cost += around.perimeter();
                    block.set(lane, around);
                }
            }
        }
    }

    /// Replaces the bounds at a place and updates the blocks above it.
    pub(super) fn set(&mut self, mut place: usize, mut bounds: Bounds) {
        for level in 0..self.levels.len() {
            let block = &mut self.levels[level][place / WIDTH];
            let before = block.lane(place % WIDTH);
            if before == bounds {
                return;
            }
            if level > 0 {
                self.cost += bounds.perimeter() - before.perimeter();
            }
            block.set(place % WIDTH, bounds);
            (place, bounds) = (place / WIDTH, block.around());
        }
    }

    /// Returns the bounds of the block that contains a place.
    pub(super) fn around(&self, place: usize) -> Bounds {
        self.levels.first().map_or(Bounds::NOWHERE, |lowest| lowest[place / WIDTH].around())
    }

    /// Returns the bodies of a block of the lowest level.
    #[inline(always)]
    pub(super) fn bodies_of(&self, block: u32) -> &[u32; WIDTH] {
        &self.bodies.as_chunks().0[block as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        let blocks = self.levels.iter().map(Vec::capacity).sum::<usize>();
        size_of::<Block>() * blocks + 4 * self.bodies.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::aabb::Aabb;
    use crate::ground::lattice::Point;

    fn bounds(body: u32, shift: i32) -> Bounds {
        let min = Point::new(10 * body as i32 + shift, shift);
        Bounds {
            reach: Aabb { min, max: min + Point::new(5, 5) },
            layers: 1 << (body % 7),
            aligned: body.is_multiple_of(2),
        }
    }

    /// Checks that each lane above the lowest level has the bounds of the block below it, and that the cost is their
    /// sum.
    fn validate(tree: &Tree) {
        let mut cost = 0;
        for level in 1..tree.levels.len() {
            for (k, below) in tree.levels[level - 1].iter().enumerate() {
                assert_eq!(tree.levels[level][k / WIDTH].lane(k % WIDTH), below.around());
                cost += below.around().perimeter();
            }
        }
        assert_eq!(tree.cost, cost);
        assert!(tree.levels.last().is_none_or(|top| top.len() == 1));
    }

    #[test]
    fn a_tree_is_right_however_it_came_about() {
        for count in [0, 1, 16, 17, 256, 257, 5_000] {
            let (mut tree, mut edited) = (Tree::default(), Tree::default());
            tree.build(0..count, |body| bounds(body, 3), &Room::default()).unwrap();
            edited.build(0..count, |body| bounds(body, 0), &Room::default()).unwrap();
            validate(&edited);
            for place in (0..count as usize).rev() {
                edited.set(place, bounds(place as u32, 3));
            }
            validate(&edited);
            validate(&tree);
            assert_eq!(tree.cost, edited.cost);
            for place in (0..count as usize).step_by(3) {
                edited.set(place, Bounds::NOWHERE);
            }
            validate(&edited);
        }
    }
}
