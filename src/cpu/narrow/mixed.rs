//! Pairs of a sprite and a convex body, at least one of which moves: while the sprite stays at one offset, the convex
//! body moves on. Twin of `shaders/shared/mixed.wgsl`.
//!
//! ```text
//! for each relevant offset at which the sprite stays, from tick k0 to tick k1
//!     if some pixel hits the hull of a piece at k0 and at k1
//!         find the tick between k0 and k1 by bisection
//! ```

use super::gather::Gather;
use super::view::{JOINED, Piece, Sweep, View, covered};
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::predicate::first_tick;
use crate::ground::ticks::{MIXED_STRAY, TICKS, Walk, come, offset, ticks_near};
use crate::ground::touch::Touch;
use crate::world::packed::Body;
use crate::world::pose::texel::WORD;

/// The ticks during which a sprite stays at one offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stay {
    /// The sprite's offset from its start, in pixels.
    pub(super) at: Point,
    /// The tick at which the sprite arrives there.
    pub(super) begin: u32,
    /// The tick at which it leaves, or the last of the step.
    pub(super) end: u32,
}

/// The place of a sprite.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// Its offset from its start, in pixels.
    at: Point,
    /// The step of one pixel by which it arrived there, if that matters.
    came: Point,
}

impl Place {
    /// The sprite's start.
    pub(super) const START: Self = Self { at: Point::ZERO, came: Point::ZERO };

    /// Returns the place of a stay. How the sprite arrived matters to segments only, which may lie between both pixels.
    fn of(stay: &Stay, sprite: &View<'_>, convex: &View<'_>, touch: Touch) -> Self {
        let is_open = touch == Touch::Excluded && convex.packed.has_segments(&convex.body);
        let came = if is_open { arrival(&sprite.body, stay.at, stay.begin) } else { Point::ZERO };
        Self { at: stay.at, came }
    }
}

/// Returns the step of one pixel by which a sprite arrives at an offset at a tick; none at the start of the step.
pub(crate) fn arrival(sprite: &Body, at: Point, tick: u32) -> Point {
    let Some(before) = tick.checked_sub(1) else { return Point::ZERO };
    let [from, to] = [before, tick].map(|k| offset(sprite.position, sprite.motion, k));
    // Within a tick the step in x comes first.
    if at.y == from.y { Point::new(to.x - from.x, 0) } else { Point::new(0, to.y - from.y) }
}

/// Returns the first stay in which both hit, with the sprite painted as at its start.
pub(super) fn walk(sprite: &View<'_>, convex: &View<'_>, touch: Touch) -> Option<Stay> {
    let [first, end] = ticks(sprite, convex)?;
    let hits = |stay: Stay| {
        let way = way(convex, stay.begin, stay.end);
        meets(sprite, Place::of(&stay, sprite, convex, touch), convex, way, touch)
    };
    let mut walk = Walk::from(sprite.body.position, sprite.body.motion, first);
    loop {
        let stay = Stay { at: walk.at, begin: walk.tick, end: walk.next().min(TICKS) };
        if hits(stay) {
            return Some(stay);
        }
        let tick = walk.next();
        if tick > end.min(TICKS) {
            return None;
        }
        let by = walk.cross(tick);
        if by.x != 0 && by.y != 0 {
            // The offset between two unit steps at one tick: x first.
            let between = Stay { at: walk.at - Point::new(0, by.y), begin: tick, end: tick };
            if hits(between) {
                return Some(between);
            }
        }
    }
}

/// Returns the first tick of a stay at which both hit: the earliest of all pieces.
pub(super) fn tick(sprite: &View<'_>, convex: &View<'_>, stay: Stay, touch: Touch) -> Option<u32> {
    let pieces = near_pieces(sprite, stay.at, convex, way(convex, stay.begin, stay.end));
    let place = Place::of(&stay, sprite, convex, touch);
    let ticks = pieces.filter_map(|piece| {
        first_tick(stay.begin, stay.end, |k| meets_piece(sprite, place, piece, way(convex, stay.begin, k), touch))
    });
    ticks.min()
}

