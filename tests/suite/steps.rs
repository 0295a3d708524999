//! The CPU engine over many steps: it reuses what did not change, and must agree with a new engine after any sequence
//! of edits, with every SIMD set.

use hitmask::cpu::{Broad, Simd};
use hitmask::geometry::Flip;
use hitmask::{Ask, Body, Engine, Linear, Shape, Touch, World, cpu};
use hitmask_workbench::workloads::{SplitMix64, Workload};

use crate::bodies::{body, shapes};

fn engine(threads: usize, broad: Broad, simd: Simd) -> cpu::Engine {
    cpu::Engine::with(&cpu::Options::default().threads(threads).broad(broad).simd(simd)).unwrap()
}

fn named(threads: usize, broad: Broad, simd: Simd) -> (String, cpu::Engine) {
    (format!("{broad:?} with {} on {threads}", simd.name()), engine(threads, broad, simd))
}

/// Returns engines with every SIMD set, sorted and all pairs, on one thread and on two.
fn engines() -> Vec<(String, cpu::Engine)> {
    let mut engines = Vec::new();
    for simd in Simd::available() {
        for (threads, broad) in [(1, Broad::Sorted), (2, Broad::Sorted), (2, Broad::AllPairs), (2, Broad::Auto)] {
            engines.push(named(threads, broad, simd));
        }
    }
    engines
}

fn go_on(touch: Touch, bodies: u32, steps: u32, side: u32, mut engines: Vec<(String, cpu::Engine)>) {
    let mut random = SplitMix64(u64::from(bodies) + u64::from(touch == Touch::Included));
    let mut world = World::new(touch);
    let shapes = shapes(&mut world, &mut random);
    for _ in 0..bodies {
        world.add(&body(&mut random, &shapes, side)).unwrap();
    }
    let mut pairs = 0;
    for step in 0..steps {
        // Mostly few bodies change; sometimes none, all, or there are more than before.
        let changes = match random.below(8) {
            0 => 0,
            1 => bodies,
            2 => {
                world.add(&body(&mut random, &shapes, side)).unwrap();
                1
            }
            _ => 1 + random.below(bodies / 20),
        };
        for _ in 0..changes {
            let index = random.below(world.len() as u32);
            world.set(world.id(index).unwrap(), &body(&mut random, &shapes, side)).unwrap();
        }
        let ask = [Ask::Pairs, Ask::Details, Ask::Flags][random.below(3) as usize];
        let expected = if bodies < 100 && step < 8 {
            Engine::reference().run(&world, ask).unwrap()
        } else {
            engine(1, Broad::AllPairs, Simd::Scalar).run(&world, ask).unwrap()
        };
        for (name, engine) in &mut engines {
            let hits = engine.run(&world, ask).unwrap();
            hits.validate(ask);
            assert!(hits == expected, "{bodies} bodies, {touch:?}, step {step}, {ask:?}: {name}");
        }
        pairs += expected.pairs.len();
    }
    assert!(pairs > bodies as usize, "{pairs} pairs are too few to tell anything");
}

#[test]
fn small_worlds_go_on() {
    for touch in [Touch::Excluded, Touch::Included] {
        go_on(touch, 64, 60, 120, engines());
    }
}

#[test]
fn large_worlds_go_on() {
    for touch in [Touch::Excluded, Touch::Included] {
        // From 4,096 bodies on, engines use several threads.
        let sorted = Simd::available().into_iter().map(|simd| named(2, Broad::Sorted, simd));
        let others = [named(3, Broad::Sorted, Simd::best()), named(2, Broad::AllPairs, Simd::best())];
        go_on(touch, 4_200, 5, 5_000, sorted.chain(others).collect());
    }
}

#[test]
fn adversaries_go_on() {
    for workload in Workload::ALL {
        let mut crowd = workload.crowd(2_000).unwrap();
        let mut engines = engines();
        for step in 0..6 {
            crowd.step(step, if step == 3 { 1_000 } else { 20 }).unwrap();
            let expected = engine(1, Broad::AllPairs, Simd::Scalar).run(crowd.world(), Ask::Pairs).unwrap();
            for (name, engine) in &mut engines {
                let hits = engine.run(crowd.world(), Ask::Pairs).unwrap();
                assert!(hits == expected, "{workload} step {step}: {name}");
            }
        }
    }
}

/// The engine does not mistake another world, or a copy, for the world before.
#[test]
fn worlds_are_told_apart() {
    let mut a = Workload::Boxes.crowd(500).unwrap();
    let b = Workload::Boxes.crowd(501).unwrap().into_world();
    let mut kept = engine(1, Broad::Sorted, Simd::best());
    let mut check = |world: &World, what: &str| {
        let expected = engine(1, Broad::AllPairs, Simd::Scalar).run(world, Ask::Pairs).unwrap();
        assert!(kept.run(world, Ask::Pairs).unwrap() == expected, "{what}");
    };
    check(a.world(), "a");
    check(a.world(), "a again");
    let copy = a.world().clone();
    a.step(1, 10).unwrap();
    check(a.world(), "a, steady");
    check(&copy, "the copy of a");
    check(a.world(), "a after its copy");
    check(&b, "b");
    a.step(2, 10).unwrap();
    check(a.world(), "a after b");
}

