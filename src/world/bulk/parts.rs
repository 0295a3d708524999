//! Work on many places, shared between threads.

use std::ops::Range;

use crate::ground::threads;

/// Minimum number of places in a part. Fewer than two parts' worth are left to the caller's thread.
const PLACES: usize = 1 << 12;
/// Number of parts per thread, so that no thread waits long for another.
const PARTS: usize = 4;

/// Splits places into parts of about the same length; a single part if there are few.
pub(super) fn parts(places: usize) -> Vec<Range<usize>> {
    let most = if places < 2 * PLACES { 1 } else { PARTS * threads::shared() };
    let step = places.div_ceil(most).max(PLACES);
    (0..places.max(1)).step_by(step).map(|start| start..(start + step).min(places)).collect()
}

/// Does `work` on each part: here and, if that pays, on other threads.
pub(super) fn each<T: Send>(all: &mut [T], work: impl Fn(&mut T) + Send + Sync) {
    threads::share(all.len(), all.iter_mut(), work);
}
