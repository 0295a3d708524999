//! The player of `examples/platformer.rs`, step by step: it is never inside the ground and never passes a wall, and
//! bodies at rest have the same contacts at every step.

#[path = "../examples/platformer.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod platformer;

use hitmask::geometry::Vec2;
use hitmask::query::Queries;
use hitmask::response::Side;
use hitmask::{Ask, Body, BodyId, Contact, Engine, Linear, Mask, Shape, Touch, World};
use hitmask_workbench::workloads::SplitMix64;
use platformer::{Input, Player};

const STEPS: u32 = 10_000;
/// The level, in pixels.
const LEVEL: [u32; 2] = [420, 260];
/// Its slanted walls, from an x on the ceiling to one on the floor: one of pixels, one of a thin shape.
const PIXELS: [f64; 2] = [138.0, 148.0];
const LINE: [f64; 2] = [268.0, 281.5];

/// Returns the x of a slanted wall at a height.
fn wall([top, bottom]: [f64; 2], y: f64) -> f64 {
    top + (bottom - top) * y / f64::from(LEVEL[1])
}

/// Returns the top row of the ground in a column: slopes of various steepness, stairs, a pit.
fn ground(x: u32) -> u32 {
    let of = |x: u32| match x {
        0..30 => 20,
        30..60 => 20 + (x - 30),
        60..100 => 50 - (x - 60) / 2,
        100..140 => 30 + (x - 100) / 8 * 3,
        140..190 => 12,
        190..200 => 50,
        200..260 => 8 + (x - 200) / 4,
        260..300 => 23,
        300..340 => 23 + (x - 300) * 2,
        _ => 103 - (x - 340).min(80),
    };
    LEVEL[1] - 1 - of(x)
}

/// Adds a closed room of one sprite, a pixel thick except for its floor, divided in three by two thin walls, with
/// shapes in it.
fn level(world: &mut World) {
    let [w, h] = LEVEL;
    let mut still = |shape: Shape, at: [f64; 2], degrees: f64| {
        let shape = world.add_shape(shape).unwrap();
        world.add(&Body::new(shape, at).posed(Linear::from_degrees(degrees))).unwrap();
    };
    let room = |x, y| x == 0 || y == 0 || x == w - 1 || y >= ground(x);
    still(Shape::sprite(Mask::from_fn(w, h, room).unwrap()), [0.0; 2], 0.0);
    let slanted = |x, y| x == wall(PIXELS, f64::from(y)) as u32;
    still(Shape::sprite(Mask::from_fn(w, h, slanted).unwrap()), [0.0; 2], 0.0);
    let [top, bottom] = [[LINE[0], 0.0], [LINE[1], f64::from(h)]];
    still(Shape::capsule(top, bottom, 1.0 / 256.0).unwrap(), [0.0; 2], 0.0);
    let hill = [[0.0, 0.0], [15.0, -9.0], [20.0, -2.0], [40.0, -11.0], [60.0, 0.0]];
    still(Shape::polygon(&hill).unwrap(), [205.3, 246.2], 0.0);
    for (at, degrees) in [([40.0, 190.0], 0.0), ([95.0, 165.0], 23.0), ([225.0, 200.5], -31.0), ([350.3, 130.0], 8.0)] {
        still(Shape::rect(30.0, 1.0 / 256.0).unwrap(), at, degrees);
    }
    still(Shape::circle(9.0).unwrap(), [170.0, 200.0], 0.0);
    let turned = Mask::from_fn(24, 3, |x, y| y == 1 || x % 5 == 0).unwrap();
    still(Shape::sprite(turned), [310.0, 190.0], -17.0);
}

