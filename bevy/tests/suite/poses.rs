//! Poses: parents, rotation, scale, z.

use bevy_ecs::prelude::*;
use bevy_hitmask::{Collider, HitBody, HitSpace};
use bevy_math::{Quat, Vec2, Vec3};
use bevy_transform::components::Transform;

use crate::common::{app, at, hits, move_to, pairs};

#[test]
fn a_child_is_where_its_parents_put_it() {
    let mut app = app();
    let target = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 30.0))).id();
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let parent = app.world_mut().spawn(Transform::from_rotation(quarter).with_scale(Vec3::splat(3.0))).id();
    let child = app.world_mut().spawn((Collider::circle(1.0), at(10.0, 0.0), ChildOf(parent))).id();
    app.update();
    assert_eq!(pairs(&app), [[target, child]]);
    move_to(&mut app, parent, Vec2::new(0.0, 50.0));
    app.update();
    app.update();
    assert!(!hits(&app));
    app.world_mut().entity_mut(child).remove::<ChildOf>();
    app.world_mut().get_mut::<Transform>(child).unwrap().translation = Vec3::new(0.0, 29.0, 0.0);
    app.update();
    assert_eq!(pairs(&app), [[target, child]]);
}

#[test]
fn a_child_moves_in_the_step_in_which_its_parent_moves() {
    let mut app = app();
    let parent = app.world_mut().spawn(Transform::default()).id();
    app.world_mut().spawn((Collider::circle(1.0), at(5.0, 0.0), ChildOf(parent)));
    app.world_mut().spawn((Collider::rectangle(1.0, 1.0), at(50.0, 0.0)));
    app.update();
    move_to(&mut app, parent, 100.0 * Vec2::X);
    app.update();
    assert!(hits(&app), "the child is swept with its parent");
}

#[test]
fn scale_may_differ_in_x_and_y_and_be_negative() {
    let mut app = app();
    let triangle = [Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::new(0.0, 1.0)];
    let scale = Transform::from_scale(Vec3::new(-5.0, 20.0, 1.0));
    let wedge = app.world_mut().spawn((Collider::polygon(triangle), scale)).id();
    app.update();
    let id = app.world().get::<HitBody>(wedge).unwrap().id().unwrap();
    let bounds = app.world().resource::<HitSpace>().world().bounds(id).unwrap();
    assert_eq!((bounds.min.units(), bounds.max.units()), ([-10.0, -20.0], [0.0, 0.0]));
}

#[test]
fn z_and_rotations_out_of_the_plane_do_not_matter() {
    let mut app = app();
    app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0)));
    app.world_mut().spawn((Collider::circle(1.0), Transform::from_xyz(1.0, 0.0, 900.0)));
    app.update();
    assert!(hits(&app));
}
