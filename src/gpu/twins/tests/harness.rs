//! Runs a function on both sides, on a million inputs.

use rayon::prelude::*;

use crate::gpu::binding::Binding;
use crate::gpu::device::{self, Gpu};
use crate::gpu::modules::Wide;
use crate::gpu::options::Options;
use crate::gpu::twins::family::{ATLAS, Family};
use crate::gpu::twins::run::{GROUP, send, upload};
use crate::gpu::twins::twin::Twin;

/// The number of inputs of each function.
pub(super) const CASES: usize = 1 << 20;

/// Makes the inputs of a function, one after the other.
pub(super) fn inputs(twin: &Twin) -> Vec<u32> {
    let mut inputs = vec![0; twin.words * CASES];
    let each = inputs.par_chunks_exact_mut(twin.words).enumerate();
    each.for_each(|(case, input)| twin.put(case, CASES, input));
    inputs
}

/// The GPU that the engine uses, on exactly wgpu's default limits, with one of the two kinds of wide integers; and the
/// atlas that functions read.
pub(super) struct Device {
    gpu: Gpu,
    atlas: wgpu::Buffer,
}

impl Device {
    /// Opens one device for each kind of wide integers, the second without loop counters. GPUs without native integers
    /// are not tested with them; lavapipe has them.
    pub(super) fn all() -> Vec<Self> {
        let least = Options::default().limits(wgpu::Limits::default());
        let [words, mut native] = [false, true].map(|int64| Self::new(&least.clone().int64(int64)));
        native.gpu = native.gpu.without_loop_checks();
        assert_eq!(words.gpu.wide, Wide::Words);
        if native.gpu.is_native() { vec![words, native] } else { vec![words] }
    }

    fn new(options: &Options) -> Self {
        let gpu = device::open(options).unwrap_or_else(|error| panic!("{error} (`./test --setup` installs a driver)"));
        let atlas = upload(&gpu, ATLAS.halves());
        Self { gpu, atlas }
    }

    /// Compares the GPU's answers to all inputs with the right ones.
    fn compare(&self, family: &Family, twin: &Twin, inputs: &[u32], right: &[u128]) {
        let (name, words, wide) = (twin.name, twin.words, self.gpu.wide);
        let source = family.source(twin, CASES, wide);
        let buffer = upload(&self.gpu, inputs);
        let bound =
            [(Binding::Atlas as u32, &self.atlas, true), (Binding::Landed as u32, &buffer, !family.writes_landed)];
        let mut readback = send(&self.gpu, source, CASES as u32 / GROUP, &bound);
        self.gpu.poll(wgpu::PollType::wait_indefinitely()).expect("the GPU answers");
        let found: Vec<u128> = readback.take(bytemuck::pod_collect_to_vec).expect("answers come back");
        let mut wrong = (0..CASES).filter(|&case| found[case] != right[case]);
        if let Some(case) = wrong.next() {
            let input: Vec<i32> = inputs[case * words..][..words].iter().map(|&word| word as i32).collect();
            let (wrong, found, right) = (wrong.count() + 1, found[case], right[case]);
            let differ = format!("{wrong} of {CASES} differ; input {case} is {input:?}");
            panic!("{name}, integers of {wide:?}: {differ}: GPU {found:#x}, host {right:#x}");
        }
    }
}

/// Compares a function on the host with each of the devices; returns the answers to all inputs.
pub(super) fn compare(devices: &[Device], family: &Family, twin: &Twin, inputs: &[u32]) -> Vec<u128> {
    let right: Vec<u128> = inputs.par_chunks_exact(twin.words).map(|input| twin.host(input)).collect();
    for device in devices {
        device.compare(family, twin, inputs, &right);
    }
    right
}

/// Compares all functions of a family.
pub(super) fn check(family: &Family) {
    let devices = Device::all();
    for twin in &family.twins {
        compare(&devices, family, twin, &inputs(twin));
    }
}
