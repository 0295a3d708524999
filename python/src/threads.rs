//! Work that is shared between threads, which live as long as the call.

use std::ops::Range;
use std::panic::resume_unwind;
use std::thread::{Builder, available_parallelism, scope};

/// The fewest items that are worth a thread.
const FEWEST: usize = 256;

/// Runs some work on equal parts of a range, on at most `threads` threads, 0 for one on each core, and returns the
/// results in order.
pub(crate) fn in_parts<R: Send>(len: usize, threads: usize, work: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
    let most = (len / FEWEST).max(1);
    // The system is only asked for the cores if there may be several threads: its answer takes as long as many items.
    let cores = || if most == 1 { 1 } else { available_parallelism().map_or(1, usize::from) };
    let threads = if threads == 0 { cores() } else { threads }.min(most);
    let part = |k: usize| len * k / threads..len * (k + 1) / threads;
    let work = &work;
    scope(|scope| {
        let spawn = |k| Builder::new().name("hitmask".into()).spawn_scoped(scope, move || work(part(k)));
        let others: Vec<_> = (1..threads).map(spawn).collect();
        let first = work(part(0));
        let rest = (1..).zip(others).map(|(k, other)| match other {
            Ok(other) => other.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // The system starts no more threads.
            Err(_) => work(part(k)),
        });
        std::iter::once(first).chain(rest).collect()
    })
}
