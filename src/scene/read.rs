//! Reading the text of a scene: its keys, and errors that give the place.

use std::collections::HashSet;
use std::fmt;

use serde::de::{self, Deserializer, Error as _, MapAccess, Unexpected, Visitor};
use serde_path_to_error::Segment;

use super::model::{BodySpec, ShapeSpec};
use super::queries::QuerySpec;
use super::values::{Listed, Named, Object, some};
use crate::ground::memory::{Need, Room};
use crate::ground::text::{Number, message, named};
use crate::ground::touch::Touch;

/// The supported version of the format.
const VERSION: u64 = 1;

/// The contents of a scene file, before the files that it names are read.
#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Text {
    #[serde(default, rename = "version", deserialize_with = "version")]
    _version: (),
    #[serde(default, deserialize_with = "touch")]
    pub(super) touch: Option<Touch>,
    #[serde(default, deserialize_with = "some")]
    pub(super) saved: Option<String>,
    #[serde(default, deserialize_with = "shapes")]
    pub(super) shapes: Vec<(String, ShapeSpec)>,
    #[serde(default, deserialize_with = "bodies")]
    pub(super) bodies: Vec<BodySpec>,
    #[serde(default, deserialize_with = "some")]
    pub(super) bodies_csv: Option<String>,
    #[serde(default, deserialize_with = "queries")]
    pub(super) queries: Vec<QuerySpec>,
}

impl Text {
    /// Returns a message about a key that does not go with `saved`.
    pub(super) fn beside_saved(&self) -> Option<String> {
        let keys = [
            ("touch", self.touch.is_some()),
            ("shapes", !self.shapes.is_empty()),
            ("bodies", !self.bodies.is_empty()),
            ("bodies_csv", self.bodies_csv.is_some()),
        ];
        let (key, _) = keys.into_iter().find(|(_, given)| self.saved.is_some() && *given)?;
        Some(format!("`saved` replaces `touch`, `shapes`, `bodies` and `bodies_csv`, but `{key}` is given as well"))
    }
}

/// Reads an object, such as a scene. On failure returns a message with the path ("bodies[3].at"), the line and the
/// column.
pub(super) fn object<T: de::DeserializeOwned>(json: &str) -> Result<T, String> {
    // Tracking the path costs one allocation per key, so it is done only after an error.
    serde_json::from_str(json).map(|Object(text)| text).or_else(|_| {
        let mut text = serde_json::Deserializer::from_str(json);
        let Object(object) = serde_path_to_error::deserialize(&mut text).map_err(|error| {
            let path = error.path().to_string();
            // The path ends in a query mark if a key could not be read.
            let is_unread = matches!(error.path().iter().next_back(), Some(Segment::Unknown));
            let path = if is_unread { path.trim_end_matches('?').trim_end_matches('.') } else { &path };
            let path = if path.is_empty() || path == "." { String::new() } else { format!("{}: ", message(path)) };
            format!("{path}{}", message(&plain_types(&short_numbers(&placed(error.inner(), json)))))
        })?;
        text.end().map_err(|error| error.to_string())?;
        Ok(object)
    })
}

/// Returns the text of an error of serde, with the place where a rejected value begins if it was not read.
///
/// serde gives the number of bytes that it has read of the line: 0 for a list or object at the start of a line that it
/// refuses by its first bracket.
fn placed(error: &serde_json::Error, json: &str) -> String {
    let (text, line, column) = (error.to_string(), error.line(), error.column());
    let read = json.split('\n').nth(line.saturating_sub(1)).and_then(|line| line.as_bytes().get(..column));
    // A value that was read ends in none of these.
    let is_unread = read.is_some_and(|read| matches!(read.last(), None | Some(b' ' | b'\t' | b',' | b':' | b'[')));
    match text.strip_suffix(&format!(" at line {line} column {column}")) {
        Some(problem) if error.is_data() && is_unread => format!("{problem} at line {line} column {}", column + 1),
        _ => text,
    }
}

/// Shortens the numbers in an error of serde, which quotes all their digits.
fn short_numbers(text: &str) -> String {
    const QUOTE: &str = "floating point `";
    let mut parts = text.split(QUOTE);
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        short += QUOTE;
        match part.split_once('`').and_then(|(digits, rest)| Some((digits.parse().ok()?, rest))) {
            Some((v, rest)) => short.extend([&*Number(v).to_string(), "`", rest]),
            None => short += part,
        }
    }
    short
}

/// Replaces the type names in an error of serde by plain words.
fn plain_types(text: &str) -> String {
    const PLAIN: [(&str, &str); 6] = [
        ("f64", "a number"),
        ("u32", "a whole number from 0 to 4294967295"),
        ("i64", "a whole number"),
        ("usize", "a whole number of 0 or more"),
        ("a sequence", "a list"),
        ("a map", "an object"),
    ];
    let Some((found, expected)) = text.rsplit_once(", expected ") else { return text.to_owned() };
    let (what, place) = expected.split_once(" at line ").unwrap_or((expected, ""));
    let plain = PLAIN.iter().find(|(name, _)| *name == what).map_or(what, |(_, plain)| plain);
    let at = if place.is_empty() { "" } else { " at line " };
    format!("{found}, expected {plain}{at}{place}")
}

/// The shapes of a scene. Each needs further memory for its name, twice, and for its geometry.
const SHAPE_LIST: Need = Need { what: "the list of shapes", advice: "split them over several scenes", beside: 256 };
/// The bodies of a scene. Each needs further memory for its name and that of its shape.
pub(super) const BODY_LIST: Need =
    Need { what: "the list of bodies", advice: "split them over several scenes", beside: 64 };
/// The queries of a scene. Each needs further memory for the names of a body.
const QUERY_LIST: Need = Need { what: "the list of queries", advice: "split them over several scenes", beside: 64 };

fn bodies<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<BodySpec>, D::Error> {
    d.deserialize_seq(Listed::new(BODY_LIST))
}

fn queries<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<QuerySpec>, D::Error> {
    d.deserialize_seq(Listed::new(QUERY_LIST))
}

fn version<'de, D: Deserializer<'de>>(d: D) -> Result<(), D::Error> {
    struct Version;
    impl Visitor<'_> for Version {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "version {VERSION}, the only one that this program supports")
        }

        fn visit_u64<E: de::Error>(self, v: u64) -> Result<(), E> {
            if v == VERSION { Ok(()) } else { Err(E::invalid_value(Unexpected::Unsigned(v), &self)) }
        }
    }
    d.deserialize_u64(Version)
}

fn touch<'de, D: Deserializer<'de>>(d: D) -> Result<Option<Touch>, D::Error> {
    d.deserialize_str(Named([("excluded", Touch::Excluded), ("included", Touch::Included)])).map(Some)
}

pub(super) fn shapes<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<(String, ShapeSpec)>, D::Error> {
    struct Shapes;
    impl<'de> Visitor<'de> for Shapes {
        type Value = Vec<(String, ShapeSpec)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of shapes by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let (mut shapes, mut names) = (Vec::new(), HashSet::new());
            let room = Room::default();
            while let Some(name) = map.next_key::<String>()? {
                if !names.insert(name.clone()) {
                    let name = named(&name);
                    return Err(A::Error::custom(format_args!("the shape `{name}` appears twice")));
                }
                room.reserve(&mut shapes, 1, SHAPE_LIST).map_err(A::Error::custom)?;
                shapes.push((name, map.next_value()?));
            }
            Ok(shapes)
        }
    }
    d.deserialize_map(Shapes)
}
