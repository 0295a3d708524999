//! Kernels on their own, and helpers, for the project's benchmarks and tools. Not part of the public API: any version
//! may change it.

use crate::bits::rows::{self, Rows, meet_in};
use crate::cpu::broad::strips::Strips;
use crate::cpu::means::Means;
use crate::cpu::narrow::paint::paint_body;
use crate::cpu::team::Team;
#[cfg(feature = "gpu")]
use crate::gpu::modules::{Module, Wide};
#[cfg(feature = "gpu")]
use crate::gpu::{self, header, modules, self_test};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::memory::Room;
use crate::ground::predicate::{self, Core};
#[cfg(feature = "scene")]
use crate::ground::text;
use crate::ground::touch::Touch;
use crate::mask::Mask;
#[cfg(feature = "scene")]
use crate::scene;
use crate::simd::Simd;
use crate::simd::{Kernel, Lanes};
use crate::world::World;
use crate::world::packed::Body;
use crate::world::pose::texel::sample;

/// Gives a saved file of at least 48 bytes the length and the digest that its bytes need.
pub fn seal(file: &mut [u8]) {
    crate::world::save::file::end(file);
}

/// Returns the shader modules as sent to the driver: the name and the text of each.
#[cfg(feature = "gpu")]
pub fn shaders() -> impl Iterator<Item = (&'static str, String)> {
    let made = |module: Module| (module.name, module.source(Wide::Words));
    modules::ALL.into_iter().map(made).chain([("self_test", self_test::shader(Wide::Words))])
}

/// Returns the modules that differ if the GPU has 64-bit integers.
#[cfg(feature = "gpu")]
pub fn int64_shaders() -> impl Iterator<Item = (&'static str, String)> {
    let made = |module: Module| (module.name, module.source(Wide::Native));
    modules::ALL.into_iter().filter(Module::has_wide).map(made).chain([("self_test", self_test::shader(Wide::Native))])
}

/// The inputs for a GPU with the right answers, as plain data.
#[cfg(feature = "gpu")]
pub mod vectors {
    pub use crate::gpu::vectors::{Command, Expected, Function, Module, PAGE, Step, Upload, atlas, functions, modules};
}

/// Returns options for an engine that uses tables of columns and samples turned sprites as on hardware, also on a
/// software GPU. Its dispatches stay as short as in software.
#[cfg(feature = "gpu")]
#[must_use]
pub fn as_hardware(mut options: gpu::Options) -> gpu::Options {
    (options.tables, options.samples) = (Some(true), Some(true));
    options
}

/// Returns options for an engine whose broad phase compares columns and does not look them up in tables.
#[cfg(feature = "gpu")]
#[must_use]
pub fn without_tables(mut options: gpu::Options) -> gpu::Options {
    options.tables = Some(false);
    options
}

/// Returns options for an engine that paints turned sprites and does not sample them.
#[cfg(feature = "gpu")]
#[must_use]
pub fn without_samples(mut options: gpu::Options) -> gpu::Options {
    options.samples = Some(false);
    options
}

/// Returns options for an engine that compiles each pipeline when a step first needs it.
#[cfg(feature = "gpu")]
#[must_use]
pub fn lazy(mut options: gpu::Options) -> gpu::Options {
    options.lazy = true;
    options
}

/// Returns a new engine on the device of another, which has learnt nothing yet but shares the pipelines, as software
/// drivers take seconds to compile them. Panics if the options need another device or other pipelines.
#[cfg(feature = "gpu")]
pub fn beside(engine: &gpu::Engine, options: &gpu::Options) -> Result<gpu::Engine> {
    engine.beside(options)
}

/// Returns the time that the driver takes for each pipeline of the engine, one after the other, by entry point. The
/// shader's module is made with its first pipeline.
#[cfg(feature = "gpu")]
pub fn compile_times(options: &gpu::Options) -> Result<Vec<(&'static str, std::time::Duration)>> {
    gpu::Engine::compile_times(options)
}

/// Finds the adapter that an engine with these options would open.
#[cfg(feature = "gpu")]
pub fn adapter(options: &gpu::Options) -> Result<wgpu::Adapter> {
    gpu::find(options)
}

/// Returns the name of the GPU to look for: `name`, else the environment variable `WGPU_ADAPTER_NAME`; `None` if it is
/// blank.
///
/// ```
/// use hitmask::internals::wanted;
///
/// assert_eq!(wanted(Some("radeon")), Some("radeon".into()));
/// assert_eq!(wanted(Some(" ")), None);
/// ```
#[cfg(feature = "gpu")]
#[must_use]
pub fn wanted(name: Option<&str>) -> Option<String> {
    gpu::wanted(name)
}

