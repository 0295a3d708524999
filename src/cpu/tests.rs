//! Tests of steps with too little memory or too few threads.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::*;
use crate::{Body, Linear, Mask, Shape};

/// Returns a world of `bodies` bodies on one spot, all of which hit each other: boxes, or turned sprites, which have to
/// be judged.
fn spot(bodies: usize, sprites: bool) -> World {
    let mut world = World::default();
    let shape =
        if sprites { Shape::sprite(Mask::from_rows(&["##"; 2]).unwrap()) } else { Shape::rect(2.0, 2.0).unwrap() };
    let shape = world.add_shape(shape).unwrap();
    for k in 0..bodies {
        let at = [k as f64 / bodies as f64 / 8.0, 0.0];
        let body = Body::new(shape, at);
        world.add(&if sprites { body.posed(Linear::from_degrees(10.0)) } else { body }).unwrap();
    }
    world
}

/// Runs a step with `room` for everything large.
fn run(engine: &mut Engine, world: &World, ask: Ask, hits: &mut Hits, room: &Room) -> Result<()> {
    let means = Means { simd: engine.step.simd, team: Team { helpers: engine.helpers.as_ref() }, room };
    let common = Common { packed: world.packed(), touch: world.touch(), means };
    engine.step.answer(world.changed_bodies(), ask, common, hits)
}

/// However little memory there is, and in whichever stage it runs out, an answer is complete, or it is an error that
/// does not affect the next step.
#[test]
fn a_step_without_memory_is_an_error_and_the_next_is_whole() {
    let asks = [Ask::Flags, Ask::Pairs, Ask::Details];
    for sprites in [false, true] {
        let mut world = spot(250, sprites);
        let few = spot(3, sprites);
        let mut engine = Engine::with(&Options::default().threads(3)).unwrap();
        let expected = asks.map(|ask| engine.run(&world, ask).unwrap());
        let expected_of_few = engine.run(&few, Ask::Details).unwrap();
        let mut refusals = 0;
        for kib in (0..6000).step_by(150) {
            for (ask, expected) in asks.into_iter().zip(&expected) {
                // A step in which everything is new, one that keeps what it has found, and one in which some bodies
                // changed.
                engine.step.give_back();
                let mut hits = expected_of_few.clone();
                for step in 0..3 {
                    if step == 2 {
                        let body = world.id(7).unwrap();
                        world.set(body, &world.body(body).unwrap()).unwrap();
                    }
                    let room = Room::of(kib << 10);
                    match run(&mut engine, &world, ask, &mut hits, &room) {
                        Ok(()) => assert!(hits == *expected, "{ask:?} in {kib} KiB, step {step}"),
                        Err(error) => {
                            refusals += 1;
                            assert!(matches!(error, Error::Capacity { .. }), "{error}");
                            assert!(hits == Hits::default() || hits == expected_of_few || hits == *expected);
                            assert!(engine.bytes() < 1 << 20, "{} bytes are kept", engine.bytes());
                            assert_eq!(engine.run(&few, Ask::Details).unwrap(), expected_of_few);
                        }
                    }
                }
            }
        }
        assert!(refusals > 50, "{refusals}");
        assert!(engine.run(&world, asks[2]).unwrap() == expected[2]);
    }
}

#[test]
fn threads_that_do_not_start_are_done_without() {
    // A system that can run `most` threads at once.
    let started = |most: usize| {
        let alive = Arc::new(AtomicUsize::new(0));
        Threads::start(100, move |thread| {
            if alive.load(Relaxed) == most {
                return Err(io::Error::from(io::ErrorKind::WouldBlock));
            }
            alive.fetch_add(1, Relaxed);
            let alive = Arc::clone(&alive);
            std::thread::Builder::new().spawn(move || {
                thread.run();
                alive.fetch_sub(1, Relaxed);
            })
        })
    };
    assert!(started(0).is_none());
    for most in [1, 2, 9, 99, 100] {
        assert_eq!(started(most).unwrap().count(), most);
    }
    assert!(Threads::start(0, |_| unreachable!("none is asked for")).is_none());

    let world = spot(5000, false);
    let mut engine = Engine::new().unwrap();
    let expected = engine.run(&world, Ask::Flags).unwrap();
    for most in [0, 3] {
        engine.helpers = started(most);
        assert_eq!(engine.threads(), 1 + most);
        assert!(engine.run(&world, Ask::Flags).unwrap() == expected);
    }
}

#[test]
fn threads_have_a_limit() {
    for threads in [MOST_THREADS + 1, 100_000, usize::MAX] {
        let error = Engine::with(&Options::default().threads(threads)).unwrap_err().to_string();
        assert_eq!(error, format!("`threads` is {threads}; it must be at most 1024"));
    }
}

/// Flags fit wherever the bodies do: if the pairs do not fit, flags are computed without a list of them.
#[test]
fn flags_need_no_list_of_pairs() {
    for sprites in [false, true] {
        let world = spot(300, sprites);
        let mut engine = Engine::with(&Options::default().threads(3)).unwrap();
        let expected = engine.run(&world, Ask::Flags).unwrap();
        let means =
            Means { simd: engine.step.simd, team: Team { helpers: engine.helpers.as_ref() }, room: &Room::of(1 << 20) };
        let common = Common { packed: world.packed(), touch: world.touch(), means };
        assert!(engine.step.stream_flags(common).unwrap() == expected.flags);
    }
}

#[test]
fn an_engine_tells_the_memory_that_it_keeps() {
    let mut engine = Engine::new().unwrap();
    let fresh = engine.bytes();
    let mut hits = Hits::default();
    let mut world = spot(2000, false);
    let of_pairs = |hits: &Hits| 8 * hits.pairs.len() as u64;
    engine.run_into(&world, Ask::Pairs, &mut hits).unwrap();
    let first = engine.bytes();
    assert!(first >= fresh + of_pairs(&hits), "{fresh} {first}");
    // At rest, the pairs of settled bodies are kept too.
    let (id, body) = world.id(0).map(|id| (id, world.body(id).unwrap())).unwrap();
    for step in 0..20 {
        world.set(id, &Body { at: [f64::from(step) / 8.0, 0.0].into(), ..body }).unwrap();
        engine.run_into(&world, Ask::Pairs, &mut hits).unwrap();
    }
    assert!(engine.bytes() >= first + of_pairs(&hits), "{first} {}", engine.bytes());
}

#[test]
fn a_profile_has_each_stage_of_a_step() {
    for (bodies, first) in [(10, &[][..]), (2000, &["sort"])] {
        for (ask, last) in [(Ask::Flags, &[][..]), (Ask::Pairs, &["order"]), (Ask::Details, &["order", "details"])] {
            let world = spot(bodies, true);
            let mut engine = Engine::new().unwrap();
            engine.run(&world, ask).unwrap();
            let profile = engine.profile();
            let names: Vec<&str> = profile.stages.iter().map(|stage| stage.name).collect();
            assert_eq!(names, [first, &["sweep", "narrow"], last].concat(), "{bodies} bodies, {ask:?}");
            assert!(profile.candidates > 0);
        }
    }
}
