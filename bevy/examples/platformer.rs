//! A platformer on a level that was drawn in Tiled: `cargo run --example platformer`.
//!
//! The hero runs over a hill, collects coins, and jumps over lava by way of a platform that moves. It runs 185 steps
//! without a window, and prints the last of them as text.

mod headless;

use bevy_app::prelude::*;
use bevy_asset::AssetServer;
use bevy_ecs::prelude::*;
use bevy_hitmask::hitmask_files::Filter;
use bevy_hitmask::hitmask_files::terrain::{Merge, Solids};
use bevy_hitmask::prelude::*;
use bevy_math::{Rect, Vec2};
use bevy_transform::components::Transform;

const GROUND: u32 = 1 << 0;
const THING: u32 = 1 << 1;
const HERO: u32 = 1 << 2;

#[derive(Component)]
struct Lift;

#[derive(Resource, Default)]
struct Game {
    step: u32,
    coins: i64,
    damage: i64,
}

fn move_lift(game: Res<'_, Game>, mut lifts: Query<'_, '_, &mut Transform, With<Lift>>) {
    for mut transform in &mut lifts {
        transform.translation.y = -116.0 + 10.0 * (game.step as f32 * 0.03).sin();
    }
}

fn play(mut game: ResMut<'_, Game>, mut heroes: Query<'_, '_, (&mut Character, &Transform)>) {
    game.step += 1;
    for (mut hero, transform) in &mut heroes {
        hero.run = 1.5;
        hero.fall += 0.25;
        let x = transform.translation.x;
        let is_at_edge = (148.0..160.0).contains(&x) || (182.0..192.0).contains(&x);
        if hero.ground.is_some() && (hero.wall.is_some() || is_at_edge) {
            hero.fall = -3.0;
        }
    }
}

/// Collects the coins that the hero hits, and counts the damage of lava.
fn touch(
    hit: On<'_, '_, HitStart>,
    tiles: HitTiles<'_, '_>,
    mut game: ResMut<'_, Game>,
    mut commands: Commands<'_, '_>,
) -> Result<(), BevyError> {
    for tile in tiles.hit(hit.entity, hit.other)? {
        let Some(info) = tiles.info(&tile) else { continue };
        game.coins += info.properties.int("worth").unwrap_or(0);
        game.damage += info.properties.int("damage").unwrap_or(0);
        if info.class == "coin" {
            commands.entity(hit.other).try_despawn();
        }
    }
    Ok(())
}

fn main() -> Result<(), BevyError> {
    let mut app = headless::app("../files/assets");
    app.add_plugins(HitmaskLevelsPlugin);
    let cave = app.world().resource::<AssetServer>().load::<HitLevel>("cave.tmx");
    while !app.world().resource::<AssetServer>().is_loaded(&cave) {
        app.update();
    }
    // The rock becomes polygons without inner edges; coins and lava become a body for each tile.
    let rock = Solids::default()
        .merge(Merge::Polygons)
        .rule(|subject| (subject.class == "rock").then(|| Filter { layers: GROUND, mask: HERO, ..Filter::default() }));
    let things = Solids::default().merge(Merge::None).rule(|subject| {
        let is_thing = subject.tile.is_some() && subject.class != "rock";
        is_thing.then(|| Filter { layers: THING, mask: HERO, ..Filter::default() })
    });
    app.world_mut().spawn(LevelCollider::new(cave.clone()).solids(rock));
    let things = app.world_mut().spawn(LevelCollider::new(cave).solids(things)).id();
    let lift = (Collider::rectangle(20.0, 4.0), Layers::new(GROUND, HERO), Transform::from_xyz(176.0, -116.0, 0.0));
    app.world_mut().spawn((lift, Lift));
    app.init_resource::<Game>();
    app.update();

    let start = app.world_mut().run_system_cached_with(start, things)?;
    let hero = app
        .world_mut()
        .spawn((
            Collider::rectangle(8.0, 12.0),
            Character::default().open(THING).step_height(3.0)?,
            Layers::new(HERO, GROUND | THING),
            Transform::from_translation(start.extend(0.0)),
        ))
        .observe(touch)
        .id();
    app.add_systems(FixedUpdate, (play, move_lift).chain());
    for _ in 0..185 {
        app.update();
    }
    headless::print(&mut app, Rect::new(0.0, -160.0, 320.0, 0.0), Vec2::new(4.0, 8.0));
    headless::save(&app);
    let place = app.world().get::<Transform>(hero).map_or(Vec2::ZERO, |transform| transform.translation.truncate());
    let Game { coins, damage, .. } = app.world().resource::<Game>();
    println!("the hero is at {place}; coins: {coins}; damage: {damage}");
    assert!(place.x > 250.0 && place.y > -120.0 && *coins == 10 && *damage == 0);
    Ok(())
}

/// Returns the place that the artist has named `start`, in the world.
fn start(level: In<Entity>, tiles: HitTiles<'_, '_>) -> Vec2 {
    let start = tiles.level(*level).and_then(|level| level.layer("places")).and_then(|places| places.object("start"));
    start.map_or(Vec2::ZERO, |start| Vec2::new(start.at[0] as f32, -start.at[1] as f32))
}
