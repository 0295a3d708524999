//! Draws a picture, by buffers, pipelines and one render pass.

use bytemuck::{Pod, Zeroable};
use hitmask::{gpu, wgpu};
use wgpu::VertexFormat::{Float32, Float32x2, Sint32, Sint32x2, Sint32x4, Uint32};

use crate::camera::Camera;
use crate::game::Flags;
use crate::host::Host;
use crate::lit::Run;
use crate::picture::{Fill, Picture, Sprite, Stroke};
use crate::sheet::Sheet;

/// Words of flags in a row of their texture: 256 bytes, the alignment of rows in copies between buffer and texture.
const FLAG_WORDS: u32 = 64;
/// The side of the background's squares in world pixels, unless they would be too small.
const SQUARE: i64 = 16;
/// The number of window pixels per world pixel from which the edges of world pixels are drawn.
const GRID_FROM: i64 = 8;

/// `View` in draw.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct View {
    base: [i32; 2],
    shift: [f32; 2],
    size: [f32; 2],
    zoom: f32,
    line: f32,
    square: i32,
    grid: f32,
    pad: [f32; 2],
}

/// A vertex buffer that grows.
struct Vertices {
    label: &'static str,
    buffer: Option<wgpu::Buffer>,
    count: u32,
}

impl Vertices {
    fn new(label: &'static str) -> Self {
        Self { label, buffer: None, count: 0 }
    }

    fn write<T: Pod>(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, items: &[T]) {
        // Items beyond the capacity of a buffer are not drawn.
        let most = device.limits().max_buffer_size as usize / size_of::<T>();
        let bytes: &[u8] = bytemuck::cast_slice(&items[..items.len().min(most)]);
        self.count = items.len().min(most) as u32;
        if self.buffer.as_ref().is_none_or(|buffer| buffer.size() < bytes.len() as u64) {
            let size = (bytes.len() as u64).next_power_of_two().clamp(4096, device.limits().max_buffer_size);
            self.buffer = Some(device.create_buffer(&wgpu::BufferDescriptor {
                label: Some(self.label),
                size,
                usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }));
        }
        if let Some(buffer) = &self.buffer {
            queue.write_buffer(buffer, 0, bytes);
        }
    }
}

/// The pipelines, in the order of drawing, and the data that they read.
pub(crate) struct Draw {
    layout: wgpu::BindGroupLayout,
    ground: wgpu::RenderPipeline,
    sprite: wgpu::RenderPipeline,
    fill: wgpu::RenderPipeline,
    stroke: wgpu::RenderPipeline,
    lit: wgpu::RenderPipeline,
    view: wgpu::Buffer,
    flags: Option<wgpu::Texture>,
    sheet: Option<Sheet>,
    /// The number of the world to which the sheet belongs.
    era: u64,
    bindings: Option<wgpu::BindGroup>,
    sprites: Vertices,
    fills: Vertices,
    strokes: Vertices,
    lits: Vertices,
}

