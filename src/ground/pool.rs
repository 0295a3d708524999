//! A pool of per-thread memory, kept from step to step and from query to query.

use std::sync::{Mutex, PoisonError};

/// Memory that tasks borrow, each piece by one task at a time.
#[derive(Debug, Default)]
pub(crate) struct Pool<M> {
    free: Mutex<Vec<M>>,
}

impl<M: Default> Pool<M> {
    /// Lends memory to a task.
    pub(crate) fn lend<T>(&self, task: impl FnOnce(&mut M) -> T) -> T {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memory = free().pop().unwrap_or_default();
        let answer = task(&mut memory);
        free().push(memory);
        answer
    }

    /// Calls `work` with all memory that is not lent.
    pub(crate) fn each_mut(&mut self, work: impl FnMut(&mut M)) {
        self.free.get_mut().unwrap_or_else(PoisonError::into_inner).iter_mut().for_each(work);
    }

    /// Returns the sum of `of` over all memory that is not lent.
    pub(crate) fn sum(&self, of: impl Fn(&M) -> usize) -> usize {
        self.free.lock().unwrap_or_else(PoisonError::into_inner).iter().map(of).sum()
    }
}
