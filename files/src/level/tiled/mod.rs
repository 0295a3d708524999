//! Tiled's maps: XML or JSON, with tilesets, templates and images in other files.
//!
//! ```text
//! text --xml or json--> model --map, tilesets, objects--> Level
//! ```

mod data;
mod json;
mod map;
mod model;
mod objects;
mod tilesets;
mod xml;

use std::collections::HashMap;
use std::sync::Arc;

use crate::error::{Result, malformed};
use crate::folder::Inside;
use crate::level::Level;
use crate::level::files::Files;

/// Returns whether a text is XML rather than JSON.
pub(super) fn is_xml(text: &str) -> bool {
    text.trim_ascii_start().starts_with('<')
}

/// Reads a map.
pub(super) fn level(path: &Inside, text: &str, files: &mut Files<'_>) -> Result<Level> {
    let map = if is_xml(text) { xml::map(text)? } else { crate::json::parse(text.as_bytes())? };
    Reader::new(path, files).map(map)
}

/// A map that is being read.
struct Reader<'a, 'f> {
    path: &'a Inside,
    files: &'a mut Files<'f>,
    level: Level,
    /// The size of the map's cells.
    cell: [u32; 2],
    /// The tilesets of the map: the first number of their tiles, and their index. In ascending order.
    numbers: Vec<(u32, u16)>,
    /// The tilesets in files of their own.
    tilesets: HashMap<Inside, u16>,
    templates: HashMap<Inside, Arc<objects::Template>>,
    /// The files that are being read, each named by the one before.
    open: Vec<Inside>,
    /// The counts so far of what a file can claim or repeat.
    cells: u64,
    objects: u64,
    points: u64,
    /// The bytes that instances of templates repeat.
    repeated: u64,
}

impl<'a, 'f> Reader<'a, 'f> {
    fn new(path: &'a Inside, files: &'a mut Files<'f>) -> Self {
        Self {
            path,
            files,
            level: Level::default(),
            cell: [0; 2],
            numbers: Vec::new(),
            tilesets: HashMap::new(),
            templates: HashMap::new(),
            open: Vec::new(),
            cells: 0,
            objects: 0,
            points: 0,
            repeated: 0,
        }
    }

    /// Reads a file that the map or another file names. Names it in errors.
    fn within<T>(&mut self, path: &Inside, read: impl FnOnce(&mut Self, &str) -> Result<T>) -> Result<T> {
        if self.open.contains(path) {
            return Err(self.files.of(malformed("files refer to each other in a loop"), path));
        }
        let text = self.files.text(path)?;
        self.open.push(path.clone());
        let result = read(self, &text);
        self.open.pop();
        result.map_err(|error| self.files.of(error, path))
    }
}
