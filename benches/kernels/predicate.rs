//! The predicate on convex cores, by kind: pairs whose bounds meet, about half of which hit.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use hitmask::Touch;
use hitmask::geometry::Point;
use hitmask::internals::Cores;
use hitmask_workbench::workloads::SplitMix64;

/// Number of pairs of each kind.
const PAIRS: usize = 256;

pub(super) fn bench(criterion: &mut Criterion) {
    let mut random = SplitMix64(5);
    // Each with the number of vertices of its core, and its radius.
    for (kind, corners, radius) in [("circle", 1, 2048), ("capsule", 2, 700), ("box", 4, 0), ("polygon", 7, 0)] {
        let pairs: Vec<Cores> = (0..PAIRS).map(|_| pair(&mut random, corners, radius)).collect();
        let mut group = criterion.benchmark_group(format!("predicate {kind}"));
        group.throughput(Throughput::Elements(PAIRS as u64));
        group.bench_function("apart", |bencher| bencher.iter(|| count(&pairs, |pair| pair.together(Touch::Included))));
        group.bench_function("meets", |bencher| {
            bencher.iter(|| count(&pairs, |pair| pair.meet(false, Touch::Excluded)));
        });
        group.bench_function("meets, moving", |bencher| {
            bencher.iter(|| count(&pairs, |pair| pair.meet(true, Touch::Excluded)));
        });
        group.bench_function("first_contact, moving", |bencher| {
            bencher.iter(|| count(&pairs, |pair| pair.first_contact(Touch::Excluded).is_some()));
        });
        group.finish();
    }
}

/// Returns the number of pairs for which `is` is true.
fn count(pairs: &[Cores], is: impl Fn(&Cores) -> bool) -> usize {
    black_box(pairs).iter().filter(|pair| is(pair)).count()
}

/// Draws two cores about 16 units across, turned at random and at most about as far apart, and a motion of that order.
fn pair(random: &mut SplitMix64, corners: u32, radius: i32) -> Cores {
    let mut real = |size: f64| (f64::from(random.below(1 << 16)) / f64::from(1 << 15) - 1.0) * size;
    let mut place = |size: f64| Point::new(real(size) as i32, real(size) as i32);
    let (apart, sweep, turns) = (place(3000.0), place(4000.0), [place(1e6), place(1e6)]);
    let core = |at: Point, turn: Point| {
        let corner = |k: u32| {
            let angle = f64::from(turn.x) + f64::from(k) * std::f64::consts::TAU / f64::from(corners);
            at + Point::new((2048.0 * angle.cos()) as i32, (1300.0 * angle.sin()) as i32)
        };
        if corners == 1 { vec![at] } else { (0..corners).map(corner).collect() }
    };
    Cores { a: core(Point::ZERO, turns[0]), b: core(apart, turns[1]), radius, sweep }
}
