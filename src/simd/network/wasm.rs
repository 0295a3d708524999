//! Four keys in a vector, with WebAssembly's vectors.

use std::arch::wasm32::{i32x4_shuffle, u32x4_max, u32x4_min, v128};

use super::quarters::Four;
use crate::simd::WIDTH;
use crate::simd::wasm;

impl Four for v128 {
    #[inline(always)]
    fn load(keys: &[u32; WIDTH], k: usize) -> Self {
        wasm::load(keys, k)
    }

    #[inline(always)]
    fn store(self, to: &mut [u32; WIDTH], k: usize) {
        wasm::store(self, to, k);
    }

    #[inline(always)]
    fn order(self, other: Self) -> (Self, Self) {
        (u32x4_min(self, other), u32x4_max(self, other))
    }

    #[inline(always)]
    fn reverse(self) -> Self {
        i32x4_shuffle::<3, 2, 1, 0>(self, self)
    }

    #[inline(always)]
    fn swap(self) -> Self {
        i32x4_shuffle::<1, 0, 3, 2>(self, self)
    }

    #[inline(always)]
    fn rotate(self) -> Self {
        i32x4_shuffle::<2, 3, 0, 1>(self, self)
    }

    #[inline(always)]
    fn even(self, other: Self) -> Self {
        i32x4_shuffle::<0, 4, 2, 6>(self, other)
    }

    #[inline(always)]
    fn halves(self, other: Self) -> Self {
        i32x4_shuffle::<0, 1, 6, 7>(self, other)
    }
}
