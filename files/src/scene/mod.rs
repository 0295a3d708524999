//! Scene files that name sheets and levels: their shapes may be frames and slices, and their bodies may be levels.
//!
//! ```json
//! {
//!   "shapes": {
//!     "kick": { "sheet": "ken.aseprite", "tag": "kick", "frame": 3 },
//!     "foot": { "sheet": "ken.aseprite", "tag": "kick", "frame": 3, "slice": "hit" }
//!   },
//!   "bodies": [{ "shape": "kick", "at": [40, 96] }, { "shape": "foot", "at": [40, 96], "layer": 2 }],
//!   "levels": [{ "tiled": "cave.tmx" }, { "ldtk": "world.ldtk", "level": "Entrance", "layer": 4 }]
//! }
//! ```
//!
//! [`open`] reads such a file, and [`open_replay`] a replay, whose steps may also add shapes of sheets. Any other scene
//! or replay is read as [`Scene::open`] and [`Replay::open`] read it.
//!
//! # Shapes from sheets
//!
//! The shape is the mask of a frame, a sprite. With `slice` it is the box of that name in the frame; several boxes of
//! one name are one shape of parts. Both are anchored at the same place, so they fit each other at the same position.
//!
//! | key | value |
//! |---|---|
//! | `sheet` | the file: of Aseprite, its JSON or TexturePacker's, or an image if there is a `grid` |
//! | `tag` | the name of a tag |
//! | `frame` | the number of a frame, from 0, of the tag or of the sheet, or its name in a packed sheet; by default 0 |
//! | `slice` | the name of a slice |
//! | `anchor` | the pixel of the frame that lies at a body's position; by default the frame's pivot, or `[0, 0]` |
//! | `threshold` | the least alpha of a solid pixel, 1 to 255; by default 128 |
//! | `layers` | the names of the layers of an Aseprite file to draw; by default the visible ones |
//! | `grid` | the size of a frame, `[width, height]`, of an image with frames in a grid |
//!
//! A tag counts its frames in the order of the file, in whatever direction it is played.
//!
//! # Levels
//!
//! The solid tiles of the visible layers become bodies, which follow those of `bodies` and `bodies_csv`. The bodies of
//! all levels are in one group and do not hit each other, unless `group` says otherwise.
//!
//! | key | value |
//! |---|---|
//! | `tiled`, `ldtk` | the file: a map of Tiled, or a project of LDtk |
//! | `level` | the name of the one level of a project that is added, at its place in the world; by default all are |
//! | `at` | the position of the level's origin; by default `[0, 0]` |
//! | `layer`, `hits`, `group`, `detector` | as of a body |
//! | `solid` | `"shapes"`, `"pixels"` or `"boxes"`: see [`Source`](crate::terrain::Source) |
//! | `merge` | `"polygons"`, `"masks"` or `"none"`: see [`Merge`](crate::terrain::Merge) |
//! | `threshold` | the least alpha of a solid pixel, 1 to 255; by default 128 |
//! | `name` | the start of the names of its shapes and bodies; by default `level`, else the path of the file |
//!
//! A body is named by the level, its layer of tiles, and a number: `cave.tmx/ground/0`.
//!
//! # Files
//!
//! Paths are relative to the folder of the scene. The files lie in that folder or below it, and so do those that they
//! name in turn; if not, they are refused as [`Problem::Outside`](crate::Problem::Outside). Each is read within the
//! limits of [`Import`](crate::Import). A scene names at most 256 sheets, 65,536 shapes from them, and 256 levels,
//! which make at most 2^22 bodies. All masks together take at most 2^28 bytes: one for each pixel, and 24 for each row.

mod keys;
mod level;
mod sheet;
mod text;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hitmask::Mask;
use hitmask::scene::{Replay, Scene};

use crate::error::{Error, Result};
use crate::import::DEFAULT_LIMIT;
use crate::{budget, disk};

use text::Text;

