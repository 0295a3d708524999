//! A program with a window.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::SystemTime;

use anyhow::Context;
use hitmask::scene::Scene;
use hitmask::{World, wgpu};
use image::DynamicImage;
use winit::dpi::PhysicalSize;
use winit::window::{Window, WindowAttributes};

use crate::app::{self, App};
use crate::host::Host;
use crate::options::Options;
use crate::shot::{self, Canvas};
use crate::view::View;

/// True if the GPU engine can be used.
pub(crate) const COMPUTES: bool = true;
/// True if the CPU engine has one thread only.
pub(crate) const IS_SLOW: bool = false;
/// True if Escape ends the program.
pub(crate) const QUITS: bool = true;
/// Why the GPU engine cannot be used.
pub(crate) const NO_COMPUTE: &str = "this device can draw, but not compute";
/// The description of a scene file.
pub(crate) const ABOUT_FILE: &str = "A scene file: read again when it changes.";
/// The last keys and their functions.
pub(crate) const KEYS: &[(&str, &str)] = &[("Tab, Esc", "the panel; quit")];
/// The error if a window has no surface.
pub(crate) const NO_SURFACE: &str = "nothing can be drawn in the window";
/// The error if nothing can draw.
pub(crate) const NO_GPU: &str = "no GPU can draw here: install a driver (in software: `mesa-vulkan-drivers`)";

/// Shows the window until it is closed, and returns the exit status.
pub(crate) fn run(options: Options) -> anyhow::Result<u8> {
    let events = app::events()?;
    let mut app = App::new(options, events.create_proxy());
    events.run_app(&mut app).context("the window's event loop failed")?;
    app.end()
}

/// Returns the attributes of a window.
pub(crate) fn window([width, height]: [u32; 2]) -> WindowAttributes {
    Window::default_attributes()
        .with_title("hitmask")
        .with_inner_size(PhysicalSize::new(width, height))
        .with_visible(false)
}

/// Completes a future.
pub(crate) fn spawn(future: impl Future<Output = ()> + 'static) {
    pollster::block_on(future);
}

/// Waits until a window has a size.
pub(crate) fn laid_out(_: &Window) -> impl Future<Output = ()> {
    std::future::ready(())
}

/// Returns the adapters.
pub(crate) async fn adapters(instance: &wgpu::Instance, _: Option<&wgpu::Surface<'_>>) -> Vec<wgpu::Adapter> {
    instance.enumerate_adapters(wgpu::Backends::all()).await
}

/// Reports an error that no call returned.
pub(crate) fn complain(error: &str) {
    eprintln!("{error}");
}

/// Reports an error that ends the application, which returns it too.
pub(crate) fn failed(_: &anyhow::Error) {}

/// Reports a frame.
pub(crate) fn drawn(_: &View) {}

/// Opens a scene file.
pub(crate) fn scene(path: &Path) -> anyhow::Result<Scene> {
    Ok(Scene::open(path)?)
}

/// Returns the world of a scene file.
pub(crate) fn world(scene: &Scene, _: &Path) -> anyhow::Result<World> {
    Ok(scene.world()?)
}

/// Returns an image, or `None` if it cannot be read.
pub(crate) fn image(path: &Path) -> Option<DynamicImage> {
    image::open(path).ok()
}

/// Returns when a file was modified; `None` if there is none.
pub(crate) fn modified(path: &Path) -> Option<SystemTime> {
    path.metadata().and_then(|file| file.modified()).ok()
}

/// Writes a whole file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| unwritten(path))
}

/// Writes a picture of what was drawn on a canvas.
pub(crate) fn write_shot(canvas: &Canvas, host: &Host, path: &Path) -> anyhow::Result<()> {
    shot::write_png(&canvas.read(host)?, path)
}

/// A file that is written piece by piece.
pub(crate) struct Output(BufWriter<File>);

impl Output {
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(Self(BufWriter::new(File::create(path).with_context(|| unwritten(path))?)))
    }

    pub(crate) fn write(&mut self, path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        self.0.write_all(bytes).with_context(|| unwritten(path))
    }

    pub(crate) fn end(mut self, path: &Path) -> anyhow::Result<()> {
        self.0.flush().with_context(|| unwritten(path))
    }
}

/// Returns the context of an error of a file.
fn unwritten(path: &Path) -> String {
    format!("{} cannot be written", path.display())
}
