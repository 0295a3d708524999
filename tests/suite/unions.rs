//! The ways out of bodies of several pieces that the GPU finds, against `World::contact`.

use hitmask::geometry::Flip;
use hitmask::gpu::{RawContact, Request};
use hitmask::{Ask, Body, Linear, Mask, Part, Shape, Touch, World};
use hitmask_workbench::workloads::SplitMix64;

use crate::contacts::{BOTH, Tally, ask, contacts, details};
use crate::frames::{device, engine};

/// Random numbers of units, in steps of 1/8.
struct Units(SplitMix64);

impl Units {
    fn within(&mut self, least: i32, most: i32) -> f64 {
        f64::from(8 * least + self.0.below(8 * (most - least) as u32) as i32) / 8.0
    }

    fn below(&mut self, count: u32) -> u32 {
        self.0.below(count)
    }

    /// Returns points around the origin, each at its own distance.
    fn star(&mut self, corners: u32, most: i32) -> Vec<[f64; 2]> {
        let angle = |k: u32| f64::from(k) / f64::from(corners) * std::f64::consts::TAU;
        (0..corners).map(|k| (angle(k), self.within(2, most))).map(|(a, r)| [a.cos() * r, a.sin() * r]).collect()
    }

    /// Returns a shape of several pieces: a star, with a radius or without; parts; or a chain.
    fn shape(&mut self) -> Shape {
        let corners = 5 + self.below(8);
        match self.below(5) {
            0 | 1 => Shape::polygon(&self.star(corners, 20)).unwrap(),
            2 => {
                let (half, radius) = (self.within(2, 9), self.within(1, 3));
                Shape::rounded_polygon(&[[-half, 0.0], [half, -half], [half, half]], radius).unwrap()
            }
            3 => {
                let points = self.star(corners, 24);
                Shape::chain(&points, self.within(0, 2).max(0.125), self.below(2) == 0).unwrap()
            }
            _ => {
                let count = 2 + self.below(4);
                let parts: Vec<Part> = (0..count).map(|k| Part::new(self.part(k), [self.within(-12, 12); 2])).collect();
                Shape::parts(&parts).unwrap()
            }
        }
    }

    fn part(&mut self, k: u32) -> Shape {
        let (width, height) = (self.within(2, 14), self.within(2, 14));
        match k % 3 {
            0 => Shape::rect(width, height).unwrap(),
            1 => Shape::circle(width / 2.0).unwrap(),
            _ => Shape::capsule([0.0, 0.0], [width, height], 1.5).unwrap(),
        }
    }

    /// Returns bodies close together, on a coarse lattice, rotated or not, some of them moving; all enlarged by a
    /// scale.
    fn world(&mut self, touch: Touch, scale: [f64; 2]) -> World {
        let mut world = World::new(touch);
        for k in 0..7 {
            // Only polygons may be flattened.
            let is_flat = scale[0] != scale[1];
            let shape = if is_flat { Shape::polygon(&self.star(9, 20)).unwrap() } else { self.shape() };
            let shape = world.add_shape(shape).unwrap();
            let angle = if k % 2 == 0 { 0.0 } else { self.within(0, 360) };
            let turned = Linear::new(angle, scale, Flip::default());
            let still = self.below(2) == 0;
            let motion = [self.within(-30, 30), self.within(-30, 30)].map(|v| if still { 0.0 } else { v });
            let at = scale.map(|scale| self.within(0, 40).round() * scale);
            world.add(&Body::new(shape, at).posed(turned).moving(motion)).unwrap();
        }
        world
    }
}

