//! The report of a step: pairs that began and ended, as messages, observer events and `CollidingEntities`.

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::Allow;
use bevy_platform::collections::HashSet;

use crate::events::{CollidingEntities, HitEnd, HitStart};
use crate::space::{HitEngine, HitSpace};

type Lists<'w, 's> = Query<'w, 's, &'static mut CollidingEntities, Allow<Disabled>>;

pub(crate) fn report(
    mut space: ResMut<'_, HitSpace>,
    mut engine: ResMut<'_, HitEngine>,
    mut lists: Lists<'_, '_>,
    mut starts: MessageWriter<'_, HitStart>,
    mut ends: MessageWriter<'_, HitEnd>,
    mut commands: Commands<'_, '_>,
) {
    if !space.listeners.is_empty() {
        fill(&mut space, &mut lists);
    }
    if !engine.is_fresh {
        return;
    }
    engine.is_fresh = false;
    for ended in space.events.ended() {
        let [entity, other] = ended.tags.map(Entity::from_bits);
        let end = HitEnd { entity, other };
        for end in [end, end.swapped()] {
            if let Ok(mut list) = lists.get_mut(end.entity) {
                list.remove(end.other);
            }
            commands.trigger(end);
        }
        ends.write(end);
    }
    for (place, began) in space.events.began().iter().enumerate() {
        let [entity, other] = began.tags.map(Entity::from_bits);
        let start = HitStart { entity, other, contact: engine.contacts.get(place).copied() };
        for start in [start, start.swapped()] {
            if let Ok(mut list) = lists.get_mut(start.entity) {
                list.insert(start.other);
            }
            commands.trigger(start);
        }
        starts.write(start);
    }
}

/// Fills lists that are new, also with hits that began before them.
fn fill(space: &mut HitSpace, lists: &mut Lists<'_, '_>) {
    let listeners: HashSet<Entity> = std::mem::take(&mut space.listeners).into_iter().collect();
    for &listener in &listeners {
        if let Ok(mut list) = lists.get_mut(listener) {
            list.clear();
        }
    }
    for [a, b] in space.pairs() {
        for [entity, other] in [[a, b], [b, a]] {
            if listeners.contains(&entity)
                && let Ok(mut list) = lists.get_mut(entity)
            {
                list.insert(other);
            }
        }
    }
}
