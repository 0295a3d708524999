//! The masks of a scene's sprites: each image file is decoded once, each mask made once.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use image::{DynamicImage, GrayAlphaImage, LumaA};

use super::model::{Form, Image, ShapeSpec};
use crate::ground::error::{Error, Result};
use crate::world::mask::{Mask, decode};

/// What of an image a mask is: the threshold and the region.
type Cut = (u8, Option<[u32; 4]>);

/// The masks made so far, and the images that more will be made of.
pub(super) struct Masks<'a> {
    folder: &'a Path,
    made: HashMap<(&'a str, Cut), Arc<Mask>>,
    /// For each file what is still to be cut from it; its image is dropped with the last.
    ahead: HashMap<&'a str, HashSet<Cut>>,
    decoded: HashMap<&'a str, DynamicImage>,
}

impl<'a> Masks<'a> {
    /// For these shapes, whose paths are relative to `folder`.
    pub(super) fn new(folder: &'a Path, shapes: impl Iterator<Item = &'a ShapeSpec>) -> Self {
        let mut ahead: HashMap<_, HashSet<Cut>> = HashMap::new();
        for shape in shapes {
            if let Form::Sprite { image: Image::File(file), threshold, region } = &shape.form {
                ahead.entry(file.as_str()).or_default().insert((*threshold, *region));
            }
        }
        Self { folder, made: HashMap::new(), ahead, decoded: HashMap::new() }
    }

    /// The mask of an image.
    pub(super) fn mask(&mut self, image: &'a Image, threshold: u8, region: Option<[u32; 4]>) -> Result<Arc<Mask>> {
        let file = match image {
            Image::Rows(rows) => return of_rows(rows, threshold, region).map(Arc::new),
            Image::File(file) => file.as_str(),
        };
        let cut = (threshold, region);
        if let Some(mask) = self.made.get(&(file, cut)) {
            return Ok(mask.clone());
        }
        let last = self.ahead.get_mut(file).is_none_or(|cuts| {
            cuts.remove(&cut);
            cuts.is_empty()
        });
        let path = self.folder.join(file);
        let mask = if last && !self.decoded.contains_key(file) {
            Mask::open(&path, threshold, region)?
        } else {
            let image = match self.decoded.remove(file) {
                Some(image) => image,
                None => decode(&path, |_| Ok(()))?,
            };
            let mask = Mask::from_image(&image, threshold, region);
            if !last {
                self.decoded.insert(file, image);
            }
            mask.map_err(|error| error.of(path.display().to_string()))?
        };
        let mask = Arc::new(mask);
        self.made.insert((file, cut), mask.clone());
        Ok(mask)
    }
}

/// The mask of rows of text, whose `#` have alpha 255.
fn of_rows(rows: &[String], threshold: u8, region: Option<[u32; 4]>) -> Result<Mask> {
    if rows.is_empty() {
        return Err(Error::Mask { problem: "`sprite.rows` is empty; there must be a row at least".into() });
    }
    let whole = Mask::from_rows(rows).map_err(|error| error.of("`sprite.rows`"))?;
    if region.is_none() && threshold > 0 {
        return Ok(whole);
    }
    let alpha = |x, y| LumaA([0, if whole.get(x, y) { 255 } else { 0 }]);
    let image = GrayAlphaImage::from_fn(whole.width(), whole.height(), alpha);
    Mask::from_image(&image.into(), threshold, region)
}
