//! Streams that pose bodies on the GPU: the answer is that of a world set to the same numbers. Bodies that such a world
//! refuses are counted, and hit nothing.

use std::time::Duration;

use hitmask::cpu::{self, Broad};
use hitmask::geometry::Flip;
use hitmask::gpu::{Counts, Engine, Options, Request, Stream, Whole};
use hitmask::query::{PointQuery, Queries};
use hitmask::response::Events;
use hitmask::{Ask, Bodies, Body, BodyId, Hits, Linear, Mask, Shape, ShapeId, Touch, World, internals, wgpu};
use hitmask_workbench::workloads::{SplitMix64, Workload};

use crate::bodies::{body, shapes};
use crate::common::device::{Device, open};
use crate::frames::{self, device};

/// The world's edge and the largest motion, in lattice steps.
const MAX_COORDINATE: i32 = (1 << 29) - 1;
const MAX_MOTION: i32 = 1 << 24;

fn fresh(world: &World, ask: Ask) -> Hits {
    let options = cpu::Options::default().broad(Broad::AllPairs);
    cpu::Engine::with(&options).unwrap().run(world, ask).unwrap()
}

/// Returns a new engine on the shared device.
fn engine(broad: Broad) -> Engine {
    internals::beside(&frames::engine(false), &Options::default().broad(broad)).unwrap()
}

/// Returns a buffer of words, created by the host.
fn buffer(host: &Device, words: &[u32]) -> wgpu::Buffer {
    let buffer = host.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("stream"),
        size: size_of_val(words).max(16) as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    host.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
    buffer
}

/// Values of a few words, one per index, at some offset and stride in a buffer.
struct Column {
    buffer: wgpu::Buffer,
    offset: u64,
    stride: u64,
    is_lattice: bool,
}

impl Column {
    /// Creates a column with a random offset and stride. The words in between are NaN.
    fn new<const N: usize>(host: &Device, random: &mut SplitMix64, values: &[[u32; N]], is_lattice: bool) -> Self {
        let offset = [0, 1, 3, 64, 100][random.below(5) as usize];
        let stride = N + [0, 0, 1, 5][random.below(4) as usize];
        let mut words = vec![f32::NAN.to_bits(); offset + stride * values.len()];
        for (value, to) in values.iter().zip(words[offset..].chunks_exact_mut(stride)) {
            to[..N].copy_from_slice(value);
        }
        Self { buffer: buffer(host, &words), offset: 4 * offset as u64, stride: 4 * stride as u64, is_lattice }
    }

    fn stream(&self) -> Stream<'_> {
        let stream = Stream::new(&self.buffer).offset(self.offset).stride(self.stride);
        if self.is_lattice { stream.lattice() } else { stream }
    }
}

/// Returns numbers as words, and their values in units.
fn numbers<const N: usize>(values: [f64; N], bits: i32, is_lattice: bool) -> ([u32; N], [f64; N]) {
    if is_lattice {
        let steps = values.map(|v| (v * f64::from(bits).exp2()) as i32);
        (steps.map(|v| v as u32), steps.map(|v| f64::from(v) / f64::from(bits).exp2()))
    } else {
        let singles = values.map(|v| v as f32);
        (singles.map(f32::to_bits), singles.map(f64::from))
    }
}

/// Sets a body. One that the world refuses is switched off and counted. An empty body may be anywhere.
fn set(world: &mut World, id: BodyId, body: Option<&Body>) -> u32 {
    let before = world.body(id).unwrap();
    let is_empty = body.is_some_and(|body| {
        world.set(id, &Body { at: [0, 0].into(), motion: [0, 0].into(), ..*body }).is_ok()
            && world.swept_bounds(id).is_none()
    });
    if is_empty {
        return 0;
    }
    let refused = body.is_none_or(|body| world.set(id, body).is_err());
    if refused {
        world.set(id, &Body { enabled: false, ..before }).unwrap();
    }
    refused.into()
}

