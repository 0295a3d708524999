//! Problems: each is reported once, by name, and never a panic.

use bevy_app::App;
use bevy_asset::{AssetServer, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_hitmask::{Character, Collider, HitSpace, Hitmask, HitmaskProblem, Layers, Problem};
use bevy_image::{Image, TextureAtlas, TextureAtlasLayout};
use bevy_math::{Rect, UVec2, Vec2, Vec3};
use bevy_sprite::Sprite;
use bevy_transform::components::Transform;
use wgpu_types::TextureFormat;

use crate::common::{add_image, app, at, hits, image, move_to, problems, until};

/// Runs some steps, and returns the only problem of an entity.
fn only_problem(app: &mut App, entity: Entity) -> Problem {
    let mut found = Vec::new();
    for _ in 0..3 {
        app.update();
        found.append(&mut problems(app));
        let mut sprite = app.world_mut().get_mut::<Sprite>(entity);
        if let Some(sprite) = &mut sprite {
            sprite.set_changed();
        }
    }
    let [HitmaskProblem { entity: named, problem }] = found.try_into().expect("one problem");
    assert_eq!(named, entity);
    problem
}

fn spawn(app: &mut App, sprite: Sprite) -> Entity {
    app.world_mut().spawn((sprite, Hitmask::default())).id()
}

fn add(app: &mut App, image: Image) -> Handle<Image> {
    app.world_mut().resource_mut::<Assets<Image>>().add(image)
}

#[test]
fn a_compressed_image_is_reported_once_for_all_entities_until_it_changes() {
    let mut app = app();
    let mut compressed = image(&["####"; 4]);
    compressed.texture_descriptor.format = TextureFormat::Bc7RgbaUnormSrgb;
    let handle = add(&mut app, compressed);
    let [first, _second] = [(); 2].map(|()| spawn(&mut app, Sprite::from_image(handle.clone())));
    let problem = only_problem(&mut app, first);
    assert!(matches!(&problem, Problem::Compressed { format, .. } if format == "Bc7RgbaUnormSrgb"), "{problem}");
    let third = spawn(&mut app, Sprite::from_image(handle.clone()));
    app.update();
    assert_eq!(problems(&mut app), []);
    app.world_mut().despawn(third);
    *app.world_mut().resource_mut::<Assets<Image>>().get_mut(&handle).unwrap() = image(&["####"; 4]);
    app.update();
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().counts().bodies, 2);
    assert_eq!(problems(&mut app), []);
}

#[test]
fn formats_without_alpha_and_images_without_pixels_are_reported() {
    let mut app = app();
    let mut grey = image(&["#"]);
    grey.texture_descriptor.format = TextureFormat::R8Unorm;
    let mut gone = image(&["#"]);
    gone.data = None;
    let mut deep = image(&["##"]);
    deep.texture_descriptor.size.width = 1;
    deep.texture_descriptor.size.depth_or_array_layers = 2;
    let [grey, gone, deep] = [grey, gone, deep].map(|image| add(&mut app, image));
    let entity = spawn(&mut app, Sprite::from_image(grey));
    assert!(matches!(only_problem(&mut app, entity), Problem::Format { .. }));
    let entity = spawn(&mut app, Sprite::from_image(gone));
    assert!(matches!(only_problem(&mut app, entity), Problem::NoPixels { .. }));
    let entity = spawn(&mut app, Sprite::from_image(deep));
    assert!(matches!(only_problem(&mut app, entity), Problem::NotFlat { .. }));
}

#[test]
fn regions_that_are_not_whole_pixels_of_the_image_are_named() {
    let mut app = app();
    let handle = add_image(&mut app, &["##"]);
    for rect in [[0.0, 0.0, 1.5, 1.0], [0.0, 0.0, 3.0, 1.0], [-1.0, 0.0, 1.0, 1.0], [1.0, 0.0, 1.0, 1.0]] {
        let rect = Rect { min: Vec2::new(rect[0], rect[1]), max: Vec2::new(rect[2], rect[3]) };
        let entity = spawn(&mut app, Sprite { rect: Some(rect), ..Sprite::from_image(handle.clone()) });
        assert!(matches!(only_problem(&mut app, entity), Problem::Region { .. }), "{rect:?}");
    }
}

#[test]
fn an_index_beyond_the_atlas_is_named() {
    let mut app = app();
    let image = add_image(&mut app, &["##"]);
    let layout = TextureAtlasLayout::from_grid(UVec2::ONE, 2, 1, None, None);
    let layout = app.world_mut().resource_mut::<Assets<TextureAtlasLayout>>().add(layout);
    let entity = spawn(&mut app, Sprite::from_atlas_image(image, TextureAtlas { layout, index: 2 }));
    assert_eq!(only_problem(&mut app, entity), Problem::AtlasIndex { index: 2, len: 2 });
}

