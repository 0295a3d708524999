//! Threads of the library's own, which help the one that calls.
//!
//! While that waits for them, it does nothing else. It may be a thread of a pool of `rayon`, as in a game whose tasks
//! make steps: such a thread runs other tasks of its pool wherever it waits for a scope to end, and one of them may
//! want what the caller holds, an engine behind a lock, for ever. So here a scope ends when there is nothing to wait
//! for:
//!
//! ```text
//! caller     own work ──> waits, asleep ─────────────> asks those who helped ──> waits, asleep ──> the scope ends
//! helper     its work ──> tells that it is done ──> rayon notes that ──> its next job: tells ──┘
//! ```
//!
//! Only where the caller is such a thread are those who helped asked: any other sleeps where a scope ends.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle, Thread};
use std::time::{Duration, Instant};

/// How often the caller looks for others before it sleeps: about a tenth of a millisecond. To sleep and be woken would
/// take longer than most of them need.
const SPINS: u32 = 1 << 12;

/// Threads that run nothing but what is shared with them.
#[derive(Debug)]
pub(crate) struct Threads {
    pool: rayon::ThreadPool,
}

/// How work was dealt.
pub(crate) struct Dealt {
    /// The tasks that the caller did, and how long that took.
    pub(crate) own: usize,
    pub(crate) worked: Duration,
    /// The tasks that others did, and how long the caller waited for them then.
    pub(crate) others: usize,
    pub(crate) waited: Duration,
}

impl Threads {
    /// So many threads, or as many as can be started; nothing where none can, or none is asked for.
    pub(crate) fn start(
        mut count: usize,
        mut start: impl FnMut(rayon::ThreadBuilder) -> io::Result<JoinHandle<()>>,
    ) -> Option<Self> {
        while count > 0 {
            let mut started = Vec::new();
            let pool = rayon::ThreadPoolBuilder::new().num_threads(count).spawn_handler(|thread| {
                started.push(start(thread)?);
                Ok(())
            });
            match pool.build() {
                Ok(pool) => return Some(Self { pool }),
                Err(_) => count = started.len().min(count - 1),
            }
            // A pool that lacks a thread lets its others go: they are waited for, so that as many can start again.
            for thread in started {
                drop(thread.join());
            }
        }
        None
    }

    /// Starts one, by the system.
    pub(crate) fn spawn(thread: rayon::ThreadBuilder) -> io::Result<JoinHandle<()>> {
        thread::Builder::new().spawn(|| thread.run())
    }

    pub(crate) fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Does `work` on each of some tasks, which are made one by one as they are taken: here, and on so many threads.
    pub(crate) fn deal<T>(
        &self,
        hands: usize,
        tasks: impl Iterator<Item = T> + Send,
        work: impl Fn(T) + Sync,
    ) -> Dealt {
        let rest = Mutex::new(tasks);
        let take = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
        let all_that_is_left = || {
            let mut done = 0;
            while let Some(task) = take() {
                work(task);
                done += 1;
            }
            done
        };
        let (begun, others) = (Instant::now(), AtomicUsize::new(0));
        let helps = || {
            others.fetch_add(all_that_is_left(), Ordering::Relaxed);
        };
        let (own, worked) = self.together(hands, helps, || (all_that_is_left(), begun.elapsed()));
        Dealt { own, worked, others: others.into_inner(), waited: begun.elapsed().saturating_sub(worked) }
    }

    /// Does something here, and `helps` on so many threads; ends when all have.
    fn together<T>(&self, hands: usize, helps: impl Fn() + Sync, own: impl FnOnce() -> T) -> T {
        let busy = Countdown::new(hands);
        let asked = if rayon::current_thread_index().is_some() { self.count() } else { 0 };
        let helped: Vec<AtomicBool> = (0..asked).map(|_| AtomicBool::new(false)).collect();
        let hand = || {
            let _told = Tells(&busy);
            if let Some(helped) = rayon::current_thread_index().and_then(|thread| helped.get(thread)) {
                helped.store(true, Ordering::Relaxed);
            }
            helps();
        };
        self.pool.in_place_scope(|scope| {
            let _waits = Waits { pool: &self.pool, busy: &busy, helped: &helped };
            for _ in 0..hands {
                scope.spawn(|_| hand());
            }
            own()
        })
    }

    /// Keeps them awake while what is given lives, so that what is shared finds them at once.
    pub(crate) fn awake(&self) -> Awake {
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
pub(crate) struct Awake {
    done: Arc<AtomicBool>,
}

impl Drop for Awake {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

/// Those whom the thread that makes it waits for.
struct Countdown {
    left: AtomicUsize,
    waiting: Thread,
}

impl Countdown {
    fn new(count: usize) -> Self {
        Self { left: AtomicUsize::new(count), waiting: thread::current() }
    }

    /// One less.
    fn tell(&self) {
        if self.left.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.waiting.unpark();
        }
    }

    /// Waits until none is left.
    fn wait(&self) {
        let is_over = || self.left.load(Ordering::Acquire) == 0;
        for _ in 0..SPINS {
            if is_over() {
                return;
            }
            std::hint::spin_loop();
        }
        while !is_over() {
            thread::park();
        }
    }
}

/// Tells when it is dropped: also where what was done has panicked.
struct Tells<'a>(&'a Countdown);

impl Drop for Tells<'_> {
    fn drop(&mut self) {
        self.0.tell();
    }
}

/// Waits for all who help when it is dropped: also where the caller's own work has panicked.
struct Waits<'a> {
    pool: &'a rayon::ThreadPool,
    busy: &'a Countdown,
    /// For each thread whether it has helped, if that is asked.
    helped: &'a [AtomicBool],
}

impl Drop for Waits<'_> {
    fn drop(&mut self) {
        self.busy.wait();
        let helped: Vec<bool> = self.helped.iter().map(|helped| helped.load(Ordering::Relaxed)).collect();
        let count = helped.iter().filter(|helped| **helped).count();
        if count > 0 {
            // A thread has noted the end of one job before it begins the next.
            let noted = Arc::new(Countdown::new(count));
            let tells = Arc::clone(&noted);
            self.pool.spawn_broadcast(move |thread| {
                if helped[thread.index()] {
                    tells.tell();
                }
            });
            noted.wait();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    #[test]
    fn each_task_is_done_once() {
        let threads = Threads::start(3, Threads::spawn).unwrap();
        for hands in [0, 1, 3] {
            let sum = AtomicU32::new(0);
            let dealt = threads.deal(hands, 0..1000_u32, |task| {
                sum.fetch_add(task, Ordering::Relaxed);
            });
            assert_eq!(sum.into_inner(), 499_500);
            assert_eq!(dealt.own + dealt.others, 1000);
        }
    }

    /// Whoever panics, the caller has waited for all, and hears of it.
    #[test]
    fn a_panic_is_the_callers() {
        let threads = Threads::start(2, Threads::spawn).unwrap();
        for bad in [0, 500, 999] {
            let done = AtomicU32::new(0);
            let dealt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                threads.deal(2, 0..1000, |task| {
                    assert_ne!(task, bad, "a task that panics on purpose");
                    done.fetch_add(1, Ordering::Relaxed);
                })
            }));
            // One thread is gone, and the others do what is left.
            assert!(dealt.is_err() && done.into_inner() == 999);
        }
    }
}
