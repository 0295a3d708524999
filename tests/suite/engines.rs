//! An `Engine` answers, and describes itself, as the engine within it does.

use std::ops::ControlFlow;

use hitmask::{Ask, Engine, Hits, auto, cpu, gpu};
use hitmask_workbench::workloads::Workload;

use crate::common::gpu_engine;

/// Returns what an engine says of itself: device, bytes, and the number of stages of its last step.
fn described(engine: &Engine) -> (String, u64, usize) {
    (engine.device(), engine.bytes(), engine.profile().stages.len())
}

/// Returns the same, asked of the engine within.
fn described_within(engine: &Engine) -> (String, u64, usize) {
    let device = |cpu: &cpu::Engine| {
        let threads = cpu.threads();
        format!("{threads} thread{}, {}", if threads == 1 { "" } else { "s" }, cpu.simd().name())
    };
    match engine {
        Engine::Cpu(cpu) => (device(cpu), cpu.bytes(), cpu.profile().stages.len()),
        Engine::Gpu(gpu) => (gpu.info().to_string(), gpu.bytes(), gpu.profile().stages.len()),
        Engine::Auto(auto) => (device(auto.cpu()), auto.bytes(), auto.profile().stages.len()),
        // The reference.
        _ => ("1 thread".into(), 0, 0),
    }
}

#[test]
fn an_engine_is_what_is_within_it() {
    let world = Workload::Turned.world(300).unwrap();
    let expected = Engine::reference().run(&world, Ask::Details).unwrap();
    assert!(expected.pairs.len() > 30);
    let engines = [
        ("reference", Engine::reference()),
        ("cpu", Engine::cpu().unwrap()),
        ("gpu", Engine::Gpu(Box::new(gpu_engine(&gpu::Options::default())))),
        // On a world as small as this it stays on the CPU.
        ("cpu", Engine::Auto(Box::new(auto::Engine::new().unwrap()))),
    ];
    for (name, mut engine) in engines {
        for _ in 0..2 {
            let mut hits = Hits::default();
            engine.run_into(&world, Ask::Details, &mut hits).unwrap();
            assert!(hits == expected, "{name}");
            assert_eq!(engine.name(), name);
            assert_eq!(described(&engine), described_within(&engine), "{name}");
            assert_eq!(engine.bytes() > 10_000, name != "reference", "{name}");
            assert_eq!(engine.profile().stages.is_empty(), name == "reference", "{name}");
            let (mut pairs, mut details) = (Vec::new(), Vec::new());
            let ended = engine.stream(&world, Ask::Details, 1 << 16, |some, carried| {
                pairs.extend_from_slice(some);
                details.extend_from_slice(carried);
                ControlFlow::<()>::Continue(())
            });
            assert!(ended.unwrap().is_continue() && pairs == expected.pairs && details == expected.details, "{name}");
            engine.rebuild().unwrap();
        }
    }
}
