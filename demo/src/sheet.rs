//! The texels of all sprites of a world, one after another, for the GPU.

use hitmask::World;
use hitmask::wgpu;

use crate::shapes::Look;

/// The brightness of a solid texel without an image.
const PLAIN: u8 = 215;

/// The texture, and the position at which each shape's texels begin.
pub(crate) struct Sheet {
    pub(crate) texture: wgpu::Texture,
    /// `None` for a shape that is no sprite or does not fit.
    pub(crate) first: Vec<Option<u32>>,
    /// The number of sprites that do not fit, and so are not drawn.
    pub(crate) left_out: usize,
}

impl Sheet {
    pub(crate) fn new(device: &wgpu::Device, queue: &wgpu::Queue, world: &World, looks: &[Look]) -> Self {
        let side = device.limits().max_texture_dimension_2d;
        let (mut texels, mut first, mut left_out) = (Vec::new(), Vec::with_capacity(looks.len()), 0);
        for ((_, shape), look) in world.shapes().zip(looks) {
            let Some(mask) = shape.mask() else {
                first.push(None);
                continue;
            };
            let (width, height) = (mask.width(), mask.height());
            if texels.len() as u64 + u64::from(width) * u64::from(height) > u64::from(side) * u64::from(side) {
                left_out += 1;
                first.push(None);
                continue;
            }
            first.push(Some(texels.len() as u32));
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let light =
                    look.image.as_ref().and_then(|image| image.get_pixel_checked(x, y)).map_or(PLAIN, |pixel| {
                        let [r, g, b, _] = pixel.0.map(u32::from);
                        // Keep dark texels visible.
                        (90 + (2 * r + 5 * g + b) / 8 * 2 / 3).min(255) as u8
                    });
                texels.push(if mask.get(x, y) { light } else { 0 });
            }
        }
        let height = (texels.len() as u32).div_ceil(side).max(1);
        texels.resize(side as usize * height as usize, 0);
        let size = wgpu::Extent3d { width: side, height, depth_or_array_layers: 1 };
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("sheet"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R8Uint,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(side), rows_per_image: None };
        queue.write_texture(texture.as_image_copy(), &texels, layout, size);
        Self { texture, first, left_out }
    }
}
