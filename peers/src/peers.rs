//! The peers that find pairs of boxes, behind a common trait.

mod all_pairs;
#[cfg(feature = "box2d")]
mod box2d;
mod broccoli;
mod geo_index;
mod parry;
mod rstar;

use hitmask::geometry::Aabb;
use rayon::prelude::*;

pub(crate) use all_pairs::AllPairs;
#[cfg(feature = "box2d")]
pub(crate) use box2d::{Box2dIncremental, Box2dRebuilt};
pub(crate) use broccoli::{Broccoli, BroccoliAlone};
pub(crate) use geo_index::GeoIndex;
pub(crate) use parry::{ParryPartly, ParryRebuilt, ParryRefitted};
pub(crate) use rstar::Rstar;

/// The largest coordinate up to which `f32` represents every integer.
pub(crate) const EXACT: i32 = 1 << 24;

/// A library that finds pairs of boxes. It may keep data from step to step.
pub(crate) trait Peer: Send {
    /// The name in tables.
    const NAME: &'static str;
    /// The part that runs on all threads of the pool, as text.
    const THREADS: &'static str;
    /// Whether pairs come in order.
    const ORDERED: bool;

    /// Returns the pairs `i < j` of boxes whose closed sets meet, and for which `hits(i, j)`, each once. Coordinates
    /// stay within [`EXACT`].
    fn pairs<H: Fn(u32, u32) -> bool + Sync>(&mut self, boxes: &[Aabb], hits: H) -> Vec<[u32; 2]>;
}

/// Returns two indices as a pair, the lower first.
fn pair(i: u32, j: u32) -> [u32; 2] {
    [i.min(j), i.max(j)]
}

/// Returns pairs in order, by a `query` for each row `i` that appends every `j > i` that hits, in any order.
fn by_rows(rows: usize, query: impl Fn(u32, &mut Vec<u32>) + Sync) -> Vec<[u32; 2]> {
    let parts: Vec<_> = (0..rows as u32)
        .into_par_iter()
        .with_min_len(128)
        .fold(Default::default, |(mut pairs, mut row): (Vec<[u32; 2]>, Vec<u32>), i| {
            row.clear();
            query(i, &mut row);
            row.sort_unstable();
            pairs.extend(row.iter().map(|&j| [i, j]));
            (pairs, row)
        })
        .map(|(pairs, _)| pairs)
        .collect();
    parts.concat()
}

#[cfg(test)]
mod tests {
    use hitmask::geometry::Point;
    use hitmask::{Ask, Engine};
    use hitmask_workbench::workloads::{Workload, checksum};

    use super::*;
    use crate::order::ordered;

    fn answers(mut peer: impl Peer, boxes: &[Aabb]) -> Vec<Vec<[u32; 2]>> {
        // Twice, for peers that keep data.
        [boxes, boxes, &boxes[..0], boxes].map(|boxes| ordered(peer.pairs(boxes, |i, j| (i + j) % 7 != 0))).to_vec()
    }

    #[test]
    fn all_find_the_same() {
        for workload in [Workload::Boxes, Workload::Clustered, Workload::Spot, Workload::Giants, Workload::Row] {
            for n in [0, 1, 2, 3, 300, 3_000] {
                let world = workload.world(n).unwrap();
                let boxes: Vec<Aabb> = world.ids().filter_map(|id| world.bounds(id)).collect();
                let mut pairs = Engine::cpu().unwrap().run(&world, Ask::Pairs).unwrap().pairs;
                pairs.retain(|[i, j]| (i + j) % 7 != 0);
                let expected = [pairs.clone(), pairs.clone(), vec![], pairs];
                let check = |name: &str, found: Vec<Vec<[u32; 2]>>| assert!(found == expected, "{name} {workload} {n}");
                check("all pairs", answers(AllPairs, &boxes));
                check("broccoli", answers(Broccoli, &boxes));
                check("broccoli alone", answers(BroccoliAlone, &boxes));
                check("geo-index", answers(GeoIndex, &boxes));
                check("rstar", answers(Rstar, &boxes));
                check("parry2d rebuilt", answers(ParryRebuilt, &boxes));
                check("parry2d refitted", answers(ParryRefitted::default(), &boxes));
                #[cfg(feature = "box2d")]
                {
                    check("Box2D rebuilt", answers(Box2dRebuilt::default(), &boxes));
                    check("Box2D incremental", answers(Box2dIncremental::default(), &boxes));
                }
            }
        }
    }

    #[test]
    fn a_tree_follows_those_who_moved() {
        let steady = |i: i32| Aabb { min: Point::new(10 * i, 0), max: Point::new(10 * i + 5, 5) };
        let mut boxes: Vec<Aabb> = (0..1000).map(steady).collect();
        let moved: Vec<u32> = (0..1000).step_by(50).collect();
        let mut peer = ParryPartly::new(moved.clone());
        assert!(peer.pairs(&boxes, |_, _| true).is_empty());
        for step in 1..4 {
            for &i in &moved {
                boxes[i as usize] = steady(i as i32 + step);
            }
            let expected = AllPairs.pairs(&boxes, |_, _| true);
            assert_eq!(ordered(peer.pairs(&boxes, |_, _| true)), expected);
            assert_ne!(checksum(&expected), 0);
        }
    }
}
