//! The side by which a body comes into what it hits: the edge that it meets of the outline of all that counts, together,
//! in the body's own configuration space ([contract](crate::contract), "The side that is met").
//!
//! ```text
//! way:   how the body goes as the others see it; by pixels where one of both is a sprite that moves   (`legs`)
//! sets:  each piece of theirs less each piece of its own, about where it hits                         (`Outline`)
//! place: where the way first enters the sets of what is hit
//! side:  the edge of the outline there that faces the motion most
//! ```

use super::contact::convex::{V, differences, length, sub, wide};
use super::outline::{Outline, Side};
use super::runs::Rows;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::predicate::{Core, apart};
use crate::ground::ticks::{TICKS, Walk, come, offset};
use crate::ground::touch::Touch;
use crate::world::packed::{Body, EMPTY, Packed, SPRITE};
use crate::world::pose::land;

/// How far about the place of a hit pieces are looked at, in lattice steps: where it is rounded, and a lip.
pub(super) const ABOUT: i32 = 8;

/// A body that another hits, or comes near to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle {
    pub(super) body: Body,
    /// Whether touching it is a hit.
    pub(super) touch: Touch,
}

/// What stands about a hit.
pub(super) struct Obstacles<'a> {
    packed: &'a Packed,
    body: &'a Body,
    all: &'a [Obstacle],
    tick: u32,
}

/// The places of a body on its way, one leg after the other, as an obstacle sees it.
struct Way {
    places: Vec<Point>,
    /// About which of them, and of those between, it hits.
    near: Aabb,
}

impl<'a> Obstacles<'a> {
    /// What stands about a hit of `body` at a tick above 0. The first of `all` is hit; of the others those are looked
    /// at that move as it does.
    pub(super) fn new(packed: &'a Packed, body: &'a Body, tick: u32, all: &'a [Obstacle]) -> Self {
        Self { packed, body, all, tick: tick.min(TICKS) }
    }

    /// The side that the body meets of those obstacles that are hit, where all that count are one.
    pub(super) fn side(&self, hit: impl Fn(usize) -> bool, counts: impl Fn(usize) -> bool) -> Option<Side> {
        let first = self.all.first()?.body;
        if self.body.is(EMPTY) || first.is(EMPTY) {
            return None;
        }
        let motion = wide(self.body.motion - first.motion);
        for way in self.ways(&first) {
            let outline = self.outline(self.body, &way, |body| *body);
            let legs = way.places.windows(2).map(|leg| [wide(leg[0]), wide(leg[1])]);
            for (k, leg) in legs.enumerate() {
                let Some(at) = outline.entry(k, leg, &hit) else { continue };
                let side =
                    |motion: V| outline.side(at, motion, &counts).or_else(|| outline.side_met(k, at, motion, &counts));
                return side(motion).or_else(|| side(sub(leg[1], leg[0])));
            }
        }
        if self.tick < TICKS {
            return None;
        }
        // At rest at its end a sprite may paint other pixels than on its way: it came by the shorter way back along an
        // axis, of at most two pixels.
        let back = |v: f64| if v == 0.0 { 0 } else { -2 * SUBPIXELS * v.signum() as i32 };
        let froms = [Point::new(back(motion[0]), 0), Point::new(0, back(motion[1]))];
        let way = |from| Way { places: vec![from, Point::ZERO], near: Aabb::around(&[from, Point::ZERO]) };
        let entered = froms.into_iter().filter(|from| *from != Point::ZERO).filter_map(|from| {
            let outline = self.outline(&self.body.at_end(), &way(from), Body::at_end);
            let at = outline.last_entry([wide(from), [0.0; 2]], &hit)?;
            Some((length(at), outline, at))
        });
        let (_, outline, at) = entered.min_by(|a, b| a.0.total_cmp(&b.0))?;
        outline.side(at, motion, &counts)
    }

    /// The ways that the body may have come, the likeliest first.
    fn ways(&self, first: &Body) -> Vec<Way> {
        let (body, tick) = (self.body, self.tick);
        let pixels = |body: &Body, tick: u32| offset(body.position, body.motion, tick);
        if !steps(body) && !steps(first) {
            let motion = body.motion - first.motion;
            let straight =
                |end: Point, near: Point| Way { places: vec![Point::ZERO, end], near: Aabb::around(&[near, end]) };
            let end = come(motion, tick);
            // As engines round that see the other move; and last of all, about the whole way.
            let other = -come(-motion, tick);
            return vec![
                straight(end, come(motion, tick - 1)),
                straight(other, -come(-motion, tick - 1)),
                straight(end, Point::ZERO),
            ];
        }
        let places = if body.is(SPRITE) && first.is(SPRITE) {
            let apart = |tick: u32| pixels(body, tick) - pixels(first, tick);
            unit_steps(apart(tick - 1), apart(tick))
        } else {
            let (sprite, convex) = if body.is(SPRITE) { (body, first) } else { (first, body) };
            let now = come(convex.motion, tick);
            let before = come(convex.motion, Walk::from(sprite.position, sprite.motion, tick).tick);
            let steps = unit_steps(pixels(sprite, tick - 1), pixels(sprite, tick));
            // The sprite goes on first, then the other comes to it.
            let mut places: Vec<Point> =
                steps.iter().map(|&at| at - if steps.len() > 1 { now } else { before }).collect();
            if steps.len() == 1 {
                places.push(steps[0] - now);
            }
            if body.is(SPRITE) { places } else { places.into_iter().map(|at| -at).collect() }
        };
        let near = Aabb::around(&places);
        vec![Way { places, near }]
    }

