//! Engines that are opened and answer without blocking the thread: the path that a browser takes.

use hitmask::gpu::{self, Options};
use hitmask::{Ask, Engine, Error, Hits, World, cpu};
use hitmask_workbench::workloads::Workload;
use pollster::block_on;

use crate::common::device;

fn expected(world: &World, ask: Ask) -> Hits {
    cpu::Engine::new().unwrap().run(world, ask).unwrap()
}

/// Steps overlap; each answer is that of its own world.
#[test]
fn an_opened_engine_answers_as_one_that_waits() {
    let mut engine = block_on(gpu::Engine::open(&Options::default())).unwrap();
    for workload in [Workload::Boxes, Workload::Turned, Workload::Clustered] {
        let worlds = [300, 1_200].map(|bodies| workload.world(bodies).unwrap());
        for ask in [Ask::Flags, Ask::Pairs, Ask::Details] {
            let mut tickets = worlds.each_ref().map(|world| engine.submit(world, ask).unwrap());
            for (world, ticket) in worlds.iter().zip(&mut tickets).rev() {
                assert!(block_on(ticket.answer()).unwrap() == expected(world, ask), "{workload:?}, {ask:?}");
                assert!(ticket.counts().is_some(), "it is done");
                assert!(block_on(ticket.answer()).is_err(), "it was given");
            }
        }
    }
    let world = Workload::Boxes.world(2_500).unwrap();
    assert!(block_on(engine.run_async(&world, Ask::Details)).unwrap() == expected(&world, Ask::Details));
    assert!(!engine.profile().stages.is_empty());
}

#[test]
fn an_engine_opens_on_a_device_of_the_host() {
    let [own, other] = [(); 2].map(|()| device::open(hitmask::wgpu::Limits::default()));
    let open = |queue| block_on(gpu::Engine::open_on(own.device.clone(), queue, &Options::default()));
    let mut engine = open(own.queue.clone()).unwrap();
    let world = Workload::Boxes.world(600).unwrap();
    assert!(block_on(engine.run_async(&world, Ask::Pairs)).unwrap() == expected(&world, Ask::Pairs));
    assert!(matches!(open(other.queue), Err(Error::Value { field, .. }) if field == "queue"));
}

#[test]
fn the_error_of_opening_is_that_of_the_engine_that_waits() {
    let options = Options::default().name(Some("no such GPU"));
    let [later, now] = [block_on(gpu::Engine::open(&options)), gpu::Engine::with(&options)];
    assert_eq!(later.unwrap_err().to_string(), now.unwrap_err().to_string());
}

#[test]
fn shaders_are_compiled_one_by_one() {
    let engine = block_on(gpu::Engine::open(&Options::default().trusted(true))).unwrap();
    let mut calls = Vec::new();
    block_on(engine.compile_async(|done, all| calls.push((done, all)))).unwrap();
    let all = calls[0].1;
    assert_eq!(calls, (0..=all).map(|done| (done, all)).collect::<Vec<_>>());
}

/// Each engine behind the common front answers; `auto` begins on the CPU.
#[test]
fn every_engine_answers_without_blocking() {
    let world = Workload::Turned.world(600).unwrap();
    let expected = expected(&world, Ask::Details);
    let mut engines = [Engine::reference(), Engine::cpu().unwrap(), Engine::gpu().unwrap(), Engine::auto().unwrap()];
    for engine in &mut engines {
        assert!(block_on(engine.run_async(&world, Ask::Details)).unwrap() == expected, "{engine:?}");
    }
}
