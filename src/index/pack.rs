//! The order of bodies in a tree, chosen so that neighbours in the plane share a block, and neighbouring blocks a block
//! of blocks.
//!
//! ```text
//!   arrange(bodies):
//!       stop if they fit into one block
//!       of the largest full subtrees smaller than the whole, give half to the left
//!       partition the bodies there, along the longer side of the bounds of their centres
//!       arrange(left), arrange(right)
//! ```
//!
//! This is a k-d tree (Bentley, *Multidimensional binary search trees used for associative searching*, 1975) that is
//! split only where subtrees are full, as in the packing of Lee and Lee (*OMT: Overlap Minimizing Top-down Bulk Loading
//! Algorithm for R-tree*, 2003). Blocks overlap little more than the bodies do.

use crate::ground::lattice::Point;
use crate::simd::WIDTH;

/// A body, and the centre of its bounds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) at: Point,
    pub(super) body: u32,
}

/// Sorts all entries.
pub(super) fn arrange(all: &mut [Entry]) {
    let mut full = WIDTH;
    while full * WIDTH < all.len() {
        full *= WIDTH;
    }
    part(all, full);
}

/// Sorts entries into subtrees of `full` bodies, then each of these.
fn part(all: &mut [Entry], mut full: usize) {
    if all.len() <= WIDTH {
        return;
    }
    while full >= all.len() {
        full /= WIDTH;
    }
    let (mut min, mut max) = (all[0].at, all[0].at);
    for Entry { at, .. } in all.iter() {
        (min.x, max.x) = (min.x.min(at.x), max.x.max(at.x));
        (min.y, max.y) = (min.y.min(at.y), max.y.max(at.y));
    }
    let half = all.len().div_ceil(full) / 2 * full;
    // Ties are broken by index, so that the order is deterministic.
    if max.x - min.x > max.y - min.y {
        all.select_nth_unstable_by_key(half, |entry| (entry.at.x, entry.body));
    } else {
        all.select_nth_unstable_by_key(half, |entry| (entry.at.y, entry.body));
    }
    let (left, right) = all.split_at_mut(half);
    part(left, full);
    part(right, full);
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    #[test]
    fn blocks_are_as_large_as_what_they_hold() {
        let side = 1_000;
        for count in [1, 16, 17, 300, 4_096, 5_000] {
            let mut random = SplitMix64(7);
            let mut draw = || random.below(side) as i32;
            let mut all: Vec<_> = (0..count).map(|body| Entry { at: Point::new(draw(), draw()), body }).collect();
            arrange(&mut all);
            let mut full = WIDTH;
            while full < all.len() {
                let perimeters = all.chunks(full).map(|block| {
                    let along = |of: fn(&Entry) -> i32| {
                        let range = block.iter().map(of);
                        f64::from(range.clone().max().unwrap() - range.min().unwrap())
                    };
                    along(|entry| entry.at.x) + along(|entry| entry.at.y)
                });
                let mean = perimeters.sum::<f64>() / all.len().div_ceil(full) as f64;
                let square = 2.0 * f64::from(side) * (full as f64 / f64::from(count)).sqrt();
                assert!(mean < 1.15 * square, "{mean} of {square}: {full} of {count}");
                full *= WIDTH;
            }
            let mut bodies: Vec<u32> = all.iter().map(|entry| entry.body).collect();
            bodies.sort_unstable();
            assert!(bodies.into_iter().eq(0..count), "none is lost");
        }
    }
}