/// Returns a key by which to sort adapters, the one that an engine would open first.
///
/// ```
/// use hitmask::{internals, wgpu};
///
/// let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
/// let adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
/// let best = adapters.iter().min_by_key(|adapter| internals::preference(&adapter.get_info()));
/// assert!(best.is_some(), "no GPU");
/// ```
#[cfg(feature = "gpu")]
#[must_use]
pub fn preference(info: &wgpu::AdapterInfo) -> impl Ord + use<> {
    gpu::preference(info)
}

/// The size in bytes of the counts at the start of the buffer of [`Results::counts`](crate::gpu::Results::counts).
#[cfg(feature = "gpu")]
pub const HEADER_BYTES: u64 = header::BYTES;

/// Returns the lengths of the lists that a step on the GPU has made, by name, from at least [`HEADER_BYTES`] bytes of
/// the buffer of [`Results::counts`](crate::gpu::Results::counts).
#[cfg(feature = "gpu")]
#[must_use]
pub fn lists(bytes: &[u8]) -> Vec<(&'static str, u64)> {
    header::lists(bytes)
}

/// Escapes a text for a terminal or a log: characters that move the cursor, change the direction of what follows, or
/// are invisible are escaped as in Rust.
///
/// ```
/// use hitmask::internals::printable;
///
/// assert_eq!(printable("a ship, größer: 船"), "a ship, größer: 船");
/// assert_eq!(printable("\u{1b}[2J\n"), r"\u{1b}[2J\n");
/// assert_eq!(printable("gpj.\u{202e}png"), r"gpj.\u{202e}png"); // a terminal would show "gpj.gnp"
/// ```
#[cfg(feature = "scene")]
#[must_use]
pub fn printable(text: &str) -> String {
    text::printable(text)
}

/// Reads a whole file, which must be a regular one, within limits. The error names it.
#[cfg(feature = "scene")]
pub fn read_file(path: &std::path::Path) -> Result<Vec<u8>> {
    scene::file::read(path)
}

/// Reads bodies from the text of a CSV file.
#[cfg(feature = "scene")]
pub fn bodies_of_csv(text: &[u8]) -> Result<Vec<scene::BodySpec>> {
    let mut bodies = Vec::new();
    scene::rows::parse(text, "the bodies".as_ref(), &mut bodies)?;
    Ok(bodies)
}

/// The number of 32-bit numbers handled at once.
pub const WIDTH: usize = crate::simd::WIDTH;

/// Returns how many of these boxes, given by their left, right, top and bottom sides, meet one with its sides at `near`
/// and `far`.
#[must_use]
pub fn count_boxes(simd: Simd, blocks: &[[[i32; WIDTH]; 4]], near: i32, far: i32) -> u32 {
    simd.run(CountBoxes { blocks, near, far })
}

struct CountBoxes<'a> {
    blocks: &'a [[[i32; WIDTH]; 4]],
    near: i32,
    far: i32,
}

impl Kernel for CountBoxes<'_> {
    type Output = u32;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> u32 {
        let Self { blocks, near, far } = self;
        let mut met = 0;
        for [left, right, top, bottom] in blocks {
            met += (lanes.within(left, far, right, near) & lanes.within(top, far, bottom, near)).count_ones();
        }
        met
    }
}

/// The sort of a world's bodies into strips, on the caller's thread.
#[derive(Debug, Default)]
pub struct Sort(Strips);

impl Sort {
    /// Sorts all bodies from scratch.
    pub fn run(&mut self, world: &World, simd: Simd) -> Result<()> {
        self.0.sort(world.packed(), Means { simd, team: Team { helpers: None }, room: &Room::default() })
    }
}

/// Two masks, the second at an offset, as engines compare them.
#[derive(Clone, Copy, Debug)]
pub struct MaskPair<'a>([Rows<'a>; 2]);

