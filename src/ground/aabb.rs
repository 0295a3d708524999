//! Axis-aligned boxes.

use bytemuck::{Pod, Zeroable};

use super::lattice::Point;
use super::touch::Touch;

/// An axis-aligned box of integers, from `min` to `max`.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub struct Aabb {
    /// The smallest corner.
    pub min: Point,
    /// The largest corner.
    pub max: Point,
}

impl Aabb {
    /// An empty box, which no other meets.
    pub const NOWHERE: Self = Self { min: Point::new(i32::MAX, i32::MAX), max: Point::new(i32::MIN, i32::MIN) };

    /// A box that every other meets.
    pub(crate) const EVERYWHERE: Self = Self { min: Self::NOWHERE.max, max: Self::NOWHERE.min };

    /// Returns whether the box is not empty.
    ///
    /// ```
    /// use hitmask::geometry::Aabb;
    ///
    /// assert!(!Aabb::NOWHERE.is_somewhere() && !Aabb::around(&[]).is_somewhere());
    /// ```
    #[inline]
    #[must_use]
    pub fn is_somewhere(&self) -> bool {
        self.min.x <= self.max.x
    }

    /// Returns the smallest box around some points.
    ///
    /// ```
    /// use hitmask::geometry::{Aabb, Point};
    ///
    /// let aabb = Aabb::around(&[Point::new(0, 0), Point::new(4, 2)]);
    /// assert_eq!((aabb.min, aabb.max), (Point::new(0, 0), Point::new(4, 2)));
    /// ```
    #[must_use]
    pub fn around(points: &[Point]) -> Self {
        points.iter().fold(Self::NOWHERE, |all, &p| all.join(&Self { min: p, max: p }))
    }

    /// Returns the smallest box around both boxes.
    ///
    /// ```
    /// use hitmask::geometry::{Aabb, Point};
    ///
    /// let aabb = Aabb::around(&[Point::new(0, 0), Point::new(4, 2)]);
    /// let both = aabb.join(&Aabb::around(&[Point::new(9, -3)]));
    /// assert_eq!((both.min, both.max), (Point::new(0, -3), Point::new(9, 2)));
    /// ```
    #[inline]
    #[must_use]
    pub fn join(&self, other: &Self) -> Self {
        let (a, b) = (self, other);
        Self {
            min: Point::new(a.min.x.min(b.min.x), a.min.y.min(b.min.y)),
            max: Point::new(a.max.x.max(b.max.x), a.max.y.max(b.max.y)),
        }
    }

    /// Returns the box moved by `way`.
    #[inline]
    pub(crate) fn moved(&self, way: Point) -> Self {
        Self { min: self.min + way, max: self.max + way }
    }

    /// Returns the box enlarged by `by` on each side, clamped to the range of coordinates.
    #[inline]
    pub(crate) fn grown(&self, by: i32) -> Self {
        let Self { min, max } = self;
        Self {
            min: Point::new(min.x.saturating_sub(by), min.y.saturating_sub(by)),
            max: Point::new(max.x.saturating_add(by), max.y.saturating_add(by)),
        }
    }

    /// Returns the box swept along `way`, clamped to the range of coordinates.
    #[inline]
    pub(crate) fn swept(&self, way: Point) -> Self {
        let Self { min, max } = self;
        Self {
            min: Point::new(min.x.saturating_add(way.x.min(0)), min.y.saturating_add(way.y.min(0))),
            max: Point::new(max.x.saturating_add(way.x.max(0)), max.y.saturating_add(way.y.max(0))),
        }
    }

    /// Returns the intersection of two boxes; if they have none, a box that meets neither.
    #[inline]
    pub(crate) fn common(&self, other: &Self) -> Self {
        let (a, b) = (self, other);
        Self {
            min: Point::new(a.min.x.max(b.min.x), a.min.y.max(b.min.y)),
            max: Point::new(a.max.x.min(b.max.x), a.max.y.min(b.max.y)),
        }
    }

    /// Returns the centre, with each coordinate rounded towards zero.
    ///
    /// ```
    /// use hitmask::geometry::{Aabb, Point};
    ///
    /// let aabb = Aabb::around(&[Point::new(0, -3), Point::new(4, 0)]);
    /// assert_eq!(aabb.centre(), Point::new(2, -1));
    /// ```
    #[inline]
    #[must_use]
    pub fn centre(&self) -> Point {
        Point::new(i32::midpoint(self.min.x, self.max.x), i32::midpoint(self.min.y, self.max.y))
    }

    /// Returns whether two bodies with the boxes `self` and `other` may hit. If touching counts, it is enough that the
    /// closed boxes meet.
    ///
    /// ```
    /// use hitmask::geometry::{Aabb, Point};
    /// use hitmask::Touch;
    ///
    /// let aabb = Aabb::around(&[Point::new(0, 0), Point::new(4, 2)]);
    /// let beside = Aabb::around(&[Point::new(4, 0), Point::new(8, 2)]);
    /// assert!(aabb.meets(&beside, Touch::Included) && !aabb.meets(&beside, Touch::Excluded));
    /// ```
    #[inline]
    #[must_use]
    pub fn meets(&self, other: &Self, touch: Touch) -> bool {
        let (a, b) = (self, other);
        match touch {
            Touch::Excluded => a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y,
            Touch::Included => a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y,
        }
    }

    /// Returns whether a point lies in the closed box.
    ///
    /// ```
    /// use hitmask::geometry::{Aabb, Point};
    ///
    /// let aabb = Aabb::around(&[Point::new(0, 0), Point::new(4, 2)]);
    /// assert!(aabb.holds(Point::new(4, 2)) && !aabb.holds(Point::new(5, 2)));
    /// ```
    #[must_use]
    pub fn holds(&self, p: Point) -> bool {
        self.min.x <= p.x && p.x <= self.max.x && self.min.y <= p.y && p.y <= self.max.y
    }
}
