//! The walls of a polygon: the edges of its rings, cut where a ring touches them.

use std::collections::HashSet;

use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::sorting::{sort, sort_by_key};

use super::pass::{Pass, first_crossing};
use super::ring::{Edge, Ring, crossing};
use super::segment::{Meet, Segment, meet};

/// Calls `near` with each pair of edges whose bounding boxes meet, except neighbours. It sweeps along the axis in which
/// the edges are shorter, so that few are active at a time.
fn sweep(edges: &[Edge<'_>], mut near: impl FnMut([usize; 2])) {
    let length = |axis| edges.iter().map(|e| e.extent(axis)).map(|[lo, hi]| i64::from(hi) - i64::from(lo)).sum::<i64>();
    let along = usize::from(length(1) < length(0));
    let mut order: Vec<usize> = (0..edges.len()).collect();
    sort_by_key(&mut order, |&i| (edges[i].extent(along), i));
    let mut under: Vec<(usize, [i32; 2], i32)> = Vec::new();
    for j in order {
        let [lo, hi] = edges[j].extent(along);
        let [left, right] = edges[j].extent(1 - along);
        under.retain(|&(i, [from, to], end)| {
            if end >= lo && from <= right && left <= to && edges[i].next != j && edges[j].next != i {
                near([i.min(j), i.max(j)]);
            }
            end >= lo
        });
        under.push((j, [left, right], hi));
    }
}

/// A stretch of a ring that rings touch only at its ends: its lower and upper end, and the ring's number.
pub(super) type Wall = (Segment, usize);

/// Returns all edges, cut where a ring touches them. Returns an error that names the first two edges that cross or
/// overlap, or between which a ring crosses itself.
pub(super) fn walls(rings: &[Ring<'_>]) -> Result<Vec<Wall>> {
    let mut edges = Vec::new();
    for ring in rings {
        edges.extend(ring.edges(edges.len()));
    }
    let ends = edges.iter().enumerate().flat_map(|(i, edge)| edge.span.map(|end| (i, end)));
    let mut nodes: Vec<(usize, Point)> = ends.collect();
    let mut before = vec![0; edges.len()];
    edges.iter().enumerate().for_each(|(i, edge)| before[edge.next] = i);
    let (mut first, mut touches): (Option<([usize; 2], Point)>, _) = (None, HashSet::new());
    sweep(&edges, |pair| {
        if first.is_some_and(|(least, _)| least < pair) {
            return;
        }
        let [a, b] = pair.map(|i| &edges[i]);
        match meet(a.span, b.span) {
            Meet::Touch(at) if first.is_none() => {
                // Unless edges cross, at most one passes through a point, so nodes stay few.
                nodes.extend(pair.into_iter().filter(|&i| !edges[i].span.contains(&at)).map(|i| (i, at)));
                if a.ring.number == b.ring.number {
                    touches.extend(pair.map(|i| (i, at)));
                }
            }
            Meet::Apart | Meet::Touch(_) => {}
            Meet::Cross(at) => first = Some((pair, at)),
        }
    });
    let passes = || touches.iter().map(|&(i, at)| Pass::new(&edges, &before, i, at)).collect();
    if let Some((pair, near)) = first.or_else(|| first_crossing(passes())) {
        let [a, b] = pair.map(|i| &edges[i]);
        let given = a.given(b.span);
        return Err(crossing([given, b.given(given.2)], near));
    }
    // On a straight edge, the order of points is their order along it.
    sort(&mut nodes);
    nodes.dedup();
    let stretches = nodes.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    Ok(stretches.map(|pair| ([pair[0].1, pair[1].1], edges[pair[0].0].ring.number)).collect())
}
