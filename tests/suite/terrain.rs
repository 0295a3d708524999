//! Bodies of every kind in the caves of a large mask: blocks that are skipped hit nothing.

use std::collections::BTreeSet;

use hitmask::{Ask, Body, Linear, Mask, Shape, Touch, World, cpu};
use hitmask_workbench::workloads::SplitMix64;

const BODIES: u32 = 300;

/// Returns a mask with blocks that are empty, full and mixed: solid rectangles, some of them whole blocks, with holes.
fn terrain(random: &mut SplitMix64) -> Mask {
    let (width, height) = (1024 + random.below(200), 64 + random.below(80));
    let mut alpha = vec![0; (width * height) as usize];
    for k in 0..24 {
        let snap = if k % 3 == 0 { 64 } else { 1 };
        let (left, top) = (random.below(width) / snap * snap, random.below(height) / snap * snap);
        let (right, bottom) = (left + snap.max(random.below(160)), top + snap.max(random.below(40)));
        for y in top..bottom.min(height) {
            for x in left..right.min(width) {
                alpha[(y * width + x) as usize] = u8::from(k % 4 < 3);
            }
        }
    }
    Mask::from_alpha(&alpha, width, height, 1).unwrap()
}

/// Returns which of some random bodies hit a ground.
fn hit(seed: u64, touch: Touch, ground: &[(Mask, f64)]) -> BTreeSet<u32> {
    let mut random = SplitMix64(seed);
    let mut world = World::new(touch);
    let mut real = |most: u32| f64::from(random.below(most * 256)) / 256.0;
    let at = [real(20), -real(20)];
    let motion = if seed.is_multiple_of(4) { [3.0, -2.5] } else { [0.0, 0.0] };
    for (mask, x) in ground {
        let shape = world.add_shape(Shape::sprite(mask.clone())).unwrap();
        world.add(&Body::new(shape, [at[0] + x, at[1]]).moving(motion).filtered(1, 2)).unwrap();
    }
    let noise: Vec<u8> = (0..21 * 17).map(|i| (i * 37 % 256) as u8).collect();
    let shapes = [
        Shape::sprite(Mask::from_alpha(&noise, 21, 17, 100).unwrap()).anchored([10.0, 8.0]).unwrap(),
        Shape::circle(5.5).unwrap(),
        Shape::rect(9.0, 4.0).unwrap(),
        Shape::capsule([0.0, 0.0], [12.0, 5.0], 2.0).unwrap(),
        Shape::polygon(&[[0.0, 0.0], [9.0, 1.0], [4.0, 11.0]]).unwrap(),
    ];
    let shapes = shapes.map(|shape| world.add_shape(shape).unwrap());
    for k in 0..BODIES {
        let body = Body::new(shapes[k as usize % shapes.len()], [real(1200) - 20.0, real(200) - 20.0]);
        let body = if k % 2 == 0 { body.posed(Linear::from_degrees(real(360))) } else { body };
        let body = if k % 3 == 0 { body.moving([real(40) - 20.0, real(40) - 20.0]) } else { body };
        world.add(&body.filtered(2, 1)).unwrap();
    }
    let hits = cpu::Engine::new().unwrap().run(&world, Ask::Pairs).unwrap();
    hits.pairs.iter().map(|[_, body]| body - ground.len() as u32).collect()
}

#[test]
fn a_large_mask_hits_what_its_parts_hit() {
    let mut count = 0;
    for seed in 0..40 {
        let mask = terrain(&mut SplitMix64(seed));
        assert!(mask.width() > 960 && mask.height() >= 64, "as large as engines look at by blocks");
        // These parts are too narrow for blocks.
        let parts: Vec<_> = (0..mask.width()).step_by(500).map(|x| (part(&mask, x, 500), f64::from(x))).collect();
        for touch in [Touch::Excluded, Touch::Included] {
            let hits = hit(seed, touch, &[(mask.clone(), 0.0)]);
            assert_eq!(hits, hit(seed, touch, &parts), "{seed}, {touch:?}");
            count += hits.len();
        }
    }
    assert!((2000..20_000).contains(&count), "{count} of 24000 hit the ground");
}

/// Returns `width` columns of a mask, from one on.
fn part(mask: &Mask, from: u32, width: u32) -> Mask {
    let width = width.min(mask.width() - from);
    let texel = |i: u32| u8::from(mask.get(from + i % width, i / width));
    let alpha: Vec<u8> = (0..width * mask.height()).map(texel).collect();
    Mask::from_alpha(&alpha, width, mask.height(), 1).unwrap()
}