/// Returns the answer and the counts of a step that streams pose.
fn answer(engine: &mut Engine, world: &World, request: Request<'_>) -> (Hits, Counts) {
    let mut ticket = engine.submit(world, request).unwrap();
    let hits = ticket.wait(Duration::MAX).unwrap().expect("there is no timeout");
    (hits, ticket.counts().unwrap())
}

fn position(random: &mut SplitMix64) -> [f64; 2] {
    let mut at = [0; 2].map(|_: u32| f64::from(random.below(256 * 150)) / 256.0 + f64::from(random.below(99)) / 7e4);
    if random.below(40) == 0 {
        let edges = [2_097_150.0, 2_097_152.0, -2_097_152.0, 8e6, f64::NAN, f64::INFINITY, -1e30, 1e-40];
        at[random.below(2) as usize] = edges[random.below(8) as usize];
    }
    at
}

fn motion(random: &mut SplitMix64) -> [f64; 2] {
    match random.below(30) {
        0..20 => [0.0; 2],
        20 => [[65_536.0, 0.0], [0.0, 65_537.0], [-70_000.0, 1.0], [f64::NAN, 0.0]][random.below(4) as usize],
        _ => [0; 2].map(|_: u32| f64::from(random.below(256 * 60)) / 256.0 - 30.0),
    }
}

fn linear(random: &mut SplitMix64) -> [f64; 4] {
    let scale = [1.0, 1.0, 1.0, 0.5, 1.7, 3.0][random.below(6) as usize];
    let angle = f64::from([random.below(360), 90, 45, 0][random.below(4) as usize]);
    let Linear { x, y } = Linear::new(angle, [scale; 2], Flip { x: random.below(4) == 0, y: false });
    match random.below(30) {
        0 => [x[0], x[1] + 1.0, y[0], y[1]],
        1 => [x[0], x[1], 0.0, 0.0],
        2 => [x[0] / 70.0, 0.0, 0.0, y[1] / 70.0],
        3 => [[127.0, 0.0, 0.0, 127.1], [f64::NAN, 0.0, 0.0, 1.0], [0.0; 4]][random.below(3) as usize],
        4 => [x[0], x[1] * (1.0 + 9e-7), y[0] * (1.0 - 9e-7), y[1]],
        _ => [x[0], x[1], y[0], y[1]],
    }
}

/// Random bodies, some switched off, and free indices; random streams in either format; edits of the world between the
/// steps; some steps without streams.
#[test]
fn the_answer_is_that_of_a_world_with_these_poses() {
    let host = device();
    for (seed, broad, touch) in [
        (1, Broad::AllPairs, Touch::Excluded),
        (2, Broad::Sorted, Touch::Included),
        (3, Broad::Sorted, Touch::Excluded),
    ] {
        let mut engine = engine(broad);
        let (mut world, mut random) = (World::new(touch), SplitMix64(seed));
        let shapes = shapes(&mut world, &mut random);
        let gone = world.add_shape(Shape::circle(9.0).unwrap()).unwrap();
        world.remove_shape(gone).unwrap();
        for _ in 0..90 {
            world.add(&body(&mut random, &shapes, 150)).unwrap();
        }
        let (mut skipped, mut pairs) = (0, 0);
        for step in 0..40 {
            let id = world.id(random.below(90));
            match (random.below(6), id) {
                (0, Some(id)) => world.set_enabled(id, random.below(2) == 0).unwrap(),
                (1, Some(id)) => drop(world.remove(id).unwrap()),
                (2, _) => drop(world.add(&body(&mut random, &shapes, 150)).unwrap()),
                (3, Some(id)) => world.set(id, &body(&mut random, &shapes, 150)).unwrap(),
                _ => {}
            }
            let ask = [Ask::Flags, Ask::Pairs, Ask::Details][random.below(3) as usize];
            let what = format!("seed {seed}, step {step}, {ask:?}");
            if random.below(5) == 0 {
                assert!(engine.run(&world, ask).unwrap() == fresh(&world, ask), "{what}, of the world");
                continue;
            }
            let (hits, counts, expected, refused) = posed_step(host, &mut engine, &world, &shapes, &mut random, ask);
            assert_eq!(counts.skipped, refused, "{what}");
            let right = fresh(&expected, ask);
            assert!(hits == right, "{what}: {:?}\n{:?}", hits.pairs, right.pairs);
            skipped += refused;
            pairs += hits.pairs.len();
        }
        assert!(skipped > 50 && pairs > 300, "{skipped} skipped and {pairs} pairs are too few to tell anything");
    }
}

