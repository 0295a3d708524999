//! A sprite turned by 45 degrees, the most pixels that it may paint, by size.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput};
use hitmask::cpu::paint::{paint_body, sample};
use hitmask::packed::{Body, Packed};
use hitmask::simd::{Kernel, Lanes};
use hitmask::workloads::{SplitMix64, Workload, blob};
use hitmask::{Linear, Shape, Simd, World};

pub(super) fn bench(criterion: &mut Criterion) {
    for side in [8, 32, 64, 128, 512] {
        let mut world = World::default();
        let mask = blob(&mut SplitMix64(1), side, 600).unwrap();
        let shape = world.add_shape(Shape::sprite(mask)).unwrap();
        let body = hitmask::Body::new(shape, [0.3, 0.7]).posed(Linear::turned(45.0));
        world.add(&body).unwrap();
        painted(criterion, &format!("paint {side}"), world.packed());
    }
    let world = Workload::Turned.world(1000).unwrap();
    painted(criterion, "paint turned 1000", world.packed());
}

/// All bodies of a world, one after the other into the same words.
fn painted(criterion: &mut Criterion, name: &str, packed: &Packed) {
    let pixels = |body: &Body| 64 * body.painted_words() as u64;
    let most = packed.bodies.iter().map(Body::painted_words).max().unwrap_or(0);
    let mut words = vec![0; most];
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Elements(packed.bodies.iter().map(pixels).sum()));
    for simd in Simd::available() {
        group.bench_function(simd.name(), |bencher| {
            bencher.iter(|| simd.run(Paint(black_box(packed), black_box(&mut words))));
        });
    }
    // A word at a time, as where sprites are too large to be painted ahead.
    group.bench_function("sample", |bencher| {
        let words = |body: &Body| {
            let shape = &packed.shapes[body.shape as usize];
            let pixels = body.pixels(shape);
            let rows = pixels.min.y..pixels.max.y;
            rows.fold(0_u64, |all, y| {
                let columns = (pixels.min.x..pixels.max.x).step_by(64);
                columns.fold(all, |all, x| all ^ sample(packed, body, shape, x, y))
            })
        };
        bencher.iter_batched(
            || &packed.bodies,
            |bodies| bodies.iter().map(words).fold(0, |all, word| all ^ word),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

struct Paint<'a>(&'a Packed, &'a mut [u64]);

impl Kernel for Paint<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for body in &self.0.bodies {
            let shape = &self.0.shapes[body.shape as usize];
            let pixels = body.pixels(shape);
            let words = &mut self.1[..body.painted_words()];
            paint_body(lanes, self.0, body, shape, pixels.min.y..pixels.max.y, words);
        }
    }
}
