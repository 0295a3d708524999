//! The search for entities with a change, a column of Bevy's tables after the other: an idle world costs no more than
//! reading the ticks of the columns that have no tick of their own.

use bevy_ecs::change_detection::ContiguousRef;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_sprite::{Anchor, Sprite};
use bevy_transform::components::GlobalTransform;

use crate::components::body::HitBody;
use crate::components::collider::Collider;
use crate::components::hitmask::Hitmask;
use crate::components::layers::Layers;

/// If more than one in this many entities has changed, it is faster to visit all.
const FEW: usize = 8;

/// The components whose changes change a body.
#[derive(QueryData)]
#[query_data(contiguous(all))]
pub(crate) struct Watched {
    entity: Entity,
    /// A teleport, and a link that was put back.
    body: Ref<'static, HitBody>,
    transform: Ref<'static, GlobalTransform>,
    sprite: Option<Ref<'static, Sprite>>,
    anchor: Option<Ref<'static, Anchor>>,
    hitmask: Option<Ref<'static, Hitmask>>,
    collider: Option<Ref<'static, Collider>>,
    layers: Option<Ref<'static, Layers>>,
    /// Entities that are disabled are looked at too.
    _is_disabled: Has<Disabled>,
}

/// The entities that have changed.
#[derive(Debug, Default)]
pub(super) struct Changed {
    pub(super) entities: Vec<Entity>,
    /// The rows of a table that have.
    rows: Vec<bool>,
}

impl Changed {
    /// Lists the entities with a change. Returns false if there are so many that all entities should be visited.
    pub(super) fn find(&mut self, all: &Query<'_, '_, Watched>) -> bool {
        self.entities.clear();
        let Ok(tables) = all.contiguous_iter() else { return false };
        let count = all.iter().len();
        for table in tables {
            self.rows.clear();
            self.rows.resize(table.entity.len(), false);
            let mut is_changed = note(&mut self.rows, Some(table.body));
            is_changed |= note(&mut self.rows, Some(table.transform));
            is_changed |= note(&mut self.rows, table.sprite);
            is_changed |= note(&mut self.rows, table.anchor);
            is_changed |= note(&mut self.rows, table.hitmask);
            is_changed |= note(&mut self.rows, table.collider);
            is_changed |= note(&mut self.rows, table.layers);
            if is_changed {
                let rows = table.entity.iter().zip(&self.rows);
                self.entities.extend(rows.filter(|(_, is_changed)| **is_changed).map(|(entity, _)| *entity));
            }
            if FEW * self.entities.len() > count {
                return false;
            }
        }
        true
    }
}

/// Notes the rows of a column that have changed. Returns true if any has.
fn note<T: Component>(rows: &mut [bool], column: Option<ContiguousRef<'_, T>>) -> bool {
    let Some((_, ticks)) = column.map(ContiguousRef::split) else { return false };
    if ticks.summary_tick_is_changed() == Some(false) {
        return false;
    }
    let mut any = false;
    for (row, is_changed) in rows.iter_mut().zip(ticks.is_changed_iter()) {
        *row |= is_changed;
        any |= is_changed;
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_changes_are_found_in_whatever_table_they_are() {
        let mut world = World::new();
        let alone = world.spawn((HitBody::default(), GlobalTransform::default())).id();
        let others: Vec<Entity> = (0..100)
            .map(|_| world.spawn((HitBody::default(), GlobalTransform::default(), Layers::default())).id())
            .collect();
        let find = |all: Query<'_, '_, Watched>| {
            let mut changed = Changed::default();
            changed.find(&all).then_some(changed.entities)
        };
        let find = world.register_system(find);
        let mut found = |changed: &[Entity]| {
            for &entity in changed {
                world.get_mut::<GlobalTransform>(entity).unwrap().set_changed();
            }
            world.run_system(find).unwrap()
        };
        assert_eq!(found(&[]), None, "all are new");
        assert_eq!(found(&[]), Some(vec![]));
        // The first table has but one row.
        assert_eq!(found(&[alone]), Some(vec![alone]));
        assert_eq!(found(&others[7..9]), Some(others[7..9].to_vec()));
        assert_eq!(found(&others[..50]), None, "many");
    }
}
