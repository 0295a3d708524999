//! The confidence interval of a median, by order statistics: it assumes nothing of how times are distributed.
//!
//! See W. J. Conover, "Practical Nonparametric Statistics", 3rd edition, section 3.2.

/// The most probability that the true median lies below the interval, and as much that it lies above.
const TAIL: f64 = 0.025;

/// Returns the 95 % confidence interval `[low, high]` of the median of times; `None` for fewer than 6 times.
///
/// Its ends are times of the sample: the `k`-th from below and the `k`-th from above, with the largest `k` for which
/// fewer than `k` of the times lie below the true median with probability at most 2.5 %.
pub(super) fn of_median(times: &[u64]) -> Option<[u64; 2]> {
    let n = times.len();
    // Terms of the binomial distribution with n tries at 1/2: fewer than k times are below the true median.
    let (mut term, mut below, mut k) = (0.5_f64.powi(n as i32), 0.0, 0);
    while k < n / 2 && below + term <= TAIL {
        below += term;
        term *= (n - k) as f64 / (k + 1) as f64;
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
    fn few_times_have_no_interval() {
        assert_eq!((0..6).find_map(|n| of_median(&vec![7; n])), None);
        assert_eq!(of_median(&[7; 6]), Some([7, 7]));
    }
}
