//! Tiles as masks: blocks of up to 8192 x 8192 pixels, each with a mask around its tiles.

use std::collections::BTreeMap;

use hitmask::mask::MAX_SIDE;
use hitmask::{BodyId, Mask, Shape, ShapeId};

use super::Maker;
use super::place::{Placed, meets, pixels};
use crate::budget::Budget;
use crate::error::Result;

/// The side of a block in pixels.
const SIDE: i64 = MAX_SIDE as i64;

/// The masks of tiles with a filter.
pub(super) struct Masks {
    /// The pixel at which block `[0, 0]` begins.
    start: [i64; 2],
    blocks: BTreeMap<[i64; 2], Block>,
}

/// A mask around the tiles of a block.
struct Block {
    body: BodyId,
    shape: ShapeId,
    /// The pixels of the mask, `[from, to]`, exclusive.
    area: [[i64; 2]; 2],
}

impl Masks {
    pub(super) fn new(maker: &mut Maker<'_>, tiles: &[Placed], size: [u32; 2], budget: Budget) -> Result<Self> {
        let areas = || tiles.iter().map(|(cell, stamp)| pixels(*cell, stamp, size));
        let start = areas().map(|[from, _]| from).reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1])]);
        let mut masks = Self { start: start.unwrap_or_default(), blocks: BTreeMap::new() };
        let mut by_block: BTreeMap<[i64; 2], Vec<&Placed>> = BTreeMap::new();
        for (placed, area) in tiles.iter().zip(areas()) {
            for block in masks.blocks_of(area) {
                by_block.entry(block).or_default().push(placed);
            }
        }
        let boxes = by_block.iter().filter_map(|(block, tiles)| masks.bounds(*block, tiles.iter().copied(), size));
        budget.masks(boxes.map(|[from, to]| (to[0] - from[0]) as u64 * (to[1] - from[1]) as u64).sum())?;
        for (block, tiles) in by_block {
            masks.make(maker, block, tiles.into_iter(), size)?;
        }
        Ok(masks)
    }

    /// Returns the blocks that have some of the pixels `[from, to]`, exclusive.
    pub(super) fn blocks_of(&self, [from, to]: [[i64; 2]; 2]) -> impl Iterator<Item = [i64; 2]> + use<> {
        let block = |v: i64, axis: usize| (v - self.start[axis]).div_euclid(SIDE);
        let [[left, top], [right, bottom]] = [[0, 1].map(|k| block(from[k], k)), [0, 1].map(|k| block(to[k] - 1, k))];
        (top..=bottom).flat_map(move |y| (left..=right).map(move |x| [x, y]))
    }

    /// Returns the pixels of a block, `[from, to]`, exclusive.
    pub(super) fn area(&self, block: [i64; 2]) -> [[i64; 2]; 2] {
        let from = [0, 1].map(|axis| self.start[axis] + block[axis] * SIDE);
        [from, from.map(|v| v + SIDE)]
    }

    /// Returns the pixels of a block that its tiles reach, `[from, to]`, exclusive.
    fn bounds<'a>(
        &self,
        block: [i64; 2],
        tiles: impl Iterator<Item = &'a Placed>,
        size: [u32; 2],
    ) -> Option<[[i64; 2]; 2]> {
        let whole = self.area(block);
        tiles.map(|(cell, stamp)| common(pixels(*cell, stamp, size), whole)).reduce(join)
    }

    /// Makes the mask of a block anew from its tiles.
    pub(super) fn make<'a>(
        &mut self,
        maker: &mut Maker<'_>,
        block: [i64; 2],
        tiles: impl Iterator<Item = &'a Placed> + Clone,
        size: [u32; 2],
    ) -> Result<()> {
        if let Some(old) = self.blocks.remove(&block) {
            maker.remove(old.body, old.shape)?;
        }
        let Some(area) = self.bounds(block, tiles.clone(), size) else { return Ok(()) };
        let [from, to] = area;
        let mut mask = Mask::new((to[0] - from[0]) as u32, (to[1] - from[1]) as u32)?;
        draw(&mut mask, from, tiles, size);
        let (body, shape) = maker.add(Shape::sprite(mask), from.map(|v| v as i32))?;
        self.blocks.insert(block, Block { body, shape, area });
        Ok(())
    }

    /// Draws the tiles near changed pixels, `[from, to]`, exclusive, into the mask of a block. Returns whether the mask
    /// has space for them; if not, nothing changes.
    pub(super) fn redraw<'a>(
        &self,
        maker: &mut Maker<'_>,
        block: [i64; 2],
        changed: [[i64; 2]; 2],
        tiles: impl Iterator<Item = &'a Placed> + Clone,
        size: [u32; 2],
    ) -> Result<bool> {
        let Some(Block { shape, area, .. }) = self.blocks.get(&block) else { return Ok(tiles.count() == 0) };
        let whole = self.area(block);
        let fits = tiles.clone().all(|(cell, stamp)| {
            let own = common(pixels(*cell, stamp, size), whole);
            own[0][0] >= own[1][0] || own[0][1] >= own[1][1] || join(own, *area) == *area
        });
        if !fits {
            return Ok(false);
        }
        let [from, to] = common(changed, *area);
        let [left, top] = [0, 1].map(|axis| (from[axis] - area[0][axis]) as i32);
        let [width, height] = [0, 1].map(|axis| (to[axis] - from[axis]).max(0) as i32);
        maker.world.edit_mask(*shape, |mask| {
            mask.erase_rect([left, top, width, height]);
            draw(mask, area[0], tiles, size);
        })?;
        Ok(true)
    }
}

fn draw<'a>(mask: &mut Mask, from: [i64; 2], tiles: impl Iterator<Item = &'a Placed>, size: [u32; 2]) {
    for (cell, stamp) in tiles {
        if let Some((own, _)) = &stamp.mask {
            let [at, _] = pixels(*cell, stamp, size);
            mask.draw(own, [0, 1].map(|axis| (at[axis] - from[axis]) as i32));
        }
    }
}

pub(super) fn join(a: [[i64; 2]; 2], b: [[i64; 2]; 2]) -> [[i64; 2]; 2] {
    [[a[0][0].min(b[0][0]), a[0][1].min(b[0][1])], [a[1][0].max(b[1][0]), a[1][1].max(b[1][1])]]
}

fn common(a: [[i64; 2]; 2], b: [[i64; 2]; 2]) -> [[i64; 2]; 2] {
    [[a[0][0].max(b[0][0]), a[0][1].max(b[0][1])], [a[1][0].min(b[1][0]), a[1][1].min(b[1][1])]]
}

/// Returns whether two rectangles of pixels share one.
pub(super) fn overlap(a: [[i64; 2]; 2], b: [[i64; 2]; 2]) -> bool {
    meets([a[0], a[1].map(|v| v - 1)], [b[0], b[1].map(|v| v - 1)])
}
