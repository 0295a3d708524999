//! The linear part of a pose: rotation, scale, flip and shear, as passed in and as snapped.

use std::ops::Mul;

use super::error::{Error, Result};
use super::lattice::{Point, low_word};
use super::text::Numbers;
use super::vec2::Vec2;

/// The largest entry of a linear part.
pub const MAX_LINEAR: f64 = 127.0;
/// The largest entry of the inverse of a sprite's linear part.
pub const MAX_INVERSE: f64 = 64.0;
/// The number of fractional bits of a snapped linear part.
pub(crate) const LINEAR_BITS: u32 = 24;
/// Fractional bits of the scale by which the radii of parts land.
pub(crate) const SCALE_BITS: u32 = 23;
/// The number of fractional bits of a snapped inverse.
pub(crate) const INVERSE_BITS: u32 = 16;

/// A mirroring, applied before scale and rotation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flip {
    /// Whether to exchange left and right.
    pub x: bool,
    /// Whether to exchange top and bottom.
    pub y: bool,
}

/// The linear part of a pose, `[[a, b], [c, d]]`, not yet snapped: it maps a local point `(x, y)` to
/// `(a x + b y, c x + d y)`. Converts from arrays of rows, or from a `mint` matrix of rows or columns, of `f32` or
/// `f64`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
pub struct Linear {
    /// The first row.
    pub x: [f64; 2],
    /// The second row.
    pub y: [f64; 2],
}

impl Default for Linear {
    fn default() -> Self {
        Self::IDENTITY
    }
}

macro_rules! linear_from {
    ($($from:ty => |$m:ident| $x:expr, $y:expr;)*) => {
        $(impl From<$from> for Linear {
            fn from($m: $from) -> Self {
                Self { x: $x.map(Into::into), y: $y.map(Into::into) }
            }
        })*
    };
}

linear_from! {
    [[f64; 2]; 2] => |m| m[0], m[1];
    [[f32; 2]; 2] => |m| m[0], m[1];
    mint::RowMatrix2<f64> => |m| [m.x.x, m.x.y], [m.y.x, m.y.y];
    mint::RowMatrix2<f32> => |m| [m.x.x, m.x.y], [m.y.x, m.y.y];
    mint::ColumnMatrix2<f64> => |m| [m.x.x, m.y.x], [m.x.y, m.y.y];
    mint::ColumnMatrix2<f32> => |m| [m.x.x, m.y.x], [m.x.y, m.y.y];
}

impl Linear {
    /// The identity: neither turned, scaled nor flipped.
    pub const IDENTITY: Self = Self { x: [1.0, 0.0], y: [0.0, 1.0] };

    /// Makes a linear part that flips, then scales, then rotates by `degrees`. Positive angles turn +x toward +y
    /// (clockwise on a y-down screen).
    ///
    /// Multiples of 90 degrees are exact; other sines and cosines are those of the `libm` crate, identical everywhere.
    ///
    /// ```
    /// use hitmask::geometry::Flip;
    /// use hitmask::Linear;
    /// assert_eq!(Linear::new(90.0, [2.0, 1.0], Flip::default()), Linear { x: [0.0, -1.0], y: [2.0, 0.0] });
    /// ```
    #[must_use]
    pub fn new(degrees: f64, scale: [f64; 2], flip: Flip) -> Self {
        let [sin, cos] = sin_cos(degrees);
        let sx = if flip.x { -scale[0] } else { scale[0] };
        let sy = if flip.y { -scale[1] } else { scale[1] };
        // Adding 0 turns -0 into 0.
        Self { x: [cos * sx + 0.0, -sin * sy + 0.0], y: [sin * sx + 0.0, cos * sy + 0.0] }
    }

    /// Makes a rotation by `degrees`, from +x toward +y (clockwise on a y-down screen).
    ///
    /// ```
    /// use hitmask::Linear;
    ///
    /// assert_eq!(Linear::from_degrees(90.0), Linear { x: [0.0, -1.0], y: [1.0, 0.0] });
    /// ```
    #[must_use]
    pub fn from_degrees(degrees: f64) -> Self {
        Self::new(degrees, [1.0; 2], Flip::default())
    }

