//! Debug lines against definitions that share no code with them: the edges of painted pixels one by one, distances to
//! landed cores by brute force, areas by formulas, and views by leaving lines out.

use std::collections::BTreeMap;

use hitmask::debug::{Draw, Line, Lines, Palette};
use hitmask::geometry::{Piece, Vec2};
use hitmask::{Ask, Body, BodyId, Engine, Error, Hits, Mask, Shape, World};
use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::SplitMix64;

type V = [f64; 2];

/// Draws nothing.
const NOTHING: fn() -> Draw = || Draw { outlines: false, borders: false, motions: false, ..Draw::default() };

fn all() -> Draw {
    Draw {
        pieces: true,
        bounds: true,
        swept_bounds: true,
        ends: true,
        overlaps: true,
        contacts: true,
        ..Draw::default()
    }
}

fn drawn(draw: &Draw, world: &World) -> Vec<Line> {
    let mut lines = Lines::new();
    draw.world(world, &mut lines).unwrap();
    lines.as_slice().to_vec()
}

/// Returns each body of random scenes in a world of its own, at rest.
fn bodies(seeds: std::ops::Range<u64>) -> impl Iterator<Item = (u64, World, BodyId)> {
    seeds.flat_map(|seed| {
        let scene = random_scene(seed).world().unwrap();
        let alone = |id: BodyId| {
            let body = scene.body(id).unwrap();
            let mut world = World::new(scene.touch());
            let shape = world.add_shape(scene.shape(body.shape).unwrap().clone()).unwrap();
            let id = world.add(&Body { shape, motion: Vec2::default(), ..body }).unwrap();
            (seed, world, id)
        };
        scene.ids().map(alone).collect::<Vec<_>>()
    })
}

/// Counts the edges of pixels that lines run along, each by the pixel at its right or lower side and its axis.
fn edges(lines: &[Line], [left, top]: [i32; 2]) -> BTreeMap<([i32; 2], usize), u32> {
    let mut edges = BTreeMap::new();
    for line in lines {
        let ends = [line.from, line.to].map(|p| p.map(|v| v as i32));
        assert_eq!(ends.map(|p| p.map(|v| v as f32)), [line.from, line.to], "pixels begin at whole units");
        let axis = usize::from(ends[0][0] == ends[1][0]);
        assert_eq!(ends[0][1 - axis], ends[1][1 - axis], "edges are level or upright");
        for k in ends[0][axis].min(ends[1][axis])..ends[0][axis].max(ends[1][axis]) {
            let mut pixel = ends[0];
            pixel[axis] = k;
            *edges.entry(([pixel[0] + left, pixel[1] + top], axis)).or_default() += 1;
        }
    }
    edges
}

/// Returns the edges between a painted and an unpainted pixel, pixel by pixel.
fn borders(world: &World, id: BodyId) -> BTreeMap<([i32; 2], usize), u32> {
    let Some([left, top, width, height]) = world.pixels(id) else { return BTreeMap::new() };
    let paints = |x: i32, y: i32| world.texel(id, [x, y]).is_some();
    let mut edges = BTreeMap::new();
    for (y, x) in (top..=top + height).flat_map(|y| (left..=left + width).map(move |x| (y, x))) {
        for (axis, beside) in [(0, [x, y - 1]), (1, [x - 1, y])] {
            if paints(x, y) != paints(beside[0], beside[1]) {
                edges.insert(([x, y], axis), 1);
            }
        }
    }
    edges
}

#[test]
fn borders_are_the_edges_between_painted_and_other_pixels() {
    let (mut random, mut found, mut clipped) = (SplitMix64(3), 0, 0);
    for (seed, world, id) in bodies(0..300) {
        let Some([left, top, width, height]) = world.pixels(id).filter(|[_, _, w, h]| w * h < 40_000) else { continue };
        let draw = Draw { borders: true, origin: [left, top].into(), ..NOTHING() };
        let expected = borders(&world, id);
        assert_eq!(edges(&drawn(&draw, &world), [left, top]), expected, "scene {seed}");
        found += expected.len();
        // In a part of it: all that meet the view, and no edge twice.
        let mut within = |from: i32, size: i32| from + random.below(size as u32 + 2) as i32 - 1;
        let (mut xs, mut ys) = ([within(left, width), within(left, width)], [within(top, height), within(top, height)]);
        xs.sort_unstable();
        ys.sort_unstable();
        let view = Some([[xs[0], ys[0]].into(), [xs[1], ys[1]].into()]);
        let meets = |&&([x, y], axis): &&([i32; 2], usize)| {
            let end = [x + i32::from(axis == 0), y + i32::from(axis == 1)];
            x <= xs[1] && end[0] >= xs[0] && y <= ys[1] && end[1] >= ys[0]
        };
        let seen = edges(&drawn(&Draw { view, ..draw }, &world), [left, top]);
        assert!(seen.iter().all(|edge| expected.get(edge.0) == Some(edge.1)), "scene {seed}");
        assert!(seen.keys().filter(meets).eq(expected.keys().filter(meets)), "scene {seed}, view {xs:?} {ys:?}");
        clipped += usize::from(seen.len() < expected.len());
    }
    assert!(found > 20_000 && clipped > 100, "{found} edges, {clipped} views");
}