/// Returns shapes for a player, anchored in the middle.
fn shapes() -> [Shape; 3] {
    let hero = Mask::from_rows(&[
        "..###..", ".#####.", ".#####.", "..###..", "#######", "#######", ".#####.", ".#####.", ".##.##.", ".##.##.",
    ]);
    [
        Shape::sprite(hero.unwrap()).anchored([3.5, 5.0]).unwrap(),
        Shape::rect(6.5, 10.25).unwrap().anchored([3.25, 5.125]).unwrap(),
        Shape::capsule([0.0, -2.0], [0.0, 2.5], 3.2).unwrap(),
    ]
}

/// Returns the pairs of a body at its position.
fn inside(world: &World, engine: &mut Engine, id: BodyId) -> Vec<[u32; 2]> {
    let pairs = engine.run(world, Ask::Pairs).unwrap().pairs;
    pairs.into_iter().filter(|pair| pair.contains(&id.index())).collect()
}

/// Runs, jumps and leaps at fractional speeds, sometimes hundreds of units in a step.
fn play(shape: Shape, start: [f64; 2], seed: u64) {
    let mut world = World::default();
    let shape = world.add_shape(shape).unwrap();
    let id = world.add(&Body::new(shape, start)).unwrap();
    level(&mut world);
    let (mut engine, mut queries, mut player) = (Engine::cpu().unwrap(), Queries::new(), Player::new(id).unwrap());
    assert_eq!(inside(&world, &mut engine, id), [[0; 2]; 0], "a free place to start from");
    let chamber = |at: Vec2| [PIXELS, LINE].map(|ends| at.x > wall(ends, at.y));
    let mut random = SplitMix64(seed);
    let mut real = |most: f64| most * (f64::from(random.below(1 << 21)) / f64::from(1 << 20) - 1.0);
    let (mut input, mut stood, mut highest, mut reached) = (Input::default(), 0, f64::MAX, [f64::MAX, f64::MIN]);
    for step in 0..STEPS {
        if step % 25 == 0 {
            input.run = if step % 400 == 0 { real(900.0) } else { real(3.3) };
        }
        input.jump = real(1.0) > 0.9;
        if step % 997 == 0 {
            player.fall = real(700.0);
        }
        player.step(&mut world, &mut queries, input).unwrap();
        let at = world.body(id).unwrap().at;
        let hits = inside(&world, &mut engine, id);
        assert!(hits.is_empty(), "step {step}: at {at:?} it is inside: {hits:?}");
        assert_eq!(
            chamber(at),
            chamber(Vec2 { x: start[0], y: start[1] }),
            "step {step}: a wall was passed, to {at:?}"
        );
        let within = |v: f64, most: u32| 0.0 < v && v < f64::from(most);
        assert!(within(at.x, LEVEL[0]) && within(at.y, LEVEL[1]), "step {step}: it left the room, to {at:?}");
        stood += u32::from(player.walker.ground().is_some());
        highest = at.y.min(highest);
        reached = [at.x.min(reached[0]), at.x.max(reached[1])];
    }
    // It got around, and did not get stuck.
    assert!(stood > STEPS / 5 && stood < STEPS * 19 / 20, "on the ground in {stood} steps");
    assert!(highest < 60.0 && reached[1] - reached[0] > 90.0, "{highest}, {reached:?}");
}

#[test]
fn a_sprite_is_never_inside_the_ground() {
    let [sprite, ..] = shapes();
    play(sprite.clone(), [70.3, 100.7], 1);
    play(sprite, [200.1, 100.9], 2);
}

#[test]
fn a_box_is_never_inside_the_ground() {
    let [_, rect, _] = shapes();
    play(rect, [200.2, 90.4], 3);
}

#[test]
fn a_capsule_is_never_inside_the_ground() {
    let [.., capsule] = shapes();
    play(capsule, [330.7, 80.2], 5);
}

