//! A fighter from an Aseprite file: `cargo run --example fighter`.
//!
//! The sprite's own pixels are what can be touched, and the box that the artist has named `hurt` is what can be hurt.
//! It plays the tag `walk` for 60 steps without a window, and prints the last of them as text.

mod headless;

use std::time::Duration;

use bevy_app::prelude::*;
use bevy_asset::{AssetServer, Assets, Handle};
use bevy_ecs::prelude::*;
use bevy_hitmask::prelude::*;
use bevy_hitmask::{HitSheet, HitmaskSheetsPlugin};
use bevy_math::{Rect, Vec2};
use bevy_sprite::Sprite;
use bevy_transform::components::Transform;

#[derive(Resource)]
struct Hero {
    sheet: Handle<HitSheet>,
    played: Duration,
}

/// Shows the frame that the tag has after the time that has passed, with its mask and its box.
fn animate(
    mut hero: ResMut<'_, Hero>,
    sheets: Res<'_, Assets<HitSheet>>,
    mut sprites: Query<'_, '_, &mut Sprite>,
    mut boxes: Query<'_, '_, &mut Collider, With<ChildOf>>,
) {
    hero.played += Duration::from_millis(16);
    let Some(sheet) = sheets.get(&hero.sheet) else { return };
    let Some(frame) = sheet.sheet.tag("walk").and_then(|tag| sheet.sheet.frame_at(tag, hero.played)) else { return };
    for mut sprite in &mut sprites {
        if let Some(atlas) = &mut sprite.texture_atlas {
            atlas.index = frame;
        }
    }
    for mut collider in &mut boxes {
        if let Some(hurt) = sheet.collider(frame, "hurt") {
            *collider = hurt;
        }
    }
}

fn main() {
    let mut app = headless::app("../files/assets");
    app.add_plugins(HitmaskSheetsPlugin);
    let sheet: Handle<HitSheet> = app.world().resource::<AssetServer>().load("hero.aseprite");
    while !app.world().resource::<AssetServer>().is_loaded_with_dependencies(&sheet) {
        app.update();
    }
    let Some(loaded) = app.world().resource::<Assets<HitSheet>>().get(&sheet).cloned() else { return };
    let hero = app.world_mut().spawn((loaded.sprite(0), loaded.anchor(0), Hitmask::alpha(128), Layers::new(1, 4))).id();
    if let Some(hurt) = loaded.collider(0, "hurt") {
        app.world_mut().spawn((hurt, Layers::new(2, 4), ChildOf(hero)));
    }
    let fist = (Collider::circle(2.0), Layers::new(4, 2), Transform::from_xyz(-2.0, 2.0, 0.0));
    let fist = app.world_mut().spawn((fist, CollidingEntities::default())).id();
    app.insert_resource(Hero { sheet, played: Duration::ZERO }).add_systems(FixedUpdate, animate);
    for _ in 0..60 {
        app.update();
    }
    headless::print(&mut app, Rect::new(-12.0, -12.0, 12.0, 12.0), Vec2::new(0.5, 1.0));
    headless::save(&app);
    let hits = app.world().get::<CollidingEntities>(fist).map_or(0, CollidingEntities::len);
    println!("hurt boxes that the fist hits: {hits}");
    assert_eq!(hits, 1);
}
