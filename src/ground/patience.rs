//! Decides whether it pays to share work with other threads, and to wait for them.
//!
//! On a machine that is busy with other work the system puts a thread to sleep for milliseconds, and with it the task
//! that it has taken; a whole step may take less. Others save the caller their share of the tasks, and cost it the time
//! that it waits for them. Where they cost more than they save, it works alone for the rest of that round, and for some
//! rounds behind it: more and more of them while it goes on like this, fewer when it does not.
//!
//! ```text
//!   busy     T a a a a a a a a T a a a a a a a a a a a a a a a a T ...     T: together, a: alone
//!   idle     T T T T T T T T T T T T T T T T T ...
//! ```

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

/// How much more than they have saved the others cost, in nanoseconds, for the rest of a round to be done alone: longer
/// than a thread takes to wake up.
const LATE: i64 = 200_000;
/// The rounds that the caller works alone after the first in which the others were late, and the most.
const ALONE: [u32; 2] = [8, 128];

/// Whether it pays to wait for the threads of a pool.
#[derive(Debug)]
pub(crate) struct Patience {
    /// What they have saved the caller in this round, less what they cost it, in nanoseconds.
    saved: AtomicI64,
    /// The rounds to the next that is tried, with that one; 0 where the last was shared, and nobody late.
    left: AtomicU32,
    /// The rounds that the caller works alone after the last in which the others were late.
    pause: AtomicU32,
}

impl Patience {
    pub(crate) const fn new() -> Self {
        Self { saved: AtomicI64::new(0), left: AtomicU32::new(0), pause: AtomicU32::new(0) }
    }

    /// Begins a round of work; whether it is to be shared. Where several threads begin rounds at once, a count may be
    /// lost, and nothing else.
    pub(crate) fn shares_round(&self) -> bool {
        let (pause, mut left) = (self.pause.load(Ordering::Relaxed), self.left.load(Ordering::Relaxed));
        if self.saved.swap(0, Ordering::Relaxed) < 0 {
            let pause = (2 * pause).clamp(ALONE[0], ALONE[1]);
            self.pause.store(pause, Ordering::Relaxed);
            left = pause + 1;
        } else if left == 0 {
            self.pause.store(pause / 2, Ordering::Relaxed);
        }
        self.left.store(left.saturating_sub(1), Ordering::Relaxed);
        left <= 1
    }

    /// Whether the others cost so much in this round that the rest of it is not shared.
    pub(crate) fn is_late(&self) -> bool {
        self.saved.load(Ordering::Relaxed) < -LATE
    }

    /// Takes note of how many tasks the caller did in how much time, how many the others did, and how long it waited
    /// for them then.
    pub(super) fn note(&self, [own, others]: [usize; 2], worked: Duration, waited: Duration) {
        // Where it did none, nothing tells what one takes.
        let saved = if own == 0 { waited } else { worked.mul_f64(others as f64 / own as f64) };
        let nanos = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        self.saved.fetch_add(nanos(saved).saturating_sub(nanos(waited)), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Which of so many rounds are shared, where the others are late in those of which `late` says so.
    fn shared(rounds: u32, late: impl Fn(u32) -> bool) -> Vec<u32> {
        let patience = Patience::new();
        let is_shared = |&round: &u32| {
            let shares = patience.shares_round();
            if shares {
                // Half of a millisecond's work, and a wait.
                let waited = Duration::from_micros(if late(round) { 700 } else { 300 });
                patience.note([4, 4], Duration::from_micros(500), waited);
                assert!(!patience.is_late());
                patience.note(
                    [8, 0],
                    Duration::from_micros(500),
                    Duration::from_micros(if late(round) { 100 } else { 0 }),
                );
                assert_eq!(patience.is_late(), late(round));
            }
            shares
        };
        (0..rounds).filter(is_shared).collect()
    }

    #[test]
    fn those_who_are_late_are_asked_more_and_more_seldom() {
        assert_eq!(shared(20, |_| false), (0..20).collect::<Vec<_>>());
        let asked = shared(1000, |_| true);
        assert_eq!(asked[..5], [0, 9, 26, 59, 124]);
        assert!(asked[5..].windows(2).all(|rounds| rounds[1] - rounds[0] == ALONE[1] + 1), "{asked:?}");
        // And always, where they are not any more.
        assert_eq!(shared(100, |round| round == 0), std::iter::once(0).chain(9..100).collect::<Vec<_>>());
    }
}
