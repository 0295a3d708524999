//! The surface of pixels as one looks at it: which way it faces, its stairs smoothed.
//!
//! ```text
//! normal  ~  sum over the sides of covered pixels that no other covered pixel adjoins:
//!                outward normal of the side  x  integral along it of (R^2 - r^2)^2
//! ```
//!
//! `r` is the distance from the place that is asked about, `R` the window. By the divergence theorem the sum leads
//! against the gradient of the covered area blurred by that kernel, and away from the centre of the covered area, each
//! part weighted by `R^2 - r^2`: it has no jump where the place moves. It is computed in integers, so that sides at
//! which pixels adjoin cancel to the last bit. Only its length is divided out in `f64`.
//!
//! Widths: places in the window are at most 2^14 lattice steps from its middle, the integral along a side of a run of
//! pixels below 2^76, the sum of a window's below 2^90.

use super::contact::common;
use super::contact::convex::{V, length};
use super::moment::{gone, swept};
use super::runs::{Rows, merge};
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{Point, SUBPIXELS, WORLD, fix};
use crate::ground::text::Number;
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, EMPTY, OFF, Packed, SPRITE};

/// The least and the largest window, in units.
const WINDOWS: std::ops::RangeInclusive<f64> = 1.0..=64.0;

/// How far a body may be aside of a corner that it has met, in lattice steps: places on a way are rounded.
const GRAZE: i32 = 2;

impl World {
    /// Returns which way the surface of bodies faces about a place, its stairs of pixels smoothed: the unit normal of
    /// a slope as one looks at it. `None` where they cover nothing or everything within `window` units of `at`, and
    /// where opposite sides cancel, as in the middle of a plank.
    ///
    /// It is the mean of the sides of their pixels within the window, each weighted by its length and by
    /// `(1 - r²/window²)²`, where `r` is its distance from `at`: it turns steadily as `at` moves, and it is the same on
    /// every machine. Several bodies are seen as one: list all tiles of a slope, and their joints do not count.
    ///
    /// - Sprites are seen as they are painted in the world: turned, scaled, flipped. Convex bodies and polygons count
    ///   as the pixels that they reach into; their exact sides are those of an [`Impact`](crate::response::Impact).
    ///   Bodies stand where they are at the start of the step. A body that is switched off is not there.
    /// - **A window of 8 units is a good one.** On ramps of pixels of 1:1, 2:3, 1:2, 1:3, 1:4 and 1:5, and on discs of
    ///   a radius of 8 to 32, the normal is then within 0.03 of what they look like, and on planks of such slopes,
    ///   three pixels thick. With a window of 12 it is within 0.05 on any straight slope of pixels with steps of up to
    ///   eight. Where a sprite is scaled up, scale the window.
    /// - Corners within the window are rounded: where a floor meets a wall, the normal turns from one to the other.
    ///
    /// [`Search::smooth_normal`](crate::query::Search::smooth_normal) finds bodies and place for what a body has hit,
    /// [`Search::smooth_ray_contact`](crate::query::Search::smooth_ray_contact) for what a ray has.
    ///
    /// Takes about 2 µs for a window of 8, 20 µs for one of 64, and for each sprite that is turned or scaled 20 µs or
    /// 500 µs. An [`Error::Value`](crate::Error::Value) for a window that is not 1 to 64 units, or a place outside the
    /// world; an [`Error::Gone`](crate::Error::Gone) for a handle of a body that is gone.
    ///
    /// ```
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ramp = Mask::from_fn(80, 40, |x, y| y >= 39 - x / 2)?; // it rises by a pixel every two
    /// let ramp = world.add_shape(Shape::sprite(ramp))?;
    /// let ramp = world.add(&Body::new(ramp, [0, 0]))?;
    /// let [x, y] = world.surface_normal(&[ramp], [40, 19], 8.0)?.unwrap();
    /// assert!((x - -0.447).abs() < 0.01 && (y - -0.894).abs() < 0.01); // that of 26.6 degrees
    /// assert_eq!(world.surface_normal(&[ramp], [60, 30], 8.0)?, None); // all is solid there
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn surface_normal(&self, bodies: &[BodyId], at: impl Into<Vec2>, window: f64) -> Result<Option<[f64; 2]>> {
        let window = snapped_window(window)?;
        let at = at.into().snap("at", WORLD)?;
        let bodies = bodies.iter().map(|&id| Ok(self.packed().body(self.index_of(id)?)));
        Ok(smoothed(self.packed(), &bodies.collect::<Result<Vec<_>>>()?, at, window))
    }
}

/// A window in lattice steps.
pub(crate) fn snapped_window(window: f64) -> Result<i32> {
    if WINDOWS.contains(&window) {
        return Ok(fix(window) as i32);
    }
    let limit = format!("lie within {} and {} units", WINDOWS.start(), WINDOWS.end());
    Err(Error::value("window", Number(window), limit))
}

