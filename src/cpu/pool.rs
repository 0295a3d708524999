//! The memory of threads, which lasts from step to step.

use std::sync::{Mutex, PoisonError};

/// What tasks work with, one at a time.
#[derive(Debug, Default)]
pub(super) struct Pool<M> {
    free: Mutex<Vec<M>>,
}

impl<M: Default> Pool<M> {
    /// Lends some memory for a task.
    pub(super) fn lend<T>(&self, task: impl FnOnce(&mut M) -> T) -> T {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memory = free().pop().unwrap_or_default();
        let answer = task(&mut memory);
        free().push(memory);
        answer
    }

    /// Does something with all that is not lent.
    pub(super) fn each_mut(&mut self, work: impl FnMut(&mut M)) {
        self.free.get_mut().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(work);
    }

    /// The sum of something of all that is not lent.
    pub(super) fn sum(&self, of: impl Fn(&M) -> usize) -> usize {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).iter().map(of).sum()
    }
}
