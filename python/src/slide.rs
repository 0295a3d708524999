//! Stops of bodies, and how they go on.

use std::collections::HashSet;

use hitmask::{query, response};
use pyo3::prelude::*;

use crate::ids::BodyId;

/// The bodies that stop others: all but those to ignore, and of one-way platforms only what lands on them.
pub(crate) struct Solid {
    ignored: HashSet<hitmask::BodyId>,
    one_way: HashSet<hitmask::BodyId>,
    up: [f64; 2],
}

impl Solid {
    pub(crate) fn read(
        ignore: Option<&Bound<'_, PyAny>>,
        one_way: Option<&Bound<'_, PyAny>>,
        up: (f64, f64),
    ) -> PyResult<Self> {
        let set = |ids: Option<&Bound<'_, PyAny>>, name| -> PyResult<HashSet<hitmask::BodyId>> {
            Ok(ids.map(|ids| BodyId::read_all(ids, name)).transpose()?.into_iter().flatten().collect())
        };
        Ok(Self { ignored: set(ignore, "ignore")?, one_way: set(one_way, "one_way")?, up: up.into() })
    }

    /// Returns whether a hit counts.
    pub(crate) fn counts(&self, impact: &response::Impact) -> bool {
        !self.ignored.contains(&impact.other) && (!self.one_way.contains(&impact.other) || impact.lands(self.up))
    }
}

/// A hit, as one body of the pair sees it.
#[pyclass(frozen, from_py_object, module = "hitmask")]
#[derive(Clone, Copy)]
pub(crate) struct Impact(pub(crate) response::Impact);

#[pymethods]
impl Impact {
    #[getter]
    fn hit(&self) -> usize {
        self.0.hit
    }

    #[getter]
    fn other(&self) -> BodyId {
        BodyId(self.0.other)
    }

    #[getter]
    fn tick(&self) -> u32 {
        self.0.tick
    }

    #[getter]
    fn normal(&self) -> (f64, f64) {
        self.0.normal.into()
    }

    #[getter]
    fn approach(&self) -> (f64, f64) {
        self.0.approach.into()
    }

    #[pyo3(signature = (up=(0.0, -1.0)))]
    fn lands(&self, up: (f64, f64)) -> bool {
        self.0.lands(up.into())
    }

    fn __repr__(&self) -> String {
        let response::Impact { other, tick, normal, .. } = self.0;
        format!("<hitmask.Impact on body {} at tick {tick}, normal {normal:?}>", other.index())
    }
}

/// The stop of a body at a hit.
#[pyclass(frozen, from_py_object, module = "hitmask")]
#[derive(Clone, Copy)]
pub(crate) struct Stop(pub(crate) response::Stop);

#[pymethods]
impl Stop {
    #[getter]
    fn impact(&self) -> Impact {
        Impact(self.0.impact)
    }

    #[getter]
    fn at(&self) -> (f64, f64) {
        self.0.at.into()
    }

    #[getter]
    fn left(&self) -> (f64, f64) {
        self.0.left.into()
    }

    fn slide(&self) -> (f64, f64) {
        self.0.slide().into()
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.Stop at ({}, {}) by body {}>", self.0.at.x, self.0.at.y, self.0.impact.other.index())
    }
}

/// How far a body got.
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Sweep {
    #[pyo3(get)]
    at: (f64, f64),
    #[pyo3(get)]
    stop: Option<Stop>,
    #[pyo3(get)]
    started_inside: Option<BodyId>,
}

impl Sweep {
    pub(crate) fn new_of(sweep: &query::Sweep) -> Self {
        let started_inside = sweep.started_inside().map(BodyId);
        Self { at: sweep.at.into(), stop: sweep.stop.map(Stop), started_inside }
    }
}

/// How far a body got, sliding along what stopped it.
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Slide {
    #[pyo3(get)]
    at: (f64, f64),
    #[pyo3(get)]
    stops: Vec<Stop>,
    #[pyo3(get)]
    started_inside: Option<BodyId>,
}

impl Slide {
    pub(crate) fn new_of(slide: &query::Slide) -> Self {
        let started_inside = slide.started_inside().map(BodyId);
        Self { at: slide.at.into(), stops: slide.stops.iter().copied().map(Stop).collect(), started_inside }
    }
}
