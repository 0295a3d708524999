//! The broad phase: the comparison of boxes, and the sort of boxes into strips, by instruction set.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput};
use hitmask::cpu::Simd;
use hitmask::internals::{Sort, WIDTH, count_boxes};
use hitmask_workbench::workloads::{SplitMix64, Workload};

/// Number of blocks of boxes, which fit into the first-level cache.
const BLOCKS: usize = 64;

pub(super) fn bench(criterion: &mut Criterion) {
    let mut random = SplitMix64(9);
    let blocks: Vec<[[i32; WIDTH]; 4]> = (0..BLOCKS)
        .map(|_| {
            let [left, top] = [(); 2].map(|()| [(); WIDTH].map(|()| random.below(100) as i32));
            [left, left.map(|v| v + 10), top, top.map(|v| v + 10)]
        })
        .collect();
    let mut group = criterion.benchmark_group("compare boxes");
    group.throughput(Throughput::Elements((BLOCKS * WIDTH) as u64));
    for simd in Simd::available() {
        group.bench_function(simd.name(), |bencher| {
            bencher.iter(|| count_boxes(simd, black_box(&blocks), 10, 30));
        });
    }
    group.finish();

    let mut group = criterion.benchmark_group("sort boxes into strips");
    for n in [1_000, 10_000, 100_000] {
        let world = Workload::Boxes.world(n).expect("a world that is valid");
        group.throughput(Throughput::Elements(n.into()));
        for simd in Simd::available() {
            let mut sort = Sort::default();
            group.bench_function(BenchmarkId::new(simd.name(), n), |bencher| {
                bencher.iter(|| sort.run(black_box(&world), simd));
            });
        }
    }
    group.finish();
}
