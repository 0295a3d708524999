//! The ways out of pairs that the GPU finds, against `World::contact`.

use std::time::Duration;

use hitmask::geometry::Piece;
use hitmask::gpu::{Engine, Options, RawContact, Request, Results, Whole};
use hitmask::{Ask, Body, Error, Hits, Linear, Mask, Shape, Touch, World, cpu, internals};
use hitmask_workbench::verify::{random_scene, swarm_scene};
use hitmask_workbench::workloads::{SplitMix64, Workload};

use crate::common::device::Device;
use crate::common::gpu_engine;
use crate::frames::{device, disc, engine, past};

/// The vertices of two pieces, the pieces of a body and the pairs of them, and the size of a body in lattice steps,
/// beyond which the GPU leaves two bodies to the host.
const MOST_VERTICES: usize = 32;
const MOST_PIECES: usize = 64;
const MOST_PAIRS: usize = 256;
const LARGE: i32 = 1 << 28;

/// How far around the end of a way the GPU tries lattice points, in steps.
const AROUND: i32 = 24;

/// Both ways to count touch, with an engine in software and one as on hardware.
pub(crate) const BOTH: [(Touch, bool); 4] =
    [(Touch::Excluded, false), (Touch::Included, false), (Touch::Excluded, true), (Touch::Included, true)];

/// Reads the ways out, and whether they are whole.
pub(crate) fn contacts(device: &Device, results: &Results<'_>, pairs: usize) -> (Vec<RawContact>, bool) {
    let (counts, contacts) = (results.counts(), results.contacts().unwrap());
    let bytes = (pairs * size_of::<RawContact>()) as u64;
    let words = device.read(
        |encoder, to| {
            encoder.copy_buffer_to_buffer(counts.buffer, counts.offset, to, 0, 16);
            encoder.copy_buffer_to_buffer(contacts.buffer, contacts.offset, to, 16, bytes);
        },
        16 + bytes,
    );
    let raw = words[4..].chunks_exact(size_of::<RawContact>() / 4);
    let raw = raw.map(|words| *bytemuck::from_bytes::<RawContact>(bytemuck::cast_slice(words)));
    (raw.collect(), words[3] & Whole::CONTACTS.bits() != 0)
}

/// The pairs whose ways out were found, with their pushes, and those left to the host.
#[derive(Default)]
pub(crate) struct Tally {
    pub(crate) found: usize,
    pub(crate) moving: usize,
    pub(crate) deep: usize,
    pub(crate) left: usize,
}

impl Tally {
    /// Compares the ways out with those of the host.
    pub(crate) fn compare(&mut self, world: &World, hits: &Hits, contacts: &[RawContact], what: &str) {
        let pieces = |body: u32| world.landed(world.id(body).unwrap());
        let is_large = |body: u32| {
            let bounds = world.swept_bounds(world.id(body).unwrap()).unwrap();
            bounds.max.x - bounds.min.x > LARGE || bounds.max.y - bounds.min.y > LARGE
        };
        for ((&pair, detail), contact) in hits.pairs.iter().zip(&hits.details).zip(contacts) {
            let what = format!("{what}, {pair:?}: {contact:?}");
            let host = world.contact(pair, detail);
            if contact.state == RawContact::LEFT_TO_HOST {
                self.left += 1;
                let is_segment = |piece: &Piece| piece.vertices.len() == 2 && piece.radius == 0;
                let has_segments = |body: u32| pieces(body).is_some_and(|pieces| pieces.iter().any(is_segment));
                if world.touch() == Touch::Excluded && pair.into_iter().any(has_segments) {
                    continue;
                }
                let [Some(a), Some(b)] = pair.map(pieces) else { panic!("{what}: a sprite is left") };
                let most = [&a, &b].map(|pieces| pieces.iter().map(|piece| piece.vertices.len()).max().unwrap());
                let are_many = a.len().max(b.len()) > MOST_PIECES || a.len() * b.len() > MOST_PAIRS;
                let end = host.normal.map(|v| (v * host.depth * 256.0).round() as i32);
                let is_far = (host.push.x - end[0]).abs().max((host.push.y - end[1]).abs()) > AROUND;
                let are_large = most[0] + most[1] > MOST_VERTICES || pair.into_iter().any(is_large);
                // A narrow place may be nearer.
                let is_concave = a.len() > 1 || b.len() > 1;
                let may_be_narrow = world.touch() == Touch::Included && is_concave;
                assert!(are_many || are_large || is_far || may_be_narrow, "{what}: {host:?}");
                continue;
            }
            assert_eq!(contact.state, RawContact::FOUND, "{what}");
            assert_eq!(contact.push(), Some(host.push), "{what}: {host:?}");
            let rounded = [host.normal[0] as f32, host.normal[1] as f32, host.depth as f32].map(f32::to_bits);
            assert_eq!([contact.normal[0], contact.normal[1], contact.depth].map(f32::to_bits), rounded, "{what}");
            self.found += 1;
            self.moving += usize::from(detail.tick() > 0);
            self.deep += usize::from(host.depth > 4.0);
        }
    }
}