#[test]
fn a_hitmask_needs_a_sprite_and_no_collider() {
    let mut app = app();
    let image = add_image(&mut app, &["##"]);
    let bare = app.world_mut().spawn((Hitmask::default(), Transform::default())).id();
    assert_eq!(only_problem(&mut app, bare), Problem::NoSprite);
    app.world_mut().entity_mut(bare).insert(Sprite::from_image(image.clone()));
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().counts().bodies, 1);
    let both = spawn(&mut app, Sprite::from_image(image));
    app.world_mut().entity_mut(both).insert(Collider::circle(1.0));
    assert_eq!(only_problem(&mut app, both), Problem::TwoShapes);
    app.world_mut().entity_mut(both).remove::<Collider>();
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().counts().bodies, 2);
    app.world_mut().entity_mut(both).remove::<Sprite>();
    assert_eq!(only_problem(&mut app, both), Problem::NoSprite);
}

#[test]
fn positions_outside_the_world_are_reported_once_and_the_body_returns_when_they_are_valid() {
    let mut app = app();
    app.world_mut().spawn((Collider::circle(1.0), at(0.0, 0.0)));
    let others: Vec<_> =
        (0..5).map(|k| app.world_mut().spawn((Collider::circle(1.0), at(9.0 * k as f32 + 20.0, 0.0))).id()).collect();
    let lost = app.world_mut().spawn((Collider::circle(1.0), at(0.5, 0.0))).id();
    app.update();
    assert!(hits(&app));
    for bad in [f32::NAN, 3.0e6, f32::INFINITY, -1.0e30] {
        let mut found = Vec::new();
        for _ in 0..3 {
            move_to(&mut app, lost, Vec2::new(bad, 0.0));
            for (k, &other) in others.iter().enumerate() {
                move_to(&mut app, other, Vec2::new(9.0 * k as f32 + 20.0, bad.signum().max(0.5)));
            }
            app.update();
            found.append(&mut problems(&mut app));
        }
        assert!(
            matches!(found.as_slice(), [HitmaskProblem { entity, problem: Problem::Refused(_) }] if *entity == lost)
        );
        assert_eq!((app.world().resource::<HitSpace>().counts().bodies, hits(&app)), (6, false), "{bad}");
        move_to(&mut app, lost, Vec2::ZERO);
        app.update();
        assert_eq!((app.world().resource::<HitSpace>().counts().bodies, hits(&app)), (7, true), "{bad}");
    }
}

#[test]
fn shapes_that_the_library_refuses_are_reported() {
    let mut app = app();
    for collider in [
        Collider::circle(-1.0),
        Collider::rectangle(0.0, 1.0),
        Collider::polygon(vec![Vec2::ZERO, Vec2::X]),
        Collider::polygon(vec![]),
        Collider::circle(f32::NAN),
        Collider::rounded_polygon(vec![Vec2::ZERO], 1.0e9),
    ] {
        let entity = app.world_mut().spawn((collider.clone(), Transform::default())).id();
        assert!(matches!(only_problem(&mut app, entity), Problem::Refused(_)), "{collider:?}");
    }
    let oval = Transform::from_scale(Vec3::new(1.0, 2.0, 1.0));
    let entity = app.world_mut().spawn((Collider::circle(1.0), oval)).id();
    assert!(matches!(only_problem(&mut app, entity), Problem::Refused(_)));
    // Shape and scale may change in the same step, in either order.
    app.world_mut().entity_mut(entity).insert(Collider::rectangle(2.0, 2.0));
    app.update();
    app.world_mut().entity_mut(entity).insert((Collider::circle(1.0), Transform::default()));
    app.update();
    app.world_mut().entity_mut(entity).insert((Collider::rectangle(2.0, 2.0), oval));
    app.update();
    assert_eq!((problems(&mut app), app.world().resource::<HitSpace>().counts().bodies), (vec![], 1));
}

#[test]
fn a_region_within_a_repaired_image_has_a_mask() {
    let mut app = app();
    let handle = add_image(&mut app, &["##"]);
    let rect = Some(Rect::new(0.0, 0.0, 3.0, 1.0));
    let entity = spawn(&mut app, Sprite { rect, ..Sprite::from_image(handle.clone()) });
    assert!(matches!(only_problem(&mut app, entity), Problem::Region { .. }));
    app.update();
    *app.world_mut().resource_mut::<Assets<Image>>().get_mut(&handle).unwrap() = image(&["###"]);
    app.update();
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().counts().bodies, 1);
}

