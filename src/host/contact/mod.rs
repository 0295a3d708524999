//! The shortest way out of a hit, and the overlap as a mask: on the host, from the integers, after any engine.
//!
//! ```text
//! put both where they stand at the tick of the hit
//! convex and polygon: the translations by which A hits are a union of inflated convex polygons; the origin is in it;
//!                     the way out is to the nearest point of its boundary            (`convex`, `union`)
//!                     and from there to a point of the lattice that is free          (`push`)
//! with a sprite:      rows of pixel runs against rows of pixel runs, offset by offset, jumping whole runs   (`pixels`)
//! ```
//!
//! `f64` decides the way: addition, multiplication, division and square roots of integers below 2^53, which IEEE 754
//! rounds alike everywhere. No engine computes it, so engines cannot differ. That a push ends the hit, the exact
//! predicate decides.

mod boundary;
mod bounds;
mod cell;
pub(crate) mod convex;
mod pixels;
mod push;
mod search;
mod sets;
#[cfg(test)]
mod tests;
mod tree;
mod union;
mod view;

use super::moment::{Moment, swept};
use crate::bits::MAX_SIDE;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::ticks::come;
use crate::ground::touch::Touch;
use crate::hits::{Detail, Overlap};
use crate::world::World;
use crate::world::mask::Mask;
use crate::world::packed::{Body, EMPTY, Packed, SPRITE};
use crate::world::pose::land;

use super::runs::{Rows, Run};
use push::Pieces;

/// The shortest way out of a hit, as both stand at its tick: moving the first body of the pair by `normal * depth`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// The direction in which the first body leaves the second, of length 1 (y down, where the screen is).
    pub normal: [f64; 2],
    /// How far, in units. 0 where the two only touch.
    pub depth: f64,
    /// The same in whole lattice steps: moved by it from where it stands at the tick of the hit, the first body does
    /// not hit the second any more.
    pub push: Point,
}

impl Contact {
    /// No way to go; up, where there is no better direction.
    const NONE: Self = Self { normal: [0.0, -1.0], depth: 0.0, push: Point::ZERO };
}

/// The shortest way out for body `pair[0]` of its hit with `pair[1]`, where `detail` is what an engine said of the
/// pair.
///
/// - Two bodies without pixels: exact but for the rounding of `f64`. `normal` is that of the nearest edge, corner or
///   arc. A polygon of several pieces is left as a whole, with a tolerance of a millionth of a unit. Where touch
///   counts, it is the limit: a body moved so far touches, any farther and it does not hit.
/// - With a sprite: the shortest translation by whole pixels that ends the hit under the world's touch rule.
/// - Of ways equally short, the one that is more vertical, then upward (-y), then leftward, all as seen by `pair[0]`:
///   concentric circles part upward.
/// - A moving pair is looked at where it stands at `detail.time`: convex bodies where their motions have brought them
///   by that tick, sprites at the offset at which they hit. A body that goes past another within one tick may be clear
///   of it there: depth 0, and the normal away from the nearest point.
/// - `push` ends the hit at rest, always. With a sprite in the pair it is `normal * depth`. Between two bodies of one
///   piece each it is at most 1/64 unit longer than `depth`.
/// - Depth 0 for a pair that does not hit, and, with the normal `[0, -1]`, for an index that is no body's.
///
/// Costs, measured on one core: 1 µs for two boxes, 10 µs for a box in a polygon of 60 pieces, 150 µs of 8,000 of
/// which hundreds are near, 2.5 ms for two polygons of 60 pieces locked into each other, 0.1 s of 1,000. Sprites paint
/// each row that they may share once, then look at about `2 depth` offsets in y: 15 to 250 µs for 128 x 128 pixels, 0.1
/// s for 2048 x 2048 pixels concentric, but up to `depth^2` offsets where masks are dithered (15 ms for 128 x 128
/// pixels, one of eight solid, concentric), and 10 µs a pixel of depth in a convex body. Enlarged sprites cost by their
/// pixels: two of 8,000 x 8,000 pixels, concentric, take 0.3 s where masks are solid, several seconds where they are
/// dithered. A sheared sprite costs by the pixels that its mask covers and by its rows, not by its bounds: 3 ms for
/// 64 x 64 texels drawn out over 16,000 rows.
///
/// ```
/// use hitmask::geometry::Point;
/// use hitmask::{Ask, Body, Engine, Shape, World, contact};
///
/// let mut world = World::default();
/// let tile = world.add_shape(Shape::rect(8.0, 8.0)?)?;
/// world.add(&Body::new(tile, [0, 0]))?;
/// world.add(&Body::new(tile, [1.0, 7.5]))?;
/// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
/// let contact = contact(&world, hits.pairs[0], &hits.details[0]);
/// assert_eq!((contact.normal, contact.depth, contact.push), ([0.0, -1.0], 0.5, Point::new(0, -128)));
/// # Ok::<(), hitmask::Error>(())
/// ```
#[must_use]
pub fn contact(world: &World, pair: [u32; 2], detail: &Detail) -> Contact {
    bodies(world.packed(), pair).map_or(Contact::NONE, |bodies| between(world, &bodies, detail))
}

