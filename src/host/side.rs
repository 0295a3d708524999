//! The side that a moving body meets: the edge of the outline of all obstacles that count, taken together, in the
//! body's configuration space ([contract](crate::contract), "The side that is met").
//!
//! ```text
//! way:   the body's motion relative to the other; by pixels if either is a moving sprite   (`ways`)
//! sets:  each piece of theirs minus each piece of its own, around the hit                  (`Outline`)
//! place: the point at which the way first enters the sets of the body that is hit
//! side:  the edge of the outline there that faces the motion most
//! ```

use std::cell::{Cell, OnceCell};

use super::contact::convex::{V, add, differences, dot, length, scale, sub, wide};
use super::outline::{Outline, STEP, Side};
use super::runs::{Rows, Run, common};
use super::sorted_pieces::SortedPieces;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::predicate::{apart, can_overlap};
use crate::ground::ticks::{TICKS, Walk, come, offset};
use crate::ground::touch::Touch;
use crate::world::packed::{Body, EMPTY, Packed, SPRITE};
use crate::world::pose::land::{self, Piece};

/// How far around the place of a hit pieces are examined, in lattice steps: enough for rounding and for a lip.
pub(super) const ABOUT: i32 = 8;

/// How far on its way a body may be off because positions are rounded, in lattice steps.
const ROUNDED: f64 = 3.0;

/// A body that the moving body hits or comes near to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacle {
    pub(super) body: Body,
    /// The touch rule against this body.
    pub(super) touch: Touch,
}

/// The obstacles around hits at one tick.
pub(super) struct Obstacles<'a> {
    packed: &'a Packed,
    body: &'a Body,
    /// A body that is hit. Of the obstacles, only those that move as it does are considered.
    like: Body,
    all: Vec<Obstacle>,
    /// The ways that the body may have come, the likeliest first.
    ways: Vec<Way>,
    /// The ways along an axis to its end, if it hits there.
    ends: Vec<Way>,
    /// The last place for which a side was looked for, and the side: many hits may be at one place.
    last: Cell<Option<(Place, Option<Side>)>>,
}

/// The positions of a body on its way, one leg after the other, as seen by an obstacle.
struct Way {
    places: Vec<Point>,
    /// The box of the positions near which it hits.
    near: Aabb,
    /// True if the bodies stand at their ends.
    at_end: bool,
    /// The outline of all obstacles, made when it is needed.
    outline: OnceCell<Outline>,
}

/// The number of a way, the number of a leg of it, and a place on the leg.
type Place = (usize, usize, V);

/// The point at which a body enters the sets of what it hits.
struct Entry {
    /// The number of the leg.
    k: usize,
    leg: [V; 2],
    at: V,
    motion: V,
    /// True if the leg is a step of whole pixels.
    by_pixels: bool,
}

impl<'a> Obstacles<'a> {
    /// Gathers the obstacles around hits of `body` at a tick above 0, one of them a hit of `like`.
    pub(super) fn new(packed: &'a Packed, body: &'a Body, tick: u32, like: &Body, all: Vec<Obstacle>) -> Self {
        let tick = tick.min(TICKS);
        let ways = ways(body, like, tick);
        let ends = if tick < TICKS { Vec::new() } else { ends(body.motion - like.motion) };
        Self { packed, body, like: *like, all, ways, ends, last: Cell::new(None) }
    }

    /// Returns whether these are also the obstacles for a hit of `other` at the same tick.
    pub(super) fn suit(&self, other: &Body) -> bool {
        let alike = other.motion == self.like.motion && other.is(SPRITE) == self.like.is(SPRITE);
        // Moving sprites may step at different ticks, so they share nothing.
        alike && !steps(other)
    }

