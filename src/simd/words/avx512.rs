//! Eight words with AVX-512.

use std::arch::x86_64::{
    __m512i, _mm_cvtsi32_si128, _mm512_add_epi64, _mm512_and_si512, _mm512_cmplt_epi64_mask, _mm512_loadu_si512,
    _mm512_maskz_alignr_epi64, _mm512_maskz_loadu_epi64, _mm512_maskz_set1_epi64, _mm512_or_si512, _mm512_popcnt_epi64,
    _mm512_reduce_add_epi64, _mm512_set1_epi64, _mm512_setr_epi64, _mm512_setzero_si512, _mm512_sll_epi64,
    _mm512_srl_epi64, _mm512_test_epi64_mask,
};

use crate::simd::Words;

/// Eight words.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Eight(__m512i);

impl Words for Eight {
    const COUNT: usize = 8;

    #[inline(always)]
    fn zero() -> Self {
        // SAFETY: the machine has AVX-512.
        Self(unsafe { _mm512_setzero_si512() })
    }

    #[inline(always)]
    fn ones(lanes: u32) -> Self {
        // SAFETY: the machine has AVX-512.
        Self(unsafe { _mm512_maskz_set1_epi64(lanes as u8, -1) })
    }

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        let words = &words[..Self::COUNT];
        // SAFETY: the machine has AVX-512, and only words of the slice are read.
        Self(unsafe { _mm512_loadu_si512(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_some(words: &[u64], lanes: u32) -> Self {
        let there = (1 << words.len().min(Self::COUNT)) - 1;
        // SAFETY: the machine has AVX-512, and only words of the slice are read.
        Self(unsafe { _mm512_maskz_loadu_epi64((lanes & there) as u8, words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn load_from(words: &[u64], first: usize) -> Self {
        // Nothing overflows: the length of a slice of words is less than half of `usize::MAX`.
        let first = first.min(words.len());
        // SAFETY: the machine has AVX-512, and only words of the slice are read: those whose number is below their
        // count.
        Self(unsafe {
            let numbers = _mm512_add_epi64(_mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7), _mm512_set1_epi64(first as i64));
            let there = _mm512_cmplt_epi64_mask(numbers, _mm512_set1_epi64(words.len() as i64));
            _mm512_maskz_loadu_epi64(there, words.as_ptr().wrapping_add(first).cast())
        })
    }

    #[inline(always)]
    fn next(self, behind: Self, lanes: u32) -> Self {
        // SAFETY: the machine has AVX-512.
        Self(unsafe { _mm512_maskz_alignr_epi64::<1>(lanes as u8, behind.0, self.0) })
    }

    #[inline(always)]
    fn shift(self, by: u32) -> Self {
        // SAFETY: the machine has AVX-512.
        Self(unsafe { _mm512_srl_epi64(self.0, _mm_cvtsi32_si128(by as i32)) })
    }

    /// Needs no special case for 0, because a vector shift by 64 gives zero.
    #[inline(always)]
    fn funnel(self, high: Self, by: u32) -> Self {
        // SAFETY: the machine has AVX-512.
        let high = unsafe { _mm512_sll_epi64(high.0, _mm_cvtsi32_si128(64 - by as i32)) };
        self.shift(by).or(Self(high))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        // SAFETY: the machine has AVX-512.
        Self(unsafe { _mm512_and_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        // SAFETY: the machine has AVX-512.
        Self(unsafe { _mm512_or_si512(self.0, other.0) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the machine has AVX-512.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
    }

    #[inline(always)]
    fn add_count(self, words: Self) -> Self {
        // SAFETY: the machine has AVX-512 with VPOPCNTDQ.
        Self(unsafe { _mm512_add_epi64(self.0, _mm512_popcnt_epi64(words.0)) })
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        // SAFETY: the machine has AVX-512.
        unsafe { _mm512_reduce_add_epi64(self.0) as u64 }
    }
}
