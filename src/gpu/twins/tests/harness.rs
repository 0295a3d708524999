//! What runs a function on both sides, on a million inputs.

use std::sync::LazyLock;

use rayon::prelude::*;

use crate::gpu::binding::Binding;
use crate::gpu::device::{self, Gpu};
use crate::gpu::options::Options;
use crate::gpu::twins::input::{Input, Random, touch};
use crate::gpu::twins::run::{GROUP, send, upload};
use crate::gpu::twins::twin::{LANDED, Twin, source};
use crate::ground::linear::Snapped;
use crate::ground::predicate::Core;
use crate::ground::touch::Touch;
use crate::world::atlas::Atlas;
use crate::world::filter::Filter;
use crate::world::packed::{Body, Packed};

/// Inputs of a function.
pub(super) const CASES: usize = 1 << 20;

/// Masks of noise.
pub(super) static ATLAS: LazyLock<Packed> = LazyLock::new(|| {
    let mut random = Random::new(0);
    Packed { atlas: Atlas::of((0..1 << 14).map(|_| random.next()).collect()), ..Packed::default() }
});

/// The texts of a module's files, besides those that all twins have.
pub(super) struct Files<'a> {
    pub(super) texts: &'a [&'a str],
    /// Whether they declare `landed`, where inputs are, as something to be written.
    pub(super) write_landed: bool,
}

/// No file but those that all twins have.
pub(super) const NO_MORE: Files<'static> = Files { texts: &[LANDED], write_landed: false };

/// Reads more of an input than `shaders/twins/read.wgsl` does.
const READ: &str = "
fn body() -> Body {
    return Body(point(0), point(2), Snapped(point(4), point(6)), Aabb(point(8), point(10)),
        word(12), int(13), word(14), word(15), word(16), word(17), word(18), word(19));
}
fn filter_at(k: u32) -> Filter { return Filter(word(k), word(k + 1u), word(k + 2u)); }
fn find() -> Apart {
    if touch() == TOUCH_EXCLUDED && int(1) == 0 && !(has_area(core_a(), point(2)) && has_area(core_b(), vec2<i32>())) {
        return TOGETHER;
    }
    return find_apart(core_a(), core_b(), point(2), int(1), touch());
}
fn walk_on(start: Walk, edges: u32) -> vec4<u32> {
    var walk = start;
    for (var k = 0u; k < edges && next_edge(walk) <= TICKS; k++) {
        cross_edges(&walk, next_edge(walk));
    }
    return vec4<u32>(bitcast<vec2<u32>>(walk.at), walk.tick, next_edge(walk));
}

fn word_two(v: vec2<u32>) -> Wide { return v; }
fn word_pair(v: Divided) -> Wide { return Wide(v.quotient, v.rest); }
fn end_of(v: EndShift) -> vec4<u32> {
    return select(vec4<u32>(), vec4<u32>(bitcast<vec2<u32>>(v.by), 1u, 0u), v.same);
}
";

impl<'a> Input<'a> {
    pub(super) fn core_b(self) -> Core<'a> {
        self.hull_or_square(16, self.word(0) >> 4 & 15)
    }

    pub(super) fn touch(self) -> Touch {
        touch(self.word(0) >> 8)
    }

    pub(super) fn snapped(self, k: usize) -> Snapped {
        Snapped { x: [self.int(k), self.int(k + 1)], y: [self.int(k + 2), self.int(k + 3)] }
    }

    pub(super) fn body(self) -> Body {
        bytemuck::cast_slice(&self.0[..20])[0]
    }

    pub(super) fn filter(self, k: usize) -> Filter {
        bytemuck::cast_slice(&self.0[k..k + 3])[0]
    }
}

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
    pub(super) fn check(&self, twin: Twin, files: &Files<'_>, inputs: &[u32], buffer: &wgpu::Buffer) -> Vec<u128> {
        let (name, words) = (twin.name, twin.words);
        let host: Vec<u128> = inputs.par_chunks_exact(words).map(|input| twin.host(input)).collect();
        let source = source(&[twin], CASES, words, &[&[READ], files.texts].concat());
        let bound = [(Binding::Atlas as u32, &self.atlas, true), (Binding::Landed as u32, buffer, !files.write_landed)];
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

/// Compares functions that have only `files` in common.
pub(super) fn check(files: &Files<'_>, twins: Vec<Twin>) {
    let device = Device::new();
    for twin in twins {
        let inputs = inputs(&twin);
        let buffer = device.upload(&inputs);
        device.check(twin, files, &inputs, &buffer);
    }
}
