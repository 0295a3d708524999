//! Four words with AVX2.

use std::arch::x86_64::{
    __m256i, _mm_cvtsi32_si128, _mm256_add_epi8, _mm256_add_epi64, _mm256_alignr_epi8, _mm256_and_si256,
    _mm256_cmpeq_epi64, _mm256_cmpgt_epi64, _mm256_loadu_si256, _mm256_maskload_epi64, _mm256_or_si256,
    _mm256_permute2x128_si256, _mm256_sad_epu8, _mm256_set1_epi8, _mm256_set1_epi64x, _mm256_setr_epi8,
    _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_sll_epi64, _mm256_srl_epi64,
    _mm256_srli_epi16, _mm256_testz_si256,
};

use crate::simd::Words;

/// Four words.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Four(__m256i);

/// Returns all bits set in the lanes of `lanes`.
#[inline(always)]
fn mask(lanes: u32) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe {
        let bits = _mm256_setr_epi64x(1, 2, 4, 8);
        _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(lanes.into()), bits), bits)
    }
}

impl Words for Four {
    const COUNT: usize = 4;

    #[inline(always)]
    fn zero() -> Self {
        // SAFETY: the machine has AVX2.
        Self(unsafe { _mm256_setzero_si256() })
    }

    #[inline(always)]
    fn ones(lanes: u32) -> Self {
        Self(mask(lanes))
    }

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        let words = &words[..Self::COUNT];
        // SAFETY: the machine has AVX2, and only words of the slice are read.
        Self(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_some(words: &[u64], lanes: u32) -> Self {
        let there = (1 << words.len().min(Self::COUNT)) - 1;
        // SAFETY: the machine has AVX2, and only words of the slice are read.
        Self(unsafe { _mm256_maskload_epi64(words.as_ptr().cast(), mask(lanes & there)) })
    }

    #[inline(always)]
    fn load_from(words: &[u64], first: usize) -> Self {
        // Nothing overflows: the length of a slice of words is less than half of `usize::MAX`.
        let first = first.min(words.len());
        // SAFETY: the machine has AVX2, and only words of the slice are read: those whose number is below their count.
        Self(unsafe {
            let numbers = _mm256_add_epi64(_mm256_setr_epi64x(0, 1, 2, 3), _mm256_set1_epi64x(first as i64));
            let there = _mm256_cmpgt_epi64(_mm256_set1_epi64x(words.len() as i64), numbers);
            _mm256_maskload_epi64(words.as_ptr().wrapping_add(first).cast(), there)
        })
    }

    #[inline(always)]
    fn next(self, behind: Self, lanes: u32) -> Self {
        // SAFETY: the machine has AVX2.
        Self(unsafe {
            let middle = _mm256_permute2x128_si256::<0x21>(self.0, behind.0);
            _mm256_and_si256(_mm256_alignr_epi8::<8>(middle, self.0), mask(lanes))
        })
    }

    #[inline(always)]
    fn shift(self, by: u32) -> Self {
        // SAFETY: the machine has AVX2.
        Self(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(by as i32)) })
    }

    /// Needs no special case for 0, because a vector shift by 64 gives zero.
    #[inline(always)]
    fn funnel(self, high: Self, by: u32) -> Self {
        // SAFETY: the machine has AVX2.
        let high = unsafe { _mm256_sll_epi64(high.0, _mm_cvtsi32_si128(64 - by as i32)) };
        self.shift(by).or(Self(high))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the machine has AVX2.
        Self(unsafe { _mm256_and_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the machine has AVX2.
        Self(unsafe { _mm256_or_si256(self.0, other.0) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the machine has AVX2.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }

    /// Counts bits by a table for each four bits (Muła, Kurz, Lemire, *Faster Population Counts Using AVX2
    /// Instructions*, 2018).
    #[inline(always)]
    fn add_count(self, words: Self) -> Self {
        // SAFETY: the machine has AVX2.
        Self(unsafe {
            let table = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            );
            let four = _mm256_set1_epi8(15);
            let low = _mm256_shuffle_epi8(table, _mm256_and_si256(words.0, four));
            let high = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16::<4>(words.0), four));
            let bytes = _mm256_sad_epu8(_mm256_add_epi8(low, high), _mm256_setzero_si256());
            _mm256_add_epi64(self.0, bytes)
        })
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: both are of 256 bits.
        let words: [u64; 4] = unsafe { std::mem::transmute(self.0) };
        words.iter().sum()
    }
}
