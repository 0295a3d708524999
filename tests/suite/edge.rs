//! Bodies at the world's edge: if a body is accepted, every place it has within the step is valid, and so is every
//! place that a query returns.

use hitmask::geometry::{Flip, MAX_COORDINATE, MAX_MOTION, TICKS, Vec2};
use hitmask::query::Queries;
use hitmask::{Ask, Body, Linear, Mask, Shape, ShapeId, Touch, World, cpu};
use hitmask_workbench::workloads::SplitMix64;

/// The largest anchor, in units.
const FAR: f64 = 16_384.0;

/// Adds shapes around their positions, beside them by up to the largest anchor, and without any pixel.
pub(crate) fn shapes(world: &mut World) -> Vec<ShapeId> {
    let l = [[0.0, 0.0], [12.0, 0.0], [12.0, 4.0], [4.0, 4.0], [4.0, 12.0], [0.0, 12.0]];
    let sprite = |row: &str| Shape::sprite(Mask::from_rows(&[row; 3]).unwrap());
    let shapes = [
        Shape::rect(4.0, 4.0),
        Shape::rect(4.0, 4.0).and_then(|shape| shape.anchored([20.0, 2.0])),
        Shape::rect(9.0, 2.0).and_then(|shape| shape.anchored([FAR, -FAR])),
        Shape::circle(3.0).and_then(|shape| shape.anchored([-7.0, 0.5])),
        Shape::capsule([0.0, 0.0], [9.0, 3.0], 2.0).and_then(|shape| shape.anchored([0.0, FAR])),
        Shape::polygon(&l).and_then(|shape| shape.anchored([-30.0, 40.25])),
        Ok(sprite("##.#")),
        sprite("####").anchored([20.0, 1.5]),
        sprite("#..#").anchored([-20.5, -FAR]),
        Ok(sprite("....")),
        sprite("....").anchored([2.0, -9.0]),
    ];
    shapes.map(|shape| world.add_shape(shape.unwrap()).unwrap()).to_vec()
}

/// Returns a random body at an edge of the world, inside or outside, that may move.
pub(crate) fn body(random: &mut SplitMix64, shapes: &[ShapeId]) -> Body {
    let mut below = |n: i32| random.below(n as u32) as i32;
    let mut near = || {
        let off = match below(8) {
            0 => below(3),
            1 => 126 + below(4),
            2 => 254 + below(4),
            3..6 => below(1 << 13),
            6 => (1 << 22) + below(1 << 13) - (1 << 12),
            _ => MAX_COORDINATE,
        };
        let at = MAX_COORDINATE - off;
        let motion = match below(8) {
            0..3 => 0,
            3 => below(9) - 4,
            4 => 254 + below(4),
            5 => -254 - below(4),
            6 => below(1 << 14) - (1 << 13),
            _ => [MAX_MOTION, -MAX_MOTION, 3 - MAX_MOTION][below(3) as usize],
        };
        if below(2) == 0 { [at, motion] } else { [-at, motion] }
    };
    let [[x, dx], [y, dy]] = [near(), near()];
    let linear = match below(8) {
        0 => Linear::scaled(0.0),
        1 => Linear::from_degrees(30.0),
        2 => Linear::from_degrees(180.0),
        3 => Linear::new(0.0, [1.0; 2], Flip { x: true, y: false }),
        4 => Linear::scaled(1.0 / 256.0),
        _ => Linear::IDENTITY,
    };
    let units = |steps: i32| f64::from(steps) / 256.0;
    let body = Body::new(shapes[below(shapes.len() as i32) as usize], [units(x), units(y)]).posed(linear);
    body.moving([units(dx), units(dy)]).enabled(below(8) > 0)
}

fn at_rest(body: &Body, at: Vec2) -> Body {
    Body { at, motion: Vec2::default(), ..*body }
}

