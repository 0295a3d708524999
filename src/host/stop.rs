//! Stops: where the motion of a body ends at its first hit, and the rest of the motion.

use super::encounter::{Encounter, Halt, Met, Near, Neighbour, is_unseen};
use super::impact::Impact;
use super::touching::beyond_touch;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::ticks::come;
use crate::ground::vec2::Vec2;
use crate::hits::Hits;
use crate::queries::BodyHit;
use crate::world::World;
use crate::world::body::{self, BodyId};
use crate::world::packed::{Body, SPRITE};

/// How far a motion along a side may lead into it because `f64` rounds, in lattice steps.
const PARALLEL: f64 = 1e-6;

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
    /// The direction along the side in which the side ends in fewer than three lattice steps, with nothing beyond.
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
    /// only if it moves into that one, not along it or away from it. A [detector](crate::Body::detector) that this body
    /// does not see never stops it. Fails as [`World::impacts`] does.
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
        let met = self.in_the_way(&body, met);
        let near = self.neighbours(&body, Some(id), &met);
        Ok(self.stop_among(&body, met, &near, counts))
    }

    /// Returns the hits that may stop a body. Bodies that it does not see are left out, and bodies that it only touches
    /// at the start and does not move into.
    fn in_the_way(&self, body: &Body, met: Vec<Met>) -> Vec<Met> {
        let seen = met.into_iter().filter(|met| !is_unseen(body, &met.other));
        seen.filter_map(|met| beyond_touch(self.packed(), body, met)).collect()
    }

    /// Returns the stop of a body at the first of some hits that counts.
    fn stop_among(&self, body: &Body, met: Vec<Met>, near: Near<'_>, counts: impl Fn(&Impact) -> bool) -> Option<Stop> {
        let halt = Encounter::new(self, body, met, near).first(counts)?;
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
        let body = self.pose_apart(body)?;
        let met = self.in_the_way(&body, self.met_apart(hits));
        let near = self.standing_near(&body, &met);
        Ok(self.stop_among(&body, met, &near, counts))
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
        let near = |bounds: &Aabb, _| near(&body, bounds);
        let met = self.in_the_way(&body, self.met_apart(hits));
        Ok(self.stop_among(&body, met, &near, counts))
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
}