#[test]
fn ways_out_of_several_pieces_are_the_hosts() {
    let device = device();
    let mut engines = [false, true].map(engine);
    let mut tally = Tally::default();
    for seed in 0..24 {
        let what = format!("seed {seed}");
        let touch = [Touch::Excluded, Touch::Included][seed as usize / 2 % 2];
        // Enlarged, bodies overlap by more than the 32 units around them in which pieces are considered first;
        // flattened, many pieces have no area.
        let scale = [[1.0, 1.0], [10.0, 10.0], [0.004, 1.0]][seed as usize / 4 % 3];
        let world = Units(SplitMix64(seed)).world(touch, scale);
        let hits = details(&world);
        let found = ask(device, &mut engines[seed as usize % 2], &world, &hits, &what);
        tally.compare(&world, &hits, &found, &what);
    }
    let Tally { found, moving, deep, left } = tally;
    assert!(found > 150 && moving > 20 && deep > 100 && left < 15, "{found}, {moving}, {deep}, {left}");
}

/// Returns a comb of this many teeth 4 units wide, with gaps of `gap` units, as one polygon.
fn comb(teeth: u32, gap: f64) -> Shape {
    let mut outline = vec![[0.0, 24.0]];
    for k in 0..teeth {
        let left = f64::from(k) * (4.0 + gap);
        outline.extend([[left, 0.0], [left + 4.0, 0.0], [left + 4.0, 20.0]]);
        if k + 1 < teeth {
            outline.push([left + 4.0 + gap, 20.0]);
        }
    }
    *outline.last_mut().unwrap() = [f64::from(teeth - 1) * (4.0 + gap) + 4.0, 24.0];
    Shape::polygon(&outline).unwrap()
}

/// A comb between the teeth of another leaves along the teeth or across them, past several; in a slot as wide as a
/// tooth it is held from both sides if touching is a hit.
#[test]
fn interlocked_combs_part() {
    let device = device();
    let cases = [(6.0, 5.0, 3.0), (4.0, 4.0, 10.0), (5.0, 4.5, 15.0), (4.0, 0.5, 7.25)];
    for ((touch, as_hardware), (gap, x, y)) in BOTH.into_iter().zip(cases) {
        let mut world = World::new(touch);
        let comb = world.add_shape(comb(4, gap)).unwrap();
        world.add(&Body::new(comb, [0.0, 0.0])).unwrap();
        world.add(&Body::new(comb, [x, -y]).posed(Linear { x: [1.0, 0.0], y: [0.0, -1.0] })).unwrap();
        world.add(&Body::new(comb, [x, 60.0 - y])).unwrap();
        world.add(&Body::new(comb, [0.0, 60.0])).unwrap();
        let (hits, what) = (details(&world), format!("gap {gap}, {x}, {y}, {touch:?}"));
        assert!(!hits.pairs.is_empty(), "{what}");
        let mut tally = Tally::default();
        tally.compare(&world, &hits, &ask(device, &mut engine(as_hardware), &world, &hits, &what), &what);
        assert_eq!(tally.left, 0, "{what}");
    }
}

/// Returns round bodies in and beside slots just as wide, turned and mirrored exactly.
fn slots(touch: Touch) -> World {
    let mut world = World::new(touch);
    let bar = |w: f64, h: f64| [[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]];
    let bodies = [
        (Shape::circle(6.0), [6.0, 0.0], 12.0),
        (Shape::capsule([0.0, 0.0], [4.0, 0.0], 2.0), [2.0, 0.0], 8.0),
        (Shape::capsule([0.0, 0.0], [0.0, 4.0], 2.0), [2.0, -4.0], 4.0),
        (Shape::rounded_polygon(&bar(4.0, 8.0), 4.0), [4.0, -8.0], 12.0),
    ];
    let mut x = 0.0;
    for (body, mouth, width) in bodies {
        let body = world.add_shape(body.unwrap()).unwrap();
        for tops in [[0.0, 0.0], [0.0, 4.0]] {
            let wall = |at: [f64; 2], w: f64, h: f64| Part::new(Shape::polygon(&bar(w, h)).unwrap(), at);
            let [left, right] = tops;
            let walls = [
                wall([-4.0, left], 4.0, 24.0 - left),
                wall([width, right], 4.0, 24.0 - right),
                wall([-4.0, 20.0], width + 8.0, 4.0),
            ];
            let cup = world.add_shape(Shape::parts(&walls).unwrap()).unwrap();
            for [a, b] in [[1.0, 0.0], [0.0, -1.0], [0.75, 1.0], [-1.0, 0.75]] {
                for linear in [Linear { x: [a, b], y: [-b, a] }, Linear { x: [a, b], y: [b, -a] }] {
                    for off in [[-2.75, 1.0], [1.0, -0.5], [0.0, 4.0], [0.0, 0.0]] {
                        let [p, q] = [mouth[0] + off[0], mouth[1] + right + off[1]];
                        let [u, v] = [0, 1].map(|axis| p * linear.x[axis] + q * linear.y[axis]);
                        x += 100.0;
                        world.add(&Body::new(cup, [x, 0.0]).posed(linear)).unwrap();
                        world.add(&Body::new(body, [x + u, v]).posed(linear)).unwrap();
                    }
                }
            }
        }
    }
    world
}

