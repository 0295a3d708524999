//! The library's own threads, which help the calling thread.
//!
//! A thread of a `rayon` pool that waits runs other tasks of its pool. Such a task may want a lock that the waiting
//! thread holds, such as that of an engine: a deadlock. So if the caller is a pool thread, it does its share of the
//! work and then blocks until a plain thread, started for this purpose, has waited for the helpers.

use std::io;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::thread::{self, Builder, JoinHandle, available_parallelism};

use super::clock::Instant;
use super::patience::Patience;

/// How often the caller checks whether the helpers are done before it sleeps: for about a tenth of a millisecond.
/// Sleeping and waking up would take longer than most of them need.
const SPINS: u32 = 1 << 12;

/// Threads that only run work shared with them.
#[derive(Debug)]
pub(crate) struct Threads {
    pool: rayon::ThreadPool,
    patience: Patience,
}

/// Threads for bulk edits and batches of queries, which belong to no engine.
static SHARED: LazyLock<Option<Threads>> =
    LazyLock::new(|| Threads::start(available_parallelism().map_or(1, NonZero::get), Threads::spawn));

/// Returns the number of threads that share edits, including the caller: at most those of its pool, if it is a pool
/// thread.
pub(crate) fn shared() -> usize {
    let all = SHARED.as_ref().map_or(1, Threads::count);
    if is_of_pool() { all.min(rayon::current_num_threads()) } else { all }
}

/// Runs `work` on each of `count` tasks, which are made one by one as they are taken: on this thread, and on the shared
/// ones if that pays.
pub(crate) fn share<T>(count: usize, tasks: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let hands = if count < 2 { 0 } else { (count - 1).min(shared() - 1) };
    let threads = SHARED.as_ref().filter(|_| hands > 0).and_then(Threads::for_round);
    deal(threads, hands, tasks, work);
}

/// Runs `work` on each of `count` tasks, which are made one by one as they are taken: on this thread, and on those of
/// `threads` that are useful. Alone if there is one task at most, and if waiting for the others has cost more in this
/// round than they have saved.
pub(crate) fn share_with<T>(
    threads: Option<&Threads>,
    count: usize,
    tasks: impl Iterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let threads = threads.filter(|threads| count > 1 && !threads.patience.is_late());
    let hands = threads.map_or(0, |threads| threads.count().min(count - 1));
    deal(threads, hands, tasks, work);
}

/// Runs `work` on each of some tasks, which are made one by one as they are taken: on this thread, and on `hands` of
/// `threads`.
fn deal<T>(threads: Option<&Threads>, hands: usize, tasks: impl Iterator<Item = T> + Send, work: impl Fn(T) + Sync) {
    let rest = Mutex::new(tasks);
    let take = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
    // Behind a pointer, so that each kind of work is compiled once and not for each way to share it.
    let do_rest: &(dyn Fn() -> usize + Sync) = &|| {
        let mut done = 0;
        while let Some(task) = take() {
            work(task);
            done += 1;
        }
        done
    };
    match threads {
        Some(threads) => threads.help(hands, do_rest),
        None => _ = do_rest(),
    }
}

/// Runs `work`, which may use `rayon`, within the shared threads, while the caller sleeps.
pub(crate) fn within<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let Some(Threads { pool, .. }) = SHARED.as_ref() else { return work() };
    if !is_of_pool() {
        return pool.install(work);
    }
    let mut left = Some(work);
    let ended = thread::scope(|scope| {
        let waits = Builder::new().spawn_scoped(scope, || left.take().map(|work| pool.install(work)));
        waits.map_or(Ok(None), thread::ScopedJoinHandle::join)
    });
    let answer = ended.unwrap_or_else(|panic| resume_unwind(panic));
    // If no thread can be started to wait, the work is done here.
    answer.or_else(|| left.take().map(|work| work())).expect("it is done once")
}

/// Returns whether the caller is a thread of a `rayon` pool.
fn is_of_pool() -> bool {
    rayon::current_thread_index().is_some()
}

