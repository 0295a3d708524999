//! Motion: from the place of the last fixed step, unless teleported.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_hitmask::{Collider, HitBody, HitSpace, Hitmask};
use bevy_math::Vec2;
use bevy_sprite::Sprite;
use bevy_time::{Time, Virtual};
use bevy_transform::components::Transform;

use crate::common::{add_image, app, at, hits, move_to};

#[test]
fn nothing_tunnels_and_a_teleport_does() {
    let mut app = app();
    app.world_mut().spawn((Collider::rectangle(1.0, 10.0), at(50.0, 0.0)));
    let image = add_image(&mut app, &["##", "##"]);
    let shot = app.world_mut().spawn((Sprite::from_image(image), Hitmask::default(), at(0.0, 0.0))).id();
    app.update();
    assert!(!hits(&app));
    move_to(&mut app, shot, 100.0 * Vec2::X);
    app.update();
    assert!(hits(&app), "it passed the wall");
    app.update();
    assert!(!hits(&app), "it is at rest beyond the wall");
    app.world_mut().get_mut::<HitBody>(shot).unwrap().teleport();
    move_to(&mut app, shot, Vec2::ZERO);
    app.update();
    assert!(!hits(&app), "it was teleported");
    move_to(&mut app, shot, 100.0 * Vec2::X);
    app.update();
    assert!(hits(&app), "a teleport counts for one step");
}

#[test]
fn a_body_that_spawns_or_returns_is_not_swept_from_elsewhere() {
    let mut app = app();
    app.world_mut().spawn((Collider::rectangle(1.0, 10.0), at(50.0, 0.0)));
    let shot = app.world_mut().spawn((Collider::circle(1.0), at(100.0, 0.0))).id();
    app.update();
    assert!(!hits(&app), "it was not swept from the origin");
    app.world_mut().entity_mut(shot).insert(bevy_hitmask::HitmaskDisabled);
    app.update();
    move_to(&mut app, shot, Vec2::ZERO);
    app.world_mut().entity_mut(shot).remove::<bevy_hitmask::HitmaskDisabled>();
    app.update();
    assert!(!hits(&app), "it was not swept from where it was switched off");
}

#[test]
fn motions_farther_than_the_library_sweeps_are_teleports() {
    let mut app = app();
    app.world_mut().spawn((Collider::rectangle(1.0, 10.0), at(50.0, 0.0)));
    let shot = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    app.update();
    move_to(&mut app, shot, 65_536.0 * Vec2::X);
    app.update();
    assert!(hits(&app));
    move_to(&mut app, shot, -1.0 * Vec2::X);
    app.update();
    assert!(!hits(&app));
}

#[test]
fn a_paused_game_takes_no_step_and_goes_on_from_where_it_was() {
    let mut app = app();
    app.world_mut().spawn((Collider::rectangle(1.0, 10.0), at(50.0, 0.0)));
    let shot = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    app.update();
    app.world_mut().resource_mut::<Time<Virtual>>().pause();
    move_to(&mut app, shot, 100.0 * Vec2::X);
    app.update();
    app.update();
    assert!(!hits(&app));
    app.world_mut().resource_mut::<Time<Virtual>>().unpause();
    app.update();
    assert!(hits(&app), "the motion begins where the last step ended");
}

#[test]
fn between_steps_bodies_are_where_the_entities_are() {
    let mut app = app();
    let ball = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    app.update();
    move_to(&mut app, ball, Vec2::new(3.25, 7.5));
    app.update();
    let id = app.world().get::<HitBody>(ball).unwrap().id().unwrap();
    let body = app.world().resource::<HitSpace>().world().body(id).unwrap();
    assert_eq!((body.at.x, body.at.y), (3.25, -7.5));
    app.update();
    let body = app.world().resource::<HitSpace>().world().body(id).unwrap();
    assert_eq!((body.at.x, body.at.y, body.motion), (3.25, -7.5, [0, 0].into()));
}

#[test]
fn a_step_in_which_nothing_changes_is_not_taken() {
    let mut app = app();
    let ball = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    app.update();
    let steps = |app: &App| app.world().resource::<HitSpace>().counts().steps;
    let first = steps(&app);
    app.update();
    app.world_mut().get_mut::<Transform>(ball).unwrap().set_changed();
    app.update();
    assert_eq!(steps(&app), first);
    move_to(&mut app, ball, Vec2::X);
    (0..3).for_each(|_| app.update());
    assert_eq!(steps(&app), first + 2, "one with the motion, one at rest");
}

#[test]
fn a_teleport_ends_with_the_next_step_even_if_nothing_moves_in_it() {
    let mut app = app();
    app.world_mut().spawn((Collider::rectangle(1.0, 10.0), at(50.0, 0.0)));
    let shot = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    // Until Bevy has computed its place in both schedules.
    (0..3).for_each(|_| app.update());
    app.world_mut().get_mut::<HitBody>(shot).unwrap().teleport();
    app.update();
    move_to(&mut app, shot, 100.0 * Vec2::X);
    app.update();
    assert!(hits(&app), "the teleport was over");
}
