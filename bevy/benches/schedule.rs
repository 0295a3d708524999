//! Times fixed steps of whole apps, with Bevy's `multi_threaded` as in most games:
//!
//! ```sh
//! cargo bench --locked --ignore-rust-version
//! ```
//!
//! With a part of a name at its end, such as `-- turning`, it times only the worlds with such names.
//!
//! Each line has the median time of an update, without the game's own systems, and the parts of it that are the
//! plugin's sets. `Propagate` is mostly Bevy's own; Bevy computes transforms once more in `PostUpdate`.

use std::time::{Duration, Instant};

use bevy_app::{App, FixedPostUpdate, FixedUpdate, TaskPoolPlugin};
use bevy_asset::{AssetApp, AssetPlugin, Assets, Handle, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_hitmask::{HitBody, HitSnapshot, HitSpace, Hitmask, HitmaskPlugin, HitmaskSystems, Layers};
use bevy_image::{Image, TextureAtlas, TextureAtlasLayout};
use bevy_math::{Quat, UVec2, Vec2};
use bevy_sprite::Sprite;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

const STEPS: usize = 200;
const SHIP: u32 = 1;
const BULLET: u32 = 2;

/// The times at which the sets of the current update began, the last of them at the end.
#[derive(Resource, Default)]
struct Laps(Vec<Instant>);

fn lap(mut laps: ResMut<'_, Laps>) {
    laps.0.push(Instant::now());
}

#[derive(Component)]
struct Velocity(Vec2);

fn app() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, AssetPlugin::default()))
        .add_plugins(HitmaskPlugin::default())
        .init_asset::<Image>()
        .init_asset::<TextureAtlasLayout>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1))
        .init_resource::<Laps>()
        .add_systems(
            FixedPostUpdate,
            (
                lap.before(HitmaskSystems::Propagate),
                lap.after(HitmaskSystems::Propagate).before(HitmaskSystems::Sync),
                lap.after(HitmaskSystems::Sync).before(HitmaskSystems::Walk),
                lap.after(HitmaskSystems::Walk).before(HitmaskSystems::Step),
                lap.after(HitmaskSystems::Step).before(HitmaskSystems::Report),
                lap.after(HitmaskSystems::Report),
            ),
        );
    app
}

/// An image of a grid of discs, each of a slightly other size.
fn discs(app: &mut App, side: u32, columns: u32) -> (Handle<Image>, TextureAtlas) {
    let inside = |x: u32, y: u32| {
        let (u, v) = ((x % side) as f32 + 0.5 - side as f32 / 2.0, y as f32 + 0.5 - side as f32 / 2.0);
        u.hypot(v) < side as f32 / 2.0 - (x / side) as f32 * 0.25
    };
    let size = Extent3d { width: side * columns, height: side, depth_or_array_layers: 1 };
    let pixels = (0..side).flat_map(|y| (0..side * columns).map(move |x| (x, y)));
    let data = pixels.flat_map(|(x, y)| [255, 255, 255, if inside(x, y) { 255 } else { 0 }]).collect();
    let format = TextureFormat::Rgba8UnormSrgb;
    let image = Image::new(size, TextureDimension::D2, data, format, RenderAssetUsages::default());
    let layout = TextureAtlasLayout::from_grid(UVec2::splat(side), columns, 1, None, None);
    let image = app.world_mut().resource_mut::<Assets<Image>>().add(image);
    let layout = app.world_mut().resource_mut::<Assets<TextureAtlasLayout>>().add(layout);
    (image, layout.into())
}

/// Spreads `count` places evenly over a square of `side` units.
fn places(count: u32, side: f32) -> impl Iterator<Item = Vec2> {
    // The plastic number's sequence, which leaves no gaps and no clumps.
    let at = move |k: u32| Vec2::new((k as f32 * 0.754_877_7).fract(), (k as f32 * 0.569_840_3).fract());
    (0..count).map(move |k| (at(k) - 0.5) * side)
}

fn spawn(app: &mut App, sprite: &Sprite, at: Vec2, layers: Layers, velocity: Option<Vec2>) {
    let mut entity = app.world_mut().spawn((
        sprite.clone(),
        Hitmask::alpha(128),
        layers,
        Transform::from_translation(at.extend(0.0)),
    ));
    if let Some(velocity) = velocity {
        entity.insert(Velocity(velocity));
    }
}

fn turn(mut all: Query<'_, '_, &mut Transform, With<Velocity>>) {
    let turn = Quat::from_rotation_z(0.05);
    all.iter_mut().for_each(|mut transform| transform.rotation *= turn);
}

fn fly(mut all: Query<'_, '_, (&Velocity, &mut Transform, &mut HitBody)>) {
    for (velocity, mut transform, mut body) in &mut all {
        transform.translation += velocity.0.extend(0.0);
        if transform.translation.abs().max_element() > 1000.0 {
            transform.translation.x = (transform.translation.x + 1000.0).rem_euclid(2000.0) - 1000.0;
            transform.translation.y = (transform.translation.y + 1000.0).rem_euclid(2000.0) - 1000.0;
            body.teleport();
        }
    }
}

