//! Stops of bodies, and how they go on.

use std::collections::HashSet;

use hitmask::response::Surface;
use hitmask::{query, response};
use hitmask_python_documented::documented;
use pyo3::prelude::*;

use crate::error::OrRaise;
use crate::ids::BodyId;

/// How bodies are met: most are solid, some are one-way platforms, others are not in the way.
pub(crate) struct Surfaces {
    ignored: HashSet<hitmask::BodyId>,
    one_way: HashSet<hitmask::BodyId>,
}

impl Surfaces {
    pub(crate) fn read(ignore: Option<&Bound<'_, PyAny>>, one_way: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let set = |ids: Option<&Bound<'_, PyAny>>, name| -> PyResult<HashSet<hitmask::BodyId>> {
            Ok(ids.map(|ids| BodyId::read_all(ids, name)).transpose()?.into_iter().flatten().collect())
        };
        Ok(Self { ignored: set(ignore, "ignore")?, one_way: set(one_way, "one_way")? })
    }

    /// Returns how a body is met.
    pub(crate) fn of(&self, body: hitmask::BodyId) -> Surface {
        if self.ignored.contains(&body) {
            Surface::Open
        } else if self.one_way.contains(&body) {
            Surface::OneWay
        } else {
            Surface::Solid
        }
    }
}

/// Reads a direction against gravity.
fn direction(py: Python<'_>, up: (f64, f64)) -> PyResult<[f64; 2]> {
    // A walker takes the same directions.
    response::Walker::new().up([up.0, up.1]).or_raise(py).map(|_| up.into())
}

/// The bodies that stop others: all but those to ignore, and of one-way platforms only those that are landed on.
pub(crate) struct Solid {
    surfaces: Surfaces,
    up: [f64; 2],
}

impl Solid {
    pub(crate) fn read(
        py: Python<'_>,
        ignore: Option<&Bound<'_, PyAny>>,
        one_way: Option<&Bound<'_, PyAny>>,
        up: (f64, f64),
    ) -> PyResult<Self> {
        Ok(Self { surfaces: Surfaces::read(ignore, one_way)?, up: direction(py, up)? })
    }

    /// Returns whether a hit counts.
    pub(crate) fn counts(&self, impact: &response::Impact) -> bool {
        match self.surfaces.of(impact.other) {
            Surface::Solid => true,
            Surface::OneWay => impact.lands(self.up),
            Surface::Open => false,
        }
    }
}

#[documented]
#[pyclass(frozen, from_py_object, module = "hitmask")]
#[derive(Clone, Copy)]
pub(crate) struct Impact(pub(crate) response::Impact);

#[documented]
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
    fn lands(&self, py: Python<'_>, up: (f64, f64)) -> PyResult<bool> {
        Ok(self.0.lands(direction(py, up)?))
    }

    fn __repr__(&self) -> String {
        let response::Impact { other, tick, normal, .. } = self.0;
        format!("<hitmask.Impact on body {} at tick {tick}, normal {normal:?}>", other.index())
    }
}

#[documented]
#[pyclass(frozen, from_py_object, module = "hitmask")]
#[derive(Clone, Copy)]
pub(crate) struct Stop(pub(crate) response::Stop);

#[documented]
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

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Sweep(pub(crate) query::Sweep);

#[documented]
#[pymethods]
impl Sweep {
    #[getter]
    fn at(&self) -> (f64, f64) {
        self.0.at.into()
    }

    #[getter]
    fn stop(&self) -> Option<Stop> {
        self.0.stop.map(Stop)
    }

    #[getter]
    fn started_inside(&self) -> Option<BodyId> {
        self.0.started_inside().map(BodyId)
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Slide(pub(crate) query::Slide);

#[documented]
#[pymethods]
impl Slide {
    #[getter]
    fn at(&self) -> (f64, f64) {
        self.0.at.into()
    }

    #[getter]
    fn stops(&self) -> Vec<Stop> {
        self.0.stops.iter().copied().map(Stop).collect()
    }

    #[getter]
    fn started_inside(&self) -> Option<BodyId> {
        self.0.started_inside().map(BodyId)
    }
}
