//! Threads do not survive a fork: a step in the child would wait for them for ever.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

use crate::error::Error;

/// True once something was made that may start threads.
static THREADS: AtomicBool = AtomicBool::new(false);

/// True in a process that was forked after that.
static FORKED: AtomicBool = AtomicBool::new(false);

/// Notes that threads may run from now on.
pub(crate) fn note_threads() {
    THREADS.store(true, Ordering::Relaxed);
}

/// Notes that this process is the child of a fork.
#[pyfunction]
pub(crate) fn _after_fork() {
    FORKED.store(THREADS.load(Ordering::Relaxed), Ordering::Relaxed);
}

/// Raises in a process that was forked from one with threads.
pub(crate) fn check() -> PyResult<()> {
    if FORKED.load(Ordering::Relaxed) {
        let problem = "this process was forked after hitmask had started threads, which it lacks; start processes \
                       with the method `spawn` or `forkserver`";
        return Err(Error::new_err(problem));
    }
    Ok(())
}
