//! Edits of tiles while the game runs.

use hitmask::World;

use super::masks::{Masks, overlap};
use super::place::{self, Placed};
use super::{Bodies, Group, Maker, Terrain};
use crate::error::{Result, malformed};
use crate::filter::Filter;
use crate::level::{Cells, Content, Layer, Level, Tile};

/// An edit: the layer with its new tile, the cell, and the pixels that the old tile and the new one reach.
struct Edit<'a> {
    level: &'a Level,
    index: usize,
    layer: &'a Layer,
    cells: &'a Cells,
    cell: [i32; 2],
    /// The pixels, `[from, to]`, exclusive; `None` if neither tile is solid.
    changed: Option<[[i64; 2]; 2]>,
}

impl Terrain {
    /// Sets the tile in a cell of a layer, in the level and in the world, and returns the tile that was there.
    ///
    /// In masks, the pixels of the old tile and the new one change. In polygons, the island of the tile is made anew,
    /// or its sector: see [`Solids::sector`](super::Solids::sector). Bodies that are made anew have new handles.
    ///
    /// Returns an error if the layer is none of tiles, or the world does not take the new bodies; the level has the new
    /// tile then.
    pub fn set_tile(
        &mut self,
        level: &mut Level,
        world: &mut World,
        layer: usize,
        cell: [i32; 2],
        tile: Option<Tile>,
    ) -> Result<Option<Tile>> {
        if let Some(Tile { tileset, id, .. }) = tile {
            let is_known = level.tilesets.get(usize::from(tileset)).is_some_and(|tileset| tileset.contains(id));
            if !is_known {
                return Err(malformed(format!("the tile {id} is not in tileset {tileset}")));
            }
        }
        let old_filter = level.layers.get(layer).and_then(|own| {
            let old = own.cells()?.get(cell)?;
            place::filter(level, own, &self.solids, cell, old)
        });
        let Some(Content::Tiles(cells)) = level.layers.get_mut(layer).map(|layer| &mut layer.content) else {
            return Err(malformed(format!("layer {layer} has no tiles")));
        };
        let size = cells.size;
        place::origin(cell, size)?;
        let old = cells.set(cell, tile);
        let own = &level.layers[layer];
        let Some(cells) = own.cells().filter(|_| own.visible || self.solids.hidden) else { return Ok(old) };
        let mut changed: Option<[[i64; 2]; 2]> = None;
        for tile in [old, tile].into_iter().flatten() {
            if let Some(stamp) = self.stamps.of(level, &self.solids, tile, size)? {
                self.layers[layer].reach.add(&stamp);
                let area = place::pixels(cell, &stamp, size);
                changed = Some(changed.map_or(area, |so_far| super::masks::join(so_far, area)));
            }
        }
        let edit = Edit { level, index: layer, layer: own, cells, cell, changed };
        let new_filter = tile.and_then(|tile| place::filter(level, own, &self.solids, cell, tile));
        let filters = [old_filter, new_filter.filter(|filter| old_filter != Some(*filter))];
        for filter in filters.into_iter().flatten() {
            self.renew(world, &edit, filter)?;
        }
        Ok(old)
    }

    /// Makes those bodies of tiles with a filter anew that an edit has touched.
    fn renew(&mut self, world: &mut World, edit: &Edit<'_>, filter: Filter) -> Result<()> {
        let Edit { level, index, layer, cells, cell, changed } = *edit;
        let Some(changed) = changed else { return Ok(()) };
        let own = &mut self.layers[index];
        let place = own.groups.iter().position(|group| group.filter == filter);
        let mut group = match place {
            Some(place) => own.groups.swap_remove(place),
            None => Group { filter, bodies: self.make(level, world, (index, layer, cells), filter, Vec::new())? },
        };
        let mut maker = Maker { world, owners: &mut self.owners, layer: index, offset: layer.offset, filter };
        let reach = &self.layers[index].reach;
        let near = |area| {
            let near = place::near(level, layer, cells, (&self.solids, &self.stamps, reach), filter, area);
            near.map(|(placed, _)| placed).collect::<Vec<Placed>>()
        };
        let result = match &mut group.bodies {
            Bodies::Masks(masks) => renew_masks(masks, &mut maker, changed, cells.size, near),
            Bodies::Islands(islands) => {
                let neighbours = near(changed).into_iter().map(|(cell, _)| cell).chain([cell]);
                islands.take(&mut maker, neighbours).and_then(|mut taken| {
                    taken.retain(|taken| *taken != cell);
                    taken.push(cell);
                    let tiles = taken.into_iter().filter_map(|cell| {
                        let tile = cells.get(cell)?;
                        let is_own = place::filter(level, layer, &self.solids, cell, tile) == Some(filter);
                        let stamp = self.stamps.get(tile, cells.size).filter(|_| is_own)?;
                        Some((cell, stamp.clone()))
                    });
                    let tiles = tiles.collect();
                    islands.add(&mut maker, tiles, cells.size, reach, self.solids.sector)
                })
            }
            Bodies::Singles(singles) => singles.remove(&mut maker, cell).and_then(|()| {
                let own = near(changed).into_iter().filter(|(near, _)| *near == cell).collect();
                singles.add(&mut maker, own, cells)
            }),
        };
        self.layers[index].groups.push(group);
        result
    }
}

fn renew_masks(
    masks: &mut Masks,
    maker: &mut Maker<'_>,
    changed: [[i64; 2]; 2],
    size: [u32; 2],
    near: impl Fn([[i64; 2]; 2]) -> Vec<Placed>,
) -> Result<()> {
    let within = |area: [[i64; 2]; 2]| -> Vec<Placed> {
        let found = near(area).into_iter();
        found.filter(|(cell, stamp)| overlap(place::pixels(*cell, stamp, size), area)).collect()
    };
    let tiles = within(changed);
    for block in masks.blocks_of(changed) {
        let whole = masks.area(block);
        let own = tiles.iter().filter(|(cell, stamp)| overlap(place::pixels(*cell, stamp, size), whole));
        if !masks.redraw(maker, block, changed, own, size)? {
            masks.make(maker, block, within(whole).iter(), size)?;
        }
    }
    Ok(())
}
