//! The texels and the labels that hit: [`World::texels_hit`] and [`World::labels_hit`], against the details of the
//! engines and the contract's formula for the texel of a pixel.

use std::collections::HashMap;

use hitmask::geometry::{Flip, Vec2, snap};
use hitmask::mask::Labels;
use hitmask::query::Queries;
use hitmask::response::TexelHit;
use hitmask::{Ask, Body, Detail, Engine, Error, Linear, Mask, Shape, ShapeId, Touch, World};
use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::SplitMix64;

/// Returns the texel that a sprite shows in a pixel if it stands at a position, in lattice steps: the contract's
/// formula.
fn shown(mask: &Mask, anchor: [i64; 2], linear: Linear, at: [i64; 2], pixel: [i32; 2]) -> Option<[u32; 2]> {
    let ([a, b], [c, d]) = (linear.x, linear.y);
    let det = a * d - b * c;
    let inverse = [[d, -b], [-c, a]].map(|row| row.map(|v| (65_536.0 * (v / det) + 0.5).floor() as i64));
    let whole = at.map(|v| v >> 8);
    let from = [0, 1].map(|k| 256 * whole[k] + 128 - at[k]);
    let along = |[p, q]: [i64; 2], anchor: i64| {
        let near = (p * from[0] + q * from[1]).div_euclid(256) + 256 * anchor;
        (near + p * (i64::from(pixel[0]) - whole[0]) + q * (i64::from(pixel[1]) - whole[1])) >> 16
    };
    let [u, v] = [along(inverse[0], anchor[0]), along(inverse[1], anchor[1])];
    let [width, height] = mask.size().map(i64::from);
    let inside = (0..width).contains(&u) && (0..height).contains(&v);
    (inside && mask.get(u as u32, v as u32)).then_some([u as u32, v as u32])
}

/// Returns a vector in lattice steps.
fn steps(v: Vec2) -> [i64; 2] {
    [v.x, v.y].map(|v| snap(v) as i64)
}

/// Returns the positions in lattice steps at which a moving sprite may be drawn at a tick: whole pixels from its start,
/// as of this tick or partly as of the one before; and its end.
fn places(body: &Body, tick: u32) -> Vec<[i64; 2]> {
    let (at, motion) = (steps(body.at), steps(body.motion));
    let offset = |tick: u32, axis: usize| {
        let gone = (i64::from(tick) * motion[axis] + (1 << 15)) >> 16;
        ((at[axis] + gone) >> 8) - (at[axis] >> 8)
    };
    let between = |axis: usize| {
        let [before, now] = [tick.saturating_sub(1), tick].map(|tick| offset(tick, axis));
        before.min(now)..=before.max(now)
    };
    let place = |(x, y): (i64, i64)| [at[0] + 256 * x, at[1] + 256 * y];
    let on_the_way = between(0).flat_map(|x| between(1).map(move |y| (x, y))).map(place);
    on_the_way.chain([[at[0] + motion[0], at[1] + motion[1]]]).collect()
}

/// Checks that the texels are those that the sprite shows, at one of the places where it may be.
fn check_texels(world: &World, index: u32, tick: u32, texels: &[([i32; 2], [u32; 2])], what: &str) {
    let body = world.body(world.id(index).unwrap()).unwrap();
    let shape = world.shape(body.shape).unwrap();
    let mask = shape.mask().expect("only sprites have texels");
    let anchor = steps(shape.anchor());
    let fits = |at: &[i64; 2]| {
        texels.iter().all(|&(pixel, texel)| shown(mask, anchor, body.linear, *at, pixel) == Some(texel))
    };
    assert!(places(&body, tick).iter().any(fits), "{what}: body {index} does not show these texels");
}

fn sum(hits: &[TexelHit], axis: usize) -> i64 {
    hits.iter().map(|hit| i64::from(hit.pixel[axis])).sum()
}

