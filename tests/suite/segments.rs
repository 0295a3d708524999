//! Capsules and chains of radius 0: segments, which have no interior. Random worlds on a coarse lattice, so that many
//! segments run along sides, seams of polygons and lines between pixels, on every engine and for every query; and the
//! rules one by one.

use std::path::Path;

use hitmask::geometry::Flip;
use hitmask::query::{Queries, RayCast};
use hitmask::response::{Axis, Surface, Walker};
use hitmask::scene::Scene;
use hitmask::{Ask, Body, BodyId, Detail, Engine, Hits, Linear, Mask, Part, Save, Shape, Touch, World};
use hitmask_workbench::workloads::SplitMix64;

use crate::common::{self, Gpu, Setup};
use crate::queries::{Counts, ask};

/// Random numbers of units, in steps of 1, 1/2 or 1/4.
struct Units {
    random: SplitMix64,
    step: f64,
}

impl Units {
    fn new(seed: u64) -> Self {
        Self { random: SplitMix64(seed), step: [1.0, 1.0, 0.5, 0.25][seed as usize / 2 % 4] }
    }

    fn below(&mut self, count: u32) -> u32 {
        self.random.below(count)
    }

    fn within(&mut self, least: i32, most: i32) -> f64 {
        let steps = f64::from(most - least) / self.step;
        f64::from(least) + f64::from(self.random.below(steps as u32 + 1)) * self.step
    }

    fn point(&mut self, most: i32) -> [f64; 2] {
        [self.within(0, most), self.within(0, most)]
    }

    /// Returns a point other than one before; often on the same line along an axis.
    fn next(&mut self, [x, y]: [f64; 2]) -> [f64; 2] {
        loop {
            let point = match self.below(3) {
                0 => [self.within(0, 8), y],
                1 => [x, self.within(0, 8)],
                _ => self.point(8),
            };
            if point != [x, y] {
                return point;
            }
        }
    }

    fn chain(&mut self) -> Shape {
        let mut points = vec![self.point(8)];
        for _ in 0..=self.below(4) {
            let last = points[points.len() - 1];
            points.push(self.next(last));
        }
        let is_closed = self.below(2) == 0 && points.len() > 2 && points.first() != points.last();
        Shape::chain(&points, 0.0, is_closed).unwrap()
    }

    fn segment(&mut self) -> Shape {
        let from = self.point(8);
        let to = self.next(from);
        Shape::capsule(from, to, 0.0).unwrap()
    }

    /// Returns a capsule that is a segment if it lands at a thousandth of its size.
    fn thin(&mut self) -> Shape {
        let from = self.point(8);
        let to = self.next(from);
        let radius = [0.0, 0.5][self.below(2) as usize];
        Shape::capsule(from, to, radius).unwrap()
    }

    /// Returns a concave polygon with sides along the axes.
    fn steps(&mut self) -> Shape {
        let [a, b, c] = [2.0, 2.0 + self.within(1, 3), 6.0 + self.within(0, 2)];
        let outline = match self.below(3) {
            0 => vec![[0.0, 0.0], [a, 0.0], [a, b], [c, b], [c, c], [0.0, c]],
            1 => upside_down_t(b).to_vec(),
            _ => vec![[0.0, 0.0], [a, 0.0], [a, b], [b, b], [b, 0.0], [c, 0.0], [c, c], [0.0, c]],
        };
        Shape::polygon(&outline).unwrap()
    }

    fn frame() -> Shape {
        let hole = [[2.0, 2.0], [6.0, 2.0], [6.0, 5.0], [2.0, 5.0]];
        Shape::polygon_with_holes(&[[0.0, 0.0], [8.0, 0.0], [8.0, 8.0], [0.0, 8.0]], &[hole]).unwrap()
    }

    fn sprite(&mut self) -> Shape {
        let (w, h, holes) = (1 + self.below(8), 1 + self.below(8), self.below(3));
        let mask = Mask::from_fn(w, h, |_, _| holes == 0 || self.random.below(4) >= holes).unwrap();
        Shape::sprite(mask)
    }

