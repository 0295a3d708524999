//! A map and its layers.

use std::sync::Arc;

use super::model::{self, Chunk};
use super::{Reader, data};
use crate::budget;
use crate::error::{Error, Problem, Result, malformed, quoted};
use crate::level::cells::Cells;
use crate::level::layer::{Content, Group, Layer};
use crate::level::room::Room;
use crate::level::tile::{Flips, Tile};
use crate::level::{Level, limits};

/// The bits of a tile's number that flip it: x, y, diagonal. One more turns the tiles of hexagonal maps.
const FLIPS: [u32; 4] = [1 << 31, 1 << 30, 1 << 29, 1 << 28];

/// The place of a layer in its groups.
#[derive(Clone)]
struct Place {
    groups: Vec<Arc<Group>>,
    visible: bool,
    opacity: f64,
    offset: [f64; 2],
}

impl Reader<'_, '_> {
    pub(super) fn map(mut self, map: model::Map) -> Result<Level> {
        if map.orientation != "orthogonal" {
            let problem = format!("the orientation {}; only orthogonal maps are read", quoted(&map.orientation));
            return Err(Problem::Unsupported(problem).into());
        }
        let size = [map.tilewidth, map.tileheight];
        limits::tile_size(size)?;
        self.cell = size;
        for tileset in map.tilesets {
            let first = tileset.firstgid;
            let index = self.tileset(tileset)?;
            self.numbers.push((first, index));
        }
        self.numbers.sort_by_key(|(first, _)| *first);
        let place = Place { groups: Vec::new(), visible: true, opacity: 1.0, offset: [0.0; 2] };
        for layer in map.layers {
            self.layer(layer, &place, size, map.infinite)?;
        }
        let area = [map.width, map.height].map(f64::from);
        let size = [0, 1].map(|axis| if map.infinite { 0.0 } else { area[axis] * f64::from(size[axis]) });
        self.level.rooms.push(Room { name: String::new(), at: [0.0; 2], size, depth: 0, properties: map.properties });
        self.level.class = map.class;
        Ok(self.level)
    }

    fn layer(&mut self, layer: model::Layer, place: &Place, size: [u32; 2], is_infinite: bool) -> Result<()> {
        let name = layer.name.clone();
        let read = self.layer_of(layer, place, size, is_infinite);
        read.map_err(|error| error.at(format!("layer {}", quoted(&name))))
    }

    fn layer_of(&mut self, mut layer: model::Layer, place: &Place, size: [u32; 2], is_infinite: bool) -> Result<()> {
        let mut place = place.clone();
        place.visible &= layer.visible;
        place.opacity *= layer.opacity;
        place.offset = [place.offset[0] + layer.offsetx, place.offset[1] + layer.offsety];
        limits::numbers(place.offset.into_iter().chain([layer.opacity, layer.offsetx, layer.offsety]))?;
        let content = match layer.kind.as_str() {
            "group" => {
                place.groups.push(Arc::new(Group {
                    name: layer.name,
                    class: layer.class,
                    properties: layer.properties,
                }));
                for inner in layer.layers {
                    self.layer(inner, &place, size, is_infinite)?;
                }
                return Ok(());
            }
            "tilelayer" => Content::Tiles(self.cells(&mut layer, size, is_infinite)?),
            "objectgroup" => {
                let objects = std::mem::take(&mut layer.objects);
                let path = self.path.clone();
                let read = objects.into_iter().map(|object| self.object(object, &path));
                Content::Objects(read.collect::<Result<_>>()?)
            }
            "imagelayer" => Content::Image,
            other => {
                return Err(Problem::Unsupported(format!("the kind of layer {}", quoted(other))).into());
            }
        };
        let Place { groups, visible, opacity, offset } = place;
        let model::Layer { name, class, properties, .. } = layer;
        self.level.layers.push(Layer { name, class, groups, room: 0, visible, opacity, offset, properties, content });
        Ok(())
    }

    fn cells(&mut self, layer: &mut model::Layer, size: [u32; 2], is_infinite: bool) -> Result<Cells> {
        let mut chunks = std::mem::take(&mut layer.chunks);
        if let Some(data) = layer.data.take().filter(|_| !is_infinite) {
            chunks.push(Chunk { x: 0, y: 0, width: layer.width, height: layer.height, data });
        }
        let mut cells = Cells::new(size);
        for (k, chunk) in chunks.into_iter().enumerate() {
            let read = self.chunk(chunk, &mut cells, layer.encoding.as_deref(), layer.compression.as_deref());
            read.map_err(|error| if is_infinite { error.at(format!("chunk {k}")) } else { error })?;
        }
        Ok(cells)
    }

    fn chunk(
        &mut self,
        chunk: Chunk,
        cells: &mut Cells,
        encoding: Option<&str>,
        compression: Option<&str>,
    ) -> Result<()> {
        let Chunk { x, y, width, height, data } = chunk;
        let count = u64::from(width) * u64::from(height);
        self.cells = self.cells.saturating_add(count);
        budget::at_most("cells in all layers", limits::MAX_CELLS, self.cells)?;
        let numbers = data::numbers(data, encoding, compression, count)?;
        for (k, number) in numbers.into_iter().enumerate().filter(|(_, number)| *number != 0) {
            let place = [i64::from(x) + i64::from(k as u32 % width), i64::from(y) + i64::from(k as u32 / width)];
            let cell = limits::cell(place)?;
            let tile = self.tile(number).map_err(|error| error.at(format!("cell {}, {}", cell[0], cell[1])))?;
            cells.set(cell, Some(tile));
        }
        Ok(())
    }

    /// Returns the tile of a number that counts through all tilesets.
    pub(super) fn tile(&self, number: u32) -> Result<Tile> {
        let [x, y, diagonal, turn] = FLIPS.map(|bit| number & bit != 0);
        if turn {
            return Err(Error::from(Problem::Unsupported("a tile that is turned by a hexagonal map".into())));
        }
        let number = number & !FLIPS.iter().fold(0, |all, bit| all | bit);
        let place = self.numbers.partition_point(|(first, _)| *first <= number);
        let tile = place.checked_sub(1).map(|place| self.numbers[place]).map(|(first, tileset)| Tile {
            tileset,
            id: number - first,
            flips: Flips { diagonal, x, y },
        });
        let is_known = |tile: &Tile| self.level.tilesets[usize::from(tile.tileset)].contains(tile.id);
        tile.filter(is_known).ok_or_else(|| malformed(format!("the tile {number} is in no tileset")))
    }
}
