//! Free positions of a body that hits: outside of all that it overlaps, and one tick before a hit.

use super::contact::way_out;
use super::encounter::{Met, is_unseen};
use super::impact::Impact;
use super::moment::{gone, hits_at_rest};
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::ticks::{TICKS, come};
use crate::ground::vec2::Vec2;
use crate::hits::{Detail, Hits};
use crate::queries::BodyHit;
use crate::world::World;
use crate::world::body::{self, BodyId};
use crate::world::motion::position_at;
use crate::world::packed::{Body, SPRITE};
use crate::world::pose::check_inside;

/// The maximum number of pushes in succession. Two walls that meet at an angle take a few.
const PUSHES: u32 = 64;

/// The maximum number of positions tried before a hit. The first is nearly always free.
const PLACES: usize = 64;

impl World {
    /// Returns the position at which a body is free of everything that it hits, in units. The body moves out of the
    /// deepest hit by the shortest way, repeatedly, until it hits none of the bodies whose hits count, including those
    /// hit late in the step. All bodies stand as at the start of the step. Returns the body's own position if it is
    /// free there, and `None` if 64 pushes do not lead out, as between two walls that are too close, or if one leads
    /// out of the world.
    ///
    /// The result is exact: by the rules of a step, the body hits none of them there. It may hit others; run a step
    /// from there to find them. A [detector](crate::Body::detector) that this body does not see pushes it nowhere.
    /// Fails as [`World::impacts`] does.
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
        let others = met.filter_map(|impact| self.standing(impact.other).ok());
        let others: Vec<Body> = others.filter(|other| !is_unseen(body, other)).collect();
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
    pub(super) fn before_hit(&self, body: &Body, &Met { ref other, tick, touch, second, .. }: &Met) -> Option<Point> {
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
