//! The parts of a picture, and the order in which they are drawn.

use std::path::Path;

use anyhow::Context;
use hitmask::debug::Curve;
use hitmask::internals::printable;
use hitmask::scene::Scene;
use hitmask::{Engine, Hits, World};

use super::figure::{Figure, Figures, Look, Run, Way};
use super::ink::{Colour, Ink, SHARED};
use super::legend::Legend;
use super::view::{Region, View};

/// The colours of the chequered background, and the side of its squares in world pixels.
pub(super) const GROUND: [Colour; 2] = [[19, 21, 33], [23, 26, 40]];
pub(super) const SQUARE: i32 = 16;
/// The lines between pixels.
pub(super) const GRID: Ink = Ink { colour: [96, 100, 128], alpha: 80 };
/// The smallest zoom at which they are drawn.
const GRID_ZOOM: u32 = 8;

/// A surface on which a world is drawn, in units. A legend is drawn separately.
pub(super) trait Surface {
    /// Draws the background.
    fn ground(&mut self);
    /// Begins a group: a layer, or a body with its label.
    fn begin(&mut self, layer: &'static str, label: Option<&str>);
    /// Ends the group.
    fn end(&mut self);
    /// Draws pixels in their own colours.
    fn pixels(&mut self, runs: &[Run], alpha: u8);
    /// Fills closed lines; a line within another cuts a hole.
    fn fill(&mut self, lines: &[Curve], ink: Ink);
    /// Draws lines, `width` units wide.
    fn stroke(&mut self, lines: &[Curve], ink: Ink, width: f64);
    /// Draws the lines between pixels.
    fn grid(&mut self);
}

/// A picture.
pub(super) struct Drawing {
    pub(super) title: String,
    pub(super) view: View,
    figures: Vec<Figure>,
    shared: Vec<Run>,
    pub(super) legend: Option<Legend>,
}

impl Drawing {
    /// Prepares the picture of a scene in a file, without a legend.
    pub(super) fn new(file: &Path, scene: &Scene, world: &World, hits: &Hits, view: View) -> anyhow::Result<Self> {
        let figures = Figures::new(file, scene, world, hits, view.region)?;
        let figures = (0..world.len()).filter_map(|index| figures.figure(index)).collect();
        let title = printable(&file.file_name().unwrap_or_default().to_string_lossy());
        Ok(Self { title, view, figures, shared: shared(world, hits, &view.region)?, legend: None })
    }

    /// Adds the legend.
    pub(super) fn explain(&mut self, world: &World, hits: &Hits, engine: &Engine) {
        let moves = self.figures.iter().any(|figure| figure.way.is_some());
        self.legend = Some(Legend::new(&self.title, world, hits, engine, &self.view, moves));
    }

    /// Draws the world.
    ///
    /// Translucent fills are below pixels, pixels below outlines, and all of these below the pixels that bodies share,
    /// which are never hidden. At a zoom at which lines separate the pixels, outlines are above the shared pixels
    /// instead, to show why each is shared.
    pub(super) fn draw(&self, surface: &mut impl Surface) {
        surface.ground();
        self.draw_fills(surface);
        self.draw_ghosts(surface);
        self.draw_sprites(surface);
        let parted = self.view.zoom >= GRID_ZOOM;
        if !parted {
            self.draw_outlines(surface);
        }
        surface.begin("overlap", None);
        surface.pixels(&self.shared, 255);
        surface.end();
        if parted {
            surface.grid();
            self.draw_outlines(surface);
        }
    }

    fn draw_fills(&self, surface: &mut impl Surface) {
        surface.begin("fills", None);
        for figure in &self.figures {
            let looks = [(Some(&figure.look), 56), (figure.ghost(), 20)];
            for (look, alpha) in looks {
                if let Some(Look::Outline(lines)) = look {
                    surface.fill(lines, Ink { colour: figure.colour, alpha });
                }
            }
        }
        surface.end();
    }

