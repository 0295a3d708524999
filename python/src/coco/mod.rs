//! Masks of images as runs, and their overlaps: what `hitmask.coco` is made of.

mod compare;
mod masks;
mod polygon;
mod rle;

use std::borrow::Cow;
use std::cmp::Ordering;

use hitmask_python_documented::documented;
use numpy::PyArray1;
use pyo3::exceptions::{PyMemoryError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};

pub(crate) use self::compare::Overlap;
use self::compare::{Measure, groups, overlaps, ratios};
use self::masks::Masks;
use crate::array::{array_of, bytes, display, integers, labels, numbers, truths, whole};
use crate::error::{Error, refusal};
use crate::structured::{self, table};
use crate::threads::in_parts;

#[documented(Masks)]
#[pyclass(frozen, name = "Masks", module = "hitmask.coco")]
pub(crate) struct CocoMasks(Masks);

/// The counts of a mask, as Python has them.
enum Counts<'a> {
    Text(Cow<'a, [u8]>),
    Numbers(Vec<i64>),
}

impl Counts<'_> {
    fn put(&self, masks: &mut Masks) -> Result<(), String> {
        match self {
            Self::Text(text) => rle::put_counts(masks, rle::counts(text)),
            Self::Numbers(counts) => rle::put_counts(masks, counts.iter().copied().map(Ok)),
        }
    }
}

/// Makes an empty list for masks of a height and a width. Raises if a mask would have too many pixels.
fn masks_of(py: Python<'_>, height: u64, width: u64) -> PyResult<Masks> {
    let fits = |pixels: u64| pixels < u32::MAX.into();
    if fits(height) && fits(width) && height.checked_mul(width).is_some_and(fits) {
        return Ok(Masks::new([height as u32, width as u32]));
    }
    let right = format!("have less than {} pixels, in all and along each side", u32::MAX);
    Err(refusal(py, "size", format!("({height}, {width})"), &right))
}

/// Returns a value of a mask's dictionary.
fn item<'py>(mask: &Bound<'py, PyDict>, key: &str) -> PyResult<Bound<'py, PyAny>> {
    let missing = || refusal(mask.py(), "masks", format!("without `{key}`"), "have `size` and `counts`");
    mask.get_item(key)?.ok_or_else(missing)
}

/// Raises unless two lists have masks of one size.
fn same_size(py: Python<'_>, a: &Masks, b: &Masks) -> PyResult<()> {
    if a.size() == b.size() || a.len() == 0 || b.len() == 0 {
        return Ok(());
    }
    let [a, b] = [a, b].map(|masks| display(&masks.size().map(|side| side as usize)));
    Err(refusal(py, "b", format!("of masks of {b}"), &format!("be of masks of {a}, as `a`")))
}

/// Reads indices of masks.
fn indices(object: &Bound<'_, PyAny>, masks: &Masks) -> PyResult<Vec<u32>> {
    let right = || format!("be at least 0 and below {}, the number of masks", masks.len());
    let indices = whole(object, "index", |index| index < masks.len() as u64, right)?;
    Ok(indices.values().iter().map(|index| *index as u32).collect())
}

/// Makes the error of an encoding.
fn undecodable(index: usize, problem: &str) -> PyErr {
    Error::new_err(format!("`masks[{index}]`: {problem}"))
}

/// Returns the indices of masks by descending score, those of the same score in order.
fn by_score(py: Python<'_>, scores: &Bound<'_, PyAny>, masks: usize) -> PyResult<Vec<u32>> {
    let scores = numbers(scores, "scores")?;
    scores.check(py, "scores", masks)?;
    if let Some(index) = (0..masks).find(|&index| scores.at(index).is_nan()) {
        return Err(refusal(py, &format!("scores[{index}]"), "NaN", "be a number"));
    }
    let mut order: Vec<u32> = (0..masks as u32).collect();
    // None is NaN, so that all can be compared; -0 equals 0.
    order.sort_by(|a, b| scores.at(*b as usize).partial_cmp(&scores.at(*a as usize)).unwrap_or(Ordering::Equal));
    Ok(order)
}

/// Reads a ratio from 0 to 1.
fn ratio(py: Python<'_>, name: &str, value: f64) -> PyResult<f64> {
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(refusal(py, name, value, "be 0 to 1")) }
}

/// Reads the rings of a polygon: flat lists x, y, x, y, ..., or arrays of shape (n, 2).
fn rings(py: Python<'_>, polygon: &Bound<'_, PyAny>) -> PyResult<Vec<Vec<[f64; 2]>>> {
    let mut rings = Vec::new();
    for ring in polygon.try_iter()? {
        let ring = ring?;
        let flat = match ring.extract::<Vec<f64>>() {
            Ok(flat) => flat,
            Err(_) => crate::array::points(&ring, "polygons")?.into_flattened(),
        };
        if flat.len() < 6 || flat.len() % 2 == 1 {
            let right = "have at least 6, an even number";
            return Err(refusal(py, "polygons", format!("a ring of {} numbers", flat.len()), right));
        }
        if let Some(wrong) = flat.iter().find(|v| v.is_nan() || v.abs() > polygon::MOST) {
            return Err(refusal(py, "polygons", wrong, &format!("lie within ±{}", polygon::MOST)));
        }
        rings.push(flat.as_chunks::<2>().0.to_vec());
    }
    Ok(rings)
}

