//! The plugin, and the place of its systems in the schedule.

use bevy_app::{App, FixedPostUpdate, Plugin};
use bevy_asset::AssetEvent;
use bevy_ecs::prelude::*;
use bevy_image::{Image, TextureAtlasLayout};
use bevy_transform::systems::StaticTransformOptimizations;
use bevy_transform::systems::{propagate_parent_transforms, sync_simple_transforms};
use hitmask::{Ask, Engine, Touch};

use crate::components::hitmask::HitmaskDisabled;
use crate::query::HitIndex;
use crate::space::{HitEngine, HitSpace};
use crate::{
    Character, Collider, CollidingEntities, HitBody, HitEnd, HitStart, Hitmask, HitmaskProblem, Layers, systems,
};

/// Finds hits in each fixed step.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct HitmaskPlugin {
    /// The rule for bodies that only touch. By default they do not hit; they must overlap.
    pub touch: Touch,
    /// Whether to fill in [`HitStart::contact`], which takes time for each pair.
    pub contacts: bool,
}

impl HitmaskPlugin {
    /// Sets whether bodies that only touch hit each other.
    #[must_use]
    pub fn touch(self, touch: Touch) -> Self {
        Self { touch, ..self }
    }

    /// Sets whether [`HitStart::contact`] says where and how.
    #[must_use]
    pub fn contacts(self, contacts: bool) -> Self {
        Self { contacts, ..self }
    }
}

/// The sets of the plugin's systems, which run in this order in `FixedPostUpdate`.
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HitmaskSystems {
    /// Computes each `GlobalTransform`, as Bevy does once more in `PostUpdate`.
    Propagate,
    /// Adds, changes and removes bodies. From here on queries see the entities where they are now.
    Sync,
    /// Moves each [`Character`](crate::Character).
    Walk,
    /// Finds the hits of bodies that move from where they were in the last step to where they are now.
    Step,
    /// Sends the events, and updates `CollidingEntities`.
    Report,
}

impl Plugin for HitmaskPlugin {
    fn build(&self, app: &mut App) {
        let ask = if self.contacts { Ask::Details } else { Ask::Pairs };
        app.insert_resource(HitSpace::new(self.touch))
            .insert_resource(HitEngine::new(engine(), ask))
            .init_resource::<HitIndex>()
            .init_resource::<StaticTransformOptimizations>()
            .add_message::<HitStart>()
            .add_message::<HitEnd>()
            .add_message::<HitmaskProblem>()
            .add_message::<AssetEvent<Image>>()
            .add_message::<AssetEvent<TextureAtlasLayout>>()
            .register_type::<HitBody>()
            .register_type::<Hitmask>()
            .register_type::<HitmaskDisabled>()
            .register_type::<Character>()
            .register_type::<Collider>()
            .register_type::<Layers>()
            .register_type::<CollidingEntities>()
            .add_observer(systems::sync::on_disable)
            .add_observer(systems::sync::on_enable)
            .add_observer(systems::sync::on_undraw)
            .configure_sets(
                FixedPostUpdate,
                (
                    HitmaskSystems::Propagate,
                    HitmaskSystems::Sync,
                    HitmaskSystems::Walk,
                    HitmaskSystems::Step,
                    HitmaskSystems::Report,
                )
                    .chain(),
            )
            .add_systems(
                FixedPostUpdate,
                (
                    (systems::trees::mark, propagate_parent_transforms, sync_simple_transforms)
                        .chain()
                        .in_set(HitmaskSystems::Propagate),
                    (systems::assets::look_again, systems::sync::sync).chain().in_set(HitmaskSystems::Sync),
                    systems::walk::walk.in_set(HitmaskSystems::Walk),
                    systems::step::step.in_set(HitmaskSystems::Step),
                    systems::report::report.in_set(HitmaskSystems::Report),
                ),
            );
    }
}

/// Makes the engine; the slow one, which needs no threads, if the machine refuses them.
fn engine() -> Engine {
    #[cfg(feature = "gpu")]
    let engine = Engine::auto();
    #[cfg(not(feature = "gpu"))]
    let engine = Engine::cpu();
    engine.unwrap_or_else(|error| {
        bevy_log::error!("hitmask falls back to its slow reference engine: {error}");
        Engine::reference()
    })
}
