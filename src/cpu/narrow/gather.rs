//! An overlap, gathered word by word. `take` and `bit_sum` are twins of those in `shaders/shared/gather.wgsl`.

use crate::hits::Overlap;

/// An overlap while it is gathered, pixel by pixel or word by word, with rows in any order.
#[derive(Clone, Copy, Debug)]
pub(in crate::cpu) struct Gather {
    area: u64,
    min: [i32; 2],
    max: [i32; 2],
    first_x: i32,
    sums: [i64; 2],
}

impl Gather {
    pub(in crate::cpu) const NOTHING: Self =
        Self { area: 0, min: [i32::MAX; 2], max: [i32::MIN; 2], first_x: i32::MAX, sums: [0; 2] };

    /// Adds 64 pixels of a row, the lowest bit at `(x, y)`.
    pub(in crate::cpu) fn take(&mut self, x: i32, y: i32, bits: u64) {
        if bits == 0 {
            return;
        }
        let left = x + bits.trailing_zeros() as i32;
        let right = x + 63 - bits.leading_zeros() as i32;
        if y < self.min[1] || (y == self.min[1] && left < self.first_x) {
            self.first_x = left;
        }
        self.min = [self.min[0].min(left), self.min[1].min(y)];
        self.max = [self.max[0].max(right), self.max[1].max(y)];
        let count = u64::from(bits.count_ones());
        self.area += count;
        self.sums[0] += i64::from(x) * count as i64 + bit_sum(bits);
        self.sums[1] += i64::from(y) * count as i64;
    }

    /// Returns the area in pixels, and the overlap if there is any.
    pub(in crate::cpu) fn finish(self) -> (u64, Option<Overlap>) {
        let Self { area, min: [x, y], max, first_x, sums } = self;
        let overlap =
            (area > 0).then(|| Overlap { bounds: [x, y, max[0] - x + 1, max[1] - y + 1], first: [first_x, y], sums });
        (area, overlap)
    }
}

/// Returns the sum of the indices of the set bits.
fn bit_sum(bits: u64) -> i64 {
    // Element k has the bits whose index has bit k set.
    const PLACES: [u64; 6] = [
        0xAAAA_AAAA_AAAA_AAAA,
        0xCCCC_CCCC_CCCC_CCCC,
        0xF0F0_F0F0_F0F0_F0F0,
        0xFF00_FF00_FF00_FF00,
        0xFFFF_0000_FFFF_0000,
        0xFFFF_FFFF_0000_0000,
    ];
    PLACES.iter().enumerate().map(|(k, places)| i64::from((bits & places).count_ones()) << k).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_summed_by_index() {
        for bits in [0, 1, 1 << 63, u64::MAX, 0x8000_0001_0400_0030] {
            let plain: i64 = (0..64).filter(|i| bits >> i & 1 == 1).sum();
            assert_eq!(bit_sum(bits), plain);
        }
    }

    #[test]
    fn what_is_gathered_is_what_was_there() {
        let mut gather = Gather::NOTHING;
        gather.take(-10, 5, 0b1100);
        gather.take(-3, 4, 0b1_0010);
        let overlap = Overlap { bounds: [-8, 4, 10, 2], first: [-2, 4], sums: [-8 - 7 - 2 + 1, 18] };
        assert_eq!(gather.finish(), (4, Some(overlap)));
        assert_eq!(Gather::NOTHING.finish(), (0, None));
    }
}
