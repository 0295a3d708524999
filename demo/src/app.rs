//! The window: its events, its surface, and when to step and draw.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Context;
use hitmask::cpu::Broad;
use hitmask::geometry::Vec2;
use hitmask::{Touch, wgpu};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, MouseButton, MouseScrollDelta, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

use crate::Options;
use crate::camera::Camera;
use crate::controls::{Backend, Controls, Source};
use crate::frame::Frames;
use crate::game::Game;
use crate::graph::Graph;
use crate::host::Host;
use crate::input::Input;
use crate::panel::{self, Click, Panel};
use crate::scenes::Kind;
use crate::shot::{self, Canvas, FORMAT};

/// The time between two steps.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// The time between two checks whether a scene file has changed.
const LOOK: Duration = Duration::from_millis(300);
/// The time to wait if the surface provides no frame.
const RETRY: Duration = Duration::from_millis(50);
/// The number of window pixels by which an arrow key moves the view.
const ARROW: f64 = 48.0;

/// Shows the window until it is closed, and returns the exit status.
pub(crate) fn run(options: &Options) -> anyhow::Result<u8> {
    let events = EventLoop::new().context("no window can be opened here (--headless needs none)")?;
    let mut app = App { options, view: None, failed: None, drawn: 0 };
    events.run_app(&mut app).context("the window's event loop failed")?;
    if let Some(view) = &mut app.view {
        view.game.end_record()?;
    }
    // Tests read this, for example to check that an idle window draws nothing.
    let steps = app.view.as_ref().map_or(0, |view| view.game.step);
    println!("{} frames drawn, {steps} steps", app.drawn);
    if let Some(error) = app.failed {
        return Err(error);
    }
    let faults = app.view.as_ref().is_some_and(|view| view.host.faults.any());
    Ok(u8::from(faults))
}

struct App<'a> {
    options: &'a Options,
    view: Option<View>,
    failed: Option<anyhow::Error>,
    drawn: u64,
}

/// The object that the pointer holds.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Grip {
    None,
    /// A body, with the offset from the pointer's point to the body's position.
    Body(Vec2),
    /// The view.
    View,
}

/// A window and its content.
struct View {
    window: Arc<Window>,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    host: Host,
    frames: Frames,
    egui: egui_winit::State,
    panel: Panel,
    graph: Graph,
    controls: Controls,
    game: Game,
    camera: Camera,
    pointer: [f64; 2],
    grip: Grip,
    /// The fraction of a zoom level that the wheel has turned.
    wheel: f64,
    /// The times of the next step, and of the next check of the scene file.
    next_step: Instant,
    next_look: Instant,
    /// The time at which the last frame was drawn.
    last: Option<Instant>,
}

