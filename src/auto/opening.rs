//! A GPU that is being opened, beside the steps of a game.

use crate::gpu::{Engine, Options};
use crate::ground::background::Background;
use crate::ground::error::{Error, Result};

/// A thread that opens a GPU and compiles all shaders for it, so that neither holds up a step. Dropped, it waits for
/// what is being done, and leaves the rest.
#[derive(Debug)]
pub(super) struct Opening(Background<Result<Engine>>);

impl Opening {
    /// Begins; an error where there are no threads.
    pub(super) fn start(options: &Options) -> Result<Self> {
        let options = options.clone();
        Background::start("hitmask opening", move |stop| Engine::compiled(&options, stop))
            .map(Self)
            .map_err(|error| Error::Gpu { problem: format!("there is no thread to open it on: {error}") })
    }

    /// The GPU, or why there is none, once that is known; never waits.
    pub(super) fn take(&mut self) -> Option<Result<Engine>> {
        let panicked = |_| Err(Error::Gpu { problem: "wgpu has panicked while it was opened".into() });
        Some(self.0.take()?.unwrap_or_else(panicked))
    }
}
