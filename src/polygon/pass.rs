//! The passes of a ring through a point at which it touches itself, and whether they cross there.
//!
//! ```text
//!     a     c        a     c     Two passes, from a to b and from c to d, and their arms around the point.
//!      \   /          \   /
//!       \ /            \ /      On the left they are side by side, and could nest as brackets do: the ring only
//!        +              +       touches itself.
//!       / \            / \
//!      /   \          /   \     On the right the arms alternate: the ring crosses itself.
//!     b     d        d     b
//! ```

use std::cmp::Ordering;

use crate::ground::lattice::Point;

use super::ring::Edge;
use super::segment::cross;

/// One pass of a ring through a point: along an edge, or from one edge to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pass {
    ring: usize,
    at: Point,
    /// The edge that leaves the point, or that passes through it.
    edge: usize,
    /// The points that the ring comes from and goes to.
    arms: [Point; 2],
}

impl Pass {
    /// Returns the pass of an edge through a point on it. `before` is the edge before each.
    fn new(edges: &[Edge<'_>], before: &[usize], edge: usize, at: Point) -> Self {
        let [start, end] = edges[edge].span;
        let (edge, arms) = if at == start {
            (edge, [edges[before[edge]].span[0], end])
        } else if at == end {
            let next = edges[edge].next;
            (next, [start, edges[next].span[1]])
        } else {
            (edge, [start, end])
        };
        Self { ring: edges[edge].ring.number, at, edge, arms }
    }
}

/// Returns whether a ring crosses itself at a corner, or where one of its edges is cut. No edges cross or overlap.
pub(super) fn cross_at_points(edges: &[Edge<'_>], cuts: &[(usize, Point)]) -> bool {
    let corners = edges.iter().enumerate().map(|(i, edge)| (i, edge.span[0]));
    let mut points: Vec<(usize, Point, usize)> =
        corners.chain(cuts.iter().copied()).map(|(i, at)| (edges[i].ring.number, at, i)).collect();
    points.sort_unstable();
    points.dedup();
    let groups = points.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).filter(|group| group.len() > 1);
    first_crossing(edges, groups.flatten().map(|&(_, at, i)| (i, at))).is_some()
}

/// Returns the edges of the first two passes that cross each other, and where. The passes are given by an edge and a
/// point of it.
pub(super) fn first_crossing(
    edges: &[Edge<'_>],
    touches: impl IntoIterator<Item = (usize, Point)>,
) -> Option<([usize; 2], Point)> {
    let mut before = vec![0; edges.len()];
    edges.iter().enumerate().for_each(|(i, edge)| before[edge.next] = i);
    let mut passes: Vec<Pass> = touches.into_iter().map(|(i, at)| Pass::new(edges, &before, i, at)).collect();
    passes.sort_unstable();
    passes.dedup();
    let groups = passes.chunk_by(|a, b| (a.ring, a.at) == (b.ring, b.at));
    groups.filter_map(|group| crossing_of(group).map(|pair| (pair, group[0].at))).min()
}

/// Returns the edges of two passes through one point that cross each other. Passes that do not cross nest as brackets
/// do, in the order of their arms around the point.
fn crossing_of(passes: &[Pass]) -> Option<[usize; 2]> {
    let at = passes[0].at;
    let arms = passes.iter().enumerate().flat_map(|(k, pass)| pass.arms.map(|arm| (arm, k)));
    let mut arms: Vec<(Point, usize)> = arms.collect();
    arms.sort_unstable_by(|a, b| by_angle(at, a.0, b.0));
    let (mut open, mut is_open) = (Vec::new(), vec![false; passes.len()]);
    for (_, k) in arms {
        match open.last() {
            Some(&last) if last == k => drop(open.pop()),
            Some(&last) if is_open[k] => {
                let [a, b] = [last, k].map(|k| passes[k].edge);
                return Some([a.min(b), a.max(b)]);
            }
            _ => {
                open.push(k);
                is_open[k] = true;
            }
        }
    }
    None
}

/// Compares the directions of two points from `at`, none of which is that of another.
fn by_angle(at: Point, p: Point, q: Point) -> Ordering {
    let is_upper = |p: Point| (p.y, p.x) < (at.y, at.x);
    is_upper(p).cmp(&is_upper(q)).then_with(|| 0.cmp(&cross(at, p, q)))
}
