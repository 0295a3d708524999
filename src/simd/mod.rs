//! Vector instructions, chosen at run time. All `unsafe` code of the library is here, except one call of wgpu.
//!
//! A [`Kernel`] is plain code, compiled once for each set of instructions so that the compiler can vectorize its loops.
//! Operations that the compiler does not vectorize are functions of [`Lanes`].

#![cfg_attr(
    any(target_arch = "aarch64", target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")),
    expect(
        unsafe_code,
        reason = "instructions that a machine may lack are called only after a check that it has them; on WebAssembly, \
                  vectors are loaded and stored"
    )
)]

use std::convert::Infallible;
use std::ops::Range;

#[cfg(target_arch = "x86_64")]
mod bytes;
#[cfg(any(target_arch = "aarch64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod first;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(target_arch = "aarch64", target_arch = "x86_64", all(target_arch = "wasm32", target_feature = "simd128")))]
mod network;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod plain;
#[cfg(target_arch = "x86_64")]
mod texels;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod wasm;
mod words;
#[cfg(target_arch = "x86_64")]
mod x86;

#[doc(hidden)]
pub(crate) use words::Words;

/// A set of vector instructions. All sets give the same answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Simd {
    /// Only the instructions that the compiler may always use for the target.
    Scalar,
    /// `aarch64` with NEON, 4 lanes of 32 bits.
    Neon,
    /// WebAssembly with vectors of 128 bits (`-C target-feature=+simd128`), 4 lanes of 32 bits.
    Simd128,
    /// `x86_64` with AVX2, BMI 1 and 2, LZCNT and POPCNT, 8 lanes of 32 bits.
    Avx2,
    /// `x86_64` with AVX-512 F, BW, CD, DQ, VL and VPOPCNTDQ in addition, 16 lanes of 32 bits.
    Avx512,
}

impl Simd {
    /// Returns the sets that this machine has, the widest last.
    ///
    /// ```
    /// use hitmask::cpu::Simd;
    ///
    /// assert_eq!(Simd::available()[0], Simd::Scalar);
    /// assert_eq!(Simd::available().last(), Some(&Simd::best()));
    /// ```
    #[must_use]
    pub fn available() -> Vec<Self> {
        let all = [Self::Scalar, Self::Neon, Self::Simd128, Self::Avx2, Self::Avx512];
        all.into_iter().filter(|simd| simd.is_available()).collect()
    }

    /// Returns the widest set that this machine has.
    ///
    /// ```
    /// assert!(hitmask::cpu::Simd::best().is_available());
    /// ```
    #[inline]
    #[must_use]
    pub fn best() -> Self {
        let vectors = [Self::Avx512, Self::Avx2, Self::Simd128, Self::Neon];
        vectors.into_iter().find(|simd| simd.is_available()).unwrap_or(Self::Scalar)
    }

    /// Returns whether this machine has the set.
    ///
    /// ```
    /// use hitmask::cpu::Simd;
    ///
    /// assert!(Simd::Scalar.is_available());
    /// assert!(!(Simd::Neon.is_available() && Simd::Avx2.is_available())); // different architectures
    /// ```
    #[inline]
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Scalar => true,
            Self::Neon => cfg!(target_arch = "aarch64"),
            Self::Simd128 => cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => x86::has_avx2(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => x86::has_avx512(),
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// Returns the name in lower case.
    ///
    /// ```
    /// assert_eq!(hitmask::cpu::Simd::Avx2.name(), "avx2");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Scalar => "plain",
            Self::Neon => "neon",
            Self::Simd128 => "simd128",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Runs a kernel with these instructions; with plain code if this machine does not have them.
    #[doc(hidden)] // Public only for the benchmarks, as are the items below.
    #[inline]
    pub fn run<K: Kernel>(self, kernel: K) -> K::Output {
        match self {
            // SAFETY: the match guard has checked that this machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if x86::has_avx512() => unsafe { x86::avx512(kernel) },
            // SAFETY: the match guard has checked that this machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if x86::has_avx2() => unsafe { x86::avx2(kernel) },
            #[cfg(target_arch = "aarch64")]
            Self::Neon => kernel.run(neon::Neon),
            // A module with vectors runs nowhere without them, so it needs no second copy of each kernel.
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            _ => kernel.run(wasm::Simd128),
            #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
            _ => kernel.run(plain::Plain),
        }
    }
}

/// Code that is compiled for each set of instructions.
#[doc(hidden)]
pub trait Kernel {
    /// The result.
    type Output;

    /// Runs the kernel. Mark it `#[inline(always)]`, and everything that it calls in its loops: functions that are not
    /// inlined keep the target's plain instructions. For WebAssembly, which has one set, leave large functions that are
    /// called at several places to the compiler, as code is downloaded.
    fn run<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// The number of 32-bit numbers handled at once.
#[doc(hidden)]
pub(crate) const WIDTH: usize = 16;

/// Operations that compilers do not find by themselves. In a result of bits, bit `k` belongs to lane `k`.
#[doc(hidden)]
pub trait Lanes: Copy {
    /// A vector of as many words as are handled at once.
    type Words: Words;

