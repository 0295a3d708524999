//! The distance between two bodies and their closest points, from the exact distances of their convex parts.
//!
//! ```text
//! best = nothing yet
//! for the parts of a, the parts of b: pieces, or runs of painted pixels
//!     skip them if their bounds are farther apart than best
//!     if their cores are nearer to each other than best, or as near and higher up: they are best
//! ```

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;

use super::runs::{Rows, Run};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::gap::{Closest, Gap, Square};
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::predicate::Core;
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, EMPTY, OFF, Packed, SPRITE};
use crate::world::pieces::{self, Pieces};
use crate::world::pose::land;

/// The distance between two bodies, see [`World::distance`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Distance {
    /// The distance, in units; 0 if the bodies overlap or touch.
    pub distance: f64,
    /// A point of the first body and one of the second that are this far apart, in units; `None` if the distance is 0.
    pub points: Option<[Vec2; 2]>,
}

impl World {
    /// Returns the distance between two bodies and their closest points; `None` if either is switched off or empty.
    ///
    /// It is the distance that a [`NearestHit`](crate::query::NearestHit) has, of a body instead of a point: between
    /// the outlines of shapes, with their radii, and the squares of painted pixels. Both bodies stand as at the start
    /// of the step. Layers, masks and groups are ignored.
    ///
    /// - The closest parts are found in integers; only their distance and points are computed in `f64`. So the answer
    ///   is the same on every machine, and with `a` and `b` swapped it has the same points, swapped.
    /// - If several pairs of points are equally close, as between parallel sides, these are the uppermost, then the
    ///   leftmost.
    /// - For bodies that overlap, use [`World::contact`] or [`World::push_along`].
    ///
    /// Returns [`Error::Gone`](crate::Error::Gone) for the handle of a removed body.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let [ball, tile] = [world.add_shape(Shape::circle(2.0)?)?, world.add_shape(Shape::rect(10.0, 10.0)?)?];
    /// let ball = world.add(&Body::new(ball, [-3, -4]))?;
    /// let tile = world.add(&Body::new(tile, [0, 0]))?;
    /// let near = world.distance(ball, tile)?.unwrap();
    /// assert_eq!((near.distance, near.points), (3.0, Some([[-1.8, -2.4].into(), [0, 0].into()])));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn distance(&self, a: BodyId, b: BodyId) -> Result<Option<Distance>> {
        let bodies = [self.standing(a)?, self.standing(b)?];
        if bodies.iter().any(|body| body.is(EMPTY) || body.is(OFF)) {
            return Ok(None);
        }
        let [a, b] = &bodies;
        let best = match [a, b].map(|body| body.is(SPRITE)) {
            [true, true] => of_sprites(self.packed(), a, b),
            [true, false] => of_sprite_and_convex(self.packed(), a, b),
            [false, true] => of_sprite_and_convex(self.packed(), b, a).map(Best::swapped),
            [false, false] => of_convex(self.packed(), a, b),
        };
        Ok(best.map(Best::in_units))
    }
}

/// The closest parts of two bodies.
#[derive(Clone, Copy)]
struct Best {
    /// The square of the distance of their cores, and the sum of their radii.
    square: Square,
    radius: i32,
    /// Their distance, in lattice steps.
    distance: f64,
    /// Their closest points, in lattice steps.
    points: [[f64; 2]; 2],
}

impl Best {
    fn swapped(self) -> Self {
        let [p, q] = self.points;
        Self { points: [q, p], ..self }
    }

    /// Compares the heights of two pairs of points, then how far to the left they are.
    fn above(&self, other: &Self) -> Ordering {
        // The middle of the points first, then the points; in an order that does not depend on which is whose.
        let key = |[[px, py], [qx, qy]]: [[f64; 2]; 2]| [py + qy, px + qx, py.min(qy), px.min(qx)];
        let keys = key(self.points).into_iter().zip(key(other.points));
        keys.map(|(v, w)| v.total_cmp(&w)).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    fn in_units(self) -> Distance {
        let units = |v: f64| v / f64::from(SUBPIXELS);
        let points = self.points.map(|point| point.map(units).into());
        Distance { distance: units(self.distance), points: (self.distance > 0.0).then_some(points) }
    }
}

/// A piece of a body, or a run of pixels: a core, inflated by a radius.
#[derive(Clone, Copy)]
struct Piece<'a> {
    core: Core<'a>,
    radius: i32,
}

