//! Replay files: a scene, and line by line the edits to it.

use std::path::{Path, PathBuf};

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};

use super::model::{BodySpec, Image, ShapeSpec};
use super::values::{self, Object};
use super::{NO_FILE, Scene};
use super::{file, read};
use crate::ground::error::{Error, Result};

/// A recorded world, as written in a file of JSON lines: the first line is a scene, each further one a step.
///
/// ```
/// use hitmask::scene::Replay;
/// use hitmask::{Ask, Engine};
///
/// let text = r#"{ "shapes": { "a": { "circle": 1 } }, "bodies": [{ "shape": "a", "at": [0, 0], "name": "ship" }] }
/// { "add": [{ "shape": "a", "at": [1, 0], "name": "shot" }] }
/// { "remove": ["shot"] }"#;
/// let replay = Replay::parse(text, ".".as_ref())?;
/// let (mut play, mut engine) = (replay.play()?, Engine::cpu()?);
/// let mut told = Vec::new();
/// while play.edit()? {
///     let hits = engine.run(play.world(), Ask::Pairs)?;
///     told.push(play.take(&hits)?);
/// }
/// assert_eq!(told[0].began, [["ship", "shot"]]);
/// assert_eq!((told[1].bodies, &told[1].ended), (1, &told[0].began));
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Replay {
    /// The world at the beginning. Each body has a name of its own.
    pub scene: Scene,
    /// The edits before each step.
    pub steps: Vec<Edits>,
    /// The file that the replay was read from, for errors.
    pub(super) file: Option<PathBuf>,
    /// The line number of each step.
    pub(super) lines: Vec<usize>,
}

/// The edits before a step, made in this order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Edits {
    /// The names of the bodies to remove.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
    /// New shapes, by name. If a name exists already, it now refers to the new shape; bodies that have the old one keep
    /// it.
    #[serde(deserialize_with = "read::shapes", serialize_with = "by_name", skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<(String, ShapeSpec)>,
    /// The bodies to add.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub add: Vec<BodySpec>,
    /// The bodies to replace, identified by their names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<BodySpec>,
    /// The edits to make in masks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub masks: Vec<Stamp>,
    /// Whether to move each body to the end of its motion after the step.
    #[serde(skip_serializing_if = "is_false")]
    pub advance: bool,
}

/// An edit of the mask of a sprite's shape, which affects all bodies that have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Object<RawStamp>", into = "RawStamp")]
pub struct Stamp {
    /// The name of the shape.
    pub shape: String,
    /// The image whose solid texels are drawn or erased.
    pub image: Image,
    /// Whether to erase the texels instead of drawing them.
    pub erase: bool,
    /// The position of the image's top-left texel, in texels of the mask; the part outside the mask is ignored.
    pub at: [i32; 2],
}

impl Replay {
    /// Makes a replay of these steps.
    #[must_use]
    pub fn new(scene: Scene, steps: Vec<Edits>) -> Self {
        let lines = (2..).take(steps.len()).collect();
        Self { scene, steps, file: None, lines }
    }

