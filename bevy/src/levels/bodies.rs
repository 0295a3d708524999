//! The component that asks for the bodies of a level, and the system that makes them.

use std::sync::{Arc, Mutex, PoisonError};

use bevy_asset::{AssetServer, Assets, Handle, LoadState};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::query::Allow;
use bevy_ecs::world::DeferredWorld;
use bevy_math::{Quat, Vec2, Vec3};
use bevy_platform::collections::HashMap;
use bevy_reflect::prelude::*;
use bevy_transform::components::Transform;
use hitmask::{Body, BodyId, ShapeId, Touch, World};
use hitmask_files::Level;
use hitmask_files::terrain::{Solids, Terrain};

use super::asset::HitLevel;
use crate::components::body::HitBody;
use crate::components::collider::Collider;
use crate::components::layers::{LayerMask, Layers};
use crate::problem::{HitmaskProblem, Problem, name_of};
use crate::space::HitSpace;
use crate::units::up;

/// Makes the bodies of a level: few, by layer and by what they hit, as [`Solids`] says.
///
/// Each body is a child entity with a [`Collider`], [`Layers`] and a [`LevelPart`]; hits name that child, and
/// [`HitTiles`](crate::HitTiles) tells its tiles. The top-left corner of a map lies at the entity's origin, a pixel is
/// one unit, and the entity's `Transform` applies. The children are spawned once the level is loaded, and anew when it
/// or this component changes; they are despawned with this component. Changes of an entity that Bevy has disabled wait
/// until it is enabled.
///
/// For tiles that come and go one by one, such as coins, use a second entity with the same level, whose rule leaves
/// nothing but them and which does not merge them: each is a child that can be despawned.
///
/// ```
/// use bevy_asset::Handle;
/// use bevy_hitmask::hitmask_files::Filter;
/// use bevy_hitmask::hitmask_files::terrain::{Merge, Solids};
/// use bevy_hitmask::{HitLevel, LevelCollider};
///
/// const GROUND: u32 = 1 << 0;
/// const COIN: u32 = 1 << 1;
/// # let cave = Handle::<HitLevel>::default();
///
/// let of = |class: &'static str, layers| {
///     Solids::default().rule(move |tile| (tile.class == class).then(|| Filter { layers, ..Filter::default() }))
/// };
/// let ground = LevelCollider::new(cave.clone()).solids(of("rock", GROUND).merge(Merge::Polygons));
/// let coins = LevelCollider::new(cave).solids(of("coin", COIN).merge(Merge::None));
/// # let _ = (ground, coins);
/// ```
#[derive(Component, Clone, Debug, Reflect)]
#[require(Transform, Built)]
#[component(on_discard = discard)]
#[reflect(opaque)]
#[reflect(Component, Debug, Clone)]
pub struct LevelCollider {
    /// The level.
    pub level: Handle<HitLevel>,
    /// The choice of what is solid, what it hits, and which bodies it becomes.
    pub solids: Solids,
}

impl LevelCollider {
    /// Makes bodies of the collision shapes of all tiles in visible layers, merged into masks.
    #[must_use]
    pub fn new(level: Handle<HitLevel>) -> Self {
        Self { level, solids: Solids::default() }
    }

    /// Sets what is solid.
    #[must_use]
    pub fn solids(self, solids: Solids) -> Self {
        Self { solids, ..self }
    }
}

/// Marks the entity of a body of a level; a child of the entity with the [`LevelCollider`].
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct LevelPart {
    /// The entity with the [`LevelCollider`].
    pub level: Entity,
    /// The body in the world of its terrain.
    #[reflect(ignore, default = "nowhere")]
    pub(super) body: Option<BodyId>,
}

/// Returns the body of a part that was made by reflection.
fn nowhere() -> Option<BodyId> {
    None
}

/// The bodies that were made of a level.
#[derive(Component, Default)]
pub(super) enum Built {
    /// The level is loading, or the component has changed.
    #[default]
    Waiting,
    /// A problem was reported: of this level, or of loading it.
    Failed(Option<Arc<Level>>),
    Made(Box<Ground>),
}

