//! Repeated work that allocates nothing, memory that stays flat however long a world runs, and allocations that are
//! refused.

#![expect(unsafe_code, reason = "an allocator that counts")]

#[path = "common/bodies.rs"]
mod bodies;
#[path = "allocations/refused.rs"]
mod refused;

use std::alloc::{GlobalAlloc, Layout, System};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering::Relaxed};

use hitmask::cpu::Broad;
use hitmask::query::{Nearest, PointQuery, Queries, RayCast, RegionQuery, Search};
use hitmask::response::Events;
use hitmask::{Ask, Bodies, Body, BodyId, Hits, Shape, Touch, World, cpu};
use hitmask_workbench::workloads::{SplitMix64, Workload};

/// The system's allocator, with counters, which can refuse an allocation.
struct Counting;

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);
static BYTES: AtomicIsize = AtomicIsize::new(0);
static MOST_BYTES: AtomicIsize = AtomicIsize::new(0);

// SAFETY: every call is passed on to the system's allocator, or refused; beside it, there are only counters.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if refused::refuses(layout.size()) {
            return std::ptr::null_mut();
        }
        ALLOCATIONS.fetch_add(1, Relaxed);
        let size = layout.size() as isize;
        MOST_BYTES.fetch_max(BYTES.fetch_add(size, Relaxed) + size, Relaxed);
        // SAFETY: the caller upholds the contract of this function, which is that of the system's allocator.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        refused::frees(layout.size());
        BYTES.fetch_sub(layout.size() as isize, Relaxed);
        // SAFETY: the caller upholds the contract of this function, which is that of the system's allocator.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Runs one test at a time, as all share the counters.
static ALONE: Mutex<()> = Mutex::new(());

/// Returns the number of allocations that something makes.
fn allocations(mut work: impl FnMut()) -> usize {
    let before = ALLOCATIONS.load(Relaxed);
    work();
    ALLOCATIONS.load(Relaxed) - before
}

/// Returns the peak of bytes held while something runs, above those held before.
fn most_bytes(work: impl FnOnce()) -> isize {
    let before = BYTES.load(Relaxed);
    MOST_BYTES.store(before, Relaxed);
    work();
    MOST_BYTES.load(Relaxed) - before
}

fn engine() -> cpu::Engine {
    cpu::Engine::with(&cpu::Options::default().threads(1).broad(Broad::Sorted)).unwrap()
}

#[test]
fn a_single_edit_allocates_nothing() {
    let _alone = ALONE.lock();
    let mut world = Workload::Bullets.crowd(5_000).unwrap().into_world();
    let ids: Vec<BodyId> = world.ids().collect();
    let body = world.body(ids[0]).unwrap();
    let count = allocations(|| {
        for round in 0..4 {
            for &id in &ids {
                world.set(id, &Body { at: [f64::from(round), 7.0].into(), ..body }).unwrap();
                world.set_enabled(id, round != 2).unwrap();
            }
        }
    });
    assert_eq!(count, 0);
    // A removed body leaves room for a new one.
    world.remove(ids[7]).unwrap();
    assert_eq!(allocations(|| _ = world.add(&body).unwrap()), 0);
}

#[test]
fn events_allocate_nothing_after_the_first() {
    let _alone = ALONE.lock();
    let mut crowd = Workload::Bullets.crowd(5_000).unwrap();
    let (mut engine, mut events) = (engine(), Events::default());
    let answers: Vec<Hits> = (0..6)
        .map(|step| {
            crowd.step(step, 200).unwrap();
            engine.run(crowd.world(), Ask::Pairs).unwrap()
        })
        .collect();
    // Everything once.
    let full = answers.iter().max_by_key(|hits| hits.pairs.len()).unwrap();
    for hits in [full, &Hits::default(), full, full, &Hits::default(), &Hits::default()] {
        events.update(crowd.world(), hits).unwrap();
    }
    let mut told = 0;
    let count = allocations(|| {
        for hits in &answers {
            events.update(crowd.world(), hits).unwrap();
            told += events.began().len() + events.stayed().len();
        }
    });
    assert_eq!(count, 0);
    assert_eq!(told, answers.iter().map(|hits| hits.pairs.len()).sum::<usize>());
}

/// Bodies come and go, a few at each step, and reuse freed indices: no memory is taken after the first steps.
#[test]
fn memory_is_flat_however_long_bullets_come_and_go() {
    let _alone = ALONE.lock();
    let (bullets, replaced, frames) = (5_000, 200, 100_000);
    let mut random = SplitMix64(9);
    let mut world = World::default();
    let shapes = [Shape::circle(2.0), Shape::rect(3.0, 2.0)].map(|shape| world.add_shape(shape.unwrap()).unwrap());
    let mut bullet = move || {
        let at = [random.below(16_000), random.below(16_000)].map(|v| f64::from(v) / 16.0);
        let shape = shapes[random.below(2) as usize];
        (Body::new(shape, at).moving([1.0, 0.5]).grouped(random.below(3)), random.below(bullets) as usize)
    };
    let mut ids: Vec<BodyId> = (0..bullets).map(|_| world.add(&bullet().0).unwrap()).collect();
    let (mut engine, mut hits, mut events) = (engine(), Hits::default(), Events::default());
    let positions = vec![[0.0_f32; 2]; 8];
    let mut held = 0;
    for frame in 0..frames {
        for _ in 0..replaced {
            let (body, which) = bullet();
            world.remove(ids[which]).unwrap();
            ids[which] = world.add(&body).unwrap();
        }
        // Steps cost much more than the edits that this test watches, so there is one per thousand frames.
        if frame % 1_000 == 0 {
            world.set_positions(Bodies::These(&ids[..8]), &positions).unwrap();
            engine.run_into(&world, Ask::Pairs, &mut hits).unwrap();
            events.update(&world, &hits).unwrap();
        }
        if frame == frames / 4 {
            held = BYTES.load(Relaxed);
        }
    }
    let grown = BYTES.load(Relaxed) - held;
    assert_eq!(world.indices(), bullets as usize);
    // The lists of pairs grow with the largest answer so far.
    assert!(grown < 100_000, "{grown} bytes more after {frames} frames than after a quarter of them");
}

