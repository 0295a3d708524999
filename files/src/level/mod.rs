//! Levels: tiles in cells and objects, in layers, as Tiled and LDtk write them.

mod cells;
mod files;
mod layer;
mod ldtk;
mod limits;
mod object;
mod outline;
mod properties;
mod room;
mod tile;
mod tiled;
mod tileset;

use std::path::Path;

use hitmask::Mask;
use hitmask::mask::DEFAULT_THRESHOLD;

use crate::budget::Budget;
use crate::error::{Problem, Result};
use crate::folder::Inside;
use crate::import::Import;

pub use cells::Cells;
pub use layer::{Content, Group, Layer};
pub use object::{Form, Object};
pub use outline::ARC_ERROR;
pub use properties::{Properties, Value};
pub use room::Room;
pub use tile::{Flips, Tile};
pub use tileset::{TileInfo, Tileset};

pub(crate) use files::Files;

/// A level: layers of tiles and objects. Its unit is the pixel, +x to the right and +y down.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Level {
    /// The class, in Tiled.
    pub class: String,
    /// The levels of an LDtk project; one for a map of Tiled.
    pub rooms: Vec<Room>,
    /// The tilesets.
    pub tilesets: Vec<Tileset>,
    /// The layers, the lowest first, without their groups. Those of an LDtk project come room by room.
    pub layers: Vec<Layer>,
    /// The alpha threshold of masks.
    pub(crate) threshold: u8,
    pub(crate) budget: Budget,
}

impl Default for Level {
    fn default() -> Self {
        Self {
            class: String::new(),
            rooms: Vec::new(),
            tilesets: Vec::new(),
            layers: Vec::new(),
            threshold: DEFAULT_THRESHOLD,
            budget: Budget::new(crate::import::DEFAULT_LIMIT),
        }
    }
}

impl Level {
    /// Opens a level with the default [`Import`]: see [`Import::open_level`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Import::default().open_level(path)
    }

    /// Returns the first layer of a name.
    #[must_use]
    pub fn layer(&self, name: &str) -> Option<&Layer> {
        self.layers.iter().find(|layer| layer.name == name)
    }

    /// Returns the properties of the map, or of the first room.
    #[must_use]
    pub fn properties(&self) -> &Properties {
        self.rooms.first().map_or(&tileset::plain().properties, |room| &room.properties)
    }

    /// Returns the description of a tile.
    #[must_use]
    pub fn tile(&self, tile: Tile) -> &TileInfo {
        self.tilesets.get(usize::from(tile.tileset)).map_or(tileset::plain(), |tileset| tileset.tile(tile.id))
    }

    /// Returns the mask of a tile as it stands in a cell: the texels whose alpha is at least [`Import::threshold`].
    /// `None` if it has no image, or images were not read.
    pub fn mask(&self, tile: Tile) -> Result<Option<Mask>> {
        let tileset = self.tilesets.get(usize::from(tile.tileset));
        let Some(mask) = tileset.and_then(|tileset| tileset.mask(tile.id, self.threshold)) else { return Ok(None) };
        Ok(Some(tile.flips.mask(&mask?)?))
    }

    /// Reads a level.
    pub(crate) fn read(path: &Inside, files: &mut Files<'_>) -> Result<Self> {
        let text = files.text(path)?;
        let is_project = !tiled::is_xml(&text) && ldtk::is_project(&text);
        if !is_project && !tiled::is_xml(&text) && ldtk::is_level(&text) {
            let problem = "a level of an LDtk project; open the project, the file that ends in .ldtk";
            return Err(files.of(Problem::Unsupported(problem.into()).into(), path));
        }
        let read = if is_project { ldtk::level(path, &text, files) } else { tiled::level(path, &text, files) };
        read.map_err(|error| files.of(error, path))
    }
}