impl Threads {
    /// Starts `count` threads, or as many as the system allows; `None` if that is none.
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
                Ok(pool) => return Some(Self { pool, patience: Patience::new() }),
                Err(_) => count = started.len().min(count - 1),
            }
            // A pool that lacks a thread releases its others: wait for them, so that as many can start again.
            for thread in started {
                drop(thread.join());
            }
        }
        None
    }

    /// Starts a thread through the operating system.
    pub(crate) fn spawn(thread: rayon::ThreadBuilder) -> io::Result<JoinHandle<()>> {
        Builder::new().name("hitmask".into()).spawn(|| thread.run())
    }

    pub(crate) fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Returns these threads if they should help in the next round of work; `None` if waiting for them has not paid
    /// lately.
    pub(crate) fn for_round(&self) -> Option<&Self> {
        self.patience.shares_round().then_some(self)
    }

    /// Calls `do_rest`, which does tasks until none is left and returns how many it has done: on this thread, and on
    /// `hands` helpers.
    fn help(&self, hands: usize, do_rest: &(dyn Fn() -> usize + Sync)) {
        let (begun, busy, others) = (Instant::now(), AtomicUsize::new(hands), AtomicUsize::new(0));
        let help = || {
            others.fetch_add(do_rest(), Ordering::Relaxed);
            busy.fetch_sub(1, Ordering::Release);
        };
        let own = || {
            let done = do_rest();
            let worked = begun.elapsed();
            for _ in 0..SPINS {
                if busy.load(Ordering::Acquire) == 0 {
                    break;
                }
                std::hint::spin_loop();
            }
            (done, worked)
        };
        let (done, worked) = self.beside(hands, help, own);
        let waited = begun.elapsed().saturating_sub(worked);
        self.patience.note([done, others.into_inner()], worked, waited);
    }

    /// Runs `own` here and `help` on `hands` threads, and returns when all have finished. If the caller is a thread of
    /// another pool and no thread can be started to wait in its place, all is done here.
    fn beside<T>(&self, hands: usize, help: impl Fn() + Sync, own: impl FnOnce() -> T) -> T {
        if !is_of_pool() {
            return self.pool.in_place_scope(|scope| {
                spawn(scope, hands, &help);
                own()
            });
        }
        thread::scope(|scope| {
            let others = || self.pool.in_place_scope(|scope| spawn(scope, hands, &help));
            let waits = Builder::new().spawn_scoped(scope, others);
            let done = own();
            if let Ok(Err(panic)) = waits.map(thread::ScopedJoinHandle::join) {
                resume_unwind(panic);
            }
            done
        })
    }

    /// Keeps the threads awake until the returned guard is dropped, so that each stage of a step finds them ready.
    pub(crate) fn awake(&self) -> Awake {
        let done = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&done);
        self.pool.spawn_broadcast(move |_| {
            while !ended.load(Ordering::Relaxed) {
                // Runs pending work, if any.
                if rayon::yield_now() != Some(rayon::Yield::Executed) {
                    std::hint::spin_loop();
                }
            }
        });
        Awake { done }
    }
}

/// Makes `hands` threads of a pool help.
fn spawn<'a>(scope: &rayon::Scope<'a>, hands: usize, help: &'a (impl Fn() + Sync)) {
    for _ in 0..hands {
        scope.spawn(|_| help());
    }
}

/// A guard that keeps threads awake.
pub(crate) struct Awake {
    done: Arc<AtomicBool>,
}

impl Drop for Awake {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU32;

    use super::*;

    /// Makes a pool for a caller.
    fn pool(threads: usize) -> rayon::ThreadPool {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
    }

    #[test]
    fn no_more_threads_share_than_the_callers_pool_has() {
        let all = shared();
        for threads in [1, 2, 500] {
            assert_eq!(pool(threads).install(shared), all.min(threads));
        }
    }

    #[test]
    fn work_is_done_within_the_shared_threads() {
        let name = || thread::current().name().map(str::to_owned);
        let answers = [within(name), pool(2).install(|| within(name))];
        assert_eq!(answers.map(Option::unwrap), ["hitmask"; 2]);
        let panics = || std::panic::catch_unwind(|| within(|| panic!("on purpose"))).is_err();
        assert!(panics() && pool(2).install(panics));
    }

    #[test]
    fn each_task_is_done_once() {
        let (threads, in_pool) = (Threads::start(3, Threads::spawn).unwrap(), pool(2));
        for hands in [0, 1, 3] {
            let sum = AtomicU32::new(0);
            let deal_all = || {
                deal(Some(&threads), hands, 0..1000_u32, |task| {
                    sum.fetch_add(task, Ordering::Relaxed);
                });
            };
            deal_all();
            in_pool.install(deal_all);
            assert_eq!(sum.into_inner(), 2 * 499_500);
        }
    }

    /// Tests that whichever thread panics, the caller waits for all and gets the panic.
    #[test]
    fn a_panic_is_the_callers() {
        let (threads, in_pool) = (Threads::start(2, Threads::spawn).unwrap(), pool(2));
        for bad in [0, 500, 999] {
            let done = AtomicU32::new(0);
            let deal_all = || {
                std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    deal(Some(&threads), 2, 0..1000, |task| {
                        assert_ne!(task, bad, "a task that panics on purpose");
                        done.fetch_add(1, Ordering::Relaxed);
                    });
                }))
            };
            // One thread is gone; the others do the rest.
            assert!(deal_all().is_err() && in_pool.install(deal_all).is_err());
            assert_eq!(done.into_inner(), 2 * 999);
        }
    }
}