    /// Makes a rotation by an angle in radians, from +x toward +y (clockwise on a y-down screen). Sine and cosine are
    /// those of the `libm` crate, identical everywhere. `f64` holds no multiple of a quarter turn in radians exactly,
    /// except 0: use [`Linear::from_degrees`] for those.
    ///
    /// ```
    /// use hitmask::Linear;
    /// let eighth = Linear::from_radians(std::f64::consts::FRAC_PI_4);
    /// assert!((eighth.x[0] - Linear::from_degrees(45.0).x[0]).abs() < 1e-15);
    /// ```
    #[must_use]
    pub fn from_radians(angle: f64) -> Self {
        let [sin, cos] = [libm::sin(angle), libm::cos(angle)];
        Self { x: [cos, -sin], y: [sin, cos] }
    }

    /// Makes a scaling by the same factor in x and y. A body scaled to 0, or a sprite below about 1/64, is empty: it
    /// hits nothing.
    ///
    /// ```
    /// use hitmask::Linear;
    ///
    /// assert_eq!(Linear::scaled(2.0), Linear { x: [2.0, 0.0], y: [0.0, 2.0] });
    /// ```
    #[must_use]
    pub fn scaled(scale: f64) -> Self {
        Self::new(0.0, [scale; 2], Flip::default())
    }

    /// Returns the determinant, `ad - bc`.
    ///
    /// ```
    /// assert_eq!(hitmask::Linear::scaled(3.0).determinant(), 9.0);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn determinant(self) -> f64 {
        self.x[0] * self.y[1] - self.x[1] * self.y[0]
    }

    /// Returns the same linear part with 0 for each -0, so that equal ones have equal bits.
    #[inline(always)]
    pub(crate) fn without_minus_zero(self) -> Self {
        Self { x: self.x.map(|v| v + 0.0), y: self.y.map(|v| v + 0.0) }
    }

    /// Checks that the entries are finite and within the limit.
    #[inline(always)]
    pub(crate) fn check(self) -> Result<()> {
        if self.is_within(MAX_LINEAR) { Ok(()) } else { Err(self.too_large()) }
    }

    /// Returns true if the entries are finite and at most `limit` in magnitude. It has no branch.
    #[inline(always)]
    pub(crate) fn is_within(self, limit: f64) -> bool {
        // "All within" instead of "none beyond", so that NaN is caught.
        [self.x, self.y].as_flattened().iter().fold(true, |all, v| all & (v.abs() <= limit))
    }

    #[cold]
    fn too_large(self) -> Error {
        Error::value("linear", self, format!("have entries within ±{MAX_LINEAR} (scale included)"))
    }

    /// Snaps to 24 fractional bits: `floor(2^24 v + 1/2)`.
    #[inline(always)]
    pub(crate) fn snapped(self) -> Snapped {
        Snapped { x: self.x.map(|v| snap_bits(v, LINEAR_BITS)), y: self.y.map(|v| snap_bits(v, LINEAR_BITS)) }
    }

    /// Returns the rows of the inverse, not finite if the matrix is singular.
    #[inline(always)]
    pub(crate) fn inverted(self) -> [[f64; 2]; 2] {
        let det = self.determinant();
        [[self.y[1] / det, -self.x[1] / det], [-self.y[0] / det, self.x[0] / det]]
    }

    /// Returns the inverse, snapped to 16 fractional bits; `None` if the matrix is singular or an entry is over 64.
    #[inline(always)]
    pub(crate) fn inverse(self) -> Option<Snapped> {
        if self == Self::IDENTITY {
            // Most sprites are upright, and need no division.
            return Some(Snapped::UNTURNED);
        }
        let (inverse, is_small) = self.inverse_if_small();
        is_small.then_some(inverse)
    }

    /// Returns the inverse, and whether its entries are within the limit: [`Linear::inverse`] without a branch, for
    /// bulk edits. Otherwise what is returned means nothing.
    #[inline(always)]
    pub(crate) fn inverse_if_small(self) -> (Snapped, bool) {
        let [x, y] = self.inverted();
        let inverse = Snapped { x: x.map(|v| snap_bits(v, INVERSE_BITS)), y: y.map(|v| snap_bits(v, INVERSE_BITS)) };
        (inverse, Self { x, y }.is_within(MAX_INVERSE))
    }

    /// Returns the radius in the world of a local radius of `r` lattice steps, `floor(r s + 1/2)` with
    /// `s = sqrt(|ad - bc|)`; an error unless this is a similarity.
    pub(crate) fn radius(self, r: i32) -> Result<i32> {
        Ok((f64::from(r) * self.scale()? + 0.5).floor() as i32)
    }

    /// Returns the scale with 23 fractional bits, `floor(2^23 s + 1/2)`; an error unless this is a similarity.
    pub(crate) fn snapped_scale(self) -> Result<i32> {
        Ok(snap_bits(self.scale()?, SCALE_BITS))
    }

    /// Returns the scale `sqrt(|ad - bc|)`; an error unless this is a similarity.
    fn scale(self) -> Result<f64> {
        let s = self.determinant().abs().sqrt();
        let ([a, b], [c, d]) = (self.x, self.y);
        let near = |p: f64, q: f64| (p - q).abs() <= 1e-6 * s;
        let similar = (near(a, d) && near(b, -c)) || (near(a, -d) && near(b, c));
        if similar {
            Ok(s)
        } else {
            let limit = "be a similarity (one scale, no shear), because the shape has a radius";
            Err(Error::value("linear", self, limit))
        }
    }
}

