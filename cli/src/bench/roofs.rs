//! The roofs of a GPU: its limits in each thing that the stages of a step are made of.
//!
//! Times are by the host's clock: that of many dispatches less that of few, so that submitting and waiting do not
//! count. The GPU's own timestamps are compared with it.

use std::time::{Duration, Instant};

use hitmask::{gpu, wgpu};

use super::record::Roof;

/// The invocations of a workgroup.
const GROUP: u64 = 256;
/// The rounds of a kernel's loop.
const ROUNDS: u64 = 128;
/// How often each time is measured; the median counts.
const TRIES: usize = 7;

/// A device with the buffers that the kernels use.
struct Bench {
    device: wgpu::Device,
    queue: wgpu::Queue,
    module: wgpu::ShaderModule,
    software: bool,
    /// The bytes of each large buffer.
    bytes: u64,
    source: wgpu::Buffer,
    sink: wgpu::Buffer,
    counters: wgpu::Buffer,
}

/// Measures the roofs of the GPU whose name contains `name`, or of the most powerful one.
pub(super) fn measure(name: Option<&str>) -> anyhow::Result<Vec<Roof>> {
    let bench = Bench::open(name)?;
    let mut roofs = vec![
        Roof::new("empty submission", micros(bench.dispatches("touch", 1, 1)?), "µs"),
        Roof::new("dependent dispatch", micros(bench.each("touch", 1)?), "µs"),
    ];
    let groups = bench.bytes / 16 / GROUP;
    // A software GPU would take minutes for as many as keep hardware busy.
    let busy = if bench.software { 1 << 2 } else { 1 << 14 };
    for (name, per_group, kernel, groups, unit) in [
        ("memory", 32 * GROUP, "copy", groups, "GB/s"),
        ("workgroup memory", 8 * 16 * ROUNDS * GROUP, "read_tile", busy, "GB/s"),
        ("multiply-add", 64 * ROUNDS * GROUP, "multiply_add", busy, "G/s"),
        ("atomic additions to words apart", 8 * GROUP, "count_apart", busy, "G/s"),
        ("atomic additions to one word", GROUP, "count_together", busy, "G/s"),
    ] {
        let time = bench.each(kernel, groups)?.as_secs_f64();
        roofs.push(Roof::new(name, (groups * per_group) as f64 / time / 1e9, unit));
    }
    roofs.extend(bench.transfers()?);
    roofs.extend(bench.clocks(groups)?.map(|part| Roof::new("time by timestamps", 100.0 * part, "% of the host's")));
    Ok(roofs)
}

impl Bench {
    fn open(name: Option<&str>) -> anyhow::Result<Self> {
        let adapter = hitmask::internals::adapter(&gpu::Options::default().name(name))?;
        let software = adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let limits = gpu::limits_of(&adapter);
        let bytes = if software { 1 << 20 } else { 1 << 28 }.min(limits.max_storage_buffer_binding_size);
        let descriptor = wgpu::DeviceDescriptor {
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            required_limits: limits,
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor))?;
        let module = device.create_shader_module(wgpu::include_wgsl!("roofs/kernels.wgsl"));
        let [source, sink, counters] = [bytes, bytes, 1 << 22].map(|size| {
            let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
            device.create_buffer(&wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
        });
        Ok(Self { device, queue, module, software, bytes, source, sink, counters })
    }

    /// Returns the time of one of many dispatches of a kernel, each of which waits for the one before.
    fn each(&self, kernel: &str, groups: u64) -> anyhow::Result<Duration> {
        let few = self.dispatches(kernel, groups, 1)?;
        // Enough that the difference is some milliseconds, but few at first: drivers kill what takes two seconds.
        let mut count = 1;
        loop {
            let many = self.dispatches(kernel, groups, 1 + count)?;
            if count >= 1 << 10 || many > few + Duration::from_millis(20) {
                return Ok(many.saturating_sub(few) / count);
            }
            count *= 2;
        }
    }

    /// Returns the median time to submit `count` dispatches of a kernel and wait for them.
    fn dispatches(&self, kernel: &str, groups: u64, count: u32) -> anyhow::Result<Duration> {
        let pipeline = self.pipeline(kernel);
        let group = self.bind_group(&pipeline);
        median(|| {
            let mut encoder = self.encoder();
            dispatch(&mut encoder, None, &pipeline, &group, groups, count);
            self.finish(encoder)
        })
    }

