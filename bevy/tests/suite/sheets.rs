//! Sheets of Aseprite as assets.

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetPlugin, AssetServer, Assets, Handle};
use bevy_color::Color;
use bevy_hitmask::{Collider, HitBody, HitSheet, HitSpace, Hitmask, HitmaskPlugin, HitmaskSheetsPlugin};
use bevy_image::{Image, ImagePlugin, TextureAtlasLayout, TextureAtlasPlugin};
use bevy_math::{UVec2, Vec2};
use bevy_sprite::Sprite;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;

use crate::common::{add_image, at, until};

fn loaded() -> (App, Handle<HitSheet>) {
    let mut app = App::new();
    let files = AssetPlugin { file_path: "../files/assets".into(), ..AssetPlugin::default() };
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, files))
        .add_plugins((HitmaskPlugin::default(), HitmaskSheetsPlugin))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let handle = app.world().resource::<AssetServer>().load("hero.aseprite");
    until(&mut app, "the sheet is loaded", |app| {
        app.world().resource::<AssetServer>().is_loaded_with_dependencies(&handle)
    });
    (app, handle)
}

#[test]
fn a_sprite_of_each_frame_has_the_mask_of_the_sheet() {
    let (mut app, handle) = loaded();
    let sheet = app.world().resource::<Assets<HitSheet>>().get(&handle).unwrap().clone();
    assert!(sheet.sheet.frames.len() > 4);
    for (k, frame) in sheet.sheet.frames.iter().enumerate() {
        let hero = app.world_mut().spawn((sheet.sprite(k), sheet.anchor(k), Hitmask::alpha(128), at(0.0, 0.0))).id();
        app.update();
        let space = app.world().resource::<HitSpace>();
        let body = space.world().body(app.world().get::<HitBody>(hero).unwrap().id().unwrap()).unwrap();
        let shape = space.world().shape(body.shape).unwrap();
        assert_eq!(shape.mask().unwrap().to_rows(), frame.mask.to_rows(), "frame {k}");
        let [x, y] = frame.pivot.unwrap_or([6.0, 8.0]);
        assert_eq!(shape.anchor(), [x, y].into());
        app.world_mut().despawn(hero);
    }
}

#[test]
fn a_named_box_is_a_collider_where_the_sprite_shows_it() {
    let (mut app, handle) = loaded();
    let sheet = app.world().resource::<Assets<HitSheet>>().get(&handle).unwrap().clone();
    let frame = &sheet.sheet.frames[0];
    let [x, y] = frame.pivot.unwrap_or([6.0, 8.0]);
    let [left, top, width, height] = frame.boxes("hurt").next().unwrap().bounds.map(f64::from);
    let entity = app.world_mut().spawn((sheet.collider(0, "hurt").unwrap(), at(0.0, 0.0))).id();
    app.update();
    let space = app.world().resource::<HitSpace>();
    let bounds = space.world().bounds(app.world().get::<HitBody>(entity).unwrap().id().unwrap()).unwrap();
    let expected = ([left - x, top - y], [left - x + width, top - y + height]);
    assert_eq!((bounds.min.units(), bounds.max.units()), expected);
    assert_eq!((sheet.collider(0, "no such box"), sheet.collider(99, "hurt")), (None, None::<Collider>));
}

#[test]
fn sprites_follow_a_sheet_that_is_loaded_again() {
    let (mut app, handle) = loaded();
    let sheet = app.world().resource::<Assets<HitSheet>>().get(&handle).unwrap().clone();
    app.world_mut().spawn((sheet.sprite(0), Hitmask::alpha(128)));
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().counts().masks_made, 1);
    app.world().resource::<AssetServer>().reload("hero.aseprite");
    until(&mut app, "the mask is made again", |app| app.world().resource::<HitSpace>().counts().masks_made == 2);
    assert_eq!(app.world().resource::<HitSpace>().counts().masks, 1);
}

#[test]
fn a_named_box_of_a_flipped_sprite_is_flipped_about_the_frame() {
    let (mut app, handle) = loaded();
    let sheet = app.world().resource::<Assets<HitSheet>>().get(&handle).unwrap().clone();
    let frame = &sheet.sheet.frames[0];
    let [x, y] = frame.pivot.unwrap_or([6.0, 8.0]);
    let (width, height) = frame.image.dimensions();
    let [left, top, w, h] = frame.boxes("hurt").next().unwrap().bounds.map(f64::from);
    let (left, top) = (f64::from(width) - left - w, f64::from(height) - top - h);
    let entity = app.world_mut().spawn(sheet.flipped_collider(0, "hurt", true, true).unwrap()).id();
    app.update();
    let space = app.world().resource::<HitSpace>();
    let bounds = space.world().bounds(space.body(entity).unwrap()).unwrap();
    assert_eq!((bounds.min.units(), bounds.max.units()), ([left - x, top - y], [left - x + w, top - y + h]));
    assert_eq!(sheet.flipped_collider(0, "hurt", false, false), sheet.collider(0, "hurt"));
}

#[test]
fn the_plugin_keeps_the_images_and_layouts_that_are_there() {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, AssetPlugin::default()))
        .add_plugins((ImagePlugin::default(), TextureAtlasPlugin, HitmaskPlugin::default()))
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    let image = add_image(&mut app, &["##"]);
    let layout = TextureAtlasLayout::from_grid(UVec2::ONE, 2, 1, None, None);
    let layout = app.world_mut().resource_mut::<Assets<TextureAtlasLayout>>().add(layout);
    app.add_plugins(HitmaskSheetsPlugin);
    assert!(app.world().resource::<Assets<Image>>().contains(&image));
    assert!(app.world().resource::<Assets<TextureAtlasLayout>>().contains(&layout));
    // A sprite of one colour shows the white image of Bevy's plugin.
    app.world_mut().spawn((Sprite::from_color(Color::WHITE, Vec2::splat(8.0)), Hitmask::default()));
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(app.world().resource::<HitSpace>().counts().bodies, 1);
}
