//! The engine on a device that a host program has opened, next to the host's own work on it: answers, errors, limits,
//! frames in flight.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use hitmask::cpu::Broad;
use hitmask::gpu::{Engine, Options, RawDetail, Request, Results, Ticket};
use hitmask::scene::Scene;
use hitmask::{Ask, Body, BodyId, Detail, Engine as AnyEngine, Hits, Shape, World};
use hitmask_workbench::workloads::Workload;

use crate::common::device::{Device, open};

/// Returns a world and its answer.
fn answered(workload: Workload, n: u32, ask: Ask) -> (World, Hits) {
    let world = workload.world(n).unwrap();
    let hits = AnyEngine::cpu().unwrap().run(&world, ask).unwrap();
    (world, hits)
}

fn engine(options: &Options) -> Engine {
    let Device { device, queue } = open(wgpu::Limits::default());
    Engine::on(device, queue, options).unwrap()
}

/// Waits for the answer, without a timeout.
fn taken(mut ticket: Ticket) -> Hits {
    ticket.wait(Duration::MAX).unwrap().expect("there is no timeout")
}

#[test]
fn a_device_of_default_limits_answers_as_the_reference() {
    let Device { device, queue } = open(wgpu::Limits::default());
    assert_eq!(device.limits(), wgpu::Limits::default());
    assert!(device.features().is_empty());
    let mut engine = AnyEngine::from_device(device, queue).unwrap();
    let mut reference = AnyEngine::reference();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut scenes = 0;
    for file in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_none_or(|extension| extension != "jsonl") {
            continue;
        }
        for line in std::fs::read_to_string(&file).unwrap().lines().step_by(4) {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            // Replays have no scene.
            let Some(scene) = line.get("scene") else { continue };
            let world = Scene::parse(&scene.to_string(), &folder).unwrap().world().unwrap();
            for ask in [Ask::Flags, Ask::Pairs, Ask::Details] {
                let hits = engine.run(&world, ask).unwrap();
                assert!(hits == reference.run(&world, ask).unwrap(), "{ask:?} of {}", line["name"]);
            }
            scenes += 1;
        }
    }
    assert!(scenes >= 100, "{scenes} scenes");
}

/// A function that lowers one limit.
type Lower = fn(&mut wgpu::Limits);

#[test]
fn a_limit_that_is_too_low_is_named() {
    let low: [(&str, Lower); 9] = [
        ("max_storage_buffers_per_shader_stage` = 7", |limits| limits.max_storage_buffers_per_shader_stage = 7),
        ("max_compute_invocations_per_workgroup` = 128", |limits| limits.max_compute_invocations_per_workgroup = 128),
        ("max_compute_workgroup_size_x` = 255", |limits| limits.max_compute_workgroup_size_x = 255),
        ("max_compute_workgroup_storage_size` = 8192", |limits| limits.max_compute_workgroup_storage_size = 8192),
        ("max_bindings_per_bind_group` = 20", |limits| limits.max_bindings_per_bind_group = 20),
        ("max_storage_buffer_binding_size` = 32768", |limits| limits.max_storage_buffer_binding_size = 32768),
        ("max_uniform_buffer_binding_size` = 64", |limits| limits.max_uniform_buffer_binding_size = 64),
        ("min_uniform_buffer_offset_alignment` = 512", |limits| limits.min_uniform_buffer_offset_alignment = 512),
        ("min_storage_buffer_offset_alignment` = 512", |limits| limits.min_storage_buffer_offset_alignment = 512),
    ];
    for (name, lower) in low {
        let mut limits = wgpu::Limits::default();
        lower(&mut limits);
        let Device { device, queue } = open(limits);
        let error = Engine::from_device(device, queue).expect_err(name).to_string();
        assert!(error.contains(name) && error.contains("the engine needs"), "{error}");
    }
    let none = Options::default();
    for (refused, options) in [("`frames` is 0", none.clone().frames(0)), ("`candidates` is 0", none.candidates(0))] {
        let Device { device, queue } = open(wgpu::Limits::default());
        let error = Engine::on(device, queue, &options).unwrap_err();
        assert!(error.to_string().contains(refused), "{error}");
    }
}

/// Makes an invalid call: creates a buffer that may be both mapped and bound.
fn host_error(device: &wgpu::Device) {
    let _ = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("the host's"),
        size: 16,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::STORAGE,
        mapped_at_creation: false,
    });
}

