//! The making of a mask from the alpha of an image's pixels.

use bevy_asset::{AssetId, Assets};
use bevy_color::Alpha as _;
use bevy_image::Image;
use hitmask::Mask;
use wgpu_types::{TextureDimension, TextureFormat};

use super::source::MaskKey;
use crate::problem::{Problem, name_of};

/// The storage of a pixel's alpha, its fourth channel.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Alpha {
    Byte,
    Short,
    /// A float of 16 or 32 bits.
    Float,
}

/// Makes the mask of a region of an image.
pub(super) fn mask(images: &Assets<Image>, key: &MaskKey) -> Result<Mask, Problem> {
    let Some(image) = images.get(key.image) else { return Err(Problem::NoPixels { image: name(images, key.image) }) };
    let alpha = alpha(image).map_err(|cause| cause.of(name(images, key.image), image))?;
    let (min, size) = (key.region.min, key.region.size());
    let is_solid = |x: u32, y: u32| is_solid(image, alpha, min.x + x, min.y + y, key.threshold);
    let Some(pattern) = &key.pattern else { return Ok(Mask::from_fn(size.x, size.y, is_solid)?) };
    let count = pattern.count();
    // Refuses sides that are too long before memory is allocated for them.
    Mask::new(count.x, count.y)?;
    let cells = pattern.cells(size);
    Ok(Mask::from_fn(count.x, count.y, |x, y| {
        let texel = cells.texel(x, y);
        is_solid(texel.x, texel.y)
    })?)
}

#[derive(Clone, Copy, Debug)]
enum Cause {
    Compressed,
    Format,
    NoPixels,
    NotFlat,
}

impl Cause {
    fn of(self, name: String, image: &Image) -> Problem {
        let format = format!("{:?}", image.texture_descriptor.format);
        match self {
            Self::Compressed => Problem::Compressed { image: name, format },
            Self::Format => Problem::Format { image: name, format },
            Self::NoPixels => Problem::NoPixels { image: name },
            Self::NotFlat => Problem::NotFlat { image: name },
        }
    }
}

fn alpha(image: &Image) -> Result<Alpha, Cause> {
    let (alpha, bytes) = match image.texture_descriptor.format {
        TextureFormat::Rgba8Unorm
        | TextureFormat::Rgba8UnormSrgb
        | TextureFormat::Bgra8Unorm
        | TextureFormat::Bgra8UnormSrgb => (Alpha::Byte, 4),
        TextureFormat::Rgba16Unorm => (Alpha::Short, 8),
        TextureFormat::Rgba16Float => (Alpha::Float, 8),
        TextureFormat::Rgba32Float => (Alpha::Float, 16),
        _ if image.is_compressed() => return Err(Cause::Compressed),
        _ => return Err(Cause::Format),
    };
    let size = image.texture_descriptor.size;
    if image.texture_descriptor.dimension != TextureDimension::D2 || size.depth_or_array_layers != 1 {
        return Err(Cause::NotFlat);
    }
    let data = image.data.as_ref().ok_or(Cause::NoPixels)?;
    let needed = u64::from(size.width) * u64::from(size.height) * bytes;
    if (data.len() as u64) < needed { Err(Cause::NotFlat) } else { Ok(alpha) }
}

fn is_solid(image: &Image, alpha: Alpha, x: u32, y: u32, threshold: u8) -> bool {
    let data = image.data.as_deref().unwrap_or_default();
    let pixel = (y as usize) * image.width() as usize + x as usize;
    match alpha {
        Alpha::Byte => data[4 * pixel + 3] >= threshold,
        // 65,535 is 257 times 255.
        Alpha::Short => u16::from_le_bytes([data[8 * pixel + 6], data[8 * pixel + 7]]) >= u16::from(threshold) * 257,
        Alpha::Float => image.get_color_at(x, y).is_ok_and(|color| color.alpha() * 255.0 >= f32::from(threshold)),
    }
}

fn name(images: &Assets<Image>, id: AssetId<Image>) -> String {
    let path = images.get(id).and_then(|image| image.texture_descriptor.label).map(String::from);
    name_of(id, path)
}