fn sub([a, b]: V, [c, d]: V) -> V {
    [a - c, b - d]
}

fn cross([a, b]: V, [c, d]: V) -> f64 {
    a * d - b * c
}

/// Returns the distance of a point from a segment.
fn to_segment(p: V, a: V, b: V) -> f64 {
    let (along, from) = (sub(b, a), sub(p, a));
    let length = along[0] * along[0] + along[1] * along[1];
    let part = if length == 0.0 { 0.0 } else { ((from[0] * along[0] + from[1] * along[1]) / length).clamp(0.0, 1.0) };
    let [x, y] = sub(from, along.map(|v| v * part));
    x.hypot(y)
}

/// Returns the edges of the hull of some points: the pairs with no point on their right.
fn hull_edges(points: &[V]) -> Vec<[V; 2]> {
    let pairs = points.iter().flat_map(|&a| points.iter().map(move |&b| [a, b])).filter(|[a, b]| a != b);
    let bounds = |&[a, b]: &[V; 2]| points.iter().all(|&p| cross(sub(b, a), sub(p, a)) >= 0.0);
    pairs.filter(bounds).collect()
}

/// Returns the distance of a point from the boundary of a convex core inflated by a radius.
fn from_boundary(p: V, core: &[V], radius: f64) -> f64 {
    let edges = hull_edges(core);
    let is_flat = edges.iter().any(|&[a, b]| edges.contains(&[b, a]));
    let inside = !edges.is_empty() && !is_flat && edges.iter().all(|&[a, b]| cross(sub(b, a), sub(p, a)) > 0.0);
    let near = edges.iter().map(|&[a, b]| to_segment(p, a, b));
    let far = near.chain(core.iter().map(|&a| to_segment(p, a, a))).fold(f64::INFINITY, f64::min);
    if inside { far + radius } else { (far - radius).abs() }
}

fn wide(line: &Line) -> [V; 2] {
    [line.from, line.to].map(|p| p.map(f64::from))
}

/// Returns the area within closed lines, and their length.
fn measure(lines: &[Line]) -> [f64; 2] {
    let area: f64 = lines.iter().map(wide).map(|[a, b]| cross(a, b) / 2.0).sum();
    let length = lines.iter().map(wide).map(|[a, b]| to_segment(a, b, b)).sum();
    [area.abs(), length]
}

/// Returns a landed piece in units from a body's position.
fn units(piece: &Piece, at: Vec2) -> Vec<V> {
    piece.vertices.iter().map(|p| sub(p.units(), at.into())).collect()
}

