//! Sets of indices as bits: bit `i % 32` of word `i / 32` is set if `i` is in the set.

/// Returns the number of words of a set of indices below `count`.
pub(crate) fn words(count: usize) -> usize {
    count.div_ceil(32)
}

/// Returns the word of an index, and the word's bit for it.
#[inline(always)]
pub(crate) fn place(index: u32) -> (usize, u32) {
    (index as usize / 32, 1 << (index % 32))
}

/// Returns whether an index, which must be within the words, is in the set.
#[inline(always)]
pub(crate) fn has(set: &[u32], index: u32) -> bool {
    let (word, bit) = place(index);
    set[word] & bit != 0
}

/// Adds an index, which must be within the words.
#[inline(always)]
pub(crate) fn insert(set: &mut [u32], index: u32) {
    let (word, bit) = place(index);
    set[word] |= bit;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_what_was_inserted() {
        assert_eq!([0, 1, 32, 33, 70].map(words), [0, 1, 1, 2, 3]);
        let mut set = vec![0; words(70)];
        let indices = [69, 0, 31, 32, 31];
        for index in indices {
            insert(&mut set, index);
        }
        assert_eq!(set, [0x8000_0001, 1, 32]);
        assert!((0..96).all(|index| has(&set, index) == indices.contains(&index)));
    }
}
