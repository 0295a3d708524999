//! A step in a renderer's frame: recorded into its encoder, drawn with indirect arguments on the GPU, compiled while it
//! loads.

use std::time::Duration;

use hitmask::gpu::{Engine, Options, Request, Stream, Whole};
use hitmask::{Ask, Hits, World, wgpu};
use hitmask_workbench::workloads::Workload;

use crate::common::device::{Device, open};

pub(crate) fn engine(host: &Device) -> Engine {
    Engine::from_device(host.device.clone(), host.queue.clone()).unwrap()
}

pub(crate) fn encoder(host: &Device) -> wgpu::CommandEncoder {
    host.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
}

pub(crate) fn buffer(host: &Device, bytes: u64) -> wgpu::Buffer {
    host.device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}

pub(crate) fn right(world: &World) -> Hits {
    hitmask::cpu::Engine::new().unwrap().run(world, Ask::Pairs).unwrap()
}

/// One encoder, one submission: a pass that writes positions, the step that reads them, and a pass that reads the
/// flags.
#[test]
fn a_frame_is_one_submission() {
    let host = open(wgpu::Limits::default());
    let mut engine = engine(&host);
    let mut crowd = Workload::Boxes.crowd(700).unwrap();
    let (source, positions, flags) = (buffer(&host, 700 * 8), buffer(&host, 700 * 8), buffer(&host, 88));
    let before = crowd.world().clone();
    for step in 0..6 {
        crowd.step(step, 1000).unwrap();
        let at = crowd.world().ids().map(|id| crowd.world().body(id).unwrap().at);
        let at: Vec<[f32; 2]> = at.map(|at| [at.x as f32, at.y as f32]).collect();
        host.queue.write_buffer(&source, 0, bytemuck::cast_slice(&at));
        let mut encoder = encoder(&host);
        encoder.copy_buffer_to_buffer(&source, 0, &positions, 0, positions.size());
        let request = Request::new(Ask::Pairs).positions(Stream::new(&positions));
        let mut ticket = engine.encode(&before, request, &mut encoder).unwrap();
        let results = ticket.results();
        let seen = results.flags();
        encoder.copy_buffer_to_buffer(seen.buffer, seen.offset, &flags, 0, 88);
        if step == 3 {
            // Too early: the ticket reports it, and stays valid.
            assert_eq!(ticket.try_take().unwrap(), None);
            let error = ticket.wait(Duration::MAX).unwrap_err().to_string();
            assert!(error.contains("encoder") && error.contains("not been submitted"), "{error}");
        }
        host.queue.submit([encoder.finish()]);
        let hits = ticket.wait(Duration::MAX).unwrap().unwrap();
        let expected = right(crowd.world());
        assert!(hits == expected, "step {step}");
        if ticket.counts().unwrap().in_frame.contains(Whole::FLAGS) {
            let drawn = host.read(|encoder, to| encoder.copy_buffer_to_buffer(&flags, 0, to, 0, 88), 88);
            assert!(drawn == expected.flags, "step {step}");
        } else {
            assert_eq!(step, 0, "{:?}", ticket.counts());
        }
    }
}

/// If an encoder is never submitted, the frame of the step is given up, and later steps work. If it is submitted after
/// its ticket is dropped, it overwrites no other answer.
#[test]
fn an_encoder_may_be_dropped_or_come_late() {
    let host = open(wgpu::Limits::default());
    let mut engine = engine(&host);
    let mut crowd = Workload::Sprites.crowd(500).unwrap();
    for step in 0..8 {
        crowd.step(step, 300).unwrap();
        let mut encoder = encoder(&host);
        let ticket = engine.encode(crowd.world(), Ask::Pairs, &mut encoder).unwrap();
        drop(ticket);
        crowd.step(step, 1000).unwrap();
        let mut ticket = engine.submit(crowd.world(), Ask::Pairs).unwrap();
        if step % 2 == 0 {
            host.queue.submit([encoder.finish()]);
        } else {
            drop(encoder);
        }
        assert!(ticket.wait(Duration::MAX).unwrap().unwrap() == right(crowd.world()), "step {step}");
    }
}

/// A game draws from the results on the GPU and drops each ticket. The next frame uses the buffers again, with the
/// world in them, even if the counts of the last have not arrived at once.
#[test]
fn frames_whose_tickets_are_dropped_take_turns_in_their_buffers() {
    let host = open(wgpu::Limits::default());
    let mut engine = engine(&host);
    let mut crowd = Workload::Boxes.crowd(700).unwrap();
    let mut seen = Vec::new();
    for step in 0..12 {
        crowd.step(step, 10).unwrap();
        let mut encoder = encoder(&host);
        let ticket = engine.encode(crowd.world(), Request::new(Ask::Pairs).resident(), &mut encoder).unwrap();
        let results = ticket.results();
        let (flags, offset) = (results.flags().buffer.clone(), results.flags().offset);
        if step % 3 > 0 {
            host.queue.submit([encoder.finish()]);
            host.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
            drop(ticket);
        } else {
            drop(ticket);
            host.queue.submit([encoder.finish()]);
        }
        let drawn = host.read(|encoder, to| encoder.copy_buffer_to_buffer(&flags, offset, to, 0, 88), 88);
        assert!(step < 3 || drawn == right(crowd.world()).flags, "step {step}");
        if !seen.contains(&flags) {
            seen.push(flags);
        }
    }
    assert_eq!(seen.len(), 1, "buffers of one frame do");
}

