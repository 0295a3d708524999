//! Measures frames whose positions are written on the GPU and whose flags stay there, and the same frames with
//! positions from the host's memory and flags read back. Prints milliseconds, of 60 frames:
//!
//! - `submit`: the host's share of a resident frame, the median;
//! - `one`: a resident frame, from the submission until the GPU has finished, the median;
//! - `many`: the mean of resident frames that are submitted without waiting in between;
//! - `host`: a frame of the host's, positions set in the world and flags back in memory, the median.
//!
//! `cargo run --release --example resident -- boxes 1000 10000`: a standard workload, and numbers of bodies. All flags
//! are compared with those of the CPU engine first.

use std::error::Error;
use std::time::{Duration, Instant};

use hitmask::geometry::Vec2;
use hitmask::gpu::{Engine, Request, Stream, Whole};
use hitmask::wgpu::PollType;
use hitmask::{Ask, Bodies, Hits, wgpu};
use hitmask_workbench::workloads::Workload;

/// The number of frames in each measurement.
const FRAMES: usize = 60;
/// The number of frames before, in which the engine learns what the world needs.
const WARM_UP: usize = 6;

/// A device as a game opens it, with room for large buffers.
struct Device {
    device: wgpu::Device,
    queue: wgpu::Queue,
}

impl Device {
    fn open() -> Result<Self, Box<dyn Error>> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
        let power_preference = wgpu::PowerPreference::HighPerformance;
        let wanted = wgpu::RequestAdapterOptions { power_preference, ..Default::default() };
        let adapter = pollster::block_on(instance.request_adapter(&wanted))?;
        let required_limits = adapter.limits();
        let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        Ok(Self { device, queue })
    }

    /// Returns a buffer of positions, two `f32` each.
    fn positions(&self, at: &[Vec2]) -> wgpu::Buffer {
        let units: Vec<u8> = at.iter().flat_map(|p| [p.x as f32, p.y as f32]).flat_map(f32::to_ne_bytes).collect();
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("positions"),
            size: units.len() as u64,
            usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        self.queue.write_buffer(&buffer, 0, &units);
        buffer
    }

    fn finish(&self) -> Result<(), Box<dyn Error>> {
        self.device.poll(PollType::wait_indefinitely())?;
        Ok(())
    }
}

/// Returns the median of the times, in milliseconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

/// Returns the times of `submit`, `one`, `many` and `host`.
fn measure(device: &Device, workload: Workload, bodies: u32) -> Result<[f64; 4], Box<dyn Error>> {
    let mut crowd = workload.crowd(bodies)?;
    // In singles, as on the GPU.
    let single = |p: Vec2| Vec2 { x: f64::from(p.x as f32), y: f64::from(p.y as f32) };
    let all = crowd.homes().len();
    let places = [1, 2].map(|step| (0..all).map(|body| single(crowd.moved(body, step).at)).collect::<Vec<_>>());
    let buffers: Vec<wgpu::Buffer> = places.iter().map(|at| device.positions(at)).collect();
    let mut engine = Engine::from_device(device.device.clone(), device.queue.clone())?;
    let mut cpu = hitmask::Engine::cpu()?;
    for (at, buffer) in places.iter().zip(&buffers) {
        let request = Request::new(Ask::Flags).positions(Stream::new(buffer));
        let hits = engine.submit(crowd.world(), request)?.wait(Duration::MAX)?.expect("there is no timeout");
        let mut moved = crowd.world().clone();
        moved.set_positions(Bodies::All, at)?;
        assert!(hits == cpu.run(&moved, Ask::Flags)?, "the flags differ from the CPU engine's");
    }

    let resident = |k: usize| Request::new(Ask::Flags).positions(Stream::new(&buffers[k % 2])).resident();
    let (mut submitting, mut one) = (Vec::new(), Vec::new());
    for frame in 0..WARM_UP + FRAMES {
        let start = Instant::now();
        let ticket = engine.submit(crowd.world(), resident(frame))?;
        let submitted = start.elapsed();
        device.finish()?;
        if frame >= WARM_UP {
            submitting.push(submitted);
            one.push(start.elapsed());
        }
        drop(ticket);
    }
    let start = Instant::now();
    for frame in 0..FRAMES {
        drop(engine.submit(crowd.world(), resident(frame))?);
    }
    device.finish()?;
    let many = start.elapsed().as_secs_f64() * 1e3 / FRAMES as f64;
    let mut last = engine.submit(crowd.world(), resident(0))?;
    last.wait(Duration::MAX)?;
    let whole = last.counts().is_some_and(|counts| counts.in_frame.contains(Whole::FLAGS));
    assert!(whole, "the flags of a frame were incomplete");
    drop(last);

    let (mut host, mut hits) = (Vec::new(), Hits::default());
    for frame in 0..WARM_UP + FRAMES {
        let at = crowd.placement(1 + frame as u32 % 2, 1000)?;
        let start = Instant::now();
        crowd.place(&at)?;
        engine.run_into(crowd.world(), Ask::Flags, &mut hits)?;
        if frame >= WARM_UP {
            host.push(start.elapsed());
        }
    }
    let [submit, one, host] = [submitting, one, host].map(median);
    Ok([submit, one, many, host])
}

/// Measures a workload, and returns the table.
pub(crate) fn run(workload: Workload, sizes: &[u32]) -> Result<String, Box<dyn Error>> {
    let device = Device::open()?;
    let heads = ["bodies", "submit", "one", "many", "host"];
    let mut lines = vec![format!("{workload:9}{}", heads.map(|head| format!(" {head:>9}")).concat())];
    for &bodies in sizes {
        let times = measure(&device, workload, bodies)?.map(|time| format!(" {time:9.3}")).concat();
        lines.push(format!("{:9} {bodies:9}{times}", ""));
    }
    Ok(lines.join("\n"))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let workload = words.next().as_deref().unwrap_or("boxes").parse()?;
    let mut sizes: Vec<u32> = words.map(|word| word.parse()).collect::<Result<_, _>>()?;
    if sizes.is_empty() {
        sizes = vec![1_000, 10_000];
    }
    println!("{}", run(workload, &sizes)?);
    Ok(())
}