/// Asks for ways out, and reads them once the answer has arrived.
pub(crate) fn ask(device: &Device, engine: &mut Engine, world: &World, hits: &Hits, what: &str) -> Vec<RawContact> {
    let request = Request::new(Ask::Details).contacts();
    let mut ticket = engine.submit(world, request).unwrap();
    assert!(ticket.wait(Duration::MAX).unwrap().unwrap() == *hits, "{what}");
    assert!(ticket.counts().unwrap().complete, "{what}");
    let (contacts, whole) = contacts(device, &ticket.results(), hits.pairs.len());
    assert!(whole, "{what}");
    contacts
}

pub(crate) fn details(world: &World) -> Hits {
    cpu::Engine::new().unwrap().run(world, Ask::Details).unwrap()
}

#[test]
fn ways_out_of_random_scenes_are_the_hosts() {
    let device = device();
    let mut engines = [false, true].map(engine);
    let mut tally = Tally::default();
    let scenes = (0..45).map(|seed| (format!("scene {seed}"), random_scene(seed)));
    let swarm = (0..45).map(|seed| (format!("swarm {seed}"), swarm_scene(seed)));
    for (k, (what, scene)) in scenes.chain(swarm).enumerate() {
        let world = scene.world().unwrap();
        let hits = details(&world);
        let contacts = ask(device, &mut engines[k % 2], &world, &hits, &what);
        tally.compare(&world, &hits, &contacts, &what);
    }
    let Tally { found, moving, deep, left } = tally;
    assert!(found > 600 && moving > 100 && deep > 120 && left < 9, "{found}, {moving}, {deep}, {left}");
}

/// Returns large dithered discs on one spot, rotated, moving or at rest: long searches.
fn deep(touch: Touch, side: u32, speed: f64) -> World {
    let mut world = World::new(touch);
    let dithered = Mask::from_fn(side, side, |x, y| (7 * x + 3 * y) % 8 == 0).unwrap();
    let half = f64::from(side) / 2.0;
    let shapes = [disc(side), Shape::sprite(dithered).anchored([half, half]).unwrap(), Shape::circle(half).unwrap()];
    for (k, shape) in shapes.into_iter().enumerate() {
        let shape = world.add_shape(shape).unwrap();
        let at = f64::from(k as u32);
        let body = Body::new(shape, [at, 2.0 * at]).posed(Linear::from_degrees(30.0 * at));
        world.add(&body.moving([speed * at, -speed])).unwrap();
    }
    world
}

/// Searches that take many dispatches are whole in the first submission, once earlier steps have shown how long.
#[test]
fn long_searches_are_whole_in_the_frame() {
    let device = device();
    for (touch, side, speed, as_hardware) in [
        (Touch::Excluded, 48, 0.0, true),
        (Touch::Included, 32, 3.0, false),
        (Touch::Excluded, 64, 40.0, false),
        (Touch::Included, 40, 20.0, true),
    ] {
        for (name, world) in [("deep", deep(touch, side, speed)), ("past", past(touch, side, speed))] {
            let (what, hits) = (format!("{name}, {touch:?}, {side}, {speed}"), details(&world));
            let mut engine = engine(as_hardware);
            let mut tally = Tally::default();
            tally.compare(&world, &hits, &ask(device, &mut engine, &world, &hits, &what), &what);
            let whole = (0..3).any(|step| {
                let ticket = engine.submit(&world, Request::new(Ask::Details).contacts().resident()).unwrap();
                let (contacts, whole) = contacts(device, &ticket.results(), hits.pairs.len());
                if whole {
                    tally.compare(&world, &hits, &contacts, &format!("{what}, frame {step}"));
                }
                whole
            });
            assert!(whole, "{what}");
        }
    }
}

/// Returns ragged sprites, some rotated, and circles, which all move far in the step, many of them diagonally, so that
/// they step to the next pixel in x and in y at once.
fn fast(seed: u64) -> World {
    let mut random = SplitMix64(seed);
    let mut world = World::new([Touch::Excluded, Touch::Included][seed as usize % 2]);
    let mut between = |least: i32, most: i32| f64::from(least + random.below((most - least) as u32) as i32);
    for k in 0..12 {
        let solid: Vec<bool> = (0..144).map(|_| between(0, 10) < 4.0).collect();
        let ragged = Mask::from_fn(12, 12, |x, y| solid[(12 * y + x) as usize]).unwrap();
        let shape = if k % 2 == 0 { Shape::sprite(ragged) } else { Shape::circle(between(2, 6)).unwrap() };
        let shape = world.add_shape(shape).unwrap();
        let at = [between(0, 50), between(0, 50)];
        let across = between(-500, 500) / 8.0;
        let motion = [across, if k % 3 == 0 { between(-500, 500) / 8.0 } else { across * (2.0 * between(0, 2) - 1.0) }];
        let turned = Linear::from_degrees(if k % 4 == 0 { between(0, 360) } else { 0.0 });
        world.add(&Body::new(shape, at).posed(turned).moving(motion)).unwrap();
    }
    world
}

