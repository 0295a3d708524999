//! Shapes.

use hitmask::Save;
use hitmask_python_documented::documented;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyType};

use crate::array::{points, vector};
use crate::error::OrRaise;
use crate::mask::Mask;

#[documented]
#[pyclass(frozen, from_py_object, module = "hitmask")]
#[derive(Clone)]
pub(crate) struct Shape(pub(crate) hitmask::Shape);

#[documented]
#[pyclass(frozen, from_py_object, module = "hitmask")]
#[derive(Clone)]
pub(crate) struct Part {
    shape: Shape,
    at: (f64, f64),
    tag: u32,
}

#[documented]
#[pymethods]
impl Part {
    #[new]
    #[pyo3(signature = (shape, at, tag=0))]
    fn new(shape: Shape, at: &Bound<'_, PyAny>, tag: u32) -> PyResult<Self> {
        Ok(Self { shape, at: vector(at, "at")?.into(), tag })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, (Shape, (f64, f64), u32)) {
        let Self { shape, at, tag } = slf.get().clone();
        (slf.get_type(), (shape, at, tag))
    }
}

impl From<&Part> for hitmask::Part {
    fn from(part: &Part) -> Self {
        Self::new(part.shape.0.clone(), [part.at.0, part.at.1]).tagged(part.tag)
    }
}

#[documented]
#[pymethods]
impl Shape {
    #[staticmethod]
    fn rect(py: Python<'_>, width: f64, height: f64) -> PyResult<Self> {
        hitmask::Shape::rect(width, height).or_raise(py).map(Self)
    }

    #[staticmethod]
    fn circle(py: Python<'_>, radius: f64) -> PyResult<Self> {
        hitmask::Shape::circle(radius).or_raise(py).map(Self)
    }

    #[staticmethod]
    fn capsule(py: Python<'_>, start: &Bound<'_, PyAny>, end: &Bound<'_, PyAny>, radius: f64) -> PyResult<Self> {
        let [start, end] = [vector(start, "start")?, vector(end, "end")?];
        hitmask::Shape::capsule(start, end, radius).or_raise(py).map(Self)
    }

    #[staticmethod]
    #[pyo3(signature = (outline, holes=Vec::new()))]
    fn polygon(py: Python<'_>, outline: &Bound<'_, PyAny>, holes: Vec<Bound<'_, PyAny>>) -> PyResult<Self> {
        let outline = points(outline, "outline")?;
        let holes = holes.iter().map(|hole| points(hole, "holes")).collect::<PyResult<Vec<_>>>()?;
        py.detach(|| hitmask::Shape::polygon_with_holes(&outline, &holes)).or_raise(py).map(Self)
    }

    #[staticmethod]
    fn rounded_polygon(py: Python<'_>, outline: &Bound<'_, PyAny>, radius: f64) -> PyResult<Self> {
        let outline = points(outline, "outline")?;
        py.detach(|| hitmask::Shape::rounded_polygon(&outline, radius)).or_raise(py).map(Self)
    }

    #[staticmethod]
    #[pyo3(signature = (line, radius, closed=false))]
    fn chain(py: Python<'_>, line: &Bound<'_, PyAny>, radius: f64, closed: bool) -> PyResult<Self> {
        let line = points(line, "line")?;
        py.detach(|| hitmask::Shape::chain(&line, radius, closed)).or_raise(py).map(Self)
    }

    #[staticmethod]
    fn parts(py: Python<'_>, parts: Vec<Part>) -> PyResult<Self> {
        let parts: Vec<hitmask::Part> = parts.iter().map(Into::into).collect();
        py.detach(|| hitmask::Shape::parts(&parts)).or_raise(py).map(Self)
    }

    #[staticmethod]
    fn sprite(py: Python<'_>, mask: &Mask) -> Self {
        Self(hitmask::Shape::sprite(mask.now(py)))
    }

    #[staticmethod]
    #[pyo3(signature = (masks, anchor=None))]
    fn sprites(py: Python<'_>, masks: Vec<Bound<'_, Mask>>, anchor: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Self>> {
        let anchor = anchor.map_or(Ok([0.0; 2]), |anchor| vector(anchor, "anchor"))?;
        let masks = masks.iter().map(|mask| mask.get().now(py));
        Ok(hitmask::Shape::sprites(masks, anchor).or_raise(py)?.into_iter().map(Self).collect())
    }

    fn anchored(&self, anchor: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.0.clone().anchored(vector(anchor, "anchor")?).or_raise(anchor.py()).map(Self)
    }

    #[getter]
    fn anchor(&self) -> (f64, f64) {
        self.0.anchor().into()
    }

    #[getter]
    fn mask(&self, py: Python<'_>) -> Option<Mask> {
        py.detach(|| self.0.mask().cloned()).map(Mask::new_of)
    }

    #[getter]
    fn area(&self) -> f64 {
        self.0.area()
    }

    #[getter]
    fn part_tags(&self) -> Vec<u32> {
        self.0.part_tags().collect()
    }

    // Makes a shape of the bytes that pickling wrote: a saved world with this shape alone.
    #[staticmethod]
    fn _load(py: Python<'_>, saved: &[u8]) -> PyResult<Self> {
        let world = hitmask::World::load(saved).or_raise(py)?;
        let problem = "it holds no shape".to_owned();
        let shape = world.shapes().next().map(|(_, shape)| Self(shape.clone()));
        shape.ok_or(hitmask::Error::Saved { problem }).or_raise(py)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let py = slf.py();
        let mut world = hitmask::World::default();
        world.add_shape(slf.get().0.clone()).or_raise(py)?;
        let saved = world.save(Save::Whole).or_raise(py)?;
        Ok((slf.get_type().getattr("_load")?, (PyBytes::new(py, &saved),)))
    }
}
