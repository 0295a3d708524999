//! Work on a separate thread, which can be cancelled.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Builder, JoinHandle};

/// Work on a separate thread. Dropping this signals the work to stop and waits for it, so that it does not run on while
/// the process ends: a driver that is compiling then may crash the process.
#[derive(Debug)]
pub(crate) struct Background<T> {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<T>>,
}

impl<T: Send + 'static> Background<T> {
    /// Starts the work, which checks from time to time whether to stop.
    pub(crate) fn start(name: &str, work: impl FnOnce(&AtomicBool) -> T + Send + 'static) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = Builder::new().name(name.into()).spawn(move || work(&stopped))?;
        Ok(Self { stop, thread: Some(thread) })
    }

    /// Returns the result once the work is done, and only once; an error if it panicked.
    pub(crate) fn take(&mut self) -> Option<thread::Result<T>> {
        Some(self.thread.take_if(|thread| thread.is_finished())?.join())
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // A panic has already printed its message.
        drop(self.thread.take().map(JoinHandle::join));
    }
}
