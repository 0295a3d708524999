//! Edits of tiles while the game runs.

use std::collections::BTreeSet;

use hitmask::World;

use super::islands::Island;
use super::place::{self, Placed};
use super::{Bodies, Group, Maker, Terrain};
use crate::error::{Result, malformed, quoted};
use crate::filter::Filter;
use crate::level::{Cells, Content, Layer, Level, Tile};

/// An edit: the layer with its new tile, the cell, and the pixels that the old tile and the new one reach.
struct Edit<'a> {
    level: &'a Level,
    index: usize,
    layer: &'a Layer,
    cells: &'a Cells,
    cell: [i32; 2],
    /// The pixels, `[from, to]`, exclusive.
    changed: [[i64; 2]; 2],
}

impl Terrain {
    /// Sets the tile in a cell of a layer, in the level and in the world, and returns the tile that was there.
    ///
    /// In masks, the pixels of the old tile and the new one change; a mask grows to hold a tile beside it, and its body
    /// keeps its handle and its pose. In polygons, the island of the tile is made anew, or its sector: see
    /// [`Solids::sector`](super::Solids::sector). Those bodies have new handles.
    ///
    /// Returns an error if the layer is not a tile layer, the tile is not in its tileset, or the world does not take
    /// the new bodies; it names the layer, the cell and the tile. On an error, the level and the world are as they
    /// were.
    pub fn set_tile(
        &mut self,
        level: &mut Level,
        world: &mut World,
        layer: usize,
        cell: [i32; 2],
        tile: Option<Tile>,
    ) -> Result<Option<Tile>> {
        let set = self.set(level, world, layer, cell, tile);
        set.map_err(|error| error.at(named(level, layer, cell, tile)))
    }

    /// As [`Terrain::set_tile`], but errors name neither the layer nor the cell.
    fn set(
        &mut self,
        level: &mut Level,
        world: &mut World,
        layer: usize,
        cell: [i32; 2],
        tile: Option<Tile>,
    ) -> Result<Option<Tile>> {
        if let Some(Tile { tileset, id, .. }) = tile {
            let tileset = level.tilesets.get(usize::from(tileset));
            if !tileset.ok_or_else(|| malformed("the level has no such tileset"))?.contains(id) {
                return Err(malformed("the tileset has no such tile"));
            }
        }
        let own = level.layers.get(layer);
        let Some((own, cells)) = own.and_then(|own| Some((own, own.cells()?))) else {
            return Err(malformed("it is not a tile layer"));
        };
        let Some(bodies) = self.layers.get_mut(layer) else {
            return Err(malformed("it does not belong to the terrain"));
        };
        let size = cells.size;
        place::origin(cell, size)?;
        let old = cells.get(cell);
        let is_solid = own.visible || self.solids.hidden;
        let filter = |tile| place::filter(level, own, &self.solids, cell, tile);
        let filters = [old, tile].map(|tile| tile.filter(|_| is_solid).and_then(filter));
        let mut changed: Option<[[i64; 2]; 2]> = None;
        for (tile, _) in [old, tile].into_iter().zip(filters).filter_map(|(tile, filter)| tile.zip(filter)) {
            if let Some(stamp) = self.stamps.of(level, &self.solids, tile, size, &mut self.work)? {
                bodies.reach.add(&stamp);
                let area = place::pixels(cell, &stamp, size);
                changed = Some(changed.map_or(area, |so_far| super::masks::join(so_far, area)));
            }
        }
        put(level, layer, cell, tile);
        let (Some(changed), Some(own)) = (changed, level.layers.get(layer)) else { return Ok(old) };
        let Some(cells) = own.cells() else { return Ok(old) };
        let edit = Edit { level, index: layer, layer: own, cells, cell, changed };
        if let Err(error) = self.renew(world, &edit, filters) {
            put(level, layer, cell, old);
            return Err(error);
        }
        Ok(old)
    }

    /// Makes the bodies of tiles with these filters anew that an edit has touched. On an error, nothing changes.
    fn renew(&mut self, world: &mut World, edit: &Edit<'_>, [old, new]: [Option<Filter>; 2]) -> Result<()> {
        let mut prepared = Vec::new();
        let mut result = Ok(());
        for filter in [old, new.filter(|new| old != Some(*new))].into_iter().flatten() {
            let groups = &mut self.layers[edit.index].groups;
            let group = match groups.iter().position(|group| group.filter == filter) {
                Some(place) => Ok(groups.swap_remove(place)),
                None => self
                    .make(edit.level, world, (edit.index, edit.layer, edit.cells), filter, Vec::new())
                    .map(|bodies| Group { filter, bodies }),
            };
            let mut group = match group {
                Ok(group) => group,
                Err(error) => {
                    result = Err(error);
                    break;
                }
            };
            match self.prepare(world, edit, &mut group) {
                Ok(change) => prepared.push((group, change)),
                Err(error) => {
                    self.layers[edit.index].groups.push(group);
                    result = Err(error);
                    break;
                }
            }
        }
        let is_ok = result.is_ok();
        for (mut group, change) in prepared {
            let (layer, filter) = (edit.index, group.filter);
            let mut maker = Maker { world, owners: &mut self.owners, layer, offset: edit.layer.offset, filter };
            let done = if is_ok { commit(&mut group, &mut maker, change) } else { undo(&mut maker, change) };
            result = result.and(done);
            self.layers[layer].groups.push(group);
        }
        result
    }

