//! The threads of a step, used where they pay off.

use std::ops::Range;
use std::sync::OnceLock;

use crate::ground::error::Result;
use crate::ground::threads::{Threads, share_with};

/// The threads of a step: the caller's, which works like all others, and those of a pool.
///
/// A game runs a step after work of its own, when the pool's threads are asleep; the caller's thread is awake and
/// starts at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Team<'a> {
    /// The threads besides the caller's; `None` if the caller does all the work.
    pub helpers: Option<&'a Threads>,
}

impl Team<'_> {
    /// Returns the number of threads.
    pub(super) fn threads(self) -> usize {
        1 + self.helpers.map_or(0, Threads::count)
    }

    /// Returns the number of tasks into which work on `len` elements is split: each has at least `least` elements, and
    /// each thread gets several, so that none waits long.
    pub(super) fn tasks(self, len: usize, least: usize) -> usize {
        if self.helpers.is_none() { 1 } else { (len / least).clamp(1, 8 * self.threads()) }
    }

    /// Returns the result of `work` for each element, in order.
    pub(super) fn each<T: Sync, R: Send>(self, all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let mut answers: Vec<(&T, Option<R>)> = all.iter().map(|element| (element, None)).collect();
        self.each_mut(&mut answers, |_, (element, answer)| *answer = Some(work(element)));
        answers.into_iter().filter_map(|(_, answer)| answer).collect()
    }

    /// Calls `work` with the index and the element, for each element.
    pub(super) fn each_mut<T: Send>(self, all: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        self.each_of(all.len(), all.iter_mut().enumerate(), |(k, element)| work(k, element));
    }

    /// Calls `work` with each of `count` tasks, which are made one by one as threads take them.
    pub(super) fn each_of<T>(self, count: usize, tasks: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        share_with(self.helpers, count, tasks, work);
    }

    /// Calls `work` with the index and the element, for each element. Returns the first error, after which no more work
    /// is started.
    pub(super) fn try_each_mut<T: Send>(
        self,
        all: &mut [T],
        work: impl Fn(usize, &mut T) -> Result<()> + Sync,
    ) -> Result<()> {
        self.try_each_of(all.len(), all.iter_mut().enumerate(), |(k, element)| work(k, element))
    }

    /// Calls `work` with each of `count` tasks, which are made one by one as threads take them. Returns the first
    /// error, after which no more work is started.
    pub(super) fn try_each_of<T>(
        self,
        count: usize,
        tasks: impl Iterator<Item = T> + Send,
        work: impl Fn(T) -> Result<()> + Sync,
    ) -> Result<()> {
        let first = OnceLock::new();
        self.each_of(count, tasks, |task| {
            if first.get().is_none()
                && let Err(error) = work(task)
            {
                // Another thread may have failed in the meantime; one error is enough.
                let _ = first.set(error);
            }
        });
        first.into_inner().map_or(Ok(()), Err)
    }
}

/// A range from 0, split into parts of equal length, except that the last may be shorter. An empty range has one part.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    len: usize,
    step: usize,
}

impl Parts {
    /// Splits `0..len` into `count` parts, or fewer if parts of equal length already cover it.
    pub(super) fn new(len: usize, count: usize) -> Self {
        Self { len, step: len.div_ceil(count.max(1)).max(1) }
    }

    /// Returns the number of parts.
    pub(super) fn count(self) -> usize {
        self.len.max(1).div_ceil(self.step)
    }

    /// Returns part `k`.
    pub(super) fn part(self, k: usize) -> Range<usize> {
        (k * self.step).min(self.len)..((k + 1) * self.step).min(self.len)
    }
}
