//! The allocator refuses every large allocation, then all but the first, then all but the first two, until a call
//! succeeds without a refusal. Each call before that returns an error and changes nothing, or makes do with less.

use std::fmt::Debug;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use hitmask::cpu;
use hitmask::mask::Neighbours;
use hitmask::query::{Queries, RegionQuery};
use hitmask::{Ask, Bodies, Body, Error, Hits, Linear, Mask, Result, Save, Shape, World};
use hitmask_workbench::workloads::{Crowd, Workload};

use super::ALONE;

/// The least size in bytes of an allocation that may be refused: lists of bounded length take less.
const LARGE: usize = 1 << 17;
/// The number of bodies: lists with four bytes or more for each of them are large.
const MANY: u32 = 40_000;

/// The number of large allocations for which there is room.
static ROOM: AtomicUsize = AtomicUsize::new(usize::MAX);
/// The number of those that were refused.
static REFUSED: AtomicUsize = AtomicUsize::new(0);

/// Returns whether to refuse an allocation of this size.
pub(super) fn refuses(size: usize) -> bool {
    let refuses = size >= LARGE && ROOM.fetch_update(Relaxed, Relaxed, |room| room.checked_sub(1)).is_err();
    REFUSED.fetch_add(usize::from(refuses), Relaxed);
    refuses
}

/// Makes room again, as an allocation of this size is freed.
pub(super) fn frees(size: usize) {
    if size >= LARGE {
        _ = ROOM.fetch_update(Relaxed, Relaxed, |room| room.checked_add(1));
    }
}

/// Makes room for everything when it is dropped, also if a test fails.
struct AllAgain;

impl Drop for AllAgain {
    fn drop(&mut self) {
        ROOM.store(usize::MAX, Relaxed);
    }
}

fn is_capacity(error: &Error) -> bool {
    match error {
        Error::Capacity { .. } => true,
        Error::In { source, .. } => is_capacity(source),
        _ => false,
    }
}

/// Does some work with a state again and again, from the same start, with room for more and more large allocations,
/// until none is refused. After an error the state must be as `unchanged` wants it; the work is then done again with
/// all memory, and in the end the state must be as `done` wants it. Returns the number of errors.
fn refuse_each<T>(
    what: &str,
    start: impl Fn() -> T,
    work: impl Fn(&mut T) -> Result<()>,
    unchanged: impl Fn(&T),
    done: impl Fn(&T),
) -> usize {
    let mut errors = 0;
    for room in 0..10_000 {
        let mut state = start();
        REFUSED.store(0, Relaxed);
        ROOM.store(room, Relaxed);
        let result = {
            let _all_again = AllAgain;
            work(&mut state)
        };
        let refused = REFUSED.load(Relaxed);
        if let Err(error) = result {
            assert!(refused > 0 && is_capacity(&error), "{what}, room for {room}: {error}");
            errors += 1;
            unchanged(&state);
            work(&mut state).unwrap();
        }
        done(&state);
        if refused == 0 {
            return errors;
        }
    }
    panic!("{what}: it never ends");
}

fn assert_equal<T: PartialEq + Debug>(found: &T, expected: &T, what: &str) {
    // The worlds are large, so they are not printed.
    assert!(found == expected, "{what}");
}

/// Checks an edit of a world.
fn edit(what: &str, world: &World, edit: impl Fn(&mut World) -> Result<()>) {
    let mut edited = world.clone();
    edit(&mut edited).unwrap();
    let is = |expected: &World, found: &World| {
        assert_equal(found, expected, what);
        assert_eq!(found.checksum(), expected.checksum(), "{what}");
        assert_eq!(found.indices(), expected.indices(), "{what}");
    };
    let errors = refuse_each(what, || world.clone(), &edit, |found| is(world, found), |found| is(&edited, found));
    assert!(errors > 0, "{what}: nothing was refused");
}

fn crowd(workload: Workload) -> Crowd {
    let mut crowd = workload.crowd(MANY).unwrap().moving();
    crowd.step(1, 1_000).unwrap();
    crowd
}

