//! The panel: controls, counts, costs, and keys.

use egui::{Color32, RichText, Ui};
use hitmask::Touch;
use hitmask::cpu::Broad;

use crate::controls::{Backend, Controls, REFERENCE_BODIES, Source};
use crate::frame::Overlay;
use crate::game::Game;
use crate::graph::Graph;
use crate::host::Host;
use crate::picture::Picture;
use crate::platform;
use crate::scenes::Kind;

/// The width of the panel, in points.
pub(crate) const WIDTH: f32 = 332.0;

pub(crate) const INK: Color32 = Color32::from_rgb(214, 219, 232);
pub(crate) const FAINT: Color32 = Color32::from_rgb(136, 144, 168);
pub(crate) const WARM: Color32 = Color32::from_rgb(255, 148, 84);
pub(crate) const PAPER: Color32 = Color32::from_rgb(24, 27, 41);

/// The keys and their functions.
const KEYS: [(&str, &str); 11] = [
    ("drag, wheel", "move a body; zoom at the pointer"),
    ("right drag, arrows", "move the view; Home shows all"),
    ("Space", "pause and resume"),
    (". or N", "a single step"),
    ("1 to 7, 8", "scenes; the scene file"),
    ("arrows, X", "play the cave and the laser"),
    ("+, -, R", "more, fewer bodies; restart"),
    ("G, P", "engine, broad phase"),
    ("T, M", "touching, motions"),
    ("L, B, C, W", "lit pixels, bounds, candidates, ways"),
    ("S, F12, O", "save this step, a picture, a replay"),
];

/// A request by a click in the panel, beyond the controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Click {
    Step,
    Save,
    Shot,
    Record,
    Home,
    Restart,
}

/// The panel's own state.
#[derive(Default)]
pub(crate) struct Panel {
    /// The last error, shown until something succeeds.
    pub(crate) error: Option<String>,
    /// A message about the last action.
    pub(crate) message: Option<String>,
    /// The progress of the engine that is being opened.
    pub(crate) opening: Option<String>,
    pub(crate) click: Option<Click>,
    /// The body under the pointer.
    pub(crate) under: Option<String>,
    /// Frames per second, if there is a window.
    pub(crate) rate: Option<f32>,
    /// The last scene file, if there was one.
    pub(crate) file: Option<std::path::PathBuf>,
}

/// Creates an egui context that matches the look of the scenes.
pub(crate) fn context() -> egui::Context {
    let context = egui::Context::default();
    context.set_theme(egui::Theme::Dark);
    context.all_styles_mut(|style| {
        style.visuals.panel_fill = PAPER;
        style.visuals.window_fill = PAPER;
        style.visuals.extreme_bg_color = Color32::from_rgb(13, 15, 24);
        style.visuals.override_text_color = Some(INK);
        style.visuals.selection.bg_fill = Color32::from_rgb(58, 92, 150);
        style.text_styles.insert(egui::TextStyle::Small, egui::FontId::proportional(11.5));
        style.text_styles.insert(egui::TextStyle::Monospace, egui::FontId::monospace(11.5));
        style.spacing.item_spacing = egui::vec2(6.0, 3.0);
        style.spacing.interact_size.y = 17.0;
        style.spacing.button_padding = egui::vec2(7.0, 1.0);
        style.spacing.slider_width = 150.0;
        style.interaction.selectable_labels = false;
    });
    context
}

/// Returns the input of egui without a window.
pub(crate) fn input(size: [u32; 2], scale: f32) -> egui::RawInput {
    let [width, height] = size.map(|side| side as f32 / scale);
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(width, height));
    egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() }
}

/// Converts egui's output to a form that can be drawn.
pub(crate) fn overlay(context: &egui::Context, output: egui::FullOutput) -> Overlay {
    let scale = output.pixels_per_point;
    Overlay { shapes: context.tessellate(output.shapes, scale), textures: output.textures_delta, scale }
}