/// Two worlds that take turns on one engine keep a frame each.
#[test]
fn worlds_that_take_turns_keep_their_frames() {
    let mut engine = Engine::new().expect("a GPU; `./test --setup` installs one in software");
    let worlds = [Workload::Boxes, Workload::Boxes].map(|workload| workload.world(300).unwrap());
    let mut buffers = worlds.each_ref().map(|_| Vec::new());
    for turn in 0..6 {
        let ticket = &mut engine.submit(&worlds[turn % 2], Ask::Pairs).unwrap();
        assert!(ticket.wait(Duration::MAX).unwrap().unwrap() == right(&worlds[turn % 2]));
        buffers[turn % 2].push(ticket.results().counts().buffer.clone());
    }
    for buffers in &buffers {
        assert!(buffers.iter().all(|buffer| *buffer == buffers[0]));
    }
    assert_ne!(buffers[0][0], buffers[1][0]);
    // A third takes the place of that which has waited longest.
    let third = Workload::Boxes.world(300).unwrap();
    let mut ticket = engine.submit(&third, Ask::Pairs).unwrap();
    assert_eq!(*ticket.results().counts().buffer, buffers[0][0]);
    assert!(ticket.wait(Duration::MAX).unwrap().unwrap() == right(&third));
}

const COUNT: &str = "
@group(0) @binding(0) var<storage, read> counts: vec4<u32>;
@group(0) @binding(1) var<storage, read> pairs: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> sums: array<atomic<u32>, 2>;

@compute @workgroup_size(32)
fn count(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = (group.y * groups.x + group.x) * 32u + local;
    if i < counts.x {
        atomicAdd(&sums[0], 1u);
        atomicAdd(&sums[1], pairs[i].x + 3u * pairs[i].y);
    }
}
";

/// A compute pass over all pairs, dispatched with the step's own arguments in the same frame.
#[test]
fn the_gpu_dispatches_over_all_pairs() {
    let host = open(wgpu::Limits::default());
    let mut engine = engine(&host);
    let source = wgpu::ShaderSource::Wgsl(COUNT.into());
    let module = host.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let pipeline = host.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("count"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let world = Workload::Boxes.world(2_000).unwrap();
    let expected = right(&world);
    let sum = expected.pairs.iter().map(|[a, b]| a + 3 * b).fold(0, u32::wrapping_add);
    for frame in 0..3 {
        let sums = buffer(&host, 8);
        let mut encoder = encoder(&host);
        let request = Request::new(Ask::Pairs).resident().workgroup(32).vertices(4);
        let ticket = engine.encode(&world, request, &mut encoder).unwrap();
        let results = ticket.results();
        let entry = |binding, buffer| wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::Buffer(buffer) };
        let group = host.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                entry(0, results.counts()),
                entry(1, results.pairs().unwrap()),
                entry(2, sums.as_entire_buffer_binding()),
            ],
        });
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        let (arguments, offset) = results.dispatch();
        pass.dispatch_workgroups_indirect(arguments, offset);
        drop(pass);
        host.queue.submit([encoder.finish()]);
        let found = host.read(|encoder, to| encoder.copy_buffer_to_buffer(&sums, 0, to, 0, 8), 8);
        let (buffer, offset) = results.draw();
        let draw = host.read(|encoder, to| encoder.copy_buffer_to_buffer(buffer, offset, to, 0, 16), 16);
        let count = expected.pairs.len() as u32;
        let (sums, drawn) = if found[0] == 0 { ([0, 0], 0) } else { ([count, sum], count) };
        assert!(found == sums && draw == [4, drawn, 0, 0], "frame {frame}: {found:?}, {draw:?}");
        assert!(frame < 2 || drawn > 0, "pairs are whole after two frames");
    }
    // Without a request for pairs there are none.
    let ticket = engine.submit(&world, Ask::Flags).unwrap();
    let results = ticket.results();
    let ((buffer, dispatch), (_, draw)) = (results.dispatch(), results.draw());
    let read =
        |offset, bytes| host.read(|encoder, to| encoder.copy_buffer_to_buffer(buffer, offset, to, 0, bytes), bytes);
    assert_eq!((read(dispatch, 12)[0], read(draw, 16)[1]), (0, 0));
}

#[test]
fn shaders_are_compiled_with_progress() {
    let engine = Engine::with(&Options::default()).unwrap();
    let mut told = Vec::new();
    engine.compile(|done, all| told.push((done, all))).unwrap();
    let all = told[0].1;
    assert!(all > 20 && told.iter().copied().eq((0..=all).map(|done| (done, all))), "{told:?}");
}
