//! The text of a scene, taken apart: the sheets and levels that it names, and the text without them.
//!
//! ```text
//! { "shapes": { "kick": { "sheet": "ken.aseprite", "frame": 3 } },  "levels": [{ "tiled": "cave.tmx" }] }
//! { "shapes": { "kick": { "parts": []                         } }                                       }
//! ```
//!
//! The rest has the same length and the same lines, so that errors in it are placed as in the file.

use std::ops::Range;
use std::path::Path;

use serde::de::{DeserializeOwned, IgnoredAny};

use super::keys::{LevelKeys, SheetKeys};
use crate::budget;
use crate::error::{Result, malformed, quoted};
use crate::json;

/// The key of a shape from a sheet.
pub(super) const SHEET: &str = "\"sheet\"";

/// The key of the levels.
pub(super) const LEVELS: &str = "\"levels\"";

/// The key of a saved world, which is a scene by itself.
const SAVED: &str = "\"saved\"";

/// The largest number of levels in a scene.
const MAX_LEVELS: u64 = 256;

/// The largest number of shapes from sheets.
const MAX_FRAMES: u64 = 1 << 16;

/// A key that stands in the place of [`SHEET`], and its value.
const STAND_IN: [&str; 2] = ["\"parts\"", "[]"];

/// A text, taken apart.
#[derive(Debug)]
pub(super) struct Text {
    /// The text without sheets and levels.
    pub(super) rest: String,
    pub(super) frames: Vec<Frame>,
    /// The levels, each with its place for errors.
    pub(super) levels: Vec<(String, LevelKeys)>,
}

/// A shape from a sheet.
#[derive(Debug)]
pub(super) struct Frame {
    /// The object that has it: 0 is the scene, others are the steps of a replay.
    pub(super) object: usize,
    /// Its index among the shapes of the object.
    pub(super) index: usize,
    /// Its place for errors.
    pub(super) place: String,
    pub(super) keys: SheetKeys,
}

type Span = Range<usize>;

impl Text {
    /// Takes the text of a scene file apart.
    pub(super) fn of_scene(text: &str, file: &Path) -> Result<Self> {
        Taker::new(text)
            .take(&[(String::new(), trimmed(text, start(text)..text.len()))])
            .map_err(|error| error.of(file))
    }

    /// Takes the text of a replay file apart.
    pub(super) fn of_replay(text: &str, file: &Path) -> Result<Self> {
        let mut end = start(text);
        let lines = text[end..].split_inclusive('\n').enumerate().map(|(k, line)| {
            let from = end;
            end += line.len();
            (format!("line {}: ", k + 1), trimmed(text, from..end))
        });
        let objects: Vec<_> = lines.filter(|(_, line)| !line.is_empty()).collect();
        Taker::new(text).take(&objects).map_err(|error| error.of(file))
    }
}

/// A text that is being taken apart.
struct Taker<'a> {
    text: &'a str,
    rest: Vec<u8>,
    frames: Vec<Frame>,
    levels: Vec<(String, LevelKeys)>,
    /// True once the key of the levels was met.
    has_levels: bool,
}

