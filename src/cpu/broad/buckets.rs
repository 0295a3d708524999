//! Buckets of a counting sort.

/// Turns how many elements each bucket has into where it starts.
#[inline(always)]
pub(in crate::cpu) fn starts(counts: &mut [u32]) {
    let mut start = 0;
    for count in counts {
        start += std::mem::replace(count, start);
    }
}
