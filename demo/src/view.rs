//! A window and its content: what pointer, keys and the panel do with it, and how a frame is drawn.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use hitmask::cpu::Broad;
use hitmask::geometry::Vec2;
use hitmask::{Engine, Touch, wgpu};
use web_time::Instant;
use winit::dpi::PhysicalSize;
use winit::event::{MouseButton, MouseScrollDelta, Touch as Finger};
use winit::event_loop::{EventLoopProxy, OwnedDisplayHandle};
use winit::keyboard::{Key, NamedKey};
use winit::window::Window;

use crate::app::Message;
use crate::camera::{Camera, MOST_ZOOM, Zoom};
use crate::controls::{Backend, Choice, Controls, Source};
use crate::document::{Document, Leave};
use crate::engine;
use crate::fingers::{Fingers, Gesture};
use crate::frame::{Frames, Shown};
use crate::game::Game;
use crate::graph::Graph;
use crate::host::Host;
use crate::options::Options;
use crate::panel::{self, Click, Panel};
use crate::platform;
use crate::scenes::Kind;
use crate::shot::{Canvas, FORMAT};

/// The time between two steps.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);
/// The minimum time for which a message is shown while the scene plays.
const MESSAGE: Duration = Duration::from_secs(3);
/// The number of window pixels by which an arrow key moves the view.
const ARROW: f64 = 48.0;

/// The object that the pointer holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Grip {
    None,
    /// A body, with the offset from the pointer's point to the body's position.
    Body(Vec2),
    /// The view.
    View,
}

/// A window and its content.
pub(crate) struct View {
    pub(crate) window: Arc<Window>,
    instance: wgpu::Instance,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    pub(crate) host: Rc<Host>,
    messages: EventLoopProxy<Message>,
    frames: Frames,
    pub(crate) egui: egui_winit::State,
    pub(crate) panel: Panel,
    graph: Graph,
    pub(crate) controls: Controls,
    pub(crate) game: Game,
    /// The engines that are being opened.
    openings: Vec<Choice>,
    /// The requests of the user that wait for an answer, in order.
    waiting: VecDeque<Click>,
    /// A sheet or a level, which hides the game. The game waits meanwhile.
    pub(crate) document: Option<Document>,
    /// True if the user has ended the program from a document.
    pub(crate) has_quit: bool,
    /// The time at which a document has to be drawn again by itself.
    pub(crate) wake: Option<Instant>,
    camera: Camera,
    pointer: [f64; 2],
    grip: Grip,
    fingers: Fingers,
    /// The zoom when the second finger came down.
    pinched: Zoom,
    /// The fraction of a zoom level that the wheel has turned.
    wheel: f64,
    /// The times of the next step, and of the next check of the scene file.
    pub(crate) next_step: Instant,
    pub(crate) next_look: Instant,
    /// The time of the last message.
    said: Instant,
    /// The time at which the last frame was drawn.
    last: Option<Instant>,
}