/// Bodies are added while all others rest, more of them than the bit sets of the old bodies have room for.
#[test]
fn a_steady_world_grows() {
    let mut random = SplitMix64(5);
    let mut world = World::new(Touch::Included);
    let shapes = shapes(&mut world, &mut random);
    for _ in 0..128 {
        world.add(&body(&mut random, &shapes, 150)).unwrap();
    }
    let mut engines = engines();
    for step in 0..40 {
        let expected = engine(1, Broad::AllPairs, Simd::Scalar).run(&world, Ask::Details).unwrap();
        for (name, engine) in &mut engines {
            assert!(engine.run(&world, Ask::Details).unwrap() == expected, "step {step}: {name}");
        }
        world.add(&body(&mut random, &shapes, 150)).unwrap();
    }
}

/// Bodies as large as the world, alone and among others.
#[test]
fn giants_span_the_world() {
    for others in [0, 100] {
        let mut world = World::new(Touch::Excluded);
        let giant = world.add_shape(Shape::rect(32_768.0, 32_768.0).unwrap().anchored([16_384.0; 2]).unwrap()).unwrap();
        for turned in [0.0, 90.0, 180.0] {
            let linear = Linear::new(turned, [127.0; 2], Flip::default());
            world.add(&Body::new(giant, [0.0; 2]).posed(linear)).unwrap();
        }
        let small = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
        for k in 0..others {
            let at = f64::from(k * 40_000) - 2_000_000.0;
            world.add(&Body::new(small, [at, -at])).unwrap();
        }
        let expected = Engine::reference().run(&world, Ask::Details).unwrap();
        assert_eq!(expected.pairs.len() as i32, 3 + 3 * others);
        for (name, engine) in &mut engines() {
            for _ in 0..3 {
                assert!(engine.run(&world, Ask::Details).unwrap() == expected, "{others} others: {name}");
            }
        }
    }
}

/// Strips are cut for the bodies of an earlier step, which later ones may not fit: bodies leave on all sides, alone and
/// together, and filters appear.
#[test]
fn bodies_leave_the_strips() {
    let mut crowd = Workload::Boxes.crowd(3_000).unwrap();
    let mut engines = engines();
    crowd.step(0, 1_000).unwrap();
    let (mut world, homes) = (crowd.world().clone(), crowd.homes().to_vec());
    for step in 0..12 {
        for index in 0..8_u32 {
            let home = homes[index as usize * 300];
            let away = [[-2e3, 0.0], [0.0, -2e3], [5e3, 0.0], [0.0, 5e3]][step % 4];
            let away = away.map(|v| v + f64::from(step as u32 / 4 * index));
            let [layer, hits] = [[1, 2], [0, u32::MAX], [1, 0]][(step + index as usize) % 3];
            let body = if step < 8 { Body::new(home.shape, away) } else { home.filtered(layer, hits) };
            world.set(world.id(index * 300).unwrap(), &body).unwrap();
        }
        let expected = engine(1, Broad::AllPairs, Simd::Scalar).run(&world, Ask::Pairs).unwrap();
        for (name, engine) in &mut engines {
            assert!(engine.run(&world, Ask::Pairs).unwrap() == expected, "step {step}: {name}");
        }
    }
}

/// All bodies move in each step: first by less than a strip, so that the cut stays while the bounds of all bodies
/// change, and then by a quarter of all.
#[test]
fn a_world_grows_and_shrinks() {
    let mut crowd = Workload::Boxes.crowd(6_000).unwrap();
    crowd.step(0, 1_000).unwrap();
    let (mut world, homes) = (crowd.world().clone(), crowd.homes().to_vec());
    let mut engines = engines();
    let scales = [1.0, 1.01, 1.02, 1.03, 1.04, 1.3, 1.29, 1.28, 0.7, 0.69, 0.68];
    for (step, scale) in scales.into_iter().enumerate() {
        for (home, index) in homes.iter().zip(0..) {
            world
                .set(world.id(index).unwrap(), &Body::new(home.shape, [home.at.x * scale, home.at.y * scale]))
                .unwrap();
        }
        let expected = engine(1, Broad::AllPairs, Simd::Scalar).run(&world, Ask::Pairs).unwrap();
        assert!(expected.pairs.len() > 1_000, "{} pairs are too few to tell anything", expected.pairs.len());
        for (name, engine) in &mut engines {
            assert!(engine.run(&world, Ask::Pairs).unwrap() == expected, "step {step}: {name}");
        }
    }
}
