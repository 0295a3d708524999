//! The buckets of a counting sort.

/// Turns the number of elements in each bucket into the index at which the bucket starts.
#[inline(always)]
pub(crate) fn starts(counts: &mut [u32]) {
    let mut start = 0;
    for count in counts {
        start += std::mem::replace(count, start);
    }
}
