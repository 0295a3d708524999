//! Drawing of frames: which layers, in which order, and their pixels.

use std::collections::HashMap;

use image::RgbaImage;

use super::blend::{Mode, opacity};
use super::cel::{Cel, Content};
use super::file::{File, FrameCels};
use super::layer::{self, Kind, Layer};
use super::pixels::Depth;
use super::tileset::Tile;
use crate::budget::Budget;
use crate::error::Result;

/// A file and the layers of it that are drawn.
pub(super) struct Renderer<'a> {
    file: &'a File<'a>,
    drawn: Vec<bool>,
    /// The layers in each group, in order; those in no group under `None`.
    children: HashMap<Option<usize>, Vec<usize>>,
}

/// An image while it is drawn, in RGBA.
struct Canvas {
    size: [u32; 2],
    pixels: Vec<[u8; 4]>,
}

/// Pixels in RGBA that are drawn on a canvas.
struct Source<'a> {
    size: [u32; 2],
    pixels: &'a [[u8; 4]],
    /// The flips: in x, in y, and along the diagonal.
    flips: [bool; 3],
}

impl<'a> Renderer<'a> {
    /// Chooses the layers, and checks the pixels that are drawn.
    pub(super) fn new(file: &'a File<'a>, names: Option<&[String]>, budget: Budget) -> Result<Self> {
        let drawn = layer::drawn(&file.layers, names)?;
        let mut children = HashMap::<_, Vec<_>>::new();
        for (k, layer) in file.layers.iter().enumerate() {
            children.entry(layer.parent).or_default().push(k);
        }
        let mut sizes = Vec::new();
        for (_, cel) in file.frames.iter().flat_map(|frame| &frame.cels).filter(|&(&k, _)| drawn[k]) {
            sizes.push(cel.content.size(file)?);
            if let Content::Tiles(tiles) = &cel.content {
                sizes.push(tiles.set(file)?.size());
            }
        }
        let groups = file.layers.iter().zip(&drawn).filter(|&(layer, &is_drawn)| is_drawn && layer.kind == Kind::Group);
        let groups = if file.composes_groups { groups.count() * file.frames.len() } else { 0 };
        budget.drawn(sizes.into_iter().chain((0..groups).map(|_| file.size)))?;
        // Each group in a group has an image while it is drawn, beside those of the frames.
        let depth =
            if file.composes_groups { file.layers.iter().map(|layer| layer.depth).max().unwrap_or(0) } else { 0 };
        let images = file.frames.len() + depth as usize;
        budget.frames((0..images).map(|_| file.size))?;
        Ok(Self { file, drawn, children })
    }

    /// Draws a frame.
    pub(super) fn draw(&self, frame: &FrameCels<'_>) -> Result<RgbaImage> {
        let file = self.file;
        let mut canvas = Canvas::new(file.size);
        let is_background = |&k: &usize| self.drawn[k] && file.layers[k].is_background;
        for background in (0..file.layers.len()).filter(is_background) {
            if let Depth::Indexed { transparent } = file.depth {
                canvas.pixels.fill(frame.palette.get(transparent));
            }
            if let Some(cel) = frame.cels.get(&background) {
                self.cel(frame, background, cel, &mut canvas)?;
            }
        }
        self.group(frame, None, &mut canvas)?;
        let [width, height] = file.size;
        Ok(RgbaImage::from_raw(width, height, canvas.pixels.into_flattened()).expect("4 bytes a pixel"))
    }

    /// Draws the layers of a group, but not a background, which is drawn before all others.
    fn group(&self, frame: &FrameCels<'_>, group: Option<usize>, canvas: &mut Canvas) -> Result<()> {
        for k in self.order(frame, group) {
            let layer = &self.file.layers[k];
            if !self.drawn[k] || layer.is_background {
                continue;
            }
            if layer.kind == Kind::Group {
                let mut image = Canvas::new(canvas.size);
                self.group(frame, Some(k), &mut image)?;
                let source = Source { size: image.size, pixels: &image.pixels, flips: [false; 3] };
                canvas.blend(&source, [0; 2], layer.mode, layer.opacity);
            } else if let Some(cel) = frame.cels.get(&k) {
                self.cel(frame, k, cel, canvas)?;
            }
        }
        Ok(())
    }

