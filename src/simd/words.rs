//! Several 64-bit words at once, one in each lane of a vector.

use std::array;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;

#[cfg(target_arch = "x86_64")]
pub(super) use avx2::Four;
#[cfg(target_arch = "x86_64")]
pub(super) use avx512::Eight;

/// A vector of words, one per lane, as wide as a set of instructions provides. Code gets such a vector only through the
/// `Lanes` of that set, which a kernel receives only if the machine has the set.
///
/// Bit `k` of a parameter `lanes` stands for lane `k`.
pub trait Words: Copy {
    /// The number of lanes.
    const COUNT: usize;

    /// Returns 0 in each lane.
    fn zero() -> Self;

    /// Returns all bits set in the lanes of `lanes`, 0 in the others.
    fn ones(lanes: u32) -> Self;

    /// Loads the first words of a slice, one for each lane.
    ///
    /// # Panics
    ///
    /// Panics if the slice has fewer.
    fn load(words: &[u64]) -> Self;

    /// Loads the first words of a slice into the lanes of `lanes`; the other lanes, and those beyond the end of the
    /// slice, are 0.
    fn load_some(words: &[u64], lanes: u32) -> Self;

    /// Loads the words of a slice from index `first` on; lanes beyond its end are 0, whatever `first` is. Without a
    /// branch if the instructions allow it.
    fn load_from(words: &[u64], first: usize) -> Self;

    /// Returns in each lane the word of the lane above, in the last the first word of `behind`; 0 in lanes that are not
    /// in `lanes`.
    #[must_use]
    fn next(self, behind: Self, lanes: u32) -> Self;

    /// Shifts each word right by 0 to 63 bits.
    #[must_use]
    fn shift(self, by: u32) -> Self;

    /// Shifts numbers of 128 bits right by 0 to 63, and returns their lower 64 bits. Their lower halves are in this
    /// vector, their upper halves in `high`.
    #[must_use]
    fn funnel(self, high: Self, by: u32) -> Self;

    /// Returns the bits that are set in both.
    #[must_use]
    fn and(self, other: Self) -> Self;

    /// Returns the bits that are set in either.
    #[must_use]
    fn or(self, other: Self) -> Self;

    /// Returns whether some bit is set.
    fn any(self) -> bool;

    /// Adds to the number in each lane the count of bits set in the same lane of `words`.
    #[must_use]
    fn add_count(self, words: Self) -> Self;

    /// Returns the sum of the numbers in all lanes.
    fn sum(self) -> u64;
}

/// Plain code, which the compiler vectorizes if it can.
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

    /// Shifts the upper half left by 1 and then by `63 - by`: a shift by 64 at once, where `by` is 0, is undefined.
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

/// Returns all bits set if lane `k` is in `lanes`, otherwise 0.
fn mask(lanes: u32, k: usize) -> u64 {
    u64::from(lanes >> k & 1).wrapping_neg()
}