/// The same of two bodies of which a detail is known.
pub(super) fn between(world: &World, bodies: &[Body; 2], detail: &Detail) -> Contact {
    let packed = world.packed();
    if bodies.iter().any(|body| body.is(EMPTY)) {
        return Contact::NONE;
    }
    let tick = detail.tick();
    let moment = Moment::new(packed, bodies, tick, world.touch());
    // Engines round the difference of two motions, and each of the two stands where its own is rounded to.
    let apart = come(bodies[0].motion, tick) - come(bodies[1].motion, tick);
    let aside = come(bodies[0].motion - bodies[1].motion, tick) - apart;
    way_out(packed, &moment.bodies, aside, world.touch())
}

/// How far around a body pieces of the other are looked at first, in lattice steps, and how much shorter than that a
/// way out must be: what lies farther away is then not in the way, nor is it nearer.
const AROUND: i32 = 32 << 8;
const SPARE: f64 = 512.0;
/// No body is so far from another.
const ALL_AROUND: i32 = 1 << 30;

/// The shortest way out for the first of two bodies at rest, neither of them empty. Without pixels, it is also one
/// where the first stands so far aside.
pub(super) fn way_out(packed: &Packed, bodies: &[Body; 2], aside: Point, touch: Touch) -> Contact {
    let are_many = bodies.iter().any(|body| !body.is(SPRITE) && packed.pieces(body).are_many());
    let mut around = if are_many { AROUND } else { ALL_AROUND };
    loop {
        let (contact, far) = way_out_of(packed, bodies, around, aside, touch);
        if around == ALL_AROUND || far + SPARE < f64::from(around) {
            return contact;
        }
        around = around.saturating_mul(8).min(ALL_AROUND);
    }
}

/// The same, of pieces at most so far from the other body; and in lattice steps how far the way out leads, or how far
/// away the nearest piece is.
fn way_out_of(packed: &Packed, bodies: &[Body; 2], around: i32, aside: Point, touch: Touch) -> (Contact, f64) {
    if let Some(mut painted) = Painted::new(packed, bodies, Point::ZERO, around, touch) {
        let [x, y] = pixels::way_out(&mut painted.sprite, &mut painted.other, painted.sense);
        if [x, y] == [0, 0] {
            return (Contact::NONE, 0.0);
        }
        let way = [x, y].map(|v| painted.sense * v);
        let wide = way.map(f64::from);
        let depth = (wide[0] * wide[0] + wide[1] * wide[1]).sqrt();
        let push = Point::new(way[0] * SUBPIXELS, way[1] * SUBPIXELS);
        let contact = Contact { normal: wide.map(|v| v / depth + 0.0), depth, push };
        return (contact, depth * f64::from(SUBPIXELS));
    }
    let [a, b] = bodies;
    let first = land::pieces_near(packed, a, &b.reach().grown(around));
    let second = land::pieces_near(packed, b, &a.reach().grown(around));
    if first.is_empty() || second.is_empty() {
        return (Contact::NONE, f64::INFINITY);
    }
    let radius = a.radius + b.radius;
    let way = union::way_out(&first, &second, radius, touch);
    let push = Pieces::new(&first, &second, radius, touch, aside).push(&way);
    // Adding 0 turns -0 into 0.
    let normal = way.normal.map(|v| v + 0.0);
    let far = way.depth.abs().max(f64::from(push.x.abs().max(push.y.abs())));
    (Contact { normal, depth: way.depth.max(0.0) / f64::from(SUBPIXELS), push }, far)
}

