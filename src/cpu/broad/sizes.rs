//! The sizes of the bodies that are looked up in a grid.

use crate::ground::aabb::Aabb;

/// Maximum number of cells per body, on average.
const CELLS_OF_A_BODY: u64 = 8;

/// A histogram of the sizes of a sample of the seekers.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sizes {
    /// For each exponent, the number of bodies whose longer side is at most that power of two and more than half of it.
    of_bits: [u32; 32],
}

impl Sizes {
    /// Adds the size of a body with these bounds.
    pub(super) fn add(&mut self, bound: &Aabb) {
        let side = bound.min.x.abs_diff(bound.max.x).max(bound.min.y.abs_diff(bound.max.y));
        self.of_bits[(u32::BITS - side.saturating_sub(1).leading_zeros()) as usize % 32] += 1;
    }

    /// Returns the sum of both histograms.
    pub(super) fn join(self, other: &Self) -> Self {
        Self { of_bits: std::array::from_fn(|k| self.of_bits[k] + other.of_bits[k]) }
    }

    /// Returns whether no body was measured.
    pub(super) fn is_empty(&self) -> bool {
        self.of_bits.iter().all(|&of| of == 0)
    }

    /// Returns whether looking up a body takes few cells on average, if there are `cells` with sides of `1 << shift`. A
    /// small body, no longer than `1 << small`, is looked up in one cell, others in all that they meet.
    pub(super) fn is_cheap(&self, small: u32, shift: u32, cells: u64) -> bool {
        let of_one = |bits: u32| {
            let along = 1 + (1_u64 << bits.saturating_sub(shift));
            if bits <= small { 1 } else { cells.min(along * along) }
        };
        let work: u64 = self.of_bits.iter().zip(0..).map(|(&of, bits)| u64::from(of) * of_one(bits)).sum();
        work <= CELLS_OF_A_BODY * self.of_bits.iter().map(|&of| u64::from(of)).sum::<u64>()
    }

    /// Returns the exponent of the least power of two that is at least as long as 15/16 of the bodies.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::lattice::Point;

    #[test]
    fn a_size_counts_at_the_power_of_two_that_holds_it() {
        for (side, bits) in [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (1 << 20, 20), ((1 << 20) + 1, 21)] {
            for max in [Point::new(side, 0), Point::new(0, side)] {
                let mut sizes = Sizes::default();
                sizes.add(&Aabb { min: Point::ZERO, max });
                assert_eq!(sizes.of_bits.iter().position(|&of| of == 1), Some(bits), "{side}");
            }
        }
    }
}