/// Positions alone on boxes and circles at rest, which bounds decide; then with a sprite among them, and with a body
/// that moves. The GPU uses the shaders that each of these needs.
#[test]
fn bodies_that_get_positions_alone_keep_their_kinds() {
    let host = device();
    let mut engine = engine(Broad::Sorted);
    let mut world = Workload::Boxes.world(300).unwrap();
    let ball = world.add_shape(Shape::circle(9.0).unwrap()).unwrap();
    let mut random = SplitMix64(4);
    for _ in 0..100 {
        world.add(&Body::new(ball, [random.below(150), random.below(150)].map(f64::from))).unwrap();
    }
    for step in 0..6 {
        if step == 2 {
            let star = Mask::from_fn(20, 20, |x, y| (x + y) % 3 > 0).unwrap();
            let star = world.add_shape(Shape::sprite(star)).unwrap();
            world.add(&Body::new(star, [0, 0])).unwrap();
        }
        if step == 4 {
            world.add(&Body::new(ball, [0, 0]).moving([70.0, 5.0])).unwrap();
        }
        let at: Vec<[f32; 2]> =
            (0..world.indices()).map(|_| [random.below(600), random.below(600)].map(|v| v as f32 / 4.0)).collect();
        let words: Vec<u32> = at.iter().flatten().map(|v| v.to_bits()).collect();
        let positions = buffer(host, &words);
        let ask = [Ask::Flags, Ask::Pairs, Ask::Details][step % 3];
        let (hits, counts) = answer(&mut engine, &world, Request::new(ask).positions(Stream::new(&positions)));
        let mut moved = world.clone();
        moved.set_positions(Bodies::All, &at).unwrap();
        let right = fresh(&moved, ask);
        assert!(hits == right, "step {step}: {:?}\n{:?}", hits.pairs, right.pairs);
        assert!(counts.skipped == 0 && right.flags.iter().any(|&word| word != 0), "step {step}");
    }
}

