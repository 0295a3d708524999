//! How large the bodies are that are looked up in a grid.

use crate::ground::aabb::Aabb;

/// How large seekers are, by a sample.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    /// How many of the sample have a longer side of up to `1 << bits`, but not of half of that.
    of_bits: [u32; 32],
}

impl Sizes {
    /// Takes in bounds.
    pub(super) fn add(&mut self, bound: &Aabb) {
        let side = bound.min.x.abs_diff(bound.max.x).max(bound.min.y.abs_diff(bound.max.y));
        self.of_bits[(u32::BITS - side.saturating_sub(1).leading_zeros()) as usize % 32] += 1;
    }

    /// Those of both.
    pub(super) fn join(self, other: &Self) -> Self {
        Self { of_bits: std::array::from_fn(|k| self.of_bits[k] + other.of_bits[k]) }
    }

    /// The least number of bits that most have, all but one in sixteen.
    pub(super) fn of_most(&self) -> u32 {
        let all = self.of_bits.iter().sum::<u32>();
        let mut larger = all;
        let few = |of: &u32| {
            larger -= of;
            larger <= all / 16
        };
        self.of_bits.iter().position(few).unwrap_or(0) as u32
    }
}
