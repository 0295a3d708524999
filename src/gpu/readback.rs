//! From the GPU to the host.

use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use crate::ground::error::{Error, Result};

/// The most bytes that come back at once; more comes in parts.
const STAGING: u64 = 32 << 20;

/// What the driver says of a buffer that is to be mapped, once it does.
type Mapped = std::result::Result<(), wgpu::BufferAsyncError>;

/// Brings results to the host.
#[derive(Debug, Default)]
pub(super) struct Readback {
    /// As large as was needed so far.
    staging: Option<wgpu::Buffer>,
    /// The mapping of it that was asked for last, and its bytes, until they are taken.
    asked: Option<(Arc<Mutex<Option<Mapped>>>, u64)>,
}

impl Readback {
    /// The most bytes that come at once.
    pub(super) fn most(device: &wgpu::Device) -> u64 {
        STAGING.min(device.limits().max_buffer_size / 2)
    }

    /// Makes room for `bytes` bytes. What an earlier step had asked for, and nobody has taken, is given up.
    pub(super) fn ensure(&mut self, device: &wgpu::Device, bytes: u64) {
        if let (Some((mapped, _)), Some(staging)) = (self.asked.take(), &self.staging) {
            let mapped = lock(&mapped).clone();
            if mapped == Some(Ok(())) {
                staging.unmap();
            } else {
                // Unmapped and mapped anew, it would be given out when the earlier step is done, before the later one is.
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

    /// Copies parts of buffers (their first byte, their number), one behind the other.
    pub(super) fn copy(&self, encoder: &mut wgpu::CommandEncoder, parts: &[(&wgpu::Buffer, u64, u64)]) {
        let Some(staging) = &self.staging else { return };
        let mut to = 0;
        for &(buffer, at, bytes) in parts {
            encoder.copy_buffer_to_buffer(buffer, at, staging, to, bytes);
            to += bytes;
        }
    }

    /// Asks for the first `bytes` bytes, of a copy that was sent off.
    pub(super) fn ask(&mut self, bytes: u64) {
        let Some(staging) = &self.staging else { return };
        let mapped = Arc::new(Mutex::new(None));
        self.asked = Some((Arc::clone(&mapped), bytes));
        staging.map_async(wgpu::MapMode::Read, ..bytes, move |result| *lock(&mapped) = Some(result));
    }

    /// Is ready when the bytes that were asked for are there; the device has to be polled meanwhile.
    pub(super) async fn arrived(&self) -> Result<()> {
        let Some((mapped, _)) = &self.asked else { return Ok(()) };
        let answer = std::future::poll_fn(|_| lock(mapped).clone().map_or(Poll::Pending, Poll::Ready));
        answer.await.map_err(|error| lost(&error))
    }

    /// Gives `take` the bytes that have arrived.
    pub(super) fn take<R>(&mut self, take: impl FnOnce(&[u8]) -> R) -> Result<R> {
        let (Some(staging), Some((_, bytes))) = (&self.staging, self.asked.take()) else {
            return Ok(take(&[]));
        };
        let view = staging.slice(..bytes).get_mapped_range().map_err(|error| lost(&error))?;
        let taken = take(&view);
        drop(view);
        staging.unmap();
        Ok(taken)
    }
}

/// What a panic elsewhere has left is as good as it was.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn lost(error: &dyn std::fmt::Display) -> Error {
    Error::Gpu { problem: format!("results did not come back: {error}") }
}
