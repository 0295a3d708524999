//! Small masks as bytes, with AVX2: looks up the texels under 32 pixels at a time.
//!
//! ```text
//!   u, v = at + i step      halves of 16 bits: the upper ones, and the carry of the lower ones
//!   row, column             those packed to bytes; values beyond a byte become the nearest, which is outside the
//!                           mask too
//!   byte = bytes[column / 8][row]      a shuffle looks up 16 rows, and gives 0 for a negative index
//!   solid = byte has the bit column % 8
//! ```

use std::arch::x86_64::{
    __m256i, _mm256_add_epi16, _mm256_adds_epu8, _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpeq_epi8,
    _mm256_cmpgt_epi16, _mm256_loadu_si256, _mm256_movemask_epi8, _mm256_mulhi_epu16, _mm256_mullo_epi16,
    _mm256_or_si256, _mm256_packs_epi16, _mm256_permutevar8x32_epi32, _mm256_set1_epi8, _mm256_set1_epi16,
    _mm256_setr_epi8, _mm256_setr_epi16, _mm256_setr_epi32, _mm256_setzero_si256, _mm256_shuffle_epi8,
    _mm256_slli_epi16, _mm256_sub_epi8, _mm256_sub_epi16, _mm256_unpackhi_epi32, _mm256_unpacklo_epi32,
    _mm256_xor_si256,
};

use super::Texels;

/// A mask of up to 32 x 32. A value exists only if the machine has AVX2.
pub(super) struct Bytes {
    /// For each 8 columns, the bytes of the rows 0 to 15 and of the rows 16 to 31, each twice, because a shuffle works
    /// on 16 bytes.
    columns: [[__m256i; 2]; 4],
    /// The growth of `u` and `v` up to each of 64 pixels, 32 at a time.
    along: [[Along; 2]; 2],
}

impl Bytes {
    /// Makes the bytes of rows that are zero beyond their last texel.
    ///
    /// # Safety
    ///
    /// The machine has AVX2.
    #[inline(always)]
    pub(super) unsafe fn new(rows: &[u32; 32], [du, dv]: [i32; 2]) -> Self {
        // SAFETY: the machine has AVX2, and there are 32 rows.
        unsafe {
            let [upper, lower] = [columns(rows.as_ptr()), columns(rows.as_ptr().add(16))];
            Self {
                columns: [[upper[0], lower[0]], [upper[1], lower[1]], [upper[2], lower[2]], [upper[3], lower[3]]],
                along: [[Along::new(du, 0), Along::new(dv, 0)], [Along::new(du, 32), Along::new(dv, 32)]],
            }
        }
    }

    /// # Safety
    ///
    /// The machine has AVX2.
    #[inline(always)]
    unsafe fn under_32(&self, [u, v]: [i32; 2], [across, down]: &[Along; 2]) -> u32 {
        // SAFETY: the machine has AVX2.
        unsafe {
            let [column, row] = [across.from(u), down.from(v)];
            let upper = index(row, 16);
            let lower = index(_mm256_sub_epi8(row, _mm256_set1_epi8(16)), 16);
            let [a, b, c, d] = &self.columns;
            let [a, b] = [byte(a, upper, lower), byte(b, upper, lower)];
            let [c, d] = [byte(c, upper, lower), byte(d, upper, lower)];
            // The bits for 8 and 16 become the signs.
            let [by_8, by_16] = [_mm256_slli_epi16::<4>(column), _mm256_slli_epi16::<3>(column)];
            let bytes = _mm256_blendv_epi8(_mm256_blendv_epi8(a, b, by_8), _mm256_blendv_epi8(c, d, by_8), by_16);
            let places = _mm256_setr_epi8(
                1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8,
                16, 32, 64, -128,
            );
            let bit = _mm256_shuffle_epi8(places, index(column, 32));
            let empty = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), _mm256_setzero_si256());
            !_mm256_movemask_epi8(empty) as u32
        }
    }
}

impl Texels for Bytes {
    #[inline(always)]
    fn under(&self, at: [i32; 2], count: usize) -> u64 {
        // SAFETY: the machine has AVX2, otherwise there would be no `Bytes`.
        unsafe {
            let [first, second] = &self.along;
            let bits = self.under_32(at, first).into();
            if count <= 32 { bits } else { bits | u64::from(self.under_32(at, second)) << 32 }
        }
    }
}

