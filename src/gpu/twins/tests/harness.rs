//! What runs a function on both sides, on a million inputs.

use rayon::prelude::*;

use crate::gpu::binding::Binding;
use crate::gpu::device::{self, Gpu};
use crate::gpu::options::Options;
use crate::gpu::twins::family::{ATLAS, Family};
use crate::gpu::twins::run::{GROUP, send, upload};
use crate::gpu::twins::twin::Twin;

/// Inputs of a function.
pub(super) const CASES: usize = 1 << 20;

/// Inputs of a function, one behind the other.
pub(super) fn inputs(twin: &Twin) -> Vec<u32> {
    let mut inputs = vec![0; twin.words * CASES];
    let each = inputs.par_chunks_exact_mut(twin.words).enumerate();
    each.for_each(|(case, input)| twin.put(case, CASES, input));
    inputs
}

/// The GPU that the engine takes, on exactly wgpu's default limits; with what functions read.
pub(super) struct Device {
    gpu: Gpu,
    atlas: wgpu::Buffer,
}

impl Device {
    pub(super) fn new() -> Self {
        let options = Options::default().limits(wgpu::Limits::default());
        let gpu = device::open(&options).unwrap_or_else(|error| panic!("{error} (`./test` installs a driver)"));
        let atlas = upload(&gpu, ATLAS.halves());
        Self { gpu, atlas }
    }

    pub(super) fn upload(&self, words: &[u32]) -> wgpu::Buffer {
        upload(&self.gpu, words)
    }

    /// Compares the two sides on all inputs, which `buffer` has too; the answers.
    pub(super) fn check(&self, family: &Family, twin: &Twin, inputs: &[u32], buffer: &wgpu::Buffer) -> Vec<u128> {
        let (name, words) = (twin.name, twin.words);
        let host: Vec<u128> = inputs.par_chunks_exact(words).map(|input| twin.host(input)).collect();
        let source = family.source(twin, CASES);
        let bound =
            [(Binding::Atlas as u32, &self.atlas, true), (Binding::Landed as u32, buffer, !family.writes_landed)];
        let mut readback = send(&self.gpu, &source, CASES as u32 / GROUP, &bound);
        self.gpu.poll(wgpu::PollType::wait_indefinitely()).expect("the GPU answers");
        let found: Vec<u128> = readback.take(bytemuck::pod_collect_to_vec).expect("answers come back");
        let mut wrong = (0..CASES).filter(|&case| found[case] != host[case]);
        if let Some(case) = wrong.next() {
            let input: Vec<i32> = inputs[case * words..][..words].iter().map(|&word| word as i32).collect();
            let (wrong, found, host) = (wrong.count() + 1, found[case], host[case]);
            panic!("{name}: {wrong} of {CASES} differ; input {case} is {input:?}: GPU {found:#x}, host {host:#x}");
        }
        host
    }
}

/// Compares all functions of a family.
pub(super) fn check(family: &Family) {
    let device = Device::new();
    for twin in &family.twins {
        let inputs = inputs(twin);
        let buffer = device.upload(&inputs);
        device.check(family, twin, &inputs, &buffer);
    }
}
