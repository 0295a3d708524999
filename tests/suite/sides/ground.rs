//! Grounds of each kind to move on and against, about 200 units wide, with their surface at a y of about 100 units.

use hitmask::geometry::Flip;
use hitmask::scene::{BodySpec, Form, Image, Pose, ShapeSpec};

use super::draw::Draw;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Ground {
    /// One polygon: floors, slopes, valleys.
    Hills,
    /// A polygon like that, cut from top to bottom.
    Polygons,
    /// Squares, some with slopes of 45 and 26.6 degrees.
    Tiles,
    /// Boxes in a row and in steps.
    Boxes,
    /// A wall of bricks in bond, at any angle.
    Bricks,
    /// Rounded bodies in a row.
    Cobbles,
    /// One sprite.
    Pixels,
    /// One sprite, rotated and scaled.
    TurnedPixels,
    /// Sprites of 16 pixels, in rows.
    PixelTiles,
    /// Hills under a ceiling of hills.
    Ceiling,
    /// Two walls of boxes, often exactly as far apart as the mover is wide.
    Shaft,
}

pub(super) const GROUNDS: [Ground; 11] = [
    Ground::Hills,
    Ground::Polygons,
    Ground::Tiles,
    Ground::Boxes,
    Ground::Bricks,
    Ground::Cobbles,
    Ground::Pixels,
    Ground::TurnedPixels,
    Ground::PixelTiles,
    Ground::Ceiling,
    Ground::Shaft,
];

type Shapes = Vec<(String, ShapeSpec)>;

/// The shapes and bodies of a ground.
#[derive(Default)]
pub(super) struct Laid {
    pub(super) shapes: Shapes,
    pub(super) bodies: Vec<BodySpec>,
}

impl Ground {
    /// Returns whether the ground has only convex bodies and polygons.
    pub(super) fn is_smooth(self) -> bool {
        !matches!(self, Self::Pixels | Self::TurnedPixels | Self::PixelTiles)
    }

    /// Lays the ground for a mover of the given width.
    pub(super) fn lay(self, draw: &mut Draw, wide: f64) -> Laid {
        let mut laid = Laid::default();
        match self {
            Self::Hills => laid.hills(&surface(draw), 160.0),
            Self::Polygons => laid.cut_hills(draw),
            Self::Tiles => laid.tiles(draw),
            Self::Boxes => laid.boxes(draw),
            Self::Bricks => laid.bricks(draw),
            Self::Cobbles => laid.cobbles(draw),
            Self::Pixels => laid.pixels(draw, [0.0, 60.0], Pose::default()),
            Self::TurnedPixels => {
                let (angle, scale) = (draw.round(0.0, 360.0), draw.pick(&[1.0, 1.0, 1.5, 2.25]));
                laid.pixels(draw, [100.0, 100.0], Pose::Turned { angle, scale: [scale; 2], flip: Flip::default() });
            }
            Self::PixelTiles => laid.pixel_tiles(draw),
            Self::Ceiling => {
                let room = draw.real(16.0, 50.0);
                laid.hills(&surface(draw), 160.0);
                let above: Vec<_> = surface(draw).into_iter().map(|[x, y]| [x, y - room]).collect();
                laid.hills(&above, 0.0);
            }
            Self::Shaft => laid.shaft(draw, wide),
        }
        laid
    }
}

impl Laid {
    fn shape(&mut self, form: Form) -> String {
        let name = format!("s{}", self.shapes.len());
        self.shapes.push((name.clone(), ShapeSpec::new(form)));
        name
    }

    fn put(&mut self, form: Form, at: [f64; 2]) {
        let shape = self.shape(form);
        self.bodies.push(BodySpec::new(shape, at));
    }

    fn polygon(&mut self, outline: Vec<[f64; 2]>) {
        self.put(Form::Polygon { outline, holes: Vec::new(), radius: 0.0 }, [0.0; 2]);
    }

    /// Adds the polygon between a surface and a level.
    fn hills(&mut self, surface: &[[f64; 2]], level: f64) {
        let [first, last] = [surface[0], surface[surface.len() - 1]];
        self.polygon(surface.iter().copied().chain([[last[0], level], [first[0], level]]).collect());
    }

    fn cut_hills(&mut self, draw: &mut Draw) {
        let surface = surface(draw);
        let mut from = 0;
        while from + 1 < surface.len() {
            let to = (from + 1 + draw.below(3) as usize).min(surface.len() - 1);
            self.hills(&surface[from..=to], 160.0);
            from = to;
        }
    }