impl Panel {
    /// Notes the source that is shown: a scene file can be chosen again later.
    pub(crate) fn remember(&mut self, source: &Source) {
        if let Source::File(file) = source {
            self.file = Some(file.clone());
        }
    }

    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        controls: &mut Controls,
        game: &Game,
        picture: &Picture,
        graph: &Graph,
        host: &Host,
    ) {
        let frame = egui::Frame::new().fill(PAPER).inner_margin(egui::Margin::symmetric(12, 10));
        egui::Panel::right("panel").exact_size(WIDTH).show_separator_line(false).resizable(false).frame(frame).show(
            ui,
            |ui| {
                egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                    self.title(ui, controls);
                    self.scenes(ui, controls, host);
                    section(ui);
                    self.numbers(ui, controls, game, picture);
                    section(ui);
                    Self::choices(ui, controls, host);
                    section(ui);
                    self.costs(ui, game, graph);
                    section(ui);
                    self.keys(ui, game);
                });
            },
        );
    }

    fn title(&mut self, ui: &mut Ui, controls: &mut Controls) {
        ui.horizontal(|ui| {
            ui.label(RichText::new("hitmask").size(20.0).strong().color(Color32::WHITE));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if ui.button("step").clicked() {
                    controls.paused = true;
                    self.click = Some(Click::Step);
                }
                if ui.button(if controls.paused { "  go on  " } else { "  pause  " }).clicked() {
                    controls.paused = !controls.paused;
                }
            });
        });
        if let Some(error) = &self.error {
            ui.label(RichText::new(error).color(WARM));
        } else if let Some(message) = &self.message {
            ui.label(RichText::new(message).color(FAINT));
        }
        ui.add_space(4.0);
    }

    fn scenes(&mut self, ui: &mut Ui, controls: &mut Controls, host: &Host) {
        ui.horizontal_wrapped(|ui| {
            for kind in Kind::ALL {
                let source = Source::Kind(kind);
                if ui.selectable_label(controls.source == source, kind.title()).clicked() && controls.source != source {
                    controls.open(source, host.is_slow());
                }
            }
            if let Some(file) = self.file.clone() {
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let source = Source::File(file);
                if ui.selectable_label(controls.source == source, name).clicked() && controls.source != source {
                    controls.open(source, host.is_slow());
                }
            }
        });
        let about = match &controls.source {
            Source::Kind(kind) => kind.about().to_owned(),
            Source::File(_) => platform::ABOUT_FILE.to_owned(),
        };
        ui.label(RichText::new(about).small().color(FAINT));
        if matches!(controls.source, Source::Kind(_)) {
            ui.horizontal(|ui| {
                let most = if controls.choice.backend == Backend::Reference { REFERENCE_BODIES } else { 2_000_000 };
                let slider = egui::Slider::new(&mut controls.bodies, 2..=most).logarithmic(true).smart_aim(true);
                ui.add(slider.custom_formatter(|n, _| count(n as usize)));
                ui.label("bodies");
            });
        }
    }

    fn numbers(&mut self, ui: &mut Ui, controls: &Controls, game: &Game, picture: &Picture) {
        let row = |ui: &mut Ui, name: &str, value: String, colour: Color32| {
            ui.horizontal(|ui| {
                ui.label(RichText::new(name).color(FAINT));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    ui.label(RichText::new(value).color(colour));
                });
            });
        };
        let hit: u32 = game.hits.flags.iter().map(|word| word.count_ones()).sum();
        row(ui, "bodies, those in view", format!("{}, {}", count(game.world.len()), count(picture.visible)), INK);
        row(ui, "candidate pairs judged", count(game.profile.candidates as usize), INK);
        if controls.candidates {
            row(ui, "candidates in view", count(picture.candidates), INK);
        }
        row(
            ui,
            "pairs that hit, bodies in them",
            format!("{}, {}", count(game.hits.pairs.len()), count(hit as usize)),
            WARM,
        );
        row(ui, "step", count(game.step as usize), INK);
        let note = game.note();
        if !note.is_empty() {
            ui.label(RichText::new(note).color(INK));
        }
        if picture.left_out > 0 {
            let text = format!("{} sprites are too large to be drawn", picture.left_out);
            ui.label(RichText::new(text).color(WARM));
        }
        let under = self.under.as_deref().unwrap_or("nothing");
        ui.label(RichText::new(format!("under the pointer: {under}")).small().color(FAINT));
    }

    fn choices(ui: &mut Ui, controls: &mut Controls, host: &Host) {
        let narrow = |ui: &mut Ui, name: &str| {
            ui.label(RichText::new(name).color(FAINT));
        };
        egui::Grid::new("choices").num_columns(2).spacing([10.0, 5.0]).show(ui, |ui| {
            narrow(ui, "engine");
            ui.horizontal(|ui| {
                for backend in Backend::ALL {
                    let fits = match backend {
                        Backend::Gpu => host.computes,
                        Backend::Cpu | Backend::Auto => true,
                        Backend::Reference => controls.bodies <= REFERENCE_BODIES,
                    };
                    let label = egui::Button::selectable(controls.choice.backend == backend, backend.title());
                    let why = match backend {
                        Backend::Gpu => platform::NO_COMPUTE.to_owned(),
                        _ => format!("the reference is slow: at most {REFERENCE_BODIES} bodies"),
                    };
                    if ui.add_enabled(fits, label).on_disabled_hover_text(why).clicked() {
                        controls.choice.backend = backend;
                    }
                }
            });
            ui.end_row();
            narrow(ui, "broad phase");
            ui.horizontal(|ui| {
                for (broad, name) in
                    [(Broad::Auto, "by number"), (Broad::AllPairs, "all pairs"), (Broad::Sorted, "sorted")]
                {
                    ui.selectable_value(&mut controls.choice.broad, broad, name);
                }
            });
            ui.end_row();
            narrow(ui, "touching");
            ui.horizontal(|ui| {
                ui.selectable_value(&mut controls.touch, Touch::Excluded, "is no hit");
                ui.selectable_value(&mut controls.touch, Touch::Included, "is a hit");
            });
            ui.end_row();
            narrow(ui, "motions");
            ui.horizontal(|ui| {
                ui.selectable_value(&mut controls.swept, true, "swept");
                ui.selectable_value(&mut controls.swept, false, "once a step");
            });
            ui.end_row();
        });
        ui.add_space(2.0);
        ui.horizontal(|ui| {
            ui.checkbox(&mut controls.lit, "lit pixels");
            ui.checkbox(&mut controls.bounds, "bounds");
        });
        ui.horizontal(|ui| {
            ui.checkbox(&mut controls.candidates, "candidates");
            ui.checkbox(&mut controls.paths, "ways");
        });
    }

    fn costs(&mut self, ui: &mut Ui, game: &Game, graph: &Graph) {
        ui.horizontal(|ui| {
            ui.label(RichText::new("milliseconds a step").color(FAINT));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let rate = self.rate.map_or_else(String::new, |rate| format!(", {rate:.0} frames/s"));
                ui.label(format!("{:.2}{rate}", graph.mean()));
            });
        });
        graph.show(ui);
        ui.label(RichText::new(game.device()).small().color(FAINT));
        if let Some(opening) = &self.opening {
            ui.label(RichText::new(opening).small().color(WARM));
        }
    }

    fn keys(&mut self, ui: &mut Ui, game: &Game) {
        ui.horizontal_wrapped(|ui| {
            for (name, click) in [
                ("scene", Click::Save),
                ("picture", Click::Shot),
                (if game.recording().is_some() { "end record" } else { "record" }, Click::Record),
                ("show all", Click::Home),
                ("again", Click::Restart),
            ] {
                if ui.small_button(name).clicked() {
                    self.click = Some(click);
                }
            }
        });
        ui.add_space(4.0);
        egui::Grid::new("keys").num_columns(2).spacing([10.0, 1.0]).show(ui, |ui| {
            for &(key, does) in KEYS.iter().chain(platform::KEYS) {
                ui.label(RichText::new(key).small().color(INK));
                ui.label(RichText::new(does).small().color(FAINT));
                ui.end_row();
            }
        });
    }
}

fn section(ui: &mut Ui) {
    ui.add_space(2.0);
    ui.separator();
    ui.add_space(2.0);
}

/// Formats a number in groups of three digits.
fn count(n: usize) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn digits_come_in_threes() {
        assert_eq!([0, 12, 999, 1000, 1_234_567].map(super::count), ["0", "12", "999", "1,000", "1,234,567"]);
    }
}
