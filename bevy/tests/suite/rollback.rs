//! Rollback: each step of 600 is taken again from an older snapshot, as a sync test does.

use std::collections::VecDeque;

use bevy_app::{App, FixedUpdate};
use bevy_asset::Assets;
use bevy_ecs::prelude::*;
use bevy_hitmask::{
    Character, Collider, CollidingEntities, HitBody, HitSnapshot, HitSpace, HitStart, Hitmask, HitmaskDisabled,
};
use bevy_image::{Image, TextureAtlas, TextureAtlasLayout};
use bevy_math::{UVec2, Vec2};
use bevy_sprite::Sprite;
use bevy_transform::components::Transform;

use crate::common::{add_image, app, at, counts, image, move_to, pairs, take};

/// Steps that are taken again.
const AGAIN: usize = 7;

#[derive(Component, Clone)]
struct Velocity(Vec2);

#[derive(Resource, Clone, Default)]
struct Frame(u32);

fn play(
    mut frame: ResMut<'_, Frame>,
    mut movers: Query<'_, '_, (Entity, &mut Velocity, &mut Transform, Option<&mut Sprite>, Has<HitmaskDisabled>)>,
    mut characters: Query<'_, '_, &mut Character>,
    mut commands: Commands<'_, '_>,
) {
    frame.0 += 1;
    for (entity, mut velocity, mut transform, sprite, is_off) in &mut movers {
        transform.translation += velocity.0.extend(0.0);
        if transform.translation.length() > 60.0 {
            velocity.0 = -velocity.0;
        }
        transform.rotate_z(0.01 * velocity.0.x);
        let turn = frame.0 + entity.index_u32();
        if let Some(mut sprite) = sprite {
            sprite.texture_atlas.as_mut().unwrap().index = (turn / 5 % 2) as usize;
        }
        match (turn % 50, is_off) {
            (0..10, false) => drop(commands.entity(entity).insert(HitmaskDisabled)),
            (10.., true) => drop(commands.entity(entity).remove::<HitmaskDisabled>()),
            _ => {}
        }
    }
    for mut character in &mut characters {
        character.fall += 0.25;
        character.run = if (frame.0 / 40).is_multiple_of(2) { 1.0 } else { -1.0 };
    }
}

/// The game's own state.
#[derive(Clone)]
struct Saved {
    frame: Frame,
    movers: Vec<(Entity, Transform, Option<Velocity>, Option<Sprite>, bool)>,
    hits: HitSnapshot,
    checksum: (u64, Vec<[Entity; 2]>, Vec<(u32, Vec<Entity>)>),
}

fn save(app: &mut App) -> Saved {
    let world = app.world_mut();
    let mut movers = world.query::<(Entity, &Transform, Option<&Velocity>, Option<&Sprite>, Has<HitmaskDisabled>)>();
    let movers = movers.iter(world).map(|(e, t, v, s, off)| (e, *t, v.cloned(), s.cloned(), off)).collect();
    let mut hits = HitSnapshot::default();
    hits.save(world).unwrap();
    let mut lists: Vec<(u32, Vec<Entity>)> = world
        .query::<(Entity, &CollidingEntities)>()
        .iter(world)
        .map(|(entity, list)| (entity.index_u32(), list.iter().collect()))
        .collect();
    // Components that come and go change the order of a query.
    lists.sort_unstable_by_key(|&(index, _)| index);
    let space = world.resource::<HitSpace>();
    let checksum = (space.checksum(), space.pairs().collect(), lists);
    Saved { frame: world.resource::<Frame>().clone(), movers, hits, checksum }
}

fn restore(app: &mut App, saved: &Saved) {
    let world = app.world_mut();
    world.insert_resource(saved.frame.clone());
    for (entity, transform, velocity, sprite, is_off) in saved.movers.clone() {
        let mut entity = world.entity_mut(entity);
        entity.insert(transform);
        velocity.map(|velocity| entity.insert(velocity));
        sprite.map(|sprite| entity.insert(sprite));
        if is_off {
            entity.insert(HitmaskDisabled)
        } else {
            entity.remove::<HitmaskDisabled>()
        };
    }
    saved.hits.restore(world).unwrap();
}

