//! Artists' files in the window: sheets to edit, and levels to look at.
//!
//! A document is drawn by egui alone, so it needs no device to be tested: see `sheet_editor/tests.rs`.

mod canvas;
mod frame;
mod mosaic;
#[cfg(test)]
pub(crate) mod person;
mod style;

use std::path::Path;

use egui::Ui;
use hitmask_files::{FrameGrid, Kind};

use crate::level_viewer::LevelViewer;
use crate::platform;
use crate::sheet_editor::SheetEditor;

pub(crate) use canvas::{Canvas, Pane, Press};
pub(crate) use mosaic::{Mosaic, Part};
pub(crate) use style::{Notice, headline, hue, keys, row, section, side_panel};

/// An open sheet or level.
pub(crate) enum Document {
    Sheet(Box<SheetEditor>),
    Level(Box<LevelViewer>),
}

/// The end of a document that the user asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leave {
    /// Back to the scenes.
    Close,
    /// Out of the program.
    Quit,
}

impl Document {
    /// Opens a sheet or a level; `None` if the file is neither, as a scene. Only an image has a grid.
    pub(crate) fn open(path: &Path, grid: Option<[u32; 2]>) -> anyhow::Result<Option<Self>> {
        let kind = match platform::content(path) {
            Ok(content) => Kind::of(&content),
            // What opens scenes says why the file cannot be read.
            Err(_) if grid.is_none() => return Ok(None),
            Err(error) => return Err(error),
        };
        anyhow::ensure!(
            grid.is_none() || kind == Some(Kind::Image),
            "{}: --grid cuts an image into frames, and this is no image",
            path.display()
        );
        Ok(match kind {
            None => None,
            Some(Kind::Level) => Some(Self::Level(Box::new(LevelViewer::open(path)?))),
            Some(_) => Some(Self::Sheet(Box::new(SheetEditor::open(path, grid.map(FrameGrid::new))?))),
        })
    }

    /// Shows the document, and returns the end that the user asks for.
    pub(crate) fn show(&mut self, ui: &mut Ui) -> Option<Leave> {
        match self {
            Self::Sheet(sheet) => sheet.show(ui),
            Self::Level(level) => level.show(ui),
        }
    }

    /// Asks to end the document. The answer comes from [`Document::show`]: unsaved changes need a decision first.
    pub(crate) fn leave(&mut self, leave: Leave) {
        match self {
            Self::Sheet(sheet) => sheet.leave(leave),
            Self::Level(level) => level.leave(leave),
        }
    }

    /// Returns whether there are changes that are not saved.
    pub(crate) fn is_unsaved(&self) -> bool {
        match self {
            Self::Sheet(sheet) => sheet.is_unsaved(),
            Self::Level(_) => false,
        }
    }

    /// Shows an error.
    pub(crate) fn complain(&mut self, error: &anyhow::Error) {
        let notice = Notice::Error(format!("{error:#}"));
        match self {
            Self::Sheet(sheet) => sheet.notice = notice,
            Self::Level(level) => level.notice = notice,
        }
    }

    /// Describes the document in a line, for a page.
    #[cfg_attr(not(target_family = "wasm"), expect(dead_code, reason = "a window shows the document itself"))]
    pub(crate) fn title(&self) -> String {
        match self {
            Self::Sheet(sheet) => sheet.title(),
            Self::Level(level) => level.title(),
        }
    }

    /// Plays the animation of a sheet, or stops it.
    pub(crate) fn play(&mut self, playing: bool) {
        if let Self::Sheet(sheet) = self {
            sheet.play(playing);
        }
    }
}
