//! How large the bodies are that are looked up in a grid.

use crate::ground::aabb::Aabb;

/// The most cells of a body, in the mean.
const CELLS_OF_A_BODY: u64 = 8;

/// How large seekers are, by a sample.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    /// For each exponent how many of the sample have a longer side of at most that power of two, and of more than half.
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

    /// Whether nobody was measured.
    pub(super) fn is_empty(&self) -> bool {
        self.of_bits.iter().all(|&of| of == 0)
    }

    /// Whether looking up a body in all cells that it is in, but a small one in one, is work for few cells in the mean:
    /// of `cells` with sides of `1 << shift`, where small ones are no longer than `1 << small`.
    pub(super) fn is_cheap(&self, small: u32, shift: u32, cells: u64) -> bool {
        let of_one = |bits: u32| {
            let along = 1 + (1_u64 << bits.saturating_sub(shift));
            if bits <= small { 1 } else { cells.min(along * along) }
        };
        let work: u64 = self.of_bits.iter().zip(0..).map(|(&of, bits)| u64::from(of) * of_one(bits)).sum();
        work <= CELLS_OF_A_BODY * self.of_bits.iter().map(|&of| u64::from(of)).sum::<u64>()
    }

    /// The least power of two that is as long as all but one in sixteen are, as its exponent.
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
