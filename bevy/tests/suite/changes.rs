//! Change detection: a change of one entity among many that stay as they are.

use std::time::Duration;

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_hitmask::{Collider, HitBody, HitSpace, Hitmask, Layers};
use bevy_sprite::{Anchor, Sprite};
use bevy_time::TimeUpdateStrategy;
use bevy_transform::components::Transform;

use crate::common::{add_image, app, at, hits};

#[test]
fn one_change_among_hundreds_that_stay_is_seen_whatever_it_is() {
    let mut app = app();
    let image = add_image(&mut app, &["##.", "###"]);
    let sprite =
        |k: u32| (Sprite::from_image(image.clone()), Hitmask::default(), Layers::default(), at(9.0 * k as f32, 0.0));
    let sprites: Vec<Entity> = (0..100).map(|k| app.world_mut().spawn((sprite(k), Anchor::CENTER)).id()).collect();
    let ball = |k: u32| (Collider::circle(1.0), Layers::default(), at(9.0 * k as f32, 50.0));
    let balls: Vec<Entity> = (0..100).map(|k| app.world_mut().spawn(ball(k)).id()).collect();
    app.update();
    app.update();
    let body = |app: &App, entity| {
        let space = app.world().resource::<HitSpace>();
        let body = space.world().body(space.body(entity).unwrap()).unwrap();
        (body, space.world().shape(body.shape).unwrap().clone())
    };
    let world = |app: &App| app.world().resource::<HitSpace>().checksum();
    let changes: [(&str, Entity, fn(EntityWorldMut<'_>)); 8] = [
        ("Transform", sprites[13], |mut entity| entity.get_mut::<Transform>().unwrap().translation.y += 3.0),
        ("Sprite", sprites[99], |mut entity| entity.get_mut::<Sprite>().unwrap().flip_x = true),
        ("Anchor", sprites[0], |mut entity| *entity.get_mut::<Anchor>().unwrap() = Anchor::TOP_LEFT),
        ("Hitmask", sprites[50], |mut entity| entity.get_mut::<Hitmask>().unwrap().threshold = 7),
        ("Layers", sprites[51], |mut entity| entity.get_mut::<Layers>().unwrap().group = 5),
        ("a detector", sprites[52], |mut entity| entity.get_mut::<Layers>().unwrap().detector = true),
        ("Collider", balls[77], |mut entity| *entity.get_mut::<Collider>().unwrap() = Collider::circle(2.0)),
        ("Layers of a ball", balls[3], |mut entity| entity.get_mut::<Layers>().unwrap().filter.0 = 5),
    ];
    for (name, entity, change) in changes {
        let (before, checksum) = (body(&app, entity), world(&app));
        change(app.world_mut().entity_mut(entity));
        app.update();
        assert_ne!(body(&app, entity), before, "{name}");
        assert_ne!(world(&app), checksum);
        // The body of a sprite that moved comes to rest.
        app.update();
        let after = world(&app);
        app.update();
        assert_eq!(world(&app), after, "{name}: nothing changes any more");
    }
    // A teleport alone changes nothing, and is over after its step.
    assert!(!hits(&app));
    app.world_mut().get_mut::<HitBody>(balls[9]).unwrap().teleport();
    app.update();
    app.world_mut().get_mut::<Transform>(balls[9]).unwrap().translation.x = 9.0 * 20.0;
    app.update();
    assert!(hits(&app), "it is swept");
}

#[test]
fn a_component_that_is_removed_between_steps_is_missed_in_no_frame() {
    const FRAMES: u32 = 4;
    let mut app = app();
    let image = add_image(&mut app, &["##", "##"]);
    let bundle = || (Sprite::from_image(image.clone()), Anchor::TOP_LEFT, Hitmask::default(), Layers::new(2, 2));
    let removals: [(&str, fn(EntityWorldMut<'_>)); 3] = [
        ("Layers", |mut entity| {
            entity.remove::<Layers>();
        }),
        ("Anchor", |mut entity| {
            entity.remove::<Anchor>();
        }),
        ("Sprite", |mut entity| {
            entity.remove::<Sprite>();
        }),
    ];
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1) / (64 * FRAMES)));
    for (name, remove) in removals {
        for frame in 0..FRAMES {
            let entity = app.world_mut().spawn(bundle()).id();
            for _ in 0..2 * FRAMES + frame {
                app.update();
            }
            let before = app.world().resource::<HitSpace>().checksum();
            remove(app.world_mut().entity_mut(entity));
            for _ in 0..FRAMES {
                app.update();
            }
            let space = app.world().resource::<HitSpace>();
            assert_ne!(space.checksum(), before, "{name}, {frame} frames after a step");
            assert_eq!(space.body(entity).is_some(), name != "Sprite");
            app.world_mut().despawn(entity);
        }
    }
}