fn next_frame(mut sprites: Query<'_, '_, &mut Sprite>) {
    for mut sprite in &mut sprites {
        if let Some(atlas) = &mut sprite.texture_atlas {
            atlas.index = (atlas.index + 1) % 8;
        }
    }
}

/// Returns the median of each column, and of the sum of a row.
fn medians(rows: &[Vec<Duration>]) -> (Duration, Vec<Duration>) {
    let median = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    let columns = (0..rows[0].len()).map(|k| median(rows.iter().map(|row| row[k]).collect())).collect();
    (median(rows.iter().map(|row| row.iter().sum()).collect()), columns)
}

fn time(name: &str, app: &mut App, expected: impl Fn(usize) -> bool) {
    let mut rows = Vec::new();
    for step in 0..STEPS + 20 {
        app.world_mut().resource_mut::<Laps>().0.clear();
        app.update();
        let laps = &app.world().resource::<Laps>().0;
        let pairs = app.world().resource::<HitSpace>().pairs().count();
        if step >= 20 {
            assert!(expected(pairs), "{name}: {pairs} pairs");
            rows.push(laps.windows(2).map(|pair| pair[1] - pair[0]).collect());
        }
    }
    let (whole, parts) = medians(&rows);
    let [propagate, sync, walk, step, report] = [0, 1, 2, 3, 4].map(|k| parts[k].as_secs_f64() * 1e3);
    println!(
        "{name:44} {:7.3} ms: Propagate {propagate:.3}, Sync {sync:.3}, Walk {walk:.3}, Step {step:.3}, Report {report:.3}",
        whole.as_secs_f64() * 1e3
    );
}

/// Checks whether a world is to be timed.
fn is_chosen(name: &str) -> bool {
    // Cargo adds a flag.
    std::env::args().skip(1).find(|argument| !argument.starts_with('-')).is_none_or(|part| name.contains(&part))
}

fn bullets(turning: bool) {
    let name = if turning { "20,000 bullets, 200 ships, moving, turning" } else { "20,000 bullets, 200 ships, moving" };
    if !is_chosen(name) {
        return;
    }
    let mut app = storm();
    if turning {
        app.add_systems(FixedUpdate, turn);
    }
    time(name, &mut app, |pairs| pairs > 100);
}

/// Makes an app of bullets and ships that fly.
fn storm() -> App {
    let mut app = app();
    let (small, atlas) = discs(&mut app, 8, 1);
    let bullet = Sprite::from_atlas_image(small, atlas);
    let (large, atlas) = discs(&mut app, 32, 1);
    let ship = Sprite::from_atlas_image(large, atlas);
    for (at, k) in places(20_000, 2000.0).zip(0..) {
        let way = Vec2::from_angle(k as f32) * 3.0;
        spawn(&mut app, &bullet, at, Layers::new(BULLET, SHIP), Some(way));
    }
    for (at, k) in places(200, 1900.0).zip(0..) {
        spawn(&mut app, &ship, at, Layers::new(SHIP, BULLET), Some(Vec2::from_angle(k as f32)));
    }
    app.add_systems(FixedUpdate, fly);
    app
}

/// Times a snapshot of each step, and going back to the one before the last.
fn snapshots() {
    let name = "20,000 bullets, 200 ships, snapshots";
    if !is_chosen(name) {
        return;
    }
    let mut app = storm();
    let mut ring = [HitSnapshot::default(), HitSnapshot::default()];
    let mut rows = Vec::new();
    for step in 0..STEPS + 20 {
        app.update();
        let start = Instant::now();
        ring[step % 2].save(app.world_mut()).expect("there is enough memory");
        let saved = start.elapsed();
        if step >= 20 {
            let start = Instant::now();
            ring[(step + 1) % 2].restore(app.world_mut()).expect("there is enough memory");
            rows.push(vec![saved, start.elapsed()]);
        }
    }
    let (_, parts) = medians(&rows);
    let [save, restore] = [0, 1].map(|k| parts[k].as_secs_f64() * 1e3);
    println!("{name:44} save {save:.3} ms, restore {restore:.3} ms");
}

fn frames(changes: bool) {
    let name = if changes { "10,000 sprites, each shows its next frame" } else { "10,000 sprites, none changes" };
    if !is_chosen(name) {
        return;
    }
    let mut app = app();
    let (image, atlas) = discs(&mut app, 16, 8);
    for (at, k) in places(10_000, 2000.0).zip(0..) {
        let sprite = Sprite::from_atlas_image(image.clone(), atlas.clone().with_index(k % 8));
        spawn(&mut app, &sprite, at, Layers::new(BULLET, SHIP), None);
    }
    if changes {
        app.add_systems(FixedUpdate, next_frame);
    }
    time(name, &mut app, |pairs| pairs == 0);
}

fn idle() {
    let name = "50,000 sprites, none changes";
    if !is_chosen(name) {
        return;
    }
    let mut app = app();
    let (image, atlas) = discs(&mut app, 16, 1);
    let sprite = Sprite::from_atlas_image(image, atlas);
    for at in places(50_000, 6000.0) {
        spawn(&mut app, &sprite, at, Layers::default(), None);
    }
    time(name, &mut app, |pairs| pairs > 0);
}

fn main() {
    bullets(false);
    bullets(true);
    snapshots();
    frames(false);
    frames(true);
    idle();
}
