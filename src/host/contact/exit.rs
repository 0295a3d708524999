//! A place on the boundary of a union where a way out may end, and whether the way is free there.
//!
//! If touching is a hit, there must be free space beyond the place: a slit, whose walls touch each other, is no way
//! out. So a point slightly beyond must lie clearly outside every set. Where two boundaries cross at a small angle, or
//! touch as in the mouth of a slot just as wide as a round body, free space begins as a cusp, and that point lies
//! farther on, in its middle:
//!
//! ```text
//!    \         /       onward
//!     \   o   /           ^     o  the point beyond
//!      |     /            |     x  the place
//!      |    /
//!       |  |                    two boundaries with curvatures k and l, at an angle v where they cross, have parted
//!        ||                     by far * v + far^2 * (k + l) / 2 at a distance `far`
//!        x
//! ```

use super::convex::{V, Way, add, cross, length, scale, sub};
use crate::ground::touch::Touch;

/// How deep inside a set a point may lie and still count as on its boundary, in lattice steps: a millionth of a unit.
/// Crossings are off by about 2^-20 of a step at most unless edges are almost parallel. A narrower slot counts as a
/// slit.
pub(super) const TOLERANCE: f64 = 1.0 / 4096.0;
/// How far beyond a boundary a point must be free if touching is a hit, in lattice steps: then a slit as wide as the
/// body is no way out.
pub(super) const BEYOND: f64 = 1.0 / 256.0;
/// How far outside every set it must be there, in lattice steps: well above rounding.
pub(super) const CLEAR: f64 = 1.0 / 65536.0;
/// How far apart two boundaries may be and still touch, in lattice steps: more than the width of a slit, in which no
/// point is both [`BEYOND`] one wall and [`CLEAR`] of the other.
pub(super) const SLIT: f64 = 1.0 / 128.0;
/// The sum of two normals, by its coordinates, below which free space is narrow between the boundaries: they part by
/// at most about 5 degrees.
pub(super) const NARROW: f64 = 1.0 / 16.0;
/// How far from both boundaries the point beyond a narrow place lies, in lattice steps: as far as [`BEYOND`] takes it
/// where free space is just not narrow.
pub(super) const ROOM: f64 = BEYOND * NARROW / 2.0;
/// The greatest distance of that point from the place, in lattice steps: there circles of a radius of a million units
/// have parted as far.
pub(super) const FARTHEST: f64 = 256.0;
/// How near a narrow place a set must come to matter beyond it, in lattice steps.
pub(super) const CLOSE: f64 = 1.0 / 64.0;

/// A place on the boundary of a union where a way out may end.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    pub(super) at: V,
    /// The unit direction in which free space goes on, if there is any.
    pub(super) onward: V,
    /// True if free space is narrow there.
    pub(super) is_narrow: bool,
    /// The distance of the point beyond.
    far: f64,
    /// How far the middle of a narrow space is off that direction, as a multiple of the distance squared.
    aside: V,
    /// True if the way out may have another normal there.
    pub(super) corner: bool,
}

impl Exit {
    /// Makes the place of an edge or arc nearest to the origin.
    pub(super) fn nearest(at: V, normal: V, corner: bool) -> Self {
        Self { at, onward: normal, is_narrow: false, far: BEYOND, aside: [0.0; 2], corner }
    }

    /// Makes a place where two edges or arcs cross or touch, given their normals and curvatures. Narrow free space
    /// leads along the first, which has its inside on the left, or against it.
    pub(super) fn crossing(at: V, [p, q]: [V; 2], [k, l]: [f64; 2], is_along: bool) -> Self {
        let sum = add(p, q);
        let is_narrow = sum.iter().all(|v| v.abs() < NARROW);
        let [x, y] = if is_along { sub(p, q) } else { sub(q, p) };
        // Between opposite normals, the direction across their difference is more exact than that of their sum.
        let toward = if is_narrow { [-y, x] } else { sum };
        let onward = scale(toward, 1.0 / length(toward));
        let (mut far, mut aside) = (BEYOND, [0.0; 2]);
        if is_narrow {
            let angle = if is_along { cross(p, q) } else { cross(q, p) };
            while far < FARTHEST && 0.5 * far * angle + 0.25 * far * far * (k + l) < ROOM {
                far *= 2.0;
            }
            aside = scale(p, 0.25 * (l - k));
        }
        Self { at, onward, is_narrow, far, aside, corner: true }
    }

    /// Returns the point in the middle of free space at a distance from the place.
    fn beyond(&self, far: f64) -> V {
        add(add(self.at, scale(self.onward, far)), scale(self.aside, far * far))
    }

    /// Returns the points at a distance from the place that free space is likely to reach, however narrow: the middle
    /// of a cusp, else both ways along a boundary, which may be the wall of a slot.
    pub(super) fn along(&self, far: f64) -> Vec<V> {
        if self.is_narrow {
            return vec![self.beyond(far)];
        }
        let [x, y] = self.onward;
        [[-y, x], [y, -x]].map(|side| add(self.at, scale(side, far))).to_vec()
    }

    /// Returns whether a set bars a way out that ends here. `depth` returns how deep inside the set a point lies, or a
    /// number below -1 for one farther outside than that.
    pub(super) fn is_barred(&self, touch: Touch, depth: impl Fn(V) -> f64) -> bool {
        if touch == Touch::Excluded {
            return depth(self.at) > TOLERANCE;
        }
        if self.is_narrow {
            let depth = depth(self.at);
            if !(-CLOSE..=TOLERANCE).contains(&depth) {
                return depth > TOLERANCE;
            }
        }
        depth(self.beyond(self.far)) > -CLEAR
    }
}

/// A way out, and the place where it ends; none for the way past all sets, or if no other was sought.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) way: Way,
    pub(super) exit: Option<Exit>,
}

impl Candidate {
    /// Returns whether the GPU leaves the pair to the host, as it does not find the middle of a narrow space. Without
    /// that, it cannot tell whether the place is free if touching is a hit, nor the direction of a way of no length.
    pub(super) fn needs_host(&self, touch: Touch) -> bool {
        let is_narrow = self.exit.is_some_and(|exit| exit.is_narrow);
        is_narrow && (touch == Touch::Included || self.way.depth <= TOLERANCE)
    }
}

impl From<Way> for Candidate {
    fn from(way: Way) -> Self {
        Self { way, exit: None }
    }
}
