//! Four keys in a vector, with NEON.

use std::arch::aarch64::{
    uint32x4_t, vcombine_u32, vextq_u32, vget_high_u32, vget_low_u32, vld1q_u32, vmaxq_u32, vminq_u32, vrev64q_u32,
    vst1q_u32, vtrn1q_u32,
};

use super::quarters::Four;
use crate::simd::WIDTH;

impl Four for uint32x4_t {
    #[inline(always)]
    fn load(keys: &[u32; WIDTH], k: usize) -> Self {
        let four = &keys[k..k + 4];
        // SAFETY: every `aarch64` has NEON, and 4 keys are read of 4.
        unsafe { vld1q_u32(four.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, to: &mut [u32; WIDTH], k: usize) {
        let to = &mut to[k..k + 4];
        // SAFETY: every `aarch64` has NEON, and 4 keys are written to 4.
        unsafe { vst1q_u32(to.as_mut_ptr(), self) }
    }

    #[inline(always)]
    fn order(self, other: Self) -> (Self, Self) {
        // SAFETY: every `aarch64` has NEON.
        unsafe { (vminq_u32(self, other), vmaxq_u32(self, other)) }
    }

    #[inline(always)]
    fn reverse(self) -> Self {
        self.swap().rotate()
    }

    #[inline(always)]
    fn swap(self) -> Self {
        // SAFETY: every `aarch64` has NEON.
        unsafe { vrev64q_u32(self) }
    }

    #[inline(always)]
    fn rotate(self) -> Self {
        // SAFETY: every `aarch64` has NEON.
        unsafe { vextq_u32::<2>(self, self) }
    }

    #[inline(always)]
    fn even(self, other: Self) -> Self {
        // SAFETY: every `aarch64` has NEON.
        unsafe { vtrn1q_u32(self, other) }
    }

    #[inline(always)]
    fn halves(self, other: Self) -> Self {
        // SAFETY: every `aarch64` has NEON.
        unsafe { vcombine_u32(vget_low_u32(self), vget_high_u32(other)) }
    }
}
