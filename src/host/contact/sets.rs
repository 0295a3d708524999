//! The convex sets whose union holds the translations by which two bodies meet: one for each pair of pieces.

use std::cell::OnceCell;

use super::convex::{Hull, P, V};
use super::tree::{Pair, Pairs};
use crate::ground::touch::Touch;
use crate::world::pose::land::Piece;

/// The corners of a 16-gon in a disc of radius 1: a quarter of them, in units of 1/65536.
const CORNERS: [P; 4] = [[65536, 0], [60547, 25079], [46340, 46340], [25079, 60547]];
/// How far the disc extends beyond the polygon, as a fraction of its radius, and in lattice steps, by which the
/// polygon's corners are rounded.
const RIM: f64 = 0.02;
const ROUNDED: f64 = 2.0;

/// A set for each pair of pieces: a core, inflated by the sum of the radii. Cores are polygons with the inside on the
/// left, segments or points.
pub(super) struct Sets<'a> {
    a: &'a [Piece],
    b: &'a [Piece],
    pub(super) pairs: Pairs,
    /// The least and the greatest radius of A's pieces, and the greatest of B's.
    least: i32,
    most: [i32; 2],
    /// The hulls of A's mirrored pieces, and of B's pieces, each made on first use.
    mirrored: Vec<OnceCell<Hull>>,
    hulls: Vec<OnceCell<Hull>>,
    /// The hulls of B's pieces inflated by a polygon inside the disc whose radius is the piece's and A's least.
    inflated: Vec<OnceCell<Hull>>,
}

impl<'a> Sets<'a> {
    /// Makes the sets of two bodies of at least one piece each.
    pub(super) fn new(a: &'a [Piece], b: &'a [Piece], touch: Touch) -> Self {
        let unmade = |pieces: &[Piece]| pieces.iter().map(|_| OnceCell::new()).collect();
        let radii = |pieces: &'a [Piece]| pieces.iter().map(|piece| piece.radius);
        Self {
            a,
            b,
            pairs: Pairs::new(a, b, touch),
            least: radii(a).min().unwrap_or(0),
            most: [a, b].map(|pieces| radii(pieces).max().unwrap_or(0)),
            mirrored: unmade(a),
            hulls: unmade(b),
            inflated: unmade(b),
        }
    }

    /// Returns the radius by which the core of a set is inflated.
    pub(super) fn radius(&self, [i, j]: Pair) -> f64 {
        f64::from(self.a[i].radius + self.b[j].radius)
    }

    /// Returns whether some set may have a radius.
    pub(super) fn are_round(&self) -> bool {
        self.most != [0, 0]
    }

    /// Returns the number of sets.
    pub(super) fn count(&self) -> usize {
        self.a.len() * self.b.len()
    }

    fn mirrored(&self, i: usize) -> &Hull {
        self.mirrored[i].get_or_init(|| Hull::mirrored(&self.a[i].vertices))
    }

    fn hull(&self, j: usize) -> &Hull {
        self.hulls[j].get_or_init(|| Hull::of(&self.b[j].vertices))
    }

    /// Writes the core of a set.
    pub(super) fn core(&self, [i, j]: Pair, core: &mut Vec<V>) {
        self.mirrored(i).sum(self.hull(j), core);
    }

    /// Writes a polygon inside a set; without a radius it is the whole set.
    pub(super) fn polygon(&self, [i, j]: Pair, polygon: &mut Vec<V>) {
        let radius = self.inner(j);
        let hull =
            if radius > 0 { self.inflated[j].get_or_init(|| self.hull(j).plus(&disc(radius))) } else { self.hull(j) };
        self.mirrored(i).sum(hull, polygon);
    }

    /// Returns the radius of the polygon inside a set of B's piece `j`.
    fn inner(&self, j: usize) -> i32 {
        self.b[j].radius + self.least
    }

    /// Returns how far a set extends beyond its polygon, at most.
    pub(super) fn rim(&self, [i, j]: Pair) -> f64 {
        let inner = self.inner(j);
        let rounded = if inner > 0 { RIM * f64::from(inner) + ROUNDED } else { 0.0 };
        rounded + f64::from(self.a[i].radius - self.least)
    }
}

/// Returns a polygon inside a disc.
fn disc(radius: i32) -> Hull {
    let turned = |[x, y]: P| [[x, y], [-y, x], [-x, -y], [y, -x]];
    let corner = |p: P| p.map(|v| (v * i64::from(radius)) >> 16);
    Hull::new(CORNERS.into_iter().flat_map(|p| turned(corner(p))))
}
