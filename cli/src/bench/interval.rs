//! The confidence interval of a median, by order statistics: it assumes nothing of how times are distributed.
//!
//! See W. J. Conover, "Practical Nonparametric Statistics", 3rd edition, section 3.2.

use std::f64::consts::LN_2;

/// The most probability that the true median lies below the interval, and as much that it lies above.
const TAIL: f64 = 0.025;

/// Returns the 95 % confidence interval `[low, high]` of the median of times; `None` for fewer than 6 times.
///
/// Its ends are times of the sample: the `k`-th from below and the `k`-th from above, with the largest `k` for which
/// fewer than `k` of the times lie below the true median with probability at most 2.5 %.
pub(super) fn of_median(times: &[u64]) -> Option<[u64; 2]> {
    let n = times.len();
    // The logarithm of a term of the binomial distribution with n tries at 1/2: that exactly k times lie below the true
    // median. The terms themselves are too small for many times.
    let (mut term, mut below, mut k) = (-(n as f64) * LN_2, 0.0, 0);
    while k < n / 2 && below + term.exp() <= TAIL {
        below += term.exp();
        term += ((n - k) as f64 / (k + 1) as f64).ln();
        k += 1;
    }
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    (k > 0).then(|| [sorted[k - 1], sorted[n - k]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_the_ranks_of_conovers_table() {
        // Ranks from the table of the sign test, two-sided, 5 %.
        for (n, rank) in [(6, 1), (8, 1), (9, 2), (11, 2), (12, 3), (15, 4), (20, 6), (25, 8), (50, 18)] {
            let times: Vec<u64> = (1..=n).rev().collect();
            assert_eq!(of_median(&times), Some([rank, n + 1 - rank]), "{n}");
        }
    }

    #[test]
    fn ends_of_many_times_are_those_of_the_normal_distribution() {
        for n in [1_000_u64, 1_074, 1_075, 5_000, 100_000] {
            let times: Vec<u64> = (1..=n).collect();
            let [low, high] = of_median(&times).unwrap();
            let rank = (n as f64 - 1.96 * (n as f64).sqrt()) / 2.0;
            assert!((low as f64 - rank).abs() <= 2.0 && low + high == n + 1, "{n}: {low} to {high}, not {rank}");
        }
    }

    #[test]
    fn few_times_have_no_interval() {
        assert_eq!((0..6).find_map(|n| of_median(&vec![7; n])), None);
        assert_eq!(of_median(&[7; 6]), Some([7, 7]));
    }
}