/// Runs a step with random streams. Returns its answer and counts, and the world set to the same numbers, with the
/// number of bodies that it refused.
fn posed_step(
    host: &Device,
    engine: &mut Engine,
    world: &World,
    shapes: &[ShapeId],
    random: &mut SplitMix64,
    ask: Ask,
) -> (Hits, Counts, World, u32) {
    let count = world.indices();
    let lattices = [0; 5].map(|_: u32| random.below(2) == 0);
    let given = [0; 5].map(|_: u32| random.below(2) == 0);
    let mut draw = |f: fn(&mut SplitMix64) -> [f64; 2], bits, lattice| -> Vec<_> {
        (0..count).map(|_| numbers(f(random), bits, lattice)).collect()
    };
    let (positions, motions) = (draw(position, 8, lattices[0]), draw(motion, 8, lattices[1]));
    let linears: Vec<_> = (0..count).map(|_| numbers(linear(random), 24, lattices[2])).collect();
    // A removed shape, one that never existed, and the largest number.
    let bad = [shapes.len() as u32, shapes.len() as u32 + 1, u32::MAX];
    let number = |random: &mut SplitMix64| match random.below(40) {
        0 => [bad[random.below(3) as usize]],
        _ => [shapes[random.below(shapes.len() as u32) as usize].index()],
    };
    let numbers: Vec<_> = (0..count).map(|_| number(random)).collect();
    let enabled: Vec<_> = (0..count).map(|_| [[0, 1, 1, 7, u32::MAX][random.below(5) as usize]]).collect();

    let (mut expected, mut refused) = (world.clone(), 0);
    for id in world.ids() {
        let k = id.index() as usize;
        let mut body = world.body(id).unwrap();
        body.at = if given[0] { positions[k].1.into() } else { body.at };
        body.motion = if given[1] { motions[k].1.into() } else { body.motion };
        let [a, b, c, d] = linears[k].1;
        body.linear = if given[2] { Linear { x: [a, b], y: [c, d] } } else { body.linear };
        body.enabled = if given[4] { enabled[k] != [0] } else { body.enabled };
        let shape = shapes.iter().find(|shape| shape.index() == numbers[k][0]);
        body.shape = *shape.filter(|_| given[3]).unwrap_or(&body.shape);
        let is_there = !given[3] || shape.is_some();
        refused += set(&mut expected, id, is_there.then_some(&body));
    }

    let words = |column: &[([u32; 2], [f64; 2])]| column.iter().map(|(words, _)| *words).collect::<Vec<_>>();
    let four: Vec<_> = linears.iter().map(|(words, _)| *words).collect();
    let columns = [
        given[0].then(|| Column::new(host, random, &words(&positions), lattices[0])),
        given[1].then(|| Column::new(host, random, &words(&motions), lattices[1])),
        given[2].then(|| Column::new(host, random, &four, lattices[2])),
        given[3].then(|| Column::new(host, random, &numbers, false)),
        given[4].then(|| Column::new(host, random, &enabled, false)),
    ];
    let with = [Request::positions, Request::motions, Request::linears, Request::shapes, Request::enabled];
    let mut request = Request::new(ask);
    for (column, with) in columns.iter().zip(with) {
        if let Some(column) = column {
            request = with(request, column.stream());
        }
    }
    let (hits, counts) = answer(engine, world, request);
    (hits, counts, expected, refused)
}

/// Returns a request with positions and motions of four integers per body, as a shader may write them.
fn placed(buffer: &wgpu::Buffer, ask: Ask) -> Request<'_> {
    let stream = Stream::new(buffer).lattice().stride(16);
    Request::new(ask).positions(stream).motions(stream.offset(8))
}

fn words(placements: &[[i32; 4]]) -> Vec<u32> {
    placements.as_flattened().iter().map(|&v| v as u32).collect()
}

/// Returns the world with these placements, except refused ones, and the number of these.
fn world_placed(world: &World, placements: &[[i32; 4]]) -> (World, u32) {
    let (mut placed, mut refused) = (world.clone(), 0);
    for id in world.ids() {
        let [x, y, dx, dy] = placements[id.index() as usize].map(|v| f64::from(v) / 256.0);
        let body = Body { at: [x, y].into(), motion: [dx, dy].into(), ..world.body(id).unwrap() };
        refused += set(&mut placed, id, Some(&body));
    }
    (placed, refused)
}

