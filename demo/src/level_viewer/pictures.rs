//! The pictures of tiles, as they stand in cells.

use std::collections::HashMap;
use std::sync::Arc;

use egui::{Color32, ColorImage, TextureHandle, TextureOptions};
use hitmask_files::Level;
use hitmask_files::level::Tile;
use image::{Rgba, RgbaImage};

use crate::document::Part;

/// The largest side of a tile whose picture is a texture.
const LARGEST: u32 = 2048;

/// The pictures that were needed so far.
#[derive(Default)]
pub(super) struct Pictures {
    tiles: HashMap<Tile, Option<Arc<RgbaImage>>>,
    textures: HashMap<Tile, Option<TextureHandle>>,
}

/// Returns the pixels of a tile in a cell, `[left, top, right, bottom]` in the pixels of the level; `None` if the layer
/// has no tiles.
pub(super) fn area(level: &Level, layer: usize, cell: [i32; 2], tile: Tile) -> Option<[i32; 4]> {
    let layer = level.layers.get(layer)?;
    let size = layer.cells()?.size;
    let tileset = level.tilesets.get(usize::from(tile.tileset))?;
    let start = tileset.start_in_cell(tile, size);
    let sides = tile.flips.size(tileset.size_of(tile.id)).map(|side| side as i32);
    let from = [0, 1].map(|axis| {
        layer.offset[axis].round() as i32 + cell[axis].saturating_mul(size[axis] as i32).saturating_add(start[axis])
    });
    Some([from[0], from[1], from[0].saturating_add(sides[0]), from[1].saturating_add(sides[1])])
}

impl Pictures {
    /// Returns the picture of a tile with its flips; `None` if it has none.
    pub(super) fn of(&mut self, level: &Level, tile: Tile) -> Option<Arc<RgbaImage>> {
        let make = || {
            let image = level.tilesets.get(usize::from(tile.tileset))?.image(tile.id)?;
            let [width, height] = tile.flips.size(<[u32; 2]>::from(image.dimensions()));
            let flipped = RgbaImage::from_fn(width, height, |x, y| {
                let mirrored =
                    [if tile.flips.x { width - 1 - x } else { x }, if tile.flips.y { height - 1 - y } else { y }];
                let [u, v] = tile.flips.size(mirrored);
                *image.get_pixel(u, v)
            });
            Some(Arc::new(flipped))
        };
        self.tiles.entry(tile).or_insert_with(make).clone()
    }

    /// Returns the texture of a tile; `None` if it has no picture, or a very large one.
    pub(super) fn texture(&mut self, context: &egui::Context, level: &Level, tile: Tile) -> Option<TextureHandle> {
        if let Some(texture) = self.textures.get(&tile) {
            return texture.clone();
        }
        let picture = self.of(level, tile).filter(|picture| picture.width().max(picture.height()) <= LARGEST);
        let texture = picture.map(|picture| {
            let size = [picture.width() as usize, picture.height() as usize];
            let pixels = ColorImage::from_rgba_unmultiplied(size, &picture);
            context.load_texture("tile", pixels, TextureOptions::NEAREST)
        });
        self.textures.insert(tile, texture.clone());
        texture
    }

    /// Draws the tiles of a layer into a texture of a mosaic. `reach` is the distance in cells at which a tile may have
    /// its cell.
    pub(super) fn paint(&mut self, level: &Level, layer: usize, reach: i32, part: Part) -> ColorImage {
        let mut image = part.image(|_| Color32::TRANSPARENT);
        let Some((own, cells)) = level.layers.get(layer).and_then(|layer| Some((layer, layer.cells()?))) else {
            return image;
        };
        let side = image.size[0] as i32;
        let cell = |pixel: i32, axis: usize| {
            (f64::from(pixel) - own.offset[axis]).div_euclid(f64::from(cells.size[axis])) as i32
        };
        let ends = part.from.map(|v| v + part.reach());
        // Tiles of lower rows are drawn over those above.
        for row in cell(part.from[1], 1) - reach..=cell(ends[1], 1) + reach {
            for column in cell(part.from[0], 0) - reach..=cell(ends[0], 0) + reach {
                let Some(tile) = cells.get([column, row]) else { continue };
                let Some([left, top, right, bottom]) = area(level, layer, [column, row], tile) else { continue };
                let picture = self.of(level, tile);
                let texel = |pixel: i32, axis: usize| (pixel - part.from[axis]).div_euclid(part.step);
                let last = |pixel: i32, axis: usize| (pixel - part.from[axis] + part.step - 1).div_euclid(part.step);
                for v in texel(top, 1).max(0)..last(bottom, 1).min(side) {
                    for u in texel(left, 0).max(0)..last(right, 0).min(side) {
                        let x = (part.from[0] + u * part.step).clamp(left, right - 1) - left;
                        let y = (part.from[1] + v * part.step).clamp(top, bottom - 1) - top;
                        let pixel = match &picture {
                            Some(picture) => *picture.get_pixel(x as u32, y as u32),
                            None => plain(level, tile, [x, y], [right - left, bottom - top]),
                        };
                        let place = (v * side + u) as usize;
                        let [r, g, b, a] = pixel.0;
                        image.pixels[place] = image.pixels[place].blend(Color32::from_rgba_unmultiplied(r, g, b, a));
                    }
                }
            }
        }
        image
    }
}

/// Returns a pixel of a tile without a picture, such as a value of an IntGrid: a square in a colour of its class.
fn plain(level: &Level, tile: Tile, [x, y]: [i32; 2], [width, height]: [i32; 2]) -> Rgba<u8> {
    let info = level.tile(tile);
    let [r, g, b, _] = crate::document::hue(&format!("{} {}", info.class, tile.id)).to_array();
    let is_edge = x == 0 || y == 0 || x == width - 1 || y == height - 1;
    Rgba([r, g, b, if is_edge { 150 } else { 90 }])
}

/// Returns how far the tiles of a level reach from their cells in a layer, in cells.
pub(super) fn reach(level: &Level, layer: usize) -> i32 {
    let Some(cells) = level.layers.get(layer).and_then(|layer| layer.cells()) else { return 0 };
    let least = cells.size[0].min(cells.size[1]).max(1);
    let far = level.tilesets.iter().map(|tileset| {
        let own = tileset
            .tiles
            .keys()
            .map(|&id| tileset.size_of(id))
            .fold(tileset.tile_size, |a, b| [a[0].max(b[0]), a[1].max(b[1])]);
        own[0].max(own[1]) + tileset.offset[0].unsigned_abs().max(tileset.offset[1].unsigned_abs())
    });
    far.max().unwrap_or(0).div_ceil(least) as i32
}