/// Gathers the pixels of a sprite, offset by `at`, whose squares' interiors a convex body overlaps on its way, in world
/// coordinates.
pub(super) fn gather(sprite: &View<'_>, at: Point, convex: &View<'_>, sweep: Sweep) -> Gather {
    let mut gather = Gather::NOTHING;
    for (x, y, bits) in sprite.words(&convex.swept_pixels(sweep), at, Touch::Excluded) {
        let word = Aabb { min: Point::new(x, y), max: Point::new(x + WORD, y + 1) };
        let all = convex.pieces(&convex.toward(&word, sweep)).fold(0, |all, piece| {
            // Pixels that one piece covers are not tested against the next.
            all | covered(piece, sweep, (x, y, bits & !all), Point::ZERO, Touch::Excluded)
        });
        gather.take(x, y, all);
    }
    gather
}

/// Returns whether some pixel of a sprite hits a convex body on its way.
pub(super) fn meets(sprite: &View<'_>, place: Place, convex: &View<'_>, sweep: Sweep, touch: Touch) -> bool {
    near_pieces(sprite, place.at, convex, sweep).any(|piece| meets_piece(sprite, place, piece, sweep, touch))
}

/// Returns whether some pixel of a sprite hits one piece of a convex body on its way.
fn meets_piece(sprite: &View<'_>, Place { at, came }: Place, piece: Piece<'_>, sweep: Sweep, touch: Touch) -> bool {
    // The bounding boxes meet, but a slanted piece may still miss the sprite's box. The box is grown by a pixel, for
    // pixels that are joined. The shaders skip this test and compare the pixels.
    if piece.core.square().is_none() && !piece.reaches(&sprite.pixels.moved(at).grown(1), sweep) {
        return false;
    }
    let near = piece.swept_pixels(sweep);
    let hits = |joined: Point| {
        let mut words = sprite.words(&near, at, touch);
        words.any(|(x, y, bits)| {
            let bits = sprite.joined_pixels((x - at.x, y - at.y, bits), joined);
            covered(piece, sweep, (x, y, bits), joined, touch) != 0
        })
    };
    // Each pixel, joined with where it was, as the sprite arrives; of the two, the one to the right or below comes
    // first.
    let arrives = || {
        let (sweep, joined) = (Sweep { by: Point::ZERO, ..sweep }, Point::new(came.x.abs(), came.y.abs()));
        let last = at + Point::new((-came.x).max(0), (-came.y).max(0));
        let mut words = sprite.words(&piece.swept_pixels(sweep), last, touch);
        words.any(|word| covered(piece, sweep, word, joined, touch) != 0)
    };
    let is_between = piece.core.is_segment() && touch == Touch::Excluded;
    JOINED[..if is_between { JOINED.len() } else { 1 }].iter().any(|&joined| hits(joined))
        || (is_between && came != Point::ZERO && arrives())
}

/// Returns the pieces of a convex body that come near a sprite, offset by `at`, on their way.
fn near_pieces<'a>(
    sprite: &View<'_>,
    at: Point,
    convex: &View<'a>,
    sweep: Sweep,
) -> impl Iterator<Item = Piece<'a>> + use<'a> {
    convex.pieces(&convex.toward(&sprite.pixels.moved(at), sweep))
}

/// Returns the path of a convex body between two ticks.
pub(super) fn way(convex: &View<'_>, begin: u32, end: u32) -> Sweep {
    let [start, end] = [begin, end].map(|k| come(convex.body.motion, k));
    Sweep { start, by: end - start }
}

/// Returns the range of ticks at which both may be near each other, see [`ticks_near`].
fn ticks(sprite: &View<'_>, convex: &View<'_>) -> Option<[u32; 2]> {
    let least = |max: i32, there_min: i32| there_min - 256 * max - MIXED_STRAY;
    let most = |min: i32, there_max: i32| there_max - 256 * min + MIXED_STRAY;
    let (motion, pixels, there) = (sprite.body.motion - convex.body.motion, &sprite.pixels, convex.body.reach());
    let least = Point::new(least(pixels.max.x, there.min.x), least(pixels.max.y, there.min.y));
    let most = Point::new(most(pixels.min.x, there.max.x), most(pixels.min.y, there.max.y));
    ticks_near(motion, least, most)
}
