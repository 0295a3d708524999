//! The convex sets whose union holds the translations by which two bodies meet: one for each pair of pieces.

use std::cell::OnceCell;

use super::convex::{Hull, P, V};
use super::tree::{Pair, Pairs};
use crate::ground::lattice::Point;

/// The corners of a 16-gon in a disc of radius 1: a quarter of them, in units of 1/65536.
const CORNERS: [P; 4] = [[65536, 0], [60547, 25079], [46340, 46340], [25079, 60547]];
/// How far the disc extends beyond the polygon, as a fraction of its radius, and in lattice steps, by which the
/// polygon's corners are rounded.
const RIM: f64 = 0.02;
const ROUNDED: f64 = 2.0;

/// A set for each pair of pieces: a core, inflated by the sum of the radii. Cores are polygons with the inside on the
/// left, segments or points.
pub(super) struct Sets<'a> {
    a: &'a [Vec<Point>],
    b: &'a [Vec<Point>],
    pub(super) pairs: Pairs,
    /// The sum of the radii.
    pub(super) radius: f64,
    /// The hulls of A's mirrored pieces, and of B's pieces, each made on first use.
    mirrored: Vec<OnceCell<Hull>>,
    hulls: Vec<OnceCell<Hull>>,
    /// A polygon inside the disc of that radius, and the hulls of B's pieces inflated by it.
    disc: Hull,
    inflated: Vec<OnceCell<Hull>>,
}

impl<'a> Sets<'a> {
    /// Makes the sets of two bodies of at least one piece each.
    pub(super) fn new(a: &'a [Vec<Point>], b: &'a [Vec<Point>], radius: i32) -> Self {
        let turned = |[x, y]: P| [[x, y], [-y, x], [-x, -y], [y, -x]];
        let corner = |p: P| p.map(|v| (v * i64::from(radius)) >> 16);
        let unmade = |pieces: &[Vec<Point>]| pieces.iter().map(|_| OnceCell::new()).collect();
        Self {
            a,
            b,
            pairs: Pairs::new(a, b, radius),
            radius: f64::from(radius),
            mirrored: unmade(a),
            hulls: unmade(b),
            disc: Hull::new(CORNERS.into_iter().flat_map(|p| turned(corner(p)))),
            inflated: unmade(b),
        }
    }

    /// Returns the number of sets.
    pub(super) fn count(&self) -> usize {
        self.a.len() * self.b.len()
    }

    fn mirrored(&self, i: usize) -> &Hull {
        self.mirrored[i].get_or_init(|| Hull::mirrored(&self.a[i]))
    }

    fn hull(&self, j: usize) -> &Hull {
        self.hulls[j].get_or_init(|| Hull::of(&self.b[j]))
    }

    /// Writes the core of a set.
    pub(super) fn core(&self, [i, j]: Pair, core: &mut Vec<V>) {
        self.mirrored(i).sum(self.hull(j), core);
    }

    /// Writes a polygon inside a set; without a radius it is the whole set.
    pub(super) fn polygon(&self, [i, j]: Pair, polygon: &mut Vec<V>) {
        let hull = if self.radius > 0.0 {
            self.inflated[j].get_or_init(|| self.hull(j).plus(&self.disc))
        } else {
            self.hull(j)
        };
        self.mirrored(i).sum(hull, polygon);
    }

    /// Returns how far a set extends beyond its polygon, at most.
    pub(super) fn rim(&self) -> f64 {
        if self.radius > 0.0 { RIM * self.radius + ROUNDED } else { 0.0 }
    }
}
