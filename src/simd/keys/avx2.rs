//! Sixteen keys in two vectors, with AVX2.

use std::arch::x86_64::{
    __m256i, _mm256_blend_epi32, _mm256_loadu_si256, _mm256_max_epu32, _mm256_min_epu32, _mm256_permute4x64_epi64,
    _mm256_shuffle_epi32, _mm256_storeu_si256,
};

use super::Keys;
use crate::simd::WIDTH;

/// Eight keys, and eight more.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Halves(__m256i, __m256i);

/// The lesser of each lane of two vectors, and the greater.
#[inline(always)]
fn order(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    // SAFETY: the machine has AVX2.
    unsafe { (_mm256_min_epu32(a, b), _mm256_max_epu32(a, b)) }
}

/// The last lane first.
#[inline(always)]
fn reverse(keys: __m256i) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe { _mm256_permute4x64_epi64::<0b01_00_11_10>(_mm256_shuffle_epi32::<0b00_01_10_11>(keys)) }
}

/// The lesser of each lane of two vectors, but in `GREATER` the greater.
#[inline(always)]
fn least<const GREATER: i32>(a: __m256i, b: __m256i) -> __m256i {
    let (less, more) = order(a, b);
    // SAFETY: the machine has AVX2.
    unsafe { _mm256_blend_epi32::<GREATER>(less, more) }
}

/// Orders lanes that are 1, 2 or 4 apart.
#[inline(always)]
fn order_apart<const APART: usize>(keys: __m256i) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe {
        match APART {
            1 => least::<0xAA>(keys, _mm256_shuffle_epi32::<0b10_11_00_01>(keys)),
            2 => least::<0xCC>(keys, _mm256_shuffle_epi32::<0b01_00_11_10>(keys)),
            _ => least::<0xF0>(keys, _mm256_permute4x64_epi64::<0b01_00_11_10>(keys)),
        }
    }
}

/// Orders the lanes of each group of twice 2 or 4 with those that mirror them.
#[inline(always)]
fn order_mirrored<const HALF: usize>(keys: __m256i) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe {
        match HALF {
            2 => least::<0xCC>(keys, _mm256_shuffle_epi32::<0b00_01_10_11>(keys)),
            _ => least::<0xF0>(keys, reverse(keys)),
        }
    }
}

impl Keys for Halves {
    #[inline(always)]
    fn load(keys: &[u32; WIDTH]) -> Self {
        // SAFETY: the machine has AVX2, and twice 8 keys are read of 16.
        unsafe { Self(_mm256_loadu_si256(keys.as_ptr().cast()), _mm256_loadu_si256(keys.as_ptr().add(8).cast())) }
    }

    #[inline(always)]
    fn store(self, to: &mut [u32; WIDTH]) {
        // SAFETY: the machine has AVX2, and twice 8 keys are written to 16.
        unsafe {
            _mm256_storeu_si256(to.as_mut_ptr().cast(), self.0);
            _mm256_storeu_si256(to.as_mut_ptr().add(8).cast(), self.1);
        }
    }

    #[inline(always)]
    fn order(self, other: Self) -> (Self, Self) {
        let (first, second) = (order(self.0, other.0), order(self.1, other.1));
        (Self(first.0, second.0), Self(first.1, second.1))
    }

    #[inline(always)]
    fn reverse(self) -> Self {
        Self(reverse(self.1), reverse(self.0))
    }

    #[inline(always)]
    fn order_apart<const APART: usize>(self) -> Self {
        if APART == 8 {
            let (less, more) = order(self.0, self.1);
            Self(less, more)
        } else {
            Self(order_apart::<APART>(self.0), order_apart::<APART>(self.1))
        }
    }

    #[inline(always)]
    fn order_mirrored<const HALF: usize>(self) -> Self {
        if HALF == 8 {
            let (less, more) = order(self.0, reverse(self.1));
            Self(less, reverse(more))
        } else {
            Self(order_mirrored::<HALF>(self.0), order_mirrored::<HALF>(self.1))
        }
    }
}