/// Each limit, and one lattice step beyond it: bodies that are refused hit nothing.
#[test]
fn each_limit_is_the_worlds() {
    let host = device();
    let mut engine = engine(Broad::default());
    let mask = Mask::from_rows(&["###"; 3]).unwrap();
    let shapes = [
        Shape::rect(2.0, 2.0).unwrap(),
        Shape::circle(1.5).unwrap(),
        Shape::sprite(mask.clone()),
        Shape::sprite(mask.clone()).anchored([1.5, 1.5]).unwrap(),
        // These are beside their positions.
        Shape::rect(2.0, 2.0).unwrap().anchored([20.0, -30.0]).unwrap(),
        Shape::sprite(mask).anchored([-20.0, 30.0]).unwrap(),
    ];
    let (mut refused, mut taken) = (0, 0);
    for (k, shape) in shapes.into_iter().enumerate() {
        let mut world = World::default();
        let shape = world.add_shape(shape).unwrap();
        let first = Body::new(shape, [0.0, 0.0]);
        let first = if k == 3 { first.posed(Linear::from_degrees(30.0)) } else { first };
        world.add(&first).unwrap();
        world.add(&first).unwrap();
        let bounds = world.swept_bounds(world.id(0).unwrap()).unwrap();
        let [low, high] = [bounds.min, bounds.max].map(|corner| [corner.x, corner.y]);
        for axis in 0..2 {
            let mut cases = vec![[i32::MIN, 0], [i32::MAX, 0], [0, i32::MIN], [0, i32::MAX]];
            for beyond in -257..=257 {
                let step = if (-2..=2).contains(&beyond) || beyond % 128 == 1 { beyond } else { continue };
                let (right, left) = (MAX_COORDINATE - high[axis] + step, -MAX_COORDINATE - low[axis] + step);
                cases.extend([[right, 0], [left, 0], [right - 5000, 5000], [left + 5000, -5000]]);
                cases.extend([
                    [0, MAX_MOTION + step],
                    [0, -MAX_MOTION + step],
                    [MAX_COORDINATE + step, 0],
                    [-MAX_COORDINATE + step, 0],
                ]);
                cases.extend([[MAX_COORDINATE + step - 5000, 5000], [-MAX_COORDINATE + step + 5000, -5000]]);
                cases.extend([
                    [-MAX_COORDINATE + step + 255, -255],
                    [MAX_COORDINATE + step, -5000],
                    [-MAX_COORDINATE + step, 5000],
                ]);
            }
            for [at, motion] in cases {
                let mut moved = [0; 4];
                (moved[axis], moved[2 + axis]) = (at, motion);
                let placements = [moved, [0; 4]];
                let (expected, bad) = world_placed(&world, &placements);
                let buffer = buffer(host, &words(&placements));
                let (hits, counts) = answer(&mut engine, &world, placed(&buffer, Ask::Pairs));
                assert_eq!(counts.skipped, bad, "shape {k}, axis {axis}, at {at}, by {motion}");
                assert!(hits == fresh(&expected, Ask::Pairs), "shape {k}, axis {axis}, at {at}, by {motion}");
                assert!(bad == 0 || hits.pairs.is_empty(), "where the world has it, it hits the other");
                (refused, taken) = (refused + bad, taken + 1 - bad);
            }
        }
    }
    assert!(refused > 100 && taken > 100, "{refused} refused, {taken} taken");
}

/// Empty and absent bodies are not checked.
#[test]
fn what_hits_nothing_is_not_counted() {
    let host = device();
    let mut engine = engine(Broad::default());
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    let ids: Vec<_> = (0..4).map(|_| world.add(&Body::new(ball, [0.0, 0.0])).unwrap()).collect();
    world.remove(ids[0]).unwrap();
    world.set(ids[1], &Body::new(ball, [0.0, 0.0]).posed(Linear::scaled(0.0))).unwrap();
    let buffer = buffer(host, &words(&[[i32::MIN; 4]; 4]));
    let (hits, counts) = answer(&mut engine, &world, placed(&buffer, Ask::Pairs));
    assert_eq!((hits.pairs.len(), counts.skipped), (0, 2));
    // The free index stays free, whatever its stream has.
    let enabled = self::buffer(host, &[1; 4]);
    let request = Request::new(Ask::Pairs).enabled(Stream::new(&enabled));
    let (hits, counts) = answer(&mut engine, &world, request);
    assert_eq!((hits.pairs.as_slice(), counts.skipped), ([[2, 3]].as_slice(), 0));
}

