//! The two bodies of a hit, as they stand at its tick.
//!
//! A sprite that has moved by whole pixels is painted as at its start. So at any tick it equals the same body at rest
//! at another position; so does a convex body. Code that examines a hit at its tick therefore sees two bodies at rest.

use super::near::{Near, Trial};
use super::runs::{Facing, Rows};
use crate::cpu::narrow::mixed::arrival;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::ticks::{TICKS, Walk, come, offset};
use crate::ground::touch::Touch;
use crate::world::packed::{Body, EMPTY, Packed, SPRITE};
use crate::world::pose::land::{self, Piece};

/// Two bodies at rest, as they stand at the tick of their hit.
pub(super) struct Moment {
    pub(super) bodies: [Body; 2],
    /// Against a sprite: how far the convex body has come since the sprite reached its current offset.
    pub(super) came: Point,
    /// The step of one pixel by which the sprite reached it.
    pub(super) step: Point,
}

impl Moment {
    /// Places two bodies at the tick of their hit; if they do not hit at that tick, as they stand then.
    pub(super) fn new(packed: &Packed, [a, b]: &[Body; 2], tick: u32, touch: Touch) -> Self {
        // The detail of another pair must not move a body out of the integers' range.
        let tick = tick.min(TICKS);
        let solid = |body: &Body| body.is(SPRITE) && !body.is(EMPTY);
        match [a, b].map(solid) {
            [true, true] => sprites(packed, [a, b], tick, touch),
            [true, false] if !b.is(SPRITE) => mixed(packed, a, b, tick, touch),
            [false, true] if !a.is(SPRITE) => {
                let Self { bodies: [b, a], came, step } = mixed(packed, b, a, tick, touch);
                Self { bodies: [a, b], came, step }
            }
            _ => Self {
                bodies: [a, b].map(|body| gone(body, come(body.motion, tick))),
                came: Point::ZERO,
                step: Point::ZERO,
            },
        }
    }
}

/// Returns the two bodies of a pair, the lower index first, as in an answer; and whether the pair has them the other
/// way round. `None` unless both exist and differ.
///
/// The order matters: the motion of a hit is that of the first body relative to the second, and within a tick the first
/// body steps first.
pub(super) fn ascending(packed: &Packed, pair: [u32; 2]) -> Option<([Body; 2], bool)> {
    let [first, second] = two(packed, pair)?;
    Some(if pair[0] < pair[1] { ([first, second], false) } else { ([second, first], true) })
}

/// Returns the two bodies of a pair, if both exist and differ.
pub(super) fn two(packed: &Packed, pair: [u32; 2]) -> Option<[Body; 2]> {
    let exist = pair[0] != pair[1] && pair.iter().all(|&index| (index as usize) < packed.len());
    exist.then(|| pair.map(|index| packed.body(index as usize)))
}

/// Returns a body at rest, moved by `by` lattice steps.
pub(super) fn gone(body: &Body, by: Point) -> Body {
    Body { position: body.position + by, motion: Point::ZERO, ..*body }
}

/// Returns whether two bodies hit at rest, whatever their filters.
pub(super) fn hits_at_rest(packed: &Packed, a: &Body, b: &Body, touch: Touch) -> bool {
    if a.is(EMPTY) || b.is(EMPTY) {
        return false;
    }
    let (sprite, other) = if a.is(SPRITE) { (a, b) } else { (b, a) };
    if sprite.is(SPRITE) {
        let mut facing = if other.is(SPRITE) {
            Facing::sprites(packed, sprite, other, touch)
        } else {
            // Pixels that touch are neighbours, hence one pixel more.
            Facing::convex(packed, sprite, land::pieces_near(packed, other, &sprite.reach().grown(256)), touch)
        };
        return facing.meet();
    }
    let [first, second] = [(a, b), (b, a)].map(|(body, other)| Near::new(packed, body, &other.reach()));
    let mut trial = Trial::new([&first, &second], touch);
    first.pieces.iter().any(|a| second.pieces.iter().any(|b| trial.hits(a, b, Point::ZERO, Point::ZERO)))
}

