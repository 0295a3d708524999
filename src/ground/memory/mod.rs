//! The memory still available. Lists whose length depends on the input ask for memory before they grow, so a scene that
//! is too large is an error instead of the end of the program.
//!
//! A system may promise more memory than it has, and kill the program when it uses it. So an allocation that succeeds
//! is not enough: large growth is also compared with the memory that the system reports (see [`system`]).

mod system;

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::error::{Error, Result};

/// The size of a list in bytes from which its growth is compared with the system's memory. Smaller lists are just
/// allocated: asking the system takes a tenth of a millisecond, which steps of common scenes must avoid.
const LARGE: u64 = 1 << 22;
/// One part in this many of the system's memory is the reserve for small allocations, which do not ask.
const KEPT: u64 = 8;
/// The minimum of that reserve, in bytes: 8 MiB.
const KEPT_BYTES: u64 = 1 << 23;

/// The purpose of an allocation, for the text of an error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need {
    /// The purpose: "the list of pairs".
    pub(crate) what: &'static str,
    /// Advice if the memory is not available.
    pub(crate) advice: &'static str,
    /// The bytes that an element takes in addition to its place in the list.
    pub(crate) beside: usize,
}

/// The memory that a task may still take, for all its threads together. The system is asked on first use.
#[derive(Debug)]
pub(crate) struct Room {
    left: OnceLock<AtomicU64>,
    /// The maximum number of bytes, whatever the system has.
    most: u64,
    /// The size of a list in bytes from which its growth counts.
    large: u64,
}

impl Default for Room {
    fn default() -> Self {
        Self::at_most(u64::MAX)
    }
}

impl Room {
    /// Makes room for `bytes`, or for as many as the system has if those are fewer.
    pub(crate) fn at_most(bytes: u64) -> Self {
        Self { left: OnceLock::new(), most: bytes, large: LARGE }
    }

    /// Makes room for exactly `bytes`, whatever the system has; all growth counts.
    #[cfg(test)]
    pub(crate) fn of(bytes: u64) -> Self {
        Self { left: OnceLock::from(AtomicU64::new(bytes)), most: bytes, large: 0 }
    }

    /// Makes room for `more` elements in a list. Returns [`Error::Capacity`] if there is not enough memory.
    #[inline]
    pub(crate) fn reserve<T>(&self, list: &mut Vec<T>, more: usize, need: Need) -> Result<()> {
        if list.capacity() - list.len() >= more { Ok(()) } else { self.grow(list, more, need) }
    }

    /// Doubles the capacity of a list, so that one that grows bit by bit is rarely moved; if there is not enough
    /// memory, grows it to what is needed.
    #[cold]
    fn grow<T>(&self, list: &mut Vec<T>, more: usize, need: Need) -> Result<()> {
        let least = list.len().saturating_add(more);
        let twice = list.capacity().saturating_mul(2).max(least);
        self.grow_to(list, twice, need).or_else(|_| self.grow_to(list, least.saturating_add(least / 8), need))
    }

    /// Resizes a list to `len`, with some spare capacity: a list that grows by a few elements now and then is rarely
    /// moved, and takes far less than double.
    pub(crate) fn resize<T: Copy>(&self, list: &mut Vec<T>, len: usize, value: T, need: Need) -> Result<()> {
        if list.capacity() < len {
            self.grow_to(list, len + len / 8, need).or_else(|_| self.grow_to(list, len, need))?;
        }
        list.resize(len, value);
        Ok(())
    }

    /// Grows a list to exactly `capacity`, unless it has more.
    pub(crate) fn grow_to<T>(&self, list: &mut Vec<T>, capacity: usize, need: Need) -> Result<()> {
        if capacity <= list.capacity() {
            return Ok(());
        }
        let each = size_of::<T>() + need.beside;
        let [old, new] = [list.capacity(), capacity].map(|count| count.saturating_mul(each) as u64);
        if new >= self.large {
            self.take(new - old).map_err(|left| need.refused(new, "the free memory", old + left))?;
        }
        let more = capacity - list.len();
        list.try_reserve_exact(more).map_err(|_| need.refused(new, "the memory that can be allocated", old))
    }

