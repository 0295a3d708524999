//! Many bodies: the workloads, whose counts independent programs have found, and crowds on one spot, on every engine
//! that is meant for them.

use std::sync::Arc;

use hitmask::{Ask, Body, Engine, Linear, Mask, Shape, Touch, World};
use hitmask_workbench::workloads::{Workload, checksum};

use crate::common::{self, Gpu, Runner, Setup};

/// Returns whether a configuration is meant for few bodies.
fn is_small(setup: Setup) -> bool {
    matches!(setup, Setup::Gpu(Gpu::Sorted | Gpu::Cramped))
}

/// Numbers of pairs on which independent programs agree, or that follow from how a world is made.
#[test]
fn workloads_have_their_known_counts() {
    let known = [
        (Workload::Boxes, 1_000),
        (Workload::Boxes, 10_000),
        (Workload::Boxes, 100_000),
        (Workload::Circles, 1_000),
        (Workload::Circles, 10_000),
        (Workload::Sprites, 1_000),
        (Workload::Sprites, 10_000),
        (Workload::Sprites, 100_000),
        (Workload::Bullets, 50_200),
        (Workload::Row, 10_000),
        (Workload::Column, 10_000),
        (Workload::Comb, 10_000),
        (Workload::Diagonal, 10_000),
        (Workload::Cover, 10_000),
        (Workload::Sizes, 10_000),
        (Workload::Checkers, 10_000),
        (Workload::Hills, 10_000),
    ];
    for mut runner in common::contestants() {
        for (workload, n) in known {
            // Many bodies with little room for candidates take too many runs, and many bodies are sorted anyway.
            if is_small(runner.setup) && n > 1_000 {
                continue;
            }
            let hits = runner.engine.run(&workload.world(n).unwrap(), Ask::Pairs).unwrap();
            hits.validate(Ask::Pairs);
            assert_eq!(Some(hits.pairs.len() as u64), workload.known_pairs(n), "{workload:?} {n} on {}", runner.setup);
        }
    }
}

/// A hundred thousand sprites and shapes of every kind, with about four neighbours each, on the CPU and on the GPU.
#[test]
fn a_hundred_thousand_of_every_kind() {
    let world = mixed(100_000);
    let mut answers = Vec::new();
    for runner in &mut common::contestants() {
        if is_small(runner.setup) {
            continue;
        }
        let hits = runner.engine.run(&world, Ask::Pairs).unwrap();
        hits.validate(Ask::Pairs);
        answers.push((hits.pairs.len(), checksum(&hits.pairs), hits.flags));
    }
    assert!(answers[0].0 > 100_000, "{} pairs", answers[0].0);
    assert!(answers.iter().all(|answer| *answer == answers[0]), "engines differ");
}

/// Returns rotated sprites, boxes, circles, capsules and polygons in a square that gives each about four neighbours.
fn mixed(n: u32) -> World {
    let mut random = hitmask_workbench::workloads::SplitMix64(u64::from(n));
    let mut world = World::new(Touch::Excluded);
    let blob = hitmask_workbench::workloads::blob(&mut random, 24, 600).unwrap();
    let shapes = [
        Shape::sprite(blob).anchored([12.0, 12.0]),
        Shape::rect(20.0, 14.0),
        Shape::circle(9.0),
        Shape::capsule([0.0, 0.0], [14.0, 6.0], 4.0),
        Shape::polygon(&[[0.0, 0.0], [20.0, 4.0], [10.0, 9.0], [7.0, 22.0]]),
    ]
    .map(|shape| world.add_shape(shape.unwrap()).unwrap());
    let side = (n * 400).isqrt() * 256;
    for i in 0..n {
        let at = [(); 2].map(|()| f64::from(random.below(side)) / 256.0);
        let degrees = f64::from(random.below(360));
        world.add(&Body::new(shapes[i as usize % shapes.len()], at).posed(Linear::from_degrees(degrees))).unwrap();
    }
    world
}

/// Bodies on one spot, all of whose pairs hit, in order: 1,024 on every engine but the one with little room, and 4,096,
/// with 8,386,560 pairs, on the CPU and on the GPU as they are opened by default.
#[test]
fn a_crowd_on_one_spot() {
    let blob = || Shape::sprite(Mask::from_rows(&[".#", "##"]).unwrap());
    let every = common::runners().into_iter().filter(|runner| runner.setup != Setup::Gpu(Gpu::Cramped));
    let mut every: Vec<Runner> = every.collect();
    on_one_spot(1024, Shape::rect(3.0, 3.0).unwrap(), &mut every);
    on_one_spot(1024, blob(), &mut every);
    let defaults = [Some(Setup::threads(3)), common::gpu(Gpu::Default)];
    on_one_spot(4096, blob(), &mut defaults.into_iter().flatten().map(Setup::runner).collect::<Vec<_>>());
}

fn on_one_spot(n: u32, shape: Shape, runners: &mut [Runner]) {
    let mut world = World::default();
    let shape = world.add_shape(shape).unwrap();
    for _ in 0..n {
        world.add(&Body::new(shape, [0.0, 0.0])).unwrap();
    }
    let all: Vec<[u32; 2]> = (0..n).flat_map(|i| (i + 1..n).map(move |j| [i, j])).collect();
    for runner in runners {
        let hits = runner.engine.run(&world, Ask::Pairs).unwrap();
        assert!(hits.pairs == all, "{n} on {}", runner.setup);
        assert!((0..n as usize).all(|body| hits.flag(body)), "{n} on {}", runner.setup);
    }
}

