//! Aseprite's files as assets: one image with all frames, its atlas layout, and the tags and boxes of the sheet.

use bevy_app::{App, Plugin};
use bevy_asset::io::Reader;
use bevy_asset::{Asset, AssetApp, AssetLoader, Assets, Handle, LoadContext, RenderAssetUsages};
use bevy_image::{Image, TextureAtlas, TextureAtlasLayout};
use bevy_math::{URect, UVec2, Vec2};
use bevy_reflect::TypePath;
use bevy_sprite::{Anchor, Sprite};
use hitmask_files::{Frame, Import, NamedBox, Sheet};
use thiserror::Error;
use wgpu_types::{Extent3d, TextureDimension, TextureFormat};

use crate::components::collider::Collider;

/// Loads `.aseprite` and `.ase` files as [`HitSheet`]s. Add Bevy's `AssetPlugin` first, and its `ImagePlugin` and
/// `TextureAtlasPlugin` if the app has them, as with `DefaultPlugins`.
#[derive(Clone, Copy, Debug, Default)]
pub struct HitmaskSheetsPlugin;

impl Plugin for HitmaskSheetsPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<HitSheet>().register_asset_loader(SheetLoader);
        keep_or_init::<Image>(app);
        keep_or_init::<TextureAtlasLayout>(app);
    }
}

/// Has the app hold assets of a type. Those that are there stay, while `init_asset` alone would throw them away.
fn keep_or_init<A: Asset>(app: &mut App) {
    if !app.world().contains_resource::<Assets<A>>() {
        app.init_asset::<A>();
    }
}

/// A sheet of frames. Its sprites get their masks by [`Hitmask`](crate::Hitmask) as any others, and follow the file if
/// Bevy's asset server watches it.
#[derive(Asset, TypePath, Clone, Debug)]
#[non_exhaustive]
pub struct HitSheet {
    /// All frames, in a grid.
    #[dependency]
    pub image: Handle<Image>,
    /// The place of each frame, by its index.
    #[dependency]
    pub layout: Handle<TextureAtlasLayout>,
    /// The frames with their durations, pivots and boxes, and the tags.
    pub sheet: Sheet,
}

impl HitSheet {
    /// Makes a sprite of a frame.
    #[must_use]
    pub fn sprite(&self, frame: usize) -> Sprite {
        Sprite::from_atlas_image(self.image.clone(), TextureAtlas { layout: self.layout.clone(), index: frame })
    }

    /// Returns the anchor that puts a frame's pivot at the entity's origin; the centre if the frame has none.
    #[must_use]
    pub fn anchor(&self, frame: usize) -> Anchor {
        let Some(frame) = self.sheet.frames.get(frame) else { return Anchor::CENTER };
        let Some([x, y]) = frame.pivot else { return Anchor::CENTER };
        let (width, height) = frame.image.dimensions();
        Anchor(Vec2::new((x / f64::from(width) - 0.5) as f32, (0.5 - y / f64::from(height)) as f32))
    }

    /// Makes a collider of the first box of a name in a frame, such as a hurt box, placed as in a sprite with
    /// [`HitSheet::anchor`] that is not flipped. `None` if the frame has no such box, or an empty one.
    ///
    /// For a sprite with `flip_x` or `flip_y`, which Bevy flips about the centre of its frame, use
    /// [`HitSheet::flipped_collider`].
    #[must_use]
    pub fn collider(&self, frame: usize, name: &str) -> Option<Collider> {
        let frame = self.sheet.frames.get(frame)?;
        frame.boxes(name).next().and_then(|named| collider(frame, named, [false; 2]))
    }

    /// Makes a collider as [`HitSheet::collider`] does, placed as in a sprite with these `flip_x` and `flip_y`.
    #[must_use]
    pub fn flipped_collider(&self, frame: usize, name: &str, flip_x: bool, flip_y: bool) -> Option<Collider> {
        let frame = self.sheet.frames.get(frame)?;
        frame.boxes(name).next().and_then(|named| collider(frame, named, [flip_x, flip_y]))
    }
}