/// A moving body is accepted if it is valid at rest everywhere on its way: at the start, at the end, and for a sprite
/// also where whole-pixel motion takes it. So it can stop there, and move on from there.
#[test]
fn what_is_taken_can_be_gone_on_with() {
    let (mut random, mut world) = (SplitMix64(1), World::default());
    let shapes = shapes(&mut world);
    let [mut taken, mut refused, mut gone_on] = [0; 3];
    for round in 0..60_000 {
        let body = body(&mut random, &shapes);
        let takes = |body: &Body| world.clone().add(body).is_ok();
        let pixels = |from: f64, by: f64| from + (from + by).floor() - from.floor();
        let mut places = vec![body.at, body.at + body.motion];
        if world.shape(body.shape).unwrap().mask().is_some() {
            places.push([pixels(body.at.x, body.motion.x), pixels(body.at.y, body.motion.y)].into());
        }
        let expected = places.iter().all(|&at| takes(&at_rest(&body, at)));
        assert_eq!(takes(&body), expected, "round {round}: {body:?}");
        if !expected {
            refused += 1;
            continue;
        }
        taken += 1;
        let mut next = world.clone();
        let id = next.add(&body).unwrap();
        for tick in [0, 1, TICKS / 3, TICKS / 2, TICKS - 1, TICKS] {
            let at = next.position_at(id, tick).unwrap();
            assert!(takes(&at_rest(&body, at)), "round {round}: {body:?} at tick {tick}");
        }
        // It keeps its motion: the world advances if the next step is valid too.
        let goes = takes(&Body { at: body.at + body.motion, ..body });
        assert_eq!(next.clone().advance().is_ok(), goes, "round {round}: {body:?}");
        // The world always advances if bodies that would leave it are stopped.
        next.set(id, &at_rest(&body, body.at + body.motion)).unwrap();
        next.advance().unwrap();
        gone_on += u32::from(goes && body.motion != Vec2::default());
    }
    assert!(taken > 9_000 && refused > 9_000 && gone_on > 900, "{taken}, {refused}, {gone_on} tell too little");
}

/// The places that a sweep, a slide, a stop and a way out return are valid for a body.
#[test]
fn what_is_answered_can_be_set() {
    let mut random = SplitMix64(2);
    let mut queries = Queries::new();
    let mut engine = cpu::Engine::with(&cpu::Options::default().threads(1)).unwrap();
    let [mut swept, mut stopped, mut pushed] = [0; 3];
    for round in 0..8_000 {
        let mut world = World::new(if round % 2 == 0 { Touch::Excluded } else { Touch::Included });
        let shapes = shapes(&mut world);
        let body = body(&mut random, &shapes);
        let Ok(id) = world.clone().add(&body) else { continue };
        // Walls near the body's bounds, which may be far from its position.
        let mut with = world.clone();
        assert_eq!(with.add(&body).unwrap().index(), id.index());
        let here = with.swept_bounds(with.id(0).unwrap()).map_or(body.at, |bounds| bounds.centre().units().into());
        for _ in 0..8 {
            let mut below = |n: u32| f64::from(random.below(n));
            let wall = world.add_shape(Shape::rect(1.0 + below(30), 1.0 + below(30)).unwrap()).unwrap();
            // Walls beyond the edge are refused.
            let _ = world.add(&Body::new(wall, [here.x + below(80) - 55.0, here.y + below(80) - 55.0]));
        }
        let may_have = |at: Vec2, what: &str| {
            let taken = world.clone().add(&at_rest(&body, at));
            assert!(taken.is_ok(), "round {round}: {what} of {body:?} is {at:?}: {}", taken.unwrap_err());
        };
        let sweep = queries.on(&world).sweep(&body, |_| true).unwrap();
        may_have(sweep.at, "the sweep");
        let slide = queries.on(&world).slide(&body, |_| true).unwrap();
        may_have(slide.at, "the slide");
        for stop in sweep.stop.iter().chain(&slide.stops) {
            may_have(stop.at, "a stop");
            stopped += 1;
        }
        let mut hits = Vec::new();
        queries.on(&world).all(&body, &mut hits).unwrap();
        let stop = world.probe_stop(&body, &hits, |_| true).unwrap();
        if let Some(stop) = stop {
            may_have(stop.at, "the stop");
        }
        let out = world.probe_pushed_out(&body, &hits, |_| true).unwrap();
        if let Some(at) = out {
            may_have(at, "the way out");
        }
        // The body in the world, by a step.
        let mut inside = world.clone();
        let id = inside.add(&body).unwrap();
        let met = engine.run(&inside, Ask::Details).unwrap();
        let stop = inside.stop(id, &met, |_| true).unwrap();
        if let Some(stop) = stop {
            may_have(stop.at, "the stop by a step");
        }
        for (pair, detail) in met.pairs.iter().zip(&met.details) {
            inside.before(id, *pair, detail).into_iter().for_each(|at| may_have(at, "the place before"));
        }
        let by_step = inside.pushed_out(id, &met, |_| true).unwrap();
        if let Some(at) = by_step {
            may_have(at, "the way out by a step");
        }
        swept += 1;
        pushed += u32::from(!hits.is_empty() && out.is_some());
    }
    assert!(swept > 1_000 && stopped > 300 && pushed > 100, "{swept}, {stopped}, {pushed} tell too little");
}

