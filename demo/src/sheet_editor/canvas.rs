//! The canvas: the frame with its mask, its boxes and its pivot, and what the left button does there.

use egui::{Align2, Color32, CursorIcon, FontId, Pos2, Rect, Response, Stroke, StrokeKind, Ui, Vec2};
use hitmask::Mask;
use hitmask_files::{Mark, NamedBox};

use super::boxes::{self, Grip, HANDLE};
use super::history::Group;
use super::{Drag, SheetEditor, Tool, brush};
use crate::document::{Notice, Pane, Press, hue};

const GROUND: Color32 = Color32::from_rgb(13, 15, 24);
const SQUARES: [Color32; 2] = [Color32::from_rgb(34, 38, 55), Color32::from_rgb(40, 45, 64)];
/// The side of the background's squares in pixels.
const SQUARE: i32 = 8;
/// Solid texels that follow the threshold, those that are painted, and those that are erased.
const SOLID: Color32 = Color32::from_rgba_premultiplied(22, 62, 92, 92);
const PAINTED: Color32 = Color32::from_rgba_premultiplied(30, 112, 52, 128);
const ERASED: Color32 = Color32::from_rgba_premultiplied(104, 24, 36, 110);
const OUTLINE: Color32 = Color32::from_rgb(120, 206, 255);
const EDGE: Color32 = Color32::from_rgb(84, 92, 120);
const PIVOT: Color32 = Color32::from_rgb(255, 236, 120);
/// The points of a pixel from which the outline of the mask and the grid of pixels are drawn.
const OUTLINE_FROM: f32 = 2.0;
const GRID_FROM: f32 = 10.0;
/// The most corners of outlines that are drawn.
const MOST_CORNERS: usize = 40_000;

/// The layers of the mosaic.
const BACK: usize = 0;
const ART: usize = 1;
const MASK: usize = 2;

impl SheetEditor {
    pub(super) fn canvas(&mut self, ui: &mut Ui) {
        let frame = self.player.frame();
        let [width, height] = self.work.art().size.map(f64::from);
        let margin = (width.max(height) / 12.0).max(2.0);
        let home = [-margin, -margin, width + margin, height + margin];
        let (pane, response) = self.canvas.show(ui, false, || home);
        self.under = response.hover_pos().map(|pos| pane.pixel(pos));
        for press in self.canvas.presses(ui, &pane) {
            self.press(&pane, press);
        }
        if self.names {
            // The panel gives the keyboard to the name in the next frame, which must not wait for the first letter.
            ui.ctx().request_repaint();
        }
        pane.painter.rect_filled(pane.rect, 0.0, GROUND);
        if let Err(error) = self.draw_frame(&pane) {
            self.notice = Notice::Error(error.to_string());
        }
        if self.layers.boxes {
            let selected = self.selected;
            for (place, named) in self.work.boxes(frame).iter().enumerate() {
                draw_box(&pane, named, selected == Some(place));
            }
        }
        if let Some(pivot) = self.work.pivot(frame) {
            draw_pivot(&pane, pivot);
        }
        self.draw_pointer(ui, &pane, &response);
    }

    fn draw_frame(&mut self, pane: &Pane) -> hitmask::Result<()> {
        let (frame, threshold, fresh) = (self.player.frame(), self.work.retouch().threshold, self.work.take_fresh());
        if self.drawn != Some((frame, threshold)) {
            if self.drawn.is_none_or(|(own, _)| own != frame) {
                self.mosaic.forget_layer(BACK);
                self.mosaic.forget_layer(ART);
            }
            self.mosaic.forget_layer(MASK);
            self.drawn = Some((frame, threshold));
        }
        for (_, [x, y, width, height]) in fresh.into_iter().filter(|(own, _)| *own == frame) {
            self.mosaic.forget(MASK, [x, y, x + width, y + height]);
        }
        let [width, height] = self.work.size(frame).map(|side| side as i32);
        let area = [0, 0, width, height];
        let is_in = |[x, y]: [i32; 2]| (0..width).contains(&x) && (0..height).contains(&y);
        self.mosaic.draw(pane, BACK, area, 1.0, |part| {
            part.image(|at| {
                let [x, y] = at.map(|v| v.div_euclid(SQUARE));
                if is_in(at) { SQUARES[((x + y) & 1) as usize] } else { Color32::TRANSPARENT }
            })
        });
        let image = self.work.art().frames[frame].image.clone();
        self.mosaic.draw(pane, ART, area, 1.0, |part| {
            part.image(|[x, y]| {
                let [r, g, b, a] = image.get_pixel_checked(x as u32, y as u32).map_or([0; 4], |pixel| pixel.0);
                Color32::from_rgba_unmultiplied(r, g, b, a)
            })
        });
        if self.layers.mask {
            let (mask, marks) = self.work.mask(frame)?;
            self.mosaic.draw(pane, MASK, area, 1.0, |part| {
                part.image(|at| {
                    if !is_in(at) {
                        return Color32::TRANSPARENT;
                    }
                    let at = at.map(|v| v as u32);
                    match marks.map_or(Mark::Alpha, |marks| marks.get(at)) {
                        Mark::Solid => PAINTED,
                        Mark::Empty => ERASED,
                        Mark::Alpha if mask.get(at[0], at[1]) => SOLID,
                        Mark::Alpha => Color32::TRANSPARENT,
                    }
                })
            });
            if pane.zoom() >= OUTLINE_FROM {
                draw_outline(pane, mask);
            }
        }
        let size = area.map(f64::from);
        if pane.zoom() >= GRID_FROM {
            draw_grid(pane, size);
        }
        pane.painter.rect_stroke(pane.area(size), 0.0, Stroke::new(1.0, EDGE), StrokeKind::Outside);
        Ok(())
    }