/// Bodies slide through the level at any speed, by `Search::slide` alone.
#[test]
fn what_slides_is_never_inside_the_ground() {
    let mut random = SplitMix64(9);
    let mut real = |most: f64| most * (f64::from(random.below(1 << 21)) / f64::from(1 << 20) - 1.0);
    for shape in shapes() {
        let mut world = World::default();
        let shape = world.add_shape(shape).unwrap();
        let id = world.add(&Body::new(shape, [200.2, 90.4])).unwrap();
        level(&mut world);
        let (mut engine, mut queries) = (Engine::cpu().unwrap(), Queries::new());
        let (mut speed, mut came, mut met) = ([0.0; 2], 0, 0);
        for step in 0..5_000 {
            speed = if step % 20 == 0 { [real(9.0), real(9.0)] } else { [speed[0], speed[1] + 0.23] };
            let body = world.body(id).unwrap();
            let slide = queries.on(&world).except(&[id]).unwrap().slide(&body.moving(speed), |_| true).unwrap();
            world.set(id, &Body { at: slide.at, ..body }).unwrap();
            let hits = inside(&world, &mut engine, id);
            assert!(hits.is_empty(), "step {step}: at {:?} it is inside: {hits:?}", slide.at);
            came += u32::from(slide.at != body.at);
            met += u32::from(slide.stops.len() > 1);
        }
        assert!(came > 2_000 && met > 1_000, "{came} {met}");
    }
}

/// A rising platform moves into the player at each step; the player moves out and stands on it.
#[test]
fn a_platform_that_rises_takes_the_player_with_it() {
    for shape in shapes() {
        let mut world = World::default();
        let [plank, shape] = [Shape::rect(40.0, 3.0).unwrap(), shape].map(|shape| world.add_shape(shape).unwrap());
        let platform = world.add(&Body::new(plank, [0, 100]).moving([0.0, -0.75])).unwrap();
        let id = world.add(&Body::new(shape, [15, 80])).unwrap();
        let (mut queries, mut player) = (Queries::new(), Player::new(id).unwrap());
        for step in 0..100 {
            player.step(&mut world, &mut queries, Input::default()).unwrap();
            let [hero, plank] = [id, platform].map(|id| world.body(id).unwrap());
            let stands = |body: &Body| body.moving([0.0; 2]);
            let met = queries.on(&world).except(&[id]).unwrap().sweep(&stands(&hero), |_| true).unwrap();
            assert!(met.stop.is_none(), "step {step}: at {:?} it is in the platform at {:?}", hero.at, plank.at);
            assert!(
                step < 30 || player.walker.ground().is_some() && hero.at.y > plank.at.y - 7.0,
                "step {step}: {hero:?}"
            );
            world.advance().unwrap();
        }
    }
}

/// Players fall onto flat ground of pixels, a rotated slab and a hill, and stand there.
#[test]
fn what_stands_has_the_same_contact_at_every_step() {
    for (k, shape) in shapes().into_iter().enumerate() {
        for touch in [Touch::Excluded, Touch::Included] {
            for start in [[15.4, 200.3], [165.2, 150.1], [226.9, 150.6], [239.7, 240.0 - 31.2]] {
                let mut world = World::new(touch);
                let shape = world.add_shape(shape.clone()).unwrap();
                let id = world.add(&Body::new(shape, start)).unwrap();
                level(&mut world);
                let (mut engine, mut queries, mut player) =
                    (Engine::cpu().unwrap(), Queries::new(), Player::new(id).unwrap());
                let mut rested: Option<(Vec2, Option<Side>)> = None;
                let mut still = 0;
                for step in 0..1_100 {
                    let walk = player.step(&mut world, &mut queries, Input::default()).unwrap();
                    let now = walk.map(|walk| (world.body(id).unwrap().at, walk.ground));
                    if step >= 100 {
                        let what = format!("player {k}, {touch:?}, from {start:?}, step {step}");
                        assert!(player.walker.ground().is_some() && now.is_some(), "{what}: it does not stand");
                        assert!(rested.is_none() || rested == now, "{what}: {now:?} after {rested:?}");
                        (rested, still) = (now, still + 1);
                    }
                    assert!(inside(&world, &mut engine, id).is_empty());
                }
                assert_eq!(still, 1_000);
            }
        }
    }
}

