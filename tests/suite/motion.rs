//! Motion within a step: consequences of the contract, on every engine.

use hitmask::geometry::{TICKS, Vec2};
use hitmask::{Ask, Body, BodyId, Detail, Engine, Hits, Linear, Mask, Overlap, Shape, Touch, World};
use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::SplitMix64;

use crate::common::{self, Gpu, Runner, Setup};

/// Returns worlds of random scenes in which something moves.
fn moving() -> impl Iterator<Item = (u64, World)> {
    let worlds = (20_000..).map(|seed| (seed, random_scene(seed).world().unwrap()));
    worlds.filter(|(_, world)| bodies(world).any(|(_, body)| body.motion != Vec2::default())).take(400)
}

fn bodies(world: &World) -> impl Iterator<Item = (BodyId, Body)> {
    world.ids().map(|id| (id, world.body(id).unwrap()))
}

/// Returns the world with each body changed.
fn changed(world: &World, change: impl Fn(BodyId, Body) -> Body) -> World {
    let mut changed = world.clone();
    for (id, body) in bodies(world) {
        changed.set(id, &change(id, body)).unwrap();
    }
    changed
}

fn at_rest(world: &World) -> World {
    changed(world, |_, body| body.moving([0, 0]))
}

/// Both ends of a step are covered, so nothing slips through between two steps.
#[test]
fn both_ends_of_a_step_are_covered() {
    let mut runners = common::runners();
    let [mut at_start, mut at_end, mut late] = [0; 3];
    for (seed, world) in moving() {
        let start = at_rest(&world);
        let end = changed(&start, |id, body| Body { at: end_of(&world, id), ..body });
        for runner in common::in_turn(&mut runners, seed as usize) {
            let mut pairs = |world: &World| runner.engine.run(world, Ask::Pairs).unwrap().pairs;
            let (started, ended) = (pairs(&start), pairs(&end));
            let hits = runner.engine.run(&world, Ask::Details).unwrap();
            let at_once = hits.pairs.iter().zip(&hits.details).filter(|(_, detail)| detail.fraction() == 0.0);
            assert!(at_once.map(|(pair, _)| *pair).eq(started.iter().copied()), "scene {seed} on {}", runner.setup);
            for pair in &ended {
                assert!(
                    hits.pairs.binary_search(pair).is_ok(),
                    "scene {seed} on {}: {pair:?} at its end",
                    runner.setup
                );
            }
            at_start += started.len();
            at_end += ended.len();
            late += hits.details.iter().filter(|detail| detail.fraction() > 0.0).count();
        }
    }
    assert!(at_start > 3_000 && at_end > 2_000 && late > 2_000, "{at_start}, {at_end}, {late} tell too little");
}

/// Returns the end of a body's motion.
fn end_of(world: &World, id: BodyId) -> Vec2 {
    let Body { at, motion, .. } = world.body(id).unwrap();
    Vec2 { x: at.x + motion.x, y: at.y + motion.y }
}

#[test]
fn whole_pixels_change_nothing() {
    let mut runners = common::runners();
    let shift = [37, -12];
    for (seed, world) in moving() {
        let moved = |body: Body| Body { at: Vec2 { x: body.at.x + 37.0, y: body.at.y - 12.0 }, ..body };
        // At the world's edge there is no room for the shift.
        let mut shifted = world.clone();
        if bodies(&world).any(|(id, body)| shifted.set(id, &moved(body)).is_err()) {
            continue;
        }
        for runner in common::in_turn(&mut runners, seed as usize) {
            let mut expected = runner.engine.run(&world, Ask::Details).unwrap();
            for Detail { area, overlap, .. } in &mut expected.details {
                if let (Some(Overlap { bounds, first, sums, .. }), Some(area)) = (overlap, area) {
                    for axis in 0..2 {
                        bounds[axis] += shift[axis];
                        first[axis] += shift[axis];
                        sums[axis] += *area as i64 * i64::from(shift[axis]);
                    }
                }
            }
            assert_eq!(
                runner.engine.run(&shifted, Ask::Details).unwrap(),
                expected,
                "scene {seed} on {}",
                runner.setup
            );
        }
    }
}

/// Returns the answer for two bodies of a world at rest at the given places.
fn two(world: &World, pair: [u32; 2], at: [Vec2; 2]) -> Hits {
    let mut two = World::new(world.touch());
    for (index, at) in pair.into_iter().zip(at) {
        let body = world.body(world.id(index).unwrap()).unwrap();
        let shape = two.add_shape(world.shape(body.shape).unwrap().clone()).unwrap();
        two.add(&Body { at, ..Body::new(shape, at).posed(body.linear) }).unwrap();
    }
    Engine::reference().run(&two, Ask::Pairs).unwrap()
}

