//! Work on many places, shared between threads.

use std::ops::Range;

use crate::ground::error::Result;
use crate::ground::memory::{Need, Room};
use crate::ground::threads;

/// Minimum number of places in a part. Fewer than two parts' worth are left to the caller's thread.
const PLACES: usize = 1 << 12;
pub(super) const EDITED: Need = Need { what: "the list of edited bodies", advice: "edit fewer at once", beside: 0 };
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

/// Makes an element for each place, as [`each`] does its work, and returns them in order, those of a part together. A
/// place may have none. The error is that of the lowest place with one, or [`Error::Capacity`] if there is not enough
/// memory.
///
/// [`Error::Capacity`]: crate::Error::Capacity
pub(super) fn collect<T: Send>(
    places: usize,
    make: impl Fn(usize) -> Option<Result<T>> + Send + Sync,
) -> Result<Vec<Vec<T>>> {
    let bytes = places.saturating_mul(size_of::<T>()) as u64;
    Room::default().check(bytes, EDITED)?;
    let part = |places: Range<usize>| {
        let mut made = Vec::new();
        let refused = |_| EDITED.refused(bytes, "the memory that can be allocated", 0);
        made.try_reserve_exact(places.len()).map_err(refused)?;
        for element in places.filter_map(&make) {
            made.push(element?);
        }
        Ok(made)
    };
    let mut tasks: Vec<_> = parts(places).into_iter().map(|places| (places, Ok(Vec::new()))).collect();
    each(&mut tasks, |(places, made)| *made = part(places.clone()));
    tasks.into_iter().map(|(_, made)| made).collect()
}
