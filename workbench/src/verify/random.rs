//! Random scenes: small, from every family, and biased towards cases in which engines go wrong.
//!
//! A scene first draws its *taste*: its kinds of shape, grid, density, poses, motions and distance from the origin. Its
//! shapes and bodies are then drawn accordingly. Those that the world would refuse are drawn again, and bodies that
//! would slow down the brute-force reference too much are left out.

use crate::workloads::SplitMix64;
use hitmask::Touch;
use hitmask::geometry::Flip;
use hitmask::mask::DEFAULT_THRESHOLD;
use hitmask::scene::{BodySpec, Form, Image, Pose, Scene, ShapeSpec};

/// Estimated time that the reference may take for a scene, in nanoseconds.
const BUDGET: u64 = 12_000_000;

/// Estimated time that the reference takes to go through all ticks of a moving sprite's step, in nanoseconds.
const ALL_TICKS: u64 = 400_000;

/// The world's edge, in units.
const EDGE: f64 = ((1 << 29) - 1) as f64 / 256.0;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Box,
    Circle,
    Capsule,
    Convex,
    Rounded,
    Concave,
    Holed,
    Sprite,
}

pub(super) const KINDS: [Kind; 8] =
    [Kind::Box, Kind::Circle, Kind::Capsule, Kind::Convex, Kind::Rounded, Kind::Concave, Kind::Holed, Kind::Sprite];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Posing {
    Plain,
    Quarters,
    Turned,
    Stretched,
    Matrix,
    Tiny,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Motion {
    None,
    /// Fractions of a unit.
    Crawling,
    Slow,
    Fast,
    /// Up to the maximum motion.
    Wild,
    /// About the same motion for all bodies.
    Formation([f64; 2]),
}

/// The parameters of a scene's draws.
#[expect(clippy::struct_excessive_bools, reason = "each switches a feature on or off by itself")]
pub(super) struct Taste {
    pub(super) kinds: Vec<Kind>,
    /// True if shapes without pixels get more parts.
    pub(super) parts: bool,
    /// Maximum side of a sprite, in texels.
    pub(super) side: u32,
    /// Maximum distance of a position from `origin` along each axis, in units.
    pub(super) span: u32,
    pub(super) origin: [f64; 2],
    pub(super) posings: Vec<Posing>,
    pub(super) motions: Vec<Motion>,
    pub(super) filters: bool,
    pub(super) groups: bool,
    /// True if some bodies are copies of others.
    pub(super) copies: bool,
    /// True if some bodies are on the brink of a hit.
    pub(super) brinks: bool,
}

/// Returns the random scene of a seed: always a valid world, and always the same.
#[must_use]
pub fn random_scene(seed: u64) -> Scene {
    let mut draw = Draw(SplitMix64(seed));
    let taste = draw.taste();
    draw.scene(&taste)
}

/// The properties of a body that make it slow on the reference.
pub(super) struct Weight {
    /// Number of pixels that a sprite may paint; 0 for a convex body.
    pixels: u64,
    pieces: u64,
    corners: u64,
    motion: [f64; 2],
}

impl Weight {
    pub(super) fn new(shape: &ShapeSpec, body: &BodySpec) -> Self {
        let stretch = match body.pose {
            Pose::Turned { scale: [x, y], .. } => x.abs().max(y.abs()),
            Pose::Matrix(rows) => rows.as_flattened().iter().fold(0.0_f64, |most, v| most.max(v.abs())) * 2.0,
        };
        let [texels, pieces, corners] = sizes(&shape.form);
        let pixels = if texels > 0 { 1 + (texels as f64 * stretch * stretch) as u64 } else { 0 };
        Self { pixels, pieces, corners, motion: body.motion }
    }

    pub(super) fn paint(&self) -> u64 {
        60 * self.pixels
    }

    fn cost(&self, other: &Self, touch: Touch) -> u64 {
        let moves = |weight: &Self| weight.motion != [0.0; 2];
        let ticks = if moves(self) || moves(other) { ALL_TICKS } else { 0 };
        // The reference tests a sprite at each offset.
        let all = [self, other].into_iter().filter(|weight| weight.pixels > 0);
        let steps = 2 + all.map(|weight| weight.motion.iter().map(|v| v.abs() as u64).sum::<u64>()).sum::<u64>();
        match (self.pixels, other.pixels) {
            (0, 0) => {
                let cores = (self.corners + 3) * (other.corners + 3);
                20 * cores * if moves(self) || moves(other) { 16 } else { 1 }
            }
            (0, pixels) => ticks + 300 * pixels * self.pieces * (steps + 16),
            (pixels, 0) => ticks + 300 * pixels * other.pieces * (steps + 16),
            (a, b) => ticks + (60 * (a + b) + if touch == Touch::Included { 200 * a } else { 0 }) * steps,
        }
    }
}

/// Returns the texels of a form, its pieces at most, and their corners.
fn sizes(form: &Form) -> [u64; 3] {
    match form {
        Form::Box(_) => [0, 1, 4],
        Form::Circle(_) => [0, 1, 1],
        Form::Capsule { .. } => [0, 1, 2],
        Form::Polygon { outline, holes, .. } => {
            let corners = (outline.len() + holes.iter().map(Vec::len).sum::<usize>()) as u64;
            [0, corners, corners]
        }
        Form::Sprite { image: Image::Rows(rows), .. } => [(rows.len() * rows[0].len()) as u64, 0, 0],
        Form::Sprite { .. } => [0; 3],
        Form::Parts(parts) => {
            parts.iter().map(|part| sizes(&part.shape.form)).fold([0; 3], |[_, p, c], [_, q, d]| [0, p + q, c + d])
        }
    }
}

pub(super) struct Draw(pub(super) SplitMix64);

impl Draw {
    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.0.below(n)
    }

    /// Returns true once in `n` times.
    pub(super) fn once_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub(super) fn choose<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len() as u32) as usize]
    }

    pub(super) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        *self.choose(from)
    }

    /// As `pick`, but draws nothing if there is no choice.
    fn one_of<T: Copy>(&mut self, from: &[T]) -> T {
        if from.len() == 1 { from[0] } else { self.pick(from) }
    }

    pub(super) fn real(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * ((self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// Draws a coordinate: usually a whole number, which makes bodies touch; otherwise a half, a lattice point, one
    /// halfway between lattice points, or anything.
    fn coordinate(&mut self, span: u32) -> f64 {
        match self.below(16) {
            0..8 => f64::from(self.below(span + 1)),
            8..11 => f64::from(self.below(2 * span + 1)) / 2.0,
            11..14 => f64::from(self.below(256 * span + 1)) / 256.0,
            14 => f64::from(self.below(512 * span + 1)) / 512.0,
            _ => self.real(0.0, f64::from(span)),
        }
    }

    pub(super) fn point(&mut self, span: u32) -> [f64; 2] {
        [self.coordinate(span), self.coordinate(span)]
    }

    /// Draws a length above 0, now and then the smallest one.
    fn length(&mut self, most: u32) -> f64 {
        if self.once_in(16) { 1.0 / 256.0 } else { self.coordinate(most).max(1.0 / 256.0) }
    }

    /// Draws a scene.
    pub(super) fn scene(&mut self, taste: &Taste) -> Scene {
        let touch = self.pick(&[Touch::Excluded, Touch::Included]);
        let mut shapes = Vec::new();
        for i in 0..=self.below(5) {
            shapes.push((format!("s{i}"), self.shape(taste)));
        }
        let count = match self.below(16) {
            0 => self.below(3),
            1 | 2 => 16 + self.below(25),
            3..8 => 7 + self.below(8),
            _ => 2 + self.below(6),
        };
        let mut bodies: Vec<BodySpec> = Vec::new();
        let mut weights: Vec<Weight> = Vec::new();
        let mut cost = 0;
        for _ in 0..count {
            let (name, shape) = self.choose(&shapes);
            let Some(body) = self.valid_body(taste, name, shape, &bodies) else { continue };
            // A copy of another body may have another shape.
            let Some((_, shape)) = shapes.iter().find(|(name, _)| *name == body.shape) else { continue };
            let body = match bodies.last().filter(|_| taste.brinks) {
                Some(other) => self.on_the_brink(body, other, &shapes, touch),
                None => body,
            };
            let weight = Weight::new(shape, &body);
            let more = weight.paint() + weights.iter().map(|other| weight.cost(other, touch)).sum::<u64>();
            if cost + more <= BUDGET {
                cost += more;
                weights.push(weight);
                bodies.push(body);
            }
        }
        Scene::new(touch, shapes, bodies)
    }

    fn taste(&mut self) -> Taste {
        let kinds = match self.below(4) {
            0 => vec![self.pick(&KINDS)],
            1 => vec![self.pick(&KINDS), Kind::Sprite],
            2 => vec![self.pick(&KINDS), self.pick(&KINDS)],
            _ => KINDS.to_vec(),
        };
        let side = self.pick(&[3, 9, 9, 16, 33, 80]);
        let origin = self.origin();
        let posings =
            [Posing::Plain, Posing::Plain, Posing::Quarters, Posing::Turned, Posing::Turned, Posing::Stretched];
        let posing = if self.once_in(5) { self.pick(&[Posing::Matrix, Posing::Tiny]) } else { self.pick(&posings) };
        let way = self.way();
        let motions = [
            Motion::None,
            Motion::None,
            Motion::None,
            Motion::Crawling,
            Motion::Crawling,
            Motion::Slow,
            Motion::Slow,
            Motion::Fast,
            Motion::Wild,
            Motion::Formation(way),
            Motion::Formation(way.map(|v| (v * 16.0).trunc())),
        ];
        Taste {
            span: if side > 16 && kinds.contains(&Kind::Sprite) { side } else { self.pick(&[3, 12, 24, 24, 60]) },
            kinds,
            parts: false,
            side,
            origin,
            posings: vec![posing],
            motions: vec![self.pick(&motions)],
            filters: self.once_in(5),
            groups: false,
            copies: true,
            brinks: false,
        }
    }

    pub(super) fn origin(&mut self) -> [f64; 2] {
        match self.below(8) {
            0 => [-13.0, -7.0],
            1 => [self.real(-1.9e6, 1.9e6).trunc(), self.real(-1.9e6, 1.9e6).trunc()],
            // Some bodies lie beyond the edge, and are drawn again.
            2 => {
                let edge = f64::from(EDGE as i32);
                [self.pick(&[-edge, edge - 20.0, 0.0]), self.pick(&[-edge, edge - 20.0])]
            }
            _ => [0.0; 2],
        }
    }

    /// Draws the motion of a formation.
    pub(super) fn way(&mut self) -> [f64; 2] {
        [(); 2].map(|()| self.real(-9.0, 9.0))
    }

    /// Draws a shape that a world accepts.
    fn shape(&mut self, taste: &Taste) -> ShapeSpec {
        loop {
            let kind = self.pick(&taste.kinds);
            let form = self.form(kind, taste.side);
            let anchor = if self.once_in(2) { [0.0; 2] } else { self.point(8) };
            let shape = ShapeSpec { form, anchor };
            let shape = if taste.parts { self.with_parts(shape) } else { shape };
            if Scene::new(Touch::Excluded, vec![("s".into(), shape.clone())], vec![]).world().is_ok() {
                return shape;
            }
        }
    }

    pub(super) fn form(&mut self, kind: Kind, side: u32) -> Form {
        let plain = |outline| Form::Polygon { outline, holes: vec![], radius: 0.0 };
        match kind {
            Kind::Box => Form::Box([self.length(8), self.length(8)]),
            Kind::Circle => Form::Circle(self.length(5)),
            Kind::Capsule => Form::Capsule { from: self.point(8), to: self.point(8), radius: self.length(3) },
            Kind::Convex => plain(self.convex_outline()),
            Kind::Rounded => {
                let radius = self.length(2);
                Form::Polygon { outline: self.convex_outline(), holes: vec![], radius }
            }
            Kind::Concave => plain(self.concave_outline()),
            Kind::Holed => self.holed(),
            Kind::Sprite => {
                let rows = self.rows(side);
                Form::Sprite { image: Image::Rows(rows), threshold: DEFAULT_THRESHOLD, region: None }
            }
        }
    }

    fn convex_outline(&mut self) -> Vec<[f64; 2]> {
        let points = 3 + self.below(6);
        let points: Vec<[f64; 2]> = (0..points).map(|_| self.point(10)).collect();
        let mut hull = hull(points);
        if self.once_in(2) {
            hull.reverse();
        }
        hull
    }

    fn concave_outline(&mut self) -> Vec<[f64; 2]> {
        const LETTERS: [&[[i8; 2]]; 5] = [
            &[[0, 0], [6, 0], [6, 2], [2, 2], [2, 6], [0, 6]],
            &[[0, 0], [2, 0], [2, 5], [6, 5], [6, 0], [8, 0], [8, 7], [0, 7]],
            &[[0, 0], [3, 3], [4, 0], [5, 5], [6, 0], [7, 5], [10, 0], [13, 10], [-1, 10]],
            &[[0, 0], [9, 0], [9, 9], [3, 9], [3, 4], [5, 4], [5, 7], [7, 7], [7, 2], [1, 2], [1, 9], [0, 9]],
            &[[0, 0], [12, 3], [6, 5], [4, 14]],
        ];
        let mut outline: Vec<[f64; 2]> = if self.once_in(2) {
            let letter = self.pick(&LETTERS);
            letter.iter().map(|corner| corner.map(f64::from)).collect()
        } else {
            // A star, which can cross itself only by snapping.
            let corners = 5 + self.below(8);
            (0..corners)
                .map(|i| {
                    let angle = (f64::from(i) + self.real(0.0, 0.8)) * std::f64::consts::TAU / f64::from(corners);
                    let radius = 0.5 + self.coordinate(8);
                    [libm::cos(angle), libm::sin(angle)].map(|v| 8.0 + (v * radius * 256.0).round() / 256.0)
                })
                .collect()
        };
        if self.once_in(2) {
            outline.reverse();
        }
        outline
    }

    fn holed(&mut self) -> Form {
        let w = f64::from(6 + self.below(8));
        let rect = |x0: f64, y0: f64, x1: f64, y1: f64| vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
        let middle = w / 2.0;
        let holes = match self.below(4) {
            0 => vec![rect(1.0, 1.0, w - 1.0, w - 1.0)],
            // A hole that touches the outline at a point.
            1 => vec![vec![[middle, 0.0], [middle + 1.5, 2.0], [middle, 4.0], [middle - 1.5, 2.0]]],
            // Two holes that touch each other at a corner.
            2 => vec![rect(1.0, 1.0, middle, middle), rect(middle, middle, w - 1.0, w - 0.5)],
            _ => vec![vec![[1.0, 1.0], [w - 1.0, 1.25], [middle, w - 0.5]]],
        };
        Form::Polygon { outline: rect(0.0, 0.0, w, w), holes, radius: 0.0 }
    }

    fn rows(&mut self, side: u32) -> Vec<String> {
        let [w, h] = [(); 2].map(|()| 1 + self.below(side));
        let percent = self.pick(&[0, 3, 15, 50, 50, 85, 100, 100]);
        (0..h).map(|_| (0..w).map(|_| if self.below(100) < percent { '#' } else { '.' }).collect()).collect()
    }

    /// Draws a body that a world accepts; `None` if 8 attempts fail.
    fn valid_body(&mut self, taste: &Taste, name: &str, shape: &ShapeSpec, others: &[BodySpec]) -> Option<BodySpec> {
        if taste.copies && !others.is_empty() && self.once_in(16) {
            return Some(self.choose(others).clone());
        }
        for _ in 0..8 {
            let mut body = self.body(taste, name, shape);
            if taste.copies && !others.is_empty() && self.once_in(12) {
                body.at = self.choose(others).at;
            }
            let alone = Scene::new(Touch::Excluded, vec![(name.into(), shape.clone())], vec![body.clone()]);
            if alone.world().is_ok() {
                return Some(body);
            }
        }
        None
    }

    fn body(&mut self, taste: &Taste, name: &str, shape: &ShapeSpec) -> BodySpec {
        const LAYERS: [u32; 7] = [0, 1, 2, 3, 4, 0x8000_0000, u32::MAX];
        let [x, y] = self.point(taste.span);
        let mut body = BodySpec::new(name, [taste.origin[0] + x, taste.origin[1] + y]);
        let rigid = match &shape.form {
            Form::Circle(_) | Form::Capsule { .. } | Form::Parts(_) => true,
            Form::Polygon { radius, .. } => *radius > 0.0,
            Form::Box(_) | Form::Sprite { .. } => false,
        };
        let posing = self.one_of(&taste.posings);
        body.pose = self.pose(posing, rigid, matches!(shape.form, Form::Sprite { .. }));
        let motion = self.one_of(&taste.motions);
        body.motion = self.motion(motion);
        if taste.filters {
            (body.layers, body.mask) = (self.pick(&LAYERS), self.pick(&LAYERS));
        }
        if taste.groups {
            body.group = self.below(3);
        }
        body
    }

    /// Draws a pose; if the shape is `rigid`, one with a uniform scale.
    fn pose(&mut self, posing: Posing, rigid: bool, sprite: bool) -> Pose {
        let flip = Flip { x: self.once_in(3), y: self.once_in(3) };
        let angle = match self.below(4) {
            0 => self.real(-720.0, 720.0),
            1 => self.pick(&[30.0, 45.0, 60.0, 135.0]),
            _ => 90.0 * (f64::from(self.below(12)) - 4.0),
        };
        let even = self.pick(&[1.0, 1.0, 0.5, 1.5, 2.0, -1.0]);
        match posing {
            Posing::Plain => Pose::default(),
            Posing::Quarters => Pose::Turned { angle: 90.0 * (f64::from(self.below(9)) - 4.0), scale: [1.0; 2], flip },
            Posing::Stretched if !rigid => {
                let mut side = || self.pick(&[0.5, 1.0, 2.0, -1.5, 0.75]) * self.real(0.9, 1.1);
                let scale = [side(), side()];
                Pose::Turned { angle, scale, flip }
            }
            Posing::Matrix if !rigid => Pose::Matrix(match self.below(4) {
                0 => [[1.0, f64::from(self.below(9)) / 4.0 - 1.0], [0.0, 1.0]],
                // Nearly singular.
                1 => [[1.0, 1.0], [1.0, 1.0 + self.pick(&[1e-9, 1e-3, 0.03, -0.03])]],
                2 => [[0.0, 1.0], [1.0, 0.0]],
                _ => [(); 2].map(|()| [(); 2].map(|()| self.real(-2.0, 2.0))),
            }),
            Posing::Tiny => {
                let least = if sprite { 1.0 / 64.0 } else { 0.001 };
                let scale = self.pick(&[least, 1.0 / 64.0, 0.02, 0.1, 1.0]);
                let y = if rigid { scale } else { self.pick(&[scale, 1.0]) };
                Pose::Turned { angle, scale: [scale, y], flip }
            }
            Posing::Turned | Posing::Stretched | Posing::Matrix => Pose::Turned { angle, scale: [even; 2], flip },
        }
    }

    fn motion(&mut self, motion: Motion) -> [f64; 2] {
        if motion == Motion::None || self.once_in(3) {
            return [0.0; 2];
        }
        let most = match motion {
            Motion::None | Motion::Slow => self.pick(&[1, 4, 12]),
            Motion::Fast => self.pick(&[30, 60, 300]),
            Motion::Wild => self.pick(&[300, 5000, 1 << 16]),
            Motion::Crawling => return [(); 2].map(|()| self.real(-1.5, 1.5)),
            Motion::Formation(way) => {
                let aside = self.pick(&[0.0, 0.0, 0.0, 1.0 / 256.0, -0.3, 1.0]);
                return [way[0] + aside, way[1]];
            }
        };
        let mut along = || match self.below(4) {
            0 => 0.0,
            // Drawn small and scaled up, as not every span fits the draw of a coordinate.
            1 | 2 => (self.coordinate(64) / 64.0 * f64::from(most)).min(f64::from(most)),
            _ => -f64::from(self.below(most + 1)),
        };
        [along(), along()]
    }
}

/// Returns the vertices of the convex hull in order (Andrew's monotone chain, 1979).
fn hull(mut points: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    points.sort_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
    let mut chain: Vec<[f64; 2]> = Vec::new();
    for _ in 0..2 {
        let start = chain.len();
        for &p in &points {
            while let [.., a, b] = chain[start..] {
                let cross = (b[0] - a[0]) * (p[1] - b[1]) - (b[1] - a[1]) * (p[0] - b[0]);
                if cross > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        points.reverse();
    }
    chain
}
