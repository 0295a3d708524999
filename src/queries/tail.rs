//! The tail of the index: bodies outside the trees, in the order in which they were added.

use super::block::{Block, Bounds, INDEX};
use super::tree::NONE;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::simd::WIDTH;

/// Blocks of bounds, with the bodies of each, or [`NONE`].
#[derive(Debug, Default)]
pub(super) struct Tail {
    blocks: Vec<(Block, [u32; WIDTH])>,
    /// The number of places taken, including those of bodies that are gone.
    len: usize,
}

impl Tail {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn clear(&mut self) {
        self.blocks.clear();
        self.len = 0;
    }

    /// Appends a body and returns its place.
    pub(super) fn push(&mut self, body: u32, bounds: Bounds, room: &Room) -> Result<u32> {
        let at = self.len;
        if at.is_multiple_of(WIDTH) {
            room.reserve(&mut self.blocks, 1, INDEX)?;
            self.blocks.push((Block::EMPTY, [NONE; WIDTH]));
        }
        self.blocks[at / WIDTH].1[at % WIDTH] = body;
        self.set(at, bounds);
        self.len += 1;
        Ok(at as u32)
    }

    /// Replaces the bounds at a place.
    pub(super) fn set(&mut self, at: usize, bounds: Bounds) {
        self.blocks[at / WIDTH].0.set(at % WIDTH, bounds);
    }

    /// Returns a block with its bodies.
    #[inline(always)]
    pub(super) fn get(&self, block: usize) -> Option<&(Block, [u32; WIDTH])> {
        self.blocks.get(block)
    }

    /// Returns an iterator over all blocks with their bodies.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut (Block, [u32; WIDTH])> {
        self.blocks.iter_mut()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<(Block, [u32; WIDTH])>() * self.blocks.capacity()
    }
}
