//! The contest: contenders answer the same queries in turn, in one process.

use std::time::{Duration, Instant};

use anyhow::bail;
use hitmask_workbench::workloads::checksum;
use rayon::ThreadPool;

use crate::order::ordered;

/// Number of placements of the bodies, which alternate, so that none is where it was in the previous step.
pub(crate) const PLACEMENTS: usize = 2;

/// A library under comparison.
pub(crate) trait Contender {
    /// Returns its name in tables.
    fn name(&self) -> &str;

    /// Returns which part of it runs on all threads, as text.
    fn threads(&self) -> &'static str;

    /// Returns whether its pairs come in order. If not, they are sorted, and the sort is measured too.
    fn ordered(&self) -> bool;

    /// Moves the bodies to a placement; not measured.
    fn prepare(&mut self, placement: usize) -> anyhow::Result<()>;

    /// Finds the pairs of a placement; measured.
    fn find(&mut self, placement: usize) -> anyhow::Result<Vec<[u32; 2]>>;

    /// Ends its turn; not measured.
    fn leave(&mut self) {}
}

/// The median times of a contender.
#[derive(Clone, Debug)]
pub(crate) struct Time {
    /// The name of the contender.
    pub(crate) name: String,
    /// The part of it that runs on all threads, as text.
    pub(crate) threads: &'static str,
    /// The time until the pairs are in memory, in order.
    pub(crate) ordered: Duration,
    /// The time until the pairs are in memory, unsorted; `None` if they come in order.
    pub(crate) found: Option<Duration>,
}

/// The result of a contest.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// The number of pairs in the first placement.
    pub(crate) pairs: usize,
    /// The number of runs from which the medians are taken.
    pub(crate) runs: usize,
    /// The times, in the order of the contenders.
    pub(crate) times: Vec<Time>,
}

/// Lets hitmask and others answer in turn, `runs` times. Each answers for one placement after the other, as a game does
/// frame by frame, and only its last answer is timed, so that none pays for what another has left in the caches.
///
/// Every answer is compared with the first contender's by count and checksum. A difference is an error.
pub(crate) fn contest(
    title: &str,
    ours: impl Contender,
    others: Vec<Box<dyn Contender + '_>>,
    runs: usize,
    pool: &ThreadPool,
) -> anyhow::Result<Outcome> {
    let mut contenders: Vec<Box<dyn Contender + '_>> = vec![Box::new(ours)];
    contenders.extend(others);
    let mut expected: [Option<(usize, u64)>; PLACEMENTS] = [None; PLACEMENTS];
    let mut found = vec![Vec::new(); contenders.len()];
    let mut whole = vec![Vec::new(); contenders.len()];
    for run in 0..runs {
        let turns = (0..contenders.len()).flat_map(|i| (1..=PLACEMENTS).map(move |k| (i, k)));
        for (i, k) in turns {
            let (contender, placement) = (&mut contenders[i], (run + k) % PLACEMENTS);
            contender.prepare(placement)?;
            let start = Instant::now();
            let mut pairs = contender.find(placement)?;
            let until_found = start.elapsed();
            if !contender.ordered() {
                pairs = pool.install(|| ordered(pairs));
            }
            let until_ordered = start.elapsed();
            contender.leave();
            let answer = (pairs.len(), checksum(&pairs));
            let first = *expected[placement].get_or_insert(answer);
            if answer != first || !pairs.is_sorted() {
                bail!(
                    "{title}: `{}` finds {} pairs (checksum {:016x}) in placement {placement}, not {} ({:016x}) in \
                     order",
                    contender.name(),
                    answer.0,
                    answer.1,
                    first.0,
                    first.1,
                );
            }
            if k == PLACEMENTS {
                found[i].push(until_found);
                whole[i].push(until_ordered);
            }
        }
    }
    let times = contenders.iter().zip(found.iter_mut().zip(&mut whole)).map(|(contender, (found, whole))| Time {
        name: contender.name().into(),
        threads: contender.threads(),
        ordered: median(whole),
        found: (!contender.ordered()).then(|| median(found)),
    });
    let times = times.collect();
    Ok(Outcome { pairs: expected[0].map_or(0, |(pairs, _)| pairs), runs, times })
}

/// Returns the median; of an even number of times, the greater of the middle two; of none, 0.
pub(crate) fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A contender with a fixed answer.
    struct Parrot<'a>(&'static str, &'a [[u32; 2]]);

    impl Contender for Parrot<'_> {
        fn name(&self) -> &str {
            self.0
        }

        fn threads(&self) -> &'static str {
            "one"
        }

        fn ordered(&self) -> bool {
            self.0 == "ordered"
        }

        fn prepare(&mut self, _: usize) -> anyhow::Result<()> {
            Ok(())
        }

        fn find(&mut self, _: usize) -> anyhow::Result<Vec<[u32; 2]>> {
            Ok(self.1.to_vec())
        }
    }

    fn run(a: &[[u32; 2]], b: &[[u32; 2]], name: &'static str) -> anyhow::Result<Outcome> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        contest("test", Parrot("first", a), vec![Box::new(Parrot(name, b))], 5, &pool)
    }

    #[test]
    fn equal_answers_are_timed() {
        let outcome = run(&[[0, 1], [2, 3]], &[[2, 3], [0, 1]], "second").unwrap();
        assert_eq!((outcome.pairs, outcome.times.len()), (2, 2));
        assert!(outcome.times[1].found.unwrap() <= outcome.times[1].ordered);
        assert!(run(&[[0, 1], [2, 3]], &[[0, 1], [2, 3]], "ordered").unwrap().times[1].found.is_none());
    }

    #[test]
    fn other_answers_are_errors() {
        for other in [&[[0, 1]][..], &[[0, 1], [2, 4]], &[[0, 1], [2, 3], [2, 3]]] {
            let message = run(&[[0, 1], [2, 3]], other, "second").unwrap_err().to_string();
            assert!(message.starts_with("test: `second` finds "), "{message}");
        }
        let message = run(&[[0, 1], [2, 3]], &[[2, 3], [0, 1]], "ordered").unwrap_err().to_string();
        assert!(message.contains("in order"), "{message}");
    }

    #[test]
    fn a_median_is_in_the_middle() {
        let seconds = |values: &[u64]| values.iter().map(|&s| Duration::from_secs(s)).collect::<Vec<_>>();
        assert_eq!(median(&mut seconds(&[5, 1, 9])), Duration::from_secs(5));
        assert_eq!(median(&mut []), Duration::ZERO);
    }
}
