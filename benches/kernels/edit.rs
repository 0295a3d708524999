//! Edits of a mask, and operations on one: components, scaling, outlines.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use hitmask::geometry::Flip;
use hitmask::{Mask, mask::Neighbours};
use hitmask_workbench::workloads::{SplitMix64, blob};

pub(super) fn bench(criterion: &mut Criterion) {
    edits(criterion);
    components(criterion);
    sizes(criterion);
}

fn noise(side: u32, permille: u32) -> Mask {
    let mut random = SplitMix64(u64::from(side));
    Mask::from_fn(side, side, |_, _| random.below(1000) < permille).unwrap()
}

/// Benchmarks edits of a level of 4096 x 4096 texels, whose lower half is solid. Most draw into the clear half and
/// erase again, so that each edit changes something; the small stamp covers two words of a row.
fn edits(criterion: &mut Criterion) {
    let mut level = Mask::from_fn(4096, 4096, |_, y| y >= 2048).unwrap();
    let stamp = blob(&mut SplitMix64(1), 64, 600).unwrap();
    let large = blob(&mut SplitMix64(1), 1024, 600).unwrap();
    let mut group = criterion.benchmark_group("edit 4096");
    let twice = |level: &mut Mask, stamp: &Mask, at: [i32; 2]| {
        [level.draw(black_box(stamp), at), level.erase(black_box(stamp), at)]
    };
    assert!(twice(&mut level, &stamp, [1001, 777]).iter().all(Option::is_some));
    assert_eq!(level.count(), 2048 * 4096);
    group.bench_function("draw and erase 64", |bencher| {
        bencher.iter(|| twice(&mut level, &stamp, black_box([1001, 777])));
    });
    group.bench_function("draw 64 where all is solid", |bencher| {
        bencher.iter(|| level.draw(black_box(&stamp), black_box([1001, 3001])));
    });
    group.bench_function("draw and erase 1024", |bencher| {
        bencher.iter(|| twice(&mut level, &large, black_box([1001, 777])));
    });
    group.bench_function("draw and erase a disc of radius 32", |bencher| {
        bencher.iter(|| {
            let at = black_box([1001.5, 777.25]);
            [level.draw_disc(at, 32.0).unwrap(), level.erase_disc(at, 32.0).unwrap()]
        });
    });
    group.bench_function("draw and erase a polygon of 12 points, 64 wide", |bencher| {
        let angles = (0..12).map(|k| f64::from(k) * std::f64::consts::TAU / 12.0);
        let outline: Vec<[f64; 2]> = angles.map(|a| [1001.5 + 32.0 * a.cos(), 777.25 + 32.0 * a.sin()]).collect();
        bencher.iter(|| {
            let outline = black_box(&outline);
            [level.draw_polygon(outline).unwrap(), level.erase_polygon(outline).unwrap()]
        });
    });
    group.bench_function("invert", |bencher| bencher.iter(|| level.invert()));
    group.bench_function("count_in 64", |bencher| {
        bencher.iter(|| black_box(&level).count_in(black_box([1001, 2001, 64, 64])));
    });
    group.bench_function("set texel by texel 64", |bencher| {
        bencher.iter(|| {
            for solid in [true, false] {
                for (x, y) in (0..64).flat_map(|y| (0..64).map(move |x| (x, y))).filter(|&(x, y)| stamp.get(x, y)) {
                    level.set(1001 + x, 777 + y, solid).unwrap();
                }
            }
        });
    });
    group.finish();
}

fn components(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("components 1024");
    group.throughput(Throughput::Elements(1024 * 1024));
    for (name, mask) in [
        ("noise of 30 percent", noise(1024, 300)),
        ("noise of 50 percent", noise(1024, 500)),
        ("noise of 60 percent", noise(1024, 600)),
        ("blob", blob(&mut SplitMix64(1), 1024, 600).unwrap()),
    ] {
        for neighbours in [Neighbours::Four, Neighbours::Eight] {
            let count = mask.components(neighbours).len();
            group.bench_function(format!("{name}, {neighbours:?}: {count}"), |bencher| {
                bencher.iter(|| black_box(&mask).components(neighbours));
            });
        }
        group.bench_function(format!("{name}, outline of {}", mask.outline().len()), |bencher| {
            bencher.iter(|| black_box(&mask).outline());
        });
        group.bench_function(format!("{name}, angle"), |bencher| bencher.iter(|| black_box(&mask).angle()));
    }
    group.finish();
}

fn sizes(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("scaled");
    for (name, mask) in [("noise", noise(2048, 500)), ("blob", blob(&mut SplitMix64(1), 2048, 600).unwrap())] {
        for side in [512, 1000, 4096] {
            group.bench_function(format!("{name} 2048 to {side}"), |bencher| {
                bencher.iter(|| black_box(&mask).scaled(side, side).unwrap());
            });
        }
        group.bench_function(format!("{name} 2048 flipped"), |bencher| {
            bencher.iter(|| black_box(&mask).flipped(Flip { x: true, y: true }));
        });
        group.bench_function(format!("{name} 2048 to image"), |bencher| {
            bencher.iter(|| black_box(&mask).to_image([255; 4], [0; 4]));
        });
    }
    let [noise, small] = [blob(&mut SplitMix64(2), 256, 600).unwrap(), blob(&mut SplitMix64(1), 32, 600).unwrap()];
    group.bench_function("overlap_offsets of 32 on 256", |bencher| {
        bencher.iter(|| black_box(&noise).overlap_offsets(black_box(&small)).unwrap());
    });
    group.finish();
}