/// Checks the texels of a pair against its details. Returns the number of pixels.
fn check(world: &World, pair: [u32; 2], detail: &Detail, what: &str) -> usize {
    let hits: Vec<TexelHit> = world.texels_hit(pair, detail).collect();
    let sprites = pair.map(|index| {
        let shape = world.body(world.id(index).unwrap()).unwrap().shape;
        world.shape(shape).unwrap().mask().is_some()
    });
    assert!(hits.is_sorted_by_key(|hit| [hit.pixel[1], hit.pixel[0]]), "{what}");
    match detail.area {
        None => assert!(hits.is_empty(), "{what}: two convex bodies have no texels"),
        Some(0) => assert!(!hits.is_empty(), "{what}: they touch somewhere"),
        Some(area) => {
            let overlap = detail.overlap.unwrap();
            assert_eq!((hits.len() as u64, hits[0].pixel), (area, overlap.first), "{what}");
            assert_eq!([sum(&hits, 0), sum(&hits, 1)], overlap.sums, "{what}");
            let both = |hit: &TexelHit| hit.texels.map(|texel| texel.is_some()) == sprites;
            assert!(hits.iter().all(both), "{what}");
        }
    }
    let tick = detail.time.map_or(0, |[tick, _]| tick);
    for k in 0..2 {
        let own: Vec<_> = hits.iter().filter_map(|hit| Some((hit.pixel, hit.texels[k]?))).collect();
        if sprites[k] {
            check_texels(world, pair[k], tick, &own, what);
        }
    }
    assert_eq!(world.overlap_mask([pair[1], pair[0]], detail), world.overlap_mask(pair, detail), "{what}");
    let swapped = world.texels_hit([pair[1], pair[0]], detail);
    assert!(
        swapped
            .map(|hit| (hit.pixel, hit.texels))
            .eq(hits.iter().map(|hit| (hit.pixel, [hit.texels[1], hit.texels[0]])))
    );
    hits.len()
}

#[test]
fn texels_are_those_of_the_pixels_that_details_count() {
    let (mut pairs, mut pixels, mut touching) = (0, 0, 0);
    for seed in 0..1500 {
        let world = random_scene(seed).world().unwrap();
        let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
        for (pair, detail) in hits.pairs.iter().zip(&hits.details) {
            if detail.area.is_some_and(|area| area > 100_000) {
                continue;
            }
            let found = check(&world, *pair, detail, &format!("scene {seed}, pair {pair:?}"));
            (pairs, pixels) = (pairs + 1, pixels + found);
            touching += usize::from(detail.area == Some(0));
        }
    }
    assert!(pairs > 1000 && pixels > 40_000 && touching > 10, "{pairs} pairs, {pixels} pixels, {touching} that touch");
}

/// `World::sampling`, by which a shader draws, and `World::texel`, in each pixel around sprites of random scenes.
#[test]
fn what_shaders_draw_is_what_sprites_show() {
    let (mut painted, mut bare) = (0, 0);
    for seed in 0..500 {
        let world = random_scene(seed).world().unwrap();
        for id in world.ids() {
            let body = world.body(id).unwrap();
            let shape = world.shape(body.shape).unwrap();
            let (Some(mask), Some(sampling)) = (shape.mask(), world.sampling(id)) else {
                assert!(world.sampling(id).is_none());
                continue;
            };
            let [left, top, width, height] = sampling.pixels;
            assert_eq!(world.pixels(id), Some(sampling.pixels));
            if i64::from(width) * i64::from(height) > 5000 {
                continue;
            }
            for (i, j) in (-1..=width).flat_map(|i| (-1..=height).map(move |j| (i, j))) {
                let [u, v] = [0, 1].map(|k| {
                    let off = i64::from(i) * i64::from(sampling.across[k]) + i64::from(j) * i64::from(sampling.down[k]);
                    (sampling.start[k] + off) >> 16
                });
                let [columns, rows] = mask.size().map(i64::from);
                let is_inside = (0..columns).contains(&u) && (0..rows).contains(&v);
                let drawn = (is_inside && mask.get(u as u32, v as u32)).then_some([u as u32, v as u32]);
                let pixel = [left + i, top + j];
                let what = format!("scene {seed}, body {}, pixel {pixel:?}", id.index());
                assert_eq!(drawn, shown(mask, steps(shape.anchor()), body.linear, steps(body.at), pixel), "{what}");
                assert_eq!(world.texel(id, pixel), drawn, "{what}");
                let is_within = (0..width).contains(&i) && (0..height).contains(&j);
                assert!(is_within || drawn.is_none(), "{what}: beyond the pixels that it may paint");
                painted += usize::from(drawn.is_some());
                bare += usize::from(drawn.is_none());
            }
        }
    }
    assert!(painted > 10_000 && bare > 10_000, "{painted} painted, {bare} not");
}

