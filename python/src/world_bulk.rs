//! Bulk edits of a world, from arrays.

use hitmask_python_documented::documented;
use pyo3::prelude::*;

use crate::array::{Points, matrices, vectors};
use crate::body::Columns;
use crate::error::OrRaise;
use crate::fork;
use crate::ids::{BodyId, ShapeId};
use crate::structured::{Handle, array, table};
use crate::world::World;

/// Reads the bodies of a bulk edit; `None` for all.
pub(crate) fn chosen(ids: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<hitmask::BodyId>>> {
    fork::check()?;
    ids.map(|ids| BodyId::read_all(ids, "ids")).transpose()
}

/// Returns the bodies as the library takes them.
pub(crate) fn bodies(ids: Option<&[hitmask::BodyId]>) -> hitmask::Bodies<'_> {
    ids.map_or(hitmask::Bodies::All, hitmask::Bodies::These)
}

#[documented]
#[pymethods]
impl World {
    #[pyo3(signature = (
        shape, at, *, linear=None, motion=None, layers=None, mask=None, detector=None, group=None, enabled=None,
        tag=None
    ))]
    fn add_all<'py>(
        &self,
        py: Python<'py>,
        shape: &Bound<'py, PyAny>,
        at: &Bound<'py, PyAny>,
        linear: Option<&Bound<'py, PyAny>>,
        motion: Option<&Bound<'py, PyAny>>,
        layers: Option<&Bound<'py, PyAny>>,
        mask: Option<&Bound<'py, PyAny>>,
        detector: Option<&Bound<'py, PyAny>>,
        group: Option<&Bound<'py, PyAny>>,
        enabled: Option<&Bound<'py, PyAny>>,
        tag: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        fork::check()?;
        let bodies = Columns { shape, at, linear, motion, layers, mask, detector, group, enabled, tag }.bodies()?;
        let ids = self.write(py, |world| world.add_all(&bodies)).or_raise(py)?;
        array(py, &ids.into_iter().map(Handle::from).collect::<Vec<_>>())
    }

    fn remove_all(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        fork::check()?;
        let ids = BodyId::read_all(ids, "ids")?;
        self.write(py, |world| world.remove_all(&ids)).or_raise(py)
    }

    #[pyo3(signature = (at, ids=None))]
    fn set_positions(&self, py: Python<'_>, at: &Bound<'_, PyAny>, ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let (ids, at) = (chosen(ids)?, Points::read(at, "at")?);
        self.write(py, |world| match &at {
            Points::Narrow(at) => world.set_positions(bodies(ids.as_deref()), at),
            Points::Wide(at) => world.set_positions(bodies(ids.as_deref()), at),
        })
        .or_raise(py)
    }

    #[pyo3(signature = (at, motion, ids=None))]
    fn set_moving(
        &self,
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        motion: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (ids, at, motion) = (chosen(ids)?, Points::read(at, "at")?, Points::read(motion, "motion")?);
        let to = bodies(ids.as_deref());
        self.write(py, |world| match (&at, &motion) {
            (Points::Narrow(at), Points::Narrow(motion)) => world.set_moving(to, at, motion),
            (Points::Narrow(at), Points::Wide(motion)) => world.set_moving(to, at, motion),
            (Points::Wide(at), Points::Narrow(motion)) => world.set_moving(to, at, motion),
            (Points::Wide(at), Points::Wide(motion)) => world.set_moving(to, at, motion),
        })
        .or_raise(py)
    }

    #[pyo3(signature = (at, linear, motion, ids=None))]
    fn set_poses(
        &self,
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        linear: &Bound<'_, PyAny>,
        motion: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (ids, at) = (chosen(ids)?, vectors(at, "at")?);
        let rows = ids.as_ref().map_or_else(|| self.rows(py), Vec::len);
        let (linear, motion) = (matrices(linear, "linear")?, vectors(motion, "motion")?);
        let (at, linear, motion) = (at.spread(rows), linear.spread(rows), motion.spread(rows));
        self.write(py, |world| world.set_poses(bodies(ids.as_deref()), &at, &linear, &motion)).or_raise(py)
    }

    #[pyo3(signature = (linear, ids=None))]
    fn set_linears(&self, py: Python<'_>, linear: &Bound<'_, PyAny>, ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let (ids, linear) = (chosen(ids)?, matrices(linear, "linear")?);
        let linear = linear.spread(ids.as_ref().map_or_else(|| self.rows(py), Vec::len));
        self.write(py, |world| world.set_linears(bodies(ids.as_deref()), &linear)).or_raise(py)
    }

    #[pyo3(signature = (shapes, ids=None))]
    fn set_shapes(&self, py: Python<'_>, shapes: &Bound<'_, PyAny>, ids: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let (ids, shapes) = (chosen(ids)?, ShapeId::read_column(shapes, "shapes")?);
        let shapes = shapes.spread(ids.as_ref().map_or_else(|| self.rows(py), Vec::len));
        self.write(py, |world| world.set_shapes(bodies(ids.as_deref()), &shapes)).or_raise(py)
    }

    fn advance(&self, py: Python<'_>) -> PyResult<()> {
        fork::check()?;
        self.write(py, hitmask::World::advance).or_raise(py)
    }

    #[pyo3(signature = (ids=None))]
    fn positions<'py>(&self, py: Python<'py>, ids: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let ids = chosen(ids)?;
        let read = |world: &hitmask::World| {
            let mut at = Vec::new();
            world.positions(bodies(ids.as_deref()), &mut at)?;
            Ok(at.into_iter().map(<[f64; 2]>::from).collect::<Vec<_>>())
        };
        table(py, &self.read(py, read).or_raise(py)?)
    }

    fn ids<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.read(py, |world| world.ids().map(Handle::from).collect::<Vec<_>>()))
    }
}

impl World {
    /// Returns the number of rows of an edit of all bodies.
    fn rows(&self, py: Python<'_>) -> usize {
        self.glance(py, hitmask::World::indices)
    }
}
