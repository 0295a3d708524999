//! The way out in whole lattice steps, made sure of by the exact predicate.

use super::convex::{V, Way};
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::predicate::{Core, meets};
use crate::ground::touch::Touch;

/// How far from the way out in `f64` lattice points are looked at, one square after the other: the first is enough for
/// two bodies of one piece each, the others are for wedges so narrow that their first lattice points lie some steps on.
const AROUND: [i32; 3] = [4, 10, 24];

/// Two bodies without pixels, as they stand.
pub(super) struct Pieces<'a> {
    pub(super) a: &'a [Vec<Point>],
    pub(super) b: &'a [Vec<Point>],
    /// The sum of their radii.
    pub(super) radius: i32,
    pub(super) touch: Touch,
    /// By how much A stands elsewhere as seen from B where only the difference of two motions is rounded, not each.
    pub(super) aside: Point,
}

impl Pieces<'_> {
    /// Whether A, moved by so many steps, does not hit B.
    pub(super) fn is_free(&self, by: Point) -> bool {
        let apart = |by: Point| {
            self.a.iter().all(|a| {
                let moved: Vec<Point> = a.iter().map(|&p| p + by).collect();
                self.b.iter().all(|b| !meets(Core::Hull(&moved), Core::Hull(b), Point::ZERO, self.radius, self.touch))
            })
        };
        apart(by) && (self.aside == Point::ZERO || apart(by + self.aside))
    }

    /// The shortest of some ways in whole steps that end the hit, near the shortest in `f64`; at most 1/64 unit longer
    /// than that between two bodies of one piece each.
    pub(super) fn push(&self, way: &Way) -> Point {
        if self.is_free(Point::ZERO) {
            return Point::ZERO;
        }
        let depth = way.depth.max(0.0);
        let at = way.normal.map(|v| v * depth);
        let free = AROUND.iter().find_map(|&around| self.nearest_free(at, depth, around));
        free.unwrap_or_else(|| self.past())
    }

    /// The shortest way among the lattice points around a place that ends the hit.
    fn nearest_free(&self, [x, y]: V, depth: f64, around: i32) -> Option<Point> {
        let (x, y) = (x.round() as i32, y.round() as i32);
        let mut ways: Vec<(i64, i32, Point)> = Vec::new();
        for dy in -around..=around {
            for dx in -around..=around {
                let way = Point::new(x + dx, y + dy);
                let square = i64::from(way.x).pow(2) + i64::from(way.y).pow(2);
                // None is shorter than the shortest, but for what rounding leaves.
                if square as f64 >= (depth - 3.0).max(0.0).powi(2) {
                    ways.push((square, way.x.abs(), way));
                }
            }
        }
        ways.sort_unstable_by_key(|&(square, aside, way)| (square, aside, way.y, way.x));
        ways.into_iter().map(|(_, _, way)| way).find(|&way| self.is_free(way))
    }

    /// The shortest way past the bounds of B, along an axis.
    fn past(&self) -> Point {
        let bounds = |pieces: &[Vec<Point>]| {
            pieces.iter().map(|piece| Aabb::around(piece)).fold(Aabb::NOWHERE, |all, one| all.join(&one))
        };
        let (a, b) = (bounds(self.a), bounds(self.b));
        // A step more, as touching may count, and one for where A stands elsewhere.
        let room = self.radius + 2;
        let ways = [
            Point::new(0, b.min.y - a.max.y - room),
            Point::new(0, b.max.y - a.min.y + room),
            Point::new(b.min.x - a.max.x - room, 0),
            Point::new(b.max.x - a.min.x + room, 0),
        ];
        ways.into_iter().min_by_key(|way| way.x.abs() + way.y.abs()).unwrap_or(Point::ZERO)
    }
}