#[documented(Masks)]
#[pymethods]
impl CocoMasks {
    #[staticmethod]
    #[pyo3(signature = (masks, size=None))]
    fn from_rle(py: Python<'_>, masks: Vec<Bound<'_, PyDict>>, size: Option<[u64; 2]>) -> PyResult<Self> {
        let (given, whose) = (size, if size.is_some() { "as `size`" } else { "as the first" });
        let size = |mask: &Bound<'_, PyDict>| item(mask, "size")?.extract::<[u64; 2]>();
        let first = given.map_or_else(|| masks.first().map_or(Ok([0, 0]), size), Ok)?;
        let objects = masks.iter().enumerate().map(|(index, mask)| {
            let [height, width] = size(mask)?;
            if [height, width] != first {
                let value = format!("of size ({height}, {width})");
                let right = format!("be of size ({}, {}), {whose}", first[0], first[1]);
                return Err(refusal(py, &format!("masks[{index}]"), value, &right));
            }
            item(mask, "counts")
        });
        let objects: Vec<Bound<'_, PyAny>> = objects.collect::<PyResult<_>>()?;
        let counts = objects.iter().enumerate().map(|(index, object)| {
            if let Ok(text) = object.cast::<PyBytes>() {
                return Ok(Counts::Text(text.as_bytes().into()));
            }
            if let Ok(text) = object.cast::<PyByteArray>() {
                return Ok(Counts::Text(text.to_vec().into()));
            }
            if let Ok(text) = object.cast::<PyString>() {
                return Ok(Counts::Text(text.to_cow()?.into_owned().into_bytes().into()));
            }
            match object.extract() {
                Ok(counts) => Ok(Counts::Numbers(counts)),
                Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
                    Err(undecodable(index, "a count has more than 64 bits"))
                }
                Err(_) => Err(PyTypeError::new_err("`counts` must be bytes, a str or a list of integers")),
            }
        });
        let counts: Vec<Counts<'_>> = counts.collect::<PyResult<_>>()?;
        let made = masks_of(py, first[0], first[1])?;
        let decoded = py.detach(|| {
            let parts = in_parts(counts.len(), 0, |rows| {
                let mut part = made.clone();
                for index in rows {
                    counts[index].put(&mut part).map_err(|problem| (index, problem))?;
                }
                Ok(part)
            });
            let mut all = made.clone();
            parts.into_iter().try_for_each(|part| part.map(|part| all.append(part)))?;
            Ok(all)
        });
        decoded.map(Self).map_err(|(index, problem): (usize, String)| undecodable(index, &problem))
    }

    #[staticmethod]
    fn from_array(py: Python<'_>, array: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (array, kind) = array_of(array)?;
        if kind != 'b' && array.getattr("dtype")?.getattr("str")?.extract::<String>()? != "|u1" {
            return Err(PyTypeError::new_err("`array` must hold bools, or uint8"));
        }
        let (texels, shape) = bytes(&array)?;
        let ([height, width] | [_, height, width]) = shape[..] else {
            return Err(refusal(
                py,
                "array",
                format!("of shape {}", display(&shape)),
                "be of shape (n, h, w) or (h, w)",
            ));
        };
        let mut masks = masks_of(py, height as u64, width as u64)?;
        let count = if shape.len() == 2 { 1 } else { shape[0] };
        py.detach(|| {
            for mask in 0..count {
                masks.put_rows(&texels[mask * height * width..][..height * width]);
            }
        });
        Ok(Self(masks))
    }

    #[staticmethod]
    fn from_labels<'py>(py: Python<'py>, array: &Bound<'py, PyAny>) -> PyResult<(Self, Bound<'py, PyArray1<i64>>)> {
        let (values, shape) = labels(array, "labels")?;
        let mut masks = masks_of(py, shape[0] as u64, shape[1] as u64)?;
        let found = py.detach(|| masks.put_labels(&values));
        Ok((Self(masks), PyArray1::from_vec(py, found)))
    }

    #[staticmethod]
    fn from_polygons(py: Python<'_>, polygons: Vec<Bound<'_, PyAny>>, height: u64, width: u64) -> PyResult<Self> {
        let mut masks = masks_of(py, height, width)?;
        let polygons = polygons.iter().map(|polygon| rings(py, polygon)).collect::<PyResult<Vec<_>>>()?;
        py.detach(|| polygons.iter().for_each(|rings| polygon::put(&mut masks, rings)));
        Ok(Self(masks))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("Masks({} of {})", self.0.len(), display(&self.0.size().map(|side| side as usize)))
    }

    #[getter]
    fn size(&self) -> (u32, u32) {
        self.0.size().into()
    }

    #[getter]
    fn area<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_slice(py, self.0.areas())
    }

    #[getter]
    fn boxes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let of = |bounds: &masks::Bounds| {
            let ([x, y], [right, bottom]) = (bounds.min, bounds.end);
            [x, y, right - x, bottom - y].map(f64::from)
        };
        table(py, &self.0.bounds().iter().map(of).collect::<Vec<_>>())
    }

    fn to_rle<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let texts = py.detach(|| {
            let text = |mask| rle::text(&rle::counts_of(&self.0, mask));
            (0..self.0.len()).map(text).collect::<Vec<_>>()
        });
        let made = texts.iter().map(|text| {
            let mask = PyDict::new(py);
            mask.set_item("size", self.0.size().to_vec())?;
            mask.set_item("counts", PyBytes::new(py, text.as_bytes()))?;
            Ok(mask)
        });
        made.collect()
    }

    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let [height, width] = self.0.size().map(|side| side as usize);
        let texels = py.detach(|| self.0.to_rows());
        let texels = texels.ok_or_else(|| PyMemoryError::new_err("the array does not fit into memory"))?;
        PyArray1::from_vec(py, texels).call_method1("reshape", ((self.0.len(), height, width),))
    }

    fn take(&self, indices: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut taken = Masks::new(self.0.size());
        for index in self::indices(indices, &self.0)? {
            self.0.union(&[index], &mut taken);
        }
        Ok(Self(taken))
    }

    fn union(&self, groups: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let mut united = Masks::new(self.0.size());
        for group in &groups {
            self.0.union(&indices(group, &self.0)?, &mut united);
        }
        Ok(Self(united))
    }

    #[expect(clippy::type_complexity, reason = "as the protocol of pickle has it")]
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Vec<Bound<'py, PyDict>>, (u32, u32)))> {
        let from_rle = py.get_type::<Self>().getattr("from_rle")?;
        Ok((from_rle, (self.to_rle(py)?, self.size())))
    }
}

