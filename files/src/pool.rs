//! Images and masks that frames share.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use hitmask::Mask;
use image::{DynamicImage, RgbaImage};

use crate::error::{Error, Result};

/// An image and its mask.
pub(crate) type Shown = (Arc<RgbaImage>, Arc<Mask>);

/// The images so far, and their masks.
pub(crate) struct Pool {
    threshold: u8,
    /// The images by the hash of their pixels.
    images: HashMap<u64, Vec<Shown>>,
}

impl Pool {
    /// Makes an empty pool of masks with an alpha threshold. Returns an error if that is 0.
    pub(crate) fn new(threshold: u8) -> Result<Self> {
        Mask::from_alpha(&[0], 1, 1, threshold)?;
        Ok(Self { threshold, images: HashMap::new() })
    }

    /// Returns the image and its mask, or the equal ones that are already here.
    pub(crate) fn add(&mut self, image: RgbaImage) -> Result<Shown> {
        let mut hasher = DefaultHasher::new();
        image.hash(&mut hasher);
        let alike = self.images.entry(hasher.finish()).or_default();
        if let Some(shown) = alike.iter().find(|(other, _)| **other == image) {
            return Ok(shown.clone());
        }
        let image = DynamicImage::from(image);
        let mask = Mask::from_image(&image, self.threshold, None).map_err(Error::from)?;
        let shown = (Arc::new(image.into_rgba8()), Arc::new(mask));
        alike.push(shown.clone());
        Ok(shown)
    }
}