impl<'a> Taker<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, rest: text.as_bytes().to_vec(), frames: Vec::new(), levels: Vec::new(), has_levels: false }
    }

    /// Takes objects, each with the start of its places: the first is a scene, and others have shapes alone.
    fn take(mut self, objects: &[(String, Span)]) -> Result<Text> {
        for (object, (place, span)) in objects.iter().enumerate() {
            self.parse::<IgnoredAny>(span)?;
            let members = self.members(span);
            let has_saved = members.iter().any(|(key, _)| &self.text[key.clone()] == SAVED);
            for (k, (key, value)) in members.iter().enumerate() {
                match &self.text[key.clone()] {
                    "\"shapes\"" => self.take_shapes(object, place, value)?,
                    LEVELS if object == 0 => {
                        self.take_levels(place, value, has_saved)?;
                        // A comma before it or behind it is of no use any more.
                        let from = if k > 0 { members[k - 1].1.end } else { key.start };
                        let to = if k > 0 { value.end } else { members.get(1).map_or(value.end, |next| next.0.start) };
                        self.blank(from..to);
                    }
                    _ => {}
                }
            }
        }
        let rest = String::from_utf8(self.rest).map_err(|_| malformed("the text is not UTF-8"))?;
        Ok(Text { rest, frames: self.frames, levels: self.levels })
    }

    fn take_shapes(&mut self, object: usize, place: &str, shapes: &Span) -> Result<()> {
        for (index, (name, shape)) in self.members(shapes).into_iter().enumerate() {
            let members = self.members(&shape);
            let Some((key, value)) = members.into_iter().find(|(key, _)| &self.text[key.clone()] == SHEET) else {
                continue;
            };
            let name: String = self.parse(&name)?;
            let place = format!("{place}shape {}", quoted(&name));
            let keys: SheetKeys = self.parse(&shape).map_err(|error| error.at(&place))?;
            self.blank(shape.start + 1..shape.end - 1);
            for (at, stand_in) in [(key.start, STAND_IN[0]), (value.start, STAND_IN[1])] {
                self.rest[at..at + stand_in.len()].copy_from_slice(stand_in.as_bytes());
            }
            let colon = self.text[key.end..value.start].find(':').unwrap_or_default();
            self.rest[key.end + colon] = b':';
            self.frames.push(Frame { object, index, place, keys });
            budget::at_most("shapes from sheets in a scene", MAX_FRAMES, self.frames.len() as u64)?;
        }
        Ok(())
    }

    fn take_levels(&mut self, place: &str, levels: &Span, has_saved: bool) -> Result<()> {
        let problem = match (self.has_levels, has_saved) {
            (true, _) => Some("appears twice"),
            (_, true) => Some("cannot stand beside `saved`"),
            _ if !self.text[levels.clone()].starts_with('[') => Some("must be a list of levels"),
            _ => None,
        };
        if let Some(problem) = problem {
            return Err(malformed(format!("`levels` {problem}, at {}", self.position(levels.start))));
        }
        self.has_levels = true;
        let levels = items(self.text, levels);
        let counted = budget::at_most("levels in a scene", MAX_LEVELS, levels.len() as u64);
        counted.map_err(|error| error.at("levels"))?;
        for (k, level) in levels.into_iter().enumerate() {
            let place = format!("{place}levels[{k}]");
            let keys = self.parse(&level).map_err(|error| error.at(&place))?;
            self.levels.push((place, keys));
        }
        Ok(())
    }

    /// Returns the places of the keys and the values of an object; none if it is something else.
    fn members(&self, object: &Span) -> Vec<(Span, Span)> {
        if !self.text[object.clone()].starts_with('{') {
            return Vec::new();
        }
        let mut items = items(self.text, object).into_iter();
        std::iter::from_fn(|| Some((items.next()?, items.next()?))).collect()
    }

    /// Parses a part of the text.
    fn parse<T: DeserializeOwned>(&self, span: &Span) -> Result<T> {
        serde_json::from_str(&self.text[span.clone()]).map_err(|error| {
            let line = self.text[span.clone()].split_inclusive('\n').take(error.line().saturating_sub(1));
            let at = span.start + line.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
            malformed(format!("{}, at {}", json::problem(&error), self.position(at)))
        })
    }

    /// Returns the line and the column of a byte.
    fn position(&self, at: usize) -> String {
        // A column counts bytes, as serde counts them.
        let (mut line, mut start) = (1, start(self.text));
        for (end, _) in self.text.match_indices('\n').take_while(|(end, _)| *end < at) {
            (line, start) = (line + 1, end + 1);
        }
        format!("line {line}, column {}", at - start + 1)
    }

    /// Puts blanks in the place of a part, but for the ends of lines.
    fn blank(&mut self, span: Span) {
        for byte in self.rest[span].iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
            *byte = b' ';
        }
    }
}

