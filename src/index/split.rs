//! Splitting the children of a full node in two.

use std::array;

use super::node::Bounds;
use crate::simd::WIDTH;

/// A child of a node, with its bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) bounds: Bounds,
    pub(super) child: u32,
}

/// The children of a full node, and one more.
const ALL: usize = WIDTH + 1;
/// The fewest children of a part.
const LEAST: usize = 5;

/// Sorts entries into two parts whose bounds have the least sum of perimeters, of all cuts along x and along y that
/// leave each part enough entries (Beckmann, Kriegel, Schneider and Seeger, *The R\*-tree*, 1990).
pub(super) fn split(entries: &mut [Entry; ALL]) -> (&[Entry], &[Entry]) {
    let along_x = |entry: &Entry| (entry.bounds.reach.centre().x, entry.child);
    let along_y = |entry: &Entry| (entry.bounds.reach.centre().y, entry.child);
    entries.sort_unstable_by_key(along_x);
    let by_x = *entries;
    let x = best(entries);
    entries.sort_unstable_by_key(along_y);
    let y = best(entries);
    if x.0 <= y.0 {
        *entries = by_x;
    }
    entries.split_at(if x.0 <= y.0 { x.1 } else { y.1 })
}

/// Returns the least sum of the perimeters of the two parts of a cut, and how many entries are before the cut.
fn best(entries: &[Entry; ALL]) -> (i64, usize) {
    let mut before = Bounds::NOWHERE;
    // For each number of entries the perimeter of the first ones.
    let firsts: [i64; ALL] = array::from_fn(|k| {
        let perimeter = before.perimeter();
        before.reach = before.reach.join(&entries[k].bounds.reach);
        perimeter
    });
    let mut after = Bounds::NOWHERE;
    let mut least = (i64::MAX, 0);
    for cut in (LEAST..ALL).rev() {
        after.reach = after.reach.join(&entries[cut].bounds.reach);
        if cut <= ALL - LEAST {
            least = least.min((firsts[cut] + after.perimeter(), cut));
        }
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::aabb::Aabb;
    use crate::ground::lattice::Point;
    use hitmask_workbench::workloads::SplitMix64;

    #[test]
    fn two_heaps_are_parted() {
        let mut random = SplitMix64(1);
        for few in LEAST..=ALL - LEAST {
            for axis in [Point::new(1, 0), Point::new(0, 1)] {
                let mut entries: [Entry; ALL] = array::from_fn(|k| {
                    let far = if k < few { 0 } else { 1_000 };
                    let at = Point::new(random.below(99) as i32, random.below(99) as i32);
                    let min = at + Point::new(axis.x * far, axis.y * far);
                    let reach = Aabb { min, max: min + Point::new(9, 9) };
                    Entry { bounds: Bounds { reach, layers: 1, aligned: false }, child: k as u32 }
                });
                entries.rotate_left(3);
                let (left, right) = split(&mut entries);
                assert!(left.iter().all(|entry| entry.child < few as u32) && left.len() == few);
                assert!(right.iter().all(|entry| entry.child >= few as u32) && right.len() == ALL - few);
            }
        }
    }
}
