//! Scene files: shapes and bodies as JSON, images by path, many bodies as CSV; and replays, which change a scene step
//! by step.
//!
//! ```text
//! JSON --parse--> ShapeSpec, BodySpec <--rows-- CSV      the file as it is written: text, numbers, names
//!                        |
//!                      world                              names resolved, images decoded, numbers checked and snapped
//!                        v
//!                      World
//! ```
//!
//! Errors in the text (syntax, types, unknown or repeated keys) are found by [`Scene::open`] and give line and column.
//! Errors in values are found by [`Scene::world`] and name the shape or body and the field.

mod build;
pub(crate) mod file;
mod keys;
mod masks;
mod model;
mod moment;
mod named;
mod play;
mod queries;
mod read;
mod replay;
pub(crate) mod rows;
mod saved;
mod values;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::ground::error::{Error, Result};
use crate::ground::text::named;
use crate::ground::touch::Touch;
use crate::world::save::file::is_saved;

pub use model::{BodySpec, Form, Image, PartSpec, Pose, ShapeSpec};
pub use moment::Moment;
pub use play::{Play, Step};
pub use queries::{QuerySpec, SceneQuery};
pub use replay::{Edits, Replay, Stamp};

/// A scene as written in a file: shapes by name, and bodies that refer to them.
///
/// ```
/// use hitmask::scene::Scene;
/// use hitmask::{Ask, Engine};
///
/// let scene = Scene::parse(
///     r#"{ "shapes": { "ball": { "circle": 2 } },
///          "bodies": [{ "shape": "ball", "at": [0, 0] }, { "shape": "ball", "at": [3, 0], "name": "red" }] }"#,
///     ".".as_ref(),
/// )?;
/// assert_eq!(Engine::reference().run(&scene.world()?, Ask::Pairs)?.pairs, [[0, 1]]);
/// assert_eq!(scene.label(1), "1 `red` (ball)");
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The touch rule: whether bodies that only touch hit each other.
    pub touch: Touch,
    /// The shapes by name, in the file's order; no name twice.
    pub shapes: Vec<(String, ShapeSpec)>,
    /// The bodies, those of `bodies` first, then those of `bodies_csv`.
    pub bodies: Vec<BodySpec>,
    /// The queries, in the file's order.
    pub queries: Vec<QuerySpec>,
    /// The file that the scene was read from, for errors.
    file: Option<PathBuf>,
    /// The folder that paths are relative to.
    folder: PathBuf,
    /// The lines of the bodies that come from a CSV file.
    rows: Option<rows::Lines>,
    /// The saved world that the scene names.
    saved: Option<PathBuf>,
}

/// The name that errors use for a scene that does not come from a file.
const NO_FILE: &str = "the scene";

