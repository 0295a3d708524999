//! A bucket sort: where each bucket starts, and keys that are out of order only within their buckets.

use crate::simd::Lanes;

/// Turns how many keys each bucket has into where it starts; the most that one has.
#[inline(always)]
pub(in crate::cpu) fn starts(counts: &mut [u32]) -> u32 {
    let (mut start, mut most) = (0, 0);
    for count in counts {
        most = most.max(*count);
        start += std::mem::replace(count, start);
    }
    most
}

/// Sorts `keys` that lie in buckets of at most `most` keys, where all keys of a bucket belong before those of the next.
///
/// By `most` rounds of odd-even transposition (Habermann, *Parallel Neighbor-Sort*, 1972), which sort any `most` keys
/// and take none out of its bucket; they have no branch that depends on keys. A bucket that is in order before, however
/// many keys it has, stays in order.
#[inline(always)]
pub(in crate::cpu) fn settle<L: Lanes, K: Copy + Ord>(_: L, keys: &mut [K], most: u32) {
    let behind_first = keys.len().min(1);
    for round in 0..if most > 1 { most } else { 0 } {
        let pairs = &mut keys[if round % 2 == 0 { 0 } else { behind_first }..];
        for pair in pairs.chunks_exact_mut(2) {
            (pair[0], pair[1]) = (pair[0].min(pair[1]), pair[0].max(pair[1]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, Simd};
    use hitmask_workbench::workloads::SplitMix64;

    struct Settle<'a> {
        keys: &'a mut [u64],
        most: u32,
    }

    impl Kernel for Settle<'_> {
        type Output = ();

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) {
            settle(lanes, self.keys, self.most);
        }
    }

    #[test]
    fn buckets_are_sorted() {
        let mut random = SplitMix64(3);
        for len in [0, 1, 2, 3, 17, 100, 1000] {
            let mut keys = Vec::new();
            let (mut bucket, mut most) = (0, 0);
            while keys.len() < len {
                let count = (1 + random.below(9)).min((len - keys.len()) as u32);
                keys.extend((0..count).map(|_| bucket << 32 | u64::from(random.below(20))));
                (bucket, most) = (bucket + 1, count.max(most));
            }
            let mut sorted = keys.clone();
            sorted.sort_unstable();
            for simd in Simd::available() {
                let mut keys = keys.clone();
                simd.run(Settle { keys: &mut keys, most });
                assert_eq!(keys, sorted, "{simd:?}");
            }
        }
    }
}