    fn parts(&mut self) -> Shape {
        let parts = [
            Part::new(self.segment(), self.point(6)),
            Part::new(self.segment(), self.point(6)),
            Part::new(Shape::rect(2.0, 3.0).unwrap(), self.point(6)),
            Part::new(Shape::circle(1.5).unwrap(), self.point(6)),
            Part::new(self.steps(), self.point(2)),
        ];
        let first = self.below(2) as usize;
        Shape::parts(&parts[first..first + 2 + self.below(3) as usize]).unwrap()
    }

    fn shape(&mut self) -> Shape {
        match self.below(12) {
            0..=2 => self.chain(),
            3 => self.segment(),
            4 | 5 => self.steps(),
            6 => Self::frame(),
            7 | 8 => self.sprite(),
            9 => self.parts(),
            10 => Shape::rect(1.0 + self.within(0, 5), 1.0 + self.within(0, 5)).unwrap(),
            _ => Shape::circle(0.5 + self.within(0, 2)).unwrap(),
        }
    }

    fn linear(&mut self) -> Linear {
        let turned = f64::from(self.below(360));
        let (scale, flip) = ([1.0, 2.0, 0.5][self.below(3) as usize], Flip { x: self.below(2) == 0, y: false });
        match self.below(8) {
            0..=3 => Linear::IDENTITY,
            4 => Linear::new(90.0 * f64::from(self.below(4)), [1.0, 1.0], flip),
            5 => Linear::new(90.0 * f64::from(self.below(4)), [scale, scale], flip),
            6 => Linear::from_degrees(turned),
            // Segments of a few lattice steps, or of none.
            _ => Linear::new(turned, [1.0 / 700.0, 1.0 / 700.0], flip),
        }
    }

    fn motion(&mut self) -> [f64; 2] {
        match self.below(6) {
            0..=2 => [0.0, 0.0],
            3 => [self.within(-6, 6), 0.0],
            4 => [0.0, self.within(-6, 6)],
            _ => [self.within(-6, 6), self.within(-6, 6)],
        }
    }

    /// Returns bodies of all kinds close together.
    fn crowd(&mut self, touch: Touch) -> World {
        let mut world = World::new(touch);
        for _ in 0..14 {
            let (shape, linear) = (self.shape(), self.linear());
            let (at, motion) = (self.point(20), self.motion());
            put(&mut world, shape, at, linear, motion);
        }
        world
    }

    /// Returns pairs of a segment and something that it hits only by a seam, or only between pixels, or just not.
    fn brink(&mut self, touch: Touch) -> World {
        let mut world = World::new(touch);
        for k in 0..12 {
            let at = [f64::from(k) * 40.0, 0.0];
            let near = |by: [f64; 2]| [at[0] + by[0], at[1] + by[1]];
            match k % 3 {
                // Along the seam of a polygon, between its inner corners.
                0 => {
                    let corner = 2.0 + self.within(1, 3);
                    let outline = upside_down_t(corner);
                    let (from, length) = (self.within(-9, 9), self.within(1, 6));
                    let segment = Shape::capsule([from, corner], [from + length, corner], 0.0).unwrap();
                    let motion = [self.within(-9, 9), 0.0];
                    let still = [0.0, 0.0];
                    let mut pair = [(Shape::polygon(&outline).unwrap(), still), (segment, motion)];
                    if self.below(2) == 0 {
                        pair.reverse();
                    }
                    for (shape, motion) in pair {
                        put(&mut world, shape, at, Linear::IDENTITY, motion);
                    }
                }
                // Between four pixels: a segment that lands on a point.
                1 => {
                    let (sprite, segment) = (self.sprite(), self.thin());
                    put(&mut world, sprite, at, Linear::IDENTITY, self.motion());
                    let small = Linear::new(0.0, [1.0 / 2100.0, 1.0 / 2100.0], Flip::default());
                    put(&mut world, segment, near(self.point(8)), small, [0.0, 0.0]);
                }
                // Polygons and segments of a few lattice steps, whose vertices rounding moves past each other.
                _ => {
                    let small = |units: &mut Self| {
                        let scale = 1.0 / (100.0 + f64::from(units.below(1_500)));
                        Linear::new(f64::from(units.below(360)), [scale, scale], Flip::default())
                    };
                    let (polygon, linear) = (self.steps(), small(self));
                    put(&mut world, polygon, at, linear, [0.0, 0.0]);
                    for _ in 0..6 {
                        let (segment, linear) = (self.thin(), small(self));
                        let by = [0, 1].map(|_| (f64::from(self.below(17)) - 8.0) / 256.0);
                        put(&mut world, segment, near(by), linear, [0.0, 0.0]);
                    }
                }
            }
        }
        world
    }
}

