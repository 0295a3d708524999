//! Edits of 100,000 bodies at once, and one by one, with a step of them for comparison; and of 20,000 bodies that turn.

use criterion::{Criterion, Throughput};
use hitmask::response::Events;
use hitmask::{Ask, Bodies, Body, BodyId, Hits, Linear, Mask, Shape, World, cpu};
use hitmask_workbench::workloads::Workload;

const BODIES: usize = 100_000;

pub(super) fn bench(criterion: &mut Criterion) {
    let mut world = Workload::Bullets.crowd(BODIES as u32).unwrap().into_world();
    let ids: Vec<BodyId> = world.ids().collect();
    let bodies: Vec<Body> = ids.iter().filter_map(|&id| world.body(id)).collect();
    // Two positions for each body, a quarter unit apart, so that every edit changes all.
    let at = [0.0, 0.25].map(|by| bodies.iter().map(|body| [body.at.x + by, body.at.y]).collect::<Vec<_>>());
    let at_f32 = at.each_ref().map(|at| at.iter().map(|p| p.map(|v| v as f32)).collect::<Vec<_>>());
    let motion = vec![[0.5_f32, 0.25]; BODIES];
    let linear: Vec<_> = bodies.iter().map(|body| body.linear).collect();
    let (mut engine, mut hits, mut events) = (cpu::Engine::new().unwrap(), Hits::default(), Events::default());

    let mut group = criterion.benchmark_group("bulk 100k");
    group.throughput(Throughput::Elements(BODIES as u64));
    let mut k = 0;
    group.bench_function("positions, f64", |bencher| {
        bencher.iter(|| {
            k ^= 1;
            world.set_positions(Bodies::All, &at[k])
        });
    });
    group.bench_function("positions, f32", |bencher| {
        bencher.iter(|| {
            k ^= 1;
            world.set_positions(Bodies::All, &at_f32[k])
        });
    });
    group.bench_function("positions of a list", |bencher| {
        bencher.iter(|| {
            k ^= 1;
            world.set_positions(Bodies::These(&ids), &at_f32[k])
        });
    });
    group.bench_function("set one by one", |bencher| {
        bencher.iter(|| {
            k ^= 1;
            for ((&id, body), &at) in ids.iter().zip(&bodies).zip(&at[k]) {
                world.set(id, &Body { at: at.into(), ..*body }).unwrap();
            }
        });
    });
    group.bench_function("positions and a step", |bencher| {
        bencher.iter(|| {
            k ^= 1;
            world.set_positions(Bodies::All, &at[k]).unwrap();
            engine.run_into(&world, Ask::Pairs, &mut hits)
        });
    });
    group.bench_function("events", |bencher| bencher.iter(|| events.update(&world, &hits).unwrap()));
    group.bench_function("positions and motions", |bencher| {
        bencher.iter(|| {
            k ^= 1;
            world.set_moving(Bodies::All, &at_f32[k], &motion)
        });
    });
    group.bench_function("poses", |bencher| {
        bencher.iter(|| {
            k ^= 1;
            world.set_poses(Bodies::All, &at_f32[k], &linear, &motion)
        });
    });
    group.finish();
    turn(criterion);
}

/// Gives the bodies of a list other linear parts and other shapes.
fn turn(criterion: &mut Criterion) {
    const TURNED: usize = 20_000;

    let mut mask = Mask::new(8, 8).unwrap();
    mask.draw_disc([4.0, 4.0], 4.0).unwrap();
    let shapes = [("sprites", Shape::sprite(mask)), ("boxes", Shape::rect(8.0, 8.0).unwrap())];
    let mut group = criterion.benchmark_group("bulk 20k");
    group.throughput(Throughput::Elements(TURNED as u64));
    for (name, shape) in shapes {
        let mut world = World::default();
        let shapes = [(); 2].map(|()| world.add_shape(shape.clone()).unwrap());
        let bodies: Vec<Body> = (0..TURNED as i32).map(|k| Body::new(shapes[0], [k % 150 * 9, k / 150 * 9])).collect();
        let ids = world.add_all(&bodies).unwrap();
        let linears = [1.0, 2.0]
            .map(|turn| (0..TURNED).map(|k| Linear::from_radians(0.01 * k as f64 + turn)).collect::<Vec<_>>());
        let mut k = 0;
        group.bench_function(format!("linear parts, {name}"), |bencher| {
            bencher.iter(|| {
                k ^= 1;
                world.set_linears(Bodies::These(&ids), &linears[k])
            });
        });
        world.set_linears(Bodies::These(&ids), &vec![Linear::IDENTITY; TURNED]).unwrap();
        let frames = shapes.map(|shape| vec![shape; TURNED]);
        group.bench_function(format!("shapes, {name}"), |bencher| {
            bencher.iter(|| {
                k ^= 1;
                world.set_shapes(Bodies::These(&ids), &frames[k])
            });
        });
    }
    group.finish();
}