#[test]
fn ways_out_of_fast_bodies_are_the_hosts() {
    let device = device();
    let mut engines = [false, true].map(engine);
    let mut tally = Tally::default();
    for seed in 0..100 {
        let (what, world) = (format!("seed {seed}"), fast(seed));
        let hits = details(&world);
        for engine in &mut engines {
            tally.compare(&world, &hits, &ask(device, engine, &world, &hits, &what), &what);
        }
    }
    assert!(tally.moving > 1_400, "{}", tally.moving);
}

/// Returns pairs on one spot, each of whose bodies may leave the other in several equally short ways; a sprite comes
/// first, second, and with another sprite.
fn ties(touch: Touch) -> World {
    let mut world = World::new(touch);
    let shapes = [disc(12), disc(20), Shape::circle(5.0).unwrap(), Shape::rect(6.0, 6.0).unwrap()];
    let shapes = shapes.map(|shape| world.add_shape(shape).unwrap());
    for (k, pair) in [[0, 2], [2, 0], [0, 1], [1, 0], [3, 0], [0, 3], [2, 2], [3, 3], [2, 3]].into_iter().enumerate() {
        for which in pair {
            let at = [100.0 * k as f64 - if which == 3 { 3.0 } else { 0.0 }, if which == 3 { -3.0 } else { 0.0 }];
            world.add(&Body::new(shapes[which], at)).unwrap();
        }
    }
    world
}

#[test]
fn of_equally_short_ways_the_hosts_is_taken() {
    let device = device();
    for (touch, as_hardware) in BOTH {
        let (mut engine, world) = (engine(as_hardware), ties(touch));
        let hits = details(&world);
        assert_eq!(hits.pairs.len(), 9);
        let mut tally = Tally::default();
        tally.compare(&world, &hits, &ask(device, &mut engine, &world, &hits, "ties"), "ties");
        assert_eq!(tally.found, 9);
    }
}

/// Two pixels that pass each other two pixels a tick share a pixel between two unit steps of one tick only.
#[test]
fn sprites_that_pass_within_a_tick_leave_from_where_they_met() {
    let device = device();
    for (touch, as_hardware) in BOTH {
        let (mut engine, mut world) = (engine(as_hardware), World::new(touch));
        let pixel = world.add_shape(Shape::sprite(Mask::from_rows(&["#"]).unwrap())).unwrap();
        for (x, motion) in [(0.0, 8.0), (5.0, -8.0), (40.0, -8.0), (35.0, 8.0)] {
            world.add(&Body::new(pixel, [x, 0.0]).moving([motion, 0.0])).unwrap();
        }
        let hits = details(&world);
        assert_eq!(hits.pairs, [[0, 1], [2, 3]]);
        let mut tally = Tally::default();
        tally.compare(&world, &hits, &ask(device, &mut engine, &world, &hits, "passing"), "passing");
        assert_eq!(tally.moving, 2);
    }
}

#[test]
fn ways_out_of_workloads_are_the_hosts() {
    let device = device();
    let mut engines = [false, true].map(engine);
    for workload in Workload::ALL {
        let world = workload.world(workload.most().min(250)).unwrap();
        let hits = details(&world);
        for engine in &mut engines {
            let contacts = ask(device, engine, &world, &hits, workload.name());
            Tally::default().compare(&world, &hits, &contacts, workload.name());
        }
    }
}

/// In a step of several runs no buffer has all ways out, and the counts say so.
#[test]
fn several_runs_have_no_whole_ways_out() {
    let options = Options::default().candidates(Some(50));
    let mut engine = internals::beside(&engine(false), &options).unwrap();
    let world = Workload::Boxes.world(300).unwrap();
    let mut ticket = engine.submit(&world, Request::new(Ask::Details).contacts()).unwrap();
    assert!(ticket.wait(Duration::MAX).unwrap().unwrap() == details(&world));
    let counts = ticket.counts().unwrap();
    assert!(!counts.complete && counts.whole.contains(Whole::SEVERAL_RUNS), "{counts:?}");
    assert!(!counts.whole.contains(Whole::CONTACTS), "{counts:?}");
}

#[test]
fn ways_out_need_details() {
    let mut engine = gpu_engine(&Options::default());
    let error = engine.submit(&World::default(), Request::new(Ask::Pairs).contacts()).unwrap_err();
    assert!(matches!(error, Error::Value { .. }), "{error:?}");
    assert_eq!(error.to_string(), "`ask` is Pairs; it must be `Details` for a request with contacts");
    let ticket = engine.submit(&World::default(), Ask::Details).unwrap();
    assert!(ticket.results().contacts().is_none());
}