fn game() -> App {
    let mut app = app();
    let image = add_image(&mut app, &["#..###", "##.#.#", "..####"]);
    let layout = TextureAtlasLayout::from_grid(UVec2::splat(3), 2, 1, None, None);
    let layout = app.world_mut().resource_mut::<Assets<TextureAtlasLayout>>().add(layout);
    for k in 0..40u32 {
        let place = at((k * 37 % 80) as f32 - 40.0, (k * 53 % 80) as f32 - 40.0);
        let velocity = Velocity(Vec2::new((k % 7) as f32 - 3.0, (k % 5) as f32 - 2.25));
        let mut entity = app.world_mut().spawn((place, velocity, CollidingEntities::default()));
        if k % 2 == 0 {
            let atlas = TextureAtlas { layout: layout.clone(), index: 0 };
            entity.insert((Sprite::from_atlas_image(image.clone(), atlas), Hitmask::default()));
        } else {
            entity.insert(Collider::circle(3.0));
        }
    }
    app.world_mut().spawn((Collider::rectangle(300.0, 10.0), at(0.0, -20.0)));
    app.world_mut().spawn((Collider::rectangle(8.0, 12.0), Character::default(), at(0.0, 30.0)));
    app.init_resource::<Frame>().add_systems(FixedUpdate, play);
    app
}

#[test]
fn six_hundred_steps_taken_again_are_the_same() {
    let mut app = game();
    let (mut ring, mut starts) = (VecDeque::new(), 0);
    for _ in 0..600 {
        app.update();
        ring.push_back(save(&mut app));
        starts += take::<HitStart>(&mut app).len();
        if ring.len() <= AGAIN {
            continue;
        }
        restore(&mut app, &ring[0]);
        assert_eq!(save(&mut app).checksum, ring[0].checksum);
        for old in ring.iter_mut().skip(1) {
            app.update();
            let new = save(&mut app);
            assert_eq!(new.checksum, old.checksum, "frame {}", new.frame.0);
            *old = new;
        }
        take::<HitStart>(&mut app);
        ring.pop_front();
    }
    assert!(starts > 1000, "{starts} hits");
}

#[test]
fn an_entity_that_came_since_a_snapshot_gets_a_new_body() {
    let mut app = app();
    let old = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    app.update();
    let mut snapshot = HitSnapshot::default();
    snapshot.save(app.world_mut()).unwrap();
    let new = app.world_mut().spawn((Collider::rectangle(2.0, 2.0), at(1.0, 0.0))).id();
    app.update();
    let now: Vec<_> = app.world().resource::<HitSpace>().pairs().collect();
    assert_eq!(now.len(), 1);
    snapshot.restore(app.world_mut()).unwrap();
    assert_eq!(app.world().resource::<HitSpace>().pairs().count(), 0);
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().pairs().collect::<Vec<_>>(), now);
    assert_eq!(app.world().resource::<HitSpace>().counts().shapes, 2);
    app.world_mut().despawn(old);
    app.world_mut().despawn(new);
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().counts().shapes, 0);
}

#[test]
fn what_was_despawned_or_lost_its_body_since_a_snapshot_leaves_nothing_behind() {
    let mut app = app();
    let [gone, bare, stays] =
        [0.0, 1.0, 2.0].map(|x| app.world_mut().spawn((Collider::circle(x + 1.0), at(x, 0.0))).id());
    app.update();
    let mut snapshot = HitSnapshot::default();
    snapshot.save(app.world_mut()).unwrap();
    assert_eq!(app.world().resource::<HitSpace>().pairs().count(), 3);
    app.world_mut().despawn(gone);
    app.world_mut().entity_mut(bare).remove::<(Collider, HitBody)>();
    app.update();
    snapshot.restore(app.world_mut()).unwrap();
    app.update();
    let space = app.world().resource::<HitSpace>();
    assert_eq!((space.pairs().count(), space.counts().bodies, space.counts().shapes), (0, 1, 1));
    assert!(space.body(stays).is_some() && space.body(bare).is_none());
}

