//! Sprites that fall apart: [`World::split`].

use hitmask::mask::Neighbours;
use hitmask::{Ask, Body, BodyId, Engine, Error, Linear, Mask, Shape, Touch, World};
use hitmask_workbench::workloads::SplitMix64;

/// Returns all pixels that a body paints.
fn pixels(world: &World, id: BodyId) -> Vec<[i32; 2]> {
    let Some(bounds) = world.bounds(id) else { return Vec::new() };
    let [min, max] = [bounds.min.units(), bounds.max.units()];
    let (rows, columns) = (min[1].floor() as i32..max[1].ceil() as i32, min[0].floor() as i32..max[0].ceil() as i32);
    let mask = world.shape(world.body(id).unwrap().shape).and_then(Shape::mask).unwrap();
    let all = rows.flat_map(|y| columns.clone().map(move |x| [x, y]));
    all.filter(|&pixel| world.texel(id, pixel).is_some_and(|[u, v]| mask.get(u, v))).collect()
}

/// Cuts random holes into a sprite that several bodies have, at rest and turned, and splits it. The parts paint the
/// pixels that were painted before, no two of them the same, and hit what was hit before, on every engine.
#[test]
fn no_pixel_is_moved_lost_or_painted_twice() {
    let mut random = SplitMix64(11);
    let linears = [Linear::IDENTITY, Linear::from_degrees(37.0), Linear { x: [-1.5, 0.0], y: [0.25, 1.0] }];
    let (mut runners, mut count) = (crate::common::runners(), 0);
    for case in 0..60 {
        let mut below = |n: u32| random.below(n);
        let [width, height] = [8 + below(70), 5 + below(30)];
        let mut mask = Mask::new(width, height).unwrap();
        mask.fill();
        let cut = [below(width), 0, 1 + below(3), height];
        mask.erase_rect(cut.map(|v| v as i32));
        for _ in 0..below(4) {
            mask.erase_rect([below(width), below(height), 1 + below(9), 1].map(|v| v as i32));
        }
        let mut world = World::default();
        let anchor = [below(width), below(height)].map(|v| f64::from(v) + 0.25);
        let sprite = world.add_shape(Shape::sprite(mask).anchored(anchor).unwrap()).unwrap();
        for linear in linears {
            let at = [0, 1].map(|_| f64::from(below(4000)) / 64.0);
            world.add(&Body::new(sprite, at).posed(linear).moving([below(3) as i32, 0]).tagged(7)).unwrap();
        }
        let dot = world.add_shape(Shape::rect(1.5, 1.0).unwrap()).unwrap();
        let probe = |x: i32, y: i32| Body::new(dot, [x * 14, y * 14]).filtered(2, 1);
        world.add_all(&(-2..7).flat_map(|y| (-2..7).map(move |x| probe(x, y))).collect::<Vec<_>>()).unwrap();
        let before = world.clone();
        let around = if case % 2 == 0 { cut } else { [0, 0, width, height] };
        let parts = world.split(sprite, around, [Neighbours::Four, Neighbours::Eight][case % 2]).unwrap();
        world.validate();
        count += parts.len();
        // The body that each body was part of.
        let mut parents: Vec<u32> = (0..world.indices() as u32).collect();
        for part in &parts {
            assert!(part.bodies.iter().map(|[old, _]| old.index()).eq(0..3), "one for each body");
            for [old, new] in &part.bodies {
                parents[new.index() as usize] = old.index();
                let [old, new] = [old, new].map(|id| world.body(*id).unwrap());
                assert_eq!(Body { shape: new.shape, ..old }, new);
                assert_eq!(new.shape, part.shape);
            }
        }
        for old in before.ids().take(3) {
            let parts = world.ids().filter(|id| parents[id.index() as usize] == old.index());
            let mut painted: Vec<_> = parts.flat_map(|id| pixels(&world, id)).collect();
            painted.sort_unstable_by_key(|&[x, y]| [y, x]);
            assert_eq!(painted, pixels(&before, old), "case {case}, body {}", old.index());
        }
        for runner in &mut runners {
            let pairs = |world: &World, engine: &mut Engine| engine.run(world, Ask::Pairs).unwrap().pairs;
            let parted = pairs(&world, &mut runner.engine).into_iter();
            let mut parted: Vec<_> = parted.map(|pair| pair.map(|body| parents[body as usize])).collect();
            for pair in &mut parted {
                pair.sort_unstable();
            }
            assert!(parted.iter().all(|[a, b]| a != b), "case {case}: a part hits its own body, {}", runner.setup);
            parted.sort_unstable();
            parted.dedup();
            assert_eq!(parted, pairs(&before, &mut runner.engine), "case {case}, {}", runner.setup);
        }
    }
    assert!(count > 50, "{count} parts");
}

