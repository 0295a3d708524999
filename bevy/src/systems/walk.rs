//! The characters' step, one after the other, among bodies that are where they are now.

use bevy_ecs::prelude::*;
use bevy_log::warn;
use bevy_math::Vec2;
use bevy_platform::collections::HashMap;
use bevy_transform::components::{GlobalTransform, Transform};
use hitmask::response::{Side, Surface, Walk};
use hitmask::{Bodies, Body, BodyId};

use crate::components::body::HitBody;
use crate::components::character::Character;
use crate::query::HitIndex;
use crate::space::{HitSpace, Moves, order};
use crate::systems::sync::is_sweepable;
use crate::units::{Pose, down, to_local, up};

pub(crate) fn walk(
    mut space: ResMut<'_, HitSpace>,
    index: Res<'_, HitIndex>,
    mut characters: Query<'_, '_, (Entity, &mut Character)>,
    mut bodies: Query<'_, '_, &mut HitBody>,
    mut transforms: Query<'_, '_, (&mut Transform, &mut GlobalTransform)>,
    parents: Query<'_, '_, &ChildOf>,
    children: Query<'_, '_, &Children>,
) {
    let mut characters: Vec<_> = characters.iter_mut().collect();
    if characters.is_empty() {
        return;
    }
    characters.sort_unstable_by_key(|(entity, _)| order(*entity));
    let mut moved = Moved::new(&space.moves);
    for (entity, mut character) in characters {
        let id = bodies.get(entity).ok().and_then(|body| body.id);
        let Some((id, before)) = id.and_then(|id| Some((id, space.world.body(id)?))) else { continue };
        let parent = parents.get(entity).ok().and_then(|parent| transforms.get(parent.parent()).ok());
        let parent = parent.map_or_else(GlobalTransform::default, |(_, global)| *global);
        let z = transforms.get(entity).map_or(0.0, |(transform, _)| transform.translation.z);
        let Some(to_parent) = to_local(&parent, z) else { continue };
        let walk = match step(&space, &index, id, &before, &mut character) {
            Ok(walk) => walk,
            Err(error) => {
                if !character.is_reported {
                    warn!("{entity} does not walk: {error}");
                }
                character.is_reported = true;
                continue;
            }
        };
        character.is_reported = false;
        answer(&space, &walk, &mut character);
        if walk.at == before.at {
            continue;
        }
        let Ok((mut transform, mut global)) = transforms.get_mut(entity) else { continue };
        transform.translation = to_parent.transform_point2(up(walk.at)).extend(z);
        *global = parent.mul_transform(*transform);
        // Others that walk after it meet it here, and its children.
        let mut open = vec![(entity, *global)];
        while let Some((entity, global)) = open.pop() {
            if let Ok(mut body) = bodies.get_mut(entity) {
                carry(&mut space, &mut moved, &mut body, Pose::new(&global));
            }
            for &child in children.get(entity).into_iter().flatten() {
                let Ok((transform, mut place)) = transforms.get_mut(child) else { continue };
                place.set_if_neq(global.mul_transform(*transform));
                open.push((child, *place));
            }
        }
    }
}

/// The place of each body in the motions of the step.
struct Moved(HashMap<BodyId, usize>);

impl Moved {
    fn new(moves: &Moves) -> Self {
        Self(moves.ids.iter().copied().zip(0..).collect())
    }

    /// Adds a motion, after that which the body already has.
    fn push(&mut self, moves: &mut Moves, id: BodyId, start: [f64; 2], end: [f64; 2]) {
        if let Some(&place) = self.0.get(&id) {
            if !is_sweepable(moves.starts[place], end) {
                moves.starts[place] = start;
            }
            moves.ends[place] = end;
        } else {
            self.0.insert(id, moves.ids.len());
            moves.push(id, start, end);
        }
    }
}

/// Moves the body of a character, or of a child of one, to where its entity is. A place that the world refuses is left
/// to the next step, which reports it.
fn carry(space: &mut HitSpace, moved: &mut Moved, body: &mut HitBody, pose: Pose) {
    let Some(id) = body.id.filter(|_| pose != body.pose && pose.is_parallel(&body.pose)) else { return };
    let (start, end) = (down(body.pose.at), down(pose.at));
    if space.world.set_positions(Bodies::These(&[id]), &[end]).is_ok() {
        body.pose = pose;
        moved.push(&mut space.moves, id, start, end);
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
