//! Worlds that are hard for a broad phase: compares both broad phases of the GPU engine with the CPU engine.

use hitmask::cpu::Broad;
use hitmask::gpu::{Engine, Options};
use hitmask::profile::{Clock, Profile};
use hitmask::{Ask, Body, Error, Hits, Mask, Shape, World, cpu, wgpu};
use hitmask_workbench::workloads::Workload;

use crate::common::{device, gpu_engine};

/// The candidates per body that a first step has room for.
const CANDIDATES_EACH: usize = 4;

/// Opens an engine with a device of its own, which has timestamps if there are any.
fn timed(options: &Options) -> Engine {
    Engine::with(&options.clone().timestamps(true)).expect("a GPU; `./test --setup` installs one in software")
}

/// Clusters, sizes from small to very large, rows, columns, one spot: flags, pairs and details.
#[test]
fn every_workload_is_answered_as_on_the_cpu() {
    let broad = |broad| gpu_engine(&Options::default().broad(broad));
    let mut cpu = cpu::Engine::new().unwrap();
    let mut gpus = [Broad::AllPairs, Broad::Sorted].map(|how| (how, broad(how)));
    for workload in Workload::ALL {
        // More than a workgroup sorts or scans at once: 1,024.
        let world = workload.world(1_100).unwrap();
        for ask in [Ask::Flags, Ask::Pairs, Ask::Details] {
            let expected = cpu.run(&world, ask).unwrap();
            for (how, gpu) in &mut gpus {
                let hits = gpu.run(&world, ask).unwrap();
                assert!(hits == expected, "{workload:?}, {ask:?}, {how:?}");
            }
        }
    }
}

/// `run_into` needs no new memory for its answers once it has had two.
#[test]
fn answers_take_turns_in_two_pieces_of_memory() {
    let world = Workload::Boxes.world(20_000).unwrap();
    let expected = cpu::Engine::new().unwrap().run(&world, Ask::Details).unwrap();
    let (mut gpu, mut hits) = (gpu_engine(&Options::default()), Hits::default());
    let places: Vec<_> = (0..7)
        .map(|_| {
            gpu.run_into(&world, Ask::Details, &mut hits).unwrap();
            assert!(hits == expected);
            [hits.flags.as_ptr().addr(), hits.pairs.as_ptr().addr(), hits.details.as_ptr().addr()]
        })
        .collect();
    // The first step reads a part of its answer, and learns how much there is.
    assert_ne!(places[3], places[4]);
    assert_eq!(places[3..5], places[5..7]);
}

/// Enough bodies that all pairs take two dispatches with the maximum number of workgroups.
#[test]
fn all_pairs_of_many_are_whole() {
    let world = Workload::Clustered.world(70_000).unwrap();
    let expected = cpu::Engine::new().unwrap().run(&world, Ask::Pairs).unwrap();
    let mut gpu = gpu_engine(&Options::default().broad(Broad::AllPairs));
    assert!(gpu.run(&world, Ask::Pairs).unwrap() == expected);
}

/// An engine with little room for candidates processes sorted rows in runs, which the host joins. An engine that has
/// seen a large answer begins the next step with room for it.
#[test]
fn what_does_not_fit_at_once_is_whole() {
    let world = Workload::Boxes.world(5_000).unwrap();
    let expected = cpu::Engine::new().unwrap().run(&world, Ask::Details).unwrap();
    let mut small = gpu_engine(&Options::default().broad(Broad::Sorted).candidates(2_000));
    assert!(expected.pairs.len() > 4 * 2_000, "several runs");
    assert!(small.run(&world, Ask::Details).unwrap() == expected);

    let crowd = Workload::Spot.world(2_000).unwrap();
    let expected = cpu::Engine::new().unwrap().run(&crowd, Ask::Pairs).unwrap();
    let mut gpu = gpu_engine(&Options::default());
    assert!(gpu.run(&crowd, Ask::Pairs).unwrap() == expected);
    assert!(expected.pairs.len() > 2_000 * CANDIDATES_EACH, "more than there was room for");
    assert!(gpu.run(&crowd, Ask::Pairs).unwrap() == expected);
}

/// If timestamps are requested and supported, every stage of a step has a time.
#[test]
fn stages_are_timed() {
    let world = Workload::Turned.world(300).unwrap();
    let mut timed = timed(&Options::default().broad(Broad::Sorted));
    timed.run(&world, Ask::Details).unwrap();
    let names = |clock| -> Vec<_> {
        let stages = &timed.profile().stages;
        stages.iter().filter(|stage| stage.clock == clock).map(|stage| stage.name).collect()
    };
    assert_eq!(names(Clock::Host), ["upload", "submit", "wait", "readback"]);
    // Not every driver supports timestamps.
    if !names(Clock::Gpu).is_empty() {
        assert_eq!(names(Clock::Gpu), ["land", "sort", "sweep", "paint", "judge", "order", "details"]);
    }
}

