//! The shortest way out of a hit along one axis, exact: in lattice steps, or with a sprite in whole pixels.
//!
//! ```text
//! for both directions: by = 0
//!     while some parts of a, moved by `by`, hit some of b:
//!         by = where these are past each other
//! ```

use super::Painted;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::host::near::{Near, Trial};
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, EMPTY, OFF, Packed};
use crate::world::pose::land::Piece;

/// How far both directions are followed at first, in pixels or lattice steps.
const NEAR: i32 = 64;

/// An axis of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Axis {
    /// The horizontal axis.
    X,
    /// The vertical axis.
    Y,
}

impl Axis {
    /// Returns a vector along the axis.
    fn by(self, length: i32) -> Point {
        match self {
            Self::X => Point::new(length, 0),
            Self::Y => Point::new(0, length),
        }
    }

    /// Returns the coordinate of a point on the axis.
    fn of(self, p: Point) -> i32 {
        match self {
            Self::X => p.x,
            Self::Y => p.y,
        }
    }

    /// Returns the box of all places from which a box is reached along the axis.
    fn band(self, Aabb { min, max }: &Aabb) -> Aabb {
        let Aabb { min: first, max: last } = Aabb::EVERYWHERE;
        match self {
            Self::X => Aabb { min: Point::new(first.x, min.y), max: Point::new(last.x, max.y) },
            Self::Y => Aabb { min: Point::new(min.x, first.y), max: Point::new(max.x, last.y) },
        }
    }
}

impl World {
    /// Returns the shortest translation along an axis that takes body `a` out of body `b`, in units, or `None` if they
    /// do not hit. Push-boxes of fighting games and platforms push out in this way.
    ///
    /// - Moved by it, `a` does not hit `b`, by the world's touch rule; moved along the axis by less, either way, it
    ///   does. Of two equally long ways, it is the one to the left, or upward. It is a whole number of lattice steps,
    ///   or with a sprite in the pair, of pixels.
    /// - Both bodies stand as at the start of the step. Layers, masks and groups are ignored. Bodies that are switched
    ///   off, or empty, hit nothing, and no body hits itself.
    /// - [`World::contact`] returns the shortest way out in any direction.
    ///
    /// Slow, up to some tenths of a second, for a large sprite that lies in a polygon of thousands of vertices.
    ///
    /// Returns [`Error::Gone`](crate::Error::Gone) for the handle of a removed body.
    ///
    /// ```
    /// use hitmask::response::Axis;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(10.0, 10.0)?)?;
    /// let a = world.add(&Body::new(tile, [0, 0]))?;
    /// let b = world.add(&Body::new(tile, [4, 9]))?;
    /// assert_eq!(world.push_along(a, b, Axis::X)?, Some([-6, 0].into()));
    /// assert_eq!(world.push_along(a, b, Axis::Y)?, Some([0, -1].into()));
    /// world.set(a, &Body::new(tile, [-6, 0]))?;
    /// assert_eq!(world.push_along(a, b, Axis::X)?, None);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn push_along(&self, a: BodyId, b: BodyId, axis: Axis) -> Result<Option<Vec2>> {
        let bodies = [self.standing(a)?, self.standing(b)?];
        if a == b || bodies.iter().any(|body| body.is(EMPTY) || body.is(OFF)) {
            return Ok(None);
        }
        let (packed, touch) = (self.packed(), self.touch());
        // Pixels that touch are neighbours, hence one pixel more.
        let near = |reach: &Aabb| axis.band(&reach.grown(SUBPIXELS));
        let push = if let Some(mut painted) = Painted::new(packed, &bodies, Point::ZERO, near, touch) {
            shortest(|direction, most| painted.out(axis, direction, most)) * SUBPIXELS
        } else {
            let pair = Pair { packed, bodies: &bodies, axis, touch };
            shortest(|direction, most| pair.out(direction, most))
        };
        Ok((push != 0).then(|| axis.by(push).units().into()))
    }
}