/// Returns a polygon with a seam at a height, from (0, y) to (4, y): its inner corners.
fn upside_down_t(y: f64) -> [[f64; 2]; 8] {
    [[0.0, 0.0], [4.0, 0.0], [4.0, y], [8.0, y], [8.0, 8.0], [-4.0, 8.0], [-4.0, y], [0.0, y]]
}

fn put(world: &mut World, shape: Shape, at: [f64; 2], linear: Linear, motion: [f64; 2]) {
    let shape = world.add_shape(shape).unwrap();
    world.add(&Body::new(shape, at).posed(linear).moving(motion)).unwrap();
}

fn worlds(count: u64) -> impl Iterator<Item = (String, World)> {
    (0..count).map(|seed| {
        let touch = [Touch::Excluded, Touch::Excluded, Touch::Included][seed as usize % 3];
        let mut units = Units::new(seed);
        let world = if seed % 4 == 0 { units.brink(touch) } else { units.crowd(touch) };
        (format!("world {seed}"), world)
    })
}

/// Returns the bodies of a world with their shapes, for messages.
fn described(world: &World) -> String {
    let body = |id: BodyId| {
        let body = world.body(id)?;
        let shape = world.shape(body.shape)?;
        let rows = shape.mask().map(|mask| mask.to_rows().join("\n")).unwrap_or_default();
        Some(format!("{shape:?} {body:?}\n{rows}\n"))
    };
    world.ids().filter_map(body).collect()
}

/// Returns polygons and segments on their seams, with coordinates up to the limits.
fn large(seed: u64) -> World {
    let mut units = Units::new(seed);
    let mut world = World::default();
    for _ in 0..4 {
        let outline = upside_down_t(4.0).map(|point| point.map(|v| v * 100_000.0));
        put(
            &mut world,
            Shape::polygon(&outline).unwrap(),
            [0.0, units.within(-3, 3)],
            Linear::IDENTITY,
            units.motion(),
        );
        let [from, length] = [units.within(-9, 9), units.within(1, 6)].map(|v| v * 100_000.0);
        let segment = Shape::capsule([from, 400_000.0], [from + length, 400_000.0], 0.0).unwrap();
        let motion = [units.within(-9, 9) * 7_000.0, 0.0];
        put(&mut world, segment, [0.0, units.within(-3, 3)], Linear::IDENTITY, motion);
    }
    world
}

fn answer(world: &World) -> Hits {
    Engine::reference().run(world, Ask::Details).unwrap()
}

#[test]
fn engines_agree() {
    let cpus = [1, 2].into_iter().flat_map(Setup::cpus);
    let gpus = [Gpu::Default, Gpu::Sorted].into_iter().filter_map(common::gpu);
    let mut runners: Vec<_> = cpus.chain(gpus).map(Setup::runner).collect();
    let (mut pairs, mut between) = (0, 0);
    let large = (0..60).map(|seed| (format!("large world {seed}"), large(seed)));
    for (what, world) in worlds(600).chain(large) {
        world.validate();
        let expected = answer(&world);
        for runner in &mut runners {
            let found = runner.answer(&world, &what);
            assert!(found == expected, "{what} on {}:\n{:?}\n{:?}", runner.setup, found.pairs, expected.pairs);
        }
        pairs += expected.pairs.len();
        let is_between = |detail: &&Detail| detail.area == Some(0) && world.touch() == Touch::Excluded;
        between += expected.details.iter().filter(is_between).count();
    }
    assert!(pairs > 5_000 && between > 30, "{pairs} pairs, {between} between pixels");
}

