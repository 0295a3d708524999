//! Saved worlds: saving and loading the state of 800 and of 30,000 bodies of which all have moved, a copy into a ring
//! beside a plain copy of as many bytes, the checksum, and a rollback of seven frames.

use std::hint::black_box;

use criterion::Criterion;
use hitmask::query::Queries;
use hitmask::{Save, World};
use hitmask_workbench::workloads::Workload;

/// The bytes that a world keeps for each body in its columns.
const BYTES: usize = 150;
/// The number of frames of a rollback.
const FRAMES: usize = 7;

pub(super) fn bench(criterion: &mut Criterion) {
    for count in [800, 30_000] {
        let mut group = criterion.benchmark_group(format!("saves {count}"));
        // Two worlds of which all bodies differ in their positions, and no body in anything else.
        let here = Workload::Bullets.crowd(count).unwrap().into_world();
        let mut there = here.clone();
        there.advance().unwrap();
        let files = [&here, &there].map(|world| world.save(Save::State).unwrap());
        let whole = here.save(Save::Whole).unwrap();
        let mut buffer = Vec::new();
        group.bench_function("save state", |bencher| {
            bencher.iter(|| here.save_into(Save::State, &mut buffer).unwrap());
        });
        let (mut world, mut turn) = (here.clone(), 0);
        group.bench_function("load state, all moved", |bencher| {
            bencher.iter(|| {
                turn += 1;
                world.load_into(&files[turn % 2]).unwrap();
            });
        });
        group.bench_function("load state, all the same", |bencher| {
            world.load_into(&files[0]).unwrap();
            bencher.iter(|| world.load_into(&files[0]).unwrap());
        });
        group.bench_function("load whole, new world", |bencher| {
            bencher.iter(|| World::load(&whole).unwrap());
        });
        let mut copy = World::default();
        group.bench_function("clone_from, all moved", |bencher| {
            bencher.iter(|| {
                turn += 1;
                copy.clone_from([&here, &there][turn % 2]);
            });
        });
        let (from, mut to) = (vec![1_u8; BYTES * count as usize], Vec::new());
        group.bench_function("plain copy", |bencher| bencher.iter(|| black_box(&mut to).clone_from(black_box(&from))));
        group.bench_function("checksum", |bencher| bencher.iter(|| black_box(&here).checksum()));
        group.finish();
    }
    let mut group = criterion.benchmark_group("rollback 2000");
    let (mut world, mut queries) = (Workload::Bullets.crowd(2000).unwrap().into_world(), Queries::new());
    let mut ring = vec![Vec::new(); FRAMES];
    let state = world.save(Save::State).unwrap();
    group.bench_function("seven frames, saved, with the index", |bencher| {
        bencher.iter(|| {
            world.load_into(&state).unwrap();
            for saved in &mut ring {
                world.save_into(Save::State, saved).unwrap();
                world.advance().unwrap();
                queries.on(&world);
            }
        });
    });
    group.finish();
}