/// Returns a sprite at rest, moved by `by` pixels.
fn stepped(body: &Body, by: Point) -> Body {
    gone(body, Point::new(by.x << 8, by.y << 8))
}

/// Returns the pixels that a convex body hits while it moves by `came` to its position, as rows; only its pieces that
/// come to the box `near` are used.
pub(super) fn swept<'a>(packed: &Packed, convex: &Body, came: Point, near: &Aabb, touch: Touch) -> Rows<'a> {
    Rows::convex(swept_pieces(packed, convex, came, near), touch)
}

/// Returns the pieces of a convex body that come to the box `near`, each with the vertices from which it has moved by
/// `came` to its position.
pub(super) fn swept_pieces(packed: &Packed, convex: &Body, came: Point, near: &Aabb) -> Vec<Piece> {
    let mut pieces = land::pieces_near(packed, convex, &near.swept(came));
    if came != Point::ZERO {
        for piece in &mut pieces {
            let before: Vec<Point> = piece.vertices.iter().map(|&p| p - came).collect();
            piece.vertices.extend(before);
        }
    }
    pieces
}

fn sprites(packed: &Packed, [a, b]: [&Body; 2], tick: u32, touch: Touch) -> Moment {
    let stand = |body: &Body, k: u32| offset(body.position, body.motion, k);
    let [before, now] = [tick.saturating_sub(1), tick].map(|k| stand(a, k) - stand(b, k));
    let b_now = stepped(b, stand(b, tick));
    let at = |at: Point| [stepped(a, at + stand(b, tick)), b_now];
    let hit = |bodies: &[Body; 2]| Facing::sprites(packed, &bodies[0], &bodies[1], touch).meet();
    // Unit steps, those in x first.
    let mut visited = vec![before];
    while let Some(last) = visited.last().copied().filter(|last| *last != now) {
        let step = |from: i32, to: i32| (to - from).signum();
        visited.push(
            last + if last.x == now.x {
                Point::new(0, step(last.y, now.y))
            } else {
                Point::new(step(last.x, now.x), 0)
            },
        );
    }
    // The offset of the previous tick was tested in that tick.
    let skipped = usize::from(tick > 0 && visited.len() > 1);
    let found = visited.into_iter().skip(skipped).map(at).find(hit);
    let end = || [a, b].map(Body::at_end);
    let bodies = found.or_else(|| Some(end()).filter(|end| tick == TICKS && hit(end))).unwrap_or_else(|| at(now));
    Moment { bodies, came: Point::ZERO, step: Point::ZERO }
}

fn mixed(packed: &Packed, sprite: &Body, convex: &Body, tick: u32, touch: Touch) -> Moment {
    let convex_now = gone(convex, come(convex.motion, tick));
    let stay = |at: Point, from: u32| {
        let came = come(convex.motion, tick) - come(convex.motion, from);
        Moment { bodies: [stepped(sprite, at), convex_now], came, step: arrival(sprite, at, from) }
    };
    let hit = |moment: &Moment| {
        let near = moment.bodies[0].reach().grown(256);
        let pieces = swept_pieces(packed, &moment.bodies[1], moment.came, &near);
        Facing::convex(packed, &moment.bodies[0], pieces, touch).arriving(moment.step, moment.came).meet()
    };
    let now = Walk::from(sprite.position, sprite.motion, tick);
    let mut stays = Vec::new();
    if now.tick == tick && tick > 0 {
        // It has just arrived: first the offset before, and between two steps of one tick the one after the step in x.
        let before = Walk::from(sprite.position, sprite.motion, tick - 1);
        stays.push(stay(before.at, before.tick));
        if before.at.x != now.at.x && before.at.y != now.at.y {
            stays.push(stay(Point::new(now.at.x, before.at.y), tick));
        }
    }
    stays.push(stay(now.at, now.tick));
    let end = || Moment { bodies: [sprite.at_end(), convex.at_end()], came: Point::ZERO, step: Point::ZERO };
    let found = stays.into_iter().find(hit);
    found.or_else(|| Some(end()).filter(|end| tick == TICKS && hit(end))).unwrap_or_else(|| stay(now.at, tick))
}
