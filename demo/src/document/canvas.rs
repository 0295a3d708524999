//! The part of a document's window that shows pixels: its camera, moved and zoomed by the pointer.

use egui::{CursorIcon, Event, MouseWheelUnit, PointerButton, Pos2, Rect, Response, Sense, Ui};

use crate::camera::Camera;

/// The largest distance from the origin, in pixels: where a pointer may act.
const FAR: f64 = (1 << 21) as f64;
/// The points that a wheel turns for a level of zoom, on devices that scroll by points.
const WHEEL_POINTS: f32 = 40.0;

/// The largest zoom at which a document is first shown.
const MOST_ZOOM: f64 = 32.0;

/// A camera, and how far the wheel has turned.
#[derive(Default)]
pub(crate) struct Canvas {
    camera: Option<Camera>,
    /// The size of the canvas in window pixels.
    size: [f64; 2],
    /// The fraction of a zoom level that the wheel has turned.
    wheel: f32,
    /// The zoom factor when a pinch began.
    pinched: Option<f64>,
    #[cfg(test)]
    pub(crate) shown: Option<Pane>,
}

/// An event of the left button, or of a finger, on a canvas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Press {
    Down(Pos2),
    Move(Pos2),
    Up,
}

/// A canvas as it is shown in a frame.
#[derive(Clone)]
pub(crate) struct Pane {
    pub(crate) rect: Rect,
    pub(crate) painter: egui::Painter,
    pub(crate) camera: Camera,
    /// Window pixels per point.
    scale: f32,
}

impl Canvas {
    /// Shows all when the canvas is shown next.
    pub(crate) fn go_home(&mut self) {
        self.camera = None;
    }

    /// Takes the rest of the window, and moves the camera as the pointer asks.
    /// `home` returns the pixels to show first, `[left, top, right, bottom]`.
    /// The left button moves it too if `left_pans`.
    pub(crate) fn show(&mut self, ui: &mut Ui, left_pans: bool, home: impl FnOnce() -> [f64; 4]) -> (Pane, Response) {
        let (rect, response) = ui.allocate_exact_size(ui.available_size(), Sense::drag());
        let scale = ui.pixels_per_point();
        let size = [rect.width(), rect.height()].map(|side| f64::from(side * scale).max(1.0));
        let camera = self.camera.get_or_insert_with(|| Camera::around(home(), size, [0.0, MOST_ZOOM]));
        if self.size != size && self.size != [0.0; 2] {
            // Keep the middle.
            camera.pan([0, 1].map(|axis| (self.size[axis] - size[axis]) / 2.0));
        }
        self.size = size;
        let local = |at: Pos2| [at.x - rect.left(), at.y - rect.top()].map(|v| f64::from(v * scale));
        let pans = |button: PointerButton| button != PointerButton::Primary || left_pans;
        if [PointerButton::Primary, PointerButton::Secondary, PointerButton::Middle]
            .into_iter()
            .any(|button| pans(button) && response.dragged_by(button))
        {
            let by = response.drag_delta() * scale;
            camera.pan([f64::from(-by.x), f64::from(-by.y)]);
            ui.set_cursor_icon(CursorIcon::Grabbing);
        }
        if let Some(at) = response.hover_pos() {
            let turned: f32 = ui.input(|input| {
                let lines = input.events.iter().filter_map(|event| match event {
                    Event::MouseWheel { unit: MouseWheelUnit::Point, delta, .. } => Some(delta.y / WHEEL_POINTS),
                    Event::MouseWheel { delta, .. } => Some(delta.y),
                    _ => None,
                });
                lines.sum()
            });
            self.wheel += turned;
            camera.zoom_about(local(at), self.wheel.trunc() as i32);
            self.wheel = self.wheel.fract();
        }
        match ui.input(egui::InputState::multi_touch) {
            Some(touch) if rect.contains(touch.start_pos) => {
                let from = *self.pinched.get_or_insert(camera.zoom.factor());
                let by = touch.translation_delta * scale;
                camera.pan([f64::from(-by.x), f64::from(-by.y)]);
                let factor = from * f64::from(touch.zoom_delta);
                self.pinched = Some(factor);
                camera.zoom_to(local(touch.center_pos), factor);
            }
            _ => self.pinched = None,
        }
        let pane = Pane { rect, painter: ui.painter_at(rect), camera: *camera, scale };
        #[cfg(test)]
        {
            self.shown = Some(pane.clone());
        }
        (pane, response)
    }

    /// Returns what the left button has done on the canvas since the last frame, in order. A slow frame may have a
    /// whole stroke. Movements and releases may belong to a press elsewhere.
    pub(crate) fn presses(&self, ui: &Ui, pane: &Pane) -> Vec<Press> {
        if self.pinched.is_some() {
            return vec![Press::Up];
        }
        // Menus and questions lie above.
        let is_here = |pos: Pos2| pane.rect.contains(pos) && ui.ctx().layer_id_at(pos) == Some(ui.layer_id());
        let presses: Vec<Press> = ui.input(|input| {
            let presses = input.events.iter().filter_map(|event| match *event {
                Event::PointerButton { pos, button: PointerButton::Primary, pressed: true, .. } => {
                    Some(Press::Down(pos))
                }
                Event::PointerButton { button: PointerButton::Primary, pressed: false, .. } => Some(Press::Up),
                Event::PointerMoved(pos) => Some(Press::Move(pos)),
                _ => None,
            });
            presses.collect()
        });
        presses.into_iter().filter(|press| !matches!(press, Press::Down(pos) if !is_here(*pos))).collect()
    }
}

impl Pane {
    /// Converts a point in pixels of the document to a point of the window.
    pub(crate) fn pos(&self, point: [f64; 2]) -> Pos2 {
        let [x, y] = self.camera.place(point).map(|v| (v / f64::from(self.scale)) as f32);
        Pos2::new(self.rect.left() + x, self.rect.top() + y)
    }

    /// Converts a point of the window to a point in pixels of the document.
    pub(crate) fn point(&self, pos: Pos2) -> [f64; 2] {
        let local = [pos.x - self.rect.left(), pos.y - self.rect.top()];
        self.camera.point(local.map(|v| f64::from(v * self.scale))).map(|v| v.clamp(-FAR, FAR))
    }

    /// Returns the pixel of the document at a point of the window.
    pub(crate) fn pixel(&self, pos: Pos2) -> [i32; 2] {
        self.point(pos).map(|v| v.floor() as i32)
    }

    /// Returns the rectangle of the window that shows `[x, y, width, height]` in pixels.
    pub(crate) fn area(&self, [x, y, width, height]: [f64; 4]) -> Rect {
        Rect::from_min_max(self.pos([x, y]), self.pos([x + width, y + height]))
    }

    /// Returns the pixels in view, `[left, top, right, bottom]`, exclusive.
    pub(crate) fn view(&self) -> [i32; 4] {
        let ([left, top], [right, bottom]) = (self.point(self.rect.min), self.point(self.rect.max));
        [left.floor() as i32, top.floor() as i32, right.ceil() as i32, bottom.ceil() as i32]
    }

    /// Returns the length of a pixel of the document, in points.
    pub(crate) fn zoom(&self) -> f32 {
        self.camera.zoom.factor() as f32 / self.scale
    }
}
