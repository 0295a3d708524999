//! Streamed pairs: equal to those of a step, within the given memory.

use std::ops::ControlFlow;

use hitmask::cpu::{self, Broad};
use hitmask::{Ask, Body, Detail, Engine, Shape, World};
use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::{SplitMix64, Workload};

use crate::common::{self, Setup};

/// Returns all that a stream gave, and the number of slices.
fn streamed(engine: &mut Engine, world: &World, ask: Ask, memory: u64) -> (Vec<[u32; 2]>, Vec<Detail>, usize) {
    let (mut pairs, mut details, mut slices) = (Vec::new(), Vec::new(), 0);
    let ended = engine.stream(world, ask, memory, |run, carried| {
        assert!(!run.is_empty(), "a slice has pairs");
        pairs.extend_from_slice(run);
        details.extend_from_slice(carried);
        slices += 1;
        ControlFlow::<()>::Continue(())
    });
    assert!(ended.unwrap().is_continue());
    (pairs, details, slices)
}

/// Every family of scenes, on every engine, from almost no memory to more than enough.
#[test]
fn random_scenes_are_streamed_as_they_are_answered() {
    let mut runners = common::runners();
    let mut most_slices = 0;
    for seed in 0..300 {
        let world = random_scene(70_000 + seed).world().unwrap();
        let expected = Engine::reference().run(&world, Ask::Details).unwrap();
        let small = Setup::threads(1);
        for runner in runners.iter_mut().filter(|runner| seed % 10 == 0 || runner.setup == small) {
            for memory in [0, 300, 2_000, 1 << 30] {
                let what = format!("scene {seed} in {memory} bytes on {}", runner.setup);
                let (pairs, details, slices) = streamed(&mut runner.engine, &world, Ask::Details, memory);
                assert!(pairs == expected.pairs && details == expected.details, "{what}");
                let (pairs, details, _) = streamed(&mut runner.engine, &world, Ask::Pairs, memory);
                assert!(pairs == expected.pairs && details.is_empty(), "{what}");
                most_slices = most_slices.max(slices);
            }
            // The engine did not keep data of the streamed step for later steps.
            assert_eq!(runner.engine.run(&world, Ask::Details).unwrap(), expected);
        }
    }
    assert!(most_slices > 8, "{most_slices} slices are few");
}

/// Thousands of bodies, enough for several threads: sprites, all on layers, bodies of very different sizes, and some so
/// far apart that strips share places.
#[test]
fn crowds_are_streamed_as_they_are_answered() {
    let mut far = World::default();
    let (mut random, ball) = (SplitMix64(5), far.add_shape(Shape::circle(3.0).unwrap()).unwrap());
    let boxes = [1.0, 40.0, 9_000.0, 400_000.0].map(|side| far.add_shape(Shape::rect(side, side).unwrap()).unwrap());
    for k in 0..6_000_usize {
        let at = [(); 2].map(|()| f64::from(random.below(1 << 20)));
        let shape = if k % 100 == 0 { boxes[k / 100 % 4] } else { ball };
        // In pairs, so that not only large bodies hit.
        far.add(&Body::new(shape, at)).unwrap();
        far.add(&Body::new(shape, [at[0] + 1.0, at[1]])).unwrap();
    }
    let worlds = [
        Workload::Sprites.world(6_000).unwrap(),
        Workload::Bullets.world(8_000).unwrap(),
        Workload::Clustered.world(8_000).unwrap(),
        far,
    ];
    for (k, world) in worlds.iter().enumerate() {
        let mut engine = Engine::cpu().unwrap();
        let expected = engine.run(world, Ask::Details).unwrap();
        assert!(expected.pairs.len() > 500, "{} pairs", expected.pairs.len());
        for threads in 1..=3 {
            let mut engine = Setup::Cpu { simd: cpu::Simd::best(), broad: Broad::Sorted, threads }.runner().engine;
            for memory in [20_000, 1 << 20, 1 << 30] {
                let (pairs, details, slices) = streamed(&mut engine, world, Ask::Details, memory);
                let what = format!("world {k} in {memory} bytes on {threads} threads, {slices} slices");
                assert!(pairs == expected.pairs && details == expected.details, "{what}");
                assert!(slices > 3 || memory > 20_000, "{what}");
            }
        }
    }
}