#[test]
fn queries_agree() {
    let (mut random, mut counts, mut queries) = (SplitMix64(8), Counts::new(), Queries::new());
    for (what, world) in worlds(200) {
        for _ in 0..6 {
            ask(&mut queries, &world, &mut random, 24.0, &what, &mut counts);
        }
    }
    assert!(counts.values().all(|&count| count > 200) && counts.len() == 5, "{counts:?}");
}

/// Returns the two bodies of a pair, at rest, the first moved by a way.
fn alone(world: &World, pair: [u32; 2], by: [f64; 2]) -> World {
    let mut alone = World::new(world.touch());
    for (k, index) in pair.into_iter().enumerate() {
        let body = world.body(world.id(index).unwrap()).unwrap();
        let shape = alone.add_shape(world.shape(body.shape).unwrap().clone()).unwrap();
        let at = if k == 0 { [body.at.x + by[0], body.at.y + by[1]] } else { [body.at.x, body.at.y] };
        alone.add(&Body { shape, at: at.into(), motion: [0.0, 0.0].into(), ..body }).unwrap();
    }
    alone
}

#[test]
fn ways_out_end_the_hit() {
    let (mut found, mut along) = (0, 0);
    for (what, world) in worlds(300) {
        for (pair, detail) in answer(&world).pairs.into_iter().zip(answer(&world).details) {
            let what = format!("{what}, {pair:?}");
            if detail.time.is_none() {
                let push = world.contact(pair, &detail).push.units();
                assert!(answer(&alone(&world, pair, push)).pairs.is_empty(), "{what}: {push:?}");
                found += 1;
            }
            let still = alone(&world, pair, [0.0, 0.0]);
            let ids: Vec<BodyId> = still.ids().collect();
            let is_hit = !answer(&still).pairs.is_empty();
            for axis in [Axis::X, Axis::Y] {
                let push = still.push_along(ids[0], ids[1], axis).unwrap();
                assert_eq!(push.is_some(), is_hit, "{what}, {axis:?}: {push:?}\n{}", described(&still));
                let Some(push) = push else { continue };
                assert!(answer(&alone(&world, pair, [push.x, push.y])).pairs.is_empty(), "{what}, {axis:?}: {push:?}");
                along += 1;
            }
        }
    }
    assert!(found > 500 && along > 2_000, "{found} ways out, {along} along an axis");
}

/// The parts that hit at a tick are those that hit alone.
#[test]
fn parts_hit_names_the_segments() {
    let mut told = 0;
    for seed in 0..200 {
        let mut units = Units::new(seed);
        let mut world = World::new(if seed % 3 == 0 { Touch::Included } else { Touch::Excluded });
        let points: Vec<[f64; 2]> = (0..5).map(|k| [f64::from(k) * 2.0, units.within(0, 4)]).collect();
        let chain = world.add_shape(Shape::chain(&points, 0.0, false).unwrap()).unwrap();
        let other = if seed % 2 == 0 { units.sprite() } else { units.steps() };
        let other = world.add_shape(other).unwrap();
        // Along an axis: within a tick, a sprite that moves along both stands at two places.
        let motion = if seed % 4 < 2 { [units.within(-6, 6), 0.0] } else { [0.0, units.within(-6, 6)] };
        let bodies = [Body::new(chain, [0, 0]), Body::new(other, units.point(4)).moving(motion)];
        for body in &bodies {
            world.add(body).unwrap();
        }
        let hits = answer(&world);
        let Some(detail) = hits.details.first() else { continue };
        let shape = world.shape(other).unwrap().clone();
        let tick_of = |k: usize| {
            let mut world = World::new(world.touch());
            let segment = world.add_shape(Shape::capsule(points[k], points[k + 1], 0.0).unwrap()).unwrap();
            let shape = world.add_shape(shape.clone()).unwrap();
            world.add(&Body::new(segment, [0, 0])).unwrap();
            world.add(&Body { shape, ..bodies[1] }).unwrap();
            answer(&world).details.first().map(Detail::tick)
        };
        let expected: Vec<u32> = (0..4).filter(|&k| tick_of(k as usize) == Some(detail.tick())).collect();
        let parts: Vec<u32> = world.parts_hit([0, 1], detail).into_iter().map(|[segment, _]| segment).collect();
        assert_eq!(parts, expected, "seed {seed}");
        told += parts.len();
    }
    assert!(told > 100, "{told}");
}

