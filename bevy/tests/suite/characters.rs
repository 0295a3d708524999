//! Characters: they run, fall, climb, ride and stop.

use bevy_app::{App, FixedUpdate};
use bevy_ecs::prelude::*;
use bevy_hitmask::{Character, Collider, Hitmask, Layers};
use bevy_math::{Quat, Vec2, Vec3};
use bevy_sprite::{Anchor, Sprite};
use bevy_transform::components::{GlobalTransform, Transform};

use crate::common::{add_image, app, at, pairs};

fn with_gravity() -> App {
    let mut app = app();
    let fall = |mut all: Query<'_, '_, &mut Character>| all.iter_mut().for_each(|mut one| one.fall += 0.25);
    app.add_systems(FixedUpdate, fall);
    app
}

fn man(app: &mut App, x: f32, y: f32) -> Entity {
    app.world_mut().spawn((Collider::rectangle(8.0, 12.0), Character::default(), at(x, y))).id()
}

fn place(app: &App, entity: Entity) -> Vec2 {
    app.world().get::<GlobalTransform>(entity).unwrap().translation().truncate()
}

#[test]
fn a_character_falls_to_the_ground_runs_and_stops_at_a_wall() {
    let mut app = with_gravity();
    let ground = app.world_mut().spawn((Collider::rectangle(400.0, 10.0), at(0.0, -5.0))).id();
    let wall = app.world_mut().spawn((Collider::rectangle(10.0, 100.0), at(100.0, 50.0))).id();
    let man = man(&mut app, 0.0, 40.0);
    for _ in 0..60 {
        app.update();
    }
    let character = app.world().get::<Character>(man).unwrap();
    assert_eq!(
        (place(&app, man), character.ground, character.ground_normal),
        (Vec2::new(0.0, 6.0), Some(ground), Vec2::Y)
    );
    app.world_mut().get_mut::<Character>(man).unwrap().run = 3.0;
    for _ in 0..60 {
        app.update();
    }
    assert_eq!((place(&app, man), app.world().get::<Character>(man).unwrap().wall), (Vec2::new(91.0, 6.0), Some(wall)));
    assert!(pairs(&app).is_empty(), "it stands on the ground, not in it");
    app.world_mut().get_mut::<Character>(man).unwrap().fall = -4.0;
    app.update();
    assert!(place(&app, man).y > 9.0 && app.world().get::<Character>(man).unwrap().ground.is_none());
}

#[test]
fn a_character_climbs_the_pixels_of_a_sprite_and_rides_a_platform() {
    let mut app = with_gravity();
    let ramp: Vec<String> =
        (0..20).map(|y| (0..80).map(|x| if y >= 19 - x / 4 { '#' } else { '.' }).collect()).collect();
    let ramp: Vec<&str> = ramp.iter().map(String::as_str).collect();
    let image = add_image(&mut app, &ramp);
    app.world_mut().spawn((Sprite::from_image(image), Hitmask::default(), Anchor::BOTTOM_LEFT));
    let climber = man(&mut app, 10.0, 20.0);
    let lift = app.world_mut().spawn((Collider::rectangle(40.0, 2.0), at(200.0, 0.0))).id();
    let rider = man(&mut app, 200.0, 8.0);
    app.world_mut().get_mut::<Character>(climber).unwrap().run = 1.0;
    for _ in 0..10 {
        app.update();
    }
    for _ in 0..50 {
        app.world_mut().get_mut::<Transform>(lift).unwrap().translation += Vec3::new(0.5, 1.0, 0.0);
        app.update();
    }
    assert!(place(&app, climber).x == 70.0 && place(&app, climber).y >= 20.0, "{}", place(&app, climber));
    let ride = place(&app, rider);
    assert_eq!(ride - place(&app, lift), Vec2::new(0.0, 7.0), "it stands on the lift, in the same step");
    assert_eq!(app.world().get::<Character>(rider).unwrap().carried, Vec2::new(0.5, 1.0));
}

#[test]
fn one_way_and_open_layers_are_those_of_the_character() {
    let mut app = with_gravity();
    app.world_mut().spawn((Collider::rectangle(40.0, 2.0), Layers::new(2, u32::MAX), at(0.0, 20.0)));
    let jumper = man(&mut app, 0.0, 0.0);
    let mut character = app.world_mut().get_mut::<Character>(jumper).unwrap();
    (character.one_way, character.fall) = (2.into(), -5.0);
    for _ in 0..60 {
        app.update();
    }
    assert_eq!(place(&app, jumper).y, 27.0);
    app.world_mut().get_mut::<Character>(jumper).unwrap().open = 2.into();
    for _ in 0..10 {
        app.update();
    }
    assert!(place(&app, jumper).y < 20.0);
}

#[test]
fn a_child_walks_in_the_world_of_its_parent() {
    let mut app = with_gravity();
    app.world_mut().spawn((Collider::rectangle(400.0, 10.0), at(0.0, -5.0)));
    let parent = app.world_mut().spawn(at(-30.0, 50.0)).id();
    let man = man(&mut app, 0.0, 0.0);
    app.world_mut().entity_mut(man).insert(ChildOf(parent));
    for _ in 0..60 {
        app.update();
    }
    assert_eq!(app.world().get::<Transform>(man).unwrap().translation, Vec3::new(0.0, -44.0, 0.0));
    assert_eq!(place(&app, man), Vec2::new(-30.0, 6.0));
}