/// Gravity moves bodies into the ground, and they are pushed out. The contact is there at every step, always the same,
/// and gone after the push.
#[test]
fn what_is_pushed_out_has_the_same_contact_at_every_step() {
    let bodies = [
        (Shape::sprite(Mask::from_rows(&["###", "#.#"]).unwrap()), 0.0),
        (Shape::rect(6.0, 4.0).unwrap(), 0.0),
        (Shape::rect(6.0, 4.0).unwrap(), 33.0),
        (Shape::polygon(&[[0.0, 0.0], [9.0, 2.0], [4.0, 7.0]]).unwrap(), 71.3),
        (Shape::capsule([0.0, 0.0], [5.0, 1.0], 1.5).unwrap(), 12.0),
        (Shape::circle(2.6).unwrap(), 0.0),
    ];
    let grounds = [Shape::rect(300.0, 50.0).unwrap(), Shape::sprite(Mask::from_fn(300, 50, |_, _| true).unwrap())];
    for (k, (shape, degrees)) in bodies.into_iter().enumerate() {
        for ground in &grounds {
            for touch in [Touch::Excluded, Touch::Included] {
                let mut world = World::new(touch);
                let shape = world.add_shape(shape.clone()).unwrap();
                let body = Body::new(shape, [100.3, 30.0]).posed(Linear::from_degrees(degrees));
                let id = world.add(&body).unwrap();
                let ground = world.add_shape(ground.clone()).unwrap();
                world.add(&Body::new(ground, [0.0, 40.2])).unwrap();
                let mut engine = Engine::cpu().unwrap();
                let (mut rested, mut contacts): (Option<(Vec2, Contact)>, u32) = (None, 0);
                for step in 0..1_040 {
                    let mut at = world.body(id).unwrap().at;
                    // A whole pixel, because a sprite is pushed by whole pixels.
                    at.y += 1.0;
                    world.set(id, &Body { at, ..body }).unwrap();
                    let hits = engine.run(&world, Ask::Details).unwrap();
                    let Some((&pair, detail)) = hits.pairs.first().zip(hits.details.first()) else {
                        assert!(step < 40, "body {k}, {touch:?}, step {step}: no contact");
                        continue;
                    };
                    let found = world.contact(pair, detail);
                    at += found.push.units();
                    world.set(id, &Body { at, ..body }).unwrap();
                    assert!(inside(&world, &mut engine, id).is_empty(), "body {k}, {touch:?}, step {step}: {found:?}");
                    if step >= 40 {
                        let now = Some((at, found));
                        assert!(rested.is_none() || rested == now, "body {k}, {touch:?}: {now:?} after {rested:?}");
                        (rested, contacts) = (now, contacts + 1);
                    }
                }
                assert_eq!(contacts, 1_000);
            }
        }
    }
}

/// Slides a shape among others at given positions. Returns its end, and the normals that stopped it.
fn slide(shape: &Shape, [at, motion]: [[f64; 2]; 2], others: &[(Shape, [f64; 2], f64)]) -> ([f64; 2], Vec<[f64; 2]>) {
    let mut world = World::default();
    let id = world.add_shape(shape.clone()).unwrap();
    for (shape, at, turned) in others {
        let shape = world.add_shape(shape.clone()).unwrap();
        world.add(&Body::new(shape, *at).posed(Linear::from_degrees(*turned))).unwrap();
    }
    let slide = Queries::new().on(&world).slide(&Body::new(id, at).moving(motion), |_| true).unwrap();
    ([slide.at.x, slide.at.y], slide.stops.iter().map(|stop| stop.impact.normal).collect())
}

