//! The component that links an entity with its body in the library's world.

use bevy_ecs::entity::{ComponentCloneCtx, SourceComponent};
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_math::Vec2;
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use hitmask::BodyId;

use crate::masks::Slot;
use crate::space::HitSpace;
use crate::units::Pose;

/// The link from an entity to its body. [`Hitmask`](crate::Hitmask), [`Collider`](crate::Collider) and
/// [`Character`](crate::Character) require it; only the plugin changes it.
///
/// A clone of the entity gets a body of its own. [`Clone`] copies the link: use it only for rollback, to save and
/// restore this component together with the resource [`HitSpace`], never to insert it into another entity.
#[derive(Component, Clone, Debug, Default, Reflect)]
#[require(Transform)]
#[component(clone_behavior = Custom(clone), on_discard = discard, summary_tick)]
#[reflect(Component, Default, Debug)]
pub struct HitBody {
    /// `None` while it waits for an image, is switched off, or has a problem.
    #[reflect(ignore)]
    pub(crate) id: Option<BodyId>,
    /// The shape of the body in [`HitSpace`]. Without a body, the shape with which the library refused one; it may be
    /// gone.
    #[reflect(ignore)]
    pub(crate) slot: Option<Slot>,
    #[reflect(ignore)]
    pub(crate) texel: Vec2,
    /// The entity's pose at the last step.
    #[reflect(ignore)]
    pub(crate) pose: Pose,
    /// True if the next step takes the new place without a sweep.
    pub(crate) teleports: bool,
    /// The problem that has been reported since it last had a body, by its kind or its reason.
    #[reflect(ignore)]
    pub(crate) reported: Option<u64>,
}

impl HitBody {
    /// Returns the handle of the body in [`HitSpace::world`]. `None` while the entity waits for an image, is switched
    /// off or has a problem, and until the first step after its spawn.
    #[must_use]
    pub fn id(&self) -> Option<BodyId> {
        self.id
    }

    /// Has the next step put the body where the entity is, without sweeping it there. Call it when you move an entity
    /// somewhere else; otherwise the body hits all that lies between.
    ///
    /// It counts for the next step alone, whether or not the entity moves in it. It does not apply to the entity's
    /// children: call it for each child that has a body too.
    pub fn teleport(&mut self) {
        self.teleports = true;
    }
}

/// Gives the clone of an entity a link of its own.
fn clone(_: &SourceComponent<'_>, context: &mut ComponentCloneCtx<'_, '_>) {
    context.write_target_component(HitBody::default());
}

/// Leaves the body and the shape to the next step, which removes them. It also looks at the entity, which may have got
/// another link in place of this one.
fn discard(mut world: DeferredWorld<'_>, context: HookContext) {
    let Some(mut body) = world.get::<HitBody>(context.entity).cloned() else { return };
    if let Some(mut space) = world.get_resource_mut::<HitSpace>() {
        space.take_out(&mut body);
        space.dirty.push(context.entity);
    }
}