/// The overlap of a pair with a sprite as a mask: the pixels that `detail.area` counts, as many.
///
/// Its top-left texel lies at the returned world pixel, where the overlap is seen at the tick of the hit: at the corner
/// of `detail.overlap`'s `bounds`. Nothing for a pair without a sprite or without a common pixel, for an index that is
/// no body's, and for an overlap larger than a mask can be, 8192 pixels a side.
///
/// ```
/// use hitmask::response::overlap_mask;
/// use hitmask::{Ask, Body, Engine, Mask, Shape, World};
///
/// let mut world = World::default();
/// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", ".##", "###"])?))?;
/// let tile = world.add_shape(Shape::rect(2.0, 2.0)?)?;
/// world.add(&Body::new(arrow, [0, 0]))?;
/// world.add(&Body::new(tile, [1, 0]))?;
/// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
/// let (mask, at) = overlap_mask(&world, hits.pairs[0], &hits.details[0]).unwrap();
/// assert_eq!((mask.to_rows(), at), (vec![".#".to_owned(), "##".to_owned()], [1, 0]));
/// # Ok::<(), hitmask::Error>(())
/// ```
#[must_use]
pub fn overlap_mask(world: &World, pair: [u32; 2], detail: &Detail) -> Option<(Mask, [i32; 2])> {
    let packed = world.packed();
    let Overlap { bounds: [left, top, width, height], .. } = detail.overlap?;
    let sides = 1..=MAX_SIDE as i32;
    if !sides.contains(&width) || !sides.contains(&height) {
        return None;
    }
    let tick = detail.tick();
    let moment = Moment::new(packed, &bodies(packed, pair)?, tick, world.touch());
    // Touch adds no pixel to an area.
    let Painted { mut sprite, mut other, .. } = Painted::new(packed, &moment.bodies, moment.came, 0, Touch::Excluded)?;
    let right = left.checked_add(width)?;
    sprite.clip([left, right]);
    other.clip([left, right]);
    let mut mask = Mask::new(width as u32, height as u32).ok()?;
    for j in 0..height {
        let y = top.checked_add(j)?;
        for [start, end] in common(sprite.row(y), other.row(y)) {
            for x in start..end {
                mask.set((x - left) as u32, j as u32, true).ok()?;
            }
        }
    }
    Some((mask, [left, top]))
}

/// The runs that two rows have in common.
pub(super) fn common(a: &[Run], b: &[Run]) -> Vec<Run> {
    let (mut i, mut j, mut runs) = (0, 0, Vec::new());
    while let (Some(a), Some(b)) = (a.get(i), b.get(j)) {
        let [start, end] = [a[0].max(b[0]), a[1].min(b[1])];
        if start < end {
            runs.push([start, end]);
        }
        if a[1] < b[1] { i += 1 } else { j += 1 }
    }
    runs
}

/// The two bodies of a pair, if they are two.
fn bodies(packed: &Packed, pair: [u32; 2]) -> Option<[Body; 2]> {
    let two = pair[0] != pair[1] && pair.iter().all(|&index| (index as usize) < packed.len());
    two.then(|| pair.map(|index| packed.body(index as usize)))
}

/// A pair with a sprite at rest, as rows of pixels.
struct Painted<'a> {
    /// The sprite that is to leave.
    sprite: Rows<'a>,
    /// What it must not meet: the pixels of the other sprite, with those around them where touch counts, or the pixels
    /// whose squares hit the convex body.
    other: Rows<'a>,
    /// 1 where the sprite is the first body, -1 where it is the second.
    sense: i32,
}

impl<'a> Painted<'a> {
    /// Nothing where neither body is a sprite, or a sprite has nothing solid. A convex body came by `came` to where it
    /// stands; of its pieces those are looked at that lie at most `around` steps from the sprite.
    fn new(packed: &'a Packed, [a, b]: &'a [Body; 2], came: Point, around: i32, touch: Touch) -> Option<Self> {
        let (sprite, other, sense) = if a.is(SPRITE) { (a, b, 1) } else { (b, a, -1) };
        if !sprite.is(SPRITE) || sprite.is(EMPTY) || other.is(EMPTY) {
            return None;
        }
        let other = if other.is(SPRITE) {
            Rows::sprite(packed, other, touch)
        } else {
            swept(packed, other, came, &sprite.reach().grown(around), touch)
        };
        Some(Self { sprite: Rows::sprite(packed, sprite, Touch::Excluded), other, sense })
    }
}