/// Asserts where a slide ends, to a few lattice steps, and the normals that stopped it.
fn slides(shape: &Shape, way: [[f64; 2]; 2], others: &[(Shape, [f64; 2], f64)], to: [f64; 2], normals: &[[f64; 2]]) {
    let (at, faced) = slide(shape, way, others);
    let near = (0..2).all(|k| (at[k] - to[k]).abs() < 1.0 / 64.0);
    assert!(near && faced == normals, "{way:?} comes to {at:?} by {faced:?}, not to {to:?} by {normals:?}");
}

#[test]
fn what_adjoins_catches_nothing() {
    let tile = Shape::rect(16.0, 16.0).unwrap();
    let [up, down, left, right] = [[0.0, -1.0], [0.0, 1.0], [-1.0, 0.0], [1.0, 0.0]];
    let tiles: Vec<_> = [[0.0, -16.0], [0.0, 0.0], [0.0, 16.0], [16.0, 16.0]].map(|at| (tile.clone(), at, 0.0)).into();
    slides(&tile, [[16.0, 0.0], [-2.0, -5.2]], &tiles, [16.0, -5.2], &[right]);
    slides(&tile, [[16.0, 0.0], [-2.0, 0.25]], &tiles, [16.0, 0.0], &[right, up]);
    let solid = |width, height| Shape::sprite(Mask::from_fn(width, height, |_, _| true).unwrap());
    slides(&solid(16, 16), [[16.0, 0.0], [-2.0, -2.0]], &tiles, [16.0, -2.0], &[right]);
    let hero = Shape::rect(12.0, 12.0).unwrap();
    slides(&hero, [[-12.0, -11.1445], [1.3, -3.45]], &[(solid(16, 16), [0.0; 2], 0.0)], [-12.0, -14.6], &[left]);
    let block = [(Shape::rect(10.0, 10.0).unwrap(), [0.0; 2], 0.0)];
    slides(&solid(8, 8), [[-8.0, 9.0], [1.0, 1.0]], &block, [-8.0, 10.0], &[left]);
    let level = |width, height, open: fn(u32, u32) -> bool| {
        [(Shape::sprite(Mask::from_fn(width, height, |x, y| !open(x, y)).unwrap()), [0.0; 2], 0.0)]
    };
    let corridor = level(100, 32, |_, y| (8..24).contains(&y));
    slides(&tile, [[20.0, 8.0], [2.0, 0.25]], &corridor, [22.0, 8.0], &[up]);
    slides(&tile, [[20.0, 8.0], [2.0, -0.25]], &corridor, [22.0, 8.0], &[down]);
    let shaft = level(32, 100, |x, _| (8..24).contains(&x));
    slides(&tile, [[8.0, 0.0], [2.0, 3.0]], &shaft, [8.0, 3.0], &[left]);
    // A floor of tiles, which it crosses at every speed.
    let floor: Vec<_> = (-9..10).map(|k| (tile.clone(), [16.0 * f64::from(k), 16.0], 0.0)).collect();
    for k in 1..200 {
        let (x, y) = (f64::from(k) * 0.37, f64::from(k % 7) + 0.1);
        slides(&tile, [[0.3, 0.0], [x, y]], &floor, [0.3 + x, 0.0], &[up]);
    }
}

#[test]
fn what_is_pressed_into_a_corner_stays() {
    let (square, ball) = (Shape::rect(100.0, 100.0).unwrap(), Shape::circle(4.0).unwrap());
    let corner = [(square.clone(), [0.0; 2], 30.0), (square, [0.0; 2], 150.0)];
    let mut at = [0.0, -40.0];
    for step in 0..40 {
        let (next, _) = slide(&ball, [at, [-3.0, 3.0]], &corner);
        let back = (next[0] - at[0]) * -3.0 + (next[1] - at[1]) * 3.0;
        assert!(back >= -1.0 / 64.0, "step {step}: from {at:?} to {next:?}");
        at = next;
    }
    let (next, _) = slide(&ball, [at, [-3.0, 3.0]], &corner);
    assert!((0..2).all(|k| (next[k] - at[k]).abs() < 1.0 / 64.0), "{at:?} {next:?}");
}
