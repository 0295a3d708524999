//! A body's hits as that body sees them.

use super::contact::{Contact, between, contact};
use super::facing::facing;
use super::moment::gone;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::hits::Hits;
use crate::questions::BodyHit;
use crate::world::World;
use crate::world::body::{Body, BodyId};
use crate::world::packed;

/// A hit, as one body of the pair sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// Its index in the answer that was asked about: in [`Hits::pairs`] and [`Hits::details`], or among the
    /// [`BodyHit`]s.
    pub hit: usize,
    /// The body that is hit.
    pub other: BodyId,
    /// The tick of the hit, 0 to 65,536; 0 where neither moves.
    pub tick: u32,
    /// Which way that faces what was hit, of length 1: the side by which the body came into the other, so that it leads
    /// against [`Impact::approach`]. Where they hit from the start, the shortest way out.
    pub normal: [f64; 2],
    /// The shortest way out of the other from where the body stands at that tick, in lattice steps, as
    /// [`Contact::push`](crate::Contact::push). Near a corner that may be another way than back.
    pub push: Point,
    /// The motion in the step as the other sees it, in units.
    pub approach: [f64; 2],
}

impl Impact {
    /// Whether the body comes down onto the other from above, `up` being the way that is up: how a platform is that is
    /// jumped through from below and stood upon. Not where they hit from the start, as while it is jumped through.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let plank = world.add_shape(Shape::rect(20.0, 1.0)?)?;
    /// let crate_ = world.add_shape(Shape::rect(2.0, 2.0)?)?;
    /// world.add(&Body::new(plank, [0, 10]))?;
    /// let mut engine = Engine::cpu()?;
    /// for (at, motion, lands) in [([5, 5], [0, 6], true), ([5, 15], [0, -6], false), ([5, 9], [0, 1], false)] {
    ///     let hero = world.add(&Body::new(crate_, at).moving(motion))?;
    ///     let hits = engine.run(&world, Ask::Details)?;
    ///     assert!(world.impacts(hero, &hits)?.all(|impact| impact.lands([0.0, -1.0]) == lands));
    ///     world.remove(hero)?;
    /// }
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn lands(&self, up: [f64; 2]) -> bool {
        let along = |v: [f64; 2]| v[0] * up[0] + v[1] * up[1];
        self.tick > 0 && along(self.normal) > 0.0 && along(self.approach) < 0.0
    }
}

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
        self.index_of(id)?;
        hits.has_details()?;
        Ok((0..hits.pairs.len()).filter_map(move |hit| self.impact(id, hits, hit)))
    }

    /// The hit with this index, as the body sees it; `None` if it is not of that pair.
    pub(super) fn impact(&self, id: BodyId, hits: &Hits, hit: usize) -> Option<Impact> {
        let (&pair, detail) = (hits.pairs.get(hit)?, hits.details.get(hit)?);
        let second = pair.iter().position(|&index| index == id.index())? == 1;
        let other = self.id(pair[usize::from(!second)])?;
        let Contact { normal, push, .. } = contact(self, pair, detail);
        // A contact is of the first.
        let (normal, push) = if second { (normal.map(|v| 0.0 - v), -push) } else { (normal, push) };
        let bodies = [self.posed(id)?, self.posed(other)?];
        Some(self.impact_of(&bodies, Impact { hit, other, tick: detail.tick(), normal, push, approach: [0.0; 2] }))
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
    pub fn impacts_of<'a>(&'a self, body: &Body, hits: &'a [BodyHit]) -> Result<impl Iterator<Item = Impact> + 'a> {
        Ok(self.impacts_apart(self.pose_apart(body)?, hits))
    }

    /// The same for a body that is posed.
    pub(super) fn impacts_apart<'a>(
        &'a self,
        body: packed::Body,
        hits: &'a [BodyHit],
    ) -> impl Iterator<Item = Impact> + 'a {
        (0..hits.len()).filter_map(move |hit| self.impact_apart(&body, hits, hit))
    }

    /// An answer, as a body sees it that is not in the world.
    pub(super) fn impact_apart(&self, body: &packed::Body, hits: &[BodyHit], hit: usize) -> Option<Impact> {
        let BodyHit { body: other, detail } = hits.get(hit)?;
        let bodies = [*body, self.standing(*other).ok()?];
        let Contact { normal, push, .. } = between(self, &bodies, detail);
        let impact = Impact { hit, other: *other, tick: detail.tick(), normal, push, approach: [0.0; 2] };
        Some(self.impact_of(&bodies, impact))
    }

    /// An impact of which the shortest way out is known, with what there is to tell of its approach.
    fn impact_of(&self, [body, other]: &[packed::Body; 2], impact: Impact) -> Impact {
        let approach = (body.motion - other.motion).units();
        let normal = facing(self, body, &[*other], impact.tick).unwrap_or_else(|| against(approach, &impact));
        Impact { normal, approach, ..impact }
    }

    /// The shortest way out of a hit for a body that is not in the world: what it was asked about, and the answer. As
    /// [`contact`] tells it, the other standing still.
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
    pub(super) fn standing(&self, id: BodyId) -> Result<packed::Body> {
        Ok(gone(&self.packed().body(self.index_of(id)?), Point::ZERO))
    }
}

/// The shortest way out of an impact, or back where that leads on.
fn against(approach: [f64; 2], impact: &Impact) -> [f64; 2] {
    let [x, y] = approach;
    let length = (x * x + y * y).sqrt();
    let leads_on = impact.normal[0] * x + impact.normal[1] * y >= 0.0;
    if impact.tick > 0 && leads_on && length > 0.0 { [0.0 - x / length, 0.0 - y / length] } else { impact.normal }
}
