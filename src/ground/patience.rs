//! Decides whether it pays to share work with other threads, and to wait for them.
//!
//! On a machine busy with other work, the system puts a thread to sleep for milliseconds, together with the task it has
//! taken; a whole step may take less. Helpers save the caller their share of the tasks, but cost it the time it waits
//! for them. If they cost more than they save, the caller works alone for the rest of that round and for some rounds
//! after it: more and more rounds while this continues, fewer once it does not.
//!
//! ```text
//!   busy     T a a a a a a a a T a a a a a a a a a a a a a a a a T ...     T: together, a: alone
//!   idle     T T T T T T T T T T T T T T T T T ...
//! ```

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

/// How much more than their savings the helpers must cost, in nanoseconds, for the caller to finish a round alone:
/// longer than a thread takes to wake up.
const LATE: i64 = 200_000;
/// The number of rounds that the caller works alone after the first late one, and the maximum.
const ALONE: [u32; 2] = [8, 128];

/// A running estimate of whether it pays to wait for the threads of a pool.
#[derive(Debug)]
pub(crate) struct Patience {
    /// The time that the helpers have saved the caller in this round, minus their cost, in nanoseconds.
    saved: AtomicI64,
    /// The rounds up to and including the next one to try; 0 if the last was shared and nobody was late.
    left: AtomicU32,
    /// The number of rounds that the caller works alone after the last late one.
    pause: AtomicU32,
}

impl Patience {
    pub(crate) const fn new() -> Self {
        Self { saved: AtomicI64::new(0), left: AtomicU32::new(0), pause: AtomicU32::new(0) }
    }

    /// Begins a round of work, and returns whether to share it. If several threads begin rounds at once, a count may be
    /// lost, but nothing else.
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

    /// Returns whether the helpers have cost so much in this round that the caller should finish it alone.
    pub(crate) fn is_late(&self) -> bool {
        self.saved.load(Ordering::Relaxed) < -LATE
    }

    /// Records how many tasks the caller did in how much time, how many the helpers did, and how long the caller waited
    /// for them.
    pub(super) fn note(&self, [own, others]: [usize; 2], worked: Duration, waited: Duration) {
        // If it did none, the time of a task is unknown.
        let saved = if own == 0 { waited } else { worked.mul_f64(others as f64 / own as f64) };
        let nanos = |time: Duration| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX);
        self.saved.fetch_add(nanos(saved).saturating_sub(nanos(waited)), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rounds that are shared, if the helpers are late in those for which `late` is true.
    fn shared(rounds: u32, late: impl Fn(u32) -> bool) -> Vec<u32> {
        let patience = Patience::new();
        let is_shared = |&round: &u32| {
            let shares = patience.shares_round();
            if shares {
                // Half of one millisecond of work, and a wait.
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
        // And all again once they are no longer late.
        assert_eq!(shared(100, |round| round == 0), std::iter::once(0).chain(9..100).collect::<Vec<_>>());
    }
}
