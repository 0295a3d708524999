//! Readback from the GPU to the host.

use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use rayon::prelude::*;

use crate::gpu::device::Gpu;
use crate::ground::arrival::Arrival;
use crate::ground::error::{Error, Result};
use crate::ground::threads;

/// The most bytes read back at once; larger results come in parts.
const STAGING: u64 = 32 << 20;
/// The bytes at the start of the staging buffer, before those that are read back: the number of the last encoder of the
/// host program that has run, and padding.
const HEAD: u64 = 16;
/// The most bytes read back at once are a multiple of this number, and so of the size of every element.
const MULTIPLE: u64 = 1 << 12;
/// The number of bytes from which on threads share the copy.
const SHARED_FROM: usize = 1 << 20;
/// The least number of elements that a thread copies at once.
const AT_ONCE: usize = 1 << 12;

/// The driver's answer to a map request.
type Mapped = std::result::Result<(), wgpu::BufferAsyncError>;

/// A request to map `bytes` bytes of the staging buffer after its head.
#[derive(Debug)]
struct Request {
    /// The driver's answer, once it has arrived.
    mapped: Arrival<Mapped>,
    bytes: u64,
    /// The number of the encoder, if the host program submits it.
    number: Option<u32>,
}

/// The number of an encoder of the host program, which the encoder copies to the head of the staging buffer. It proves
/// that the encoder has run: wgpu answers a map request that goes with a submission even if the device refuses the
/// submission. The staging buffer then has the bytes of an earlier step, with a lower number.
#[derive(Debug)]
struct Receipt {
    number: u32,
    buffer: wgpu::Buffer,
}

/// Reads results back to the host through a staging buffer.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Readback {
    /// As large as any readback so far has needed.
    staging: Option<wgpu::Buffer>,
    /// The request whose bytes have not been taken yet.
    request: Option<Request>,
    /// The receipt of the last encoder of the host program; `None` if there was none.
    receipt: Option<Receipt>,
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
        let bytes = HEAD + bytes;
        if self.staging.as_ref().is_none_or(|staging| staging.size() < bytes) {
            self.staging = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("results"),
                size: (bytes + bytes / 2).next_multiple_of(1 << 12),
                usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
    }

    /// Numbers the encoder of the host program that comes next.
    pub(in crate::gpu) fn number(&mut self, gpu: &Gpu) {
        let new = || Receipt {
            number: 0,
            buffer: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("number"),
                size: size_of::<u32>() as u64,
                usage: wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
        };
        let Receipt { number, buffer } = self.receipt.get_or_insert_with(new);
        *number = number.wrapping_add(1);
        gpu.queue.write_buffer(buffer, 0, bytemuck::bytes_of(number));
    }

    /// Records copies of parts of buffers (first byte and length of each) into the staging buffer, one after the other.
    pub(in crate::gpu) fn copy(&self, encoder: &mut wgpu::CommandEncoder, parts: &[(&wgpu::Buffer, u64, u64)]) {
        let Some(staging) = &self.staging else { return };
        let mut to = HEAD;
        for &(buffer, start, bytes) in parts {
            encoder.copy_buffer_to_buffer(buffer, start, staging, to, bytes);
            to += bytes;
        }
    }

    /// Requests the first `bytes` bytes of a submitted copy.
    pub(in crate::gpu) fn request(&mut self, bytes: u64) {
        let Some(staging) = &self.staging else { return };
        let mapped = Arrival::new();
        self.request = Some(Request { mapped: mapped.clone(), bytes, number: None });
        staging.map_async(wgpu::MapMode::Read, ..HEAD + bytes, move |result| mapped.deliver(result));
    }

    /// Requests the first `bytes` bytes of a copy in an encoder of the host program, which has been
    /// [numbered](Self::number).
    pub(in crate::gpu) fn request_on_submit(&mut self, encoder: &mut wgpu::CommandEncoder, bytes: u64) {
        let (Some(staging), Some(Receipt { number, buffer })) = (&self.staging, &self.receipt) else { return };
        encoder.copy_buffer_to_buffer(buffer, 0, staging, 0, buffer.size());
        let mapped = Arrival::new();
        self.request = Some(Request { mapped: mapped.clone(), bytes, number: Some(*number) });
        let answer = move |result| mapped.deliver(result);
        encoder.map_buffer_on_submit(staging, wgpu::MapMode::Read, ..HEAD + bytes, answer);
    }

    /// Waits until the requested bytes have arrived. Natively the device must be polled meanwhile.
    pub(in crate::gpu) async fn arrived(&self) -> Result<()> {
        let Some(request) = &self.request else { return Ok(()) };
        poll_fn(|context| self.poll_arrived(request, context)).await
    }

    /// Returns whether the bytes of a request have arrived, or an error if they never will.
    fn poll_arrived(&self, Request { mapped, number, .. }: &Request, context: &Context<'_>) -> Poll<Result<()>> {
        // Look at this first: the answer may arrive meanwhile.
        let is_last = mapped.is_last();
        match mapped.poll(context, |answer| answer.clone()) {
            Poll::Ready(answer) => Poll::Ready(answer.map_err(|error| lost(&error))),
            // Another thread that polls has taken the callback, and may run others first.
            Poll::Pending if self.is_mapped() => Poll::Ready(Ok(())),
            Poll::Pending if is_last => Poll::Ready(Err(match number {
                Some(_) => {
                    let problem = "the encoder that this step was recorded into was dropped and never submitted";
                    Error::Gpu { problem: problem.into() }
                }
                None => lost(&"the device has dropped the request"),
            })),
            Poll::Pending => Poll::Pending,
        }
    }

    /// Returns whether the staging buffer is mapped, after a poll of the device. In a browser only the callback tells.
    fn is_mapped(&self) -> bool {
        let staging = self.staging.as_ref().filter(|_| !cfg!(target_family = "wasm"));
        staging.is_some_and(|staging| staging.get_mapped_range(..HEAD).is_ok())
    }

    /// Returns whether the requested bytes have arrived, after a poll of the device.
    pub(in crate::gpu) fn has_arrived(&self) -> Result<bool> {
        let mut arrived = pin!(self.arrived());
        match arrived.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(arrived) => arrived.map(|()| true),
            Poll::Pending => Ok(false),
        }
    }

    /// Passes the bytes that have arrived to `take`. Returns an error instead if they are those of an earlier step,
    /// because the device has refused the encoder of the host program.
    pub(in crate::gpu) fn take<R>(&mut self, take: impl FnOnce(&[u8]) -> R) -> Result<R> {
        let (Some(staging), Some(Request { bytes, number, .. })) = (&self.staging, self.request.take()) else {
            return Ok(take(&[]));
        };
        let view = staging.get_mapped_range(..HEAD + bytes).map_err(|error| lost(&error))?;
        let (head, rest) = view.split_at(HEAD as usize);
        let has_run = number.is_none_or(|number| head.starts_with(bytemuck::bytes_of(&number)));
        let taken = if has_run { Ok(take(rest)) } else { Err(refused()) };
        drop(view);
        staging.unmap();
        taken
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

fn refused() -> Error {
    let problem = "the device has refused the encoder that this step was recorded into, because of an error in it or in \
                   another part of that submission, which the device's error handler has received";
    Error::Gpu { problem: problem.into() }
}

fn lost(error: &dyn std::fmt::Display) -> Error {
    Error::Gpu { problem: format!("the results could not be read back: {error}") }
}
