//! A body's hits as that body sees them: those of a step, and those of a question.

use super::contact::{Contact, between};
use super::encounter::{Encounter, Met, Neighbour};
use super::impact::Impact;
use super::moment::gone;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::ticks::TICKS;
use crate::hits::Hits;
use crate::questions::BodyHit;
use crate::world::World;
use crate::world::body::{Body, BodyId};
use crate::world::packed;

impl World {
    /// The hits of a body, in the order of the pairs; `hits` is a step's answer with details.
    ///
    /// Takes time in proportion to all pairs of the step. An [`Error::Gone`](crate::Error::Gone) for a handle of a body
    /// that is gone, an [`Error::Value`](crate::Error::Value) for an answer without details in which anything hits.
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
    /// assert_eq!((impact.other, impact.normal), (floor, [0.0, -1.0])); // the way out is up
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn impacts<'a>(&'a self, id: BodyId, hits: &'a Hits) -> Result<impl Iterator<Item = Impact> + 'a> {
        let met = self.met(id, hits)?;
        let body = self.packed().body(self.index_of(id)?);
        let near = |near: &Aabb| self.neighbours(&body, Some(id), near);
        Ok(Encounter::new(self, body, met, &near).impacts().into_iter())
    }

    /// The hits of a body in a step's answer with details.
    pub(super) fn met(&self, id: BodyId, hits: &Hits) -> Result<Vec<Met>> {
        self.index_of(id)?;
        hits.has_details()?;
        let touch = self.touch();
        let own = hits.pairs.iter().zip(&hits.details).enumerate().filter(|(_, (pair, _))| pair.contains(&id.index()));
        let met = own.filter_map(|(hit, (pair, detail))| {
            let second = pair[1] == id.index();
            let other = self.id(pair[usize::from(!second)])?;
            Some(Met { hit, id: other, other: self.posed(other)?, tick: detail.tick().min(TICKS), touch, second })
        });
        Ok(met.collect())
    }

    /// The hits of a body that is not in the world, as that body sees them, in their order: what it was asked about,
    /// and the answers. The others stand still. Those that are gone meanwhile are left out; errors are those of the
    /// question.
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
    /// let impact = world.impacts_of(&hero, &hits)?.next().unwrap();
    /// assert_eq!((impact.other, impact.normal), (floor, [0.0, -1.0]));
    /// assert_eq!(impact.tick, 32779); // half the way, and a lattice step
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn impacts_of(&self, body: &Body, hits: &[BodyHit]) -> Result<impl Iterator<Item = Impact>> {
        let body = self.pose_apart(body)?;
        let near = |near: &Aabb| self.standing_near(&body, near);
        Ok(Encounter::new(self, body, self.met_apart(hits), &near).impacts().into_iter())
    }

    /// The hits of a body that is not in the world, but for those of bodies that are gone.
    pub(super) fn met_apart(&self, hits: &[BodyHit]) -> Vec<Met> {
        let touch = self.touch();
        let met = hits.iter().enumerate().filter_map(|(hit, BodyHit { body, detail })| {
            let other = self.standing(*body).ok()?;
            Some(Met { hit, id: *body, other, tick: detail.tick().min(TICKS), touch, second: false })
        });
        met.collect()
    }

    /// The bodies, at rest, that one may hit that is not in the world, and whose bounds meet a box.
    pub(super) fn standing_near(&self, body: &packed::Body, near: &Aabb) -> Vec<Neighbour> {
        let near = self.neighbours(body, None, near).into_iter();
        near.map(|(id, body)| (id, gone(&body, Point::ZERO))).collect()
    }

    /// The shortest way out of a hit for a body that is not in the world: what it was asked about, and the answer. As
    /// [`contact`](crate::contact()) tells it, the other standing still.
    ///
    /// Errors are those of the question, and an [`Error::Gone`](crate::Error::Gone) where the other is no body of the
    /// world any more.
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
    /// let contact = world.contact_of(&body, &hit)?;
    /// assert_eq!((contact.normal, contact.depth, contact.push), ([0.0, -1.0], 0.5, Point::new(0, -128)));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn contact_of(&self, body: &Body, hit: &BodyHit) -> Result<Contact> {
        Ok(between(self, &[self.pose_apart(body)?, self.standing(hit.body)?], &hit.detail))
    }

    /// A body as questions see it: at rest; an error where it is gone.
    pub(crate) fn standing(&self, id: BodyId) -> Result<packed::Body> {
        Ok(gone(&self.packed().body(self.index_of(id)?), Point::ZERO))
    }
}
