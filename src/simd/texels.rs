//! Lookup of the texels under the pixels of a word, with AVX2 and AVX-512: `u` and `v` in lanes of 32 bits with 16
//! fractional bits. Outside the mask they wrap; the texels found there are not used, but the reads must stay within
//! memory.

use std::arch::x86_64::{
    __m256i, __m512i, __mmask16, _mm256_add_epi32, _mm256_andnot_si256, _mm256_castsi256_ps, _mm256_cmpgt_epi32,
    _mm256_mask_i32gather_epi32, _mm256_movemask_ps, _mm256_mullo_epi32, _mm256_set1_epi32, _mm256_setr_epi32,
    _mm256_setzero_si256, _mm256_sllv_epi32, _mm256_srai_epi32, _mm512_add_epi32, _mm512_and_si512,
    _mm512_cmplt_epu32_mask, _mm512_loadu_si512, _mm512_mask_blend_epi32, _mm512_mask_cmplt_epu32_mask,
    _mm512_mask_i32gather_epi32, _mm512_mask_test_epi32_mask, _mm512_mullo_epi32, _mm512_or_si512,
    _mm512_permutex2var_epi32, _mm512_set1_epi32, _mm512_setr_epi32, _mm512_setzero_si512, _mm512_sllv_epi32,
    _mm512_srai_epi32, _mm512_srli_epi32, _mm512_test_epi32_mask,
};
use std::ops::Range;

use super::Texels;

/// Implements `super::Lanes::texels`.
///
/// # Safety
///
/// The machine has AVX2.
#[inline(always)]
pub(super) unsafe fn gathered_by_8(
    mask: &[u32],
    stride: usize,
    at: [i32; 2],
    step: [i32; 2],
    pixels: Range<usize>,
) -> u64 {
    let len = count(mask);
    let mut bits = 0;
    let mut i = pixels.start;
    while i < pixels.end {
        // SAFETY: the machine has AVX2, and only words are read whose index is below their count.
        unsafe {
            let [u, v] = [along_by_8(at[0], step[0], i), along_by_8(at[1], step[1], i)];
            let row = _mm256_mullo_epi32(_mm256_srai_epi32::<16>(v), _mm256_set1_epi32(stride as i32));
            let index = _mm256_add_epi32(row, _mm256_srai_epi32::<21>(u));
            let not_past = _mm256_cmpgt_epi32(_mm256_set1_epi32(len), index);
            let there = _mm256_andnot_si256(_mm256_srai_epi32::<31>(index), not_past);
            let none = _mm256_setzero_si256();
            let words = _mm256_mask_i32gather_epi32::<4>(none, mask.as_ptr().cast(), index, there);
            // The texel's bit becomes the sign.
            let column = _mm256_andnot_si256(_mm256_srai_epi32::<16>(u), _mm256_set1_epi32(31));
            let solid = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(words, column)));
            bits |= u64::from(solid as u32) << i;
        }
        i += 8;
    }
    bits
}

/// Returns the number of words of a mask, at most the largest signed 32-bit index.
fn count(mask: &[u32]) -> i32 {
    i32::try_from(mask.len()).unwrap_or(i32::MAX)
}

/// Returns a coordinate under 8 pixels from `i` on.
///
/// # Safety
///
/// The machine has AVX2.
#[inline(always)]
unsafe fn along_by_8(at: i32, step: i32, i: usize) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe {
        let steps = _mm256_mullo_epi32(_mm256_set1_epi32(step), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
        _mm256_add_epi32(_mm256_set1_epi32(at.wrapping_add(step.wrapping_mul(i as i32))), steps)
    }
}

/// Implements `super::Lanes::texels`.
///
/// # Safety
///
/// The machine has AVX-512.
#[inline(always)]
pub(super) unsafe fn gathered_by_16(
    mask: &[u32],
    stride: usize,
    at: [i32; 2],
    step: [i32; 2],
    pixels: Range<usize>,
) -> u64 {
    let len = count(mask);
    let mut bits = 0;
    let mut i = pixels.start;
    while i < pixels.end {
        // SAFETY: the machine has AVX-512, and only words are read whose index is below their count.
        unsafe {
            let [u, v] = [along_by_16(at[0], step[0], i), along_by_16(at[1], step[1], i)];
            let row = _mm512_mullo_epi32(_mm512_srai_epi32::<16>(v), _mm512_set1_epi32(stride as i32));
            let index = _mm512_add_epi32(row, _mm512_srai_epi32::<21>(u));
            let there = _mm512_cmplt_epu32_mask(index, _mm512_set1_epi32(len));
            let none = _mm512_setzero_si512();
            let words = _mm512_mask_i32gather_epi32::<4>(none, there, index, mask.as_ptr().cast());
            bits |= u64::from(_mm512_test_epi32_mask(words, column(u))) << i;
        }
        i += 16;
    }
    bits
}