/// All that lies in a window about a place.
pub(crate) fn around(at: Point, window: i32) -> Aabb {
    Aabb { min: at, max: at }.grown(window)
}

/// Which way the surface of all that some bodies cover faces about a place, within a window.
pub(crate) fn smoothed(packed: &Packed, bodies: &[Body], at: Point, window: i32) -> Option<V> {
    let near = around(at, window);
    let there = bodies.iter().filter(|body| !body.is(OFF));
    let mut all: Vec<Rows<'_>> = there.map(|body| covered(packed, body, &near)).collect();
    // What is cut off by these has its ends outside the window, or at its rim.
    for rows in &mut all {
        rows.clip([near.min.x >> 8, (near.max.x >> 8) + 1]);
    }
    let mut sum = [0, 0];
    for y in near.min.y >> 8..=near.max.y >> 8 {
        let ends = [y, y + 1].map(|y| i64::from((y << 8) - at.y));
        for run in merge(all.iter_mut().flat_map(|rows| rows.row(y).to_vec()).collect()) {
            let sides = run.map(|x| i64::from((x << 8) - at.x));
            sum[0] += weight(sides[1], ends, window) - weight(sides[0], ends, window);
            sum[1] += weight(ends[1], sides, window) - weight(ends[0], sides, window);
        }
    }
    let sum = sum.map(|v| v as f64);
    (sum != [0.0; 2]).then(|| sum.map(|v| v / length(sum)))
}

/// The integral of `15 (R^2 - r^2)^2` along a side that lies so far from the place, between two ends, within the
/// window.
fn weight(aside: i64, ends: [i64; 2], window: i32) -> i128 {
    let left = i64::from(window).pow(2) - aside.pow(2);
    if left <= 0 {
        return 0;
    }
    // Up to the rim; where that is rounded, the weight is almost 0.
    let rim = left.isqrt();
    let left = i128::from(left);
    let [from, to] = ends.map(|end| {
        let t = i128::from(end.clamp(-rim, rim));
        t * (15 * left * left + t * t * (3 * t * t - 10 * left))
    });
    to - from
}

/// The pixels that a body covers.
fn covered<'a>(packed: &'a Packed, body: &'a Body, near: &Aabb) -> Rows<'a> {
    hit_by(packed, body, Point::ZERO, near, Touch::Excluded)
}

/// The pixels near by that a body hits: of a sprite where it stands, else where it came by `came` to where it stands.
fn hit_by<'a>(packed: &'a Packed, body: &'a Body, came: Point, near: &Aabb, touch: Touch) -> Rows<'a> {
    if body.is(SPRITE) { Rows::sprite(packed, body, touch) } else { swept(packed, body, came, near, touch) }
}

/// Where a body, as it stands before a side with this normal, touches another: on the surface of the other, in the
/// middle of the pixels that it hits where it goes a pixel further. `None` where it hits none.
pub(crate) fn touched(packed: &Packed, body: &Body, other: &Body, normal: V, touch: Touch) -> Option<Point> {
    // An empty one is no point.
    if body.is(EMPTY) {
        return None;
    }
    let outward = |part: f64| normal.map(|v| fix(v * part) as i32);
    // A sprite goes by whole pixels.
    let [x, y] = if body.is(SPRITE) { normal.map(|v| (v + 0.5).floor() as i32 * SUBPIXELS) } else { outward(1.0) };
    let further = -Point::new(x, y);
    let moved = gone(body, further);
    // Corners that graze each other are come to only on the way that the body had. A sprite that has stopped with a
    // fraction of a pixel may show a pixel farther off.
    let farther = if body.is(SPRITE) { gone(&moved, further) } else { Body { radius: moved.radius + GRAZE, ..moved } };
    let [x, y] = [(moved, touch), (farther, Touch::Included)].iter().find_map(|(moved, touch)| {
        let ours = hit_by(packed, moved, further, &other.reach().grown(GRAZE), *touch);
        middle(ours, covered(packed, other, &moved.reach().grown(GRAZE)))
    })?;
    let [out_x, out_y] = outward(0.5);
    Some(Point::new(x + out_x, y + out_y))
}

/// The middle of the pixels that are in both, in lattice steps.
fn middle(mut a: Rows<'_>, mut b: Rows<'_>) -> Option<[i32; 2]> {
    let pixels = a.pixels().common(&b.pixels());
    let columns = [pixels.min.x, pixels.max.x];
    a.clip(columns);
    b.clip(columns);
    let (mut count, mut sums) = (0, [0, 0]);
    for y in pixels.min.y..pixels.max.y {
        for [start, end] in common(a.row(y), b.row(y)) {
            let [wide, start, end, y] = [end - start, start, end, y].map(i128::from);
            count += wide;
            // Twice the middles.
            sums[0] += wide * (start + end);
            sums[1] += wide * (2 * y + 1);
        }
    }
    (count > 0).then(|| sums.map(|sum| (sum * i128::from(SUBPIXELS / 2)).div_euclid(count) as i32))
}
