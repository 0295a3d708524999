//! Exported vectors of steps: the data for a browser is complete, and runs every shader.

use std::collections::BTreeSet;
use std::time::Duration;

use hitmask::gpu::{self, Broad, Options, Request};
use hitmask::internals::vectors::{Command, Step, Upload, modules};
use hitmask::{Ask, Body, Engine, Hits, Mask, Shape, Touch, World, wgpu};
use hitmask_workbench::workloads::Workload;

use crate::common::device::open;

fn step(workload: Workload, bodies: u32, broad: Broad, ask: Ask) -> Option<Step> {
    let world = workload.world(bodies).unwrap();
    let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
    Step::new(&world, broad, ask, &hits)
}

#[test]
fn four_steps_run_every_entry_point() {
    let mut kinds = World::new(Touch::Included);
    for shape in [Shape::circle(2.0), Ok(Shape::sprite(Mask::from_rows(&["##", "##"]).unwrap()))] {
        let shape = kinds.add_shape(shape.unwrap()).unwrap();
        kinds.add(&Body::new(shape, [0.0, 0.0])).unwrap();
    }
    let hits = Engine::reference().run(&kinds, Ask::Details).unwrap();
    let steps = [
        step(Workload::Turned, 300, Broad::AllPairs, Ask::Details),
        step(Workload::Turned, 300, Broad::Sorted, Ask::Pairs),
        step(Workload::Boxes, 5_000, Broad::Sorted, Ask::Details),
        Step::new(&kinds, Broad::Sorted, Ask::Details, &hits),
    ];
    let commands = steps.into_iter().flat_map(|step| step.unwrap().commands);
    let entry = |command| if let Command::Dispatch { entry, .. } = command { Some(entry) } else { None };
    let run: BTreeSet<&str> = commands.filter_map(entry).collect();
    let all: BTreeSet<&str> = modules().iter().flat_map(|module| module.entries.clone()).collect();
    assert_eq!(run, all);
}

#[test]
fn what_a_step_speaks_of_is_in_its_buffers() {
    for ask in [Ask::Pairs, Ask::Details] {
        let step = step(Workload::Turned, 300, Broad::Sorted, ask).unwrap();
        is_whole(&step);
    }
}

fn is_whole(step: &Step) {
    for Upload { buffer, bytes } in &step.uploads {
        assert!(bytes.len() as u64 <= step.sizes[*buffer as usize], "buffer {buffer}");
    }
    for part in &step.expected {
        let end = part.start + 4 * part.words.len() as u64;
        assert!(end <= step.sizes[part.buffer as usize] && !part.words.is_empty(), "{}", part.what);
        assert!(part.counts.as_ref().is_none_or(|bits| bits.len() == part.words.len()), "{}", part.what);
    }
    let params = step.uploads.iter().find(|upload| upload.buffer == 0).unwrap();
    let dispatches = step.commands.iter().filter(|command| matches!(command, Command::Dispatch { .. })).count();
    assert_eq!(params.bytes.len() as u64, dispatches as u64 * Step::PARAMS_STRIDE);
}

/// The words that a step must leave in its counts are those that the engine writes for the same world.
#[test]
fn counts_are_those_of_the_engine() {
    let device = open(wgpu::Limits::default());
    for (workload, broad, ask) in [
        (Workload::Turned, Broad::Sorted, Ask::Pairs),
        (Workload::Turned, Broad::Sorted, Ask::Flags),
        (Workload::Boxes, Broad::AllPairs, Ask::Details),
    ] {
        let step = step(workload, 300, broad, ask).unwrap();
        let options = Options::default().broad(broad);
        let mut engine = gpu::Engine::on(device.device.clone(), device.queue.clone(), &options).unwrap();
        let request = Request::new(ask);
        let request = if ask == Ask::Details { request.contacts() } else { request };
        let mut ticket = engine.submit(&workload.world(300).unwrap(), request).unwrap();
        ticket.wait(Duration::MAX).unwrap();
        let results = ticket.results();
        let counts = results.counts();
        let copy = |encoder: &mut wgpu::CommandEncoder, to: &wgpu::Buffer| {
            encoder.copy_buffer_to_buffer(counts.buffer, counts.offset, to, 0, 16);
        };
        let expected = &step.expected[0];
        assert_eq!(
            (expected.what, &expected.words[1..]),
            ("counts", &device.read(copy, 16)[1..]),
            "{workload}, {ask:?}"
        );
    }
}

#[test]
fn what_takes_more_than_a_submission_or_is_there_already_is_left_out() {
    assert!(step(Workload::Giants, 5_000, Broad::Sorted, Ask::Details).is_none());
    assert!(step(Workload::Boxes, 5_000, Broad::Sorted, Ask::Pairs).is_none());
    assert!(step(Workload::Turned, 300, Broad::AllPairs, Ask::Pairs).is_none());
    assert!(Step::new(&World::default(), Broad::Sorted, Ask::Details, &Hits::default()).is_none());
}
