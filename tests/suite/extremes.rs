//! Shapes and motions of the largest allowed size, on every engine. The answers follow from their construction.

use hitmask::cpu::{Broad, Simd};
use hitmask::{Ask, Body, Mask, Overlap, Shape, Touch, World};

use crate::common::{self, Runner, Setup};

/// Two checkerboards of the largest mask size. They interlock, and share half of their pixels if one is moved by a
/// pixel.
#[test]
fn the_largest_masks_interlock() {
    let side = hitmask::mask::MAX_SIDE.min(8192);
    let board = |odd: u32| Shape::sprite(Mask::from_fn(side, side, |x, y| (x ^ y) & 1 == odd).unwrap());
    let mut world = World::default();
    let [even, odd] = [board(0), board(1)].map(|shape| world.add_shape(shape).unwrap());
    world.add(&Body::new(even, [0, 0])).unwrap();
    let other = world.add(&Body::new(odd, [0, 0])).unwrap();
    let mut runners = common::contestants();
    for runner in &mut runners {
        assert!(runner.answer(&world, "interlocked").pairs.is_empty(), "on {}", runner.setup);
    }
    world.set(other, &Body::new(odd, [1, 0])).unwrap();
    for runner in &mut runners {
        let hits = runner.answer(&world, "moved by a pixel");
        assert_eq!(hits.pairs, [[0, 1]], "on {}", runner.setup);
        // All even texels of the first board, except its first column.
        let area = u64::from(side - 1) * u64::from(side) / 2;
        assert_eq!(hits.details[0].area, Some(area), "on {}", runner.setup);
        let Some(Overlap { bounds, first, .. }) = hits.details[0].overlap else { panic!("they overlap") };
        assert_eq!((bounds, first), ([1, 0, side as i32 - 1, side as i32], [2, 0]), "on {}", runner.setup);
    }
}

/// Returns a comb with `vertices` vertices: teeth of 1 x 8 units at every second unit below a back, or above it if
/// `upward`.
fn comb(vertices: i32, upward: bool) -> Shape {
    let teeth = vertices / 4;
    let mut outline = Vec::new();
    for tooth in 0..teeth {
        let x = f64::from(2 * tooth);
        outline.extend([[x, 0.0], [x, 8.0], [x + 1.0, 8.0], [x + 1.0, 0.0]]);
    }
    let (first, last) = (outline[0], outline[outline.len() - 1]);
    // The back, one unit beyond where the teeth begin.
    outline[0] = [first[0], -1.0];
    let end = outline.len() - 1;
    outline[end] = [last[0], -1.0];
    if upward {
        for point in &mut outline {
            point[1] = -point[1];
        }
    }
    Shape::polygon(&outline).unwrap()
}

/// Two combs whose teeth fill each other's gaps touch along every tooth, and collide if moved by one lattice step: with
/// 400 vertices on every engine, with 10,000 on the CPU, as lavapipe refuses so many.
#[test]
fn combs_of_ten_thousand_vertices_interlock() {
    combs(400, &mut common::contestants());
    combs(10_000, &mut [Setup::threads(1).runner()]);
}

fn combs(vertices: i32, runners: &mut [Runner]) {
    for (touch, right, hit) in
        [(Touch::Excluded, 0.0, false), (Touch::Included, 0.0, true), (Touch::Excluded, 1.0 / 256.0, true)]
    {
        let mut world = World::new(touch);
        let [down, up] = [false, true].map(|upward| world.add_shape(comb(vertices, upward)).unwrap());
        world.add(&Body::new(down, [0, 0])).unwrap();
        world.add(&Body::new(up, [1.0 + right, 8.5])).unwrap();
        for runner in &mut *runners {
            let hits = runner.engine.run(&world, Ask::Pairs).unwrap();
            assert_eq!(!hits.pairs.is_empty(), hit, "{touch:?}, {right} to the right, on {}", runner.setup);
        }
    }
}

/// Returns sixteen bodies of every kind that move toward each other by `far`.
fn at_each_other(far: f64) -> World {
    let mut world = World::default();
    let mask = Mask::from_fn(20, 20, |x, y| (x + y) % 3 > 0).unwrap();
    let l = [[0.0, 0.0], [9.0, 0.0], [9.0, 2.0], [2.0, 2.0], [2.0, 9.0], [0.0, 9.0]];
    let shapes = [
        Shape::rect(1.0 / 256.0, 300.0).unwrap(),
        Shape::circle(5.0).unwrap(),
        Shape::polygon(&l).unwrap(),
        Shape::sprite(mask),
    ];
    let shapes = shapes.map(|shape| world.add_shape(shape).unwrap());
    for (k, &shape) in shapes.iter().cycle().take(16).enumerate() {
        let along = [[far, 0.0], [-far, 0.0], [far, far], [0.0, -far / 2.0]][k / 4];
        let at = [along[0] * -0.5 + 3.0 * k as f64, along[1] * -0.5 + f64::from(k as u32 % 5)];
        world.add(&Body::new(shape, at).moving(along)).unwrap();
    }
    world
}

/// The longest motions: equal to the reference for lengths that it finishes in time, and equal on all engines at the
/// limit.
#[test]
fn the_longest_motions_are_the_references() {
    let longest = f64::from(hitmask::geometry::MAX_MOTION) / 256.0;
    for far in [100.0, longest] {
        let world = at_each_other(far);
        let plain = Setup::Cpu { simd: Simd::Scalar, broad: Broad::AllPairs, threads: 1 };
        let first = if far < longest { Setup::Reference } else { plain };
        let expected = first.runner().engine.run(&world, Ask::Details).unwrap();
        assert!(expected.pairs.len() > 20, "{} pairs", expected.pairs.len());
        for runner in &mut common::contestants() {
            assert_eq!(runner.answer(&world, "longest motions"), expected, "{far} units on {}", runner.setup);
        }
    }
}
