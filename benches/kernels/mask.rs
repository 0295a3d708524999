//! Pairs of masks: whether they overlap, and by how much.
//!
//! The floor is a plain AND and bit count over the same number of words, all of which any kernel must read.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use hitmask::Mask;
use hitmask::cpu::Simd;
use hitmask::internals::{MaskPair, count_common};
use hitmask_workbench::workloads::{SplitMix64, blob, mask_pairs};

pub(super) fn bench(criterion: &mut Criterion) {
    for side in [8, 32, 128, 512, 2048] {
        one_pair(criterion, side);
    }
    for side in [512, 2048, 4096, 8192] {
        large_pairs(criterion, side);
    }
    small_pairs(criterion);
    for side in [8, 16, 32, 64, 128, 256] {
        any_offset(criterion, side);
    }
    workload(criterion);
}

/// Benchmarks a pair of full size without a common pixel, so that all of it must be compared.
fn one_pair(criterion: &mut Criterion, side: u32) {
    // Every other column is solid, and the offset is odd.
    let row = ".#".repeat(side as usize / 2);
    let [mask, other] = [(); 2].map(|()| Mask::from_rows(&vec![&row; side as usize]).unwrap());
    let pair = MaskPair::new(&mask, &other, [5, 1], false);
    let (words, others) = (mask.words(), other.words());
    let mut group = criterion.benchmark_group(format!("mask {side}"));
    group.throughput(Throughput::Bytes(16 * words.len() as u64));
    for simd in Simd::available() {
        assert!(!pair.meet(simd) && pair.area(simd) == 0);
        let name = |what| format!("{what} {}", simd.name());
        group.bench_function(name("floor"), |bencher| {
            bencher.iter(|| count_common(simd, black_box(words), black_box(others)));
        });
        group.bench_function(name("flag"), |bencher| bencher.iter(|| black_box(&pair).meet(simd)));
        group.bench_function(name("area"), |bencher| bencher.iter(|| black_box(&pair).area(simd)));
    }
    group.bench_function("Mask::overlaps", |bencher| {
        bencher.iter(|| black_box(&mask).overlaps(black_box(&other), [5, 1]));
    });
    group.bench_function("Mask::overlap", |bencher| {
        bencher.iter(|| black_box(&mask).overlap(black_box(&other), [5, 1]));
    });
    group.finish();
}

/// Benchmarks pairs of each kind of large mask, with blocks and without: for flags a mask and its complement, which
/// have nothing in common; for areas a mask and itself.
fn large_pairs(criterion: &mut Criterion, side: u32) {
    let mut group = criterion.benchmark_group(format!("mask blocks {side}"));
    for (kind, mask) in kinds(side) {
        let (copy, [dx, dy]) = (mask.clone(), [5, 1]);
        let other = filled(side, |x, y| x + dx >= side || y + dy >= side || !mask.get(x + dx, y + dy));
        for simd in Simd::available() {
            for (level, blocks) in [("words", false), ("blocks", true)] {
                let apart = MaskPair::new(&mask, &other, [5, 1], blocks);
                let itself = MaskPair::new(&mask, &copy, [5, 1], blocks);
                assert!(!apart.meet(simd) && itself.meet(simd));
                assert_eq!(itself.area(simd), MaskPair::new(&mask, &copy, [5, 1], false).area(simd));
                let name = |what| format!("{kind} {what} {level} {}", simd.name());
                group.bench_function(name("flag"), |bencher| bencher.iter(|| black_box(&apart).meet(simd)));
                group.bench_function(name("area"), |bencher| bencher.iter(|| black_box(&itself).area(simd)));
            }
        }
    }
    group.finish();
}

