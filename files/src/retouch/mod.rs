//! Retouches: changes to the masks, pivots and boxes of an artist's sheet, in a file of their own.
//!
//! The artist's file stays as it is. The README of this crate shows a file, and lists its keys.

mod marks;
mod text;

use std::collections::BTreeMap;

use hitmask::mask::Grid;

use crate::budget;
use crate::error::{Error, Result, malformed, quoted};
use crate::sheet::{Frame, NamedBox, Sheet};

pub use marks::{Mark, Marks};

/// Changes to a [`Sheet`], kept in a file beside the artist's: see
/// [`Import::open_retouch`](crate::Import::open_retouch).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Retouch {
    /// The name of the artist's file.
    pub sheet: String,
    /// The grid of an image; `None` for a sheet that says where its frames are, and for an image that is one frame.
    pub grid: Option<FrameGrid>,
    /// The alpha from which a texel is solid, 1 to 255.
    pub threshold: u8,
    /// The changes by the index of the frame.
    pub frames: BTreeMap<usize, FrameRetouch>,
}

/// Changes to a frame of a [`Sheet`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameRetouch {
    /// The texels that do not follow the threshold.
    pub marks: Option<Marks>,
    /// The pivot, if it differs.
    pub pivot: Option<[f64; 2]>,
    /// All boxes, if any differ.
    pub boxes: Option<Vec<NamedBox>>,
}

/// The grid of the frames of an image: see [`Grid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FrameGrid {
    /// The size of a frame in pixels.
    pub size: [u32; 2],
    /// The pixels that are free at the left and at the top.
    pub margin: u32,
    /// The pixels between frames.
    pub spacing: u32,
    /// True if pixels may be left over at the right and at the bottom.
    pub remainder: bool,
}

impl FrameGrid {
    /// Makes a grid without margin and spacing, which the frames must fill.
    #[must_use]
    pub fn new(size: [u32; 2]) -> Self {
        Self { size, margin: 0, spacing: 0, remainder: false }
    }
}

impl From<FrameGrid> for Grid {
    fn from(FrameGrid { size, margin, spacing, remainder }: FrameGrid) -> Self {
        let grid = Self::new(size).margin(margin).spacing(spacing);
        if remainder { grid.allow_remainder() } else { grid }
    }
}

impl Retouch {
    /// Makes a retouch of an artist's file that changes nothing.
    #[must_use]
    pub fn new(sheet: impl Into<String>) -> Self {
        let threshold = hitmask::mask::DEFAULT_THRESHOLD;
        Self { sheet: sheet.into(), grid: None, threshold, frames: BTreeMap::new() }
    }

    /// Reads the text of a retouch. The artist's file is not read: see [`Retouch::apply`].
    pub fn parse(json: &[u8]) -> Result<Self> {
        text::parse(json)
    }

    /// Returns the text of the file. Entries that change nothing are left out.
    ///
    /// Returns an error for a retouch that could not be read again: a threshold of 0, an empty box, a pivot that is
    /// not finite, or a text of more than 64 MiB.
    pub fn to_json(&self) -> Result<String> {
        text::write(self)
    }

    /// Makes the changes to the frames of the artist's sheet, whose masks have [`Retouch::threshold`].
    ///
    /// Returns an error if the sheet has no frame of an index, or a mask has another size than its frame, as after the
    /// artist has resized the canvas. Then the sheet is as it was.
    ///
    /// ```
    /// use hitmask_files::{FrameRetouch, NamedBox, Retouch, Sheet};
    ///
    /// let mut hero = Sheet::open("assets/hero.aseprite")?;
    /// let mut retouch = Retouch::new("hero.aseprite");
    /// let fist = NamedBox::new("fist", [9, 3, 3, 4]);
    /// retouch.frames.insert(2, FrameRetouch { boxes: Some(vec![fist]), ..FrameRetouch::default() });
    /// retouch.apply(&mut hero)?;
    /// assert_eq!(hero.frames[2].boxes("fist").count(), 1);
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn apply(&self, sheet: &mut Sheet) -> Result<()> {
        for (&index, change) in &self.frames {
            let count = sheet.frames.len();
            let place = |problem: String| malformed(problem).at(format!("frame {index}"));
            let Some(frame) = sheet.frames.get(index) else {
                let last = count.saturating_sub(1);
                return Err(place(format!("{} has the frames 0 to {last}", quoted(&self.sheet))));
            };
            let ([width, height], own) = (frame.mask.size(), change.marks.as_ref().map(Marks::size));
            if let Some([w, h]) = own.filter(|&size| size != [width, height]) {
                let problem = format!("a mask of {w} x {h} texels; the frame has {width} x {height}");
                return Err(place(problem));
            }
        }
        let boxes = sheet.frames.iter().enumerate().map(|(index, frame)| {
            let own = self.frames.get(&index).and_then(|change| change.boxes.as_ref());
            own.map_or(frame.boxes.len(), Vec::len) as u64
        });
        budget::box_count(boxes.fold(0, u64::saturating_add))?;
        for (&index, change) in &self.frames {
            change.apply(&mut sheet.frames[index]);
        }
        Ok(())
    }
}

impl FrameRetouch {
    /// Returns whether nothing differs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.marks.as_ref().is_none_or(Marks::is_empty) && self.pivot.is_none() && self.boxes.is_none()
    }

    fn apply(&self, frame: &mut Frame) {
        if let Some(marks) = &self.marks {
            let mut mask = (*frame.mask).clone();
            marks.apply(&mut mask);
            frame.mask = mask.into();
        }
        frame.pivot = self.pivot.or(frame.pivot);
        if let Some(boxes) = &self.boxes {
            frame.boxes.clone_from(boxes);
        }
    }
}

/// Checks a box: it has an area, and its corners are coordinates.
fn check_box(named: &NamedBox) -> Result<()> {
    for [x, y, width, height] in [Some(named.bounds), named.centre].into_iter().flatten() {
        if width < 1 || height < 1 {
            return Err(malformed(format!("{width} x {height} pixels; it must have at least 1 x 1")));
        }
        if x.checked_add(width).is_none() || y.checked_add(height).is_none() {
            return Err(malformed(format!("[{x}, {y}, {width}, {height}] reaches beyond the coordinates of pixels")));
        }
    }
    Ok(())
}

/// Returns the place of a box in an error.
fn place_of_box(frame: usize, place: usize, named: &NamedBox) -> impl Fn(Error) -> Error {
    let place = format!("frame {frame}: box {place} ({})", quoted(&named.name));
    move |error| error.at(place.clone())
}