    fn tiles(&mut self, draw: &mut Draw) {
        // The heights of a tile's left and right side, in halves of a tile.
        let kinds: [[u32; 2]; 8] = [[2, 2], [1, 1], [0, 2], [2, 0], [0, 1], [1, 2], [2, 1], [1, 0]];
        let names = kinds.map(|[left, right]| {
            let top = |halves: u32| 16.0 - 8.0 * f64::from(halves);
            let mut outline = vec![[0.0, top(left)], [16.0, top(right)], [16.0, 16.0], [0.0, 16.0]];
            outline.dedup();
            if left == 0 {
                outline.pop();
            }
            self.shape(Form::Polygon { outline, holes: Vec::new(), radius: 0.0 })
        });
        // The height of the surface, in halves of a tile.
        let mut height = 4 + draw.below(6);
        for column in 0..13 {
            let next = match draw.below(6) {
                0 => height + 2,
                1 => height + 1,
                2 => height.saturating_sub(1).max(2),
                3 => height.saturating_sub(2).max(2),
                _ => height,
            };
            let base = height.min(next) / 2 * 2;
            let mut put = |kind: usize, level: u32| {
                let at = [16.0 * f64::from(column), 160.0 - 8.0 * f64::from(level) - 16.0];
                self.bodies.push(BodySpec::new(names[kind].clone(), at));
            };
            (0..base / 2).rev().take(2).for_each(|level| put(0, 2 * level));
            let ends = [height - base, next - base];
            match kinds.iter().position(|kind| *kind == ends) {
                Some(kind) => put(kind, base),
                // Too steep for a slope.
                None if ends != [0, 0] => put(0, base),
                None => {}
            }
            height = next;
            // A pit, or a step.
            if draw.once_in(8) {
                height = 2 + draw.below(8);
            }
        }
    }

    fn boxes(&mut self, draw: &mut Draw) {
        let (mut x, mut top) = (0.0, 100.0);
        let (mut least, mut most) = (4.0, 20.0);
        if draw.once_in(3) {
            (least, most) = (16.0, 16.0);
        }
        while x < 200.0 {
            let wide = draw.round(least, most);
            self.put(Form::Box([wide, draw.round(10.0, 40.0)]), [x, top]);
            x += wide;
            top += match draw.below(8) {
                0 => draw.sign() / 256.0,
                1 => draw.round(-1.0, 1.0),
                2 => draw.round(-8.0, 8.0),
                3 => draw.sign() * 4.0,
                _ => 0.0,
            };
            if draw.once_in(12) {
                x += draw.round(0.0, 12.0);
            }
        }
    }

    fn bricks(&mut self, draw: &mut Draw) {
        let angle = match draw.below(5) {
            0 | 1 => 0.0,
            2 => 90.0 * f64::from(draw.below(4)),
            _ => draw.real(0.0, 360.0),
        };
        let [w, h] = [draw.round(6.0, 20.0), draw.round(4.0, 10.0)];
        let brick = self.shape(Form::Box([w, h]));
        let (sin, cos) = angle.to_radians().sin_cos();
        let (rows, columns) = (2 + draw.below(4), 4 + draw.below(6));
        let shifted = draw.pick(&[0.0, 0.5, 0.25]);
        let centre = [100.0, 110.0];
        for row in 0..rows {
            for column in 0..columns {
                let u = (f64::from(column) + shifted * f64::from(row % 2) - f64::from(columns) / 2.0) * w;
                let v = (f64::from(row) - f64::from(rows) / 2.0) * h;
                let at = [centre[0] + cos * u - sin * v, centre[1] + sin * u + cos * v];
                let at = at.map(|v| (v * 256.0).round() / 256.0);
                let pose = Pose::Turned { angle, scale: [1.0; 2], flip: Flip::default() };
                self.bodies.push(BodySpec { pose, ..BodySpec::new(brick.clone(), at) });
            }
        }
        // Sometimes one brick is missing.
        if draw.once_in(3) {
            self.bodies.swap_remove(draw.below(rows * columns) as usize);
        }
    }

    fn cobbles(&mut self, draw: &mut Draw) {
        let mut x = 0.0;
        while x < 200.0 {
            let r = draw.round(2.0, 12.0);
            let at = [x, 100.0 + draw.round(-4.0, 4.0)];
            match draw.below(3) {
                0 => self.put(Form::Circle(r), at),
                1 => self.put(Form::Capsule { from: [-r, draw.round(-4.0, 4.0)], to: [r, 0.0], radius: r / 2.0 }, at),
                _ => {
                    let outline = vec![[-r, -r], [r, -r / 2.0], [r, r], [-r / 2.0, r]];
                    self.put(Form::Polygon { outline, holes: Vec::new(), radius: draw.round(0.25, 4.0) }, at);
                }
            }
            x += draw.round(r, 2.0 * r);
        }
    }

