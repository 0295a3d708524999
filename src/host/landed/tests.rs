//! Tests of point lookups and outlines against the reference engine and plain formulas.

use std::collections::BTreeSet;

use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::SplitMix64;

use crate::geometry::{Piece, Point};
use crate::reference::{cores_meet, hull};
use crate::scene::Scene;
use crate::world::packed::{Body, SPRITE};
use crate::{Ask, BodyId, Engine, Error, Linear, Mask, Shape, Touch, World};

/// Returns random scenes of all families without touch, all at rest: a sprite then hits a pixel exactly if it paints
/// it.
fn scenes() -> impl Iterator<Item = (u64, World)> {
    (0..400).map(|seed| {
        let mut scene = Scene::parse(&random_scene(seed).to_json().unwrap(), ".".as_ref()).unwrap();
        scene.touch = Touch::Excluded;
        scene.bodies.iter_mut().for_each(|body| (body.motion, body.layers, body.mask) = ([0.0; 2], 1, u32::MAX));
        (seed, scene.world().unwrap())
    })
}

fn id(world: &World, index: usize) -> BodyId {
    world.id(index as u32).unwrap()
}

/// Returns points in and around a body: anywhere near, on the edges of pixels, and on its landed vertices.
fn points(world: &World, index: usize, random: &mut SplitMix64) -> Vec<Point> {
    let bounds = world.packed().bounds[index];
    if !bounds.is_somewhere() {
        return Vec::new();
    }
    let mut along = |from: i32, to: i32| {
        let span = (i64::from(to) - i64::from(from)).clamp(0, i64::from(u32::MAX) - 601) as u32;
        i64::from(from) - 300 + i64::from(random.below(span + 601))
    };
    let mut points: Vec<Point> = (0..24)
        .map(|i| {
            let round = if i % 3 == 0 { !255 } else { !0 };
            let [x, y] = [along(bounds.min.x, bounds.max.x) & round, along(bounds.min.y, bounds.max.y) & round];
            let [x, y] = [x, y].map(|v| v.clamp(-(1 << 29) + 1, (1 << 29) - 1) as i32);
            Point::new(x, y)
        })
        .collect();
    let landed = world.landed(id(world, index));
    points.extend(landed.iter().flat_map(|pieces| pieces.iter().flat_map(|piece| &piece.vertices).take(6)));
    points
}

/// Returns the vertices of all pieces.
fn vertices_of(pieces: &[Piece]) -> Vec<Point> {
    pieces.iter().flat_map(|piece| piece.vertices.iter().copied()).collect()
}

/// Returns the convex bodies that hold a point, by the reference's geometry.
fn convex_at(world: &World, at: Point) -> Vec<BodyId> {
    let wide = |p: &Point| [i128::from(p.x), i128::from(p.y)];
    let holds = |&id: &BodyId| {
        world.landed(id).is_some_and(|landed| {
            let around = |piece: &Piece| {
                let core = hull(piece.vertices.iter().map(wide));
                cores_meet(&core, &[wide(&at)], piece.radius.into(), Touch::Included)
            };
            landed.iter().any(around)
        })
    };
    world.ids().filter(holds).collect()
}

/// Returns the sprites that hold each of some points: those that by the reference hit a sprite of one texel there.
fn sprites_at(world: &World, points: &[Point]) -> Vec<Vec<BodyId>> {
    let mut world = world.clone();
    let count = world.len();
    let dot = world.add_shape(Shape::sprite(Mask::from_rows(&["#"]).unwrap())).unwrap();
    for at in points {
        let pixel = [at.x >> 8, at.y >> 8];
        world.add(&crate::Body::new(dot, pixel).filtered(2, 1)).unwrap();
    }
    let hits = Engine::reference().run(&world, Ask::Pairs).unwrap();
    let mut found = vec![Vec::new(); points.len()];
    for [i, j] in hits.pairs {
        if (i as usize) < count && j as usize >= count && world.packed().body(i as usize).is(SPRITE) {
            found[j as usize - count].push(world.id(i).unwrap());
        }
    }
    found
}