/// Returns where a text begins, behind a mark of its encoding.
fn start(text: &str) -> usize {
    text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len()
}

/// Returns a part of a text without the white space at its ends.
fn trimmed(text: &str, span: Span) -> Span {
    let part = &text[span.clone()];
    let start = span.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

/// Returns the places of the values in a list of well-formed JSON, or of the keys and values in turn in an object.
fn items(text: &str, outer: &Span) -> Vec<Span> {
    let (mut items, mut start, mut depth) = (Vec::new(), outer.start + 1, 0_u32);
    let (mut in_text, mut is_escaped) = (false, false);
    for (at, byte) in text.bytes().enumerate().take(outer.end).skip(outer.start + 1) {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => in_text = !in_text,
            _ if in_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 0 => depth -= 1,
            b',' | b':' | b'}' | b']' if depth == 0 => {
                items.extend(Some(trimmed(text, start..at)).filter(|item| !item.is_empty()));
                start = at + 1;
            }
            _ => {}
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn taken(text: &str) -> Text {
        Text::of_scene(text, Path::new("a.json")).unwrap()
    }

    #[test]
    fn sheets_and_levels_are_taken_and_the_rest_stays_where_it_is() {
        for (text, rest) in [
            (r#"{"shapes":{"a":{"sheet":"x"}}}"#, r#"{"shapes":{"a":{"parts":[] }}}"#),
            (
                r#"{"shapes":{"a":{"tag":"}","sheet" : "x"},"b":1}}"#,
                r#"{"shapes":{"a":{          "parts" : [] },"b":1}}"#,
            ),
            (r#"{"levels":[]}"#, "{           }"),
            (r#"{"levels":[{"tiled":"a"}],"x":1}"#, r#"{                         "x":1}"#),
            (r#"{"x":1,"levels":[],"y":2}"#, r#"{"x":1            ,"y":2}"#),
            ("{\"levels\"\n:\r\n[\n]\n}", "{        \n \r\n \n \n}"),
            (r#"{"bodies":[{"sheet":"x","levels":1}]}"#, r#"{"bodies":[{"sheet":"x","levels":1}]}"#),
        ] {
            assert_eq!(taken(text).rest, rest);
        }
    }

    proptest! {
        /// Names that need escapes, and brackets and quotes within texts, do not mislead it.
        #[test]
        fn any_names_and_paths_are_taken(
            names in proptest::collection::btree_set(any::<String>(), 1..6),
            path in any::<String>(),
            pretty in any::<bool>(),
        ) {
            let shapes: serde_json::Map<String, Value> = names.iter().enumerate().map(|(k, name)| {
                let sheet = json!({ "sheet": path, "tag": name });
                (name.clone(), if k % 2 == 0 { sheet } else { json!({ "circle": 1 }) })
            }).collect();
            let scene = json!({ "shapes": shapes, "levels": [{ "tiled": path }], "bodies": [] });
            let text = if pretty { format!("{scene:#}") } else { scene.to_string() };
            let taken = taken(&text);
            prop_assert_eq!(taken.rest.len(), text.len());
            prop_assert!(taken.rest.lines().map(str::len).eq(text.lines().map(str::len)));
            let tags: Vec<_> = taken.frames.iter().map(|frame| frame.keys.tag.clone().unwrap()).collect();
            prop_assert_eq!(tags, names.iter().step_by(2).cloned().collect::<Vec<_>>());
            prop_assert!(taken.frames.iter().all(|frame| frame.keys.sheet == path));
            prop_assert_eq!(taken.levels[0].1.tiled.as_ref(), Some(&path));
            let rest: Value = serde_json::from_str(&taken.rest).unwrap();
            prop_assert_eq!(rest.as_object().unwrap().len(), 2);
            prop_assert_eq!(rest["shapes"].as_object().unwrap().len(), names.len());
        }
    }
}
