//! The application: its events, and when to step and draw.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use egui_winit::EventResponse;
use hitmask::Engine;
use web_time::Instant;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::keyboard::{Key, NamedKey};
use winit::window::WindowId;

use crate::controls::{Choice, Source};
use crate::document::Leave;
use crate::input;
use crate::options::Options;
use crate::platform;
use crate::view::View;

/// The time between two checks whether a scene file has changed.
const LOOK: Duration = Duration::from_millis(300);
/// The time to wait if the surface provides no frame.
const RETRY: Duration = Duration::from_millis(50);

/// An event of the application's own.
pub(crate) enum Message {
    /// The window's device was opened.
    Opened(anyhow::Result<Box<View>>),
    /// An engine was opened.
    Engine(Choice, anyhow::Result<Engine>),
    /// The number of an engine's shaders that are compiled, and their total.
    Compiled(Choice, usize, usize),
    /// A scene file was dropped on the page.
    #[cfg_attr(not(target_family = "wasm"), expect(dead_code, reason = "only pages send it"))]
    Dropped(PathBuf),
}

/// The application.
pub(crate) struct App {
    options: Options,
    messages: EventLoopProxy<Message>,
    view: Option<Box<View>>,
    /// A scene file that was dropped before the device was open.
    early: Option<PathBuf>,
    failed: Option<anyhow::Error>,
    drawn: u64,
}

/// Creates the event loop.
pub(crate) fn events() -> anyhow::Result<EventLoop<Message>> {
    EventLoop::with_user_event().build().context("no window can be opened here (--headless needs none)")
}

impl App {
    pub(crate) fn new(options: Options, messages: EventLoopProxy<Message>) -> Self {
        Self { options, messages, view: None, early: None, failed: None, drawn: 0 }
    }

    /// Ends a recording, and returns the exit status.
    pub(crate) fn end(self) -> anyhow::Result<u8> {
        let mut view = self.view;
        if let Some(view) = &mut view {
            view.game.end_record()?;
        }
        // Tests read this, for example to check that an idle window draws nothing.
        let steps = view.as_ref().map_or(0, |view| view.game.step);
        println!("{} frames drawn, {steps} steps", self.drawn);
        if let Some(error) = self.failed {
            return Err(error);
        }
        let faults = view.is_some_and(|view| view.host.faults.any());
        Ok(u8::from(faults))
    }

    fn fail(&mut self, events: &ActiveEventLoop, error: anyhow::Error) {
        platform::failed(&error);
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
        let due = view.plays() && now >= view.next_step;
        // The first frame shows the scene in its initial state.
        if due && self.drawn > 0 && !view.game.answers_later() {
            view.go_on(now);
        }
        match view.draw() {
            Ok(true) => {
                self.drawn += 1;
                platform::drawn(view);
            }
            Ok(false) => {
                events.set_control_flow(ControlFlow::WaitUntil(now + RETRY));
                return;
            }
            Err(error) => return self.fail(events, error),
        }
        if view.has_quit {
            return events.exit();
        }
        if let Some(click) = view.panel.click.take() {
            view.click(click);
            view.window.request_redraw();
        }
        view.apply();
        // Count steps, so that the last frame is the same on every machine, however often the window was drawn.
        let shown = if view.plays() { view.game.step + 1 } else { self.drawn };
        if self.options.frames.is_some_and(|frames| shown >= frames) {
            let shot = self.options.screenshot.as_ref().map_or(Ok(()), |path| view.shoot(path));
            let saved = self.options.save_scene.as_ref().map_or(Ok(()), |path| view.save(path));
            if let Err(error) = shot.and(saved) {
                return self.fail(events, error);
            }
            events.exit();
        }
        // An answer that has arrived is drawn before the bodies go on.
        view.go_on_waiting();
        if view.game.answers_later() && view.plays() && now >= view.next_step {
            view.go_on(now);
        }
    }
}

/// Returns whether an event is about the content of the window rather than the window itself.
fn is_of_content(event: &WindowEvent) -> bool {
    matches!(
        event,
        WindowEvent::KeyboardInput { .. }
            | WindowEvent::CursorMoved { .. }
            | WindowEvent::MouseInput { .. }
            | WindowEvent::MouseWheel { .. }
            | WindowEvent::Touch(_)
    )
}

/// Returns whether an event is about the key Tab.
fn is_of_tab(event: &WindowEvent) -> bool {
    matches!(event, WindowEvent::KeyboardInput { event, .. } if event.logical_key == Key::Named(NamedKey::Tab))
}