#[test]
fn a_host_hears_of_its_errors_and_of_no_others() {
    let Device { device, queue } = open(wgpu::Limits::default());
    let heard: Arc<Mutex<Vec<String>>> = Arc::default();
    let count = || heard.lock().unwrap().len();
    let told = Arc::clone(&heard);
    device.on_uncaptured_error(Arc::new(move |error| told.lock().unwrap().push(error.to_string())));
    let mut engine = Engine::from_device(device.clone(), queue.clone()).unwrap();
    let (world, expected) = answered(Workload::Turned, 300, Ask::Pairs);
    assert!(engine.run(&world, Ask::Pairs).unwrap() == expected);

    // While a step is in flight, and from a callback that runs while the engine polls.
    let mut ticket = engine.submit(&world, Ask::Pairs).unwrap();
    host_error(&device);
    assert_eq!(count(), 1);
    let host = device.clone();
    queue.on_submitted_work_done(move || host_error(&host));
    let mut hits = None;
    while hits.is_none() {
        hits = ticket.try_take().unwrap();
    }
    assert!(hits == Some(expected.clone()));
    assert_eq!(count(), 2);

    // An error of the engine's own: one of its buffers is destroyed. The step reports it, and the next step starts
    // fresh.
    ticket.results().flags().buffer.destroy();
    drop(ticket);
    let error = engine.run(&world, Ask::Pairs).unwrap_err().to_string();
    assert!(error.contains("destroyed"), "{error}");
    assert!(engine.run(&world, Ask::Pairs).unwrap() == expected);
    assert_eq!(count(), 2, "{:?}", heard.lock().unwrap());
    host_error(&device);
    assert_eq!(count(), 3);
}

/// Reads the words of a result binding.
fn words(device: &Device, binding: &wgpu::BufferBinding<'_>) -> Vec<u32> {
    let bytes = binding.size.map_or(binding.buffer.size() - binding.offset, std::num::NonZero::get);
    device.read(|encoder, to| encoder.copy_buffer_to_buffer(binding.buffer, binding.offset, to, 0, bytes), bytes)
}

/// Reads the whole answer from the GPU, if it is complete.
fn left(device: &Device, results: &Results<'_>) -> Option<Hits> {
    let counts = words(device, &results.counts());
    let mut hits = Hits::default();
    hits.flags = words(device, &results.flags());
    if let Some(binding) = results.pairs() {
        hits.pairs = words(device, &binding).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        hits.pairs.truncate(counts[0] as usize);
    }
    if let Some(binding) = results.details() {
        let details = words(device, &binding);
        let raw = details
            .chunks_exact(size_of::<RawDetail>() / 4)
            .map(|words| *bytemuck::from_bytes::<RawDetail>(bytemuck::cast_slice(words)));
        hits.details = raw.take(counts[0] as usize).map(Detail::from).collect();
    }
    (counts[1] == 1).then_some(hits)
}

/// Shaders of the host that read the flags in the same frame as the step, before anyone waits: a vertex shader draws
/// one pixel per body, and a compute shader gathers them.
const HOST: &str = "
struct Counts { pairs: u32, complete: u32 }
@group(0) @binding(0) var<storage, read> counts: Counts;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> gathered: array<atomic<u32>>;

@compute @workgroup_size(64)
fn gather(@builtin(global_invocation_id) id: vec3<u32>) {
    if counts.complete == 1u && id.x < counts.pairs {
        let pair = pairs[id.x];
        atomicOr(&gathered[pair.x / 32u], 1u << (pair.x & 31u));
        atomicOr(&gathered[pair.y / 32u], 1u << (pair.y & 31u));
    }
}

struct Point { @builtin(position) at: vec4<f32>, @location(0) @interpolate(flat) tint: u32 }

@vertex
fn place(@builtin(vertex_index) body: u32) -> Point {
    let x = (f32(body) + 0.5) / 256.0 - 1.0;
    return Point(vec4<f32>(x, 0.0, 0.0, 1.0), 7u + (flags[body / 32u] >> (body & 31u) & counts.complete));
}

@fragment
fn tint(point: Point) -> @location(0) u32 {
    return point.tint;
}
";

