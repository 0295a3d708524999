//! The component that gives a sprite a body, and the one that switches a body off.

use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::prelude::*;

use super::body::HitBody;
use crate::space::HitSpace;

/// Gives a sprite a body whose shape is the solid pixels of the sprite.
///
/// The mask is that of the entity's own `Sprite`: its image, the region of its `TextureAtlas`, its `rect`, flips and
/// `custom_size` and image mode, and its `Anchor`. It follows when they change. All entities that show the same region
/// of an image at the same threshold share one mask. An image that is still loading is waited for. What has no mask is
/// reported as a [`HitmaskProblem`](crate::HitmaskProblem) and in the log.
///
/// Sprites that are tiled or sliced, or scaled to fill their `custom_size`, have a mask of one texel for each unit of
/// that size, however much their `Transform` enlarges it.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[require(HitBody)]
#[component(on_remove = changed, summary_tick)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct Hitmask {
    /// The least alpha of a solid pixel, 1 to 255; 0 counts as 1.
    pub threshold: u8,
}

impl Default for Hitmask {
    fn default() -> Self {
        Self::alpha(hitmask::mask::DEFAULT_THRESHOLD)
    }
}

impl Hitmask {
    /// Makes a hitmask of the pixels whose alpha is at least `threshold`.
    #[must_use]
    pub const fn alpha(threshold: u8) -> Self {
        Self { threshold }
    }
}

/// Switches a body off: while an entity has it, it hits nothing and queries do not find it. Its hits end. The bodies of
/// its children, such as the parts of a level, stay on.
///
/// Bevy's own `Disabled` does the same, and hides the entity from other systems too.
#[derive(Component, Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
#[component(on_insert = changed, on_remove = changed)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct HitmaskDisabled;

/// Has the next step look at an entity, where no change detection would.
pub(crate) fn changed(mut world: DeferredWorld<'_>, context: HookContext) {
    if let Some(mut space) = world.get_resource_mut::<HitSpace>() {
        space.dirty.push(context.entity);
    }
}