#[test]
fn a_push_ends_a_hit_and_a_body_stops_before_one() {
    let (mut pushed, mut stopped) = (0, 0);
    for seed in 20_000..21_500 {
        let world = random_scene(seed).world().unwrap();
        let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
        for (&pair, detail) in hits.pairs.iter().zip(&hits.details) {
            let ids = pair.map(|index| world.id(index).unwrap());
            let both = ids.map(|id| world.body(id).unwrap());
            let tick = detail.tick();
            let sprites = both.map(|body| world.shape(body.shape).unwrap().mask().is_some());
            if both.iter().all(|body| body.motion == Vec2::default()) || sprites == [false; 2] {
                // Both at their positions at the tick. (A sprite may be between two of its pixel steps.)
                let found = world.contact(pair, detail);
                let [mut a, b] = ids.map(|id| world.position_at(id, tick).unwrap());
                let [x, y] = found.push.units();
                (a.x, a.y) = (a.x + x, a.y + y);
                if a.x.abs().max(a.y.abs()) < 2_090_000.0 {
                    assert!(two(&world, pair, [a, b]).pairs.is_empty(), "scene {seed}: {pair:?} pushed by {x}, {y}");
                    pushed += 1;
                }
                let single = |id| world.landed(id).is_some_and(|landed| landed.len() == 1);
                if ids.into_iter().all(single) {
                    assert!((x * x + y * y).sqrt() <= found.depth + 1.0 / 64.0, "scene {seed}: {pair:?} {found:?}");
                }
            }
            for k in 0..2 {
                if both[1 - k].motion == Vec2::default() && tick > 0 {
                    let mut at = both.map(|body| body.at);
                    at[k] = world.before(ids[k], pair, detail).unwrap();
                    assert!(two(&world, pair, at).pairs.is_empty(), "scene {seed}: {pair:?} at {at:?}");
                    stopped += 1;
                }
            }
        }
    }
    assert!(pushed > 5_000 && stopped > 500, "{pushed} pushed, {stopped} stopped");
}

/// The way to a stop and what is left after it add up to the motion. A landing moves down onto a side that faces up,
/// in whatever direction up is.
#[test]
fn a_stop_divides_the_motion_and_a_landing_is_onto_a_side_that_faces_up() {
    let (mut divided, mut landed) = (0, 0);
    let dot = |[a, b]: [f64; 2], [c, d]: [f64; 2]| a * c + b * d;
    for seed in 20_000..20_500 {
        let world = random_scene(seed).world().unwrap();
        let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
        for id in hits.pairs.as_flattened().iter().map(|&index| world.id(index).unwrap()) {
            let body = world.body(id).unwrap();
            for impact in world.impacts(id, &hits).unwrap() {
                for up in [[0.0, -1.0], [-1.0, 0.0], [3.0, 4.0], [0.0, 2.0]] {
                    let lands = impact.tick > 0 && dot(impact.normal, up) > 0.0 && dot(impact.approach, up) < 0.0;
                    assert_eq!(impact.lands(up), lands, "scene {seed}: {impact:?}, {up:?}");
                    landed += usize::from(lands);
                }
                // What is only touched at the start may not stop it.
                let stop = world.stop(id, &hits, |other| other.other == impact.other).unwrap();
                let Some(stop) = stop else { continue };
                let way = stop.at + stop.left - body.at;
                assert_eq!(way, body.motion, "scene {seed}: {body:?}, {stop:?}");
                divided += usize::from(stop.at != body.at);
            }
        }
    }
    assert!(divided > 300 && landed > 300, "{divided} divided, {landed} landed");
}

/// Returns whether a point is on one side of a wall.
type Side = fn(Vec2) -> bool;

/// Returns walls without gaps, at most one pixel wide.
fn walls() -> Vec<(Shape, Side)> {
    const SIDE: i32 = 120;
    let mask = |solid: &dyn Fn(i32, i32) -> bool| {
        let mut mask = Mask::new(SIDE as u32, SIDE as u32).unwrap();
        for (x, y) in (0..SIDE).flat_map(|y| (0..SIDE).map(move |x| (x, y))) {
            mask.set(x as u32, y as u32, solid(x, y)).unwrap();
        }
        Shape::sprite(mask)
    };
    let ring = |x: i32, y: i32| {
        let inside = |x: i32, y: i32| (x - 60) * (x - 60) + (y - 60) * (y - 60) < 50 * 50;
        // Outside pixels with a neighbour inside: they leave no gap.
        !inside(x, y) && [[1, 0], [-1, 0], [0, 1], [0, -1]].iter().any(|[dx, dy]| inside(x + dx, y + dy))
    };
    let slanted = Shape::capsule([0.0, 40.0], [120.0, 73.0], 1.0 / 256.0).unwrap();
    let sliver = Shape::polygon(&[[0.0, 40.0], [120.0, 73.0], [120.0, 73.02], [0.0, 40.02]]).unwrap();
    let below = |p: Vec2| p.y > 40.0 + 33.0 * p.x / 120.0;
    vec![
        (mask(&|x, y| x == y), |p| p.y > p.x),
        (mask(&ring), |p| (p.x - 60.0).powi(2) + (p.y - 60.0).powi(2) > 50.5 * 50.5),
        (slanted, below),
        (sliver, below),
    ]
}

