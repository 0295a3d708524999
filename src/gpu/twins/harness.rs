//! What runs a function on both sides: how it reads an input and gives an answer, which inputs there are, and the
//! device.

use std::sync::LazyLock;

use rayon::prelude::*;
use wgpu::util::{BufferInitDescriptor, DeviceExt};

use crate::geometry::{Aabb, Point};
use crate::gpu::binding::Binding;
use crate::gpu::modules;
use crate::ground::lattice::WORLD;
use crate::ground::linear::Snapped;
use crate::ground::predicate::{Core, Normal};
use crate::world::atlas::Atlas;
use crate::world::filter::Filter;
use crate::world::packed::{Body, Packed};
use crate::{Touch, gpu};

/// Inputs of a function.
pub(super) const CASES: usize = 1 << 20;

/// Words where carries, signs and limits change, the most telling first.
const EDGES: [i32; 25] = [
    0,
    -1,
    1,
    i32::MIN,
    i32::MAX,
    0xFFFF,
    1 << 16,
    WORLD,
    -WORLD,
    -(1 << 16),
    1 << 29,
    -(1 << 29),
    1 << 15,
    (1 << 15) - 1,
    -(1 << 15),
    255,
    -255,
    256,
    -256,
    -0xFFFF,
    1 << 30,
    -(1 << 30),
    DIFFERENCE,
    -DIFFERENCE,
    1 << 8 | 1 << 24,
];

/// The most that a coordinate of a difference of two cores is, one of them swept.
pub(super) const DIFFERENCE: i32 = 5 << 28;

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

/// No file but those that all twins have: what these read is declared.
pub(super) const NO_MORE: Files<'static> = Files { texts: &[DECLARED], write_landed: false };

/// What the files of all twins read.
const DECLARED: &str = "
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read> landed: array<u32>;
";

/// The number under which answers are bound in `PRELUDE`.
const ANSWERS: u32 = 20;

/// Reads an input, which begins at word `start` of `landed`, and makes any answer four words; [`Input`] and [`Answer`]
/// on the host.
const PRELUDE: &str = "
@group(0) @binding(20) var<storage, read_write> answers: array<vec4<u32>>;
var<private> start: u32;

fn word(k: u32) -> u32 { return landed[start + k]; }
fn int(k: u32) -> i32 { return bitcast<i32>(word(k)); }
fn long(k: u32) -> Wide { return Wide(word(k), word(k + 1u)); }
fn longest(k: u32) -> Widest { return Widest(long(k), long(k + 2u)); }
fn point(k: u32) -> vec2<i32> { return vec2<i32>(int(k), int(k + 1u)); }
fn normal(k: u32) -> Normal { return Normal(long(k), long(k + 2u)); }
fn body() -> Body {
    return Body(point(0), point(2), Snapped(point(4), point(6)), Aabb(point(8), point(10)),
        word(12), int(13), word(14), word(15), word(16), word(17), word(18), word(19));
}
fn filter_at(k: u32) -> Filter { return Filter(word(k), word(k + 1u), word(k + 2u)); }
fn hull_or_square(k: u32, count: u32) -> Core {
    if count == 0u { return square(Aabb(point(k), point(k + 2u))); }
    return hull(start + k, count);
}
fn core_a() -> Core { return hull_or_square(4, word(0) & 15u); }
fn core_b() -> Core { return hull_or_square(16, (word(0) >> 4u) & 15u); }
fn touch() -> u32 { return word(0) >> 8u; }
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

fn of_bool(v: bool) -> vec4<u32> { return vec4<u32>(u32(v), 0u, 0u, 0u); }
fn of_word(v: u32) -> vec4<u32> { return vec4<u32>(v, 0u, 0u, 0u); }
fn of_int(v: i32) -> vec4<u32> { return of_word(bitcast<u32>(v)); }
fn of_long(v: Wide) -> vec4<u32> { return vec4<u32>(v, 0u, 0u); }
fn of_words(v: vec4<u32>) -> vec4<u32> { return v; }
fn of_point(v: vec2<i32>) -> vec4<u32> { return of_long(bitcast<vec2<u32>>(v)); }
fn of_box(v: Aabb) -> vec4<u32> { return bitcast<vec4<u32>>(vec4<i32>(v.min, v.max)); }
fn of_normal(v: Normal) -> vec4<u32> { return vec4<u32>(v.x, v.y); }
fn of_apart(v: Apart) -> vec4<u32> { return select(vec4<u32>(0x7FFFFFFFu), of_normal(v.normal), v.yes); }
";

/// An input, on the host.
#[derive(Clone, Copy)]
pub(super) struct Input<'a>(pub(super) &'a [u32]);

impl<'a> Input<'a> {
    pub(super) fn word(self, k: usize) -> u32 {
        self.0[k]
    }