    /// The result of [`Lanes::small`].
    type Small: Texels;

    /// The result of [`Lanes::medium`].
    type Medium: Texels;

    /// Returns for each lane whether `a[k] <= b` and `c[k] >= d`.
    fn within(self, a: &[i32; WIDTH], b: i32, c: &[i32; WIDTH], d: i32) -> u32;

    /// Returns for each lane whether `a[k]` has a bit of `b` and `c[k]` one of `d`.
    fn share(self, a: &[u32; WIDTH], b: u32, c: &[u32; WIDTH], d: u32) -> u32;

    /// Returns the least element of `a` that is greater than `b`; [`i32::MAX`] if there is none.
    fn least_above(self, a: &[i32; WIDTH], b: i32) -> i32;

    /// Copies the elements of `from` selected by `bits` to the front of `to`, in order; what follows them there is
    /// unspecified.
    #[inline(always)]
    fn pick(self, bits: u32, from: &[u32; WIDTH], to: &mut [u32; WIDTH]) {
        let mut len = 0;
        for (k, from) in from.iter().enumerate() {
            to[len % WIDTH] = *from;
            len += (bits >> k & 1) as usize;
        }
    }

    /// Sorts any number of keys with a network: `n` of them take `n log(n)^2` steps.
    #[inline(always)]
    fn sort(self, keys: &mut [[u32; WIDTH]]) {
        keys.as_flattened_mut().sort_unstable();
    }

    /// Prefetches memory that is read or written soon.
    #[inline(always)]
    fn prefetch<T>(self, _: &T) {}

    /// Prefetches an element of a list if it exists, without a bounds check.
    #[inline(always)]
    fn prefetch_at<T>(self, _: &[T], _: usize) {}

    /// Returns a bit for each of `pixels`, from 0 to 63: bit `u >> 16` of row `v >> 16` of a mask, with `stride` words
    /// of `mask` in a row, in the order of [`half`], at `[u, v] = at + i step` for pixel `i`, which must lie within it.
    /// Other bits may be anything.
    #[inline(always)]
    fn texels(self, mask: &[u32], stride: usize, at: [i32; 2], step: [i32; 2], pixels: Range<usize>) -> u64 {
        let along = |k: usize, i: usize| at[k].wrapping_add(step[k].wrapping_mul(i as i32));
        let [mut u, mut v] = [along(0, pixels.start), along(1, pixels.start)];
        let mut bits = 0;
        for i in pixels {
            let word = mask.get(half((v >> 16) as usize * stride + (u >> 21) as usize)).copied().unwrap_or(0);
            bits |= u64::from(word >> (u >> 16 & 31) & 1) << i;
            (u, v) = (u.wrapping_add(step[0]), v.wrapping_add(step[1]));
        }
        bits
    }

    /// Prepares a mask of up to 32 x 32, each row a word and zero beyond its last texel, for lookups at pixels that are
    /// `step` apart. `None` if [`Lanes::texels`] is faster.
    #[inline(always)]
    fn small(self, _rows: &[u32; 32], _size: [i32; 2], _step: [i32; 2]) -> Option<Self::Small> {
        None
    }

    /// As [`Lanes::small`], for a mask of up to 64 x 64, each row two words.
    #[inline(always)]
    fn medium(self, _rows: &[u32; 128], _size: [i32; 2], _step: [i32; 2]) -> Option<Self::Medium> {
        None
    }
}

/// A mask so small that looking up every pixel is faster than finding where it begins and ends. It is reached only
/// through the `Lanes` of its instructions.
#[doc(hidden)]
pub trait Texels {
    /// Returns a bit for each of `count` pixels, up to 64: the texel at `at + i step`; zero if that lies outside the
    /// mask. No coordinate of `count` pixels, rounded up to 64, may exceed 32 bits.
    fn under(&self, at: [i32; 2], count: usize) -> u64;
}

/// The type for sets without such masks.
impl Texels for Infallible {
    #[inline(always)]
    fn under(&self, _: [i32; 2], _: usize) -> u64 {
        match *self {}
    }
}

/// Returns the place in memory of the `k`th half of some 64-bit words, if the lower half of each comes first.
#[inline(always)]
pub(crate) const fn half(k: usize) -> usize {
    if cfg!(target_endian = "big") { k ^ 1 } else { k }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    /// The results of all functions.
    #[derive(Debug, PartialEq)]
    struct Answers {
        within: u32,
        share: u32,
        least_above: i32,
        picked: Vec<u32>,
    }

    struct Ask {
        a: [i32; WIDTH],
        b: i32,
        c: [i32; WIDTH],
        d: i32,
    }

    impl Kernel for &Ask {
        type Output = Answers;

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Answers {
            let Ask { a, b, c, d } = self;
            let words = |v: &[i32; WIDTH]| v.map(|v| v as u32);
            let within = lanes.within(a, *b, c, *d);
            let mut picked = [0; WIDTH];
            lanes.pick(within, &words(a), &mut picked);
            Answers {
                within,
                share: lanes.share(&words(a), *b as u32, &words(c), *d as u32),
                least_above: lanes.least_above(a, *b),
                picked: picked[..within.count_ones() as usize].to_vec(),
            }
        }
    }

    /// Checks [`Words::load_from`]: whether each lane has the word at its index, or 0.
    struct LoadFrom<'a>(&'a [u64], usize);

