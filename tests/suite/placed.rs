//! Placements that lie on the GPU: the answer is that of a world with them, and what is beyond the limits is counted
//! and stays where the world has it.

use std::time::Duration;

use hitmask::cpu::{self, Broad};
use hitmask::gpu::{Counts, Engine, Options, Request};
use hitmask::{Ask, Bodies, Body, Hits, Linear, Mask, Shape, Touch, World, wgpu};
use hitmask_workbench::workloads::{SplitMix64, Workload};

use crate::bodies::{body, shapes};
use crate::common::device::{Device, open};

/// The world's edge and the largest motion, in lattice steps.
const WORLD: i32 = (1 << 29) - 1;
const MOTION: i32 = 1 << 24;

/// A position and a motion, in lattice steps.
type Placement = [i32; 4];

fn fresh(world: &World, ask: Ask) -> Hits {
    let options = cpu::Options::default().broad(Broad::AllPairs);
    cpu::Engine::with(&options).unwrap().run(world, ask).unwrap()
}

/// A buffer with placements, as a host has it.
fn buffer(host: &Device, placements: &[Placement]) -> wgpu::Buffer {
    let buffer = host.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("placements"),
        size: size_of_val(placements).max(16) as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    host.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(placements));
    buffer
}

/// A world with these placements, but for those that it refuses; with the number of these.
fn placed(world: &World, placements: &[Placement]) -> (World, u32) {
    let (mut world, mut refused) = (world.clone(), 0);
    let all: Vec<_> = world.ids().collect();
    for id in all {
        let [x, y, dx, dy] = placements[id.index() as usize].map(|v| f64::from(v) / 256.0);
        refused += u32::from(world.set_moving(Bodies::These(&[id]), &[[x, y]], &[[dx, dy]]).is_err());
    }
    (world, refused)
}

/// The answer of a step that is placed on the GPU.
fn answer(engine: &mut Engine, world: &World, buffer: &wgpu::Buffer, ask: Ask) -> (Hits, Counts) {
    let mut ticket = engine.submit(world, Request::new(ask).placed(buffer)).unwrap();
    let hits = ticket.wait(Duration::MAX).unwrap().expect("there is no timeout");
    (hits, ticket.counts().unwrap())
}

fn placement(random: &mut SplitMix64) -> Placement {
    let mut draw = |n: u32| random.below(n) as i32;
    let mut at = [draw(256 * 150), draw(256 * 150), 0, 0];
    if draw(3) == 0 {
        (at[2], at[3]) = (draw(256 * 60) - 256 * 30, draw(256 * 60) - 256 * 30);
    }
    match draw(20) {
        0 => at[draw(2) as usize] = [WORLD - 256, WORLD, WORLD + 1, -WORLD, i32::MIN, i32::MAX][draw(6) as usize],
        1 => at[2 + draw(2) as usize] = [MOTION, MOTION + 1, -MOTION, -MOTION - 1, i32::MIN][draw(5) as usize],
        _ => {}
    }
    at
}

/// Any bodies, of which some are switched off, and free indices; edits of the world between the steps, steps without
/// placements among them.
#[test]
fn the_answer_is_that_of_a_world_with_these_placements() {
    let host = open(wgpu::Limits::default());
    for (seed, broad, touch) in [(1, Broad::AllPairs, Touch::Excluded), (2, Broad::Sorted, Touch::Included)] {
        let options = Options::default().broad(broad);
        let mut engine = Engine::on(host.device.clone(), host.queue.clone(), &options).unwrap();
        let (mut world, mut random) = (World::new(touch), SplitMix64(seed));
        let shapes = shapes(&mut world, &mut random);
        for _ in 0..90 {
            world.add(&body(&mut random, &shapes, 150)).unwrap();
        }
        let (mut skipped, mut pairs) = (0, 0);
        for step in 0..24 {
            let id = world.id(random.below(90));
            match (random.below(6), id) {
                (0, Some(id)) => world.enable(id, random.below(2) == 0).unwrap(),
                (1, Some(id)) => drop(world.remove(id).unwrap()),
                (2, _) => drop(world.add(&body(&mut random, &shapes, 150)).unwrap()),
                (3, Some(id)) => world.set(id, &body(&mut random, &shapes, 150)).unwrap(),
                _ => {}
            }
            let ask = [Ask::Flags, Ask::Pairs, Ask::Details][random.below(3) as usize];
            let what = format!("step {step}, {ask:?}, {broad:?}");
            if random.below(3) == 0 {
                assert!(engine.run(&world, ask).unwrap() == fresh(&world, ask), "{what}, of the world");
                continue;
            }
            let placements: Vec<_> = (0..world.indices()).map(|_| placement(&mut random)).collect();
            let (expected, refused) = placed(&world, &placements);
            let (hits, counts) = answer(&mut engine, &world, &buffer(&host, &placements), ask);
            assert_eq!(counts.skipped, refused, "{what}");
            assert!(hits == fresh(&expected, ask), "{what}");
            skipped += refused;
            pairs += hits.pairs.len();
        }
        assert!(skipped > 20 && pairs > 300, "{skipped} skipped and {pairs} pairs are too few to tell anything");
    }
}

