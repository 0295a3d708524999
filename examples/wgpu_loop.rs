//! A game with a wgpu loop of its own: device, queue and passes. Rotated sprites fly about at up to half their size per
//! step. Those that hit something are drawn red in the same frame, using flags that never leave the GPU. Prints the
//! mean number of red balls.
//!
//! `cargo run --release --example wgpu_loop -- last.png` also writes the last frame.

use std::error::Error;
use std::path::Path;

use hitmask::wgpu;
use hitmask::{Ask, Bodies, Body, Engine, Linear, Mask, Shape, World, gpu};

const BALLS: usize = 20;
const FRAMES: u32 = 60;
/// The side of the picture, in pixels.
const SIDE: u32 = 512;
/// The radius of a drawn ball, in pixels. The mask's radius is one pixel more.
const RADIUS: u32 = 31;
const RED: u32 = 0xFF30_30FF;
const BLUE: u32 = 0xFFFF_A050;

/// The game's shader. `keep` copies complete flags, one word per invocation; `draw` draws one ball per invocation.
/// `Screen::open` prepends the constants.
const DRAW: &str = "
struct Counts { pairs: u32, complete: u32, skipped: u32, whole: u32 }
@group(0) @binding(0) var<storage, read> counts: Counts;
@group(0) @binding(1) var<storage, read> flags: array<u32>;
@group(0) @binding(2) var<storage, read_write> kept: array<u32>;
@group(0) @binding(3) var<storage, read> places: array<vec2<f32>>;
@group(0) @binding(4) var<storage, read_write> picture: array<u32>;

// Until the engine has learnt what the world needs, flags may be incomplete; then those of the frame before are kept.
@compute @workgroup_size(64)
fn keep(@builtin(global_invocation_id) id: vec3<u32>) {
    if (counts.whole & FLAGS) == FLAGS && id.x < arrayLength(&flags) {
        kept[id.x] = flags[id.x];
    }
}

@compute @workgroup_size(64)
fn draw(@builtin(global_invocation_id) id: vec3<u32>) {
    let ball = id.x;
    if ball >= arrayLength(&places) {
        return;
    }
    let hit = ((kept[ball / 32u] >> (ball % 32u)) & 1u) == 1u;
    let centre = vec2<i32>(places[ball]);
    for (var y = -RADIUS; y <= RADIUS; y++) {
        for (var x = -RADIUS; x <= RADIUS; x++) {
            let at = centre + vec2<i32>(x, y);
            if x * x + y * y < RADIUS * RADIUS && all(at >= vec2<i32>(0)) && all(at < vec2<i32>(SIDE)) {
                picture[at.y * SIDE + at.x] = select(BLUE, RED, hit);
            }
        }
    }
}";

/// The game's own GPU resources.
struct Screen {
    device: wgpu::Device,
    queue: wgpu::Queue,
    layout: wgpu::BindGroupLayout,
    /// The pipelines of `keep` and `draw`.
    pipelines: [wgpu::ComputePipeline; 2],
    kept: wgpu::Buffer,
    places: wgpu::Buffer,
    picture: wgpu::Buffer,
}

impl Screen {
    fn open() -> Result<Self, Box<dyn Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))?;
        let constants = format!(
            "const SIDE: i32 = {SIDE}; const RADIUS: i32 = {RADIUS}; const RED: u32 = {RED}u; const BLUE: u32 = {BLUE}u;
            const FLAGS: u32 = {}u;",
            gpu::Whole::FLAGS.bits()
        );
        let source = wgpu::ShaderSource::Wgsl((constants + DRAW).into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let entries: Vec<_> = (0..5)
            .map(|binding| wgpu::BindGroupLayoutEntry {
                binding,
                visibility: wgpu::ShaderStages::COMPUTE,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Storage { read_only: [0, 1, 3].contains(&binding) },
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            })
            .collect();
        let descriptor = wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries };
        let layout = device.create_bind_group_layout(&descriptor);
        let all = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipelines = ["keep", "draw"].map(|entry| {
            device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: Some(&all),
                module: &module,
                entry_point: Some(entry),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                cache: None,
            })
        });
        let buffer = |size: usize| {
            let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
            let size = size as u64;
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let [kept, places, picture] = [4 * BALLS.div_ceil(32), 8 * BALLS, 4 * (SIDE * SIDE) as usize].map(buffer);
        Ok(Self { device, queue, layout, pipelines, kept, places, picture })
    }

    /// Draws all balls at their positions, coloured by the flags of a step submitted in this frame.
    fn draw(&self, places: &[[f32; 2]], results: &gpu::Results<'_>) {
        self.queue.write_buffer(&self.places, 0, bytemuck::cast_slice(places));
        let own = [&self.kept, &self.places, &self.picture].map(wgpu::Buffer::as_entire_buffer_binding);
        let buffers = [results.counts(), results.flags()].into_iter().chain(own);
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::Buffer(buffer) })
            .collect();
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &self.layout, entries: &entries };
        let group = self.device.create_bind_group(&descriptor);
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.clear_buffer(&self.picture, 0, None);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        for pipeline in &self.pipelines {
            pass.set_pipeline(pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups((BALLS as u32).div_ceil(64), 1, 1);
        }
        drop(pass);
        self.queue.submit([encoder.finish()]);
    }

    /// Reads the pixels back. Only the check needs this; a game does not.
    fn pixels(&self) -> Result<Vec<u32>, Box<dyn Error>> {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let size = self.picture.size();
        let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        let there = self.device.create_buffer(&descriptor);
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&self.picture, 0, &there, 0, size);
        self.queue.submit([encoder.finish()]);
        there.map_async(wgpu::MapMode::Read, .., |mapped| mapped.expect("it can be mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(bytemuck::pod_collect_to_vec(&there.get_mapped_range(..)?))
    }
}

