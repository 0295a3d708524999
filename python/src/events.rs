//! The pairs that began, stayed and ended.

use std::sync::{Mutex, PoisonError};

use hitmask::response;
use hitmask_python_documented::documented;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::OrRaise;
use crate::hits::Hits;
use crate::structured::{Event, TaggedPair, array};
use crate::world::World;

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Events(Mutex<response::Events>);

impl Events {
    fn with<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut response::Events) -> R + Send) -> R {
        py.detach(|| work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

fn event(event: &response::Event) -> Event {
    Event { pair: event.pair.map(Into::into), tags: event.tags, hit: event.hit as u64 }
}

#[documented]
#[pymethods]
impl Events {
    #[new]
    fn new() -> Self {
        Self(Mutex::default())
    }

    fn update(&self, py: Python<'_>, world: &World, hits: &Hits) -> PyResult<()> {
        self.with(py, |events| world.read_detached(|world| events.update(world, &hits.answer))).or_raise(py)
    }

    #[getter]
    fn began<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.with(py, |events| events.began().iter().map(event).collect::<Vec<_>>()))
    }

    #[getter]
    fn stayed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.with(py, |events| events.stayed().iter().map(event).collect::<Vec<_>>()))
    }

    #[getter]
    fn ended<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let row = |pair: &response::TaggedPair| TaggedPair { pair: pair.pair.map(Into::into), tags: pair.tags };
        array(py, &self.with(py, |events| events.ended().iter().map(row).collect::<Vec<_>>()))
    }

    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.with(py, |events| events.save()).or_raise(py)?))
    }

    #[staticmethod]
    fn load(py: Python<'_>, saved: &[u8]) -> PyResult<Self> {
        let events = py.detach(|| response::Events::load(saved)).or_raise(py)?;
        Ok(Self(Mutex::new(events)))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((slf.get_type().getattr("load")?, (slf.get().save(slf.py())?,)))
    }
}