#[test]
fn bodies_at_a_point_are_those_that_hold_it() {
    let mut random = SplitMix64(7);
    let mut found = [0; 2];
    for (seed, world) in scenes() {
        // The world ends within its last pixel, which a sprite cannot paint.
        let edge = ((1 << 29) - 1) & !255;
        let points: Vec<Point> = (0..world.len()).flat_map(|index| points(&world, index, &mut random)).collect();
        let points: Vec<Point> = points.into_iter().filter(|p| p.x.abs().max(p.y.abs()) < edge).collect();
        for (&at, sprites) in points.iter().zip(sprites_at(&world, &points)) {
            let convex = convex_at(&world, at);
            found[0] += sprites.len();
            found[1] += convex.len();
            let mut expected = [sprites, convex].concat();
            expected.sort_unstable();
            assert_eq!(world.bodies_at(at.units()).unwrap(), expected, "scene {seed} at {at:?}");
        }
    }
    assert!(found.iter().all(|&found| found > 3_000), "{found:?} are too few to tell anything");
}

#[test]
fn the_texel_is_that_under_the_centre() {
    let mut solid = 0;
    for (seed, world) in scenes() {
        for (index, body) in world.packed().bodies().enumerate().filter(|(_, body)| body.is(SPRITE)) {
            let bounds = world.packed().bounds[index];
            let mask = world.shape(world.body(id(&world, index)).unwrap().shape).unwrap().mask().unwrap();
            for y in (bounds.min.y >> 8) - 2..(bounds.max.y >> 8) + 2 {
                for x in (bounds.min.x >> 8) - 2..(bounds.max.x >> 8) + 2 {
                    let under = texel_under(&world, &body, [x, y]);
                    let texel = under.filter(|&[u, v]| mask.get(u, v));
                    solid += u32::from(texel.is_some());
                    assert_eq!(world.texel(id(&world, index), [x, y]), texel, "scene {seed}, body {index} at {x}, {y}");
                }
            }
        }
    }
    assert!(solid > 30_000, "{solid}");
}

/// Evaluates the contract's formula in `i128`.
fn texel_under(world: &World, body: &Body, pixel: [i32; 2]) -> Option<[u32; 2]> {
    let shape = &world.packed().shapes[body.shape as usize];
    let wide = |p: Point| [i128::from(p.x), i128::from(p.y)];
    let (at, anchor) = (wide(body.position), wide(shape.anchor));
    let [fx, fy] = at.map(|v| 256 * (v >> 8) + 128 - v);
    let [dx, dy] = [0, 1].map(|k| i128::from(pixel[k]) - (at[k] >> 8));
    let along = |[a, b]: [i32; 2], anchor: i128| {
        let [a, b] = [i128::from(a), i128::from(b)];
        (((a * fx + b * fy) >> 8) + 256 * anchor + a * dx + b * dy) >> 16
    };
    let [u, v] = [along(body.linear.x, anchor[0]), along(body.linear.y, anchor[1])];
    Some([u.try_into().ok()?, v.try_into().ok()?])
}

#[test]
fn a_texel_is_asked_for_anywhere() {
    let mut world = World::default();
    let [dot, empty] = ["#", "."].map(|row| world.add_shape(Shape::sprite(Mask::from_rows(&[row]).unwrap())).unwrap());
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    let sprite = world.add(&crate::Body::new(dot, [0, 0]).posed(Linear::scaled(3.0))).unwrap();
    let others = [world.add(&crate::Body::new(empty, [0, 0])), world.add(&crate::Body::new(ball, [0, 0]))];
    let [empty, ball] = others.map(Result::unwrap);
    for x in [i32::MIN, -(1 << 21), 0, 1 << 21, i32::MAX] {
        for y in [i32::MIN, -(1 << 21), 0, 1 << 21, i32::MAX] {
            assert_eq!(world.texel(sprite, [x, y]), ([x, y] == [0, 0]).then_some([0, 0]));
            assert_eq!([empty, ball].map(|id| world.texel(id, [x, y])), [None; 2]);
        }
    }
    assert_eq!(world.bodies_at([0.5, 0.5]).unwrap(), [sprite, ball]);
}

