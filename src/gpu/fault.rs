//! What goes wrong on a device, and as which error it comes back.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::device::{Gpu, text};
use crate::ground::error::{Error, Result};

impl Gpu {
    /// Does something that makes objects on the device or sends work off. An error of the device becomes the answer;
    /// one that another thread causes does not.
    pub(super) fn scoped<R>(&self, act: impl FnOnce() -> R) -> Result<R> {
        let scopes = [wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::Internal]
            .map(|filter| self.device.push_error_scope(filter));
        let answer = act();
        let errors: Vec<_> = scopes.into_iter().rev().filter_map(|scope| pollster::block_on(scope.pop())).collect();
        // What is out of memory is the cause of all other errors: these are about objects that were not made.
        let cause = errors.iter().find(|error| matches!(error, wgpu::Error::OutOfMemory { .. })).or(errors.last());
        match cause {
            // Without memory by which it brings data to the device, wgpu gives the device up.
            Some(wgpu::Error::OutOfMemory { source }) if self.is_lost() => {
                Err(Error::GpuLost { problem: format!("out of memory: {source}") })
            }
            Some(wgpu::Error::OutOfMemory { source }) => Err(Error::GpuMemory { problem: source.to_string() }),
            Some(error) => Err(self.cause(Error::Gpu { problem: error.to_string() })),
            None => Ok(answer),
        }
    }

    /// Polls the device, as `how` says with a wait or without. That calls the host's callbacks too: it belongs outside
    /// of [`Gpu::scoped`], which would take their errors for the engine's.
    pub(super) fn poll(&self, how: wgpu::PollType) -> Result<()> {
        // A device that is lost while it is waited for is an error of which wgpu panics.
        match catch_unwind(AssertUnwindSafe(|| self.device.poll(how))) {
            Ok(Ok(_) | Err(wgpu::PollError::Timeout)) => Ok(()),
            Ok(Err(error)) => Err(self.cause(Error::Gpu { problem: format!("the device does not answer: {error}") })),
            Err(panic) => match text(&*panic) {
                Some(text) if text.starts_with(POLLING) => Err(Error::GpuLost { problem: text.trim().into() }),
                // A host's callback has panicked.
                _ => resume_unwind(panic),
            },
        }
    }

    /// An error of the device; where it is lost, that.
    pub(super) fn cause(&self, error: Error) -> Error {
        match error {
            Error::Gpu { problem } if self.is_lost() => Error::GpuLost { problem },
            error => error,
        }
    }

    /// Whether the device is lost. wgpu tells that a host's callback only, of which there is one; but a lost device
    /// raises no errors, so it is asked for what must be one.
    fn is_lost(&self) -> bool {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        drop(self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("no buffer: it has no use"),
            size: 4,
            usage: wgpu::BufferUsages::empty(),
            mapped_at_creation: false,
        }));
        pollster::block_on(scope.pop()).is_none()
    }
}

/// How wgpu begins the text of a panic about a device that it polls.
const POLLING: &str = "Error in Device::poll";