    fn draw_ghosts(&self, surface: &mut impl Surface) {
        surface.begin("ghosts", None);
        for figure in &self.figures {
            match figure.ghost() {
                Some(Look::Pixels(runs)) => surface.pixels(runs, 80),
                Some(Look::Outline(lines)) => {
                    surface.stroke(lines, Ink { colour: figure.colour, alpha: 120 }, self.width(1.5));
                }
                None => {}
            }
        }
        surface.end();
    }

    fn draw_sprites(&self, surface: &mut impl Surface) {
        surface.begin("sprites", None);
        for figure in &self.figures {
            if let Look::Pixels(runs) = &figure.look {
                surface.begin("body", Some(&figure.label));
                surface.pixels(runs, 255);
                surface.end();
            }
        }
        surface.end();
    }

    fn draw_outlines(&self, surface: &mut impl Surface) {
        surface.begin("outlines", None);
        for figure in &self.figures {
            if let Look::Outline(lines) = &figure.look {
                surface.begin("body", Some(&figure.label));
                surface.stroke(lines, Ink::opaque(figure.colour), self.width(2.0));
                surface.end();
            }
        }
        surface.end();
        surface.begin("ways", None);
        for figure in &self.figures {
            if let Some(way) = &figure.way {
                self.draw_way(surface, way, figure.colour);
            }
        }
        surface.end();
    }

    /// Returns the width of lines, in units: half a world pixel, but from 1 to `most` picture pixels.
    fn width(&self, most: f64) -> f64 {
        self.view.pixels((0.5 * f64::from(self.view.zoom)).clamp(1.0, most))
    }

    /// Draws a line to the first hit, and a fainter one from there to an arrow at the end.
    fn draw_way(&self, surface: &mut impl Surface, way: &Way, colour: Colour) {
        let width = self.width(1.5);
        let [start, hit, end] = way.stops;
        let (strong, faint) = (Ink { colour, alpha: 230 }, Ink { colour, alpha: 110 });
        let mut line = |points: &[[f64; 2]], ink| {
            surface.stroke(&Curve::through(points, false).into_iter().collect::<Vec<_>>(), ink, width);
        };
        if hit != start {
            line(&[start, hit], strong);
        }
        let rest = if hit == end { strong } else { faint };
        if hit != end {
            line(&[hit, end], rest);
        }
        let [dx, dy] = [end[0] - start[0], end[1] - start[1]];
        let length = dx.hypot(dy);
        if length > 0.0 {
            let side = self.view.pixels(6.0).min(length / 2.0);
            let [dx, dy] = [side * dx / length, side * dy / length];
            let barb = |turn: f64| [end[0] - dx - turn * dy, end[1] - dy + turn * dx];
            line(&[barb(-0.6), end, barb(0.6)], rest);
        }
    }
}

impl Figure {
    fn ghost(&self) -> Option<&Look> {
        self.way.as_ref().and_then(|way| way.ghost.as_ref())
    }
}

/// Returns the pixels within a region that both bodies of a pair have.
fn shared(world: &World, hits: &Hits, region: &Region) -> anyhow::Result<Vec<Run>> {
    let mut runs = Vec::new();
    for (pair, detail) in hits.pairs.iter().zip(&hits.details) {
        let Some([left, top, width, height]) = detail.overlap.map(|overlap| overlap.bounds) else { continue };
        let seen = region.meet(&Region { left, top, width, height });
        if seen.is_empty() {
            continue;
        }
        let (mask, [left, top]) = world.overlap_mask(*pair, detail).with_context(|| {
            let [a, b] = pair;
            format!("the overlap of bodies {a} and {b}, {width} x {height} pixels, is larger than a mask can be")
        })?;
        for y in seen.rows() {
            for run in mask.runs((y - top) as u32) {
                let first = seen.left.max(left + run.start as i32);
                let length = seen.columns().end.min(left + run.end as i32) - first;
                if length > 0 {
                    runs.push(Run { at: [first, y], length, colour: SHARED });
                }
            }
        }
    }
    Ok(runs)
}
