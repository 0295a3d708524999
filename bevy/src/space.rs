//! The resources: the library's world with what the plugin knows of it, and the engine.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use bevy_platform::collections::HashSet;
use hitmask::response::Events;
use hitmask::{Ask, BodyId, Engine, Hits, Touch, World};

use crate::components::body::HitBody;
use crate::events::HitContact;
use crate::masks::Shapes;

/// The library's world, and what links it with the entities.
///
/// Between two fixed steps each body is where its entity was in the last one. Its motion is that of the last step, and
/// means nothing until the next.
///
/// For rollback, save a clone of it in each step, together with the [`HitBody`](crate::HitBody) of all entities, and
/// put both back. `clone_from` uses the memory of an older clone again.
#[derive(Resource, Debug, Default)]
pub struct HitSpace {
    pub(crate) world: World,
    pub(crate) shapes: Shapes,
    pub(crate) events: Events,
    /// The entity of each index of the world.
    pub(crate) entities: Vec<Entity>,
    /// The latest body of each index of an entity. It may be gone, or that of an older entity.
    pub(crate) bodies: Vec<Option<BodyId>>,
    /// Bodies whose entities are gone.
    pub(crate) left: Vec<BodyId>,
    /// Entities that the next step looks at, whether or not a component has changed.
    pub(crate) dirty: Vec<Entity>,
    /// Entities that wait for an asset.
    pub(crate) waiting: Vec<Entity>,
    /// Entities whose `CollidingEntities` are to be filled.
    pub(crate) listeners: Vec<Entity>,
    pub(crate) moves: Moves,
    /// True if something has changed since the last step, so the next one must run the engine.
    pub(crate) is_stale: bool,
    pub(crate) steps: u64,
    /// A world with the shapes of this one, for snapshots, and the version of these shapes.
    pub(crate) base: Option<(u64, Arc<World>)>,
}

/// The bodies that move in the current step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moves {
    pub(crate) ids: Vec<BodyId>,
    pub(crate) starts: Vec<[f64; 2]>,
    pub(crate) ends: Vec<[f64; 2]>,
    /// Memory for the motions between them.
    pub(crate) motions: Vec<[f64; 2]>,
    /// The bodies that have a motion from the last step. It is taken from them only if they stop, as the library sorts
    /// bodies with and without one differently.
    pub(crate) before: Vec<BodyId>,
}

impl Moves {
    pub(crate) fn push(&mut self, id: BodyId, start: [f64; 2], end: [f64; 2]) {
        self.ids.push(id);
        self.starts.push(start);
        self.ends.push(end);
    }

    /// Takes the elements of some lists.
    pub(crate) fn append(&mut self, ids: &mut Vec<BodyId>, starts: &mut Vec<[f64; 2]>, ends: &mut Vec<[f64; 2]>) {
        if self.ids.is_empty() {
            // Most often nothing moves before the bodies that follow their entities.
            std::mem::swap(&mut self.ids, ids);
            std::mem::swap(&mut self.starts, starts);
            std::mem::swap(&mut self.ends, ends);
        } else {
            self.ids.append(ids);
            self.starts.append(starts);
            self.ends.append(ends);
        }
    }

    /// Ends the step: what moved in it has a motion until it stops.
    pub(crate) fn end(&mut self) {
        std::mem::swap(&mut self.before, &mut self.ids);
        self.ids.clear();
        self.starts.clear();
        self.ends.clear();
    }

    /// Returns the bodies of the last step that no longer move, among those that are still in the world.
    pub(crate) fn stopped(&self, world: &World) -> Vec<BodyId> {
        if self.before.is_empty() || self.before == self.ids {
            return Vec::new();
        }
        let mut moves = vec![false; world.indices()];
        for id in &self.ids {
            // A body that a rollback has left on an entity may lie past the indices.
            if let Some(moves) = moves.get_mut(id.index() as usize) {
                *moves = true;
            }
        }
        let has_stopped = |id: &BodyId| world.id(id.index()) == Some(*id) && !moves[id.index() as usize];
        self.before.iter().copied().filter(has_stopped).collect()
    }

    /// Checks whether so many bodies move that it is faster to advance the whole world.
    pub(crate) fn are_many(&self, world: &World) -> bool {
        4 * self.ids.len() > world.len()
    }
}

impl Clone for HitSpace {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.world.clone_from(&source.world);
        self.clone_rest_from(source);
    }
}

impl HitSpace {
    /// Clones all but the world.
    pub(crate) fn clone_rest_from(&mut self, source: &Self) {
        self.shapes.clone_from(&source.shapes);
        self.events.clone_from(&source.events);
        self.entities.clone_from(&source.entities);
        self.bodies.clone_from(&source.bodies);
        self.left.clone_from(&source.left);
        self.dirty.clone_from(&source.dirty);
        self.waiting.clone_from(&source.waiting);
        self.listeners.clone_from(&source.listeners);
        self.moves.clone_from(&source.moves);
        self.is_stale = source.is_stale;
        self.steps = source.steps;
        self.base.clone_from(&source.base);
    }