#[test]
fn a_snapshot_brings_back_shapes_that_are_gone_and_takes_away_those_that_came() {
    let mut app = app();
    let image = add_image(&mut app, &["##", "#."]);
    let sprite = app.world_mut().spawn((Sprite::from_image(image), Hitmask::default())).id();
    let ball = app.world_mut().spawn((Collider::circle(1.0), at(0.5, 0.0))).id();
    app.update();
    let (mut before, mut after) = (HitSnapshot::default(), HitSnapshot::default());
    before.restore(app.world_mut()).unwrap(); // nothing was saved, so nothing changes
    before.save(app.world_mut()).unwrap();
    let checksum = |app: &App| app.world().resource::<HitSpace>().checksum();
    let (first, counts) = (checksum(&app), app.world().resource::<HitSpace>().counts());
    app.world_mut().entity_mut(sprite).insert(HitmaskDisabled);
    *app.world_mut().get_mut::<Collider>(ball).unwrap() = Collider::rectangle(3.0, 4.0);
    app.update();
    after.save(app.world_mut()).unwrap();
    let second = checksum(&app);
    for _ in 0..3 {
        before.restore(app.world_mut()).unwrap();
        assert_eq!(checksum(&app), first);
        assert_eq!(app.world().resource::<HitSpace>().counts(), counts);
        after.restore(app.world_mut()).unwrap();
        assert_eq!((checksum(&app), app.world().resource::<HitSpace>().counts().shapes), (second, 1));
    }
    app.world_mut().despawn(ball);
    app.update();
    let (mut none, third) = (HitSnapshot::default(), checksum(&app));
    none.save(app.world_mut()).unwrap();
    app.world_mut().spawn(Collider::circle(7.0));
    app.update();
    none.restore(app.world_mut()).unwrap();
    assert_eq!(checksum(&app), third);
}

#[test]
fn a_link_without_a_body_moves_nothing_and_stops_nothing() {
    let mut app = app();
    let old = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    app.world_mut().spawn((Collider::circle(1.0), at(50.0, 0.0)));
    app.update();
    move_to(&mut app, old, Vec2::new(1.0, 0.0));
    app.update();
    let space = app.world().resource::<HitSpace>().clone();
    let new = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 70.0))).id();
    app.update();
    // Its link stays, but its body is gone: it lies past the last one.
    app.insert_resource(space);
    move_to(&mut app, new, Vec2::new(0.0, 90.0));
    move_to(&mut app, old, Vec2::new(99.0, 0.0));
    take::<HitStart>(&mut app);
    app.update();
    assert_eq!(take::<HitStart>(&mut app).len(), 1, "the other one is swept");
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().pairs().count(), 0);
}

#[test]
fn bodies_of_children_are_restored_too() {
    let mut app = app();
    let wall = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    let parent = app.world_mut().spawn(at(0.0, 0.0)).id();
    let child = app.world_mut().spawn((Collider::circle(1.0), at(0.5, 0.0), ChildOf(parent))).id();
    let go = |app: &mut App, x| {
        move_to(app, parent, Vec2::new(x, 0.0));
        app.update();
        app.update();
    };
    go(&mut app, 0.0);
    let mut snapshot = HitSnapshot::default();
    snapshot.save(app.world_mut()).unwrap();
    go(&mut app, 50.0);
    snapshot.restore(app.world_mut()).unwrap();
    assert_eq!(app.world().resource::<HitSpace>().pairs().count(), 1);
    // The parent is where it was before, so Bevy may see no change.
    app.update();
    app.update();
    let space = app.world().resource::<HitSpace>();
    let body = space.world().body(space.body(child).unwrap()).unwrap();
    assert_eq!((space.pairs().count(), body.at.x), (0, 50.5));
    assert!(space.body(wall).is_some());
}