    /// Returns the side that the body meets on the obstacles that are hit, with all obstacles taken as one.
    pub(super) fn side(&self, hit: &dyn Fn(usize) -> bool) -> Option<Side> {
        for (number, way) in self.ways.iter().enumerate() {
            let legs = way.places.windows(2).map(|leg| [wide(leg[0]), wide(leg[1])]);
            for (k, leg) in legs.enumerate() {
                if let Some(at) = self.outline(way).entry(k, leg, hit) {
                    return self.side_at((number, k, at), self.outline(way), leg, hit);
                }
            }
        }
        // At rest at its end a sprite may paint other pixels than on its way: it came along an axis, the shorter way.
        let entered = self.ends.iter().zip(self.ways.len()..).filter_map(|(way, number)| {
            let leg = [wide(way.places[0]), wide(way.places[1])];
            let at = self.outline(way).last_entry(leg, 0.0, hit)?;
            Some((number, way, at, leg))
        });
        let (number, way, at, leg) = entered.min_by(|a, b| length(a.2).total_cmp(&length(b.2)))?;
        self.side_at((number, 0, at), self.outline(way), leg, hit)
    }

    /// Returns the side at a place on a leg of a way.
    fn side_at(&self, place: Place, outline: &Outline, leg: [V; 2], hit: &dyn Fn(usize) -> bool) -> Option<Side> {
        let (_, k, at) = place;
        let motion = wide(self.body.motion - self.like.motion);
        let by_pixels = steps(self.body) || steps(&self.like);
        let side = match self.last.get() {
            Some((last, side)) if last == place && side.is_none_or(|side| !side.is_tied) => side,
            _ => Entry { k, leg, at, motion, by_pixels }.side(outline, hit),
        };
        self.last.set(Some((place, side)));
        // If bodies that are not hit cover the place, the side is that of those that are hit alone.
        side.or_else(|| outline.side_of(at, motion, hit))
    }

