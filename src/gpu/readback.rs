//! From the GPU to the host.

use crate::error::{Error, Result};

/// Brings results to the host.
#[derive(Debug)]
pub(super) struct Readback {
    staging: wgpu::Buffer,
}

impl Readback {
    /// Through a buffer of `bytes` bytes; more comes in parts.
    pub(super) fn new(device: &wgpu::Device, bytes: u64) -> Self {
        let staging = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("results"),
            size: bytes,
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        Self { staging }
    }

    /// The bytes that come at once.
    pub(super) fn size(&self) -> u64 {
        self.staging.size()
    }

    /// Copies parts of buffers (their first byte, their number), one behind the other.
    pub(super) fn copy<'b>(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        parts: impl Iterator<Item = (&'b wgpu::Buffer, u64, u64)>,
    ) {
        let mut to = 0;
        for (buffer, at, bytes) in parts {
            encoder.copy_buffer_to_buffer(buffer, at, &self.staging, to, bytes);
            to += bytes;
        }
    }

    /// Waits for all that was sent off, and for `bytes` bytes of it.
    pub(super) fn wait(&self, device: &wgpu::Device, bytes: u64) -> Result<()> {
        let (sender, receiver) = std::sync::mpsc::channel();
        self.staging.slice(..bytes).map_async(wgpu::MapMode::Read, move |result| {
            // The receiver is gone only where waiting has failed, which is told.
            let _ = sender.send(result);
        });
        device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(&error))?;
        receiver.recv().map_err(|error| lost(&error))?.map_err(|error| lost(&error))
    }

    /// Gives `take` the bytes that were waited for.
    pub(super) fn take<R>(&self, bytes: u64, take: impl FnOnce(&[u8]) -> R) -> Result<R> {
        let view = self.staging.slice(..bytes).get_mapped_range().map_err(|error| lost(&error))?;
        let taken = take(&view);
        drop(view);
        self.staging.unmap();
        Ok(taken)
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
            let part = (end - at).min(self.size());
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            self.copy(&mut encoder, std::iter::once((buffer, at, part)));
            queue.submit([encoder.finish()]);
            self.wait(device, part)?;
            self.take(part, |bytes| to.extend(bytemuck::pod_collect_to_vec::<u8, T>(bytes)))?;
            at += part;
        }
        Ok(())
    }
}

fn lost(error: &dyn std::fmt::Display) -> Error {
    Error::Gpu { problem: format!("results did not come back: {error}") }
}
