//! The threads beside the caller's: a pool that lasts from step to step.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use crate::ground::patience::Patience;

/// Threads that help the one that calls a step.
#[derive(Debug)]
pub(crate) struct Helpers {
    pool: rayon::ThreadPool,
    patience: Patience,
}

impl Helpers {
    /// So many threads, or as many as can be started; nothing where none can, or none is asked for.
    pub(super) fn start(
        mut threads: usize,
        mut start: impl FnMut(rayon::ThreadBuilder) -> io::Result<JoinHandle<()>>,
    ) -> Option<Self> {
        while threads > 0 {
            let mut started = Vec::new();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).spawn_handler(|thread| {
                started.push(start(thread)?);
                Ok(())
            });
            match pool.build() {
                Ok(pool) => return Some(Self { pool, patience: Patience::new() }),
                Err(_) => threads = started.len().min(threads - 1),
            }
            // A pool that lacks a thread lets its others go: they are waited for, so that as many can start again.
            for thread in started {
                drop(thread.join());
            }
        }
        None
    }

    pub(super) fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Those who help in the next step: none, where it did not pay to wait for them of late.
    pub(super) fn for_step(&self) -> Option<&Self> {
        self.patience.shares_round().then_some(self)
    }

    /// Does `work` on each of some tasks, with as many helpers as are of use; alone, where waiting for them has cost
    /// more in this step than they have saved.
    pub(super) fn share<T>(&self, count: usize, tasks: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        if count < 2 || self.patience.is_late() {
            return tasks.for_each(work);
        }
        self.patience.share(Some(&self.pool), self.threads().min(count - 1), tasks, work);
    }

    /// Keeps them awake while what is given lives, so that each stage of a step finds them at once.
    pub(super) fn awake(&self) -> Awake {
        let done = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&done);
        self.pool.spawn_broadcast(move |_| {
            while !ended.load(Ordering::Relaxed) {
                // Does what there is to do.
                if rayon::yield_now() != Some(rayon::Yield::Executed) {
                    std::hint::spin_loop();
                }
            }
        });
        Awake { done }
    }
}

/// Threads that are awake while this lives.
pub(super) struct Awake {
    done: Arc<AtomicBool>,
}

impl Drop for Awake {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}
