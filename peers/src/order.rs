//! Pairs put in order.

use rayon::prelude::*;

/// Pairs in ascending order. As one number of 64 bits a pair is compared faster than as two.
pub(crate) fn ordered(mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    pairs.par_sort_unstable_by_key(|&[i, j]| u64::from(i) << 32 | u64::from(j));
    pairs
}
