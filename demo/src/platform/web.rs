//! A page with a canvas, on one thread that must not wait. Its files are those that were dropped on it.
#![expect(clippy::unnecessary_wraps, reason = "the functions are those of a program, whose files may fail")]

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::Context;
use clap::Parser;
use hitmask::mask::DEFAULT_THRESHOLD;
use hitmask::scene::{Form, Image, Scene};
use hitmask::{Mask, World, gpu, wgpu};
use hitmask_files::{FrameGrid, Import, Kind, Level, Retouch, Sheet};
use image::{DynamicImage, ImageFormat};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::HtmlCanvasElement;
use winit::dpi::PhysicalSize;
use winit::event_loop::EventLoopProxy;
use winit::platform::web::{EventLoopExtWebSys, WindowAttributesExtWebSys};
use winit::window::{Window, WindowAttributes};

use crate::app::{self, App, Message};
use crate::controls::Source;
use crate::document::Document;
use crate::host::Host;
use crate::options::Options;
use crate::shot::Canvas;
use crate::view::View;

pub(crate) const WAITS: bool = false;
pub(crate) const IS_SLOW: bool = true;
pub(crate) const QUITS: bool = false;
pub(crate) const NO_COMPUTE: &str = "the GPU engine needs WebGPU, with its default limits";
pub(crate) const ABOUT_FILE: &str = "A scene file: drop it again to read it again.";
pub(crate) const KEYS: &[(&str, &str)] =
    &[("one finger", "move a body, or the view"), ("two fingers", "move and zoom the view")];
pub(crate) const NO_SURFACE: &str = "this browser has neither WebGPU nor WebGL 2, or they are switched off";
pub(crate) const NO_GPU: &str = NO_SURFACE;

/// The options that the address of a page may have.
const OPTIONS: [&str; 9] = ["scene", "bodies", "backend", "lit", "bounds", "candidates", "no-panel", "paused", "view"];
/// The time between two checks whether a picture has arrived, in milliseconds.
const CHECK: i32 = 20;
/// The number of these checks.
const CHECKS: u32 = 1500;

/// The last frame.
pub struct Shown<'a> {
    /// The title of the scene, the sheet or the level.
    pub scene: &'a str,
    /// The title, and the numbers of the step.
    pub text: &'a str,
    /// True if keys play the scene.
    pub is_played: bool,
    /// An error that the frame itself does not show.
    pub error: Option<&'a str>,
}

