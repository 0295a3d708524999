//! Work on many places, on all threads where there are enough of them.

use std::ops::Range;

use crate::ground::threads;

/// Places of a part, at least: fewer are done on the caller's thread.
const PLACES: usize = 1 << 12;
/// Parts for a thread, so that none waits long for another.
const PARTS: usize = 4;

/// So many places in parts of about the same length; one, where there are few.
pub(super) fn parts(places: usize) -> Vec<Range<usize>> {
    let most = if places < 2 * PLACES { 1 } else { PARTS * threads::shared() };
    let step = places.div_ceil(most).max(PLACES);
    (0..places.max(1)).step_by(step).map(|start| start..(start + step).min(places)).collect()
}

/// Does `work` on each part: here, and on other threads where that pays.
pub(super) fn each<T: Send>(all: &mut [T], work: impl Fn(&mut T) + Send + Sync) {
    threads::share(all.len(), all.iter_mut(), work);
}