/// Returns the pipelines that gather and draw.
fn host_pipelines(device: &wgpu::Device) -> (wgpu::ComputePipeline, wgpu::RenderPipeline) {
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(HOST.into()),
    });
    let gather = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("gather"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let draw = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("place"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState {
            topology: wgpu::PrimitiveTopology::PointList,
            ..wgpu::PrimitiveState::default()
        },
        depth_stencil: None,
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("tint"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            targets: &[Some(wgpu::TextureFormat::R32Uint.into())],
        }),
        multiview_mask: None,
        cache: None,
    });
    (gather, draw)
}

#[test]
fn a_host_draws_and_computes_with_flags_and_pairs_in_the_same_frame() {
    const N: u32 = 512;
    let host = open(wgpu::Limits::default());
    let Device { device, queue } = &host;
    let mut engine = Engine::from_device(device.clone(), queue.clone()).unwrap();
    let (gather, draw) = host_pipelines(device);
    let target = device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: N, height: 1, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::R32Uint,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
        view_formats: &[],
    });
    let view = target.create_view(&wgpu::TextureViewDescriptor::default());
    let gathered = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: u64::from(N) / 8,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    for (n, workload) in [(N, Workload::Boxes), (400, Workload::Turned)] {
        let (world, expected) = answered(workload, n, Ask::Pairs);
        let ticket = engine.submit(&world, Ask::Pairs).unwrap();
        let results = ticket.results();
        let bind = |layout: &wgpu::BindGroupLayout, bindings: &[(u32, wgpu::BufferBinding<'_>)]| {
            let entries = bindings.iter().map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding: *binding,
                resource: wgpu::BindingResource::Buffer(buffer.clone()),
            });
            let entries: Vec<_> = entries.collect();
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
        };
        let pairs = results.pairs().unwrap();
        let own = gathered.as_entire_buffer_binding();
        let to_gather = bind(&gather.get_bind_group_layout(0), &[(0, results.counts()), (2, pairs), (3, own)]);
        let to_draw = bind(&draw.get_bind_group_layout(0), &[(0, results.counts()), (1, results.flags())]);
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.clear_buffer(&gathered, 0, None);
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            pass.set_pipeline(&gather);
            pass.set_bind_group(0, &to_gather, &[]);
            pass.dispatch_workgroups(expected.pairs.len().div_ceil(64) as u32, 1, 1);
        }
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..wgpu::RenderPassDescriptor::default()
            });
            pass.set_pipeline(&draw);
            pass.set_bind_group(0, &to_draw, &[]);
            pass.draw(0..n, 0..1);
        }
        queue.submit([encoder.finish()]);
        // From here on, another step may use the buffers of this one.
        drop(ticket);
        let (other, _) = answered(Workload::Circles, 300, Ask::Pairs);
        assert!(!engine.run(&other, Ask::Pairs).unwrap().pairs.is_empty());

        let pixels = host.read(
            |encoder, buffer| {
                let layout =
                    wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * N), rows_per_image: None };
                let to = wgpu::TexelCopyBufferInfo { buffer, layout };
                encoder.copy_texture_to_buffer(target.as_image_copy(), to, target.size());
            },
            4 * u64::from(N),
        );
        let drawn: Vec<u32> =
            (0..N).map(|i| if i < n { 7 + u32::from(expected.flag(i as usize)) } else { 0 }).collect();
        assert!(pixels == drawn, "{workload:?}");
        let gathered = words(&host, &gathered.as_entire_buffer_binding());
        assert!(gathered[..expected.flags.len()] == expected.flags, "{workload:?}");
        assert!(expected.flags.iter().any(|&word| word != 0 && word != u32::MAX), "there are both");
    }
}

#[test]
fn two_steps_in_flight_are_taken_in_any_order() {
    let mut engine = engine(&Options::default());
    let worlds = [
        answered(Workload::Turned, 700, Ask::Details),
        answered(Workload::Boxes, 900, Ask::Details),
        answered(Workload::Bullets, 600, Ask::Details),
    ];
    for [a, b] in [[0, 1], [1, 0], [2, 1], [0, 2]] {
        let [first, second] = [a, b].map(|k: usize| engine.submit(&worlds[k].0, Ask::Details).unwrap());
        assert!(taken(second) == worlds[b].1, "{b} before {a}");
        assert!(taken(first) == worlds[a].1, "{a} after {b}");
        let [first, second] = [a, b].map(|k: usize| engine.submit(&worlds[k].0, Ask::Details).unwrap());
        assert!(taken(first) == worlds[a].1, "{a} before {b}");
        assert!(taken(second) == worlds[b].1, "{b} after {a}");
    }
}

