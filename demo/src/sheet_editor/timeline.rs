//! The timeline: small pictures of the frames, and the tags above them.

use egui::{Align2, Color32, ColorImage, FontId, Pos2, Rect, Sense, Stroke, StrokeKind, TextureOptions, Ui, Vec2};
use hitmask_files::Tag;
use image::RgbaImage;
use image::imageops::{FilterType, resize};

use super::{SheetEditor, short};
use crate::document::hue;
use crate::panel::{FAINT, INK};

/// The height of the timeline without its rows of tags, in points.
const HEIGHT: f32 = 98.0;
/// The side of a small picture, in points and texels.
const THUMB: u32 = 56;
/// The width of a frame in the timeline.
const PITCH: f32 = 62.0;
/// The height of a row of tags, and the most rows.
const TAG: f32 = 16.0;
const ROWS: usize = 2;
/// The most small pictures that are kept.
const MOST: usize = 1024;

const CELL: Color32 = Color32::from_rgb(13, 15, 24);
const SHOWN: Color32 = Color32::from_rgb(120, 206, 255);

impl SheetEditor {
    /// Returns the height of the timeline, in points.
    pub(super) fn timeline_height(&self) -> f32 {
        HEIGHT + self.rows() as f32 * TAG
    }

    /// Returns the number of rows of tags.
    fn rows(&self) -> usize {
        self.rows.iter().map(|row| row + 1).max().unwrap_or(0)
    }

    pub(super) fn timeline(&mut self, ui: &mut Ui) {
        let count = self.work.art().frames.len();
        let frame = self.player.frame();
        egui::ScrollArea::horizontal().auto_shrink(false).show_viewport(ui, |ui, viewport| {
            let size = Vec2::new(count as f32 * PITCH, ui.available_height());
            let (area, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
            let top = area.top() + self.rows() as f32 * TAG + 4.0;
            let first = (viewport.left() / PITCH).floor().max(0.0) as usize;
            let last = ((viewport.right() / PITCH).ceil().max(0.0) as usize).min(count);
            self.tags(ui, area, first..last);
            for index in first..last {
                let left = area.left() + index as f32 * PITCH;
                let cell = Rect::from_min_size(Pos2::new(left + 1.0, top), Vec2::splat(PITCH - 4.0));
                self.cell(ui, cell, index);
            }
            // A frame that is played or stepped to comes into view.
            let shown = Rect::from_min_size(
                Pos2::new(area.left() + frame as f32 * PITCH, area.top()),
                Vec2::new(PITCH, area.height()),
            );
            let is_seen = viewport.left() <= frame as f32 * PITCH && (frame + 1) as f32 * PITCH <= viewport.right();
            if !is_seen && !response.is_pointer_button_down_on() && self.drawn.is_some_and(|(own, ..)| own != frame) {
                ui.scroll_to_rect(shown, None);
            }
            if let Some(pos) = response.interact_pointer_pos() {
                let place = ((pos.x - area.left()) / PITCH).max(0.0) as usize;
                if let Some(tag) = self.tag_at(pos, area).filter(|_| response.clicked()) {
                    self.choose_tag(Some(tag));
                } else if place < count && pos.y >= top && place != self.player.frame() {
                    self.go(place);
                }
            }
        });
    }

    /// Chooses a tag, and plays it.
    pub(super) fn choose_tag(&mut self, tag: Option<usize>) {
        self.player.choose(self.work.art(), tag);
        self.play(true);
        self.frame_changed();
    }

    fn tag_area(&self, tag: usize, area: Rect) -> Rect {
        let frames = &self.work.art().tags[tag].frames;
        let x = |frame: usize| area.left() + frame as f32 * PITCH;
        let top = area.top() + self.rows[tag] as f32 * TAG;
        Rect::from_min_max(Pos2::new(x(frames.start) + 1.0, top + 1.0), Pos2::new(x(frames.end) - 3.0, top + TAG - 1.0))
    }

    fn tag_at(&self, pos: Pos2, area: Rect) -> Option<usize> {
        (0..self.work.art().tags.len()).rev().find(|&tag| self.tag_area(tag, area).contains(pos))
    }

    fn tags(&self, ui: &Ui, area: Rect, seen: std::ops::Range<usize>) {
        for (index, tag) in self.work.art().tags.iter().enumerate() {
            if tag.frames.end <= seen.start || tag.frames.start >= seen.end {
                continue;
            }
            let (bar, colour) = (self.tag_area(index, area), hue(&tag.name));
            let is_chosen = self.player.tag() == Some(index);
            ui.painter().rect_filled(bar, 3.0, colour.gamma_multiply(if is_chosen { 0.9 } else { 0.45 }));
            let text = if is_chosen { Color32::from_rgb(16, 18, 28) } else { INK };
            let name = short(&tag.name);
            let painter = ui.painter().with_clip_rect(bar.intersect(ui.clip_rect()));
            painter.text(
                bar.left_center() + Vec2::new(5.0, 0.0),
                Align2::LEFT_CENTER,
                name,
                FontId::proportional(11.0),
                text,
            );
        }
    }

    fn cell(&mut self, ui: &Ui, cell: Rect, index: usize) {
        if self.thumbs.iter().flatten().count() > MOST {
            self.thumbs.fill(None);
        }
        let image = &self.work.art().frames[index].image;
        let texture = self.thumbs[index]
            .get_or_insert_with(|| ui.ctx().load_texture("thumb", thumb(image), TextureOptions::NEAREST));
        let painter = ui.painter();
        painter.rect_filled(cell, 3.0, CELL);
        let uv = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
        let picture = Rect::from_center_size(cell.center(), Vec2::splat(THUMB as f32));
        painter.image(texture.id(), picture, uv, Color32::WHITE);
        let is_shown = self.player.frame() == index;
        if is_shown {
            painter.rect_stroke(cell, 3.0, Stroke::new(2.0, SHOWN), StrokeKind::Inside);
        }
        if self.work.is_changed(index) {
            painter.circle_filled(cell.right_top() + Vec2::new(-7.0, 7.0), 3.0, Color32::from_rgb(255, 196, 72));
        }
        let below = cell.center_bottom() + Vec2::new(0.0, 2.0);
        let colour = if is_shown { INK } else { FAINT };
        painter.text(below, Align2::CENTER_TOP, index.to_string(), FontId::proportional(11.0), colour);
    }
}

/// Makes a small picture. Small frames have whole texels.
fn thumb(image: &RgbaImage) -> ColorImage {
    let (width, height) = image.dimensions();
    let most = width.max(height).max(1);
    let sides = [width, height].map(|side| match THUMB / most {
        0 => (u64::from(side) * u64::from(THUMB)).div_ceil(most.into()) as u32,
        times => side * times,
    });
    let [w, h] = sides.map(|side| side.clamp(1, THUMB));
    let small = resize(image, w, h, FilterType::Nearest);
    let mut square = RgbaImage::new(THUMB, THUMB);
    image::imageops::replace(&mut square, &small, ((THUMB - w) / 2).into(), ((THUMB - h) / 2).into());
    ColorImage::from_rgba_unmultiplied([THUMB as usize; 2], &square)
}

/// Returns the rows of tags: a tag that begins before the last of a row has ended is in the next one, as far as there
/// are any.
pub(super) fn rows(tags: &[Tag]) -> Vec<usize> {
    let mut ends = [0; ROWS];
    let row = |tag: &Tag| {
        let row = ends.iter().position(|&end| tag.frames.start >= end).unwrap_or(ROWS - 1);
        ends[row] = ends[row].max(tag.frames.end);
        row
    };
    tags.iter().map(row).collect()
}
