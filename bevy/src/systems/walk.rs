//! The characters' step, one after the other, among bodies that are where they are now.

use bevy_ecs::prelude::*;
use bevy_log::warn;
use bevy_math::{Vec2, Vec3};
use bevy_transform::components::{GlobalTransform, Transform};
use hitmask::response::{Side, Surface, Walk};
use hitmask::{Bodies, Body, BodyId};

use crate::components::body::HitBody;
use crate::components::character::Character;
use crate::query::HitIndex;
use crate::space::{HitSpace, order};
use crate::units::{Pose, down, up};

pub(crate) fn walk(
    mut space: ResMut<'_, HitSpace>,
    index: Res<'_, HitIndex>,
    mut characters: Query<'_, '_, (Entity, &mut Character, &mut HitBody)>,
    mut transforms: Query<'_, '_, (&mut Transform, &mut GlobalTransform)>,
    parents: Query<'_, '_, &ChildOf>,
) {
    let mut characters: Vec<_> = characters.iter_mut().collect();
    characters.sort_unstable_by_key(|(entity, ..)| order(*entity));
    for (entity, mut character, mut body) in characters {
        let Some((id, before)) = body.id.and_then(|id| Some((id, space.world.body(id)?))) else { continue };
        let walk = match step(&space, &index, id, &before, &mut character) {
            Ok(walk) => walk,
            Err(error) => {
                warn!("{entity} does not walk: {error}");
                continue;
            }
        };
        answer(&space, &walk, &mut character);
        if walk.at == before.at {
            continue;
        }
        let parent = parents.get(entity).ok().and_then(|parent| transforms.get(parent.parent()).ok());
        let parent = parent.map_or_else(GlobalTransform::default, |(_, global)| *global);
        let Ok((mut transform, mut global)) = transforms.get_mut(entity) else { continue };
        put(&mut transform, &mut global, &parent, up(walk.at));
        let (start, end) = (down(body.pose.at), Pose::new(&global));
        body.pose = end;
        let end = down(end.at);
        // Others that walk after it meet it here.
        if let Err(error) = space.world.set_positions(Bodies::These(&[id]), &[end]) {
            warn!("{entity} walks out of the world: {error}");
        }
        space.moves.push(id, start, end);
        space.is_stale = true;
    }
}

fn step(
    space: &HitSpace,
    index: &HitIndex,
    id: BodyId,
    body: &Body,
    character: &mut Character,
) -> hitmask::Result<Walk> {
    let (one_way, open) = (character.one_way.0, character.open.0);
    let surface = |other: BodyId| match space.world.body(other).map_or(0, |other| other.layers) {
        layers if layers & open != 0 => Surface::Open,
        layers if layers & one_way != 0 => Surface::OneWay,
        _ => Surface::Solid,
    };
    let (run, fall) = (f64::from(character.run), f64::from(character.fall));
    let except = [id];
    let mut index = index.lock();
    character.walker.step(index.on(&space.world).except(&except)?, body, run, fall, surface)
}

/// Says what a walk met.
fn answer(space: &HitSpace, walk: &Walk, character: &mut Character) {
    let entity = |side: Option<Side>| side.and_then(|side| space.entity(side.body));
    character.fall = walk.fall as f32;
    character.ground = entity(walk.ground);
    character.ground_normal = walk.ground.map_or(Vec2::ZERO, |side| up(side.normal));
    character.wall = entity(walk.wall);
    character.ceiling = entity(walk.ceiling);
    character.carried = up(walk.carried);
    character.stuck = walk.stuck;
}

/// Puts an entity at a point of the world; its z stays.
fn put(transform: &mut Transform, global: &mut GlobalTransform, parent: &GlobalTransform, at: Vec2) {
    let place = Vec3::new(at.x, at.y, global.translation().z);
    transform.translation = parent.affine().inverse().transform_point3(place);
    *global = parent.mul_transform(*transform);
}
