//! Edits of 100,000 bodies at once, and one by one, with a step of them for comparison.

use criterion::{Criterion, Throughput};
use hitmask::response::Events;
use hitmask::{Ask, Bodies, Body, BodyId, Hits, cpu};
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
}
