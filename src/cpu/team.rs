//! Threads, where they pay.

use std::ops::Range;
use std::sync::OnceLock;

use crate::ground::error::Result;
use crate::ground::threads::Threads;

/// The threads of a step: the one that called, which works as all others do, and those of a pool.
///
/// A game calls a step after work of its own, when the pool's threads sleep; the caller's does not, and begins at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Team<'a> {
    /// Threads beside the caller's; none, where all is done where the step was called.
    pub helpers: Option<&'a Threads>,
}

impl Team<'_> {
    /// The number of threads.
    pub(super) fn threads(self) -> usize {
        1 + self.helpers.map_or(0, Threads::count)
    }

    /// The tasks into which work on `len` elements goes, each of at least `least`; several for a thread, so that none
    /// waits long.
    pub(super) fn tasks(self, len: usize, least: usize) -> usize {
        if self.helpers.is_none() { 1 } else { (len / least).clamp(1, 8 * self.threads()) }
    }

    /// What `work` makes of each element, in their order.
    pub(super) fn each<T: Sync, R: Send>(self, all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let mut answers: Vec<(&T, Option<R>)> = all.iter().map(|element| (element, None)).collect();
        self.each_mut(&mut answers, |_, (element, answer)| *answer = Some(work(element)));
        answers.into_iter().filter_map(|(_, answer)| answer).collect()
    }

    /// Does `work` on each element, which is told its index.
    pub(super) fn each_mut<T: Send>(self, all: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        self.each_of(all.len(), all.iter_mut().enumerate(), |(k, element)| work(k, element));
    }

    /// Does `work` on each of `count` tasks, which are made one by one as threads take them.
    pub(super) fn each_of<T>(self, count: usize, tasks: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
        match self.helpers {
            Some(helpers) => helpers.share(count, tasks, work),
            None => tasks.for_each(work),
        }
    }

    /// Does `work` on each element, which is told its index; the first error, after which no more is begun.
    pub(super) fn try_each_mut<T: Send>(
        self,
        all: &mut [T],
        work: impl Fn(usize, &mut T) -> Result<()> + Sync,
    ) -> Result<()> {
        self.try_each_of(all.len(), all.iter_mut().enumerate(), |(k, element)| work(k, element))
    }

    /// Does `work` on each of `count` tasks, which are made one by one as threads take them; the first error, after
    /// which no more is begun.
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
                // Another thread may have failed meanwhile: its error will do.
                let _ = first.set(error);
            }
        });
        first.into_inner().map_or(Ok(()), Err)
    }
}

/// A range from 0 on in parts of one length, but for the last, which may be shorter; one part where it is empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    len: usize,
    step: usize,
}

impl Parts {
    /// `0..len` in `count` parts, or in fewer where that comes out shorter.
    pub(super) fn new(len: usize, count: usize) -> Self {
        Self { len, step: len.div_ceil(count.max(1)).max(1) }
    }

    /// How many there are.
    pub(super) fn count(self) -> usize {
        self.len.max(1).div_ceil(self.step)
    }

    /// One of them.
    pub(super) fn part(self, k: usize) -> Range<usize> {
        (k * self.step).min(self.len)..((k + 1) * self.step).min(self.len)
    }
}
