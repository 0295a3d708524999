//! Gizmos and the picking backend.

use bevy_app::App;
use bevy_asset::Assets;
use bevy_camera::visibility::ViewVisibility;
use bevy_camera::{Camera, OrthographicProjection, Projection};
use bevy_gizmos::config::GizmoConfigStore;
use bevy_gizmos::{GizmoAsset, GizmoPlugin};
use bevy_hitmask::{Collider, HitmaskGizmos, HitmaskGizmosPlugin, HitmaskPickingPlugin, HitmaskPlugin};
use bevy_input::ButtonInput;
use bevy_input::keyboard::KeyCode;
use bevy_math::{Dir3, Vec3};
use bevy_picking::backend::PointerHits;
use bevy_picking::backend::ray::{RayId, RayMap};
use bevy_picking::pointer::PointerId;
use bevy_shape::Ray3d;
use bevy_transform::components::{GlobalTransform, Transform};

use crate::common::{app_with, at, take};

fn is_drawn(app: &App) -> bool {
    app.world().resource::<GizmoConfigStore>().config::<HitmaskGizmos>().0.enabled
}

#[test]
fn the_key_switches_the_gizmos() {
    let mut app = app_with((HitmaskPlugin::default(), GizmoPlugin, HitmaskGizmosPlugin));
    app.init_resource::<ButtonInput<KeyCode>>();
    app.world_mut().spawn((Collider::circle(1.0), at(0.0, 7.0)));
    app.update();
    app.update();
    assert!(is_drawn(&app));
    let drawn = app.world().resource::<Assets<GizmoAsset>>();
    let highest = drawn.iter().flat_map(|(_, asset)| &asset.buffer().list_positions).map(|at| at.y).reduce(f32::max);
    assert_eq!(highest, Some(8.0), "y points up");
    app.world_mut().resource_mut::<ButtonInput<KeyCode>>().press(KeyCode::F3);
    app.update();
    assert!(!is_drawn(&app));
}

#[test]
fn a_pointer_picks_by_pixel_and_reports_z() {
    let messages = |app: &mut App| {
        app.init_resource::<RayMap>().add_message::<PointerHits>();
    };
    let mut app = app_with((HitmaskPlugin::default(), messages, HitmaskPickingPlugin));
    let camera = app
        .world_mut()
        .spawn((
            Camera::default(),
            Projection::Orthographic(OrthographicProjection::default_2d()),
            GlobalTransform::from(Transform::from_xyz(0.0, 0.0, 0.0)),
        ))
        .id();
    let below = app.world_mut().spawn((Collider::circle(5.0), Transform::from_xyz(0.0, 0.0, 1.0))).id();
    let above = app.world_mut().spawn((Collider::circle(5.0), Transform::from_xyz(4.0, 0.0, 2.0))).id();
    app.world_mut().spawn((Collider::circle(5.0), at(0.0, 0.0), ViewVisibility::HIDDEN));
    let flat = at(40.0, 0.0).with_scale(Vec3::new(1.0, 1.0, 0.0));
    let flat = app.world_mut().spawn((Collider::circle(5.0), flat)).id();
    app.update();
    let mut picks = |x: f32, y: f32| {
        let ray = Ray3d { origin: Vec3::new(x, y, 1000.0), direction: Dir3::NEG_Z };
        app.world_mut().resource_mut::<RayMap>().map.insert(RayId::new(camera, PointerId::Mouse), ray);
        app.update();
        let [hits] = take::<PointerHits>(&mut app).try_into().unwrap();
        let mut picks = hits.picks;
        picks.sort_by(|(_, a), (_, b)| a.depth.total_cmp(&b.depth));
        picks.into_iter().map(|(entity, _)| entity).collect::<Vec<_>>()
    };
    assert_eq!(picks(2.0, 0.0), [above, below]);
    assert_eq!(picks(-4.0, 0.0), [below]);
    assert_eq!(picks(-4.0, 4.0), []);
    assert_eq!(picks(40.0, 0.0), [flat], "it has no depth, so nothing faces the camera");
}
