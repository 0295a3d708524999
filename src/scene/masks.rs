//! The masks of a scene's sprites: each image file is decoded once, each mask made once.
//!
//! An image takes many times as much memory as its masks, up to 1 GiB. So the first request for a mask of a file makes
//! all masks that the scene needs from that file, whatever the order of the shapes. No two images are in memory at
//! once.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

use image::{GrayAlphaImage, LumaA};

use super::model::{Form, Image, ShapeSpec};
use crate::ground::error::{Error, Result};
use crate::ground::memory::{Need, Room};
use crate::mask::{Content, Mask};

/// The part of an image that a mask is made from: the threshold and the region.
type Cut = (u8, Option<[u32; 4]>);

/// The masks made so far, and those still to be made.
pub(super) struct Masks<'a> {
    folder: &'a Path,
    made: HashMap<(&'a str, Cut), Arc<Mask>>,
    /// The masks to be cut from each file that is not decoded yet.
    ahead: HashMap<&'a str, BTreeSet<Cut>>,
}

impl<'a> Masks<'a> {
    /// Prepares the masks of these shapes, whose paths are relative to `folder`.
    pub(super) fn new(folder: &'a Path, shapes: impl Iterator<Item = &'a ShapeSpec>) -> Self {
        let mut ahead: HashMap<_, BTreeSet<Cut>> = HashMap::new();
        for shape in shapes {
            if let Form::Sprite { image: Image::File(file), threshold, region } = &shape.form {
                ahead.entry(file.as_str()).or_default().insert((*threshold, *region));
            }
        }
        Self { folder, made: HashMap::new(), ahead }
    }

    /// Returns the mask of an image.
    pub(super) fn mask(&mut self, image: &'a Image, threshold: u8, region: Option<[u32; 4]>) -> Result<Arc<Mask>> {
        let file = match image {
            Image::Rows(rows) => return of_rows(rows, threshold, region).map(Arc::new),
            Image::File(file) if file.is_empty() => {
                return Err(Error::Mask { problem: "the path of the image is empty".into() });
            }
            Image::File(file) => file.as_str(),
        };
        let cut = (threshold, region);
        if let Some(mask) = self.made.get(&(file, cut)) {
            return Ok(mask.clone());
        }
        let path = self.folder.join(file);
        let image = Content::open(&path)?.decode(|size| {
            check(size)?;
            // A mask that would be too large is refused before any pixel is decoded.
            let [width, height] = region.map_or(size, |[_, _, width, height]| [width, height]);
            Mask::new(width, height).map(drop)
        })?;
        for other in self.ahead.remove(file).unwrap_or_default() {
            // If a mask cannot be cut, the shape that has it gets the error when its turn comes.
            if let Ok(mask) = Mask::from_image(&image, other.0, other.1) {
                self.made.insert((file, other), Arc::new(mask));
            }
        }
        match self.made.get(&(file, cut)) {
            Some(mask) => Ok(mask.clone()),
            None => Mask::from_image(&image, threshold, region)
                .map(Arc::new)
                .map_err(|error| error.of(path.display().to_string())),
        }
    }
}

/// Checks that there is memory for an image of this size, with four channels of 8 bits.
fn check([width, height]: [u32; 2]) -> Result<()> {
    const IMAGE: Need = Need { what: "the decoded image", advice: "cut it into smaller files", beside: 0 };
    Room::default().check(4 * u64::from(width) * u64::from(height), IMAGE)
}

/// Makes a mask from rows of text, in which `#` has alpha 255.
fn of_rows(rows: &[String], threshold: u8, region: Option<[u32; 4]>) -> Result<Mask> {
    if rows.is_empty() {
        return Err(Error::Mask { problem: "`rows` is empty; there must be at least one row".into() });
    }
    let whole = Mask::from_rows(rows).map_err(|error| error.of("`rows`"))?;
    if region.is_none() && threshold > 0 {
        return Ok(whole);
    }
    let alpha = |x, y| LumaA([0, if whole.get(x, y) { 255 } else { 0 }]);
    let image = GrayAlphaImage::from_fn(whole.width(), whole.height(), alpha);
    Mask::from_image(&image.into(), threshold, region)
}