/// Opens a scene file, and makes the shapes and bodies of the sheets and levels that it names. Returns the scene, and
/// the files that were read for these.
///
/// An error names the scene file, the shape or the level, the file of it, and the problem.
///
/// ```
/// use hitmask::{Ask, Engine};
///
/// let (scene, files) = hitmask_files::scene::open("assets/cave.json")?;
/// let hits = Engine::cpu()?.run(&scene.world()?, Ask::Pairs)?;
/// let pairs: Vec<_> = hits.pairs.iter().map(|pair| pair.map(|body| scene.label(body as usize))).collect();
/// assert_eq!(pairs, [["0 `hero` (hero)", "2 `cave.tmx/ground/0` (cave.tmx/polygon 0)"]]);
/// assert_eq!(files.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open(path: impl AsRef<Path>) -> Result<(Scene, Vec<PathBuf>)> {
    let path = path.as_ref();
    let (scene, text) = match Scene::open(path) {
        Ok(scene) => return Ok((scene, Vec::new())),
        Err(error) => (error, with_art(path)),
    };
    let Some(text) = text else { return Err(scene.into()) };
    let text = Text::of_scene(&text, path)?;
    let mut scene = Scene::parse_as(&text.rest, path)?;
    let mut art = Art::new(path);
    for frame in art.frames(text.frames)? {
        scene.shapes[frame.index].1 = frame.shape;
    }
    art.add_levels(text.levels, &mut scene)?;
    Ok((scene, art.files.into_iter().collect()))
}

/// Opens a replay file as [`open`] opens a scene: its scene may name sheets and levels, and the `shapes` of its steps
/// may name sheets.
pub fn open_replay(path: impl AsRef<Path>) -> Result<(Replay, Vec<PathBuf>)> {
    let path = path.as_ref();
    let (replay, text) = match Replay::open(path) {
        Ok(replay) => return Ok((replay, Vec::new())),
        Err(error) => (error, with_art(path)),
    };
    let Some(text) = text else { return Err(replay.into()) };
    let text = Text::of_replay(&text, path)?;
    let mut replay = Replay::parse_as(&text.rest, path)?;
    let mut art = Art::new(path);
    for frame in art.frames(text.frames)? {
        let shapes = match frame.object.checked_sub(1) {
            Some(step) => &mut replay.steps[step].shapes,
            None => &mut replay.scene.shapes,
        };
        shapes[frame.index].1 = frame.shape;
    }
    art.add_levels(text.levels, &mut replay.scene)?;
    Ok((replay, art.files.into_iter().collect()))
}

/// Returns the text of a file that may name sheets or levels.
fn with_art(path: &Path) -> Option<String> {
    let text = String::from_utf8(disk::read(path).ok()?).ok()?;
    [text::SHEET, text::LEVELS].iter().any(|key| text.contains(key)).then_some(text)
}

/// The sheets and levels of a scene, while they are read.
struct Art<'a> {
    scene: &'a Path,
    /// The files read so far.
    files: BTreeSet<PathBuf>,
    /// The bytes of the rows of text of all masks so far.
    bytes: u64,
    /// The bodies of all levels so far.
    bodies: u64,
}

impl<'a> Art<'a> {
    fn new(scene: &'a Path) -> Self {
        Self { scene, files: BTreeSet::new(), bytes: 0, bodies: 0 }
    }

    /// Returns the folder of the scene, in which all files must lie.
    fn folder(&self) -> &Path {
        self.scene.parent().unwrap_or(Path::new(""))
    }

    /// Counts the bytes of a mask, which the scene holds as rows of text.
    fn count(&mut self, mask: &Mask) -> Result<()> {
        let row = u64::from(mask.width()) + size_of::<String>() as u64;
        self.bytes += row * u64::from(mask.height());
        budget::at_most("bytes for all masks from sheets and levels", DEFAULT_LIMIT, self.bytes)
    }

    /// Adds the scene and a place in it to the error of a file that it names.
    fn blame(&self, place: &str, mut error: Error) -> Error {
        let file = std::mem::replace(&mut error.file, self.scene.to_owned());
        let error = if file.as_os_str().is_empty() { error } else { error.at(file.to_string_lossy()) };
        error.at(place)
    }
}