#[pyfunction]
pub(crate) fn _overlaps<'py>(
    py: Python<'py>,
    a: &CocoMasks,
    b: Option<&CocoMasks>,
    min_iou: f64,
) -> PyResult<Bound<'py, PyAny>> {
    let least = ratio(py, "min_iou", min_iou)?;
    let b = b.map(|b| &b.0);
    same_size(py, &a.0, b.unwrap_or(&a.0))?;
    let rows = py.detach(|| {
        let found = overlaps(&a.0, b, Measure::Union, least);
        found.iter().map(structured::Overlap::from).collect::<Vec<_>>()
    });
    structured::array(py, &rows)
}

#[pyfunction]
pub(crate) fn _iou<'py>(
    py: Python<'py>,
    a: &CocoMasks,
    b: &CocoMasks,
    iscrowd: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    same_size(py, &a.0, &b.0)?;
    let crowds = truths(iscrowd, "iscrowd")?;
    crowds.check(py, "iscrowd", b.0.len())?;
    let crowds = crowds.spread(b.0.len());
    let all = py.detach(|| ratios(&a.0, &b.0, &crowds));
    let all = all.ok_or_else(|| PyMemoryError::new_err("the array does not fit into memory"))?;
    PyArray1::from_vec(py, all).call_method1("reshape", ((a.0.len(), b.0.len()),))
}

/// Returns the groups of masks that overlap one of a higher score: by more than `limit` if it is `above`, else by at
/// least as much.
#[pyfunction]
pub(crate) fn _groups<'py>(
    py: Python<'py>,
    masks: &CocoMasks,
    scores: &Bound<'py, PyAny>,
    limit: f64,
    smaller: bool,
    above: bool,
    classes: Option<&Bound<'py, PyAny>>,
) -> PyResult<Vec<Bound<'py, PyArray1<u32>>>> {
    let least = ratio(py, "limit", limit)?;
    let order = by_score(py, scores, masks.0.len())?;
    let classes = classes.map(|classes| integers(classes, "classes", u64::MAX)).transpose()?;
    if let Some(classes) = &classes {
        classes.check(py, "classes", masks.0.len())?;
    }
    let measure = if smaller { Measure::Smaller } else { Measure::Union };
    let found = py.detach(|| {
        let mut edges = overlaps(&masks.0, None, measure, least);
        let same = |i: u32, j: u32| classes.as_ref().is_none_or(|all| all.at(i as usize) == all.at(j as usize));
        edges.retain(|edge| same(edge.i, edge.j) && (!above || edge.ratio > least));
        groups(&order, &edges)
    });
    Ok(found.iter().map(|group| PyArray1::from_slice(py, group)).collect())
}
