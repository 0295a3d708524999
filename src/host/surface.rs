//! The surface of pixel art as a viewer sees it: the direction that it faces, with its stairs smoothed.
//!
//! ```text
//! normal  ~  sum over the sides of covered pixels that no other covered pixel adjoins:
//!                outward normal of the side  x  integral along it of (R^2 - r^2)^2
//! ```
//!
//! `r` is the distance from the queried place, `R` the window. By the divergence theorem the sum points against the
//! gradient of the covered area blurred by that kernel, and away from the centre of the covered area, each part
//! weighted by `R^2 - r^2`: it never jumps as the place moves. It is computed in integers, so the sides of adjoining
//! pixels cancel to the last bit. Only the division by its length is done in `f64`.
//!
//! Widths: places in the window are at most 2^14 lattice steps from its middle, the integral along a side of a run of
//! pixels below 2^76, the sum of a window's below 2^90.

use super::contact::convex::{V, length};
use super::moment::{gone, swept_pieces};
use super::runs::{Rows, common, merge};
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_COORDINATE, Point, SUBPIXELS, snap};
use crate::ground::text::Number;
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, EMPTY, OFF, Packed, SPRITE};

/// The smallest and the largest window, in units.
const WINDOWS: std::ops::RangeInclusive<f64> = 1.0..=64.0;

/// How far a body may be off a corner that it has met, in lattice steps, because positions on its way are rounded.
const GRAZE: i32 = 2;

impl World {
    /// Returns the normal of the surface of some bodies near a place, with the stairs of pixels smoothed: the unit
    /// normal of a slope as a viewer sees it. `None` if the bodies cover nothing or everything within `window` units of
    /// `at`, or if opposite sides cancel, as in the middle of a plank.
    ///
    /// It is the mean of the normals of the sides of their pixels within the window, each weighted by its length and by
    /// `(1 - r²/window²)²`, where `r` is its distance from `at`. It changes continuously with `at`, and is the same on
    /// every machine. Several bodies count as one: pass all tiles of a slope, and the joints between them have no
    /// effect.
    ///
    /// - Sprites are taken as painted in the world: turned, scaled, flipped. Convex bodies and polygons count as the
    ///   pixels that they reach into; their exact sides are those of an [`Impact`](crate::response::Impact). Segments
    ///   have no surface. Bodies stand as at the start of the step. Bodies that are switched off are ignored.
    /// - **A window of 8 units works well.** The normal is then within 0.03 of the slope as drawn on pixel ramps of
    ///   1:1, 2:3, 1:2, 1:3, 1:4 and 1:5, on discs with a radius of 8 to 32, and on planks of such slopes, three pixels
    ///   thick. With a window of 12 it is within 0.05 on any straight pixel slope with steps of up to eight. If a
    ///   sprite is scaled up, scale the window too.
    /// - Corners within the window are rounded: where a floor meets a wall, the normal turns from one to the other.
    ///
    /// [`Search::smooth_normal`](crate::query::Search::smooth_normal) picks bodies and place from what a body has hit,
    /// [`Search::smooth_ray_contact`](crate::query::Search::smooth_ray_contact) from what a ray has hit.
    ///
    /// Takes about 2 µs for a window of 8 and 20 µs for one of 64; each turned or scaled sprite adds 20 µs or 500 µs
    /// respectively. Returns [`Error::Value`](crate::Error::Value) for a window outside 1 to 64 units or a place
    /// outside the world, and [`Error::Gone`](crate::Error::Gone) for the handle of a removed body.
    ///
    /// ```
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ramp = Mask::from_fn(80, 40, |x, y| y >= 39 - x / 2)?; // it rises by a pixel every two
    /// let ramp = world.add_shape(Shape::sprite(ramp))?;
    /// let ramp = world.add(&Body::new(ramp, [0, 0]))?;
    /// let [x, y] = world.surface_normal(&[ramp], [40, 19], 8.0)?.unwrap();
    /// assert!((x - -0.447).abs() < 0.01 && (y - -0.894).abs() < 0.01); // a slope of 26.6 degrees
    /// assert_eq!(world.surface_normal(&[ramp], [60, 30], 8.0)?, None); // everything is solid there
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn surface_normal(&self, bodies: &[BodyId], at: impl Into<Vec2>, window: f64) -> Result<Option<[f64; 2]>> {
        let window = snapped_window(window)?;
        let at = at.into().snap("at", MAX_COORDINATE)?;
        let bodies = bodies.iter().map(|&id| Ok(self.packed().body(self.index_of(id)?)));
        Ok(smoothed(self.packed(), &bodies.collect::<Result<Vec<_>>>()?, at, window))
    }
}