    /// Makes the new bodies of a group. The old ones stay until the change is committed.
    fn prepare(&mut self, world: &mut World, edit: &Edit<'_>, group: &mut Group) -> Result<Change> {
        let Edit { level, index, layer, cells, cell, changed } = *edit;
        let filter = group.filter;
        let mut maker = Maker { world, owners: &mut self.owners, layer: index, offset: layer.offset, filter };
        let reach = &self.layers[index].reach;
        let near = |area| {
            let near = place::near(level, layer, cells, (&self.solids, &self.stamps, reach), filter, area);
            near.map(|(placed, _)| placed).collect::<Vec<Placed>>()
        };
        Ok(match &mut group.bodies {
            Bodies::Masks(masks) => Change::Masks(masks.prepare(&mut maker, changed, cells.size, near)?),
            Bodies::Islands(islands) => {
                let neighbours = near(changed).into_iter().map(|(cell, _)| cell).chain([cell]);
                let (old, mut touched) = islands.with(&maker, neighbours)?;
                touched.retain(|touched| *touched != cell);
                touched.push(cell);
                let tiles = touched.into_iter().filter_map(|cell| {
                    let tile = cells.get(cell)?;
                    let is_own = place::filter(level, layer, &self.solids, cell, tile) == Some(filter);
                    let stamp = self.stamps.get(tile, cells.size).filter(|_| is_own)?;
                    Some((cell, stamp.clone()))
                });
                let tiles = tiles.collect();
                let new = super::islands::make(&mut maker, tiles, cells.size, reach, self.solids.sector)?;
                Change::Islands { old, new }
            }
            Bodies::Singles(singles) => {
                singles.check(&maker, cell)?;
                let own = near(changed).into_iter().filter(|(near, _)| *near == cell).collect();
                Change::Singles { cell, new: singles.make(&mut maker, own, cells)? }
            }
        })
    }
}

/// The new bodies of a group, and what they replace.
enum Change {
    Masks(super::masks::Change),
    Islands { old: BTreeSet<u32>, new: Vec<Island> },
    Singles { cell: [i32; 2], new: super::singles::Made },
}

/// Puts the new bodies of a group in the place of the old ones.
fn commit(group: &mut Group, maker: &mut Maker<'_>, change: Change) -> Result<()> {
    match (&mut group.bodies, change) {
        (Bodies::Masks(masks), Change::Masks(change)) => masks.commit(maker, change),
        (Bodies::Islands(islands), Change::Islands { old, new }) => {
            let removed = islands.remove(maker, old);
            islands.insert(new);
            removed
        }
        (Bodies::Singles(singles), Change::Singles { cell, new }) => {
            let removed = singles.remove(maker, cell);
            singles.insert(new);
            removed
        }
        // A change is made for its group.
        (_, change) => undo(maker, change),
    }
}

/// Removes the new bodies.
fn undo(maker: &mut Maker<'_>, change: Change) -> Result<()> {
    match change {
        Change::Masks(change) => super::masks::undo(maker, change),
        Change::Islands { new, .. } => super::islands::undo(maker, new),
        Change::Singles { new, .. } => super::singles::undo(maker, new),
    }
}

/// Names a layer, a cell and the tile that is put there.
fn named(level: &Level, layer: usize, [x, y]: [i32; 2], tile: Option<Tile>) -> String {
    let layer = level.layers.get(layer).map_or_else(|| layer.to_string(), |layer| quoted(&layer.name));
    match tile {
        Some(Tile { tileset, id, .. }) => format!("layer {layer}: tile {id} of tileset {tileset} in cell {x}, {y}"),
        None => format!("layer {layer}: no tile in cell {x}, {y}"),
    }
}

/// Sets a tile in the level alone.
fn put(level: &mut Level, layer: usize, cell: [i32; 2], tile: Option<Tile>) {
    if let Some(Content::Tiles(cells)) = level.layers.get_mut(layer).map(|layer| &mut layer.content) {
        cells.set(cell, tile);
    }
}
