//! The lanes of WebAssembly's vectors of 128 bits. A module with such instructions loads only where they exist, so
//! nothing is checked at run time.

use std::arch::wasm32::{
    i32x4_bitmask, i32x4_extract_lane, i32x4_ge, i32x4_gt, i32x4_le, i32x4_min, i32x4_ne, i32x4_shuffle, i32x4_splat,
    u8x16_swizzle, u32x4_splat, v128, v128_and, v128_bitselect, v128_load, v128_store,
};
use std::convert::Infallible;

mod bytes;

use self::bytes::Bytes;
use super::first::FIRST;
use super::network::{self, Quarters};
use super::{Lanes, WIDTH};

#[derive(Clone, Copy)]
pub(super) struct Simd128;

/// A number of 32 bits.
pub(super) trait Number {}

impl Number for i32 {}

impl Number for u32 {}

/// Loads 4 of the numbers, from index `k` on.
#[inline(always)]
pub(super) fn load<T: Number>(numbers: &[T; WIDTH], k: usize) -> v128 {
    let four = &numbers[k..k + 4];
    // SAFETY: 16 bytes are read of a slice of 16, which need not be aligned.
    unsafe { v128_load(four.as_ptr().cast()) }
}

/// Stores to 4 of the numbers, from index `k` on.
#[inline(always)]
pub(super) fn store(four: v128, numbers: &mut [u32; WIDTH], k: usize) {
    let to = &mut numbers[k..k + 4];
    // SAFETY: 16 bytes are written to a slice of 16, which need not be aligned.
    unsafe { v128_store(to.as_mut_ptr().cast(), four) }
}

impl Lanes for Simd128 {
    type Words = [u64; 4];
    type Small = Bytes;
    type Medium = Infallible;

    #[inline(always)]
    fn within(self, a: &[i32; WIDTH], b: i32, c: &[i32; WIDTH], d: i32) -> u32 {
        let quarter = |k: usize| {
            let up_to = i32x4_le(load(a, k), i32x4_splat(b));
            let from = i32x4_ge(load(c, k), i32x4_splat(d));
            u32::from(i32x4_bitmask(v128_and(up_to, from)))
        };
        quarter(0) | quarter(4) << 4 | quarter(8) << 8 | quarter(12) << 12
    }

    #[inline(always)]
    fn share(self, a: &[u32; WIDTH], b: u32, c: &[u32; WIDTH], d: u32) -> u32 {
        let quarter = |k: usize| {
            let none = u32x4_splat(0);
            let first = i32x4_ne(v128_and(load(a, k), u32x4_splat(b)), none);
            let second = i32x4_ne(v128_and(load(c, k), u32x4_splat(d)), none);
            u32::from(i32x4_bitmask(v128_and(first, second)))
        };
        quarter(0) | quarter(4) << 4 | quarter(8) << 8 | quarter(12) << 12
    }

    #[inline(always)]
    fn least_above(self, a: &[i32; WIDTH], b: i32) -> i32 {
        let quarter = |k: usize| {
            let a = load(a, k);
            v128_bitselect(a, i32x4_splat(i32::MAX), i32x4_gt(a, i32x4_splat(b)))
        };
        let four = i32x4_min(i32x4_min(quarter(0), quarter(4)), i32x4_min(quarter(8), quarter(12)));
        let two = i32x4_min(four, i32x4_shuffle::<2, 3, 0, 1>(four, four));
        i32x4_extract_lane::<0>(i32x4_min(two, i32x4_shuffle::<1, 0, 3, 2>(two, two)))
    }

    #[inline(always)]
    fn pick(self, bits: u32, from: &[u32; WIDTH], to: &mut [u32; WIDTH]) {
        let mut at = 0;
        for k in [0, 4, 8, 12] {
            let bits = (bits >> k & 0xF) as usize;
            // SAFETY: 16 bytes are read of 16.
            let first = unsafe { v128_load(FIRST[bits].as_ptr().cast()) };
            store(u8x16_swizzle(load(from, k), first), to, at);
            at += bits.count_ones() as usize;
        }
    }

    #[inline(always)]
    fn sort(self, keys: &mut [[u32; WIDTH]]) {
        network::sort(Quarters::<v128>::new(), keys);
    }

    #[inline(always)]
    fn small(self, rows: &[u32; 32], _: [i32; 2], step: [i32; 2]) -> Option<Bytes> {
        Some(Bytes::new(rows, step))
    }
}