impl Piece<'_> {
    /// Returns a run of pixels.
    fn run(square: Aabb) -> Self {
        Self { core: Core::Square(square), radius: 0 }
    }
}

/// The search for the closest parts of two bodies.
struct Search {
    /// The sum of the greatest radii of both.
    radius: i32,
    best: Cell<Option<Best>>,
    /// The greatest square of a distance, rounded down, at which cores may still be the closest; -1 if bodies meet.
    most: Cell<i64>,
}

impl Search {
    fn new(a: &Body, b: &Body) -> Self {
        Self { radius: a.radius + b.radius, best: Cell::new(None), most: Cell::new(i64::MAX) }
    }

    /// Returns whether cores in these boxes may be the closest.
    fn may_be_closest(&self, a: &Aabb, b: &Aabb) -> bool {
        square_between(a, b) <= self.most.get()
    }

    /// Compares two pieces with the closest so far.
    fn take(&self, a: Piece<'_>, b: Piece<'_>) {
        let (gap, radius) = (Gap::between(a.core, b.core), a.radius + b.radius);
        let distance = (gap.square.root() - f64::from(radius)).max(0.0);
        // Squares are exact, but only those of equal radii can be compared.
        let order = self.best.get().map_or(Ordering::Less, |best| {
            if best.radius == radius { gap.square.cmp(&best.square) } else { distance.total_cmp(&best.distance) }
        });
        if order.is_gt() {
            return;
        }
        if distance == 0.0 {
            self.best.set(Some(Best { square: gap.square, radius, distance, points: [[0.0; 2]; 2] }));
            self.most.set(-1);
            return;
        }
        let [first, second] = [a.radius, b.radius].map(f64::from);
        let Closest { points: [[px, py], [qx, qy]], normal: [nx, ny] } = Closest::new(a.core, b.core, gap.normal);
        let points = [[px + nx * first, py + ny * first], [qx - nx * second, qy - ny * second]];
        let found = Best { square: gap.square, radius, distance, points };
        if order.is_lt() || self.best.get().is_some_and(|best| found.above(&best).is_lt()) {
            self.best.set(Some(found));
            self.most.set(if radius == self.radius {
                gap.square.whole
            } else {
                // Cores with greater radii may be the closest from farther away; a step more for rounding.
                (distance + f64::from(self.radius) + 1.0).powi(2) as i64
            });
        }
    }
}

/// Returns the square of the distance of two boxes.
fn square_between(a: &Aabb, b: &Aabb) -> i64 {
    let off = |a: [i32; 2], b: [i32; 2]| i64::from((b[0] - a[1]).max(a[0] - b[1]).max(0));
    let x = off([a.min.x, a.max.x], [b.min.x, b.max.x]);
    let y = off([a.min.y, a.max.y], [b.min.y, b.max.y]);
    x * x + y * y
}

/// A convex body or polygon, whose pieces land as they are needed.
struct Landing<'a> {
    body: &'a Body,
    vertices: &'a [Point],
    pieces: Pieces<'a>,
    has_parts: bool,
    landed: RefCell<Vec<Point>>,
}

impl<'a> Landing<'a> {
    fn new(packed: &'a Packed, body: &'a Body) -> Self {
        let shape = &packed.shapes[body.shape as usize];
        let (vertices, has_parts) = (packed.vertices(shape), !packed.parts(shape).is_empty());
        Self { body, vertices, pieces: packed.pieces(body), has_parts, landed: RefCell::default() }
    }

    /// Returns a box around the cores of all pieces.
    fn bounds(&self) -> Aabb {
        // The outermost piece of several parts need not have the greatest radius.
        self.body.reach().grown(if self.has_parts { 0 } else { -self.body.radius })
    }

