//! Tilesets, and the values of an IntGrid layer as a tileset.

use std::collections::BTreeMap;

use super::{Reader, model};
use crate::budget;
use crate::error::{Result, malformed, quoted};
use crate::level::limits;
use crate::level::object::{Form, Object};
use crate::level::properties::{Properties, Value};
use crate::level::tileset::{Atlas, TileInfo, Tileset};

/// The largest number of bytes that the enum values of all tiles take: 64 MiB.
const MAX_REPEATED: u64 = 1 << 26;

/// The bytes that an enum value of a tile takes beside its name.
const TAG: u64 = 128;

impl Reader<'_, '_> {
    pub(super) fn tileset(&mut self, tileset: model::Tileset) -> Result<()> {
        let (uid, name) = (tileset.uid, tileset.identifier.clone());
        let read = self.tileset_of(tileset).map_err(|error| error.at(format!("tileset {}", quoted(&name))))?;
        let index = self.push(read)?;
        self.tilesets.insert(uid, index);
        Ok(())
    }

    fn tileset_of(&mut self, tileset: model::Tileset) -> Result<Tileset> {
        let side = tileset.tile_grid_size;
        limits::tile_size([side, tileset.padding.max(1)])?;
        limits::tile_size([side, tileset.spacing.max(1)])?;
        let image = match &tileset.rel_path {
            Some(source) => self.files.image(&self.path.beside(source)?, None)?,
            // LDtk's own icons are in no file.
            None => None,
        };
        let [width, height] = [tileset.px_wid, tileset.px_hei];
        if let Some(image) = &image
            && image.dimensions() != (width, height)
        {
            let (wide, high) = image.dimensions();
            return Err(malformed(format!("{width} x {height} pixels; the image has {wide} x {high}")));
        }
        let count = tileset.columns.checked_mul(tileset.rows).filter(|count| *count < 1 << 28);
        let count = count.ok_or_else(|| malformed(format!("{} x {} tiles", tileset.columns, tileset.rows)))?;
        let mut tiles: BTreeMap<u32, TileInfo> = BTreeMap::new();
        for data in tileset.custom_data {
            tiles.entry(data.tile_id).or_default().properties.insert("data".into(), Value::Text(data.data));
        }
        for tag in tileset.enum_tags {
            for id in tag.tile_ids {
                self.repeated += TAG + tag.enum_value_id.len() as u64;
                budget::at_most("bytes of the enum values of tiles", MAX_REPEATED, self.repeated)?;
                let tile = tiles.entry(id).or_default();
                tile.properties.insert(tag.enum_value_id.clone(), Value::Bool(true));
            }
        }
        let model::Tileset { columns, padding, spacing, identifier, .. } = tileset;
        let atlas = Atlas { image, columns: columns.max(1), count, margin: padding, spacing };
        Ok(plain(identifier, side, tiles, Some(atlas)))
    }

    /// Makes a tileset of the values of a layer of the project.
    pub(super) fn define(&mut self, layer: model::LayerDefinition) -> Result<()> {
        if layer.int_grid_values.is_empty() {
            return Ok(());
        }
        let place = format!("layer {}", quoted(&layer.identifier));
        limits::tile_size([layer.grid_size; 2]).map_err(|error| error.at(place))?;
        let side = layer.grid_size;
        let values = layer.int_grid_values.into_iter();
        let tiles = values.map(|value| (value.value, square(value.value, value.identifier.unwrap_or_default(), side)));
        let index = self.push(plain(layer.identifier, side, tiles.collect(), None))?;
        self.values.insert(layer.uid, index);
        Ok(())
    }

    fn push(&mut self, tileset: Tileset) -> Result<u16> {
        let index = limits::tileset(self.level.tilesets.len())?;
        self.level.tilesets.push(tileset);
        Ok(index)
    }
}

/// Makes the tile of an IntGrid value, which is solid as a whole.
fn square(value: u32, class: String, side: u32) -> TileInfo {
    let properties: Properties = [("value".to_owned(), Value::Int(value.into()))].into_iter().collect();
    let shapes = vec![Object::new([0.0; 2], [f64::from(side); 2], Form::Rect)];
    TileInfo { class, properties, shapes, picture: None }
}

/// Makes a tileset of square tiles. Its tile objects have their positions at their top-left corners.
fn plain(name: String, side: u32, tiles: BTreeMap<u32, TileInfo>, atlas: Option<Atlas>) -> Tileset {
    Tileset {
        name,
        class: String::new(),
        properties: Properties::default(),
        tile_size: [side; 2],
        offset: [0; 2],
        tiles,
        alignment: [0.0; 2],
        keeps_ratio: false,
        atlas,
    }
}
