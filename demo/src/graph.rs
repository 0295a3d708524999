//! Milliseconds per stage, step by step, as stacked bars.

use std::collections::VecDeque;

use egui::{Color32, FontId, Pos2, Rect, Sense, Stroke, Ui, Vec2};
use hitmask::profile::Clock;

use crate::game::Game;

/// The number of steps shown.
const STEPS: usize = 120;
/// The height of the bars, in points.
const HEIGHT: f32 = 96.0;
/// The number of columns in the legend.
const COLUMNS: usize = 3;
/// The background of the bars.
const GROUND: Color32 = Color32::from_rgb(13, 15, 24);
/// The name for moving the bodies, which is no stage of an engine.
const MOVE: &str = "move";

/// The stages in their order of stacking, with their colours; others are grey.
const STAGES: [(&str, Color32); 14] = [
    (MOVE, Color32::from_rgb(92, 99, 122)),
    ("upload", Color32::from_rgb(92, 138, 214)),
    ("submit", Color32::from_rgb(110, 118, 200)),
    ("land", Color32::from_rgb(74, 168, 190)),
    ("sort", Color32::from_rgb(98, 180, 154)),
    ("sweep", Color32::from_rgb(140, 196, 108)),
    ("paint", Color32::from_rgb(214, 204, 96)),
    ("narrow", Color32::from_rgb(246, 176, 84)),
    ("judge", Color32::from_rgb(250, 150, 70)),
    ("order", Color32::from_rgb(240, 104, 96)),
    ("details", Color32::from_rgb(226, 92, 150)),
    ("wait", Color32::from_rgb(128, 110, 160)),
    ("readback", Color32::from_rgb(168, 116, 214)),
    ("answer", Color32::from_rgb(246, 176, 84)),
];
const OTHER: Color32 = Color32::from_rgb(150, 150, 150);

/// The stages of the last steps.
#[derive(Default)]
pub(crate) struct Graph {
    /// For each step, its stages in milliseconds.
    steps: VecDeque<Vec<(&'static str, f32)>>,
}

impl Graph {
    /// Adds the last step of a game.
    pub(crate) fn push(&mut self, game: &Game) {
        if self.steps.len() == STEPS {
            self.steps.pop_front();
        }
        let stages = &game.profile.stages;
        // The host's wait overlaps the GPU's stages, so leave it out.
        let on_gpu = stages.iter().any(|stage| stage.clock == Clock::Gpu);
        let mut step = vec![(MOVE, game.moving.as_secs_f32() * 1e3)];
        for stage in stages.iter().filter(|stage| !(on_gpu && stage.name == "wait")) {
            let time = stage.time.as_secs_f32() * 1e3;
            match step.iter_mut().find(|(name, _)| *name == stage.name) {
                Some((_, sum)) => *sum += time,
                None => step.push((stage.name, time)),
            }
        }
        if stages.is_empty() {
            step.push(("answer", game.answering.as_secs_f32() * 1e3));
        }
        step.sort_by_key(|(name, _)| place(name));
        self.steps.push_back(step);
    }

    /// Removes all steps, since another engine has other stages.
    pub(crate) fn clear(&mut self) {
        self.steps.clear();
    }

    /// Returns the mean of each stage over the steps shown, in the order of stacking.
    fn means(&self) -> Vec<(&'static str, f32)> {
        let mut means: Vec<(&'static str, f32)> = Vec::new();
        for &(name, time) in self.steps.iter().flatten() {
            let share = time / self.steps.len() as f32;
            match means.iter_mut().find(|mean| mean.0 == name) {
                Some(mean) => mean.1 += share,
                None => means.push((name, share)),
            }
        }
        means.sort_by_key(|(name, _)| place(name));
        means
    }

    /// Draws the bars, with a legend below them.
    pub(crate) fn show(&self, ui: &mut Ui) {
        let width = ui.available_width();
        let (area, _) = ui.allocate_exact_size(Vec2::new(width, HEIGHT), Sense::hover());
        let painter = ui.painter_at(area);
        painter.rect_filled(area, 3.0, GROUND);
        let mut totals: Vec<f32> = self.steps.iter().map(|step| step.iter().map(|(_, time)| time).sum()).collect();
        totals.sort_unstable_by(f32::total_cmp);
        // The slowest 5 % of steps, such as the first, may exceed the top.
        let top = nice(totals.get(totals.len().saturating_sub(1 + totals.len() / 20)).map_or(0.0, |most| most * 1.1));
        let y = |millis: f32| area.bottom() - (millis / top).min(1.0) * (HEIGHT - 4.0);
        let bar = width / STEPS as f32;
        let first = STEPS - self.steps.len();
        for (index, step) in self.steps.iter().enumerate() {
            let left = area.left() + (first + index) as f32 * bar;
            let mut below = 0.0;
            for &(name, time) in step {
                let corners = [Pos2::new(left, y(below + time)), Pos2::new(left + bar, y(below))];
                painter.rect_filled(Rect::from_two_pos(corners[0], corners[1]), 0.0, colour(name));
                below += time;
            }
        }
        let ink = Color32::from_rgb(214, 219, 232);
        for share in [0.5, 1.0] {
            let line = [Pos2::new(area.left(), y(top * share)), Pos2::new(area.right(), y(top * share))];
            painter.line_segment(line, Stroke::new(1.0, Color32::from_white_alpha(22)));
            let at = Pos2::new(area.left() + 4.0, y(top * share) + 1.0);
            let text = painter.layout_no_wrap(format!("{} ms", number(top * share)), FontId::proportional(10.5), ink);
            // Keep the text legible over bars of any colour.
            let ground = Rect::from_min_size(at, text.size()).expand2(Vec2::new(2.0, 0.0));
            painter.rect_filled(ground, 2.0, GROUND.gamma_multiply(0.8));
            painter.galley(at, text, ink);
        }
        ui.add_space(4.0);
        let means = self.means();
        ui.columns(COLUMNS, |columns| {
            let rows = means.len().div_ceil(COLUMNS);
            for (index, &(name, time)) in means.iter().enumerate() {
                let ui = &mut columns[index / rows.max(1)];
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 5.0;
                    let (mark, _) = ui.allocate_exact_size(Vec2::splat(9.0), Sense::hover());
                    ui.painter().rect_filled(mark, 2.0, colour(name));
                    ui.label(egui::RichText::new(name).small());
                    ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                        ui.label(egui::RichText::new(format!("{time:.2}")).small().monospace());
                    });
                });
            }
        });
    }

    /// Returns the mean time of a whole step, in milliseconds.
    pub(crate) fn mean(&self) -> f32 {
        self.means().iter().map(|(_, time)| time).sum()
    }
}

fn place(name: &str) -> usize {
    STAGES.iter().position(|stage| stage.0 == name).unwrap_or(STAGES.len())
}

fn colour(name: &str) -> Color32 {
    STAGES.get(place(name)).map_or(OTHER, |stage| stage.1)
}

/// Returns the smallest of 1, 2, 5 times a power of ten that is not below a number.
fn nice(v: f32) -> f32 {
    let power = 10.0_f32.powf(v.max(0.01).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|&nice| nice >= v * 0.999).unwrap_or(v)
}

fn number(v: f32) -> String {
    if v < 0.1 {
        format!("{v:.3}")
    } else if v < 10.0 {
        format!("{}", (v * 100.0).round() / 100.0)
    } else {
        format!("{v:.0}")
    }
}