#[test]
fn checksums_do_not_depend_on_the_order_in_which_bevy_stores_entities() {
    let checksums = |moves: bool| {
        let mut app = app();
        let balls: Vec<Entity> =
            (0..20).map(|k| app.world_mut().spawn((Collider::circle(1.0), at(k as f32, 0.0))).id()).collect();
        for &ball in balls.iter().step_by(3).filter(|_| moves) {
            app.world_mut().entity_mut(ball).insert(Velocity(Vec2::ZERO));
        }
        let mut checksums = Vec::new();
        for round in 0..3 {
            for (k, &ball) in balls.iter().enumerate() {
                *app.world_mut().get_mut::<Collider>(ball).unwrap() = Collider::circle((2 + round) as f32 + k as f32);
            }
            app.update();
            checksums.push(app.world().resource::<HitSpace>().checksum());
        }
        checksums
    };
    assert_eq!(checksums(false), checksums(true));
}

/// `bevy_ggrs` puts the resource back, and then removes the components that were not there.
#[test]
fn a_link_that_came_since_a_clone_of_the_space_leaves_nothing_behind() {
    let leave: [fn(EntityWorldMut<'_>); 4] = [
        |mut late| _ = late.remove::<(Collider, HitBody)>(),
        |late| late.despawn(),
        |mut late| _ = late.insert(HitmaskDisabled),
        |mut late| _ = late.insert(Collider::circle(3.0)),
    ];
    // A shape of its own, or that of another body.
    for (leave, radius) in leave.into_iter().flat_map(|leave| [(leave, 2.0), (leave, 1.0)]) {
        let mut app = app();
        let stays = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
        let late = app.world_mut().spawn(at(50.0, 0.0)).id();
        app.update();
        let space = app.world().resource::<HitSpace>().clone();
        app.world_mut().entity_mut(late).insert(Collider::circle(radius));
        app.update();
        app.insert_resource(space);
        leave(app.world_mut().entity_mut(late));
        app.update();
        assert_eq!((counts(&app).bodies, counts(&app).shapes), (1, 1));
        app.world_mut().despawn(stays);
        app.update();
        assert_eq!((counts(&app).bodies, counts(&app).shapes), (0, 0));
    }
}

#[test]
fn a_link_that_came_since_a_clone_of_the_space_takes_no_body_and_no_shape_from_another() {
    let mut app = app();
    app.update();
    let space = app.world().resource::<HitSpace>().clone();
    let late = app.world_mut().spawn((Collider::circle(2.0), at(50.0, 0.0))).id();
    app.update();
    app.insert_resource(space);
    // After the rollback another entity gets the shape that the late one had.
    let new = app.world_mut().spawn((Collider::circle(2.0), at(0.0, 0.0))).id();
    app.update();
    app.world_mut().despawn(late);
    app.update();
    assert_eq!((counts(&app).bodies, counts(&app).shapes), (1, 1));
    app.world_mut().despawn(new);
    app.update();
    assert_eq!((counts(&app).bodies, counts(&app).shapes), (0, 0));
}

#[test]
fn an_image_that_was_edited_since_a_snapshot_keeps_its_new_mask() {
    let mut app = app();
    let handle = add_image(&mut app, &["##"]);
    app.world_mut().spawn((Sprite::from_image(handle.clone()), Hitmask::default()));
    app.world_mut().spawn((Collider::circle(0.25), at(0.5, 0.0)));
    let step = |app: &mut App| {
        // Bevy sends the event of the edit at the end of the first.
        app.update();
        app.update();
        pairs(app).len()
    };
    assert_eq!(step(&mut app), 1);
    let mut snapshot = HitSnapshot::default();
    snapshot.save(app.world_mut()).unwrap();
    *app.world_mut().resource_mut::<Assets<Image>>().get_mut(&handle).unwrap() = image(&["#."]);
    assert_eq!(step(&mut app), 0);
    for _ in 0..2 {
        snapshot.restore(app.world_mut()).unwrap();
        assert_eq!(step(&mut app), 0);
        assert_eq!(counts(&app).masks, 1);
    }
}
