//! Sixteen keys in one vector, with AVX-512.

use std::arch::x86_64::{
    __m512i, _mm512_loadu_si512, _mm512_mask_max_epu32, _mm512_max_epu32, _mm512_min_epu32, _mm512_permutexvar_epi32,
    _mm512_setr_epi32, _mm512_shuffle_epi32, _mm512_shuffle_i32x4, _mm512_storeu_si512,
};

use super::Keys;
use crate::simd::WIDTH;

/// Sixteen keys.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Whole(__m512i);

impl Whole {
    /// The lesser of each lane and that of `other`, but in `lanes` the greater.
    #[inline(always)]
    fn least(self, other: __m512i, lanes: u16) -> Self {
        // SAFETY: the machine has AVX-512.
        Self(unsafe { _mm512_mask_max_epu32(_mm512_min_epu32(self.0, other), lanes, self.0, other) })
    }
}

impl Keys for Whole {
    #[inline(always)]
    fn load(keys: &[u32; WIDTH]) -> Self {
        // SAFETY: the machine has AVX-512, and 16 keys are read of 16.
        Self(unsafe { _mm512_loadu_si512(keys.as_ptr().cast()) })
    }

    #[inline(always)]
    fn store(self, to: &mut [u32; WIDTH]) {
        // SAFETY: the machine has AVX-512, and 16 keys are written to 16.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn order(self, other: Self) -> (Self, Self) {
        // SAFETY: the machine has AVX-512.
        unsafe { (Self(_mm512_min_epu32(self.0, other.0)), Self(_mm512_max_epu32(self.0, other.0))) }
    }

    #[inline(always)]
    fn reverse(self) -> Self {
        // SAFETY: the machine has AVX-512.
        Self(unsafe {
            let last_first = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            _mm512_permutexvar_epi32(last_first, self.0)
        })
    }

    #[inline(always)]
    fn order_apart<const APART: usize>(self) -> Self {
        // SAFETY: the machine has AVX-512.
        unsafe {
            match APART {
                1 => self.least(_mm512_shuffle_epi32::<0b10_11_00_01>(self.0), 0xAAAA),
                2 => self.least(_mm512_shuffle_epi32::<0b01_00_11_10>(self.0), 0xCCCC),
                4 => self.least(_mm512_shuffle_i32x4::<0b10_11_00_01>(self.0, self.0), 0xF0F0),
                _ => self.least(_mm512_shuffle_i32x4::<0b01_00_11_10>(self.0, self.0), 0xFF00),
            }
        }
    }

    #[inline(always)]
    fn order_mirrored<const HALF: usize>(self) -> Self {
        // SAFETY: the machine has AVX-512.
        unsafe {
            match HALF {
                2 => self.least(_mm512_shuffle_epi32::<0b00_01_10_11>(self.0), 0xCCCC),
                4 => {
                    let mirrored = _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
                    self.least(_mm512_permutexvar_epi32(mirrored, self.0), 0xF0F0)
                }
                _ => self.least(self.reverse().0, 0xFF00),
            }
        }
    }
}