fn runner(app: &mut App, run: f32) -> Entity {
    let man = man(app, 0.0, 0.0);
    app.world_mut().get_mut::<Character>(man).unwrap().run = run;
    man
}

#[test]
fn the_bodies_of_a_characters_children_go_with_it() {
    let mut app = app();
    let man = runner(&mut app, 0.0);
    // It looks the other way, half as large; its arm makes up for that.
    let (turn, half) = (Quat::from_rotation_z(std::f32::consts::PI), Vec3::splat(0.5));
    *app.world_mut().get_mut::<Transform>(man).unwrap() = Transform::from_rotation(turn).with_scale(half);
    let arm = at(-20.0, 0.0).with_rotation(turn.inverse()).with_scale(1.0 / half);
    let arm = app.world_mut().spawn((arm, ChildOf(man))).id();
    let layers = Layers::new(2, 2);
    let sword = app.world_mut().spawn((Collider::circle(1.0), layers, at(10.0, 0.0), ChildOf(arm))).id();
    let coin = app.world_mut().spawn((Collider::circle(1.0), layers, at(25.0, 0.0))).id();
    app.update();
    app.world_mut().get_mut::<Character>(man).unwrap().run = 4.0;
    app.update();
    assert!((place(&app, man) - Vec2::new(4.0, 0.0)).length() < 0.01);
    assert!((place(&app, sword) - Vec2::new(24.0, 0.0)).length() < 0.01);
    assert_eq!(pairs(&app), [crate::common::ordered([sword, coin])], "in the same step");
    app.world_mut().get_mut::<Character>(man).unwrap().run = 90.0;
    app.update();
    app.world_mut().get_mut::<Character>(man).unwrap().run = -90.0;
    app.update();
    assert_eq!(pairs(&app), [crate::common::ordered([sword, coin])], "swept back over it");
}

#[test]
fn a_character_that_the_game_moves_too_is_swept_along_both_motions() {
    let mut app = app();
    let man = runner(&mut app, 0.0);
    let coin = app.world_mut().spawn((Collider::circle(1.0), Layers::new(2, 1), at(50.0, 0.0))).id();
    app.world_mut().get_mut::<Character>(man).unwrap().open = 2.into();
    app.update();
    app.world_mut().get_mut::<Character>(man).unwrap().run = 10.0;
    app.world_mut().get_mut::<Transform>(man).unwrap().translation.x = 90.0;
    app.update();
    assert_eq!(place(&app, man).x, 100.0);
    assert_eq!(pairs(&app), [crate::common::ordered([man, coin])]);
}

#[test]
fn a_detector_is_in_the_way_of_no_character_that_does_not_see_it() {
    for (filter, reaches, hit) in [(2, 10.0, true), (2 | 4, 2.0, false)] {
        let mut app = app();
        let man = runner(&mut app, 10.0);
        app.world_mut().entity_mut(man).insert(Layers::new(1, filter));
        let zone = Layers::new(4, 1).detector(true);
        // Each of them is 8 units wide.
        let zone = app.world_mut().spawn((Collider::rectangle(8.0, 40.0), zone, at(10.0, 0.0))).id();
        app.update();
        let pair = crate::common::ordered([man, zone]);
        assert_eq!((place(&app, man).x, pairs(&app).contains(&pair)), (reaches, hit));
    }
}

#[test]
fn a_character_whose_run_is_not_a_number_stands_still_until_it_is() {
    let mut app = app();
    let man = runner(&mut app, f32::NAN);
    app.update();
    app.update();
    assert_eq!(place(&app, man), Vec2::ZERO);
    app.world_mut().get_mut::<Character>(man).unwrap().run = 2.0;
    app.update();
    assert_eq!(place(&app, man).x, 2.0);
}

#[test]
fn a_character_walks_in_a_parent_without_depth_and_stands_still_in_one_without_area() {
    for (scale, reaches) in [(Vec3::new(2.0, 2.0, 0.0), 4.0), (Vec3::new(2.0, 0.0, 1.0), 0.0), (Vec3::ZERO, 0.0)] {
        let mut app = app();
        let parent = app.world_mut().spawn(Transform::from_scale(scale)).id();
        let man = runner(&mut app, 2.0);
        app.world_mut().entity_mut(man).insert(ChildOf(parent));
        app.update();
        app.update();
        assert_eq!(place(&app, man), Vec2::new(reaches, 0.0), "{scale}");
        // It walks on once the parent has its size back.
        *app.world_mut().get_mut::<Transform>(parent).unwrap() = Transform::default();
        let before = app.world().get::<Transform>(man).unwrap().translation;
        app.update();
        assert_eq!(place(&app, man), before.truncate() + Vec2::new(2.0, 0.0), "{scale}");
    }
}

#[test]
fn a_child_of_a_tilted_parent_walks_in_its_plane() {
    let mut app = app();
    let tilt = Transform::from_rotation(Quat::from_rotation_y(1.0)).with_scale(Vec3::new(3.0, 1.0, 1.0));
    let parent = app.world_mut().spawn(tilt).id();
    let man = runner(&mut app, 2.0);
    app.world_mut().entity_mut(man).insert((ChildOf(parent), Transform::from_xyz(0.0, 0.0, 5.0)));
    app.update();
    let before = place(&app, man);
    app.update();
    assert!((place(&app, man) - before - Vec2::new(2.0, 0.0)).length() < 0.01);
    assert_eq!(app.world().get::<Transform>(man).unwrap().translation.z, 5.0);
}
