//! The marking of trees in which a transform has changed, for Bevy's `propagate_parent_transforms`.
//!
//! Bevy's own `mark_dirty_trees` also passes each entity without parent and children from thread to thread, which takes
//! longer than to compute its transform.

use bevy_ecs::entity::EntityHashSet;
use bevy_ecs::prelude::*;
use bevy_transform::components::{GlobalTransform, Transform, TransformTreeChanged};
use bevy_transform::systems::StaticTransformOptimizations;

type Changes = Or<(Changed<Transform>, Changed<ChildOf>, Added<GlobalTransform>)>;
type InTree = Or<(With<ChildOf>, With<Children>)>;

/// Marks each entity of a tree with a change, and all above it.
pub(crate) fn mark(
    changed: Query<'_, '_, Entity, (Changes, InTree)>,
    mut orphaned: RemovedComponents<'_, '_, ChildOf>,
    mut trees: Query<'_, '_, &mut TransformTreeChanged>,
    parents: Query<'_, '_, &ChildOf>,
    optimizations: Res<'_, StaticTransformOptimizations>,
    mut marked: Local<'_, EntityHashSet>,
) {
    if !optimizations.is_enabled() {
        return;
    }
    marked.clear();
    for entity in changed.iter().chain(orphaned.read()) {
        let mut next = Some(entity);
        // Ticks do not tell which entities have been marked here: Bevy's own system marks them too, perhaps when they
        // had another parent.
        while let Some(entity) = next.filter(|&entity| marked.insert(entity)) {
            if let Ok(mut tree) = trees.get_mut(entity) {
                tree.set_changed();
            }
            next = parents.get(entity).ok().map(ChildOf::parent);
        }
    }
}

#[cfg(test)]
mod tests {
    use bevy_app::{App, PostUpdate, TaskPoolPlugin, Update};
    use bevy_ecs::schedule::ScheduleLabel;
    use bevy_ecs::system::RunSystemOnce;
    use bevy_math::Vec3;
    use bevy_transform::helper::TransformHelper;
    use bevy_transform::systems::{mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms};
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Some entities, of which each hangs at most from an earlier one, so that there are no circles.
    const ENTITIES: usize = 12;

    /// An edit: its kind, and two entities.
    fn edit(world: &mut World, all: &mut [Entity], (kind, a, b): (u8, usize, usize)) {
        let (a, b) = (a.max(b), a.min(b));
        let (child, parent) = (all[a], all[b]);
        match kind {
            0..=3 => {
                let mut transform = world.get_mut::<Transform>(child).unwrap();
                transform.translation += Vec3::new(1.0, a as f32, 0.0);
            }
            4..=6 if a != b => drop(world.entity_mut(child).insert(ChildOf(parent))),
            7 => drop(world.entity_mut(child).remove::<ChildOf>()),
            _ => {
                world.despawn(child);
                for entity in all {
                    if world.get_entity(*entity).is_err() {
                        *entity = world.spawn(Transform::from_xyz(0.0, 0.0, a as f32)).id();
                    }
                }
            }
        }
    }

    fn check(world: &mut World, all: &[Entity]) {
        let all = all.to_vec();
        let same = move |helper: TransformHelper<'_, '_>, globals: Query<'_, '_, &GlobalTransform>| {
            for &entity in &all {
                assert_eq!(*globals.get(entity).unwrap(), helper.compute_global_transform(entity).unwrap());
            }
        };
        world.run_system_once(same).unwrap();
    }

    proptest! {
        /// `Update` has the marks of this system, `PostUpdate` those of Bevy's own, as in a game.
        #[test]
        fn each_entity_is_where_its_tree_has_it(
            frames in vec(vec((0..9_u8, 0..ENTITIES, 0..ENTITIES), 0..4), 1..30),
        ) {
            let mut app = App::new();
            app.add_plugins(TaskPoolPlugin::default()).init_resource::<StaticTransformOptimizations>();
            app.add_systems(Update, (mark, propagate_parent_transforms, sync_simple_transforms).chain());
            app.add_systems(PostUpdate, (mark_dirty_trees, propagate_parent_transforms, sync_simple_transforms).chain());
            let mut all: Vec<Entity> = (0..ENTITIES).map(|_| app.world_mut().spawn(Transform::IDENTITY).id()).collect();
            for (frame, edits) in frames.into_iter().enumerate() {
                for each in edits {
                    edit(app.world_mut(), &mut all, each);
                }
                // A frame without a fixed step has only Bevy's own.
                let schedule = if frame % 3 == 2 { PostUpdate.intern() } else { Update.intern() };
                app.world_mut().run_schedule(schedule);
                check(app.world_mut(), &all);
            }
        }
    }
}
