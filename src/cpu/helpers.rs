//! The threads beside the caller's, which last from step to step.

use std::io;
use std::thread::JoinHandle;

use crate::ground::patience::Patience;
use crate::ground::threads::{Awake, Threads};

/// Threads that help the one that calls a step.
#[derive(Debug)]
pub(crate) struct Helpers {
    threads: Threads,
    patience: Patience,
}

impl Helpers {
    /// So many threads, or as many as can be started; nothing where none can, or none is asked for.
    pub(super) fn start(
        threads: usize,
        start: impl FnMut(rayon::ThreadBuilder) -> io::Result<JoinHandle<()>>,
    ) -> Option<Self> {
        Some(Self { threads: Threads::start(threads, start)?, patience: Patience::new() })
    }

    pub(super) fn threads(&self) -> usize {
        self.threads.count()
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
        self.patience.share(&self.threads, self.threads().min(count - 1), tasks, work);
    }

    /// Keeps them awake while what is given lives, so that each stage of a step finds them at once.
    pub(super) fn awake(&self) -> Awake {
        self.threads.awake()
    }
}