    pub(super) fn int(self, k: usize) -> i32 {
        self.0[k] as i32
    }

    pub(super) fn long(self, k: usize) -> i64 {
        i64::from(self.int(k + 1)) << 32 | i64::from(self.word(k))
    }

    pub(super) fn longest(self, k: usize) -> u128 {
        self.normal(k).bits()
    }

    pub(super) fn point(self, k: usize) -> Point {
        Point::new(self.int(k), self.int(k + 1))
    }

    pub(super) fn normal(self, k: usize) -> Normal {
        [self.long(k), self.long(k + 2)]
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

    fn hull_or_square(self, k: usize, count: u32) -> Core<'a> {
        match count {
            0 => Core::Square(Aabb { min: self.point(k), max: self.point(k + 2) }),
            _ => Core::Hull(bytemuck::cast_slice(&self.0[k..k + 2 * count as usize])),
        }
    }

    pub(super) fn core_a(self) -> Core<'a> {
        self.hull_or_square(4, self.word(0) & 15)
    }

    pub(super) fn core_b(self) -> Core<'a> {
        self.hull_or_square(16, self.word(0) >> 4 & 15)
    }

    pub(super) fn touch(self) -> Touch {
        touch(self.word(0) >> 8)
    }
}

pub(super) fn touch(word: u32) -> Touch {
    if word == 0 { Touch::Excluded } else { Touch::Included }
}

/// What a function gives, as four words, the lowest first.
pub(super) trait Answer {
    /// What makes it words in WGSL.
    const WGSL: &str;
    fn bits(self) -> u128;
}

macro_rules! answers {
    ($($ty:ty, $wgsl:literal, $v:ident => $bits:expr;)*) => {
        $(impl Answer for $ty {
            const WGSL: &str = $wgsl;
            fn bits(self) -> u128 {
                let $v = self;
                $bits
            }
        })*
    };
}

answers! {
    bool, "of_bool", v => v.into();
    u32, "of_word", v => v.into();
    i32, "of_int", v => (v as u32).into();
    i64, "of_long", v => (v as u64).into();
    u64, "of_long", v => v.into();
    u128, "of_words", v => v;
    Point, "of_point", v => u128::from(v.x as u32) | u128::from(v.y as u32) << 32;
    Aabb, "of_box", v => v.min.bits() | v.max.bits() << 64;
    Normal, "of_normal", v => v[0].bits() | v[1].bits() << 64;
    // No component of a normal is this large.
    Option<Normal>, "of_apart", v => v.map_or(0x7FFF_FFFF_7FFF_FFFF_7FFF_FFFF_7FFF_FFFF, Answer::bits);
}

/// A function under test.
pub(super) struct Twin {
    name: &'static str,
    /// The words of an input.
    words: usize,
    /// Makes any words an input in the function's range.
    fit: fn(&mut [u32]),
    wgsl: String,
    host: Box<dyn Fn(Input<'_>) -> u128 + Sync>,
}

/// A function of that name, on `words` words, in WGSL and on the host.
pub(super) fn twin<A: Answer>(
    name: &'static str,
    words: usize,
    wgsl: &str,
    host: impl Fn(Input<'_>) -> A + Sync + 'static,
) -> Twin {
    let wgsl = format!("{}({wgsl})", A::WGSL);
    Twin { name, words, fit: |_| {}, wgsl, host: Box::new(move |input| host(input).bits()) }
}

impl Twin {
    pub(super) fn fit(self, fit: fn(&mut [u32])) -> Self {
        Self { fit, ..self }
    }

    /// Inputs: all combinations of as many edges as there is room for, and at random.
    fn inputs(&self) -> Vec<u32> {
        let combinations = |edges: usize| edges.pow(self.words as u32);
        let fit = |&edges: &usize| self.words < 9 && combinations(edges) <= CASES / 2;
        let edges = (1..=EDGES.len()).take_while(fit).last();
        let edges = edges.unwrap_or(1);
        let mut inputs = vec![0; self.words * CASES];
        inputs.par_chunks_exact_mut(self.words).enumerate().for_each(|(case, input)| {
            let mut random = Random::new(case);
            let mut rest = case;
            for k in 0..self.words {
                input[k] = if case < combinations(edges) { EDGES[rest % edges] as u32 } else { random.word() };
                // Half of the halves of a wide number are no more than its sign.
                if case >= combinations(edges) && k > 0 && random.below(4) == 0 {
                    input[k] = (input[k - 1] as i32 >> 31) as u32;
                }
                rest /= edges;
            }
            (self.fit)(input);
        });
        inputs
    }

    /// Compares the two sides on all inputs; the answers.
    pub(super) fn check(&self, gpu: &Gpu, files: &Files<'_>, inputs: &[u32], buffer: &wgpu::Buffer) -> Vec<u128> {
        let host: Vec<u128> = inputs.par_chunks_exact(self.words).map(|input| (self.host)(Input(input))).collect();
        let source = format!(
            "{}\n{PRELUDE}
            @compute @workgroup_size(64)
            fn twin(@builtin(global_invocation_id) id: vec3<u32>) {{
                start = {}u * id.x;
                answers[id.x] = {};
            }}",
            [&[modules::TYPES, modules::WIDE, modules::TICKS, modules::PREDICATE], files.texts].concat().join("\n"),
            self.words,
            self.wgsl
        );
        let found = gpu.answers(&source, files.write_landed, buffer);
        let mut wrong = (0..CASES).filter(|&case| found[case] != host[case]);
        if let Some(case) = wrong.next() {
            let input: Vec<i32> = inputs[case * self.words..][..self.words].iter().map(|&word| word as i32).collect();
            let (name, wrong, found, host) = (self.name, wrong.count() + 1, found[case], host[case]);
            panic!("{name}: {wrong} of {CASES} differ; input {case} is {input:?}: GPU {found:#x}, host {host:#x}");
        }
        host
    }
}

/// Compares functions that have only `files` in common.
pub(super) fn check(files: &Files<'_>, twins: Vec<Twin>) {
    let gpu = Gpu::new();
    for twin in twins {
        let inputs = twin.inputs();
        twin.check(&gpu, files, &inputs, &gpu.upload(&inputs));
    }
}

/// `SplitMix64` (Steele, Lea and Flood, 2014), from a place of its own for each case.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(case: usize) -> Self {
        Self((case as u64) << 24)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end
    }

