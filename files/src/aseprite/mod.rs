//! Aseprite's own files, in the [format](https://github.com/aseprite/aseprite/blob/main/docs/ase-file-specs.md) of
//! Aseprite 1.3 and before.
//!
//! ```text
//! bytes ─> file: chunks ─┬─> layers: tree, what is drawn ─┐
//!                        ├─> cels, tiles: still packed    ├─> render, pixels, blend ─> frames
//!                        ├─> palettes                     ┘
//!                        └─> tags, slices
//! ```
//!
//! The file is read here rather than by one of the two crates that do so. `asefile` 0.3.8 and `aseprite-loader` 0.4.2
//! panic on damaged files, the latter by overflowing the stack too, which nothing can catch. Neither draws cels by
//! z-index or composes groups. The tests compare this crate with both where they agree with Aseprite.

mod blend;
mod bytes;
mod cel;
mod file;
mod layer;
mod palette;
mod pixels;
mod render;
mod tileset;

use std::mem;
use std::time::Duration;

use crate::budget::Budget;
use crate::error::{Error, Result};
use crate::pool::Pool;
use crate::sheet::{Frame, Sheet};
use crate::slices;

use file::File;
use render::Renderer;

pub(crate) use file::is_aseprite;

/// Reads a file, and draws its frames: the layers of these names, or those that are visible.
pub(crate) fn sheet(bytes: &[u8], names: Option<&[String]>, mut pool: Pool, budget: Budget) -> Result<Sheet> {
    let mut file = File::parse(bytes, budget)?;
    let (tags, slices) = (mem::take(&mut file.tags), mem::take(&mut file.slices));
    let renderer = Renderer::new(&file, names, budget)?;
    let mut frames = Vec::with_capacity(file.frames.len());
    for (k, frame) in file.frames.iter().enumerate() {
        let place = |error: Error| error.at(format!("frame {k}"));
        let (image, mask) = renderer.draw(frame).and_then(|image| pool.add(image)).map_err(place)?;
        let duration = Duration::from_millis(frame.duration.into());
        frames.push(Frame { name: String::new(), duration, image, mask, pivot: None, boxes: Vec::new() });
    }
    slices::add(slices, &mut frames)?;
    Ok(Sheet::new(frames, tags))
}
