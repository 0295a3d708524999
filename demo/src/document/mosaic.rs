//! Pictures of any size, drawn as textures of one size: those in view, with as many texels as the window shows.

use std::collections::HashMap;

use egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions};

use super::canvas::Pane;

/// The side of a texture, which every device has.
const SIDE: i32 = 256;
/// The number of textures from which those out of view are given up: 128 MiB.
const MOST: usize = 512;

/// A texture's layer, the pixels between its texels, and its column and row.
type Key = (usize, i32, [i32; 2]);

/// The textures of some layers of a picture.
#[derive(Default)]
pub(crate) struct Mosaic {
    textures: HashMap<Key, TextureHandle>,
}

/// The pixels of a texture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// The first pixel.
    pub(crate) from: [i32; 2],
    /// The pixels between its texels.
    pub(crate) step: i32,
}

impl Part {
    /// Returns the number of pixels on a side.
    pub(crate) fn reach(self) -> i32 {
        SIDE * self.step
    }

    /// Makes the texture by a function of the pixel.
    pub(crate) fn image(self, mut colour: impl FnMut([i32; 2]) -> Color32) -> ColorImage {
        let at = |place: i32, axis: usize| self.from[axis] + place * self.step;
        let texels = (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| [x, y]));
        let pixels = texels.map(|[x, y]| colour([at(x, 0), at(y, 1)])).collect();
        ColorImage::new([SIDE as usize; 2], pixels)
    }
}

impl Mosaic {
    /// Draws a layer within `[left, top, right, bottom]`. `paint` makes the textures that are not there yet.
    pub(crate) fn draw(
        &mut self,
        pane: &Pane,
        layer: usize,
        [left, top, right, bottom]: [i32; 4],
        opacity: f32,
        mut paint: impl FnMut(Part) -> ColorImage,
    ) {
        let step = pane.camera.zoom.down as i32;
        let view = pane.view();
        let [from_x, from_y] = [left.max(view[0]), top.max(view[1])];
        let [to_x, to_y] = [right.min(view[2]), bottom.min(view[3])];
        if from_x >= to_x || from_y >= to_y {
            return;
        }
        let reach = SIDE * step;
        let places = |from: i32, to: i32| from.div_euclid(reach)..=(to - 1).div_euclid(reach);
        if self.textures.len() > MOST {
            let (columns, rows) = (places(from_x, to_x), places(from_y, to_y));
            self.textures.retain(|(_, own, [x, y]), _| *own == step && columns.contains(x) && rows.contains(y));
        }
        let tint = Color32::WHITE.gamma_multiply(opacity);
        for (row, column) in places(from_y, to_y).flat_map(|row| places(from_x, to_x).map(move |x| (row, x))) {
            let part = Part { from: [column * reach, row * reach], step };
            let texture = self
                .textures
                .entry((layer, step, [column, row]))
                .or_insert_with(|| pane.painter.ctx().load_texture("document", paint(part), TextureOptions::NEAREST));
            let [x, y] = part.from.map(f64::from);
            let rect = pane.area([x, y, reach.into(), reach.into()]);
            pane.painter.image(texture.id(), rect, Rect::from_min_max([0.0, 0.0].into(), [1.0, 1.0].into()), tint);
        }
    }

    /// Gives up the textures of a layer that have pixels of `[left, top, right, bottom]`.
    pub(crate) fn forget(&mut self, layer: usize, [left, top, right, bottom]: [i32; 4]) {
        self.textures.retain(|&(own, step, place), _| {
            let [x, y] = place.map(|v| v * SIDE * step);
            let reach = SIDE * step;
            own != layer || x >= right || y >= bottom || x + reach <= left || y + reach <= top
        });
    }

    /// Gives up all textures of a layer.
    pub(crate) fn forget_layer(&mut self, layer: usize) {
        self.textures.retain(|(own, ..), _| *own != layer);
    }
}
