//! Decides whether it pays to share work with other threads, and to wait for them.
//!
//! On a machine busy with other work, the system puts a thread to sleep for milliseconds, together with the task it has
//! taken; a whole step may take less. Helpers save the caller their share of the tasks, but cost it the time it waits
//! for them. If they cost more than they save, the caller works alone for the rest of that round. If they do so on
//! average over the last rounds, it works alone for some rounds: more and more while this continues, fewer once it does
//! not. A round that costs less than three others have saved changes nothing: with many cores, working alone costs
//! more.
//!
//! ```text
//!   busy     T T a a a a a a a a T a a a a a a a a a a a a a a a a T ...   T: together, a: alone
//!   idle     T T T T T T T T T T T T T T T T T ...
//! ```

use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::time::Duration;

/// How much more than their savings the helpers must cost, in nanoseconds, for the caller to finish a round alone:
/// longer than a thread takes to wake up.
const LATE: i64 = 200_000;
/// The number of rounds that the caller works alone at first, and the maximum.
const ALONE: [u32; 2] = [8, 128];
/// The savings of a round that new threads are trusted with, in nanoseconds: in their first round they still start, and
/// touch their memory for the first time.
const TRUST: i64 = 1_000_000;
/// The weight of the rounds before the last one in the average, to 1 for the last.
const BEFORE: i64 = 3;

/// A running estimate of whether it pays to wait for the threads of a pool.
#[derive(Debug)]
pub(crate) struct Patience {
    /// The time that the helpers have saved the caller in this round, minus their cost, in nanoseconds.
    saved: AtomicI64,
    /// The average of `saved` over the last shared rounds, later ones with more weight.
    average: AtomicI64,
    /// The rounds up to and including the next one to try; 0 if the last was shared and it paid.
    left: AtomicU32,
    /// The number of rounds that the caller works alone if it does not pay to share.
    pause: AtomicU32,
}

impl Patience {
    pub(crate) const fn new() -> Self {
        let [saved, average] = [AtomicI64::new(0), AtomicI64::new(TRUST)];
        Self { saved, average, left: AtomicU32::new(0), pause: AtomicU32::new(0) }
    }

    /// Begins a round of work, and returns whether to share it. If several threads begin rounds at once, one may count
    /// what another has saved so far, or lose a count, but nothing else.
    pub(crate) fn shares_round(&self) -> bool {
        let (pause, mut left) = (self.pause.load(Ordering::Relaxed), self.left.load(Ordering::Relaxed));
        let saved = self.saved.swap(0, Ordering::Relaxed);
        let before = self.average.load(Ordering::Relaxed);
        // After rounds alone, only the round that was tried counts.
        let average = if before < 0 { saved } else { (BEFORE * before + saved) / (BEFORE + 1) };
        if saved != 0 {
            self.average.store(average, Ordering::Relaxed);
        }
        if saved != 0 && average < 0 {
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
        // The first rounds use up the trust: 1000, 675, 431, 248, 111, 8 and then less than 0 microseconds.
        let asked = shared(1000, |_| true);
        assert_eq!(asked[..10], [0, 1, 2, 3, 4, 5, 14, 31, 64, 129]);
        assert!(asked[10..].windows(2).all(|rounds| rounds[1] - rounds[0] == ALONE[1] + 1), "{asked:?}");
        // And all again once they are no longer late.
        let again = shared(100, |round| round <= 5);
        assert_eq!(again, (0..=5).chain(14..100).collect::<Vec<_>>());
    }

    #[test]
    fn one_late_round_among_good_ones_changes_nothing() {
        for often in [5, 100] {
            assert_eq!(shared(1000, |round| round % often == 0).len(), 1000, "one in {often}");
        }
        assert!(shared(1000, |round| round % 4 != 0).len() < 500, "most are late");
    }
}
