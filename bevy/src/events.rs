//! The events of hits, and the component that lists what an entity hits now.

use bevy_ecs::entity::{ComponentCloneCtx, SourceComponent};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec2;
use bevy_reflect::prelude::*;

use crate::space::{HitSpace, order};

/// Two entities begin to hit each other.
///
/// As an observer event it is triggered for both entities, each time with the other one in [`HitStart::other`]. As a
/// message it is written once for each pair.
///
/// It comes in the fixed step in which the pair first hits, also for entities that have just been spawned or switched
/// on. Pairs come in the order of their bodies, which is the same in each run of the same game.
///
/// An observer of an earlier event of the same step may have despawned `entity` or `other`: use `try_despawn` and
/// `get_entity` rather than their counterparts that warn or panic.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Debug, PartialEq, Clone)]
pub struct HitStart {
    /// The entity.
    pub entity: Entity,
    /// The entity that it hits.
    pub other: Entity,
    /// The time and place of the hit, if [`HitmaskPlugin::contacts`](crate::HitmaskPlugin) is set.
    pub contact: Option<HitContact>,
}

/// Two entities no longer hit each other, or one of them is gone.
///
/// It is triggered and written as [`HitStart`] is. It also comes if an entity was despawned, switched off or lost its
/// body. Both entities are then still named, but `entity` or `other` may no longer exist.
#[derive(Message, EntityEvent, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Debug, PartialEq, Clone)]
pub struct HitEnd {
    /// The entity.
    pub entity: Entity,
    /// The entity that it hit.
    pub other: Entity,
}

/// The time, direction and extent of a hit.
#[derive(Clone, Copy, Debug, PartialEq, Reflect)]
#[reflect(Debug, PartialEq, Clone)]
pub struct HitContact {
    /// The part of the step before the hit, 0 to 1; 0 if they hit from its start.
    pub fraction: f32,
    /// The unit direction in which `entity` leaves `other` by the shortest way.
    pub normal: Vec2,
    /// The distance that `entity` must move along the normal to end the hit, in units.
    pub depth: f32,
    /// The number of pixels that both share, if one is a sprite.
    pub pixels: Option<u32>,
}

impl HitStart {
    /// Returns the event as the other entity gets it.
    pub(crate) fn swapped(self) -> Self {
        let contact = self.contact.map(|contact| HitContact { normal: -contact.normal, ..contact });
        Self { entity: self.other, other: self.entity, contact }
    }
}

impl HitEnd {
    /// Returns the event as the other entity gets it.
    pub(crate) fn swapped(self) -> Self {
        Self { entity: self.other, other: self.entity }
    }
}

/// The entities that an entity hits now. Add it to entities whose hits you look up; the plugin keeps it up to date.
///
/// It is filled in the first fixed step after it was inserted, also with hits that began before. A clone of the entity
/// gets a list of its own.
#[derive(Component, Clone, Debug, Default, PartialEq, Eq, Reflect)]
#[component(clone_behavior = Custom(clone), on_insert = inserted)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct CollidingEntities(Vec<Entity>);

impl CollidingEntities {
    /// Returns the entities, in the order of their indices.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Entity> + '_ {
        self.0.iter().copied()
    }

    /// Checks whether an entity is among them.
    #[must_use]
    pub fn contains(&self, entity: Entity) -> bool {
        self.place(entity).is_ok()
    }

    /// Returns their number.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Checks whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn place(&self, entity: Entity) -> Result<usize, usize> {
        self.0.binary_search_by_key(&order(entity), |&other| order(other))
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    pub(crate) fn insert(&mut self, entity: Entity) {
        if let Err(place) = self.place(entity) {
            self.0.insert(place, entity);
        }
    }

    pub(crate) fn remove(&mut self, entity: Entity) {
        if let Ok(place) = self.place(entity) {
            self.0.remove(place);
        }
    }
}

/// Gives the clone of an entity an empty list.
fn clone(_: &SourceComponent<'_>, context: &mut ComponentCloneCtx<'_, '_>) {
    context.write_target_component(CollidingEntities::default());
}

/// Has the next step fill it.
fn inserted(mut world: DeferredWorld<'_>, context: HookContext) {
    if let Some(mut space) = world.get_resource_mut::<HitSpace>() {
        space.listeners.push(context.entity);
    }
}
