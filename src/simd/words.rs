//! Words of 64 bits, several at once.

use std::array;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Four;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Eight;

/// As many words as a set of instructions handles at once. Those of more than one word are reached only through the `Lanes` of their
/// set, which a kernel gets where the machine has it.
pub trait Words: Copy {
    /// How many.
    const COUNT: usize;

    /// None set.
    fn zero() -> Self;

    /// All bits where the bit of that number of `lanes` is set.
    fn ones(lanes: u32) -> Self;

    /// The first of `words`, of which there are enough.
    fn load(words: &[u64]) -> Self;

    /// The first of `words`, zero behind the last, and where the bit of that number of `lanes` is not set.
    fn load_some(words: &[u64], lanes: u32) -> Self;

    /// The words from number `first` on, zero behind the last, and where there is none; without a branch, where instructions have it.
    fn load_from(words: &[u64], first: usize) -> Self;

    /// The words from the second on, and the first of `behind`; zero where the bit of that number of `lanes` is not set.
    #[must_use]
    fn next(self, behind: Self, lanes: u32) -> Self;

    /// Each shifted right by 0 to 63.
    #[must_use]
    fn shift(self, by: u32) -> Self;

    /// Each with the one of `high` above it, shifted right by 0 to 63.
    #[must_use]
    fn funnel(self, high: Self, by: u32) -> Self;

    /// Each bit that is set in both.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// Each bit that is set in either.
    #[must_use]
    fn or(self, other: Self) -> Self;

    /// Whether some bit is set.
    fn any(self) -> bool;

    /// Adds to each the number of bits that are set in that of `words`.
    #[must_use]
    fn add_count(self, words: Self) -> Self;

    /// The sum.
    fn sum(self) -> u64;
}

/// Plain code, for what vectors the compiler finds by itself.
impl Words for [u64; 4] {
    const COUNT: usize = 4;

    #[inline(always)]
    fn zero() -> Self {
        [0; 4]
    }

    #[inline(always)]
    fn ones(lanes: u32) -> Self {
        array::from_fn(|k| mask(lanes, k))
    }

    #[inline(always)]
    fn load(words: &[u64]) -> Self {
        [words[0], words[1], words[2], words[3]]
    }

    #[inline(always)]
    fn load_some(words: &[u64], lanes: u32) -> Self {
        match words.first_chunk::<4>() {
            Some(words) => array::from_fn(|k| words[k] & mask(lanes, k)),
            None => array::from_fn(|k| words.get(k).copied().unwrap_or(0) & mask(lanes, k)),
        }
    }

    #[inline(always)]
    fn load_from(words: &[u64], first: usize) -> Self {
        Self::load_some(&words[first.min(words.len())..], u32::MAX)
    }

    #[inline(always)]
    fn next(self, behind: Self, lanes: u32) -> Self {
        [self[1] & mask(lanes, 0), self[2] & mask(lanes, 1), self[3] & mask(lanes, 2), behind[0] & mask(lanes, 3)]
    }

    #[inline(always)]
    fn shift(self, by: u32) -> Self {
        self.map(|word| word >> by)
    }

    /// In two steps to the left, because one of 64, where the shift is by 0, is not defined.
    #[inline(always)]
    fn funnel(self, high: Self, by: u32) -> Self {
        array::from_fn(|k| self[k] >> by | high[k] << 1 << (63 - by))
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        array::from_fn(|k| self[k] & other[k])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        array::from_fn(|k| self[k] | other[k])
    }

    #[inline(always)]
    fn any(self) -> bool {
        self[0] | self[1] | self[2] | self[3] != 0
    }

    #[inline(always)]
    fn add_count(self, words: Self) -> Self {
        array::from_fn(|k| self[k] + u64::from(words[k].count_ones()))
    }

    #[inline(always)]
    fn sum(self) -> u64 {
        self.iter().sum()
    }
}

/// All bits where that of number `k` of `lanes` is set.
fn mask(lanes: u32, k: usize) -> u64 {
    u64::from(lanes >> k & 1).wrapping_neg()
}
