//! The sort of pairs.

use rayon::prelude::*;

/// Returns pairs in ascending order. A pair is compared as one 64-bit number, which is faster than as two numbers.
pub(crate) fn ordered(mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    pairs.par_sort_unstable_by_key(|&[i, j]| u64::from(i) << 32 | u64::from(j));
    pairs
}
