//! Stages, each played on a device by itself.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::broad::Broad;
use crate::geometry::Flip;
use crate::gpu::record::sort;
use crate::gpu::{Engine, Options};
use crate::{Body, Linear, Mask, Shape, Touch, cpu};
use hitmask_workbench::workloads::SplitMix64;

/// Makes the key of an element from random numbers, its index, and the number of elements.
type Key = fn(&mut SplitMix64, u32, u32) -> u32;

/// Sorts elements on the GPU by their first word.
fn sorted(engine: &Engine, elements: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let count = elements.len() as u32;
    let mut step = Step::new(&engine.shared, &World::default(), &Ask::Flags.into(), Hits::default()).unwrap();
    step.make_sorting_room(count).unwrap();
    let Step { shared, frame, .. } = &mut step;
    let shared = Arc::clone(shared);
    frame.buffers.write(&shared.gpu, Binding::Elements, elements).unwrap();
    let mut recording = Recording::default();
    let params = Params { elements: count, ..Params::default() };
    assert_eq!(sort::by_word(&mut recording, params, u32::MAX, 0), 0, "an even number of passes");
    let played = async {
        step.play(&recording, &[Part { buffer: Binding::Header, start: 0, bytes: 4 }], |_| ()).await?;
        let mut sorted = Vec::new();
        step.read(Binding::Elements, 0, count, &mut sorted, |element| element).await.map(|()| sorted)
    };
    finish(&shared, played).unwrap()
}

/// Waits for a future that waits for a device.
fn finish<T>(shared: &Shared, work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    loop {
        match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(done) => break done,
            Poll::Pending => shared.gpu.poll(wgpu::PollType::wait_indefinitely()).unwrap(),
        }
    }
}

/// Returns what a step has counted.
fn counted(engine: &Engine, world: &World, ask: Ask) -> Header {
    let mut step = Step::new(&engine.shared, world, &ask.into(), Hits::default()).unwrap();
    finish(&engine.shared, step.hits()).unwrap();
    let mut headers = Vec::<Header>::new();
    finish(&engine.shared, step.read(Binding::Header, 0, 1, &mut headers, |header| header)).unwrap();
    headers[0]
}

/// Returns the numbers of pairs that the sieve has put on its lists: small masks, large masks, two sprites.
fn sifted(world: &World) -> [u32; 3] {
    let engine = Engine::new().expect("a GPU; `./test --setup` installs one in software");
    let [small, convex, large, sprites, mixed, sampled] = counted(&engine, world, Ask::Pairs).lists;
    assert_eq!((convex, mixed, sampled), (0, 0, 0));
    [small, large, sprites]
}

/// Words decide sprites at rest at any position within a pixel, and sprites that move alike.
#[test]
fn sprites_that_stay_as_they_are_to_each_other_are_compared_as_words() {
    let solid = |side: usize| Shape::sprite(Mask::from_rows(&vec!["#".repeat(side); side]).unwrap());
    for (side, list) in [(30, 0), (200, 1)] {
        for (second, motions, listed) in [
            ([0.3, 0.7], [[0.0, 0.0]; 2], list),
            ([1.0, 2.0], [[3.5, 1.0]; 2], list),
            ([0.0, 0.0], [[3.5, 1.0], [3.5, 2.0]], 2),
        ] {
            let mut world = World::default();
            let shape = world.add_shape(solid(side)).unwrap();
            for (at, motion) in [[0.0, 0.0], second].into_iter().zip(motions) {
                world.add(&Body::new(shape, at).moving(motion)).unwrap();
            }
            let mut expected = [0; 3];
            expected[listed] = 1;
            assert_eq!(sifted(&world), expected, "{side} texels, {second:?}, {motions:?}");
        }
    }
}

/// Creates boxes and circles of many sizes, some on layers, on whole units so that many touch.
fn crowd(touch: Touch, bodies: u32, side: u32) -> World {
    let mut random = SplitMix64(u64::from(side));
    let mut world = World::new(touch);
    let shapes = [Shape::rect(1.0, 1.0), Shape::rect(6.0, 4.0), Shape::circle(3.0), Shape::rect(40.0, 1.0)];
    let shapes = shapes.map(|shape| world.add_shape(shape.unwrap()).unwrap());
    for _ in 0..bodies {
        let at = [0; 2].map(|_| f64::from(random.below(side)));
        let layer = 1 << random.below(2);
        let body = Body::new(shapes[random.below(4) as usize], at).filtered(layer, 3 ^ (layer * random.below(2)));
        world.add(&body).unwrap();
    }
    world
}

/// The sorted broad phase as on hardware and in software, for many bodies, and for bodies in one spot.
#[test]
fn tables_and_compares_find_the_same() {
    for (tables, room) in [(false, None), (true, None), (true, Some(700))] {
        let options = Options::default().broad(Broad::Sorted).candidates(room);
        let options = Options { tables: Some(tables), ..options };
        let mut engine = Engine::with(&options).expect("a GPU; `./test --setup` installs one in software");
        for touch in [Touch::Excluded, Touch::Included] {
            for (bodies, side) in [(6_000, 500), (3_000, 5_000), (500, 4)] {
                let world = crowd(touch, bodies, side);
                let expected = cpu::Engine::new().unwrap().run(&world, Ask::Pairs).unwrap();
                assert!(!expected.pairs.is_empty());
                assert!(
                    engine.run(&world, Ask::Pairs).unwrap() == expected,
                    "{touch:?}, {bodies}, {side}, {options:?}"
                );
            }
        }
    }
}

