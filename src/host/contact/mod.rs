//! The shortest way out of a hit, and the overlap as a mask: computed on the host, from integers, after any engine.
//!
//! ```text
//! both bodies are placed as they stand at the tick of the hit
//! convex and polygon: the translations by which A hits are a union of inflated convex polygons; the origin is in it;
//!                     the way out is to the nearest point of its boundary            (`convex`, `union`)
//!                     and from there to a free lattice point                          (`push`)
//! with a sprite:      rows of pixel runs against rows of pixel runs, offset by offset, jumping whole runs   (`pixels`)
//! ```
//!
//! `f64` decides the way: additions, multiplications, divisions and square roots of integers below 2^53, which IEEE 754
//! rounds alike everywhere. The exact predicate checks that a push ends the hit. On request the GPU finds the ways out
//! (`shaders/shared/leave_convex.wgsl`, `leave_pixels.wgsl`), of bodies of few pieces.

pub(crate) mod along;
mod boundary;
mod bounds;
mod cell;
pub(crate) mod convex;
mod exit;
mod pixels;
pub(crate) mod push;
mod search;
mod sets;
#[cfg(test)]
mod tests;
mod tree;
mod union;
mod view;

use super::moment::{Moment, ascending, swept_pieces, two};
use super::near::Near;
use crate::bits::MAX_SIDE;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::ticks::{TICKS, come};
use crate::ground::touch::Touch;
use crate::hits::{Detail, Overlap};
use crate::mask::Mask;
use crate::world::World;
use crate::world::packed::{Body, EMPTY, Packed, SPRITE};
use crate::world::pose::land::Piece;

use super::runs::{Facing, common};
use push::Pieces;

/// The shortest way out of a hit, with both bodies as they stand at its tick: the first body of the pair leaves the
/// second by moving `normal * depth`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Contact {
    /// The unit direction in which the first body leaves the second, with y pointing down.
    pub normal: [f64; 2],
    /// The distance, in units. 0 if the two only touch.
    pub depth: f64,
    /// The translation in whole lattice steps. Moved by it from its position at the tick of the hit, the first body no
    /// longer hits the second.
    pub push: Point,
}

impl Contact {
    /// No push; the normal points up, for lack of a better direction.
    const NONE: Self = Self { normal: [0.0, -1.0], depth: 0.0, push: Point::ZERO };
}

impl World {
    /// Returns the shortest way out for body `pair[0]` of its hit with `pair[1]`. `detail` is what an engine returned
    /// for the pair.
    ///
    /// - Two bodies without pixels: exact up to the rounding of `f64`. `normal` is that of the nearest edge, corner or
    ///   arc. The way leads out of all pieces of a polygon together, with a tolerance of a millionth of a unit. If
    ///   touching is a hit, `depth` is the limit: moved by exactly that, the body still touches; any farther, and it
    ///   does not hit. Then a slot just as wide as the body, or wider by less than 1/65,536 unit, is no way out, but
    ///   its mouth is.
    /// - With a sprite: the shortest translation by whole pixels that ends the hit under the world's touch rule.
    /// - Among equally short ways, the more vertical one, then upward (-y), then leftward, as `pair[0]` sees it:
    ///   concentric circles part upward.
    /// - A moving pair is examined as it stands at `detail.time`: convex bodies where their motions have brought them
    ///   by that tick, sprites at the offset at which they hit. A body that passes another within one tick may be clear
    ///   of it then: the depth is 0, and the normal points away from the nearest point.
    /// - `push` always ends the hit at rest. With a sprite in the pair it is `normal * depth`. Between two bodies of
    ///   one piece each it is at most 1/64 unit longer than `depth`. In a narrow wedge, slot or mouth of a slot, it
    ///   leads on to the first free lattice point, at most 4 units away, else past the other body.
    /// - The depth is 0 for a pair that does not hit, and for an index without a body, then with the normal `[0, -1]`.
    ///
    /// Costs, measured on one core: 1 µs for two boxes; 10 µs for a box in a polygon of 60 pieces, 150 µs in one of
    /// 8,000 of which hundreds are near; 2.5 ms for two interlocked polygons of 60 pieces, 0.1 s for two of 1,000.
    /// Sprites paint each row that they may share once, then test about `2 depth` offsets in y: 15 to 250 µs for 128 x
    /// 128 pixels, 0.1 s for 2048 x 2048 concentric pixels. Dithered masks take up to `depth^2` offsets (15 ms for 128
    /// x 128 pixels, one in eight solid, concentric), and a sprite in a convex body 10 µs per pixel of depth. Enlarged
    /// sprites cost by their pixels: two concentric ones of 8,000 x 8,000 pixels take 0.3 s if their masks are solid,
    /// several seconds if they are dithered. A sheared sprite costs by the pixels that its mask covers and by its rows,
    /// not by its bounds: 3 ms for 64 x 64 texels drawn out over 16,000 rows.
    ///
    /// ```
    /// use hitmask::geometry::Point;
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(8.0, 8.0)?)?;
    /// world.add(&Body::new(tile, [0, 0]))?;
    /// world.add(&Body::new(tile, [1.0, 7.5]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// let contact = world.contact(hits.pairs[0], &hits.details[0]);
    /// assert_eq!((contact.normal, contact.depth, contact.push), ([0.0, -1.0], 0.5, Point::new(0, -128)));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn contact(&self, pair: [u32; 2], detail: &Detail) -> Contact {
        two(self.packed(), pair).map_or(Contact::NONE, |bodies| between(self, &bodies, detail))
    }
}