/// The mouth of a slot as wide as the body is a cusp between arcs, or between an arc and an edge.
#[test]
fn ways_out_of_slots_as_wide_as_the_body_are_the_hosts() {
    let device = device();
    for (touch, as_hardware) in BOTH {
        let (mut engine, world) = (engine(as_hardware), slots(touch));
        let (hits, mut tally) = (details(&world), Tally::default());
        tally.compare(&world, &hits, &ask(device, &mut engine, &world, &hits, "slots"), "slots");
        let Tally { found, left, .. } = tally;
        match touch {
            Touch::Excluded => assert!(found > 120 && left == 0, "{found}, {left}"),
            Touch::Included => assert!(found > 90 && left > 90, "{found}, {left}"),
        }
    }
}

/// Two large discs that overlap by a step part at a tenth of a degree.
#[test]
fn ways_out_of_narrow_wedges_are_the_hosts() {
    let device = device();
    for (touch, as_hardware) in BOTH {
        let (mut engine, mut world) = (engine(as_hardware), World::new(touch));
        let disc = |radius: f64| Shape::circle(radius).unwrap();
        let body = world.add_shape(disc(2048.0)).unwrap();
        for (k, end) in
            [[8_191.996_093_75, 0.0], [0.0, 8_191.996_093_75], [6_553.593_75, 4_915.195_312_5]].into_iter().enumerate()
        {
            let discs = [[0.0; 2], end].map(|at| Part::new(disc(2048.0), at));
            let discs = world.add_shape(Shape::parts(&discs).unwrap()).unwrap();
            let at = 50_000.0 * k as f64;
            world.add(&Body::new(discs, [at, 0.0])).unwrap();
            world.add(&Body::new(body, [at + end[0] / 2.0 - 3.0, end[1] / 2.0 - 3.0])).unwrap();
        }
        let (hits, mut tally) = (details(&world), Tally::default());
        assert_eq!(hits.pairs.len(), 3);
        tally.compare(&world, &hits, &ask(device, &mut engine, &world, &hits, "wedges"), "wedges");
        // If touching is not a hit, two of the wedges have no lattice point near the tip.
        assert_eq!((tally.found, tally.left), if touch == Touch::Included { (0, 3) } else { (1, 2) });
    }
}

/// Two combs whose search takes many dispatches; once earlier steps have shown how many, one submission is enough.
#[test]
fn long_searches_in_unions_are_whole_in_the_frame() {
    let device = device();
    for (touch, as_hardware) in BOTH {
        let mut world = World::new(touch);
        let comb = world.add_shape(comb(4, 0.75)).unwrap();
        world.add(&Body::new(comb, [0.0, 0.0])).unwrap();
        world.add(&Body::new(comb, [1.5, 3.0]).posed(Linear::from_degrees(31.0))).unwrap();
        let (hits, mut engine) = (details(&world), engine(as_hardware));
        let mut tally = Tally::default();
        tally.compare(&world, &hits, &ask(device, &mut engine, &world, &hits, "combs"), "combs");
        let whole = (0..3).any(|_| {
            let ticket = engine.submit(&world, Request::new(Ask::Details).contacts().resident()).unwrap();
            let (contacts, whole) = contacts(device, &ticket.results(), hits.pairs.len());
            if whole {
                tally.compare(&world, &hits, &contacts, "combs in a frame");
            }
            whole
        });
        assert!(whole && tally.left == 0, "{touch:?}, {as_hardware}");
    }
}