/// Small sprites and boxes that only touch: compared with all pairs of their pixels.
#[test]
fn touching_bodies_have_their_touching_pixels() {
    let (mut random, mut touching) = (SplitMix64(9), 0);
    for case in 0..3000 {
        let mut world = World::new(Touch::Included);
        let mut mask = || Mask::from_fn(4, 4, |_, _| random.below(3) == 0).unwrap();
        let masks = [mask(), mask()];
        let is_box = case % 3 == 0;
        let at = [0, 1].map(|_| random.below(11) as i32 - 5);
        let shapes = [Shape::sprite(masks[0].clone()), Shape::sprite(masks[1].clone())];
        let ids = shapes.map(|shape| world.add_shape(shape).unwrap());
        let square = world.add_shape(Shape::rect(3.0, 2.0).unwrap()).unwrap();
        world.add(&Body::new(ids[0], [0, 0])).unwrap();
        world.add(&Body::new(if is_box { square } else { ids[1] }, at)).unwrap();
        let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
        let Some(detail) = hits.details.first().filter(|detail| detail.area == Some(0)) else { continue };
        touching += 1;
        let solid =
            |mask: &Mask, [x, y]: [i32; 2]| (0..4).contains(&x) && (0..4).contains(&y) && mask.get(x as u32, y as u32);
        let other = |[x, y]: [i32; 2]| {
            let [x, y] = [x - at[0], y - at[1]];
            if is_box { (0..3).contains(&x) && (0..2).contains(&y) } else { solid(&masks[1], [x, y]) }
        };
        let around = |[x, y]: [i32; 2], has: &dyn Fn([i32; 2]) -> bool| {
            (-1..=1).any(|dy| (-1..=1).any(|dx| has([x + dx, y + dy])))
        };
        let mut expected = Vec::new();
        for [x, y] in (-8..12).flat_map(|y| (-8..12).map(move |x| [x, y])) {
            if solid(&masks[0], [x, y]) && around([x, y], &other) {
                expected.push(([x, y], [Some([x as u32, y as u32]), None]));
            }
            if !is_box && other([x, y]) && around([x, y], &|pixel| solid(&masks[0], pixel)) {
                expected.push(([x, y], [None, Some([(x - at[0]) as u32, (y - at[1]) as u32])]));
            }
        }
        let found: Vec<_> = world.texels_hit([0, 1], detail).map(|hit| (hit.pixel, hit.texels)).collect();
        assert_eq!(found, expected, "case {case}");
    }
    assert!(touching > 100, "{touching}");
}

/// Returns labels of four quarters of a mask, from 1 to 4.
fn quarters(mask: &Mask) -> Labels {
    let [width, height] = mask.size();
    Labels::from_fn(width, height, |x, y| 1 + u32::from(x >= width / 2) + 2 * u32::from(y >= height / 2)).unwrap()
}

#[test]
fn pixels_are_counted_by_their_labels() {
    let mut several = 0;
    for seed in 0..400 {
        let world = random_scene(seed).world().unwrap();
        // Every other shape has labels.
        let labels: HashMap<ShapeId, Labels> = world
            .ids()
            .map(|id| world.body(id).unwrap().shape)
            .filter(|shape| shape.index().is_multiple_of(2))
            .filter_map(|shape| Some((shape, quarters(world.shape(shape).unwrap().mask()?))))
            .collect();
        let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
        for (pair, detail) in hits.pairs.iter().zip(&hits.details) {
            if detail.area.is_some_and(|area| area > 100_000) {
                continue;
            }
            let found = world.labels_hit(*pair, detail, |shape| labels.get(&shape)).unwrap();
            assert!(found.is_sorted_by_key(|hit| hit.labels));
            assert!(found.windows(2).all(|two| two[0].labels != two[1].labels));
            let texels: Vec<TexelHit> = world.texels_hit(*pair, detail).collect();
            assert_eq!(found.iter().map(|hit| hit.pixels).sum::<u64>(), texels.len() as u64);
            let shapes = pair.map(|index| world.body(world.id(index).unwrap()).unwrap().shape);
            for hit in &found {
                let label = |k: usize, texel: Option<[u32; 2]>| {
                    let mask =
                        world.shape(shapes[k]).unwrap().mask().filter(|_| shapes[k].index().is_multiple_of(2))?;
                    let ([x, y], [width, height]) = (texel?, mask.size());
                    Some(match (x < width / 2, y < height / 2) {
                        (true, true) => 1,
                        (false, true) => 2,
                        (true, false) => 3,
                        (false, false) => 4,
                    })
                };
                let is_own = |texel: &&TexelHit| [0, 1].map(|k| label(k, texel.texels[k])) == hit.labels;
                let own: Vec<&TexelHit> = texels.iter().filter(is_own).collect();
                assert_eq!((own.len() as u64, own[0].pixel), (hit.pixels, hit.first), "scene {seed}, pair {pair:?}");
            }
            several += usize::from(found.len() > 2);
        }
    }
    assert!(several > 50, "{several}");
}