/// Composes two linear parts; the right one is applied first.
///
/// ```
/// use hitmask::Linear;
///
/// let (ship, turret) = (Linear::from_degrees(90.0), Linear::scaled(2.0));
/// assert_eq!(ship * turret, Linear { x: [0.0, -2.0], y: [2.0, 0.0] }); // the turret, mounted on the ship
/// ```
impl Mul for Linear {
    type Output = Self;
    fn mul(self, first: Self) -> Self {
        let column = |axis: usize| self * Vec2 { x: first.x[axis], y: first.y[axis] };
        let [left, right] = [column(0), column(1)];
        Self { x: [left.x, right.x], y: [left.y, right.y] }
    }
}

/// Maps a local point of a body at `at` to `at + linear * (local - anchor)`. Unlike a world, this does not snap.
///
/// ```
/// use hitmask::{Linear, geometry::Vec2};
///
/// let (ship, muzzle) = (Vec2::from([100, 50]), Vec2::from([6, 0])); // relative to the anchor
/// assert_eq!(ship + Linear::from_degrees(90.0) * muzzle, [100, 56].into());
/// ```
impl Mul<Vec2> for Linear {
    type Output = Vec2;
    fn mul(self, local: Vec2) -> Vec2 {
        Vec2 { x: local.dot(self.x), y: local.dot(self.y) }
    }
}

impl std::fmt::Display for Linear {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "[{}, {}]", Numbers(&self.x), Numbers(&self.y))
    }
}

/// A linear part of integers, as two rows.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
pub(crate) struct Snapped {
    /// The first row.
    pub x: [i32; 2],
    /// The second row.
    pub y: [i32; 2],
}

impl Snapped {
    /// The inverse of the identity.
    pub(crate) const UNTURNED: Self = Self { x: [1 << INVERSE_BITS, 0], y: [0, 1 << INVERSE_BITS] };

    /// Returns where the local point `p` lands in the world, relative to the body's position:
    /// `floor((a p.x + b p.y + 2^23) / 2^24)`.
    #[inline(always)]
    pub(crate) fn land(self, p: Point) -> [i64; 2] {
        [land_along(self.x, p), land_along(self.y, p)]
    }
}

