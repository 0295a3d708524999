//! The median of times, and how far they spread.

use serde::{Deserialize, Serialize};

/// A summary of times in nanoseconds. The median of an even number of times is the mean of the two in the middle,
/// rounded down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "a number that leaves the program bears its unit")]
pub(super) struct Spread {
    /// The median.
    pub(super) median_ns: u64,
    /// The median absolute deviation: the median distance from the median.
    pub(super) mad_ns: u64,
    /// The minimum.
    pub(super) min_ns: u64,
    /// The maximum.
    pub(super) max_ns: u64,
}

impl Spread {
    /// Summarizes times; all fields are 0 if there are none.
    pub(super) fn of(times: &[u64]) -> Self {
        let median_ns = median(times.to_vec());
        let mad_ns = median(times.iter().map(|time| time.abs_diff(median_ns)).collect());
        let [min_ns, max_ns] = [times.iter().min(), times.iter().max()].map(|time| time.copied().unwrap_or(0));
        Self { median_ns, mad_ns, min_ns, max_ns }
    }
}

fn median(mut times: Vec<u64>) -> u64 {
    times.sort_unstable();
    let middle = times.len() / 2;
    match times.len() {
        0 => 0,
        odd if odd % 2 == 1 => times[middle],
        _ => times[middle - 1].midpoint(times[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_and_deviation_do_not_mind_one_slow_run() {
        let spread = Spread::of(&[10, 12, 11, 900, 13]);
        assert_eq!(spread, Spread { median_ns: 12, mad_ns: 1, min_ns: 10, max_ns: 900 });
        assert_eq!(Spread::of(&[4, 8]), Spread { median_ns: 6, mad_ns: 2, min_ns: 4, max_ns: 8 });
        assert_eq!(Spread::of(&[]), Spread::default());
    }
}
