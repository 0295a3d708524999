//! Tilesets: in the map, or in files of their own.

use std::collections::BTreeMap;
use std::sync::Arc;

use image::RgbaImage;

use super::model::{self, Image};
use super::{Reader, is_xml, xml};
use crate::error::{Error, Problem, Result, malformed, quoted};
use crate::folder::Inside;
use crate::level::limits;
use crate::level::tileset::{Atlas, Picture, TileInfo, Tileset};

/// An image, unless images are not read, and its size if that is known.
type SizedImage = (Option<Arc<RgbaImage>>, Option<[u32; 2]>);

impl Reader<'_, '_> {
    /// Reads a tileset of the map, and returns its index.
    pub(super) fn tileset(&mut self, tileset: model::Tileset) -> Result<u16> {
        match &tileset.source {
            Some(source) => self.external(&self.path.beside(source)?),
            None => self.add(tileset, &self.path.clone()),
        }
    }

    /// Reads a tileset in a file of its own, and returns its index.
    pub(super) fn external(&mut self, path: &Inside) -> Result<u16> {
        if let Some(index) = self.tilesets.get(path) {
            return Ok(*index);
        }
        let index = self.within(path, |reader, text| {
            let tileset = if is_xml(text) { xml::tileset(text) } else { crate::json::parse(text.as_bytes()) };
            reader.add(tileset?, path)
        })?;
        self.tilesets.insert(path.clone(), index);
        Ok(index)
    }

    fn add(&mut self, tileset: model::Tileset, path: &Inside) -> Result<u16> {
        let name = tileset.name.clone();
        let read = self.read(tileset, path).map_err(|error| error.at(format!("tileset {}", quoted(&name))))?;
        // The shapes of its tiles may be instances of templates, with tilesets of their own.
        let index = limits::tileset(self.level.tilesets.len())?;
        self.level.tilesets.push(read);
        Ok(index)
    }

    fn read(&mut self, tileset: model::Tileset, path: &Inside) -> Result<Tileset> {
        let tile_size = [tileset.tilewidth, tileset.tileheight];
        if tileset.tilerendersize.as_deref() == Some("grid") && tile_size != self.cell {
            let problem = "tiles that are drawn at the size of the map's cells, and have another";
            return Err(Problem::Unsupported(problem.into()).into());
        }
        let atlas = match &tileset.image.source {
            Some(_) => Some(self.atlas(&tileset, path)?),
            None => None,
        };
        // A collection of images without any has tiles of 0 x 0 pixels.
        if atlas.is_none() && tileset.tiles.iter().any(|tile| tile.image.source.is_none()) {
            limits::tile_size(tile_size)?;
        }
        let mut read = Tileset {
            name: tileset.name,
            class: tileset.class,
            properties: tileset.properties,
            tile_size,
            offset: [tileset.tileoffset.x, tileset.tileoffset.y].map(|v| v.clamp(-limits::MAX_AWAY, limits::MAX_AWAY)),
            tiles: BTreeMap::new(),
            alignment: alignment(tileset.objectalignment.as_deref().unwrap_or_default())?,
            keeps_ratio: tileset.fillmode.as_deref() == Some("preserve-aspect-fit"),
            atlas,
        };
        for tile in tileset.tiles {
            let id = tile.id;
            let info = self.tile_info(tile, path).map_err(|error| error.at(format!("tile {id}")))?;
            read.tiles.insert(id, info);
        }
        Ok(read)
    }

    fn tile_info(&mut self, tile: model::TileInfo, path: &Inside) -> Result<TileInfo> {
        let picture = match &tile.image.source {
            Some(_) => Some(self.picture(&tile, path)?),
            None => None,
        };
        let mut shapes = Vec::new();
        for object in tile.objectgroup.objects {
            if object.gid.is_some() {
                return Err(Problem::Unsupported("a tile among the collision shapes of a tile".into()).into());
            }
            shapes.push(self.object(object, path)?);
        }
        Ok(TileInfo { class: tile.class, properties: tile.properties, shapes, picture })
    }

