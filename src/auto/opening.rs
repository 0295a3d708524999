//! A thread that opens a GPU while the game runs its steps.

use crate::gpu::{Engine, Options};
use crate::ground::background::Background;
use crate::ground::error::{Error, Result};

/// A device that the host program opened, and its queue.
#[derive(Clone, Debug)]
pub(super) struct Host {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
}

/// A thread that opens a GPU and compiles all shaders for it, so that neither delays a step. Dropping it waits for the
/// current operation and skips the rest.
#[derive(Debug)]
pub(super) struct Opening(Background<Result<Engine>>);

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
