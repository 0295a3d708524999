//! Sixteen keys in four vectors, with NEON.

use std::arch::aarch64::{
    uint32x4_t, vcombine_u32, vextq_u32, vget_high_u32, vget_low_u32, vld1q_u32, vmaxq_u32, vminq_u32, vrev64q_u32,
    vst1q_u32, vtrn1q_u32,
};

use super::Network;
use crate::simd::WIDTH;
use crate::simd::neon::Neon;

/// Four times four keys.
type Quarters = [uint32x4_t; 4];

/// Returns the lesser of each lane of two vectors, and the greater.
#[inline(always)]
fn order(a: uint32x4_t, b: uint32x4_t) -> (uint32x4_t, uint32x4_t) {
    // SAFETY: every `aarch64` has NEON.
    unsafe { (vminq_u32(a, b), vmaxq_u32(a, b)) }
}

/// Reverses the lanes.
#[inline(always)]
fn reverse(keys: uint32x4_t) -> uint32x4_t {
    // SAFETY: every `aarch64` has NEON.
    unsafe {
        let turned = vrev64q_u32(keys);
        vextq_u32::<2>(turned, turned)
    }
}

/// Orders adjacent lanes.
#[inline(always)]
fn order_neighbours(keys: uint32x4_t) -> uint32x4_t {
    // SAFETY: every `aarch64` has NEON.
    unsafe {
        let (less, more) = order(keys, vrev64q_u32(keys));
        // Each result appears twice, so take the first of each two.
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

/// Applies a function to each vector.
#[inline(always)]
fn each([a, b, c, d]: Quarters, work: impl Fn(uint32x4_t) -> uint32x4_t) -> Quarters {
    [work(a), work(b), work(c), work(d)]
}

impl Network for Neon {
    type Keys = Quarters;

    #[inline(always)]
    fn load(self, keys: &[u32; WIDTH]) -> Quarters {
        // SAFETY: every `aarch64` has NEON, and four times 4 of the 16 keys are read.
        let four = |k: usize| unsafe { vld1q_u32(keys.as_ptr().add(k)) };
        [four(0), four(4), four(8), four(12)]
    }

    #[inline(always)]
    fn store(self, [a, b, c, d]: Quarters, to: &mut [u32; WIDTH]) {
        // SAFETY: every `aarch64` has NEON, and four times 4 of the 16 keys are written.
        let mut put = |k: usize, keys| unsafe { vst1q_u32(to.as_mut_ptr().add(k), keys) };
        put(0, a);
        put(4, b);
        put(8, c);
        put(12, d);
    }

    #[inline(always)]
    fn order(self, a: Quarters, b: Quarters) -> (Quarters, Quarters) {
        let ((e, f), (g, h)) = (order(a[0], b[0]), order(a[1], b[1]));
        let ((i, j), (k, l)) = (order(a[2], b[2]), order(a[3], b[3]));
        ([e, g, i, k], [f, h, j, l])
    }

    #[inline(always)]
    fn reverse(self, [a, b, c, d]: Quarters) -> Quarters {
        each([d, c, b, a], reverse)
    }

    #[inline(always)]
    fn order_apart<const APART: usize>(self, [a, b, c, d]: Quarters) -> Quarters {
        match APART {
            1 => each([a, b, c, d], order_neighbours),
            // SAFETY: every `aarch64` has NEON.
            2 => each([a, b, c, d], |keys| order_halves(keys, unsafe { vextq_u32::<2>(keys, keys) })),
            4 => {
                let ((a, b), (c, d)) = (order(a, b), order(c, d));
                [a, b, c, d]
            }
            _ => {
                let ((a, c), (b, d)) = (order(a, c), order(b, d));
                [a, b, c, d]
            }
        }
    }

    #[inline(always)]
    fn order_mirrored<const HALF: usize>(self, [a, b, c, d]: Quarters) -> Quarters {
        match HALF {
            2 => each([a, b, c, d], |keys| order_halves(keys, reverse(keys))),
            4 => {
                let ((a, b), (c, d)) = (order(a, reverse(b)), order(c, reverse(d)));
                [a, reverse(b), c, reverse(d)]
            }
            _ => {
                let ((a, d), (b, c)) = (order(a, reverse(d)), order(b, reverse(c)));
                [a, b, reverse(c), reverse(d)]
            }
        }
    }
}