/// Returns the tick at which two bodies hit, on the CPU and by the definition.
fn hit(touch: Touch, [a, b]: [(Shape, [f64; 2], [f64; 2]); 2]) -> Option<u32> {
    let mut world = World::new(touch);
    for (shape, at, motion) in [a, b] {
        let shape = world.add_shape(shape).unwrap();
        world.add(&Body::new(shape, at).moving(motion)).unwrap();
    }
    let expected = answer(&world);
    for setup in Setup::cpus(1) {
        assert_eq!(setup.runner().answer(&world, "two bodies"), expected, "{setup}");
    }
    expected.details.first().map(Detail::tick)
}

const STILL: [f64; 2] = [0.0, 0.0];

fn floor() -> Shape {
    Shape::capsule([-10, 0], [10, 0], 0.0).unwrap()
}

fn excluded(a: (Shape, [f64; 2]), b: (Shape, [f64; 2])) -> bool {
    let [one, other] = [
        hit(Touch::Excluded, [(a.0.clone(), a.1, STILL), (b.0.clone(), b.1, STILL)]),
        hit(Touch::Excluded, [(b.0, b.1, STILL), (a.0, a.1, STILL)]),
    ];
    assert_eq!(one, other, "either order");
    one.is_some()
}

#[test]
fn a_segment_hits_a_body_whose_interior_it_crosses() {
    let tile = || Shape::rect(4.0, 4.0).unwrap();
    let ball = || Shape::circle(2.0).unwrap();
    let pixels = || Shape::sprite(Mask::from_rows(&["####"; 4]).unwrap());
    for shape in [tile, pixels] {
        assert!(excluded((shape(), [0.0, -2.5]), (floor(), STILL)), "across");
        assert!(!excluded((shape(), [0.0, -4.0]), (floor(), STILL)), "above");
        assert!(!excluded((shape(), [0.0, 0.0]), (floor(), STILL)), "below");
        assert!(excluded((shape(), [0.0, -3.0]), (floor(), STILL)), "between two rows of pixels");
        assert!(!excluded((shape(), [10.0, -2.0]), (floor(), STILL)), "it ends at the side");
    }
    assert!(excluded((ball(), [0.0, -1.9]), (floor(), STILL)));
    assert!(!excluded((ball(), [0.0, -2.0]), (floor(), STILL)));
    let wall = Shape::capsule([0, -10], [0, 10], 0.0).unwrap();
    assert!(!excluded((wall, STILL), (floor(), STILL)), "two segments that cross");
    let touching = |shape: Shape, at: [f64; 2]| hit(Touch::Included, [(floor(), STILL, STILL), (shape, at, STILL)]);
    assert_eq!(touching(tile(), [0.0, 0.0]), Some(0));
    assert_eq!(touching(pixels(), [0.0, -4.0]), Some(0));
    assert_eq!(touching(tile(), [0.0, 0.25]), None);
    assert_eq!(touching(floor(), STILL), Some(0));
}

#[test]
fn a_segment_on_a_seam_is_in_the_interior_of_the_polygon() {
    let t = Shape::polygon(&upside_down_t(4.0)).unwrap();
    let mut world = World::default();
    let shape = world.add_shape(t.clone()).unwrap();
    let t_id = world.add(&Body::new(shape, [0, 0])).unwrap();
    let pieces = world.landed(t_id).unwrap();
    assert!(
        pieces
            .iter()
            .all(|piece| piece.vertices.iter().all(|p| p.y <= 1024) || piece.vertices.iter().all(|p| p.y >= 1024)),
        "cut along the seam: {pieces:?}"
    );
    let along = |from: i32, to: i32| Shape::capsule([from, 4], [to, 4], 0.0).unwrap();
    for (from, to, is_hit) in [
        (1, 3, true),
        (-2, 2, true),
        (-9, 12, true),
        (0, 4, true),
        (4, 8, false),
        (5, 9, false),
        (-3, 0, false),
        (9, 12, false),
    ] {
        assert_eq!(excluded((t.clone(), STILL), (along(from, to), STILL)), is_hit, "{from} to {to}");
    }
    // It comes along the seam's line, from where it touches the polygon's side. From below the line, it hits earlier.
    let comes = |from: [f64; 2]| hit(Touch::Excluded, [(t.clone(), STILL, STILL), (along(-3, 0), from, [8.0, 0.0])]);
    assert_eq!(comes(STILL), Some(17));
    assert_eq!(comes([0.0, 0.25]), Some(0));
    assert_eq!(comes([-2.0, 0.0]), Some(16_401));
    // Two parts have no seam: what lies between them is in the interior of neither.
    let parts = [[0, 0], [0, 4]].map(|at| Part::new(Shape::rect(4.0, 4.0).unwrap(), at));
    assert!(!excluded((Shape::parts(&parts).unwrap(), STILL), (along(1, 3), STILL)));
}

