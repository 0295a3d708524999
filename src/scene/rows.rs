//! Bodies as rows of a CSV file.

use std::path::{Path, PathBuf};

use csv::{ErrorKind, ReaderBuilder, StringRecord, Trim};

use super::model::{BodySpec, Pose};
use super::read::BODY_LIST;
use super::{line_breaks, values};
use crate::ground::error::{Error, Result};
use crate::ground::linear::Flip;
use crate::ground::memory::Room;
use crate::ground::text::named;

const COLUMNS: [&str; 12] =
    ["shape", "x", "y", "angle", "scale", "flip", "move_x", "move_y", "layer", "hits", "group", "detector"];
/// The number of required columns, the first of [`COLUMNS`].
const REQUIRED: usize = 3;

/// The lines of a CSV file that hold bodies.
#[derive(Clone, Debug)]
pub(crate) struct Lines {
    pub(super) file: PathBuf,
    /// The index of the file's first body.
    first: usize,
    /// The line of each body, counted from 1.
    of: Vec<u32>,
}

impl Lines {
    /// Returns the line of the body at `index`, if it comes from this file.
    pub(super) fn line(&self, index: usize) -> Option<u32> {
        self.of.get(index.checked_sub(self.first)?).copied()
    }
}

/// Renames the fields of an error to those of the columns: `at.x` becomes `x`.
pub(super) fn blame(error: Error) -> Error {
    match error {
        Error::Value { field, value, limit } => {
            let field = match field.as_str() {
                "at.x" => "x".into(),
                "at.y" => "y".into(),
                "at" => "x, y".into(),
                "move.x" => "move_x".into(),
                "move.y" => "move_y".into(),
                _ => field,
            };
            Error::Value { field, value, limit }
        }
        error => error,
    }
}

/// Appends the bodies in the text of a CSV file. Errors name the file at `path`.
pub(crate) fn parse(text: &[u8], path: &Path, bodies: &mut Vec<BodySpec>) -> Result<Lines> {
    let error = |problem: String| Error::File { path: path.to_owned(), problem };
    let room = Room::default();
    let mut reader = ReaderBuilder::new().trim(Trim::All).has_headers(false).from_reader(text);
    let mut counter = Counter { text, at: 0, line: 1 };
    let mut record = StringRecord::new();
    let first = bodies.len();
    let mut lines = Vec::new();
    let mut header = None;
    loop {
        let line = match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => counter.line_of(record.position()),
            Err(e) => {
                let line = counter.line_of(e.position());
                return Err(error(format!("line {line}: {}", explain(e.kind()))));
            }
        };
        let at_line = |problem: String| error(format!("line {line}{problem}"));
        if let Some(columns) = &header {
            let read =
                body(&record, columns).map_err(|problem| at_line(format!(" (body {}){problem}", bodies.len())))?;
            let full = |error: Error| error.of(format!("{}: line {line}", path.display()));
            room.reserve(bodies, 1, BODY_LIST).and_then(|()| room.reserve(&mut lines, 1, BODY_LIST)).map_err(full)?;
            bodies.push(read);
            lines.push(line);
        } else {
            header = Some(columns(&record).map_err(at_line)?);
        }
    }
    if header.is_none() {
        return Err(error(format!(
            "there is no header; it must name at least the columns `{}`",
            COLUMNS[..REQUIRED].join("`, `")
        )));
    }
    Ok(Lines { file: path.to_owned(), first, of: lines })
}

/// The position of each of [`COLUMNS`] in a row.
type Places = [Option<usize>; COLUMNS.len()];

fn columns(header: &StringRecord) -> std::result::Result<Places, String> {
    let mut places = Places::default();
    for (place, name) in header.iter().enumerate() {
        let Some(column) = COLUMNS.iter().position(|&column| column == name) else {
            return Err(format!(": unknown column `{}`; the columns are `{}`", named(name), COLUMNS.join("`, `")));
        };
        if places[column].replace(place).is_some() {
            return Err(format!(": the column `{name}` appears twice"));
        }
    }
    match places[..REQUIRED].iter().position(Option::is_none) {
        Some(missing) => Err(format!(": there is no column `{}`, which is required", COLUMNS[missing])),
        None => Ok(places),
    }
}

/// Reads a row as a body. On failure returns ", column `x`: " and the problem.
fn body(record: &StringRecord, places: &Places) -> std::result::Result<BodySpec, String> {
    let field = |column: usize| places[column].and_then(|place| record.get(place)).filter(|text| !text.is_empty());
    let wrong = |column: usize, text: &str, must: &str| {
        format!(", column `{}`: \"{}\" is not {must}", COLUMNS[column], named(text))
    };
    let missing = |column: usize| format!(", column `{}`: there is no value, but one is required", COLUMNS[column]);
    let number = |column: usize| match field(column) {
        None => Ok(None),
        Some(text) => finite(text).map(Some).ok_or_else(|| wrong(column, text, "a finite number")),
    };
    let layers = |column: usize, default: u32| match field(column) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| wrong(column, text, &format!("a whole number from 0 to {}", u32::MAX))),
    };

    let shape = field(0).ok_or_else(|| missing(0))?;
    let at = [number(1)?.ok_or_else(|| missing(1))?, number(2)?.ok_or_else(|| missing(2))?];
    let angle = number(3)?.unwrap_or(0.0);
    let scale = match field(4) {
        None => [1.0; 2],
        Some(text) => {
            scale(text).ok_or_else(|| wrong(4, text, "a finite number, or two separated by a space, for x and y"))?
        }
    };
    let flip = match field(5) {
        None => Flip::default(),
        Some(text) => values::flip::named(text).ok_or_else(|| wrong(5, text, "x, y, xy or empty"))?,
    };
    let detector = match field(11) {
        None | Some("false") => false,
        Some("true") => true,
        Some(text) => return Err(wrong(11, text, "true, false or empty")),
    };
    Ok(BodySpec {
        pose: Pose::Turned { angle, scale, flip },
        motion: [number(6)?.unwrap_or(0.0), number(7)?.unwrap_or(0.0)],
        layers: layers(8, 1)?,
        mask: layers(9, u32::MAX)?,
        group: layers(10, 0)?,
        detector,
        ..BodySpec::new(shape, at)
    })
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|v: &f64| v.is_finite())
}

/// Reads one number, or two separated by blanks.
fn scale(text: &str) -> Option<[f64; 2]> {
    let mut numbers = text.split_whitespace().map(finite);
    let x = numbers.next()??;
    let y = match numbers.next() {
        Some(y) => y?,
        None => x,
    };
    numbers.next().is_none().then_some([x, y])
}

fn explain(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::UnequalLengths { expected_len, len, .. } => {
            format!("{len} fields; there must be {expected_len}, as in the header")
        }
        ErrorKind::Utf8 { .. } => "not UTF-8 text".into(),
        kind => format!("{kind:?}"),
    }
}

/// A counter of lines. (The reader's own count is taken before the line breaks that it skips at the start of a record.)
struct Counter<'a> {
    text: &'a [u8],
    at: usize,
    line: u32,
}

impl Counter<'_> {
    fn line_of(&mut self, position: Option<&csv::Position>) -> u32 {
        let start = position.map_or(self.at, |position| position.byte() as usize).clamp(self.at, self.text.len());
        let breaks = self.text[start..].iter().take_while(|&&byte| byte == b'\n' || byte == b'\r').count();
        self.line += line_breaks(&self.text[self.at..start + breaks]);
        self.at = start + breaks;
        self.line
    }
}