/// Many bodies, sorted, and a resident answer; the counts are on the GPU too.
#[test]
fn a_step_may_come_from_the_gpu_and_stay_there() {
    let host = device();
    let mut engine = engine(Broad::default());
    let mut crowd = Workload::Turned.crowd(6_000).unwrap();
    for step in 0..3 {
        let world = crowd.world().clone();
        crowd.step(step, 1000).unwrap();
        let mut placements: Vec<[i32; 4]> = crowd
            .world()
            .ids()
            .map(|id| {
                let Body { at, motion, .. } = crowd.world().body(id).unwrap();
                [at.x, at.y, motion.x, motion.y].map(|v| (v * 256.0) as i32)
            })
            .collect();
        placements[77][0] = i32::MAX;
        let (expected, refused) = world_placed(&world, &placements);
        assert_eq!(refused, 1);
        let buffer = buffer(host, &words(&placements));
        let mut ticket = engine.submit(&world, placed(&buffer, Ask::Pairs).resident()).unwrap();
        assert_eq!(ticket.wait(Duration::MAX).unwrap(), Some(Hits::default()));
        let expected = fresh(&expected, Ask::Pairs);
        let results = ticket.results();
        let read = |binding: wgpu::BufferBinding<'_>, bytes| {
            host.read(|encoder, to| encoder.copy_buffer_to_buffer(binding.buffer, binding.offset, to, 0, bytes), bytes)
        };
        assert_eq!(read(results.counts(), 12), [expected.pairs.len() as u32, 1, 1]);
        assert!(read(results.flags(), results.flags().size.unwrap().get()) == expected.flags);
        let pairs = read(results.pairs().unwrap(), size_of_val(expected.pairs.as_slice()) as u64);
        assert!(pairs == expected.pairs.as_flattened());
        assert_eq!(ticket.counts().unwrap().pairs, expected.pairs.len() as u64);
    }
}

/// Sprites that are unrotated in the world, and that streams rotate and switch on: the step has room for what it
/// paints, or makes it. After two steps, the answer is there before anyone waits.
#[test]
fn room_is_made_for_what_streams_paint() {
    let small = wgpu::Limits { max_storage_buffer_binding_size: 1 << 20, ..wgpu::Limits::default() };
    for limits in [wgpu::Limits::default(), small] {
        let host = open(limits);
        let mut engine = Engine::on(host.device.clone(), host.queue.clone(), &Options::default()).unwrap();
        let mut random = SplitMix64(5);
        let mut world = World::default();
        let mask = hitmask_workbench::workloads::blob(&mut random, 150, 400).unwrap();
        let shape = world.add_shape(Shape::sprite(mask).anchored([75.0, 75.0]).unwrap()).unwrap();
        let hill = world.add_shape(Shape::polygon(&[[0.0, 0.0], [90.0, 0.0], [0.0, 50.0]]).unwrap()).unwrap();
        for k in 0..400 {
            let at = [f64::from(k % 20) * 100.0, f64::from(k / 20) * 100.0];
            let body = Body::new(if k % 5 == 0 { hill } else { shape }, at);
            world.add(&Body { enabled: false, ..body }).unwrap();
        }
        let mut expected = world.clone();
        let mut entries = Vec::new();
        for id in world.ids() {
            let Linear { x, y } = Linear::from_degrees(f64::from(id.index()));
            let singles = [x[0], x[1], y[0], y[1]].map(|v| v as f32);
            let [a, b, c, d] = singles.map(f64::from);
            let body = Body { linear: Linear { x: [a, b], y: [c, d] }, enabled: true, ..world.body(id).unwrap() };
            expected.set(id, &body).unwrap();
            entries.extend(singles.map(f32::to_bits));
        }
        let (linears, enabled) = (buffer(&host, &entries), buffer(&host, &[1; 400]));
        let request = Request::new(Ask::Flags).linears(Stream::new(&linears)).enabled(Stream::new(&enabled));
        let (hits, counts) = answer(&mut engine, &world, request);
        let right = fresh(&expected, Ask::Flags);
        assert!(right.flags.iter().any(|&word| word != 0) && hits == right);
        assert!(!counts.in_frame.contains(Whole::FLAGS), "nobody knew how much it paints");
        // The engine also learns from steps whose ticket is dropped.
        for _ in 0..2 {
            drop(engine.submit(&world, request.resident()).unwrap());
            host.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        }
        let (hits, counts) = answer(&mut engine, &world, request);
        assert!(hits == right);
        assert!(counts.in_frame.contains(Whole::FLAGS), "{counts:?}");
    }
}