/// Returns the shorter of the ways in directions -1 and 1. `out` returns the length of the way in a direction, or if
/// that is at least a given number, any number from that one up to the length.
fn shortest(mut out: impl FnMut(i32, i32) -> i32) -> i32 {
    // No direction is followed much farther than the shorter way is long.
    let mut most = NEAR;
    loop {
        let back = out(-1, most);
        let forth = out(1, back.min(most));
        if back.min(forth) < most {
            return if forth < back { forth } else { -back };
        }
        most = most.saturating_mul(4).max(back.min(forth).saturating_add(1));
    }
}

impl Painted<'_> {
    /// Returns how many pixels the first body must move in a direction along an axis to be clear of the second;
    /// `most` or more if that is more.
    fn out(&mut self, axis: Axis, direction: i32, most: i32) -> i32 {
        let direction = direction * self.sense;
        let (ours, theirs) = (self.facing.sprite.pixels(), self.facing.other.pixels());
        let mut hint = i32::midpoint(ours.min.y.max(theirs.min.y), ours.max.y.min(theirs.max.y));
        let mut by = 0;
        while by < most {
            let at = axis.by(by * direction);
            let Some((run, met)) = self.facing.blocker(at, &mut hint) else { break };
            by = match (axis, direction) {
                (Axis::X, 1) => met[1] - run[0],
                (Axis::X, _) => run[1] - met[0],
                (Axis::Y, _) => by + 1,
            };
        }
        by
    }
}

/// Two bodies without pixels, at rest.
struct Pair<'a> {
    packed: &'a Packed,
    bodies: &'a [Body; 2],
    axis: Axis,
    touch: Touch,
}

impl Pair<'_> {
    /// Returns how many lattice steps the first body must move in a direction along the axis to be clear of the second;
    /// `most` or more if that is more.
    fn out(&self, direction: i32, most: i32) -> i32 {
        let [a, b] = self.bodies;
        let (mut by, mut last) = (0, -1);
        while by != last && by < most {
            last = by;
            let way = |by: i32| self.axis.by(by * direction);
            let ours = Near::new(self.packed, a, &b.reach().moved(-way(by)));
            for piece in &ours.pieces {
                let theirs = Near::new(self.packed, b, &piece.bounds().moved(way(by)));
                for other in &theirs.pieces {
                    by = self.past(&mut Trial::new([&ours, &theirs], self.touch), [piece, other], by, direction);
                }
            }
        }
        by
    }

    /// Returns how many lattice steps, at least `by`, a piece of the first body must move in a direction to be clear of
    /// one of the second. Those by which they hit are contiguous, as both are convex.
    fn past(&self, trial: &mut Trial<'_>, [a, b]: [&Piece; 2], by: i32, direction: i32) -> i32 {
        let mut hits = |by: i32| trial.hits(a, b, self.axis.by(by * direction), Point::ZERO);
        if !hits(by) {
            return by;
        }
        let (ours, theirs) = (a.bounds(), b.bounds());
        let (front, back) = if direction > 0 { (&theirs, &ours) } else { (&ours, &theirs) };
        // One step more, because touching may be a hit.
        let (mut low, mut high) = (by, self.axis.of(front.max) - self.axis.of(back.min) + 1);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            if hits(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn of_two_ways_the_shorter_counts_and_back_of_two_as_long() {
        let shortest = |back: i32, forth: i32| super::shortest(|direction, _| if direction < 0 { back } else { forth });
        assert_eq!([shortest(3, 2), shortest(2, 3), shortest(3, 3), shortest(0, 0)], [2, -2, -3, 0]);
        assert_eq!([shortest(300, 200), shortest(64, 65), shortest(64, 64), shortest(70_000, 65)], [200, -64, -64, 65]);
        assert_eq!([shortest(i32::MAX - 1, i32::MAX), shortest(i32::MAX, 5000)], [1 - i32::MAX, 5000]);
    }

    #[test]
    fn no_way_is_followed_much_farther_than_the_shorter_one_is_long() {
        for (back, forth) in [(1_000_000, 3), (3, 1_000_000), (1_000_000, 900), (900, 1_000_000)] {
            let mut steps = 0;
            super::shortest(|direction, most| {
                let length = if direction < 0 { back } else { forth }.min(most);
                steps += length;
                length
            });
            assert!(steps <= 12 * back.min(forth).max(super::NEAR), "{back}, {forth}: {steps} steps");
        }
    }
}