/// A body that flies at a wall hits it before it gets to the other side.
#[test]
fn nothing_passes_a_wall() {
    let movers = [
        Shape::sprite(Mask::from_rows(&["#"]).unwrap()),
        Shape::sprite(Mask::from_rows(&["###", "#.#", "###"]).unwrap()).anchored([1.5, 1.5]).unwrap(),
        Shape::circle(0.25).unwrap(),
        Shape::rect(0.5, 0.5).unwrap().anchored([0.25, 0.25]).unwrap(),
    ];
    let mut all = common::runners();
    all.retain(|runner| !matches!(runner.setup, Setup::Gpu(Gpu::Cramped | Gpu::Sorted)));
    let mut random = SplitMix64(77);
    let mut real = |from: f64, to: f64| from + (to - from) * f64::from(random.below(1 << 20)) / f64::from(1 << 20);
    for (index, (wall, side)) in walls().into_iter().enumerate() {
        for flight in 0..24 {
            let mut world = World::new(if flight % 2 == 0 { Touch::Excluded } else { Touch::Included });
            let wall = world.add_shape(wall.clone()).unwrap();
            world.add(&Body::new(wall, [0, 0])).unwrap();
            let mover = world.add_shape(movers[flight % movers.len()].clone()).unwrap();
            let speed = [0.02, 0.4, 1.3, 17.0, 900.0][flight / 5 % 5];
            let way = real(0.0, std::f64::consts::TAU);
            let velocity = [speed * way.cos(), speed * way.sin()];
            let at = [real(45.0, 75.0), real(40.0, 75.0)];
            let turned = Linear::from_degrees(if flight % 3 == 0 { real(0.0, 90.0) } else { 0.0 });
            let id = world.add(&Body::new(mover, at).posed(turned).moving(velocity)).unwrap();
            let start = world.body(id).unwrap().at;
            // A step on a GPU in software takes as long as hundreds on the CPU.
            let flies = |runner: &&mut Runner| flight % 5 == 0 || !matches!(runner.setup, Setup::Gpu(_));
            let mut runners: Vec<&mut Runner> = all.iter_mut().filter(flies).collect();
            let mut hit = vec![false; runners.len()];
            let steps = (130.0 / speed).min(if speed < 0.1 { 300.0 } else { 400.0 }) as u32 + 1;
            for step in 0..steps {
                for (runner, hit) in runners.iter_mut().zip(&mut hit) {
                    *hit |= !runner.engine.run(&world, Ask::Pairs).unwrap().pairs.is_empty();
                }
                world.advance().unwrap();
                let now = world.body(id).unwrap().at;
                let name = format!("wall {index}, flight {flight}, step {step}");
                assert!(hit.iter().all(|other| *other == hit[0]), "{name}: engines differ");
                // Past a wall's end, the other side is free.
                let near = (2.0..118.0).contains(&now.x) && (2.0..118.0).contains(&now.y);
                if hit[0] || !near {
                    break;
                }
                assert_eq!(side(now), side(start), "{name}: from {start:?} to {now:?} by {velocity:?}");
            }
        }
    }
}

#[test]
fn the_limit_of_a_motion_is_told() {
    let mut world = World::default();
    let shape = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    assert!(world.add(&Body::new(shape, [0, 0]).moving([65_536, -65_536])).is_ok());
    let message = world.add(&Body::new(shape, [0, 0]).moving([0.0, 65_536.01])).unwrap_err().to_string();
    assert!(message.contains("`motion.y` is 65536.01") && message.contains("±65536 units"), "{message}");
}

#[test]
fn a_world_goes_on_whole_or_not_at_all() {
    let mut world = World::default();
    let shape = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let near = world.add(&Body::new(shape, [0, 0]).moving([5, 0])).unwrap();
    let far = world.add(&Body::new(shape, [2_097_000, 0]).moving([100, 0])).unwrap();
    let message = world.advance().unwrap_err().to_string();
    assert!(message.contains("body 1") && message.contains("motion included"), "{message}");
    assert_eq!(world.body(near).unwrap().at.x, 0.0);
    world.set(far, &Body::new(shape, [0, 9])).unwrap();
    world.advance().unwrap();
    assert_eq!(world.body(near).unwrap(), Body::new(shape, [5, 0]).moving([5, 0]));
    assert_eq!(world.position_at(near, TICKS).unwrap().x, 10.0);
}

/// Rotation, scale and shape change between steps, not within one: a bar that turns past a ball does not meet it.
#[test]
fn what_turns_between_steps_is_not_swept() {
    let mut world = World::default();
    let bar = world.add_shape(Shape::rect(20.0, 1.0).unwrap()).unwrap();
    let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let id = world.add(&Body::new(bar, [0, 0])).unwrap();
    world.add(&Body::new(ball, [10, 10])).unwrap();
    for runner in &mut common::runners() {
        let hits = [0.0, 90.0, 45.0].map(|degrees| {
            world.set(id, &Body::new(bar, [0, 0]).posed(Linear::from_degrees(degrees))).unwrap();
            runner.engine.run(&world, Ask::Pairs).unwrap().pairs.len()
        });
        assert_eq!(hits, [0, 0, 1], "{}", runner.setup);
    }
}