impl View {
    fn open(events: &ActiveEventLoop, options: &Options) -> anyhow::Result<Self> {
        let [width, height] = options.size;
        let attributes = Window::default_attributes()
            .with_title("hitmask")
            .with_inner_size(PhysicalSize::new(width, height))
            .with_visible(false);
        let window = Arc::new(events.create_window(attributes).context("no window can be opened")?);
        let (host, instance, surface) = Host::in_window(events, &window)?;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&host.adapter, size.width.max(1), size.height.max(1))
            .context("the GPU cannot draw in the window")?;
        // Colours are already display values, not to be converted to sRGB.
        config.format = config.format.remove_srgb_suffix();
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let mut controls = options.controls(host.computes, host.software());
        let mut game = Game::new(&host, &mut controls)?;
        if let Some(path) = &options.record {
            game.record(path.clone())?;
        }
        let frames = Frames::new(&host.device, config.format);
        let side = host.device.limits().max_texture_dimension_2d as usize;
        let scale = window.scale_factor() as f32;
        let egui =
            egui_winit::State::new(panel::context(), egui::ViewportId::ROOT, &window, Some(scale), None, Some(side));
        let now = Instant::now();
        let mut view = Self {
            instance,
            surface,
            config,
            frames,
            egui,
            panel: Panel::default(),
            graph: Graph::default(),
            camera: Camera::around([0.0, 0.0, 1.0, 1.0], [1.0, 1.0], 1.0),
            controls,
            game,
            pointer: [0.0; 2],
            grip: Grip::None,
            wheel: 0.0,
            next_step: now,
            next_look: now,
            last: None,
            host,
            window,
        };
        view.home();
        if let Some(camera) = options.view {
            view.camera = camera;
        }
        if !view.is_hidden() {
            view.surface.configure(&view.host.device, &view.config);
        }
        view.window.set_visible(true);
        Ok(view)
    }

    fn size(&self) -> [u32; 2] {
        [self.config.width, self.config.height]
    }

    /// Returns whether there is nothing to draw on. On some systems this is how a window is minimised.
    fn is_hidden(&self) -> bool {
        let PhysicalSize { width, height } = self.window.inner_size();
        width == 0 || height == 0 || self.window.is_minimized() == Some(true)
    }

    fn resize(&mut self, size: PhysicalSize<u32>) {
        if size.width == 0 || size.height == 0 {
            return;
        }
        // Keep the middle of the view.
        let by = [(self.config.width, size.width), (self.config.height, size.height)];
        self.camera.pan(by.map(|(old, new)| ((f64::from(old) - f64::from(new)) / 2.0).trunc()));
        (self.config.width, self.config.height) = (size.width, size.height);
        self.surface.configure(&self.host.device, &self.config);
    }

    /// Shows the whole scene beside the panel.
    fn home(&mut self) {
        let [width, height] = self.size().map(f64::from);
        let panel = if self.controls.panel { f64::from(panel::WIDTH) * self.window.scale_factor() } else { 0.0 };
        let free = [(width - panel).max(1.0), height];
        self.camera = Camera::around(self.game.home(), free, self.game.least_zoom());
    }

    /// Puts into effect what keys and the panel have changed in the controls.
    fn apply(&mut self) {
        let before = (self.game.stage.source.clone(), self.controls.backend);
        match self.game.apply(&self.host, &mut self.controls) {
            Ok(true) => {
                self.panel.error = None;
                self.graph.clear();
                if before.0 != self.game.stage.source {
                    self.home();
                }
                self.grip = if self.game.held.is_some() { self.grip } else { Grip::None };
            }
            Ok(false) => {}
            Err(error) => self.panel.error = Some(format!("{error:#}")),
        }
    }

    fn step(&mut self) {
        self.panel.message = None;
        match self.game.advance(&self.controls) {
            Ok(()) => self.graph.push(&self.game),
            Err(error) => {
                self.controls.paused = true;
                self.panel.error = Some(format!("{error:#}"));
            }
        }
    }

    /// Reloads the scene file if it has changed. Returns whether there is anything new to draw.
    fn look(&mut self) -> bool {
        match self.game.reload(&mut self.controls) {
            Ok(false) => false,
            Ok(true) => {
                (self.panel.error, self.panel.message) = (None, Some("read again".into()));
                true
            }
            Err(error) => {
                self.panel.error = Some(format!("{error:#}"));
                true
            }
        }
    }

    /// Draws a frame. Returns false if there was no surface for it.
    fn draw(&mut self) -> anyhow::Result<bool> {
        let texture = match self.surface.get_current_texture() {
            wgpu::CurrentSurfaceTexture::Success(texture) => texture,
            wgpu::CurrentSurfaceTexture::Suboptimal(texture) => {
                drop(texture);
                self.surface.configure(&self.host.device, &self.config);
                return Ok(false);
            }
            wgpu::CurrentSurfaceTexture::Outdated => {
                self.surface.configure(&self.host.device, &self.config);
                return Ok(false);
            }
            wgpu::CurrentSurfaceTexture::Lost => {
                self.surface =
                    self.instance.create_surface(Arc::clone(&self.window)).context("the surface was lost")?;
                self.surface.configure(&self.host.device, &self.config);
                return Ok(false);
            }
            _ => return Ok(false),
        };
        let asked = self.ask();
        if let Err(error) = asked {
            self.controls.paused = true;
            self.panel.error = Some(format!("{error:#}"));
        }
        let size = self.size();
        let picture = self.frames.picture(&self.host, &self.game, &self.camera, size, &self.controls);
        let point = self.camera.point(self.pointer);
        self.panel.under = self.game.pick(point).map(|body| self.game.label(body));
        let overlay = self.controls.panel.then(|| {
            let input = self.egui.take_egui_input(&self.window);
            let context = self.egui.egui_ctx().clone();
            let Self { panel, controls, game, graph, host, .. } = self;
            let output = context.run_ui(input, |ui| panel.show(ui, controls, game, &picture, graph, host));
            self.egui.handle_platform_output(&self.window, output.platform_output.clone());
            panel::overlay(&context, output)
        });
        let target = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let scale = self.window.scale_factor();
        self.frames.submit(&self.host, &self.game, &picture, &self.camera, overlay, &target, size, scale);
        self.window.pre_present_notify();
        self.host.queue.present(texture);
        let now = Instant::now();
        if let Some(last) = self.last.replace(now) {
            let rate = 1.0 / (now - last).as_secs_f32().max(1e-4);
            self.panel.rate = Some(self.panel.rate.map_or(rate, |mean| mean + (rate - mean) * 0.1));
        }
        Ok(true)
    }

    /// Requests the answer to draw. Waits for it only if more than its flags is drawn, or if no further frame follows.
    fn ask(&mut self) -> anyhow::Result<()> {
        if self.controls.paused || self.controls.lit {
            self.game.settle(&self.controls)
        } else {
            self.game.send(&self.controls)?;
            self.game.take()
        }
    }

    /// Writes a picture of the window without the panel. Waits for answers in flight.
    fn shoot(&mut self, path: &Path) -> anyhow::Result<()> {
        self.game.settle(&self.controls)?;
        let mut frames = Frames::new(&self.host.device, FORMAT);
        let canvas = Canvas::new(&self.host.device, self.size());
        let picture = frames.picture(&self.host, &self.game, &self.camera, self.size(), &self.controls);
        let scale = self.window.scale_factor();
        frames.submit(&self.host, &self.game, &picture, &self.camera, None, &canvas.view, self.size(), scale);
        shot::write_png(&canvas.read(&self.host)?, path)
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        std::fs::write(path, self.game.to_json()?).with_context(|| format!("{} cannot be written", path.display()))
    }

    /// Calls `write` with the path of a new file, and shows a message about it.
    fn write(&mut self, kind: &str, end: &str, write: impl FnOnce(&mut Self, &Path) -> anyhow::Result<()>) {
        let path = unused(kind, end);
        match write(self, &path) {
            Ok(()) => (self.panel.error, self.panel.message) = (None, Some(format!("wrote {}", path.display()))),
            Err(error) => self.panel.error = Some(format!("{error:#}")),
        }
    }

    /// Starts or ends a recording, and shows a message about it.
    fn record(&mut self) {
        let done = if self.game.recording().is_some() {
            self.game.end_record().map(|path| path.map(|path| format!("wrote {}", path.display())))
        } else {
            let path = unused("replay", "jsonl");
            self.game.record(path.clone()).map(|()| Some(format!("recording {}", path.display())))
        };
        match done {
            Ok(message) => (self.panel.error, self.panel.message) = (None, message),
            Err(error) => self.panel.error = Some(format!("{error:#}")),
        }
    }

    fn click(&mut self, click: Click) {
        match click {
            Click::Step => self.step(),
            Click::Save => self.write("scene", "json", |view, path| view.save(path)),
            Click::Shot => self.write("picture", "png", Self::shoot),
            Click::Record => self.record(),
            Click::Home => self.home(),
            Click::Restart => match self.game.restart(&self.controls) {
                Ok(()) => self.grip = Grip::None,
                Err(error) => self.panel.error = Some(format!("{error:#}")),
            },
        }
    }

    /// Takes a key of the player, if the scene is played. Returns whether it is one.
    fn play(&mut self, key: &Key, down: bool) -> bool {
        let played = matches!(self.controls.source, Source::Kind(kind) if kind.is_played());
        let mut input = self.game.input.unwrap_or_default();
        let taken = played && input.take(key, down);
        // Player input starts with the first key.
        if taken && (down || self.game.input.is_some()) {
            self.game.input = Some(input);
        }
        taken
    }

    /// Handles a key. Returns false if it has no function.
    fn key(&mut self, key: &Key) -> bool {
        let controls = &mut self.controls;
        let software = self.host.software();
        match key.as_ref() {
            Key::Named(NamedKey::Space) => controls.paused = !controls.paused,
            Key::Named(NamedKey::Tab) => controls.panel = !controls.panel,
            Key::Named(NamedKey::Home) => self.home(),
            Key::Named(NamedKey::ArrowLeft) => self.camera.pan([-ARROW, 0.0]),
            Key::Named(NamedKey::ArrowRight) => self.camera.pan([ARROW, 0.0]),
            Key::Named(NamedKey::ArrowUp) => self.camera.pan([0.0, -ARROW]),
            Key::Named(NamedKey::ArrowDown) => self.camera.pan([0.0, ARROW]),
            Key::Named(NamedKey::F12) => self.click(Click::Shot),
            Key::Character(character) => match character.to_lowercase().as_str() {
                "." | "n" => {
                    controls.paused = true;
                    self.click(Click::Step);
                }
                "+" | "=" => controls.bodies = (controls.bodies * 5 / 4).max(controls.bodies + 1).min(10_000_000),
                "-" => controls.bodies = (controls.bodies * 4 / 5).max(2),
                "g" => {
                    let place = Backend::ALL.iter().position(|&backend| backend == controls.backend).unwrap_or(0);
                    controls.backend = Backend::ALL[(place + 1) % Backend::ALL.len()];
                }
                "p" => {
                    controls.broad = match controls.broad {
                        Broad::Auto => Broad::AllPairs,
                        Broad::AllPairs => Broad::Sorted,
                        Broad::Sorted => Broad::Auto,
                    }
                }
                "t" => {
                    controls.touch = match controls.touch {
                        Touch::Excluded => Touch::Included,
                        Touch::Included => Touch::Excluded,
                    }
                }
                "m" => controls.swept = !controls.swept,
                "l" => controls.lit = !controls.lit,
                "b" => controls.bounds = !controls.bounds,
                "c" => controls.candidates = !controls.candidates,
                "w" => controls.paths = !controls.paths,
                "s" => self.click(Click::Save),
                "o" => self.click(Click::Record),
                "r" => self.click(Click::Restart),
                "8" => {
                    if let Some(file) = self.panel.file.clone() {
                        controls.open(Source::File(file), software);
                    }
                }
                digit => match digit.parse::<usize>().ok().and_then(|n| Kind::ALL.get(n.wrapping_sub(1))) {
                    Some(&kind) => controls.open(Source::Kind(kind), software),
                    None => return false,
                },
            },
            _ => return false,
        }
        true
    }

    /// Handles a movement of the pointer.
    fn moved(&mut self, to: [f64; 2]) {
        let by = [self.pointer[0] - to[0], self.pointer[1] - to[1]];
        self.pointer = to;
        match self.grip {
            Grip::None => {}
            Grip::View => self.camera.pan(by),
            Grip::Body(from) => {
                if let Err(error) = self.game.drag(from + self.camera.point(to)) {
                    self.panel.error = Some(format!("{error:#}"));
                }
            }
        }
    }

    fn pressed(&mut self, button: MouseButton) {
        match button {
            MouseButton::Left => {
                // The middle of the pixel under the pointer.
                let [x, y] = self.camera.point(self.pointer.map(|v| v.floor() + 0.5));
                if let Some(body) = self.game.pick([x, y]) {
                    let at = self.game.at(body);
                    self.game.held = Some(body);
                    self.grip = Grip::Body(at - self.camera.point(self.pointer));
                }
            }
            MouseButton::Right | MouseButton::Middle => self.grip = Grip::View,
            _ => {}
        }
    }

    fn released(&mut self) {
        self.grip = Grip::None;
        self.game.held = None;
    }

    fn scrolled(&mut self, delta: MouseScrollDelta) {
        self.wheel += match delta {
            MouseScrollDelta::LineDelta(_, lines) => f64::from(lines),
            MouseScrollDelta::PixelDelta(by) => by.y / 40.0,
        };
        let levels = self.wheel.trunc();
        self.wheel -= levels;
        self.camera.zoom_about(self.pointer, levels as i32);
    }
}

