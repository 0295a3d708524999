//! A program with a window.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::Context;
use hitmask::scene::Scene;
use hitmask::{World, gpu, wgpu};
use hitmask_files::{FrameGrid, Import, Kind, Level, Retouch, Sheet};
use image::DynamicImage;
use winit::dpi::PhysicalSize;
use winit::window::{Window, WindowAttributes};

use crate::app::{self, App};
use crate::host::Host;
use crate::options::Options;
use crate::shot::{self, Canvas};
use crate::view::View;

/// True if a thread may wait for an answer of the GPU.
pub(crate) const WAITS: bool = true;
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

/// Opens the GPU engine, which compiles shaders when a step needs them.
pub(crate) fn gpu(
    host: &Host,
    options: &gpu::Options,
    _: impl FnMut(usize, usize),
) -> impl Future<Output = hitmask::Result<gpu::Engine>> {
    std::future::ready(gpu::Engine::on(host.device.clone(), host.queue.clone(), options))
}

/// Reports an error that no call returned.
pub(crate) fn complain(error: &str) {
    eprintln!("{error}");
}

/// Reports an error that ends the application, which returns it too.
pub(crate) fn failed(_: &anyhow::Error) {}

/// Reports a frame.
pub(crate) fn drawn(_: &View) {}

/// Opens a scene file. Returns the files of the sheets and levels that it names, too.
pub(crate) fn scene(path: &Path) -> anyhow::Result<(Scene, Vec<PathBuf>)> {
    Ok(hitmask_files::scene::open(path)?)
}

/// Returns the world of a scene file.
pub(crate) fn world(scene: &Scene, _: &Path) -> anyhow::Result<World> {
    Ok(scene.world()?)
}

/// Returns the content of a file.
pub(crate) fn content(path: &Path) -> anyhow::Result<Vec<u8>> {
    Ok(hitmask::internals::read_file(path)?)
}

/// Opens an artist's sheet; an image may have a grid of frames.
pub(crate) fn sheet(path: &Path, import: &Import, grid: Option<FrameGrid>) -> anyhow::Result<Sheet> {
    Ok(match (grid, Kind::of(&content(path)?)) {
        (Some(grid), _) => import.open_grid(path, grid.into())?,
        (None, Some(Kind::Image)) => import.open_image(path)?,
        _ => import.open(path)?,
    })
}

/// Opens a file with changes to a sheet, and that sheet.
pub(crate) fn retouch(path: &Path, import: &Import) -> anyhow::Result<(Sheet, Retouch)> {
    Ok(import.open_retouch(path)?)
}

/// Opens a level.
pub(crate) fn level(path: &Path, import: &Import) -> anyhow::Result<Level> {
    Ok(import.open_level(path)?)
}

/// Writes a whole file at once, if it still has the content that is known: `None` if there must be no file.
pub(crate) fn replace(path: &Path, known: Option<&[u8]>, bytes: &[u8]) -> anyhow::Result<()> {
    let context = || unwritten(path);
    // A link stays one: its target is replaced.
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let found = target.symlink_metadata().ok().map(|_| content(&target)).transpose()?;
    anyhow::ensure!(
        found.as_deref() == known,
        "{}: {}",
        path.display(),
        match (&found, known) {
            (Some(_), Some(_)) => "another program has changed it since it was opened; it stays as it is",
            (Some(_), None) => "there is another file of this name; it stays as it is",
            (None, _) => "it is no longer there; use `Save a copy`",
        }
    );
    let mut builder = tempfile::Builder::new();
    builder.prefix(".hitmask-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder).with_context(context)?;
    if found.is_some() {
        // A file that is not writable must not be replaced either.
        let old = File::options().write(true).open(&target).with_context(context)?;
        let permissions = old.metadata().with_context(context)?.permissions();
        file.as_file().set_permissions(permissions).with_context(context)?;
    }
    file.write_all(bytes).and_then(|()| file.as_file().sync_all()).with_context(context)?;
    let kept = if known.is_some() { file.persist(&target) } else { file.persist_noclobber(&target) };
    kept.map(drop).map_err(|error| error.error).with_context(context)
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