#[test]
fn a_step_dropped_in_flight_harms_no_other() {
    // With one frame, the next step uses the buffers of the dropped one.
    for frames in [1, 2] {
        let mut engine = engine(&Options::default().frames(frames));
        let (heavy, _) = answered(Workload::Turned, 3_000, Ask::Details);
        let (light, expected) = answered(Workload::Boxes, 300, Ask::Details);
        for round in 0..5 {
            drop(engine.submit(&heavy, Ask::Details).unwrap());
            assert!(taken(engine.submit(&light, Ask::Details).unwrap()) == expected, "round {round}, {frames} frames");
        }
        // Few bodies and many pairs, so that the dropped step is still running when the next is submitted. Polling
        // continuously also catches the moment when one is done and the other is not.
        let (long, _) = answered(Workload::Spot, 1_000, Ask::Pairs);
        let (next, most) = answered(Workload::Spot, 900, Ask::Pairs);
        engine.run(&long, Ask::Pairs).unwrap();
        for round in 0..3 {
            drop(engine.submit(&long, Ask::Pairs).unwrap());
            let mut ticket = engine.submit(&next, Ask::Pairs).unwrap();
            let mut hits = None;
            while hits.is_none() {
                hits = ticket.try_take().unwrap();
            }
            assert!(hits.as_ref() == Some(&most), "round {round}, {frames} frames");
        }
        for _ in 0..3 {
            drop(engine.submit(&light, Ask::Pairs).unwrap());
            drop(engine.submit(&heavy, Ask::Flags).unwrap());
        }
        assert!(engine.run(&light, Ask::Details).unwrap() == expected);
    }
}

#[test]
fn more_steps_than_frames_are_refused_and_none_is_lost() {
    let (world, expected) = answered(Workload::Boxes, 500, Ask::Pairs);
    for frames in [None, Some(1), Some(3)] {
        let mut engine = engine(&Options::default().frames(frames));
        let many = frames.unwrap_or(2);
        let mut tickets: Vec<_> = (0..many).map(|_| engine.submit(&world, Ask::Pairs).unwrap()).collect();
        for _ in 0..2 {
            let error = engine.submit(&world, Ask::Pairs).unwrap_err().to_string();
            assert!(
                error.contains(&format!("{many} steps are in flight")) && error.contains("Options::frames"),
                "{error}"
            );
            engine.run(&world, Ask::Pairs).unwrap_err();
            let mut kept = expected.clone();
            engine.run_into(&world, Ask::Pairs, &mut kept).unwrap_err();
            assert!(kept == expected, "an error leaves the last answer");
        }
        assert!(taken(tickets.pop().unwrap()) == expected);
        assert!(engine.run(&world, Ask::Pairs).unwrap() == expected);
        for ticket in tickets {
            assert!(taken(ticket) == expected);
        }
    }
}

#[test]
fn an_answer_is_polled_for_and_given_once() {
    let mut engine = engine(&Options::default());
    let (world, expected) = answered(Workload::Turned, 2_000, Ask::Details);
    let mut ticket = engine.submit(&world, Ask::Details).unwrap();
    assert!(ticket.profile().is_none(), "in flight");
    let hits = loop {
        if let Some(hits) = ticket.try_take().unwrap() {
            break hits;
        }
        std::thread::yield_now();
    };
    assert!(hits == expected);
    assert!(ticket.profile().is_some_and(|profile| profile.candidates > 0));
    for again in [ticket.try_take(), ticket.wait(Duration::ZERO)] {
        assert!(again.unwrap_err().to_string().contains("already taken"));
    }

    let mut ticket = engine.submit(&world, Ask::Details).unwrap();
    let mut hits = ticket.wait(Duration::ZERO).unwrap();
    while hits.is_none() {
        hits = ticket.wait(Duration::from_micros(100)).unwrap();
    }
    assert!(hits == Some(expected.clone()));

    // On another thread, after the engine is dropped.
    drop(ticket);
    let ticket = engine.submit(&world, Ask::Details).unwrap();
    drop(engine);
    assert!(std::thread::spawn(move || taken(ticket)).join().unwrap() == expected);
}

