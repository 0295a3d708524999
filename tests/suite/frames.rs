//! Passes that read the answer on the GPU in the same frame, before anyone waits. If a bit of `whole` says that a part
//! is complete, that part equals the CPU's answer, and after two steps of a world all parts are complete.

use std::sync::OnceLock;
use std::time::Duration;

use hitmask::gpu::{Engine, Options, RawDetail, Request, Results, Whole};
use hitmask::{Ask, Body, Detail, Hits, Linear, Mask, Shape, Touch, World};
use hitmask::{cpu, internals};
use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::Workload;

use crate::common::beside;
use crate::common::device::{Device, open};

/// Random scenes, each submitted until it is whole.
const SCENES: u64 = 300;
/// The steps after which all of an unchanged world's answer is whole.
const STEPS: u32 = 2;

/// The answer on the GPU right after a submission.
struct Frame {
    pairs: u32,
    complete: bool,
    whole: u32,
    hits: Hits,
}

/// Runs one frame: a step, a pass that reads its results, and no other use of the ticket.
fn frame(device: &Device, engine: &mut Engine, world: &World, request: Request<'_>) -> Frame {
    let ticket = engine.submit(world, request).unwrap();
    let words = read(device, &ticket.results());
    drop(ticket);
    words
}

fn read(device: &Device, results: &Results<'_>) -> Frame {
    let bindings = [Some(results.counts()), Some(results.flags()), results.pairs(), results.details()];
    let parts: Vec<_> = bindings
        .iter()
        .flatten()
        .map(|binding| (binding, binding.size.map_or(binding.buffer.size() - binding.offset, std::num::NonZero::get)))
        .collect();
    let words = device.read(
        |encoder, to| {
            let mut at = 0;
            for (binding, bytes) in &parts {
                encoder.copy_buffer_to_buffer(binding.buffer, binding.offset, to, at, *bytes);
                at += bytes;
            }
        },
        parts.iter().map(|part| part.1).sum(),
    );
    let mut rest = &words[..];
    let mut taken = parts.iter().map(|(_, bytes)| {
        let (part, behind) = rest.split_at(*bytes as usize / 4);
        rest = behind;
        part
    });
    let mut next = || taken.next().unwrap_or_default();
    let (counts, flags) = (next(), next().to_vec());
    let pairs = next().chunks_exact(2).map(|pair| [pair[0], pair[1]]).take(counts[0] as usize).collect();
    let raw = next().chunks_exact(size_of::<RawDetail>() / 4);
    let raw = raw.map(|words| *bytemuck::from_bytes::<RawDetail>(bytemuck::cast_slice(words)));
    let mut hits = Hits::default();
    (hits.flags, hits.pairs) = (flags, pairs);
    hits.details = raw.take(counts[0] as usize).map(Detail::from).collect();
    Frame { pairs: counts[0], complete: counts[1] == 1, whole: counts[3], hits }
}

impl Frame {
    fn has(&self, part: Whole) -> bool {
        self.whole & part.bits() == part.bits()
    }

    /// Compares the parts that are whole with the right answer.
    fn check(&self, expected: &Hits, ask: Ask, what: &str) {
        let what = format!("{what}, {ask:?}, whole {:#x}", self.whole);
        let asked = [Whole::FLAGS, Whole::PAIRS, Whole::ORDER, Whole::DETAILS];
        let asked = &asked[..match ask {
            Ask::Flags => 1,
            Ask::Pairs => 3,
            Ask::Details => 4,
        }];
        assert_eq!(self.complete, asked.iter().all(|&part| self.has(part)), "{what}");
        assert_eq!(self.complete, self.whole >> 8 == 0, "{what}: a reason just where something lacks");
        assert_eq!(self.whole & 0xFF & !asked.iter().map(|part| part.bits()).sum::<u32>(), 0, "{what}");
        if self.has(Whole::FLAGS) {
            assert!(self.hits.flags.iter().zip(&expected.flags).all(|(a, b)| a == b), "{what}: flags");
        }
        if self.has(Whole::PAIRS) {
            assert_eq!(self.pairs as usize, expected.pairs.len(), "{what}");
            let mut pairs = self.hits.pairs.clone();
            if !self.has(Whole::ORDER) {
                pairs.sort_unstable();
            }
            assert!(pairs == expected.pairs, "{what}: pairs");
        }
        if self.has(Whole::DETAILS) {
            assert!(self.hits.details == expected.details, "{what}: details");
        }
    }
}

/// Submits a world repeatedly, dropping each ticket. Returns the number of steps that were not whole.
fn whole_after(device: &Device, engine: &mut Engine, world: &World, ask: Ask, what: &str) -> u32 {
    let expected = cpu::Engine::new().unwrap().run(world, ask).unwrap();
    for step in 0..10 {
        let request = Request::new(ask);
        let frame = frame(device, engine, world, if step % 2 == 0 { request.resident() } else { request });
        frame.check(&expected, ask, &format!("{what}, step {step}"));
        if frame.complete {
            return step;
        }
    }
    panic!("{what}, {ask:?}: never whole");
}

