//! The pixels that the bodies of a pair share.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use hitmask::geometry::Aabb;
use hitmask::{Hits, World};

/// Adjacent world pixels of a row: `Lit` in draw.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Run {
    first: [i32; 2],
    count: i32,
}

/// Returns the pixels of all overlaps in sight, in runs. If bodies move, they are those at the time of impact, as in
/// the details.
pub(crate) fn runs(world: &World, hits: &Hits, sight: &Aabb) -> Vec<Run> {
    let mut runs = Vec::new();
    for (&pair, detail) in hits.pairs.iter().zip(&hits.details) {
        let Some(overlap) = detail.overlap else { continue };
        let [x, y, width, height] = overlap.bounds;
        let sees = |first: i32, count: i32, low: i32, high: i32| first <= high >> 8 && first + count > low >> 8;
        if !sees(x, width, sight.min.x, sight.max.x) || !sees(y, height, sight.min.y, sight.max.y) {
            continue;
        }
        let Some((mask, [left, top])) = world.overlap_mask(pair, detail) else { continue };
        for j in 0..mask.height() {
            let run =
                |run: Range<u32>| Run { first: [left + run.start as i32, top + j as i32], count: run.len() as i32 };
            runs.extend(mask.runs(j).map(run));
        }
    }
    runs
}
