//! Brackets in `f64` on the tick at which a ray hits something, a few ticks wide. The exact predicate is needed only
//! inside the bracket.
//!
//! At tick `k` the end of a ray is the lattice point nearest to `k / 65536` of its path, less than a lattice step from
//! there. So the segment travelled so far is within a step of the exact path. The ray does not hit anything that the
//! exact path keeps more than a step away from; it does hit anything that the path enters by a step.
//!
//! ```text
//!        a step outside    a step inside
//!   ------------|----(   body ...
//!     no hit    | test  |  hit
//! ```

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::ticks::TICKS;
use crate::ground::touch::Touch;

/// The centre line of a ray.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) from: Point,
    pub(super) way: Point,
    /// Ticks per lattice step, in x and in y; infinite along an axis without motion.
    ticks: [f64; 2],
}

/// A bracket on the tick of a hit: certainly no hit before `from`, certainly one from `sure` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    pub(super) from: f64,
    pub(super) sure: f64,
}

impl Span {
    /// Nothing is certain.
    pub(super) const UNKNOWN: Self = Self { from: 0.0, sure: f64::INFINITY };
    /// Certainly no hit.
    pub(super) const NEVER: Self = Self { from: f64::INFINITY, sure: f64::INFINITY };

    /// Returns the span of the union of both obstacles.
    pub(super) fn or(self, other: Self) -> Self {
        Self { from: self.from.min(other.from), sure: self.sure.min(other.sure) }
    }

    /// Returns the tick that the contract's bisection finds. Calls `meets_by` only for ticks at which nothing is
    /// certain.
    #[inline(always)]
    pub(super) fn first_tick(self, meets_by: impl Fn(u32) -> bool) -> Option<u32> {
        let whole = f64::from(TICKS);
        if self.from > whole || (self.sure > whole && !meets_by(TICKS)) {
            return None;
        }
        if self.sure <= 0.0 || (self.from <= 0.0 && meets_by(0)) {
            return Some(0);
        }
        // No hit at `low`, a hit at `high`.
        let (mut low, mut high) = ((self.from.ceil() as u32).max(1) - 1, self.sure.min(whole).ceil() as u32);
        if high - low > 1 {
            // Of the ticks in between, the contract's bisection first tests the one that the highest power of two,
            // `step`, divides. It goes on in the interval of that length before or after it.
            let step = 1 << ((high - 1) ^ low).ilog2();
            let middle = (high - 1) & !(step - 1);
            let asked = |k: u32| f64::from(k) >= self.sure || (f64::from(k) >= self.from && meets_by(k));
            (low, high) = if asked(middle) { (middle - step, middle) } else { (middle, middle + step) };
            while high - low > 1 {
                let middle = u32::midpoint(low, high);
                if asked(middle) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
        }
        Some(high)
    }
}

impl Line {
    #[inline(always)]
    pub(super) fn new(from: Point, way: Point) -> Self {
        Self { from, way, ticks: [way.x, way.y].map(|way| f64::from(TICKS) / f64::from(way)) }
    }

    /// Returns whether the line hits a box: neither an axis nor the line's own direction separates the two.
    #[inline(always)]
    pub(super) fn crosses(&self, Aabb { min, max }: &Aabb, touch: Touch) -> bool {
        let open = i64::from(touch == Touch::Excluded);
        let [x, y, dx, dy] = [self.from.x, self.from.y, self.way.x, self.way.y].map(i64::from);
        let [left, right, top, bottom] = [min.x, max.x, min.y, max.y].map(i64::from);
        // The least overlap of the line's bounds with the box, over its four sides, in lattice steps.
        let over =
            (x.max(x + dx) - left).min(right - x.min(x + dx)).min(y.max(y + dy) - top).min(bottom - y.min(y + dy));
        // The corners farthest to either side of the line; below 2^61.
        let aside = |x_at: i64, y_at: i64| dx * (y_at - y) - dy * (x_at - x);
        let (a, b) = (aside(left, top), aside(right, bottom));
        let (c, d) = (aside(left, bottom), aside(right, top));
        let (least, most) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
        over >= open && ((least <= -open && most >= open) || (dx == 0 && dy == 0))
    }

    /// Returns the span of a box inflated by a radius.
    #[inline(always)]
    pub(super) fn box_span(&self, bounds: &Aabb, radius: i32) -> Span {
        // With a radius, the box itself lies at least a step inside the inflated box.
        let inside = if radius > 0 { 0 } else { -1 };
        let enter = |by: i32| self.enter(bounds, by).unwrap_or(f64::INFINITY);
        Span { from: enter(radius + 1), sure: enter(inside) }
    }

    /// Returns the span of an unknown shape within `bounds`, inflated by a radius.
    pub(super) fn bounds_span(&self, bounds: &Aabb, radius: i32) -> Span {
        Span { from: self.enter(bounds, radius + 1).unwrap_or(f64::INFINITY), ..Span::NEVER }
    }