    /// Sees to it that the base is a world with the shapes of this one. It is kept for as long as they stay the same.
    pub(crate) fn keep_base(&mut self) {
        let version = self.shapes.version();
        if self.base.as_ref().is_none_or(|(of, _)| *of != version) {
            self.base = Some((version, Arc::new(self.world.clone())));
        }
    }
}

/// The numbers of what [`HitSpace`] holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Bodies in the world.
    pub bodies: usize,
    /// Shapes in the world.
    pub shapes: usize,
    /// Masks of sprites that are kept.
    pub masks: usize,
    /// Masks of sprites that have been made since the start.
    pub masks_made: u64,
    /// Entities that wait for an asset.
    pub waiting: usize,
    /// Steps for which the engine ran; it does not if nothing has changed.
    pub steps: u64,
}

/// Returns what entities are sorted by: their index. The order of `Entity` itself is opaque.
pub(crate) fn order(entity: Entity) -> (u32, u32) {
    (entity.index_u32(), entity.generation().to_bits())
}

impl HitSpace {
    pub(crate) fn new(touch: Touch) -> Self {
        Self { world: World::new(touch), is_stale: true, ..Self::default() }
    }

    /// Returns the library's world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the entity of a body.
    #[must_use]
    pub fn entity(&self, body: BodyId) -> Option<Entity> {
        self.world.id(body.index()).filter(|&id| id == body)?;
        self.entities.get(body.index() as usize).copied()
    }

    /// Returns the body of an entity.
    #[must_use]
    pub fn body(&self, entity: Entity) -> Option<BodyId> {
        let id = (*self.bodies.get(entity.index_u32() as usize)?)?;
        (self.entity(id)? == entity).then_some(id)
    }

    /// Returns whether an entity's body sees that of another: it hits a layer of it, the other hits one of its own or
    /// `entity` is a [detector](crate::Layers::detector), and they are not in one group. Returns false if one of them
    /// has no body.
    ///
    /// For a hit of a detector, it tells which of the two noticed the other.
    #[must_use]
    pub fn sees(&self, entity: Entity, other: Entity) -> bool {
        let bodies = self.body(entity).zip(self.body(other));
        bodies.is_some_and(|(body, other)| self.world.sees(body, other).unwrap_or(false))
    }

    /// Returns the pairs of entities that hit in the last step.
    pub fn pairs(&self) -> impl Iterator<Item = [Entity; 2]> + '_ {
        let events = &self.events;
        events.stayed().iter().chain(events.began()).map(|event| event.tags.map(Entity::from_bits))
    }

    /// Returns how many bodies, shapes and masks there are.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts {
            bodies: self.world.len(),
            shapes: self.shapes.shape_count(),
            masks: self.shapes.mask_count(),
            masks_made: self.shapes.masks_made(),
            waiting: self.waiting.len(),
            steps: self.steps,
        }
    }

    /// Returns a checksum of the world: that of two players differs as soon as their bodies do.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        self.world.checksum()
    }

    /// Notes the entity of a body.
    pub(crate) fn link(&mut self, body: BodyId, entity: Entity) {
        let index = body.index() as usize;
        if index >= self.entities.len() {
            self.entities.resize(index + 1, Entity::PLACEHOLDER);
        }
        self.entities[index] = entity;
        let index = entity.index_u32() as usize;
        if index >= self.bodies.len() {
            self.bodies.resize(index + 1, None);
        }
        self.bodies[index] = Some(body);
    }

    /// Takes an entity's body out of the world in the next step, and its shape with it unless another body has it.
    pub(crate) fn take_out(&mut self, body: &mut HitBody) {
        self.left.extend(body.id.take());
        if let Some(slot) = body.slot.take() {
            self.shapes.release(slot);
        }
    }

    /// Takes the entities to look at, each once.
    pub(crate) fn take_dirty(&mut self) -> Vec<Entity> {
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.append(&mut self.waiting);
        let mut seen = HashSet::new();
        dirty.retain(|&entity| seen.insert(entity));
        dirty
    }
}

/// The engine with its last answer. It follows whatever world it is given, so rollback needs no copy of it.
#[derive(Resource, Debug)]
pub(crate) struct HitEngine {
    pub(crate) engine: Engine,
    pub(crate) hits: Hits,
    pub(crate) ask: Ask,
    /// The contact of each pair that began, if contacts are asked for.
    pub(crate) contacts: Vec<HitContact>,
    /// True until the events of the last step have been sent.
    pub(crate) is_fresh: bool,
}

impl HitEngine {
    pub(crate) fn new(engine: Engine, ask: Ask) -> Self {
        Self { engine, hits: Hits::default(), ask, contacts: Vec::new(), is_fresh: false }
    }
}

#[cfg(test)]
mod tests {
    use hitmask::{Body, Shape};

    use super::*;

    #[test]
    fn a_motion_of_a_body_past_the_indices_stops_nobody() {
        let world = |bodies: usize| {
            let mut world = World::default();
            let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
            let ids = world.add_all(&vec![Body::new(ball, [0, 0]); bodies]).unwrap();
            (world, ids)
        };
        let ((small, here), (_, more)) = (world(2), world(9));
        let moves = Moves { ids: vec![more[8], here[1]], before: here.clone(), ..Moves::default() };
        assert_eq!(moves.stopped(&small), [here[0]]);
    }
}
