//! The editor of sheets: frames to scrub through, masks to paint, boxes to draw and name.
//!
//! ```text
//! +---------------------------+-------+
//! | canvas: the frame         | panel |
//! |                           |       |
//! +---------------------------+       |
//! | timeline: frames and tags |       |
//! +---------------------------+-------+
//! ```

mod boxes;
mod brush;
mod canvas;
mod history;
mod keys;
mod panel;
mod patch;
mod player;
mod save;
#[cfg(test)]
mod tests;
mod timeline;
mod work;

use std::path::Path;

use egui::{TextureHandle, Ui};
use hitmask_files::{FrameGrid, Mark};

use crate::document::{Canvas, Leave, Mosaic, Notice};
use crate::panel::PAPER;
use boxes::Grip;
use player::Player;
use save::SaveFile;
use work::Work;

/// The effect of the left button on the canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    /// Draws, selects, moves and resizes boxes.
    Boxes,
    /// Marks texels.
    Brush(Mark),
    /// Sets the pivot.
    Pivot,
}

/// The thing that a drag changes.
enum Drag {
    /// A stroke of the brush, with its last pixel.
    Stroke([i32; 2]),
    /// A new box, from a pixel.
    New([i32; 2]),
    /// A box, held at a pixel, as it was before.
    Bounds {
        grip: Grip,
        from: [i32; 2],
        before: hitmask_files::NamedBox,
    },
    Pivot,
}

/// The parts of a frame that are drawn.
#[derive(Clone, Copy)]
struct Layers {
    mask: bool,
    boxes: bool,
}

/// An open sheet.
pub(crate) struct SheetEditor {
    work: Work,
    file: SaveFile,
    pub(crate) notice: Notice,
    player: Player,
    tool: Tool,
    /// The diameter of the brush in pixels.
    brush: u32,
    layers: Layers,
    /// The place of the selected box in its frame.
    selected: Option<usize>,
    /// True if the name of the selected box is to have the keyboard.
    names: bool,
    drag: Option<Drag>,
    canvas: Canvas,
    mosaic: Mosaic,
    /// The frame and the threshold of the mask that the mosaic has.
    drawn: Option<(usize, u8)>,
    /// The pixel under the pointer.
    under: Option<[i32; 2]>,
    thumbs: Vec<Option<TextureHandle>>,
    /// The row of each tag in the timeline.
    rows: Vec<usize>,
    /// The end that waits for a decision about unsaved changes.
    leaving: Option<Leave>,
}

impl SheetEditor {
    /// Opens a sheet, or a file with changes to one.
    pub(crate) fn open(path: &Path, grid: Option<FrameGrid>) -> anyhow::Result<Self> {
        let save::Opened { art, retouch, file, unused } = save::open(path, grid)?;
        anyhow::ensure!(!art.frames.is_empty(), "{}: there are no frames", path.display());
        let notice = unused.map_or(Notice::None, |error| Notice::Error(format!("{error:#}")));
        Ok(Self {
            thumbs: vec![None; art.frames.len()],
            rows: timeline::rows(&art.tags),
            work: Work::new(art, retouch),
            file,
            notice,
            player: Player::new(),
            tool: Tool::Boxes,
            brush: 1,
            layers: Layers { mask: true, boxes: true },
            selected: None,
            names: false,
            drag: None,
            canvas: Canvas::default(),
            mosaic: Mosaic::default(),
            drawn: None,
            under: None,
            leaving: None,
        })
    }

    /// Shows the editor, and returns the end that the user asks for.
    pub(crate) fn show(&mut self, ui: &mut Ui) -> Option<Leave> {
        let (now, before) = (ui.input(|input| input.time), self.player.frame());
        if let Some(wait) = self.player.update(self.work.art(), now) {
            ui.ctx().request_repaint_after(wait);
        }
        if self.player.frame() != before {
            self.frame_changed();
        }
        self.keys(ui);
        self.panel(ui);
        let frame = egui::Frame::new().fill(PAPER).inner_margin(egui::Margin::symmetric(8, 6));
        egui::Panel::bottom("timeline")
            .exact_size(self.timeline_height())
            .show_separator_line(false)
            .frame(frame)
            .show(ui, |ui| {
                self.timeline(ui);
            });
        egui::CentralPanel::no_frame().show(ui, |ui| self.canvas(ui));
        self.decide(ui)
    }

