//! Axis-aligned boxes of translations, in `f64`.

use super::convex::{V, length};
use crate::ground::aabb::Aabb;

/// A closed box, in lattice steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    pub(super) min: V,
    pub(super) max: V,
}

impl Bounds {
    /// Returns the box around points that are each inflated by `radius`.
    pub(super) fn of(points: impl Iterator<Item = V>, radius: f64) -> Self {
        let nowhere = Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };
        points.fold(nowhere, |all, [x, y]| Self {
            min: [all.min[0].min(x - radius), all.min[1].min(y - radius)],
            max: [all.max[0].max(x + radius), all.max[1].max(y + radius)],
        })
    }

    /// Returns the box of the translations that bring two boxes together.
    pub(super) fn differences(a: &Aabb, b: &Aabb) -> Self {
        let points = [b.min - a.max, b.max - a.min].map(|p| [f64::from(p.x), f64::from(p.y)]);
        Self::of(points.into_iter(), 0.0)
    }

    pub(super) fn contains(&self, p: V) -> bool {
        (0..2).all(|axis| self.min[axis] <= p[axis] && p[axis] <= self.max[axis])
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] <= other.max[axis] && other.min[axis] <= self.max[axis])
    }

    /// Returns the distance of the box from the origin; 0 inside.
    pub(super) fn distance(&self) -> f64 {
        length([0, 1].map(|axis| self.min[axis].max(-self.max[axis]).max(0.0)))
    }

    /// Returns how far a point lies inside the box; negative outside.
    pub(super) fn depth(&self, p: V) -> f64 {
        let along = |axis: usize| (p[axis] - self.min[axis]).min(self.max[axis] - p[axis]);
        along(0).min(along(1))
    }
}