impl Scene {
    /// Makes a scene of these shapes, by name, and bodies. Paths are relative to the current folder.
    ///
    /// ```
    /// use hitmask::scene::{BodySpec, Form, Scene, ShapeSpec};
    /// use hitmask::Touch;
    ///
    /// let ball = ShapeSpec::new(Form::Circle(2.0));
    /// let scene = Scene::new(Touch::Excluded, vec![("ball".into(), ball)], vec![BodySpec::new("ball", [3.0, 4.0])]);
    /// assert_eq!(scene.world()?.len(), 1);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn new(touch: Touch, shapes: Vec<(String, ShapeSpec)>, bodies: Vec<BodySpec>) -> Self {
        Self { touch, shapes, bodies, ..Self::default() }
    }

    /// Reads a scene file, and the CSV file or saved world that it names. Images are read by [`Scene::world`]. The
    /// file may also be a saved world itself; see [`Scene::of_world`] for the names of its shapes and bodies.
    ///
    /// Returns [`Error::File`], which names the file and, for wrong JSON, line and column. Both must be regular files
    /// (no pipes, no devices) of at most 4 GiB. Also returns an error if there is not enough memory for the contents.
    ///
    /// ```no_run
    /// use hitmask::scene::Scene;
    ///
    /// let world = Scene::open("level.json")?.world()?;
    /// println!("{} bodies", world.len());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = file::read(path)?;
        if is_saved(&bytes) {
            let folder = path.parent().unwrap_or(Path::new(""));
            let scene = Self::of_saved(&bytes).map_err(|error| in_file(Some(path), error))?;
            return Ok(Self { file: Some(path.to_owned()), folder: folder.to_owned(), ..scene });
        }
        Self::parse_as(&text(path, bytes)?, path)
    }

    /// Reads the text of a scene file. Paths in it are relative to `folder`.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hitmask::scene::Scene;
    ///
    /// let error = Scene::parse(r#"{ "touch": "maybe" }"#, Path::new(".")).unwrap_err();
    /// assert!(error.to_string().starts_with("the scene: touch: invalid value: string \"maybe\""));
    /// ```
    pub fn parse(json: &str, folder: &Path) -> Result<Self> {
        Self::read(json, folder, None)
    }

    /// Reads a text as [`Scene::open`] reads that of a scene file, for example one that an editor has not saved yet.
    /// Errors and [`Scene::files`] name the file, and paths are relative to its folder. The file itself is not read.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hitmask::scene::Scene;
    ///
    /// let scene = Scene::parse_as(r#"{ "bodies": [{ "shape": "ball", "at": [0, 0] }] }"#, Path::new("level/a.json"))?;
    /// let error = scene.world().unwrap_err();
    /// assert_eq!(error.to_string(), "level/a.json: body 0 (ball): there is no shape `ball`");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn parse_as(json: &str, file: &Path) -> Result<Self> {
        Self::read(json, file.parent().unwrap_or(Path::new("")), Some(file))
    }

    fn read(json: &str, folder: &Path, file: Option<&Path>) -> Result<Self> {
        let json = json.strip_prefix('\u{feff}').unwrap_or(json);
        let text = read::object(json)
            .map_err(|problem| Error::File { path: file.unwrap_or(Path::new(NO_FILE)).to_owned(), problem })?;
        Self::of_text(text, folder, file)
    }

    /// Makes the scene from its parsed text, and reads the CSV file that it names.
    fn of_text(text: read::Text, folder: &Path, file: Option<&Path>) -> Result<Self> {
        if let Some(problem) = text.beside_saved() {
            return Err(Error::File { path: file.unwrap_or(Path::new(NO_FILE)).to_owned(), problem });
        }
        let path = |key: &str, path: &str| match path {
            "" => Err(in_file(file, Error::value(key, "\"\"", "be the path of a file"))),
            path => Ok(folder.join(path)),
        };
        let saved = text.saved.as_deref().map(|saved| path("saved", saved)).transpose()?;
        let mut scene = match &saved {
            Some(saved) => {
                let bytes = file::read(saved).map_err(|error| in_file(file, error.of("`saved`")))?;
                let scene = Self::of_saved(&bytes);
                scene.map_err(|error| in_file(file, error.of(saved.display().to_string())))?
            }
            None => Self::new(text.touch.unwrap_or_default(), text.shapes, text.bodies),
        };
        scene =
            Self { queries: text.queries, file: file.map(Path::to_owned), folder: folder.to_owned(), saved, ..scene };
        if let Some(csv) = text.bodies_csv {
            let path = path("bodies_csv", &csv)?;
            let text = file::read(&path).map_err(|error| in_file(file, error.of("`bodies_csv`")))?;
            scene.rows = Some(rows::parse(&text, &path, &mut scene.bodies)?);
        }
        Ok(scene)
    }

    /// Returns the files that the scene consists of: its own, its CSV file or saved world, and its images.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hitmask::scene::Scene;
    ///
    /// let scene = Scene::parse(r#"{ "shapes": { "ship": { "sprite": "ship.png" } } }"#, Path::new("level"))?;
    /// assert_eq!(scene.files().collect::<Vec<_>>(), [Path::new("level/ship.png")]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let rows = self.rows.as_ref().map(|rows| rows.file.clone());
        let images = self.shapes.iter().filter_map(|(_, shape)| self.file_of(shape.image()?));
        self.file.clone().into_iter().chain(self.saved.clone()).chain(rows).chain(images)
    }

    /// Returns the file of an image, unless its rows are in the text.
    pub(super) fn file_of(&self, image: &Image) -> Option<PathBuf> {
        match image {
            Image::File(file) => Some(self.folder.join(file)),
            Image::Rows(_) => None,
        }
    }

    /// Returns a label of a body for people: its index, its name if it has one, and its shape, as in "3 \`player\`
    /// (ship)".
    ///
    /// ```
    /// use hitmask::scene::{BodySpec, Scene};
    /// use hitmask::Touch;
    ///
    /// let player = BodySpec { name: Some("player".into()), ..BodySpec::new("ship", [0.0; 2]) };
    /// assert_eq!(Scene::new(Touch::Excluded, vec![], vec![player]).label(0), "0 `player` (ship)");
    /// ```
    #[must_use]
    pub fn label(&self, index: usize) -> String {
        let mut label = index.to_string();
        if let Some(body) = self.bodies.get(index) {
            if let Some(name) = body.name.as_deref().filter(|name| !name.is_empty()) {
                let _ = write!(label, " `{}`", named(name));
            }
            let _ = write!(label, " ({})", named(&body.shape));
        }
        label
    }

    /// Returns this scene with other bodies, only the shapes that they use, absolute paths, and no queries.
    ///
    /// It depends on no files but images, so it can be saved anywhere, for example in a bug report.
    ///
    /// ```
    /// use hitmask::scene::{BodySpec, Form, Scene, ShapeSpec};
    /// use hitmask::Touch;
    ///
    /// let shapes = ["ball", "disc"].map(|name| (name.to_owned(), ShapeSpec::new(Form::Circle(2.0))));
    /// let scene = Scene::new(Touch::Excluded, shapes.into(), vec![]);
    /// let one = scene.with_bodies(vec![BodySpec::new("disc", [0.0; 2])]);
    /// assert_eq!(one.shapes.len(), 1);
    /// ```
    #[must_use]
    pub fn with_bodies(&self, bodies: Vec<BodySpec>) -> Self {
        let used: std::collections::HashSet<&str> = bodies.iter().map(|body| body.shape.as_str()).collect();
        // The folder of `scene.json` is the empty path.
        let folder = std::path::absolute(Path::new(".").join(&self.folder)).unwrap_or_else(|_| self.folder.clone());
        let shapes = self.shapes.iter().filter(|(name, _)| used.contains(name.as_str())).cloned();
        let shapes = shapes.map(|(name, shape)| (name, shape.within(&folder))).collect();
        Self { shapes, folder, ..Self::new(self.touch, Vec::new(), bodies) }
    }

    /// Returns the text of a scene file, with one line per shape, body or query, as [`Scene::parse`] reads it. Bodies
    /// from a CSV file are included.
    ///
    /// Returns [`Error::Value`] for a number that JSON cannot represent, such as NaN.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hitmask::scene::{BodySpec, Form, Scene, ShapeSpec};
    /// use hitmask::Touch;
    ///
    /// let shapes = vec![("ball".to_owned(), ShapeSpec::new(Form::Circle(2.0)))];
    /// let scene = Scene::new(Touch::Included, shapes, vec![BodySpec::new("ball", [3.0, 4.0])]);
    /// let again = Scene::parse(&scene.to_json()?, Path::new("."))?;
    /// assert_eq!((again.touch, again.shapes, again.bodies), (scene.touch, scene.shapes, scene.bodies));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn to_json(&self) -> Result<String> {
        let touch = match self.touch {
            Touch::Excluded => "excluded",
            Touch::Included => "included",
        };
        let line = |value: serde_json::Result<String>| {
            value.map_err(|error| Error::value("the scene", error, "hold only numbers that JSON can represent"))
        };
        let shapes = self.shapes.iter().map(|(name, shape)| {
            Ok(format!("{}: {}", line(serde_json::to_string(name))?, line(serde_json::to_string(shape))?))
        });
        let shapes = shapes.collect::<Result<Vec<_>>>()?;
        let bodies = self.bodies.iter().map(|body| line(serde_json::to_string(body)));
        let bodies = bodies.collect::<Result<Vec<_>>>()?;
        let block = |open: char, lines: &[String], close: char| match lines {
            [] => format!("{open}{close}"),
            lines => format!("{open}\n    {}\n  {close}", lines.join(",\n    ")),
        };
        let queries = self.queries.iter().map(|query| line(serde_json::to_string(query)));
        let queries = queries.collect::<Result<Vec<_>>>()?;
        let (shapes, bodies) = (block('{', &shapes, '}'), block('[', &bodies, ']'));
        // Most scenes have no queries.
        let queries = match &queries[..] {
            [] => String::new(),
            queries => format!(",\n  \"queries\": {}", block('[', queries, ']')),
        };
        Ok(format!(
            "{{\n  \"version\": 1,\n  \"touch\": \"{touch}\",\n  \"shapes\": {shapes},\n  \"bodies\": {bodies}{queries}\n}}\n"
        ))
    }
}

/// Adds the file to an error, if there is one.
fn in_file(file: Option<&Path>, error: Error) -> Error {
    match file {
        Some(file) => error.of(file.display().to_string()),
        None => error,
    }
}

/// Returns the text of a file that has these bytes.
fn text(path: &Path, bytes: Vec<u8>) -> Result<String> {
    let error = |problem: String| Error::File { path: path.to_owned(), problem };
    String::from_utf8(bytes).map_err(|e| {
        let line = 1 + line_breaks(&e.as_bytes()[..e.utf8_error().valid_up_to()]);
        error(format!("not UTF-8 text, at line {line}"))
    })
}

/// Counts the line ends in a text: line feeds, carriage returns, or both together.
fn line_breaks(text: &[u8]) -> u32 {
    let ends = |pair: [u8; 2]| pair[0] == b'\n' || (pair[0] == b'\r' && pair[1] != b'\n');
    let next = text.iter().skip(1).chain([&0]);
    text.iter().zip(next).map(|(&byte, &next)| u32::from(ends([byte, next]))).sum()
}
