//! Sixteen keys in one vector, with AVX-512.

use std::arch::x86_64::{
    __m512i, __mmask16, _mm512_loadu_si512, _mm512_mask_max_epu32, _mm512_max_epu32, _mm512_min_epu32,
    _mm512_permutexvar_epi32, _mm512_setr_epi32, _mm512_shuffle_epi32, _mm512_shuffle_i32x4, _mm512_storeu_si512,
};
use std::hint::black_box;

use super::Network;
use crate::simd::WIDTH;

/// The upper lanes of each group of 2, 4, 8 and 16.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Masks([__mmask16; 4]);

impl Masks {
    /// Makes masks that the compiler cannot see through: if it knows them, it makes two shuffles of each, which takes a
    /// fifth longer.
    ///
    /// # Safety
    ///
    /// The machine must have AVX-512.
    #[inline(always)]
    pub(in crate::simd) unsafe fn new() -> Self {
        Self(black_box([0xAAAA, 0xCCCC, 0xF0F0, 0xFF00]))
    }

    /// Returns the lesser of each lane of two vectors, but the greater in the upper lanes of each group of `2 << log`.
    #[inline(always)]
    fn least(self, log: usize, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: the machine has AVX-512.
        unsafe { _mm512_mask_max_epu32(_mm512_min_epu32(a, b), self.0[log], a, b) }
    }
}

impl Network for Masks {
    type Keys = __m512i;

    #[inline(always)]
    fn load(self, keys: &[u32; WIDTH]) -> __m512i {
        // SAFETY: the machine has AVX-512, and all 16 keys that are read exist.
        unsafe { _mm512_loadu_si512(keys.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, keys: __m512i, to: &mut [u32; WIDTH]) {
        // SAFETY: the machine has AVX-512, and there is space for the 16 keys that are written.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), keys) }
    }

    #[inline(always)]
    fn order(self, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        // SAFETY: the machine has AVX-512.
        unsafe { (_mm512_min_epu32(a, b), _mm512_max_epu32(a, b)) }
    }

    #[inline(always)]
    fn reverse(self, keys: __m512i) -> __m512i {
        // SAFETY: the machine has AVX-512.
        unsafe {
            let last_first = _mm512_setr_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
            _mm512_permutexvar_epi32(last_first, keys)
        }
    }

    #[inline(always)]
    fn order_apart<const APART: usize>(self, keys: __m512i) -> __m512i {
        // SAFETY: the machine has AVX-512.
        let other = unsafe {
            match APART {
                1 => _mm512_shuffle_epi32::<0b10_11_00_01>(keys),
                2 => _mm512_shuffle_epi32::<0b01_00_11_10>(keys),
                4 => _mm512_shuffle_i32x4::<0b10_11_00_01>(keys, keys),
                _ => _mm512_shuffle_i32x4::<0b01_00_11_10>(keys, keys),
            }
        };
        self.least(APART.ilog2() as usize, keys, other)
    }

    #[inline(always)]
    fn order_mirrored<const HALF: usize>(self, keys: __m512i) -> __m512i {
        // SAFETY: the machine has AVX-512.
        let mirrored = unsafe {
            match HALF {
                2 => _mm512_shuffle_epi32::<0b00_01_10_11>(keys),
                4 => {
                    let last_first = _mm512_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8);
                    _mm512_permutexvar_epi32(last_first, keys)
                }
                _ => self.reverse(keys),
            }
        };
        self.least(HALF.ilog2() as usize, keys, mirrored)
    }
}