/// Once warmed up, a steady step allocates nothing, with no change and with few changes.
#[test]
fn a_steady_step_allocates_nothing() {
    let _alone = ALONE.lock();
    let mut crowd = Workload::Bullets.crowd(5_000).unwrap();
    let (mut engine, mut hits) = (engine(), Hits::default());
    for step in 0..12 {
        crowd.step(step, 5).unwrap();
        engine.run_into(crowd.world(), Ask::Pairs, &mut hits).unwrap();
    }
    let count = allocations(|| engine.run_into(crowd.world(), Ask::Pairs, &mut hits).unwrap());
    assert_eq!(count, 0, "with no change");
    let mut counts = Vec::new();
    for step in 12..20 {
        crowd.step(step, 5).unwrap();
        counts.push(allocations(|| engine.run_into(crowd.world(), Ask::Pairs, &mut hits).unwrap()));
    }
    assert_eq!(counts, [0; 8], "with few changes");
}

#[test]
fn queries_take_no_memory_after_the_first() {
    let _alone = ALONE.lock();
    let mut random = SplitMix64(3);
    let mut world = World::new(Touch::Excluded);
    let shapes = bodies::shapes(&mut world, &mut random);
    for _ in 0..2_000 {
        world.add(&bodies::body(&mut random, &shapes, 1_000)).unwrap();
    }
    let all: Vec<Body> = world.ids().map(|id| world.body(id).unwrap()).collect();
    let (mut spots, mut regions, mut rays, mut near, mut hits) = (vec![], vec![], vec![], vec![], vec![]);
    let mut ask = |search: Search<'_>| {
        for body in &all[..400] {
            let to = [body.at.x + 99.0, body.at.y + 50.0];
            search.all(&PointQuery::new(body.at), &mut spots).unwrap();
            search.all(&RegionQuery::new(body.at, to), &mut regions).unwrap();
            search.all(&RayCast::new(body.at, to).radius(1.0), &mut rays).unwrap();
            search.all(&Nearest::new(to).count(5), &mut near).unwrap();
            search.all(body, &mut hits).unwrap();
            search.first(&RayCast::new(body.at, to)).unwrap();
            search.is_free(body).unwrap();
        }
        spots.len() + regions.len() + rays.len() + near.len() + hits.len()
    };
    let mut queries = Queries::new();
    // The counter works.
    assert!(allocations(|| assert!(ask(queries.on(&world)) > 0)) > 10);
    assert_eq!(allocations(|| assert!(ask(queries.on(&world)) > 0)), 0);
    // Following bodies that move a little allocates nothing either.
    for body in world.ids().filter(|id| id.index() % 10 == 0).collect::<Vec<_>>() {
        let moved = world.body(body).unwrap();
        world.set(body, &Body { at: [moved.at.x + 0.5, moved.at.y].into(), ..moved }).unwrap();
    }
    assert_eq!(allocations(|| _ = queries.on(&world)), 0);
    assert_eq!(allocations(|| assert!(ask(queries.on(&world)) > 0)), 0);
}

/// A stream of pairs takes the given memory, plus what a step takes for bodies; also if details are requested, if pairs
/// must be judged, and if several threads gather them.
#[test]
fn a_stream_takes_the_memory_that_was_stated() {
    let _alone = ALONE.lock();
    for shape in [Shape::rect(3.0, 2.0).unwrap(), Shape::polygon(&[[0.0, 0.0], [3.0, 1.0], [0.0, 3.0]]).unwrap()] {
        for (threads, bodies, stated, ask) in
            [(1, 3_000, 4 << 20, Ask::Pairs), (1, 1_500, 1 << 20, Ask::Details), (3, 5_000, 16 << 20, Ask::Pairs)]
        {
            let mut world = World::default();
            let shape = world.add_shape(shape.clone()).unwrap();
            for _ in 0..bodies {
                world.add(&Body::new(shape, [0, 0])).unwrap();
            }
            let options = cpu::Options::default().threads(threads);
            let mut engine = cpu::Engine::with(&options).unwrap();
            let (mut count, mut slices) = (0, 0);
            let took = most_bytes(|| {
                let ended = engine.stream(&world, ask, stated, |pairs, _| {
                    count += pairs.len();
                    slices += 1;
                    ControlFlow::<()>::Continue(())
                });
                assert!(ended.unwrap().is_continue());
            });
            assert_eq!(count, bodies * (bodies - 1) / 2);
            // The orders of bodies, and what each thread gathers and judges at a time.
            let beside = 200 * bodies as isize + threads as isize * (1 << 20);
            let stated = stated as isize;
            let what = format!("{took} bytes for {stated}, {threads} threads, {ask:?}, {slices} slices");
            assert!(took <= stated + beside, "{what}");
            assert!(slices > 4 && took * 5 >= stated, "far less than it may take: {what}");
        }
    }
}