#[test]
fn a_point_outside_the_world_is_an_error_that_names_it() {
    let world = World::default();
    for (at, field) in [([f64::NAN, 0.0], "at.x"), ([0.0, f64::INFINITY], "at.y"), ([-3e6, 0.0], "at.x")] {
        let error = world.bodies_at(at).unwrap_err();
        assert!(matches!(&error, Error::Value { field: named, .. } if named == field), "{error}");
        assert!(error.to_string().contains("±2097151.99609375 units"), "{error}");
    }
    assert_eq!(world.bodies_at([2e6, -2e6]).unwrap(), []);
}

#[test]
fn landed_vertices_are_rounded_as_the_contract_says() {
    for (seed, world) in scenes() {
        for (index, body) in world.packed().bodies().enumerate() {
            let Some(landed) = world.landed(id(&world, index)) else {
                assert!(body.is(SPRITE) && world.outline(id(&world, index)).is_none());
                continue;
            };
            let shape = &world.packed().shapes[body.shape as usize];
            let vertices = &world.packed().halves()[shape.vertices as usize..][..2 * shape.corners as usize];
            let row = |[a, b]: [i32; 2], p: &[u32]| {
                let sum = i128::from(a) * i128::from(p[0] as i32) + i128::from(b) * i128::from(p[1] as i32);
                (sum + (1 << 23)).div_euclid(1 << 24) as i32
            };
            let lands = |p: &[u32]| body.position + Point::new(row(body.linear.x, p), row(body.linear.y, p));
            let expected: Vec<Point> = vertices.chunks_exact(2).map(lands).collect();
            assert_eq!(vertices_of(&landed), expected, "scene {seed}, body {index}");
            assert!(landed.iter().all(|piece| piece.radius == body.radius));
        }
    }
}

/// Returns twice the area within a loop, negative if it winds the other way.
fn area(vertices: &[Point]) -> i128 {
    let wide = |p: Point| [i128::from(p.x), i128::from(p.y)];
    let next = vertices.iter().cycle().skip(1);
    let crosses = vertices.iter().zip(next).map(|(&p, &q)| (wide(p), wide(q))).map(|([a, b], [c, d])| a * d - b * c);
    crosses.sum()
}

#[test]
fn the_outline_is_around_all_pieces() {
    let mut cut = 0;
    for (seed, world) in scenes() {
        for index in 0..world.len() {
            let Some(landed) = world.landed(id(&world, index)) else { continue };
            let outline = world.outline(id(&world, index)).unwrap();
            let areas = |loops: &[Vec<Point>]| loops.iter().map(|vertices| area(vertices)).sum::<i128>();
            assert_eq!(
                areas(&outline),
                areas(&landed.iter().map(|piece| piece.vertices.clone()).collect::<Vec<_>>()),
                "scene {seed}, body {index}"
            );
            let corners: BTreeSet<Point> = vertices_of(&landed).into_iter().collect();
            assert!(outline.iter().flatten().all(|p| corners.contains(p)));
            cut += usize::from(landed.len() > 1);
        }
    }
    assert!(cut > 200, "{cut} partitions are too few to tell anything");
}

