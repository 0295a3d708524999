//! Calls from tasks in rayon pools that share an engine or queries behind a lock. A call must not run another task
//! while it waits for its threads, because that task could wait for the lock that the call holds.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use hitmask::cpu::{self, Broad};
use hitmask::query::{Answers, PointQuery, Queries, RayCast};
use hitmask::{Ask, Bodies, Body, Hits, Linear, Mask, Shape, World};
use rayon::prelude::*;

/// The time limit for all tasks of a pool.
const PATIENCE: Duration = Duration::from_secs(60);
/// Enough bodies for several threads.
const BODIES: usize = 9_000;
/// The tasks of a pool, and the calls of each task.
const TASKS: usize = 12;
const CALLS: usize = 4;

thread_local! {
    /// Whether a task of this thread is inside a call.
    static CALLS_NOW: Cell<bool> = const { Cell::new(false) };
}

fn places(shift: usize) -> Vec<[f64; 2]> {
    (0..BODIES).map(|i| [((i * 37 + shift) % 1500) as f64, (i * 91 % 1500) as f64]).collect()
}

fn world() -> World {
    let mut world = World::default();
    let sprite = Mask::from_fn(9, 9, |x, y| (x + y) % 2 == 0).unwrap();
    let shapes = [Shape::circle(2.0).unwrap(), Shape::sprite(sprite)].map(|shape| world.add_shape(shape).unwrap());
    for (i, at) in places(0).into_iter().enumerate() {
        world.add(&Body::new(shapes[i % 2], at).moving([(i % 5) as f64, 1.0])).unwrap();
    }
    world
}

fn engine() -> cpu::Engine {
    // Four threads, whatever the machine has.
    cpu::Engine::with(&cpu::Options::default().threads(4).broad(Broad::Sorted)).unwrap()
}

/// Makes calls of one kind from tasks of the global pool and of pools of 1, 2 and 8 threads: each on a state shared
/// behind one lock, and on a state of its own.
fn from_tasks<S: Send + 'static>(what: &str, make: impl Fn() -> S, call: impl Fn(&mut S) + Send + Sync + 'static) {
    let call = Arc::new(move |shared: &mut S| {
        assert!(!CALLS_NOW.replace(true), "a task was begun while a call of its thread waited");
        call(shared);
        CALLS_NOW.set(false);
    });
    let pools = [None, Some(1), Some(2), Some(8)];
    for (threads, own) in pools.into_iter().flat_map(|pool| [(pool, true), (pool, false)]) {
        let all: Vec<_> = (0..if own { TASKS } else { 1 }).map(|_| Mutex::new(make())).collect();
        let call = Arc::clone(&call);
        let (done, waits) = channel();
        let tasks = thread::spawn(move || {
            let tasks = || {
                (0..TASKS).into_par_iter().with_max_len(1).for_each(|task| {
                    for _ in 0..CALLS {
                        call(&mut all[task % all.len()].lock().unwrap());
                    }
                });
            };
            match threads {
                None => tasks(),
                Some(threads) => {
                    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(tasks);
                }
            }
            drop(done);
        });
        let ended: Result<(), RecvTimeoutError> = waits.recv_timeout(PATIENCE);
        assert_ne!(ended, Err(RecvTimeoutError::Timeout), "{what} in a pool of {threads:?}, own {own}: a deadlock");
        tasks.join().unwrap_or_else(|_| panic!("{what} in a pool of {threads:?}, own {own}"));
    }
}

#[test]
fn engines_in_tasks_run_no_other_task() {
    let world = world();
    let expected = engine().run(&world, Ask::Details).unwrap();
    from_tasks("run", engine, move |engine| assert!(engine.run(&world, Ask::Details).unwrap() == expected));
}

#[test]
fn streams_in_tasks_run_no_other_task() {
    let world = world();
    let Hits { pairs: expected, .. } = engine().run(&world, Ask::Pairs).unwrap();
    from_tasks("stream", engine, move |engine| {
        let mut all = Vec::new();
        let streamed = engine.stream(&world, Ask::Pairs, 1 << 14, |pairs, _| {
            all.extend_from_slice(pairs);
            ControlFlow::<()>::Continue(())
        });
        assert!(streamed.unwrap().is_continue() && all == expected);
    });
}

#[test]
fn queries_in_tasks_run_no_other_task() {
    let (world, places) = (world(), places(1));
    let spots: Vec<PointQuery> = places.iter().map(|&at| PointQuery::new(at)).collect();
    let rays: Vec<RayCast> = places.iter().map(|&[x, y]| RayCast::new([x, y], [x + 30.0, y + 5.0])).collect();
    let (mut expected, mut firsts) = (Answers::new(), Vec::new());
    let mut queries = Queries::new();
    queries.on(&world).all_of(&spots, &mut expected).unwrap();
    queries.on(&world).first_of(&rays, &mut firsts).unwrap();
    let mut moved = world.clone();
    moved.set_positions(Bodies::All, &places).unwrap();
    from_tasks("queries", Queries::new, move |queries| {
        // Each of these calls refreshes the index.
        queries.on(&moved);
        let (mut answers, mut found) = (Answers::new(), Vec::new());
        queries.on(&world).all_of(&spots, &mut answers).unwrap();
        assert!(answers.iter().eq(expected.iter()));
        queries.on(&world).first_of(&rays, &mut found).unwrap();
        assert!(found == firsts);
        let bad = [rays[0], RayCast::new([0.0, 0.0], [f64::NAN, 0.0])].repeat(3_000);
        let error = queries.on(&world).first_of(&bad, &mut found).unwrap_err().to_string();
        assert!(error.starts_with("query 1: "), "{error}");
    });
}

#[test]
fn edits_in_tasks_run_no_other_task() {
    let [here, there] = [0, 1].map(places);
    let motion = vec![[0.25, 0.5]; BODIES];
    let linear: Vec<Linear> = (0..BODIES).map(|i| Linear::from_degrees((i % 360) as f64)).collect();
    from_tasks("edits", world, move |world| {
        world.set_positions(Bodies::All, &there).unwrap();
        world.set_moving(Bodies::All, &here, &motion).unwrap();
        world.advance().unwrap();
        world.set_poses(Bodies::All, &there, &linear, &motion).unwrap();
        world.advance().unwrap();
        let at = world.body(world.id(77).unwrap()).unwrap().at;
        assert_eq!([at.x, at.y], [there[77][0] + 0.25, there[77][1] + 0.5]);
    });
}