    impl Kernel for LoadFrom<'_> {
        type Output = bool;

        #[inline(always)]
        fn run<L: Lanes>(self, _: L) -> bool {
            let Self(words, first) = self;
            (0..L::Words::COUNT).all(|lane| {
                let there = first.checked_add(lane).and_then(|index| words.get(index)).copied().unwrap_or(0);
                let loaded = L::Words::load_from(words, first).and(L::Words::ones(1 << lane));
                // Words differ in their number of bits.
                let same = loaded.and(L::Words::load_some(&[there; 8], 1 << lane));
                [loaded, same].map(|words| L::Words::zero().add_count(words).sum())
                    == [u64::from(there.count_ones()); 2]
            })
        }
    }

    #[test]
    fn no_index_leads_out_of_a_slice() {
        let words: Vec<u64> = (0..21).map(|k| u64::MAX << (k + 40)).collect();
        let huge = [usize::MAX, usize::MAX - 1, usize::MAX - 3, usize::MAX - 7, usize::MAX / 2, usize::MAX / 2 + 1];
        for simd in Simd::available() {
            for len in [0, 1, 3, 4, 7, 8, 9, 20] {
                for first in (0..len + 12).chain(huge) {
                    assert!(simd.run(LoadFrom(&words[..len], first)), "{simd:?}, {len} words, from {first}");
                }
            }
        }
    }

    struct Sort<'a>(&'a mut [[u32; WIDTH]]);

    impl Kernel for Sort<'_> {
        type Output = ();

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) {
            lanes.sort(self.0);
        }
    }

    #[test]
    fn any_number_of_keys_is_sorted() {
        let mut random = SplitMix64(2);
        for len in (0..70).chain([128, 200]) {
            // All alike, few kinds, none twice; the least and the greatest among them.
            for most in [1, 2, 9, u32::MAX] {
                let mut key = || match random.below(9) {
                    0 => u32::MAX,
                    _ => random.below(most),
                };
                let keys: Vec<[u32; WIDTH]> = (0..len).map(|_| [(); WIDTH].map(|()| key())).collect();
                let mut sorted = keys.as_flattened().to_vec();
                sorted.sort_unstable();
                for simd in Simd::available() {
                    let mut keys = keys.clone();
                    simd.run(Sort(&mut keys));
                    assert_eq!(keys.as_flattened(), sorted, "{simd:?}, {len} vectors, below {most}");
                }
            }
        }
    }

    /// Tests that a network sorts all zeros and ones (Knuth, *The Art of Computer Programming* 3, 5.3.4, theorem Z).
    #[test]
    fn every_order_of_sixteen_is_sorted() {
        for bits in 0..1_u32 << WIDTH {
            let keys = std::array::from_fn(|k| bits >> k & 1);
            for simd in Simd::available() {
                let mut sorted = [keys];
                simd.run(Sort(&mut sorted));
                assert!(sorted[0].is_sorted() && sorted[0].iter().sum::<u32>() == bits.count_ones(), "{simd:?}");
            }
        }
    }

    /// Tests the same for runs that are merged: each vector is sorted first.
    #[test]
    fn every_order_of_sorted_runs_is_merged() {
        for ones in 0..17_usize.pow(3) {
            let run = |ones| std::array::from_fn(|k| u32::from(WIDTH - k <= ones));
            let keys = [run(ones % 17), run(ones / 17 % 17), run(ones / 289)];
            for simd in Simd::available() {
                for len in 2..=keys.len() {
                    let mut sorted = keys[..len].to_vec();
                    simd.run(Sort(&mut sorted));
                    let sum = |keys: &[[u32; WIDTH]]| keys.as_flattened().iter().sum::<u32>();
                    assert!(
                        sorted.as_flattened().is_sorted() && sum(&sorted) == sum(&keys[..len]),
                        "{simd:?}: {keys:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn all_instructions_answer_alike() {
        let mut random = SplitMix64(1);
        let mut value = || match random.below(8) {
            0 => i32::MIN,
            1 => i32::MAX,
            _ => random.below(5) as i32 - 2,
        };
        for _ in 0..2000 {
            let (a, c) = ([(); WIDTH].map(|()| value()), [(); WIDTH].map(|()| value()));
            let ask = Ask { a, b: value(), c, d: value() };
            let plain = Simd::Scalar.run(&ask);
            for simd in Simd::available() {
                assert_eq!(simd.run(&ask), plain, "{simd:?}");
            }
        }
    }
}
