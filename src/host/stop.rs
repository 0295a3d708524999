//! Stopping a body before a hit, and moving it out of what it overlaps.

use super::contact::way_out;
use super::encounter::{Encounter, Halt, Met, Neighbour};
use super::impact::Impact;
use super::moment::{gone, hits_at_rest};
use super::touching::beyond_touch;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::ticks::{TICKS, come};
use crate::ground::vec2::Vec2;
use crate::hits::{Detail, Hits};
use crate::queries::BodyHit;
use crate::world::World;
use crate::world::body::{self, BodyId};
use crate::world::motion::position_at;
use crate::world::packed::{Body, SPRITE};
use crate::world::pose::check_inside;

/// How far a motion along a side may lead into it because `f64` rounds, in lattice steps.
const PARALLEL: f64 = 1e-6;

/// The maximum number of pushes in succession. Two walls that meet at an angle take a few.
const PUSHES: u32 = 64;

/// The maximum number of positions tried before a hit. The first is nearly always free.
const PLACES: usize = 64;

/// The stop of a body at its first hit in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stop {
    /// The hit.
    pub impact: Impact,
    /// The position of the body one tick before the hit, in units, as [`World::before`] returns it; its start, if it
    /// hits from the start. Because of rounding, it may hit a third body there by one lattice step;
    /// [`Search::sweep`](crate::query::Search::sweep) avoids that.
    pub at: Vec2,
    /// The remaining motion, in units.
    pub left: Vec2,
    /// The direction along the side in which the side ends within three lattice steps, with nothing beyond.
    pub(crate) lip: Option<[f64; 2]>,
}

impl Stop {
    /// Makes the stop of a body that stands at `before` one tick before the hit; `None` if it hits from the start.
    fn new(body: &Body, Halt { impact, lip, .. }: Halt, before: Option<Point>) -> Self {
        let start = Vec2::from(body.position.units());
        let at = before.map_or(start, |at| at.units().into());
        let left = Vec2::from(body.motion.units()) - (at - start);
        Self { impact, at, left, lip }
    }

    /// Returns the remaining motion with the component into the surface removed, rounded so that it never points into
    /// the surface. Move the body by it from [`Stop::at`]. The motion of the other body is not added: a moving platform
    /// carries nothing, and [`World::pushed_out`] moves a body out of a platform that has moved into it.
    ///
    /// The edges of a sprite are stairs of pixels, each horizontal or vertical, never sloped. So the first stair of a
    /// drawn slope stops a body like a wall, with nothing left to slide. To walk on such ground, climb low stairs, as
    /// [`Walker`](crate::response::Walker) does. Convex bodies and polygons laid under the picture let any body, even a
    /// sprite, slide along their true slope.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let floor = world.add_shape(Shape::rect(100.0, 5.0)?)?;
    /// let ball = world.add_shape(Shape::rect(2.0, 2.0)?)?;
    /// world.add(&Body::new(floor, [0, 10]))?;
    /// let hero = world.add(&Body::new(ball, [0, 0]).moving([16, 16]))?;
    /// let mut engine = Engine::cpu()?;
    /// let stop = world.stop(hero, &engine.run(&world, Ask::Details)?, |_| true)?.unwrap();
    /// assert_eq!((stop.at.y, stop.slide().y), (8.0, 0.0)); // on the floor, and along it
    /// world.set(hero, &Body::new(ball, stop.at).moving(stop.slide()))?;
    /// assert!(engine.run(&world, Ask::Pairs)?.pairs.is_empty());
    /// world.advance()?;
    /// assert_eq!(world.body(hero).unwrap().at.x, 16.0);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn slide(&self) -> Vec2 {
        self.slide_along(self.impact.normal)
    }

    /// As [`Stop::slide`], along a surface with the given normal.
    pub(crate) fn slide_along(&self, [x, y]: [f64; 2]) -> Vec2 {
        let into = (self.left.x * x + self.left.y * y).min(0.0);
        let [along_x, along_y] = [self.left.x - into * x, self.left.y - into * y].map(|v| v * f64::from(SUBPIXELS));
        // The nearest of the four lattice points around it that does not lead into the surface; if there is none, zero.
        let around = |v: f64| [v.floor(), v.ceil()];
        let ways = around(along_x).into_iter().flat_map(|x| around(along_y).map(|y| [x, y]));
        let away = ways.filter(|way| way[0] * x + way[1] * y >= -PARALLEL);
        let far = |way: &[f64; 2]| (way[0] - along_x).powi(2) + (way[1] - along_y).powi(2);
        let nearest = away.min_by(|a, b| far(a).total_cmp(&far(b))).unwrap_or([0.0; 2]);
        nearest.map(|v| v / f64::from(SUBPIXELS)).into()
    }
}