/// Each limit, and one step beyond it: what is refused stays in its place, where it hits another.
#[test]
fn each_limit_is_the_worlds() {
    let host = open(wgpu::Limits::default());
    let mut engine = Engine::from_device(host.device.clone(), host.queue.clone()).unwrap();
    let mask = Mask::from_rows(&["###"; 3]).unwrap();
    let shapes = [
        Shape::rect(2.0, 2.0).unwrap(),
        Shape::circle(1.5).unwrap(),
        Shape::sprite(mask.clone()),
        Shape::sprite(mask.clone()).anchored([1.5, 1.5]).unwrap(),
        // These lie beside their positions.
        Shape::rect(2.0, 2.0).unwrap().anchored([20.0, -30.0]).unwrap(),
        Shape::sprite(mask).anchored([-20.0, 30.0]).unwrap(),
    ];
    let (mut refused, mut taken) = (0, 0);
    for (k, shape) in shapes.into_iter().enumerate() {
        let mut world = World::default();
        let shape = world.add_shape(shape).unwrap();
        let first = Body::new(shape, [0.0, 0.0]);
        let first = if k == 3 { first.posed(Linear::turned(30.0)) } else { first };
        world.add(&first).unwrap();
        world.add(&first).unwrap();
        let bounds = world.bounds(world.id(0).unwrap()).unwrap();
        let [low, high] = [bounds.min, bounds.max].map(|corner| [corner.x, corner.y]);
        for axis in 0..2 {
            let mut cases = vec![[i32::MIN, 0], [i32::MAX, 0], [0, i32::MIN], [0, i32::MAX]];
            for beyond in -257..=257 {
                let step = if (-2..=2).contains(&beyond) || beyond % 128 == 1 { beyond } else { continue };
                let (right, left) = (WORLD - high[axis] + step, -WORLD - low[axis] + step);
                cases.extend([[right, 0], [left, 0], [right - 5000, 5000], [left + 5000, -5000]]);
                cases.extend([[0, MOTION + step], [0, -MOTION + step], [WORLD + step, 0], [-WORLD + step, 0]]);
                cases.extend([[WORLD + step - 5000, 5000], [-WORLD + step + 5000, -5000]]);
                cases.extend([[-WORLD + step + 255, -255], [WORLD + step, -5000], [-WORLD + step, 5000]]);
            }
            for [at, motion] in cases {
                let mut moved = [0; 4];
                (moved[axis], moved[2 + axis]) = (at, motion);
                let placements = [moved, [0; 4]];
                let (expected, bad) = placed(&world, &placements);
                let (hits, counts) = answer(&mut engine, &world, &buffer(&host, &placements), Ask::Pairs);
                assert_eq!(counts.skipped, bad, "shape {k}, axis {axis}, at {at}, by {motion}");
                assert!(hits == fresh(&expected, Ask::Pairs), "shape {k}, axis {axis}, at {at}, by {motion}");
                assert!(bad == 0 || hits.pairs == [[0, 1]], "it stays where it was");
                (refused, taken) = (refused + bad, taken + 1 - bad);
            }
        }
    }
    assert!(refused > 100 && taken > 100, "{refused} refused, {taken} taken");
}

