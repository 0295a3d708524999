//! Polygons of many pieces, of which engines and queries visit only those near another body.

use hitmask::query::Queries;
use hitmask::{Body, Linear, Shape, ShapeId, Touch, World};
use hitmask_workbench::workloads::SplitMix64;

use crate::bodies;
use crate::common::{self, Gpu, Setup};
use crate::queries::{Counts, ask};

/// Returns a multiple of 1/256 in `from..below`.
fn real(random: &mut SplitMix64, from: f64, below: f64) -> f64 {
    from + f64::from(random.below(((below - from) * 256.0) as u32)) / 256.0
}

/// Returns hills on flat ground, with the origin in the middle.
fn hills(random: &mut SplitMix64, count: u32) -> Vec<[f64; 2]> {
    let middle = f64::from(count) * 3.0;
    let mut outline: Vec<[f64; 2]> =
        (0..=count).map(|k| [f64::from(k) * 6.0 - middle, real(random, -12.0, 12.0)]).collect();
    outline.extend([[middle, 15.0], [-middle, 15.0]]);
    outline
}

/// Returns a ring with teeth outside and inside.
fn ring(random: &mut SplitMix64, count: u32) -> [Vec<[f64; 2]>; 2] {
    [[50.0, 70.0], [25.0, 40.0]].map(|[least, most]| {
        let tooth = |k: u32| {
            let (sin, cos) = (f64::from(k) / f64::from(count) * std::f64::consts::TAU).sin_cos();
            let far = real(random, least, most);
            [far * cos, far * sin]
        };
        (0..count).map(tooth).collect()
    })
}

/// Returns a strip along a diagonal through the whole world. A shear keeps it within the world, but moves the corners
/// of its bounding box far outside.
fn strip(random: &mut SplitMix64) -> Vec<[f64; 2]> {
    let along = |k: i32| f64::from(k) * 50_000.0;
    let mut side = |by: f64| -> Vec<[f64; 2]> {
        (-20..=20).map(|k| [along(k), along(k) + by + real(random, -0.5, 0.5)]).collect()
    };
    let (mut outline, back) = (side(-1.0), side(1.0));
    outline.extend(back.into_iter().rev());
    outline
}

/// Returns a few polygons of many pieces, rotated, scaled, flipped and sheared, some of them moving, among many bodies
/// of all kinds.
fn world(seed: u64) -> World {
    let mut random = SplitMix64(seed);
    let mut world = World::new(if seed.is_multiple_of(2) { Touch::Excluded } else { Touch::Included });
    let small = bodies::shapes(&mut world, &mut random);
    let sheared = seed % 4 == 3;
    let shape = if sheared {
        Shape::polygon(&strip(&mut random))
    } else if seed.is_multiple_of(3) {
        let [outline, hole] = ring(&mut random, 20 + seed as u32 % 50);
        Shape::polygon_with_holes(&outline, &[hole])
    } else {
        Shape::polygon(&hills(&mut random, 5 + seed as u32 % 90))
    };
    let large = world.add_shape(shape.unwrap()).unwrap();
    let mut put = |shape: ShapeId, shear: bool, random: &mut SplitMix64| {
        let linear = match random.below(4) {
            _ if shear => Linear::from([[127.0, -127.0], [0.4, 0.4]]),
            0 => Linear::IDENTITY,
            1 => Linear::from([[0.9, real(random, -1.0, 1.0)], [real(random, -1.0, 1.0), -1.1]]),
            _ => Linear::from_degrees(real(random, 0.0, 360.0)),
        };
        let body = Body::new(shape, [real(random, 0.0, 40.0), real(random, 0.0, 40.0)]).posed(linear);
        let motion = [real(random, -20.0, 20.0), real(random, -20.0, 20.0)];
        world.add(&if random.below(2) == 0 { body.moving(motion) } else { body }).unwrap();
    };
    for _ in 0..=seed % 3 {
        put(large, sheared, &mut random);
    }
    for _ in 0..25 {
        let body = bodies::body(&mut random, &small, 180);
        let at = [body.at.x - 90.0, body.at.y - 90.0];
        world.add(&Body { at: at.into(), ..body }).unwrap();
    }
    world
}

#[test]
fn engines_agree_on_polygons_of_many_pieces() {
    let mut runners = common::runners();
    let mut pairs = 0;
    for seed in 0..24 {
        let (world, what) = (world(seed), format!("world {seed}"));
        let expected = runners[0].answer(&world, &what);
        for runner in common::in_turn(&mut runners[1..], seed as usize) {
            assert!(runner.answer(&world, &what) == expected, "{what} on {}", runner.setup);
        }
        pairs += expected.pairs.len();
    }
    assert!(pairs > 700, "{pairs} pairs");
}

#[test]
fn queries_about_polygons_of_many_pieces() {
    let (mut random, mut counts, mut queries) = (SplitMix64(8), Counts::new(), Queries::new());
    for seed in 0..80 {
        let world = world(seed);
        for _ in 0..6 {
            ask(&mut queries, &world, &mut random, 60.0, &format!("world {seed}"), &mut counts);
        }
    }
    assert!(counts.values().all(|&count| count > 150) && counts.len() == 5, "{counts:?}");
}

/// Most pieces are far from all bodies. The GPU must get past them even though each dispatch does little work.
#[test]
fn a_pair_of_many_pieces_takes_many_dispatches() {
    let mut random = SplitMix64(3);
    let mut world = World::default();
    let [a, b] = [600, 500].map(|count| world.add_shape(Shape::polygon(&hills(&mut random, count)).unwrap()).unwrap());
    world.add(&Body::new(a, [0, 0])).unwrap();
    world.add(&Body::new(b, [40, -2]).posed(Linear::from_degrees(180.0)).moving([-30, 1])).unwrap();
    let expected = Setup::threads(1).runner().answer(&world, "hills on hills");
    assert_eq!(expected.pairs, [[0, 1]]);
    for setup in common::gpus().filter(|setup| *setup != Setup::Gpu(Gpu::Sorted)) {
        assert!(setup.runner().answer(&world, "hills on hills") == expected, "{setup}");
    }
}