fn collider(frame: &Frame, named: &NamedBox, [flip_x, flip_y]: [bool; 2]) -> Option<Collider> {
    let size = <[u32; 2]>::from(frame.image.dimensions()).map(f64::from);
    let [x, y] = frame.pivot.unwrap_or(size.map(|size| size / 2.0));
    let [left, top, width, height] = named.bounds.map(f64::from);
    let left = if flip_x { size[0] - left - width } else { left };
    let top = if flip_y { size[1] - top - height } else { top };
    let corner = |u: f64, v: f64| Vec2::new((left + u - x) as f32, (y - top - v) as f32);
    let corners = [corner(0.0, 0.0), corner(width, 0.0), corner(width, height), corner(0.0, height)];
    (width > 0.0 && height > 0.0).then(|| Collider::polygon(corners))
}

/// The most pixels of an image: 1 GiB of them.
const LARGEST: u64 = 1 << 28;

#[derive(Debug, Error)]
enum SheetError {
    #[error("the file cannot be read: {0}")]
    Read(#[from] std::io::Error),
    #[error("its frames need an image of more than {LARGEST} pixels")]
    TooLarge,
    #[error("{0}")]
    Sheet(#[from] hitmask_files::Error),
}

#[derive(TypePath)]
struct SheetLoader;

impl AssetLoader for SheetLoader {
    type Asset = HitSheet;
    type Settings = ();
    type Error = SheetError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<HitSheet, SheetError> {
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await?;
        let sheet = Import::default().read_aseprite(&bytes)?;
        let (image, layout) = packed(&sheet)?;
        Ok(HitSheet {
            image: context.add_labeled_asset("image", image),
            layout: context.add_labeled_asset("layout", layout),
            sheet,
        })
    }

    fn extensions(&self) -> &[&str] {
        &["aseprite", "ase"]
    }
}

/// Returns the columns and the size in pixels of a grid of cells.
fn grid(cell: UVec2, count: u32) -> Result<(u32, UVec2), SheetError> {
    let columns = (1..=count).find(|columns| columns * columns >= count).unwrap_or(count);
    let cells = [columns, count.div_ceil(columns)].map(u64::from);
    let (width, height) = (u64::from(cell.x) * cells[0], u64::from(cell.y) * cells[1]);
    if width.checked_mul(height).is_none_or(|pixels| pixels > LARGEST) {
        return Err(SheetError::TooLarge);
    }
    Ok((columns, UVec2::new(width as u32, height as u32)))
}

/// Draws all frames into one image, in a grid that is about as wide as high.
fn packed(sheet: &Sheet) -> Result<(Image, TextureAtlasLayout), SheetError> {
    let cell = UVec2::from_array(sheet.size).max(UVec2::ONE);
    let count = sheet.frames.len().max(1) as u32;
    let (columns, size) = grid(cell, count)?;
    let mut layout = TextureAtlasLayout::new_empty(size);
    let mut data = vec![0; 4 * size.element_product() as usize];
    for (frame, k) in sheet.frames.iter().zip(0..) {
        let min = cell * UVec2::new(k % columns, k / columns);
        let (width, height) = frame.image.dimensions();
        layout.add_texture(URect { min, max: min + UVec2::new(width, height) });
        for (row, y) in frame.image.as_raw().chunks_exact(4 * width.max(1) as usize).zip(min.y..) {
            let start = 4 * (y * size.x + min.x) as usize;
            data[start..start + row.len()].copy_from_slice(row);
        }
    }
    let extent = Extent3d { width: size.x, height: size.y, depth_or_array_layers: 1 };
    let usages = RenderAssetUsages::default();
    Ok((Image::new(extent, TextureDimension::D2, data, TextureFormat::Rgba8UnormSrgb, usages), layout))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_of_too_many_pixels_is_an_error() {
        assert!(matches!(grid(UVec2::splat(65_536), 1), Err(SheetError::TooLarge)));
        assert!(matches!(grid(UVec2::new(u32::MAX, 1), 4), Err(SheetError::TooLarge)));
        assert_eq!(grid(UVec2::new(3, 2), 5).unwrap(), (3, UVec2::new(9, 4)));
    }
}