impl Draw {
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let module = device.create_shader_module(wgpu::include_wgsl!("draw.wgsl"));
        let texture = |binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Texture {
                sample_type: wgpu::TextureSampleType::Uint,
                view_dimension: wgpu::TextureViewDimension::D2,
                multisampled: false,
            },
            count: None,
        };
        let uniform = wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("draw"),
            entries: &[uniform, texture(1), texture(2)],
        });
        let pipelines = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("draw"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let instances = wgpu::VertexStepMode::Instance;
        let sprite = [Sint32x2, Sint32x2, Sint32x4, Sint32x2, Float32x2, Sint32x2, Uint32, Uint32, Float32];
        let pipeline = |name: &str, stride: usize, step_mode, formats: &[wgpu::VertexFormat], strip: bool| {
            let mut offset = 0;
            let attributes: Vec<wgpu::VertexAttribute> = (0..)
                .zip(formats)
                .map(|(shader_location, &format)| {
                    let attribute = wgpu::VertexAttribute { format, offset, shader_location };
                    offset += format.size();
                    attribute
                })
                .collect();
            let buffer = wgpu::VertexBufferLayout { array_stride: stride as u64, step_mode, attributes: &attributes };
            let buffers = [Some(buffer)];
            let topology =
                if strip { wgpu::PrimitiveTopology::TriangleStrip } else { wgpu::PrimitiveTopology::TriangleList };
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(name),
                layout: Some(&pipelines),
                vertex: wgpu::VertexState {
                    module: &module,
                    entry_point: Some(&format!("{name}_vertex")),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers: if stride == 0 { &[] } else { &buffers },
                },
                primitive: wgpu::PrimitiveState { topology, ..wgpu::PrimitiveState::default() },
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &module,
                    entry_point: Some(&format!("{name}_fragment")),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets: &[Some(wgpu::ColorTargetState {
                        format,
                        blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                        write_mask: wgpu::ColorWrites::ALL,
                    })],
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        Self {
            ground: pipeline("ground", 0, instances, &[], false),
            sprite: pipeline("sprite", size_of::<Sprite>(), instances, &sprite, true),
            fill: pipeline("fill", size_of::<Fill>(), wgpu::VertexStepMode::Vertex, &[Sint32x2, Uint32], false),
            stroke: pipeline("stroke", size_of::<Stroke>(), instances, &[Sint32x4, Sint32, Uint32, Uint32], true),
            lit: pipeline("lit", size_of::<Run>(), instances, &[Sint32x2, Sint32], true),
            layout,
            view: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("view"),
                size: size_of::<View>() as u64,
                usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
                mapped_at_creation: false,
            }),
            flags: None,
            sheet: None,
            era: 0,
            bindings: None,
            sprites: Vertices::new("sprites"),
            fills: Vertices::new("fills"),
            strokes: Vertices::new("strokes"),
            lits: Vertices::new("lit"),
        }
    }

    /// Returns the sheet of a world's sprites, and makes it anew if `era` has changed.
    pub(crate) fn sheet(&mut self, era: u64, make: impl FnOnce() -> Sheet) -> &Sheet {
        if self.era != era {
            self.sheet = None;
            self.era = era;
        }
        self.sheet.get_or_insert_with(|| {
            self.bindings = None;
            make()
        })
    }

    /// Takes the flags of bodies that hit. If they are on the GPU, they are copied there.
    pub(crate) fn take_flags(&mut self, host: &Host, encoder: &mut wgpu::CommandEncoder, flags: &Flags<'_>) {
        match flags {
            Flags::Here(words) => self.write_flags(&host.device, &host.queue, words),
            Flags::OnGpu(results) => self.copy_flags(&host.device, encoder, results),
        }
    }

    fn copy_flags(&mut self, device: &wgpu::Device, encoder: &mut wgpu::CommandEncoder, results: &gpu::Results<'_>) {
        let words = results.bodies().div_ceil(32).max(1);
        let texture = self.flag_texture(device, words.div_ceil(FLAG_WORDS));
        let flags = results.flags();
        // Whole rows first, then the rest.
        let rows = words / FLAG_WORDS;
        for (row, width, height) in [(0, FLAG_WORDS, rows), (rows, words % FLAG_WORDS, 1)] {
            let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
            if width == 0 || height == 0 {
                continue;
            }
            let layout = wgpu::TexelCopyBufferLayout {
                offset: flags.offset + u64::from(4 * FLAG_WORDS * row),
                bytes_per_row: Some(4 * FLAG_WORDS),
                rows_per_image: None,
            };
            let origin = wgpu::Origin3d { x: 0, y: row, z: 0 };
            let target = wgpu::TexelCopyTextureInfo { origin, ..texture.as_image_copy() };
            encoder.copy_buffer_to_texture(wgpu::TexelCopyBufferInfo { buffer: flags.buffer, layout }, target, size);
        }
    }

    fn write_flags(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, flags: &[u32]) {
        let rows = (flags.len() as u32).div_ceil(FLAG_WORDS).max(1);
        let texture = self.flag_texture(device, rows);
        let mut words = flags.to_vec();
        words.resize((rows * FLAG_WORDS) as usize, 0);
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * FLAG_WORDS), rows_per_image: None };
        let size = wgpu::Extent3d { width: FLAG_WORDS, height: rows, depth_or_array_layers: 1 };
        queue.write_texture(texture.as_image_copy(), bytemuck::cast_slice(&words), layout, size);
    }

    /// Returns the texture of flags, with at least that many rows.
    fn flag_texture(&mut self, device: &wgpu::Device, rows: u32) -> &wgpu::Texture {
        if self.flags.as_ref().is_some_and(|texture| texture.height() < rows) {
            self.flags = None;
        }
        self.flags.get_or_insert_with(|| {
            self.bindings = None;
            let height = rows.next_power_of_two().min(device.limits().max_texture_dimension_2d);
            device.create_texture(&wgpu::TextureDescriptor {
                label: Some("flags"),
                size: wgpu::Extent3d { width: FLAG_WORDS, height, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: wgpu::TextureFormat::R32Uint,
                usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
                view_formats: &[],
            })
        })
    }

    /// Uploads a picture of the world whose sheet and flags were set before. `scale` is the number of window pixels for
    /// a line of width 1.
    pub(crate) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        picture: &Picture,
        camera: &Camera,
        size: [u32; 2],
        scale: f64,
    ) {
        let (base, shift) = camera.base();
        let zoom = camera.zoom;
        // Double squares that are too small to see.
        let mut square = SQUARE;
        while square * zoom.up < 12 * zoom.down {
            square *= 2;
        }
        let view = View {
            base,
            shift: shift.map(|v| v as f32),
            size: size.map(|v| v as f32),
            zoom: zoom.factor() as f32,
            line: 1.5 * scale as f32,
            square: square as i32,
            grid: if zoom.up >= GRID_FROM { 0.02 } else { 0.0 },
            pad: [0.0; 2],
        };
        queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view));
        self.sprites.write(device, queue, &picture.sprites);
        self.fills.write(device, queue, &picture.fills);
        self.strokes.write(device, queue, &picture.strokes);
        self.lits.write(device, queue, &picture.lit);
        if self.bindings.is_none()
            && let (Some(flags), Some(sheet)) = (&self.flags, &self.sheet)
        {
            let view = |texture: &wgpu::Texture| texture.create_view(&wgpu::TextureViewDescriptor::default());
            self.bindings = Some(device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some("draw"),
                layout: &self.layout,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: self.view.as_entire_binding() },
                    wgpu::BindGroupEntry { binding: 1, resource: wgpu::BindingResource::TextureView(&view(flags)) },
                    wgpu::BindGroupEntry {
                        binding: 2,
                        resource: wgpu::BindingResource::TextureView(&view(&sheet.texture)),
                    },
                ],
            }));
        }
    }

    /// Draws what [`Draw::prepare`] uploaded.
    pub(crate) fn render(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some(bindings) = &self.bindings else { return };
        pass.set_bind_group(0, bindings, &[]);
        pass.set_pipeline(&self.ground);
        pass.draw(0..3, 0..1);
        let mut draw = |pipeline: &wgpu::RenderPipeline, vertices: &Vertices, corners: Option<u32>| {
            if let Some(buffer) = vertices.buffer.as_ref().filter(|_| vertices.count > 0) {
                pass.set_pipeline(pipeline);
                pass.set_vertex_buffer(0, buffer.slice(..));
                match corners {
                    Some(corners) => pass.draw(0..corners, 0..vertices.count),
                    None => pass.draw(0..vertices.count, 0..1),
                }
            }
        };
        draw(&self.sprite, &self.sprites, Some(4));
        draw(&self.fill, &self.fills, None);
        draw(&self.stroke, &self.strokes, Some(4));
        draw(&self.lit, &self.lits, Some(4));
    }
}