    /// Returns the rates of writing and reading mapped memory on the host, and of the copies between it and the GPU's.
    fn transfers(&self) -> anyhow::Result<[Roof; 4]> {
        let bytes = self.bytes.min(1 << 26);
        let mut memory = vec![7_u8; bytes as usize];
        let [up, down] = [
            (wgpu::BufferUsages::MAP_WRITE, wgpu::BufferUsages::COPY_SRC),
            (wgpu::BufferUsages::MAP_READ, wgpu::BufferUsages::COPY_DST),
        ]
        .map(|(map, copy)| {
            let usage = map | copy;
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: bytes,
                usage,
                mapped_at_creation: false,
            })
        });
        let map = |buffer: &wgpu::Buffer, mode| {
            buffer.map_async(mode, .., |_| ());
            self.wait()
        };
        let write = median(|| {
            map(&up, wgpu::MapMode::Write)?;
            let start = Instant::now();
            up.get_mapped_range_mut(..)?.copy_from_slice(&memory);
            let time = start.elapsed();
            up.unmap();
            Ok(time)
        })?;
        let copied = |from: &wgpu::Buffer, to: &wgpu::Buffer| {
            median(|| {
                let mut encoder = self.encoder();
                encoder.copy_buffer_to_buffer(from, 0, to, 0, bytes);
                self.finish(encoder)
            })
        };
        let (upload, download) = (copied(&up, &self.sink)?, copied(&self.sink, &down)?);
        let read = median(|| {
            map(&down, wgpu::MapMode::Read)?;
            let start = Instant::now();
            memory.copy_from_slice(&down.get_mapped_range(..)?);
            let time = start.elapsed();
            down.unmap();
            Ok(time)
        })?;
        let names = ["one thread writes mapped memory", "upload", "download", "one thread reads mapped memory"];
        let times = [write, upload, download, read];
        let rate = |k: usize| Roof::new(names[k], bytes as f64 / times[k].as_secs_f64() / 1e9, "GB/s");
        Ok(std::array::from_fn(rate))
    }

    /// Returns the time of a copy by the GPU's timestamps as a part of that by the host's clock; `None` if the GPU has
    /// no timestamps.
    fn clocks(&self, groups: u64) -> anyhow::Result<Option<f64>> {
        if !self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return Ok(None);
        }
        let host = self.each("copy", groups)?.as_secs_f64();
        let (pipeline, count) = (self.pipeline("copy"), 64);
        let group = self.bind_group(&pipeline);
        let queries = self.device.create_query_set(&wgpu::QuerySetDescriptor {
            label: None,
            ty: wgpu::QueryType::Timestamp,
            count: 2,
        });
        let [resolved, read] = [
            wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
            wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        ]
        .map(|usage| {
            self.device.create_buffer(&wgpu::BufferDescriptor {
                label: None,
                size: 16,
                usage,
                mapped_at_creation: false,
            })
        });
        let mut encoder = self.encoder();
        let stamps = wgpu::ComputePassTimestampWrites {
            query_set: &queries,
            beginning_of_pass_write_index: Some(0),
            end_of_pass_write_index: Some(1),
        };
        dispatch(&mut encoder, Some(stamps), &pipeline, &group, groups, count);
        encoder.resolve_query_set(&queries, 0..2, &resolved, 0);
        encoder.copy_buffer_to_buffer(&resolved, 0, &read, 0, 16);
        self.finish(encoder)?;
        read.map_async(wgpu::MapMode::Read, .., |_| ());
        self.wait()?;
        let view = read.get_mapped_range(..)?;
        let ticks = |at: usize| u64::from_le_bytes(view[at..at + 8].try_into().expect("eight bytes"));
        let ticks = ticks(8).wrapping_sub(ticks(0)) as f64;
        Ok(Some(ticks * f64::from(self.queue.get_timestamp_period()) / 1e9 / f64::from(count) / host))
    }

    fn pipeline(&self, kernel: &str) -> wgpu::ComputePipeline {
        let entries: [_; 3] = std::array::from_fn(|binding| wgpu::BindGroupLayoutEntry {
            binding: binding as u32,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: binding == 0 },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        });
        let layout =
            self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries });
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let constants = [("GROUP", GROUP as f64), ("ROUNDS", ROUNDS as f64)];
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(kernel),
            layout: Some(&layout),
            module: &self.module,
            entry_point: Some(kernel),
            compilation_options: wgpu::PipelineCompilationOptions {
                constants: &constants,
                ..wgpu::PipelineCompilationOptions::default()
            },
            cache: None,
        })
    }

    fn bind_group(&self, pipeline: &wgpu::ComputePipeline) -> wgpu::BindGroup {
        let buffers = [&self.source, &self.sink, &self.counters];
        let entries: [_; 3] = std::array::from_fn(|binding| wgpu::BindGroupEntry {
            binding: binding as u32,
            resource: buffers[binding].as_entire_binding(),
        });
        let layout = &pipeline.get_bind_group_layout(0);
        self.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
    }

    fn encoder(&self) -> wgpu::CommandEncoder {
        self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
    }

    /// Submits, waits, and returns the time that both took.
    fn finish(&self, encoder: wgpu::CommandEncoder) -> anyhow::Result<Duration> {
        let commands = encoder.finish();
        let start = Instant::now();
        self.queue.submit([commands]);
        self.wait()?;
        Ok(start.elapsed())
    }

    fn wait(&self) -> anyhow::Result<()> {
        self.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(())
    }
}

/// Records `count` dispatches of about `groups` workgroups.
fn dispatch(
    encoder: &mut wgpu::CommandEncoder,
    timestamp_writes: Option<wgpu::ComputePassTimestampWrites<'_>>,
    pipeline: &wgpu::ComputePipeline,
    group: &wgpu::BindGroup,
    groups: u64,
    count: u32,
) {
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor { label: None, timestamp_writes });
    pass.set_pipeline(pipeline);
    pass.set_bind_group(0, group, &[]);
    let x = groups.min(1 << 15) as u32;
    let y = groups.div_ceil(u64::from(x)) as u32;
    for _ in 0..count {
        pass.dispatch_workgroups(x, y, 1);
    }
}

fn median(measure: impl FnMut() -> anyhow::Result<Duration>) -> anyhow::Result<Duration> {
    let mut times = std::iter::repeat_with(measure).take(TRIES).collect::<anyhow::Result<Vec<_>>>()?;
    times.sort_unstable();
    Ok(times[TRIES / 2])
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}
