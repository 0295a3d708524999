//! LDtk's projects: levels side by side, in the file of the project or in files of their own.
//!
//! A layer with values of an IntGrid becomes a layer whose tiles are the values, and above it layers of the tiles that
//! rules have placed. Where tiles are stacked in a cell, each further one is in a further layer.

mod entities;
mod model;
mod tiles;
mod tilesets;

use std::collections::HashMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::error::{Error, Problem, Result, quoted};
use crate::folder::Inside;
use crate::json;
use crate::level::files::Files;
use crate::level::room::Room;
use crate::level::{Level, limits};

/// Returns whether JSON is a project rather than a map of Tiled.
pub(super) fn is_project(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Project {
        #[serde(rename = "defs")]
        _defs: IgnoredAny,
        #[serde(rename = "jsonVersion")]
        _version: IgnoredAny,
    }
    json::parse::<Project>(text.as_bytes()).is_ok()
}

/// Returns whether JSON is a level of a project, in a file of its own.
pub(super) fn is_level(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Level {
        #[serde(rename = "layerInstances")]
        _layers: IgnoredAny,
    }
    json::parse::<Level>(text.as_bytes()).is_ok()
}

/// Refuses a project of a version whose schema is another one: before 0.9 tilesets did not have their columns.
fn check_version(text: &str) -> Result<()> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Project {
        json_version: serde_json::Value,
    }
    let Project { json_version } = json::parse(text.as_bytes())?;
    let version = json_version.as_str().unwrap_or_default();
    match version.strip_prefix("0.").and_then(|rest| rest.split('.').next()?.parse::<u32>().ok()) {
        Some(0..9) => {
            let problem =
                format!("a project of LDtk {}; projects of LDtk 0.9 or later are read", version.escape_debug());
            Err(Problem::Unsupported(problem).into())
        }
        _ => Ok(()),
    }
}

/// Reads a project.
pub(super) fn level(path: &Inside, text: &str, files: &mut Files<'_>) -> Result<Level> {
    check_version(text)?;
    let mut project: model::Project = json::parse(text.as_bytes())?;
    if project.worlds.len() > 1 {
        let problem = format!("{} worlds in one project; only one is read", project.worlds.len());
        return Err(Problem::Unsupported(problem).into());
    }
    let mut layout = project.world_layout.unwrap_or_default();
    for world in project.worlds.drain(..) {
        project.levels.extend(world.levels);
        layout = world.world_layout.unwrap_or_default();
    }
    let mut reader = Reader {
        path,
        files,
        level: Level::default(),
        tilesets: HashMap::new(),
        values: HashMap::new(),
        cells: 0,
        entities: 0,
        repeated: 0,
    };
    for tileset in project.defs.tilesets {
        reader.tileset(tileset)?;
    }
    for layer in project.defs.layers {
        reader.define(layer)?;
    }
    let mut end = 0.0;
    for level in project.levels {
        let name = level.identifier.clone();
        let at = match layout.as_str() {
            "LinearHorizontal" => [end, 0.0],
            "LinearVertical" => [0.0, end],
            _ => [level.world_x, level.world_y].map(f64::from),
        };
        let room = reader.room(level, at).map_err(|error| error.at(format!("level {}", quoted(&name))))?;
        end += if layout == "LinearHorizontal" { room.size[0] } else { room.size[1] };
        limits::numbers([end])?;
        reader.level.rooms.push(room);
    }
    Ok(reader.level)
}

/// A project that is being read.
struct Reader<'a, 'f> {
    path: &'a Inside,
    files: &'a mut Files<'f>,
    level: Level,
    /// The tilesets by their `uid`.
    tilesets: HashMap<i64, u16>,
    /// The tilesets of IntGrid values by the `uid` of their layer.
    values: HashMap<i64, u16>,
    /// The counts so far of what the file repeats.
    cells: u64,
    entities: u64,
    /// The bytes of the enum values of all tiles.
    repeated: u64,
}

impl Reader<'_, '_> {
    /// Reads a level that lies at a place in the world.
    fn room(&mut self, level: model::Level, at: [f64; 2]) -> Result<Room> {
        let (mut level, mut file) = (level, None);
        if level.layer_instances.is_none()
            && let Some(source) = &level.external_rel_path
        {
            let path = self.path.beside(source)?;
            let text = self.files.text(&path)?;
            level = json::parse(text.as_bytes()).map_err(|error| self.files.of(error, &path))?;
            file = Some(path);
        }
        let own = |reader: &Self, error: Error| match &file {
            Some(path) => reader.files.of(error, path),
            None => error,
        };
        let size = [level.px_wid, level.px_hei].map(f64::from);
        limits::numbers(at.into_iter().chain(size))?;
        let properties = entities::fields(level.field_instances);
        // The first layer of the file is the uppermost.
        for layer in level.layer_instances.unwrap_or_default().into_iter().rev() {
            let name = layer.identifier.clone();
            let read = self.layer(layer, at);
            read.map_err(|error| own(self, error.at(format!("layer {}", quoted(&name)))))?;
        }
        Ok(Room { name: level.identifier, at, size, depth: level.world_depth, properties })
    }
}
