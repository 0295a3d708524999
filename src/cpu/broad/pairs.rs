//! Pairs as a broad phase finds them, several lanes at a time.

use crate::simd::{Lanes, WIDTH};

/// Number of pairs that are gathered before they are decided.
pub(in crate::cpu) const GATHERED: usize = 2048;

/// A buffer of gathered pairs.
pub(in crate::cpu) struct Pairs {
    pub len: usize,
    pub a: [u32; GATHERED + 2 * WIDTH],
    pub b: [u32; GATHERED + 2 * WIDTH],
}

impl Pairs {
    pub(in crate::cpu) fn new() -> Self {
        Self { len: 0, a: [0; GATHERED + 2 * WIDTH], b: [0; GATHERED + 2 * WIDTH] }
    }

    /// Adds a pair of `a` and each of `others` whose bit is set in `bits`. The buffer must hold at most [`GATHERED`]
    /// pairs before the call.
    #[inline(always)]
    pub(in crate::cpu) fn add<L: Lanes>(&mut self, lanes: L, a: u32, bits: u32, others: &[u32; WIDTH]) {
        let (len, behind) = (self.len, self.len + WIDTH);
        self.a[len..behind].fill(a);
        lanes.pick(bits, others, (&mut self.b[len..behind]).try_into().expect("a slice of as many"));
        self.len += bits.count_ones() as usize;
    }

    /// Removes and returns all pairs, lower index first.
    #[inline(always)]
    pub(in crate::cpu) fn drain(&mut self) -> impl ExactSizeIterator<Item = [u32; 2]> + '_ {
        let len = std::mem::take(&mut self.len);
        self.a[..len].iter().zip(&self.b[..len]).map(|(&a, &b)| [a.min(b), a.max(b)])
    }
}