/// Returns the loops of an outline, each starting at its smallest vertex, ascending, in units.
fn rings(json: &str) -> Vec<Vec<[f64; 2]>> {
    let scene = format!(r#"{{ "shapes": {{ "s": {json} }}, "bodies": [{{ "shape": "s", "at": [0, 0] }}] }}"#);
    let world = Scene::parse(&scene, ".".as_ref()).and_then(|scene| scene.world()).unwrap();
    let mut outline = world.outline(id(&world, 0)).unwrap();
    for ring in &mut outline {
        let smallest = (0..ring.len()).min_by_key(|&i| ring[i]).unwrap();
        ring.rotate_left(smallest);
    }
    outline.sort_unstable();
    outline.into_iter().map(|ring| ring.into_iter().map(Point::units).collect()).collect()
}

#[test]
fn an_outline_is_what_was_drawn() {
    let chevron = [[0.0, 0.0], [4.0, 4.0], [8.0, 0.0], [4.0, 9.0]];
    assert_eq!(rings(r#"{ "polygon": [[0, 0], [4, 4], [8, 0], [4, 9]] }"#), [chevron]);
    let [outer, hole] =
        [[[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]], [[2.0, 2.0], [2.0, 4.0], [4.0, 4.0], [4.0, 2.0]]];
    let holed = r#"{ "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "holes": [[[2, 2], [4, 2], [4, 4], [2, 4]]] }"#;
    assert_eq!(rings(holed), [outer, hole]);
    // A hole that touches a corner, and one that touches an edge.
    let at_corner = r#"{ "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "holes": [[[0, 0], [4, 2], [2, 4]]] }"#;
    assert_eq!(rings(at_corner), [vec![[0.0, 0.0], [2.0, 4.0], [4.0, 2.0]], outer.to_vec()]);
    let at_edge = r#"{ "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "holes": [[[4, 0], [6, 2], [3, 4]]] }"#;
    let with_touch = vec![[0.0, 0.0], [4.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]];
    assert_eq!(rings(at_edge), [with_touch, vec![[3.0, 4.0], [6.0, 2.0], [4.0, 0.0]]]);
    // Two holes that touch each other at a corner.
    let pair = r#"{ "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "holes": [[[1, 1], [3, 3], [1, 3]], [[3, 3], [6, 3], [6, 6]]] }"#;
    assert_eq!(rings(pair).iter().map(Vec::len).collect::<Vec<_>>(), [4, 3, 3]);
    assert_eq!(rings(r#"{ "circle": 2 }"#), [[[0.0, 0.0]]]);
    assert_eq!(rings(r#"{ "capsule": { "from": [0, 0], "to": [5, 0], "radius": 1 } }"#), [[[0.0, 0.0], [5.0, 0.0]]]);
}

/// Tests that a body that can hit nothing is absent only for engines: a point finds any body on some layer.
#[test]
fn a_body_that_never_hits_is_where_it_is() {
    let mut world = World::default();
    let tile = world.add_shape(Shape::rect(2.0, 2.0).unwrap()).unwrap();
    let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["##"; 2]).unwrap())).unwrap();
    let filters = [(1, u32::MAX), (0, u32::MAX), (1, 0), (0, 0)];
    for shape in [tile, arrow] {
        for (layer, hits) in filters {
            world.add(&crate::Body::new(shape, [5, 5]).filtered(layer, hits).moving([3, 0])).unwrap();
        }
    }
    let somewhere: Vec<bool> = world.packed().bounds.iter().map(crate::ground::aabb::Aabb::is_somewhere).collect();
    // A detector may see a body that sees nothing itself.
    assert_eq!(somewhere, [true, false, true, false].repeat(2));
    for first in [0, 4] {
        let bounds: Vec<_> = (first..first + 4).map(|index| world.swept_bounds(id(&world, index)).unwrap()).collect();
        assert!(bounds.iter().all(|other| *other == bounds[0]), "{bounds:?}");
    }
    let found = |world: &World| world.bodies_at([6.5, 6.5]).unwrap().iter().map(|id| id.index()).collect::<Vec<_>>();
    assert_eq!(found(&world), [0, 2, 4, 6]);
    assert_eq!(world.bodies_at([9.5, 6.5]).unwrap(), [], "as they stand at the start");
    assert_eq!(Engine::cpu().unwrap().run(&world, Ask::Pairs).unwrap().pairs, [[0, 4]]);
    world.set_enabled(id(&world, 2), false).unwrap();
    assert_eq!(found(&world), [0, 4, 6]);
    // A body whose filter then lets it hit is found again.
    let last = id(&world, 7);
    world.set(last, &world.body(last).unwrap().filtered(1, u32::MAX)).unwrap();
    assert_eq!(Engine::cpu().unwrap().run(&world, Ask::Pairs).unwrap().pairs, [[0, 4], [0, 7], [4, 7]]);
}
