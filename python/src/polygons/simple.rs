//! Polygons whose sides cross, and those that a world may refuse all the same.

use super::meeting::{Meeting, bounds, cross, sides};
use super::polygon::{Corner, Polygon};
use super::sweep::{best_axis, sort, until};

/// Returns whether a polygon is one ring that winds once around the mean of its corners, each side the same way. Such a
/// polygon is star-shaped: its sides meet in corners only, two in each. Others may be as good.
pub(super) fn winds_once(polygon: Polygon<'_>) -> bool {
    let mut rings = polygon.rings();
    let (Some(ring), None) = (rings.next(), rings.next()) else { return false };
    if ring.len() < 4 {
        return false;
    }
    let corners = &ring[1..];
    let sum = corners.iter().fold([0; 2], |sum, corner| [sum[0] + i64::from(corner[0]), sum[1] + i64::from(corner[1])]);
    let mean = sum.map(|sum| (sum as f64 / corners.len() as f64) as i64);
    let from_mean = |corner: &Corner| [i64::from(corner[0]) - mean[0], i64::from(corner[1]) - mean[1]];
    let (mut left, mut right, mut rounds) = (true, true, 0);
    let mut before = from_mean(&ring[0]);
    for corner in corners {
        let at = from_mean(corner);
        let way = before[0] * at[1] - before[1] * at[0];
        left &= way > 0;
        right &= way < 0;
        // Once a round, either way, as a side turns by less than half a round.
        rounds += u32::from(before[1] < 0 && at[1] >= 0);
        before = at;
    }
    (left || right) && rounds == 1
}

/// Returns whether sides of a polygon cross each other, or it has no area.
pub(super) fn is_crossed(polygon: Polygon<'_>) -> bool {
    let mut order: Vec<_> = sides(polygon).map(|side| (side, bounds(&side))).collect();
    let axis = best_axis(order.iter());
    sort(&mut order, axis);
    let crosses = |k: usize| {
        let side = &order[k];
        until(&order[k + 1..], side, axis).any(|other| cross(side, other) == Meeting::Overlap)
    };
    let area =
        |[from, to]: [Corner; 2]| i128::from(from[0]) * i128::from(to[1]) - i128::from(from[1]) * i128::from(to[0]);
    sides(polygon).map(area).sum::<i128>() == 0 || (0..order.len()).any(crosses)
}

/// Returns whether a polygon has a hole, a spike, or a corner that is met twice.
pub(super) fn is_unproven(polygon: Polygon<'_>) -> bool {
    let is_spike = |before: Corner, at: Corner, after: Corner| {
        let [along, next] =
            [[before, at], [at, after]].map(|[from, to]| [0, 1].map(|axis| i64::from(to[axis] - from[axis])));
        along[0] * next[1] == along[1] * next[0] && along[0] * next[0] + along[1] * next[1] < 0
    };
    let has_spike = |ring: &[Corner]| {
        ring.len() > 1
            && (is_spike(ring[ring.len() - 2], ring[0], ring[1])
                || ring.windows(3).any(|corners| is_spike(corners[0], corners[1], corners[2])))
    };
    let has_repeated = || {
        let mut corners: Vec<Corner> = polygon.rings().flat_map(|ring| ring.iter().skip(1).copied()).collect();
        corners.sort_unstable();
        corners.windows(2).any(|pair| pair[0] == pair[1])
    };
    polygon.rings().count() > 1 || polygon.rings().any(has_spike) || has_repeated()
}