#[test]
fn what_falls_on_a_segment_hits_it() {
    let tile = Shape::rect(4.0, 4.0).unwrap();
    let pixels = Shape::sprite(Mask::from_rows(&["####"; 4]).unwrap());
    let row = Shape::sprite(Mask::from_rows(&["####"]).unwrap());
    for (shape, height) in [(&tile, 4), (&pixels, 4), (&row, 1)] {
        for y in 1..12 {
            let far = [0.0, f64::from(y)];
            let falls = [(shape.clone(), [0.0, -6.0], far), (floor(), STILL, STILL)];
            let [there, back] =
                [falls.clone(), [falls[1].clone(), falls[0].clone()]].map(|pair| hit(Touch::Excluded, pair));
            assert_eq!([there, back].map(|tick| tick.is_some()), [y > 6 - height; 2], "{height}, {y}");
        }
    }
    for shape in [&tile, &pixels] {
        // It moves along the segment, and never hits.
        let slides = [(shape.clone(), [0.0, -4.0], [6.0, 0.0]), (floor(), STILL, STILL)];
        assert_eq!(hit(Touch::Excluded, slides), None);
    }
    // Step by step, whole pixels at a time, nothing gets through, from above or from below.
    for (shape, height) in [(pixels, 4.0), (row, 1.0)] {
        for speed in [3_i32, -3] {
            let mut world = World::default();
            let [floor, sprite] = [floor(), shape.clone()].map(|shape| world.add_shape(shape).unwrap());
            world.add(&Body::new(floor, [0, 0])).unwrap();
            let hero = world.add(&Body::new(sprite, [0, -20 * speed.signum()]).moving([0, speed])).unwrap();
            let mut engine = Engine::cpu().unwrap();
            let stop = (0..20).find_map(|_| {
                let hits = engine.run(&world, Ask::Details).unwrap();
                let stop = world.stop(hero, &hits, |_| true).unwrap();
                world.advance().unwrap();
                stop
            });
            let stop = stop.expect("something stops it");
            let expected = if speed > 0 { (-height, [0.0, -1.0]) } else { (0.0, [0.0, 1.0]) };
            assert_eq!((stop.at.y, stop.impact.normal), expected);
        }
    }
}

#[test]
fn what_meets_a_segment_meets_its_side() {
    let half = 0.5_f64.sqrt();
    let slope = Shape::capsule([-30, -30], [30, 30], 0.0).unwrap();
    let solid = [
        Shape::rect(4.0, 4.0).unwrap().anchored([2.0, 2.0]).unwrap(),
        Shape::polygon(&[[-2, -2], [2, -2], [2, 2], [-2, 2], [0, 0]]).unwrap(),
    ];
    let cases = [Touch::Excluded, Touch::Included].map(|touch| solid.each_ref().map(|shape| (touch, shape)));
    for ((touch, shape), sense) in cases.as_flattened().iter().flat_map(|case| [(*case, 1.0), (*case, -1.0)]) {
        for motion in [[0.0, 30.0], [-30.0, 0.0], [-30.0, 25.0], [3.0, 30.0]].map(|motion| motion.map(|v| sense * v)) {
            for is_slope in [false, true] {
                let mut world = World::new(touch);
                let [shape, slope] = [shape, &slope].map(|shape| world.add_shape(shape.clone()).unwrap());
                let (hero, back) = (Body::new(shape, [6.0 * sense, -6.0 * sense]), motion.map(|v| -v));
                let [hero, other] = if is_slope {
                    [Body::new(slope, [0, 0]).moving(back), hero]
                } else {
                    [hero.moving(motion), Body::new(slope, [0, 0])]
                };
                let hero = world.add(&hero).unwrap();
                world.add(&other).unwrap();
                let stop = world.stop(hero, &answer(&world), |_| true).unwrap().unwrap();
                let outward = if is_slope { -sense * half } else { sense * half };
                let [x, y] = stop.impact.normal;
                let what = format!("{touch:?}, {motion:?}, the slope moves: {is_slope}: {x}, {y}");
                assert!((x - outward).abs() < 1e-9 && (y + outward).abs() < 1e-9, "{what}");
            }
        }
    }
}

