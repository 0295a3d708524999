//! Errors of a device, and how they are returned.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use super::device::{Gpu, text};
use crate::ground::error::{Error, Result};

impl Gpu {
    /// Calls `act`, which creates objects on the device or submits work, and returns the device's error if there is
    /// one. Errors that another thread causes are not returned here.
    pub(super) fn scoped<R>(&self, act: impl FnOnce() -> R) -> Result<R> {
        let scopes = [wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::Internal]
            .map(|filter| self.device.push_error_scope(filter));
        let answer = act();
        let errors: Vec<_> = scopes.into_iter().rev().filter_map(|scope| pollster::block_on(scope.pop())).collect();
        // Running out of memory causes all other errors, which are about objects that were not created.
        let cause = errors.iter().find(|error| matches!(error, wgpu::Error::OutOfMemory { .. })).or(errors.last());
        match cause {
            // Without memory for staging data to the device, wgpu gives the device up.
            Some(wgpu::Error::OutOfMemory { source }) if self.is_lost() => {
                Err(Error::GpuLost { problem: format!("out of memory: {source}") })
            }
            Some(wgpu::Error::OutOfMemory { source }) => Err(Error::GpuMemory { problem: source.to_string() }),
            Some(error) => Err(self.cause(Error::Gpu { problem: error.to_string() })),
            None => Ok(answer),
        }
    }

    /// Polls the device, waiting or not as `how` says. This also runs callbacks of the host program, so it must not be
    /// called within [`Gpu::scoped`], which would take their errors for the engine's.
    pub(super) fn poll(&self, how: wgpu::PollType) -> Result<()> {
        // If the device is lost during a wait, wgpu panics.
        match catch_unwind(AssertUnwindSafe(|| self.device.poll(how))) {
            Ok(Ok(_) | Err(wgpu::PollError::Timeout)) => Ok(()),
            Ok(Err(error)) => Err(self.cause(Error::Gpu { problem: format!("the device does not respond: {error}") })),
            Err(panic) => match text(&*panic) {
                Some(text) if text.starts_with(POLLING) => Err(Error::GpuLost { problem: text.trim().into() }),
                // A callback of the host program panicked.
                _ => resume_unwind(panic),
            },
        }
    }

    /// Replaces an error of the device by [`Error::GpuLost`] if the device is lost.
    pub(super) fn cause(&self, error: Error) -> Error {
        match error {
            Error::Gpu { problem } if self.is_lost() => Error::GpuLost { problem },
            error => error,
        }
    }

    /// Returns whether the device is lost. wgpu reports a loss only to a single callback, which belongs to the host
    /// program. But a lost device raises no errors, so this provokes one and checks whether it is raised.
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

/// The first words of wgpu's panic when polling a device fails.
const POLLING: &str = "Error in Device::poll";
