//! The flags of a step that returns nothing else: a set of bodies that all threads add to.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::ground::bit_set;

/// One flag per body, raised once it is known to hit.
pub(in crate::cpu) struct Flags {
    words: Vec<AtomicU32>,
}

impl Flags {
    /// Returns the flags of `bodies` bodies, none raised.
    pub(in crate::cpu) fn new(bodies: usize) -> Self {
        Self { words: (0..bit_set::words(bodies)).map(|_| AtomicU32::new(0)).collect() }
    }

    /// Returns whether the flag of a body is raised.
    #[inline]
    fn raised(&self, body: u32) -> bool {
        let (word, bit) = bit_set::place(body);
        self.words[word].load(Relaxed) & bit != 0
    }

    /// Returns whether the flags of both bodies of a pair are raised.
    #[inline]
    pub(in crate::cpu) fn both_raised(&self, pair: [u32; 2]) -> bool {
        pair.iter().all(|&body| self.raised(body))
    }

    /// Raises the flags of both bodies of a pair.
    #[inline]
    pub(in crate::cpu) fn raise(&self, pair: [u32; 2]) {
        for body in pair {
            // Most are raised already, and a load is cheaper than a `fetch_or`.
            if !self.raised(body) {
                let (word, bit) = bit_set::place(body);
                self.words[word].fetch_or(bit, Relaxed);
            }
        }
    }

    /// Returns the flags as words, a bit for each body.
    pub(in crate::cpu) fn finish(self) -> Vec<u32> {
        self.words.into_iter().map(AtomicU32::into_inner).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raised_flags_are_the_bits_of_their_bodies() {
        let flags = Flags::new(70);
        flags.raise([31, 64]);
        flags.raise([0, 31]);
        assert!(flags.both_raised([0, 64]) && !flags.both_raised([0, 1]) && !flags.both_raised([63, 64]));
        assert_eq!(flags.finish(), [0x8000_0001, 0, 1]);
    }
}
