//! Runs functions on a device.

use crate::gpu::device::Gpu;
use crate::gpu::frame::Readback;

/// The invocations of a workgroup of `ask`.
pub(in crate::gpu) const GROUP: u32 = 64;
/// The binding number of the answers in `shaders/twins/read.wgsl`.
const ANSWERS: u32 = 20;

/// A buffer that `ask` binds besides its answers: the binding number, the buffer, and whether it is read-only.
pub(in crate::gpu) type Bound<'a> = (u32, &'a wgpu::Buffer, bool);

/// Creates a buffer that holds `words`.
pub(in crate::gpu) fn upload(gpu: &Gpu, words: &[u32]) -> wgpu::Buffer {
    let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("inputs"),
        size: size_of_val(words) as u64,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
    buffer
}

/// Submits the entry point `ask` of a module with this many workgroups. Each invocation answers four words.
pub(in crate::gpu) fn send(gpu: &Gpu, source: String, groups: u32, inputs: &[Bound<'_>]) -> Readback {
    let device = &gpu.device;
    let shader = gpu.shader("twins", source);
    let bytes = u64::from(groups) * u64::from(GROUP) * size_of::<u128>() as u64;
    let answers = device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("answers"),
        size: bytes,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    });
    let bound = [inputs, &[(ANSWERS, &answers, false)]].concat();
    let entries = bound.iter().map(|&(binding, _, read_only)| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    });
    let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("twins"),
        entries: &entries.collect::<Vec<_>>(),
    });
    let entries = bound
        .iter()
        .map(|&(binding, buffer, _)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("twins"),
        layout: &layout,
        entries: &entries.collect::<Vec<_>>(),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("twins"),
        layout: Some(&device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("twins"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        })),
        module: &shader,
        entry_point: Some("ask"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let mut readback = Readback::default();
    readback.ensure(device, bytes);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
    pass.set_pipeline(&pipeline);
    pass.set_bind_group(0, &group, &[]);
    pass.dispatch_workgroups(groups, 1, 1);
    drop(pass);
    readback.copy(&mut encoder, &[(&answers, 0, bytes)]);
    gpu.queue.submit([encoder.finish()]);
    readback.request(bytes);
    readback
}
