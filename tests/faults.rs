//! GPU faults: memory that runs out, a lost device, an answer that never comes, a missing adapter. Each is a named
//! error, and the next step, on what remains or on a rebuilt engine, is right.
//!
//! A layer between the Vulkan loader and the driver simulates a driver's faults (`common/driver.rs`), so wgpu and the
//! engine see what a real driver would report. Each such test runs its body in a process of its own.

#![cfg(target_os = "linux")]

#[path = "common/bodies.rs"]
mod bodies;
#[path = "common/device.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod device;
#[path = "common/driver.rs"]
mod driver;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bodies::{body, shapes};
use device::Device;
use driver::{Fault, on_a_faulty_driver};
use hitmask::auto::Why;
use hitmask::cpu::Broad;
use hitmask::gpu::{self, Engine, Options};
use hitmask::{Ask, Error, Hits, Touch, World, auto, cpu};
use hitmask_workbench::workloads::{SplitMix64, Workload};

/// Returns a world of all kinds of bodies, and its answer.
fn world(seed: u64, count: u32) -> (World, Hits) {
    let (mut world, mut random) = (World::new(Touch::Excluded), SplitMix64(seed));
    let shapes = shapes(&mut world, &mut random);
    for _ in 0..count {
        world.add(&body(&mut random, &shapes, 150)).unwrap();
    }
    let hits = answer(&world);
    assert!(!hits.pairs.is_empty());
    (world, hits)
}

/// Returns the reference's answer.
fn answer(world: &World) -> Hits {
    hitmask::Engine::reference().run(world, Ask::Details).unwrap()
}

fn engine(options: &Options) -> Engine {
    Engine::with(options).expect("a GPU; `./test --setup` installs one in software")
}

/// Returns options under which a step takes many submissions: its rows are processed in runs.
fn in_runs() -> Options {
    Options::default().broad(Broad::Sorted).candidates(100)
}

#[test]
fn memory_that_ends_at_any_buffer() {
    on_a_faulty_driver("memory_that_ends_at_any_buffer", |faults| {
        let (world, expected) = world(1, 30);
        let larger = Workload::Boxes.world(300).unwrap();
        let mut engine = engine(&Options::default().broad(Broad::Sorted));
        let (mut failed, mut lost) = (0, 0);
        for k in 1.. {
            // A failed step leaves no frame: the next one creates all of its buffers.
            faults.set(Fault::Buffers, 1);
            if let Error::GpuLost { .. } = engine.run(&larger, Ask::Pairs).unwrap_err() {
                engine.rebuild().unwrap();
            }
            faults.set(Fault::Buffers, k);
            let hits = engine.run(&world, Ask::Details);
            let done = faults.is_left(Fault::Buffers);
            faults.set(Fault::Buffers, 0);
            match hits {
                Ok(hits) => assert!(done && hits == expected, "buffer {k}"),
                Err(Error::GpuMemory { .. }) => failed += 1,
                // wgpu's staging memory; without it, wgpu gives up the device.
                Err(Error::GpuLost { .. }) => {
                    lost += 1;
                    engine.rebuild().unwrap();
                }
                Err(error) => panic!("buffer {k}: {error}"),
            }
            assert!(engine.run(&world, Ask::Details).unwrap() == expected, "after buffer {k}");
            if done {
                break;
            }
        }
        assert!(failed > 25, "{failed} steps without memory, {lost} lost");
    });
}

/// Whatever fails while an engine is made is an error, and the next try succeeds.
#[test]
fn faults_while_an_engine_is_made() {
    on_a_faulty_driver("faults_while_an_engine_is_made", |faults| {
        let (world, expected) = world(2, 40);
        for fault in [Fault::Buffers, Fault::Memory, Fault::Submits, Fault::Waits] {
            let mut failed = 0;
            for k in 1.. {
                faults.set(fault, k);
                let made = Engine::new();
                let done = faults.is_left(fault);
                faults.set(fault, 0);
                match made {
                    Ok(mut engine) => assert!(engine.run(&world, Ask::Details).unwrap() == expected, "{fault:?} {k}"),
                    Err(Error::Gpu { .. } | Error::GpuMemory { .. } | Error::GpuLost { .. }) => failed += 1,
                    Err(error) => panic!("{fault:?} {k}: {error}"),
                }
                if done {
                    break;
                }
            }
            assert!(failed > 0, "{fault:?}");
        }
    });
}

