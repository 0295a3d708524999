//! Motion within a step, by ticks; twin of `shaders/shared/ticks.wgsl`.
//!
//! A step has 65,536 ticks. A motion `m` has come `come(m, k)` by tick `k`. A sprite is drawn at whole pixels: starting
//! at `p`, it steps to the next pixel at the ticks in which `p + come(m, k)` crosses a multiple of 256 lattice steps,
//! its *edges*:
//!
//! ```text
//!   p = 100, m = 700:       |     .     |           |           |
//!                           0    100   256         512         768    lattice steps
//!                                 p---->1---------->2---------->3-->
//!                            k =  0    14559       38526       62494    65536
//! ```
//!
//! The `D`-th is at `floor((start + 2^24 (D - 1)) / |m|) + 1`: found by quotient and remainder once, then by additions
//! in 32 bits (Bresenham, *Algorithm for Computer Control of a Digital Plotter*, 1965).

use super::lattice::Point;

/// The number of ticks in a step.
pub const TICKS: u32 = 1 << 16;

/// Returns how far a motion has come by a tick: `floor((k m + 2^15) / 2^16)`, in x and in y.
#[inline]
pub(crate) fn come(m: Point, k: u32) -> Point {
    let along = |v: i32| ((i64::from(k) * i64::from(v) + (1 << 15)) >> 16) as i32;
    Point::new(along(m.x), along(m.y))
}

/// Returns the pixel that holds a point.
#[inline]
pub(crate) fn pixel(p: Point) -> Point {
    Point::new(p.x >> 8, p.y >> 8)
}

/// Returns the offset in pixels of a sprite at `p` with the motion `m` from its start at a tick.
#[inline]
pub(crate) fn offset(p: Point, m: Point, k: u32) -> Point {
    pixel(p + come(m, k)) - pixel(p)
}

/// Divides by at most 2^26; the quotient must fit in 32 bits. Uses 32 bits if the value fits, because 64 take much
/// longer.
#[inline]
fn divide(value: u64, by: u32) -> (u32, u32) {
    match u32::try_from(value) {
        Ok(value) => (value / by, value % by),
        Err(_) => ((value / u64::from(by)) as u32, (value % u64::from(by)) as u32),
    }
}

/// Returns the first tick at which a motion of `by` lattice steps, more than 0, has come to `v`.
#[inline]
fn tick_to(v: i32, by: u32) -> u32 {
    if v <= 0 {
        return 0;
    }
    if v as u32 > by {
        return TICKS + 1;
    }
    // `(2 v - 1) 2^15 / by`, rounded up.
    let (quotient, rest) = divide((v as u64) * (1 << 16) - (1 << 15), by);
    quotient + u32::from(rest > 0)
}

/// Returns the first tick at which a motion of `by` lattice steps backward, more than 0, has come below `v`.
#[inline]
fn tick_below(v: i32, by: u32) -> u32 {
    if v > 0 {
        return 0;
    }
    let v = v.unsigned_abs();
    if v >= by {
        return TICKS + 1;
    }
    // `(2 v + 1) 2^15 / by`, rounded down, plus 1.
    divide(u64::from(v) * (1 << 16) + (1 << 15), by).0 + 1
}

/// Returns the ticks at which a motion along one axis has come at least `least` and at most `most` lattice steps, as a
/// half-open range: empty if it never has.
#[inline]
pub(crate) fn ticks_within(m: i32, least: i32, most: i32) -> [u32; 2] {
    let (behind, by) = (most.saturating_add(1), m.unsigned_abs());
    match m.signum() {
        0 => [0, if least <= 0 && 0 <= most { TICKS + 1 } else { 0 }],
        1 => [least, behind].map(|v| tick_to(v, by)),
        _ => [behind, least].map(|v| tick_below(v, by)),
    }
}

/// How far two sprites may stray from the straight way to each other, in lattice steps: a pixel less a step each, and
/// one for the rounding of motions.
pub(crate) const SPRITES_STRAY: i32 = 2 * 255 + 1;

/// How far a sprite may stray from the straight way to a convex body, in lattice steps: a pixel less a step, a pixel
/// between two steps of one tick, and two steps for the rounding of motions.
pub(crate) const MIXED_STRAY: i32 = 255 + 256 + 2;

/// Returns the tick before the first at which a motion has come at least `least` and at most `most` lattice steps, in x
/// and in y, and the tick after the last; `None` if it never has.
#[inline]
pub(crate) fn ticks_near(motion: Point, least: Point, most: Point) -> Option<[u32; 2]> {
    let x = ticks_within(motion.x, least.x, most.x);
    let y = ticks_within(motion.y, least.y, most.y);
    let (first, end) = (x[0].max(y[0]), x[1].min(y[1]));
    (first < end).then(|| [first.saturating_sub(1), end])
}