    /// Checks that `bytes` are available, for allocations elsewhere.
    pub(crate) fn check(&self, bytes: u64, need: Need) -> Result<()> {
        if bytes < self.large {
            return Ok(());
        }
        self.take(bytes).map_err(|left| need.refused(bytes, "the free memory", left))
    }

    /// Makes a list of zeros, which the system provides without writing them.
    pub(crate) fn zeros<T: Copy + Default>(&self, len: usize, need: Need) -> Result<Vec<T>> {
        // The fallible allocation does not zero, and the zeroing one cannot fail: so first the former, then the latter.
        let mut probe = Vec::<T>::new();
        self.grow_to(&mut probe, len, need)?;
        drop(probe);
        Ok(vec![T::default(); len])
    }

    /// Takes `bytes` out of the room, or returns how many are left.
    fn take(&self, bytes: u64) -> std::result::Result<(), u64> {
        let left = self.left.get_or_init(|| {
            let available = system::available();
            AtomicU64::new(available.saturating_sub(KEPT_BYTES.max(available / KEPT)).min(self.most))
        });
        left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes)).map(drop)
    }
}

impl Need {
    /// Makes the error for needing more bytes than a named limit.
    pub(crate) fn refused(self, needed: u64, limit: &'static str, available: u64) -> Error {
        Error::Capacity { what: self.what.into(), needed, limit, available, advice: self.advice }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: Need = Need { what: "the list", advice: "ask for less", beside: 0 };

    #[test]
    fn a_list_grows_within_the_room_and_no_further() {
        let (room, mut list) = (Room::of(100 << 20), Vec::<u64>::new());
        // Doubles up to 64 MiB; there is no room for the next doubling, nor for an eighth more than needed.
        let refused = loop {
            if let Err(error) = room.reserve(&mut list, 2048, LIST) {
                break error;
            }
            list.resize(list.len() + 2048, 7);
        };
        assert!(list.len() * 8 > 64 << 20 && list.capacity() * 8 <= 116 << 20, "{} elements", list.len());
        let message = refused.to_string();
        assert!(message.starts_with("the list needs ") && message.ends_with(": ask for less"), "{message}");
        assert!(message.contains(" bytes, but the free memory of this device is "), "{message}");
        assert!(list.iter().all(|&element| element == 7), "what was there stays");
        list.clear();
        assert!(room.reserve(&mut list, 2048, LIST).is_ok(), "what is there already need not be asked for");
    }

    #[test]
    fn what_is_beside_a_list_counts() {
        let need = Need { beside: 92, ..LIST };
        assert!(Room::of(100 << 20).reserve(&mut Vec::<u64>::new(), 1 << 20, need).is_ok());
        assert!(Room::of((100 << 20) - 1).reserve(&mut Vec::<u64>::new(), 1 << 20, need).is_err());
    }

    #[test]
    fn what_no_system_has_is_refused() {
        let mut list = vec![1_u64];
        for more in [usize::MAX, usize::MAX / 8, usize::MAX / 16] {
            assert!(Room::default().reserve(&mut list, more, LIST).is_err());
            assert!(Room::of(u64::MAX).reserve(&mut list, more, LIST).is_err(), "the allocation itself fails");
        }
        assert_eq!(list, [1]);
        assert!(Room::of(u64::MAX).zeros::<u64>(usize::MAX / 16, LIST).is_err());
        assert!(Room::of(0).check(1, LIST).is_err());
    }

    #[test]
    fn zeros_are_zeros() {
        assert_eq!(Room::default().zeros::<u32>(3, LIST).unwrap(), [0; 3]);
        assert_eq!(Room::default().zeros::<u32>(5 << 20, LIST).unwrap(), vec![0; 5 << 20]);
    }

    #[test]
    fn threads_share_a_room() {
        let (room, granted) = (Room::of(1 << 30), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    while room.take(LARGE).is_ok() {
                        granted.fetch_add(LARGE, Relaxed);
                    }
                });
            }
        });
        assert_eq!(granted.into_inner(), 1 << 30);
    }
}
