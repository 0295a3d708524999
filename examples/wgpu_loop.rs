//! A game's own wgpu loop: its device, its queue, its passes. Balls fly about, and those that hit something are drawn
//! red in the very frame of their hit, by flags that never leave the GPU.
//!
//! `cargo run --release --example wgpu_loop -- last.png` writes the last frame.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use hitmask::wgpu;
use hitmask::{Ask, Bodies, Body, Hits, Shape, World, gpu};

const BALLS: usize = 300;
const FRAMES: u32 = 60;
/// The side of the picture, in pixels.
const SIDE: u32 = 256;
/// The radius of a ball, in pixels.
const RADIUS: u32 = 5;
const RED: u32 = 0xFF30_30FF;
const BLUE: u32 = 0xFFFF_A050;

/// Draws a ball, an invocation each; the constants above come before it.
const DRAW: &str = "
@group(0) @binding(0) var<storage, read> flags: array<u32>;
@group(0) @binding(1) var<storage, read> places: array<vec2<f32>>;
@group(0) @binding(2) var<storage, read_write> picture: array<u32>;

@compute @workgroup_size(64)
fn draw(@builtin(global_invocation_id) id: vec3<u32>) {
    let ball = id.x;
    if ball >= arrayLength(&places) {
        return;
    }
    let hit = ((flags[ball / 32u] >> (ball % 32u)) & 1u) == 1u;
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

/// The game's own part of the GPU.
struct Screen {
    device: wgpu::Device,
    queue: wgpu::Queue,
    pipeline: wgpu::ComputePipeline,
    places: wgpu::Buffer,
    picture: wgpu::Buffer,
}

impl Screen {
    fn open() -> Result<Self, Box<dyn Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))?;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()))?;
        let constants = format!(
            "const SIDE: i32 = {SIDE}; const RADIUS: i32 = {RADIUS}; const RED: u32 = {RED}u; const BLUE: u32 = {BLUE}u;"
        );
        let source = wgpu::ShaderSource::Wgsl((constants + DRAW).into());
        let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("draw"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        let buffer = |size: usize| {
            let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
            let size = size as u64;
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        };
        let (places, picture) = (buffer(8 * BALLS), buffer(4 * (SIDE * SIDE) as usize));
        Ok(Self { device, queue, pipeline, places, picture })
    }

    /// Draws all balls where they are, by the flags of a step that was sent off in this frame.
    fn draw(&self, places: &[[f32; 2]], results: &gpu::Results) {
        self.queue.write_buffer(&self.places, 0, bytemuck::cast_slice(places));
        let buffers =
            [results.flags(), self.places.as_entire_buffer_binding(), self.picture.as_entire_buffer_binding()];
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: wgpu::BindingResource::Buffer(buffer) })
            .collect();
        let layout = &self.pipeline.get_bind_group_layout(0);
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout, entries: &entries };
        let group = self.device.create_bind_group(&descriptor);
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.clear_buffer(&self.picture, 0, None);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups((BALLS as u32).div_ceil(64), 1, 1);
        drop(pass);
        self.queue.submit([encoder.finish()]);
    }

    /// The pixels, read back: for the check at the end alone.
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

/// Plays all frames; the last of them is written where there is a path.
pub(crate) fn run(path: Option<&Path>) -> Result<String, Box<dyn Error>> {
    let screen = Screen::open()?;
    let mut engine = gpu::Engine::from_device(screen.device.clone(), screen.queue.clone())?;
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(RADIUS.into())?)?;
    let spread = |k: usize, by: usize| ((k * by) % 241) as f32 + 7.5;
    let mut places: Vec<[f32; 2]> = (0..BALLS).map(|k| [spread(k, 97), spread(k, 151)]).collect();
    let mut ways: Vec<[f32; 2]> = (0..BALLS).map(|k| [(k % 7) as f32 - 3.0, (k % 5) as f32 - 2.0]).collect();
    for place in &places {
        world.add(&Body::new(ball, place.map(f64::from)))?;
    }
    let (mut before, mut taken): (Option<gpu::Ticket>, u32) = (None, 0);
    for _ in 0..FRAMES {
        for (place, way) in places.iter_mut().zip(&mut ways) {
            for axis in 0..2 {
                if !(5.0..251.0).contains(&(place[axis] + way[axis])) {
                    way[axis] = -way[axis];
                }
                place[axis] += way[axis];
            }
        }
        world.set_positions(Bodies::All, &places)?;
        let ticket = engine.submit(&world, Ask::Pairs)?;
        screen.draw(&places, &ticket.results());
        // The step of the frame before has had all of a frame's time. A game that cannot wait asks by `try_take`.
        if let Some(mut ticket) = before.replace(ticket) {
            taken += u32::from(ticket.wait(Duration::from_secs(60))?.is_some());
        }
    }
    let mut last = before.ok_or("no frame was played")?;
    let hits = last.wait(Duration::from_secs(60))?.ok_or("the device does not answer")?;
    let pixels = screen.pixels()?;
    check(&pixels, &places, &hits);
    let text = format!("{taken} answers taken; in the last frame {} pairs", hits.pairs.len());
    if let Some(path) = path {
        let bytes = pixels.into_iter().flat_map(|pixel| (pixel | 0xFF << 24).to_le_bytes()).collect();
        image::RgbaImage::from_raw(SIDE, SIDE, bytes).ok_or("the picture has another size")?.save(path)?;
    }
    Ok(text)
}

/// At the centre of each ball is its own colour, or that of one that hits it, which is the same.
fn check(pixels: &[u32], places: &[[f32; 2]], hits: &Hits) {
    for (k, place) in places.iter().enumerate() {
        let [x, y] = place.map(|v| v as u32);
        let hit = hits.flags[k / 32] >> (k % 32) & 1 == 1;
        assert_eq!(pixels[(y * SIDE + x) as usize], if hit { RED } else { BLUE }, "ball {k}");
    }
    assert!(hits.pairs.len() > 10 && hits.flags.iter().map(|word| word.count_ones()).sum::<u32>() < BALLS as u32);
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", run(std::env::args_os().nth(1).as_deref().map(Path::new))?);
    Ok(())
}