/// Converts a window to lattice steps.
pub(crate) fn snapped_window(window: f64) -> Result<i32> {
    if WINDOWS.contains(&window) {
        return Ok(snap(window) as i32);
    }
    let limit = format!("lie between {} and {} units", WINDOWS.start(), WINDOWS.end());
    Err(Error::value("window", Number(window), limit))
}

/// Returns the box of a window around a place.
pub(crate) fn around(at: Point, window: i32) -> Aabb {
    Aabb { min: at, max: at }.grown(window)
}

/// Returns the smoothed unit normal of the surface that some bodies form around a place.
pub(crate) fn smoothed(packed: &Packed, bodies: &[Body], at: Point, window: i32) -> Option<V> {
    let near = around(at, window);
    let there = bodies.iter().filter(|body| !body.is(OFF));
    let mut all: Vec<Rows<'_>> = there.map(|body| covered(packed, body, &near)).collect();
    // Sides made by this clipping lie outside the window or on its rim.
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

/// Returns the integral of `15 (R^2 - r^2)^2` along a side at distance `aside` from the place, between two ends, within
/// the window.
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

/// Returns the pixels that a body covers.
fn covered<'a>(packed: &'a Packed, body: &'a Body, near: &Aabb) -> Rows<'a> {
    hit_by(packed, body, Point::ZERO, 0, near, Touch::Excluded)
}

/// Returns the nearby pixels that a body hits: a sprite where it stands, any other body, grown by `wide`, while it
/// moves by `came` to where it stands.
fn hit_by<'a>(packed: &'a Packed, body: &'a Body, came: Point, wide: i32, near: &Aabb, touch: Touch) -> Rows<'a> {
    if body.is(SPRITE) {
        return Rows::sprite(packed, body, touch);
    }
    let mut pieces = swept_pieces(packed, body, came, near);
    pieces.retain(|piece| !piece.is_segment);
    for piece in &mut pieces {
        piece.radius += wide;
    }
    Rows::convex(pieces, touch)
}

/// Returns the point at which a body, standing before a side with this normal, touches another: on the surface of the
/// other, in the middle of the pixels that it would hit one pixel further. `None` if it hits none.
pub(crate) fn touched(packed: &Packed, body: &Body, other: &Body, normal: V, touch: Touch) -> Option<Point> {
    // An empty body has no point.
    if body.is(EMPTY) {
        return None;
    }
    let outward = |part: f64| normal.map(|v| snap(v * part) as i32);
    // A sprite moves by whole pixels.
    let [x, y] = if body.is(SPRITE) { normal.map(|v| (v + 0.5).floor() as i32 * SUBPIXELS) } else { outward(1.0) };
    let further = -Point::new(x, y);
    let moved = gone(body, further);
    // Grazing corners are reached only on the body's actual way. A sprite that has stopped at a fraction of a pixel may
    // show one pixel farther off.
    let farther = if body.is(SPRITE) { gone(&moved, further) } else { moved };
    let tries = [(moved, 0, touch), (farther, GRAZE, Touch::Included)];
    let [x, y] = tries.iter().find_map(|(moved, wide, touch)| {
        let ours = hit_by(packed, moved, further, *wide, &other.reach().grown(GRAZE), *touch);
        middle(ours, covered(packed, other, &moved.reach().grown(GRAZE)))
    })?;
    let [out_x, out_y] = outward(0.5);
    Some(Point::new(x + out_x, y + out_y))
}

/// Returns the centre of the pixels that are in both, in lattice steps.
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
            // Twice the centres.
            sums[0] += wide * (start + end);
            sums[1] += wide * (2 * y + 1);
        }
    }
    (count > 0).then(|| sums.map(|sum| (sum * i128::from(SUBPIXELS / 2)).div_euclid(count) as i32))
}
