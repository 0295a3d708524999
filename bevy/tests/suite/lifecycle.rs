//! Spawning and despawning: nothing is left behind.

use bevy_app::App;
use bevy_asset::Assets;
use bevy_ecs::reflect::{AppTypeRegistry, ReflectComponent};
use bevy_hitmask::{Collider, CollidingEntities, HitBody, HitSpace, Hitmask};
use bevy_image::Image;
use bevy_reflect::{FromReflect, PartialReflect};
use bevy_sprite::Sprite;

use crate::common::{add_image, app, at, counts, hits, image, pairs};

#[test]
fn an_image_that_loads_late_is_waited_for() {
    let mut app = app();
    let handle = app.world().resource::<Assets<Image>>().reserve_handle();
    app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0)));
    app.world_mut().spawn((Sprite::from_image(handle.clone()), Hitmask::default()));
    app.update();
    assert_eq!((counts(&app).bodies, counts(&app).waiting, hits(&app)), (1, 1, false));
    app.world_mut().resource_mut::<Assets<Image>>().insert(handle.id(), image(&["##", "##"])).unwrap();
    app.update();
    assert_eq!((counts(&app).bodies, counts(&app).waiting, hits(&app)), (2, 0, true));
    app.world_mut().resource_mut::<Assets<Image>>().remove(&handle);
    app.update();
    app.update();
    assert_eq!((counts(&app).bodies, counts(&app).waiting, hits(&app)), (1, 1, false));
}

#[test]
fn an_entity_that_comes_and_goes_between_two_steps_has_no_body() {
    let mut app = app();
    let entity = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    app.world_mut().despawn(entity);
    app.update();
    assert_eq!((counts(&app).bodies, counts(&app).shapes), (0, 0));
}

#[test]
fn a_new_entity_does_not_inherit_the_hits_of_a_despawned_one() {
    let mut app = app();
    let wall = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    let first = app.world_mut().spawn((Collider::circle(1.0), at(1.0, 0.0))).id();
    app.update();
    app.world_mut().despawn(first);
    let second = app.world_mut().spawn((Collider::circle(1.0), at(1.0, 0.0))).id();
    app.update();
    assert_eq!(pairs(&app), [crate::common::ordered([wall, second])]);
    assert_eq!(crate::common::ends(&mut app), [crate::common::ordered([wall, first])]);
}

#[test]
fn a_hundred_thousand_spawns_and_despawns_leave_nothing_behind() {
    let mut app = app();
    let image = add_image(&mut app, &[".#.", "###", ".#."]);
    let entities = app.world().entities().count_spawned();
    app.update();
    let mut alive = Vec::new();
    for round in 0..100 {
        for k in 0..1000 {
            let place = at((k % 40) as f32 * 2.5, (k / 40 + round % 3) as f32 * 2.5);
            let spawned = match k % 3 {
                0 => app.world_mut().spawn((Sprite::from_image(image.clone()), Hitmask::default(), place)).id(),
                1 => app.world_mut().spawn((Collider::circle(1.0 + (k % 5) as f32), place)).id(),
                _ => app.world_mut().spawn((Collider::rectangle(2.0, 1.0 + round as f32 / 100.0), place)).id(),
            };
            alive.push(spawned);
        }
        app.update();
        assert_eq!(counts(&app).bodies, 1000);
        for entity in alive.drain(..) {
            app.world_mut().despawn(entity);
        }
    }
    app.update();
    let left = counts(&app);
    assert_eq!([left.bodies, left.shapes, left.masks, left.waiting], [0; 4]);
    assert_eq!((app.world().entities().count_spawned(), hits(&app)), (entities, false));
    assert_eq!(app.world().resource::<HitSpace>().world().shapes().count(), 0);
}

#[test]
fn all_components_are_reflected() {
    let app = app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    let is_component = |name: &str| {
        let registration = registry.get_with_short_type_path(name).unwrap();
        registration.data::<ReflectComponent>().is_some()
    };
    for name in ["Hitmask", "HitmaskDisabled", "Collider", "Layers", "Character", "CollidingEntities", "HitBody"] {
        assert!(is_component(name), "{name}");
    }
}

#[test]
fn a_clone_of_an_entity_has_its_own_body_and_list() {
    let mut app = app();
    let ball = (Collider::circle(1.0), CollidingEntities::default(), at(0.0, 0.0));
    let original = app.world_mut().spawn(ball).id();
    let other = app.world_mut().spawn((Collider::circle(1.0), at(1.0, 0.0))).id();
    app.update();
    let clone = app.world_mut().entity_mut(original).clone_and_spawn();
    let list = |app: &App, entity| app.world().get::<CollidingEntities>(entity).unwrap().iter().collect::<Vec<_>>();
    assert_eq!(list(&app, clone), []);
    app.update();
    assert_eq!((counts(&app).bodies, counts(&app).shapes, list(&app, clone)), (3, 1, vec![original, other]));
    app.world_mut().despawn(clone);
    app.update();
    assert_eq!((counts(&app).bodies, list(&app, original)), (2, vec![other]));
    app.world_mut().despawn(original);
    app.world_mut().despawn(other);
    app.update();
    assert_eq!((counts(&app).bodies, counts(&app).shapes), (0, 0));
}

#[test]
fn reflection_does_not_copy_the_link_to_a_body() {
    let mut app = app();
    let ball = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    app.update();
    let body = app.world().get::<HitBody>(ball).unwrap();
    assert!(body.id().is_some());
    assert!(body.reflect_clone().is_err());
    assert_eq!(HitBody::from_reflect(&*body.to_dynamic().unwrap()).unwrap().id(), None);
}

#[test]
fn a_link_that_is_inserted_again_leaves_no_body_behind() {
    let mut app = app();
    let ball = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0))).id();
    app.update();
    app.world_mut().entity_mut(ball).insert(HitBody::default());
    app.update();
    assert_eq!((counts(&app).bodies, counts(&app).shapes), (1, 1));
    assert!(app.world().get::<HitBody>(ball).unwrap().id().is_some());
    app.world_mut().despawn(ball);
    app.update();
    assert_eq!((counts(&app).bodies, counts(&app).shapes), (0, 0));
}
