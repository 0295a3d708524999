//! The canvas: layers, objects, bodies, and the cell under the pointer.

use egui::{Color32, CursorIcon, Pos2, Stroke, StrokeKind, Ui};
use hitmask_files::Level;
use hitmask_files::level::Content;

use super::{Drag, LevelViewer, Tool, objects, pictures};
use crate::document::{Pane, Press};

const GROUND: Color32 = Color32::from_rgb(13, 15, 24);
const ROOM: Color32 = Color32::from_rgb(24, 27, 41);
const EDGE: Color32 = Color32::from_rgb(84, 92, 120);
const BODY: Color32 = Color32::from_rgb(255, 164, 62);
/// The most segments of outlines that are drawn.
const MOST_SEGMENTS: usize = 60_000;

impl LevelViewer {
    pub(super) fn canvas(&mut self, ui: &mut Ui) {
        let level = &self.level;
        let (pane, response) = self.canvas.show(ui, self.tool == Tool::Look, || home(level));
        let pointer = response.hover_pos().or(response.interact_pointer_pos());
        self.under = pointer.map(|pos| pane.point(pos));
        for press in self.canvas.presses(ui, &pane) {
            self.press(&pane, press);
        }
        pane.painter.rect_filled(pane.rect, 0.0, GROUND);
        for room in &self.level.rooms {
            let area = pane.area([room.at[0], room.at[1], room.size[0], room.size[1]]);
            pane.painter.rect_filled(area, 0.0, ROOM);
            pane.painter.rect_stroke(area, 0.0, Stroke::new(1.0, EDGE), StrokeKind::Outside);
        }
        for (index, layer) in self.level.layers.iter().enumerate().filter(|(index, _)| self.shown[*index]) {
            match &layer.content {
                Content::Tiles(_) => {
                    let reach = pictures::reach(&self.level, index);
                    let (level, pictures) = (&self.level, &mut self.pictures);
                    let view = pane.view();
                    self.mosaic.draw(&pane, index, view, layer.opacity as f32, |part| {
                        pictures.paint(level, index, reach, part)
                    });
                }
                Content::Objects(_) if self.objects => {
                    objects::draw(&pane, &self.level, layer, &mut self.pictures);
                }
                _ => {}
            }
        }
        if self.bodies {
            self.draw_bodies(&pane);
        }
        if let Some(point) = self.under.filter(|_| response.contains_pointer()) {
            self.draw_cell(ui, &pane, point);
        }
    }

    fn draw_bodies(&self, pane: &Pane) {
        let [left, top, right, bottom] = pane.view().map(f64::from);
        let is_seen = |[x, y, to_x, to_y]: [f64; 4]| x <= right && to_x >= left && y <= bottom && to_y >= top;
        let mut drawn = 0;
        for outline in self.ground.outlines().filter(|outline| is_seen(outline.bounds)) {
            for ring in &outline.rings {
                for (a, b) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                    let bounds = [a[0].min(b[0]), a[1].min(b[1]), a[0].max(b[0]), a[1].max(b[1])];
                    if is_seen(bounds) && drawn < MOST_SEGMENTS {
                        drawn += 1;
                        pane.painter.line_segment([pane.pos(*a), pane.pos(*b)], Stroke::new(1.5, BODY));
                    }
                }
            }
        }
    }

    /// Draws the cell under the pointer, and in it the tile that a press would put there.
    fn draw_cell(&mut self, ui: &Ui, pane: &Pane, point: [f64; 2]) {
        let found = match self.tool {
            Tool::Look => self.tile_at(point).map(|(layer, cell, _)| (layer, cell)),
            Tool::Put | Tool::Erase => self.layer.and_then(|layer| Some((layer, self.cell_at(layer, point)?))),
        };
        let Some((index, cell)) = found else { return };
        let layer = &self.level.layers[index];
        let Some(cells) = layer.cells() else { return };
        let [width, height] = cells.size.map(f64::from);
        let [x, y] = [0, 1].map(|axis| layer.offset[axis] + f64::from(cell[axis]) * f64::from(cells.size[axis]));
        if let (Tool::Put, Some(tile)) = (self.tool, self.tile)
            && let Some([left, top, right, bottom]) = pictures::area(&self.level, index, cell, tile)
            && let Some(texture) = self.pictures.texture(ui.ctx(), &self.level, tile)
        {
            let area = pane.area([left, top, right - left, bottom - top].map(f64::from));
            let uv = egui::Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
            pane.painter.image(texture.id(), area, uv, Color32::from_white_alpha(150));
        }
        let colour = if self.tool == Tool::Erase { Color32::from_rgb(255, 120, 130) } else { Color32::WHITE };
        pane.painter.rect_stroke(pane.area([x, y, width, height]), 0.0, Stroke::new(1.5, colour), StrokeKind::Inside);
        if self.tool != Tool::Look {
            ui.set_cursor_icon(CursorIcon::Crosshair);
        }
    }

    /// Does what the left button asks.
    fn press(&mut self, pane: &Pane, press: Press) {
        let (from, to) = match (press, self.drag) {
            (Press::Down(pos), _) => (pos, pos),
            (Press::Move(pos), Some(drag)) => (drag.last, pos),
            (Press::Move(_), None) => return,
            (Press::Up, _) => {
                self.drag = None;
                return;
            }
        };
        let has_changed = !matches!(press, Press::Down(_)) && self.drag.is_some_and(|drag| drag.has_changed);
        self.drag = Some(Drag { last: to, has_changed });
        let Some(layer) = self.layer else { return };
        let tile = match self.tool {
            Tool::Look => return,
            Tool::Put if self.tile.is_none() => return,
            Tool::Put => self.tile,
            Tool::Erase => None,
        };
        // A fast pointer skips cells.
        let ends = [from, to].map(|pos| self.cell_at(layer, pane.point(pos)));
        let [Some(a), Some(b)] = ends else { return };
        let count = (b[0] - a[0]).abs().max((b[1] - a[1]).abs());
        for k in 0..=count {
            let share = f64::from(k) / f64::from(count.max(1));
            let cell = [0, 1].map(|axis| a[axis] + (f64::from(b[axis] - a[axis]) * share).round() as i32);
            self.change(cell, tile);
        }
    }
}

/// Returns the part of the level to show first, `[left, top, right, bottom]`.
fn home(level: &Level) -> [f64; 4] {
    let rooms = level.rooms.iter().filter(|room| room.size[0] > 0.0);
    let rooms = rooms.map(|room| [room.at[0], room.at[1], room.at[0] + room.size[0], room.at[1] + room.size[1]]);
    let layers = level.layers.iter().filter_map(|layer| {
        let cells = layer.cells()?;
        let [column, row, columns, rows] = cells.bounds()?.map(f64::from);
        let [width, height] = cells.size.map(f64::from);
        let [x, y] = layer.offset;
        Some([x + column * width, y + row * height, x + (column + columns) * width, y + (row + rows) * height])
    });
    let join = |a: [f64; 4], b: [f64; 4]| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])];
    let [left, top, right, bottom] = rooms.chain(layers).reduce(join).unwrap_or([0.0, 0.0, 64.0, 64.0]);
    [left - 8.0, top - 8.0, right + 8.0, bottom + 8.0]
}
