//! The radix sort, played on a device by itself.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::gpu::Engine;
use crate::gpu::record::sort;
use hitmask_workbench::workloads::SplitMix64;

/// The key of an element among so many.
type Key = fn(&mut SplitMix64, u32, u32) -> u32;

/// Elements sorted on the GPU by their first word.
fn sorted(engine: &Engine, elements: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let count = elements.len() as u32;
    let mut step = Step::new(&engine.shared, &World::default(), Ask::Flags).unwrap();
    step.make_sorting_room(count).unwrap();
    let Step { shared, frame, .. } = &mut step;
    let shared = Arc::clone(shared);
    frame.buffers.write(&shared.gpu, Binding::Elements, elements).unwrap();
    let mut recording = Recording::default();
    let params = Params { elements: count, most_groups: shared.most_groups, ..Params::default() };
    assert_eq!(sort::by_word(&mut recording, params, u32::MAX, 0), 0, "an even number of passes");
    let mut played = pin!(async {
        step.play(&recording, &[Part { buffer: Binding::Header, start: 0, bytes: 4 }], |_| ()).await?;
        let mut sorted = Vec::new();
        step.read(Binding::Elements, 0, count, &mut sorted).await.map(|()| sorted)
    });
    loop {
        match played.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(sorted) => break sorted.unwrap(),
            Poll::Pending => shared.poll(wgpu::PollType::wait_indefinitely()).unwrap(),
        }
    }
}

#[test]
fn sorts_as_the_standard_library_does() {
    let engine = Engine::new(None).expect("a GPU; `./test` installs one in software");
    let mut random = SplitMix64(1);
    let kinds: [(&str, Key); 5] = [
        ("random", |random, _, _| random.next_u64() as u32),
        ("few", |random, _, _| random.below(3) << 15),
        ("equal", |_, _, _| 77),
        ("sorted", |_, i, _| i * 7),
        ("reversed", |_, i, n| (n - i) * 3),
    ];
    for n in [0, 1, 255, 256, 257, 2047, 2048, 2049, 65_537, 1_000_000] {
        for (kind, key) in kinds {
            // Payloads tell equal keys apart.
            let elements: Vec<[u32; 2]> = (0..n).map(|i| [key(&mut random, i, n), i]).collect();
            let mut expected = elements.clone();
            expected.sort_by_key(|element| element[0]);
            assert!(sorted(&engine, &elements) == expected, "{n} {kind} keys");
        }
    }
}