/// Returns where the local point `p` lands along the axis of a row.
#[inline(always)]
pub(crate) fn land_along([a, b]: [i32; 2], p: Point) -> i64 {
    let half = 1_i64 << (LINEAR_BITS - 1);
    (i64::from(a) * i64::from(p.x) + i64::from(b) * i64::from(p.y) + half) >> LINEAR_BITS
}

/// Rounds `v`, at most 127 in magnitude, to `bits` fractional bits, half up.
#[inline(always)]
fn snap_bits(v: f64, bits: u32) -> i32 {
    low_word((v * f64::from(1_u32 << bits) + 0.5).floor())
}

/// Returns the sine and cosine of an angle in degrees; multiples of 90 are exact.
fn sin_cos(degrees: f64) -> [f64; 2] {
    let turn = degrees.rem_euclid(360.0);
    match turn {
        0.0 | 360.0 => [0.0, 1.0],
        90.0 => [1.0, 0.0],
        180.0 => [0.0, -1.0],
        270.0 => [-1.0, 0.0],
        _ => {
            let radians = turn.to_radians();
            [libm::sin(radians), libm::cos(radians)]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarter_turns_are_exact_and_turn_x_toward_y() {
        assert_eq!(Linear::from_degrees(450.0), Linear { x: [0.0, -1.0], y: [1.0, 0.0] });
        assert_eq!(Linear::from_degrees(-90.0), Linear { x: [0.0, 1.0], y: [-1.0, 0.0] });
        assert_eq!(Linear::from_degrees(180.0), Linear { x: [-1.0, 0.0], y: [0.0, -1.0] });
        assert_eq!(Linear::from_degrees(720.0), Linear::IDENTITY);
    }

    #[test]
    fn matrices_of_rows_and_of_columns_are_told_apart() {
        let linear = Linear { x: [1.0, 2.0], y: [3.0, 4.0] };
        let rows = [[1.0, 2.0], [3.0, 4.0]];
        assert_eq!([Linear::from(rows), Linear::from(mint::RowMatrix2::from(rows))], [linear; 2]);
        assert_eq!(Linear::from(mint::RowMatrix2::from([[1.0_f32, 2.0], [3.0, 4.0]])), linear);
        assert_eq!(Linear::from(mint::ColumnMatrix2::from([[1.0, 3.0], [2.0, 4.0]])), linear);
        assert_eq!(Linear::from(mint::ColumnMatrix2::from([[1.0_f32, 3.0], [2.0, 4.0]])), linear);
    }

    #[test]
    fn landing_rounds_half_upward() {
        let half = Linear::scaled(0.5).snapped();
        assert_eq!(half.land(Point::new(3, -3)), [2, -1]);
        assert_eq!(Linear::from_degrees(90.0).snapped().land(Point::new(7, 5)), [-5, 7]);
    }

    #[test]
    fn a_radius_wants_a_similarity() {
        assert_eq!(Linear::from_degrees(30.0).radius(1000).unwrap(), 1000);
        assert_eq!(Linear::new(45.0, [-2.0, 2.0], Flip::default()).radius(100).unwrap(), 200);
        assert!(Linear::new(0.0, [2.0, 1.0], Flip::default()).radius(100).is_err());
        assert!(Linear::from([[1.0, 0.5], [0.0, 1.0]]).radius(100).is_err());
    }

    #[test]
    fn bad_matrices_are_refused() {
        let message = |m: [[f64; 2]; 2]| Linear::from(m).check().unwrap_err().to_string();
        assert!(message([[128.0, 0.0], [0.0, 1.0]]).contains("±127"));
        assert!(message([[f64::NAN, 0.0], [0.0, 1.0]]).contains("NaN"));
    }

    #[test]
    fn what_is_flat_or_too_small_has_no_inverse() {
        assert!(Linear::from([[1.0, 2.0], [2.0, 4.0]]).inverse().is_none());
        assert!(Linear::scaled(0.0).inverse().is_none());
        assert!(Linear::scaled(1.0 / 65.0).inverse().is_none());
        assert!(Linear::scaled(1.0 / 64.0).inverse().is_some());
    }
}
