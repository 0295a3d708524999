//! A platformer on a level drawn in pixels: `cargo run --example platformer`.
//!
//! The hero runs, climbs a slope, jumps onto a platform that moves, and collects a coin. It runs 400 steps without a
//! window, and prints the last of them as text.

mod headless;

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_hitmask::hitmask::Mask;
use bevy_hitmask::prelude::*;
use bevy_math::{Rect, Vec2};
use bevy_transform::components::Transform;

const SOLID: u32 = 1 << 0;
const HERO: u32 = 1 << 1;
const COIN: u32 = 1 << 2;

#[derive(Component)]
struct Lift;

#[derive(Resource, Default)]
struct Game {
    step: u32,
    coins: u32,
}

fn move_lift(game: Res<'_, Game>, mut lifts: Query<'_, '_, &mut Transform, With<Lift>>) {
    for mut transform in &mut lifts {
        transform.translation.y = 20.0 + 18.0 * (game.step as f32 * 0.03).sin();
    }
}

fn play(mut game: ResMut<'_, Game>, mut heroes: Query<'_, '_, (&mut Character, &Transform)>) {
    game.step += 1;
    for (mut hero, transform) in &mut heroes {
        hero.run = 0.8;
        hero.fall += 0.25;
        let edge = transform.translation.x > 95.0;
        if hero.ground.is_some() && (hero.wall.is_some() || edge) {
            hero.fall = -4.0;
        }
    }
}

fn main() -> Result<(), BevyError> {
    let mut app = headless::app("assets");
    // A floor with a slope of one in four, and a pit at its end.
    let level = Mask::from_fn(320, 80, |x, y| y >= 60 - x.saturating_sub(60).min(80) / 4 && x < 260)?;
    app.world_mut().spawn((
        Collider::mask(level, Vec2::new(160.0, 60.0)),
        Layers::new(SOLID, HERO),
        Transform::default(),
    ));
    app.world_mut().spawn((
        Collider::rectangle(40.0, 4.0),
        Layers::new(SOLID, HERO),
        Transform::from_xyz(128.0, 20.0, 0.0),
        Lift,
    ));
    app.world_mut()
        .spawn((Collider::circle(4.0), Layers::new(COIN, HERO), Transform::from_xyz(40.0, 30.0, 0.0)))
        .observe(|hit: On<'_, '_, HitStart>, mut game: ResMut<'_, Game>, mut commands: Commands<'_, '_>| {
            game.coins += 1;
            commands.entity(hit.entity).try_despawn();
        });
    let hero = app
        .world_mut()
        .spawn((
            Collider::rectangle(8.0, 14.0),
            Character::default().open(COIN).step_height(3.0)?,
            Layers::new(HERO, SOLID | COIN),
            Transform::from_xyz(-140.0, 20.0, 0.0),
        ))
        .id();
    app.init_resource::<Game>().add_systems(FixedUpdate, (play, move_lift).chain());
    for _ in 0..340 {
        app.update();
    }
    headless::print(&mut app, Rect::new(-160.0, -16.0, 160.0, 80.0), Vec2::new(4.0, 8.0));
    let place = app.world().get::<Transform>(hero).map_or(Vec2::ZERO, |transform| transform.translation.truncate());
    let coins = app.world().resource::<Game>().coins;
    println!("the hero is at {place}; coins: {coins}");
    assert!(place.x > 100.0 && place.y > 0.0 && coins == 1);
    Ok(())
}
