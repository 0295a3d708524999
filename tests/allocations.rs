//! What takes no memory after the first time.
#![expect(unsafe_code, reason = "a global allocator is")]

#[path = "common/bodies.rs"]
mod bodies;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use hitmask::{Body, Near, Queries, Ray, Region, Search, Spot, Touch, World};
use hitmask_workbench::workloads::SplitMix64;

/// Counts the calls of each thread.
struct Counting;

thread_local! {
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: the system's, counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.with(|calls| calls.set(calls.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The number of allocations of some work on this thread.
fn allocations(work: impl FnOnce()) -> usize {
    let before = CALLS.with(Cell::get);
    work();
    CALLS.with(Cell::get) - before
}

#[test]
fn questions_take_no_memory_after_the_first() {
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
            search.all(&Spot::new(body.at), &mut spots).unwrap();
            search.all(&Region::new(body.at, to), &mut regions).unwrap();
            search.all(&Ray::new(body.at, to).thick(1.0), &mut rays).unwrap();
            search.all(&Near::new(to).count(5), &mut near).unwrap();
            search.all(body, &mut hits).unwrap();
            search.first(&Ray::new(body.at, to)).unwrap();
            search.is_free(body).unwrap();
        }
        spots.len() + regions.len() + rays.len() + near.len() + hits.len()
    };
    let mut queries = Queries::new();
    // The counter counts.
    assert!(allocations(|| assert!(ask(queries.on(&world)) > 0)) > 10);
    assert_eq!(allocations(|| assert!(ask(queries.on(&world)) > 0)), 0);
    // Nor does it to follow bodies that go a little way.
    for body in world.ids().filter(|id| id.index() % 10 == 0).collect::<Vec<_>>() {
        let moved = world.body(body).unwrap();
        world.set(body, &Body { at: [moved.at.x + 0.5, moved.at.y].into(), ..moved }).unwrap();
    }
    assert_eq!(allocations(|| assert!(!queries.on(&world).any(&Near::new([0, 0]).count(0)).unwrap())), 0);
    assert_eq!(allocations(|| assert!(ask(queries.on(&world)) > 0)), 0);
}
