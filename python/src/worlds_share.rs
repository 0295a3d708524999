//! Work on many worlds, shared between threads that live as long as the call.

use std::num::NonZero;
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, available_parallelism, scope};

use hitmask::cpu;

/// The memory of a thread.
pub(crate) struct Worker {
    pub(crate) engine: cpu::Engine,
    pub(crate) hits: hitmask::Hits,
}

impl Worker {
    /// Makes one for each core.
    pub(crate) fn all() -> hitmask::Result<Vec<Self>> {
        let options = cpu::Options::default().threads(1);
        let cores = available_parallelism().map_or(1, NonZero::get);
        (0..cores).map(|_| Ok(Self { engine: cpu::Engine::with(&options)?, hits: hitmask::Hits::default() })).collect()
    }
}

/// Runs `work` on each of some tasks, on this thread and on as many others as there are tasks and workers for.
pub(crate) fn share<T>(
    tasks: impl ExactSizeIterator<Item = T> + Send,
    workers: &mut [Worker],
    work: impl Fn(&mut Worker, T) + Sync,
) {
    let hands = tasks.len().min(workers.len());
    let rest = Mutex::new(tasks);
    let take = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work_on = |worker: &mut Worker| {
        while let Some(task) = take() {
            work(worker, task);
        }
    };
    let Some((own, others)) = workers[..hands].split_first_mut() else { return };
    scope(|scope| {
        for worker in others {
            // If the system starts no thread, the others do its share.
            let _ = Builder::new().name("hitmask".into()).spawn_scoped(scope, || work_on(worker));
        }
        work_on(own);
    });
}
