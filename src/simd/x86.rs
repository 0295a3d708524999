//! The AVX2 and AVX-512 lanes.

use std::arch::x86_64::{
    _MM_HINT_T0, _mm_cvtsi64_si128, _mm_cvtsi128_si32, _mm_min_epi32, _mm_prefetch, _mm_shuffle_epi32,
    _mm_unpackhi_epi64, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_ps, _mm256_castsi256_si128,
    _mm256_cmpeq_epi32, _mm256_cmpgt_epi32, _mm256_cvtepu8_epi32, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_min_epi32, _mm256_movemask_ps, _mm256_or_si256, _mm256_permutevar8x32_epi32, _mm256_set1_epi32,
    _mm256_setzero_si256, _mm256_storeu_si256, _mm512_cmpgt_epi32_mask, _mm512_cmple_epi32_mask, _mm512_loadu_si512,
    _mm512_mask_cmpge_epi32_mask, _mm512_mask_reduce_min_epi32, _mm512_mask_test_epi32_mask,
    _mm512_maskz_compress_epi32, _mm512_set1_epi32, _mm512_storeu_si512, _mm512_test_epi32_mask,
};

use std::convert::Infallible;
use std::ops::Range;
use std::sync::LazyLock;

use super::bytes::Bytes;
use super::network::{self, Masks};
use super::texels::{self, Picked};
use super::{Kernel, Lanes, WIDTH};

/// The instruction set of this machine.
#[derive(PartialEq, PartialOrd)]
enum Level {
    Neither,
    Avx2,
    Avx512,
}

/// Detected once: checking a dozen features takes as long as comparing two small masks.
static LEVEL: LazyLock<Level> = LazyLock::new(|| {
    let avx2 = is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vpopcntdq");
    match (avx2, avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        (false, _) => Level::Neither,
    }
});

#[inline]
pub(super) fn has_avx2() -> bool {
    *LEVEL >= Level::Avx2
}

#[inline]
pub(super) fn has_avx512() -> bool {
    *LEVEL >= Level::Avx512
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx2(()))
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vpopcntdq")]
pub(super) fn avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run(Avx512(()))
}

/// Prefetches both ends of the value at `soon`, of up to two cache lines.
#[inline(always)]
fn prefetch<T>(soon: *const T) {
    let first = soon.cast::<i8>();
    // SAFETY: every `x86_64` has the instruction, and it reads nothing, whatever the address.
    unsafe {
        _mm_prefetch::<_MM_HINT_T0>(first);
        _mm_prefetch::<_MM_HINT_T0>(first.wrapping_add(size_of::<T>().saturating_sub(1)));
    }
}

/// For each set of 8 lanes, the indices of its lanes in order, one byte each.
static FIRST: [u64; 256] = {
    let mut first = [0; 256];
    let mut lanes = 0;
    while lanes < 256 {
        let (mut left, mut count) = (lanes, 0);
        while left != 0 {
            first[lanes] |= (left.trailing_zeros() as u64) << (8 * count);
            left &= left - 1;
            count += 1;
        }
        lanes += 1;
    }
    first
};

/// The AVX2 lanes. Only [`avx2`] can make them.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Lanes for Avx2 {
    type Words = super::words::Four;
    type Small = Bytes;
    type Medium = Infallible;

    #[inline(always)]
    fn prefetch<T>(self, soon: &T) {
        prefetch(soon);
    }

    #[inline(always)]
    fn prefetch_at<T>(self, list: &[T], index: usize) {
        prefetch(list.as_ptr().wrapping_add(index));
    }

    #[inline(always)]
    fn within(self, a: &[i32; WIDTH], b: i32, c: &[i32; WIDTH], d: i32) -> u32 {
        let half = |k: usize| {
            // SAFETY: the machine has AVX2, and 8 numbers follow `k`, which is 0 or 8.
            unsafe {
                let a = _mm256_loadu_si256(a.as_ptr().add(k).cast());
                let c = _mm256_loadu_si256(c.as_ptr().add(k).cast());
                let beyond = _mm256_cmpgt_epi32(a, _mm256_set1_epi32(b));
                let below = _mm256_cmpgt_epi32(_mm256_set1_epi32(d), c);
                !_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_or_si256(beyond, below))) as u32 & 0xFF
            }
        };
        half(0) | half(8) << 8
    }

    #[inline(always)]
    fn share(self, a: &[u32; WIDTH], b: u32, c: &[u32; WIDTH], d: u32) -> u32 {
        let half = |k: usize| {
            // SAFETY: the machine has AVX2, and 8 numbers follow `k`, which is 0 or 8.
            unsafe {
                let a = _mm256_and_si256(_mm256_loadu_si256(a.as_ptr().add(k).cast()), _mm256_set1_epi32(b as i32));
                let c = _mm256_and_si256(_mm256_loadu_si256(c.as_ptr().add(k).cast()), _mm256_set1_epi32(d as i32));
                let none = _mm256_setzero_si256();
                let neither = _mm256_or_si256(_mm256_cmpeq_epi32(a, none), _mm256_cmpeq_epi32(c, none));
                !_mm256_movemask_ps(_mm256_castsi256_ps(neither)) as u32 & 0xFF
            }
        };
        half(0) | half(8) << 8
    }

    #[inline(always)]
    fn least_above(self, a: &[i32; WIDTH], b: i32) -> i32 {
        // SAFETY: the machine has AVX2, and 8 numbers follow each of the two pointers.
        unsafe {
            let half = |k: usize| {
                let a = _mm256_loadu_si256(a.as_ptr().add(k).cast());
                let above = _mm256_cmpgt_epi32(a, _mm256_set1_epi32(b));
                _mm256_blendv_epi8(_mm256_set1_epi32(i32::MAX), a, above)
            };
            let eight = _mm256_min_epi32(half(0), half(8));
            let four = _mm_min_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
            let two = _mm_min_epi32(four, _mm_unpackhi_epi64(four, four));
            _mm_cvtsi128_si32(_mm_min_epi32(two, _mm_shuffle_epi32::<1>(two)))
        }
    }

    #[inline(always)]
    fn pick(self, bits: u32, from: &[u32; WIDTH], to: &mut [u32; WIDTH]) {
        let mut half = |k: usize, bits: usize, at: usize| {
            // SAFETY: the machine has AVX2, 8 numbers follow `k`, which is 0 or 8, and `at`, which is at most 8.
            unsafe {
                let first = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(FIRST[bits] as i64));
                let picked = _mm256_permutevar8x32_epi32(_mm256_loadu_si256(from.as_ptr().add(k).cast()), first);
                _mm256_storeu_si256(to.as_mut_ptr().add(at).cast(), picked);
            }
        };
        let (low, high) = (bits as usize & 0xFF, bits as usize >> 8 & 0xFF);
        half(0, low, 0);
        half(8, high, low.count_ones() as usize);
    }

    #[inline(always)]
    fn sort(self, keys: &mut [[u32; WIDTH]]) {
        network::sort(self, keys);
    }

    #[inline(always)]
    fn texels(self, mask: &[u32], stride: usize, at: [i32; 2], step: [i32; 2], pixels: Range<usize>) -> u64 {
        // SAFETY: the machine has AVX2.
        unsafe { texels::gathered_by_8(mask, stride, at, step, pixels) }
    }

    #[inline(always)]
    fn small(self, rows: &[u32; 32], _: [i32; 2], step: [i32; 2]) -> Option<Bytes> {
        // SAFETY: the machine has AVX2.
        Some(unsafe { Bytes::new(rows, step) })
    }
}

