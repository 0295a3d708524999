//! The ten lines of the README, word for word, in an app.

use bevy_app::App;
use bevy_asset::{Assets, Handle};
use bevy_hitmask::{Collider, HitSpace, Layers};
use bevy_image::{Image, TextureAtlas, TextureAtlasLayout};
use bevy_math::UVec2;

use crate::common::{add_image, app_with, at};

/// The parts of `bevy` that they use.
mod bevy {
    pub(crate) mod prelude {
        pub(crate) use bevy_app::prelude::*;
        pub(crate) use bevy_asset::prelude::*;
        pub(crate) use bevy_ecs::prelude::*;
        pub(crate) use bevy_image::{Image, TextureAtlas};
        pub(crate) use bevy_sprite::prelude::*;
    }
}

#[rustfmt::skip]
#[expect(elided_lifetimes_in_paths, reason = "games leave them out")]
mod lines {
    use super::bevy;
use bevy::prelude::*;
use bevy_hitmask::prelude::*;

const SHIP: u32 = 1 << 0;
const BULLET: u32 = 1 << 1;

fn plugin(app: &mut App) {
    app.add_plugins(HitmaskPlugin::default());
}

fn spawn_ship(commands: &mut Commands, image: Handle<Image>, atlas: TextureAtlas) {
    commands
        .spawn((Sprite::from_atlas_image(image, atlas), Hitmask::alpha(128), Layers::new(SHIP, BULLET)))
        .observe(|hit: On<HitStart>, mut commands: Commands| commands.entity(hit.other).try_despawn());
}

    pub(super) const LAYERS: [u32; 2] = [SHIP, BULLET];

    pub(super) fn add(app: &mut App) {
        plugin(app);
    }

    pub(super) fn spawn(commands: &mut Commands, image: Handle<Image>, atlas: TextureAtlas) {
        spawn_ship(commands, image, atlas);
    }
}

#[test]
fn the_readme_has_these_lines() {
    let code = include_str!("../../README.md").split("```rust,ignore\n").nth(1).unwrap();
    let code = code.split("```").next().unwrap();
    assert!(code.lines().count() >= 10 && include_str!("ten_lines.rs").contains(code));
}

#[test]
fn a_ship_despawns_the_bullets_that_hit_a_solid_pixel() {
    let mut app = app_with(lines::add);
    let image: Handle<Image> = add_image(&mut app, &["#."]);
    let layout = TextureAtlasLayout::from_grid(UVec2::new(2, 1), 1, 1, None, None);
    let layout = app.world_mut().resource_mut::<Assets<TextureAtlasLayout>>().add(layout);
    let [ship, bullet] = lines::LAYERS;
    let shot =
        |app: &mut App, x| app.world_mut().spawn((Collider::circle(0.25), Layers::new(bullet, ship), at(x, 0.0))).id();
    let (hit, miss) = (shot(&mut app, -0.5), shot(&mut app, 0.5));
    lines::spawn(&mut app.world_mut().commands(), image, TextureAtlas::from(layout));
    app.world_mut().flush();
    app.update();
    assert_eq!(app.world().resource::<HitSpace>().pairs().count(), 1);
    assert!(app.world().get_entity(hit).is_err() && app.world().get_entity(miss).is_ok());
}