#[test]
fn outlines_of_convex_bodies_are_closed_and_within_tolerance_of_the_landed_body() {
    let (mut found, mut round) = (0, 0);
    for (seed, world, id) in bodies(0..300) {
        let Some(pieces) = world.landed(id) else { continue };
        let [piece] = &pieces[..] else { continue };
        let (at, radius) = (world.body(id).unwrap().at, f64::from(piece.radius) / 256.0);
        let core = units(piece, at);
        for tolerance in [0.25, 0.02] {
            let lines = drawn(&Draw { outlines: true, tolerance, origin: at, ..NOTHING() }, &world);
            let size = lines.iter().flat_map(wide).flatten().fold(1.0, |most: f64, v| most.max(v.abs()));
            // Lines are `f32`, and a core without radius is drawn as it landed, folded by rounding or not.
            let slack = size * 2.0_f64.powi(-22) + if radius == 0.0 { 2.0 / 256.0 } else { 0.0 };
            for line in &lines {
                let [a, b] = wide(line);
                let middle = [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])];
                for (p, off) in [(a, 0.0), (b, 0.0), (middle, tolerance)] {
                    let far = from_boundary(p, &core, radius);
                    assert!(far <= off + slack, "scene {seed}: {far} from {core:?} r {radius} at {p:?}");
                }
            }
            let follow = lines.iter().zip(lines.iter().cycle().skip(1));
            assert!(follow.into_iter().all(|(line, next)| line.to == next.from), "scene {seed}");
            // Nothing is left out: the area is that of the core, a band along its edges, and a disc.
            let edges = hull_edges(&core);
            let whole: f64 = edges.iter().map(|&[a, b]| cross(a, b) / 2.0 + radius * to_segment(a, b, b)).sum();
            let right = whole + std::f64::consts::PI * radius * radius;
            let [area, length] = measure(&lines);
            // Collinear points make longer edges of the hull beside the short ones.
            let is_plain = edges.len() <= core.len();
            assert!(!is_plain || (area - right).abs() <= (tolerance + slack) * length + slack, "scene {seed}");
            found += 1;
            round += usize::from(radius > 0.0 && lines.len() > 20);
        }
    }
    assert!(found > 1_000 && round > 300, "{found} bodies, {round} of them round");
}

#[test]
fn outlines_of_polygons_enclose_the_area_of_their_pieces() {
    let mut found = 0;
    for (seed, world, id) in bodies(0..300) {
        let Some(pieces) = world.landed(id).filter(|pieces| pieces.len() > 1) else { continue };
        let at = world.body(id).unwrap().at;
        let lines = drawn(&Draw { outlines: true, origin: at, ..NOTHING() }, &world);
        let area = |piece: &Piece| {
            let core = units(piece, at);
            core.iter().zip(core.iter().cycle().skip(1)).map(|(&a, &b)| cross(a, b) / 2.0).sum::<f64>()
        };
        let right = pieces.iter().map(area).sum::<f64>().abs();
        let [area, length] = measure(&lines);
        assert!((area - right).abs() <= length * length * 2.0_f64.powi(-22), "scene {seed}: {area}, not {right}");
        let each: usize = pieces.iter().map(|piece| piece.vertices.len()).sum();
        assert!(lines.len() < each, "scene {seed}: edges between pieces are no outline");
        let landed = pieces.iter().flat_map(|piece| units(piece, at)).map(|p| p.map(|v| v as f32)).collect::<Vec<_>>();
        assert!(lines.iter().all(|line| landed.contains(&line.from) && landed.contains(&line.to)), "scene {seed}");
        let pieces = drawn(&Draw { pieces: true, origin: at, ..NOTHING() }, &world);
        assert!(lines.len() <= pieces.len() && pieces.len() <= each, "scene {seed}");
        found += 1;
    }
    assert!(found > 150, "{found}");
}

/// Whatever is drawn in a view is all that is drawn without one, but for the lines that do not meet it.
#[test]
fn a_view_leaves_out_only_lines_that_do_not_meet_it() {
    let mut random = SplitMix64(5);
    let mut engine = Engine::cpu().unwrap();
    let [mut kept, mut dropped] = [0; 2];
    for seed in 0..300 {
        let world = random_scene(seed).world().unwrap();
        let hits = engine.run(&world, Ask::Details).unwrap();
        // Borders and overlaps are cut at the view, and contacts far from it are left out.
        let draw = Draw { borders: false, overlaps: false, contacts: false, origin: [0, 0].into(), ..all() };
        let step = |draw: &Draw| {
            let mut lines = Lines::new();
            draw.step(&world, &hits, &mut lines).unwrap();
            lines.as_slice().to_vec()
        };
        let everything = step(&draw);
        for _ in 0..8 {
            if everything.is_empty() {
                break;
            }
            let about = everything[random.below(everything.len() as u32) as usize].from;
            let [x, y] = about.map(f64::from);
            // Lines are rounded to `f32`, which the view is not: whole units are both.
            let mut near =
                |v: f64| (v.floor() - f64::from(random.below(40))).min(v.ceil() + f64::from(random.below(9)));
            let (left, top) = (near(x), near(y));
            let [right, bottom] = [left + 24.0, top + 16.0];
            let meets = |line: &&Line| {
                let [a, b] = wide(line);
                let within =
                    |axis: usize, min: f64, max: f64| a[axis].min(b[axis]) <= max && a[axis].max(b[axis]) >= min;
                within(0, left, right) && within(1, top, bottom)
            };
            let seen = step(&Draw { view: Some([[left, top].into(), [right, bottom].into()]), ..draw });
            let expected: Vec<Line> = everything.iter().filter(meets).copied().collect();
            if everything.iter().flat_map(wide).flatten().all(|v| v.abs() < 65_536.0) {
                assert_eq!(seen, expected, "scene {seed}, view from {left}, {top}");
                kept += seen.len();
                dropped += everything.len() - seen.len();
            }
        }
    }
    assert!(kept > 10_000 && dropped > 10_000, "{kept} kept, {dropped} dropped");
}

