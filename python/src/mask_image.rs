//! Masks from arrays, from images of Pillow, and from PNG files.

use std::path::PathBuf;

use hitmask::mask::{DEFAULT_THRESHOLD, Frames, Grid};
use hitmask_python_documented::documented;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PySlice;

use crate::array::{array_of, bytes, display};
use crate::error::{OrRaise, refusal};
use crate::mask::{Mask, size};

// The defaults below are numbers, so that Python's signatures show them.
const _: () = assert!(DEFAULT_THRESHOLD == 128);

/// Reads the alpha from which on a texel is solid.
fn threshold(py: Python<'_>, value: i64) -> PyResult<u8> {
    u8::try_from(value).map_err(|_| refusal(py, "threshold", value, "be 1 to 255"))
}

/// Returns an image of Pillow as the array of its alpha; any other object as it is.
fn alpha_of<'py>(image: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if image.hasattr("getchannel")? {
        return image.call_method1("convert", ("RGBA",))?.call_method1("getchannel", ("A",));
    }
    Ok(image.clone())
}

/// Makes a mask of an array or an image, or of a region of it.
fn mask_of(image: &Bound<'_, PyAny>, threshold: u8, region: Option<[i64; 4]>) -> PyResult<hitmask::Mask> {
    let py = image.py();
    let (array, kind) = array_of(&alpha_of(image)?)?;
    let wide = array.getattr("itemsize")?.extract::<usize>()? != 1;
    if wide || !matches!(kind, 'b' | 'u') {
        let dtype = array.getattr("dtype")?.str()?;
        return Err(PyTypeError::new_err(format!("`image` holds {dtype}; it must hold bool, or alpha as uint8")));
    }
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let mut pixels = match shape[..] {
        [_, _] => array,
        // Grey or RGB with alpha last.
        [_, _, channels @ (2 | 4)] => {
            let every = py.Ellipsis();
            array.get_item((every, channels - 1))?
        }
        _ => {
            let right = "be of shape (height, width), or (height, width, 2 or 4) with alpha last";
            return Err(refusal(py, "image", format!("of shape {}", display(&shape)), right));
        }
    };
    let [mut width, mut height] = [shape[1], shape[0]].map(|side| side as i64);
    if let Some(region) = region {
        pixels = part_of(&pixels, [width, height], region)?;
        [_, _, width, height] = region;
    }
    // Before the copy, so that no huge one is made in vain.
    let [width, height] = size(py, width, height)?;
    let (alpha, _) = bytes(&pixels)?;
    let threshold = if kind == 'b' { 1 } else { threshold };
    py.detach(|| hitmask::Mask::from_alpha(&alpha, width, height, threshold)).or_raise(py)
}

/// Returns the part of an image's pixels within a region, which must lie in it.
fn part_of<'py>(
    pixels: &Bound<'py, PyAny>,
    [right, bottom]: [i64; 2],
    [x, y, width, height]: [i64; 4],
) -> PyResult<Bound<'py, PyAny>> {
    let py = pixels.py();
    let holds = |start: i64, size: i64, end: i64| start >= 0 && size > 0 && start <= end && size <= end - start;
    if !holds(x, width, right) || !holds(y, height, bottom) {
        let value = format!("[{x}, {y}, {width}, {height}]");
        return Err(refusal(py, "region", value, &format!("lie within the image of {right} x {bottom} pixels")));
    }
    let along = |start: i64, size: i64| PySlice::new(py, start as isize, (start + size) as isize, 1);
    pixels.get_item((along(y, height), along(x, width)))
}

/// Makes the list of the frames of a sheet.
fn frames(
    py: Python<'_>,
    regions: Option<Vec<[u32; 4]>>,
    grid: Option<[u32; 2]>,
    margin: u32,
    spacing: u32,
    count: Option<u32>,
) -> PyResult<Frames> {
    match (regions, grid) {
        (Some(regions), None) => Ok(Frames::Regions(regions)),
        (None, Some(size)) => {
            let grid = Grid::new(size).margin(margin).spacing(spacing).allow_remainder();
            Ok(Frames::Grid(count.map_or(grid, |count| grid.count(count))))
        }
        _ => Err(refusal(py, "frames", "ambiguous", "be given by `regions` or by `grid`")),
    }
}

#[documented]
#[pymethods]
impl Mask {
    #[staticmethod]
    #[pyo3(signature = (image, threshold=128, region=None))]
    fn from_image(image: &Bound<'_, PyAny>, threshold: i64, region: Option<[i64; 4]>) -> PyResult<Self> {
        mask_of(image, self::threshold(image.py(), threshold)?, region).map(Self::new_of)
    }

    #[staticmethod]
    #[pyo3(signature = (array, threshold=128))]
    fn from_array(array: &Bound<'_, PyAny>, threshold: i64) -> PyResult<Self> {
        mask_of(array, self::threshold(array.py(), threshold)?, None).map(Self::new_of)
    }

    #[staticmethod]
    #[pyo3(signature = (path, threshold=128, region=None))]
    fn open(py: Python<'_>, path: PathBuf, threshold: i64, region: Option<[u32; 4]>) -> PyResult<Self> {
        let threshold = self::threshold(py, threshold)?;
        py.detach(|| hitmask::Mask::open(&path, threshold, region)).or_raise(py).map(Self::new_of)
    }

    #[staticmethod]
    #[pyo3(signature = (file, threshold=128, region=None))]
    fn decode(py: Python<'_>, file: &[u8], threshold: i64, region: Option<[u32; 4]>) -> PyResult<Self> {
        let threshold = self::threshold(py, threshold)?;
        let file = file.to_vec();
        py.detach(|| hitmask::Mask::decode(&file, threshold, region)).or_raise(py).map(Self::new_of)
    }

    #[staticmethod]
    #[pyo3(signature = (
        path, threshold=128, *, regions=None, grid=None, margin=0, spacing=0, count=None
    ))]
    fn open_frames(
        py: Python<'_>,
        path: PathBuf,
        threshold: i64,
        regions: Option<Vec<[u32; 4]>>,
        grid: Option<[u32; 2]>,
        margin: u32,
        spacing: u32,
        count: Option<u32>,
    ) -> PyResult<Vec<Self>> {
        let threshold = self::threshold(py, threshold)?;
        let frames = frames(py, regions, grid, margin, spacing, count)?;
        let masks = py.detach(|| hitmask::Mask::open_frames(&path, threshold, frames)).or_raise(py)?;
        Ok(masks.into_iter().map(Self::new_of).collect())
    }
}
