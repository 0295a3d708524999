//! The subpixel lattice: every real number is snapped to an integer once, on entry.
//!
//! A coordinate in *units* (one unit is one world pixel) becomes a multiple of 1/256 unit; the linear part of a pose
//! becomes four integers with 24 fractional bits. After that there are only integers, and engines cannot differ.

use super::error::{Error, Result};
use super::text::Number;

/// The number of lattice steps in a unit.
pub const SUBPIXELS: i32 = 256;
/// The limit of coordinates, in lattice steps: everything lies within `-MAX_COORDINATE..=MAX_COORDINATE`, about ±2
/// million units, so the difference of two coordinates, plus a relative motion, fits in an `i32`.
pub const MAX_COORDINATE: i32 = (1 << 29) - 1;
/// The largest component of a motion, in lattice steps (65,536 units).
pub const MAX_MOTION: i32 = 1 << 24;
/// The largest component of a ray, in lattice steps (1,048,576 units).
pub const MAX_RAY: i32 = 1 << 28;
/// The largest component of an anchor, in lattice steps (16,384 units).
pub const MAX_ANCHOR: i32 = 1 << 22;
/// The largest radius, in lattice steps (16,384 units).
pub const MAX_RADIUS: i32 = 1 << 22;

/// Snaps `v` units to the lattice, rounding half up: `floor(256 v + 1/2)`, in `f64`, which holds every `f32` exactly.
///
/// The result is a whole number, not yet checked against a limit; it is NaN or infinite if `v` is.
///
/// ```
/// assert_eq!(hitmask::geometry::snap(1.5), 384.0);
/// assert_eq!(hitmask::geometry::snap(-0.001953125), 0.0); // half a step rounds up
/// ```
#[inline]
#[must_use]
pub fn snap(v: f64) -> f64 {
    (v * f64::from(SUBPIXELS) + 0.5).floor()
}

/// Converts a whole number that fits into an `i32`; the result of any other is meaningless. Unlike `as`, which also
/// checks the range, it takes two instructions for a whole vector.
#[inline(always)]
pub(crate) fn low_word(v: f64) -> i32 {
    // From 2^52 to 2^53 neighbouring numbers differ by 1, so the lowest bits of the sum are those of `v`.
    (v + 1.5 * (1_u64 << 52) as f64).to_bits() as i32
}

/// Snaps `v`, and returns an error that names `field` unless the result lies within `-limit..=limit`.
#[inline(always)]
pub(crate) fn snap_within(field: &str, v: f64, limit: i32) -> Result<i32> {
    let fixed = snap(v);
    if within(fixed, limit) { Ok(fixed as i32) } else { Err(outside(field, v, limit)) }
}

/// Snaps a radius, and returns an error that names `field` unless the result lies within `least..=MAX_RADIUS`, for a
/// `least` of 0 or 1.
pub(crate) fn snap_radius(field: &str, radius: f64, least: i32) -> Result<i32> {
    let fixed = snap(radius);
    if fixed >= f64::from(least) && fixed <= f64::from(MAX_RADIUS) {
        return Ok(fixed as i32);
    }
    let least = if least == 0 { "0" } else { "1/256" };
    Err(Error::value(field, Number(radius), format!("be {least} to {} units", MAX_RADIUS / SUBPIXELS)))
}

/// Returns whether a snapped number lies within `-limit..=limit`; NaN does not.
pub(super) fn within(fixed: f64, limit: i32) -> bool {
    fixed.abs() <= f64::from(limit)
}

/// Makes the error for a field outside its limit.
#[cold]
pub(super) fn outside(field: &str, v: f64, limit: i32) -> Error {
    let units = f64::from(limit) / f64::from(SUBPIXELS);
    Error::value(field, Number(v), format!("lie within ±{units} units"))
}

/// A point or vector on the lattice, in steps of 1/256 unit.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Point {
    /// The component to the right.
    pub x: i32,
    /// The component downward on a y-down screen.
    pub y: i32,
}

impl Point {
    /// The origin, or no motion.
    pub const ZERO: Self = Self { x: 0, y: 0 };

    /// Makes a point of the lattice.
    ///
    /// ```
    /// assert_eq!(hitmask::geometry::Point::new(128, 256).units(), [0.5, 1.0]);
    /// ```
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// Returns both coordinates as one word, x in the lower half.
    pub(crate) fn word(self) -> u64 {
        u64::from(self.x as u32) | u64::from(self.y as u32) << 32
    }

    /// Returns a number that is in the order of points: by x, then by y.
    pub(crate) fn rank(self) -> u64 {
        let [x, y] = [self.x, self.y].map(|v| u64::from(v as u32 ^ 1 << 31));
        x << 32 | y
    }

    /// Converts to units.
    ///
    /// ```
    /// assert_eq!(hitmask::geometry::Point::new(1, -256).units(), [1.0 / 256.0, -1.0]);
    /// ```
    #[must_use]
    pub fn units(self) -> [f64; 2] {
        [self.x, self.y].map(|v| f64::from(v) / f64::from(SUBPIXELS))
    }
}

impl std::ops::Add for Point {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl std::ops::Sub for Point {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl std::ops::Neg for Point {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_low_word_of_a_whole_number_is_that_number() {
        for v in [0, 1, -1, 255, -256, MAX_COORDINATE, -MAX_COORDINATE, i32::MAX, i32::MIN] {
            assert_eq!(low_word(f64::from(v)), v);
        }
        assert_eq!(low_word(-0.0), 0);
    }

    #[test]
    fn snapping_rounds_half_upward_and_refuses_what_lies_outside() {
        assert_eq!(snap_within("v", 0.5 / 256.0, MAX_COORDINATE).unwrap(), 1);
        assert_eq!(snap_within("v", -0.5 / 256.0, MAX_COORDINATE).unwrap(), 0);
        assert_eq!(snap_within("v", -1.5 / 256.0, MAX_COORDINATE).unwrap(), -1);
        assert_eq!(snap_within("v", 2_097_151.996_093_75, MAX_COORDINATE).unwrap(), MAX_COORDINATE);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 2_097_152.0, -2_097_152.0, 1e300] {
            let message = snap_within("at.x", bad, MAX_COORDINATE).unwrap_err().to_string();
            assert!(message.starts_with("`at.x` is") && message.contains("±2097151.99609375 units"), "{message}");
        }
    }
}
