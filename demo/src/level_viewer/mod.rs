//! The viewer of levels: layers of tiles and objects, the bodies that they become, and tiles to change for a try.
//!
//! Changes of tiles are made in the level and in its bodies, as a game makes them. They are not saved: the level's file
//! belongs to its editor.

mod canvas;
mod ground;
mod objects;
mod panel;
mod pictures;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use egui::Ui;
use hitmask_files::level::{Content, Tile};
use hitmask_files::terrain::Source;
use hitmask_files::{Import, Level};

use crate::document::{Canvas, Leave, Mosaic, Notice};
use crate::platform;
use ground::Ground;
use pictures::Pictures;

/// The effect of the left button on the canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    /// Moves the view.
    Look,
    /// Puts the chosen tile into cells of the chosen layer.
    Put,
    /// Takes tiles out of the chosen layer.
    Erase,
}

/// A change of a cell: its layer, its place, and the tile that was there.
type Change = (usize, [i32; 2], Option<Tile>);

/// The changes of a stroke, which are undone at once, in the order in which they were made.
type Stroke = Vec<Change>;

/// A drag that changes tiles.
#[derive(Clone, Copy)]
struct Drag {
    /// Its last point.
    last: egui::Pos2,
    /// True if it has changed a tile: the last stroke of the past is its own.
    has_changed: bool,
}

/// An open level.
pub(crate) struct LevelViewer {
    path: PathBuf,
    level: Level,
    ground: Ground,
    pub(crate) notice: Notice,
    canvas: Canvas,
    mosaic: Mosaic,
    pictures: Pictures,
    /// The layers that are drawn.
    shown: Vec<bool>,
    /// True if bodies and objects are drawn.
    bodies: bool,
    objects: bool,
    tool: Tool,
    /// The layer whose tiles are changed.
    layer: Option<usize>,
    /// The tilesets of layers, by layer.
    used: HashMap<usize, Vec<u16>>,
    /// The tile to put.
    tile: Option<Tile>,
    /// The drag that changes tiles.
    drag: Option<Drag>,
    /// The point under the pointer in pixels.
    under: Option<[f64; 2]>,
    past: Vec<Stroke>,
    future: Vec<Stroke>,
    leaving: Option<Leave>,
}

impl LevelViewer {
    pub(crate) fn open(path: &Path) -> anyhow::Result<Self> {
        let level = platform::level(path, &Import::default())?;
        let layer = level.layers.iter().rposition(|layer| matches!(layer.content, Content::Tiles(_)) && layer.visible);
        let (ground, problem) = Ground::first(&level);
        Ok(Self {
            path: path.to_owned(),
            notice: problem.map_or(Notice::None, |error| Notice::Error(format!("{error:#}"))),
            ground,
            canvas: Canvas::default(),
            mosaic: Mosaic::default(),
            pictures: Pictures::default(),
            shown: level.layers.iter().map(|layer| layer.visible).collect(),
            bodies: true,
            objects: true,
            tool: Tool::Look,
            layer,
            used: HashMap::new(),
            tile: None,
            drag: None,
            under: None,
            past: Vec::new(),
            future: Vec::new(),
            leaving: None,
            level,
        })
    }

    /// Shows the viewer, and returns the end that the user asks for.
    pub(crate) fn show(&mut self, ui: &mut Ui) -> Option<Leave> {
        self.keys(ui);
        self.panel(ui);
        egui::CentralPanel::no_frame().show(ui, |ui| self.canvas(ui));
        self.leaving.take()
    }

    pub(crate) fn title(&self) -> String {
        let Level { layers, .. } = &self.level;
        format!("{}: {} layers, {} bodies", self.path.display(), layers.len(), self.ground.count())
    }

    pub(crate) fn leave(&mut self, leave: Leave) {
        self.leaving = Some(leave);
    }

    /// Makes the bodies anew, of another part of the tiles. On an error, those that are there stay.
    fn set_source(&mut self, source: Source) {
        match Ground::new(&self.level, source) {
            Ok(ground) => {
                self.ground = ground;
                self.notice = Notice::None;
            }
            Err(error) => self.notice = Notice::Error(format!("{error:#}")),
        }
    }

    /// Sets a tile, and returns the change that undoes it.
    fn set(&mut self, (layer, cell, tile): Change) -> anyhow::Result<Change> {
        let old = self.ground.set(&mut self.level, layer, cell, tile)?;
        for tile in [old, tile].into_iter().flatten() {
            if let Some(area) = pictures::area(&self.level, layer, cell, tile) {
                self.mosaic.forget(layer, area);
            }
        }
        Ok((layer, cell, old))
    }

    /// Changes a tile of the chosen layer, as a part of the drag.
    fn change(&mut self, cell: [i32; 2], tile: Option<Tile>) {
        let Some(layer) = self.layer else { return };
        if self.level.layers[layer].cells().is_none_or(|cells| cells.get(cell) == tile) {
            return;
        }
        match self.set((layer, cell, tile)) {
            Ok(undo) => {
                let continues = self.drag.as_mut().is_some_and(|drag| std::mem::replace(&mut drag.has_changed, true));
                match self.past.last_mut() {
                    Some(stroke) if continues => stroke.push(undo),
                    _ => self.past.push(vec![undo]),
                }
                self.future.clear();
                self.notice = Notice::None;
            }
            Err(error) => self.notice = Notice::Error(format!("{error:#}")),
        }
    }

    /// Undoes a stroke, or makes it again. On an error, the changes that are not undone stay in its list.
    fn undo(&mut self, again: bool) {
        self.drag = None;
        let list = if again { &mut self.future } else { &mut self.past };
        let Some(mut stroke) = list.pop() else { return };
        let mut inverse = Vec::with_capacity(stroke.len());
        while let Some(&change) = stroke.last() {
            match self.set(change) {
                Ok(undo) => inverse.push(undo),
                Err(error) => {
                    self.notice = Notice::Error(format!("{error:#}"));
                    break;
                }
            }
            stroke.pop();
        }
        let (from, to) = if again { (&mut self.future, &mut self.past) } else { (&mut self.past, &mut self.future) };
        for (list, stroke) in [(from, stroke), (to, inverse)] {
            if !stroke.is_empty() {
                list.push(stroke);
            }
        }
    }

    /// Returns the cell of a layer at a point in pixels.
    fn cell_at(&self, layer: usize, point: [f64; 2]) -> Option<[i32; 2]> {
        let layer = self.level.layers.get(layer)?;
        let size = layer.cells()?.size;
        Some([0, 1].map(|axis| ((point[axis] - layer.offset[axis]) / f64::from(size[axis])).floor() as i32))
    }

    /// Returns the uppermost tile that is shown in a cell at a point, with its layer and its cell.
    fn tile_at(&self, point: [f64; 2]) -> Option<(usize, [i32; 2], Tile)> {
        (0..self.level.layers.len()).rev().filter(|&layer| self.shown[layer]).find_map(|layer| {
            let cell = self.cell_at(layer, point)?;
            Some((layer, cell, self.level.layers[layer].cells()?.get(cell)?))
        })
    }
}
