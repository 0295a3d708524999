//! Packed sheets: an image, and JSON that says where its frames are, as Aseprite and TexturePacker write it.
//!
//! A frame may be trimmed, and rotated by 90 degrees clockwise:
//!
//! ```text
//!      the frame                  on the sheet       rotated
//!      sourceSize
//!     +-------------+              frame
//!     |    spriteSourceSize       +------+          +----+
//!     |   +------+  |             | a  b |          | c a|    `frame` has the position here,
//!     |   | a  b |  |             | c    |          |   b|    and the size as on the left
//!     |   | c    |  |             +------+          |    |
//!     |   +------+  |                               +----+
//!     +-------------+
//! ```

mod cut;
mod model;
mod order;

use std::time::Duration;

use image::RgbaImage;

use crate::budget::Budget;
use crate::error::{Error, Problem, Result, malformed, quoted};
use crate::json;
use crate::pool::Pool;
use crate::sheet::{DEFAULT_DURATION, Frame, Sheet};
use crate::slices::{self, Key, Slice};
use crate::tag::{self, Tag};
use cut::Cut;
use model::{Atlas, Entry, Texture};

/// Returns whether a file is a JSON object rather than one of another kind.
pub(crate) fn is_json(bytes: &[u8]) -> bool {
    json::unmarked(bytes).trim_ascii_start().starts_with(b"{")
}

/// The content of the JSON file.
pub(crate) struct Packed {
    atlas: Atlas,
}

impl Packed {
    /// Parses the text. The sizes in it are not checked yet.
    pub(crate) fn parse(json: &[u8]) -> Result<Self> {
        let mut atlas: Atlas = json::parse(json)?;
        let mut textures = atlas.textures.take().unwrap_or_default();
        let has_others = atlas.meta.related_multi_packs.as_ref().is_some_and(|packs| !packs.is_empty());
        if has_others || textures.len() > 1 {
            let problem = "the sheet is one of several (TexturePacker's multipack); pack the frames into one image";
            return Err(Error::from(Problem::Unsupported(problem.into())).at("meta"));
        }
        if let Some(Texture { image, size, frames }) = textures.pop() {
            (atlas.meta.image, atlas.meta.size, atlas.frames) = (image, size, frames);
        }
        Ok(Self { atlas })
    }

    /// Returns the name of the image.
    pub(crate) fn image(&self) -> Result<&str> {
        self.atlas
            .meta
            .image
            .as_deref()
            .ok_or_else(|| malformed("`image`, the name of the image, is missing").at("meta"))
    }

    /// Cuts the frames from the image.
    pub(crate) fn sheet(self, image: &RgbaImage, mut pool: Pool, budget: Budget) -> Result<Sheet> {
        let Atlas { frames: entries, meta, .. } = self.atlas;
        if let Some(size) = meta.size.filter(|size| [size.w, size.h] != <[u32; 2]>::from(image.dimensions())) {
            let [width, height] = image.dimensions().into();
            let problem = format!("{} x {} pixels; the image has {width} x {height}", size.w, size.h);
            return Err(malformed(problem).at("size").at("meta"));
        }
        if entries.0.is_empty() {
            return Err(malformed("there are no frames"));
        }
        let cuts = entries.0.iter().enumerate();
        let cuts = cuts
            .map(|(k, entry)| Cut::new(entry, image.dimensions().into()).map_err(|error| error.at(place(k, entry))));
        let cuts: Vec<Cut> = cuts.collect::<Result<_>>()?;
        budget.frames(cuts.iter().map(Cut::size))?;
        let mut frames = Vec::with_capacity(cuts.len());
        for (k, (entry, cut)) in entries.0.into_iter().zip(cuts).enumerate() {
            let (image, mask) = pool.add(cut.of(image)).map_err(|error| error.at(place(k, &entry)))?;
            let duration = Duration::from_millis(entry.duration.unwrap_or(DEFAULT_DURATION).max(1).into());
            let [width, height] = cut.size().map(f64::from);
            let pivot = entry.pivot.or(entry.anchor).map(|pivot| [pivot.x * width, pivot.y * height]);
            if pivot.is_some_and(|pivot| !pivot.iter().all(|v| v.is_finite())) {
                return Err(malformed("its pivot is infinite").at(place(k, &entry)));
            }
            frames.push(Frame { name: entry.name, duration, image, mask, pivot, boxes: Vec::new() });
        }
        let tags = meta.frame_tags.into_iter().map(|tag| tag.read(frames.len())).collect::<Result<_>>()?;
        slices::add(meta.slices.into_iter().map(Slice::from).collect(), &mut frames)?;
        Ok(Sheet::new(frames, tags))
    }
}

fn place(k: usize, entry: &Entry) -> String {
    if entry.name.is_empty() { format!("frame {k}") } else { format!("frame {k} ({})", quoted(&entry.name)) }
}

impl model::FrameTag {
    fn read(self, count: usize) -> Result<Tag> {
        let repeat = self.repeat.map_or(Ok(0), |repeat| repeat.count());
        let repeat = repeat.map_err(|error| error.at(tag::place(&self.name)))?;
        let tag = Tag::new(self.name, [self.from, self.to], count)?;
        Ok(Tag { direction: self.direction.into(), repeat: repeat.try_into().ok(), data: self.data, ..tag })
    }
}

impl From<model::FrameSlice> for Slice {
    fn from(slice: model::FrameSlice) -> Self {
        let keys = slice.keys.iter().map(|key| Key {
            frame: key.frame,
            bounds: key.bounds.numbers(),
            centre: key.center.map(model::Bounds::numbers),
            pivot: key.pivot.map(|pivot| [pivot.x.into(), pivot.y.into()]),
        });
        Self { name: slice.name, data: slice.data, keys: keys.collect() }
    }
}