/// Plays all frames, and writes the last one if there is a path for it. Returns the text to print.
pub(crate) fn run(path: Option<&Path>) -> Result<String, Box<dyn Error>> {
    let screen = Screen::open()?;
    let mut engine = gpu::Engine::from_device(screen.device.clone(), screen.queue.clone())?;
    let mut world = World::default();
    let half = f64::from(RADIUS + 1);
    let mut mask = Mask::new(2 * (RADIUS + 1), 2 * (RADIUS + 1))?;
    mask.draw_disc([half; 2], half)?;
    let ball = world.add_shape(Shape::sprite(mask).anchored([half; 2])?)?;
    let spread = |k: usize, by: usize| ((k * by) % 431) as f32 + 40.5;
    let mut places: Vec<[f32; 2]> = (0..BALLS).map(|k| [spread(k, 197), spread(k, 151)]).collect();
    let mut ways: Vec<[f32; 2]> =
        (0..BALLS).map(|k| [(k % 7) as f32 * 8.0 - 24.0, (k % 5) as f32 * 10.0 - 20.0]).collect();
    for (k, place) in places.iter().enumerate() {
        world.add(&Body::new(ball, place.map(f64::from)).posed(Linear::from_degrees(k as f64 * 33.0)))?;
    }
    let (mut cpu, mut kept, mut hits) = (Engine::cpu()?, vec![0; BALLS.div_ceil(32)], 0);
    for frame in 0..FRAMES {
        for (place, way) in places.iter().zip(&mut ways) {
            for axis in 0..2 {
                if !(32.0..SIDE as f32 - 32.0).contains(&(place[axis] + way[axis])) {
                    way[axis] = -way[axis];
                }
            }
        }
        world.set_moving(Bodies::All, &places, &ways)?;
        let ticket = engine.submit(&world, gpu::Request::new(Ask::Flags).resident())?;
        for (place, way) in places.iter_mut().zip(&ways) {
            *place = [place[0] + way[0], place[1] + way[1]];
        }
        screen.draw(&places, &ticket.results());
        // The answer is not read back; the engine still learns from the counts of the step.
        drop(ticket);
        // Only this check waits for the GPU in each frame; a game does not. Each frame is drawn with the flags that the
        // CPU finds, but the first two may use those of the frame before.
        let (pixels, right) = (screen.pixels()?, cpu.run(&world, Ask::Flags)?.flags);
        if is_drawn(&pixels, &places, &right) {
            kept = right;
        } else {
            assert!(frame < 2 && is_drawn(&pixels, &places, &kept), "frame {frame}");
        }
        hits += kept.iter().map(|word| word.count_ones()).sum::<u32>();
    }
    let text = format!("{FRAMES} frames, in which {} of {BALLS} balls are red on average", hits / FRAMES);
    if let Some(path) = path {
        let bytes = screen.pixels()?.into_iter().flat_map(|pixel| (pixel | 0xFF << 24).to_le_bytes()).collect();
        image::RgbaImage::from_raw(SIDE, SIDE, bytes).ok_or("the picture has another size")?.save(path)?;
    }
    Ok(text)
}

/// Returns whether a picture is drawn with the given flags. A ball's centre may be covered by another ball, but then
/// both are red.
fn is_drawn(pixels: &[u32], places: &[[f32; 2]], flags: &[u32]) -> bool {
    places.iter().enumerate().all(|(k, place)| {
        let [x, y] = place.map(|v| v as u32);
        let hit = flags[k / 32] >> (k % 32) & 1 == 1;
        pixels[(y * SIDE + x) as usize] == if hit { RED } else { BLUE }
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", run(std::env::args_os().nth(1).as_deref().map(Path::new))?);
    Ok(())
}
