//! The NEON lanes; every `aarch64` has NEON.

use std::arch::aarch64::{
    uint32x4_t, vaddvq_u32, vandq_u32, vbslq_s32, vcgeq_s32, vcgtq_s32, vcleq_s32, vdupq_n_s32, vdupq_n_u32, vld1q_s32,
    vld1q_u8, vld1q_u32, vminq_s32, vminvq_s32, vqtbl1q_u8, vreinterpretq_u8_u32, vreinterpretq_u32_u8, vst1q_u32,
    vtstq_u32,
};

use std::convert::Infallible;

use super::first::FIRST;
use super::network::{self, Quarters};
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
    fn pick(self, bits: u32, from: &[u32; WIDTH], to: &mut [u32; WIDTH]) {
        let mut at = 0;
        for k in [0, 4, 8, 12] {
            let bits = (bits >> k & 0xF) as usize;
            // SAFETY: every `aarch64` has NEON, and 4 numbers follow `k`, which is at most 12, and `at`, which is at
            // most `k`; 16 bytes are read of 16.
            unsafe {
                let four = vreinterpretq_u8_u32(vld1q_u32(from.as_ptr().add(k)));
                let picked = vqtbl1q_u8(four, vld1q_u8(FIRST[bits].as_ptr()));
                vst1q_u32(to.as_mut_ptr().add(at), vreinterpretq_u32_u8(picked));
            }
            at += bits.count_ones() as usize;
        }
    }

    #[inline(always)]
    fn sort(self, keys: &mut [[u32; WIDTH]]) {
        network::sort(Quarters::<uint32x4_t>::new(), keys);
    }
}
