//! Bodies, one by one and in columns.

use hitmask_python_documented::documented;
use pyo3::prelude::*;

use crate::array::{Column, integers, matrices, truths, vector, vectors, words};
use crate::error::refusal;
use crate::ids::ShapeId;
use crate::linear::{self, Linear};

#[documented]
#[pyclass(frozen, eq, from_py_object, module = "hitmask")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Body(pub(crate) hitmask::Body);

#[documented]
#[pymethods]
impl Body {
    #[new]
    #[pyo3(signature = (
        shape, at, *, linear=None, motion=None, layers=1, mask=0xffff_ffff, detector=false, group=0, enabled=true,
        tag=0
    ))]
    fn new(
        shape: &Bound<'_, PyAny>,
        at: &Bound<'_, PyAny>,
        linear: Option<&Bound<'_, PyAny>>,
        motion: Option<&Bound<'_, PyAny>>,
        layers: u32,
        mask: u32,
        detector: bool,
        group: u32,
        enabled: bool,
        tag: u64,
    ) -> PyResult<Self> {
        let mut body = hitmask::Body::new(ShapeId::read(shape, "shape")?, vector(at, "at")?)
            .filtered(layers, mask)
            .detector(detector)
            .grouped(group)
            .enabled(enabled)
            .tagged(tag);
        if let Some(linear) = linear {
            body = body.posed(linear::read(linear)?);
        }
        if let Some(motion) = motion {
            body = body.moving(vector(motion, "motion")?);
        }
        Ok(Self(body))
    }

    #[pyo3(signature = (
        *, shape=None, at=None, linear=None, motion=None, layers=None, mask=None, detector=None, group=None,
        enabled=None, tag=None
    ))]
    fn replace(
        &self,
        shape: Option<&Bound<'_, PyAny>>,
        at: Option<&Bound<'_, PyAny>>,
        linear: Option<&Bound<'_, PyAny>>,
        motion: Option<&Bound<'_, PyAny>>,
        layers: Option<u32>,
        mask: Option<u32>,
        detector: Option<bool>,
        group: Option<u32>,
        enabled: Option<bool>,
        tag: Option<u64>,
    ) -> PyResult<Self> {
        let mut body = self.0;
        if let Some(shape) = shape {
            body.shape = ShapeId::read(shape, "shape")?;
        }
        if let Some(at) = at {
            body.at = vector(at, "at")?.into();
        }
        if let Some(linear) = linear {
            body.linear = linear::read(linear)?;
        }
        if let Some(motion) = motion {
            body.motion = vector(motion, "motion")?.into();
        }
        body = body.filtered(layers.unwrap_or(body.layers), mask.unwrap_or(body.mask));
        body = body.detector(detector.unwrap_or(body.detector));
        body = body.grouped(group.unwrap_or(body.group)).tagged(tag.unwrap_or(body.tag));
        Ok(Self(body.enabled(enabled.unwrap_or(body.enabled))))
    }

    #[getter]
    fn shape(&self) -> ShapeId {
        ShapeId(self.0.shape)
    }

    #[getter]
    fn at(&self) -> (f64, f64) {
        self.0.at.into()
    }

    #[getter]
    fn linear(&self) -> Linear {
        Linear(self.0.linear)
    }

    #[getter]
    fn motion(&self) -> (f64, f64) {
        self.0.motion.into()
    }

    #[getter]
    fn layers(&self) -> u32 {
        self.0.layers
    }

    #[getter]
    fn mask(&self) -> u32 {
        self.0.mask
    }

    #[getter]
    fn detector(&self) -> bool {
        self.0.detector
    }

    #[getter]
    fn group(&self) -> u32 {
        self.0.group
    }

    #[getter]
    fn enabled(&self) -> bool {
        self.0.enabled
    }

    #[getter]
    fn tag(&self) -> u64 {
        self.0.tag
    }

    fn __repr__(&self) -> String {
        let hitmask::Body { shape, at, motion, .. } = self.0;
        let (index, at, motion) = (shape.index(), (at.x, at.y), (motion.x, motion.y));
        format!("<hitmask.Body of shape {index} at {at:?} moving {motion:?}>")
    }

    // Makes a body of the parts that pickling wrote.
    #[staticmethod]
    fn _load(parts: Parts) -> Self {
        let (shape, at, linear, motion, (layers, mask, detector, group), enabled, tag) = parts;
        let body = hitmask::Body::new(shape.0, at).posed(linear).moving(motion);
        Self(body.filtered(layers, mask).detector(detector).grouped(group).enabled(enabled).tagged(tag))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Parts,))> {
        let body = &slf.get().0;
        let parts = (
            ShapeId(body.shape),
            body.at.into(),
            [body.linear.x, body.linear.y],
            body.motion.into(),
            (body.layers, body.mask, body.detector, body.group),
            body.enabled,
            body.tag,
        );
        Ok((slf.get_type().getattr("_load")?, (parts,)))
    }
}

