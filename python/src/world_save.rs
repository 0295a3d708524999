//! Worlds as bytes.

use hitmask::Save;
use hitmask_python_documented::documented;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::error::OrRaise;
use crate::fork;
use crate::world::World;

#[documented]
#[pymethods]
impl World {
    #[pyo3(signature = (*, bodies_only=false))]
    fn save<'py>(&self, py: Python<'py>, bodies_only: bool) -> PyResult<Bound<'py, PyBytes>> {
        let parts = if bodies_only { Save::State } else { Save::Whole };
        Ok(PyBytes::new(py, &self.read(py, |world| world.save(parts)).or_raise(py)?))
    }

    #[staticmethod]
    fn load(py: Python<'_>, saved: &[u8]) -> PyResult<Self> {
        fork::note_threads();
        // `bytes` never change, so no copy is needed.
        py.detach(|| hitmask::World::load(saved)).or_raise(py).map(Self::new_of)
    }

    fn load_into(&self, py: Python<'_>, saved: &[u8]) -> PyResult<()> {
        self.write(py, |world| world.load_into(saved)).or_raise(py)
    }

    fn checksum(&self, py: Python<'_>) -> u64 {
        self.read(py, hitmask::World::checksum)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((slf.get_type().getattr("load")?, (slf.get().save(slf.py(), false)?,)))
    }
}
