//! An app that runs one fixed step for each update, and images from rows of text.

use std::time::Duration;

use bevy_app::{App, Plugins, TaskPoolPlugin};
use bevy_asset::{AssetApp, AssetPlugin, Assets, Handle, RenderAssetUsages};
use bevy_ecs::prelude::*;
use bevy_hitmask::{Counts, HitEnd, HitSpace, HitStart, HitmaskPlugin, HitmaskProblem};
use bevy_image::{Image, TextureAtlasLayout};
use bevy_math::{Vec2, Vec3};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

/// Makes an app as `MinimalPlugins` would, with assets and transforms.
pub(crate) fn app() -> App {
    app_with(HitmaskPlugin::default())
}

pub(crate) fn app_with<M>(plugins: impl Plugins<M>) -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, AssetPlugin::default()))
        .add_plugins(plugins)
        .init_asset::<Image>()
        .init_asset::<TextureAtlasLayout>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app.finish();
    app.cleanup();
    // The first update has no time behind it.
    app.update();
    app
}

/// Updates until something holds.
pub(crate) fn until(app: &mut App, what: &str, mut holds: impl FnMut(&mut App) -> bool) {
    for _ in 0..2000 {
        app.update();
        if holds(app) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("never: {what}");
}

/// Makes an image whose pixels are opaque at `#`.
pub(crate) fn image(rows: &[&str]) -> Image {
    let alpha = |pixel: u8| if pixel == b'#' { 255 } else { 0 };
    let data = rows.iter().flat_map(|row| row.bytes()).flat_map(|pixel| [9, 9, 9, alpha(pixel)]).collect();
    rgba([rows[0].len(), rows.len()], data)
}

pub(crate) fn rgba([width, height]: [usize; 2], data: Vec<u8>) -> Image {
    let size = Extent3d { width: width as u32, height: height as u32, depth_or_array_layers: 1 };
    let usages = RenderAssetUsages::default();
    Image::new(size, TextureDimension::D2, data, TextureFormat::Rgba8UnormSrgb, usages)
}

pub(crate) fn add_image(app: &mut App, rows: &[&str]) -> Handle<Image> {
    app.world_mut().resource_mut::<Assets<Image>>().add(image(rows))
}

pub(crate) fn at(x: f32, y: f32) -> Transform {
    Transform::from_translation(Vec3::new(x, y, 0.0))
}

pub(crate) fn move_to(app: &mut App, entity: Entity, to: Vec2) {
    app.world_mut().get_mut::<Transform>(entity).unwrap().translation = to.extend(0.0);
}

/// Returns the pairs that hit now, each and all in ascending order.
pub(crate) fn pairs(app: &App) -> Vec<[Entity; 2]> {
    let mut pairs: Vec<_> = app.world().resource::<HitSpace>().pairs().map(ordered).collect();
    pairs.sort_unstable_by_key(|pair| pair.map(Entity::index_u32));
    pairs
}

pub(crate) fn hits(app: &App) -> bool {
    !pairs(app).is_empty()
}

pub(crate) fn counts(app: &App) -> Counts {
    app.world().resource::<HitSpace>().counts()
}

pub(crate) fn ordered(mut pair: [Entity; 2]) -> [Entity; 2] {
    pair.sort_unstable_by_key(|entity| entity.index_u32());
    pair
}

/// Takes the messages of the last updates.
pub(crate) fn take<M: Message>(app: &mut App) -> Vec<M> {
    app.world_mut().resource_mut::<Messages<M>>().drain().collect()
}

pub(crate) fn starts(app: &mut App) -> Vec<[Entity; 2]> {
    take::<HitStart>(app).into_iter().map(|start| ordered([start.entity, start.other])).collect()
}

pub(crate) fn ends(app: &mut App) -> Vec<[Entity; 2]> {
    take::<HitEnd>(app).into_iter().map(|end| ordered([end.entity, end.other])).collect()
}

pub(crate) fn problems(app: &mut App) -> Vec<HitmaskProblem> {
    take(app)
}