impl ApplicationHandler<Message> for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.view.is_some() {
            return;
        }
        let window = match events.create_window(platform::window(self.options.size)) {
            Ok(window) => Arc::new(window),
            Err(error) => return self.fail(events, anyhow::Error::new(error).context("no window can be opened")),
        };
        let (options, messages, display) = (self.options.clone(), self.messages.clone(), events.owned_display_handle());
        platform::spawn(async move {
            let view = View::open(window, display, messages.clone(), &options).await;
            // The loop has ended if nobody receives it.
            let _ = messages.send_event(Message::Opened(view.map(Box::new)));
        });
    }

    fn user_event(&mut self, events: &ActiveEventLoop, message: Message) {
        match (message, &mut self.view) {
            (Message::Opened(Ok(mut view)), _) => {
                if let Some(path) = self.early.take() {
                    view.dropped(path);
                }
                view.window.request_redraw();
                self.view = Some(view);
            }
            (Message::Opened(Err(error)), _) => self.fail(events, error),
            (Message::Dropped(path), Some(view)) => {
                view.dropped(path);
                view.window.request_redraw();
            }
            (Message::Dropped(path), None) => self.early = Some(path),
            (Message::Engine(choice, engine), Some(view)) => {
                view.adopt(choice, engine);
                view.window.request_redraw();
            }
            (Message::Compiled(choice, done, all), Some(view)) => {
                view.compiled(choice, done, all);
                view.window.request_redraw();
            }
            // Without a view, nobody has asked for an engine.
            (Message::Engine(..) | Message::Compiled(..), None) => {}
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(view) = &mut self.view else { return };
        if event == WindowEvent::RedrawRequested {
            return self.redraw(events);
        }
        // In scenes Tab hides the panel. With egui it would give the keys to the panel's first button.
        let seen = if view.document.is_none() && is_of_tab(&event) {
            EventResponse::default()
        } else {
            view.egui.on_window_event(&view.window, &event)
        };
        // Until a frame is drawn without the panel, egui takes the pointer to be over it.
        let is_on_panel = seen.consumed && view.controls.panel;
        let mut changed = seen.repaint;
        if view.document.is_some() && is_of_content(&event) {
            // egui has the event.
            if changed {
                view.window.request_redraw();
            }
            return;
        }
        match event {
            WindowEvent::CloseRequested => match &mut view.document {
                Some(document) => {
                    document.leave(Leave::Quit);
                    changed = true;
                }
                None => return events.exit(),
            },
            WindowEvent::DroppedFile(path) => {
                view.dropped(path);
                changed = true;
            }
            WindowEvent::Resized(size) => {
                view.resize(size);
                changed = true;
            }
            WindowEvent::ScaleFactorChanged { .. } | WindowEvent::Occluded(false) => changed = true,
            WindowEvent::KeyboardInput { event, .. } if event.state == ElementState::Pressed => {
                let key = &event.logical_key;
                if platform::QUITS && *key == Key::Named(NamedKey::Escape) {
                    return events.exit();
                }
                let ours = *key == Key::Named(NamedKey::Tab) || !view.edits_text();
                let acts = !event.repeat || input::repeats(key);
                if ours && !view.play(key, true) && acts && view.key(key) {
                    view.apply();
                    changed = true;
                }
            }
            WindowEvent::KeyboardInput { event, .. } => {
                view.play(&event.logical_key, false);
            }
            // Releases of keys are not reported from then on.
            WindowEvent::Focused(false) => view.game.release_keys(),
            WindowEvent::CursorMoved { position, .. } => {
                view.moved([position.x, position.y]);
                changed = true;
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, button, .. } if !is_on_panel => {
                view.pressed(button);
                changed = true;
            }
            WindowEvent::MouseInput { state: ElementState::Released, .. } => {
                view.released();
                changed = true;
            }
            WindowEvent::Touch(touch) => {
                view.touched(touch);
                changed = true;
            }
            WindowEvent::MouseWheel { delta, .. } if !is_on_panel => {
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
        if view.document.is_some() {
            wake = view.wake;
            if wake.is_some_and(|wake| now >= wake) {
                (wake, view.wake) = (None, None);
                view.window.request_redraw();
            }
        } else if matches!(view.controls.source, Source::File(_)) {
            if now >= view.next_look {
                view.next_look = now + LOOK;
                if view.look() {
                    view.window.request_redraw();
                }
            }
            wake = Some(view.next_look);
        }
        if view.plays() {
            if now >= view.next_step {
                view.window.request_redraw();
            } else {
                wake = Some(wake.map_or(view.next_step, |wake| wake.min(view.next_step)));
            }
        } else if self.options.frames.is_some() {
            // The frames are counted as they are drawn, and nothing else asks for the next one.
            view.window.request_redraw();
        }
        events.set_control_flow(wake.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }
}