/// If each dispatch is timed, the longest is reported, and is no longer than the longest stage. Otherwise none is
/// reported.
#[test]
fn the_longest_dispatch_is_told() {
    let world = Workload::Turned.world(300).unwrap();
    for dispatches in [true, false] {
        let mut timed = timed(&Options::default().dispatches(dispatches).broad(Broad::Sorted));
        timed.run(&world, Ask::Details).unwrap();
        let Profile { stages, longest, .. } = timed.profile();
        let gpu: Vec<_> = stages.iter().filter(|stage| stage.clock == Clock::Gpu).map(|stage| stage.time).collect();
        assert_eq!(longest.is_some(), dispatches && !gpu.is_empty());
        let longest = longest.map(|longest| longest.time).unwrap_or_default();
        assert!(gpu.iter().max().is_none_or(|most| longest <= *most), "{longest:?} of {gpu:?}");
    }
}

/// Two large masks that share a single pixel at various places, and then none.
#[test]
fn one_pixel_of_large_masks_is_a_hit() {
    const SIDE: u32 = 300;
    let dots = |dots: &[[u32; 2]]| {
        let mut alpha = vec![0; (SIDE * SIDE) as usize];
        for [x, y] in dots {
            alpha[(y * SIDE + x) as usize] = u8::MAX;
        }
        Shape::sprite(Mask::from_alpha(&alpha, SIDE, SIDE, 1).unwrap())
    };
    let mut gpu = gpu_engine(&Options::default());
    let last = SIDE - 1;
    for at in [[1, 0], [31, 0], [32, 1], [150, 7], [5, 26], [290, 51], [3, 150], [298, 298]] {
        for shared in [true, false] {
            let mut world = World::default();
            // Dots at opposite corners give both the same large bounds.
            let other = if shared { at } else { [at[0] + 1, at[1]] };
            for shape in [dots(&[[0, 0], [last, last], at]), dots(&[[last, 0], [0, last], other])] {
                let shape = world.add_shape(shape).unwrap();
                world.add(&Body::new(shape, [0.0, 0.0])).unwrap();
            }
            let hits = gpu.run(&world, Ask::Pairs).unwrap();
            assert_eq!(hits.pairs.len(), usize::from(shared), "{at:?}, {shared}");
        }
    }
}

/// A host's device with wgpu's default limits, and one with limits for old hardware: the engine works on it, or its
/// error names the limit that is too low, with its value.
#[test]
fn a_device_of_wgpu_s_own_limits_does_or_its_limit_is_named() {
    let world = Workload::Turned.world(300).unwrap();
    let expected = cpu::Engine::new().unwrap().run(&world, Ask::Details).unwrap();
    let on = |limits| {
        let host = device::open(limits);
        Engine::from_device(host.device, host.queue)
    };
    assert!(on(wgpu::Limits::default()).unwrap().run(&world, Ask::Details).unwrap() == expected);

    let old = wgpu::Limits::downlevel_defaults();
    match on(old.clone()) {
        Ok(mut engine) => assert!(engine.run(&world, Ask::Details).unwrap() == expected),
        Err(Error::Gpu { problem }) => {
            let named =
                format!("`max_storage_buffers_per_shader_stage` = {}", old.max_storage_buffers_per_shader_stage);
            assert!(problem.contains(&named), "{problem}");
        }
        Err(error) => panic!("{error}"),
    }
    // WebGL2 has no compute shaders.
    let web = on(wgpu::Limits::downlevel_webgl2_defaults()).unwrap_err().to_string();
    assert!(web.contains("max_storage_buffers_per_shader_stage` = 0"), "{web}");
}

/// Drivers report limits such as 2^31 - 1. Buffers that grow up to such a limit stay within it.
#[test]
fn limits_need_not_be_multiples_of_four() {
    let few = |bytes| wgpu::Limits { max_storage_buffer_binding_size: bytes, ..wgpu::Limits::default() };
    let boxes = Workload::Boxes.world(10_000).unwrap();
    let mut crowd = World::default();
    let ball = crowd.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    for k in 0..150 {
        crowd.add(&Body::new(ball, [k % 3, 0]).moving([1, k % 7])).unwrap();
    }
    let odd = wgpu::Limits { max_buffer_size: 65_541, ..few(65_541) };
    for (world, ask, limits) in [(&boxes, Ask::Pairs, few((1 << 20) - 1)), (&crowd, Ask::Details, odd)] {
        let expected = cpu::Engine::new().unwrap().run(world, ask).unwrap();
        let mut gpu = Engine::with(&Options::default().limits(limits.clone())).unwrap();
        assert!(gpu.run(world, ask).unwrap() == expected, "{limits:?}");
    }
}
