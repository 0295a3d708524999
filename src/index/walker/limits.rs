//! The options of a walker, validated.

use super::answer::Pace;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_RADIUS, SUBPIXELS};
use crate::ground::linear::Linear;
use crate::ground::text::{Number, Numbers};
use crate::ground::vec2::Vec2;

/// The least cosine of a slope, so that it has a tangent: 89.1 degrees.
const STEEPEST: f64 = 1.0 / 64.0;
/// The tolerance on the cosine of the limit: normals are rounded, and so are vertices.
const ROUNDED: f64 = 1.0 / 1024.0;
/// The rise per unit across up to which stairs are always climbed, whatever the limit.
const STAIRS: f64 = 0.5;
/// The height of the edges that rounding leaves where turned bodies adjoin, in units: some lattice steps.
const LIP: f64 = 4.0 / SUBPIXELS as f64;

/// The limits of a walker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Limits {
    /// The up direction, of length 1.
    up: Vec2,
    /// Cosine of the steepest slope.
    cosine: f64,
    /// Its tangent.
    pub(super) tangent: f64,
    pub(super) stair: f64,
    pub(super) snap: f64,
    pub(super) pace: Pace,
    pub(super) slides: bool,
}

impl Limits {
    pub(super) fn new() -> Self {
        let (up, pace) = (Vec2 { x: 0.0, y: -1.0 }, Pace::Across);
        Self { up, cosine: 0.0, tangent: 0.0, stair: 4.0, snap: 4.0, pace, slides: true }.sloped(50.0)
    }

    pub(super) fn up(self, up: Vec2) -> Result<Self> {
        // Scaled first, so that no square is too large or too small.
        let largest = up.x.abs().max(up.y.abs());
        let scaled = Vec2 { x: up.x / largest, y: up.y / largest };
        let length = scaled.dot(scaled).sqrt();
        if largest.is_finite() && length.is_finite() {
            return Ok(Self { up: Vec2 { x: scaled.x / length, y: scaled.y / length }, ..self });
        }
        Err(Error::value("up", Numbers(&[up.x, up.y]), "have a finite length greater than 0"))
    }

    pub(super) fn max_slope(self, degrees: f64) -> Result<Self> {
        if (0.0..=90.0).contains(&degrees) {
            Ok(self.sloped(degrees))
        } else {
            Err(Error::value("max_slope", Number(degrees), "lie between 0 and 90 degrees"))
        }
    }

    fn sloped(self, degrees: f64) -> Self {
        let Linear { x: [cosine, _], y: [sine, _] } = Linear::from_degrees(degrees);
        let cosine = cosine.max(STEEPEST);
        Self { cosine, tangent: sine / cosine, ..self }
    }

    pub(super) fn step_height(self, stair: f64) -> Result<Self> {
        Ok(Self { stair: length("step_height", stair)?, ..self })
    }

    pub(super) fn snap(self, snap: f64) -> Result<Self> {
        Ok(Self { snap: length("snap", snap)?, ..self })
    }

    /// Returns the limits with stairs that are at least as high as what rounding leaves.
    pub(super) fn over_lips(self) -> Self {
        Self { stair: self.stair.max(LIP), ..self }
    }

    /// Returns whether stairs are climbed that are higher than that.
    pub(super) fn has_stairs(&self) -> bool {
        self.stair > LIP
    }

    /// Returns the component of a vector along up.
    pub(super) fn height(&self, v: impl Into<Vec2>) -> f64 {
        self.up.dot(v)
    }

    /// Returns the component of a vector along the ground.
    pub(super) fn across(&self, v: impl Into<Vec2>) -> f64 {
        let v = v.into();
        self.up.x * v.y - self.up.y * v.x
    }

    /// Returns the vector with these components.
    pub(super) fn vector(&self, across: f64, height: f64) -> Vec2 {
        let Vec2 { x, y } = self.up;
        Vec2 { x: x * height - y * across, y: y * height + x * across }
    }

    /// Returns whether a side is ground: not too steep to stand on.
    pub(super) fn is_ground(&self, normal: [f64; 2]) -> bool {
        self.height(normal) >= self.cosine - ROUNDED && self.height(normal) > 0.0
    }

    /// Returns whether a side is a ceiling: as level as ground, facing down.
    pub(super) fn is_ceiling(&self, [x, y]: [f64; 2]) -> bool {
        self.is_ground([-x, -y])
    }

    /// Returns the rise of a side per unit along the ground.
    pub(super) fn slope(&self, normal: [f64; 2]) -> f64 {
        -self.across(normal) / self.height(normal).max(STEEPEST)
    }

    /// Returns the rise of a side that it stands on per unit along the ground; 0 for a side that is too steep to walk
    /// on, as in a crevice.
    pub(super) fn walkable(&self, normal: [f64; 2]) -> f64 {
        let slope = self.slope(normal);
        // The slope of rough ground is measured between rounded places.
        if self.is_ground(normal) || slope.abs() <= self.stairs() + 1.0 / 16.0 { slope } else { 0.0 }
    }

    /// Returns the unit normal of a slope that rises by `rise` over `across`.
    pub(super) fn normal(&self, across: f64, rise: f64) -> [f64; 2] {
        let length = (across * across + rise * rise).sqrt();
        if length > 0.0 { self.vector(-rise / length, across / length) } else { self.up }.into()
    }

    /// Returns the rise per unit across up to which stairs are climbed.
    fn stairs(&self) -> f64 {
        self.tangent.max(STAIRS)
    }

    /// Returns the most by which ground rises over a short distance.
    pub(super) fn rise(&self, across: f64) -> f64 {
        self.stair.min(self.stairs() * across)
    }

    /// Returns the width over which stairs are measured: that in which the steepest rise by the step height.
    pub(super) fn tread(&self) -> f64 {
        self.stair / self.stairs()
    }

    /// Returns whether stairs with this rise are not too steep, with a tolerance of some lattice steps because places
    /// are rounded.
    pub(super) fn climbs(&self, across: f64, rise: f64) -> bool {
        rise <= self.stairs() * across + 4.0 / f64::from(SUBPIXELS)
    }
}

/// Checks that a length is within the limit.
fn length(field: &str, units: f64) -> Result<f64> {
    let most = f64::from(MAX_RADIUS / SUBPIXELS);
    if (0.0..=most).contains(&units) {
        Ok(units)
    } else {
        Err(Error::value(field, Number(units), format!("lie between 0 and {most} units")))
    }
}
