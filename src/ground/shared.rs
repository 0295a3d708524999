//! Work of calls that have no engine, on threads that these calls share.

use std::num::NonZero;
use std::sync::{Mutex, MutexGuard, OnceLock, TryLockError};
use std::thread::available_parallelism;

use super::patience::Patience;
use super::threads::Threads;

/// One less than there are cores; started when they are first needed.
static THREADS: OnceLock<Option<Threads>> = OnceLock::new();
/// Whose turn it is to be helped: others work alone meanwhile, and wait for nobody.
static TURN: Mutex<()> = Mutex::new(());

/// The number of threads on which a call is to work, with the caller's: as many as the pool of `rayon` has in which it
/// is called. None of that pool's works: it may be busy with what waits for the caller.
pub(crate) fn threads() -> usize {
    rayon::current_num_threads()
}

/// Does `work` on each of `count` tasks, which are made one by one as they are taken: here, and on other threads, as
/// long as that pays, if a patience sees to that.
pub(crate) fn share<T>(
    patience: Option<&Patience>,
    count: usize,
    tasks: impl Iterator<Item = T> + Send,
    work: impl Fn(T) + Sync,
) {
    let hands = threads().min(count).saturating_sub(1);
    if hands > 0
        && let Some(_turn) = turn()
        && patience.is_none_or(Patience::shares_round)
        && let Some(threads) = THREADS.get_or_init(start)
    {
        let hands = hands.min(threads.count());
        match patience {
            Some(patience) => patience.share(threads, hands, tasks, work),
            None => drop(threads.deal(hands, tasks, work)),
        }
    } else {
        tasks.for_each(work);
    }
}

fn turn() -> Option<MutexGuard<'static, ()>> {
    match TURN.try_lock() {
        Ok(turn) => Some(turn),
        Err(TryLockError::Poisoned(turn)) => Some(turn.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
}

fn start() -> Option<Threads> {
    Threads::start(available_parallelism().map_or(1, NonZero::get) - 1, Threads::spawn)
}