/// Returns the device that these tests share.
pub(crate) fn device() -> &'static Device {
    static DEVICE: OnceLock<Device> = OnceLock::new();
    DEVICE.get_or_init(|| open(wgpu::Limits::default()))
}

/// Returns a new engine on that device, which has learnt nothing yet.
pub(crate) fn engine(as_hardware: bool) -> Engine {
    static FIRST: [OnceLock<Engine>; 2] = [const { OnceLock::new() }; 2];
    let options = Options::default();
    let options = if as_hardware { internals::as_hardware(options) } else { options };
    let Device { device, queue } = device();
    beside(&FIRST[usize::from(as_hardware)], &options, |options| Engine::on(device.clone(), queue.clone(), options))
}

/// Returns a disc as a mask.
pub(crate) fn disc(side: u32) -> Shape {
    let mut mask = Mask::new(side, side).unwrap();
    let half = f64::from(side) / 2.0;
    mask.draw_disc([half, half], half).unwrap();
    Shape::sprite(mask).anchored([half, half]).unwrap()
}

/// Returns three rotated discs, one of which moves past the others.
pub(crate) fn past(touch: Touch, side: u32, speed: f64) -> World {
    let mut world = World::new(touch);
    let shape = world.add_shape(disc(side)).unwrap();
    let side = f64::from(side);
    for (at, turned, motion) in [
        ([0.0, 0.0], 33.0, [speed, 0.0]),
        ([side * 0.5, side * 0.95], 66.0, [0.0, 0.0]),
        ([side * 0.75, -side * 0.7], 99.0, [0.0, 0.0]),
    ] {
        world.add(&Body::new(shape, at).posed(Linear::from_degrees(turned)).moving(motion)).unwrap();
    }
    world
}

/// Returns rotated rocks on a rotated level, moving or at rest.
fn rocks(speed: f64) -> World {
    let mut world = World::default();
    let level = Mask::from_fn(2048, 2048, |x, y| y > 1024 + (x / 16 % 8) || x / 256 % 3 == 0 && y % 256 > 128).unwrap();
    let level = world.add_shape(Shape::sprite(level).anchored([1024.0, 1024.0]).unwrap()).unwrap();
    world.add(&Body::new(level, [0, 0]).posed(Linear::from_degrees(7.0))).unwrap();
    let rock = world.add_shape(disc(256)).unwrap();
    for k in 0..20 {
        let at = [f64::from(k % 5) * 380.0 - 760.0, f64::from(k / 5) * 390.0 - 700.0];
        let body = Body::new(rock, at).posed(Linear::from_degrees(f64::from(k) * 17.0 + 5.0));
        world.add(&body.moving([speed, speed / 2.0])).unwrap();
    }
    world
}

/// Returns a ground, which is added first, and balls on it.
fn ground(balls: u32) -> World {
    let mut world = World::default();
    let wide = f64::from(balls) * 5.0 + 10.0;
    let ground = world.add_shape(Shape::rect(wide, 10.0).unwrap()).unwrap();
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    world.add(&Body::new(ground, [0, 0])).unwrap();
    for k in 0..balls {
        world.add(&Body::new(ball, [f64::from(k) * 5.0 + 5.0, -1.0])).unwrap();
    }
    world
}

#[test]
fn same_frame_of_hard_scenes() {
    let device = device();
    let mut worlds: Vec<(String, World)> = Vec::new();
    for (side, speed) in [(48, 20.0), (64, 20.0), (64, 40.0), (96, 10.0), (128, 5.0), (256, 1.0)] {
        for touch in [Touch::Excluded, Touch::Included] {
            worlds.push((format!("discs of {side} at {speed}, {touch:?}"), past(touch, side, speed)));
        }
    }
    worlds.push(("rocks at rest".into(), rocks(0.0)));
    worlds.push(("rocks that move".into(), rocks(3.0)));
    for balls in [512, 513, 5_000, 20_000] {
        worlds.push((format!("a ground with {balls} balls"), ground(balls)));
    }
    for as_hardware in [false, true] {
        for (what, world) in &worlds {
            // An answer with details has everything that the others have.
            let asks: &[Ask] = if as_hardware { &[Ask::Details] } else { &[Ask::Flags, Ask::Pairs, Ask::Details] };
            for &ask in asks {
                // A new engine each time, which has learnt nothing yet.
                let mut engine = engine(as_hardware);
                let what = format!("{what}, as hardware: {as_hardware}");

                let steps = whole_after(device, &mut engine, world, ask, &what);

                assert!(steps <= STEPS, "{what}, {ask:?}: whole after {steps} steps");
            }
        }
    }
}

/// One engine of each sort runs all scenes, so it begins each with what it learnt from the others.
#[test]
fn same_frame_of_random_scenes() {
    let device = device();
    let mut engines = [false, true].map(engine);
    let mut at_once = 0;
    for seed in 0..SCENES {
        let world = random_scene(seed).world().unwrap();
        let ask = [Ask::Flags, Ask::Pairs, Ask::Details][seed as usize % 3];
        for (k, engine) in engines.iter_mut().enumerate() {
            let what = format!("scene {seed}, engine {k}");
            let steps = whole_after(device, engine, &world, ask, &what);
            assert!(steps <= STEPS, "{what}, {ask:?}: whole after {steps} steps");
            at_once += u64::from(steps == 0);
        }
    }
    assert!(at_once > SCENES, "{at_once} of {}", 2 * SCENES);
}

