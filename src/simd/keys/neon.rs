//! Sixteen keys in four vectors, with NEON.

use std::arch::aarch64::{
    uint32x4_t, vcombine_u32, vextq_u32, vget_high_u32, vget_low_u32, vld1q_u32, vmaxq_u32, vminq_u32, vrev64q_u32,
    vst1q_u32, vtrn1q_u32,
};

use super::Keys;
use crate::simd::WIDTH;

/// Four keys, four times.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Quarters(uint32x4_t, uint32x4_t, uint32x4_t, uint32x4_t);

/// The lesser of each lane of two vectors, and the greater.
#[inline(always)]
fn order(a: uint32x4_t, b: uint32x4_t) -> (uint32x4_t, uint32x4_t) {
    // SAFETY: every `aarch64` has NEON.
    unsafe { (vminq_u32(a, b), vmaxq_u32(a, b)) }
}

/// The last lane first.
#[inline(always)]
fn reverse(keys: uint32x4_t) -> uint32x4_t {
    // SAFETY: every `aarch64` has NEON.
    unsafe {
        let turned = vrev64q_u32(keys);
        vextq_u32::<2>(turned, turned)
    }
}

/// Orders neighbours.
#[inline(always)]
fn order_neighbours(keys: uint32x4_t) -> uint32x4_t {
    // SAFETY: every `aarch64` has NEON.
    unsafe {
        let (less, more) = order(keys, vrev64q_u32(keys));
        // Each is there twice: the first of two, and the first of two.
        vtrn1q_u32(less, more)
    }
}

/// Orders the lower two lanes with the upper two of another vector.
#[inline(always)]
fn order_halves(keys: uint32x4_t, other: uint32x4_t) -> uint32x4_t {
    let (less, more) = order(keys, other);
    // SAFETY: every `aarch64` has NEON.
    unsafe { vcombine_u32(vget_low_u32(less), vget_high_u32(more)) }
}

impl Quarters {
    /// Does the same with each.
    #[inline(always)]
    fn each(self, work: impl Fn(uint32x4_t) -> uint32x4_t) -> Self {
        Self(work(self.0), work(self.1), work(self.2), work(self.3))
    }
}

impl Keys for Quarters {
    #[inline(always)]
    fn load(keys: &[u32; WIDTH]) -> Self {
        // SAFETY: every `aarch64` has NEON, and four times 4 keys are read of 16.
        let four = |k: usize| unsafe { vld1q_u32(keys.as_ptr().add(k)) };
        Self(four(0), four(4), four(8), four(12))
    }

    #[inline(always)]
    fn store(self, to: &mut [u32; WIDTH]) {
        // SAFETY: every `aarch64` has NEON, and four times 4 keys are written to 16.
        let mut four = |k: usize, keys| unsafe { vst1q_u32(to.as_mut_ptr().add(k), keys) };
        four(0, self.0);
        four(4, self.1);
        four(8, self.2);
        four(12, self.3);
    }

    #[inline(always)]
    fn order(self, other: Self) -> (Self, Self) {
        let (a, b) = (order(self.0, other.0), order(self.1, other.1));
        let (c, d) = (order(self.2, other.2), order(self.3, other.3));
        (Self(a.0, b.0, c.0, d.0), Self(a.1, b.1, c.1, d.1))
    }

    #[inline(always)]
    fn reverse(self) -> Self {
        Self(reverse(self.3), reverse(self.2), reverse(self.1), reverse(self.0))
    }

    #[inline(always)]
    fn order_apart<const APART: usize>(self) -> Self {
        match APART {
            1 => self.each(order_neighbours),
            // SAFETY: every `aarch64` has NEON.
            2 => self.each(|keys| order_halves(keys, unsafe { vextq_u32::<2>(keys, keys) })),
            4 => {
                let ((a, b), (c, d)) = (order(self.0, self.1), order(self.2, self.3));
                Self(a, b, c, d)
            }
            _ => {
                let ((a, c), (b, d)) = (order(self.0, self.2), order(self.1, self.3));
                Self(a, b, c, d)
            }
        }
    }

    #[inline(always)]
    fn order_mirrored<const HALF: usize>(self) -> Self {
        match HALF {
            2 => self.each(|keys| order_halves(keys, reverse(keys))),
            4 => {
                let ((a, b), (c, d)) = (order(self.0, reverse(self.1)), order(self.2, reverse(self.3)));
                Self(a, reverse(b), c, reverse(d))
            }
            _ => {
                let ((a, d), (b, c)) = (order(self.0, reverse(self.3)), order(self.1, reverse(self.2)));
                Self(a, b, reverse(c), reverse(d))
            }
        }
    }
}