/// Returns a world with one body that all others hit and that hit no other: its row of pairs is longer than a workgroup
/// sorts.
fn giant(n: u32) -> World {
    let mut world = World::default();
    let giant = world.add_shape(Shape::rect(30_000.0, 100.0).unwrap()).unwrap();
    world.add(&Body::new(giant, [0.0; 2])).unwrap();
    let small = world.add_shape(Shape::circle(2.0).unwrap()).unwrap();
    for k in (0..n).rev() {
        world.add(&Body::new(small, [f64::from(k) * 5.0 + 3.0, 0.0])).unwrap();
    }
    world
}

/// Returns worlds that need more room than a first step has: for candidates, for long rows, for details, and with so
/// few candidates that rows are processed in runs. With each goes the largest `Ask` whose answer ends up on the GPU.
fn growing() -> [(World, Options, Option<Ask>); 4] {
    let cramped = Options::default().candidates(2_000).broad(Broad::Sorted);
    [
        (Workload::Spot.world(300).unwrap(), Options::default(), Some(Ask::Details)),
        (giant(2_500), Options::default(), Some(Ask::Details)),
        (Workload::Spot.world(1_500).unwrap(), Options::default(), Some(Ask::Pairs)),
        (Workload::Boxes.world(3_000).unwrap(), cramped, Some(Ask::Flags)),
    ]
}

#[test]
fn a_step_that_must_grow_in_flight_is_whole() {
    let host = open(wgpu::Limits::default());
    let cases = growing();
    let (other, beside) = answered(Workload::Turned, 400, Ask::Pairs);
    for (i, (world, options, complete)) in cases.into_iter().enumerate() {
        for ask in [Ask::Pairs, Ask::Details] {
            // A new engine each time, which has learnt nothing yet.
            let mut engine = Engine::on(host.device.clone(), host.queue.clone(), &options).unwrap();
            let expected = AnyEngine::cpu().unwrap().run(&world, ask).unwrap();
            let mut ticket = engine.submit(&world, ask).unwrap();
            assert!(left(&host, &ticket.results()).is_none(), "{i}, {ask:?}: not done at once");
            let second = engine.submit(&other, Ask::Pairs).unwrap();
            assert!(ticket.wait(Duration::MAX).unwrap().as_ref() == Some(&expected), "{i}, {ask:?}");
            assert!(taken(second) == beside, "beside {i}, {ask:?}");
            let whole = left(&host, &ticket.results());
            assert!(whole == (Some(ask) <= complete).then_some(expected), "{i}, {ask:?}: on the GPU");
        }
    }
}

/// A resident answer: only counts are read back, and a lack of room in the first step is noticed all the same.
#[test]
fn a_resident_answer_is_whole_on_the_gpu() {
    let host = open(wgpu::Limits::default());
    let small = [0, 1, 700].map(|n| (Workload::Turned.world(n).unwrap(), Options::default(), Some(Ask::Details)));
    for (i, (world, options, complete)) in growing().into_iter().chain(small).enumerate() {
        // A new engine, which has learnt nothing yet.
        let mut engine = Engine::on(host.device.clone(), host.queue.clone(), &options).unwrap();
        for ask in [Ask::Details, Ask::Pairs, Ask::Flags] {
            let mut expected = AnyEngine::cpu().unwrap().run(&world, ask).unwrap();
            // A binding is never empty.
            expected.flags.resize(expected.flags.len().max(1), 0);
            for round in 0..2 {
                let mut ticket = engine.submit(&world, Request::new(ask).resident()).unwrap();
                assert_eq!(ticket.wait(Duration::MAX).unwrap(), Some(Hits::default()));
                let counts = ticket.counts().unwrap();
                let what = format!("{i}, {ask:?}, {round}");
                assert_eq!((counts.pairs, counts.skipped), (expected.pairs.len() as u64, 0), "{what}");
                assert_eq!(counts.complete, Some(ask) <= complete, "{what}");
                let whole = left(&host, &ticket.results());
                assert!(whole == counts.complete.then(|| expected.clone()), "{what}");
            }
            if expected.flags.len() > 1 {
                // So is the next answer, which is not resident.
                assert!(engine.run(&world, ask).unwrap() == expected, "{i}, {ask:?}");
            }
        }
    }
}

