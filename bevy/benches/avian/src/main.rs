//! Times avian's sensors and hitmask's masks side by side: 20,000 bullets that fly and turn, and 200 ships.
//!
//! ```sh
//! cargo run --release --ignore-rust-version --manifest-path benches/avian/Cargo.toml
//! ```
//!
//! All apps take each step one after the other, so other load on the machine is the same for all. A time is that of a
//! whole `App::update`, with the systems that move the bodies.

use std::time::{Duration, Instant};

use avian2d::prelude as avian;
use bevy::asset::RenderAssetUsages;
use bevy::image::TextureAtlasLayout;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_hitmask::{Collider, HitBody, HitSpace, Hitmask, HitmaskPlugin, Layers};
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

const STEPS: usize = 200;
const SHIP: u32 = 1;
const BULLET: u32 = 2;
/// Units for each step, and radians.
const SPEED: f32 = 3.0;
const TURN: f32 = 0.05;
/// Fixed steps in a second, Bevy's default.
const RATE: f32 = 64.0;

#[derive(Component)]
struct Velocity(Vec2);

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, AssetPlugin::default()))
        .init_asset::<Image>()
        .init_asset::<TextureAtlasLayout>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// Spreads `count` places evenly over a square of `side` units.
fn places(count: u32, side: f32) -> impl Iterator<Item = Vec2> {
    // The plastic number's sequence, which leaves no gaps and no clumps.
    let at = move |k: u32| Vec2::new((k as f32 * 0.754_877_7).fract(), (k as f32 * 0.569_840_3).fract());
    (0..count).map(move |k| (at(k) - 0.5) * side)
}

/// Spawns all bodies. `spawn` gets an entity with its `Transform`, the side of its box, and its velocity.
fn spawn(app: &mut App, spawn: impl Fn(EntityWorldMut<'_>, f32, Vec2)) {
    for (at, k) in places(20_000, 2000.0).zip(0..) {
        let entity = app.world_mut().spawn(Transform::from_translation(at.extend(0.0)));
        spawn(entity, 8.0, Vec2::from_angle(k as f32) * SPEED);
    }
    for (at, k) in places(200, 1900.0).zip(0..) {
        let entity = app.world_mut().spawn(Transform::from_translation(at.extend(0.0)));
        spawn(entity, 32.0, Vec2::from_angle(k as f32));
    }
}

fn fly(mut all: Query<(&Velocity, &mut Transform)>) {
    let turn = Quat::from_rotation_z(TURN);
    for (velocity, mut transform) in &mut all {
        transform.translation += velocity.0.extend(0.0);
        transform.rotation *= turn;
    }
}

/// Keeps all within the square. The number of those that leave it in a step is small.
fn wrap(mut all: Query<(&mut Transform, Option<&mut HitBody>)>) {
    for (mut transform, body) in &mut all {
        if transform.translation.abs().max_element() > 1000.0 {
            transform.translation.x = (transform.translation.x + 1000.0).rem_euclid(2000.0) - 1000.0;
            transform.translation.y = (transform.translation.y + 1000.0).rem_euclid(2000.0) - 1000.0;
            if let Some(mut body) = body {
                body.teleport();
            }
        }
    }
}

fn hitmask_layers(side: f32) -> Layers {
    if side < 10.0 { Layers::new(BULLET, SHIP) } else { Layers::new(SHIP, BULLET) }
}

fn avian_layers(side: f32) -> avian::CollisionLayers {
    let [ship, bullet] = [SHIP, BULLET].map(avian::LayerMask);
    if side < 10.0 { avian::CollisionLayers::new(bullet, ship) } else { avian::CollisionLayers::new(ship, bullet) }
}

fn hitmask(app: &mut App) {
    app.add_plugins(HitmaskPlugin::default()).add_systems(FixedUpdate, (fly, wrap).chain());
}

fn masks() -> App {
    let mut app = app();
    hitmask(&mut app);
    let [small, large] = [8, 32].map(|side| disc(&mut app, side));
    spawn(&mut app, |mut entity, side, velocity| {
        let image = if side < 10.0 { small.clone() } else { large.clone() };
        entity.insert((Sprite::from_image(image), Hitmask::alpha(128), hitmask_layers(side), Velocity(velocity)));
    });
    app
}

fn boxes() -> App {
    let mut app = app();
    hitmask(&mut app);
    spawn(&mut app, |mut entity, side, velocity| {
        entity.insert((Collider::rectangle(side, side), hitmask_layers(side), Velocity(velocity)));
    });
    app
}

/// Bodies that move, and no collision at all.
fn neither() -> App {
    let mut app = app();
    app.add_systems(FixedUpdate, (fly, wrap).chain());
    spawn(&mut app, |mut entity, _, velocity| {
        entity.insert(Velocity(velocity));
    });
    app
}

/// Sensors on kinematic bodies that avian moves.
fn sensors() -> App {
    let mut app = app();
    app.add_plugins(avian::PhysicsPlugins::default()).add_systems(FixedUpdate, wrap);
    spawn(&mut app, |mut entity, side, velocity| {
        entity.insert((
            avian::Collider::rectangle(side, side),
            avian::Sensor,
            avian_layers(side),
            avian::RigidBody::Kinematic,
            avian::LinearVelocity(velocity * RATE),
            avian::AngularVelocity(TURN * RATE),
        ));
        if side > 10.0 {
            entity.insert(avian::CollisionEventsEnabled);
        }
    });
    app
}

/// An image of a disc.
fn disc(app: &mut App, side: u32) -> Handle<Image> {
    let half = side as f32 / 2.0;
    let inside = |x: u32, y: u32| (x as f32 + 0.5 - half).hypot(y as f32 + 0.5 - half) < half;
    let size = Extent3d { width: side, height: side, depth_or_array_layers: 1 };
    let pixels = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
    let data = pixels.flat_map(|(x, y)| [255, 255, 255, if inside(x, y) { 255 } else { 0 }]).collect();
    let format = TextureFormat::Rgba8UnormSrgb;
    let image = Image::new(size, TextureDimension::D2, data, format, RenderAssetUsages::default());
    app.world_mut().resource_mut::<Assets<Image>>().add(image)
}

/// Returns the number of pairs that hit.
fn pairs(app: &App) -> usize {
    let world = app.world();
    let hitmask = world.get_resource::<HitSpace>().map(|space| space.pairs().count());
    let avian = world.get_resource::<avian::ContactGraph>().map(|graph| graph.iter_active_touching().count());
    hitmask.or(avian).unwrap_or_default()
}

fn main() {
    let mut apps = [
        ("neither: bodies that only move", neither()),
        ("hitmask, masks of 8 and 32 pixels", masks()),
        ("hitmask, boxes of the same sizes", boxes()),
        ("avian, boxes as sensors", sensors()),
    ]
    .map(|(name, mut app)| {
        app.finish();
        app.cleanup();
        (name, app, Vec::new(), 0)
    });
    for step in 0..STEPS + 20 {
        for (_, app, times, found) in &mut apps {
            let start = Instant::now();
            app.update();
            let time = start.elapsed();
            if step >= 20 {
                times.push(time);
                *found += pairs(app);
            }
        }
    }
    for (name, _, mut times, found) in apps {
        times.sort_unstable();
        let median: Duration = times[times.len() / 2];
        let milliseconds = median.as_secs_f64() * 1e3;
        println!("{name:40} {milliseconds:8.3} ms a step, {:6} pairs in the mean", found / STEPS);
    }
}