#[test]
fn nothing_and_next_to_nothing() {
    let solid = Arc::new(Mask::from_rows(&["##", "##"]).unwrap());
    let empty = Arc::new(Mask::from_rows(&["..", ".."]).unwrap());
    let crowd = |shape: Shape, bodies: usize, layer: u32, hits: u32, turned: f64| {
        let mut world = World::new(Touch::Included);
        let shape = world.add_shape(shape).unwrap();
        for _ in 0..bodies {
            world.add(&Body::new(shape, [5.0, 5.0]).filtered(layer, hits).posed(Linear::from_degrees(turned))).unwrap();
        }
        world
    };
    let worlds = [
        ("no body", World::default()),
        ("one body", crowd(Shape::circle(1.0).unwrap(), 1, 1, u32::MAX, 0.0)),
        ("all filtered", crowd(Shape::sprite(solid.clone()), 700, 2, 1, 0.0)),
        ("on no layer", crowd(Shape::rect(1.0, 1.0).unwrap(), 300, 0, u32::MAX, 0.0)),
        ("hitting none", crowd(Shape::circle(1.0).unwrap(), 9_000, 1, 0, 0.0)),
        ("all transparent", crowd(Shape::sprite(empty.clone()), 700, 1, 1, 0.0)),
        ("all transparent and turned", crowd(Shape::sprite(empty), 700, 1, 1, 33.0)),
    ];
    for mut runner in common::runners() {
        for (what, world) in &worlds {
            let hits = runner.answer(world, what);
            assert!(hits.pairs.is_empty() && hits.flags.iter().all(|word| *word == 0), "{what} on {}", runner.setup);
            assert_eq!(hits.flags.len(), world.len().div_ceil(32), "{what} on {}", runner.setup);
        }
    }
}

/// More bodies than the device can hold: the error names the limit and says what to do, and the engine keeps working.
#[cfg(feature = "gpu")]
#[test]
fn what_does_not_fit_is_told() {
    use hitmask::gpu;

    let limits = wgpu::Limits { max_storage_buffer_binding_size: 1 << 16, ..wgpu::Limits::default() };
    let options = gpu::Options::default().limits(limits);
    let mut small = Engine::Gpu(Box::new(gpu::Engine::with(&options).unwrap()));
    let message = small.run(&Workload::Sprites.world(1_000).unwrap(), Ask::Pairs).unwrap_err().to_string();
    assert!(message.contains("the bodies needs 80000 bytes"), "{message}");
    assert!(message.contains("max_storage_buffer_binding_size of this device is 65536"), "{message}");
    assert!(message.contains("use the CPU engine"), "{message}");
    let world = Workload::Turned.world(500).unwrap();
    let expected = Engine::reference().run(&world, Ask::Details).unwrap();
    assert!(expected.pairs.len() > 100);
    assert_eq!(small.run(&world, Ask::Details).unwrap(), expected);
}

/// Long motions and large masks, which take the GPU more than one dispatch.
#[test]
fn what_takes_many_dispatches() {
    let mut world = World::default();
    let mut random = hitmask_workbench::workloads::SplitMix64(1);
    let [large, small] = [140, 10].map(|side| {
        let mask = hitmask_workbench::workloads::blob(&mut random, side, 300).unwrap();
        world.add_shape(Shape::sprite(mask)).unwrap()
    });
    let mut comb: Vec<[f64; 2]> = (0..40).map(|i| [f64::from(i) * 4.0, f64::from(i % 2) * 30.0]).collect();
    comb.extend([[200.0, 50.0], [-40.0, 50.0]]);
    let comb = world.add_shape(Shape::polygon(&comb).unwrap()).unwrap();
    world.add(&Body::new(large, [0.0, 0.0]).posed(Linear::from_degrees(17.0))).unwrap();
    world.add(&Body::new(large, [-90.0, 40.0]).posed(Linear::scaled(2.0))).unwrap();
    world.add(&Body::new(small, [-700.0, -500.0]).moving([800.0, 600.0])).unwrap();
    world.add(&Body::new(small, [900.0, 700.0]).moving([-850.0, -650.0])).unwrap();
    world.add(&Body::new(comb, [40.0, 10.0]).posed(Linear::from_degrees(5.0))).unwrap();
    world.add(&Body::new(comb, [0.0, -100.0]).moving([60.0, 90.0])).unwrap();
    let expected = Engine::reference().run(&world, Ask::Details).unwrap();
    assert!(expected.pairs.len() > 5, "{expected:?}");
    for mut runner in common::contestants() {
        assert_eq!(runner.answer(&world, "long ways"), expected, "on {}", runner.setup);
    }
}

/// Two sprites that pass each other by two pixels a tick. They share a pixel only between these two, and comparing them
/// there takes the GPU more than one dispatch, so it resumes in the middle of a tick.
#[test]
fn what_hits_within_a_tick_over_many_dispatches() {
    let mut world = World::default();
    // The corners keep the masks from being cut to their few pixels.
    let left = Mask::from_fn(640, 8192, |x, y| [(0, 0), (440, 8191)].contains(&(x, y))).unwrap();
    let right = Mask::from_fn(640, 8192, |x, y| (x, y) == (639, 0) || x == 0 && (7990..8010).contains(&y)).unwrap();
    let [left, right] = [left, right].map(|mask| world.add_shape(Shape::sprite(mask)).unwrap());
    world.add(&Body::new(left, [0, 0]).moving([65_536, 3_000])).unwrap();
    world.add(&Body::new(right, [881, 201]).moving([-65_536, 0])).unwrap();
    let mut expected = None;
    for mut runner in common::contestants() {
        let hits = runner.answer(&world, "within a tick");
        assert_eq!(hits.pairs, [[0, 1]], "on {}", runner.setup);
        let expected = expected.get_or_insert_with(|| hits.clone());
        assert_eq!(hits, *expected, "on {}", runner.setup);
    }
}