/// A small mask with all its words in registers, with AVX-512. A value exists only if the machine has that.
pub(super) struct Picked<const WORDS: usize> {
    rows: [u32; WORDS],
    size: [i32; 2],
    step: [i32; 2],
}

impl<const WORDS: usize> Texels for Picked<WORDS> {
    #[inline(always)]
    fn under(&self, at: [i32; 2], count: usize) -> u64 {
        let mut bits = 0;
        let mut i = 0;
        while i < count {
            // SAFETY: the machine has AVX-512, otherwise there would be no `Picked`.
            unsafe {
                let [u, v] = [along_by_16(at[0], self.step[0], i), along_by_16(at[1], self.step[1], i)];
                let words = self.words(u, v);
                bits |= u64::from(_mm512_mask_test_epi32_mask(inside(u, v, self.size), words, column(u))) << i;
            }
            i += 16;
        }
        bits
    }
}

impl<const WORDS: usize> Picked<WORDS> {
    /// Makes a mask from its rows, its size, and the step from pixel to pixel.
    ///
    /// # Safety
    ///
    /// The machine has AVX-512.
    #[inline(always)]
    pub(super) unsafe fn new(rows: [u32; WORDS], size: [i32; 2], step: [i32; 2]) -> Self {
        const { assert!(WORDS == 32 || WORDS == 128, "a row is a word, or two") }
        Self { rows, size, step }
    }

    /// Returns the words that hold the texels `[u, v]`: of 32 words in two registers, one in a row; of 128 words in
    /// eight, two in a row.
    ///
    /// # Safety
    ///
    /// The machine has AVX-512.
    #[inline(always)]
    unsafe fn words(&self, u: __m512i, v: __m512i) -> __m512i {
        // SAFETY: the machine has AVX-512, and there are as many words.
        unsafe {
            if WORDS == 32 {
                return picked(&self.rows, 0, _mm512_srli_epi32::<16>(v));
            }
            let row = _mm512_and_si512(_mm512_srli_epi32::<15>(v), _mm512_set1_epi32(!1));
            let index = _mm512_or_si512(row, _mm512_srli_epi32::<21>(u));
            let odd = _mm512_test_epi32_mask(index, _mm512_set1_epi32(32));
            let lower = _mm512_test_epi32_mask(index, _mm512_set1_epi32(64));
            let above = _mm512_mask_blend_epi32(odd, picked(&self.rows, 0, index), picked(&self.rows, 32, index));
            let below = _mm512_mask_blend_epi32(odd, picked(&self.rows, 64, index), picked(&self.rows, 96, index));
            _mm512_mask_blend_epi32(lower, above, below)
        }
    }
}

/// Returns the lanes that lie within a mask: as unsigned numbers, negative coordinates are large.
///
/// # Safety
///
/// The machine has AVX-512.
#[inline(always)]
unsafe fn inside(u: __m512i, v: __m512i, [width, height]: [i32; 2]) -> __mmask16 {
    // SAFETY: the machine has AVX-512.
    unsafe {
        let across = _mm512_cmplt_epu32_mask(u, _mm512_set1_epi32(width << 16));
        _mm512_mask_cmplt_epu32_mask(across, v, _mm512_set1_epi32(height << 16))
    }
}

/// Returns the words at `from + index`, where only the lowest five bits of `index` count.
///
/// # Safety
///
/// The machine has AVX-512; there are 32 words from `from` on.
#[inline(always)]
unsafe fn picked(words: &[u32], from: usize, index: __m512i) -> __m512i {
    // SAFETY: the machine has AVX-512, and 32 words are read.
    unsafe {
        let words = words.as_ptr().add(from);
        _mm512_permutex2var_epi32(_mm512_loadu_si512(words.cast()), index, _mm512_loadu_si512(words.add(16).cast()))
    }
}

/// Returns a coordinate under 16 pixels from `i` on.
///
/// # Safety
///
/// The machine has AVX-512.
#[inline(always)]
unsafe fn along_by_16(at: i32, step: i32, i: usize) -> __m512i {
    // SAFETY: the machine has AVX-512.
    unsafe {
        let lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
        let steps = _mm512_mullo_epi32(_mm512_set1_epi32(step), lanes);
        _mm512_add_epi32(_mm512_set1_epi32(at.wrapping_add(step.wrapping_mul(i as i32))), steps)
    }
}

/// Returns the bit of each texel in its word.
///
/// # Safety
///
/// The machine has AVX-512.
#[inline(always)]
unsafe fn column(u: __m512i) -> __m512i {
    // SAFETY: the machine has AVX-512.
    unsafe {
        let column = _mm512_and_si512(_mm512_srli_epi32::<16>(u), _mm512_set1_epi32(31));
        _mm512_sllv_epi32(_mm512_set1_epi32(1), column)
    }
}
