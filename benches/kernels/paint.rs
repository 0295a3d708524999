//! The painting of sprites turned by 45 degrees, at which they paint the most pixels, by size.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use hitmask::cpu::Simd;
use hitmask::internals::{paint, pixels, sample_all};
use hitmask::{Body, Linear, Shape, World};
use hitmask_workbench::workloads::{SplitMix64, Workload, blob};

pub(super) fn bench(criterion: &mut Criterion) {
    for side in [8, 32, 64, 128, 512] {
        let mut world = World::default();
        let mask = blob(&mut SplitMix64(1), side, 600).unwrap();
        let shape = world.add_shape(Shape::sprite(mask)).unwrap();
        world.add(&Body::new(shape, [0.3, 0.7]).posed(Linear::from_degrees(45.0))).unwrap();
        painted(criterion, &format!("paint {side}"), &world);
    }
    painted(criterion, "paint turned 1000", &Workload::Turned.world(1000).unwrap());
}

fn painted(criterion: &mut Criterion, name: &str, world: &World) {
    let mut words = Vec::new();
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(pixels(world)));
    for simd in Simd::available() {
        group.bench_function(simd.name(), |bencher| {
            bencher.iter(|| paint(simd, black_box(world), black_box(&mut words)));
        });
    }
    group.bench_function("sample", |bencher| bencher.iter(|| sample_all(black_box(world))));
    group.finish();
}