#[test]
fn contacts_and_overlaps_are_those_of_the_world() {
    let mut engine = Engine::cpu().unwrap();
    let [mut found, mut shared] = [0; 2];
    for seed in 0..300 {
        let world = random_scene(seed).world().unwrap();
        let hits = engine.run(&world, Ask::Details).unwrap();
        for (&pair, detail) in hits.pairs.iter().zip(&hits.details).take(12) {
            let mut one = Hits::default();
            (one.pairs, one.details) = (vec![pair], vec![*detail]);
            let origin = world.body(world.id(pair[0]).unwrap()).unwrap().at;
            let mut lines = Lines::new();
            let draw = Draw { contacts: true, normal: 16.0, origin, ..NOTHING() };
            draw.step(&world, &one, &mut lines).unwrap();
            let [across, back, normal, way @ ..] = lines.as_slice() else { panic!("a cross and a normal") };
            let contact = world.contact(pair, detail);
            let Palette { contact: mark, normal: bright, depth, .. } = Palette::default();
            assert_eq!([across.color, back.color, normal.color], [mark, mark, bright]);
            let slack = 1e-3 + f64::from(normal.from[0].abs().max(normal.from[1].abs())) * 1e-6;
            let is = |line: &Line, length: f64| {
                let [from, to] = wide(line);
                let [x, y] = sub(sub(to, from), contact.normal.map(|v| v * length));
                assert!(x.hypot(y) <= slack + contact.depth * 1e-6, "scene {seed}, {pair:?}: {line:?}, {contact:?}");
            };
            is(normal, 16.0);
            if let [way] = way {
                is(way, contact.depth);
                assert_eq!((way.from, way.color), (normal.from, depth));
            } else {
                assert!(way.is_empty() && contact.depth == 0.0);
            }
            found += 1;

            let [left, top] = detail.overlap.map_or([0, 0], |overlap| [overlap.bounds[0], overlap.bounds[1]]);
            lines.clear();
            let draw = Draw { overlaps: true, origin: [left, top].into(), ..NOTHING() };
            draw.step(&world, &one, &mut lines).unwrap();
            let drawn = edges(lines.as_slice(), [left, top]);
            let mut expected = BTreeMap::new();
            if let Some((mask, at)) = world.overlap_mask(pair, detail) {
                assert_eq!(at, [left, top]);
                let mut alone = World::default();
                let shape = alone.add_shape(Shape::sprite(mask)).unwrap();
                let id = alone.add(&Body::new(shape, at)).unwrap();
                expected = borders(&alone, id);
                shared += 1;
            }
            assert_eq!(drawn, expected, "scene {seed}, {pair:?}");
        }
    }
    assert!(found > 800 && shared > 50, "{found} contacts, {shared} overlaps");
}

#[test]
fn a_contact_without_pixels_lies_in_both_bounding_boxes_when_they_hit() {
    let mut world = World::default();
    let tile = world.add_shape(Shape::rect(8.0, 8.0).unwrap()).unwrap();
    world.add(&Body::new(tile, [0, 0])).unwrap();
    world.add(&Body::new(tile, [18, 4]).moving([-20, 0])).unwrap();
    let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
    let mut lines = Lines::new();
    Draw { contacts: true, ..NOTHING() }.step(&world, &hits, &mut lines).unwrap();
    let [x, y] = lines.as_slice()[2].from;
    assert!((x - 8.0).abs() < 0.01 && y == 6.0, "{x}, {y}");
}