    pub(super) fn within(&mut self, min: i32, max: i32) -> i32 {
        (i64::from(min) + self.below((i64::from(max) - i64::from(min) + 1) as usize) as i64) as i32
    }

    pub(super) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// A word of any size, of either sign, or an edge.
    fn word(&mut self) -> u32 {
        match self.below(3) {
            0 => self.of(&EDGES) as u32,
            _ => (self.next() as i32 >> self.below(32)) as u32,
        }
    }
}

/// The device that runs WGSL: the GPU that the engine takes, on exactly wgpu's default limits.
pub(super) struct Gpu {
    device: wgpu::Device,
    queue: wgpu::Queue,
    atlas: wgpu::Buffer,
}

impl Gpu {
    pub(super) fn new() -> Self {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let wanted = gpu::wanted(None).or_else(|| gpu::list().first().map(|info| info.name.clone()));
        let named = |adapter: &wgpu::Adapter| {
            let name = adapter.get_info().name.to_lowercase();
            wanted.as_ref().is_some_and(|wanted| name.contains(&wanted.to_lowercase()))
        };
        let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
        let adapter = adapters.into_iter().find(named).unwrap_or_else(|| {
            panic!("no GPU like {wanted:?}; a Vulkan driver is wanted: `./test` installs one in software")
        });
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            required_limits: wgpu::Limits::default(),
            ..Default::default()
        }))
        .expect("a device opens on wgpu's default limits");
        let atlas = upload(&device, ATLAS.halves());
        Self { device, queue, atlas }
    }

    pub(super) fn upload(&self, words: &[u32]) -> wgpu::Buffer {
        upload(&self.device, words)
    }

    /// What the entry point `twin` of a module answers to all inputs.
    fn answers(&self, source: &str, write_inputs: bool, inputs: &wgpu::Buffer) -> Vec<u128> {
        let device = &self.device;
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: None,
            source: wgpu::ShaderSource::Wgsl(source.into()),
        });
        let buffer = |usage| {
            let size = CASES as u64 * 16;
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let answers = buffer(wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
        let staging = buffer(wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ);
        let bound = [
            (Binding::Atlas as u32, &self.atlas, true),
            (Binding::Landed as u32, inputs, !write_inputs),
            (ANSWERS, &answers, false),
        ];
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &bound.map(|(binding, _, read_only)| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Storage { read_only },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }),
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &bound
                .map(|(binding, buffer, _)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() }),
        });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            })),
            module: &module,
            entry_point: Some("twin"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(CASES as u32 / 64, 1, 1);
        drop(pass);
        encoder.copy_buffer_to_buffer(&answers, 0, &staging, 0, staging.size());
        self.queue.submit([encoder.finish()]);
        staging.slice(..).map_async(wgpu::MapMode::Read, |mapped| mapped.expect("answers are mapped"));
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the GPU answers");
        let view = staging.slice(..).get_mapped_range().expect("answers are mapped");
        bytemuck::pod_collect_to_vec(&view)
    }
}

fn upload(device: &wgpu::Device, words: &[u32]) -> wgpu::Buffer {
    let contents = bytemuck::cast_slice(words);
    device.create_buffer_init(&BufferInitDescriptor { label: None, contents, usage: wgpu::BufferUsages::STORAGE })
}
