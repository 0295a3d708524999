//! Digests of 64 bits, the same on every machine, by XXH3 (Yann Collet, "xxHash fast digest algorithm", the
//! specification at <https://github.com/Cyan4973/xxHash>). They tell contents apart that differ by chance or by a
//! mistake; they do not protect against someone who wants two contents to have the same digest.

use bytemuck::Pod;
use xxhash_rust::xxh3;

/// The number of numbers that are swapped at once on a machine that stores them with the highest byte first.
const SWAPPED: usize = 256;

/// Returns the digest of some bytes.
pub(crate) fn of_bytes(bytes: &[u8]) -> u64 {
    xxh3::xxh3_64(bytes)
}

/// Returns the digest of a few numbers, as little-endian bytes.
pub(crate) fn of_words<const N: usize>(words: [u64; N]) -> u64 {
    xxh3::xxh3_64(words.map(u64::to_le_bytes).as_flattened())
}

/// Returns the digest of a column whose elements consist of 32-bit numbers, as little-endian bytes.
pub(crate) fn of_column<T: Pod>(column: &[T]) -> u64 {
    of_numbers(bytemuck::cast_slice::<T, u32>(column), 0, u32::to_le_bytes)
}

/// Returns the digest of rows of `stride` words, the first of which is row `first`: the wrapping sum of the digests of
/// the rows, so that those of some rows can be exchanged.
pub(crate) fn of_rows(words: &[u64], stride: usize, first: usize) -> u64 {
    let rows = (first as u64..).zip(words.chunks_exact(stride));
    rows.fold(0, |sum, (y, row)| sum.wrapping_add(of_numbers(row, y, u64::to_le_bytes)))
}

/// Returns the digest of numbers, given their little-endian bytes.
#[inline(always)]
fn of_numbers<T: Pod, const SIZE: usize>(numbers: &[T], seed: u64, bytes_of: impl Fn(T) -> [u8; SIZE]) -> u64 {
    if cfg!(target_endian = "little") {
        return xxh3::xxh3_64_with_seed(bytemuck::cast_slice(numbers), seed);
    }
    let mut digest = xxh3::Xxh3::with_seed(seed);
    for numbers in numbers.chunks(SWAPPED) {
        let mut bytes = [[0; SIZE]; SWAPPED];
        bytes.iter_mut().zip(numbers).for_each(|(bytes, number)| *bytes = bytes_of(*number));
        digest.update(bytes[..numbers.len()].as_flattened());
    }
    digest.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// These are part of handles and saved files, so they never change.
    #[test]
    fn digests_are_those_of_the_specification() {
        assert_eq!(of_bytes(b""), 0x2d06_8005_38d3_94c2);
        assert_eq!(of_words([]), of_bytes(b""));
        assert_eq!(of_words([0x0807_0605_0403_0201]), of_bytes(&[1, 2, 3, 4, 5, 6, 7, 8]));
        assert_eq!(of_column(&[[1_u32, 2], [3, 4]]), of_words([2 << 32 | 1, 4 << 32 | 3]));
        assert_eq!(of_rows(&[7, 8], 2, 0), of_words([7, 8]));
    }

    #[test]
    fn rows_can_be_exchanged() {
        let (whole, other) = ([1, 2, 3, 4, 5, 6], [1, 2, 9, 4, 5, 6]);
        let exchanged = of_rows(&whole, 2, 0).wrapping_sub(of_rows(&whole[2..4], 2, 1));
        assert_eq!(exchanged.wrapping_add(of_rows(&other[2..4], 2, 1)), of_rows(&other, 2, 0));
        assert_ne!(of_rows(&[1, 2], 1, 0), of_rows(&[2, 1], 1, 0));
    }
}
