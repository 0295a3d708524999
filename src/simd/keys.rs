//! Keys of 32 bits in their order, by a sorting network: comparisons that are the same whatever the keys are, so that
//! vectors make sixteen at once, and no branch waits for an outcome.
//!
//! It is Batcher's bitonic sorter (*Sorting networks and their applications*, 1968), whose runs grow to twice their
//! length in each round. Two runs that follow each other are merged so:
//!
//! ```text
//!   lesser run   a b c d    a with z, b with y, c with x, d with w: all that is now in the first half
//!   later run    w x y z    is at most what is in the second
//!   each half               its first half with its second, element by element, then each quarter, ...
//! ```
//!
//! The lesser of two always comes to the front. So what is missing behind the last key may be thought of as keys above
//! all others, which stay where they are: there may be any number of keys.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Halves;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Whole;
#[cfg(target_arch = "aarch64")]
pub(super) use neon::Quarters;

use super::WIDTH;

/// Sixteen keys in vectors, one a lane. Code has them only by the `Lanes` of a set of instructions, as `Words`.
pub(super) trait Keys: Copy {
    fn load(keys: &[u32; WIDTH]) -> Self;

    fn store(self, to: &mut [u32; WIDTH]);

    /// The lesser of both in each lane, and the greater.
    fn order(self, other: Self) -> (Self, Self);

    /// The last lane first.
    fn reverse(self) -> Self;

    /// Orders lanes that are so many apart, 1, 2, 4 or 8: lane `k` and lane `k ^ APART`.
    fn order_apart<const APART: usize>(self) -> Self;

    /// Orders the lanes of each group of twice `HALF`, 2, 4 or 8, with those that mirror them: lane `k` and lane
    /// `k ^ (2 HALF - 1)`.
    fn order_mirrored<const HALF: usize>(self) -> Self;
}

/// Sorts keys.
#[inline(always)]
pub(super) fn sort<K: Keys>(keys: &mut [[u32; WIDTH]]) {
    for keys in &mut *keys {
        sort_lanes(K::load(keys)).store(keys);
    }
    let mut run = 1;
    while run < keys.len() {
        for both in keys.chunks_mut(2 * run) {
            let (first, second) = both.split_at_mut(run.min(both.len()));
            // Of a second run that is cut short, those that would mirror the first are missing.
            for (a, b) in first.iter_mut().rev().zip(second) {
                order::<K>(a, b, K::reverse);
            }
        }
        let mut apart = run / 2;
        while apart > 0 {
            for both in keys.chunks_mut(2 * apart) {
                let (first, second) = both.split_at_mut(apart.min(both.len()));
                for (a, b) in first.iter_mut().zip(second) {
                    order::<K>(a, b, |b| b);
                }
            }
            apart /= 2;
        }
        for keys in &mut *keys {
            merge_lanes(K::load(keys)).store(keys);
        }
        run *= 2;
    }
}

/// Orders two vectors, lane by lane, after the second was turned.
#[inline(always)]
fn order<K: Keys>(a: &mut [u32; WIDTH], b: &mut [u32; WIDTH], turn: impl Fn(K) -> K) {
    let (less, more) = K::load(a).order(turn(K::load(b)));
    less.store(a);
    more.store(b);
}

/// Sorts the lanes of a vector.
#[inline(always)]
fn sort_lanes<K: Keys>(keys: K) -> K {
    let two = keys.order_apart::<1>();
    let four = two.order_mirrored::<2>().order_apart::<1>();
    let eight = four.order_mirrored::<4>().order_apart::<2>().order_apart::<1>();
    eight.order_mirrored::<8>().order_apart::<4>().order_apart::<2>().order_apart::<1>()
}

/// Sorts the lanes of a vector that mirror another's.
#[inline(always)]
fn merge_lanes<K: Keys>(keys: K) -> K {
    keys.order_apart::<8>().order_apart::<4>().order_apart::<2>().order_apart::<1>()
}
