//! Sides sorted along an axis, so that those whose boxes meet are found without looking at all pairs.

use super::meeting::{Rect, Side};

/// A side and its box.
pub(super) type Boxed = (Side, Rect);

/// Returns the axis along which fewer boxes lie side by side: the sum of their extents, by the extent of all, is less.
/// There is at least one box.
pub(super) fn best_axis<'a>(sides: impl Iterator<Item = &'a Boxed>) -> usize {
    let (mut sums, mut least, mut most) = ([0; 2], [i32::MAX; 2], [i32::MIN; 2]);
    for (_, [min, max]) in sides {
        for axis in 0..2 {
            sums[axis] += i64::from(max[axis] - min[axis]);
            least[axis] = least[axis].min(min[axis]);
            most[axis] = most[axis].max(max[axis]);
        }
    }
    let share = |axis: usize| sums[axis] as f64 / f64::from(most[axis] - least[axis]);
    usize::from(share(1) < share(0))
}

/// Sorts sides by where their boxes begin along an axis.
pub(super) fn sort(sides: &mut [Boxed], axis: usize) {
    // A ring has long runs that ascend or descend, which a stable sort merges.
    sides.sort_by_key(|(_, [min, _])| min[axis]);
}

/// Returns the sides of a sorted list whose boxes begin along an axis before the end of one.
pub(super) fn until<'a>(sorted: &'a [Boxed], (_, [_, max]): &Boxed, axis: usize) -> impl Iterator<Item = &'a Boxed> {
    let end = max[axis];
    sorted.iter().take_while(move |(_, [min, _])| min[axis] <= end)
}

/// Returns whether `found` does for a side of each of two sorted lists. All pairs are tried whose boxes overlap along
/// the axis, each when the first of the two begins.
pub(super) fn any_pair(
    [mut a, mut b]: [&[Boxed]; 2],
    axis: usize,
    mut found: impl FnMut(&Boxed, &Boxed) -> bool,
) -> bool {
    while let ([one, of_a @ ..], [other, of_b @ ..]) = (a, b) {
        let has_found = if one.1[0][axis] <= other.1[0][axis] {
            a = of_a;
            until(b, one, axis).any(|other| found(one, other))
        } else {
            b = of_b;
            until(a, other, axis).any(|one| found(one, other))
        };
        if has_found {
            return true;
        }
    }
    false
}