    /// Returns the tick, as a fraction, at which the line enters a box grown by `by` lattice steps on each side.
    #[inline(always)]
    fn enter(&self, Aabb { min, max }: &Aabb, by: i32) -> Option<f64> {
        let along = |from: i32, way: i32, ticks: f64, min: i32, max: i32| {
            let ticks = |v: i64| (v - i64::from(from)) as f64 * ticks;
            let (min, max) = (i64::from(min) - i64::from(by), i64::from(max) + i64::from(by));
            match way {
                0 if (min..=max).contains(&i64::from(from)) => (f64::NEG_INFINITY, f64::INFINITY),
                0 => (f64::INFINITY, f64::NEG_INFINITY),
                1.. => (ticks(min), ticks(max)),
                _ => (ticks(max), ticks(min)),
            }
        };
        let x = along(self.from.x, self.way.x, self.ticks[0], min.x, max.x);
        let y = along(self.from.y, self.way.y, self.ticks[1], min.y, max.y);
        let (enter, leave) = (x.0.max(y.0).max(0.0), x.1.min(y.1).min(f64::from(TICKS)));
        (enter <= leave).then_some(enter)
    }

    /// Returns the span of a disc, computed from the foot of its centre on the line.
    pub(super) fn disc_span(&self, centre: Point, radius: i32) -> Span {
        let Point { x, y } = centre - self.from;
        let [x, y, way_x, way_y] = [x, y, self.way.x, self.way.y].map(i64::from);
        let length = f64::hypot(way_x as f64, way_y as f64);
        if length == 0.0 {
            return Span::UNKNOWN;
        }
        // Below 2^61: exact before the division.
        let along = (x * way_x + y * way_y) as f64 / length;
        let aside = (x * way_y - y * way_x).abs() as f64 / length;
        let enter = |radius: f64| {
            if aside > radius {
                return f64::INFINITY;
            }
            let half = ((radius - aside) * (radius + aside)).sqrt();
            let (enter, leave) = ((along - half).max(0.0), (along + half).min(length));
            if enter <= leave { enter * f64::from(TICKS) / length } else { f64::INFINITY }
        };
        let radius = f64::from(radius);
        Span { from: enter(radius + 1.0), sure: enter(radius - 1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::predicate::{Core, apart, first_tick};
    use crate::ground::ticks::come;
    use hitmask_workbench::workloads::SplitMix64;

    /// Checks that `first_tick` equals plain bisection, whatever the predicate answers inside the bracket.
    #[test]
    fn a_tick_is_that_of_bisection() {
        let mut random = SplitMix64(5);
        for round in 0..200_000 {
            let from = f64::from(random.below(TICKS + 3)) + f64::from(random.below(3)) / 2.0 - 1.0;
            let wide = [3, 40, TICKS][round % 3];
            let sure = if round % 7 == 0 { f64::INFINITY } else { from + f64::from(random.below(wide)) / 2.0 };
            let span = if round % 100 == 0 { Span::UNKNOWN } else { Span { from, sure } };
            let noise = u64::from(random.below(u32::MAX));
            let met = |k: u32| (u64::from(k) + 1).wrapping_mul(noise | 1) >> 7 & 1 == 1;
            let asked = |k: u32| f64::from(k) >= span.sure || (f64::from(k) >= span.from && met(k));
            assert_eq!(span.first_tick(met), first_tick(0, TICKS, asked), "{span:?}");
        }
    }

    /// Checks that what a span calls certain agrees with the exact predicate.
    #[test]
    fn what_is_certain_is_true() {
        let mut random = SplitMix64(12);
        let (mut seen, mut crossed) = ([0; 3], [0; 2]);
        for round in 0..20_000 {
            let side = [6, 40, 3_000, 1 << 20, 1 << 27][round % 5];
            let mut draw = |n: i32| random.below(2 * n as u32 + 1) as i32 - n;
            let from = Point::new(draw(side), draw(side));
            let line = Line::new(from, Point::new(draw(side), draw(side)));
            let (min, radius) = (Point::new(draw(side), draw(side)), draw(side / 2).abs());
            let bounds = Aabb { min, max: min + Point::new(1 + draw(side).abs(), 1 + draw(side).abs()) };
            let disc = radius.clamp(1, 1 << 22);
            let thick = if round % 2 == 0 { 0 } else { disc };
            let k = (draw(32_768) + 32_768) as u32;
            let way = come(line.way, k);
            let meets = |core: Core<'_>, radius: i32, touch: Touch| {
                apart(Core::Hull(&[from]), core, way, radius, touch).is_none()
            };
            for touch in [Touch::Excluded, Touch::Included] {
                let crosses = Line::new(from, way).crosses(&bounds, touch);
                assert_eq!(crosses, meets(Core::Square(bounds), 0, touch), "{from:?} {way:?} {bounds:?} {touch:?}");
                crossed[usize::from(crosses)] += 1;
                let answers = [
                    (line.box_span(&bounds, thick), meets(Core::Square(bounds), thick, touch)),
                    (line.disc_span(min, disc), meets(Core::Hull(&[min]), disc, touch)),
                ];
                for (span, met) in answers {
                    let tick = f64::from(k);
                    assert!(!met || tick >= span.from, "{line:?} {bounds:?} {disc} at {k}: {span:?}");
                    assert!(met || tick < span.sure, "{line:?} {bounds:?} {disc} at {k}: {span:?}");
                    seen[if tick >= span.sure { 0 } else { usize::from(tick >= span.from) + 1 }] += 1;
                }
            }
        }
        assert!(seen.iter().chain(&crossed).all(|&count| count > 1_000), "{seen:?} {crossed:?}");
    }
}
