//! The content of a frame, from the world as engines see it.

use bytemuck::{Pod, Zeroable};
use hitmask::geometry::{Aabb, Piece, Point, SUBPIXELS, Sampling, Vec2, snap};
use hitmask::{BodyId, Touch, World};

use crate::camera::Camera;
use crate::controls::Controls;
use crate::game::Game;
use crate::lit::{self, Run};
use crate::scenes::Mark;
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

/// The style of a stroke; the numbers are those of draw.wgsl.
#[derive(Clone, Copy)]
enum Style {
    /// A body's interior and edge.
    Body = 0,
    /// A body's edge.
    Edge = 1,
    /// A body at the end of its motion.
    Ghost = 2,
    Bounds = 3,
    Candidate = 4,
    Held = 5,
    Beam = 6,
    Nearest = 7,
}

/// The bit of a body's number that marks it as lit by a ray; as in draw.wgsl.
const SHONE: u32 = 1 << 31;

/// The opacity of a sprite at the end of its motion.
const GHOST: f32 = 0.3;
/// The number of edges with which a corner of a rounded polygon is drawn.
const ARC: i32 = 8;
/// The maximum number of bodies that are drawn.
const MOST: usize = 4 << 20;

/// The content of a frame, in the order in which the fields are drawn.
#[derive(Default)]
pub(crate) struct Picture {
    pub(crate) sprites: Vec<Sprite>,
    pub(crate) fills: Vec<Fill>,
    pub(crate) strokes: Vec<Stroke>,
    pub(crate) lit: Vec<Run>,
    /// The number of bodies in sight, and of pairs whose bounds overlap, if these are drawn.
    pub(crate) visible: usize,
    pub(crate) candidates: usize,
    /// The number of sprite shapes for which the sheet has no room.
    pub(crate) left_out: usize,
}

impl Picture {
    pub(crate) fn new(game: &Game, sheet: &Sheet, camera: &Camera, size: [u32; 2], controls: &Controls) -> Self {
        let world = &game.world;
        let sight = sight(camera, size);
        let in_sight =
            |id: BodyId| Some((id, world.swept_bounds(id).filter(|bounds| bounds.meets(&sight, Touch::Included))?));
        let visible: Vec<(BodyId, Aabb)> = world.ids().filter_map(in_sight).collect();
        let mut picture = Self { visible: visible.len(), left_out: sheet.left_out, ..Self::default() };
        let ends = controls.paths.then(|| at_the_ends(world)).flatten();
        for &(body, _) in visible.iter().take(MOST) {
            if let Some(ends) = &ends {
                picture.way(world, ends, sheet, body);
            }
            let shone = game.marks().contains(&Mark::Shone(body.index()));
            picture.body(world, sheet, body, if shone { SHONE } else { 0 });
        }
        for mark in game.marks() {
            match *mark {
                Mark::Beam(ends) => picture.line(ends, 0, Style::Beam),
                Mark::Nearest(ends) => picture.line(ends, 0, Style::Nearest),
                Mark::Shone(_) => {}
            }
        }
        if controls.bounds {
            for (body, bounds) in &visible {
                picture.rectangle(bounds, *body, Style::Bounds);
            }
        }
        if controls.candidates {
            picture.candidates(world, visible);
        }
        let held = game.held.and_then(|body| world.id(body as u32));
        if let Some((held, bounds)) = held.and_then(|held| Some((held, world.swept_bounds(held)?))) {
            picture.rectangle(&bounds, held, Style::Held);
        }
        if controls.lit {
            picture.lit = lit::runs(world, &game.hits, &sight);
        }
        picture
    }

    /// Draws a body at its position.
    fn body(&mut self, world: &World, sheet: &Sheet, id: BodyId, shone: u32) {
        let body = id.index() | shone;
        let Some(landed) = world.landed(id) else {
            self.sprites.extend(sprite(world, sheet, id, body, 1.0));
            return;
        };
        // The edges between the pieces of polygons are not drawn, unless a part has a radius.
        let is_polygon = landed.iter().all(|piece| piece.radius == 0 && piece.vertices.len() > 2);
        for Piece { vertices, radius, .. } in &landed {
            match vertices.as_slice() {
                // Circles and capsules.
                [from] | [from, _] => {
                    self.stroke(*from, *vertices.last().unwrap_or(from), *radius, body, Style::Body);
                }
                _ if *radius > 0 => {
                    let edge = rounded(vertices, *radius);
                    self.fan(&edge, body);
                    self.loops(&[edge], body, Style::Edge);
                }
                _ => {
                    self.fan(vertices, body);
                    if !is_polygon {
                        self.loops(std::slice::from_ref(vertices), body, Style::Edge);
                    }
                }
            }
        }
        if is_polygon {
            let loops = world.outline(id).unwrap_or_default();
            self.loops(&loops, body, Style::Edge);
        }
    }

    /// Draws the path of a body within the step, and the body at its end.
    fn way(&mut self, world: &World, ends: &World, sheet: &Sheet, id: BodyId) {
        let Some((body, end)) = world.body(id).zip(ends.body(id)) else { return };
        if body.motion == Vec2::default() {
            return;
        }
        self.line([body.at, end.at], id.index(), Style::Ghost);
        let Some(landed) = ends.landed(id) else {
            self.sprites.extend(sprite(ends, sheet, id, id.index(), GHOST));
            return;
        };
        for Piece { vertices, radius, .. } in &landed {
            if let [from] | [from, _] = vertices[..] {
                self.stroke(from, *vertices.last().unwrap_or(&from), *radius, id.index(), Style::Ghost);
                continue;
            }
            let edge = if *radius > 0 { rounded(vertices, *radius) } else { vertices.clone() };
            self.loops(&[edge], id.index(), Style::Ghost);
        }
    }