    /// Passes the pieces that may be the closest to a core in the box `near`, one after the other.
    fn each(&self, near: &Aabb, search: &Search, mut take: impl FnMut(Piece<'_>)) {
        let mut land = |piece: pieces::Piece| {
            let mut landed = self.landed.take();
            landed.resize(piece.count, Point::ZERO);
            land::core(self.body, &self.vertices[piece.vertices()], &mut landed);
            take(Piece { core: Core::Hull(&landed), radius: piece.radius });
            self.landed.replace(landed);
        };
        if self.pieces.are_many() && search.best.get().is_none() {
            // Any nearby piece bounds the distance of the closest.
            land(self.pieces.beside(|bounds| square_between(bounds, near) as f64));
        }
        for piece in self.pieces.near(|bounds| search.may_be_closest(bounds, near)) {
            land(piece);
        }
    }
}

fn of_convex(packed: &Packed, a: &Body, b: &Body) -> Option<Best> {
    let search = Search::new(a, b);
    let [first, second] = [a, b].map(|body| Landing::new(packed, body));
    first.each(&second.bounds(), &search, |piece| {
        second.each(&piece.core.bounds(), &search, |other| search.take(piece, other));
    });
    search.best.get()
}

/// Returns the box of a run of pixels.
fn run_box([left, right]: Run, y: i32) -> Aabb {
    Aabb { min: Point::new(left << 8, y << 8), max: Point::new(right << 8, (y + 1) << 8) }
}

fn of_sprite_and_convex(packed: &Packed, sprite: &Body, convex: &Body) -> Option<Best> {
    let search = Search::new(sprite, convex);
    let convex = Landing::new(packed, convex);
    let core = convex.bounds();
    let mut rows = Rows::sprite(packed, sprite, Touch::Excluded);
    let Aabb { min, max } = rows.pixels();
    // Returns whether a row, and those beyond it, may have the closest run.
    let mut take = |y: i32| {
        let comes = search.may_be_closest(&run_box([min.x, max.x], y), &core);
        for &run in rows.row(y).iter().filter(|_| comes) {
            let square = run_box(run, y);
            if search.may_be_closest(&square, &core) {
                convex.each(&square, &search, |piece| search.take(Piece::run(square), piece));
            }
        }
        comes
    };
    // From the row beside the convex body downward, then upward.
    let beside = (core.centre().y >> 8).min(max.y).max(min.y);
    let _ = (beside..max.y).all(&mut take);
    let _ = (min.y..beside).rev().all(&mut take);
    search.best.get()
}

fn of_sprites(packed: &Packed, a: &Body, b: &Body) -> Option<Best> {
    let search = Search::new(a, b);
    let mut rows = [a, b].map(|body| Rows::sprite(packed, body, Touch::Excluded));
    let [ours, theirs] = [rows[0].pixels(), rows[1].pixels()];
    // The columns between the sprites, and the differences of their rows that there are.
    let aside = (theirs.min.x - ours.max.x).max(ours.min.x - theirs.max.x).max(0);
    let [least, most] = [theirs.min.y - ours.max.y + 1, theirs.max.y - 1 - ours.min.y];
    let first = least.max(-most).max(0);
    for off in first..=most.max(-least) {
        if square(aside, off) > search.most.get() {
            break;
        }
        for down in if off == 0 { vec![0] } else { vec![-off, off] } {
            for y in ours.min.y.max(theirs.min.y - down)..ours.max.y.min(theirs.max.y - down) {
                let [first, second] = &mut rows;
                take_rows(&search, (first.row(y), y), (second.row(y + down), y + down));
            }
        }
    }
    search.best.get()
}

/// Returns the square of the distance of two runs, in lattice steps, from the number of columns between them and the
/// difference of their rows.
fn square(aside: i32, off: i32) -> i64 {
    let [x, y] = [aside, (off.abs() - 1).max(0)].map(|v| i64::from(v) * i64::from(SUBPIXELS));
    x * x + y * y
}

/// Compares the runs of two rows that may be the closest.
fn take_rows(search: &Search, (a, y): (&[Run], i32), (b, other_y): (&[Run], i32)) {
    let aside = |a: Run, b: Run| (b[0] - a[1]).max(a[0] - b[1]).max(0);
    let may_be_closest = |a: Run, b: Run| square(aside(a, b), other_y - y) <= search.most.get();
    let ([first_a, .., last_a] | [first_a @ last_a]) = a else { return };
    let ([first_b, .., last_b] | [first_b @ last_b]) = b else { return };
    if !may_be_closest([first_a[0], last_a[1]], [first_b[0], last_b[1]]) {
        return;
    }
    let (mut i, mut j) = (0, 0);
    // Of two runs, the one that ends first is farther from all that follow the other.
    while let (Some(&run), Some(&other)) = (a.get(i), b.get(j)) {
        if may_be_closest(run, other) {
            search.take(Piece::run(run_box(run, y)), Piece::run(run_box(other, other_y)));
        }
        if run[1] < other[1] { i += 1 } else { j += 1 }
    }
}
