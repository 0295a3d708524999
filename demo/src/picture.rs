//! What is to be drawn of a step, from the world as engines see it.

use bytemuck::{Pod, Zeroable};
use hitmask::cpu::narrow::bounds_meet;
use hitmask::cpu::paint::texel_under;
use hitmask::lattice::SUBPIXELS;
use hitmask::packed::{Aabb, EMPTY, SPRITE};
use hitmask::path::Path;
use hitmask::{BodyId, Point, Touch, World};

use crate::camera::Camera;
use crate::controls::Controls;
use crate::game::Game;
use crate::lit::{self, Run};
use crate::sheet::Sheet;

/// A sprite: `Sprite` in draw.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Sprite {
    first: [i32; 2],
    size: [i32; 2],
    inverse: [i32; 4],
    start: [i32; 2],
    about: [f32; 2],
    texels: [i32; 2],
    sheet: u32,
    body: u32,
    alpha: f32,
}

/// A corner of a triangle within a polygon: `Fill` in draw.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Fill {
    at: [i32; 2],
    body: u32,
}

/// A segment with a radius: `Stroke` in draw.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
pub(crate) struct Stroke {
    ends: [i32; 4],
    radius: i32,
    body: u32,
    style: u32,
}

/// How a stroke looks; the numbers are those of draw.wgsl.
#[derive(Clone, Copy)]
enum Style {
    /// A body's inside and edge.
    Body = 0,
    /// A body's edge.
    Edge = 1,
    /// A body where it goes.
    Ghost = 2,
    Bounds = 3,
    Candidate = 4,
    Held = 5,
}

/// How much of a sprite shows where it goes.
const GHOST: f32 = 0.3;
/// A corner of a rounded polygon is drawn as so many edges.
const ARC: i32 = 8;
/// The most sprites, and bodies of other kinds, whose parts are drawn.
const MOST: usize = 4 << 20;

/// All that is to be drawn, in the order of the fields.
#[derive(Default)]
pub(crate) struct Picture {
    pub(crate) sprites: Vec<Sprite>,
    pub(crate) fills: Vec<Fill>,
    pub(crate) strokes: Vec<Stroke>,
    pub(crate) lit: Vec<Run>,
    /// How many bodies are in sight, and how many pairs whose bounds meet, where these are drawn.
    pub(crate) visible: usize,
    pub(crate) candidates: usize,
    /// Shapes of sprites for which the sheet has no room.
    pub(crate) left_out: usize,
}

impl Picture {
    pub(crate) fn new(game: &Game, sheet: &Sheet, camera: &Camera, size: [u32; 2], controls: &Controls) -> Self {
        let world = &game.world;
        let sight = sight(camera, size);
        let bounds = &world.packed().bounds;
        let visible: Vec<usize> =
            (0..bounds.len()).filter(|&body| bounds_meet(&bounds[body], &sight, Touch::Included)).collect();
        let mut picture = Self { visible: visible.len(), left_out: sheet.left_out, ..Self::default() };
        for &body in visible.iter().take(MOST) {
            if controls.paths {
                picture.way(game, sheet, body);
            }
            picture.body(world, sheet, body);
        }
        if controls.bounds {
            for &body in &visible {
                picture.rectangle(&bounds[body], body, Style::Bounds);
            }
        }
        if controls.candidates {
            picture.candidates(world, &visible);
        }
        if let Some(held) = game.held {
            picture.rectangle(&bounds[held], held, Style::Held);
        }
        if controls.lit {
            picture.lit = lit::runs(world, &game.hits, &sight);
        }
        picture
    }

    /// A body where it is.
    fn body(&mut self, world: &World, sheet: &Sheet, index: usize) {
        if world.packed().bodies[index].is(SPRITE) {
            self.sprites.extend(sprite(world, sheet, index, [0, 0], 1.0));
            return;
        }
        let Some(landed) = world.landed(BodyId(index as u32)) else { return };
        let body = index as u32;
        match landed.pieces.as_slice() {
            // Circles and capsules.
            [piece] if piece.len() < 3 => {
                self.stroke(piece[0], *piece.last().unwrap_or(&piece[0]), landed.radius, body, Style::Body);
            }
            [piece] if landed.radius > 0 => {
                let edge = rounded(piece, landed.radius);
                self.fan(&edge, body);
                self.loops(&[edge], body, Style::Edge);
            }
            pieces => {
                for piece in pieces {
                    self.fan(piece, body);
                }
                let loops = world.outline(BodyId(body)).unwrap_or_default();
                self.loops(&loops, body, Style::Edge);
            }
        }
    }

    /// The way of a body within the step, and the body at its end.
    fn way(&mut self, game: &Game, sheet: &Sheet, index: usize) {
        let world = &game.world;
        let packed = &world.packed().bodies[index];
        let (body, motion) = (index as u32, packed.motion);
        if !packed.moves() {
            return;
        }
        self.stroke(packed.position, packed.position + motion, 0, body, Style::Ghost);
        if packed.is(SPRITE) {
            // By whole pixels, as it is swept.
            self.sprites.extend(sprite(world, sheet, index, Path::end(motion), GHOST));
        } else if let Some(landed) = world.landed(BodyId(body)) {
            for piece in &landed.pieces {
                let piece: Vec<Point> = piece.iter().map(|&p| p + motion).collect();
                let edge = if landed.radius > 0 { rounded(&piece, landed.radius) } else { piece };
                self.loops(&[edge], body, Style::Ghost);
            }
        }
    }

