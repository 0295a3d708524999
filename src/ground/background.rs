//! Work on a thread of its own, which can be given up.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, Builder, JoinHandle};

/// Work on a thread of its own. When this is dropped, the work is told to stop, and waited for, so that it does not go
/// on while the process ends: drivers that compile then may end it with a fault.
#[derive(Debug)]
pub(crate) struct Background<T> {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<T>>,
}

impl<T: Send + 'static> Background<T> {
    /// Begins. The work looks now and then whether it is to stop.
    pub(crate) fn start(name: &str, work: impl FnOnce(&AtomicBool) -> T + Send + 'static) -> io::Result<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = Builder::new().name(name.into()).spawn(move || work(&stopped))?;
        Ok(Self { stop, thread: Some(thread) })
    }

    /// What came of it, once it is done, and only once; an error where it has panicked.
    pub(crate) fn take(&mut self) -> Option<thread::Result<T>> {
        Some(self.thread.take_if(|thread| thread.is_finished())?.join())
    }
}

impl<T> Drop for Background<T> {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Where it has panicked, it has told so.
        drop(self.thread.take().map(JoinHandle::join));
    }
}
