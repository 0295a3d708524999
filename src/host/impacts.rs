//! The hits of a body from its own point of view: those of a step, and those of a query.

use super::contact::{Contact, between};
use super::encounter::{Encounter, Met, Neighbour};
use super::impact::Impact;
use super::moment::gone;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::ticks::TICKS;
use crate::hits::Hits;
use crate::queries::BodyHit;
use crate::world::World;
use crate::world::body::{Body, BodyId};
use crate::world::packed;

impl World {
    /// Checks that `hits` is the answer to a step of this world, with no body added since. Then each index of a pair
    /// still names the body that hit, or none if that one was removed. Returns [`Error::Value`](crate::Error::Value)
    /// otherwise.
    ///
    /// Functions that take all of an answer check this themselves. Functions that take a single pair, such as
    /// [`World::contact`], cannot.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(4.0, 4.0)?)?;
    /// let [_, b] = [world.add(&Body::new(tile, [0, 0]))?, world.add(&Body::new(tile, [3, 0]))?];
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// world.remove(b)?;
    /// assert!(world.check_hits(&hits).is_ok());
    /// world.add(&Body::new(tile, [50, 0]))?; // takes the index of `b`
    /// assert!(world.check_hits(&hits).is_err());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn check_hits(&self, hits: &Hits) -> Result<()> {
        hits.check_past(self.past())
    }

    /// Returns the hits of a body as [`Impact`]s, in the order of the pairs. `hits` is the answer to a step run with
    /// details.
    ///
    /// Takes time proportional to the number of pairs of the step, plus the number of bodies of the world, plus, for
    /// each hit after the start, the number of bodies near the way.
    ///
    /// Returns [`Error::Gone`](crate::Error::Gone) for the handle of a removed body, and
    /// [`Error::Value`](crate::Error::Value) for an answer that has hits but no details, that is of another world, or
    /// that is from before a body was added.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(4.0, 4.0)?)?;
    /// let floor = world.add(&Body::new(tile, [0, 10]))?;
    /// let hero = world.add(&Body::new(tile, [0, 0]).moving([0, 12]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// let impact = world.impacts(hero, &hits)?.next().unwrap();
    /// assert_eq!((impact.other, impact.normal), (floor, [0.0, -1.0])); // the top side faces up
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn impacts<'a>(&'a self, id: BodyId, hits: &'a Hits) -> Result<impl Iterator<Item = Impact> + 'a> {
        let met = self.met(id, hits)?;
        let body = self.packed().body(self.index_of(id)?);
        let near = self.neighbours(&body, Some(id), &met);
        Ok(Encounter::new(self, &body, met, &near).impacts().into_iter())
    }

    /// Collects the hits of a body from a step's answer with details.
    pub(super) fn met(&self, id: BodyId, hits: &Hits) -> Result<Vec<Met>> {
        self.index_of(id)?;
        hits.has_details()?;
        self.check_hits(hits)?;
        let touch = self.touch();
        let own = hits.pairs.iter().zip(&hits.details).enumerate().filter(|(_, (pair, _))| pair.contains(&id.index()));
        let met = own.filter_map(|(hit, (pair, detail))| {
            let second = pair[1] == id.index();
            let other = self.id(pair[usize::from(!second)])?;
            Some(Met { hit, id: other, other: self.posed(other)?, tick: detail.tick().min(TICKS), touch, second })
        });
        Ok(met.collect())
    }

    /// Returns the hits of a body that is not in the world as [`Impact`]s, in the order of `hits`. `body` is the body
    /// that the query was about, `hits` its answers. The other bodies stand still. Hits of bodies removed since are
    /// left out. Fails as the query does.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(4.0, 4.0)?)?;
    /// let floor = world.add(&Body::new(tile, [0, 10]))?;
    /// let (mut queries, mut hits) = (Queries::new(), Vec::new());
    /// let hero = Body::new(tile, [0, 0]).moving([0, 12]);
    /// queries.on(&world).all(&hero, &mut hits)?;
    /// let impact = world.probe_impacts(&hero, &hits)?.next().unwrap();
    /// assert_eq!((impact.other, impact.normal), (floor, [0.0, -1.0]));
    /// assert_eq!(impact.tick, 32779); // half the way, plus one lattice step
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn probe_impacts(&self, body: &Body, hits: &[BodyHit]) -> Result<impl Iterator<Item = Impact>> {
        let (body, met) = (self.pose_apart(body)?, self.met_apart(hits));
        let near = self.standing_near(&body, &met);
        Ok(Encounter::new(self, &body, met, &near).impacts().into_iter())
    }

    /// Collects the hits of a body that is not in the world, leaving out hits of removed bodies.
    pub(super) fn met_apart(&self, hits: &[BodyHit]) -> Vec<Met> {
        let touch = self.touch();
        let met = hits.iter().enumerate().filter_map(|(hit, BodyHit { body, detail })| {
            let other = self.standing(*body).ok()?;
            Some(Met { hit, id: *body, other, tick: detail.tick().min(TICKS), touch, second: false })
        });
        met.collect()
    }

    /// Returns a function that collects the bodies that a body outside the world may hit and whose bounds meet a box
    /// near its way to some hits, all at rest.
    pub(super) fn standing_near<'s>(
        &'s self,
        body: &packed::Body,
        met: &[Met],
    ) -> impl Fn(&Aabb, u32) -> Vec<Neighbour> + use<'s> {
        let near = self.neighbours(body, None, met);
        move |bounds, tick| near(bounds, tick).into_iter().map(|(id, body)| (id, gone(&body, Point::ZERO))).collect()
    }

    /// Returns the shortest way out of a hit for a body that is not in the world. `body` is the body that the query was
    /// about, `hit` its answer. Works like [`World::contact`], with the other body standing still.
    ///
    /// Fails as the query does, and with [`Error::Gone`](crate::Error::Gone) if the other body has been removed.
    ///
    /// ```
    /// use hitmask::geometry::Point;
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(8.0, 8.0)?)?;
    /// world.add(&Body::new(tile, [1.0, 7.5]))?;
    /// let (mut queries, body) = (Queries::new(), Body::new(tile, [0, 0]));
    /// let hit = queries.on(&world).first(&body)?.unwrap();
    /// let contact = world.probe_contact(&body, &hit)?;
    /// assert_eq!((contact.normal, contact.depth, contact.push), ([0.0, -1.0], 0.5, Point::new(0, -128)));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn probe_contact(&self, body: &Body, hit: &BodyHit) -> Result<Contact> {
        Ok(between(self, &[self.pose_apart(body)?, self.standing(hit.body)?], &hit.detail))
    }

    /// Returns a body as queries see it, at rest.
    pub(crate) fn standing(&self, id: BodyId) -> Result<packed::Body> {
        Ok(gone(&self.packed().body(self.index_of(id)?), Point::ZERO))
    }
}
