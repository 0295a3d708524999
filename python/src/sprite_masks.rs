//! Masks of pygame's sprites: which sprites share one, and whether two share a pixel.

use std::collections::HashMap;
use std::sync::Arc;

use hitmask::mask::MAX_SIDE;
use pyo3::exceptions::PyAttributeError;
use pyo3::intern;
use pyo3::prelude::*;

use crate::mask::Mask;

/// How masks are found, a tuple in Python.
#[derive(FromPyObject)]
pub(crate) struct Source<'py>(
    /// The type `pygame.mask.Mask`.
    Bound<'py, PyAny>,
    /// Returns the mask of an image.
    Bound<'py, PyAny>,
    /// Returns a mask of pygame as one of hitmask.
    Bound<'py, PyAny>,
);

/// The masks of the sprites of one call, numbered in the order in which they are first seen.
pub(crate) struct Masks<'a, 'py> {
    source: &'a Source<'py>,
    all: Vec<Known<'py>>,
    /// The images whose masks were asked for, so that no other one gets the address of one of them.
    images: Vec<Bound<'py, PyAny>>,
    /// The number of each mask, by what it was found as.
    numbers: HashMap<Found, u32>,
    /// The mask found last: neighbours mostly share one.
    last: Option<(Found, u32)>,
    /// Python's `getattr`, from the first sprite without a mask on: with a default, it makes no exception.
    getattr: Option<Bound<'py, PyAny>>,
}

/// The address of a mask or of an image, and whether it is that of an image.
type Found = (usize, bool);

struct Known<'py> {
    mask: Bound<'py, PyAny>,
    size: [f64; 2],
    /// Its texels in rows, if it was converted.
    rows: Option<Arc<hitmask::Mask>>,
}

impl<'a, 'py> Masks<'a, 'py> {
    pub(crate) fn new(source: &'a Source<'py>) -> Self {
        Self { source, all: Vec::new(), images: Vec::new(), numbers: HashMap::new(), last: None, getattr: None }
    }

    /// Returns the number of a sprite's mask: its own, or that of its image.
    pub(crate) fn number(&mut self, sprite: &Bound<'py, PyAny>) -> PyResult<u32> {
        let own = self.own(sprite)?;
        let is_image = own.is_none();
        let object = own.map_or_else(|| sprite.getattr(intern!(sprite.py(), "image")), Ok)?;
        let found = (object.as_ptr() as usize, is_image);
        if let Some((last, number)) = self.last
            && last == found
        {
            return Ok(number);
        }
        let number = match self.numbers.get(&found) {
            Some(number) => *number,
            None if is_image => self.add_image(object)?,
            None => self.add(object)?,
        };
        self.last = Some((found, number));
        Ok(number)
    }

    /// Returns the mask that a sprite has itself.
    fn own(&mut self, sprite: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let py = sprite.py();
        let name = intern!(py, "mask");
        if let Some(getattr) = &self.getattr {
            let mask = getattr.call1((sprite, name, getattr))?;
            return Ok((!mask.is(getattr)).then_some(mask));
        }
        match sprite.getattr(name) {
            Err(error) if error.is_instance_of::<PyAttributeError>(py) => {
                self.getattr = Some(py.import(intern!(py, "builtins"))?.getattr(intern!(py, "getattr"))?);
                Ok(None)
            }
            mask => mask.map(Some),
        }
    }

    fn add_image(&mut self, image: Bound<'py, PyAny>) -> PyResult<u32> {
        let mask = self.source.1.call1((&image,))?;
        let number = match self.numbers.get(&(mask.as_ptr() as usize, false)) {
            Some(number) => *number,
            None => self.add(mask)?,
        };
        self.numbers.insert((image.as_ptr() as usize, true), number);
        self.images.push(image);
        Ok(number)
    }

    fn add(&mut self, mask: Bound<'py, PyAny>) -> PyResult<u32> {
        let size: (f64, f64) = mask.call_method0(intern!(mask.py(), "get_size"))?.extract()?;
        let number = self.all.len() as u32;
        self.numbers.insert((mask.as_ptr() as usize, false), number);
        self.all.push(Known { mask, size: size.into(), rows: None });
        Ok(number)
    }

    /// Returns the size of a mask.
    pub(crate) fn size(&self, number: u32) -> [f64; 2] {
        self.all[number as usize].size
    }

    /// Prepares for questions about a number of pairs: converts those masks of pygame that many of the pairs may have.
    pub(crate) fn prepare(&mut self, pairs: usize) -> PyResult<()> {
        let most = pairs as f64 / self.all.len() as f64;
        for known in &mut self.all {
            let [width, height] = known.size;
            // The pairs that pygame answers while this mask is converted: 50 take 5 µs, as does a mask of 16 x 16.
            let lost = 50.0 + width * height / 128.0;
            let fits = known.size.iter().all(|side| (1.0..=f64::from(MAX_SIDE)).contains(side));
            // The methods of a subclass may do anything.
            if fits && lost <= most && known.mask.get_type().is(&self.source.0) {
                let converted = self.source.2.call1((&known.mask,))?;
                known.rows = Some(converted.cast::<Mask>()?.get().now(converted.py()));
            }
        }
        Ok(())
    }

    /// Returns whether two masks share a pixel, with the second at an offset in whole pixels.
    pub(crate) fn overlap_whole(&self, [a, b]: [u32; 2], offset: [i32; 2]) -> PyResult<bool> {
        match (&self.all[a as usize].rows, &self.all[b as usize].rows) {
            (Some(a), Some(b)) => Ok(a.overlaps(b, offset)),
            _ => self.overlap([a, b], (offset[0], offset[1])),
        }
    }

    /// Asks a mask whether it shares a pixel with another one at an offset.
    pub(crate) fn overlap(&self, [a, b]: [u32; 2], offset: impl IntoPyObject<'py>) -> PyResult<bool> {
        let [a, b] = [a, b].map(|number| &self.all[number as usize].mask);
        Ok(!a.call_method1(intern!(a.py(), "overlap"), (b, offset))?.is_none())
    }
}