/// Returns masks of noise, a blob, the walls around an empty room, and a solid room with some holes.
fn kinds(side: u32) -> [(&'static str, Mask); 4] {
    let mut random = SplitMix64(u64::from(side));
    let noise = filled(side, |_, _| random.below(2) == 0);
    let small = blob(&mut random, side.min(1024), 600).unwrap();
    let scale = side / small.width();
    let wall = side / 64;
    let room = wall..side - wall;
    let holes: Vec<_> = (0..20).map(|_| [(); 2].map(|()| random.below(side))).collect();
    [
        ("noise", noise),
        ("blob", filled(side, |x, y| small.get(x / scale, y / scale))),
        ("room", filled(side, |x, y| !room.contains(&x) || !room.contains(&y))),
        ("full", filled(side, |x, y| holes.iter().all(|[u, v]| x.abs_diff(*u).max(y.abs_diff(*v)) > wall))),
    ]
}

fn filled(side: u32, mut solid: impl FnMut(u32, u32) -> bool) -> Mask {
    let alpha: Vec<u8> = (0..side * side).map(|i| u8::from(solid(i % side, i / side))).collect();
    Mask::from_alpha(&alpha, side, side, 1).unwrap()
}

/// Benchmarks 1,000 pairs as in the engine: sprites of 32 x 32 texels whose bounds meet.
fn small_pairs(criterion: &mut Criterion) {
    let mut random = SplitMix64(4032);
    let masks: Vec<Mask> = (0..64).map(|_| blob(&mut random, 32, 600).unwrap()).collect();
    let mut draw = |below: u32| random.below(below);
    let pairs: Vec<MaskPair<'_>> = (0..1000)
        .map(|_| {
            let [a, b] = [(); 2].map(|()| &masks[draw(64) as usize]);
            MaskPair::new(a, b, [(); 2].map(|()| draw(63) as i32 - 31), false)
        })
        .collect();
    let mut group = criterion.benchmark_group("mask pairs 32");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    for simd in Simd::available() {
        group.bench_function(format!("flag {}", simd.name()), |bencher| {
            bencher.iter(|| MaskPair::count(simd, black_box(&pairs)));
        });
    }
    group.finish();
}

/// Benchmarks 256 pairs of masks at random offsets at which their bounds meet, and for comparison a plain loop on the
/// same words: row by row, up to the first word in common, as in pygame's `bitmask.c`.
fn any_offset(criterion: &mut Criterion, side: u32) {
    let mut random = SplitMix64(u64::from(side));
    let masks: Vec<Mask> = (0..16).map(|_| blob(&mut random, side, 600).unwrap()).collect();
    let mut draw = |below: u32| random.below(below);
    let pairs: Vec<(&Mask, &Mask, [i32; 2])> = (0..256)
        .map(|_| {
            let [a, b] = [(); 2].map(|()| &masks[draw(16) as usize]);
            (a, b, [(); 2].map(|()| draw(2 * side - 1) as i32 - side as i32 + 1))
        })
        .collect();
    for &(a, b, offset) in &pairs {
        assert_eq!(plain::overlaps(a, b, offset), a.overlaps(b, offset));
        assert_eq!(plain::area(a, b, offset), a.overlap_area(b, offset));
    }
    let mut group = criterion.benchmark_group(format!("mask any offset {side}"));
    group.throughput(Throughput::Elements(pairs.len() as u64));
    group.bench_function("flag, plain loop", |bencher| {
        bencher.iter(|| black_box(&pairs).iter().filter(|(a, b, offset)| plain::overlaps(a, b, *offset)).count());
    });
    group.bench_function("flag", |bencher| {
        bencher.iter(|| black_box(&pairs).iter().filter(|(a, b, offset)| a.overlaps(b, *offset)).count());
    });
    let (mut flags, mut areas) = (Vec::new(), Vec::new());
    group.bench_function("flag, all at once", |bencher| {
        bencher.iter(|| {
            flags.clear();
            Mask::overlaps_each(black_box(&pairs), &mut flags);
        });
    });
    group.bench_function("area, plain loop", |bencher| {
        bencher.iter(|| black_box(&pairs).iter().map(|(a, b, offset)| plain::area(a, b, *offset)).sum::<u64>());
    });
    group.bench_function("area", |bencher| {
        bencher.iter(|| black_box(&pairs).iter().map(|(a, b, offset)| a.overlap_area(b, *offset)).sum::<u64>());
    });
    group.bench_function("area, all at once", |bencher| {
        bencher.iter(|| {
            areas.clear();
            Mask::overlap_areas(black_box(&pairs), &mut areas);
        });
    });
    group.finish();
}

/// A loop over rows of shifts and ANDs.
mod plain {
    use hitmask::Mask;

    /// Calls `take` with the words in common, until it returns true.
    #[inline(always)]
    fn common(a: &Mask, b: &Mask, [dx, dy]: [i32; 2], mut take: impl FnMut(u64) -> bool) {
        // The mask that starts further right is the base.
        let (base, other, dx, dy) = if dx >= 0 { (b, a, dx, -dy) } else { (a, b, -dx, dy) };
        let (first, shift) = (dx as usize / 64, dx % 64);
        let (top, bottom) = (dy.max(0), (dy + other.height() as i32).min(base.height() as i32));
        let [strides, others] = [base, other].map(|mask| mask.words().len() / mask.height() as usize);
        let count = strides.min(others.saturating_sub(first));
        for y in top..bottom {
            let mine = &base.words()[y as usize * strides..][..strides];
            let its = &other.words()[(y - dy) as usize * others..][..others];
            for i in 0..count {
                let next = its.get(first + i + 1).copied().unwrap_or(0);
                if take(mine[i] & (its[first + i] >> shift | next << 1 << (63 - shift))) {
                    return;
                }
            }
        }
    }

    pub(super) fn overlaps(a: &Mask, b: &Mask, offset: [i32; 2]) -> bool {
        let mut found = false;
        common(a, b, offset, |word| {
            found = word != 0;
            found
        });
        found
    }

    pub(super) fn area(a: &Mask, b: &Mask, offset: [i32; 2]) -> u64 {
        let mut area = 0;
        common(a, b, offset, |word| {
            area += u64::from(word.count_ones());
            false
        });
        area
    }
}

/// Benchmarks the workload "masks": 1,000 pairs of masks of 512 x 512 texels.
fn workload(criterion: &mut Criterion) {
    let pairs = mask_pairs().unwrap();
    let rows = pairs.pairs.iter().map(|pair| {
        let [a, b] = [pair.a, pair.b].map(|mask| &pairs.masks[mask]);
        MaskPair::new(a, b, pair.offset, false)
    });
    let pairs: Vec<MaskPair<'_>> = rows.collect();
    let mut group = criterion.benchmark_group("mask workload");
    group.throughput(Throughput::Elements(pairs.len() as u64));
    for simd in Simd::available() {
        group.bench_function(format!("flag {}", simd.name()), |bencher| {
            bencher.iter(|| pairs.iter().filter(|pair| pair.meet(simd)).count());
        });
        group.bench_function(format!("area {}", simd.name()), |bencher| {
            bencher.iter(|| pairs.iter().map(|pair| pair.area(simd)).sum::<u64>());
        });
    }
    group.finish();
}