/// The limit applies to a body's bounds and to its position. These are the cases that first showed it.
#[test]
fn a_body_beside_its_position_does_not_lead_out() {
    let limit = f64::from(MAX_COORDINATE) / 256.0;
    let mut world = World::default();
    let shape = world.add_shape(Shape::rect(4.0, 4.0).unwrap().anchored([20.0, 2.0]).unwrap()).unwrap();
    let body = Body::new(shape, [limit - 1.0, 0.0]);
    let message = world.add(&body.moving([5, 0])).unwrap_err().to_string();
    assert_eq!(
        message,
        "body 0: `at` is [2097150.99609375, 0]; it must keep the whole body and its position, motion included, within \
         ±2097151.99609375 units"
    );
    assert!(Queries::new().on(&world).sweep(&body.moving([5, 0]), |_| true).is_err());
    let id = world.add(&body.moving([1, 0])).unwrap();
    world.set(id, &body.moving([0.5, 0.0])).unwrap();
    world.advance().unwrap();
    // The shortest way out of a wall would take the body's position out of the world.
    let wall = world.add_shape(Shape::rect(8.0, 40.0).unwrap()).unwrap();
    world.add(&Body::new(wall, [limit - 25.0, -20.0])).unwrap();
    let within = Body::new(shape, [limit - 0.5, 0.0]);
    let (mut queries, mut hits) = (Queries::new(), Vec::new());
    queries.on(&world).except(&[id]).unwrap().all(&within, &mut hits).unwrap();
    assert_eq!((hits.len(), world.probe_pushed_out(&within, &hits, |_| true).unwrap()), (1, None));
    // An empty body has a position too.
    let nothing = body.posed(Linear::scaled(0.0));
    assert!(world.add(&nothing.moving([5, 0])).is_err() && world.add(&nothing.moving([1, 0])).is_ok());
}

/// A body may lie inside the world when its position, or the end of its motion, does not.
#[test]
fn a_position_does_not_leave_the_world_on_any_side() {
    let (limit, step) = (f64::from(MAX_COORDINATE) / 256.0, 1.0 / 256.0);
    for [x, y] in [[-1.0, 0.0], [1.0, 0.0], [0.0, -1.0], [0.0, 1.0]] {
        let mut world = World::default();
        let shape = Shape::circle(1.0).and_then(|shape| shape.anchored([20.0 * x, 20.0 * y])).unwrap();
        let shape = world.add_shape(shape).unwrap();
        let at = |off: f64| Body::new(shape, [(limit - off) * x, (limit - off) * y]);
        let id = world.add(&at(0.0)).unwrap();
        for refused in
            [at(-step), at(0.0).moving([x * step, y * step]), at(1.0).moving([x * (1.0 + step), y * (1.0 + step)])]
        {
            let error = world.set(id, &refused).unwrap_err().to_string();
            assert!(error.contains("2097151.99609375"), "{error}");
        }
        // The motion that is left must not lead out either.
        world.set(id, &at(1.0).moving([x, y])).unwrap();
        assert!(world.advance().is_err());
        world.set(id, &at(2.0).moving([x, y])).unwrap();
        world.advance().unwrap();
        assert_eq!(world.body(id).unwrap().at, at(1.0).at);
    }
}