    /// Reads a replay file, and the CSV file that its scene may name. Images are read when the replay is played.
    ///
    /// Returns [`Error::File`], which names the file and the line.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::parse_as(&super::text(path, file::read(path)?)?, path)
    }

    /// Reads the text of a replay file. Paths in it are relative to `folder`.
    pub fn parse(text: &str, folder: &Path) -> Result<Self> {
        Self::read(text, folder, None)
    }

    /// Reads a text as [`Replay::open`] reads that of a replay file. Errors name the file, and paths are relative to
    /// its folder. The file itself is not read.
    pub fn parse_as(text: &str, file: &Path) -> Result<Self> {
        Self::read(text, file.parent().unwrap_or(Path::new("")), Some(file))
    }

    /// Returns the files that the replay consists of: its own, those of its scene, and the images of its steps.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use hitmask::scene::Replay;
    ///
    /// let text = r#"{ "shapes": { "rock": { "sprite": "rock.png" } } }
    /// { "shapes": { "ship": { "sprite": "ship.png" } } }
    /// { "masks": [{ "shape": "rock", "erase": "blast.png", "at": [0, 0] }] }"#;
    /// let replay = Replay::parse_as(text, Path::new("game/a.jsonl"))?;
    /// let files = ["game/a.jsonl", "game/rock.png", "game/ship.png", "game/blast.png"];
    /// assert_eq!(replay.files().collect::<Vec<_>>(), files.map(Path::new));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let images = self.steps.iter().flat_map(|step| {
            let shapes = step.shapes.iter().filter_map(|(_, shape)| shape.image());
            shapes.chain(step.masks.iter().map(|stamp| &stamp.image))
        });
        self.scene.files().chain(images.filter_map(|image| self.scene.file_of(image)))
    }

    fn read(text: &str, folder: &Path, file: Option<&Path>) -> Result<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let wrong = |line: usize, problem: String| {
            // The JSON reader sees each line alone, as line 1.
            let problem = problem.replace(" at line 1 column ", ", column ");
            let path = file.unwrap_or(Path::new(NO_FILE)).to_owned();
            Error::File { path, problem: format!("line {line}: {problem}") }
        };
        let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
        let Some((first, at)) = lines.next() else { return Err(wrong(1, "there is no scene".into())) };
        let scene = Scene::of_text(read::object(first).map_err(|problem| wrong(at, problem))?, folder, file)?;
        let (mut steps, mut numbers) = (Vec::new(), Vec::new());
        for (line, at) in lines {
            steps.push(read::object(line).map_err(|problem| wrong(at, problem))?);
            numbers.push(at);
        }
        Ok(Self { scene, steps, file: file.map(Path::to_owned), lines: numbers })
    }

    /// Returns the text of a replay file, as [`Replay::parse`] reads it.
    ///
    /// Returns [`Error::Value`] for a number that JSON cannot represent, such as NaN.
    ///
    /// ```
    /// use hitmask::scene::{Edits, Replay};
    ///
    /// let steps = vec![Edits { advance: true, ..Edits::default() }];
    /// let text = Replay::new(hitmask::scene::Scene::default(), steps.clone()).to_json()?;
    /// assert_eq!(Replay::parse(&text, ".".as_ref())?.steps, steps);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn to_json(&self) -> Result<String> {
        let mut text: String = self.scene.to_json()?.lines().map(str::trim).collect();
        for edits in &self.steps {
            text.push('\n');
            text += &serde_json::to_string(edits)
                .map_err(|error| Error::value("a step", error, "hold only numbers that JSON can represent"))?;
        }
        Ok(text + "\n")
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
fn is_false(value: &bool) -> bool {
    !value
}

fn by_name<S: Serializer>(shapes: &[(String, ShapeSpec)], s: S) -> std::result::Result<S::Ok, S::Error> {
    let mut map = s.serialize_map(Some(shapes.len()))?;
    shapes.iter().try_for_each(|(name, shape)| map.serialize_entry(name, shape))?;
    map.end()
}

/// A stamp, key by key.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStamp {
    shape: String,
    #[serde(default, with = "values::image", skip_serializing_if = "Option::is_none")]
    draw: Option<Image>,
    #[serde(default, with = "values::image", skip_serializing_if = "Option::is_none")]
    erase: Option<Image>,
    #[serde(deserialize_with = "values::whole_pair")]
    at: [i32; 2],
}

impl TryFrom<Object<RawStamp>> for Stamp {
    type Error = String;

    fn try_from(Object(raw): Object<RawStamp>) -> std::result::Result<Self, String> {
        let RawStamp { shape, draw, erase, at } = raw;
        match (draw, erase) {
            (Some(image), None) => Ok(Self { shape, image, erase: false, at }),
            (None, Some(image)) => Ok(Self { shape, image, erase: true, at }),
            _ => Err("a mask edit has either `draw` or `erase`".into()),
        }
    }
}

impl From<Stamp> for RawStamp {
    fn from(Stamp { shape, image, erase, at }: Stamp) -> Self {
        let (draw, erase) = if erase { (None, Some(image)) } else { (Some(image), None) };
        Self { shape, draw, erase, at }
    }
}
