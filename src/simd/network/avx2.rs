//! Sixteen keys in two vectors, with AVX2.

use std::arch::x86_64::{
    __m256i, _mm256_blend_epi32, _mm256_loadu_si256, _mm256_max_epu32, _mm256_min_epu32, _mm256_permute4x64_epi64,
    _mm256_shuffle_epi32, _mm256_storeu_si256,
};

use super::Network;
use crate::simd::WIDTH;
use crate::simd::x86::Avx2;

/// Eight keys, and eight more.
type Halves = [__m256i; 2];

/// Returns the lesser of each lane of two vectors, and the greater.
#[inline(always)]
fn order(_: Avx2, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    // SAFETY: the machine has AVX2.
    unsafe { (_mm256_min_epu32(a, b), _mm256_max_epu32(a, b)) }
}

/// Reverses the lanes.
#[inline(always)]
fn reverse(_: Avx2, keys: __m256i) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe { _mm256_permute4x64_epi64::<0b01_00_11_10>(_mm256_shuffle_epi32::<0b00_01_10_11>(keys)) }
}

/// Returns the lesser of each lane of two vectors, but the greater in the lanes of `GREATER`.
#[inline(always)]
fn least<const GREATER: i32>(by: Avx2, a: __m256i, b: __m256i) -> __m256i {
    let (less, more) = order(by, a, b);
    // SAFETY: the machine has AVX2.
    unsafe { _mm256_blend_epi32::<GREATER>(less, more) }
}

/// Orders lanes that are 1, 2 or 4 apart.
#[inline(always)]
fn order_apart<const APART: usize>(by: Avx2, keys: __m256i) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe {
        match APART {
            1 => least::<0xAA>(by, keys, _mm256_shuffle_epi32::<0b10_11_00_01>(keys)),
            2 => least::<0xCC>(by, keys, _mm256_shuffle_epi32::<0b01_00_11_10>(keys)),
            _ => least::<0xF0>(by, keys, _mm256_permute4x64_epi64::<0b01_00_11_10>(keys)),
        }
    }
}

/// Orders the lanes of each group of twice 2 or 4 with their mirror images.
#[inline(always)]
fn order_mirrored<const HALF: usize>(by: Avx2, keys: __m256i) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe {
        match HALF {
            2 => least::<0xCC>(by, keys, _mm256_shuffle_epi32::<0b00_01_10_11>(keys)),
            _ => least::<0xF0>(by, keys, reverse(by, keys)),
        }
    }
}

impl Network for Avx2 {
    type Keys = Halves;

    #[inline(always)]
    fn load(self, keys: &[u32; WIDTH]) -> Halves {
        // SAFETY: the machine has AVX2, and two times 8 of the 16 keys are read.
        unsafe { [_mm256_loadu_si256(keys.as_ptr().cast()), _mm256_loadu_si256(keys.as_ptr().add(8).cast())] }
    }

    #[inline(always)]
    fn store(self, [first, second]: Halves, to: &mut [u32; WIDTH]) {
        // SAFETY: the machine has AVX2, and two times 8 of the 16 keys are written.
        unsafe {
            _mm256_storeu_si256(to.as_mut_ptr().cast(), first);
            _mm256_storeu_si256(to.as_mut_ptr().add(8).cast(), second);
        }
    }

    #[inline(always)]
    fn order(self, a: Halves, b: Halves) -> (Halves, Halves) {
        let (first, second) = (order(self, a[0], b[0]), order(self, a[1], b[1]));
        ([first.0, second.0], [first.1, second.1])
    }

    #[inline(always)]
    fn reverse(self, [first, second]: Halves) -> Halves {
        [reverse(self, second), reverse(self, first)]
    }

    #[inline(always)]
    fn order_apart<const APART: usize>(self, [first, second]: Halves) -> Halves {
        if APART == 8 {
            order(self, first, second).into()
        } else {
            [order_apart::<APART>(self, first), order_apart::<APART>(self, second)]
        }
    }

    #[inline(always)]
    fn order_mirrored<const HALF: usize>(self, [first, second]: Halves) -> Halves {
        if HALF == 8 {
            let (less, more) = order(self, first, reverse(self, second));
            [less, reverse(self, more)]
        } else {
            [order_mirrored::<HALF>(self, first), order_mirrored::<HALF>(self, second)]
        }
    }
}
