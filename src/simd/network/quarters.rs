//! Sixteen keys in four vectors of four.

use std::marker::PhantomData;

use super::Network;
use crate::simd::WIDTH;

/// Four keys in a vector.
pub(in crate::simd) trait Four: Copy {
    /// Loads 4 of the keys, from index `k` on.
    fn load(keys: &[u32; WIDTH], k: usize) -> Self;

    /// Stores to 4 of the keys, from index `k` on.
    fn store(self, to: &mut [u32; WIDTH], k: usize);

    /// Returns the lesser of each lane of two vectors, and the greater.
    fn order(self, other: Self) -> (Self, Self);

    /// Reverses the lanes.
    fn reverse(self) -> Self;

    /// Exchanges adjacent lanes.
    fn swap(self) -> Self;

    /// Exchanges the lower two lanes with the upper two.
    fn rotate(self) -> Self;

    /// Returns the even lanes of this vector and those of another in turn.
    fn even(self, other: Self) -> Self;

    /// Returns the lower two lanes of this vector and the upper two of another.
    fn halves(self, other: Self) -> Self;

    /// Orders adjacent lanes.
    #[inline(always)]
    fn order_neighbours(self) -> Self {
        let (less, more) = self.order(self.swap());
        // Each result appears twice, so take the first of each two.
        less.even(more)
    }

    /// Orders the lower two lanes with the upper two of another vector.
    #[inline(always)]
    fn order_halves(self, other: Self) -> Self {
        let (less, more) = self.order(other);
        less.halves(more)
    }
}

/// The network of four vectors.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Quarters<F>(PhantomData<F>);

impl<F> Quarters<F> {
    #[inline(always)]
    pub(in crate::simd) fn new() -> Self {
        Self(PhantomData)
    }
}

/// Applies a function to each vector.
#[inline(always)]
fn each<F>([a, b, c, d]: [F; 4], work: impl Fn(F) -> F) -> [F; 4] {
    [work(a), work(b), work(c), work(d)]
}

impl<F: Four> Network for Quarters<F> {
    type Keys = [F; 4];

    #[inline(always)]
    fn load(self, keys: &[u32; WIDTH]) -> [F; 4] {
        [F::load(keys, 0), F::load(keys, 4), F::load(keys, 8), F::load(keys, 12)]
    }

    #[inline(always)]
    fn store(self, [a, b, c, d]: [F; 4], to: &mut [u32; WIDTH]) {
        a.store(to, 0);
        b.store(to, 4);
        c.store(to, 8);
        d.store(to, 12);
    }

    #[inline(always)]
    fn order(self, a: [F; 4], b: [F; 4]) -> ([F; 4], [F; 4]) {
        let ((e, f), (g, h)) = (a[0].order(b[0]), a[1].order(b[1]));
        let ((i, j), (k, l)) = (a[2].order(b[2]), a[3].order(b[3]));
        ([e, g, i, k], [f, h, j, l])
    }

    #[inline(always)]
    fn reverse(self, [a, b, c, d]: [F; 4]) -> [F; 4] {
        each([d, c, b, a], F::reverse)
    }

    #[inline(always)]
    fn order_apart<const APART: usize>(self, [a, b, c, d]: [F; 4]) -> [F; 4] {
        match APART {
            1 => each([a, b, c, d], F::order_neighbours),
            2 => each([a, b, c, d], |keys| keys.order_halves(keys.rotate())),
            4 => {
                let ((a, b), (c, d)) = (a.order(b), c.order(d));
                [a, b, c, d]
            }
            _ => {
                let ((a, c), (b, d)) = (a.order(c), b.order(d));
                [a, b, c, d]
            }
        }
    }

    #[inline(always)]
    fn order_mirrored<const HALF: usize>(self, [a, b, c, d]: [F; 4]) -> [F; 4] {
        match HALF {
            2 => each([a, b, c, d], |keys| keys.order_halves(keys.reverse())),
            4 => {
                let ((a, b), (c, d)) = (a.order(b.reverse()), c.order(d.reverse()));
                [a, b.reverse(), c, d.reverse()]
            }
            _ => {
                let ((a, d), (b, c)) = (a.order(d.reverse()), b.order(c.reverse()));
                [a, b, c.reverse(), d.reverse()]
            }
        }
    }
}