impl Built {
    /// Returns whether a level is done: its bodies are made, or its problem is reported.
    fn is_of(&self, level: Option<&Arc<Level>>) -> bool {
        let known = match self {
            Self::Waiting => return false,
            Self::Failed(known) => known.as_ref(),
            Self::Made(ground) => Some(&ground.asset),
        };
        match (known, level) {
            (Some(known), Some(level)) => Arc::ptr_eq(known, level),
            (known, level) => known.is_none() && level.is_none(),
        }
    }
}

/// A terrain with its level.
pub(super) struct Ground {
    /// The level of the asset, as it was when the bodies were made.
    asset: Arc<Level>,
    /// The level with the tiles that were set since.
    pub(super) level: Arc<Level>,
    pub(super) terrain: Terrain,
    /// True if tiles were set that the children do not show yet.
    pub(super) is_edited: bool,
    /// The bodies that have got a child, with the place that each had when its child followed it last. A child may have
    /// been despawned since, and does not come back.
    pub(super) spawned: HashMap<BodyId, Vec2>,
    /// A world of nothing but the terrain. A lookup adds the shape of what hits it, and removes it again.
    pub(super) world: Mutex<World>,
}

type Levels<'w, 's> =
    Query<'w, 's, (Entity, Ref<'static, LevelCollider>, &'static mut Built, Option<&'static Children>, Has<Disabled>)>;

/// The children of levels that have bodies.
type Parts<'w, 's> =
    Query<'w, 's, (Entity, &'static LevelPart, &'static Transform, Option<&'static Collider>), Allow<Disabled>>;

/// Despawns the bodies of a level that loses its component.
fn discard(mut world: DeferredWorld<'_>, context: HookContext) {
    let children: Vec<Entity> = world.get::<Children>(context.entity).into_iter().flatten().copied().collect();
    for child in children {
        if world.get::<LevelPart>(child).is_some() {
            world.commands().entity(child).try_despawn();
        }
    }
    if let Some(mut built) = world.get_mut::<Built>(context.entity) {
        *built = Built::Waiting;
    }
}

/// Makes the bodies of levels that are new, have been loaded, or have changed.
pub(super) fn build(
    assets: Res<'_, Assets<HitLevel>>,
    server: Option<Res<'_, AssetServer>>,
    space: Res<'_, HitSpace>,
    mut levels: Levels<'_, '_>,
    parts: Parts<'_, '_>,
    mut problems: MessageWriter<'_, HitmaskProblem>,
    mut commands: Commands<'_, '_>,
) {
    for (entity, collider, mut built, children, is_disabled) in &mut levels {
        if collider.is_changed() {
            *built = Built::Waiting;
        }
        let level = assets.get(&collider.level).map(|level| &level.0);
        if is_disabled {
            continue;
        }
        if built.is_of(level) {
            if let Built::Made(ground) = &mut *built
                && std::mem::take(&mut ground.is_edited)
            {
                follow(&mut commands, entity, ground, children, &parts);
            }
            continue;
        }
        for &child in children.into_iter().flatten().filter(|&&child| parts.contains(child)) {
            commands.entity(child).try_despawn();
        }
        let made = if let Some(level) = level {
            ground(level, &collider.solids, space.world.touch()).map_err(|error| error.to_string())
        } else {
            let state = server.as_ref().and_then(|server| server.get_load_state(&collider.level));
            let Some(LoadState::Failed(error)) = state else {
                *built = Built::Waiting;
                continue;
            };
            Err(error.to_string())
        };
        match made {
            Ok(mut ground) => {
                spawn(&mut commands, entity, &mut ground);
                *built = Built::Made(Box::new(ground));
            }
            Err(error) => {
                *built = Built::Failed(level.cloned());
                let level = name_of(collider.level.id(), collider.level.path().map(ToString::to_string));
                HitmaskProblem { entity, problem: Problem::Level { level, error } }.send(&mut problems);
            }
        }
    }
}

fn ground(level: &Arc<Level>, solids: &Solids, touch: Touch) -> hitmask_files::Result<Ground> {
    let mut world = World::new(touch);
    let terrain = level.add_to(&mut world, solids)?;
    let (asset, level) = (level.clone(), level.clone());
    let (is_edited, spawned) = (false, HashMap::new());
    Ok(Ground { asset, level, terrain, is_edited, spawned, world: Mutex::new(world) })
}

/// Spawns an entity for each body of a terrain that has not got one yet, unless the level's entity or its component
/// goes before that.
fn spawn(commands: &mut Commands<'_, '_>, level: Entity, ground: &mut Ground) {
    let world = ground.world.get_mut().unwrap_or_else(PoisonError::into_inner);
    ground.spawned.retain(|&id, _| world.body(id).is_some());
    let mut shapes: HashMap<ShapeId, Collider> = HashMap::new();
    let mut children = Vec::new();
    for id in world.ids() {
        if ground.spawned.contains_key(&id) {
            continue;
        }
        let Some(body) = world.body(id) else { continue };
        let Some(shape) = world.shape(body.shape) else { continue };
        let collider = shapes.entry(body.shape).or_insert_with(|| Collider::shape(shape.clone())).clone();
        let (memberships, filter) = (LayerMask(body.layers), LayerMask(body.mask));
        let layers = Layers { memberships, filter, detector: body.detector, group: body.group };
        let part = LevelPart { level, body: Some(id) };
        ground.spawned.insert(id, up(body.at));
        children.push((collider, layers, part, place(&body)));
    }
    let spawn = move |mut entity: EntityWorldMut<'_>| {
        if entity.contains::<LevelCollider>() {
            entity.with_children(|parent| {
                for child in children {
                    parent.spawn(child);
                }
            });
        }
    };
    commands.entity(level).queue_silenced(spawn);
}

/// Has the children of a level follow the tiles that were set: despawns those whose bodies are gone, gives the others
/// the masks that have changed, and spawns new ones. A child that goes before that is left alone.
fn follow(
    commands: &mut Commands<'_, '_>,
    level: Entity,
    ground: &mut Ground,
    children: Option<&Children>,
    parts: &Parts<'_, '_>,
) {
    let world = ground.world.get_mut().unwrap_or_else(PoisonError::into_inner);
    let own = children.into_iter().flatten().filter_map(|&child| parts.get(child).ok());
    for (child, part, &transform, collider) in own {
        let Some(id) = part.body else { continue };
        let Some((body, shape)) = world.body(id).and_then(|body| Some((body, world.shape(body.shape)?))) else {
            commands.entity(child).try_despawn();
            continue;
        };
        // A mask is edited in place only if nobody shares it, and the collider does.
        let is_same = collider.and_then(Collider::texels).zip(shape.mask()).is_none_or(|(a, b)| std::ptr::eq(a, b));
        if !is_same {
            commands.entity(child).try_insert(Collider::shape(shape.clone()));
        }
        // A mask that has grown may begin elsewhere. It does not move there, so nothing lies on its way.
        let at = up(body.at);
        if let Some(before) = ground.spawned.insert(id, at).filter(|&before| before != at) {
            let translation = transform.transform_point((at - before).extend(0.0));
            let put = move |mut child: EntityWorldMut<'_>| {
                child.insert(Transform { translation, ..transform });
                if let Some(mut body) = child.get_mut::<HitBody>() {
                    body.teleport();
                }
            };
            commands.entity(child).queue_silenced(put);
        }
    }
    spawn(commands, level, ground);
}

/// Returns the place of a body: a rotation after a scale, which is all that a level does to an object.
fn place(body: &Body) -> Transform {
    let [[a, b], [c, d]] = [body.linear.x, body.linear.y];
    let scale = Vec3::new(a.hypot(c) as f32, (b.hypot(d) * (a * d - b * c).signum()) as f32, 1.0);
    Transform {
        translation: up(body.at).extend(0.0),
        // y points down in the level.
        rotation: Quat::from_rotation_z(-c.atan2(a) as f32),
        scale,
    }
}