#[test]
fn what_cannot_be_split_is_told() {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let error = world.split(ball, [0, 0, 1, 1], Neighbours::Four).unwrap_err().to_string();
    assert!(error.starts_with("`shape` is a box, circle, capsule or polygon"), "{error}");
    let two = Mask::from_fn(300, 1, |x, _| !(1..200).contains(&x)).unwrap();
    let far = world.add_shape(Shape::sprite(two).anchored([-16384, 0]).unwrap()).unwrap();
    world.add(&Body::new(far, [0, 0])).unwrap();
    let before = world.clone();
    // The part at the left is the smaller one: its anchor is as far as before.
    assert_eq!(world.split(far, [0, 0, 300, 1], Neighbours::Four).unwrap().len(), 1);
    world.clone_from(&before);
    world.edit_mask(far, |mask| mask.erase_rect([250, 0, 50, 1])).unwrap();
    world.edit_mask(far, |mask| mask.draw_rect([0, 0, 100, 1])).unwrap();
    let before = world.clone();
    let error = world.split(far, [0, 0, 300, 1], Neighbours::Four).unwrap_err();
    assert!(matches!(&error, Error::Value { field, .. } if field == "anchor"), "{error}");
    assert!(world == before);
    let gone = world.add_shape(Shape::sprite(Mask::from_rows(&["#"]).unwrap())).unwrap();
    world.remove_shape(gone).unwrap();
    assert!(matches!(world.split(gone, [0, 0, 1, 1], Neighbours::Four), Err(Error::Gone { .. })));
}

/// With touching included, a part may hit what it was cut off from, unless both are in one group.
#[test]
fn parts_that_touch_hit_only_if_touching_counts() {
    let diagonal = Mask::from_rows(&["##..", "##..", "..#."]).unwrap();
    for (touch, group, hits) in [(Touch::Excluded, 0, 0), (Touch::Included, 0, 1), (Touch::Included, 5, 0)] {
        let mut world = World::new(touch);
        let shape = world.add_shape(Shape::sprite(diagonal.clone())).unwrap();
        world.add(&Body::new(shape, [0, 0]).grouped(group)).unwrap();
        assert_eq!(world.split(shape, [0, 0, 4, 3], Neighbours::Four).unwrap().len(), 1);
        assert_eq!(Engine::cpu().unwrap().run(&world, Ask::Pairs).unwrap().pairs.len(), hits);
    }
}

/// A connected mask stays whole, wherever the box lies.
#[test]
fn what_hangs_together_is_not_split() {
    let mut world = World::default();
    let ring = Mask::from_fn(50, 50, |x, y| x.abs_diff(25).max(y.abs_diff(25)) > 10).unwrap();
    let ring = world.add_shape(Shape::sprite(ring)).unwrap();
    world.add(&Body::new(ring, [0, 0])).unwrap();
    let before = world.clone();
    for around in [[0, 0, 50, 50], [20, 20, 10, 10], [49, 49, 1, 1], [90, 90, 5, 5], [u32::MAX; 4]] {
        assert_eq!(world.split(ring, around, Neighbours::Four).unwrap(), []);
    }
    assert!(world == before);
}