impl View {
    /// Opens a device that can draw in a window, and shows the scene there.
    pub(crate) async fn open(
        window: Arc<Window>,
        display: OwnedDisplayHandle,
        messages: EventLoopProxy<Message>,
        options: &Options,
    ) -> anyhow::Result<Self> {
        let (host, instance, surface) = Host::in_window(&display, &window).await?;
        platform::laid_out(&window).await;
        let size = window.inner_size();
        let mut config = surface
            .get_default_config(&host.adapter, size.width.max(1), size.height.max(1))
            .context("the GPU cannot draw in the window")?;
        // Colours are already display values, not to be converted to sRGB.
        config.format = config.format.remove_srgb_suffix();
        config.present_mode = wgpu::PresentMode::AutoVsync;
        let document = options.document()?;
        anyhow::ensure!(
            document.is_none() || options.screenshot.is_none(),
            "a picture of a sheet or a level needs --headless"
        );
        let mut controls = options.controls(host.computes, host.is_slow(), document.is_some());
        let choice = controls.choice;
        if !platform::WAITS && choice.backend == Backend::Gpu && host.computes {
            // Its shaders take seconds: until they are compiled, the CPU plays.
            controls.choice.backend = Backend::Cpu;
        }
        let engine = engine::open(&host, controls.choice, |_, _| ()).await?;
        let mut game = Game::new(engine, &mut controls)?;
        options.check_apart(game.stage.files())?;
        controls.choice = choice;
        if let Some(path) = &options.record {
            game.record(path.clone())?;
        }
        let frames = Frames::new(&host.device, config.format);
        let side = host.device.limits().max_texture_dimension_2d as usize;
        let scale = window.scale_factor() as f32;
        let egui =
            egui_winit::State::new(panel::context(), egui::ViewportId::ROOT, &window, Some(scale), None, Some(side));
        let mut panel = Panel::default();
        panel.remember(&game.stage.source);
        let now = Instant::now();
        let camera = Camera::around([0.0, 0.0, 1.0, 1.0], [1.0, 1.0], [1.0, MOST_ZOOM]);
        let mut view = Self {
            instance,
            surface,
            config,
            frames,
            egui,
            panel,
            graph: Graph::default(),
            camera,
            controls,
            game,
            openings: Vec::new(),
            waiting: VecDeque::new(),
            document,
            has_quit: false,
            wake: None,
            pointer: [0.0; 2],
            grip: Grip::None,
            fingers: Fingers::default(),
            pinched: camera.zoom,
            wheel: 0.0,
            next_step: now,
            next_look: now,
            said: now,
            last: None,
            host: Rc::new(host),
            messages,
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
    pub(crate) fn is_hidden(&self) -> bool {
        let PhysicalSize { width, height } = self.window.inner_size();
        width == 0 || height == 0 || self.window.is_minimized() == Some(true)
    }

    pub(crate) fn resize(&mut self, size: PhysicalSize<u32>) {
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
        let free = [(width - self.panel_width()).max(1.0), height];
        self.camera = Camera::around(self.game.home(), free, [self.game.least_zoom(), MOST_ZOOM]);
    }

    /// Returns the width of the panel in window pixels; 0 if it is hidden.
    fn panel_width(&self) -> f64 {
        if self.controls.panel { f64::from(panel::WIDTH) * self.window.scale_factor() } else { 0.0 }
    }

    /// Puts into effect what keys and the panel have changed in the controls. Another engine follows once it is open.
    pub(crate) fn apply(&mut self) {
        self.apply_with(None);
        let choice = self.controls.choice;
        if choice == self.game.choice {
            self.panel.opening = None;
        } else if !self.openings.contains(&choice) {
            self.openings.push(choice);
            self.panel.opening = None;
            let (host, messages) = (Rc::clone(&self.host), self.messages.clone());
            platform::spawn(async move {
                // The loop has ended if nobody receives these.
                let progress = |done, all| drop(messages.send_event(Message::Compiled(choice, done, all)));
                let engine = engine::open(&host, choice, progress).await;
                let _ = messages.send_event(Message::Engine(choice, engine));
            });
        }
    }

    /// Takes an engine that was opened, unless the user has chosen another one since.
    pub(crate) fn adopt(&mut self, choice: Choice, engine: anyhow::Result<Engine>) {
        self.openings.retain(|other| *other != choice);
        if choice != self.controls.choice || choice == self.game.choice {
            return;
        }
        self.panel.opening = None;
        match engine {
            Ok(engine) => self.apply_with(Some(engine)),
            Err(error) => {
                self.controls.choice = self.game.choice;
                self.panel.error = Some(format!("{error:#}"));
            }
        }
    }

    /// Shows how many shaders of the engine that is being opened are compiled.
    pub(crate) fn compiled(&mut self, choice: Choice, done: usize, all: usize) {
        if choice == self.controls.choice {
            self.panel.opening = Some(format!("compiling shaders: {done} of {all}"));
        }
    }

    fn apply_with(&mut self, engine: Option<Engine>) {
        let (before, step, is_command) = (self.game.stage.source.clone(), self.game.step, engine.is_none());
        match self.game.apply(engine, &mut self.controls) {
            Ok(true) => {
                if is_command {
                    self.panel.error = None;
                }
                self.graph.clear();
                self.panel.remember(&self.game.stage.source);
                if before != self.game.stage.source {
                    self.home();
                }
                self.begun(step);
            }
            Ok(false) => {}
            Err(error) => self.panel.error = Some(format!("{error:#}")),
        }
    }

    /// Lets go of what belongs to a scene that was at step `before`, if it has begun anew.
    fn begun(&mut self, before: u64) {
        if self.game.step < before {
            self.waiting.clear();
        }
        if let Some(path) = self.game.ended.take() {
            self.say(format!("the recording has ended: wrote {}", path.display()));
        }
        if self.game.held.is_none() && matches!(self.grip, Grip::Body(_)) {
            self.grip = Grip::None;
        }
    }

    /// Returns whether the scene goes on by itself.
    pub(crate) fn plays(&self) -> bool {
        !self.controls.paused && self.document.is_none() && self.waiting.is_empty()
    }

    /// Shows a message about the last action.
    fn say(&mut self, message: String) {
        (self.panel.message, self.said) = (Some(message), Instant::now());
    }

    /// Makes a step. Returns false if that has to wait for an answer.
    fn step(&mut self) -> bool {
        if self.said.elapsed() >= MESSAGE {
            self.panel.message = None;
        }
        match self.game.advance(&self.controls) {
            Ok(false) => return false,
            Ok(true) => self.graph.push(&self.game),
            Err(error) => {
                self.controls.paused = true;
                self.panel.error = Some(format!("{error:#}"));
            }
        }
        true
    }

    /// Makes a step that is due, and sets the time of the next.
    pub(crate) fn go_on(&mut self, now: Instant) {
        if self.step() {
            // A slow machine shows every step, but later.
            self.next_step = (self.next_step + STEP).max(now);
        }
    }

    /// Carries out the requests that wait, as far as their answers are there. Stops after a step, which is drawn first.
    pub(crate) fn go_on_waiting(&mut self) {
        if !self.waiting.is_empty() {
            self.window.request_redraw();
        }
        while self.document.is_none()
            && let Some(&click) = self.waiting.front()
        {
            let is_done = match click {
                Click::Step => self.step(),
                Click::Shot if !self.game.is_settled() => false,
                _ => {
                    self.act(click);
                    true
                }
            };
            if is_done {
                self.waiting.pop_front();
            }
            if !is_done || click == Click::Step {
                break;
            }
        }
    }

    /// Shows a file that was dropped on the window: a scene, a sheet or a level.
    pub(crate) fn dropped(&mut self, path: PathBuf) {
        if let Some(open) = self.document.as_mut().filter(|open| open.is_unsaved()) {
            let error = anyhow::anyhow!("{} was not opened: save or undo the changes first", path.display());
            return open.complain(&error);
        }
        match Document::open(&path, None) {
            Ok(Some(document)) => {
                // From here on the document gets the events, also those of releases.
                self.released();
                self.game.release_keys();
                (self.document, self.panel.error) = (Some(document), None);
                return;
            }
            Ok(None) => self.document = None,
            Err(error) => {
                match &mut self.document {
                    Some(open) => open.complain(&error),
                    None => self.panel.error = Some(format!("{error:#}")),
                }
                return;
            }
        }
        self.controls.open(Source::File(path), self.host.is_slow());
        self.apply();
        self.look();
    }

    /// Reloads the scene file if it has changed. Returns whether there is anything new to draw.
    pub(crate) fn look(&mut self) -> bool {
        let step = self.game.step;
        match self.game.reload(&mut self.controls) {
            Ok(false) => false,
            Ok(true) => {
                self.panel.error = None;
                self.say("read again".into());
                self.begun(step);
                true
            }
            Err(error) => {
                self.panel.error = Some(format!("{error:#}"));
                true
            }
        }
    }

    /// Draws a frame. Returns false if there was no surface for it, or no answer yet.
    pub(crate) fn draw(&mut self) -> anyhow::Result<bool> {
        if self.document.is_none() && !self.has_answer() {
            self.window.request_redraw();
            return Ok(false);
        }
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
        let target = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        if self.document.is_some() {
            self.draw_document(&target);
        } else {
            self.draw_scene(&target);
        }
        self.window.pre_present_notify();
        self.host.queue.present(texture);
        let now = Instant::now();
        if let Some(last) = self.last.replace(now) {
            let rate = 1.0 / (now - last).as_secs_f32().max(1e-4);
            self.panel.rate = Some(self.panel.rate.map_or(rate, |mean| mean + (rate - mean) * 0.1));
        }
        Ok(true)
    }

    /// Draws a sheet or a level, and does what the user asks of it.
    fn draw_document(&mut self, target: &wgpu::TextureView) {
        let Some(document) = &mut self.document else { return };
        let input = self.egui.take_egui_input(&self.window);
        let context = self.egui.egui_ctx().clone();
        let (output, leave) = document.frame(&context, input);
        self.egui.handle_platform_output(&self.window, output.platform_output.clone());
        let wait = output.viewport_output.values().map(|viewport| viewport.repaint_delay).min();
        self.wake = wait.and_then(|wait| Instant::now().checked_add(wait));
        let overlay = panel::overlay(&context, output);
        let scale = self.window.scale_factor();
        self.frames.submit(&self.host, None, Some(overlay), target, self.size(), scale);
        match leave {
            None => {}
            Some(Leave::Quit) => self.has_quit = true,
            Some(Leave::Close) => {
                (self.document, self.wake) = (None, None);
                self.next_step = Instant::now();
                self.window.request_redraw();
            }
        }
    }

    fn draw_scene(&mut self, target: &wgpu::TextureView) {
        let size = self.size();
        let picture = self.frames.picture(&self.host, &self.game, &self.camera, size, &self.controls);
        let point = self.camera.point(self.pointer);
        self.panel.under = self.game.pick(point).map(|body| self.game.label(body));
        // Without the panel too, egui takes its events: it must not find them later, in the panel or in a document.
        let input = self.egui.take_egui_input(&self.window);
        let context = self.egui.egui_ctx().clone();
        let before = self.controls.clone();
        let Self { panel, controls, game, graph, host, .. } = self;
        let output = context.run_ui(input, |ui| {
            if controls.panel {
                panel.show(ui, controls, game, &picture, graph, host);
            }
        });
        if self.controls != before {
            // The picture of this frame is of the choices before.
            self.window.request_redraw();
        }
        self.egui.handle_platform_output(&self.window, output.platform_output.clone());
        let overlay = panel::overlay(&context, output);
        let shown = Shown { game: &self.game, picture: &picture, camera: &self.camera };
        self.frames.submit(&self.host, Some(shown), Some(overlay), target, size, self.window.scale_factor());
    }

    /// Returns whether the frame can be drawn, as [`View::ask`] does. After an error it can, and the scene rests.
    fn has_answer(&mut self) -> bool {
        self.ask().unwrap_or_else(|error| {
            self.controls.paused = true;
            self.panel.error = Some(format!("{error:#}"));
            true
        })
    }

    /// Requests the answer to draw, and returns whether it can be drawn. Waits for it only if more than its flags is
    /// drawn, or if no further frame follows.
    ///
    /// On a page answers arrive later. Flags are drawn at once, as they are on the GPU. Lit pixels are drawn when an
    /// answer arrives, for the bodies as they were submitted: the pointer may have moved one since.
    fn ask(&mut self) -> anyhow::Result<bool> {
        let Controls { paused, lit, .. } = self.controls;
        if !self.game.answers_later() {
            if paused || lit {
                self.game.settle(&self.controls)?;
            } else {
                self.game.send(&self.controls)?;
                self.game.take()?;
            }
            return Ok(true);
        }
        let was_in_flight = self.game.is_in_flight();
        self.game.take()?;
        let has_arrived = was_in_flight && !self.game.is_in_flight();
        // While the scene plays, a step submits what the pointer has moved.
        if !self.game.is_in_flight() && (!self.plays() || !self.game.has_asked(&self.controls)) {
            self.game.send(&self.controls)?;
        }
        if !self.plays() && !self.game.is_settled() {
            // The last frame has the counts of what it shows.
            self.window.request_redraw();
        }
        Ok(!lit || has_arrived || !self.game.is_in_flight())
    }

    /// Writes a picture of the window without the panel. Waits for answers in flight, unless they arrive later.
    pub(crate) fn shoot(&mut self, path: &Path) -> anyhow::Result<()> {
        self.game.settle(&self.controls)?;
        let mut frames = Frames::new(&self.host.device, FORMAT);
        let canvas = Canvas::new(&self.host.device, self.size());
        let picture = frames.picture(&self.host, &self.game, &self.camera, self.size(), &self.controls);
        let scale = self.window.scale_factor();
        let shown = Shown { game: &self.game, picture: &picture, camera: &self.camera };
        frames.submit(&self.host, Some(shown), None, &canvas.view, self.size(), scale);
        platform::write_shot(&canvas, &self.host, path)
    }

    pub(crate) fn save(&self, path: &Path) -> anyhow::Result<()> {
        platform::write(path, self.game.to_json()?.as_bytes())
    }

    /// Calls `write` with the path of a new file, and shows a message about it.
    fn write(&mut self, kind: &str, end: &str, write: impl FnOnce(&mut Self, &Path) -> anyhow::Result<()>) {
        let path = unused(kind, end);
        match write(self, &path) {
            Ok(()) => {
                self.panel.error = None;
                self.say(format!("wrote {}", path.display()));
            }
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
            Ok(message) => {
                self.panel.error = None;
                if let Some(message) = message {
                    self.say(message);
                }
            }
            Err(error) => self.panel.error = Some(format!("{error:#}")),
        }
    }

    /// Does what the user asks for, or lets it wait for an answer that arrives later.
    pub(crate) fn click(&mut self, click: Click) {
        let waits = matches!(click, Click::Step | Click::Shot | Click::Save | Click::Record);
        if waits && self.game.answers_later() {
            self.waiting.push_back(click);
        } else {
            self.act(click);
        }
    }

    fn act(&mut self, click: Click) {
        let step = self.game.step;
        match click {
            Click::Step => {
                self.step();
            }
            Click::Save => self.write("scene", "json", |view, path| view.save(path)),
            Click::Shot => self.write("picture", "png", Self::shoot),
            Click::Record => self.record(),
            Click::Home => self.home(),
            Click::Restart => match self.game.restart(&self.controls) {
                Ok(()) => self.begun(step),
                Err(error) => self.panel.error = Some(format!("{error:#}")),
            },
        }
    }

    /// Returns whether the panel has a field in which text is being edited, which takes the keys.
    pub(crate) fn edits_text(&self) -> bool {
        self.controls.panel && self.egui.egui_ctx().text_edit_focused()
    }

    /// Takes a key of the player, if the scene is played. Returns whether it is one.
    pub(crate) fn play(&mut self, key: &Key, down: bool) -> bool {
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
    pub(crate) fn key(&mut self, key: &Key) -> bool {
        let controls = &mut self.controls;
        let slow = self.host.is_slow();
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
                    let backend = &mut controls.choice.backend;
                    let place = Backend::ALL.iter().position(|other| other == backend).unwrap_or(0);
                    *backend = Backend::ALL[(place + 1) % Backend::ALL.len()];
                }
                "p" => {
                    controls.choice.broad = match controls.choice.broad {
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
                        controls.open(Source::File(file), slow);
                    }
                }
                digit => match digit.parse::<usize>().ok().and_then(|n| Kind::ALL.get(n.wrapping_sub(1))) {
                    Some(&kind) => controls.open(Source::Kind(kind), slow),
                    None => return false,
                },
            },
            _ => return false,
        }
        true
    }