#[test]
fn colours_tell_the_state_of_a_body() {
    let mut world = World::default();
    let tile = world.add_shape(Shape::rect(8.0, 8.0).unwrap()).unwrap();
    let dot = world.add_shape(Shape::sprite(Mask::from_rows(&["#"]).unwrap())).unwrap();
    let states = [
        Body::new(tile, [0, 0]),
        Body::new(dot, [4, 4]),
        Body::new(tile, [100, 0]),
        Body::new(tile, [200, 0]).moving([5, 0]),
        Body::new(tile, [0, 0]).enabled(false),
        Body::new(dot, [0, 0]).filtered(0, 1).moving([5, 0]),
        Body::new(tile, [0, 0]).filtered(1, 0),
        Body::new(tile, [300, 0]).filtered(2, 0),
        Body::new(tile, [300, 0]).filtered(0, 2).detector(true),
        Body::new(tile, [400, 0]).filtered(0, 2).detector(true),
    ];
    let ids = states.map(|body| world.add(&body).unwrap());
    let hits = Engine::cpu().unwrap().run(&world, Ask::Flags).unwrap();
    let Palette { rest, moving, hit, disabled, motion, end, .. } = Palette::default();
    let mut lines = Lines::new();
    Draw { motions: false, ..Draw::default() }.step(&world, &hits, &mut lines).unwrap();
    let colors: Vec<_> = lines.as_slice().chunks(4).map(|four| four[0].color).collect();
    assert_eq!(colors, [hit, hit, rest, moving, disabled, disabled, disabled, hit, hit, rest]);
    // Each is there four times: none of these bodies has more sides.
    assert!(lines.as_slice().chunks(4).all(|four| four.iter().all(|line| line.color == four[0].color)));

    // A moving body, its way, and its end.
    for id in ids.into_iter().filter(|id| *id != ids[3]) {
        world.remove(id).unwrap();
    }
    let lines = drawn(&Draw { ends: true, ..Draw::default() }, &world);
    let [ends @ .., way] = &lines[..] else { panic!("lines") };
    assert_eq!((way.from, way.to, way.color), ([200.0, 0.0], [205.0, 0.0], motion));
    for (there, here) in ends[..4].iter().zip(&ends[4..]) {
        assert_eq!([there.color, here.color], [end, moving]);
        assert_eq!([there.from[0], there.from[1]], [here.from[0] + 5.0, here.from[1]]);
    }
}

#[test]
fn hits_without_details_are_refused_if_details_are_to_be_drawn() {
    let mut world = World::default();
    let tile = world.add_shape(Shape::rect(8.0, 8.0).unwrap()).unwrap();
    for _ in 0..2 {
        world.add(&Body::new(tile, [0, 0])).unwrap();
    }
    let mut lines = Lines::new();
    let hits = Engine::cpu().unwrap().run(&world, Ask::Pairs).unwrap();
    for draw in [Draw { contacts: true, ..Draw::default() }, Draw { overlaps: true, ..Draw::default() }] {
        let error = draw.step(&world, &hits, &mut lines).unwrap_err();
        assert!(matches!(&error, Error::Value { field, .. } if field == "hits"), "{error}");
        assert!(lines.as_slice().is_empty());
    }
    // An answer for other bodies draws what is there, whatever its details say.
    let (mut detail, mut foreign) = (hitmask::Detail::default(), Hits::default());
    (detail.area, detail.time) = (Some(0), Some([u32::MAX, 1]));
    (foreign.pairs, foreign.details) = (vec![[0, 7], [0, 0], [0, 1]], vec![detail; 3]);
    all().step(&world, &foreign, &mut lines).unwrap();
    let odd = [f64::NAN, -1.0, f64::INFINITY, 0.0];
    for (tolerance, normal) in odd.into_iter().flat_map(|a| odd.map(|b| (a, b))) {
        let view = Some([[normal, tolerance].into(), [tolerance, normal].into()]);
        for view in [None, view] {
            Draw { tolerance, normal, view, ..all() }.step(&world, &foreign, &mut lines).unwrap();
        }
    }
}

#[test]
fn lines_far_from_the_origin_are_exact_beside_the_camera() {
    let mut world = World::default();
    let tile = world.add_shape(Shape::rect(1.0, 1.0).unwrap()).unwrap();
    let at = 2_000_000.0 + 1.0 / 256.0;
    world.add(&Body::new(tile, [at, -at])).unwrap();
    let lines = drawn(&Draw { origin: [2_000_000.0, -2_000_000.0].into(), ..Draw::default() }, &world);
    assert_eq!(lines[0].from, [1.0 / 256.0, -1.0 / 256.0]);
}
