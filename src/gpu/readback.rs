//! From the GPU to the host.

use crate::error::{Error, Result};

/// The size of the buffer through which results come back; more comes in parts.
const STAGING: u64 = 32 << 20;

/// Brings results to the host.
#[derive(Debug)]
pub(super) struct Readback {
    staging: wgpu::Buffer,
}

impl Readback {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let staging = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("results"),
            size: STAGING,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { staging }
    }

    /// The `count` elements of a buffer from byte `offset` on, appended to `to`.
    pub(super) fn read<T: bytemuck::Pod>(
        &self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        buffer: &wgpu::Buffer,
        offset: u64,
        count: usize,
        to: &mut Vec<T>,
    ) -> Result<()> {
        let (mut at, end) = (offset, offset + (count * size_of::<T>()) as u64);
        to.reserve(count);
        while at < end {
            // A whole number of elements: their sizes are powers of two.
            let part = (end - at).min(STAGING);
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_buffer_to_buffer(buffer, at, &self.staging, 0, part);
            queue.submit([encoder.finish()]);
            self.take(device, part, to)?;
            at += part;
        }
        Ok(())
    }

    fn take<T: bytemuck::Pod>(&self, device: &wgpu::Device, bytes: u64, to: &mut Vec<T>) -> Result<()> {
        let lost = |what: String| Error::Gpu { problem: format!("results did not come back: {what}") };
        let (sender, receiver) = std::sync::mpsc::channel();
        let slice = self.staging.slice(..bytes);
        slice.map_async(wgpu::MapMode::Read, move |result| {
            // The receiver is gone only where waiting has failed, which is told.
            let _ = sender.send(result);
        });
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(error.to_string()))?;
        receiver.recv().map_err(|error| lost(error.to_string()))?.map_err(|error| lost(error.to_string()))?;
        let view = slice.get_mapped_range().map_err(|error| lost(error.to_string()))?;
        to.extend(bytemuck::pod_collect_to_vec::<u8, T>(&view));
        drop(view);
        self.staging.unmap();
        Ok(())
    }
}
