//! A point or vector in units, as a game uses it.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use super::error::{Error, Result};
use super::lattice::{Point, low_word, outside, snap, within};

/// A point or vector in units. Converts from an array, a tuple or a `mint` type of `f32` or `f64`, and into one of
/// `f64`.
///
/// It can be added and scaled, so a small game needs no other vector type. Nothing is snapped here; a world does that.
///
/// ```
/// use hitmask::geometry::Vec2;
///
/// let mut at = Vec2::from([10.0, 20.0]);
/// let motion = Vec2::from((3.0, -4.0));
/// at += motion * 2.0;
/// assert_eq!(at + [1, 1], [17.0, 13.0].into());
/// let wall = [-1.0, 0.0]; // a normal
/// let bounced = motion - Vec2::from(wall) * (2.0 * motion.dot(wall));
/// assert_eq!(<[f64; 2]>::from(bounced), [-3.0, -4.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec2 {
    /// The component to the right.
    pub x: f64,
    /// The component downward on a y-down screen.
    pub y: f64,
}

macro_rules! vec2_from {
    ($($from:ty => |$v:ident| $x:expr, $y:expr;)*) => {
        $(impl From<$from> for Vec2 {
            #[inline]
            fn from($v: $from) -> Self {
                Self { x: $x.into(), y: $y.into() }
            }
        })*
    };
}

vec2_from! {
    [f64; 2] => |v| v[0], v[1];
    [f32; 2] => |v| v[0], v[1];
    [i32; 2] => |v| v[0], v[1];
    (f64, f64) => |v| v.0, v.1;
    (f32, f32) => |v| v.0, v.1;
    mint::Point2<f64> => |v| v.x, v.y;
    mint::Point2<f32> => |v| v.x, v.y;
    mint::Vector2<f64> => |v| v.x, v.y;
    mint::Vector2<f32> => |v| v.x, v.y;
}

macro_rules! vec2_into {
    ($($to:ty => |$x:ident, $y:ident| $made:expr;)*) => {
        $(impl From<Vec2> for $to {
            #[inline]
            fn from(Vec2 { x: $x, y: $y }: Vec2) -> Self {
                $made
            }
        })*
    };
}

vec2_into! {
    [f64; 2] => |x, y| [x, y];
    (f64, f64) => |x, y| (x, y);
    mint::Point2<f64> => |x, y| mint::Point2 { x, y };
    mint::Vector2<f64> => |x, y| mint::Vector2 { x, y };
}

impl<V: Into<Vec2>> Add<V> for Vec2 {
    type Output = Self;
    #[inline]
    fn add(self, other: V) -> Self {
        let other = other.into();
        Self { x: self.x + other.x, y: self.y + other.y }
    }
}

impl<V: Into<Vec2>> Sub<V> for Vec2 {
    type Output = Self;
    #[inline]
    fn sub(self, other: V) -> Self {
        let other = other.into();
        Self { x: self.x - other.x, y: self.y - other.y }
    }
}

impl<V: Into<Vec2>> AddAssign<V> for Vec2 {
    #[inline]
    fn add_assign(&mut self, other: V) {
        *self = *self + other;
    }
}

impl<V: Into<Vec2>> SubAssign<V> for Vec2 {
    #[inline]
    fn sub_assign(&mut self, other: V) {
        *self = *self - other;
    }
}

impl Mul<f64> for Vec2 {
    type Output = Self;
    #[inline]
    fn mul(self, by: f64) -> Self {
        Self { x: self.x * by, y: self.y * by }
    }
}

impl Neg for Vec2 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y }
    }
}

impl Vec2 {
    /// Returns the dot product, `x x' + y y'`.
    ///
    /// ```
    /// use hitmask::geometry::Vec2;
    ///
    /// assert_eq!(Vec2::from([3, 4]).dot([0, 2]), 8.0);
    /// ```
    #[inline]
    #[must_use]
    pub fn dot(self, other: impl Into<Self>) -> f64 {
        let other = other.into();
        self.x * other.x + self.y * other.y
    }

    /// Snaps both components. An error names `field` with `.x` or `.y` appended.
    #[inline(always)]
    pub(crate) fn snap(self, field: &str, limit: i32) -> Result<Point> {
        let [x, y] = [self.x, self.y].map(snap);
        if !within(x, limit) {
            return Err(outside_along(field, "x", self.x, limit));
        }
        if !within(y, limit) {
            return Err(outside_along(field, "y", self.y, limit));
        }
        Ok(Point { x: x as i32, y: y as i32 })
    }

    /// Snaps both components, and returns whether both lie within `-limit..=limit`: [`Vec2::snap`] without a branch,
    /// for bulk edits. Components outside become zero.
    #[inline(always)]
    pub(crate) fn snap_if_within(self, limit: i32) -> (Point, bool) {
        let [x, y] = [self.x, self.y].map(snap);
        let within = (x.abs() <= f64::from(limit)) & (y.abs() <= f64::from(limit));
        (if within { Point { x: low_word(x), y: low_word(y) } } else { Point::ZERO }, within)
    }
}

/// Makes the error for a component outside its limit.
#[cold]
fn outside_along(field: &str, axis: &str, v: f64, limit: i32) -> Error {
    outside(&format!("{field}.{axis}"), v, limit)
}
