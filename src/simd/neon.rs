//! NEON, which every `aarch64` has.

use std::arch::aarch64::{
    vaddvq_u32, vandq_u32, vbslq_s32, vcgeq_s32, vcgtq_s32, vcleq_s32, vdupq_n_s32, vdupq_n_u32, vld1q_s32, vld1q_u32,
    vminq_s32, vminvq_s32, vtstq_u32,
};

use std::convert::Infallible;

use super::keys::{self, Quarters};
use super::{Lanes, WIDTH};

#[derive(Clone, Copy)]
pub(super) struct Neon;

impl Lanes for Neon {
    type Words = [u64; 4];
    type Small = Infallible;
    type Medium = Infallible;

    #[inline(always)]
    fn within(self, a: &[i32; WIDTH], b: i32, c: &[i32; WIDTH], d: i32) -> u32 {
        let quarter = |k: usize| {
            // SAFETY: every `aarch64` has NEON, and 4 numbers follow `k`, which is at most 12.
            unsafe {
                let up_to = vcleq_s32(vld1q_s32(a.as_ptr().add(k)), vdupq_n_s32(b));
                let from = vcgeq_s32(vld1q_s32(c.as_ptr().add(k)), vdupq_n_s32(d));
                let places = vld1q_u32([1, 2, 4, 8].as_ptr());
                vaddvq_u32(vandq_u32(vandq_u32(up_to, from), places))
            }
        };
        quarter(0) | quarter(4) << 4 | quarter(8) << 8 | quarter(12) << 12
    }

    #[inline(always)]
    fn share(self, a: &[u32; WIDTH], b: u32, c: &[u32; WIDTH], d: u32) -> u32 {
        let quarter = |k: usize| {
            // SAFETY: every `aarch64` has NEON, and 4 numbers follow `k`, which is at most 12.
            unsafe {
                let first = vtstq_u32(vld1q_u32(a.as_ptr().add(k)), vdupq_n_u32(b));
                let second = vtstq_u32(vld1q_u32(c.as_ptr().add(k)), vdupq_n_u32(d));
                let places = vld1q_u32([1, 2, 4, 8].as_ptr());
                vaddvq_u32(vandq_u32(vandq_u32(first, second), places))
            }
        };
        quarter(0) | quarter(4) << 4 | quarter(8) << 8 | quarter(12) << 12
    }

    #[inline(always)]
    fn least_above(self, a: &[i32; WIDTH], b: i32) -> i32 {
        let quarter = |k: usize| {
            // SAFETY: every `aarch64` has NEON, and 4 numbers follow `k`, which is at most 12.
            unsafe {
                let a = vld1q_s32(a.as_ptr().add(k));
                vbslq_s32(vcgtq_s32(a, vdupq_n_s32(b)), a, vdupq_n_s32(i32::MAX))
            }
        };
        // SAFETY: every `aarch64` has NEON.
        unsafe { vminvq_s32(vminq_s32(vminq_s32(quarter(0), quarter(4)), vminq_s32(quarter(8), quarter(12)))) }
    }

    #[inline(always)]
    fn sort(self, keys: &mut [[u32; WIDTH]]) {
        keys::sort::<Quarters>(keys);
    }
}