/// What is empty, and what is not there, is not looked at.
#[test]
fn what_hits_nothing_is_not_counted() {
    let host = open(wgpu::Limits::default());
    let mut engine = Engine::from_device(host.device.clone(), host.queue.clone()).unwrap();
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    let ids: Vec<_> = (0..4).map(|_| world.add(&Body::new(ball, [0.0, 0.0])).unwrap()).collect();
    world.remove(ids[0]).unwrap();
    world.set(ids[1], &Body::new(ball, [0.0, 0.0]).posed(Linear::scaled(0.0))).unwrap();
    let (hits, counts) = answer(&mut engine, &world, &buffer(&host, &[[i32::MIN; 4]; 4]), Ask::Pairs);
    assert_eq!((hits.pairs.as_slice(), counts.skipped), ([[2, 3]].as_slice(), 2));
}

/// Many bodies, sorted, and an answer that stays on the GPU; what was counted is there too.
#[test]
fn a_step_may_come_from_the_gpu_and_stay_there() {
    let host = open(wgpu::Limits::default());
    let mut engine = Engine::from_device(host.device.clone(), host.queue.clone()).unwrap();
    let mut crowd = Workload::Turned.crowd(6_000).unwrap();
    for step in 0..3 {
        let world = crowd.world().clone();
        crowd.step(step, 1000).unwrap();
        let mut placements: Vec<Placement> = crowd
            .world()
            .ids()
            .map(|id| {
                let Body { at, motion, .. } = crowd.world().body(id).unwrap();
                [at.x, at.y, motion.x, motion.y].map(|v| (v * 256.0) as i32)
            })
            .collect();
        placements[77][0] = i32::MAX;
        let (expected, refused) = placed(&world, &placements);
        assert_eq!(refused, 1);
        let buffer = buffer(&host, &placements);
        let request = Request::new(Ask::Pairs).placed(&buffer).resident();
        let mut ticket = engine.submit(&world, request).unwrap();
        assert_eq!(ticket.wait(Duration::MAX).unwrap(), Some(Hits::default()));
        let expected = fresh(&expected, Ask::Pairs);
        let results = ticket.results();
        let read = |binding: wgpu::BufferBinding<'_>, bytes| {
            host.read(|encoder, to| encoder.copy_buffer_to_buffer(binding.buffer, binding.offset, to, 0, bytes), bytes)
        };
        assert_eq!(read(results.counts(), 12), [expected.pairs.len() as u32, 1, 1]);
        assert!(read(results.flags(), results.flags().size.unwrap().get()) == expected.flags);
        let pairs = read(results.pairs().unwrap(), size_of_val(expected.pairs.as_slice()) as u64);
        assert!(pairs == expected.pairs.as_flattened());
        assert_eq!(ticket.counts().unwrap().pairs, expected.pairs.len() as u64);
    }
}

#[test]
fn a_buffer_that_cannot_be_read_is_refused() {
    let host = open(wgpu::Limits::default());
    let mut engine = Engine::from_device(host.device.clone(), host.queue.clone()).unwrap();
    let world = Workload::Boxes.world(50).unwrap();
    let mut refused = |buffer: &wgpu::Buffer| {
        let error = engine.submit(&world, Request::new(Ask::Pairs).placed(buffer)).unwrap_err().to_string();
        assert!(engine.run(&world, Ask::Pairs).unwrap() == fresh(&world, Ask::Pairs), "after {error}");
        error
    };
    let error = refused(&buffer(&host, &[[0; 4]; 49]));
    assert_eq!(error, "`placements` is a buffer of 784 bytes; it must have 16 for each of 50 indices, 800");
    let large = host.device.limits().max_storage_buffer_binding_size + 16;
    let too_large = host.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: large,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let limit = format!("it must have at most max_storage_buffer_binding_size, {}", large - 16);
    assert_eq!(refused(&too_large), format!("`placements` is a buffer of {large} bytes; {limit}"));
    let gone = buffer(&host, &[[0; 4]; 50]);
    gone.destroy();
    assert!(refused(&gone).contains("destroyed"));
    let unbound = host.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 800,
        usage: wgpu::BufferUsages::UNIFORM,
        mapped_at_creation: false,
    });
    assert_eq!(refused(&unbound), "`placements` is a buffer without the usage `STORAGE`; it must have it");
}
