//! A ship in a storm of bullets: `cargo run --example bullet_hell`.
//!
//! Bullets are sprites that turn as they fly, and the ship loses a life for each that meets one of its pixels. It runs
//! 600 steps without a window, and prints the last of them as text.

mod headless;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_hitmask::prelude::*;
use bevy_image::Image;
use bevy_math::{Quat, Rect, Vec2};
use bevy_sprite::Sprite;
use bevy_transform::components::Transform;

const SHIP: u32 = 1 << 0;
const BULLET: u32 = 1 << 1;

const SHIP_ROWS: [&str; 6] = ["...##...", "..####..", ".######.", "########", "##.##.##", "#......#"];
const BULLET_ROWS: [&str; 2] = ["####", ".###"];

#[derive(Component)]
struct Velocity(Vec2);

#[derive(Resource)]
struct Game {
    bullet: bevy_asset::Handle<Image>,
    step: u32,
    lives_lost: u32,
}

fn shoot(mut game: ResMut<'_, Game>, mut commands: Commands<'_, '_>) {
    game.step += 1;
    for k in 0..4 {
        let way = Vec2::from_angle((game.step * 4 + k) as f32 * 0.37);
        commands.spawn((
            Sprite::from_image(game.bullet.clone()),
            Hitmask::alpha(128),
            Layers::new(BULLET, SHIP),
            Velocity(way * 1.5),
            Transform::from_translation((way * 20.0 + 30.0 * Vec2::Y).extend(0.0)),
        ));
    }
}

fn fly(mut bullets: Query<'_, '_, (Entity, &Velocity, &mut Transform)>, mut commands: Commands<'_, '_>) {
    for (entity, velocity, mut transform) in &mut bullets {
        transform.translation += velocity.0.extend(0.0);
        transform.rotation *= Quat::from_rotation_z(0.1);
        if transform.translation.length() > 160.0 {
            commands.entity(entity).despawn();
        }
    }
}

fn main() {
    let mut app = headless::app("assets");
    let (ship, bullet) = (headless::image(&mut app, &SHIP_ROWS), headless::image(&mut app, &BULLET_ROWS));
    app.insert_resource(Game { bullet, step: 0, lives_lost: 0 }).add_systems(FixedUpdate, (shoot, fly).chain());
    app.world_mut().spawn((Sprite::from_image(ship), Hitmask::alpha(128), Layers::new(SHIP, BULLET))).observe(
        |hit: On<'_, '_, HitStart>, mut commands: Commands<'_, '_>, mut game: ResMut<'_, Game>| {
            game.lives_lost += 1;
            commands.entity(hit.other).try_despawn();
        },
    );
    for _ in 0..600 {
        app.update();
    }
    headless::print(&mut app, Rect::new(-80.0, -40.0, 80.0, 80.0), Vec2::new(2.0, 4.0));
    headless::save(&app);
    let game = app.world().resource::<Game>();
    println!("{} lives lost in {} steps", game.lives_lost, game.step);
    assert!(game.lives_lost > 10);
}
