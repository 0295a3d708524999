//! The search for entities with a change, a column of Bevy's tables after the other: an idle world costs no more than
//! reading the ticks of the columns that have no tick of their own.

use bevy_ecs::change_detection::{ContiguousComponentTicksRef, ContiguousRef};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_sprite::{Anchor, Sprite};
use bevy_transform::components::GlobalTransform;

use crate::components::body::HitBody;
use crate::components::collider::Collider;
use crate::components::hitmask::Hitmask;
use crate::components::layers::Layers;

/// The entity has moved, is to teleport, or has another link.
pub(super) const MOVED: u8 = 1;
/// Its sprite has changed.
pub(super) const SHOWN: u8 = 2;
/// Anything else has.
pub(super) const OTHER: u8 = 4;

/// The components whose changes change a body.
#[derive(QueryData)]
#[query_data(mutable, contiguous(mutable))]
pub(crate) struct Watched {
    entity: Entity,
    body: &'static mut HitBody,
    transform: Ref<'static, GlobalTransform>,
    sprite: Option<Ref<'static, Sprite>>,
    anchor: Option<Ref<'static, Anchor>>,
    hitmask: Option<Ref<'static, Hitmask>>,
    collider: Option<Ref<'static, Collider>>,
    layers: Option<Ref<'static, Layers>>,
    /// Entities that are disabled are looked at too.
    _is_disabled: Has<Disabled>,
}

/// A table's rows with a change.
pub(super) struct Table<'a> {
    /// The changes of each row.
    pub(super) changes: &'a [u8],
    pub(super) entities: &'a [Entity],
    pub(super) bodies: &'a mut [HitBody],
    pub(super) transforms: &'a [GlobalTransform],
    pub(super) sprites: Option<&'a [Sprite]>,
    pub(super) anchors: Option<&'a [Anchor]>,
    pub(super) hitmasks: Option<&'a [Hitmask]>,
    pub(super) colliders: Option<&'a [Collider]>,
}

/// Passes each table that has rows with a change to `visit`. `changes` is memory that is used again.
pub(super) fn each_table(all: &mut Query<'_, '_, Watched>, changes: &mut Vec<u8>, mut visit: impl FnMut(Table<'_>)) {
    let Ok(tables) = all.contiguous_iter_mut() else { return };
    for mut table in tables {
        changes.clear();
        changes.resize(table.entity.len(), 0);
        let (_, ticks) = ContiguousRef::split(ContiguousRef::from(table.body.reborrow()));
        let mut all = note(changes, MOVED, &ticks);
        let transforms = column(changes, MOVED, Some(table.transform), &mut all);
        let sprites = column(changes, SHOWN, table.sprite, &mut all);
        let anchors = column(changes, OTHER, table.anchor, &mut all);
        let hitmasks = column(changes, OTHER, table.hitmask, &mut all);
        let colliders = column(changes, OTHER, table.collider, &mut all);
        column(changes, OTHER, table.layers, &mut all);
        if let Some(transforms) = transforms
            && all != 0
        {
            // The ticks of bodies are left alone: nobody else has changed them.
            let bodies = table.body.bypass_change_detection();
            let entities = table.entity;
            visit(Table { changes, entities, bodies, transforms, sprites, anchors, hitmasks, colliders });
        }
    }
}

/// Returns a column's components, and notes its changes.
fn column<'w, T>(changes: &mut [u8], kind: u8, of: Option<ContiguousRef<'w, T>>, all: &mut u8) -> Option<&'w [T]> {
    let (components, ticks) = ContiguousRef::split(of?);
    *all |= note(changes, kind, &ticks);
    Some(components)
}

/// Notes the rows of a column that have changed. Returns the changes of all rows together.
fn note(changes: &mut [u8], kind: u8, ticks: &ContiguousComponentTicksRef<'_>) -> u8 {
    if ticks.summary_tick_is_changed() == Some(false) {
        return 0;
    }
    let mut all = 0;
    for (row, is_changed) in changes.iter_mut().zip(ticks.is_changed_iter()) {
        let change = if is_changed { kind } else { 0 };
        *row |= change;
        all |= change;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_found_in_whatever_table_they_are() {
        let mut world = World::new();
        let alone = world.spawn((HitBody::default(), GlobalTransform::default())).id();
        let others: Vec<Entity> = (0..100)
            .map(|_| world.spawn((HitBody::default(), GlobalTransform::default(), Layers::default())).id())
            .collect();
        let find = |mut all: Query<'_, '_, Watched>| {
            let mut found = Vec::new();
            each_table(&mut all, &mut Vec::new(), |table| {
                let rows = table.entities.iter().zip(table.changes);
                found.extend(rows.filter(|(_, changes)| **changes != 0).map(|(entity, changes)| (*entity, *changes)));
            });
            found
        };
        let find = world.register_system(find);
        assert_eq!(world.run_system(find).unwrap().len(), 101, "all are new");
        let mut found = |moved: &[Entity], filtered: &[Entity]| {
            for &entity in moved {
                world.get_mut::<GlobalTransform>(entity).unwrap().set_changed();
            }
            for &entity in filtered {
                world.get_mut::<Layers>(entity).unwrap().set_changed();
            }
            world.run_system(find).unwrap()
        };
        assert_eq!(found(&[], &[]), []);
        // The first table has but one row.
        assert_eq!(found(&[alone], &[]), [(alone, MOVED)]);
        assert_eq!(found(&others[7..9], &others[8..9]), [(others[7], MOVED), (others[8], MOVED | OTHER)]);
    }
}
