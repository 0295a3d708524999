//! The panel and the keys of the viewer: layers, the tile under the pointer, and tiles to put.

use std::collections::BTreeSet;

use egui::{Color32, Key, Modifiers, RichText, Sense, Stroke, StrokeKind, Ui, Vec2};
use hitmask_files::level::{Content, Properties, Tile, Value};
use hitmask_files::terrain::Source;

use super::{LevelViewer, Tool, objects};
use crate::document::{Leave, headline, hue, keys, row, section, side_panel};
use crate::panel::{FAINT, INK};

/// The keys and their functions.
const KEYS: [(&str, &str); 8] = [
    ("V, P, E", "look, put tiles, take tiles"),
    ("I", "choose the tile under the pointer"),
    ("left drag", "put or take tiles"),
    ("Ctrl+Z, Ctrl+Y", "undo, redo"),
    ("B, O", "show bodies, objects"),
    ("1 to 9", "show a layer"),
    ("wheel, right drag", "zoom, move the view; Home shows all"),
    ("Esc", "back to the scenes"),
];

/// The side of a tile in the palette, in points, and the most tiles that are shown.
const SWATCH: f32 = 30.0;
const MOST: u32 = 4096;

impl LevelViewer {
    pub(super) fn keys(&mut self, ui: &mut Ui) {
        if ui.ctx().text_edit_focused() {
            return;
        }
        let redo = ui.input_mut(|input| {
            input.consume_key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z)
                || input.consume_key(Modifiers::COMMAND, Key::Y)
        });
        if redo {
            self.undo(true);
        } else if ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, Key::Z)) {
            self.undo(false);
        }
        let pressed = |key| ui.input(|input| !input.modifiers.command && input.key_pressed(key));
        for (key, tool) in [(Key::V, Tool::Look), (Key::P, Tool::Put), (Key::E, Tool::Erase)] {
            if pressed(key) {
                self.tool = tool;
            }
        }
        if pressed(Key::I) {
            self.pick();
        }
        for (key, flag) in [(Key::B, &mut self.bodies), (Key::O, &mut self.objects)] {
            *flag ^= pressed(key);
        }
        let digits =
            [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6, Key::Num7, Key::Num8, Key::Num9];
        for (key, shown) in digits.into_iter().zip(&mut self.shown) {
            *shown ^= pressed(key);
        }
        if pressed(Key::Home) {
            self.canvas.go_home();
        }
        if pressed(Key::Escape) {
            self.leave(Leave::Close);
        }
    }

    /// Chooses the tile under the pointer and its layer.
    fn pick(&mut self) {
        if let Some((layer, _, tile)) = self.under.and_then(|point| self.tile_at(point)) {
            (self.layer, self.tile, self.tool) = (Some(layer), Some(tile), Tool::Put);
        }
    }

    pub(super) fn panel(&mut self, ui: &mut Ui) {
        side_panel(ui, |ui| {
            self.header(ui);
            section(ui, "layers");
            self.layer_section(ui);
            section(ui, "bodies");
            self.body_section(ui);
            section(ui, "under the pointer");
            self.pointer_section(ui);
            section(ui, "tiles");
            self.tile_section(ui);
            section(ui, "keys");
            keys(ui, &KEYS);
        });
    }

    fn header(&mut self, ui: &mut Ui) {
        headline(ui, &self.path.file_name().unwrap_or_default().to_string_lossy());
        ui.horizontal(|ui| {
            if ui.add_enabled(!self.past.is_empty(), egui::Button::new("Undo")).clicked() {
                self.undo(false);
            }
            if ui.add_enabled(!self.future.is_empty(), egui::Button::new("Redo")).clicked() {
                self.undo(true);
            }
            if ui.button("Scenes").on_hover_text("back to the scenes").clicked() {
                self.leave(Leave::Close);
            }
        });
        ui.label(RichText::new("Changes of tiles are for a try: they are not saved.").small().color(FAINT));
        self.notice.show(ui);
    }

    fn layer_section(&mut self, ui: &mut Ui) {
        for index in (0..self.level.layers.len()).rev() {
            let layer = &self.level.layers[index];
            let what = match &layer.content {
                Content::Tiles(cells) => format!("{} x {}", cells.size[0], cells.size[1]),
                Content::Objects(objects) => match objects.len() {
                    1 => "1 object".into(),
                    count => format!("{count} objects"),
                },
                _ => "an image, not read".into(),
            };
            let room = self.level.rooms.get(layer.room).map_or("", |room| &room.name);
            let name = if room.is_empty() { layer.name.clone() } else { format!("{room}: {}", layer.name) };
            ui.horizontal(|ui| {
                ui.checkbox(&mut self.shown[index], "");
                let label = ui.selectable_label(self.layer == Some(index), hitmask::internals::printable(&name));
                if label.on_hover_text("tiles are put here").clicked() && layer.cells().is_some() {
                    self.layer = Some(index);
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.label(RichText::new(what).small().color(FAINT));
                });
            });
        }
    }

    fn body_section(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            ui.checkbox(&mut self.bodies, "show");
            let mut source = self.ground.source();
            for (value, name) in [(Source::Shapes, "shapes"), (Source::Pixels, "pixels"), (Source::Boxes, "boxes")] {
                ui.selectable_value(&mut source, value, name);
            }
            if source != self.ground.source() {
                self.set_source(source);
            }
        });
        row(ui, "polygons", self.ground.count().to_string());
        ui.checkbox(&mut self.objects, "objects");
    }

    fn pointer_section(&mut self, ui: &mut Ui) {
        let Some(point) = self.under else {
            ui.label(RichText::new("nothing").color(FAINT));
            return;
        };
        row(ui, "pixel", format!("{}, {}", point[0].floor(), point[1].floor()));
        if let Some((layer, [column, row_number], tile)) = self.tile_at(point) {
            let (layer, info) = (&self.level.layers[layer], self.level.tile(tile));
            let tileset = self.level.tilesets.get(usize::from(tile.tileset)).map_or("", |tileset| &tileset.name);
            row(ui, "layer", hitmask::internals::printable(&layer.name));
            row(ui, "cell", format!("{column}, {row_number}"));
            row(ui, "tile", format!("{} of {}{}", tile.id, hitmask::internals::printable(tileset), flips(tile)));
            if !info.class.is_empty() {
                row(ui, "class", hitmask::internals::printable(&info.class));
            }
            properties(ui, &info.properties);
        }
        let layers = self.level.layers.iter().enumerate().rev();
        let found = layers.filter(|(index, _)| self.shown[*index]).find_map(|(_, layer)| objects::at(layer, point));
        if let Some(object) = found.filter(|_| self.objects) {
            row(ui, "object", format!("{} {}", object.id, hitmask::internals::printable(&object.name)));
            if !object.class.is_empty() {
                row(ui, "class", hitmask::internals::printable(&object.class));
            }
            properties(ui, &object.properties);
        }
    }

    fn tile_section(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            for (tool, name) in [(Tool::Look, "look"), (Tool::Put, "put"), (Tool::Erase, "take")] {
                ui.selectable_value(&mut self.tool, tool, name);
            }
        });
        let Some((layer, cells)) = self.layer.and_then(|layer| Some((layer, self.level.layers[layer].cells()?))) else {
            ui.label(RichText::new("no layer of tiles is chosen").small().color(FAINT));
            return;
        };
        let used = self.used.entry(layer).or_insert_with(|| {
            let used: BTreeSet<u16> = cells.iter().map(|(_, tile)| tile.tileset).collect();
            // An empty layer may have any.
            if used.is_empty() { (0..self.level.tilesets.len() as u16).collect() } else { used.into_iter().collect() }
        });
        let used = used.clone();
        for tileset in used {
            let Some(own) = self.level.tilesets.get(usize::from(tileset)) else { continue };
            let name = hitmask::internals::printable(&own.name);
            let ids: Vec<u32> = (0..MOST).filter(|&id| own.contains(id)).collect();
            egui::CollapsingHeader::new(name).id_salt(tileset).default_open(true).show(ui, |ui| {
                self.swatches(ui, tileset, &ids);
            });
        }
    }

    fn swatches(&mut self, ui: &mut Ui, tileset: u16, ids: &[u32]) {
        let columns = ((ui.available_width() / (SWATCH + 2.0)) as usize).max(1);
        let rows = ids.len().div_ceil(columns);
        let size = Vec2::new(ui.available_width(), rows as f32 * (SWATCH + 2.0));
        let (area, response) = ui.allocate_exact_size(size, Sense::click());
        for (place, &id) in ids.iter().enumerate() {
            let at = Vec2::new((place % columns) as f32, (place / columns) as f32) * (SWATCH + 2.0);
            let swatch = egui::Rect::from_min_size(area.min + at, Vec2::splat(SWATCH));
            if !ui.is_rect_visible(swatch) {
                continue;
            }
            let tile = Tile::new(tileset, id);
            ui.painter().rect_filled(swatch, 2.0, Color32::from_rgb(13, 15, 24));
            if let Some(texture) = self.pictures.texture(ui.ctx(), &self.level, tile) {
                let [width, height] = texture.size().map(|side| side as f32);
                let picture = Vec2::new(width, height) * (SWATCH / width.max(height));
                let uv = egui::Rect::from_min_max([0.0, 0.0].into(), [1.0, 1.0].into());
                let rect = egui::Rect::from_center_size(swatch.center(), picture);
                ui.painter().image(texture.id(), rect, uv, Color32::WHITE);
            } else {
                let class = &self.level.tile(tile).class;
                let colour = hue(&format!("{class} {id}")).gamma_multiply(0.5);
                ui.painter().rect_filled(swatch, 2.0, colour);
                let font = egui::FontId::proportional(11.0);
                ui.painter().text(swatch.center(), egui::Align2::CENTER_CENTER, id.to_string(), font, INK);
            }
            if self.tile.is_some_and(|own| (own.tileset, own.id) == (tileset, id)) {
                ui.painter().rect_stroke(swatch, 2.0, Stroke::new(2.0, Color32::WHITE), StrokeKind::Outside);
            }
            if response.clicked() && response.interact_pointer_pos().is_some_and(|pos| swatch.contains(pos)) {
                (self.tile, self.tool) = (Some(tile), Tool::Put);
            }
        }
    }
}

fn flips(tile: Tile) -> String {
    let names = [(tile.flips.diagonal, "diagonal"), (tile.flips.x, "x"), (tile.flips.y, "y")];
    let names: Vec<&str> = names.into_iter().filter(|(is_set, _)| *is_set).map(|(_, name)| name).collect();
    if names.is_empty() { String::new() } else { format!(", flipped {}", names.join(", ")) }
}

fn properties(ui: &mut Ui, properties: &Properties) {
    for (name, value) in properties.iter() {
        row(ui, &hitmask::internals::printable(name), hitmask::internals::printable(&text(value)));
    }
}

/// Returns the text of a property.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => value.to_string(),
        Value::Text(text) | Value::File(text) => text.clone(),
        Value::Object(id) => format!("object {id}"),
        Value::Class(members) => {
            let members: Vec<String> = members.iter().map(|(name, value)| format!("{name}: {}", text(value))).collect();
            format!("{{ {} }}", members.join(", "))
        }
        Value::List(items) => format!("[{}]", items.iter().map(text).collect::<Vec<_>>().join(", ")),
        _ => "a value of another kind".into(),
    }
}