/// Returns the contact of two bodies, given their detail.
pub(super) fn between(world: &World, bodies: &[Body; 2], detail: &Detail) -> Contact {
    within(world, bodies, detail, None).unwrap_or(Contact::NONE)
}

/// As [`between`], within the limits of the GPU, if there are any.
pub(crate) fn within(world: &World, bodies: &[Body; 2], detail: &Detail, few: Option<Few>) -> Option<Contact> {
    let packed = world.packed();
    if bodies.iter().any(|body| body.is(EMPTY)) {
        return Some(Contact::NONE);
    }
    // The detail of another pair must not move a body out of the integers' range.
    let tick = detail.tick().min(TICKS);
    let moment = Moment::new(packed, bodies, tick, world.touch());
    // Engines round the difference of two motions, but each body stands where its own motion is rounded to.
    let apart = come(bodies[0].motion, tick) - come(bodies[1].motion, tick);
    let aside = come(bodies[0].motion - bodies[1].motion, tick) - apart;
    way_out_within(packed, &moment.bodies, aside, world.touch(), few)
}

/// The limits of the GPU: returns whether the pieces of two bodies are few. It also leaves to the host most ways out
/// that end in narrow places, and pushes that end far from the way out.
pub(crate) type Few = fn(&[Piece], &[Piece]) -> bool;

/// The distance around a body, in lattice steps, within which pieces of the other are examined first, and the margin by
/// which a way out must be shorter than that, so that pieces farther away are neither in the way nor nearer.
const AROUND: i32 = 32 << 8;
const SPARE: f64 = 512.0;
/// A distance greater than that between any two bodies.
const ALL_AROUND: i32 = 1 << 30;

/// The numbers that the shaders have, too, by the names that they have there.
#[cfg(all(test, feature = "gpu"))]
pub(crate) const SHARED: [(&str, f64); 11] = [
    ("AROUND_FIRST", AROUND as f64),
    ("SPARE", SPARE),
    ("ALL_AROUND", ALL_AROUND as f64),
    ("NEAR", union::NEAR),
    ("SLACK", boundary::SLACK),
    ("ROUNDED", boundary::ROUNDED),
    ("TOLERANCE", exit::TOLERANCE),
    ("BEYOND", exit::BEYOND),
    ("CLEAR", exit::CLEAR),
    ("SLIT", exit::SLIT),
    ("NARROW", exit::NARROW),
];

/// Returns the shortest way out for the first of two bodies at rest, neither of them empty. Without pixels, the push
/// also ends the hit with the first body displaced by `aside`.
pub(super) fn way_out(packed: &Packed, bodies: &[Body; 2], aside: Point, touch: Touch) -> Contact {
    way_out_within(packed, bodies, aside, touch, None).unwrap_or(Contact::NONE)
}

/// As [`way_out`], within the limits of the GPU, if there are any.
fn way_out_within(
    packed: &Packed,
    bodies: &[Body; 2],
    aside: Point,
    touch: Touch,
    few: Option<Few>,
) -> Option<Contact> {
    let are_many = bodies.iter().any(|body| !body.is(SPRITE) && packed.pieces(body).are_many());
    let mut around = if are_many { AROUND } else { ALL_AROUND };
    loop {
        let (contact, far) = way_out_of(packed, bodies, around, aside, touch, few)?;
        if around == ALL_AROUND || far + SPARE < f64::from(around) {
            return Some(contact);
        }
        around = around.saturating_mul(8).min(ALL_AROUND);
    }
}