#[test]
fn a_buffer_that_cannot_be_read_is_refused() {
    let host = device();
    let mut engine = engine(Broad::default());
    let world = Workload::Boxes.world(50).unwrap();
    let mut refused = |request: Request<'_>| {
        let error = engine.submit(&world, request).unwrap_err().to_string();
        assert!(engine.run(&world, Ask::Pairs).unwrap() == fresh(&world, Ask::Pairs), "after {error}");
        error
    };
    let request = Request::new(Ask::Pairs);
    let short = buffer(host, &[0; 99]);
    let error = refused(request.positions(Stream::new(&short)));
    let limit = "it must have 8 for each of 50 indices, from byte 0 to 400";
    assert_eq!(error, format!("`positions` is a buffer of 396 bytes; {limit}"));
    let error = refused(request.linears(Stream::new(&short).offset(4).stride(20)));
    let limit = "it must have 20 for each of 50 indices, from byte 4 to 1000";
    assert_eq!(error, format!("`linears` is a buffer of 396 bytes; {limit}"));
    assert!(refused(request.motions(Stream::new(&short).offset(2))).starts_with("`motions.offset` is 2; it must be a"));
    let error = refused(request.enabled(Stream::new(&short).stride(0)));
    assert_eq!(error, "`enabled.stride` is 0; it must be a multiple of 4, from 4 to 17179869180");
    assert!(refused(request.shapes(Stream::new(&short).stride(6))).starts_with("`shapes.stride` is 6;"));
    assert!(refused(request.shapes(Stream::new(&short).offset(u64::MAX - 3))).starts_with("`shapes` is a buffer of"));
    assert_eq!(refused(request.workgroup(0)), "`workgroup` is 0; it must be at least 1");
    let large = host.device.limits().max_storage_buffer_binding_size + 1024;
    let too_large = host.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: large,
        usage: wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
    let error = refused(request.positions(Stream::new(&too_large).stride((large - 8) / 49 / 4 * 4)));
    assert!(error.contains("at most max_storage_buffer_binding_size"), "{error}");
    let gone = buffer(host, &[0; 100]);
    gone.destroy();
    assert!(refused(request.positions(Stream::new(&gone))).contains("destroyed"));
    let unbound = host.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: 800,
        usage: wgpu::BufferUsages::UNIFORM,
        mapped_at_creation: false,
    });
    let error = refused(request.positions(Stream::new(&unbound)));
    assert_eq!(error, "`positions` is a buffer without the usage `STORAGE`; it must have it");
}

/// Streams pose bodies for one step; queries see the world's own poses.
#[test]
fn queries_see_the_worlds_own_poses() {
    let host = device();
    let mut engine = engine(Broad::default());
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    world.add_all(&[Body::new(ball, [0, 0]), Body::new(ball, [50, 0])]).unwrap();
    let buffer = buffer(host, &words(&[[0; 4]; 2]));
    let (hits, _) = answer(&mut engine, &world, placed(&buffer, Ask::Pairs));
    assert_eq!(hits.pairs, [[0, 1]]);
    assert!(Queries::new().on(&world).any(&PointQuery::new([50, 0])).unwrap());
}

/// The answer of a resident step is empty, which is not the same as that nothing hits.
#[test]
fn an_answer_that_stayed_on_the_gpu_is_refused_on_the_host() {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    let ids = [0, 5, 10].map(|x| world.add(&Body::new(ball, [x, 0])).unwrap());
    let mut engine = engine(Broad::Auto);
    let (hits, _) = answer(&mut engine, &world, Ask::Details.into());
    let (resident, _) = answer(&mut engine, &world, Request::new(Ask::Details).resident());
    let mut events = Events::default();
    events.update(&world, &hits).unwrap();
    for error in [
        events.update(&world, &resident).unwrap_err(),
        world.impacts(ids[0], &resident).map(drop).unwrap_err(),
        world.stop(ids[0], &resident, |_| true).unwrap_err(),
    ] {
        assert!(error.to_string().contains("`hits` is left on the GPU"), "{error}");
    }
    assert_eq!((events.began().len(), events.ended().len()), (2, 0), "nothing has changed");
}
