//! The look that all documents share.

use std::hash::{DefaultHasher, Hash, Hasher};

use egui::{Color32, RichText, Ui};

use crate::panel::{FAINT, INK, PAPER, WARM, WIDTH};

/// A message about the last action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Notice {
    #[default]
    None,
    Done(String),
    Error(String),
}

impl Notice {
    pub(crate) fn show(&self, ui: &mut Ui) {
        match self {
            Self::None => {}
            Self::Done(text) => drop(ui.label(RichText::new(text).color(FAINT))),
            Self::Error(text) => drop(ui.label(RichText::new(text).color(WARM))),
        }
    }
}

/// Shows the panel at the right.
pub(crate) fn side_panel(ui: &mut Ui, contents: impl FnOnce(&mut Ui)) {
    let frame = egui::Frame::new().fill(PAPER).inner_margin(egui::Margin::symmetric(12, 10));
    egui::Panel::right("document").exact_size(WIDTH).show_separator_line(false).resizable(false).frame(frame).show(
        ui,
        |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, contents);
        },
    );
}

/// Shows the name of a file as a headline.
pub(crate) fn headline(ui: &mut Ui, name: &str) {
    let name = RichText::new(hitmask::internals::printable(name)).size(17.0).strong().color(Color32::WHITE);
    ui.add(egui::Label::new(name).truncate());
}

/// Shows the title of a section.
pub(crate) fn section(ui: &mut Ui, title: &str) {
    ui.add_space(4.0);
    ui.separator();
    ui.add_space(1.0);
    ui.label(RichText::new(title).color(FAINT));
}

/// Shows a name at the left and its value at the right.
pub(crate) fn row(ui: &mut Ui, name: &str, value: impl Into<String>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(name).color(FAINT));
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.add(egui::Label::new(RichText::new(value).color(INK)).truncate());
        });
    });
}

/// Shows keys and their functions.
pub(crate) fn keys(ui: &mut Ui, keys: &[(&str, &str)]) {
    egui::Grid::new("keys").num_columns(2).spacing([10.0, 1.0]).show(ui, |ui| {
        for &(key, does) in keys {
            ui.label(RichText::new(key).small().color(INK));
            ui.label(RichText::new(does).small().color(FAINT));
            ui.end_row();
        }
    });
}

/// Returns the colour of a name: equal names have equal colours.
pub(crate) fn hue(name: &str) -> Color32 {
    const HUES: [Color32; 7] = [
        Color32::from_rgb(255, 122, 89),
        Color32::from_rgb(122, 220, 130),
        Color32::from_rgb(255, 196, 72),
        Color32::from_rgb(198, 140, 255),
        Color32::from_rgb(92, 206, 214),
        Color32::from_rgb(255, 130, 190),
        Color32::from_rgb(188, 214, 96),
    ];
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    HUES[(hasher.finish() % HUES.len() as u64) as usize]
}
