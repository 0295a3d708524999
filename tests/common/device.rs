//! A wgpu device, opened as a host program opens it.

use hitmask::{gpu, internals};

/// A host's device and queue.
pub(crate) struct Device {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
}

/// Opens a device with exactly these limits, and no features.
///
/// # Panics
///
/// If there is no GPU: a GPU test never skips.
pub(crate) fn open(limits: wgpu::Limits) -> Device {
    let first = |backends| {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.backends &= backends;
        let mut adapters =
            pollster::block_on(wgpu::Instance::new(descriptor).enumerate_adapters(wgpu::Backends::all()));
        adapters.retain(|adapter| adapter.get_downlevel_capabilities().flags.contains(gpu::NEEDED));
        adapters.into_iter().min_by_key(|adapter| internals::preference(&adapter.get_info()))
    };
    // Like the engine, uses OpenGL only if nothing else exists, or if `WGPU_BACKEND` selects it.
    let adapter = first(wgpu::Backends::PRIMARY).or_else(|| first(wgpu::Backends::SECONDARY));
    let adapter = adapter.expect("a Vulkan driver; `./test --setup` installs one in software");
    let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..wgpu::DeviceDescriptor::default() };
    let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).expect("the device opens");
    Device { device, queue }
}

impl Device {
    /// Returns the words that `copy` writes to a buffer of `bytes` bytes.
    pub(crate) fn read(&self, copy: impl FnOnce(&mut wgpu::CommandEncoder, &wgpu::Buffer), bytes: u64) -> Vec<u32> {
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: bytes,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        copy(&mut encoder, &buffer);
        self.queue.submit([encoder.finish()]);
        buffer.map_async(wgpu::MapMode::Read, .., |mapped| mapped.expect("it can be mapped"));
        self.device.poll(wgpu::PollType::wait_indefinitely()).expect("the device answers");
        let view = buffer.get_mapped_range(..).expect("it is mapped");
        bytemuck::pod_collect_to_vec(&view)
    }
}
