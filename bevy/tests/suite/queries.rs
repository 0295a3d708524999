//! Queries, which answer with entities.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_ecs::system::RunSystemOnce;
use bevy_hitmask::hitmask::{Error, Result};
use bevy_hitmask::{Collider, HitBody, HitFilter, HitQuery, Hitmask, HitmaskDisabled, Layers};
use bevy_math::{Rect, Vec2};
use bevy_sprite::Sprite;
use bevy_transform::components::Transform;

use crate::common::{add_image, app, at, hits, move_to};

fn ask<T: Send + Sync + 'static>(app: &mut App, ask: impl Fn(HitQuery<'_, '_>) -> T + Send + Sync + 'static) -> T {
    app.world_mut().run_system_once(move |query: HitQuery<'_, '_>| ask(query)).unwrap()
}

fn all() -> HitFilter {
    HitFilter::default()
}

fn boxes(app: &mut App, places: &[f32]) -> Vec<Entity> {
    let spawn = |&x: &f32| app.world_mut().spawn((Collider::rectangle(2.0, 4.0), at(x, 0.0))).id();
    let boxes = places.iter().map(spawn).collect();
    app.update();
    boxes
}

#[test]
fn a_point_meets_solid_pixels_alone() {
    let mut app = app();
    let image = add_image(&mut app, &["#.", ".."]);
    let entity = app.world_mut().spawn((Sprite::from_image(image), Hitmask::default())).id();
    app.update();
    let at = |x, y| move |query: HitQuery<'_, '_>| query.at(Vec2::new(x, y), &all()).unwrap();
    assert_eq!(ask(&mut app, at(-0.5, 0.5)), [entity]);
    assert!(ask(&mut app, at(0.5, 0.5)).is_empty() && ask(&mut app, at(-0.5, -0.5)).is_empty());
}

#[test]
fn regions_rays_and_the_nearest_answer_in_bevys_coordinates() {
    let mut app = app();
    let found = boxes(&mut app, &[0.0, 10.0, 20.0]);
    let high = app.world_mut().spawn((Collider::circle(1.0), at(0.0, 30.0))).id();
    app.update();
    let region = Rect::new(5.0, -1.0, 25.0, 1.0);
    assert_eq!(ask(&mut app, move |query| query.region(region, &all()).unwrap()), found[1..]);
    let up = ask(&mut app, |query| query.ray(Vec2::new(0.0, 5.0), Vec2::new(0.0, 55.0), &all()).unwrap()).unwrap();
    assert_eq!((up.entity, up.at, up.normal), (high, Vec2::new(0.0, 29.0), -Vec2::Y));
    assert!((up.fraction - 0.48).abs() < 1e-3);
    let near = ask(&mut app, |query| query.nearest(Vec2::new(14.0, 0.0), 6.0, 9, &all()).unwrap());
    assert_eq!(
        near.iter().map(|near| (near.entity, near.distance)).collect::<Vec<_>>(),
        [(found[1], 3.0), (found[2], 5.0)]
    );
}

#[test]
fn filters_leave_out_layers_and_entities() {
    let mut app = app();
    let found = boxes(&mut app, &[0.0, 10.0, 20.0]);
    let (first, second) = (found[0], found[1]);
    app.world_mut().entity_mut(second).insert(Layers::new(2, 2));
    app.update();
    let ray = move |filter: HitFilter| {
        move |query: HitQuery<'_, '_>| {
            query.ray(Vec2::new(-9.0, 0.0), Vec2::new(99.0, 0.0), &filter).unwrap().map(|hit| hit.entity)
        }
    };
    assert_eq!(ask(&mut app, ray(all())), Some(first));
    assert_eq!(ask(&mut app, ray(all().hitting(2))), Some(second));
    assert_eq!(ask(&mut app, ray(all().except([first, second]))), Some(found[2]));
    app.world_mut().entity_mut(first).insert(HitmaskDisabled);
    app.update();
    assert_eq!(ask(&mut app, ray(all())), Some(second));
}

#[test]
fn casts_and_slides_stop_at_what_is_in_the_way() {
    let mut app = app();
    let found = boxes(&mut app, &[0.0, 10.0]);
    let (runner, wall) = (found[0], found[1]);
    let floor = app.world_mut().spawn((Collider::rectangle(100.0, 2.0), at(0.0, -9.0))).id();
    app.update();
    let cast = ask(&mut app, move |query| query.cast(runner, Vec2::ZERO, 50.0 * Vec2::X, &all()).unwrap());
    assert_eq!((cast.at, cast.hits.len()), (Vec2::new(8.0, 0.0), 1));
    assert_eq!((cast.hits[0].entity, cast.hits[0].normal), (wall, -Vec2::X));
    let slide = ask(&mut app, move |query| query.slide(runner, Vec2::ZERO, Vec2::new(20.0, -20.0), &all()).unwrap());
    assert_eq!(slide.at.y, -6.0);
    assert!(slide.hits.iter().any(|hit| hit.entity == floor && hit.normal == Vec2::Y));
    let free = ask(&mut app, move |query| query.overlaps(runner, Vec2::new(11.0, 0.0), &all()).unwrap());
    assert_eq!(free, [wall]);
}

