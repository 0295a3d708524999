//! The world: shapes and bodies.

use std::sync::{PoisonError, RwLock, TryLockError};

use hitmask_python_documented::documented;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;

use crate::body::Body;
use crate::error::OrRaise;
use crate::fork;
use crate::ids::{BodyId, ShapeId};
use crate::member::{Member, member};
use crate::shape::Shape;
use crate::structured::{Handle, array};

#[documented]
#[pyclass(frozen, eq, from_py_object, module = "hitmask")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Touch {
    #[pyo3(name = "EXCLUDED")]
    Excluded,
    #[pyo3(name = "INCLUDED")]
    Included,
}

#[documented]
#[pymethods]
impl Touch {
    fn __hash__(&self) -> u64 {
        *self as u64
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Member<'py>> {
        let name = match self {
            Self::Excluded => "EXCLUDED",
            Self::Included => "INCLUDED",
        };
        member::<Self>(py, name)
    }
}

// Several threads may use a world: a call that changes it waits for those that read it. No thread waits for the lock
// while it holds the interpreter, nor for the interpreter while it holds the lock, so no two wait for each other.
#[documented]
#[pyclass(frozen, module = "hitmask", weakref)]
pub(crate) struct World(RwLock<hitmask::World>);

impl World {
    pub(crate) fn new_of(world: hitmask::World) -> Self {
        Self(RwLock::new(world))
    }