/// Bodies with more pieces near the other than the documentation says are left to the host, and no others.
#[test]
fn more_pieces_than_documented_are_left_to_the_host() {
    let device = device();
    let mut engine = engine(false);
    // A chain has a piece for each of its segments, and all of them are near the other.
    for (first, second, is_left) in [(64, 1, false), (65, 1, true), (16, 16, false), (16, 17, true)] {
        let chain = |segments| {
            let points: Vec<[f64; 2]> = (0..=segments).map(|k| [f64::from(k) / 2.0, f64::from(k % 2)]).collect();
            Shape::chain(&points, 0.125, false).unwrap()
        };
        let world = two([first, second].map(chain));
        let hits = details(&world);
        let found = ask(device, &mut engine, &world, &hits, "chains");
        assert_eq!(found[0].state == RawContact::LEFT_TO_HOST, is_left, "{first}, {second}");
        Tally::default().compare(&world, &hits, &found, "chains");
    }
}

/// Returns a world of two bodies on one spot.
fn two(shapes: [Shape; 2]) -> World {
    let mut world = World::default();
    for shape in shapes {
        let shape = world.add_shape(shape).unwrap();
        world.add(&Body::new(shape, [0.0, 0.0])).unwrap();
    }
    world
}

#[test]
fn more_vertices_or_a_larger_body_than_documented_are_left_to_the_host() {
    let device = device();
    let mut engine = engine(false);
    let disc = |corners: u32| {
        let angle = |k: u32| f64::from(k) / f64::from(corners) * std::f64::consts::TAU;
        let outline: Vec<[f64; 2]> = (0..corners).map(angle).map(|a| [40.0 * a.cos(), 40.0 * a.sin()]).collect();
        Shape::polygon(&outline).unwrap()
    };
    let bar = |width: i32| Shape::rect(f64::from(width), 4.0).unwrap();
    for (shapes, is_left) in [
        ([disc(16), disc(16)], false),
        ([disc(17), disc(16)], true),
        ([bar(1 << 20), bar(4)], false),
        ([bar(4), bar((1 << 20) + 1)], true),
    ] {
        let (world, what) = (two(shapes.clone()), format!("{shapes:?}"));
        let hits = details(&world);
        let found = ask(device, &mut engine, &world, &hits, &what);
        assert_eq!(found[0].state == RawContact::LEFT_TO_HOST, is_left, "{what}");
        Tally::default().compare(&world, &hits, &found, &what);
    }
}

/// Pairs with segments are left to the host if touching is not a hit, and only these.
#[test]
fn the_ways_out_of_segments_are_left_to_the_host() {
    let device = device();
    let mut engine = engine(false);
    for touch in [Touch::Excluded, Touch::Included] {
        let mut world = World::new(touch);
        let beam = Shape::chain(&[[0.0, 0.5], [9.0, 0.5]], 0.0, false).unwrap();
        let sprite = Shape::sprite(Mask::from_rows(&["##"; 2]).unwrap());
        for (shape, x) in [(beam, 0), (Shape::rect(2.0, 2.0).unwrap(), 1), (sprite, 5)] {
            let shape = world.add_shape(shape).unwrap();
            world.add(&Body::new(shape, [x, 0])).unwrap();
        }
        let hits = details(&world);
        assert_eq!(hits.pairs, [[0, 1], [0, 2]]);
        for (contact, pair) in ask(device, &mut engine, &world, &hits, "a beam").iter().zip(&hits.pairs) {
            let is_left = contact.state == RawContact::LEFT_TO_HOST;
            assert_eq!(is_left, touch == Touch::Excluded, "{pair:?}");
        }
    }
}