/// The page around the canvas.
pub trait Page {
    /// Describes the last frame.
    fn show(&self, shown: &Shown<'_>);
    /// Reports an error after which nothing more is drawn.
    fn fail(&self, error: &str);
    /// Reports an error to programmers.
    fn complain(&self, error: &str);
    /// Notes whether there are changes that are lost if the page is left.
    fn hold(&self, unsaved: bool);
    /// Gives a file to the user.
    fn save(&self, name: &str, bytes: &[u8]);
}

thread_local! {
    static PAGE: RefCell<Option<(HtmlCanvasElement, Box<dyn Page>)>> = const { RefCell::new(None) };
    /// The dropped files by their names, each with the number of files before it.
    static FILES: RefCell<HashMap<PathBuf, (Vec<u8>, u64)>> = RefCell::default();
}

/// Calls a function with the page.
fn page(call: impl FnOnce(&dyn Page)) {
    PAGE.with_borrow(|page| {
        if let Some((_, page)) = page {
            call(page.as_ref());
        }
    });
}

/// The demo on a page.
pub struct Demo(EventLoopProxy<Message>);

/// Starts the demo on a canvas. The arguments are those of the program, without those that are about files and windows.
pub fn start(canvas: HtmlCanvasElement, arguments: &[String], to: Box<dyn Page>) -> anyhow::Result<Demo> {
    for argument in arguments {
        let name = argument.trim_start_matches('-').split('=').next().unwrap_or_default();
        anyhow::ensure!(OPTIONS.contains(&name), "there is no option `{name}`; available: {}", OPTIONS.join(", "));
    }
    let arguments = std::iter::once("hitmask-demo").chain(arguments.iter().map(String::as_str));
    let options = Options::try_parse_from(arguments).map_err(|error| {
        let text = error.to_string();
        anyhow::anyhow!("{}", text.lines().next().unwrap_or_default().trim_start_matches("error: "))
    })?;
    PAGE.set(Some((canvas, to)));
    let events = app::events()?;
    let messages = events.create_proxy();
    events.spawn_app(App::new(options, messages.clone()));
    Ok(Demo(messages))
}

impl Demo {
    /// Opens files that were dropped on the page: a scene, a sheet or a level, and the files that it names.
    pub fn open(&self, files: Vec<(String, Vec<u8>)>) -> anyhow::Result<()> {
        let chosen = main_file(&files)?;
        FILES.with_borrow_mut(|kept| {
            for (name, bytes) in files {
                let number = kept.values().map(|(_, number)| number + 1).max().unwrap_or(0);
                kept.insert(name.into(), (bytes, number));
            }
        });
        // Nobody receives it after an error that ended the application, which the page shows.
        let _ = self.0.send_event(Message::Dropped(chosen));
        Ok(())
    }
}

/// Returns which of the files that were dropped at once is opened: the one that names the others.
fn main_file(files: &[(String, Vec<u8>)]) -> anyhow::Result<PathBuf> {
    let rank = |name: &str, content: &[u8]| match Kind::of(content) {
        Some(Kind::Image) => 0,
        // What a level or a file with changes may name.
        _ if [".tsx", ".tsj", ".tx", ".tj", ".ldtkl"].iter().any(|end| name.ends_with(end)) => 0,
        Some(Kind::Retouch | Kind::Level) | None => 2,
        Some(_) => 1,
    };
    let most = files.iter().map(|(name, content)| rank(name, content)).max().unwrap_or(0);
    let first: Vec<&String> =
        files.iter().filter(|(name, content)| rank(name, content) == most).map(|(name, _)| name).collect();
    match first[..] {
        [name] => Ok(name.into()),
        _ => anyhow::bail!(
            "{} files at once that do not name each other; drop one scene, sheet or level with the files that it names",
            first.len()
        ),
    }
}

/// Returns a file that was dropped, in whatever folder a scene expects it.
fn file(path: &Path) -> Option<Vec<u8>> {
    let name = path.file_name()?;
    FILES.with_borrow(|files| files.get(Path::new(name)).map(|(bytes, _)| bytes.clone()))
}

/// The canvas has the size that the page gives it.
pub(crate) fn window(_: [u32; 2]) -> WindowAttributes {
    let canvas = PAGE.with_borrow(|page| page.as_ref().map(|(canvas, _)| canvas.clone()));
    Window::default_attributes().with_canvas(canvas)
}

pub(crate) fn spawn(future: impl Future<Output = ()> + 'static) {
    spawn_local(future);
}

/// A canvas has a size once the browser has laid the page out.
pub(crate) async fn laid_out(window: &Window) {
    while window.inner_size() == PhysicalSize::default() {
        sleep(1).await;
    }
}

/// WebGL has an adapter for a given surface only.
pub(crate) async fn adapters(instance: &wgpu::Instance, surface: Option<&wgpu::Surface<'_>>) -> Vec<wgpu::Adapter> {
    let options = wgpu::RequestAdapterOptions { compatible_surface: surface, ..wgpu::RequestAdapterOptions::default() };
    instance.request_adapter(&options).await.into_iter().collect()
}

/// Opens the GPU engine and compiles its shaders one by one. Between two, the page goes on.
pub(crate) async fn gpu(
    host: &Host,
    options: &gpu::Options,
    progress: impl FnMut(usize, usize),
) -> hitmask::Result<gpu::Engine> {
    let engine = gpu::Engine::open_on(host.device.clone(), host.queue.clone(), options).await?;
    engine.compile_async(progress).await?;
    Ok(engine)
}

pub(crate) fn complain(error: &str) {
    page(|page| page.complain(error));
}

pub(crate) fn failed(error: &anyhow::Error) {
    page(|page| page.fail(&format!("{error:#}")));
}

pub(crate) fn drawn(view: &View) {
    page(|page| page.hold(view.document.as_ref().is_some_and(Document::is_unsaved)));
    if let Some(document) = &view.document {
        let scene = &document.title();
        return page(|page| page.show(&Shown { scene, text: scene, is_played: false, error: None }));
    }
    let game = &view.game;
    let (scene, is_played) = match &game.stage.source {
        Source::Kind(kind) => (kind.title().into(), kind.is_played()),
        Source::File(path) => (path.to_string_lossy(), false),
    };
    let error = view.panel.error.as_deref().filter(|_| !view.controls.panel);
    let drawn = match view.host.adapter.get_info().backend {
        wgpu::Backend::BrowserWebGpu => "WebGPU",
        _ => "WebGL 2",
    };
    let (step, bodies, pairs) = (game.step, game.world.len(), game.hits.pairs.len());
    let engine = game.choice.backend.title();
    let text =
        format!("{scene}: step {step}, {bodies} bodies, {pairs} pairs that hit, engine {engine}, drawn by {drawn}");
    page(|page| page.show(&Shown { scene: &scene, text: &text, is_played, error }));
}

/// Opens a scene file that was dropped. On a page it names no sheets and levels.
pub(crate) fn scene(path: &Path) -> anyhow::Result<(Scene, Vec<PathBuf>)> {
    let text = String::from_utf8(content(path)?);
    let text = text.with_context(|| format!("{} is no scene: it is not UTF-8 text", path.display()))?;
    let scene = Scene::parse_as(&text, path).map_err(|error| whole(&error))?;
    Ok((scene, Vec::new()))
}

/// Returns the world of a scene, with the sprites of files written out as rows.
pub(crate) fn world(scene: &Scene, path: &Path) -> anyhow::Result<World> {
    let mut scene = scene.clone();
    for (name, spec) in &mut scene.shapes {
        let Form::Sprite { image: Image::File(image), threshold, region } = &spec.form else { continue };
        let place = || format!("{}: shape `{name}`: {image}", path.display());
        let bytes = file(Path::new(image)).with_context(|| format!("{} is not here: drop both at once", place()))?;
        let mask = Mask::decode(&bytes, *threshold, *region);
        let mask = mask.map_err(|error| anyhow::anyhow!("{}: {error}", place()))?;
        let image = Image::Rows(mask.to_rows());
        spec.form = Form::Sprite { image, threshold: DEFAULT_THRESHOLD, region: None };
    }
    scene.world().map_err(|error| whole(&error))
}

/// Returns an error of the library without its sources, as its text has theirs already.
fn whole(error: &hitmask::Error) -> anyhow::Error {
    anyhow::anyhow!("{error}")
}

/// Returns the content of a file that was dropped.
pub(crate) fn content(path: &Path) -> anyhow::Result<Vec<u8>> {
    file(path).with_context(|| format!("{} was not dropped on this page", path.display()))
}

/// Opens an artist's sheet. The image of packed JSON was dropped with it.
pub(crate) fn sheet(path: &Path, import: &Import, grid: Option<FrameGrid>) -> anyhow::Result<Sheet> {
    let bytes = content(path)?;
    let read = || -> anyhow::Result<Sheet> {
        match (Kind::of(&bytes), grid) {
            (Some(Kind::Image), Some(grid)) => Ok(import.read_grid(&bytes, grid.into())?),
            (Some(Kind::Image), None) => Ok(import.read_image(&bytes)?),
            (Some(Kind::Packed), None) => {
                let packed: serde_json::Value =
                    serde_json::from_slice(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes))?;
                let name =
                    packed["meta"]["image"].as_str().context("`meta.image`, the name of the image, is missing")?;
                let image = file(Path::new(name)).with_context(|| format!("{name} is not here: drop both at once"))?;
                Ok(import.read_packed(&bytes, &image)?)
            }
            (Some(Kind::Aseprite), None) => Ok(import.read_aseprite(&bytes)?),
            (_, Some(_)) => anyhow::bail!("only an image has a grid"),
            _ => anyhow::bail!("it is no sheet"),
        }
    };
    read().with_context(|| path.display().to_string())
}

