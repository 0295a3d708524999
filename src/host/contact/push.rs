//! The way out in whole lattice steps, verified by the exact predicate.

use std::ops::ControlFlow;

use super::bounds::Bounds;
use super::convex::{V, Way};
use super::exit::{Candidate, Exit};
use super::tree::Pairs;
use crate::ground::lattice::Point;
use crate::ground::sorting::sort_by_key;
use crate::ground::touch::Touch;
use crate::host::near::{Near, Trial};

/// How far around the `f64` way out lattice points are tried, one square after the other. The first is enough for two
/// bodies of one piece each; the others serve wedges so narrow that their first lattice points lie some steps on.
const AROUND: [i32; 3] = [4, 10, 24];
/// How far from the end of a way lattice points are tried along a space that is narrower still. There the arcs of two
/// circles of 1,000 units that touch have parted by four steps, and edges at a tenth of a degree by nearly two.
const ALONG: i32 = 1024;

/// Two bodies without pixels, at rest.
pub(crate) struct Pieces<'a> {
    a: &'a Near<'a>,
    b: &'a Near<'a>,
    pairs: Pairs,
    touch: Touch,
    /// The offset of A as seen from B if the difference of two motions is rounded instead of each motion.
    aside: Point,
}

impl<'a> Pieces<'a> {
    /// Takes two bodies of at least one piece each.
    pub(crate) fn new(a: &'a Near<'a>, b: &'a Near<'a>, touch: Touch, aside: Point) -> Self {
        Self { a, b, pairs: Pairs::new(&a.pieces, &b.pieces, touch), touch, aside }
    }

    /// Returns whether A, moved by `by`, does not hit B.
    pub(super) fn is_free(&self, by: Point) -> bool {
        let mut trial = Trial::new([self.a, self.b], self.touch);
        let mut apart = |by: Point| {
            let at = [by.x, by.y].map(f64::from);
            // Only pairs whose bounds contain the place, the deepest first.
            let met = self.pairs.walk(
                -1.0,
                |bounds: &Bounds| bounds.depth(at),
                |[i, j]| {
                    let meet = trial.hits(&self.a.pieces[i], &self.b.pieces[j], by, Point::ZERO);
                    if meet { ControlFlow::Break(()) } else { ControlFlow::Continue(-1.0) }
                },
            );
            met.is_none()
        };
        apart(by) && (self.aside == Point::ZERO || apart(by + self.aside))
    }

    /// Returns the shortest way in whole steps that ends the hit, of those tried near the shortest in `f64`; between
    /// two bodies of one piece each it is at most 1/64 unit longer.
    pub(super) fn push(&self, candidate: &Candidate) -> Point {
        let along = || candidate.exit.and_then(|exit| self.free_along(&exit));
        self.push_near(&candidate.way).or_else(along).unwrap_or_else(|| past(&self.pairs.bounds()))
    }

    /// As [`Pieces::push`], of the ways that end in a square around the shortest.
    pub(super) fn push_near(&self, way: &Way) -> Option<Point> {
        let farther = || AROUND[1..].iter().find_map(|&around| self.nearest_free(way, around));
        self.push_nearby(way).or_else(farther)
    }

    /// As [`Pieces::push`], of the ways nearest to the shortest.
    pub(crate) fn push_nearby(&self, way: &Way) -> Option<Point> {
        if self.is_free(Point::ZERO) { Some(Point::ZERO) } else { self.nearest_free(way, AROUND[0]) }
    }

    /// Returns the shortest way that ends the hit among the lattice points around the end of a way in `f64`.
    fn nearest_free(&self, way: &Way, around: i32) -> Option<Point> {
        let depth = way.depth.max(0.0);
        // None is shorter than the shortest, up to rounding.
        self.nearest_free_around(way.normal.map(|v| v * depth), around, depth - 3.0)
    }

    /// Returns a way that ends the hit along the space beyond an exit, one of the nearest to the exit.
    fn free_along(&self, exit: &Exit) -> Option<Point> {
        // Once the space is wider than the diagonal of a lattice square, there is a lattice point beside its middle.
        let near = |at: V| self.nearest_free_around(at, 1, 0.0);
        (1..=ALONG).find_map(|far| exit.along(far.into()).into_iter().find_map(near))
    }

    /// Returns the shortest way that ends the hit among the lattice points around a point, but none shorter than
    /// `least`.
    fn nearest_free_around(&self, at: V, around: i32, least: f64) -> Option<Point> {
        let [x, y] = at.map(|v| v.round() as i32);
        let mut ways: Vec<(i64, i32, Point)> = Vec::new();
        for dy in -around..=around {
            for dx in -around..=around {
                let way = Point::new(x + dx, y + dy);
                let square = i64::from(way.x).pow(2) + i64::from(way.y).pow(2);
                if square as f64 >= least.max(0.0).powi(2) {
                    ways.push((square, way.x.abs(), way));
                }
            }
        }
        sort_by_key(&mut ways, |&(square, aside, way)| (square, aside, way.y, way.x));
        ways.into_iter().map(|(_, _, way)| way).find(|&way| self.is_free(way))
    }
}

/// Returns the shortest way past the bounds of B, along an axis.
fn past(&Bounds { min, max }: &Bounds) -> Point {
    // One step more because touching may be a hit, and one for the offset of A.
    let [min, max] = [min.map(|v| v as i32 - 2), max.map(|v| v as i32 + 2)];
    let ways = [Point::new(0, min[1]), Point::new(0, max[1]), Point::new(min[0], 0), Point::new(max[0], 0)];
    ways.into_iter().min_by_key(|way| way.x.abs() + way.y.abs()).unwrap_or(Point::ZERO)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_past_bounds_leads_two_steps_beyond_the_nearest_side() {
        for (min, max, way) in [
            ([-50.0, -30.0], [60.0, 70.0], Point::new(0, -32)),
            ([-50.0, -80.0], [60.0, 40.0], Point::new(0, 42)),
            ([-20.0, -80.0], [60.0, 40.0], Point::new(-22, 0)),
            ([-50.0, -80.0], [10.0, 40.0], Point::new(12, 0)),
        ] {
            assert_eq!(past(&Bounds { min, max }), way);
        }
    }
}
