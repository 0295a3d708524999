//! The panel of the editor: the file, the tools, the boxes and the keys.

use egui::{DragValue, RichText, Slider, TextEdit, Ui};
use hitmask_files::Mark;

use super::history::Group;
use super::keys::KEYS;
use super::{SheetEditor, Tool, brush, short};
use crate::document::{Leave, headline, hue, keys, row, section, side_panel};
use crate::panel::{FAINT, INK, WARM};

/// The largest distance of a box from the frame's corner that the panel offers, in pixels.
const FAR: i32 = 1 << 16;

impl SheetEditor {
    pub(super) fn panel(&mut self, ui: &mut Ui) {
        side_panel(ui, |ui| {
            self.header(ui);
            section(ui, "frame");
            self.frame_section(ui);
            section(ui, "mask");
            self.mask_section(ui);
            section(ui, "boxes");
            self.box_section(ui);
            section(ui, "keys");
            keys(ui, &KEYS);
        });
    }

    fn header(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| headline(ui, &self.work.retouch().sheet));
        ui.horizontal(|ui| {
            let save =
                if self.is_unsaved() { RichText::new("Save").strong().color(WARM) } else { RichText::new("Save") };
            let target = format!("writes {}; the artist's file stays as it is", self.file.path().display());
            if ui.button(save).on_hover_text(target).clicked() {
                self.save();
            }
            let copy = "writes to a new file beside it";
            if ui.button("Save a copy").on_hover_text(copy).clicked() {
                self.save_copy();
            }
            if ui.add_enabled(self.work.can_undo(), egui::Button::new("Undo")).clicked() {
                self.undo(false);
            }
            if ui.add_enabled(self.work.can_redo(), egui::Button::new("Redo")).clicked() {
                self.undo(true);
            }
            if ui.button("Scenes").on_hover_text("back to the scenes").clicked() {
                self.leave(Leave::Close);
            }
        });
        self.notice.show(ui);
    }

    fn frame_section(&mut self, ui: &mut Ui) {
        let (frame, count) = (self.player.frame(), self.work.art().frames.len());
        ui.horizontal(|ui| {
            if ui.button("<").on_hover_text("the frame before").clicked() {
                self.step(-1);
            }
            if ui.button(if self.player.playing { "  stop  " } else { "  play  " }).clicked() {
                self.play(!self.player.playing);
                self.frame_changed();
            }
            if ui.button(">").on_hover_text("the next frame").clicked() {
                self.step(1);
            }
            let tags = &self.work.art().tags;
            let name = |tag: Option<usize>| tag.map_or("all frames".into(), |tag| short(&tags[tag].name));
            let mut chosen = self.player.tag();
            egui::ComboBox::from_id_salt("tag").selected_text(name(chosen)).truncate().show_ui(ui, |ui| {
                for tag in std::iter::once(None).chain((0..tags.len()).map(Some)) {
                    ui.selectable_value(&mut chosen, tag, name(tag));
                }
            });
            if chosen != self.player.tag() {
                self.choose_tag(chosen);
            }
        });
        let own = &self.work.art().frames[frame];
        let [width, height] = self.work.size(frame);
        row(ui, "frame", format!("{frame} of {count}, {} ms", own.duration.as_millis()));
        if !own.name.is_empty() {
            row(ui, "name", hitmask::internals::printable(&own.name));
        }
        row(ui, "size", format!("{width} x {height}"));
        let pivot = self.work.pivot(frame).map_or("none".into(), |[x, y]| format!("{x}, {y}"));
        row(ui, "pivot", pivot);
        let image = self.work.art().frames[frame].image.clone();
        let under = self.under.map_or("nothing".into(), |[x, y]| match image.get_pixel_checked(x as u32, y as u32) {
            Some(pixel) => format!("{x}, {y}: alpha {}", pixel[3]),
            None => format!("{x}, {y}: outside"),
        });
        row(ui, "under the pointer", under);
    }

    fn mask_section(&mut self, ui: &mut Ui) {
        let frame = self.player.frame();
        ui.horizontal(|ui| {
            for (tool, name, what) in [
                (Tool::Boxes, "boxes", "draw, move and resize boxes (V)"),
                (Tool::Brush(Mark::Solid), "paint", "texels are solid, whatever their alpha is (P)"),
                (Tool::Brush(Mark::Empty), "erase", "texels are empty, whatever their alpha is (E)"),
                (Tool::Brush(Mark::Alpha), "as alpha", "texels follow the threshold again (A)"),
                (Tool::Pivot, "pivot", "set the pivot of the frame (O)"),
            ] {
                if ui.selectable_label(self.tool == tool, name).on_hover_text(what).clicked() {
                    self.choose(tool);
                }
            }
        });
        let mut threshold = self.work.retouch().threshold;
        ui.horizontal(|ui| {
            let slider = ui.add(Slider::new(&mut threshold, 1..=255));
            ui.label(RichText::new("threshold").color(FAINT))
                .on_hover_text("a texel is solid if its alpha is at least this");
            if slider.drag_stopped() || slider.lost_focus() {
                self.work.seal();
            }
        });
        self.work.set_threshold(threshold);
        ui.horizontal(|ui| {
            ui.add(Slider::new(&mut self.brush, 1..=brush::LARGEST));
            ui.label(RichText::new("brush").color(FAINT));
        });
        ui.horizontal(|ui| {
            ui.checkbox(&mut self.layers.mask, "mask");
            ui.checkbox(&mut self.layers.boxes, "boxes");
        });
        let [width, height] = self.work.size(frame);
        if let Ok((mask, _)) = self.work.mask(frame) {
            row(ui, "solid texels", format!("{} of {}", mask.count(), u64::from(width) * u64::from(height)));
        }
    }

    fn box_section(&mut self, ui: &mut Ui) {
        let frame = self.player.frame();
        let list = self.work.boxes(frame).to_vec();
        if list.is_empty() {
            ui.label(RichText::new("none in this frame: draw one with the tool `boxes`").small().color(FAINT));
        }
        for (place, named) in list.iter().enumerate() {
            let is_selected = self.selected == Some(place);
            let name = if named.name.is_empty() { "(no name)" } else { &named.name };
            let name = short(name);
            let [x, y, width, height] = named.bounds;
            ui.horizontal(|ui| {
                let label = RichText::new(name).color(hue(&named.name));
                if ui.selectable_label(is_selected, label).clicked() {
                    self.choose(Tool::Boxes);
                    self.selected = Some(place);
                }
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.label(RichText::new(format!("{x}, {y}, {width} x {height}")).small().color(FAINT));
                });
            });
        }
        if let Some(place) = self.selected.filter(|&place| place < list.len()) {
            self.selected_box(ui, frame, place, &list[place]);
        }
    }

    fn selected_box(&mut self, ui: &mut Ui, frame: usize, place: usize, named: &hitmask_files::NamedBox) {
        let (mut name, mut data, mut bounds) = (named.name.to_string(), named.data.to_string(), named.bounds);
        egui::Grid::new("box").num_columns(2).spacing([10.0, 4.0]).show(ui, |ui| {
            ui.label(RichText::new("name").color(FAINT));
            let field = ui.add(TextEdit::singleline(&mut name).hint_text("name").desired_width(210.0).text_color(INK));
            if std::mem::take(&mut self.names) {
                field.request_focus();
            }
            ui.end_row();
            ui.label(RichText::new("data").color(FAINT));
            let other =
                ui.add(TextEdit::singleline(&mut data).hint_text("damage=2").desired_width(210.0).text_color(INK));
            if field.lost_focus() || other.lost_focus() {
                self.work.seal();
            }
            ui.end_row();
            ui.label(RichText::new("x, y, size").color(FAINT));
            ui.horizontal(|ui| {
                for (axis, least) in [(0, -FAR), (1, -FAR), (2, 1), (3, 1)] {
                    let value = ui.add(
                        DragValue::new(&mut bounds[axis]).range(least..=FAR).clamp_existing_to_range(false).speed(0.2),
                    );
                    if value.drag_stopped() || value.lost_focus() {
                        self.work.seal();
                    }
                }
            });
            ui.end_row();
        });
        if name != *named.name || data != *named.data {
            self.work.edit_boxes(frame, Some(Group::Text(place)), |list| {
                (list[place].name, list[place].data) = (name.into(), data.into());
            });
        }
        if bounds != named.bounds {
            self.work.edit_boxes(frame, Some(Group::Bounds(place)), |list| list[place].bounds = bounds);
        }
        ui.horizontal(|ui| {
            if ui.button("Delete").clicked() {
                self.delete();
            }
            let tag = self.player.tag().map(|tag| &self.work.art().tags[tag]);
            let frames = tag.map_or(0..self.work.art().frames.len(), |tag| tag.frames.clone());
            let to =
                tag.map_or("Copy to all frames".into(), |tag| format!("Copy to all frames of {}", short(&tag.name)));
            let what = "in each other frame it replaces the box of its name, or is added";
            if ui.add(egui::Button::new(to).truncate()).on_hover_text(what).clicked() {
                let named = named.clone();
                self.work.copy_box(&named, frames.filter(|&other| other != frame));
            }
        });
    }
}
