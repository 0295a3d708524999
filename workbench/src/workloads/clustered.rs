//! Boxes of very different sizes in clusters.

use super::standard::{at, side};
use super::{Crowd, SplitMix64};
use hitmask::Result;

/// Adds boxes in `isqrt(N) / 4` clusters, at least one, so that clusters grow in number and in size. `R = isqrt(100 N /
/// clusters)` is the measure of a cluster, in units. Draws first the clusters' corners, `x = below(S)`, `y = below(S)`
/// with `S = isqrt(1600 N) * 256` steps. Then draws for each box: its cluster; its `x` from the cluster's corner, the
/// sum of four `below(256 R)`, and `y` likewise, which is a bell 4 R wide; whether it is large, `below(100) = 0`; its
/// sides, `25600 + below(76801)` steps if so, else `1024 + below(7169)`.
///
/// Two small boxes meet if their offset lies in an area of 36 x 36 units on average, a small and a large one in 268 x
/// 268 units: 2,700 square units for any two. The density of the sum of two bells is at most 0.23 / R^2, which gives a
/// box about 6 neighbours in its own cluster. Overlapping clusters add almost 2 more.
pub(super) fn clustered(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    let clusters = (n.isqrt() / 4).max(1);
    let measure = side(n / clusters, 100) * 256;
    let corners: Vec<[i32; 2]> = (0..clusters).map(|_| at(random, side(n, 1600) * 256)).collect();
    for _ in 0..n {
        let corner = corners[random.below(clusters) as usize];
        let place = corner.map(|v| v + (0..4).map(|_| random.below(measure) as i32).sum::<i32>());
        let large = random.below(100) == 0;
        let sides = [(); 2].map(|()| if large { 25_600 + random.below(76_801) } else { 1024 + random.below(7169) });
        crowd.add_box(sides.map(|side| side as i32), place)?;
    }
    Ok(())
}