#[test]
fn a_walker_stands_on_a_chain_and_jumps_through_it() {
    for touch in [Touch::Excluded, Touch::Included] {
        for shape in [Shape::rect(8.0, 12.0).unwrap(), Shape::sprite(Mask::from_fn(8, 12, |_, _| true).unwrap())] {
            let mut world = World::new(touch);
            let line = Shape::chain(&[[0, 40], [60, 40], [160, 10]], 0.0, false).unwrap();
            let [line, man] = [line, shape].map(|shape| world.add_shape(shape).unwrap());
            world.add(&Body::new(line, [0, 0])).unwrap();
            let (mut queries, mut walker) = (Queries::new(), Walker::new());
            let (mut hero, mut fall) = (Body::new(man, [20, 44]), -7.0);
            let mut step = |hero: &mut Body, run: f64, fall: &mut f64| {
                let walk = walker.step(queries.on(&world), hero, run, *fall, |_| Surface::OneWay).unwrap();
                (hero.at, *fall) = (walk.at, walk.fall + 0.5);
                walk.ground.map(|ground| ground.normal)
            };
            let on_ground: Vec<_> = (0..40).filter_map(|_| step(&mut hero, 0.0, &mut fall)).collect();
            assert!(on_ground.len() > 5 && on_ground.iter().all(|normal| *normal == [0.0, -1.0]), "{on_ground:?}");
            // A sprite half a pixel lower shows the same pixels; if touching is a hit, it stands a pixel higher.
            assert!((27.0..=28.5).contains(&hero.at.y), "{touch:?}: {:?}", hero.at);
            let on_slope = (0..30).filter_map(|_| step(&mut hero, 2.0, &mut fall)).count();
            assert!(on_slope > 25 && hero.at.y < 24.0, "{touch:?}: {on_slope}, {:?}", hero.at);
        }
    }
}

#[test]
fn a_segment_on_a_seam_leaves_by_the_shortest_way_and_meets_the_wall() {
    let mut world = World::default();
    let t = world.add_shape(Shape::polygon(&upside_down_t(4.0)).unwrap()).unwrap();
    let segment = world.add_shape(Shape::capsule([1, 4], [3, 4], 0.0).unwrap()).unwrap();
    let ids = [t, segment].map(|shape| world.add(&Body::new(shape, [0, 0])).unwrap());
    let hits = answer(&world);
    assert_eq!(hits.pairs, [[0, 1]]);
    let contact = world.contact([1, 0], &hits.details[0]);
    assert_eq!((contact.normal, contact.depth, contact.push.units()), ([-1.0, 0.0], 3.0, [-3.0, 0.0]));
    assert_eq!(world.push_along(ids[1], ids[0], Axis::Y).unwrap(), Some([0.0, -4.0].into()));
    // It slides along the ground on both sides of a wall that leans, and comes to the seam under it.
    let leaning = [[2, 0], [6, 0], [4, 4], [8, 4], [8, 8], [-4, 8], [-4, 4], [0, 4]];
    world.replace_shape(t, Shape::polygon(&leaning).unwrap()).unwrap();
    world.set(ids[1], &Body::new(segment, [-4, 0]).moving([6, 0])).unwrap();
    let stop = world.stop(ids[1], &answer(&world), |_| true).unwrap().unwrap();
    let [x, y] = stop.impact.normal;
    assert!((x + 0.2_f64.sqrt() * 2.0).abs() < 1e-9 && (y + 0.2_f64.sqrt()).abs() < 1e-9, "{x}, {y}");
    assert_eq!((stop.at.x, stop.at.y), (-3.0, 0.0));
}