/// Returns the way out, considering only pieces at most `around` from the other body, and its length in lattice steps,
/// or the distance of the nearest piece if the bodies are apart; infinity if no piece is that near. Returns `None`
/// beyond the limits of the GPU, if there are any.
fn way_out_of(
    packed: &Packed,
    bodies: &[Body; 2],
    around: i32,
    aside: Point,
    touch: Touch,
    few: Option<Few>,
) -> Option<(Contact, f64)> {
    if let Some(mut painted) = Painted::new(packed, bodies, Point::ZERO, |reach| reach.grown(around), touch) {
        let [x, y] = pixels::way_out(&mut painted.facing, painted.sense);
        if [x, y] == [0, 0] {
            return Some((Contact::NONE, 0.0));
        }
        let way = [x, y].map(|v| painted.sense * v);
        let wide = way.map(f64::from);
        let depth = (wide[0] * wide[0] + wide[1] * wide[1]).sqrt();
        let push = Point::new(way[0] * SUBPIXELS, way[1] * SUBPIXELS);
        let contact = Contact { normal: wide.map(|v| v / depth + 0.0), depth, push };
        return Some((contact, depth * f64::from(SUBPIXELS)));
    }
    let [a, b] = bodies;
    let first = Near::new(packed, a, &b.reach().grown(around));
    let second = Near::new(packed, b, &a.reach().grown(around));
    if few.is_some_and(|few| !few(&first.pieces, &second.pieces)) {
        return None;
    }
    if first.pieces.is_empty() || second.pieces.is_empty() {
        return Some((Contact::NONE, f64::INFINITY));
    }
    let pieces = Pieces::new(&first, &second, touch, aside);
    let on_seam = touch == Touch::Excluded && (first.may_lie_on_seam(&second) || second.may_lie_on_seam(&first));
    let on_seam = on_seam && !pieces.is_free(Point::ZERO);
    let found = union::way_out(&first.pieces, &second.pieces, touch, on_seam, few.is_some());
    if few.is_some() && found.needs_host(touch) {
        return None;
    }
    let way = found.way;
    let push = if few.is_some() { pieces.push_near(&way)? } else { pieces.push(&found) };
    // Adding 0 turns -0 into 0.
    let normal = way.normal.map(|v| v + 0.0);
    let far = way.depth.abs().max(f64::from(push.x.abs().max(push.y.abs())));
    Some((Contact { normal, depth: way.depth.max(0.0) / f64::from(SUBPIXELS), push }, far))
}

impl World {
    /// Returns the overlap of a pair with a sprite as a mask: exactly the pixels that `detail.area` counts.
    ///
    /// The top-left texel lies at the returned world pixel, as seen at the tick of the hit: the corner of
    /// `detail.overlap`'s `bounds`. `None` for a pair without a sprite or without a common pixel, for an index without
    /// a body, and for an overlap larger than a mask can be, 8192 pixels a side.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", ".##", "###"])?))?;
    /// let tile = world.add_shape(Shape::rect(2.0, 2.0)?)?;
    /// world.add(&Body::new(arrow, [0, 0]))?;
    /// world.add(&Body::new(tile, [1, 0]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// let (mask, at) = world.overlap_mask(hits.pairs[0], &hits.details[0]).unwrap();
    /// assert_eq!((mask.to_rows(), at), (vec![".#".to_owned(), "##".to_owned()], [1, 0]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn overlap_mask(&self, pair: [u32; 2], detail: &Detail) -> Option<(Mask, [i32; 2])> {
        let packed = self.packed();
        let Overlap { bounds: [left, top, width, height], .. } = detail.overlap?;
        let sides = 1..=MAX_SIDE as i32;
        if !sides.contains(&width) || !sides.contains(&height) {
            return None;
        }
        let tick = detail.tick();
        let moment = Moment::new(packed, &ascending(packed, pair)?.0, tick, self.touch());
        // Touch adds no pixel to an area.
        let Painted { mut facing, .. } =
            Painted::new(packed, &moment.bodies, moment.came, |reach| *reach, Touch::Excluded)?;
        let right = left.checked_add(width)?;
        facing.clip([left, right], [left, right]);
        let Facing { mut sprite, mut other, .. } = facing;
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
}

/// A pair with a sprite, at rest, as rows of pixels.
struct Painted<'a> {
    /// The sprite that moves out, and what it must not meet.
    facing: Facing<'a>,
    /// 1 if the sprite is the first body, -1 if it is the second.
    sense: i32,
}

impl<'a> Painted<'a> {
    /// Paints a pair; `None` if neither body is a sprite, or if either is empty. A convex body has moved by `came` to
    /// its position; only its pieces that come to the box `near` of the sprite's reach are used.
    fn new(
        packed: &'a Packed,
        [a, b]: &'a [Body; 2],
        came: Point,
        near: impl Fn(&Aabb) -> Aabb,
        touch: Touch,
    ) -> Option<Self> {
        let (sprite, other, sense) = if a.is(SPRITE) { (a, b, 1) } else { (b, a, -1) };
        if !sprite.is(SPRITE) || sprite.is(EMPTY) || other.is(EMPTY) {
            return None;
        }
        let facing = if other.is(SPRITE) {
            Facing::sprites(packed, sprite, other, touch)
        } else {
            Facing::convex(packed, sprite, swept_pieces(packed, other, came, &near(&sprite.reach())), touch)
        };
        Some(Self { facing, sense })
    }
}
