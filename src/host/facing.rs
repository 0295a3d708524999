//! Which way that faces what a body has come to: the normal of the side by which it comes into the others.
//!
//! ```text
//! convex bodies:       the body as a point that goes the relative way, the others as the translations by which pieces
//!                      of both meet; a sprite that stands as its painted pixels              (`contact/entry.rs`)
//! a sprite that moves: by whole pixels; against the last of its steps, across or down
//! ```

use super::contact::convex::{V, differences};
use super::contact::entry::{By, Entries, wide};
use super::moment::Moment;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::predicate::{Core, apart};
use crate::ground::ticks::{TICKS, come, offset, pixel};
use crate::ground::touch::Touch;
use crate::world::World;
use crate::world::packed::{Body, EMPTY, SPRITE};
use crate::world::pose::land;
use crate::world::pose::texel::texel;
use crate::world::seam::seams_near;

/// The most pixels of a sprite about a body that are looked at.
const PIXELS: i64 = 1 << 16;

/// Which way that faces what a body has come to at a tick: all of `others`, where they move alike. Nothing where they
/// hit from the start, or no side tells.
pub(super) fn facing(world: &World, body: &Body, others: &[Body], tick: u32) -> Option<V> {
    let (first, tick) = (others.first()?, tick.min(TICKS));
    if tick == 0 || others.iter().chain([body]).any(|body| body.is(EMPTY)) {
        return None;
    }
    let by_pixels = |body: &Body| body.is(SPRITE) && body.moves();
    if by_pixels(body) || by_pixels(first) {
        let steps = others.iter().filter_map(|other| stepped(world, body, other, tick));
        // Those across come first.
        return steps.min_by_key(|step| step[0] == 0.0);
    }
    let way = body.motion - first.motion;
    let mut entries = Entries::new(way, f64::from(tick) / f64::from(TICKS));
    let alike = others.iter().filter(|other| other.motion == first.motion && !by_pixels(other));
    let ways = [tick - 1, tick].map(|tick| come(way, tick));
    alike.for_each(|other| add(&mut entries, world, body, other, ways));
    entries.first().filter(|entry| entry.by != By::Seam).map(|entry| entry.normal)
}

/// Against the last step of a sprite by which it came to another body; nothing where the other came to it.
fn stepped(world: &World, body: &Body, other: &Body, tick: u32) -> Option<V> {
    let moment = Moment::new(world.packed(), &[*body, *other], tick, world.touch());
    let pixels =
        |body: &Body, now: Point| pixel(now) - pixel(body.position) - offset(body.position, body.motion, tick - 1);
    let step = |body: &Body, now: &Body| if body.is(SPRITE) { pixels(body, now.position) } else { Point::ZERO };
    let Point { x, y } = step(body, &moment.bodies[0]) - step(other, &moment.bodies[1]);
    let against = |v: i32| -f64::from(v.signum());
    // Steps across come first.
    match [x, y] {
        [0, 0] => None,
        [x, 0] => Some([against(x), 0.0]),
        [_, y] => Some([0.0, against(y)]),
    }
}

/// Adds the translations by which pieces of two bodies meet. The one has come these ways by the tick before the hit,
/// and by that of the hit.
fn add(to: &mut Entries, world: &World, body: &Body, other: &Body, [before, way]: [Point; 2]) {
    let (radius, touch) = (body.radius + other.radius, world.touch());
    // A sprite stands: the pixels about where the other is then.
    let near = |of: &Body, by: &Body, ways: [Point; 2]| {
        let start = if of.is(SPRITE) { ways[0] } else { Point::ZERO };
        by.reach().moved(start).swept(ways[1] - start).grown(radius + 256)
    };
    let near = [near(body, other, [-before, -way]), near(other, body, [before, way])];
    let parts = |of: &Body, near: &Aabb| {
        if of.is(SPRITE) { squares(world, of, near) } else { land::pieces_near(world.packed(), of, near) }
    };
    let (ours, theirs) = (parts(body, &near[0]), parts(other, &near[1]));
    let seams: Vec<V> =
        [body, other].into_iter().zip(&near).flat_map(|(body, near)| seams(world, body, near)).collect();
    let goes_on = |_, p: V, q: V| seams.contains(&[q[0] - p[0], q[1] - p[1]]);
    let open = radius == 0 && touch == Touch::Excluded;
    for a in &ours {
        let near = Aabb::around(a).swept(way).grown(radius + 2);
        for b in theirs.iter().filter(|b| near.meets(&Aabb::around(b), Touch::Included)) {
            let [core, still] = [Core::Hull(a), Core::Hull(b)];
            // What it does not come near to is no side of it, nor beside one.
            if apart(core, still, way, radius + 2, Touch::Included).is_some() {
                continue;
            }
            let met = (!open || (core.has_area(way) && still.has_area(Point::ZERO)))
                && apart(core, still, way, radius, touch).is_none();
            to.set(&differences(a, b), radius, goes_on, met);
        }
    }
}

/// The squares of the pixels that a sprite paints within some bounds; none where these are too many.
fn squares(world: &World, sprite: &Body, near: &Aabb) -> Vec<Vec<Point>> {
    let Aabb { min, max } = sprite.pixels();
    let (left, top) = (min.x.max(near.min.x >> 8), min.y.max(near.min.y >> 8));
    let (right, bottom) = (max.x.min((near.max.x >> 8) + 1), max.y.min((near.max.y >> 8) + 1));
    if i64::from(right - left).max(0) * i64::from(bottom - top).max(0) > PIXELS {
        return Vec::new();
    }
    let all = (top..bottom).flat_map(|y| (left..right).map(move |x| [x, y]));
    let painted = all.filter(|&pixel| texel(world.packed(), sprite, pixel).is_some());
    let corner = |x: i32, y: i32| Point::new(x << 8, y << 8);
    painted.map(|[x, y]| vec![corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)]).collect()
}

/// The edges between the pieces of a polygon that come to a box, both ways.
fn seams(world: &World, body: &Body, near: &Aabb) -> Vec<V> {
    seams_near(world, body, near).into_iter().flat_map(|[p, q]| [wide(q - p), wide(p - q)]).collect()
}
