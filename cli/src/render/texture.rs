//! The brightness of texels, for sprites that come from image files.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::rc::Rc;

use anyhow::bail;
use hitmask::mask::image_reader;
use hitmask::scene::{Form, Image, Scene};
use hitmask::{Mask, Shape, World};
use image::{DynamicImage, Limits};

/// The maximum number of texels in all textures of a picture, one byte each.
const MOST: u64 = 1 << 30;
/// The memory limit for decoding an image, in bytes; it equals the library's limit for making a mask of one.
const IMAGE: u64 = 1088 << 20;

/// The brightness of a sprite's texels.
#[derive(Debug)]
pub(super) struct Texture {
    width: u32,
    lumas: Vec<u8>,
}

impl Texture {
    /// Returns the brightness of a texel, 0 to 255.
    pub(super) fn luma(&self, [i, j]: [u32; 2]) -> Option<u8> {
        self.lumas.get(j as usize * self.width as usize + i as usize).copied()
    }

    /// Makes the texture of a part of an image.
    fn of(image: &DynamicImage, [x, y, width, height]: [u32; 4]) -> Self {
        let part = image.crop_imm(x, y, width, height).into_rgba8();
        Self { width, lumas: part.pixels().map(|pixel| luma(pixel.0)).collect() }
    }
}

/// The part of an image that is a sprite, `[x, y, width, height]`.
type Part = [u32; 4];

/// Returns for each shape, in order, its texture if it comes from an image. Decodes each file once, and never holds two
/// images in memory. Returns an error if the textures of all shapes have more than 2^30 texels.
pub(super) fn textures(scene: &Scene, world: &World, folder: &Path) -> anyhow::Result<Vec<Option<Rc<Texture>>>> {
    let mut parts: BTreeMap<&str, Vec<Part>> = BTreeMap::new();
    let wanted: Vec<Option<(&str, Part)>> =
        scene.shapes.iter().zip(world.shapes()).map(|((_, spec), (_, shape))| part(&spec.form, shape)).collect();
    for (file, part) in wanted.iter().flatten() {
        let parts = parts.entry(*file).or_default();
        if !parts.contains(part) {
            parts.push(*part);
        }
    }
    let texels: u64 =
        parts.values().flatten().map(|[_, _, width, height]| u64::from(*width) * u64::from(*height)).sum();
    if texels > MOST {
        bail!("the sprites that come from images have {texels} texels in all; a picture can show at most {MOST}");
    }
    let mut textures: HashMap<(&str, Part), Rc<Texture>> = HashMap::new();
    for (file, parts) in parts {
        let path = folder.join(file);
        let image = open(&path).map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
        textures.extend(parts.into_iter().map(|part| ((file, part), Rc::new(Texture::of(&image, part)))));
    }
    Ok(wanted.into_iter().map(|wanted| textures.get(&wanted?).cloned()).collect())
}

/// Returns the image file of a shape and the part of it, if the shape comes from one.
fn part<'a>(form: &'a Form, shape: &Shape) -> Option<(&'a str, Part)> {
    let Form::Sprite { image: Image::File(file), region, .. } = form else { return None };
    let size = shape.mask().map(|mask: &Mask| [0, 0, mask.width(), mask.height()])?;
    Some((file, region.unwrap_or(size)))
}

fn open(path: &Path) -> anyhow::Result<DynamicImage> {
    let mut limits = Limits::default();
    limits.max_alloc = Some(IMAGE);
    let mut reader = image_reader(BufReader::new(File::open(path)?)).map_err(anyhow::Error::msg)?;
    reader.limits(limits);
    Ok(reader.decode()?)
}

/// Returns the brightness of a colour, 0 to 255.
fn luma([r, g, b, _]: [u8; 4]) -> u8 {
    ((2 * u32::from(r) + 5 * u32::from(g) + u32::from(b)) / 8) as u8
}
