//! Layers of tiles and of IntGrid values.

use super::{Reader, model};
use crate::budget;
use crate::error::{Problem, Result, malformed, quoted};
use crate::level::cells::Cells;
use crate::level::layer::{Content, Layer};
use crate::level::limits;
use crate::level::object::{Form, Object};
use crate::level::properties::Properties;
use crate::level::tile::{Flips, Tile};

/// The largest number of tiles that are stacked in a cell.
const DEEPEST: usize = 64;

impl Reader<'_, '_> {
    /// Reads a layer of a room at a place in the world.
    pub(super) fn layer(&mut self, mut layer: model::Layer, at: [f64; 2]) -> Result<()> {
        let offset = [at[0] + f64::from(layer.offset_x), at[1] + f64::from(layer.offset_y)];
        limits::numbers(offset.into_iter().chain([layer.opacity]))?;
        limits::tile_size([layer.grid_size; 2])?;
        let entities = std::mem::take(&mut layer.entity_instances);
        let make = |class: &str, content: Content, room: usize| Layer {
            name: layer.identifier.clone(),
            class: class.to_owned(),
            groups: Vec::new(),
            room,
            visible: layer.visible,
            opacity: layer.opacity,
            offset,
            properties: Properties::default(),
            content,
        };
        let room = self.level.rooms.len();
        let mut contents = Vec::new();
        match layer.kind.as_str() {
            "IntGrid" => {
                contents.push(("IntGrid", Content::Tiles(self.values(&layer)?)));
                let tiles = self.tiles(&layer, &layer.auto_layer_tiles)?;
                contents.extend(tiles.into_iter().map(|content| ("AutoLayer", content)));
            }
            "AutoLayer" => {
                let tiles = self.tiles(&layer, &layer.auto_layer_tiles)?;
                contents.extend(tiles.into_iter().map(|content| ("AutoLayer", content)));
            }
            "Tiles" => {
                let tiles = self.tiles(&layer, &layer.grid_tiles)?;
                contents.extend(tiles.into_iter().map(|content| ("Tiles", content)));
            }
            "Entities" => contents.push(("Entities", Content::Objects(self.entities(entities)?))),
            other => return Err(Problem::Unsupported(format!("the kind of layer {}", quoted(other))).into()),
        }
        self.level.layers.extend(contents.into_iter().map(|(class, content)| make(class, content, room)));
        Ok(())
    }

    /// Reads the values of an IntGrid layer as tiles.
    fn values(&mut self, layer: &model::Layer) -> Result<Cells> {
        let [columns, count] = [u64::from(layer.columns), u64::from(layer.columns) * u64::from(layer.rows)];
        let found = layer.int_grid_csv.len() as u64;
        if found != count {
            return Err(malformed(format!("{found} values of an IntGrid, where {count} must be")));
        }
        let mut cells = Cells::new([layer.grid_size; 2]);
        for (k, &value) in layer.int_grid_csv.iter().enumerate().filter(|(_, value)| **value != 0) {
            self.count()?;
            let cell = limits::cell([(k as u64 % columns) as i64, (k as u64 / columns) as i64])?;
            let tileset = self.values.get(&layer.definition).copied();
            let is_known = |tileset: &u16| self.level.tilesets[usize::from(*tileset)].contains(value);
            let problem = || malformed(format!("cell {}, {}: the value {value} is not defined", cell[0], cell[1]));
            cells.set(cell, Some(Tile::new(tileset.filter(is_known).ok_or_else(problem)?, value)));
        }
        Ok(cells)
    }

    /// Reads tiles: those in cells, in as many layers as are stacked, and others as objects.
    fn tiles(&mut self, layer: &model::Layer, tiles: &[model::Tile]) -> Result<Vec<Content>> {
        let size = [layer.grid_size; 2];
        let mut stack: Vec<Cells> = Vec::new();
        let mut others = Vec::new();
        for (k, tile) in tiles.iter().enumerate() {
            self.count()?;
            let index = layer.tileset.and_then(|uid| self.tilesets.get(&uid)).copied();
            let tileset = index.map(|index| (index, &self.level.tilesets[usize::from(index)]));
            let Some((index, tileset)) = tileset.filter(|(_, tileset)| tileset.contains(tile.t)) else {
                return Err(malformed(format!("tile {k}: the tile {} is in no tileset", tile.t)));
            };
            let flips = Flips { diagonal: false, x: tile.f & 1 != 0, y: tile.f & 2 != 0 };
            let placed = Tile { tileset: index, id: tile.t, flips };
            let grid = i64::from(layer.grid_size);
            let is_in_cell = tileset.tile_size == size && tile.px.iter().all(|v| i64::from(*v) % grid == 0);
            if is_in_cell {
                let cell = limits::cell(tile.px.map(|v| i64::from(v) / grid))?;
                let free = stack.iter().position(|cells| cells.get(cell).is_none()).unwrap_or(stack.len());
                budget::at_most("tiles stacked in a cell", DEEPEST as u64, free as u64 + 1)?;
                if free == stack.len() {
                    stack.push(Cells::new(size));
                }
                stack[free].set(cell, Some(placed));
            } else {
                let at = tile.px.map(f64::from);
                limits::numbers(at)?;
                let object = Object::new(at, tileset.tile_size.map(f64::from), Form::Tile(placed));
                others.push(Object { off_grid: true, ..object });
            }
        }
        let objects = (!others.is_empty()).then_some(Content::Objects(others));
        Ok(stack.into_iter().map(Content::Tiles).chain(objects).collect())
    }

    fn count(&mut self) -> Result<()> {
        // A tile far from all others has a region of cells for itself.
        self.cells += 1;
        budget::at_most("cells in all layers", limits::MAX_CELLS / 4, self.cells)
    }
}