/// Returns the bytes of 16 rows, by column, each twice.
///
/// # Safety
///
/// The machine has AVX2; there are 16 rows.
#[inline(always)]
unsafe fn columns(rows: *const u32) -> [__m256i; 4] {
    // SAFETY: the machine has AVX2, and 16 rows are read.
    unsafe {
        // For four rows each: their first bytes, then their second, third and fourth.
        let by_four = _mm256_setr_epi8(
            0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
        );
        let upper = _mm256_shuffle_epi8(_mm256_loadu_si256(rows.cast()), by_four);
        let lower = _mm256_shuffle_epi8(_mm256_loadu_si256(rows.add(8).cast()), by_four);
        let [left, right] = [_mm256_unpacklo_epi32(upper, lower), _mm256_unpackhi_epi32(upper, lower)];
        let even = _mm256_setr_epi32(0, 4, 1, 5, 0, 4, 1, 5);
        let odd = _mm256_setr_epi32(2, 6, 3, 7, 2, 6, 3, 7);
        [
            _mm256_permutevar8x32_epi32(left, even),
            _mm256_permutevar8x32_epi32(left, odd),
            _mm256_permutevar8x32_epi32(right, even),
            _mm256_permutevar8x32_epi32(right, odd),
        ]
    }
}

/// Maps bytes from 0 to `end - 1`, where `end` is a multiple of 16, to indices for a shuffle, which uses their lowest
/// four bits; all other bytes become negative.
///
/// # Safety
///
/// The machine has AVX2.
#[inline(always)]
unsafe fn index(bytes: __m256i, end: i8) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe { _mm256_adds_epu8(bytes, _mm256_set1_epi8(i8::MIN.wrapping_sub(end))) }
}

/// Returns the bytes of a column at these indices, one of which is negative.
///
/// # Safety
///
/// The machine has AVX2.
#[inline(always)]
unsafe fn byte([rows, more]: &[__m256i; 2], upper: __m256i, lower: __m256i) -> __m256i {
    // SAFETY: the machine has AVX2.
    unsafe { _mm256_or_si256(_mm256_shuffle_epi8(*rows, upper), _mm256_shuffle_epi8(*more, lower)) }
}

/// The growth of a coordinate up to each of 32 pixels: `i step` in halves of 16 bits.
struct Along {
    /// The lower halves, minus 2^15, because comparisons are signed.
    low: [__m256i; 2],
    high: [__m256i; 2],
}

impl Along {
    /// # Safety
    ///
    /// The machine has AVX2.
    #[inline(always)]
    unsafe fn new(step: i32, first: i16) -> Self {
        // SAFETY: the machine has AVX2.
        unsafe {
            // In the order for `packs`, which takes the lower half of each, then the upper.
            let pixels = _mm256_setr_epi16(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
            let pixels = _mm256_add_epi16(pixels, _mm256_set1_epi16(first));
            let others = _mm256_add_epi16(pixels, _mm256_set1_epi16(8));
            let [low, high] = [_mm256_set1_epi16(step as i16), _mm256_set1_epi16((step >> 16) as i16)];
            let signed = _mm256_set1_epi16(i16::MIN);
            Self {
                low: [
                    _mm256_xor_si256(_mm256_mullo_epi16(pixels, low), signed),
                    _mm256_xor_si256(_mm256_mullo_epi16(others, low), signed),
                ],
                high: [
                    _mm256_add_epi16(_mm256_mullo_epi16(pixels, high), _mm256_mulhi_epu16(pixels, low)),
                    _mm256_add_epi16(_mm256_mullo_epi16(others, high), _mm256_mulhi_epu16(others, low)),
                ],
            }
        }
    }

    /// Returns the whole texels of a coordinate that is `at` under the first pixel.
    ///
    /// # Safety
    ///
    /// The machine has AVX2.
    #[inline(always)]
    unsafe fn from(&self, at: i32) -> __m256i {
        // SAFETY: the machine has AVX2.
        unsafe {
            let high = _mm256_set1_epi16((at >> 16) as i16);
            // The sum of the lower halves carries if one is above the complement of the other.
            let most = _mm256_set1_epi16(!(at as i16) ^ i16::MIN);
            let sum = |k: usize| {
                let carry = _mm256_cmpgt_epi16(self.low[k], most);
                _mm256_sub_epi16(_mm256_add_epi16(self.high[k], high), carry)
            };
            _mm256_packs_epi16(sum(0), sum(1))
        }
    }
}
