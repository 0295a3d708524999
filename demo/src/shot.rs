//! Frames as images: drawn into a texture, read back, written as PNG or GIF.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;
use std::sync::mpsc;

use anyhow::Context;
use hitmask::wgpu;
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, RgbaImage};

use crate::host::Host;

/// The format of images.
pub(crate) const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// A kind of picture file.
pub(crate) enum Kind {
    /// The last frame.
    Png,
    /// All frames.
    Gif,
}

impl Kind {
    /// Chooses the kind by a file's extension.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "png" => Some(Self::Png),
            "gif" => Some(Self::Gif),
            _ => None,
        }
    }
}

/// A texture to draw on and read back.
pub(crate) struct Canvas {
    texture: wgpu::Texture,
    pub(crate) view: wgpu::TextureView,
    buffer: wgpu::Buffer,
    /// The number of bytes from one row to the next in the buffer.
    stride: u32,
}

impl Canvas {
    pub(crate) fn new(device: &wgpu::Device, [width, height]: [u32; 2]) -> Self {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("shot"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: FORMAT,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let stride = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("shot"),
            size: u64::from(stride) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Self { texture, view, buffer, stride }
    }

    /// Reads back what was drawn, and waits for it.
    pub(crate) fn read(&self, host: &Host) -> anyhow::Result<RgbaImage> {
        let receiver = self.request(host);
        host.device.poll(wgpu::PollType::wait_indefinitely()).context("the device does not respond")?;
        receiver.recv().context("the device does not respond")?
    }

    /// Reads back what was drawn. The image arrives when the device is polled.
    pub(crate) fn request(&self, host: &Host) -> mpsc::Receiver<anyhow::Result<RgbaImage>> {
        let size = self.texture.size();
        let mut encoder = host.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("shot") });
        let layout = wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(self.stride), rows_per_image: None };
        let buffer = wgpu::TexelCopyBufferInfo { buffer: &self.buffer, layout };
        encoder.copy_texture_to_buffer(self.texture.as_image_copy(), buffer, size);
        host.queue.submit([encoder.finish()]);
        let (sender, receiver) = mpsc::channel();
        let (buffer, stride) = (self.buffer.clone(), self.stride as usize);
        self.buffer.map_async(wgpu::MapMode::Read, .., move |result| {
            let image = result.context("the picture cannot be read back").and_then(|()| image(&buffer, stride, size));
            // Nobody receives it if the wait for it has failed.
            let _ = sender.send(image);
        });
        receiver
    }
}

/// Returns the image in a buffer that is mapped, and unmaps it.
fn image(buffer: &wgpu::Buffer, stride: usize, size: wgpu::Extent3d) -> anyhow::Result<RgbaImage> {
    let mut pixels = Vec::with_capacity(4 * size.width as usize * size.height as usize);
    {
        let mapped = buffer.get_mapped_range(..).context("the picture cannot be read back")?;
        for row in mapped.chunks_exact(stride) {
            pixels.extend_from_slice(&row[..4 * size.width as usize]);
        }
    }
    buffer.unmap();
    RgbaImage::from_raw(size.width, size.height, pixels).context("the picture is incomplete")
}

/// Writes a PNG.
pub(crate) fn write_png(image: &RgbaImage, path: &Path) -> anyhow::Result<()> {
    image
        .save_with_format(path, image::ImageFormat::Png)
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Writes frames as an animated GIF that loops for ever, with `millis` per frame.
pub(crate) fn write_gif(frames: Vec<RgbaImage>, millis: u32, path: &Path) -> anyhow::Result<()> {
    let context = || format!("{} cannot be written", path.display());
    let file = File::create(path).with_context(context)?;
    let mut encoder = GifEncoder::new_with_speed(BufWriter::new(file), 10);
    encoder.set_repeat(Repeat::Infinite).with_context(context)?;
    let delay = Delay::from_numer_denom_ms(millis, 1);
    encoder.encode_frames(frames.into_iter().map(|image| Frame::from_parts(image, 0, 0, delay))).with_context(context)
}