#[test]
fn a_detector_finds_what_does_not_see_it_and_is_not_found() {
    let mut app = app();
    let found = boxes(&mut app, &[0.0, 10.0]);
    let (hero, zone) = (found[0], found[1]);
    app.world_mut().entity_mut(hero).insert(Layers::new(1, 2));
    app.world_mut().entity_mut(zone).insert(Layers::new(4, 1).detector(true));
    app.update();
    let here =
        |entity, x: f32| move |query: HitQuery<'_, '_>| query.overlaps(entity, Vec2::new(x, 0.0), &all()).unwrap();
    assert_eq!(ask(&mut app, here(zone, 0.0)), [hero]);
    assert_eq!(ask(&mut app, here(hero, 10.0)), []);
    let cast = ask(&mut app, move |query| query.cast(hero, Vec2::ZERO, 50.0 * Vec2::X, &all()).unwrap());
    assert_eq!((cast.at, cast.hits.len()), (Vec2::new(50.0, 0.0), 0));
}

#[test]
fn what_has_no_body_is_an_error_and_so_are_numbers_that_are_not_finite() {
    let mut app = app();
    let bare = app.world_mut().spawn(Transform::default()).id();
    let found: Result<_> = ask(&mut app, move |query| query.cast(bare, Vec2::ZERO, Vec2::X, &all()));
    assert!(matches!(found, Err(Error::Gone { .. })));
    let found: Result<_> = ask(&mut app, |query| query.at(Vec2::NAN, &all()));
    assert!(matches!(found, Err(Error::Value { .. })), "{found:?}");
}

#[test]
fn queries_see_a_despawned_entity_until_the_next_step_and_never_fail_on_it() {
    let mut app = app();
    let found = boxes(&mut app, &[0.0, 10.0]);
    let (gone, other) = (found[0], found[1]);
    app.world_mut().despawn(gone);
    let filter = move || all().except([gone]);
    let near = ask(&mut app, move |query| query.nearest(Vec2::ZERO, 50.0, 9, &filter()).unwrap());
    assert_eq!(near.last().unwrap().entity, other);
    app.update();
    let near = ask(&mut app, move |query| query.nearest(Vec2::ZERO, 50.0, 9, &filter()).unwrap());
    assert_eq!(near.iter().map(|near| near.entity).collect::<Vec<_>>(), [other]);
}

#[test]
fn a_query_in_the_walk_set_sees_this_step() {
    #[derive(Resource, Default)]
    struct Seen(Vec<usize>);
    let mut app = app();
    let look =
        |query: HitQuery<'_, '_>, mut seen: ResMut<'_, Seen>| seen.0.push(query.at(Vec2::ZERO, &all()).unwrap().len());
    app.init_resource::<Seen>()
        .add_systems(bevy_app::FixedUpdate, look)
        .add_systems(bevy_app::FixedPostUpdate, look.in_set(bevy_hitmask::HitmaskSystems::Walk));
    let found = boxes(&mut app, &[50.0]);
    move_to(&mut app, found[0], Vec2::ZERO);
    app.update();
    assert_eq!(app.world().resource::<Seen>().0, [0, 0, 0, 1]);
}

#[test]
fn a_system_may_cast_and_teleport() {
    let mut app = app();
    let found = boxes(&mut app, &[0.0, 10.0, 20.0]);
    let jump = |query: HitQuery<'_, '_>, mut bodies: Query<'_, '_, (Entity, &mut HitBody, &mut Transform)>| {
        for (entity, mut body, mut transform) in &mut bodies {
            if transform.translation.x == 0.0 {
                let cast = query.cast(entity, Vec2::new(15.0, 0.0), 50.0 * Vec2::X, &all()).unwrap();
                transform.translation = cast.at.extend(0.0);
                body.teleport();
            }
        }
    };
    app.world_mut().run_system_once(jump).unwrap();
    app.update();
    assert_eq!(app.world().get::<Transform>(found[0]).unwrap().translation.x, 18.0);
    assert!(!hits(&app), "it was not swept through the second box");
}
