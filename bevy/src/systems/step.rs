//! The step: bodies are put back to where they were and move to where they are.

use bevy_ecs::prelude::*;
use bevy_log::error;
use hitmask::response::Event;
use hitmask::{Ask, Bodies, BodyId, Hits, World};

use crate::events::HitContact;
use crate::space::{HitEngine, HitSpace};
use crate::units::{motion, up};

pub(crate) fn step(mut space: ResMut<'_, HitSpace>, mut engine: ResMut<'_, HitEngine>) {
    if !space.is_stale {
        return;
    }
    let HitSpace { world, events, moves, is_stale, steps, .. } = &mut *space;
    *steps += 1;
    let HitEngine { engine, hits, ask, contacts, is_fresh } = &mut *engine;
    let stopped = moves.stopped(world);
    moves.motions.clear();
    moves.motions.extend(moves.starts.iter().zip(&moves.ends).map(|(&from, &to)| motion(from, to)));
    // Both ends lie within the world, so all between them does.
    let set = world.set_moving(Bodies::These(&moves.ids), &moves.starts, &moves.motions);
    let set = set.and_then(|()| rest(world, &stopped));
    let moves_as_told = set.is_ok();
    if let Err(error) = set {
        error!("hitmask finds the hits of this step without motions: {error}");
    }
    // The step after one with motions may have another answer, even if nothing changes any more.
    *is_stale = !moves.ids.is_empty();
    contacts.clear();
    let found = engine.run_into(world, *ask, hits).and_then(|()| events.update(world, hits));
    // The events of an earlier step have been sent.
    *is_fresh = found.is_ok();
    match found {
        Ok(()) if *ask == Ask::Details => {
            contacts.extend(events.began().iter().map(|event| contact(world, hits, event)));
        }
        Ok(()) => {}
        Err(error) => {
            error!("hitmask could not find the hits of this step: {error}");
            *is_stale = true;
        }
    }
    // The motion goes on from there; near the border that may lead out of the world.
    let ends = if moves_as_told && moves.are_many(world) {
        world.advance()
    } else {
        world.set_positions(Bodies::These(&moves.ids), &moves.ends)
    };
    let still = |_| world.set_moving(Bodies::These(&moves.ids), &moves.ends, &vec![[0.0; 2]; moves.ids.len()]);
    if let Err(error) = ends.or_else(still) {
        error!("hitmask could not put bodies to the ends of their motions: {error}");
    }
    moves.end();
    if !moves_as_told {
        // They still have their motions, which the next step takes from them.
        moves.before.extend(stopped);
    }
}

/// Takes the motion from bodies that have stopped.
fn rest(world: &mut World, stopped: &[BodyId]) -> hitmask::Result<()> {
    let mut places = Vec::new();
    world.positions(Bodies::These(stopped), &mut places)?;
    world.set_moving(Bodies::These(stopped), &places, &vec![[0.0; 2]; places.len()])
}

fn contact(world: &World, hits: &Hits, event: &Event) -> HitContact {
    let detail = &hits.details[event.hit];
    let contact = world.contact(hits.pairs[event.hit], detail);
    HitContact {
        fraction: detail.fraction() as f32,
        normal: up(contact.normal),
        depth: contact.depth as f32,
        pixels: detail.area.map(|area| area.try_into().unwrap_or(u32::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use bevy_ecs::system::RunSystemOnce;
    use hitmask::{Body, Engine, Shape, Touch};

    use super::*;

    #[test]
    fn a_step_that_fails_sends_no_events_and_is_taken_again() {
        let mut space = HitSpace::new(Touch::default());
        let ball = space.world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        space.world.add_all(&[Body::new(ball, [0, 0]), Body::new(ball, [1, 0])]).unwrap();
        let mut world = bevy_ecs::world::World::new();
        world.insert_resource(space);
        world.insert_resource(HitEngine::new(Engine::reference(), Ask::Pairs));
        let mut take = |ask| {
            world.resource_mut::<HitEngine>().ask = ask;
            world.resource_mut::<HitSpace>().is_stale = true;
            world.run_system_once(step).unwrap();
            (world.resource::<HitEngine>().is_fresh, world.resource::<HitSpace>().is_stale)
        };
        assert_eq!(take(Ask::Pairs), (true, false));
        // Events cannot be made of flags.
        assert_eq!(take(Ask::Flags), (false, true));
        assert_eq!(take(Ask::Pairs), (true, false));
    }

    #[test]
    fn a_body_that_stops_in_a_step_without_motions_stays_where_it_is() {
        let mut space = HitSpace::new(Touch::default());
        let ball = space.world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        let ids = space.world.add_all(&[Body::new(ball, [0, 0]), Body::new(ball, [90, 0])]).unwrap();
        let mut world = bevy_ecs::world::World::new();
        world.insert_resource(space);
        world.insert_resource(HitEngine::new(Engine::reference(), Ask::Pairs));
        let mut take = |moves: &[(BodyId, [f64; 2], [f64; 2])]| {
            let mut space = world.resource_mut::<HitSpace>();
            space.is_stale = true;
            for &(id, start, end) in moves {
                space.moves.push(id, start, end);
            }
            world.run_system_once(step).unwrap();
            let body = world.resource::<HitSpace>().world.body(ids[0]).unwrap();
            ([body.at.x, body.at.y], [body.motion.x, body.motion.y])
        };
        assert_eq!(take(&[(ids[0], [0.0, 0.0], [3.0, 0.0])]), ([3.0, 0.0], [3.0, 0.0]));
        // The world refuses the start, so the motions of this step are not set.
        take(&[(ids[1], [f64::NAN, 0.0], [91.0, 0.0])]);
        assert_eq!(take(&[(ids[1], [91.0, 0.0], [92.0, 0.0])]), ([3.0, 0.0], [0.0, 0.0]));
    }
}