    /// Does what the left button asks.
    fn press(&mut self, pane: &Pane, press: Press) {
        match press {
            Press::Down(pos) => {
                self.player.playing = false;
                self.begin(pane, pos);
                self.pull(pane.pixel(pos), pane.point(pos));
            }
            Press::Move(pos) => self.pull(pane.pixel(pos), pane.point(pos)),
            Press::Up => {
                if let Some(drag) = self.drag.take() {
                    self.names = matches!(drag, Drag::New(_)) && self.selected.is_some();
                    self.work.seal();
                }
            }
        }
    }

    /// Begins a drag.
    fn begin(&mut self, pane: &Pane, pos: Pos2) {
        self.work.seal();
        let (frame, pixel) = (self.player.frame(), pane.pixel(pos));
        self.drag = Some(match self.tool {
            Tool::Brush(_) => Drag::Stroke(pixel),
            Tool::Pivot => Drag::Pivot,
            Tool::Boxes => {
                let found = self.box_at(pane, pos);
                self.selected = found.map(|(place, _)| place);
                found.map_or(Drag::New(pixel), |(place, grip)| Drag::Bounds {
                    grip,
                    from: pixel,
                    before: self.work.boxes(frame)[place].clone(),
                })
            }
        });
    }

    /// Returns the box at a point of the window, and the part of it: the selected one, else the uppermost.
    fn box_at(&self, pane: &Pane, pos: Pos2) -> Option<(usize, Grip)> {
        let list = self.work.boxes(self.player.frame());
        let at = |place: usize| Some((place, Grip::at(list.get(place)?.bounds, pane, pos)?));
        let shown = if self.layers.boxes { list.len() } else { 0 };
        self.selected.and_then(at).or_else(|| (0..shown).rev().find_map(at))
    }

    /// Goes on with a drag.
    fn pull(&mut self, pixel: [i32; 2], point: [f64; 2]) {
        let frame = self.player.frame();
        match &mut self.drag {
            None => {}
            Some(Drag::Stroke(last)) => {
                let Tool::Brush(mark) = self.tool else { return };
                let from = std::mem::replace(last, pixel);
                let diameter = self.brush;
                let offsets = brush::line(from, pixel).map(|pixel| brush::offset(diameter, pixel));
                let stamp = brush::round(diameter).map_err(Into::into);
                let marked = stamp.and_then(|stamp| self.work.mark(frame, &stamp, offsets, mark));
                if let Err(error) = marked {
                    self.notice = Notice::Error(format!("{error:#}"));
                }
            }
            &mut Some(Drag::New(from)) => {
                let bounds = boxes::spanning(from, pixel);
                match self.selected {
                    Some(place) => {
                        let group = Some(Group::Bounds(place));
                        self.work.edit_boxes(frame, group, |list| list[place].bounds = bounds);
                    }
                    // A click does not make a box.
                    None if from == pixel => {}
                    None => {
                        let place = self.work.boxes(frame).len();
                        self.selected = Some(place);
                        let group = Some(Group::Bounds(place));
                        self.work.edit_boxes(frame, group, |list| list.push(NamedBox::new("", bounds)));
                    }
                }
            }
            Some(Drag::Bounds { grip, from, before }) => {
                let Some(place) = self.selected else { return };
                let by = [0, 1].map(|axis| pixel[axis] - from[axis]);
                let after = grip.dragged(before, by);
                self.work.edit_boxes(frame, Some(Group::Bounds(place)), |list| list[place] = after);
            }
            // Pivots lie on the edges and in the middles of pixels.
            Some(Drag::Pivot) => self.work.set_pivot(frame, point.map(|v| (v * 2.0).round() / 2.0)),
        }
    }

