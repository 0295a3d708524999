//! Steps of 51,200 bodies of some kinds, 16 units across and 32 apart in the mean, at rest and moving by up to 2 units,
//! on one thread. Only the step counts, not the new positions before it.

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use hitmask::cpu::{Engine, Options};
use hitmask::{Ask, Bodies, Body, Hits, Mask, Shape, World};
use hitmask_workbench::workloads::SplitMix64;

const BODIES: usize = 51_200;

pub(super) fn bench(criterion: &mut Criterion) {
    let mut mask = Mask::new(16, 16).unwrap();
    mask.draw_disc([8.0, 8.0], 8.0).unwrap();
    let (disc, square) = (Shape::circle(7.0).unwrap(), Shape::rect(12.0, 12.0).unwrap());
    let sprite = Shape::sprite(mask).anchored([8.0, 8.0]).unwrap();
    let kinds = [
        ("boxes", vec![square.clone()]),
        ("circles", vec![disc.clone()]),
        ("boxes, circles", vec![square.clone(), disc.clone()]),
        ("sprites", vec![sprite.clone()]),
        ("sprites, boxes", vec![sprite.clone(), square]),
        ("sprites, circles", vec![sprite, disc]),
    ];
    let mut engine = Engine::with(&Options::default().threads(1)).unwrap();
    let mut group = criterion.benchmark_group("steps 50k");
    group.throughput(Throughput::Elements(BODIES as u64));
    for (name, shapes) in kinds {
        for (state, speed) in [("at rest", 0.0), ("moving", 2.0)] {
            let (mut world, frames) = world_of(&shapes, speed);
            let mut hits = Hits::default();
            let mut step = |k: u64| {
                world.set_positions(Bodies::All, &frames[(k % 2) as usize]).unwrap();
                let start = Instant::now();
                engine.run_into(&world, Ask::Pairs, &mut hits).unwrap();
                start.elapsed()
            };
            group.bench_function(format!("{name}, {state}"), |bencher| {
                bencher.iter_custom(|count| (0..count).map(&mut step).sum::<Duration>());
            });
        }
    }
    group.finish();
}

/// Makes a world of bodies that take the shapes in turn, and two lists of positions for them.
fn world_of(shapes: &[Shape], speed: f64) -> (World, [Vec<[f64; 2]>; 2]) {
    let mut random = SplitMix64(1);
    let mut real = || f64::from(random.below(1 << 24)) / f64::from(1 << 24);
    let mut world = World::default();
    let shapes: Vec<_> = shapes.iter().map(|shape| world.add_shape(shape.clone()).unwrap()).collect();
    let side = 32.0 * (BODIES as f64).sqrt();
    for k in 0..BODIES {
        let motion = [(); 2].map(|()| speed * (2.0 * real() - 1.0));
        world.add(&Body::new(shapes[k % shapes.len()], [0.0, 0.0]).moving(motion)).unwrap();
    }
    let frames = [(); 2].map(|()| (0..BODIES).map(|_| [(); 2].map(|()| side * real())).collect());
    (world, frames)
}