/// Returns the first path of this kind that no file in the current folder has.
fn unused(kind: &str, end: &str) -> PathBuf {
    let name = |n: u32| PathBuf::from(format!("hitmask-{kind}-{n}.{end}"));
    (1..10_000).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(0))
}

impl App<'_> {
    fn fail(&mut self, events: &ActiveEventLoop, error: anyhow::Error) {
        self.failed = Some(error);
        events.exit();
    }

    /// Steps if a step is due, and draws. After a failure to draw, sets when to retry.
    fn redraw(&mut self, events: &ActiveEventLoop) {
        let Some(view) = &mut self.view else { return };
        if let Some(reason) = view.host.faults.lost() {
            return self.fail(events, anyhow::anyhow!("the device was lost: {reason}"));
        }
        if view.is_hidden() {
            return;
        }
        let now = Instant::now();
        let due = !view.controls.paused && now >= view.next_step;
        // The first frame shows the scene in its initial state.
        if due && self.drawn > 0 {
            view.step();
            // A slow machine shows every step, but later.
            view.next_step = (view.next_step + STEP).max(now);
        }
        match view.draw() {
            Ok(true) => self.drawn += 1,
            Ok(false) => {
                events.set_control_flow(ControlFlow::WaitUntil(now + RETRY));
                return;
            }
            Err(error) => return self.fail(events, error),
        }
        if let Some(click) = view.panel.click.take() {
            view.click(click);
            view.window.request_redraw();
        }
        view.apply();
        // Count steps, so that the last frame is the same on every machine, however often the window was drawn.
        let shown = if view.controls.paused { self.drawn } else { view.game.step + 1 };
        if self.options.frames.is_some_and(|frames| shown >= frames) {
            let shot = self.options.screenshot.as_ref().map_or(Ok(()), |path| view.shoot(path));
            let saved = self.options.save_scene.as_ref().map_or(Ok(()), |path| view.save(path));
            if let Err(error) = shot.and(saved) {
                return self.fail(events, error);
            }
            events.exit();
        }
    }
}

