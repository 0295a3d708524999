//! Rollback: a snapshot of all that the plugin knows.

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::Allow;
use bevy_platform::collections::HashSet;
use hitmask::{Result, Save};

use crate::components::body::HitBody;
use crate::components::character::Character;
use crate::events::CollidingEntities;
use crate::space::HitSpace;

/// A snapshot of bodies, shapes and current hits, to go back to a step that was taken before.
///
/// It holds [`HitSpace`], its bodies as the bytes of [`World::save`](hitmask::World::save), and each entity's
/// [`HitBody`], [`Character`] and [`CollidingEntities`]. Snapshots share one copy of the shapes until a shape is added
/// or removed. Save your own components beside it, `Transform` among them, and restore them first. Entities keep their
/// ids: within the time that can be rolled back, switch them off with [`HitmaskDisabled`](crate::HitmaskDisabled)
/// rather than despawn them. Images are not rolled back: masks are those of the images as they are. The step after
/// [`HitSnapshot::restore`] looks at every entity that has a body, and costs accordingly.
///
/// Tiles of levels are not part of it either. After a restore, and before the next step, set the tiles back that
/// `HitTilesMut::set` has returned since the snapshot, the latest first.
///
/// With `bevy_ggrs`, register the resource and the three components for rollback by clone in place of this. Then an
/// entity must not be despawned within the time that can be rolled back: it would come back under another id.
///
/// ```
/// use bevy_hitmask::{HitSnapshot, HitmaskPlugin};
/// # let mut app = bevy_app::App::new();
/// # app.add_plugins(HitmaskPlugin::default());
/// let mut snapshot = HitSnapshot::default();
/// snapshot.save(app.world_mut())?;
/// snapshot.restore(app.world_mut())?;
/// # Ok::<(), bevy_hitmask::hitmask::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct HitSnapshot {
    /// All but the world. Its base is a world with its shapes; `None` if nothing was saved.
    space: HitSpace,
    /// The bodies of the world.
    bodies: Vec<u8>,
    entities: Vec<(Entity, HitBody, Option<Character>, Option<CollidingEntities>)>,
}

type Parts = (&'static mut HitBody, Option<&'static mut Character>, Option<&'static mut CollidingEntities>);

impl HitSnapshot {
    /// Saves what the plugin knows now; call it between two fixed steps. The memory of an older snapshot is used again.
    ///
    /// Returns [`Error::Capacity`](hitmask::Error::Capacity) if there is not enough memory; the snapshot is then empty.
    pub fn save(&mut self, world: &mut World) -> Result<()> {
        self.space.base = None;
        if let Some(mut space) = world.get_resource_mut::<HitSpace>() {
            space.world.save_into(Save::State, &mut self.bodies)?;
            space.keep_base();
            self.space.clone_rest_from(&space);
        }
        self.entities.clear();
        let mut query = world
            .query_filtered::<(Entity, &HitBody, Option<&Character>, Option<&CollidingEntities>), Allow<Disabled>>();
        for (entity, body, character, colliding) in query.iter(world) {
            self.entities.push((entity, body.clone(), character.cloned(), colliding.cloned()));
        }
        Ok(())
    }

    /// Puts all back. In the next step, entities that no longer exist or have lost their [`HitBody`] leave with a
    /// [`HitEnd`](crate::HitEnd) for each of their hits, and those that came since get new bodies.
    ///
    /// On an error nothing changes: [`Error::Capacity`](hitmask::Error::Capacity) means that there is not enough
    /// memory. A snapshot into which nothing was saved changes nothing.
    pub fn restore(&self, world: &mut World) -> Result<()> {
        let Some((_, base)) = &self.space.base else { return Ok(()) };
        let Some(mut space) = world.get_resource_mut::<HitSpace>() else { return Ok(()) };
        // Fails if shapes have come or gone.
        if space.world.load_into(&self.bodies).is_err() {
            let mut before = hitmask::World::clone(base);
            before.load_into(&self.bodies)?;
            space.world = before;
        }
        space.clone_rest_from(&self.space);
        let saved: HashSet<Entity> = self.entities.iter().map(|(entity, ..)| *entity).collect();
        let (mut dirty, mut listeners, mut gone) = (Vec::new(), Vec::new(), Vec::new());
        let mut all = world.query_filtered::<(Entity, &mut HitBody, Has<CollidingEntities>), Allow<Disabled>>();
        for (entity, mut body, listens) in all.iter_mut(world).filter(|(entity, ..)| !saved.contains(entity)) {
            *body = HitBody::default();
            dirty.push(entity);
            listeners.extend(listens.then_some(entity));
        }
        let mut parts = world.query_filtered::<Parts, Allow<Disabled>>();
        for (entity, saved, saved_character, saved_colliding) in &self.entities {
            let Ok((mut body, character, colliding)) = parts.get_mut(world, *entity) else {
                gone.push(saved);
                continue;
            };
            *body = saved.clone();
            dirty.push(*entity);
            if let Some((mut character, saved)) = character.zip(saved_character.as_ref()) {
                character.clone_from(saved);
            }
            match colliding.zip(saved_colliding.as_ref()) {
                Some((mut colliding, saved)) => colliding.clone_from(saved),
                None => listeners.push(*entity),
            }
        }
        if let Some(mut space) = world.get_resource_mut::<HitSpace>() {
            // Bevy may already have noticed that an entity is elsewhere than its body now is.
            space.dirty.extend(dirty);
            space.listeners.extend(listeners);
            for body in gone {
                space.take_out(&mut body.clone());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hitmask::Touch;

    use super::*;

    #[test]
    fn snapshots_share_one_copy_of_the_shapes_until_a_shape_comes() {
        let mut world = World::new();
        world.insert_resource(HitSpace::new(Touch::default()));
        let mut save = |sides: &[f64]| {
            let mut space = world.resource_mut::<HitSpace>();
            for &side in sides {
                let HitSpace { world, shapes, .. } = &mut *space;
                shapes.collider(world, &crate::Collider::rectangle(side as f32, 1.0)).unwrap();
            }
            let mut snapshot = HitSnapshot::default();
            snapshot.save(&mut world).unwrap();
            snapshot
        };
        let base = |snapshot: &HitSnapshot| snapshot.space.base.clone().unwrap().1;
        let [first, second, third, fourth] = [&[][..], &[], &[2.0], &[]].map(&mut save).map(|snapshot| base(&snapshot));
        assert!(Arc::ptr_eq(&first, &second) && Arc::ptr_eq(&third, &fourth));
        assert!(!Arc::ptr_eq(&second, &third));
        assert_eq!((second.shapes().count(), third.shapes().count()), (0, 1));
    }
}
