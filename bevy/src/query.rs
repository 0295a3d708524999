//! Queries: what is at a point, in a region, on a ray, near, or in the way of a body.

use std::sync::{Mutex, MutexGuard, PoisonError};

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::{Rect, Vec2};
use hitmask::query::{Nearest, PointQuery, Queries, RayCast, RegionQuery};
use hitmask::response::Stop;
use hitmask::{Body, BodyId, Error, Result};

use crate::components::layers::LayerMask;
use crate::space::HitSpace;
use crate::units::{down, up};

/// Answers queries about the bodies where they were in the last fixed step.
///
/// In [`HitmaskSystems::Walk`](crate::HitmaskSystems::Walk) and after it in the same schedule, they are where they are
/// in this one. Answers are exact and name entities. All of them share one index, so queries of systems that run at the
/// same time wait for each other.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_hitmask::{HitFilter, HitQuery};
/// use bevy_math::Vec2;
///
/// fn aim(hero: Single<Entity>, query: HitQuery) -> Result {
///     let filter = HitFilter::default().hitting(1 << 1).except([*hero]);
///     if let Some(hit) = query.ray(Vec2::ZERO, 100.0 * Vec2::X, &filter)? {
///         println!("{} at {}", hit.entity, hit.at);
///     }
///     Ok(())
/// }
/// # bevy_ecs::system::assert_is_system::<(), (), _>(aim);
/// ```
///
/// It only reads resources, so a system may take it together with any queries, such as one of `&mut HitBody` to
/// [`teleport`](crate::HitBody::teleport) to the answer.
///
/// A query returns an error of the library for numbers that are not finite or lie outside the world, and
/// [`Error::Gone`] for an entity without a body.
#[derive(SystemParam)]
pub struct HitQuery<'w, 's> {
    space: Res<'w, HitSpace>,
    index: Res<'w, HitIndex>,
    /// Keeps the lifetime of the system's state, as later versions may need it.
    _system: Local<'s, ()>,
}

/// The index of queries. It follows the world by itself, so rollback needs no copy of it.
#[derive(Resource, Default, Debug)]
pub(crate) struct HitIndex(Mutex<Queries>);

impl HitIndex {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Queries> {
        // A panic within a query leaves an index that the next query repairs or rebuilds.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The bodies that a query looks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HitFilter {
    mask: LayerMask,
    except: Vec<Entity>,
}

impl Default for HitFilter {
    /// Looks for all bodies that are on a layer. Nothing finds those on [`LayerMask::NONE`].
    fn default() -> Self {
        Self { mask: LayerMask::ALL, except: Vec::new() }
    }
}

impl HitFilter {
    /// Looks only for bodies on any of these layers.
    #[must_use]
    pub fn hitting(self, layers: impl Into<LayerMask>) -> Self {
        Self { mask: layers.into(), ..self }
    }

    /// Leaves some entities out. Each body that would be an answer is compared with all of them: use layers to leave
    /// out many.
    #[must_use]
    pub fn except(self, entities: impl IntoIterator<Item = Entity>) -> Self {
        Self { except: entities.into_iter().collect(), ..self }
    }
}

/// An entity on a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayHit {
    /// The entity.
    pub entity: Entity,
    /// The part of the ray before it, 0 to 1.
    pub fraction: f32,
    /// The point at which the ray meets its edge.
    pub at: Vec2,
    /// The unit normal of the edge there; 0 if the ray begins inside.
    pub normal: Vec2,
}

/// An entity near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct NearestHit {
    /// The entity.
    pub entity: Entity,
    /// The distance from the point to its edge; 0 inside.
    pub distance: f32,
}

/// A stop of a body that is moved.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CastHit {
    /// The entity that stopped it.
    pub entity: Entity,
    /// The position at which it stopped.
    pub at: Vec2,
    /// The unit normal of the side that stopped it; 0 if both overlapped at the start.
    pub normal: Vec2,
    /// The motion that was left.
    pub left: Vec2,
}

/// The result of a cast or a slide.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cast {
    /// The position at which it ends.
    pub at: Vec2,
    /// The stops: at most one for a cast, in order for a slide.
    pub hits: Vec<CastHit>,
}

impl HitQuery<'_, '_> {
    /// Returns the entities at a point, in the order of their bodies. A sprite is there if the pixel is solid.
    pub fn at(&self, point: Vec2, filter: &HitFilter) -> Result<Vec<Entity>> {
        self.all(&PointQuery::new(down(point)).hitting(filter.mask.0), filter)
    }

    /// Returns the entities in a rectangle, in the order of their bodies.
    pub fn region(&self, region: Rect, filter: &HitFilter) -> Result<Vec<Entity>> {
        self.all(&RegionQuery::new(down(region.min), down(region.max)).hitting(filter.mask.0), filter)
    }

    /// Returns the first entity on the way from one point to another.
    pub fn ray(&self, from: Vec2, to: Vec2, filter: &HitFilter) -> Result<Option<RayHit>> {
        self.thick_ray(from, to, 0.0, filter)
    }