/// Tickets are dropped without being queried, as when only shaders read the results: the first step has too little
/// room, and the next one knows.
#[test]
fn a_step_that_nobody_asks_teaches_later_ones() {
    let world = crowd(Touch::Excluded, 500, 4);
    for request in [Ask::Flags.into(), Request::new(Ask::Pairs).resident()] {
        let new = || Engine::new().expect("a GPU; `./test --setup` installs one in software");
        let sent = |engine: &mut Engine| {
            let ticket = engine.submit(&world, request).unwrap();
            engine.shared.gpu.poll(wgpu::PollType::wait_indefinitely()).unwrap();
            ticket
        };
        assert!(sent(&mut new()).try_take().unwrap().is_none(), "{request:?}: more than there was room for");
        let mut engine = new();
        drop(sent(&mut engine));
        assert!(sent(&mut engine).try_take().unwrap().is_some(), "{request:?}");
    }
}

/// Creates sprites of many sizes, mostly turned, that are hollow frames, so that many overlap without a hit; and some
/// boxes.
fn turned(touch: Touch, bodies: u32, side: u32) -> World {
    let frame = |width: usize, height: usize| {
        let rows = (0..height).map(|y| {
            let inner = if y % (height - 1) == 0 { "#" } else { "." };
            format!("#{}#", inner.repeat(width - 2))
        });
        Shape::sprite(Mask::from_rows(&rows.collect::<Vec<String>>()).unwrap())
    };
    let mut random = SplitMix64(u64::from(side));
    let mut world = World::new(touch);
    let shapes = [frame(20, 20), frame(9, 31), frame(300, 6), Shape::rect(7.0, 3.0).unwrap(), frame(33, 8)];
    let shapes = shapes.map(|shape| world.add_shape(shape).unwrap());
    for _ in 0..bodies {
        let at = [0; 2].map(|_| f64::from(random.below(4 * side)) / 4.0);
        // Two scales have more than 16 texels per pixel.
        let scale = [[1.0, 1.0], [-2.0, 0.4], [0.06, 1.5], [0.05, 0.05]][random.below(4) as usize];
        let degrees = f64::from(random.below(8)) * 51.0;
        let motion = if random.below(9) == 0 { [3.0, -1.5] } else { [0.0, 0.0] };
        let pose = Linear::new(degrees, scale, Flip::default());
        let body = Body::new(shapes[random.below(5) as usize], at).posed(pose).moving(motion);
        world.add(&body).unwrap();
    }
    world
}

/// Turned sprites with few candidates are sampled, as on hardware, the others painted; all answers equal the CPU's.
#[test]
fn what_is_sampled_is_as_what_is_painted() {
    let options = Options { samples: Some(true), ..Options::default().broad(Broad::Sorted) };
    let mut engine = Engine::with(&options).expect("a GPU; `./test --setup` installs one in software");
    for (touch, ask, samples) in [
        (Touch::Excluded, Ask::Flags, true),
        (Touch::Excluded, Ask::Pairs, true),
        (Touch::Excluded, Ask::Details, false),
        (Touch::Included, Ask::Pairs, false),
    ] {
        for (bodies, side, is_crowd) in [(700, 470, false), (110, 54, true)] {
            let world = turned(touch, bodies, side);
            let expected = cpu::Engine::new().unwrap().run(&world, ask).unwrap();
            assert!(engine.run(&world, ask).unwrap() == expected, "{touch:?}, {ask:?}, {bodies}, {side}");
            let header = counted(&engine, &world, ask);
            let sampled = header.lists[5];
            assert_eq!(sampled > 0, samples, "{touch:?}, {ask:?}, {bodies}, {side}");
            // In a crowd nearly all sprites have many candidates.
            assert!(!is_crowd || sampled < header.candidates / 20, "{sampled} of {}", header.candidates);
            assert!(header.paintings > 0);
        }
    }
}

#[test]
fn sorts_as_the_standard_library_does() {
    let engine = Engine::new().expect("a GPU; `./test --setup` installs one in software");
    let mut random = SplitMix64(1);
    let kinds: [(&str, Key); 5] = [
        ("random", |random, _, _| random.next_u64() as u32),
        ("few", |random, _, _| random.below(3) << 15),
        ("equal", |_, _, _| 77),
        ("sorted", |_, i, _| i * 7),
        ("reversed", |_, i, n| (n - i) * 3),
    ];
    for n in [0, 1, 255, 256, 257, 2047, 2048, 2049, 65_537, 1_000_000] {
        for (kind, key) in kinds {
            // Payloads tell equal keys apart.
            let elements: Vec<[u32; 2]> = (0..n).map(|i| [key(&mut random, i, n), i]).collect();
            let mut expected = elements.clone();
            expected.sort_by_key(|element| element[0]);
            assert!(sorted(&engine, &elements) == expected, "{n} {kind} keys");
        }
    }
}