    /// Returns the outline of all obstacles, with them and the body at the start of a way.
    fn outline<'w>(&self, way: &'w Way) -> &'w Outline {
        way.outline.get_or_init(|| {
            let stand = |body: &Body| if way.at_end { body.at_end() } else { *body };
            let like = &self.like;
            let alike = |other: &Body| {
                let same = other.motion == like.motion && (!like.moves() || other.is(SPRITE) == like.is(SPRITE));
                same && !other.is(EMPTY)
            };
            let mut outline = Outline::default();
            for (owner, Obstacle { body: other, touch }) in self.all.iter().enumerate() {
                if alike(other) {
                    self.add_sets(&mut outline, owner, &stand(self.body), &stand(other), *touch, way);
                }
            }
            outline
        })
    }

    /// Adds the translations that bring pieces of the body onto pieces of an obstacle.
    fn add_sets(&self, to: &mut Outline, owner: usize, body: &Body, other: &Body, touch: Touch, way: &Way) {
        let Aabb { min, max } = way.near;
        let reach = |of: &Body, min: Point, max: Point| {
            let reach = of.reach();
            Aabb { min: reach.min + min, max: reach.max + max }.grown(ABOUT)
        };
        let joins = |other: &Body| touch == Touch::Excluded && !other.is(SPRITE) && self.packed.has_segments(other);
        let ours = self.pieces(body, &reach(other, -max, -min), joins(other));
        let theirs = SortedPieces::new(self.pieces(other, &reach(body, min, max), joins(body)));
        let seams = |of: &Body| self.packed.seams(&self.packed.shapes[of.shape as usize]);
        let runs_along_seam = |[a, b]: [&Piece; 2], moved: &[Point], from: Point, sweep: Point| {
            if a.is_segment {
                return !b.is_segment && b.has_seam_along(seams(other), theirs.all(), moved, sweep);
            }
            let segment: Vec<Point> = b.vertices.iter().map(|&p| p - from).collect();
            b.is_segment && a.has_seam_along(seams(body), &ours, &segment, -sweep)
        };
        for a in &ours {
            let bounds = a.bounds();
            let near = Aabb { min: bounds.min + min, max: bounds.max + max }.grown(ABOUT);
            for b in theirs.meeting(&near).filter(|b| !stay_apart(a, b, &way.near)) {
                let radius = a.radius + b.radius;
                let open = radius == 0 && touch == Touch::Excluded;
                if open && a.is_segment && b.is_segment {
                    continue;
                }
                let meets = |leg: &[Point]| {
                    let moved: Vec<Point> = a.vertices.iter().map(|&p| p + leg[0]).collect();
                    let (core, still, sweep) = (a.core_at(&moved), b.core(), leg[1] - leg[0]);
                    let seam = open && runs_along_seam([a, b], &moved, leg[0], sweep);
                    seam || (!open || can_overlap(core, still, sweep))
                        && apart(core, still, sweep, radius, touch).is_none()
                };
                let legs = way.places.windows(2).enumerate();
                let met = legs.fold(0, |met, (k, leg)| met | u8::from(meets(leg)) << k);
                to.push(owner, differences(&a.vertices, &b.vertices), radius, met);
            }
        }
    }

    /// Returns the pieces of a body that come to a box; of a sprite, the runs of pixels that it paints, and if it
    /// `joins` them, also of pixels one below the other, as a segment may run between rows.
    fn pieces(&self, of: &Body, near: &Aabb, joins: bool) -> Vec<Piece> {
        if !of.is(SPRITE) {
            return land::pieces_near(self.packed, of, near);
        }
        let mut rows = Rows::sprite(self.packed, of, Touch::Excluded);
        rows.clip([near.min.x >> 8, (near.max.x >> 8) + 1]);
        let (top, bottom) = (near.min.y >> 8, (near.max.y >> 8) + 1);
        let mut pieces = Vec::new();
        for y in top.max(rows.pixels().min.y)..bottom.min(rows.pixels().max.y) {
            let corner = |x: i32, y: i32| Point::new(x << 8, y << 8);
            let square = |[left, right]: Run, top: i32| {
                let vertices = vec![corner(left, top), corner(right, top), corner(right, y + 1), corner(left, y + 1)];
                Piece::hull(vertices, 0)
            };
            let row = rows.row(y).to_vec();
            if joins {
                pieces.extend(common(rows.row(y - 1), &row).into_iter().map(|run| square(run, y - 1)));
            }
            pieces.extend(row.into_iter().map(|run| square(run, y)));
        }
        pieces
    }
}

impl Way {
    fn new(places: Vec<Point>, near: Aabb) -> Self {
        Self { places, near, at_end: false, outline: OnceCell::new() }
    }

    /// Makes a way on which the body may hit anywhere.
    fn near_all(places: Vec<Point>) -> Self {
        let near = Aabb::around(&places);
        Self::new(places, near)
    }
}

impl Entry {
    /// Returns the side at the place, with all obstacles taken as one. `hit` are those that are hit.
    fn side(&self, outline: &Outline, hit: &dyn Fn(usize) -> bool) -> Option<Side> {
        let &Self { k, leg, at, motion, by_pixels } = self;
        let side = |motion: V| outline.side(at, motion, hit).or_else(|| outline.side_in_slot(k, at, motion, hit));
        let along_leg = || side(sub(leg[1], leg[0]));
        // Positions are rounded: moving along a side that it does not face, the body may graze that side, and meets the
        // next one at the end.
        let far = length(sub(leg[1], at)) + ROUNDED;
        let onward = add(at, scale(motion, far / length(motion)));
        let next = |onward: V, slack: f64| {
            outline.side_about(outline.last_entry([at, onward], slack, &|_| true)?, motion, hit)
        };
        side(motion)
            .or_else(|| if by_pixels { along_leg() } else { None })
            .or_else(|| next(onward, STEP))
            .or_else(|| next(leg[1], 0.0))
            .or_else(|| next(onward, 0.0))
            .or_else(along_leg)
            .or_else(|| outline.side_along(at, motion, hit))
    }
}

