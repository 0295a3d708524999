//! A frame: the scene and the panel over it, drawn into a texture.

use hitmask::wgpu;

use crate::camera::Camera;
use crate::controls::Controls;
use crate::draw::Draw;
use crate::game::Game;
use crate::host::Host;
use crate::picture::Picture;
use crate::sheet::Sheet;

/// The renderer of frames in one texture format.
pub(crate) struct Frames {
    draw: Draw,
    panel: egui_wgpu::Renderer,
}

/// A scene to draw.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    pub(crate) game: &'a Game,
    pub(crate) picture: &'a Picture,
    pub(crate) camera: &'a Camera,
}

/// A panel laid out by egui.
pub(crate) struct Overlay {
    pub(crate) textures: egui::TexturesDelta,
    pub(crate) shapes: Vec<egui::ClippedPrimitive>,
    /// Window pixels per egui point.
    pub(crate) scale: f32,
}

impl Frames {
    pub(crate) fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let options = egui_wgpu::RendererOptions { dithering: false, ..egui_wgpu::RendererOptions::default() };
        Self { draw: Draw::new(device, format), panel: egui_wgpu::Renderer::new(device, format, options) }
    }

    /// Returns what to draw of a game.
    pub(crate) fn picture(
        &mut self,
        host: &Host,
        game: &Game,
        camera: &Camera,
        size: [u32; 2],
        controls: &Controls,
    ) -> Picture {
        let make = || Sheet::new(&host.device, &host.queue, &game.world, &game.stage.looks);
        let sheet = self.draw.sheet(game.era, make);
        Picture::new(game, sheet, camera, size, controls)
    }

    /// Draws a scene, if there is one, and a panel or a document over it, and submits the commands.
    pub(crate) fn submit(
        &mut self,
        host: &Host,
        scene: Option<Shown<'_>>,
        mut overlay: Option<Overlay>,
        target: &wgpu::TextureView,
        size: [u32; 2],
        scale: f64,
    ) {
        let Host { device, queue, .. } = host;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("frame") });
        if let Some(Shown { game, picture, camera }) = scene {
            self.draw.take_flags(host, &mut encoder, &game.flags());
            self.draw.prepare(device, queue, picture, camera, size, scale);
        }
        let mut before = Vec::new();
        let screen = overlay
            .as_ref()
            .map(|overlay| egui_wgpu::ScreenDescriptor { size_in_pixels: size, pixels_per_point: overlay.scale });
        if let (Some(overlay), Some(screen)) = (&mut overlay, &screen) {
            for (id, deltas) in overlay.textures.set.drain() {
                for delta in deltas {
                    self.panel.update_texture(device, queue, id, &delta);
                }
            }
            before = self.panel.update_buffers(device, queue, &mut encoder, &overlay.shapes, screen);
        }
        {
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("frame"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..wgpu::RenderPassDescriptor::default()
            });
            let mut pass = pass.forget_lifetime();
            if scene.is_some() {
                self.draw.render(&mut pass);
            }
            if let (Some(overlay), Some(screen)) = (&overlay, &screen) {
                self.panel.render(&mut pass, &overlay.shapes, screen);
            }
        }
        queue.submit(before.into_iter().chain([encoder.finish()]));
        for id in overlay.iter_mut().flat_map(|overlay| overlay.textures.free.drain()) {
            self.panel.free_texture(&id);
        }
    }
}
