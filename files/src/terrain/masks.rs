//! Tiles as masks: blocks of up to 8192 x 8192 pixels, each with a mask around its tiles.

use std::collections::BTreeMap;

use hitmask::mask::MAX_SIDE;
use hitmask::{BodyId, Mask, Shape, ShapeId};

use super::Maker;
use super::find::Ground;
use super::place::{Near, Placed, meets, pixels};
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
            let made = masks.make(maker, block, tiles.into_iter(), size)?;
            masks.blocks.extend(made.map(|made| (block, made)));
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

    /// Makes the mask of a block from its tiles; `None` without tiles.
    fn make<'a>(
        &self,
        maker: &mut Maker<'_>,
        block: [i64; 2],
        tiles: impl Iterator<Item = &'a Placed> + Clone,
        size: [u32; 2],
    ) -> Result<Option<Block>> {
        let Some(area) = self.bounds(block, tiles.clone(), size) else { return Ok(None) };
        let [from, to] = area;
        let mut mask = Mask::new((to[0] - from[0]) as u32, (to[1] - from[1]) as u32)?;
        draw(&mut mask, from, tiles, size);
        let (body, shape) = maker.add(Shape::sprite(mask), from.map(|v| v as i32))?;
        Ok(Some(Block { body, shape, area }))
    }

    /// Returns the pixels that tiles have in the mask of a body: sprites with the body's local origin, and for each the
    /// index of its tile.
    pub(super) fn parts_of(&self, ground: &Ground<'_>, tiles: &[Near], size: [u32; 2]) -> Result<Vec<(usize, Shape)>> {
        let Some(block) = self.blocks.values().find(|block| block.body == ground.own) else { return Ok(Vec::new()) };
        let mut parts = Vec::new();
        for (index, ((cell, stamp), _)) in tiles.iter().enumerate() {
            let own = pixels(*cell, stamp, size);
            let Some((mask, _)) = stamp.mask.as_ref().filter(|_| overlap(own, block.area)) else { continue };
            let [from, to] = common(own, block.area);
            let [left, top] = [0, 1].map(|axis| (from[axis] - own[0][axis]) as i32);
            let [width, height] = [0, 1].map(|axis| (to[axis] - from[axis]) as i32);
            let origin = [0, 1].map(|axis| f64::from(ground.pixel[axis]) - from[axis] as f64);
            parts.push((index, Shape::sprite(mask.cropped([left, top, width, height])?).anchored(origin)?));
        }
        Ok(parts)
    }

    /// Prepares the change of some pixels, `[from, to]`, exclusive: makes the blocks in which the mask has no space for
    /// the tiles that are there now. On an error, the world is as it was.
    pub(super) fn prepare(
        &self,
        maker: &mut Maker<'_>,
        changed: [[i64; 2]; 2],
        size: [u32; 2],
        near: impl Fn([[i64; 2]; 2]) -> Vec<Placed>,
    ) -> Result<Change> {
        let mut change = Change { pixels: changed, size, blocks: Vec::new() };
        match self.prepare_all(maker, &mut change, near) {
            Ok(()) => Ok(change),
            Err(error) => {
                undo(maker, change)?;
                Err(error)
            }
        }
    }

    fn prepare_all(
        &self,
        maker: &mut Maker<'_>,
        change: &mut Change,
        near: impl Fn([[i64; 2]; 2]) -> Vec<Placed>,
    ) -> Result<()> {
        let Change { pixels: changed, size, .. } = *change;
        let within = |area: [[i64; 2]; 2]| -> Vec<Placed> {
            let found = near(area).into_iter();
            found.filter(|(cell, stamp)| overlap(pixels(*cell, stamp, size), area)).collect()
        };
        let tiles = within(changed);
        for block in self.blocks_of(changed) {
            let whole = self.area(block);
            let own: Vec<Placed> =
                tiles.iter().filter(|(cell, stamp)| overlap(pixels(*cell, stamp, size), whole)).cloned().collect();
            let old = self.blocks.get(&block);
            if let Some(old) = old {
                maker.check(old.body)?;
            }
            let fits = |old: &Block| {
                own.iter().all(|(cell, stamp)| {
                    let own = common(pixels(*cell, stamp, size), whole);
                    join(own, old.area) == old.area
                })
            };
            let new = match old {
                None if own.is_empty() => continue,
                Some(old) if fits(old) => New::Drawn(own),
                _ => New::Made(self.make(maker, block, within(whole).iter(), size)?),
            };
            change.blocks.push((block, new));
            if let (Some(old), Some((_, New::Made(Some(made))))) = (old, change.blocks.last()) {
                let shift = [0, 1].map(|axis| (made.area[0][axis] - old.area[0][axis]) as f64);
                maker.pose_as(made.body, old.body, shift)?;
            }
        }
        Ok(())
    }

    /// Makes a change that is prepared.
    pub(super) fn commit(&mut self, maker: &mut Maker<'_>, change: Change) -> Result<()> {
        let Change { pixels: changed, size, blocks } = change;
        for (block, new) in blocks {
            match new {
                New::Drawn(tiles) => {
                    let Some(Block { shape, area, .. }) = self.blocks.get(&block) else { continue };
                    let [from, to] = common(changed, *area);
                    let [left, top] = [0, 1].map(|axis| (from[axis] - area[0][axis]) as i32);
                    let [width, height] = [0, 1].map(|axis| (to[axis] - from[axis]).max(0) as i32);
                    maker.world.edit_mask(*shape, |mask| {
                        mask.erase_rect([left, top, width, height]);
                        draw(mask, area[0], tiles.iter(), size);
                    })?;
                }
                New::Made(made) => match (self.blocks.remove(&block), made) {
                    (Some(old), Some(made)) => {
                        self.blocks.insert(block, Block { body: old.body, ..made });
                        maker.replace(old.body, made.body)?;
                        maker.world.remove_shape(old.shape)?;
                    }
                    (Some(old), None) => maker.remove(old.body, old.shape)?,
                    (None, made) => self.blocks.extend(made.map(|made| (block, made))),
                },
            }
        }
        Ok(())
    }
}

/// A change of some pixels that is prepared.
pub(super) struct Change {
    /// The pixels, `[from, to]`, exclusive.
    pixels: [[i64; 2]; 2],
    /// The size of a cell.
    size: [u32; 2],
    blocks: Vec<([i64; 2], New)>,
}

enum New {
    /// These tiles are drawn into the mask of the block.
    Drawn(Vec<Placed>),
    /// The block has another mask, or none. If it had one before, its body gets the new one.
    Made(Option<Block>),
}

/// Removes what was made for a change.
pub(super) fn undo(maker: &mut Maker<'_>, change: Change) -> Result<()> {
    for (_, new) in change.blocks {
        if let New::Made(Some(made)) = new {
            maker.remove(made.body, made.shape)?;
        }
    }
    Ok(())
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
