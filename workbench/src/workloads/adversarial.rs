//! The workloads that are worst cases for some phase, most often the broad phase.

use super::standard::{at, side, units};
use super::{Crowd, SplitMix64};
use hitmask::{Body, Mask, Result, Shape};

/// The side of a box of a row, in steps (3 units): a million of them are 3 million units long, and fit into the world.
const LINK: i32 = 3 * 256;

/// Adds boxes side by side to the right; see [`line`].
pub(super) fn row(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    line(crowd, random, n, 0)
}

/// Adds boxes side by side downward; see [`line`].
pub(super) fn column(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    line(crowd, random, n, 1)
}

/// Adds boxes side by side from `-N / 2` boxes on, along axis 0 or 1. Neither a sort along the other axis nor one by
/// index separates any two.
fn line(crowd: &mut Crowd, random: &mut SplitMix64, n: u32, axis: usize) -> Result<()> {
    for place in random.shuffled(n) {
        let mut at = [0; 2];
        at[axis] = (place as i32 - n as i32 / 2) * LINK;
        crowd.add_box([LINK; 2], at)?;
    }
    Ok(())
}

/// Adds boxes with the sides of [`super::Workload::Boxes`] and their centres on the origin.
pub(super) fn spot(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    for _ in 0..n {
        let sides = [(); 2].map(|()| 2048 + random.below(6145) as i32);
        crowd.add_box(sides, sides.map(|side| -side / 2))?;
    }
    Ok(())
}

/// Adds the boxes of [`super::Workload::Boxes`], except that bodies `0`, `N / 4`, `N / 2` and `3 N / 4` reach from the
/// left or top edge, or both, to beyond the last box: the first in x, the second in y, the others in both. Each is in
/// up to N pairs, so the answer stays linear. This hurts bounds that are built bottom-up from nearby bodies, and grids
/// and sweeps with a maximum size.
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

/// Adds, in random order of place, walls 1 unit wide and `2 N` units tall at every fourth unit for even places, and in
/// the gap behind each a box of 1 x 1 unit for odd places, with `y = below(2 N)` units. In a sweep along y, or a cut
/// into rows, each box is beside each wall.
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

/// Adds boxes that touch corner to corner along a diagonal, in random order of index. Each has its own strips, columns
/// and cells, and no sort along one axis brings two together that are apart along the other.
pub(super) fn diagonal(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    for place in random.shuffled(n) {
        let at = (place as i32 - n as i32 / 2) * LINK;
        crowd.add_box([LINK; 2], [at; 2])?;
    }
    Ok(())
}

/// Adds boxes of 1 x 1 unit at every second unit of a square, and in the middle of the list one box over all of them.
pub(super) fn cover(crowd: &mut Crowd, _: &mut SplitMix64, n: u32) -> Result<()> {
    let across = n.isqrt() + 1;
    for place in 0..n {
        if place == n / 2 {
            crowd.add_box([2 * 256 * across as i32; 2], [0; 2])?;
        } else {
            crowd.add_box([256; 2], [place % across, place / across].map(|v| 2 * 256 * v as i32))?;
        }
    }
    Ok(())
}

/// The side of the largest box of [`sizes`], in steps as a power of two: half of the world.
const LARGEST: u32 = 29;

/// Adds boxes with sides from 1 step to half of the world, with sizes like the marks of a ruler: every second box has
/// the least size, every second of the others the next, and so on. None of these touch; the first box is under all.
///
/// ```text
///   y  [          ]        [          ]
///      [   ]   [   ]   [   ]   [   ]
///      .  .  .  .  .  .  .  .  .  .
/// ```
pub(super) fn sizes(crowd: &mut Crowd, _: &mut SplitMix64, n: u32) -> Result<()> {
    let start = -(1 << (LARGEST - 1));
    // Sizes as powers of two, and the distance from one box to the next in steps.
    let most = LARGEST - 1;
    let levels = n.max(2).ilog2() + 1;
    let apart = (1_u32 << most) / n.max(1);
    for k in 0..n {
        if k == 0 {
            crowd.add_box([(1 << LARGEST) - 1; 2], [start; 2])?;
            continue;
        }
        let size = 1 + k.trailing_zeros() * (most - 2) / levels;
        let side = (1 << size) - 1;
        crowd.add_box([side; 2], [start + (k * apart) as i32, (1 << size) - 2])?;
    }
    Ok(())
}

/// The side of a checkerboard in texels.
const BOARD: u32 = 64;
/// The number of boards in a row.
const BOARDS_OF_A_ROW: u32 = 2048;

/// Adds checkerboards of 64 x 64 texels in rows, each beginning in the middle of the one before. There are two on each
/// spot, and the solid texels of one are the clear texels of the other: these two interlock and share no pixel, though
/// all their words must be compared. Each hits its neighbours of its own kind.
pub(super) fn checkers(crowd: &mut Crowd, _: &mut SplitMix64, n: u32) -> Result<()> {
    let board = |odd: u32| Mask::from_fn(BOARD, BOARD, |x, y| (x + y) % 2 == odd).map(Shape::sprite);
    let shapes = [crowd.add_shape(board(0)?)?, crowd.add_shape(board(1)?)?];
    for k in 0..n {
        let place = k / 2;
        let at = [place % BOARDS_OF_A_ROW * (BOARD / 2), place / BOARDS_OF_A_ROW * BOARD];
        crowd.add(Body::new(shapes[k as usize % 2], at.map(f64::from)))?;
    }
    Ok(())
}

/// Returns the number of pairs of [`checkers`] that hit: neighbours of the same kind in a row.
pub(super) fn known_checkers(n: u32) -> u64 {
    let of_kind = |boards: u32| u64::from(boards - boards.div_ceil(BOARDS_OF_A_ROW));
    of_kind(n.div_ceil(2)) + of_kind(n / 2)
}

/// Adds a polygon with a vertex at every 16 units in x, `y = below(4096)` steps, and flat ground at y = 80 units; then
/// circles with `radius = 512 + below(1025)` steps, `x = below(4096 N)` and `y = below(6144) - 1024` steps. Comparing
/// each circle with all pieces of the polygon would take time that grows as N^2.
pub(super) fn hills(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    let vertices = n.max(2);
    let mut outline: Vec<[f64; 2]> =
        (0..vertices).map(|k| units([k as i32 * 4096, random.below(4096) as i32])).collect();
    let across = 16.0 * f64::from(vertices - 1);
    outline.extend([[across, 80.0], [0.0, 80.0]]);
    let ground = crowd.add_shape(Shape::polygon(&outline)?)?;
    for k in 0..n {
        if k == 0 {
            crowd.add(Body::new(ground, [0.0, 0.0]))?;
            continue;
        }
        let shape = crowd.add_shape(Shape::circle(f64::from(512 + random.below(1025)) / 256.0)?)?;
        let at = [random.below(4096 * n) as i32, random.below(6144) as i32 - 1024];
        crowd.add(Body::new(shape, units(at)))?;
    }
    Ok(())
}