#[test]
fn same_frame_of_workloads() {
    let device = device();
    for as_hardware in [false, true] {
        for (k, workload) in Workload::ALL.into_iter().enumerate() {
            let ask = [Ask::Flags, Ask::Pairs, Ask::Details][(k + usize::from(as_hardware)) % 3];
            let world = workload.world(workload.most().min(1_000)).unwrap();
            let what = format!("{}, as hardware: {as_hardware}", workload.name());
            let steps = whole_after(device, &mut engine(as_hardware), &world, ask, &what);
            assert!(steps <= STEPS, "{what}, {ask:?}: whole after {steps} steps");
        }
    }
}

/// The work at most doubles from step to step: once one step was whole, all are.
#[test]
fn same_frame_of_growing_worlds() {
    let device = device();
    let mut engine = engine(false);
    let speeds = [1.0, 2.0, 4.0, 7.0, 4.0, 2.0, 3.0, 6.0, 11.0, 20.0, 38.0];
    let worlds = speeds.map(|speed| past(Touch::Excluded, 128, speed));
    let steps = whole_after(device, &mut engine, &worlds[0], Ask::Details, "the first");
    assert!(steps <= STEPS);
    for (world, speed) in worlds.iter().zip(speeds) {
        let what = format!("at {speed}");
        assert_eq!(whole_after(device, &mut engine, world, Ask::Details, &what), 0, "{what}");
    }
    for balls in [600, 1_100, 2_000, 3_900] {
        let what = format!("{balls} balls");
        let steps = whole_after(device, &mut engine, &ground(balls), Ask::Pairs, &what);
        assert!(steps <= if balls == 600 { STEPS } else { 1 }, "{what}: {steps}");
    }
}

/// The host reads the counts that the frame saw, and the final ones after the step has finished.
#[test]
fn counts_tell_the_frame_and_the_end() {
    let device = device();
    let world = past(Touch::Excluded, 128, 38.0);
    let mut engine = engine(false);
    for step in 0..2 {
        let mut ticket = engine.submit(&world, Ask::Pairs).unwrap();
        let seen = read(device, &ticket.results());
        ticket.wait(Duration::MAX).unwrap();
        let counts = ticket.counts().unwrap();
        assert_eq!((counts.in_frame.bits(), step > 0), (seen.whole, seen.complete));
        assert_eq!(counts.in_frame.contains(Whole::LACKS_FUEL), step == 0);
        assert!(counts.complete && counts.whole == Whole::FLAGS | Whole::PAIRS | Whole::ORDER);
        assert_eq!(read(device, &ticket.results()).whole, counts.whole.bits());
    }
}

/// A long row, and pairs whose details take many dispatches: once the step has finished, all of it is whole.
#[test]
fn a_long_row_beside_slow_details_is_whole_in_the_end() {
    let device = device();
    let mut world = ground(600);
    let shape = world.add_shape(disc(256)).unwrap();
    for (at, turned, motion) in [([0.0, 4_000.0], 33.0, [60.0, 0.0]), ([240.0, 4_060.0], 66.0, [0.0, 0.0])] {
        world.add(&Body::new(shape, at).posed(Linear::from_degrees(turned)).moving(motion)).unwrap();
    }
    let expected = cpu::Engine::new().unwrap().run(&world, Ask::Details).unwrap();
    let mut ticket = engine(false).submit(&world, Request::new(Ask::Details).resident()).unwrap();
    ticket.wait(Duration::MAX).unwrap();
    let counts = ticket.counts().unwrap();
    assert!(counts.in_frame.contains(Whole::UNSORTED) && counts.complete, "{counts:?}");
    let left = read(device, &ticket.results());
    left.check(&expected, Ask::Details, "in the end");
    assert!(left.complete);
}

/// A step that requests less does not make the engine forget what other requests needed.
#[test]
fn flags_in_between_do_not_unlearn_details() {
    let device = device();
    let world = past(Touch::Excluded, 256, 60.0);
    let mut engine = engine(false);
    assert!(whole_after(device, &mut engine, &world, Ask::Details, "at first") <= STEPS);
    for _ in 0..6 {
        assert_eq!(whole_after(device, &mut engine, &world, Ask::Flags, "flags"), 0);
    }
    assert_eq!(whole_after(device, &mut engine, &world, Ask::Details, "again"), 0);
    let rows = ground(600);
    assert!(whole_after(device, &mut engine, &rows, Ask::Pairs, "rows") <= STEPS);
    for _ in 0..70 {
        assert_eq!(whole_after(device, &mut engine, &rows, Ask::Flags, "flags"), 0);
    }
    assert_eq!(whole_after(device, &mut engine, &rows, Ask::Pairs, "again"), 0);
}
