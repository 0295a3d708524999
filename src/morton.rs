//! An order of bodies in which neighbours in the order are neighbours in the world (Morton, *A Computer Oriented Geodetic Data Base*,
//! 1966): both engines' broad phases cut the world along it.

use rayon::prelude::*;

use crate::packed::Aabb;

/// The bodies that are anywhere, sorted along a Morton curve, then by index.
#[must_use]
pub fn morton_order(bounds: &[Aabb]) -> Vec<u32> {
    let somewhere = || bounds.par_iter().enumerate().filter(|(_, bound)| **bound != Aabb::NOWHERE);
    let all = somewhere().map(|(_, bound)| *bound).reduce(|| Aabb::NOWHERE, |a, b| a.join(&b));
    if all == Aabb::NOWHERE {
        return Vec::new();
    }
    // The curve has 2^16 cells to a side; the smallest power of two that covers all is a cell's size.
    let extent = [(all.min.x, all.max.x), (all.min.y, all.max.y)].map(|(min, max)| i64::from(max) - i64::from(min));
    let shift = (64 - extent[0].max(extent[1]).leading_zeros()).saturating_sub(16);
    let mut keyed: Vec<u64> = somewhere()
        .map(|(body, bound)| {
            let cell = |min: i32, max: i32, from: i32| {
                spread(((i64::midpoint(min.into(), max.into()) - i64::from(from)) >> shift) as u32)
            };
            let code = cell(bound.min.x, bound.max.x, all.min.x) | cell(bound.min.y, bound.max.y, all.min.y) << 1;
            u64::from(code) << 32 | body as u64
        })
        .collect();
    keyed.par_sort_unstable();
    keyed.into_iter().map(|key| key as u32).collect()
}

/// The low 16 bits, each followed by a zero.
fn spread(v: u32) -> u32 {
    let v = (v | v << 8) & 0x00FF_00FF;
    let v = (v | v << 4) & 0x0F0F_0F0F;
    let v = (v | v << 2) & 0x3333_3333;
    (v | v << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreading_leaves_a_zero_behind_each_bit() {
        assert_eq!(spread(0xFFFF), 0x5555_5555);
        assert_eq!(spread(0b1011), 0b100_0101);
    }
}
