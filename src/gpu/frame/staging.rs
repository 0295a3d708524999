//! Uploads from the host to the GPU.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::buffers::Buffers;
use crate::gpu::binding::Binding;

/// Memory that the host writes and the GPU copies from. It stays mapped except while a step copies from it, so a step
/// needs no new memory, whose pages the system would have to create first.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Staging {
    /// As large as any upload so far has needed.
    buffer: Option<wgpu::Buffer>,
    /// Whether the host may write to `buffer`, as the driver has reported.
    mapped: Arc<AtomicBool>,
    /// The parts written so far, one after the other.
    parts: Vec<Part>,
}

/// Bytes to copy into a buffer.
#[derive(Clone, Copy, Debug)]
struct Part {
    to: Binding,
    /// The first byte to write there.
    start: u64,
    bytes: u64,
}

impl Staging {
    /// Makes room for `bytes` bytes. Discards parts that were written but never encoded: their step has failed.
    pub(super) fn begin(&mut self, device: &wgpu::Device, bytes: u64) {
        self.parts.clear();
        // Leave the old buffer alone if an earlier step may still copy from it.
        let held = self.buffer.as_ref().is_some_and(|held| held.size() >= bytes) && self.mapped.load(Ordering::Acquire);
        if bytes > 0 && !held {
            // Allocate half as much again, so that a growing world does not need new memory every step.
            let most = device.limits().max_buffer_size / wgpu::COPY_BUFFER_ALIGNMENT * wgpu::COPY_BUFFER_ALIGNMENT;
            let size = (bytes + bytes / 2).min(most).max(bytes);
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("staging"),
                size,
                usage: wgpu::BufferUsages::MAP_WRITE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: true,
            }));
            self.mapped = Arc::new(AtomicBool::new(true));
        }
    }

    /// Lets `fill` write `bytes` bytes destined for the buffer `to` from byte `start` on. There must be room.
    pub(super) fn write(&mut self, to: Binding, start: u64, bytes: u64, fill: impl FnOnce(wgpu::WriteOnly<'_, [u8]>)) {
        if bytes == 0 {
            return;
        }
        let first = self.parts.iter().map(|part| part.bytes).sum::<u64>();
        let view = self.buffer.as_ref().map(|buffer| buffer.slice(first..first + bytes).get_mapped_range_mut());
        // There is no view if memory is short; the device reports that itself.
        if let Some(Ok(mut view)) = view {
            fill(view.slice(..));
            self.parts.push(Part { to, start, bytes });
        }
    }

    /// Records copies of all parts to their destinations. The host may write again once they are done.
    pub(in crate::gpu) fn encode(&mut self, encoder: &mut wgpu::CommandEncoder, buffers: &Buffers) {
        let Some(buffer) = self.buffer.as_ref().filter(|_| !self.parts.is_empty()) else { return };
        buffer.unmap();
        let mut from = 0;
        for Part { to, start, bytes } in self.parts.drain(..) {
            encoder.copy_buffer_to_buffer(buffer, from, buffers.get(to), start, bytes);
            from += bytes;
        }
        let mapped = Arc::new(AtomicBool::new(false));
        self.mapped = Arc::clone(&mapped);
        encoder.map_buffer_on_submit(buffer, wgpu::MapMode::Write, .., move |answer| {
            mapped.store(answer.is_ok(), Ordering::Release);
        });
    }
}