    /// Draws the brush at the pointer, or shows what a press would hold.
    fn draw_pointer(&self, ui: &Ui, pane: &Pane, response: &Response) {
        let Some(pos) = response.hover_pos() else { return };
        let pixel = pane.pixel(pos);
        match self.tool {
            Tool::Brush(mark) => {
                let [x, y] = brush::offset(self.brush, pixel).map(f64::from);
                let side = f64::from(self.brush);
                let colour = match mark {
                    Mark::Solid => Color32::from_rgb(140, 240, 160),
                    Mark::Empty => Color32::from_rgb(255, 120, 130),
                    Mark::Alpha => Color32::from_rgb(160, 210, 255),
                };
                let area = pane.area([x, y, side, side]);
                let radius = if self.brush > 2 { area.width() / 2.0 } else { 0.0 };
                pane.painter.rect_stroke(area, radius, Stroke::new(1.5, colour), StrokeKind::Middle);
                ui.set_cursor_icon(CursorIcon::Crosshair);
            }
            Tool::Pivot => ui.set_cursor_icon(CursorIcon::Crosshair),
            Tool::Boxes => {
                let grip = self.box_at(pane, pos).map_or(CursorIcon::Crosshair, |(_, grip)| grip.cursor());
                ui.set_cursor_icon(grip);
            }
        }
    }
}

fn draw_outline(pane: &Pane, mask: &Mask) {
    let [left, top, right, bottom] = pane.view();
    let [width, height] = mask.size().map(|side| side as i32);
    let [x, y] = [left.clamp(0, width), top.clamp(0, height)];
    let [w, h] = [right.clamp(0, width) - x, bottom.clamp(0, height) - y];
    let Ok(seen) = mask.cropped([x, y, w.max(1), h.max(1)]) else { return };
    let polygons = seen.polygons();
    let rings = polygons.iter().flat_map(|polygon| std::iter::once(&polygon.outline).chain(&polygon.holes));
    if rings.clone().map(Vec::len).sum::<usize>() > MOST_CORNERS {
        return;
    }
    for ring in rings {
        let points = ring.iter().map(|&[u, v]| pane.pos([x + u, y + v].map(f64::from))).collect();
        pane.painter.add(egui::Shape::closed_line(points, Stroke::new(1.5, OUTLINE)));
    }
}

fn draw_grid(pane: &Pane, [left, top, width, height]: [f64; 4]) {
    let area = pane.area([left, top, width, height]);
    let line = Stroke::new(1.0, Color32::from_white_alpha(10));
    let [from_x, from_y, to_x, to_y] = pane.view();
    for x in from_x.max(0)..to_x.min(width as i32) {
        pane.painter.vline(pane.pos([x.into(), 0.0]).x, area.y_range(), line);
    }
    for y in from_y.max(0)..to_y.min(height as i32) {
        pane.painter.hline(area.x_range(), pane.pos([0.0, y.into()]).y, line);
    }
}

fn draw_box(pane: &Pane, named: &NamedBox, is_selected: bool) {
    let colour = hue(&named.name);
    let area = pane.area(named.bounds.map(f64::from));
    let fill = if is_selected { 0.22 } else { 0.1 };
    pane.painter.rect_filled(area, 0.0, colour.gamma_multiply(fill));
    pane.painter.rect_stroke(area, 0.0, Stroke::new(if is_selected { 2.0 } else { 1.5 }, colour), StrokeKind::Inside);
    if let Some(centre) = named.centre {
        let centre = pane.area(centre.map(f64::from));
        pane.painter.rect_stroke(centre, 0.0, Stroke::new(1.0, colour.gamma_multiply(0.5)), StrokeKind::Inside);
    }
    if let Some([x, y]) = named.pivot {
        pane.painter.circle_stroke(pane.pos([x, y].map(f64::from)), 3.0, Stroke::new(1.0, colour));
    }
    let name = if named.name.is_empty() { "no name" } else { &named.name };
    let name = hitmask::internals::printable(&name.chars().take(40).collect::<String>());
    let galley = pane.painter.layout_no_wrap(name, FontId::proportional(12.0), Color32::from_rgb(16, 18, 28));
    let at = area.left_top() - Vec2::new(0.0, galley.size().y + 2.0);
    let label = Rect::from_min_size(at, galley.size() + Vec2::new(8.0, 2.0));
    pane.painter.rect_filled(label, 2.0, colour);
    pane.painter.galley(at + Vec2::new(4.0, 1.0), galley, Color32::BLACK);
    if is_selected {
        for align in [
            Align2::LEFT_TOP,
            Align2::CENTER_TOP,
            Align2::RIGHT_TOP,
            Align2::LEFT_CENTER,
            Align2::RIGHT_CENTER,
            Align2::LEFT_BOTTOM,
            Align2::CENTER_BOTTOM,
            Align2::RIGHT_BOTTOM,
        ] {
            let handle = Rect::from_center_size(align.pos_in_rect(&area), Vec2::splat(HANDLE));
            pane.painter.rect(handle, 1.0, Color32::WHITE, Stroke::new(1.0, colour), StrokeKind::Inside);
        }
    }
}

fn draw_pivot(pane: &Pane, pivot: [f64; 2]) {
    let at = pane.pos(pivot);
    for (width, colour) in [(3.5, Color32::from_black_alpha(150)), (1.5, PIVOT)] {
        let line = Stroke::new(width, colour);
        pane.painter.circle_stroke(at, 5.0, line);
        pane.painter.hline(at.x - 9.0..=at.x + 9.0, at.y, line);
        pane.painter.vline(at.x, at.y - 9.0..=at.y + 9.0, line);
    }
}
