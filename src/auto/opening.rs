//! A GPU that is being opened, beside the steps of a game.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};

use crate::gpu::{Engine, Options};
use crate::ground::error::{Error, Result};

/// A thread that opens a GPU and compiles all shaders for it, so that neither holds up a step. Dropped, it waits for
/// what is being done, and leaves the rest: a driver must not compile while the process ends.
#[derive(Debug)]
pub(super) struct Opening {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<Engine>>>,
}

impl Opening {
    /// Begins; an error where there are no threads.
    pub(super) fn start(options: &Options) -> Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let (options, stopped) = (options.clone(), Arc::clone(&stop));
        let thread = Builder::new()
            .name("hitmask opening".into())
            .spawn(move || Engine::compiled(&options, &stopped))
            .map_err(|error| Error::Gpu { problem: format!("there is no thread to open it on: {error}") })?;
        Ok(Self { stop, thread: Some(thread) })
    }

    /// The GPU, or why there is none, once that is known; never waits.
    pub(super) fn take(&mut self) -> Option<Result<Engine>> {
        let thread = self.thread.take_if(|thread| thread.is_finished())?;
        let panicked = |_| Err(Error::Gpu { problem: "wgpu has panicked while it was opened".into() });
        Some(thread.join().unwrap_or_else(panicked))
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Where it has panicked, it has told so.
        drop(self.thread.take().map(JoinHandle::join));
    }
}
