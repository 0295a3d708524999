//! Threads, where they pay.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::JoinHandle;

use crate::ground::error::Result;

/// How often a thread looks for others before it sleeps: about a tenth of a millisecond.
const SPINS: u32 = 1 << 12;

/// A pool of so many threads, or of as many as can be started; nothing where none can, or none is asked for.
pub(super) fn helpers(
    mut threads: usize,
    mut start: impl FnMut(rayon::ThreadBuilder) -> io::Result<JoinHandle<()>>,
) -> Option<rayon::ThreadPool> {
    while threads > 0 {
        let mut started = Vec::new();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).spawn_handler(|thread| {
            started.push(start(thread)?);
            Ok(())
        });
        match pool.build() {
            Ok(pool) => return Some(pool),
            Err(_) => threads = started.len().min(threads - 1),
        }
        // A pool that lacks a thread lets its others go: they are waited for, so that as many can start again.
        for thread in started {
            drop(thread.join());
        }
    }
    None
}

/// Keeps the threads of a pool awake while it lives, so that each stage of a step finds them at once.
pub(super) struct Awake {
    done: Arc<AtomicBool>,
}

impl Awake {
    pub(super) fn new(pool: &rayon::ThreadPool) -> Self {
        let done = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&done);
        pool.spawn_broadcast(move |_| {
            while !ended.load(Ordering::Relaxed) {
                // Does what there is to do.
                if rayon::yield_now() != Some(rayon::Yield::Executed) {
                    std::hint::spin_loop();
                }
            }
        });
        Self { done }
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// The threads of a step: the one that called, which works as all others do, and those of a pool.
///
/// A game calls a step after work of its own, when the pool's threads sleep; the caller's does not, and begins at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Team<'a> {
    /// Threads beside the caller's; none, where all is done where the step was called.
    pub helpers: Option<&'a rayon::ThreadPool>,
}

impl Team<'_> {
    /// The number of threads.
    pub(super) fn threads(self) -> usize {
        1 + self.helpers.map_or(0, rayon::ThreadPool::current_num_threads)
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
        let Some(helpers) = self.helpers.filter(|_| count > 1) else { return tasks.for_each(work) };
        let hands = helpers.current_num_threads().min(count - 1);
        let (rest, busy) = (Mutex::new(tasks), AtomicUsize::new(hands));
        let take = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
        let all_that_is_left = || {
            while let Some(task) = take() {
                work(task);
            }
        };
        helpers.in_place_scope(|scope| {
            for _ in 0..hands {
                scope.spawn(|_| {
                    all_that_is_left();
                    busy.fetch_sub(1, Ordering::Release);
                });
            }
            all_that_is_left();
            // The others are about to end: to sleep and be woken would take longer.
            for _ in 0..SPINS {
                if busy.load(Ordering::Acquire) == 0 {
                    break;
                }
                std::hint::spin_loop();
            }
        });
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
