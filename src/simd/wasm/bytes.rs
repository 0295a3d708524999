//! Small masks as bytes: looks up the texels under 16 pixels at a time. The twin for AVX2 is `simd/bytes.rs`.
//!
//! ```text
//!   u, v = at + i step
//!   row, column             their upper halves, packed to bytes; values beyond a byte become the nearest, which is
//!                           outside the mask too
//!   byte = bytes[column / 8][row]      a swizzle looks up 16 rows, and gives 0 for any other index
//!   solid = byte has the bit column % 8
//! ```

use std::arch::wasm32::{
    i8x16, i8x16_bitmask, i8x16_eq, i8x16_narrow_i16x8, i8x16_shuffle, i8x16_splat, i8x16_sub, i16x8_shuffle, i32x4,
    i32x4_add, i32x4_mul, i32x4_shuffle, i32x4_splat, u8x16_swizzle, v128, v128_and, v128_bitselect, v128_load,
    v128_or,
};

use crate::simd::Texels;

/// A mask of up to 32 x 32.
pub(in crate::simd) struct Bytes {
    /// For each 8 columns, the bytes of the rows 0 to 15 and of the rows 16 to 31.
    columns: [[v128; 2]; 4],
    /// The growth of `u` and `v` up to each of 16 pixels.
    along: [Along; 2],
}

impl Bytes {
    /// Makes the bytes of rows that are zero beyond their last texel.
    #[inline(always)]
    pub(super) fn new(rows: &[u32; 32], step: [i32; 2]) -> Self {
        let (upper, lower) = rows.split_at(16);
        let [upper, lower] = [columns(upper), columns(lower)];
        Self {
            columns: [[upper[0], lower[0]], [upper[1], lower[1]], [upper[2], lower[2]], [upper[3], lower[3]]],
            along: [Along::new(step[0]), Along::new(step[1])],
        }
    }

    #[inline(always)]
    fn under_16(&self, [u, v]: [i32; 2]) -> u16 {
        let [column, row] = [self.along[0].from(u), self.along[1].from(v)];
        let below = i8x16_sub(row, i8x16_splat(16));
        let byte = |[upper, lower]: [v128; 2]| v128_or(u8x16_swizzle(upper, row), u8x16_swizzle(lower, below));
        let [a, b, c, d] = self.columns;
        let [a, b, c, d] = [byte(a), byte(b), byte(c), byte(d)];
        // Shifts of bytes take several instructions each on x86-64, comparisons one.
        let has = |bit| i8x16_eq(v128_and(column, i8x16_splat(bit)), i8x16_splat(bit));
        let by_8 = has(8);
        let bytes = v128_bitselect(v128_bitselect(d, c, by_8), v128_bitselect(b, a, by_8), has(16));
        let places = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
        // Columns 0 to 31 become 0 to 15. All others stay at 16 or above, for which the swizzle gives 0.
        let bit = u8x16_swizzle(places, v128_and(column, i8x16_splat(!16)));
        !i8x16_bitmask(i8x16_eq(v128_and(bytes, bit), i8x16_splat(0)))
    }
}

impl Texels for Bytes {
    #[inline(always)]
    fn under(&self, at: [i32; 2], count: usize) -> u64 {
        let mut bits = 0;
        let [mut u, mut v] = at;
        for k in 0..count.div_ceil(16) {
            bits |= u64::from(self.under_16([u, v])) << (16 * k);
            [u, v] = [u.wrapping_add(self.along[0].sixteen), v.wrapping_add(self.along[1].sixteen)];
        }
        bits
    }
}

/// Returns the bytes of 16 rows, by column.
#[inline(always)]
fn columns(rows: &[u32]) -> [v128; 4] {
    let four = |k: usize| {
        let rows = &rows[k..k + 4];
        // SAFETY: 16 bytes are read of a slice of 16.
        let rows = unsafe { v128_load(rows.as_ptr().cast()) };
        // The first bytes of the four rows, then their second, third and fourth.
        i8x16_shuffle::<0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15>(rows, rows)
    };
    transposed([four(0), four(4), four(8), four(12)])
}

/// Returns the columns of a matrix whose rows are these, of four numbers of 32 bits each.
#[inline(always)]
fn transposed([a, b, c, d]: [v128; 4]) -> [v128; 4] {
    let left = |a, b| i32x4_shuffle::<0, 4, 1, 5>(a, b);
    let right = |a, b| i32x4_shuffle::<2, 6, 3, 7>(a, b);
    let [first, second] = [[left(a, b), left(c, d)], [right(a, b), right(c, d)]];
    let lower = |[a, b]: [v128; 2]| i32x4_shuffle::<0, 1, 4, 5>(a, b);
    let upper = |[a, b]: [v128; 2]| i32x4_shuffle::<2, 3, 6, 7>(a, b);
    [lower(first), upper(first), lower(second), upper(second)]
}

/// The growth of a coordinate up to each of 16 pixels.
struct Along {
    fours: [v128; 4],
    /// The growth up to the next 16 pixels.
    sixteen: i32,
}

impl Along {
    #[inline(always)]
    fn new(step: i32) -> Self {
        let four = |k: i32| i32x4_mul(i32x4(k, k + 1, k + 2, k + 3), i32x4_splat(step));
        Self { fours: [four(0), four(4), four(8), four(12)], sixteen: step.wrapping_mul(16) }
    }

    /// Returns the whole texels of a coordinate that is `at` under the first pixel.
    #[inline(always)]
    fn from(&self, at: i32) -> v128 {
        let four = |k: usize| i32x4_add(self.fours[k], i32x4_splat(at));
        let eight = |k: usize| i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(four(k), four(k + 1));
        i8x16_narrow_i16x8(eight(0), eight(2))
    }
}
