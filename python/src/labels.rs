//! Surveys and renumbers the labels of a tile's core.
//!
//! Each reads the pixels once, in runs of equal ones, and looks into a table once a run.

use std::collections::HashMap;
use std::ops::Range;

use numpy::ndarray::ArrayView2;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use crate::error::Error;

/// An image of integers.
type Pixels<'py> = Bound<'py, PyUntypedArray>;

type Numbers<'py> = Bound<'py, PyArray1<i64>>;

/// An integer that an image may have as pixels.
trait Label: numpy::Element + bytemuck::Pod + PartialEq {
    /// Returns the label as 64 bits.
    fn wide(self) -> i64;
}

macro_rules! labels {
    ($($label:ty)*) => {
        $(impl Label for $label {
            #[allow(clippy::cast_lossless)]
            fn wide(self) -> i64 {
                self as i64
            }
        })*
    };
}

labels!(u8 i8 u16 i16 u32 i32 u64 i64);

/// A number for each label: in a list for small labels, in a map for the others.
struct Table {
    list: Vec<i64>,
    /// Labels below this are in the list.
    small: usize,
    map: HashMap<i64, i64>,
}

impl Table {
    /// In place of the number of a label that has none.
    const NONE: i64 = i64::MIN;

    /// Makes a table for the labels of an image of a number of pixels.
    fn new(pixels: usize) -> Self {
        Self { list: Vec::new(), small: pixels.max(1 << 12), map: HashMap::new() }
    }

    /// Returns the number of a label, made by `make` if there is none.
    fn get(&mut self, label: i64, make: impl FnOnce() -> i64) -> i64 {
        let number = match usize::try_from(label) {
            Ok(place) if place < self.small => {
                if place >= self.list.len() {
                    self.list.resize(place + 1, Self::NONE);
                }
                &mut self.list[place]
            }
            _ => self.map.entry(label).or_insert(Self::NONE),
        };
        if *number == Self::NONE {
            *number = make();
        }
        *number
    }

    /// Returns the labels that have a number, ascending, and these.
    fn into_sorted(self) -> (Vec<i64>, Vec<i64>) {
        let small = (0..).zip(self.list).filter(|(_, number)| *number != Self::NONE);
        let mut all: Vec<(i64, i64)> = small.chain(self.map).collect();
        all.sort_unstable();
        all.into_iter().unzip()
    }
}

/// Calls `work` with each run of equal pixels of a row: its row, its columns, and its label. Returns a checksum of all.
fn in_rows<T: Label>(pixels: ArrayView2<'_, T>, work: &mut impl FnMut(usize, Range<usize>, i64)) -> u64 {
    let (mut checksum, mut even) = (Xxh3::new(), Vec::new());
    for (y, row) in pixels.rows().into_iter().enumerate() {
        let row = row.to_slice().unwrap_or_else(|| {
            even.clear();
            even.extend(row.iter().copied());
            &even
        });
        checksum.update(bytemuck::cast_slice(row));
        let mut start = 0;
        while let Some(first) = row.get(start) {
            let end = row[start..].iter().position(|pixel| pixel != first).map_or(row.len(), |more| start + more);
            work(y, start..end, first.wide());
            start = end;
        }
    }
    checksum.digest()
}

/// Calls `work` with each run of equal pixels of an array of any integers. Returns a checksum of all.
fn runs(pixels: &Pixels<'_>, mut work: impl FnMut(usize, Range<usize>, i64) + Send) -> PyResult<u64> {
    macro_rules! try_each {
        ($($label:ty)*) => {
            $(if let Ok(array) = pixels.cast::<PyArray2<$label>>() {
                let array = array.try_readonly().map_err(|error| Error::new_err(error.to_string()))?;
                let view = array.as_array();
                return Ok(pixels.py().detach(|| in_rows(view, &mut work)));
            })*
        };
    }
    try_each!(u8 i8 u16 i16 u32 i32 u64 i64);
    Err(PyTypeError::new_err("`pixels` must be integers with 2 axes"))
}

/// Returns the labels of pixels other than 0, ascending, the first pixel of each, and a checksum. Pixels are numbered
/// row by row. Nobody may change them meanwhile.
#[pyfunction]
pub(crate) fn _survey<'py>(py: Python<'py>, pixels: &Pixels<'py>) -> PyResult<(Numbers<'py>, Numbers<'py>, u64)> {
    let (mut table, columns) = (Table::new(pixels.len()), pixels.shape().last().map_or(0, |columns| *columns));
    let checksum = runs(pixels, |y, run, label| {
        if label != 0 {
            table.get(label, || (y * columns + run.start) as i64);
        }
    })?;
    let (labels, first) = table.into_sorted();
    Ok((PyArray1::from_vec(py, labels), PyArray1::from_vec(py, first), checksum))
}

/// Returns an image of the new numbers of labels, and the checksum of [`_survey`].
///
/// `known` are labels whose `numbers` are known. Any other has `base` plus the place of its first pixel in `firsts`:
/// first pixels in a larger image, ascending, of which `width` pixels are a row, and `origin` the first here.
#[pyfunction]
pub(crate) fn _renumber<'py>(
    py: Python<'py>,
    pixels: &Pixels<'py>,
    known: &Numbers<'py>,
    numbers: &Numbers<'py>,
    firsts: &Numbers<'py>,
    base: i64,
    origin: i64,
    width: i64,
) -> PyResult<(Bound<'py, PyArray2<i64>>, u64)> {
    let (known, numbers, firsts) = (known.to_vec()?, numbers.to_vec()?, firsts.to_vec()?);
    let mut table = Table::new(pixels.len());
    for (&label, &number) in known.iter().zip(&numbers) {
        table.get(label, || number);
    }
    let mut image = Vec::with_capacity(pixels.len());
    let checksum = runs(pixels, |y, run, label| {
        let new = if label == 0 {
            0
        } else {
            table.get(label, || {
                let first = origin + y as i64 * width + run.start as i64;
                base + firsts.partition_point(|before| *before < first) as i64
            })
        };
        image.resize(image.len() + run.len(), new);
    })?;
    let shape = [pixels.shape()[0], pixels.shape()[1]];
    Ok((PyArray1::from_vec(py, image).reshape(shape)?, checksum))
}
