//! The character controller.

use std::sync::{Mutex, MutexGuard, PoisonError};

use hitmask::response;
use hitmask_python_documented::documented;
use pyo3::prelude::*;

use crate::body::Body;
use crate::error::OrRaise;
use crate::fork;
use crate::ids::BodyId;
use crate::member::{Member, member};
use crate::queries::Search;
use crate::slide::Surfaces;

#[documented]
#[pyclass(frozen, eq, from_py_object, module = "hitmask")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Pace {
    #[pyo3(name = "ACROSS")]
    Across,
    #[pyo3(name = "ALONG")]
    Along,
}

#[documented]
#[pymethods]
impl Pace {
    fn __hash__(&self) -> u64 {
        *self as u64
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Member<'py>> {
        let name = match self {
            Self::Across => "ACROSS",
            Self::Along => "ALONG",
        };
        member::<Self>(py, name)
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Side(response::Side);

#[documented]
#[pymethods]
impl Side {
    #[getter]
    fn body(&self) -> BodyId {
        BodyId(self.0.body)
    }

    #[getter]
    fn normal(&self) -> (f64, f64) {
        self.0.normal.into()
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Walk(response::Walk);

#[documented]
#[pymethods]
impl Walk {
    #[getter]
    fn at(&self) -> (f64, f64) {
        self.0.at.into()
    }

    #[getter]
    fn ground(&self) -> Option<Side> {
        self.0.ground.map(Side)
    }

    #[getter]
    fn wall(&self) -> Option<Side> {
        self.0.wall.map(Side)
    }

    #[getter]
    fn ceiling(&self) -> Option<Side> {
        self.0.ceiling.map(Side)
    }

    #[getter]
    fn fall(&self) -> f64 {
        self.0.fall
    }

    #[getter]
    fn carried(&self) -> (f64, f64) {
        self.0.carried.into()
    }

    #[getter]
    fn started_inside(&self) -> Option<BodyId> {
        self.0.started_inside.map(BodyId)
    }

    #[getter]
    fn stuck(&self) -> bool {
        self.0.stuck
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Walker(Mutex<response::Walker>);

impl Walker {
    /// Locks the walker. Called without the interpreter, as another thread may be within a step.
    fn lock(&self) -> MutexGuard<'_, response::Walker> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[documented]
#[pymethods]
impl Walker {
    #[new]
    #[pyo3(signature = (
        *, up=(0.0, -1.0), max_slope=50.0, step_height=4.0, snap=4.0, pace=Pace::Across, slide=true
    ))]
    fn new(
        py: Python<'_>,
        up: (f64, f64),
        max_slope: f64,
        step_height: f64,
        snap: f64,
        pace: Pace,
        slide: bool,
    ) -> PyResult<Self> {
        let pace = match pace {
            Pace::Across => response::Pace::Across,
            Pace::Along => response::Pace::Along,
        };
        let walker = response::Walker::new().pace(pace).slide(slide).up([up.0, up.1]);
        let walker = walker.and_then(|walker| walker.max_slope(max_slope)?.step_height(step_height)?.snap(snap));
        Ok(Self(Mutex::new(walker.or_raise(py)?)))
    }

    #[getter]
    fn ground(&self, py: Python<'_>) -> PyResult<Option<Side>> {
        fork::check()?;
        Ok(py.detach(|| self.lock().ground()).map(Side))
    }

    fn leave(&self, py: Python<'_>) -> PyResult<()> {
        fork::check()?;
        py.detach(|| self.lock().leave());
        Ok(())
    }

    #[pyo3(signature = (search, body, run, fall, *, ignore=None, one_way=None))]
    fn step(
        &self,
        py: Python<'_>,
        search: &Search,
        body: Body,
        run: f64,
        fall: f64,
        ignore: Option<&Bound<'_, PyAny>>,
        one_way: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Walk> {
        let surfaces = Surfaces::read(ignore, one_way)?;
        search.ask(py, |search| self.lock().step(search, &body.0, run, fall, |id| surfaces.of(id))).map(Walk)
    }

    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        fork::check()?;
        Ok(Self(Mutex::new(py.detach(|| *self.lock()))))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }
}