    /// Draws the pairs of bodies in sight that pass each other's filters and whose bounds overlap, as lines between the
    /// centres of their bounds.
    fn candidates(&mut self, world: &World, mut order: Vec<(BodyId, Aabb)>) {
        let touch = world.touch();
        order.sort_unstable_by_key(|(_, bounds)| bounds.min.x);
        let sees = |a, b| world.sees(a, b).unwrap_or_default();
        let mut found = 0;
        for (place, (a, of_a)) in order.iter().enumerate() {
            // With touch included, sprites hit if pixels of them are adjacent.
            let reach = of_a.max.x.saturating_add(if touch == Touch::Included { SUBPIXELS } else { 0 });
            for (b, of_b) in order[place + 1..].iter().take_while(|(_, bounds)| bounds.min.x <= reach) {
                if of_a.meets(of_b, touch) && (sees(*a, *b) || sees(*b, *a)) {
                    found += 1;
                    self.stroke(of_a.centre(), of_b.centre(), 0, a.index(), Style::Candidate);
                }
            }
        }
        self.candidates = found;
    }

    fn rectangle(&mut self, &Aabb { min, max }: &Aabb, body: BodyId, style: Style) {
        let corners = vec![min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)];
        self.loops(&[corners], body.index(), style);
    }

    fn stroke(&mut self, from: Point, to: Point, radius: i32, body: u32, style: Style) {
        self.strokes.push(Stroke { ends: [from.x, from.y, to.x, to.y], radius, body, style: style as u32 });
    }

    /// Draws a line between two points in units.
    fn line(&mut self, ends: [Vec2; 2], body: u32, style: Style) {
        let [from, to] = ends.map(|v| Point::new(snap(v.x) as i32, snap(v.y) as i32));
        self.stroke(from, to, 0, body, style);
    }

    fn loops(&mut self, loops: &[Vec<Point>], body: u32, style: Style) {
        for edge in loops {
            for (&from, &to) in edge.iter().zip(edge.iter().cycle().skip(1)) {
                self.stroke(from, to, 0, body, style);
            }
        }
    }

    /// Fills a convex polygon.
    fn fan(&mut self, corners: &[Point], body: u32) {
        for pair in corners.windows(2).skip(1) {
            let triangle = [corners[0], pair[0], pair[1]];
            self.fills.extend(triangle.map(|p| Fill { at: [p.x, p.y], body }));
        }
    }
}

/// Returns a world with all bodies at the ends of their motions, or `None` if one would leave it.
fn at_the_ends(world: &World) -> Option<World> {
    let mut ends = world.clone();
    ends.advance().ok().map(|()| ends)
}

/// Returns a sprite; `body` selects its flag and colour.
fn sprite(world: &World, sheet: &Sheet, id: BodyId, body: u32, alpha: f32) -> Option<Sprite> {
    let shape = world.body(id)?.shape;
    let sheet = sheet.first[shape.index() as usize]?;
    let mask = world.shape(shape)?.mask()?;
    let Sampling { pixels: [x, y, width, height], start, across: [a, c], down: [b, d], .. } = world.sampling(id)?;
    Some(Sprite {
        first: [x, y],
        size: [width, height],
        inverse: [a, b, c, d],
        start: start.map(|v| v as i32),
        about: start.map(|v| v as f32),
        texels: [mask.width() as i32, mask.height() as i32],
        sheet,
        body,
        alpha,
    })
}

/// Returns the outline of a convex core inflated by a radius, with corners made of short edges.
fn rounded(core: &[Point], radius: i32) -> Vec<Point> {
    let wide = |p: Point| [f64::from(p.x), f64::from(p.y)];
    let count = core.len();
    let area: f64 = (0..count)
        .map(|i| {
            let ([px, py], [qx, qy]) = (wide(core[i]), wide(core[(i + 1) % count]));
            px * qy - py * qx
        })
        .sum();
    // Make normals point outward, whichever way the core winds.
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
            // Interpolate between the normals of both edges, and scale to the radius.
            let share = f64::from(step) / f64::from(ARC);
            let [nx, ny] = [0, 1].map(|axis| before[axis] * (1.0 - share) + after[axis] * share);
            let length = (nx * nx + ny * ny).sqrt().max(1e-6) / f64::from(radius);
            edge.push(Point::new((x + nx / length).round() as i32, (y + ny / length).round() as i32));
        }
    }
    edge
}

/// Returns the part of the world that the window shows, in lattice steps.
fn sight(camera: &Camera, [width, height]: [u32; 2]) -> Aabb {
    let steps = |[x, y]: [f64; 2]| [x, y].map(|v| (v * f64::from(SUBPIXELS)).round() as i32);
    let [left, top] = steps(camera.point([0.0, 0.0]));
    let [right, bottom] = steps(camera.point([f64::from(width), f64::from(height)]));
    Aabb { min: Point::new(left, top), max: Point::new(right, bottom) }
}