impl ApplicationHandler for App<'_> {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.view.is_none() {
            match View::open(events, self.options) {
                Ok(view) => {
                    view.window.request_redraw();
                    self.view = Some(view);
                }
                Err(error) => self.fail(events, error),
            }
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(view) = &mut self.view else { return };
        if event == WindowEvent::RedrawRequested {
            return self.redraw(events);
        }
        let seen = view.egui.on_window_event(&view.window, &event);
        let mut changed = seen.repaint;
        match event {
            WindowEvent::CloseRequested => return events.exit(),
            WindowEvent::Resized(size) => {
                view.resize(size);
                changed = true;
            }
            WindowEvent::ScaleFactorChanged { .. } | WindowEvent::Occluded(false) => changed = true,
            WindowEvent::KeyboardInput { event, .. } if event.state == ElementState::Pressed => {
                if event.logical_key == Key::Named(NamedKey::Escape) {
                    return events.exit();
                }
                let ours = !view.egui.egui_ctx().egui_wants_keyboard_input();
                if ours && !view.play(&event.logical_key, true) && view.key(&event.logical_key) {
                    view.apply();
                    changed = true;
                }
            }
            WindowEvent::KeyboardInput { event, .. } => {
                view.play(&event.logical_key, false);
            }
            // Releases of keys are not reported from then on.
            WindowEvent::Focused(false) => view.game.input = view.game.input.map(|_| Input::default()),
            WindowEvent::CursorMoved { position, .. } => {
                view.moved([position.x, position.y]);
                changed = true;
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } if !seen.consumed => {
                view.pressed(button);
                changed = true;
            }
            WindowEvent::MouseInput { state: ElementState::Released, .. } => {
                view.released();
                changed = true;
            }
            WindowEvent::MouseWheel { delta, .. } if !seen.consumed => {
                view.scrolled(delta);
                changed = true;
            }
            _ => {}
        }
        if changed {
            view.window.request_redraw();
        }
    }

    fn about_to_wait(&mut self, events: &ActiveEventLoop) {
        let Some(view) = &mut self.view else { return };
        if events.exiting() || view.is_hidden() {
            events.set_control_flow(ControlFlow::Wait);
            return;
        }
        let now = Instant::now();
        let mut wake = None;
        if matches!(view.controls.source, Source::File(_)) {
            if now >= view.next_look {
                view.next_look = now + LOOK;
                if view.look() {
                    view.window.request_redraw();
                }
            }
            wake = Some(view.next_look);
        }
        if !view.controls.paused {
            if now >= view.next_step {
                view.window.request_redraw();
            } else {
                wake = Some(wake.map_or(view.next_step, |wake| wake.min(view.next_step)));
            }
        }
        events.set_control_flow(wake.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }
}