    pub(crate) fn title(&self) -> String {
        let frames = self.work.art().frames.len();
        format!("{}: frame {} of {frames}", self.work.retouch().sheet, self.player.frame())
    }

    pub(crate) fn play(&mut self, playing: bool) {
        self.player.play(self.work.art(), playing);
    }

    pub(crate) fn is_unsaved(&self) -> bool {
        self.work.is_unsaved()
    }

    /// Asks to end.
    pub(crate) fn leave(&mut self, leave: Leave) {
        self.leaving = Some(leave);
    }

    /// Shows a frame.
    fn go(&mut self, frame: usize) {
        self.player.show(self.work.art(), frame);
        self.frame_changed();
    }

    /// Lets go of what belongs to another frame.
    fn frame_changed(&mut self) {
        (self.selected, self.drag, self.names) = (None, None, false);
        self.work.seal();
    }

    fn undo(&mut self, again: bool) {
        // A drag that is not over yet is of a box that may change now.
        self.drag = None;
        match self.work.undo(again) {
            Ok(Some(frame)) if frame != self.player.frame() => self.go(frame),
            Ok(_) => {}
            Err(error) => self.notice = Notice::Error(format!("{error:#}")),
        }
        let count = self.work.boxes(self.player.frame()).len();
        self.selected = self.selected.filter(|&place| place < count);
    }

    /// Saves the changes, and returns whether that succeeded.
    fn save(&mut self) -> bool {
        self.write(SaveFile::save)
    }

    /// Saves the changes to another file.
    fn save_copy(&mut self) {
        self.write(SaveFile::save_copy);
    }

    fn write(&mut self, write: fn(&mut SaveFile, &hitmask_files::Retouch) -> anyhow::Result<()>) -> bool {
        self.work.seal();
        let written = write(&mut self.file, self.work.retouch());
        self.notice = match &written {
            Ok(()) => {
                self.work.saved();
                Notice::Done(format!("saved {}", self.file.path().display()))
            }
            Err(error) => Notice::Error(format!("{error:#}")),
        };
        written.is_ok()
    }

    /// Ends at once if all is saved, else asks.
    fn decide(&mut self, ui: &mut Ui) -> Option<Leave> {
        let leave = self.leaving?;
        if !self.is_unsaved() {
            return self.leaving.take();
        }
        let mut answer = None;
        let modal = egui::Modal::new(egui::Id::unique("leave")).show(ui.ctx(), |ui| {
            ui.set_width(360.0);
            ui.heading("Unsaved changes");
            ui.label(format!("The changes to {} are not saved.", self.work.retouch().sheet));
            ui.add_space(8.0);
            ui.horizontal(|ui| {
                for (name, choice) in [("Save", Some(true)), ("Discard", Some(false)), ("Cancel", None)] {
                    if ui.button(name).clicked() {
                        answer = Some(choice);
                    }
                }
            });
        });
        match answer {
            Some(Some(true)) => {
                self.leaving = None;
                self.save().then_some(leave)
            }
            Some(Some(false)) => self.leaving.take(),
            Some(None) => {
                self.leaving = None;
                None
            }
            None => {
                if modal.should_close() {
                    self.leaving = None;
                }
                None
            }
        }
    }

    /// Deletes the selected box.
    fn delete(&mut self) {
        self.drag = None;
        if let Some(place) = self.selected.take() {
            self.work.edit_boxes(self.player.frame(), None, |boxes| drop(boxes.remove(place)));
        }
    }
}

/// Returns the first 60 characters of a name, as they can be shown.
fn short(name: &str) -> String {
    hitmask::internals::printable(&name.chars().take(60).collect::<String>())
}
