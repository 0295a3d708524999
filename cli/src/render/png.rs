//! Pictures as PNG.

use std::io::Cursor;

use anyhow::Context;
use hitmask::debug::{Curve, Step};
use image::{ImageFormat, Rgb, RgbImage};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, PremultipliedColorU8, Rect, Stroke, Transform,
};

use super::drawing::{self, Drawing, GRID, SQUARE, Surface};
use super::figure::Run;
use super::font::Font;
use super::ink::{Colour, Ink};
use super::legend::{self, Legend, Mark};
use super::view::View;

/// Bytes per pixel while a picture is drawn: on the canvas, on the sheet, and at worst in the file.
const BYTES: usize = 4 + 3 + 4;

/// Encodes a drawing as a PNG file.
pub(super) fn picture(drawing: &Drawing) -> anyhow::Result<Vec<u8>> {
    let [width, height] = drawing.view.size();
    // The allocations below cannot report a failure, so check first whether the total fits into memory.
    let bytes = BYTES * width as usize * height as usize;
    if Vec::<u8>::new().try_reserve_exact(bytes).is_err() {
        anyhow::bail!("not enough memory: drawing a picture of {width} x {height} pixels takes {bytes} bytes");
    }
    let mut canvas = Canvas { view: drawing.view, pixmap: pixmap(width, height)? };
    drawing.draw(&mut canvas);
    let sheet = match &drawing.legend {
        None => image_of(&canvas.pixmap),
        Some(legend) => {
            let mut sheet = RgbImage::from_pixel(legend.size[0], height + legend.size[1], Rgb(legend::GROUND));
            // A legend may be wider than a small picture.
            let left = (legend.size[0] - width) / 2;
            put(&mut sheet, &canvas.pixmap, [left, 0]);
            drop(canvas);
            put(&mut sheet, &drawn(legend)?, [0, height]);
            sheet
        }
    };
    let mut file = Cursor::new(Vec::new());
    sheet.write_to(&mut file, ImageFormat::Png)?;
    Ok(file.into_inner())
}

fn pixmap(width: u32, height: u32) -> anyhow::Result<Pixmap> {
    Pixmap::new(width, height).with_context(|| format!("a picture of {width} x {height} pixels cannot be drawn"))
}

fn image_of(pixmap: &Pixmap) -> RgbImage {
    let mut image = RgbImage::new(pixmap.width(), pixmap.height());
    put(&mut image, pixmap, [0, 0]);
    image
}

/// Copies a pixmap into an image; the pixmap is opaque.
fn put(image: &mut RgbImage, pixmap: &Pixmap, [left, top]: [u32; 2]) {
    let width = pixmap.width() as usize;
    for (y, row) in pixmap.pixels().chunks_exact(width).enumerate() {
        for (x, pixel) in row.iter().enumerate() {
            let colour = Rgb([pixel.red(), pixel.green(), pixel.blue()]);
            image.put_pixel(left + x as u32, top + y as u32, colour);
        }
    }
}

/// Draws a legend.
fn drawn(legend: &Legend) -> anyhow::Result<Pixmap> {
    let [width, height] = legend.size;
    let mut pixmap = pixmap(width, height)?;
    pixmap.fill(tiny_skia::Color::from_rgba8(legend::GROUND[0], legend::GROUND[1], legend::GROUND[2], 255));
    let font = Font::new();
    for mark in &legend.marks {
        match mark {
            Mark::Rect { at, size, ink } => {
                let [x, y, w, h] = [at[0], at[1], size[0], size[1]].map(|v| v.round() as f32);
                if let Some(rect) = Rect::from_xywh(x, y, w, h) {
                    pixmap.fill_rect(rect, &paint(*ink, false), Transform::identity(), None);
                }
            }
            Mark::Text { at, text, colour, .. } => font.draw(text, at.map(f64::round), |[x, y], share| {
                let inside = (0..width as i32).contains(&x) && (0..height as i32).contains(&y);
                if inside {
                    let pixel = &mut pixmap.pixels_mut()[y as usize * width as usize + x as usize];
                    *pixel = over(*pixel, *colour, (255.0 * share).round() as u8);
                }
            }),
        }
    }
    Ok(pixmap)
}

/// Blends a colour over an opaque one; `alpha` is 0 to 255.
fn over(below: PremultipliedColorU8, colour: Colour, alpha: u8) -> PremultipliedColorU8 {
    let mix = |below: u8, above: u8| {
        let [below, above, alpha] = [below, above, alpha].map(u32::from);
        ((above * alpha + below * (255 - alpha) + 127) / 255) as u8
    };
    let [r, g, b] = [mix(below.red(), colour[0]), mix(below.green(), colour[1]), mix(below.blue(), colour[2])];
    // The result is opaque, so no channel exceeds its alpha.
    PremultipliedColorU8::from_rgba(r, g, b, 255).unwrap_or(below)
}

fn paint(ink: Ink, anti_alias: bool) -> Paint<'static> {
    let mut paint = Paint { anti_alias, ..Paint::default() };
    let [r, g, b] = ink.colour;
    paint.set_color_rgba8(r, g, b, ink.alpha);
    paint
}