/// The edges of a sprite along one axis, after some tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edges {
    /// The tick of the next edge; beyond [`TICKS`] if there is none.
    pub(crate) next: u32,
    /// The direction of the step: -1, 0 or 1.
    pub(crate) sign: i32,
    /// The remainder of the division that gave `next`.
    rest: u32,
    /// `2^24 / |m|`.
    quotient: u32,
    remainder: u32,
    /// `|m|`.
    by: u32,
}

impl Edges {
    /// Returns the edges of a sprite at `p` with the motion `m` along one axis after tick `k`, and the tick of the last
    /// edge before, 0 if there is none.
    #[inline]
    pub(crate) fn behind(p: i32, m: i32, k: u32) -> (Self, u32) {
        let by = m.unsigned_abs();
        if by == 0 {
            return (Self { next: TICKS + 1, sign: 0, rest: 0, quotient: 0, remainder: 0, by }, 0);
        }
        let done = offset(Point::new(p, 0), Point::new(m, 0), k).x.unsigned_abs();
        let phase = (p & 255) as u32;
        let start = if m > 0 { (1 << 24) - (phase << 16) - (1 << 15) - 1 } else { (phase << 16) + (1 << 15) };
        let (before, rest) = divide(u64::from(start) + (u64::from(done) << 24), by);
        let (quotient, remainder) = divide(1 << 24, by);
        let last = if done > 0 { before - quotient - u32::from(rest < remainder) + 1 } else { 0 };
        (Self { next: before + 1, sign: m.signum(), rest, quotient, remainder, by }, last)
    }

    /// Advances to the edge after the next.
    #[inline]
    fn pass(&mut self) {
        self.next += self.quotient;
        self.rest += self.remainder;
        if self.rest >= self.by {
            self.rest -= self.by;
            self.next += 1;
        }
    }

    /// Returns the step of the sprite at a tick, which is not after the next edge: -1, 0 or 1 pixels.
    #[inline]
    fn cross(&mut self, tick: u32) -> i32 {
        if self.next != tick {
            return 0;
        }
        self.pass();
        self.sign
    }
}

/// The way of a sprite within a step, from some tick on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    /// The tick of the last edge.
    pub(crate) tick: u32,
    /// The offset from its start, in pixels.
    pub(crate) at: Point,
    x: Edges,
    y: Edges,
}

impl Walk {
    /// Makes the walk of a sprite at `p` with the motion `m`, as it stands at tick `k`.
    #[inline]
    pub(crate) fn from(p: Point, m: Point, k: u32) -> Self {
        let ((x, last_x), (y, last_y)) = (Edges::behind(p.x, m.x, k), Edges::behind(p.y, m.y, k));
        Self { tick: last_x.max(last_y), at: offset(p, m, k), x, y }
    }

    /// Returns the tick of the next edge; beyond [`TICKS`] if there is none.
    #[inline]
    pub(crate) fn next(&self) -> u32 {
        self.x.next.min(self.y.next)
    }

    /// Advances to a tick, which is not after the next edge, and returns the step in pixels.
    #[inline]
    pub(crate) fn cross(&mut self, tick: u32) -> Point {
        let by = Point::new(self.x.cross(tick), self.y.cross(tick));
        if by != Point::ZERO {
            self.tick = tick;
            self.at = self.at + by;
        }
        by
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOTIONS: [i32; 13] = [0, 1, -1, 3, 102, -255, 256, -700, 4000, -65_537, 1 << 20, (1 << 24) - 1, -(1 << 24)];

    /// Finds edges tick by tick, by the definition.
    #[test]
    fn a_walk_is_the_offset_at_each_tick() {
        for m in MOTIONS {
            for p in [0, 1, 100, 127, 128, 255, -1, -300, 77_777] {
                let (p, m) = (Point::new(p, -p), Point::new(m, m / 3));
                let mut walk = Walk::from(p, m, 0);
                let mut last = 0;
                for k in 0..=TICKS {
                    if walk.next() == k {
                        walk.cross(k);
                        last = k;
                    }
                    assert_eq!((walk.at, walk.tick), (offset(p, m, k), last), "{p:?} + {m:?} at {k}");
                    if k % 4093 == 0 {
                        let from = Walk::from(p, m, k);
                        let state = |walk: Walk| (walk.at, walk.tick, walk.x, walk.y);
                        assert_eq!(state(from), state(walk), "{p:?} + {m:?} from {k}");
                    }
                }
                assert!(walk.next() > TICKS);
            }
        }
    }

    #[test]
    fn a_window_is_when_a_motion_is_within() {
        for m in MOTIONS {
            for (least, most) in
                [(0, 0), (-5, 5), (1, 300), (-90_000, -3), (400, 399), (i32::MIN, i32::MAX), (9, 1 << 24)]
            {
                let [first, end] = ticks_within(m, least, most);
                let within = |k: u32| (least..=most).contains(&come(Point::new(m, 0), k).x);
                for k in (0..=TICKS).step_by(61).chain([first, end, first.wrapping_sub(1), end.wrapping_sub(1)]) {
                    assert!(k > TICKS || within(k) == (first..end).contains(&k), "{m} within {least}..={most} at {k}");
                }
            }
        }
    }
}