/// The AVX-512 lanes. Only [`avx512`] can make them.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Lanes for Avx512 {
    type Words = super::words::Eight;
    type Small = Picked<32>;
    type Medium = Picked<128>;

    #[inline(always)]
    fn prefetch<T>(self, soon: &T) {
        prefetch(soon);
    }

    #[inline(always)]
    fn prefetch_at<T>(self, list: &[T], index: usize) {
        prefetch(list.as_ptr().wrapping_add(index));
    }

    #[inline(always)]
    fn within(self, a: &[i32; WIDTH], b: i32, c: &[i32; WIDTH], d: i32) -> u32 {
        // SAFETY: the machine has AVX-512, and 16 numbers are read of 16.
        unsafe {
            let a = _mm512_loadu_si512(a.as_ptr().cast());
            let c = _mm512_loadu_si512(c.as_ptr().cast());
            let up_to = _mm512_cmple_epi32_mask(a, _mm512_set1_epi32(b));
            _mm512_mask_cmpge_epi32_mask(up_to, c, _mm512_set1_epi32(d)).into()
        }
    }

    #[inline(always)]
    fn share(self, a: &[u32; WIDTH], b: u32, c: &[u32; WIDTH], d: u32) -> u32 {
        // SAFETY: the machine has AVX-512, and 16 numbers are read of 16.
        unsafe {
            let a = _mm512_loadu_si512(a.as_ptr().cast());
            let c = _mm512_loadu_si512(c.as_ptr().cast());
            let first = _mm512_test_epi32_mask(a, _mm512_set1_epi32(b as i32));
            _mm512_mask_test_epi32_mask(first, c, _mm512_set1_epi32(d as i32)).into()
        }
    }

    #[inline(always)]
    fn least_above(self, a: &[i32; WIDTH], b: i32) -> i32 {
        // SAFETY: the machine has AVX-512, and 16 numbers are read of 16.
        unsafe {
            let a = _mm512_loadu_si512(a.as_ptr().cast());
            _mm512_mask_reduce_min_epi32(_mm512_cmpgt_epi32_mask(a, _mm512_set1_epi32(b)), a)
        }
    }

    #[inline(always)]
    fn pick(self, bits: u32, from: &[u32; WIDTH], to: &mut [u32; WIDTH]) {
        // SAFETY: the machine has AVX-512, 16 numbers are read of 16, and 16 written to 16.
        unsafe {
            let picked = _mm512_maskz_compress_epi32(bits as u16, _mm512_loadu_si512(from.as_ptr().cast()));
            _mm512_storeu_si512(to.as_mut_ptr().cast(), picked);
        }
    }

    #[inline(always)]
    fn sort(self, keys: &mut [[u32; WIDTH]]) {
        // SAFETY: the machine has AVX-512.
        network::sort(unsafe { Masks::new() }, keys);
    }

    #[inline(always)]
    fn texels(self, mask: &[u32], stride: usize, at: [i32; 2], step: [i32; 2], pixels: Range<usize>) -> u64 {
        // SAFETY: the machine has AVX-512.
        unsafe { texels::gathered_by_16(mask, stride, at, step, pixels) }
    }

    #[inline(always)]
    fn small(self, &rows: &[u32; 32], size: [i32; 2], step: [i32; 2]) -> Option<Picked<32>> {
        // SAFETY: the machine has AVX-512.
        Some(unsafe { Picked::new(rows, size, step) })
    }

    #[inline(always)]
    fn medium(self, &rows: &[u32; 128], size: [i32; 2], step: [i32; 2]) -> Option<Picked<128>> {
        // SAFETY: the machine has AVX-512.
        Some(unsafe { Picked::new(rows, size, step) })
    }
}