/// A pipeline that cannot be created, in the startup check, ahead of time or in a step: the call that needs it returns
/// an error, or that the GPU is lost if wgpu gives up the device; later steps are right.
#[test]
fn memory_that_ends_at_any_pipeline() {
    on_a_faulty_driver("memory_that_ends_at_any_pipeline", |faults| {
        let (world, expected) = world(8, 40);
        let mut came = 0;
        for k in (1..).step_by(3) {
            faults.set(Fault::Pipelines, k);
            let answered = Engine::new().map(|mut engine| (engine.run(&world, Ask::Details), engine));
            let done = faults.is_left(Fault::Pipelines);
            faults.set(Fault::Pipelines, 0);
            let (first, mut engine) = match answered {
                Ok(answered) => answered,
                Err(Error::Gpu { .. } | Error::GpuMemory { .. } | Error::GpuLost { .. }) if !done => {
                    came += 1;
                    continue;
                }
                Err(error) => panic!("pipeline {k}: {error}"),
            };
            for hits in [first, engine.run(&world, Ask::Details)] {
                match hits {
                    Ok(hits) => assert!(hits == expected, "pipeline {k}"),
                    Err(Error::GpuMemory { .. } | Error::GpuLost { .. }) => {}
                    Err(error) => panic!("pipeline {k}: {error}"),
                }
            }
            if let Err(Error::GpuLost { .. }) = engine.run(&world, Ask::Flags) {
                engine.rebuild().unwrap();
            }
            assert!(engine.run(&world, Ask::Details).unwrap() == expected, "after pipeline {k}");
            if done {
                break;
            }
            came += 1;
        }
        assert!(came > 4, "{came}");
    });
}

#[test]
fn a_device_that_is_lost_in_any_submission_or_wait() {
    on_a_faulty_driver("a_device_that_is_lost_in_any_submission_or_wait", |faults| {
        let (world, expected) = world(3, 60);
        let mut engine = engine(&in_runs());
        for fault in [Fault::Submits, Fault::Waits] {
            let mut lost = 0;
            for k in 1.. {
                faults.set(fault, k);
                let hits = engine.run(&world, Ask::Details);
                let done = faults.is_left(fault);
                faults.set(fault, 0);
                if done {
                    assert!(hits.unwrap() == expected);
                    break;
                }
                for hits in [hits, engine.run(&world, Ask::Flags), engine.run(&world, Ask::Pairs)] {
                    assert!(matches!(hits, Err(Error::GpuLost { .. })), "{fault:?} {k}: {hits:?}");
                }
                lost += 1;
                engine.rebuild().unwrap();
                assert!(engine.run(&world, Ask::Details).unwrap() == expected, "{fault:?} {k}");
            }
            assert!(lost > 1, "{lost} times in {fault:?}");
        }
    });
}

#[test]
fn an_answer_that_does_not_come() {
    on_a_faulty_driver("an_answer_that_does_not_come", |faults| {
        let (world, expected) = world(4, 60);
        let mut engine = engine(&Options::default());
        faults.set(Fault::Silent, 1);
        let [mut dropped, mut late] = [(); 2].map(|()| engine.submit(&world, Ask::Details).unwrap());
        for ticket in [&mut dropped, &mut late] {
            assert_eq!(ticket.wait(Duration::from_millis(50)).unwrap(), None);
            assert_eq!(ticket.try_take().unwrap(), None);
        }
        // A third step is refused at once, not waited for.
        let refused = engine.submit(&world, Ask::Details).unwrap_err().to_string();
        assert!(refused.contains("2 steps are in flight"), "{refused}");
        drop(dropped);
        let mut third = engine.submit(&world, Ask::Details).unwrap();
        assert_eq!(third.wait(Duration::from_millis(50)).unwrap(), None);
        faults.set(Fault::Silent, 0);
        for mut ticket in [late, third] {
            assert!(ticket.wait(Duration::MAX).unwrap().unwrap() == expected);
        }
    });
}

#[test]
fn an_adapter_that_is_gone_and_comes_back() {
    on_a_faulty_driver("an_adapter_that_is_gone_and_comes_back", |faults| {
        let (world, expected) = world(5, 60);
        let mut engine = hitmask::Engine::gpu().unwrap();
        faults.set(Fault::Submits, 1);
        faults.set(Fault::Gone, 1);
        assert!(matches!(engine.run(&world, Ask::Details), Err(Error::GpuLost { .. })));
        for _ in 0..2 {
            let error = engine.rebuild().unwrap_err().to_string();
            assert!(error.contains("none found"), "{error}");
            assert!(matches!(engine.run(&world, Ask::Details), Err(Error::GpuLost { .. })));
        }
        faults.set(Fault::Gone, 0);
        engine.rebuild().unwrap();
        assert!(engine.run(&world, Ask::Details).unwrap() == expected);
    });
}