    /// Reads the image of a whole tileset.
    fn atlas(&mut self, tileset: &model::Tileset, path: &Inside) -> Result<Atlas> {
        let [width, height] = [tileset.tilewidth, tileset.tileheight];
        limits::tile_size([width, height])?;
        let model::Tileset { margin, spacing, .. } = *tileset;
        limits::tile_size([margin.max(1), spacing.max(1)])?;
        let (image, size) = self.image(&tileset.image, path)?;
        // The number of tiles in a row or a column; an incomplete one counts for none.
        let fit = |side: u32, tile: u32| (side + spacing).saturating_sub(margin) / (tile + spacing);
        let [columns, rows] = size.map_or([None; 2], |[x, y]| [Some(fit(x, width)), Some(fit(y, height))]);
        let most = columns.zip(rows).map(|(columns, rows)| columns.saturating_mul(rows));
        let columns = columns.or(tileset.columns).unwrap_or(1).max(1);
        let count = match (tileset.tilecount, most) {
            (Some(count), Some(most)) if count > most => {
                return Err(malformed(format!("{count} tiles; its image has space for {most}")));
            }
            (count, most) => count.or(most).unwrap_or(u32::MAX >> 4),
        };
        Ok(Atlas { image, columns, count, margin, spacing })
    }

    /// Reads the image of one tile.
    fn picture(&mut self, tile: &model::TileInfo, path: &Inside) -> Result<Picture> {
        let (image, size) = self.image(&tile.image, path)?;
        let size = size.ok_or_else(|| malformed("the size of its image is missing"))?;
        let [x, y] = [tile.x.unwrap_or(0), tile.y.unwrap_or(0)];
        let area = [x, y, tile.width.unwrap_or(size[0]), tile.height.unwrap_or(size[1])];
        limits::tile_size([area[2], area[3]])?;
        if (0..2).any(|axis| u64::from(area[axis]) + u64::from(area[axis + 2]) > u64::from(size[axis])) {
            let [x, y, width, height] = area;
            let problem = format!("the part [{x}, {y}, {width}, {height}] of an image of {} x {}", size[0], size[1]);
            return Err(malformed(problem));
        }
        Ok(Picture { image, area })
    }

    /// Reads an image, and returns its size; if images are not read, the size that the file gives.
    fn image(&mut self, image: &Image, path: &Inside) -> Result<SizedImage> {
        let source = image.source.as_deref().unwrap_or_default();
        let key = image.key.as_deref().map(colour).transpose()?;
        if let Some(read) = self.files.image(&path.beside(source)?, key)? {
            let size = read.dimensions().into();
            return Ok((Some(read), Some(size)));
        }
        // As much as an image can have.
        let size = image.width.zip(image.height).map(|(width, height)| [width, height].map(|side| side.min(1 << 24)));
        Ok((None, size))
    }
}

/// Reads a colour: "ff00ff" or "#ff00ff".
fn colour(text: &str) -> Result<[u8; 3]> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    let value = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6);
    let [_, rgb @ ..] = value.map(u32::to_be_bytes).ok_or_else(|| malformed(format!("the colour {}", quoted(text))))?;
    Ok(rgb)
}

/// Returns the place in a tile object that lies at its position, in parts of its size.
fn alignment(name: &str) -> Result<[f64; 2]> {
    Ok(match name {
        "topleft" => [0.0, 0.0],
        "top" => [0.5, 0.0],
        "topright" => [1.0, 0.0],
        "left" => [0.0, 0.5],
        "center" => [0.5, 0.5],
        "right" => [1.0, 0.5],
        // The default of orthogonal maps.
        "" | "unspecified" | "bottomleft" => [0.0, 1.0],
        "bottom" => [0.5, 1.0],
        "bottomright" => [1.0, 1.0],
        other => return Err(Error::from(Problem::Unsupported(format!("the alignment {}", quoted(other))))),
    })
}
