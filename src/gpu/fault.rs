//! Errors of a device, and how they are returned.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};
use std::time::Duration;

use super::device::{Gpu, text};
use super::doubt::Doubts;
use super::frame::Readback;
use super::lock::lock;
use crate::ground::error::{Error, Result};

/// The time limit for a question to a new device. In software the self-test takes 0.1 s, but a minute was seen on an
/// overloaded machine.
pub(super) const PATIENCE: Duration = Duration::from_secs(300);

impl Gpu {
    /// Calls `act`, which creates objects on the device or submits work, and returns the device's error if there is
    /// one. Errors that another thread causes are not returned here. A browser tells errors later: they are
    /// [doubts](Self::take_doubts) until then.
    pub(super) fn scoped<R>(&self, act: impl FnOnce() -> R) -> Result<R> {
        self.scoped_for(None, act)
    }

    /// As [`Gpu::scoped`], for an `act` that compiles a shader, which the error then names.
    pub(super) fn scoped_for<R>(&self, shader: Option<&'static str>, act: impl FnOnce() -> R) -> Result<R> {
        let scopes = [wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::Internal]
            .map(|filter| self.device.push_error_scope(filter));
        let answer = act();
        let scopes = scopes.into_iter().rev();
        if cfg!(target_family = "wasm") {
            lock(&self.doubts).add(shader, scopes.map(|scope| Box::pin(scope.pop()) as _).collect());
            return Ok(answer);
        }
        let errors: Vec<_> = scopes.filter_map(|scope| pollster::block_on(scope.pop())).collect();
        self.error_of(shader, &errors).map_or(Ok(answer), Err)
    }

    /// Returns the error to report for those of an act, if there are any; `shader` is the one that the act compiled.
    pub(super) fn error_of(&self, shader: Option<&'static str>, errors: &[wgpu::Error]) -> Option<Error> {
        // Running out of memory causes all other errors, which are about objects that were not created.
        let cause = errors.iter().find(|error| matches!(error, wgpu::Error::OutOfMemory { .. })).or(errors.last())?;
        let error = match cause {
            // Without memory for staging data to the device, wgpu gives the device up.
            wgpu::Error::OutOfMemory { source } if self.is_lost() => {
                Error::GpuLost { problem: format!("out of memory: {source}") }
            }
            wgpu::Error::OutOfMemory { source } => Error::GpuMemory { problem: source.to_string() },
            error => self.cause(Error::Gpu { problem: error.to_string() }),
        };
        Some(match (shader, error) {
            (Some(name), Error::Gpu { problem }) => {
                Error::Gpu { problem: format!("the driver refused the shader `{name}`: {problem}") }
            }
            (_, error) => error,
        })
    }

    /// Takes the acts whose errors a browser has not told yet. Natively there are none.
    pub(super) fn take_doubts(&self) -> Doubts {
        std::mem::take(&mut *lock(&self.doubts))
    }

    /// Waits until a readback has arrived: natively it blocks, in a browser it leaves that to the event loop. Returns
    /// false if it takes longer than [`PATIENCE`].
    pub(super) async fn arrived(&self, readback: &Readback) -> Result<bool> {
        if !cfg!(target_family = "wasm") {
            self.poll(wgpu::PollType::Wait { submission_index: None, timeout: Some(PATIENCE) })?;
            return readback.has_arrived().map_err(|error| self.cause(error));
        }
        self.settle().await?;
        readback.arrived().await.map_err(|error| self.cause(error))?;
        Ok(true)
    }

    /// Polls the device, waiting or not as `how` says. This also runs callbacks of the host program, so it must not be
    /// called within [`Gpu::scoped`], which would take their errors for the engine's. wgpu's own poll in each
    /// submission cannot be kept out of there: [`Engine::from_device`](super::Engine::from_device) says so.
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

    /// Waits until all error scopes have told.
    pub(super) async fn settle(&self) -> Result<()> {
        let mut doubts = self.take_doubts();
        poll_fn(|context| self.poll_doubts(&mut doubts, context)).await
    }

    /// Returns whether the acts of `doubts` went well, once that is known.
    pub(super) fn poll_doubts(&self, doubts: &mut Doubts, context: &mut Context<'_>) -> Poll<Result<()>> {
        doubts.poll(|shader, errors| self.error_of(shader, errors), context)
    }

    /// Replaces an error of the device by [`Error::GpuLost`] if the device is lost.
    pub(super) fn cause(&self, error: Error) -> Error {
        match error {
            Error::Gpu { problem } if self.is_lost() => Error::GpuLost { problem },
            error => error,
        }
    }

    /// Returns an error if the device is lost: for calls that do nothing on the device that a loss would fail.
    pub(super) fn check(&self) -> Result<()> {
        if self.is_lost() {
            let problem = "its driver has given it up, or the program has destroyed it";
            return Err(Error::GpuLost { problem: problem.into() });
        }
        Ok(())
    }

    /// Returns whether the device is lost. Natively wgpu reports a loss only to a single callback, which belongs to the
    /// host program. But a lost device raises no errors, so this provokes one and checks whether it is raised. A
    /// browser reports a loss to any number of callbacks.
    fn is_lost(&self) -> bool {
        if cfg!(target_family = "wasm") {
            return self.lost.load(Ordering::Relaxed);
        }
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
