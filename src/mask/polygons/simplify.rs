//! Removes corners from rings within a tolerance of the exact ones, so that no two rings cross.
//!
//! ```text
//!       v        corner v is removed if
//!      / \           every exact corner from u to w is within the tolerance of the edge u w,
//! ----u---w----     no corner of any ring lies in the triangle u v w, and no other ring has the edge u w
//!
//! the one whose removal changes its ring least goes first; those that were blocked are tried again
//! ```
//!
//! The exact stretch from u to w and the edge u w are then within the tolerance of each other both ways. The points
//! near an edge form a convex set, which holds the stretch if it holds its corners. Along the stretch, the nearest
//! point of the edge moves from u to w without a gap, so every point of the edge is near one of the stretch.
//!
//! Rings keep touching only at common corners: an edge that enters the triangle ends in it, or leaves through the sides
//! at v, which it cannot cross. Corners that two rings have in common are kept.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::Polygon;
use super::standing::Standing;
use crate::ground::sorting::sort_by_key;

/// The largest number of exact edges that one edge replaces; it bounds the time per corner.
const MAX_STRETCH: usize = 1 << 10;

/// The rings of a mask, while corners are removed.
pub(super) struct Rings {
    /// Ring after ring, including the removed corners.
    corners: Vec<Corner>,
    /// The range of corners of each ring.
    spans: Vec<Range<usize>>,
    /// The number of corners that each ring still has.
    left: Vec<usize>,
    standing: Standing,
}

struct Corner {
    at: [i32; 2],
    ring: usize,
    /// The next corners on either side that are not removed.
    before: usize,
    after: usize,
    /// The corner of another ring at this place.
    twin: Option<usize>,
    /// The number of times that its neighbours have changed; `None` once it is removed.
    age: Option<u32>,
}

/// A corner that may be removed. Offers are ordered by the square of the distance that the ring would have from the
/// exact one there, then by the number of exact edges that the new edge would replace, so that stretches grow evenly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    /// The bits of a float of 0 or more, which sort as the float does.
    price: u64,
    stretch: usize,
    corner: usize,
    age: Option<u32>,
}

impl Rings {
    /// Takes the rings of a mask's polygons, outline before holes.
    pub(super) fn new(size: [u32; 2], polygons: &mut [Polygon]) -> Self {
        let (mut corners, mut spans) = (Vec::new(), Vec::new());
        let mut standing = Standing::new(size);
        for (ring, points) in polygons.iter_mut().flat_map(Polygon::rings).enumerate() {
            let span = corners.len()..corners.len() + points.len();
            for (i, &at) in span.clone().zip(&*points) {
                let before = if i == span.start { span.end } else { i } - 1;
                let after = if i + 1 == span.end { span.start } else { i + 1 };
                corners.push(Corner { at, ring, before, after, twin: None, age: Some(0) });
                standing.put(at);
            }
            spans.push(span);
        }
        let mut order: Vec<usize> = (0..corners.len()).collect();
        sort_by_key(&mut order, |&i| (corners[i].at, i));
        for pair in order.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if corners[a].at == corners[b].at {
                corners[a].twin = Some(b);
                corners[b].twin = Some(a);
            }
        }
        let left = spans.iter().map(Range::len).collect();
        Self { corners, spans, left, standing }
    }

    /// Returns the corners that a ring still has.
    pub(super) fn corners(&self, ring: usize) -> impl Iterator<Item = [i32; 2]> {
        self.corners[self.spans[ring].clone()].iter().filter(|corner| corner.age.is_some()).map(|corner| corner.at)
    }

    /// Removes corners until none can be removed.
    pub(super) fn simplify(&mut self, tolerance: f64) {
        let limit = tolerance * tolerance;
        let mut offers: BinaryHeap<_> = (0..self.corners.len()).filter_map(|i| self.offer(i, limit)).collect();
        let mut blocked = Vec::new();
        let mut removed = true;
        while std::mem::take(&mut removed) {
            offers.extend(blocked.drain(..));
            while let Some(Reverse(offer)) = offers.pop() {
                let Corner { age, before, after, .. } = self.corners[offer.corner];
                if age != offer.age {
                    continue;
                }
                if !self.is_free(offer.corner) {
                    blocked.push(Reverse(offer));
                    continue;
                }
                self.remove(offer.corner);
                removed = true;
                offers.extend([before, after].into_iter().filter_map(|i| self.offer(i, limit)));
            }
        }
    }

    /// Offers a corner for removal if that keeps its ring within the limit, the square of the tolerance.
    fn offer(&self, corner: usize, limit: f64) -> Option<Reverse<Offer>> {
        let Corner { ring, before, after, twin, age, .. } = self.corners[corner];
        let span = &self.spans[ring];
        let stretch = if before < after { after - before } else { after + span.len() - before };
        if twin.is_some() || self.left[ring] <= 3 || stretch > MAX_STRETCH {
            return None;
        }
        let edge = [before, after].map(|i| self.corners[i].at);
        let mut price = 0.0;
        for i in before + 1..before + stretch {
            let i = if i < span.end { i } else { i - span.len() };
            let distance = squared_distance(self.corners[i].at, edge);
            if distance > limit {
                return None;
            }
            price = distance.max(price);
        }
        Some(Reverse(Offer { price: price.to_bits(), stretch, corner, age }))
    }

    /// Returns whether the rings stay free of crossings if a corner is removed.
    fn is_free(&mut self, corner: usize) -> bool {
        let Corner { at, ring, before, after, .. } = self.corners[corner];
        let [from, to] = [before, after].map(|i| &self.corners[i]);
        let has_edge = |a: usize, b: usize| self.corners[a].after == b || self.corners[a].before == b;
        let is_edge = from.twin.zip(to.twin).is_some_and(|(a, b)| has_edge(a, b));
        self.left[ring] > 3 && !is_edge && self.standing.only_ends_in([from.at, at, to.at])
    }

    fn remove(&mut self, corner: usize) {
        let Corner { at, ring, before, after, .. } = self.corners[corner];
        self.standing.take(at);
        self.left[ring] -= 1;
        self.corners[corner].age = None;
        self.corners[before].after = after;
        self.corners[after].before = before;
        for i in [before, after] {
            self.corners[i].age = self.corners[i].age.map(|age| age + 1);
        }
    }
}

/// Returns the square of a point's distance from an edge. Coordinates are those of a mask, so the square of the cross
/// product fits in 64 bits.
fn squared_distance([x, y]: [i32; 2], [from, to]: [[i32; 2]; 2]) -> f64 {
    let [[ux, uy], [vx, vy]] = [to, [x, y]].map(|[x, y]| [x - from[0], y - from[1]].map(i64::from));
    let (along, length) = (ux * vx + uy * vy, ux * ux + uy * uy);
    if along <= 0 {
        (vx * vx + vy * vy) as f64
    } else if along >= length {
        ((vx - ux).pow(2) + (vy - uy).pow(2)) as f64
    } else {
        (ux * vy - uy * vx).pow(2) as f64 / length as f64
    }
}