    /// Adds a sprite with an uneven surface and some holes.
    fn pixels(&mut self, draw: &mut Draw, at: [f64; 2], pose: Pose) {
        let (w, h) = (120, 60);
        let mut heights = Vec::new();
        let mut height = 20_i32;
        while heights.len() < w {
            // The columns of a stair, and its height in pixels.
            let (run, rise) = match draw.below(6) {
                0 => (10, 0),
                1 => (1, 1),
                2 => (2, 1),
                3 => (3, 1),
                4 => (1, 2),
                _ => (1, draw.below(6) as i32),
            };
            let rise = if draw.once_in(2) { -rise } else { rise };
            for _ in 0..=draw.below(8) {
                heights.extend((0..run).map(|_| height));
                height = (height + rise).clamp(2, 40);
            }
        }
        let holes: Vec<[i32; 3]> = (0..draw.below(4))
            .map(|_| [draw.below(120) as i32, 20 + draw.below(40) as i32, draw.below(14) as i32])
            .collect();
        let solid = |x: usize, y: i32| {
            let holed = |[u, v, r]: &[i32; 3]| (x as i32 - u).pow(2) + (y - v).pow(2) < r * r;
            h - y <= heights[x] && !holes.iter().any(holed)
        };
        let rows = (0..h).map(|y| (0..w).map(|x| if solid(x, y) { '#' } else { '.' }).collect());
        let form = Form::Sprite { image: Image::Rows(rows.collect()), threshold: 128, region: None };
        let name = self.shape(form);
        let anchor = if pose == Pose::default() { [0.0; 2] } else { [60.0, 40.0] };
        if let Some((_, shape)) = self.shapes.last_mut() {
            shape.anchor = anchor;
        }
        let at = [at[0] + draw.round(0.0, 1.0), at[1] + draw.round(0.0, 1.0)];
        self.bodies.push(BodySpec { pose, ..BodySpec::new(name, at) });
    }

    fn pixel_tiles(&mut self, draw: &mut Draw) {
        let slope = |run: usize, falls: bool| {
            let solid = |x: usize, y: usize| 16 - y <= 1 + if falls { 15 - x } else { x } / run;
            (0..16).map(|y| (0..16).map(|x| if solid(x, y) { '#' } else { '.' }).collect()).collect::<Vec<String>>()
        };
        let images = [vec!["#".repeat(16); 16], slope(1, false), slope(1, true), slope(2, false), slope(2, true)];
        let names =
            images.map(|rows| self.shape(Form::Sprite { image: Image::Rows(rows), threshold: 128, region: None }));
        let mut level = 0;
        for column in 0..12 {
            let x = 16.0 * f64::from(column);
            level = (level + draw.below(3) as i32 - 1).clamp(-2, 2);
            let top = 100.0 + 16.0 * f64::from(level);
            self.bodies.push(BodySpec::new(names[0].clone(), [x, top]));
            self.bodies.push(BodySpec::new(names[0].clone(), [x, top + 16.0]));
            if draw.once_in(2) {
                self.bodies.push(BodySpec::new(names[1 + draw.below(4) as usize].clone(), [x, top - 16.0]));
            }
        }
    }

    fn shaft(&mut self, draw: &mut Draw, wide: f64) {
        let gap = wide
            + match draw.below(4) {
                0 | 1 => 0.0,
                2 => 1.0 / 256.0,
                _ => draw.round(0.0, 6.0),
            };
        let left = draw.round(80.0, 100.0);
        let (high, thick) = (draw.round(8.0, 20.0), draw.round(4.0, 20.0));
        let wall = self.shape(Form::Box([thick, high]));
        for level in 0..4 {
            let y = 60.0 + f64::from(level) * high;
            for x in [left - thick, left + gap] {
                self.bodies.push(BodySpec::new(wall.clone(), [x, y]));
            }
        }
        if draw.once_in(2) {
            let floor = self.shape(Form::Box([80.0, 10.0]));
            self.bodies.push(BodySpec::new(floor, [left - 30.0, 60.0 + 4.0 * high]));
        }
    }
}

/// Returns a line of floors and slopes of 17 to 60 degrees, from left to right.
fn surface(draw: &mut Draw) -> Vec<[f64; 2]> {
    let (mut x, mut y) = (0.0, 100.0);
    let mut points = vec![[x, y]];
    let mut flat = draw.once_in(2);
    while x < 200.0 {
        let wide = draw.round(8.0, 40.0);
        x += wide;
        if !flat {
            let steep = draw.real(17.0, 60.0).to_radians().tan() * draw.sign();
            let grid = draw.pick(&[1.0, 256.0]);
            y = ((y + wide * steep) * grid).round() / grid;
            if !(60.0..150.0).contains(&y) {
                y = 100.0;
            }
        }
        points.push([x, y]);
        flat = if flat { false } else { draw.once_in(2) };
    }
    points
}