#[test]
fn an_edit_is_whole_or_nothing() {
    let _alone = ALONE.lock();
    let world = crowd(Workload::Turned).into_world();
    let shape = world.body(world.id(0).unwrap()).unwrap().shape;
    let bodies: Vec<Body> = (0..2 * MANY).map(|k| Body::new(shape, [f64::from(k), 9.0])).collect();
    edit("add_all", &world, |world| world.add_all(&bodies).map(drop));
    let at: Vec<[f32; 2]> = (0..MANY).map(|k| [k as f32, 3.0]).collect();
    edit("set_positions", &world, |world| world.set_positions(Bodies::All, &at));
    let motions = vec![[1.0_f32, -2.0]; MANY as usize];
    edit("set_moving", &world, |world| world.set_moving(Bodies::All, &at, &motions));
    let linears = vec![Linear::from_degrees(7.0); MANY as usize];
    edit("set_linears", &world, |world| world.set_linears(Bodies::All, &linears));
}

#[test]
fn a_split_is_whole_or_nothing() {
    let _alone = ALONE.lock();
    let mut world = World::default();
    // A comb, whose back is cut off: each tooth becomes a part.
    let comb = Mask::from_fn(1_000, 50, |x, y| y < 4 || x % 10 < 5).unwrap();
    let comb = world.add_shape(Shape::sprite(comb)).unwrap();
    for k in 0..300 {
        world.add(&Body::new(comb, [f64::from(k) * 7.0, 0.0])).unwrap();
    }
    world.edit_mask(comb, |mask| mask.erase_rect([0, 0, 1_000, 4])).unwrap();
    edit("split", &world, |world| world.split(comb, [0, 0, 1_000, 4], Neighbours::Four).map(drop));
}

#[test]
fn a_load_is_whole_or_nothing() {
    let _alone = ALONE.lock();
    let target = crowd(Workload::Turned).into_world();
    let small = Workload::Boxes.world(MANY / 2).unwrap();
    let bytes = target.save(Save::Whole).unwrap();
    edit("load_into an empty world", &World::default(), |world| world.load_into(&bytes));
    edit("load_into another world", &small, |world| world.load_into(&bytes));
    let mut moved = crowd(Workload::Turned);
    moved.step(2, 1_000).unwrap();
    let bytes = moved.world().save(Save::State).unwrap();
    let state = |what: &str, from: &World| {
        let done = |world: &World| assert_equal(world, moved.world(), what);
        refuse_each(
            what,
            || from.clone(),
            |world| world.load_into(&bytes),
            |world| assert_equal(world, from, what),
            done,
        )
    };
    state("load_into of a state", &target);
}

#[test]
fn a_step_without_memory_is_an_error_and_the_next_is_right() {
    let _alone = ALONE.lock();
    let mut all = 0;
    for workload in [Workload::Boxes, Workload::Turned, Workload::Bullets] {
        let crowd = crowd(workload);
        // The answer of another step, which is replaced.
        let before = cpu::Engine::new().unwrap().run(&workload.world(500).unwrap(), Ask::Details).unwrap();
        for ask in [Ask::Flags, Ask::Pairs, Ask::Details] {
            for threads in [1, 2] {
                let what = format!("{workload}, {ask:?}, {threads} threads");
                let options = cpu::Options::default().threads(threads);
                let engine = || cpu::Engine::with(&options).unwrap();
                let expected = engine().run(crowd.world(), ask).unwrap();
                let errors = refuse_each(
                    &what,
                    || (engine(), before.clone()),
                    |(engine, hits)| engine.run_into(crowd.world(), ask, hits),
                    |(_, hits)| assert!(*hits == before || *hits == Hits::default(), "{what}: half an answer"),
                    |(_, hits)| assert_equal(hits, &expected, &what),
                );
                // Flags of bullets take little memory.
                let takes_little = workload == Workload::Bullets && ask == Ask::Flags;
                assert!(errors > 0 || takes_little, "{what}: nothing was refused");
                all += errors;
            }
        }
    }
    assert!(all > 50, "{all} errors");
}

#[test]
fn a_query_without_memory_is_an_error_and_the_next_is_right() {
    let _alone = ALONE.lock();
    let world = crowd(Workload::Turned).into_world();
    let region = RegionQuery::new([100.0, 100.0], [200.0, 200.0]);
    let mut expected = Vec::new();
    Queries::new().on(&world).all(&region, &mut expected).unwrap();
    let errors = refuse_each(
        "queries",
        || (Queries::new(), Vec::new()),
        |(queries, found)| queries.on(&world).all(&region, found),
        |_| (),
        |(_, found)| assert_equal(found, &expected, "queries"),
    );
    assert!(errors > 0 && !expected.is_empty());
}
