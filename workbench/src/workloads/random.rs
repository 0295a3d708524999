//! The generator of all draws, and the checksum of answers.

/// `SplitMix64` (Steele, Lea, Flood, *Fast Splittable Pseudorandom Number Generators*, 2014).
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// Draws the next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GAMMA);
        finalise(self.0)
    }

    /// Draws a number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// Draws a permutation of the numbers below `n` (Fisher, Yates, from the last place down).
    pub(super) fn shuffled(&mut self, n: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i as usize, self.below(i + 1) as usize);
        }
        order
    }
}

/// The increment of the state from draw to draw: 2^64 over the golden ratio.
const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

fn finalise(z: u64) -> u64 {
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// Returns a hash of two numbers, as good as a draw.
pub(super) fn hash(high: u32, low: u32) -> u64 {
    finalise((u64::from(high) << 32 | u64::from(low)).wrapping_add(GAMMA))
}

/// Returns the checksum of an answer: the wrapping sum of a hash of each pair.
#[must_use]
pub fn checksum(pairs: &[[u32; 2]]) -> u64 {
    pairs.iter().map(|&[i, j]| hash(i, j)).fold(0, u64::wrapping_add)
}
