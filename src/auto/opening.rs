//! Opening a GPU while the game runs its steps.

#[cfg(target_family = "wasm")]
use std::task::{Context, Poll, Waker};

#[cfg(target_family = "wasm")]
use crate::gpu::later::Later;
use crate::gpu::{Engine, Options};
#[cfg(not(target_family = "wasm"))]
use crate::ground::background::Background;
#[cfg(not(target_family = "wasm"))]
use crate::ground::error::Error;
use crate::ground::error::Result;

/// A device that the host program opened, and its queue.
#[derive(Clone, Debug)]
pub(super) struct Host {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
}

/// A thread that opens a GPU and compiles all shaders for it, so that neither delays a step. Dropping it waits for the
/// current operation and skips the rest.
#[cfg(not(target_family = "wasm"))]
#[derive(Debug)]
pub(super) struct Opening(Background<Result<Engine>>);

#[cfg(not(target_family = "wasm"))]
impl Opening {
    /// Starts the thread, on the host program's device if there is one. Returns an error if there are no threads.
    pub(super) fn start(options: &Options, host: Option<&Host>) -> Result<Self> {
        let (options, host) = (options.clone(), host.cloned());
        Background::start("hitmask opening", move |stop| match host {
            Some(Host { device, queue }) => Engine::compiled_on(device, queue, &options, stop),
            None => Engine::compiled(&options, stop),
        })
        .map(Self)
        .map_err(|error| Error::Gpu { problem: format!("cannot start a thread to open it on: {error}") })
    }

    /// Returns the GPU engine, or the error why there is none, once that is known; never waits.
    pub(super) fn take(&mut self) -> Option<Result<Engine>> {
        let panicked = |_| Err(Error::Gpu { problem: "wgpu panicked while opening it".into() });
        Some(self.0.take()?.unwrap_or_else(panicked))
    }
}

/// A future that opens a GPU and compiles all shaders for it. The browser does the work, and each step looks what has
/// become of it.
#[cfg(target_family = "wasm")]
pub(super) struct Opening(Later<Result<Engine>>);

#[cfg(target_family = "wasm")]
impl Opening {
    /// Begins to open, on the host program's device if there is one.
    #[expect(clippy::unnecessary_wraps, reason = "natively there may be no thread")]
    pub(super) fn start(options: &Options, host: Option<&Host>) -> Result<Self> {
        let options = options.clone();
        Ok(Self(match host.cloned() {
            Some(Host { device, queue }) => Box::pin(Engine::compiled_on(device, queue, options)),
            None => Box::pin(Engine::compiled(options)),
        }))
    }

    /// Returns the GPU engine, or the error why there is none, once that is known; never waits.
    pub(super) fn take(&mut self) -> Option<Result<Engine>> {
        match self.0.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(opened) => Some(opened),
            Poll::Pending => None,
        }
    }
}

#[cfg(target_family = "wasm")]
impl std::fmt::Debug for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Opening")
    }
}
