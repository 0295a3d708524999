//! Apps without a window: one fixed step for each update, and the world as text.

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetApp, AssetPlugin, Assets, Handle, RenderAssetUsages};
use bevy_ecs::system::RunSystemOnce;
use bevy_hitmask::hitmask::Mask;
use bevy_hitmask::{HitFilter, HitQuery, HitmaskPlugin};
use bevy_image::{Image, TextureAtlasLayout};
use bevy_math::{Rect, Vec2};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

/// Makes an app. `folder` has its assets, relative to this crate.
pub(crate) fn app(folder: &str) -> App {
    let mut app = App::new();
    let assets = AssetPlugin { file_path: folder.into(), ..AssetPlugin::default() };
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, TransformPlugin, assets, HitmaskPlugin::default()))
        .init_asset::<Image>()
        .init_asset::<TextureAtlasLayout>()
        .insert_resource(TimeUpdateStrategy::FixedTimesteps(1));
    app
}

/// Adds an image that is opaque at `#`.
#[allow(dead_code, reason = "not each example draws its own sprites")]
pub(crate) fn image(app: &mut App, rows: &[&str]) -> Handle<Image> {
    let mask = Mask::from_rows(rows).expect("the rows are as long as each other");
    let size = Extent3d { width: mask.width(), height: mask.height(), depth_or_array_layers: 1 };
    let data = mask.to_image([255; 4], [0; 4]).into_raw();
    let format = TextureFormat::Rgba8UnormSrgb;
    let image = Image::new(size, TextureDimension::D2, data, format, RenderAssetUsages::default());
    app.world_mut().resource_mut::<Assets<Image>>().add(image)
}

/// Prints what is in a part of the world, with a character for each cell.
pub(crate) fn print(app: &mut App, part: Rect, cell: Vec2) {
    let draw = move |query: HitQuery<'_, '_>| {
        let (columns, rows) = ((part.width() / cell.x) as usize, (part.height() / cell.y) as usize);
        for row in 0..rows {
            let mark = |column: usize| {
                let at = Vec2::new(part.min.x, part.max.y) + Vec2::new(column as f32 + 0.5, -0.5 - row as f32) * cell;
                match query.at(at, &HitFilter::default()).map_or(0, |found| found.len()) {
                    0 => ' ',
                    1 => '#',
                    _ => '@',
                }
            };
            println!("{}", (0..columns).map(mark).collect::<String>().trim_end());
        }
    };
    if let Err(error) = app.world_mut().run_system_once(draw) {
        println!("nothing is drawn: {error}");
    }
}