impl World {
    /// Returns the stop at the body's first hit that counts: the one with the lowest tick, then with the lowest index
    /// of the other body. `hits` is the answer to a step run with details. `None` if no hit counts; then nothing stops
    /// the body.
    ///
    /// `counts` is called with the hits in this order, up to the end of the first tick at which it returns true. It is
    /// also called with the other bodies at that place, as if they were hit there too: the side is that of all bodies
    /// that count, taken together. If touching is a hit, another body that is only touched at the start stops this one
    /// only if it moves into that one, not along it or away from it. Fails as [`World::impacts`] does.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.add_shape(Shape::rect(1.0, 50.0)?)?;
    /// let ball = world.add_shape(Shape::circle(2.0)?)?;
    /// let [far, near] = [world.add(&Body::new(wall, [40, 0]))?, world.add(&Body::new(wall, [20, 0]))?];
    /// let shot = world.add(&Body::new(ball, [0, 10]).moving([100, 0]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// let stop = world.stop(shot, &hits, |_| true)?.unwrap();
    /// assert_eq!((stop.impact.other, stop.at.x), (near, 18.0));
    /// let beyond = world.stop(shot, &hits, |impact| impact.other != near)?.unwrap();
    /// assert_eq!((beyond.impact.other, beyond.at.x), (far, 38.0));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn stop(&self, id: BodyId, hits: &Hits, counts: impl Fn(&Impact) -> bool) -> Result<Option<Stop>> {
        let met = self.met(id, hits)?;
        let body = self.packed().body(self.index_of(id)?);
        let near = |near: &Aabb| self.neighbours(&body, Some(id), near);
        Ok(self.stop_among(&body, met, &near, counts))
    }

    /// Returns the stop of a body at the first of some hits that counts.
    fn stop_among(
        &self,
        body: &Body,
        met: Vec<Met>,
        near: &dyn Fn(&Aabb) -> Vec<Neighbour>,
        counts: impl Fn(&Impact) -> bool,
    ) -> Option<Stop> {
        let met = met.into_iter().filter_map(|met| beyond_touch(self.packed(), body, met)).collect();
        let halt = Encounter::new(self, *body, met, near).first(counts)?;
        let before = self.before_hit(body, &halt.met);
        Some(Stop::new(body, halt, before))
    }

    /// As [`World::stop`], for a body that is not in the world, or for a body of the world at another position or with
    /// another motion. `hits` are [all answers](crate::query::Search::all) to the query about it.
    ///
    /// Returns [`Error::Value`](crate::Error::Value) for a body that cannot be queried. Hits of bodies removed since
    /// are left out.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let floor = world.add_shape(Shape::rect(100.0, 5.0)?)?;
    /// let ball = world.add_shape(Shape::circle(2.0)?)?;
    /// world.add(&Body::new(floor, [0, 10]))?;
    /// let (mut queries, mut hits) = (Queries::new(), Vec::new());
    /// let mut hero = Body::new(ball, [10, 0]).moving([4, 16]);
    /// queries.on(&world).all(&hero, &mut hits)?;
    /// let stop = world.probe_stop(&hero, &hits, |_| true)?.unwrap();
    /// assert_eq!((stop.at.x, stop.at.y), (12.0, 8.0)); // on the floor
    /// hero = Body { at: stop.at, ..hero }.moving(stop.slide());
    /// assert!(queries.on(&world).is_free(&hero)?); // and along it
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn probe_stop(
        &self,
        body: &body::Body,
        hits: &[BodyHit],
        counts: impl Fn(&Impact) -> bool,
    ) -> Result<Option<Stop>> {
        let near = |posed: &Body, near: &Aabb| self.standing_near(posed, near);
        self.stop_of_near(body, hits, &near, counts)
    }

    /// As [`World::probe_stop`]; `near` returns the bodies that the body may hit, at rest, whose bounds meet a box.
    pub(crate) fn stop_of_near(
        &self,
        body: &body::Body,
        hits: &[BodyHit],
        near: &dyn Fn(&Body, &Aabb) -> Vec<Neighbour>,
        counts: impl Fn(&Impact) -> bool,
    ) -> Result<Option<Stop>> {
        let body = self.pose_apart(body)?;
        let near = |bounds: &Aabb| near(&body, bounds);
        Ok(self.stop_among(&body, self.met_apart(hits), &near, counts))
    }

    /// Returns the ways by which a body that is not in the world can reach its stop, the best first, in units. A convex
    /// body has one. A sprite stands a whole number of pixels from its start there, which may be up to a pixel farther
    /// than its motion has come. Along an axis in which nothing is in its way it goes as far as its motion.
    pub(crate) fn ways_to(&self, body: &body::Body, stop: &Stop) -> Result<Vec<Vec2>> {
        let posed = self.pose_apart(body)?;
        let way = stop.at - body.at;
        if !posed.is(SPRITE) || stop.impact.tick == 0 {
            return Ok(vec![way]);
        }
        let came = Vec2::from(come(posed.motion, stop.impact.tick - 1).units());
        let (across, down) = (Vec2 { x: way.x, ..came }, Vec2 { y: way.y, ..came });
        let [x, y] = stop.impact.normal.map(f64::abs);
        Ok(if x > y { vec![across, down, way] } else { vec![down, across, way] })
    }

    /// Returns the position at which a body is free of everything that it hits, in units. The body moves out of the
    /// deepest hit by the shortest way, repeatedly, until it hits none of the bodies whose hits count, including those
    /// hit late in the step. All bodies stand as at the start of the step. Returns the body's own position if it is
    /// free there, and `None` if 64 pushes do not lead out, as between two walls that are too close, or if one leads
    /// out of the world.
    ///
    /// The result is exact: by the rules of a step, the body hits none of them there. It may hit others; run a step
    /// from there to find them. Fails as [`World::impacts`] does.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(10.0, 10.0)?)?;
    /// for at in [[0, 10], [10, 10], [10, 0]] {
    ///     world.add(&Body::new(tile, at))?; // a floor and a wall
    /// }
    /// let hero = world.add(&Body::new(tile, [2, 1]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// let at = world.pushed_out(hero, &hits, |_| true)?.unwrap();
    /// assert_eq!([at.x, at.y], [0.0, 0.0]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn pushed_out(&self, id: BodyId, hits: &Hits, counts: impl Fn(&Impact) -> bool) -> Result<Option<Vec2>> {
        let met = self.impacts(id, hits)?.filter(|impact| counts(impact));
        Ok(self.free_of(&self.packed().body(self.index_of(id)?), met))
    }

    /// As [`World::pushed_out`], for a body that is not in the world. `hits` are all answers to the query about it.
    ///
    /// Fails as the query does.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(10.0, 10.0)?)?;
    /// for at in [[0, 10], [10, 10], [10, 0]] {
    ///     world.add(&Body::new(tile, at))?; // a floor and a wall
    /// }
    /// let (mut queries, mut hits, hero) = (Queries::new(), Vec::new(), Body::new(tile, [2, 1]));
    /// queries.on(&world).all(&hero, &mut hits)?;
    /// let at = world.probe_pushed_out(&hero, &hits, |_| true)?.unwrap();
    /// assert_eq!([at.x, at.y], [0.0, 0.0]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn probe_pushed_out(
        &self,
        body: &body::Body,
        hits: &[BodyHit],
        counts: impl Fn(&Impact) -> bool,
    ) -> Result<Option<Vec2>> {
        let met = self.probe_impacts(body, hits)?.filter(|impact| counts(impact));
        Ok(self.free_of(&self.pose_apart(body)?, met))
    }

    /// Returns the position at which a body is free of the bodies that it met, all at rest, by the shortest ways out.
    fn free_of(&self, body: &Body, met: impl Iterator<Item = Impact>) -> Option<Vec2> {
        let packed = self.packed();
        let others: Vec<Body> = met.filter_map(|impact| self.standing(impact.other).ok()).collect();
        let mut at = gone(body, Point::ZERO);
        for _ in 0..PUSHES {
            let met = others.iter().filter(|other| hits_at_rest(packed, &at, other, self.touch()));
            let ways = met.map(|other| way_out(packed, &[at, *other], Point::ZERO, self.touch()).push);
            let Some(deepest) = ways.max_by_key(|push| i64::from(push.x).pow(2) + i64::from(push.y).pow(2)) else {
                return Some(at.position.units().into());
            };
            let moved = gone(&at, deepest);
            check_inside(&moved).ok()?;
            at = moved;
        }
        None
    }

    /// Returns the position of a body of a pair one tick before their hit, in units. Stopped there, it does not hit the
    /// other body, if that one does not move. `None` if they hit from the start, if neither moves, or if the body is
    /// not of the pair. `detail` is what an engine returned for the pair.
    ///
    /// This is [`World::position_at`] one tick earlier, to within one lattice step: the difference of two motions may
    /// round differently than each motion. Since positions on the way are rounded to the lattice, the body may hit a
    /// third body there, by at most one lattice step. [`Search::sweep`](crate::query::Search::sweep) also checks the
    /// way to the stop.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.add_shape(Shape::rect(1.0, 50.0)?)?;
    /// let crate_ = world.add_shape(Shape::rect(4.0, 4.0)?)?;
    /// world.add(&Body::new(wall, [20, 0]))?;
    /// let slider = world.add(&Body::new(crate_, [0, 10]).moving([100, 0]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// let at = world.before(slider, hits.pairs[0], &hits.details[0]).unwrap();
    /// assert_eq!(at.x, 16.0); // its right side is at the wall
    /// world.set(slider, &Body::new(crate_, at))?;
    /// assert!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn before(&self, id: BodyId, pair: [u32; 2], detail: &Detail) -> Option<Vec2> {
        let [a, b] = [self.posed(self.id(pair[0])?)?, self.posed(self.id(pair[1])?)?];
        let second = pair.iter().position(|&index| index == id.index())? == 1;
        let (body, other) = if second { (b, a) } else { (a, b) };
        let tick = detail.time.map_or(0, |[tick, _]| tick);
        let met = Met { hit: 0, id, other, tick, touch: self.touch(), second };
        self.before_hit(&body, &met).map(|at| at.units().into())
    }

    /// Returns the position of a body one tick before a hit.
    fn before_hit(&self, body: &Body, &Met { ref other, tick, touch, second, .. }: &Met) -> Option<Point> {
        let packed = self.packed();
        let convex = !body.is(SPRITE) && !other.is(SPRITE);
        let stands = |tick: u32| {
            if convex && second && !other.moves() {
                // Engines round the motion of the first body relative to the second.
                body.position - come(-body.motion, tick)
            } else {
                position_at(body, tick)
            }
        };
        let free = |at: &Point| other.moves() || !hits_at_rest(packed, &gone(body, *at - body.position), other, touch);
        // The first is free, unless several pieces and a rounded way leave a tick too little to clear all of them. If
        // the answer belongs to another hit, none may be free.
        let mut last = None;
        let places = (0..tick.min(TICKS)).rev().map(stands).filter(|&at| last.replace(at) != Some(at));
        places.take(PLACES).find(free)
    }
}
