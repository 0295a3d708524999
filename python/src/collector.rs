//! Python's garbage collector, paused while an answer of many objects is made.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyModule;

/// Pauses the collector until it is dropped, if it was on. Otherwise the collector looks at all objects of the program
/// again and again while lists and tuples are made, none of which is garbage.
pub(crate) struct Pause<'py>(Option<Bound<'py, PyModule>>);

impl<'py> Pause<'py> {
    pub(crate) fn new(py: Python<'py>) -> PyResult<Self> {
        let gc = py.import(intern!(py, "gc"))?;
        let on = gc.call_method0(intern!(py, "isenabled"))?.is_truthy()?;
        if on {
            gc.call_method0(intern!(py, "disable"))?;
        }
        Ok(Self(on.then_some(gc)))
    }
}

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        if let Some(gc) = &self.0 {
            // It raises nothing.
            gc.call_method0(intern!(gc.py(), "enable")).ok();
        }
    }
}