/// Returns the ways that a body may have come to a hit of `first` at a tick, the likeliest first.
fn ways(body: &Body, first: &Body, tick: u32) -> Vec<Way> {
    let pixels = |body: &Body, tick: u32| offset(body.position, body.motion, tick);
    if !steps(body) && !steps(first) {
        let motion = body.motion - first.motion;
        let straight = |end: Point, near: Point| Way::new(vec![Point::ZERO, end], Aabb::around(&[near, end]));
        let end = come(motion, tick);
        // First as engines round the motion of this body relative to the other, then as they round the reverse, and
        // last with pieces along the whole way.
        let other = -come(-motion, tick);
        return vec![
            straight(end, come(motion, tick - 1)),
            straight(other, -come(-motion, tick - 1)),
            straight(end, Point::ZERO),
        ];
    }
    if body.is(SPRITE) && first.is(SPRITE) {
        let apart = |tick: u32| pixels(body, tick) - pixels(first, tick);
        let now = apart(tick);
        let end = body.end_shift().zip(first.end_shift()).filter(|_| tick == TICKS);
        let end = end.map(|(ours, theirs)| unit_steps(now, ours - theirs));
        return [unit_steps(apart(tick - 1), now)].into_iter().chain(end).map(Way::near_all).collect();
    }
    let (sprite, convex) = if body.is(SPRITE) { (body, first) } else { (first, body) };
    let now = come(convex.motion, tick);
    let [before, at] = [tick - 1, tick].map(|tick| pixels(sprite, tick));
    let steps = |from: Point, to: Point| -> Vec<Point> { unit_steps(from, to).iter().map(|&at| at - now).collect() };
    // The sprite steps first, then the other moves to it. At rest at its end the sprite may paint other pixels.
    let came = if before == at {
        let from = come(convex.motion, Walk::from(sprite.position, sprite.motion, tick).tick);
        vec![steps(at, at)[0] + now - from, steps(at, at)[0]]
    } else {
        steps(before, at)
    };
    let end = sprite.end_shift().filter(|_| tick == TICKS).map(|end| steps(at, end));
    let seen = |places: Vec<Point>| if body.is(SPRITE) { places } else { places.iter().map(|&at| -at).collect() };
    [came].into_iter().chain(end).map(seen).map(Way::near_all).collect()
}

/// Returns the ways along an axis on which a sprite may come to what it paints at its end, at most two pixels long.
fn ends(motion: Point) -> Vec<Way> {
    let back = |v: i32| -2 * SUBPIXELS * v.signum();
    let froms = [Point::new(back(motion.x), 0), Point::new(0, back(motion.y))].into_iter();
    let ways = froms.filter(|from| *from != Point::ZERO).map(|from| Way::near_all(vec![from, Point::ZERO]));
    ways.map(|way| Way { at_end: true, ..way }).collect()
}

/// Returns true only if all translations that bring `a` within their radii of `b` lie farther than `ABOUT` from the box
/// `near`. Only one direction is tried, that between their centres, so it may return false although they do.
fn stay_apart(a: &Piece, b: &Piece, near: &Aabb) -> bool {
    let [corner, middle] = [near.max, near.centre()].map(wide);
    let centre = |piece: &Piece| wide(Aabb::around(&piece.vertices).centre());
    let from = add(centre(a), middle);
    let along = sub(centre(b), from);
    let ours = a.vertices.iter().map(|&p| dot(sub(add(wide(p), middle), from), along)).fold(f64::MIN, f64::max);
    let theirs = b.vertices.iter().map(|&p| dot(sub(wide(p), from), along)).fold(f64::MAX, f64::min);
    // One lattice step more, as centres are rounded.
    let apart = f64::from(a.radius + b.radius + ABOUT + 1) + length(sub(corner, middle));
    theirs - ours > apart * length(along)
}

/// Returns whether a body moves by whole pixels.
fn steps(body: &Body) -> bool {
    body.is(SPRITE) && body.moves()
}

/// Returns the positions of a sprite on its way from one offset to another, by unit steps, those in x first; in lattice
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
