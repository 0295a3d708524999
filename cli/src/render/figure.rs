//! Bodies as they are drawn: the pixels of a sprite, the outline of any other body, and the path of a moving one.

use std::path::Path;
use std::rc::Rc;

use hitmask::debug::Curve;
use hitmask::geometry::{Point, TICKS, Vec2};
use hitmask::scene::Scene;
use hitmask::{Body, BodyId, Hits, World};

use super::ink::{COOL, Colour, WARM};
use super::texture::{Texture, textures};
use super::view::Region;

/// Adjacent pixels of a row that have the same colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// The leftmost pixel.
    pub(super) at: [i32; 2],
    pub(super) length: i32,
    pub(super) colour: Colour,
}

/// The drawing of a body at one place.
#[derive(Debug, PartialEq)]
pub(super) enum Look {
    Pixels(Vec<Run>),
    Outline(Vec<Curve>),
}

/// A body as it is drawn.
#[derive(Debug)]
pub(super) struct Figure {
    /// Its index, name and shape.
    pub(super) label: String,
    pub(super) colour: Colour,
    /// The body at its start.
    pub(super) look: Look,
    pub(super) way: Option<Way>,
}

/// The path of a moving body.
#[derive(Debug)]
pub(super) struct Way {
    /// Three positions of the body's middle: at the start, at the first hit or else the end, and at the end.
    pub(super) stops: [[f64; 2]; 3],
    /// The body at its first hit, or else at its end; absent if it hits at once.
    pub(super) ghost: Option<Look>,
}

/// Makes figures of bodies.
pub(super) struct Figures<'a> {
    scene: &'a Scene,
    world: &'a World,
    hits: &'a Hits,
    region: Region,
    /// For each shape, in order, its texture if it comes from an image.
    textures: Vec<Option<Rc<Texture>>>,
    /// For each body, the tick of its first hit, or the last tick if it has none.
    ticks: Vec<u32>,
}

impl<'a> Figures<'a> {
    /// Prepares the figures of a scene in a file, for the part of it that will be drawn.
    pub(super) fn new(
        file: &Path,
        scene: &'a Scene,
        world: &'a World,
        hits: &'a Hits,
        region: Region,
    ) -> anyhow::Result<Self> {
        let mut ticks = vec![TICKS; world.len()];
        for (pair, detail) in hits.pairs.iter().zip(&hits.details) {
            if let Some([tick, _]) = detail.time {
                for body in pair.map(|body| body as usize) {
                    ticks[body] = ticks[body].min(tick);
                }
            }
        }
        let textures = textures(scene, world, file.parent().unwrap_or(Path::new("")))?;
        Ok(Self { scene, world, hits, region, textures, ticks })
    }

    /// Returns the figure of a body, unless it is out of sight.
    pub(super) fn figure(&self, index: usize) -> Option<Figure> {
        let id = self.world.id(index as u32)?;
        let (body, bounds) = (self.world.body(id)?, self.world.swept_bounds(id)?);
        let [columns, rows] = [self.region.columns(), self.region.rows()];
        let seen = bounds.min.x >> 8 <= columns.end
            && bounds.max.x >> 8 >= columns.start - 1
            && bounds.min.y >> 8 <= rows.end
            && bounds.max.y >> 8 >= rows.start - 1;
        if !seen {
            return None;
        }
        let colour = if self.hits.flag(index) { WARM[index % WARM.len()] } else { COOL[index % COOL.len()] };
        let sprite = self.world.pixels(id).is_some();
        let (look, way) = if sprite { self.sprite(id, &body, colour) } else { self.convex(id, &body) };
        Some(Figure { label: self.scene.label(index), colour, look, way })
    }

    fn sprite(&self, id: BodyId, body: &Body, colour: Colour) -> (Look, Option<Way>) {
        let look = |by| Look::Pixels(self.runs(id, colour, by));
        let way = moves(body).then(|| {
            let stops = [self.ticks[id.index() as usize], TICKS].map(|tick| self.gone(id, body, tick));
            let ghost = stops[0].map(|v| v as i32);
            Way { stops: self.stops(id, stops), ghost: (ghost != [0, 0]).then(|| look(ghost)) }
        });
        (look([0, 0]), way)
    }

    fn convex(&self, id: BodyId, body: &Body) -> (Look, Option<Way>) {
        let lines = Curve::outlines(self.world, id).unwrap_or_default();
        let way = moves(body).then(|| {
            let stops = [self.ticks[id.index() as usize], TICKS].map(|tick| self.gone(id, body, tick));
            let [at, _] = stops;
            let ghost = (at != [0.0; 2]).then(|| Look::Outline(lines.iter().map(|line| line.moved(at)).collect()));
            Way { stops: self.stops(id, stops), ghost }
        });
        (Look::Outline(lines), way)
    }

    /// Returns how far a body has moved by a tick.
    fn gone(&self, id: BodyId, body: &Body, tick: u32) -> [f64; 2] {
        let at = self.world.position_at(id, tick).unwrap_or(body.at);
        [at.x - body.at.x, at.y - body.at.y]
    }

    /// Returns the stops of a way, from the middle of the body's bounding box at its start.
    fn stops(&self, id: BodyId, [ghost, end]: [[f64; 2]; 2]) -> [[f64; 2]; 3] {
        let [a, b] = self.world.bounds(id).map_or([[0.0; 2]; 2], |reach| [reach.min, reach.max].map(Point::units));
        let middle = [0, 1].map(|axis| f64::midpoint(a[axis], b[axis]));
        [middle, add(middle, ghost), add(middle, end)]
    }

    /// Returns the pixels that a sprite paints, moved by whole pixels.
    fn runs(&self, id: BodyId, colour: Colour, by: [i32; 2]) -> Vec<Run> {
        let (Some(body), Some(pixels)) = (self.world.body(id), self.world.pixels(id)) else { return Vec::new() };
        let [left, top, width, height] = pixels;
        let reached = Region { left, top, width, height };
        let seen = reached.meet(&self.region.moved(by.map(|v| -v)));
        let texture = self.textures[body.shape.index() as usize].as_ref();
        let mut runs: Vec<Run> = Vec::new();
        for y in seen.rows() {
            for x in seen.columns() {
                let Some([i, j]) = self.world.texel(id, [x, y]) else { continue };
                let light = if let Some(luma) = texture.and_then(|texture| texture.luma([i, j])) {
                    // Keep dark texels visible.
                    90 + u32::from(luma) * 2 / 3
                } else {
                    let beside = [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]];
                    if beside.iter().all(|&pixel| self.world.texel(id, pixel).is_some()) { 160 } else { 255 }
                };
                let colour = colour.map(|channel| (u32::from(channel) * light.min(255) / 255) as u8);
                let at = [x + by[0], y + by[1]];
                match runs.last_mut() {
                    Some(run) if run.colour == colour && [run.at[0] + run.length, run.at[1]] == at => run.length += 1,
                    _ => runs.push(Run { at, length: 1, colour }),
                }
            }
        }
        runs
    }
}

fn add([a, b]: [f64; 2], [c, d]: [f64; 2]) -> [f64; 2] {
    [a + c, b + d]
}

fn moves(body: &Body) -> bool {
    body.motion != Vec2::default()
}
