//! Checks that a queue belongs to a device.
//!
//! wgpu reports a mismatch as an error on the queue's own device, or panics; across instances it may report nothing. So
//! this copies a word on the queue, and reads it back.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::device::Gpu;
use super::fault::PATIENCE;
use super::frame::Readback;
use crate::ground::error::{Error, Result};

/// The word that the readback must return.
const WORD: u32 = 0x6869_746D;

/// Returns an error if the queue belongs to another device. Blocks natively, and leaves the waiting to the event loop
/// in a browser.
pub(super) async fn check(gpu: &Gpu) -> Result<()> {
    // wgpu panics if the other device has no error handler.
    let Ok(sent) = catch_unwind(AssertUnwindSafe(|| gpu.scoped(|| send(gpu)))) else { return Err(foreign()) };
    let mut readback = sent?;
    if !gpu.arrived(&readback).await? {
        let problem = format!("the device did not respond within {} s", PATIENCE.as_secs());
        return Err(gpu.cause(Error::Gpu { problem }));
    }
    let came = readback.take(|bytes| bytes == WORD.to_ne_bytes())?;
    if came { Ok(()) } else { Err(gpu.cause(foreign())) }
}

/// Copies the word on the queue. It does not call `Queue::write_buffer`: in another instance the same number may name
/// some other buffer, which would be overwritten.
fn send(gpu: &Gpu) -> Readback {
    let bytes = size_of_val(&WORD) as u64;
    let source = gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some("a word"),
        size: bytes,
        usage: wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: true,
    });
    if let Ok(mut mapped) = source.get_mapped_range_mut(..) {
        mapped.copy_from_slice(&WORD.to_ne_bytes());
    }
    source.unmap();
    let mut readback = Readback::default();
    readback.ensure(&gpu.device, bytes);
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    readback.copy(&mut encoder, &[(&source, 0, bytes)]);
    gpu.queue.submit([encoder.finish()]);
    readback.request(bytes);
    readback
}

fn foreign() -> Error {
    Error::value("queue", "the queue of another device", "be the device's own")
}
