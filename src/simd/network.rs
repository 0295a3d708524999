//! Sorts 32-bit keys by a sorting network. Its comparisons do not depend on the keys, so vectors make sixteen at once,
//! and no branch waits for an outcome.
//!
//! It is Batcher's bitonic sorter (*Sorting networks and their applications*, 1968), whose runs double in length in
//! each round. Two adjacent runs are merged like this:
//!
//! ```text
//!   first run    a b c d    a with z, b with y, c with x, d with w: then every key of the first half
//!   second run   w x y z    is at most every key of the second
//!   each half               its first half with its second, element by element, then each quarter, ...
//! ```
//!
//! The lesser of two always moves to the front. So the missing keys after the last act like keys above all others,
//! which stay where they are: any number of keys can be sorted.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(not(target_arch = "x86_64"))]
mod quarters;
#[cfg(target_arch = "wasm32")]
mod wasm;

#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Masks;
#[cfg(not(target_arch = "x86_64"))]
pub(super) use quarters::Quarters;

use super::WIDTH;

/// The operations of a network.
pub(super) trait Network: Copy {
    /// Sixteen keys in vectors, one per lane.
    type Keys: Copy;

    fn load(self, keys: &[u32; WIDTH]) -> Self::Keys;

    fn store(self, keys: Self::Keys, to: &mut [u32; WIDTH]);

    /// Returns the lesser of both in each lane, and the greater.
    fn order(self, a: Self::Keys, b: Self::Keys) -> (Self::Keys, Self::Keys);

    /// Reverses the lanes.
    fn reverse(self, keys: Self::Keys) -> Self::Keys;

    /// Orders lanes that are `APART` apart, 1, 2, 4 or 8: lane `k` and lane `k ^ APART`.
    fn order_apart<const APART: usize>(self, keys: Self::Keys) -> Self::Keys;

    /// Orders the lanes of each group of twice `HALF`, 2, 4 or 8, with their mirror images: lane `k` and lane
    /// `k ^ (2 HALF - 1)`.
    fn order_mirrored<const HALF: usize>(self, keys: Self::Keys) -> Self::Keys;
}

/// Sorts keys.
#[inline(always)]
pub(super) fn sort<N: Network>(by: N, keys: &mut [[u32; WIDTH]]) {
    for keys in &mut *keys {
        by.store(sort_lanes(by, by.load(keys)), keys);
    }
    let mut run = 1;
    while run < keys.len() {
        for both in keys.chunks_mut(2 * run) {
            let (first, second) = both.split_at_mut(run.min(both.len()));
            // If the second run is cut short, those that would mirror the first are missing. The greater keys are not
            // reversed back: all vectors of the second half have their lanes reversed alike, so the right lanes are
            // still compared, until the lanes of each vector are merged.
            for (a, b) in first.iter_mut().rev().zip(second) {
                let (less, more) = by.order(by.load(a), by.reverse(by.load(b)));
                by.store(less, a);
                by.store(more, b);
            }
        }
        let mut apart = run / 2;
        while apart > 0 {
            for both in keys.chunks_mut(2 * apart) {
                let (first, second) = both.split_at_mut(apart.min(both.len()));
                for (a, b) in first.iter_mut().zip(second) {
                    let (less, more) = by.order(by.load(a), by.load(b));
                    by.store(less, a);
                    by.store(more, b);
                }
            }
            apart /= 2;
        }
        for keys in &mut *keys {
            by.store(merge_lanes(by, by.load(keys)), keys);
        }
        run *= 2;
    }
}

/// Sorts the lanes.
#[inline(always)]
fn sort_lanes<N: Network>(by: N, keys: N::Keys) -> N::Keys {
    let twos = by.order_apart::<1>(keys);
    let fours = by.order_apart::<1>(by.order_mirrored::<2>(twos));
    let eights = by.order_apart::<1>(by.order_apart::<2>(by.order_mirrored::<4>(fours)));
    by.order_apart::<1>(by.order_apart::<2>(by.order_apart::<4>(by.order_mirrored::<8>(eights))))
}

/// Sorts the lanes of a vector after two runs have been ordered with each other.
#[inline(always)]
fn merge_lanes<N: Network>(by: N, keys: N::Keys) -> N::Keys {
    by.order_apart::<1>(by.order_apart::<2>(by.order_apart::<4>(by.order_apart::<8>(keys))))
}