/// The parts of a body that are pickled.
type Parts = (ShapeId, (f64, f64), [[f64; 2]; 2], (f64, f64), (u32, u32, bool, u32), bool, u64);

/// The columns of many bodies, as the caller passed them.
pub(crate) struct Columns<'a, 'py> {
    pub(crate) shape: &'a Bound<'py, PyAny>,
    pub(crate) at: &'a Bound<'py, PyAny>,
    pub(crate) linear: Option<&'a Bound<'py, PyAny>>,
    pub(crate) motion: Option<&'a Bound<'py, PyAny>>,
    pub(crate) layers: Option<&'a Bound<'py, PyAny>>,
    pub(crate) mask: Option<&'a Bound<'py, PyAny>>,
    pub(crate) detector: Option<&'a Bound<'py, PyAny>>,
    pub(crate) group: Option<&'a Bound<'py, PyAny>>,
    pub(crate) enabled: Option<&'a Bound<'py, PyAny>>,
    pub(crate) tag: Option<&'a Bound<'py, PyAny>>,
}

/// Reads a column, or takes the default for all rows. Raises unless it has as many rows as there are bodies.
fn column<T: Copy>(
    values: Option<&Bound<'_, PyAny>>,
    default: T,
    rows: usize,
    name: &str,
    read: impl Fn(&Bound<'_, PyAny>, &str) -> PyResult<Column<T>>,
) -> PyResult<Column<T>> {
    let Some(values) = values else { return Ok(Column::One(default)) };
    let column = read(values, name)?;
    column.check(values.py(), name, rows)?;
    Ok(column)
}

impl Columns<'_, '_> {
    /// Makes the bodies.
    pub(crate) fn bodies(&self) -> PyResult<Vec<hitmask::Body>> {
        let py = self.at.py();
        let at = vectors(self.at, "at")?;
        let Some(rows) = at.len() else { return Err(refusal(py, "at", "of shape (2,)", "be of shape (n, 2)")) };
        let shape = ShapeId::read_column(self.shape, "shape")?;
        shape.check(py, "shape", rows)?;
        let linears = |object: &Bound<'_, PyAny>, name: &str| match object.extract::<Linear>() {
            Ok(linear) => Ok(Column::One(linear.0)),
            Err(_) => matrices(object, name),
        };
        let linear = column(self.linear, hitmask::Linear::IDENTITY, rows, "linear", linears)?;
        let motion = column(self.motion, [0.0; 2], rows, "motion", vectors)?;
        let layers = column(self.layers, 1, rows, "layers", words)?;
        let mask = column(self.mask, u32::MAX, rows, "mask", words)?;
        let detector = column(self.detector, false, rows, "detector", truths)?;
        let group = column(self.group, 0, rows, "group", words)?;
        let enabled = column(self.enabled, true, rows, "enabled", truths)?;
        let tag = column(self.tag, 0, rows, "tag", |object, name| integers(object, name, u64::MAX))?;
        let body = |row| {
            hitmask::Body::new(shape.at(row), at.at(row))
                .posed(linear.at(row))
                .moving(motion.at(row))
                .filtered(layers.at(row), mask.at(row))
                .detector(detector.at(row))
                .grouped(group.at(row))
                .enabled(enabled.at(row))
                .tagged(tag.at(row))
        };
        Ok(py.detach(|| (0..rows).map(body).collect()))
    }
}
