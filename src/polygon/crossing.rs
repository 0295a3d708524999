//! The first two edges that cross, for an error.

use std::collections::HashSet;

use crate::ground::error::Error;
use crate::ground::lattice::Point;

use super::pass::first_crossing;
use super::ring::{Edge, crossing};
use super::segment::{Meet, meet};

/// Calls `near` with each pair of edges whose bounding boxes meet, except neighbours. It sweeps along the axis in which
/// the edges are shorter, so that few are active at a time.
fn sweep(edges: &[Edge<'_>], mut near: impl FnMut([usize; 2])) {
    let length = |axis| edges.iter().map(|e| e.extent(axis)).map(|[lo, hi]| i64::from(hi) - i64::from(lo)).sum::<i64>();
    let along = usize::from(length(1) < length(0));
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_unstable_by_key(|&i| (edges[i].extent(along), i));
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

/// Returns an error that names the first two edges that cross or overlap, or between which a ring crosses itself.
pub(super) fn crossing_of(edges: &[Edge<'_>]) -> Option<Error> {
    let (mut first, mut touches): (Option<([usize; 2], Point)>, _) = (None, HashSet::new());
    sweep(edges, |pair| {
        if first.is_some_and(|(least, _)| least < pair) {
            return;
        }
        let [a, b] = pair.map(|i| &edges[i]);
        match meet(a.span, b.span) {
            Meet::Touch(at) if first.is_none() && a.ring.number == b.ring.number => {
                touches.extend(pair.map(|i| (i, at)));
            }
            Meet::Apart | Meet::Touch(_) => {}
            Meet::Cross(at) => first = Some((pair, at)),
        }
    });
    let (pair, near) = first.or_else(|| first_crossing(edges, touches))?;
    let [a, b] = pair.map(|i| &edges[i]);
    let given = a.given(b.span);
    Some(crossing([given, b.given(given.2)], near))
}