    /// The pairs of bodies in sight whose bounds meet, and that hit each other's layers: lines between their bounds' middles.
    fn candidates(&mut self, world: &World, visible: &[usize]) {
        let packed = world.packed();
        let touch = world.touch();
        let mut order = visible.to_vec();
        order.sort_unstable_by_key(|&body| packed.bounds[body].min.x);
        let mut found = 0;
        for (place, &a) in order.iter().enumerate() {
            let of_a = &packed.bounds[a];
            // Sprites touch where a pixel of air is not between them.
            let reach = of_a.max.x.saturating_add(if touch == Touch::Included { SUBPIXELS } else { 0 });
            let near = order[place + 1..].iter().take_while(|&&b| packed.bounds[b].min.x <= reach);
            for &b in near {
                let of_b = &packed.bounds[b];
                if bounds_meet(of_a, of_b, touch) && packed.bodies[a].sees(&packed.bodies[b]) {
                    found += 1;
                    self.stroke(middle(of_a), middle(of_b), 0, a as u32, Style::Candidate);
                }
            }
        }
        self.candidates = found;
    }

    fn rectangle(&mut self, bounds: &Aabb, body: usize, style: Style) {
        if bounds.is_somewhere() {
            let Aabb { min, max } = *bounds;
            let corners = vec![min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)];
            self.loops(&[corners], body as u32, style);
        }
    }

    fn stroke(&mut self, from: Point, to: Point, radius: i32, body: u32, style: Style) {
        self.strokes.push(Stroke { ends: [from.x, from.y, to.x, to.y], radius, body, style: style as u32 });
    }

    fn loops(&mut self, loops: &[Vec<Point>], body: u32, style: Style) {
        for edge in loops {
            for (&from, &to) in edge.iter().zip(edge.iter().cycle().skip(1)) {
                self.stroke(from, to, 0, body, style);
            }
        }
    }

    /// The inside of a convex polygon.
    fn fan(&mut self, corners: &[Point], body: u32) {
        for pair in corners.windows(2).skip(1) {
            let triangle = [corners[0], pair[0], pair[1]];
            self.fills.extend(triangle.map(|p| Fill { at: [p.x, p.y], body }));
        }
    }
}

/// A sprite, moved by whole pixels.
fn sprite(world: &World, sheet: &Sheet, index: usize, by: [i32; 2], alpha: f32) -> Option<Sprite> {
    let packed = world.packed();
    let body = &packed.bodies[index];
    let shape = &packed.shapes[body.shape as usize];
    let sheet = sheet.first[body.shape as usize].filter(|_| !body.is(EMPTY))?;
    let Aabb { min, max } = body.pixels(shape);
    let start = texel_under(body, shape, min.x, min.y);
    let ([a, b], [c, d]) = (body.linear.x, body.linear.y);
    Some(Sprite {
        first: [min.x + by[0], min.y + by[1]],
        size: [max.x - min.x, max.y - min.y],
        inverse: [a, b, c, d],
        start: start.map(|v| v as i32),
        about: start.map(|v| v as f32),
        texels: [shape.size.x, shape.size.y],
        sheet,
        body: index as u32,
        alpha,
    })
}

/// The edge of a convex core inflated by a radius, its corners in short edges.
fn rounded(core: &[Point], radius: i32) -> Vec<Point> {
    let wide = |p: Point| [f64::from(p.x), f64::from(p.y)];
    let count = core.len();
    let area: f64 = (0..count)
        .map(|i| {
            let ([px, py], [qx, qy]) = (wide(core[i]), wide(core[(i + 1) % count]));
            px * qy - py * qx
        })
        .sum();
    // Normals point outward, whichever way the core winds.
    let side = if area < 0.0 { -1.0 } else { 1.0 };
    let mut edge = Vec::with_capacity(count * (ARC as usize + 1));
    for i in 0..count {
        let [x, y] = wide(core[i]);
        let normal = |i: usize| {
            let ([px, py], [qx, qy]) = (wide(core[i]), wide(core[(i + 1) % count]));
            let (dx, dy) = (qx - px, qy - py);
            let length = (dx * dx + dy * dy).sqrt().max(1.0);
            [side * dy / length, -side * dx / length]
        };
        let (before, after) = (normal((i + count - 1) % count), normal(i));
        for step in 0..=ARC {
            // Between the normals of both edges, made as long as the radius.
            let share = f64::from(step) / f64::from(ARC);
            let [nx, ny] = [0, 1].map(|axis| before[axis] * (1.0 - share) + after[axis] * share);
            let length = (nx * nx + ny * ny).sqrt().max(1e-6) / f64::from(radius);
            edge.push(Point::new((x + nx / length).round() as i32, (y + ny / length).round() as i32));
        }
    }
    edge
}

/// What the window shows, in lattice steps.
fn sight(camera: &Camera, [width, height]: [u32; 2]) -> Aabb {
    let steps = |[x, y]: [f64; 2]| [x, y].map(|v| (v * f64::from(SUBPIXELS)).round() as i32);
    let [left, top] = steps(camera.point([0.0, 0.0]));
    let [right, bottom] = steps(camera.point([f64::from(width), f64::from(height)]));
    Aabb { min: Point::new(left, top), max: Point::new(right, bottom) }
}

fn middle(bounds: &Aabb) -> Point {
    Point::new(i32::midpoint(bounds.min.x, bounds.max.x), i32::midpoint(bounds.min.y, bounds.max.y))
}