impl<'a> MaskPair<'a> {
    /// Returns their rows, with the blocks of large masks or without.
    #[must_use]
    pub fn new(a: &'a Mask, b: &'a Mask, offset: [i32; 2], blocks: bool) -> Self {
        let placed = |mask: &'a Mask, [x, y]: [i32; 2]| {
            let max = Point::new(x + mask.width() as i32, y + mask.height() as i32);
            let at = Point::new(x, y);
            let blocks = mask.blocks().filter(|_| blocks);
            Rows { words: mask.words(), stride: mask.stride() as usize, at, bounds: Aabb { min: at, max }, blocks }
        };
        Self([placed(a, [0, 0]), placed(b, offset)])
    }

    /// Returns whether some pixel is set in both.
    #[must_use]
    pub fn meet(&self, simd: Simd) -> bool {
        rows::meet(|| simd, &self.0[0], &self.0[1])
    }

    /// Returns how many pixels are set in both.
    #[must_use]
    pub fn area(&self, simd: Simd) -> u64 {
        rows::area(simd, &self.0[0], &self.0[1])
    }

    /// Returns how many of some pairs have a pixel in common.
    #[must_use]
    pub fn count(simd: Simd, pairs: &[Self]) -> usize {
        simd.run(Pairs(pairs))
    }
}

struct Pairs<'a>(&'a [MaskPair<'a>]);

impl Kernel for Pairs<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> usize {
        // No closure: it would be compiled without the kernel's instructions.
        let mut hits = 0;
        for MaskPair([a, b]) in self.0 {
            hits += usize::from(meet_in(lanes, a, b));
        }
        hits
    }
}

/// Counts the bits set in both of as many words of each: a lower bound for comparing masks.
#[must_use]
pub fn count_common(simd: Simd, a: &[u64], b: &[u64]) -> u64 {
    simd.run(CountCommon(a, b))
}

struct CountCommon<'a>(&'a [u64], &'a [u64]);

impl Kernel for CountCommon<'_> {
    type Output = u64;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> u64 {
        self.0.iter().zip(self.1).map(|(a, b)| u64::from((a & b).count_ones())).sum()
    }
}

fn bodies(world: &World) -> impl Iterator<Item = Body> + '_ {
    (0..world.packed().len()).map(|index| world.packed().body(index))
}

/// Returns the number of pixels around all sprites of a world, in whole words.
#[must_use]
pub fn pixels(world: &World) -> u64 {
    bodies(world).map(|body| 64 * body.painted_words() as u64).sum()
}

/// Paints all bodies of a world of turned sprites, one after another into the same words.
pub fn paint(simd: Simd, world: &World, words: &mut Vec<u64>) {
    let most = bodies(world).map(|body| body.painted_words()).max().unwrap_or(0);
    words.resize(most, 0);
    simd.run(Paint(world, words));
}

struct Paint<'a>(&'a World, &'a mut [u64]);

impl Kernel for Paint<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let packed = self.0.packed();
        for body in bodies(self.0) {
            let shape = &packed.shapes[body.shape as usize];
            let pixels = body.pixels();
            let words = &mut self.1[..body.painted_words()];
            paint_body(lanes, packed, &body, shape, pixels.min.y..pixels.max.y, words);
        }
    }
}

/// Paints the same pixels a word at a time, as for sprites too large to be painted ahead, and returns a checksum.
#[must_use]
pub fn sample_all(world: &World) -> u64 {
    let packed = world.packed();
    let words = bodies(world).flat_map(|body| {
        let shape = &packed.shapes[body.shape as usize];
        let Aabb { min, max } = body.pixels();
        let columns = move || (min.x..max.x).step_by(64);
        (min.y..max.y).flat_map(move |y| columns().map(move |x| sample(packed, &body, shape, x, y)))
    });
    words.fold(0, |all, word| all ^ word)
}

/// Two convex cores by their vertices, the sum of their radii, and the motion of the first.
#[derive(Clone, Debug)]
pub struct Cores {
    /// The vertices of the first.
    pub a: Vec<Point>,
    /// The vertices of the second.
    pub b: Vec<Point>,
    /// The sum of the radii.
    pub radius: i32,
    /// The motion of the first.
    pub sweep: Point,
}

impl Cores {
    /// Returns whether no direction separates them, at rest.
    #[must_use]
    pub fn together(&self, touch: Touch) -> bool {
        predicate::apart(Core::Hull(&self.a), Core::Hull(&self.b), Point::ZERO, self.radius, touch).is_none()
    }

    /// Returns whether they hit, with the first swept along its whole motion.
    #[must_use]
    pub fn meet(&self, moving: bool, touch: Touch) -> bool {
        let sweep = if moving { self.sweep } else { Point::ZERO };
        predicate::meets(Core::Hull(&self.a), Core::Hull(&self.b), sweep, self.radius, touch)
    }

    /// Returns the tick at which they first hit.
    #[must_use]
    pub fn first_contact(&self, touch: Touch) -> Option<u32> {
        predicate::first_contact(Core::Hull(&self.a), Core::Hull(&self.b), self.sweep, self.radius, touch)
    }
}
