//! The part of an image that a sprite shows: the region of its image, its anchor in texels, and the size of a texel.

use bevy_asset::{AssetId, Assets};
use bevy_image::{Image, TextureAtlasLayout};
use bevy_math::{Rect, URect, UVec2, Vec2};
use bevy_sprite::{Anchor, Sprite, SpriteImageMode};

use super::pattern::{Pattern, Shown};
use crate::problem::Problem;

/// Anchors are snapped to the library's lattice, of 1/256 texel.
pub(crate) const ANCHOR_STEPS: f64 = hitmask::geometry::SUBPIXELS as f64;

/// The key of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MaskKey {
    pub(crate) image: AssetId<Image>,
    pub(crate) region: URect,
    /// At least 1.
    pub(crate) threshold: u8,
    /// `None` if the mask has the texels of the region as they are.
    pub(crate) pattern: Option<Pattern>,
}

/// The mask that a sprite shows, and its place and size in the entity's units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Drawn {
    pub(crate) mask: MaskKey,
    /// The texel at the entity's origin, from the top-left corner of the region, y down, in lattice steps.
    pub(crate) anchor: [i32; 2],
    /// The size of a texel in the entity's units, negative along an axis that is flipped.
    pub(crate) texel: Vec2,
}

/// The reason why a sprite shows no mask.
#[derive(Debug)]
pub(crate) enum Unready {
    /// An asset is still loading.
    Loading,
    /// Its shape must be made, and its turn has not come.
    New,
    Problem(Problem),
}

impl From<Problem> for Unready {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl Drawn {
    pub(crate) fn new(
        sprite: &Sprite,
        anchor: Anchor,
        threshold: u8,
        images: &Assets<Image>,
        layouts: Option<&Assets<TextureAtlasLayout>>,
    ) -> Result<Self, Unready> {
        let size = images.get(&sprite.image).ok_or(Unready::Loading)?.size();
        let region = whole_pixels(region(sprite, size, layouts)?, size)?;
        let shown = Shown::new(&sprite.image_mode, region.size().as_vec2(), sprite.custom_size)
            .map_err(|reason| Problem::ImageMode { mode: name(&sprite.image_mode), reason })?;
        let texel = shown.size / shown.cells;
        let flip = Vec2::new(if sprite.flip_x { -1.0 } else { 1.0 }, if sprite.flip_y { -1.0 } else { 1.0 });
        // Bevy flips a sprite about its own centre, and the library about the anchor: so the anchor is flipped too.
        let offset = (anchor.as_vec() * shown.cells - shown.offset / texel) * flip * Vec2::new(1.0, -1.0);
        let origin = 0.5 * shown.cells + offset;
        let threshold = threshold.max(1);
        Ok(Self {
            mask: MaskKey { image: sprite.image.id(), region, threshold, pattern: shown.pattern },
            anchor: origin.to_array().map(|v| (f64::from(v) * ANCHOR_STEPS).round() as i32),
            texel: texel * flip,
        })
    }
}

fn name(mode: &SpriteImageMode) -> &'static str {
    match mode {
        SpriteImageMode::Auto => "Auto",
        SpriteImageMode::Scale(_) => "Scale",
        SpriteImageMode::Sliced(_) => "Sliced",
        SpriteImageMode::Tiled { .. } => "Tiled",
    }
}

/// Returns the region of the image that a sprite shows, as Bevy's renderer takes it.
fn region(sprite: &Sprite, size: UVec2, layouts: Option<&Assets<TextureAtlasLayout>>) -> Result<Rect, Unready> {
    let of_atlas = match &sprite.texture_atlas {
        None => None,
        Some(atlas) => {
            let layout = layouts.and_then(|layouts| layouts.get(&atlas.layout)).ok_or(Unready::Loading)?;
            let problem = Problem::AtlasIndex { index: atlas.index, len: layout.textures.len() };
            Some(layout.textures.get(atlas.index).ok_or(problem)?.as_rect())
        }
    };
    Ok(match (of_atlas, sprite.rect) {
        (None, None) => Rect::from_corners(Vec2::ZERO, size.as_vec2()),
        (None, Some(rect)) => rect,
        (Some(atlas), None) => atlas,
        (Some(atlas), Some(rect)) => Rect { min: rect.min + atlas.min, max: rect.max + atlas.min },
    })
}

/// Returns a region in whole pixels, all of them within the image.
fn whole_pixels(region: Rect, size: UVec2) -> Result<URect, Problem> {
    let whole = URect { min: region.min.as_uvec2(), max: region.max.as_uvec2() };
    let is_within = whole.min.cmplt(whole.max).all() && whole.max.cmple(size).all();
    if is_within && whole.as_rect() == region {
        return Ok(whole);
    }
    Err(Problem::Region { region: format!("{} to {}", region.min, region.max), size: format!("{size}") })
}