    /// Reads the world without the interpreter.
    pub(crate) fn read<R: Send>(&self, py: Python<'_>, read: impl FnOnce(&hitmask::World) -> R + Send) -> R {
        py.detach(|| read(&self.0.read().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Reads the world in a closure that has let go of the interpreter already.
    pub(crate) fn read_detached<R>(&self, read: impl FnOnce(&hitmask::World) -> R) -> R {
        read(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Reads the world in less than a microsecond: with the interpreter, if no thread changes it.
    pub(crate) fn glance<R: Send>(&self, py: Python<'_>, read: impl FnOnce(&hitmask::World) -> R + Send) -> R {
        match self.0.try_read() {
            Ok(world) => read(&world),
            Err(TryLockError::Poisoned(poisoned)) => read(&poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => self.read(py, read),
        }
    }

    /// Changes the world without the interpreter.
    pub(crate) fn write<R: Send>(&self, py: Python<'_>, write: impl FnOnce(&mut hitmask::World) -> R + Send) -> R {
        py.detach(|| write(&mut self.0.write().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Reads this world and another, which may be the same.
    fn read_both<R: Send>(
        &self,
        other: &Self,
        py: Python<'_>,
        read: impl FnOnce(&hitmask::World, &hitmask::World) -> R + Send,
    ) -> R {
        if std::ptr::eq(self, other) {
            return self.read(py, |world| read(world, world));
        }
        py.detach(|| {
            // In the order of their addresses, so that two threads that compare the same worlds never wait in a circle.
            if std::ptr::from_ref(self) < std::ptr::from_ref(other) {
                let here = self.0.read().unwrap_or_else(PoisonError::into_inner);
                let there = other.0.read().unwrap_or_else(PoisonError::into_inner);
                read(&here, &there)
            } else {
                let there = other.0.read().unwrap_or_else(PoisonError::into_inner);
                let here = self.0.read().unwrap_or_else(PoisonError::into_inner);
                read(&here, &there)
            }
        })
    }
}

#[documented]
#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (touch=Touch::Excluded))]
    fn new(touch: Touch) -> Self {
        fork::note_threads();
        Self::new_of(hitmask::World::new(match touch {
            Touch::Excluded => hitmask::Touch::Excluded,
            Touch::Included => hitmask::Touch::Included,
        }))
    }

    #[getter]
    fn touch(&self, py: Python<'_>) -> Touch {
        match self.glance(py, hitmask::World::touch) {
            hitmask::Touch::Excluded => Touch::Excluded,
            hitmask::Touch::Included => Touch::Included,
        }
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.glance(py, hitmask::World::len)
    }

    // So that `if world` does not ask for bodies.
    fn __bool__(&self) -> bool {
        true
    }

    #[getter]
    fn indices(&self, py: Python<'_>) -> usize {
        self.glance(py, hitmask::World::indices)
    }

    fn add_shape(&self, py: Python<'_>, shape: &Shape) -> PyResult<ShapeId> {
        let shape = shape.0.clone();
        self.write(py, |world| world.add_shape(shape)).or_raise(py).map(ShapeId)
    }

    fn add_shapes<'py>(&self, py: Python<'py>, shapes: Vec<Shape>) -> PyResult<Bound<'py, PyAny>> {
        let shapes: Vec<hitmask::Shape> = shapes.into_iter().map(|shape| shape.0).collect();
        let ids = self.write(py, |world| world.add_shapes(shapes)).or_raise(py)?;
        array(py, &ids.into_iter().map(Handle::from).collect::<Vec<_>>())
    }

    fn replace_shape(&self, py: Python<'_>, id: &Bound<'_, PyAny>, shape: &Shape) -> PyResult<()> {
        let (id, shape) = (ShapeId::read(id, "id")?, shape.0.clone());
        self.write(py, |world| world.replace_shape(id, shape)).or_raise(py)
    }

    fn remove_shape(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<Shape> {
        let id = ShapeId::read(id, "id")?;
        self.write(py, |world| world.remove_shape(id)).or_raise(py).map(Shape)
    }

    fn shape(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<Option<Shape>> {
        let id = ShapeId::read(id, "id")?;
        Ok(self.glance(py, |world| world.shape(id).cloned()).map(Shape))
    }

    fn shapes(&self, py: Python<'_>) -> Vec<(ShapeId, Shape)> {
        let all = self.read(py, |world| world.shapes().map(|(id, shape)| (id, shape.clone())).collect::<Vec<_>>());
        all.into_iter().map(|(id, shape)| (ShapeId(id), Shape(shape))).collect()
    }

    fn add(&self, py: Python<'_>, body: &Body) -> PyResult<BodyId> {
        let body = body.0;
        self.write(py, |world| world.add(&body)).or_raise(py).map(BodyId)
    }

    fn set(&self, py: Python<'_>, id: &Bound<'_, PyAny>, body: &Body) -> PyResult<()> {
        let (id, body) = (BodyId::read(id, "id")?, body.0);
        self.write(py, |world| world.set(id, &body)).or_raise(py)
    }

    fn remove(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<Body> {
        let id = BodyId::read(id, "id")?;
        self.write(py, |world| world.remove(id)).or_raise(py).map(Body)
    }

    fn set_enabled(&self, py: Python<'_>, id: &Bound<'_, PyAny>, enabled: bool) -> PyResult<()> {
        let id = BodyId::read(id, "id")?;
        self.write(py, |world| world.set_enabled(id, enabled)).or_raise(py)
    }

    fn set_filter(&self, py: Python<'_>, id: &Bound<'_, PyAny>, layers: u32, mask: u32, group: u32) -> PyResult<()> {
        let id = BodyId::read(id, "id")?;
        self.write(py, |world| world.set_filter(id, layers, mask, group)).or_raise(py)
    }

    fn set_detector(&self, py: Python<'_>, id: &Bound<'_, PyAny>, detector: bool) -> PyResult<()> {
        let id = BodyId::read(id, "id")?;
        self.write(py, |world| world.set_detector(id, detector)).or_raise(py)
    }

    fn set_shape(&self, py: Python<'_>, id: &Bound<'_, PyAny>, shape: &Bound<'_, PyAny>) -> PyResult<()> {
        let (id, shape) = (BodyId::read(id, "id")?, ShapeId::read(shape, "shape")?);
        self.write(py, |world| world.set_shape(id, shape)).or_raise(py)
    }

    fn clear(&self, py: Python<'_>) {
        self.write(py, hitmask::World::clear);
    }

    fn copy(&self, py: Python<'_>) -> Self {
        Self::new_of(self.read(py, hitmask::World::clone))
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> Self {
        self.copy(py)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let equal = match op {
            CompareOp::Eq => self.read_both(other.get(), py, |here, there| here == there),
            CompareOp::Ne => self.read_both(other.get(), py, |here, there| here != there),
            _ => return Ok(py.NotImplemented()),
        };
        Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind())
    }

    fn differences(&self, py: Python<'_>, other: &Self) -> Vec<String> {
        self.read_both(other, py, |here, there| here.differences(there).iter().map(ToString::to_string).collect())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let bodies = self.glance(py, hitmask::World::len);
        format!("<hitmask.World of {bodies} {}>", if bodies == 1 { "body" } else { "bodies" })
    }
}