/// Opens a file with changes to a sheet, and that sheet, which was dropped too.
pub(crate) fn retouch(path: &Path, import: &Import) -> anyhow::Result<(Sheet, Retouch)> {
    let retouch = Retouch::parse(&content(path)?).with_context(|| path.display().to_string())?;
    let import = import.clone().threshold(retouch.threshold);
    let art = sheet(Path::new(&retouch.sheet), &import, retouch.grid)?;
    Ok((art, retouch))
}

/// Opens a level. The files that it names were dropped with it.
pub(crate) fn level(path: &Path, import: &Import) -> anyhow::Result<Level> {
    let missing = || std::io::Error::other("it was not dropped on this page: drop all files of the level at once");
    Ok(import.read_level(&path.to_string_lossy(), |path| file(path).ok_or_else(missing))?)
}

/// Gives a file to the user, who decides where it goes. The dropped files stay as they are.
pub(crate) fn replace(path: &Path, _: Option<&[u8]>, bytes: &[u8]) -> anyhow::Result<()> {
    write(path, bytes)
}

pub(crate) fn image(path: &Path) -> Option<DynamicImage> {
    image::load_from_memory(&file(path)?).ok()
}

/// Returns a time that differs for each drop of a file.
pub(crate) fn modified(path: &Path) -> Option<SystemTime> {
    let name = path.file_name()?;
    let number = FILES.with_borrow(|files| files.get(Path::new(name)).map(|(_, number)| *number))?;
    Some(SystemTime::UNIX_EPOCH + Duration::from_secs(number))
}

