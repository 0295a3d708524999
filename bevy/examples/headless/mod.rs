//! Apps without a window: one fixed step for each update, the world as text, and as a file for `hitmask render`.

use bevy_app::{App, TaskPoolPlugin};
use bevy_asset::{AssetApp, AssetPlugin, Assets, Handle, RenderAssetUsages};
use bevy_ecs::system::RunSystemOnce;
use bevy_hitmask::hitmask::{Bodies, Mask, Save, World};
use bevy_hitmask::{HitFilter, HitQuery, HitSpace, HitmaskPlugin};
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

/// Saves the world, with all bodies at rest where they are, to the file that the first argument names, if there is one.
pub(crate) fn save(app: &App) {
    let Some(file) = std::env::args_os().nth(1) else { return };
    let mut world = app.world().resource::<HitSpace>().world().clone();
    let rest = |world: &mut World| {
        let mut places = Vec::new();
        world.positions(Bodies::All, &mut places)?;
        world.set_moving(Bodies::All, &places, &vec![[0.0; 2]; places.len()])?;
        world.save(Save::Whole)
    };
    match rest(&mut world) {
        Ok(bytes) => {
            if let Err(error) = std::fs::write(&file, bytes) {
                println!("{}: {error}", file.display());
            }
        }
        Err(error) => println!("the world is not saved: {error}"),
    }
}