    /// Returns the first entity that a circle meets on the way from one point to another.
    pub fn thick_ray(&self, from: Vec2, to: Vec2, radius: f32, filter: &HitFilter) -> Result<Option<RayHit>> {
        let ray = RayCast::new(down(from), down(to)).radius(f64::from(radius)).hitting(filter.mask.0);
        let except = self.ids(filter);
        let mut index = self.index.lock();
        let Some(found) = index.on(&self.space.world).except(&except)?.first(&ray)? else { return Ok(None) };
        let contact = self.space.world.ray_contact(&ray, &found)?;
        Ok(self.space.entity(found.body).map(|entity| RayHit {
            entity,
            fraction: found.fraction() as f32,
            at: up(contact.at),
            normal: up(contact.normal),
        }))
    }

    /// Returns the nearest entities to a point, at most `count` of them, nearest first.
    pub fn nearest(&self, point: Vec2, within: f32, count: usize, filter: &HitFilter) -> Result<Vec<NearestHit>> {
        let query = Nearest::new(down(point)).within(f64::from(within)).count(count).hitting(filter.mask.0);
        let except = self.ids(filter);
        let mut found = Vec::new();
        self.index.lock().on(&self.space.world).except(&except)?.all(&query, &mut found)?;
        let hit = |hit: hitmask::query::NearestHit| {
            Some(NearestHit { entity: self.space.entity(hit.body)?, distance: hit.distance as f32 })
        };
        Ok(found.into_iter().filter_map(hit).collect())
    }

    /// Returns the entities that an entity would hit if it were at a point, in the order of their bodies.
    pub fn overlaps(&self, entity: Entity, at: Vec2, filter: &HitFilter) -> Result<Vec<Entity>> {
        let (body, except) = self.probe(entity, at, Vec2::ZERO, filter)?;
        let mut found = Vec::new();
        self.index.lock().on(&self.space.world).except(&except)?.all(&body, &mut found)?;
        Ok(found.iter().filter_map(|hit| self.space.entity(hit.body)).collect())
    }

    /// Moves an entity's body from a point by a motion, to where the first entity in its way stops it. The entity
    /// itself does not move; set its `Transform` to the answer. All others stand still.
    pub fn cast(&self, entity: Entity, from: Vec2, motion: Vec2, filter: &HitFilter) -> Result<Cast> {
        let (body, except) = self.probe(entity, from, motion, filter)?;
        let sweep = self.index.lock().on(&self.space.world).except(&except)?.sweep(&body, |_| true)?;
        Ok(Cast { at: up(sweep.at), hits: self.stops(sweep.stop) })
    }

    /// Moves an entity's body as [`HitQuery::cast`] does, then along what stopped it: "move and slide".
    pub fn slide(&self, entity: Entity, from: Vec2, motion: Vec2, filter: &HitFilter) -> Result<Cast> {
        let (body, except) = self.probe(entity, from, motion, filter)?;
        let slide = self.index.lock().on(&self.space.world).except(&except)?.slide(&body, |_| true)?;
        Ok(Cast { at: up(slide.at), hits: self.stops(slide.stops) })
    }

    fn all<Q: hitmask::query::Query<Answer = BodyId>>(&self, query: &Q, filter: &HitFilter) -> Result<Vec<Entity>> {
        let except = self.ids(filter);
        let mut found = Vec::new();
        self.index.lock().on(&self.space.world).except(&except)?.all(query, &mut found)?;
        Ok(found.into_iter().filter_map(|body| self.space.entity(body)).collect())
    }

    fn stops(&self, stops: impl IntoIterator<Item = Stop>) -> Vec<CastHit> {
        let hit = |stop: Stop| {
            let entity = self.space.entity(stop.impact.other)?;
            Some(CastHit { entity, at: up(stop.at), normal: up(stop.impact.normal), left: up(stop.left) })
        };
        stops.into_iter().filter_map(hit).collect()
    }

    /// Returns an entity's body at another place, and the bodies that it does not look for, with its own.
    fn probe(&self, entity: Entity, at: Vec2, motion: Vec2, filter: &HitFilter) -> Result<(Body, Vec<BodyId>)> {
        let id = self.id(entity).ok_or_else(|| Error::Gone { what: format!("the body of entity {entity}") })?;
        let body = self.space.world.body(id).ok_or_else(|| Error::Gone { what: format!("the body of {entity}") })?;
        let mut except = self.ids(filter);
        except.push(id);
        let mask = body.mask & filter.mask.0;
        Ok((Body { at: down(at).into(), motion: down(motion).into(), mask, ..body }, except))
    }

    fn ids(&self, filter: &HitFilter) -> Vec<BodyId> {
        filter.except.iter().filter_map(|&entity| self.id(entity)).collect()
    }

    /// Returns the body of an entity.
    fn id(&self, entity: Entity) -> Option<BodyId> {
        self.space.body(entity)
    }
}