    /// The sets of all obstacles, as they and the body `stand` at the beginning of the way.
    fn outline(&self, body: &Body, way: &Way, stand: impl Fn(&Body) -> Body) -> Outline {
        let mut outline = Outline::default();
        let Some(first) = self.all.first().map(|first| &first.body) else { return outline };
        let alike = |other: &Body| {
            let same = other.motion == first.motion && (!first.moves() || other.is(SPRITE) == first.is(SPRITE));
            same && !other.is(EMPTY)
        };
        let all = self.all.iter().enumerate().filter(|(_, obstacle)| alike(&obstacle.body));
        all.for_each(|(owner, obstacle)| {
            self.add(&mut outline, owner, body, &stand(&obstacle.body), obstacle.touch, way)
        });
        outline
    }

    /// Adds the translations by which pieces of the body meet those of an obstacle.
    fn add(&self, to: &mut Outline, owner: usize, body: &Body, other: &Body, touch: Touch, way: &Way) {
        let radius = body.radius + other.radius;
        let Aabb { min, max } = way.near;
        let reach = |of: &Body, min: Point, max: Point| {
            let reach = of.reach();
            Aabb { min: reach.min + min, max: reach.max + max }.grown(ABOUT)
        };
        let ours = self.parts(body, &reach(other, -max, -min));
        let theirs = self.parts(other, &reach(body, min, max));
        let open = radius == 0 && touch == Touch::Excluded;
        for a in &ours {
            let bounds = Aabb::around(a);
            let near = Aabb { min: bounds.min + min, max: bounds.max + max }.grown(radius + ABOUT);
            for b in theirs.iter().filter(|b| near.meets(&Aabb::around(b), Touch::Included)) {
                let meets = |leg: &[Point]| {
                    let moved: Vec<Point> = a.iter().map(|&p| p + leg[0]).collect();
                    let (core, still, sweep) = (Core::Hull(&moved), Core::Hull(b), leg[1] - leg[0]);
                    let solid = !open || (core.has_area(sweep) && still.has_area(Point::ZERO));
                    solid && apart(core, still, sweep, radius, touch).is_none()
                };
                let legs = way.places.windows(2).enumerate();
                let met = legs.fold(0, |met, (k, leg)| met | u8::from(meets(leg)) << k);
                to.push(owner, differences(a, b), radius, met);
            }
        }
    }

    /// The convex parts of a body that come to a box: its pieces, or the runs of pixels that a sprite paints.
    fn parts(&self, of: &Body, near: &Aabb) -> Vec<Vec<Point>> {
        if !of.is(SPRITE) {
            return land::pieces_near(self.packed, of, near);
        }
        let mut rows = Rows::sprite(self.packed, of, Touch::Excluded);
        rows.clip([near.min.x >> 8, (near.max.x >> 8) + 1]);
        let (top, bottom) = (near.min.y >> 8, (near.max.y >> 8) + 1);
        let mut parts = Vec::new();
        for y in top.max(rows.pixels().min.y)..bottom.min(rows.pixels().max.y) {
            let corner = |x: i32, y: i32| Point::new(x << 8, y << 8);
            let square = |&[left, right]: &[i32; 2]| {
                vec![corner(left, y), corner(right, y), corner(right, y + 1), corner(left, y + 1)]
            };
            parts.extend(rows.row(y).iter().map(square));
        }
        parts
    }
}

/// Whether a body goes by whole pixels.
fn steps(body: &Body) -> bool {
    body.is(SPRITE) && body.moves()
}

/// Where what goes by whole pixels comes, from one offset to another, by unit steps, those in x first; in lattice
/// steps.
fn unit_steps(from: Point, to: Point) -> Vec<Point> {
    let mut at = from;
    let mut places = vec![at];
    while at != to {
        let (dx, dy) = ((to.x - at.x).signum(), (to.y - at.y).signum());
        at = at + if dx == 0 { Point::new(0, dy) } else { Point::new(dx, 0) };
        places.push(at);
    }
    places.into_iter().map(|Point { x, y }| Point::new(x << 8, y << 8)).collect()
}
