//! Engines, which run steps.

use std::sync::{Mutex, PoisonError};

use hitmask_python_documented::documented;
use pyo3::prelude::*;

use crate::error::OrRaise;
use crate::fork;
use crate::hits::{Ask, Hits};
use crate::world::World;

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Engine(Mutex<hitmask::Engine>);

impl Engine {
    fn new_of(engine: hitmask::Engine) -> Self {
        fork::note_threads();
        Self(Mutex::new(engine))
    }

    /// Uses the engine without the interpreter.
    fn with<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut hitmask::Engine) -> R + Send) -> R {
        py.detach(|| work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

#[documented]
#[pymethods]
impl Engine {
    #[staticmethod]
    #[pyo3(signature = (*, threads=0))]
    fn cpu(py: Python<'_>, threads: usize) -> PyResult<Self> {
        fork::check()?;
        let options = hitmask::cpu::Options::default().threads(threads);
        let engine = py.detach(|| hitmask::cpu::Engine::with(&options)).or_raise(py)?;
        Ok(Self::new_of(hitmask::Engine::Cpu(engine)))
    }

    #[staticmethod]
    fn auto(py: Python<'_>) -> PyResult<Self> {
        fork::check()?;
        #[cfg(feature = "gpu")]
        let engine = py.detach(hitmask::Engine::auto);
        #[cfg(not(feature = "gpu"))]
        let engine = py.detach(hitmask::Engine::cpu);
        engine.or_raise(py).map(Self::new_of)
    }

    #[staticmethod]
    fn gpu(py: Python<'_>) -> PyResult<Self> {
        fork::check()?;
        #[cfg(feature = "gpu")]
        let engine = py.detach(hitmask::Engine::gpu);
        #[cfg(not(feature = "gpu"))]
        let engine: hitmask::Result<hitmask::Engine> =
            Err(hitmask::Error::Gpu { problem: "this package was built without the feature `gpu`".to_owned() });
        engine.or_raise(py).map(Self::new_of)
    }

    #[staticmethod]
    fn reference() -> Self {
        Self::new_of(hitmask::Engine::reference())
    }

    #[pyo3(signature = (world, ask=Ask::Pairs))]
    fn run(&self, py: Python<'_>, world: &World, ask: Ask) -> PyResult<Hits> {
        fork::check()?;
        let (hits, indices) = self.with(py, |engine| {
            // The engine's lock first, as everywhere.
            world.read_detached(|world| (engine.run(world, ask.into()), world.indices()))
        });
        Ok(Hits::new_of(hits.or_raise(py)?, indices))
    }

    #[getter]
    fn name(&self, py: Python<'_>) -> &'static str {
        self.with(py, |engine| engine.name())
    }

    #[getter]
    fn device(&self, py: Python<'_>) -> String {
        self.with(py, |engine| engine.device())
    }

    #[getter]
    fn status(&self, py: Python<'_>) -> String {
        self.with(py, |engine| match engine {
            #[cfg(feature = "gpu")]
            hitmask::Engine::Auto(engine) => engine.status().to_string(),
            _ => engine.name().to_owned(),
        })
    }

    #[getter]
    fn bytes(&self, py: Python<'_>) -> u64 {
        self.with(py, |engine| engine.bytes())
    }

    fn profile(&self, py: Python<'_>) -> Vec<(&'static str, f64)> {
        let profile = self.with(py, |engine| engine.profile());
        profile.stages.iter().map(|stage| (stage.name, stage.time.as_secs_f64())).collect()
    }

    fn rebuild(&self, py: Python<'_>) -> PyResult<()> {
        fork::check()?;
        self.with(py, hitmask::Engine::rebuild).or_raise(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        format!("<hitmask.Engine {}>", self.name(py))
    }
}