/// Gives the file to the user, in the folder of the browser's downloads.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    page(|page| page.save(&path.to_string_lossy(), bytes));
    Ok(())
}

/// The picture arrives later.
pub(crate) fn write_shot(canvas: &Canvas, host: &Host, path: &Path) -> anyhow::Result<()> {
    let (receiver, device, path) = (canvas.request(host), host.device.clone(), path.to_owned());
    spawn_local(async move {
        for _ in 0..CHECKS {
            let _ = device.poll(wgpu::PollType::Poll);
            if let Ok(image) = receiver.try_recv() {
                let mut png = Cursor::new(Vec::new());
                let written = image.and_then(|image| Ok(image.write_to(&mut png, ImageFormat::Png)?));
                match written.and_then(|()| write(&path, png.get_ref())) {
                    Ok(()) => return,
                    Err(error) => return complain(&format!("{error:#}")),
                }
            }
            sleep(CHECK).await;
        }
        complain("the device does not respond: there is no picture");
    });
    Ok(())
}

/// Waits for some milliseconds.
async fn sleep(millis: i32) {
    let promise = js_sys::Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, millis);
        }
    });
    let _ = JsFuture::from(promise).await;
}

/// A file that is given to the user at its end.
pub(crate) struct Output(Vec<u8>);

impl Output {
    pub(crate) fn create(_: &Path) -> anyhow::Result<Self> {
        Ok(Self(Vec::new()))
    }

    pub(crate) fn write(&mut self, _: &Path, bytes: &[u8]) -> anyhow::Result<()> {
        self.0.extend_from_slice(bytes);
        Ok(())
    }

    pub(crate) fn end(self, path: &Path) -> anyhow::Result<()> {
        write(path, &self.0)
    }
}
