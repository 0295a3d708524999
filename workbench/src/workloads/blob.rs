//! The masks of all workloads.

use super::SplitMix64;
use hitmask::Mask;
use hitmask::Result;

/// Returns a mask of `side` x `side` texels; the `permille` thousandths at which a field of five balls is strongest are
/// solid.
pub fn blob(random: &mut SplitMix64, side: u32, permille: u32) -> Result<Mask> {
    let balls: [[u32; 3]; 5] = std::array::from_fn(|_| {
        [side / 4 + random.below(side / 2), side / 4 + random.below(side / 2), 64 + random.below(192)]
    });
    let field = |x: u32, y: u32| -> u64 {
        let strength = |&[ball_x, ball_y, q]: &[u32; 3]| {
            let square = u64::from(x.abs_diff(ball_x)).pow(2) + u64::from(y.abs_diff(ball_y)).pow(2);
            u64::from(q) * 65536 / (square + u64::from(side * side / 64) + 1)
        };
        balls.iter().map(strength).sum()
    };
    let values: Vec<u64> = (0..side * side).map(|i| field(i % side, i / side)).collect();
    let mut sorted = values.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let least = sorted[(side * side * permille / 1000) as usize - 1];
    let alpha: Vec<u8> = values.iter().map(|&value| if value >= least { u8::MAX } else { 0 }).collect();
    Mask::from_alpha(&alpha, side, side, 1)
}