    /// Handles a movement of the pointer.
    pub(crate) fn moved(&mut self, to: [f64; 2]) {
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

    pub(crate) fn pressed(&mut self, button: MouseButton) {
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

    pub(crate) fn released(&mut self) {
        self.grip = Grip::None;
        self.game.held = None;
    }

    /// Handles a finger on the screen.
    pub(crate) fn touched(&mut self, touch: Finger) {
        // The panel has its own fingers, which egui follows.
        let is_on_panel = touch.location.x > f64::from(self.config.width) - self.panel_width();
        match self.fingers.take(&touch, is_on_panel) {
            Some(Gesture::Press(at)) => {
                self.pointer = at;
                self.pressed(MouseButton::Left);
                if self.grip == Grip::None {
                    self.grip = Grip::View;
                }
            }
            Some(Gesture::Move(to)) => self.moved(to),
            Some(Gesture::Pair) => {
                self.released();
                self.pinched = self.camera.zoom;
            }
            Some(Gesture::Pinch { by, about, ratio }) => {
                self.camera.pan(by);
                self.camera.zoom_to(about, self.pinched.factor() * ratio);
            }
            Some(Gesture::Release) => self.released(),
            None => {}
        }
    }

    pub(crate) fn scrolled(&mut self, delta: MouseScrollDelta) {
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