/// Slices do not depend on the number of threads or the SIMD set.
#[test]
fn slices_are_the_same_everywhere() {
    let world = Workload::Turned.world(5_000).unwrap();
    let mut known: Option<Vec<usize>> = None;
    for setup in (1..=3).flat_map(Setup::cpus) {
        let mut slices = Vec::new();
        let count = |pairs: &[[u32; 2]], _: &[Detail]| {
            slices.push(pairs.len());
            ControlFlow::<()>::Continue(())
        };
        assert!(setup.runner().engine.stream(&world, Ask::Pairs, 100_000, count).unwrap().is_continue());
        assert!(slices.len() > 4);
        assert_eq!(*known.get_or_insert_with(|| slices.clone()), slices, "{setup}");
    }
}

/// A crowd on one spot, with more pairs than a game would hold: in order, by count and by flags.
#[test]
fn many_on_one_spot() {
    spot(Setup::threads(2).runner().engine, 8_000);
}

/// 2,147,450,880 pairs, more than a list in most machines can hold.
#[test]
#[ignore = "a minute in a release build; `./attack` runs it"]
fn sixty_five_thousand_on_one_spot() {
    spot(Engine::cpu().unwrap(), 1 << 16);
}

fn spot(mut engine: Engine, bodies: u32) {
    let mut world = World::default();
    let shape = world.add_shape(Shape::rect(1.0, 1.0).unwrap()).unwrap();
    for _ in 0..bodies {
        world.add(&Body::new(shape, [0, 0])).unwrap();
    }
    let mut next = [0, 1];
    let ended = engine.stream(&world, Ask::Pairs, 1 << 24, |pairs, _| {
        for &pair in pairs {
            assert_eq!(pair, next, "in order, and none left out");
            next = if next[1] + 1 < bodies { [next[0], next[1] + 1] } else { [next[0] + 1, next[0] + 2] };
        }
        ControlFlow::<()>::Continue(())
    });
    assert!(ended.unwrap().is_continue());
    assert_eq!(next, [bodies - 1, bodies], "the last pair was there");
    let flags = engine.run(&world, Ask::Flags).unwrap().flags;
    assert_eq!(flags.iter().map(|word| word.count_ones()).sum::<u32>(), bodies);
}

#[test]
fn a_stream_ends_where_it_is_broken_off() {
    let world = Workload::Boxes.world(2_000).unwrap();
    for runner in &mut common::runners() {
        let pairs = runner.engine.run(&world, Ask::Pairs).unwrap().pairs;
        let mut slices = 0;
        let broken = runner.engine.stream(&world, Ask::Details, 10_000, |run, details| {
            assert_eq!(run.len(), details.len());
            slices += 1;
            if run[0][0] < 300 { ControlFlow::Continue(()) } else { ControlFlow::Break(run[0]) }
        });
        let Ok(ControlFlow::Break(first)) = broken else { panic!("{broken:?} on {}", runner.setup) };
        assert!(slices > 1 && first[0] >= 300 && pairs.binary_search(&first).is_ok(), "on {}", runner.setup);
    }
}

#[test]
fn worlds_without_pairs_give_no_slice() {
    let mut one = World::default();
    let ball = one.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let id = one.add(&Body::new(ball, [0, 0])).unwrap();
    let mut none = one.clone();
    none.remove(id).unwrap();
    for world in [World::default(), one, none] {
        for runner in &mut common::runners() {
            for memory in [0, u64::MAX] {
                assert_eq!(streamed(&mut runner.engine, &world, Ask::Details, memory), (vec![], vec![], 0));
            }
        }
    }
}