/// A query's body is not in the world; its texels come first.
#[test]
fn queries_have_texels_too() {
    let mut world = World::default();
    let mask = Mask::from_fn(20, 30, |x, y| (x + y) % 3 > 0).unwrap();
    let shape = world.add_shape(Shape::sprite(mask.clone())).unwrap();
    let other = world.add_shape(Shape::circle(6.0).unwrap()).unwrap();
    let linear = Linear::new(30.0, [1.5, 1.0], Flip { x: true, y: false });
    let at = world.add(&Body::new(shape, [50, 50]).posed(linear)).unwrap();
    for probe in [Body::new(shape, [20, 50]).moving([40, 3]), Body::new(other, [20, 60]).moving([40, 3])] {
        let hit = Queries::new().on(&world).first(&probe).unwrap().unwrap();
        let found: Vec<TexelHit> = world.probe_texels_hit(&probe, &hit).unwrap().collect();
        let mut inside = world.clone();
        inside.remove(at).unwrap();
        let first = inside.add(&probe).unwrap();
        let second = inside.add(&Body::new(shape, [50, 50]).posed(linear)).unwrap();
        let pair = [first.index(), second.index()];
        let expected: Vec<TexelHit> = inside.texels_hit(pair, &hit.detail).collect();
        assert!(!found.is_empty() && found == expected);
        let labels = quarters(&mask);
        let of = |id: ShapeId| (id == shape).then_some(&labels);
        assert_eq!(
            world.probe_labels_hit(&probe, &hit, of).unwrap(),
            inside.labels_hit(pair, &hit.detail, of).unwrap()
        );
    }
    let probe = Body::new(other, [20, 60]).moving([40, 3]);
    let hit = Queries::new().on(&world).first(&probe).unwrap().unwrap();
    world.remove(at).unwrap();
    assert!(matches!(world.probe_texels_hit(&probe, &hit).err(), Some(Error::Gone { .. })));
    assert!(matches!(world.probe_labels_hit(&probe, &hit, |_| None), Err(Error::Gone { .. })));
    let stray = Body::new(other, [f64::NAN, 0.0]);
    assert!(matches!(world.probe_texels_hit(&stray, &hit).err(), Some(Error::Value { .. } | Error::In { .. })));
}

#[test]
fn bodies_without_texels_have_none_and_labels_of_another_size_are_refused() {
    let mut world = World::default();
    let sprite = world.add_shape(Shape::sprite(Mask::from_fn(4, 4, |_, _| true).unwrap())).unwrap();
    let tile = world.add_shape(Shape::rect(4.0, 4.0).unwrap()).unwrap();
    for shape in [sprite, sprite, tile, tile] {
        world.add(&Body::new(shape, [0, 0])).unwrap();
    }
    let detail = Detail::default();
    for pair in [[0, 0], [0, 9], [u32::MAX, 0], [2, 3]] {
        assert_eq!(world.texels_hit(pair, &detail).count(), 0, "{pair:?}");
        assert_eq!(world.labels_hit(pair, &detail, |_| None).unwrap(), []);
    }
    assert_eq!(world.texels_hit([0, 1], &detail).count(), 16);
    let off = world.id(1).unwrap();
    let gone = world.add(&Body::new(sprite, [0, 0])).unwrap();
    let clear = world.add_shape(Shape::sprite(Mask::new(4, 4).unwrap())).unwrap();
    let clear = world.add(&Body::new(clear, [0, 0])).unwrap();
    let flat = world.add(&Body::new(sprite, [0, 0]).posed(Linear::scaled(0.0))).unwrap();
    world.remove(gone).unwrap();
    for other in [gone.index(), clear.index(), flat.index()] {
        assert_eq!(world.texels_hit([0, other], &detail).count(), 0, "a free index, and bodies that cover nothing");
    }
    world.set_enabled(off, false).unwrap();
    assert_eq!(world.texels_hit([0, 1], &detail).count(), 0, "a body that is switched off");
    let small = Labels::from_fn(4, 3, |_, _| 0).unwrap();
    let error = world.labels_hit([0, 2], &detail, |_| Some(&small)).unwrap_err().to_string();
    assert_eq!(error, "labels of 4 x 3 texels for the mask of shape 0, which has 4 x 4");
    let errors = [
        Labels::new(0, 1, vec![]).unwrap_err().to_string(),
        Labels::new(2, 2, vec![1; 3]).unwrap_err().to_string(),
        Labels::from_rgba(&[0; 15], 2, 2).unwrap_err().to_string(),
        Labels::from_fn(8193, 1, |_, _| 0).unwrap_err().to_string(),
    ];
    assert!(errors[0].contains("0 x 1") && errors[3].contains("8193 x 1"), "{errors:?}");
    assert_eq!(errors[1], "3 labels for 2 x 2 texels; there must be 4");
    assert_eq!(errors[2], "15 bytes for 2 x 2 texels of 4 each; there must be 16");
}
