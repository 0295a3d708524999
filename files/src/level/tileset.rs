//! Tilesets: the images, shapes and properties of tiles.

use std::collections::BTreeMap;
use std::sync::Arc;

use hitmask::Mask;
use image::imageops::{crop_imm, replace};
use image::{DynamicImage, RgbaImage};

use crate::error::Result;

use super::limits;
use super::object::Object;
use super::properties::Properties;
use super::tile::Tile;

/// A set of tiles.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tileset {
    /// The name. The values of an LDtk IntGrid layer are a tileset with the name of the layer.
    pub name: String,
    /// The class.
    pub class: String,
    /// The properties.
    pub properties: Properties,
    /// The size of a tile in pixels, `[width, height]`. In a collection of images, tiles have their own sizes.
    pub tile_size: [u32; 2],
    /// The translation with which its tiles are drawn, in pixels.
    pub offset: [i32; 2],
    /// The tiles that have a class, properties or shapes, or images of their own, by number.
    pub tiles: BTreeMap<u32, TileInfo>,
    /// The place in a tile object that lies at the object's position, in parts of its size.
    pub(super) alignment: [f64; 2],
    /// Whether to keep the ratio of a tile's sides when an object scales it (`preserve-aspect-fit`).
    pub(super) keeps_ratio: bool,
    pub(super) atlas: Option<Atlas>,
}

/// The description of a tile in a [`Tileset`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct TileInfo {
    /// The class; the name of an IntGrid value in LDtk.
    pub class: String,
    /// The properties.
    pub properties: Properties,
    /// The collision shapes, in pixels from the top-left corner of the tile.
    pub shapes: Vec<Object>,
    /// The tile's image in a collection.
    pub(super) picture: Option<Picture>,
}

/// The image of a whole tileset, with its tiles in a grid.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Atlas {
    /// `None` if images are not read.
    pub(super) image: Option<Arc<RgbaImage>>,
    pub(super) columns: u32,
    pub(super) count: u32,
    pub(super) margin: u32,
    pub(super) spacing: u32,
}

/// The image of one tile, or a part of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Picture {
    /// `None` if images are not read.
    pub(super) image: Option<Arc<RgbaImage>>,
    /// `[x, y, width, height]`.
    pub(super) area: [u32; 4],
}

/// The description of a tile that has none.
static PLAIN: TileInfo =
    TileInfo { class: String::new(), properties: Properties::EMPTY, shapes: Vec::new(), picture: None };

/// Returns the description of a tile that has none.
pub(super) fn plain() -> &'static TileInfo {
    &PLAIN
}

impl Tileset {
    /// Returns the description of a tile; an empty one if it has none.
    #[must_use]
    pub fn tile(&self, id: u32) -> &TileInfo {
        self.tiles.get(&id).unwrap_or(&PLAIN)
    }

    /// Returns the size of a tile in pixels, `[width, height]`.
    #[must_use]
    pub fn size_of(&self, id: u32) -> [u32; 2] {
        self.tile(id).picture.as_ref().map_or(self.tile_size, |picture| [picture.area[2], picture.area[3]])
    }

    /// Returns the size of a tile, which is 1 to 8192 pixels a side.
    pub(crate) fn checked_size(&self, id: u32) -> Result<[u32; 2]> {
        let size = self.size_of(id);
        limits::tile_size(size).map(|()| size)
    }

    /// Returns whether a tile of this number is in the set.
    #[must_use]
    pub fn contains(&self, id: u32) -> bool {
        self.atlas.as_ref().map_or_else(|| self.tiles.contains_key(&id), |atlas| id < atlas.count)
    }

    /// Returns the image of a tile; `None` if it has none, or images were not read.
    #[must_use]
    pub fn image(&self, id: u32) -> Option<RgbaImage> {
        let (image, [x, y, width, height]) = self.pixels(id)?;
        let cut = crop_imm(image, x, y, width, height).to_image();
        if cut.dimensions() == (width, height) {
            return Some(cut);
        }
        // LDtk has tiles at the edge of an image that reach beyond it.
        let mut whole = RgbaImage::new(width, height);
        replace(&mut whole, &cut, 0, 0);
        Some(whole)
    }

    /// Returns the texels of a tile whose alpha is at least a threshold, from 1 to 255; `None` if it has no image, or
    /// images were not read.
    pub(super) fn mask(&self, id: u32, threshold: u8) -> Option<hitmask::Result<Mask>> {
        let image = DynamicImage::from(self.image(id)?);
        Some(Mask::from_image(&image, threshold, None))
    }

    /// Returns the top-left corner of a tile in a cell of a size, from that of the cell. A tile stands on the lower
    /// edge of its cell.
    #[must_use]
    pub fn start_in_cell(&self, tile: Tile, [_, cell_height]: [u32; 2]) -> [i32; 2] {
        let [_, height] = tile.flips.size(self.size_of(tile.id));
        [self.offset[0], cell_height as i32 - height as i32 + self.offset[1]]
    }

    /// Returns the top-left corner of a tile object of a size from its position, before it is scaled and turned.
    #[must_use]
    pub fn start(&self, size: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|axis| f64::from(self.offset[axis]) - self.alignment[axis] * size[axis])
    }

    /// Returns the image that has the pixels of a tile, and their place in it.
    fn pixels(&self, id: u32) -> Option<(&RgbaImage, [u32; 4])> {
        let Some(atlas) = &self.atlas else {
            let picture = self.tile(id).picture.as_ref()?;
            return Some((picture.image.as_ref()?, picture.area));
        };
        let image = atlas.image.as_ref().filter(|_| id < atlas.count)?;
        let [width, height] = self.tile_size;
        let place = |k: u32, side: u32| {
            let pitch = u64::from(side) + u64::from(atlas.spacing);
            // Beyond any image.
            (u64::from(atlas.margin) + u64::from(k) * pitch).min(u32::MAX.into()) as u32
        };
        let [x, y] = [place(id % atlas.columns, width), place(id / atlas.columns, height)];
        Some((image, [x, y, width, height]))
    }
}