    /// Returns the layers of a group in the order in which they are drawn. If groups are not composed, those of all
    /// groups in it are among them, and the groups are not.
    ///
    /// The order is that of the layers, but a cel with a z-index is drawn so many layers later. Layers that are not
    /// drawn count too.
    fn order(&self, frame: &FrameCels<'_>, group: Option<usize>) -> Vec<usize> {
        let layers: Vec<usize> = if self.file.composes_groups {
            self.children.get(&group).cloned().unwrap_or_default()
        } else {
            (0..self.file.layers.len()).collect()
        };
        let key = |place: usize, k: usize| {
            let z = frame.cels.get(&k).map_or(0, |cel| i64::from(cel.z));
            (place as i64 + z, z)
        };
        let mut order: Vec<_> = layers.into_iter().enumerate().map(|(place, k)| (key(place, k), k)).collect();
        order.sort_by_key(|&(key, _)| key);
        let is_part = |k: &usize| self.file.composes_groups || self.file.layers[*k].kind != Kind::Group;
        order.into_iter().map(|(_, k)| k).filter(is_part).collect()
    }

    fn cel(&self, frame: &FrameCels<'_>, k: usize, cel: &Cel<'_>, canvas: &mut Canvas) -> Result<()> {
        let layer = &self.file.layers[k];
        self.content(frame, layer, cel, canvas).map_err(|error| error.at(layer.place()))
    }

    fn content(&self, frame: &FrameCels<'_>, layer: &Layer, cel: &Cel<'_>, canvas: &mut Canvas) -> Result<()> {
        let opacity = opacity(cel.opacity, layer.opacity);
        let Cel { at: [x, y], .. } = *cel;
        match &cel.content {
            Content::Pixels(packed) => {
                let pixels = packed.unpack(self.file.depth, &frame.palette)?;
                let source = Source { size: packed.size, pixels: &pixels, flips: [false; 3] };
                canvas.blend(&source, [x, y], layer.mode, opacity);
            }
            Content::Tiles(tiles) => {
                let set = tiles.set(self.file)?;
                let pixels = set.unpack(self.file.depth, &frame.palette)?;
                let [width, height] = set.tile;
                for Tile { at, row, flips } in tiles.unpack(set)? {
                    let pixels = &pixels[(row * width) as usize..][..(width * height) as usize];
                    let source = Source { size: set.tile, pixels, flips };
                    // A side of a cel has up to 32 bits.
                    let [left, top] = [(x, at[0], width), (y, at[1], height)].map(|(start, tile, side)| {
                        i32::try_from(i64::from(start) + i64::from(tile) * i64::from(side)).unwrap_or(i32::MAX)
                    });
                    canvas.blend(&source, [left, top], layer.mode, opacity);
                }
            }
        }
        Ok(())
    }
}

impl Canvas {
    fn new(size: [u32; 2]) -> Self {
        Self { size, pixels: vec![[0; 4]; size[0] as usize * size[1] as usize] }
    }

    /// Blends pixels over this image, with their corner at a place.
    fn blend(&mut self, source: &Source<'_>, at: [i32; 2], mode: Mode, opacity: u8) {
        let [columns, rows] = [0, 1].map(|axis| {
            let (at, whole) = (i64::from(at[axis]), i64::from(self.size[axis]));
            at.max(0)..(at + i64::from(source.size[axis])).min(whole)
        });
        for y in rows {
            for x in columns.clone() {
                let pixel = &mut self.pixels[(y * i64::from(self.size[0]) + x) as usize];
                let place = [x - i64::from(at[0]), y - i64::from(at[1])].map(|v| v as u32);
                *pixel = match source.get(place) {
                    Some(front) => mode.blend(*pixel, front, opacity),
                    None => [0; 4],
                };
            }
        }
    }
}

impl Source<'_> {
    /// Returns the pixel that shows at a place. `None` where a tile that is not square does not cover its place when it
    /// is flipped along the diagonal: Aseprite clears the image there.
    fn get(&self, [x, y]: [u32; 2]) -> Option<[u8; 4]> {
        let [width, height] = self.size;
        let [is_mirrored, is_upside_down, is_diagonal] = self.flips;
        let x = if is_mirrored { width - 1 - x } else { x };
        let y = if is_upside_down { height - 1 - y } else { y };
        let (x, y) = if is_diagonal { (y, x) } else { (x, y) };
        let shortest = width.min(height);
        if is_diagonal && (x >= shortest || y >= shortest) {
            return None;
        }
        Some(self.pixels[y as usize * width as usize + x as usize])
    }
}
