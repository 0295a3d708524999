//! The keys of the editor.

use egui::{Key, Modifiers, Ui};
use hitmask_files::Mark;

use super::history::Group;
use super::{SheetEditor, Tool, boxes, brush};

/// The keys and their functions.
pub(super) const KEYS: [(&str, &str); 12] = [
    ("V, P, E, A, O", "boxes, paint, erase, as the alpha, pivot"),
    ("[ and ]", "size of the brush"),
    ("Space", "play and stop"),
    (", and . or arrows", "frame before and after"),
    ("arrows", "move the selected box by a pixel"),
    ("Shift and arrows", "move its right and lower sides"),
    ("Delete", "delete the selected box"),
    ("Ctrl+Z, Ctrl+Y", "undo, redo"),
    ("Ctrl+S", "save"),
    ("M, B", "show the mask, the boxes"),
    ("wheel, right drag", "zoom, move the view; Home shows all"),
    ("Esc", "select nothing; then back to the scenes"),
];

impl SheetEditor {
    pub(super) fn keys(&mut self, ui: &mut Ui) {
        let command = |key| ui.input_mut(|input| input.consume_key(Modifiers::COMMAND, key));
        let redo = ui.input_mut(|input| input.consume_key(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z));
        if command(Key::S) {
            self.save();
        }
        // A field of text takes all keys, and undoes its own changes.
        if ui.ctx().text_edit_focused() || self.leaving.is_some() {
            return;
        }
        if redo || command(Key::Y) {
            self.undo(true);
        } else if command(Key::Z) {
            self.undo(false);
        }
        let pressed: Vec<(Key, Modifiers)> = ui.input(|input| {
            let keys = input.events.iter().filter_map(|event| match event {
                egui::Event::Key { key, pressed: true, modifiers, .. } if !modifiers.command => {
                    Some((*key, *modifiers))
                }
                _ => None,
            });
            keys.collect()
        });
        // A button or a slider that Tab has reached takes the keys that work it.
        let is_reached = ui.ctx().egui_wants_keyboard_input();
        let works = [Key::Space, Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown];
        for (key, modifiers) in pressed {
            if !is_reached || !works.contains(&key) {
                self.key(key, modifiers);
            }
        }
    }

    fn key(&mut self, key: Key, modifiers: Modifiers) {
        match key {
            Key::V => self.choose(Tool::Boxes),
            Key::P => self.choose(Tool::Brush(Mark::Solid)),
            Key::E => self.choose(Tool::Brush(Mark::Empty)),
            Key::A => self.choose(Tool::Brush(Mark::Alpha)),
            Key::O => self.choose(Tool::Pivot),
            Key::OpenBracket => self.brush = self.brush.saturating_sub(1).max(1),
            Key::CloseBracket => self.brush = (self.brush + 1).min(brush::LARGEST),
            Key::Space => {
                self.play(!self.player.playing);
                self.frame_changed();
            }
            Key::Comma => self.step(-1),
            Key::Period => self.step(1),
            Key::ArrowLeft => self.arrow([-1, 0], modifiers),
            Key::ArrowRight => self.arrow([1, 0], modifiers),
            Key::ArrowUp => self.arrow([0, -1], modifiers),
            Key::ArrowDown => self.arrow([0, 1], modifiers),
            Key::Delete | Key::Backspace => self.delete(),
            Key::Escape => match self.selected.take() {
                Some(_) => self.work.seal(),
                None => self.leaving = Some(crate::document::Leave::Close),
            },
            Key::M => self.layers.mask = !self.layers.mask,
            Key::B => self.layers.boxes = !self.layers.boxes,
            Key::Home => self.canvas.go_home(),
            _ => {}
        }
    }

    pub(super) fn choose(&mut self, tool: Tool) {
        (self.tool, self.drag) = (tool, None);
        self.work.seal();
        if tool != Tool::Boxes {
            self.selected = None;
        }
    }

    pub(super) fn step(&mut self, by: isize) {
        self.player.step(self.work.art(), by);
        self.frame_changed();
    }

    /// Moves the selected box by pixels, or its right and lower sides; without one, steps through the frames.
    fn arrow(&mut self, by: [i32; 2], modifiers: Modifiers) {
        let Some(place) = self.selected else {
            return self.step(by[0] as isize);
        };
        self.work.edit_boxes(self.player.frame(), Some(Group::Bounds(place)), |list| {
            if modifiers.shift {
                let [_, _, width, height] = &mut list[place].bounds;
                (*width, *height) = ((*width + by[0]).max(1), (*height + by[1]).max(1));
            } else {
                list[place] = boxes::moved(&list[place], by);
            }
        });
    }
}