#[test]
fn what_is_left_on_the_gpu_is_the_answer() {
    let host = open(wgpu::Limits::default());
    let mut engine = Engine::from_device(host.device.clone(), host.queue.clone()).unwrap();
    for n in [0, 1, 2, 33, 500] {
        let crowd = Workload::Turned.world(500).unwrap();
        let mut world = World::default();
        let shape = world.add_shape(Shape::circle(5.0).unwrap()).unwrap();
        for k in 0..n {
            world.add(&Body::new(shape, [f64::from(k * k % 97) * 4.0, f64::from(k % 31) * 3.0])).unwrap();
        }
        for ask in [Ask::Flags, Ask::Pairs, Ask::Details] {
            // The buffers now hold an earlier answer.
            engine.run(&crowd, ask).unwrap();
            let ticket = engine.submit(&world, ask).unwrap();
            let results = ticket.results();
            assert_eq!(results.bodies(), n as u32);
            assert_eq!([results.pairs().is_some(), results.details().is_some()], [ask > Ask::Flags, ask > Ask::Pairs]);
            let there = left(&host, &results).expect("all fits at once");
            let mut hits = taken(ticket);
            if hits.flags.is_empty() {
                // A binding is never empty.
                hits.flags.push(0);
            }
            assert!(there == hits, "{n} bodies, {ask:?}");
        }
    }
}

#[test]
fn a_world_may_change_behind_a_step() {
    let mut engine = engine(&Options::default());
    let mut world = World::default();
    let shape = world.add_shape(Shape::rect(4.0, 4.0).unwrap()).unwrap();
    let bodies: Vec<BodyId> =
        (0..100).map(|k| world.add(&Body::new(shape, [f64::from(k) * 3.0, 0.0])).unwrap()).collect();
    let mut steps = Vec::new();
    for step in 0..6_u32 {
        let expected = AnyEngine::reference().run(&world, Ask::Pairs).unwrap();
        steps.push((engine.submit(&world, Ask::Pairs).unwrap(), expected));
        for &body in bodies.iter().skip(step as usize).step_by(3) {
            let at = [f64::from(body.index()) * 3.0, f64::from(step + 1) * 2.5];
            world.set(body, &Body::new(shape, at)).unwrap();
        }
        let more = world.add_shape(Shape::circle(f64::from(step) + 1.0).unwrap()).unwrap();
        world.add(&Body::new(more, [f64::from(step) * 9.0, 1.0])).unwrap();
        if steps.len() == 2 {
            let (ticket, expected) = steps.remove(0);
            assert!(taken(ticket) == expected, "step {step}");
        }
    }
}

/// NVIDIA's driver can be loaded only some sixty times in a process, so it stays loaded.
#[test]
fn a_process_opens_a_gpu_any_number_of_times() {
    let options = Options::default().trusted(true);
    for time in 0..100 {
        let engine = Engine::with(&options).unwrap_or_else(|error| panic!("{time}: {error}"));
        assert!(time > 0 || hitmask::gpu::list().contains(engine.info()));
    }
}

/// A queue of another device is refused by name, whether or not that device has an error handler, and changes nothing.
#[test]
fn a_queue_of_another_device_is_refused() {
    let [own, other] = [(); 2].map(|()| open(wgpu::Limits::default()));
    let mut good = Engine::from_device(own.device.clone(), own.queue.clone()).unwrap();
    let world = Workload::Turned.world(50).unwrap();
    let expected = good.run(&world, Ask::Details).unwrap();
    let heard = Arc::new(Mutex::new(0));
    for handled in [false, true] {
        if handled {
            let heard = Arc::clone(&heard);
            other.device.on_uncaptured_error(Arc::new(move |_| *heard.lock().unwrap() += 1));
        }
        let (device, queue) = (own.device.clone(), other.queue.clone());
        let made = Engine::from_device(device.clone(), queue.clone()).map(|_| ());
        let trusted = Engine::on(device.clone(), queue.clone(), &Options::default().trusted(true)).map(|_| ());
        let rebuilt = good.rebuild_on(device, queue);
        for refused in [made, trusted, rebuilt] {
            let error = refused.unwrap_err().to_string();
            assert_eq!(error, "`queue` is the queue of another device; it must be the device's own", "{handled}");
        }
        assert!(good.run(&world, Ask::Details).unwrap() == expected);
    }
    // From then on, only the caller can provide another device.
    let mut opened = Engine::new().unwrap();
    for engine in [&mut good, &mut opened] {
        engine.rebuild_on(other.device.clone(), other.queue.clone()).unwrap();
        assert!(engine.run(&world, Ask::Details).unwrap() == expected);
        assert!(engine.rebuild().unwrap_err().to_string().contains("rebuild_on"));
    }
}