/// An engine that switches between CPU and GPU, and loses the GPU in its second step: no step has an error.
#[test]
fn a_gpu_that_is_lost_while_it_is_tried() {
    on_a_faulty_driver("a_gpu_that_is_lost_while_it_is_tried", |faults| {
        // Expensive enough that a GPU is tried, as all bodies move: some milliseconds on one thread.
        let mut crowd = Workload::Turned.crowd(8_000).unwrap();
        let expected = [1, 2].map(|step| {
            crowd.step(step, 1000).unwrap();
            hitmask::Engine::cpu().unwrap().run(crowd.world(), Ask::Pairs).unwrap()
        });
        let cpu = cpu::Options::default().threads(1);
        let name = gpu::list().remove(0).name;
        let mut engine = auto::Engine::with(&cpu, &Options::default().name(Some(&name))).unwrap();
        let mut steps = [0, 1].into_iter().cycle();
        let mut step = |engine: &mut auto::Engine, what: &str| {
            let step = steps.next().unwrap();
            crowd.step(step + 1, 1000).unwrap();
            assert!(engine.run(crowd.world(), Ask::Pairs).unwrap() == expected[step as usize], "{what}");
        };
        for fault in [Fault::Submits, Fault::Waits] {
            while engine.name() == "cpu" {
                step(&mut engine, "before");
            }
            faults.set(fault, 1);
            for _ in 0..20 {
                step(&mut engine, &format!("{fault:?}"));
                let status = engine.status();
                assert!(status.engine == "cpu" && matches!(status.why, Why::NoGpu(Error::GpuLost { .. })), "{status}");
            }
            assert!(!faults.is_left(fault));
            engine.rebuild();
        }
    });
}

/// A host's device, destroyed before a step, during it and after it. The host is notified as without the engine.
#[test]
fn a_hosts_device_that_is_lost() {
    let (world, expected) = world(6, 60);
    let open = || device::open(wgpu::Limits::default());
    let Device { mut device, queue } = open();
    let heard = Arc::new(AtomicU32::new(0));
    let hears = |device: &wgpu::Device| {
        let heard = Arc::clone(&heard);
        device.set_device_lost_callback(move |_, _| {
            heard.fetch_add(1, Ordering::Relaxed);
        });
    };
    hears(&device);
    let mut engine = Engine::on(device.clone(), queue, &in_runs()).unwrap();
    for when in ["before", "in flight", "half way", "answered"] {
        let mut ticket = (when != "before").then(|| engine.submit(&world, Ask::Details).unwrap());
        match (when, &mut ticket) {
            ("half way", Some(ticket)) => {
                // The first rows are done; further ones are submitted.
                device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
                assert_eq!(ticket.try_take().unwrap(), None);
            }
            ("answered", Some(ticket)) => assert!(ticket.wait(Duration::MAX).unwrap().unwrap() == expected),
            _ => {}
        }
        device.destroy();
        if let Some(mut ticket) = ticket.filter(|_| when != "answered") {
            let lost = ticket.wait(Duration::MAX);
            assert!(matches!(lost, Err(Error::GpuLost { .. })), "{when}: {lost:?}");
            let again = ticket.try_take();
            assert!(matches!(again, Err(Error::GpuLost { .. })), "{when}: {again:?}");
        }
        for _ in 0..2 {
            let hits = engine.run(&world, Ask::Details);
            assert!(matches!(hits, Err(Error::GpuLost { .. })), "{when}: {hits:?}");
        }
        let error = engine.rebuild().unwrap_err().to_string();
        assert!(error.contains("rebuild_on"), "{error}");
        let next = open();
        hears(&next.device);
        device = next.device.clone();
        engine.rebuild_on(next.device, next.queue).unwrap();
        assert!(engine.run(&world, Ask::Details).unwrap() == expected, "{when}");
    }
    assert_eq!(heard.load(Ordering::Relaxed), 4);
}

/// An engine on a lost device is refused.
#[test]
fn a_lost_device_is_no_engine() {
    for trusted in [false, true] {
        let Device { device, queue } = device::open(wgpu::Limits::default());
        device.destroy();
        let made = Engine::on(device, queue, &Options::default().trusted(trusted));
        assert!(trusted || matches!(made, Err(Error::GpuLost { .. })), "{made:?}");
        if let Ok(mut engine) = made {
            let hits = engine.run(&world(7, 10).0, Ask::Pairs);
            assert!(matches!(hits, Err(Error::GpuLost { .. })), "{hits:?}");
        }
    }
}
