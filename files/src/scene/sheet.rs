//! Shapes from sheets: the mask of a frame, or its boxes of a name.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hitmask::mask::{DEFAULT_THRESHOLD, Grid};
use hitmask::scene::{Form, Image, PartSpec, ShapeSpec};

use super::Art;
use super::keys::{SheetKeys, Which};
use super::text;
use crate::budget;
use crate::error::{Result, malformed, quoted};
use crate::folder::file_beside;
use crate::import::Import;
use crate::sheet::{Frame, NamedBox, Sheet};
use crate::tag::place;

/// The largest number of sheets in a scene; one that is opened with several sets of options counts for each.
const MAX_SHEETS: u64 = 256;

/// A shape that was made, and its place in the file: see [`text::Frame`].
pub(super) struct Made {
    pub(super) object: usize,
    pub(super) index: usize,
    pub(super) shape: ShapeSpec,
}

impl Art<'_> {
    /// Makes shapes. Each sheet is opened once for each set of options, and no two are in memory at once.
    pub(super) fn frames(&mut self, frames: Vec<text::Frame>) -> Result<Vec<Made>> {
        let mut sheets: BTreeMap<_, Vec<text::Frame>> = BTreeMap::new();
        for frame in frames {
            let SheetKeys { sheet, threshold, layers, grid, .. } = &frame.keys;
            let key = (sheet.clone(), *threshold, layers.clone(), *grid);
            sheets.entry(key).or_default().push(frame);
        }
        let counted = budget::at_most("sheets in a scene", MAX_SHEETS, sheets.len() as u64);
        counted.map_err(|error| self.blame("shapes", error))?;
        let mut made = Vec::new();
        for frames in sheets.into_values() {
            let first = &frames[0];
            let (path, sheet) = self.sheet(&first.keys).map_err(|error| self.blame(&first.place, error))?;
            for text::Frame { object, index, place, keys } in frames {
                let shape = self.shape(&sheet, &keys);
                let shape = shape.map_err(|error| self.blame(&place, error.of(&path)))?;
                made.push(Made { object, index, shape });
            }
        }
        Ok(made)
    }

    /// Opens a sheet, and returns its path too.
    fn sheet(&mut self, keys: &SheetKeys) -> Result<(PathBuf, Sheet)> {
        let path = file_beside(self.scene, &keys.sheet, None)?;
        let mut import = Import::default().folder(self.folder());
        if let Some(threshold) = keys.threshold {
            import = import.threshold(threshold.get());
        }
        if let Some(layers) = &keys.layers {
            import = import.layers(layers);
        }
        let (sheet, files) = match keys.grid {
            Some(size) => {
                let grid = Grid::new(size.map(std::num::NonZero::get));
                (import.open_grid(&path, grid)?, vec![path.clone()])
            }
            None => import.sheet_at(&path)?,
        };
        self.files.extend(files);
        Ok((path, sheet))
    }

    fn shape(&mut self, sheet: &Sheet, keys: &SheetKeys) -> Result<ShapeSpec> {
        let number = number(sheet, keys)?;
        let frame = &sheet.frames[number];
        let anchor = keys.anchor.or(frame.pivot).unwrap_or_default();
        if let Some(name) = &keys.slice {
            return slice(frame, name, anchor).map_err(|error| error.at(format!("frame {number}")));
        }
        self.count(&frame.mask)?;
        let image = Image::Rows(frame.mask.to_rows());
        Ok(ShapeSpec { form: Form::Sprite { image, threshold: DEFAULT_THRESHOLD, region: None }, anchor })
    }
}

/// Returns the number of a frame in its sheet.
fn number(sheet: &Sheet, keys: &SheetKeys) -> Result<usize> {
    let frames = match &keys.tag {
        None => 0..sheet.frames.len(),
        Some(name) => {
            let tag = sheet.tag(name).ok_or_else(|| {
                malformed(format!(
                    "there is no {}{}",
                    place(name),
                    others("the tags are", sheet.tags.iter().map(|tag| &*tag.name))
                ))
            })?;
            tag.frames.clone()
        }
    };
    let number = match &keys.frame {
        None => 0,
        Some(Which::Number(number)) => *number,
        Some(Which::Name(name)) if keys.tag.is_none() => {
            let named = sheet.frames.iter().position(|frame| frame.name == *name);
            return named.ok_or_else(|| {
                let names = sheet.frames.iter().map(|frame| &*frame.name).filter(|name| !name.is_empty());
                malformed(format!("there is no frame {}{}", quoted(name), others("the frames are", names)))
            });
        }
        Some(Which::Name(name)) => {
            return Err(malformed(format!("`frame` is {}; with a `tag` it must be a number", quoted(name))));
        }
    };
    if number >= frames.len() {
        let of = keys.tag.as_ref().map_or("the sheet".to_owned(), |name| place(name));
        let last = frames.len().checked_sub(1);
        let has = last.map_or("no frames".to_owned(), |last| format!("the frames 0 to {last}"));
        return Err(malformed(format!("`frame` is {number}; {of} has {has}")));
    }
    Ok(frames.start + number)
}

/// Returns the box of a name, or the shape of several, anchored at a pixel of the frame.
fn slice(frame: &Frame, name: &str, anchor: [f64; 2]) -> Result<ShapeSpec> {
    let part = |NamedBox { bounds, .. }: &NamedBox| {
        let [x, y, width, height] = bounds.map(f64::from);
        PartSpec { shape: ShapeSpec::new(Form::Box([width, height])), at: [x, y], tag: 0 }
    };
    let parts: Vec<PartSpec> = frame.boxes(name).map(part).collect();
    match &parts[..] {
        [] => {
            let names = others("its slices are", frame.boxes.iter().map(|named| &*named.name));
            Err(malformed(format!("there is no slice {}{names}", quoted(name))))
        }
        [PartSpec { shape, at, .. }] => {
            Ok(ShapeSpec { anchor: [anchor[0] - at[0], anchor[1] - at[1]], ..shape.clone() })
        }
        _ => Ok(ShapeSpec { form: Form::Parts(parts), anchor }),
    }
}

/// Returns the names that there are, for the error of one that there is not.
pub(super) fn others<'a>(are: &str, names: impl Iterator<Item = &'a str>) -> String {
    /// The number of names that are listed.
    const MOST: usize = 20;
    let names: Vec<String> = names.take(MOST + 1).map(quoted).collect();
    match names.len() {
        0 => String::new(),
        count if count > MOST => format!("; {are} {}, …", names[..MOST].join(", ")),
        _ => format!("; {are} {}", names.join(", ")),
    }
}
