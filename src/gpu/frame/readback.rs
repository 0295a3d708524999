//! Readback from the GPU to the host.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use rayon::prelude::*;

use crate::ground::arrival::Arrival;
use crate::ground::error::{Error, Result};
use crate::ground::threads;

/// The most bytes read back at once; larger results come in parts.
const STAGING: u64 = 32 << 20;
/// The most bytes read back at once are a multiple of this number, and so of the size of every element.
const MULTIPLE: u64 = 1 << 12;
/// The number of bytes from which on threads share the copy.
const SHARED_FROM: usize = 1 << 20;
/// The least number of elements that a thread copies at once.
const AT_ONCE: usize = 1 << 12;

/// The driver's answer to a map request.
type Mapped = std::result::Result<(), wgpu::BufferAsyncError>;

/// A request to map the first `bytes` bytes of the staging buffer.
#[derive(Debug)]
struct Request {
    /// The driver's answer, once it has arrived.
    mapped: Arrival<Mapped>,
    bytes: u64,
}

/// Reads results back to the host through a staging buffer.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Readback {
    /// As large as any readback so far has needed.
    staging: Option<wgpu::Buffer>,
    /// The request whose bytes have not been taken yet.
    request: Option<Request>,
}

impl Readback {
    /// Returns the most bytes that can be read back at once.
    pub(in crate::gpu) fn most(device: &wgpu::Device) -> u64 {
        STAGING.min(device.limits().max_buffer_size / 2 / MULTIPLE * MULTIPLE)
    }

    /// Makes room for `bytes` bytes. A request of an earlier step that nobody has taken is dropped.
    pub(in crate::gpu) fn ensure(&mut self, device: &wgpu::Device, bytes: u64) {
        if let (Some(Request { mapped, .. }), Some(staging)) = (self.request.take(), &self.staging) {
            if mapped.peek() == Some(Ok(())) {
                staging.unmap();
            } else {
                // If this buffer were unmapped and requested again, wgpu would hand it out as soon as the earlier step
                // is done, which may be before this one is.
                self.staging = None;
            }
        }
        if self.staging.as_ref().is_none_or(|staging| staging.size() < bytes) {
            self.staging = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("results"),
                size: (bytes + bytes / 2).next_multiple_of(1 << 12),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
    }

    /// Records copies of parts of buffers (first byte and length of each) into the staging buffer, one after the other.
    pub(in crate::gpu) fn copy(&self, encoder: &mut wgpu::CommandEncoder, parts: &[(&wgpu::Buffer, u64, u64)]) {
        let Some(staging) = &self.staging else { return };
        let mut to = 0;
        for &(buffer, start, bytes) in parts {
            encoder.copy_buffer_to_buffer(buffer, start, staging, to, bytes);
            to += bytes;
        }
    }

    /// Requests the first `bytes` bytes of a submitted copy.
    pub(in crate::gpu) fn request(&mut self, bytes: u64) {
        let Some(staging) = &self.staging else { return };
        let mapped = Arrival::new();
        self.request = Some(Request { mapped: mapped.clone(), bytes });
        staging.map_async(wgpu::MapMode::Read, ..bytes, move |result| mapped.deliver(result));
    }

    /// Requests the first `bytes` bytes of a copy in an encoder that somebody else submits.
    pub(in crate::gpu) fn request_on_submit(&mut self, encoder: &wgpu::CommandEncoder, bytes: u64) {
        let Some(staging) = &self.staging else { return };
        let mapped = Arrival::new();
        self.request = Some(Request { mapped: mapped.clone(), bytes });
        let answer = move |result| mapped.deliver(result);
        encoder.map_buffer_on_submit(staging, wgpu::MapMode::Read, ..bytes, answer);
    }

    /// Waits until the requested bytes have arrived. Natively the device must be polled meanwhile.
    pub(in crate::gpu) async fn arrived(&self) -> Result<()> {
        let Some(Request { mapped, .. }) = &self.request else { return Ok(()) };
        let answer = std::future::poll_fn(|context| mapped.poll(context, |answer| answer.clone()));
        answer.await.map_err(|error| lost(&error))
    }

    /// Returns whether the requested bytes have arrived, after a poll of the device.
    pub(in crate::gpu) fn has_arrived(&self) -> Result<bool> {
        let mut arrived = pin!(self.arrived());
        match arrived.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(arrived) => arrived.map(|()| true),
            Poll::Pending => Ok(false),
        }
    }

    /// Passes the bytes that have arrived to `take`.
    pub(in crate::gpu) fn take<R>(&mut self, take: impl FnOnce(&[u8]) -> R) -> Result<R> {
        let (Some(staging), Some(Request { bytes, .. })) = (&self.staging, self.request.take()) else {
            return Ok(take(&[]));
        };
        let view = staging.slice(..bytes).get_mapped_range().map_err(|error| lost(&error))?;
        let taken = take(&view);
        drop(view);
        staging.unmap();
        Ok(taken)
    }
}

/// Replaces the contents of `to` with what `of` makes of each element in `bytes`. Many are copied on all cores, because
/// most of the time is the system's, which has to create the pages of new memory.
pub(in crate::gpu) fn collect<R: bytemuck::Pod, T: Send>(bytes: &[u8], to: &mut Vec<T>, of: impl Fn(R) -> T + Sync) {
    let read = |element: &[u8]| of(bytemuck::pod_read_unaligned(element));
    if bytes.len() < SHARED_FROM {
        to.clear();
        to.extend(bytes.chunks_exact(size_of::<R>()).map(read));
    } else {
        threads::within(|| bytes.par_chunks_exact(size_of::<R>()).with_min_len(AT_ONCE).map(read).collect_into_vec(to));
    }
}

fn lost(error: &dyn std::fmt::Display) -> Error {
    Error::Gpu { problem: format!("the results could not be read back: {error}") }
}