#[test]
fn a_character_and_layers_without_a_shape_are_reported() {
    let mut app = app();
    let man = app.world_mut().spawn(Character::default()).id();
    assert_eq!(only_problem(&mut app, man), Problem::NoShape { component: "Character" });
    app.world_mut().entity_mut(man).insert(Collider::circle(1.0));
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().counts().bodies, 1);
    let bare = app.world_mut().spawn(Layers::default()).id();
    assert_eq!(only_problem(&mut app, bare), Problem::NoShape { component: "Layers" });
    app.world_mut().spawn((Layers::default(), Collider::circle(1.0)));
    app.update();
    assert_eq!(problems(&mut app), []);
}

#[test]
fn an_image_that_fails_to_load_is_reported_and_heals() {
    let mut app = app();
    let handle: Handle<Image> = app.world().resource::<AssetServer>().load("no such image.png");
    let entity = spawn(&mut app, Sprite::from_image(handle.clone()));
    let mut found = Vec::new();
    until(&mut app, "a problem", |app| {
        found.append(&mut problems(app));
        !found.is_empty()
    });
    app.update();
    found.append(&mut problems(&mut app));
    let [HitmaskProblem { entity: named, problem }] = found.try_into().expect("one problem");
    assert_eq!(named, entity);
    assert!(matches!(&problem, Problem::NotLoaded { image, .. } if image == "`no such image.png`"), "{problem}");
    app.world_mut().resource_mut::<Assets<Image>>().insert(handle.id(), image(&["##"])).unwrap();
    app.update();
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().counts().bodies, 1);
}

#[test]
fn a_mask_without_solid_pixels_hits_nothing_and_is_no_problem() {
    let mut app = app();
    let handle = add_image(&mut app, &["..", ".."]);
    spawn(&mut app, Sprite::from_image(handle));
    app.world_mut().spawn((Collider::circle(9.0), at(0.0, 0.0)));
    app.update();
    assert_eq!((problems(&mut app), hits(&app)), (vec![], false));
    assert_eq!(app.world().resource::<HitSpace>().counts().bodies, 2);
}

#[test]
fn another_reason_to_refuse_a_shape_is_reported_too() {
    let mut app = app();
    let entity = app.world_mut().spawn(Collider::circle(-1.0)).id();
    let mut reasons = Vec::new();
    for collider in [Collider::circle(-1.0), Collider::circle(-1.0), Collider::polygon([Vec2::ZERO, Vec2::ONE])] {
        app.world_mut().entity_mut(entity).insert(collider);
        app.update();
        reasons.extend(problems(&mut app).into_iter().map(|problem| problem.problem.to_string()));
    }
    assert_eq!(reasons.len(), 2, "{reasons:?}");
    assert!(reasons[0].contains("circle") && !reasons[1].contains("circle"), "{reasons:?}");
    // A place outside of the world, which is another one in each step, is one problem.
    app.world_mut().entity_mut(entity).insert(Collider::circle(1.0));
    let mut count = 0;
    for step in 0..3 {
        move_to(&mut app, entity, Vec2::new(3e6 + step as f32, 0.0));
        app.update();
        count += problems(&mut app).len();
    }
    assert_eq!(count, 1);
}

#[test]
fn a_shape_that_is_refused_for_one_reason_with_other_numbers_is_reported_once() {
    let mut app = app();
    let crossed = |y: f32| Collider::polygon([Vec2::ZERO, Vec2::new(9.0, 9.0), Vec2::new(9.0, 0.0), Vec2::new(0.0, y)]);
    let shrinks: [&dyn Fn(f32) -> Collider; 2] = [&|step| Collider::circle(-1.0 - step), &|step| crossed(5.0 + step)];
    for (shrink, word) in shrinks.into_iter().zip(["circle", "cross"]) {
        let entity = app.world_mut().spawn_empty().id();
        let mut found = Vec::new();
        for step in 0..6 {
            app.world_mut().entity_mut(entity).insert(shrink(step as f32));
            app.update();
            found.extend(problems(&mut app).into_iter().map(|problem| problem.problem.to_string()));
        }
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(word), "{found:?}");
    }
}

#[test]
fn a_body_that_the_world_refuses_keeps_no_shape_and_has_its_own_once_it_is_back() {
    let mut app = app();
    let lost = app.world_mut().spawn((Collider::circle(2.0), at(3.0e6, 0.0))).id();
    app.update();
    assert_eq!(problems(&mut app).len(), 1);
    // Another shape may take its place in the meantime.
    let other = app.world_mut().spawn((Collider::circle(7.0), at(90.0, 0.0))).id();
    app.update();
    let counts = app.world().resource::<HitSpace>().counts();
    assert_eq!((counts.bodies, counts.shapes), (1, 1));
    move_to(&mut app, lost, Vec2::ZERO);
    app.update();
    let space = app.world().resource::<HitSpace>();
    let width = |entity| space.world().bounds(space.body(entity).unwrap()).unwrap().max.units()[1];
    assert_eq!((width(lost), width(other)), (2.0, 7.0));
    assert_eq!(problems(&mut app), []);
}
