//! What some broad phase takes worst.

use super::standard::{at, side};
use super::{Crowd, SplitMix64};
use hitmask::Result;

/// The side of a box of a row, in steps (3 units): a million of them are 3 million units long, and fit into the world.
const LINK: i32 = 3 * 256;

/// Boxes side by side from `-N / 2` boxes on, along axis 0 or 1. Whether they are sorted by the other axis or by index,
/// no two are apart.
pub(super) fn line(crowd: &mut Crowd, random: &mut SplitMix64, n: u32, axis: usize) -> Result<()> {
    for place in random.shuffled(n) {
        let mut at = [0; 2];
        at[axis] = (place as i32 - n as i32 / 2) * LINK;
        crowd.add_box([LINK; 2], at)?;
    }
    Ok(())
}

/// Boxes with the sides of [`super::Workload::Boxes`], their centres on the origin.
pub(super) fn spot(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    for _ in 0..n {
        let sides = [(); 2].map(|()| 2048 + random.below(6145) as i32);
        crowd.add_box(sides, sides.map(|side| -side / 2))?;
    }
    Ok(())
}

/// [`super::Workload::Boxes`], but that bodies `0`, `N / 4`, `N / 2` and `3 N / 4` begin at the left or top edge, or
/// both, and reach to the other, behind the last box: the first in x, the second in y, the others in both. Each is in
/// up to N pairs, so that the answer stays linear. It is the bounds that are built upward from near bodies, and grids
/// and sweeps with a largest size, that suffer.
pub(super) fn giants(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    let steps = side(n, 400) * 256;
    let across = steps as i32 + 8192;
    for i in 0..n {
        let mut sides = [(); 2].map(|()| 2048 + random.below(6145) as i32);
        let mut place = at(random, steps);
        let giant = (0..4_u64).find(|k| k * u64::from(n) / 4 == u64::from(i));
        for (axis, spanned) in [[0, 2, 3], [1, 2, 3]].iter().enumerate() {
            if giant.is_some_and(|giant| spanned.contains(&giant)) {
                (sides[axis], place[axis]) = (across, 0);
            }
        }
        crowd.add_box(sides, place)?;
    }
    Ok(())
}

/// In any order of place: walls 1 unit wide and `2 N` units tall at every fourth unit for even places, and in the gap
/// behind each a box of 1 x 1 unit for the odd ones, with `y = below(2 N)` units. A sweep along y, or a cut into rows,
/// has each box beside each wall.
pub(super) fn comb(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    let tall = 2 * n as i32;
    for place in random.shuffled(n) {
        // From -N to N units, both ways.
        let x = (place as i32 / 2 * 4 - n as i32) * 256;
        if place % 2 == 0 {
            crowd.add_box([256, tall * 256], [x, -(n as i32) * 256])?;
        } else {
            let y = random.below(2 * n) as i32 - n as i32;
            crowd.add_box([256; 2], [x + 2 * 256, y * 256])?;
        }
    }
    Ok(())
}