/// The part of the picture that shows the world.
struct Canvas {
    view: View,
    pixmap: Pixmap,
}

impl Canvas {
    /// Converts a point in units to the picture's pixels.
    fn place(&self, [x, y]: [f64; 2]) -> [f32; 2] {
        let zoom = f64::from(self.view.zoom);
        let [left, top] = [self.view.region.left, self.view.region.top].map(f64::from);
        [((x - left) * zoom) as f32, ((y - top) * zoom) as f32]
    }

    fn path(&self, lines: &[Curve]) -> Option<Path> {
        let mut path = PathBuilder::new();
        for line in lines {
            let [x, y] = self.place(line.start);
            path.move_to(x, y);
            let mut at = line.start;
            for step in &line.steps {
                match *step {
                    Step::Line(to) => {
                        let [x, y] = self.place(to);
                        path.line_to(x, y);
                    }
                    Step::Arc { centre, .. } => self.arc(&mut path, centre, at, step.turn(at)),
                }
                at = step.to();
            }
            if line.closed {
                path.close();
            }
        }
        path.finish()
    }

    /// Adds an arc as cubic curves of at most an eighth of a turn, which deviate by less than 5e-6 of the radius.
    fn arc(&self, path: &mut PathBuilder, centre: [f64; 2], from: [f64; 2], angle: f64) {
        let parts = (angle / std::f64::consts::FRAC_PI_4).ceil().max(1.0);
        let part = angle / parts;
        // The distance of a control point, in radii (Riskus, "Approximation of a cubic Bezier curve by circular arcs",
        // 2006).
        let ahead = 4.0 / 3.0 * (part / 4.0).tan();
        let (sin, cos) = part.sin_cos();
        let mut arm = [from[0] - centre[0], from[1] - centre[1]];
        for _ in 0..parts as u32 {
            let next = [arm[0] * cos - arm[1] * sin, arm[0] * sin + arm[1] * cos];
            let place = |arm: [f64; 2], ahead: f64| {
                self.place([centre[0] + arm[0] - ahead * arm[1], centre[1] + arm[1] + ahead * arm[0]])
            };
            let [[x1, y1], [x2, y2], [x, y]] = [place(arm, ahead), place(next, -ahead), place(next, 0.0)];
            path.cubic_to(x1, y1, x2, y2, x, y);
            arm = next;
        }
    }

    fn rect(&mut self, [x, y]: [f32; 2], [width, height]: [f32; 2], ink: Ink) {
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            self.pixmap.fill_rect(rect, &paint(ink, false), Transform::identity(), None);
        }
    }
}

impl Surface for Canvas {
    fn ground(&mut self) {
        let (region, zoom) = (self.view.region, self.view.zoom as usize);
        let colours = drawing::GROUND.map(|[r, g, b]| PremultipliedColorU8::from_rgba(r, g, b, 255));
        let width = self.pixmap.width() as usize;
        for (row, pixels) in self.pixmap.pixels_mut().chunks_exact_mut(width).enumerate() {
            let down = (region.top + (row / zoom) as i32).div_euclid(SQUARE);
            for (column, pixel) in pixels.iter_mut().enumerate() {
                let across = (region.left + (column / zoom) as i32).div_euclid(SQUARE);
                if let Some(colour) = colours[(across + down).rem_euclid(2) as usize] {
                    *pixel = colour;
                }
            }
        }
    }

    fn begin(&mut self, _: &'static str, _: Option<&str>) {}

    fn end(&mut self) {}

    fn pixels(&mut self, runs: &[Run], alpha: u8) {
        let (region, zoom) = (self.view.region, self.view.zoom as usize);
        let width = self.pixmap.width() as usize;
        for run in runs {
            let left = (run.at[0] - region.left) as usize * zoom;
            let top = (run.at[1] - region.top) as usize * zoom;
            for row in self.pixmap.pixels_mut().chunks_exact_mut(width).skip(top).take(zoom) {
                for pixel in &mut row[left..left + run.length as usize * zoom] {
                    *pixel = over(*pixel, run.colour, alpha);
                }
            }
        }
    }

    fn fill(&mut self, lines: &[Curve], ink: Ink) {
        if let Some(path) = self.path(lines) {
            // Holes wind opposite to outlines, and parts may overlap.
            self.pixmap.fill_path(&path, &paint(ink, true), FillRule::Winding, Transform::identity(), None);
        }
    }

    fn stroke(&mut self, lines: &[Curve], ink: Ink, width: f64) {
        if let Some(path) = self.path(lines) {
            let width = (width * f64::from(self.view.zoom)) as f32;
            let (line_cap, line_join) = (LineCap::Round, LineJoin::Round);
            let stroke = Stroke { width, line_cap, line_join, ..Stroke::default() };
            self.pixmap.stroke_path(&path, &paint(ink, true), &stroke, Transform::identity(), None);
        }
    }

    fn grid(&mut self) {
        let [width, height] = self.view.size();
        for x in (0..width).step_by(self.view.zoom as usize) {
            self.rect([x as f32, 0.0], [1.0, height as f32], GRID);
        }
        for y in (0..height).step_by(self.view.zoom as usize) {
            self.rect([0.0, y as f32], [width as f32, 1.0], GRID);
        }
    }
}
