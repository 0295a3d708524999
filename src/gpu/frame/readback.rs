//! From the GPU to the host.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use crate::gpu::lock::lock;
use crate::ground::error::{Error, Result};

/// The most bytes that come back at once; more comes in parts.
const STAGING: u64 = 32 << 20;

/// What the driver answers to a request for a buffer's memory.
type Mapped = std::result::Result<(), wgpu::BufferAsyncError>;

/// A request for the first `bytes` bytes of the staging buffer.
#[derive(Debug)]
struct Request {
    /// The driver's answer, once it has come.
    mapped: Arc<Mutex<Option<Mapped>>>,
    bytes: u64,
}

/// Brings results to the host, through a staging buffer.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Readback {
    /// As large as was needed so far.
    staging: Option<wgpu::Buffer>,
    /// The request whose bytes are not taken yet.
    request: Option<Request>,
}

impl Readback {
    /// The most bytes that come back at once.
    pub(in crate::gpu) fn most(device: &wgpu::Device) -> u64 {
        STAGING.min(device.limits().max_buffer_size / 2)
    }

    /// Makes room for `bytes` bytes. What an earlier step has requested, and nobody has taken, is given up.
    pub(in crate::gpu) fn ensure(&mut self, device: &wgpu::Device, bytes: u64) {
        if let (Some(Request { mapped, .. }), Some(staging)) = (self.request.take(), &self.staging) {
            let mapped = lock(&mapped).clone();
            if mapped == Some(Ok(())) {
                staging.unmap();
            } else {
                // Were it unmapped and requested anew, wgpu would hand it out as soon as the earlier step is done,
                // which may be before this one is.
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

    /// Copies parts of buffers (the first byte of each, and how many), one behind the other.
    pub(in crate::gpu) fn copy(&self, encoder: &mut wgpu::CommandEncoder, parts: &[(&wgpu::Buffer, u64, u64)]) {
        let Some(staging) = &self.staging else { return };
        let mut to = 0;
        for &(buffer, start, bytes) in parts {
            encoder.copy_buffer_to_buffer(buffer, start, staging, to, bytes);
            to += bytes;
        }
    }

    /// Requests the first `bytes` bytes of a copy that was sent off.
    pub(in crate::gpu) fn request(&mut self, bytes: u64) {
        let Some(staging) = &self.staging else { return };
        let mapped = Arc::new(Mutex::new(None));
        self.request = Some(Request { mapped: Arc::clone(&mapped), bytes });
        staging.map_async(wgpu::MapMode::Read, ..bytes, move |result| *lock(&mapped) = Some(result));
    }

    /// Requests the first `bytes` bytes of a copy in an encoder that somebody else submits.
    pub(in crate::gpu) fn request_on_submit(&mut self, encoder: &wgpu::CommandEncoder, bytes: u64) {
        let Some(staging) = &self.staging else { return };
        let mapped = Arc::new(Mutex::new(None));
        self.request = Some(Request { mapped: Arc::clone(&mapped), bytes });
        let answer = move |result| *lock(&mapped) = Some(result);
        encoder.map_buffer_on_submit(staging, wgpu::MapMode::Read, ..bytes, answer);
    }

    /// Is ready when the requested bytes are there; the device has to be polled meanwhile.
    pub(in crate::gpu) async fn arrived(&self) -> Result<()> {
        let Some(Request { mapped, .. }) = &self.request else { return Ok(()) };
        let answer = std::future::poll_fn(|_| lock(mapped).clone().map_or(Poll::Pending, Poll::Ready));
        answer.await.map_err(|error| lost(&error))
    }

    /// Whether the requested bytes are there, now that the device was polled.
    pub(in crate::gpu) fn has_arrived(&self) -> Result<bool> {
        let mut arrived = pin!(self.arrived());
        match arrived.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(arrived) => arrived.map(|()| true),
            Poll::Pending => Ok(false),
        }
    }

    /// Gives `take` the bytes that have arrived.
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

fn lost(error: &dyn std::fmt::Display) -> Error {
    Error::Gpu { problem: format!("results did not come back: {error}") }
}
