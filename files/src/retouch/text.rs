//! The text of a retouch: read strictly, and written so that a change of a frame changes its lines only.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use super::{FrameGrid, FrameRetouch, Marks, Retouch, check_box, place_of_box};
use crate::budget;
use crate::error::{Error, Problem, Result, malformed};
use crate::json::{self, MAX_TEXT};
use crate::sheet::NamedBox;

/// The version that is written, and the only one that is read.
const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(rename = "hitmask-sheet")]
    version: u32,
    sheet: String,
    grid: Option<GridText>,
    threshold: u32,
    frames: Vec<FrameText>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct GridText {
    size: [u32; 2],
    #[serde(default, skip_serializing_if = "is_zero")]
    margin: u32,
    #[serde(default, skip_serializing_if = "is_zero")]
    spacing: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    remainder: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameText {
    frame: usize,
    mask: Option<Vec<String>>,
    pivot: Option<[f64; 2]>,
    boxes: Option<Vec<BoxText>>,
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct BoxText {
    name: String,
    bounds: [i32; 4],
    #[serde(skip_serializing_if = "Option::is_none")]
    pivot: Option<[i32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    centre: Option<[i32; 4]>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    data: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

pub(super) fn parse(text: &[u8]) -> Result<Retouch> {
    let File { version, sheet, grid, threshold, frames: entries } = json::parse(text)?;
    if version != VERSION {
        let problem = format!("version {version} of the format; this program reads version {VERSION}");
        return Err(Error::from(Problem::Unsupported(problem)).at("hitmask-sheet"));
    }
    let threshold = check_threshold(threshold)?;
    budget::at_most("frames", budget::MAX_FRAMES as u64, entries.len() as u64)?;
    let boxes = entries.iter().filter_map(|entry| entry.boxes.as_ref()).map(|boxes| boxes.len() as u64);
    budget::box_count(boxes.sum())?;
    let mut frames = BTreeMap::new();
    for entry in entries {
        let place = |error: Error| error.at(format!("frame {}", entry.frame));
        let Entry::Vacant(vacant) = frames.entry(entry.frame) else {
            return Err(place(malformed("it is listed twice")));
        };
        let marks = entry.mask.map(|rows| Marks::from_rows(&rows).map_err(|error| place(error.at("mask"))));
        let boxes = entry.boxes.map(|boxes| boxes.into_iter().map(NamedBox::from).collect::<Vec<_>>());
        for (k, named) in boxes.iter().flatten().enumerate() {
            check_box(named).map_err(place_of_box(entry.frame, k, named))?;
        }
        vacant.insert(FrameRetouch { marks: marks.transpose()?, pivot: entry.pivot, boxes });
    }
    let grid = grid.map(|GridText { size, margin, spacing, remainder }| FrameGrid { size, margin, spacing, remainder });
    Ok(Retouch { sheet, grid, threshold, frames })
}

pub(super) fn write(retouch: &Retouch) -> Result<String> {
    let Retouch { sheet, grid, threshold, frames } = retouch;
    check_threshold((*threshold).into())?;
    let mut lines = vec![format!("\"hitmask-sheet\": {VERSION}"), format!("\"sheet\": {}", line(sheet)?)];
    if let &Some(FrameGrid { size, margin, spacing, remainder }) = grid {
        lines.push(format!("\"grid\": {}", line(&GridText { size, margin, spacing, remainder })?));
    }
    lines.push(format!("\"threshold\": {threshold}"));
    let changed = frames.iter().filter(|(_, change)| !change.is_empty());
    let entries = changed.map(|(&index, change)| entry(index, change)).collect::<Result<Vec<_>>>()?;
    lines.push(if entries.is_empty() {
        "\"frames\": []".into()
    } else {
        format!("\"frames\": [\n    {}\n  ]", entries.join(",\n    "))
    });
    let text = format!("{{\n  {}\n}}\n", lines.join(",\n  "));
    budget::at_most("bytes of JSON", MAX_TEXT, text.len() as u64)?;
    Ok(text)
}

fn entry(index: usize, change: &FrameRetouch) -> Result<String> {
    let mut text = format!("{{ \"frame\": {index}");
    if let Some(marks) = change.marks.as_ref().filter(|marks| !marks.is_empty()) {
        list(&mut text, "mask", marks.to_rows().iter().map(line))?;
    }
    if let Some(pivot) = change.pivot {
        if !pivot.iter().all(|v| v.is_finite()) {
            return Err(malformed("its pivot is not finite").at(format!("frame {index}")));
        }
        // Writing to a text does not fail.
        let _ = write!(text, ",\n      \"pivot\": {}", line(&pivot)?);
    }
    if let Some(boxes) = &change.boxes {
        let boxes = boxes.iter().enumerate().map(|(k, named)| {
            check_box(named).map_err(place_of_box(index, k, named))?;
            line(&BoxText::from(named))
        });
        list(&mut text, "boxes", boxes)?;
    }
    Ok(text + " }")
}

/// Writes a list with an item a line.
fn list(text: &mut String, name: &str, items: impl Iterator<Item = Result<String>>) -> Result<()> {
    let items = items.collect::<Result<Vec<_>>>()?;
    let start = if items.is_empty() { "" } else { "\n        " };
    // Writing to a text does not fail.
    let _ = write!(text, ",\n      \"{name}\": [{start}{} ]", items.join(",\n        "));
    Ok(())
}

fn line(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| malformed(error.to_string()))
}

fn check_threshold(threshold: u32) -> Result<u8> {
    match u8::try_from(threshold) {
        Ok(threshold) if threshold > 0 => Ok(threshold),
        _ => Err(malformed(format!("{threshold}; it may be 1 to 255")).at("threshold")),
    }
}

impl From<BoxText> for NamedBox {
    fn from(BoxText { name, bounds, pivot, centre, data }: BoxText) -> Self {
        Self { pivot, centre, data: data.into(), ..Self::new(name, bounds) }
    }
}

impl From<&NamedBox> for BoxText {
    fn from(NamedBox { name, bounds, pivot, centre, data }: &NamedBox) -> Self {
        Self { name: name.to_string(), bounds: *bounds, pivot: *pivot, centre: *centre, data: data.to_string() }
    }
}