#[test]
fn nothing_holds_a_segment_and_a_segment_holds_nothing() {
    let mut world = World::default();
    let area = || [Shape::rect(9.0, 9.0).unwrap(), Shape::sprite(Mask::from_fn(9, 9, |_, _| true).unwrap())];
    let dot = Shape::circle(0.5).unwrap();
    let parts = Shape::parts(&[Part::new(floor(), [0, 0]), Part::new(dot, [4.0, 4.0])]).unwrap();
    let [segment, parts] = [Shape::capsule([2.0, 2.5], [6.0, 2.5], 0.0).unwrap(), parts]
        .map(|shape| world.add_shape(shape).unwrap())
        .map(|shape| world.add(&Body::new(shape, [0, 0])).unwrap());
    for shape in area() {
        let shape = world.add_shape(shape).unwrap();
        let outer = world.add(&Body::new(shape, [0, 0])).unwrap();
        assert!(!world.holds(outer, segment).unwrap() && !world.holds(segment, outer).unwrap());
        assert!(world.holds(outer, parts).unwrap(), "of the parts, only the dot has an interior");
    }
}

#[test]
fn segments_come_from_scene_files() {
    let scene = r#"{ "shapes": { "beam": { "capsule": { "from": [0, 0], "to": [9, 0], "radius": 0 } },
        "tile": { "box": [2, 2] } },
        "bodies": [{ "shape": "beam", "at": [0, 0] }, { "shape": "tile", "at": [2, -1] },
        { "shape": "tile", "at": [6, 0] }] }"#;
    let world = Scene::parse(scene, Path::new(".")).unwrap().world().unwrap();
    assert_eq!(answer(&world).pairs, [[0, 1]]);
}

#[test]
fn a_ray_hits_a_segment_that_it_crosses() {
    let mut world = World::default();
    let corner = world.add_shape(Shape::chain(&[[0, 10], [0, 0], [10, 0]], 0.0, false).unwrap()).unwrap();
    world.add(&Body::new(corner, [0, 0])).unwrap();
    let mut queries = Queries::new();
    let mut tick =
        |from: [i32; 2], to: [i32; 2]| queries.on(&world).first(&RayCast::new(from, to)).unwrap().map(|hit| hit.tick);
    assert_eq!(tick([5, -4], [5, 4]), Some(32_784));
    assert_eq!(tick([5, 0], [5, 4]), None, "it starts on it");
    assert_eq!(tick([5, -4], [5, 0]), None, "it ends on it");
    assert!(tick([-5, 0], [20, 0]).is_some(), "through the end of the first");
    assert_eq!(tick([1, 0], [20, 0]), None, "along the second");
    assert!(tick([-4, -4], [4, 4]).is_some(), "through the corner");
    assert_eq!(tick([-4, 20], [4, 20]), None);
    let ray = RayCast::new([5, -4], [5, 4]);
    let hit = queries.on(&world).first(&ray).unwrap().unwrap();
    let contact = world.ray_contact(&ray, &hit).unwrap();
    assert_eq!((contact.normal, contact.part), ([0.0, -1.0], 1));
}

#[test]
fn a_segment_needs_a_length() {
    let error = Shape::chain(&[[0, 0], [4, 0], [4, 0]], 0.0, false).unwrap_err().to_string();
    assert!(error.contains("chain[1]") && error.contains("with neither length nor radius"), "{error}");
    assert!(Shape::chain(&[[0, 0], [4, 0]], -1.0, false).is_err());
}

#[test]
fn segments_are_saved() {
    for (what, world) in worlds(20) {
        let loaded = World::load(&world.save(Save::Whole).unwrap()).unwrap();
        assert!(loaded == world && answer(&loaded) == answer(&world), "{what}");
    }
}
