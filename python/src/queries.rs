//! Queries, many in one call.

use std::sync::{Mutex, PoisonError};

use hitmask::query;
use hitmask_python_documented::documented;
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::answers::{Answers, Found};
use crate::array::{Column, integers, numbers, vectors, words};
use crate::body::{Body, Columns};
use crate::error::{OrRaise, refusal};
use crate::fork;
use crate::ids::BodyId;
use crate::slide::{Slide, Solid, Sweep};
use crate::structured::array;
use crate::world::World;

/// Returns the number of rows of some columns, 1 if all have a single value. Raises if they differ.
fn rows(py: Python<'_>, lens: &[(&str, Option<usize>)]) -> PyResult<usize> {
    let rows = lens.iter().find_map(|(_, len)| *len).unwrap_or(1);
    for (name, len) in lens {
        if let Some(len) = len.filter(|len| *len != rows) {
            return Err(refusal(py, name, format!("of length {len}"), &format!("have one value, or {rows}")));
        }
    }
    Ok(rows)
}

/// Reads the layers to search; by default all.
fn layers(mask: Option<&Bound<'_, PyAny>>) -> PyResult<Column<u32>> {
    mask.map_or(Ok(Column::One(u32::MAX)), |mask| words(mask, "mask"))
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct PointQuery(Vec<query::PointQuery>);

#[documented]
#[pymethods]
impl PointQuery {
    #[new]
    #[pyo3(signature = (at, *, mask=None))]
    fn new(py: Python<'_>, at: &Bound<'_, PyAny>, mask: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let (at, mask) = (vectors(at, "at")?, layers(mask)?);
        let rows = rows(py, &[("at", at.len()), ("mask", mask.len())])?;
        Ok(Self((0..rows).map(|row| query::PointQuery::new(at.at(row)).hitting(mask.at(row))).collect()))
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct RegionQuery(Vec<query::RegionQuery>);

#[documented]
#[pymethods]
impl RegionQuery {
    #[new]
    #[pyo3(signature = (min, max, *, mask=None))]
    fn new(
        py: Python<'_>,
        min: &Bound<'_, PyAny>,
        max: &Bound<'_, PyAny>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (min, max, mask) = (vectors(min, "min")?, vectors(max, "max")?, layers(mask)?);
        let rows = rows(py, &[("min", min.len()), ("max", max.len()), ("mask", mask.len())])?;
        let made = |row| query::RegionQuery::new(min.at(row), max.at(row)).hitting(mask.at(row));
        Ok(Self((0..rows).map(made).collect()))
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct RayCast(Vec<query::RayCast>);

#[documented]
#[pymethods]
impl RayCast {
    #[new]
    #[pyo3(signature = (start, end, *, radius=None, mask=None))]
    fn new(
        py: Python<'_>,
        start: &Bound<'_, PyAny>,
        end: &Bound<'_, PyAny>,
        radius: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (start, end, mask) = (vectors(start, "start")?, vectors(end, "end")?, layers(mask)?);
        let radius = radius.map_or(Ok(Column::One(0.0)), |radius| numbers(radius, "radius"))?;
        let lens = [("start", start.len()), ("end", end.len()), ("radius", radius.len()), ("mask", mask.len())];
        let rows = rows(py, &lens)?;
        let made = |row| query::RayCast::new(start.at(row), end.at(row)).radius(radius.at(row)).hitting(mask.at(row));
        Ok(Self((0..rows).map(made).collect()))
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Nearest(Vec<query::Nearest>);

#[documented]
#[pymethods]
impl Nearest {
    #[new]
    #[pyo3(signature = (at, *, count=None, within=None, mask=None))]
    fn new(
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        count: Option<&Bound<'_, PyAny>>,
        within: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (at, mask) = (vectors(at, "at")?, layers(mask)?);
        let count = count.map(|count| integers(count, "count", u64::from(u32::MAX))).transpose()?;
        let within = within.map(|within| numbers(within, "within")).transpose()?;
        let rows = rows(
            py,
            &[
                ("at", at.len()),
                ("count", count.as_ref().and_then(Column::len)),
                ("within", within.as_ref().and_then(Column::len)),
                ("mask", mask.len()),
            ],
        )?;
        let made = |row| {
            let mut nearest = query::Nearest::new(at.at(row)).hitting(mask.at(row));
            if let Some(count) = &count {
                nearest = nearest.count(count.at(row) as usize);
            }
            if let Some(within) = &within {
                nearest = nearest.within(within.at(row));
            }
            nearest
        };
        Ok(Self((0..rows).map(made).collect()))
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct BodyQuery(Vec<hitmask::Body>);

#[documented]
#[pymethods]
impl BodyQuery {
    #[new]
    #[pyo3(signature = (shape, at, *, linear=None, motion=None, layers=None, mask=None, detector=None, group=None))]
    fn new(
        shape: &Bound<'_, PyAny>,
        at: &Bound<'_, PyAny>,
        linear: Option<&Bound<'_, PyAny>>,
        motion: Option<&Bound<'_, PyAny>>,
        layers: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
        detector: Option<&Bound<'_, PyAny>>,
        group: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let columns = Columns { shape, at, linear, motion, layers, mask, detector, group, enabled: None, tag: None };
        columns.bodies().map(Self)
    }
}

/// Implements `__len__`, the number of queries.
macro_rules! count {
    ($($class:ty),*) => {
        $(#[pymethods]
        impl $class {
            fn __len__(&self) -> usize {
                self.0.len()
            }
        })*
    };
}

count!(PointQuery, RegionQuery, RayCast, Nearest, BodyQuery);

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Queries(Mutex<query::Queries>);

#[documented]
#[pymethods]
impl Queries {
    #[new]
    fn new() -> Self {
        fork::note_threads();
        Self(Mutex::new(query::Queries::new()))
    }

    #[staticmethod]
    fn reference() -> Self {
        fork::note_threads();
        Self(Mutex::new(query::Queries::reference()))
    }

    #[getter]
    fn bytes(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).bytes())
    }

    fn on(slf: &Bound<'_, Self>, world: &Bound<'_, World>) -> Search {
        Search { queries: slf.clone().unbind(), world: world.clone().unbind(), except: Vec::new() }
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Search {
    queries: Py<Queries>,
    world: Py<World>,
    except: Vec<hitmask::BodyId>,
}

impl Search {
    /// Asks about the world as it is now, without the interpreter.
    pub(crate) fn ask<R: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(query::Search<'_>) -> hitmask::Result<R> + Send,
    ) -> PyResult<R> {
        fork::check()?;
        let (queries, world) = (self.queries.get(), self.world.get());
        let answer = py.detach(|| {
            let mut queries = queries.0.lock().unwrap_or_else(PoisonError::into_inner);
            world.read_detached(|world| queries.on(world).except(&self.except).and_then(work))
        });
        answer.or_raise(py)
    }

    fn all_of_queries<Q: query::Query>(&self, py: Python<'_>, queries: &[Q]) -> PyResult<Answers>
    where
        Q::Answer: Found,
    {
        let rows = self.ask(py, |search| {
            let mut answers = query::Answers::new();
            search.all_of(queries, &mut answers)?;
            let mut rows = Vec::new();
            let mut offsets = vec![0];
            for found in answers.iter() {
                rows.extend(found.iter().map(Found::row));
                offsets.push(rows.len() as i64);
            }
            Ok((rows, offsets))
        })?;
        Ok(Answers::new_of(array(py, &rows.0)?.unbind(), rows.1))
    }

    fn first_of_queries<'py, Q: query::Query>(
        &self,
        py: Python<'py>,
        queries: &[Q],
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)>
    where
        Q::Answer: Found,
    {
        let (found, rows) = self.ask(py, |search| {
            let mut answers = Vec::new();
            search.first_of(queries, &mut answers)?;
            let found: Vec<bool> = answers.iter().map(Option::is_some).collect();
            let rows: Vec<_> = answers.iter().map(|first| first.as_ref().map(Found::row).unwrap_or_default()).collect();
            Ok((found, rows))
        })?;
        Ok((PyArray1::from_vec(py, found).into_any(), array(py, &rows)?))
    }

    fn any_of_queries<'py, Q: query::Query>(&self, py: Python<'py>, queries: &[Q]) -> PyResult<Bound<'py, PyAny>> {
        let any = self.ask(py, |search| {
            let mut answers = Vec::new();
            search.any_of(queries, &mut answers)?;
            Ok(answers)
        })?;
        Ok(PyArray1::from_vec(py, any).into_any())
    }
}

/// Queries of any kind.
#[derive(FromPyObject)]
enum Asked<'py> {
    Points(Bound<'py, PointQuery>),
    Regions(Bound<'py, RegionQuery>),
    Rays(Bound<'py, RayCast>),
    Nearest(Bound<'py, Nearest>),
    Bodies(Bound<'py, BodyQuery>),
    Body(Body),
}

/// Reads queries of any kind.
fn asked<'py>(queries: &Bound<'py, PyAny>) -> PyResult<Asked<'py>> {
    queries.extract().map_err(|_| {
        let name = queries.get_type().qualname().map(|name| name.to_string()).unwrap_or_default();
        PyTypeError::new_err(format!("`queries` is of the type {name}; it must be queries, or a `Body`"))
    })
}

/// Passes the queries to some work, as a slice of their kind.
macro_rules! with_queries {
    ($asked:expr, |$queries:ident| $work:expr) => {
        match $asked {
            Asked::Points(asked) => with_queries!(&asked.get().0, $queries, $work),
            Asked::Regions(asked) => with_queries!(&asked.get().0, $queries, $work),
            Asked::Rays(asked) => with_queries!(&asked.get().0, $queries, $work),
            Asked::Nearest(asked) => with_queries!(&asked.get().0, $queries, $work),
            Asked::Bodies(asked) => with_queries!(&asked.get().0, $queries, $work),
            Asked::Body(body) => with_queries!(&[body.0], $queries, $work),
        }
    };
    ($slice:expr, $queries:ident, $work:expr) => {{
        let $queries = $slice;
        $work
    }};
}

#[documented]
#[pymethods]
impl Search {
    fn except_(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<Self> {
        let except = BodyId::read_all(ids, "ids")?;
        Ok(Self { queries: self.queries.clone_ref(py), world: self.world.clone_ref(py), except })
    }

    fn all_of(&self, py: Python<'_>, #[pyo3(from_py_with = asked)] queries: Asked<'_>) -> PyResult<Answers> {
        with_queries!(queries, |queries| self.all_of_queries(py, queries))
    }

    fn first_of<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = asked)] queries: Asked<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        with_queries!(queries, |queries| self.first_of_queries(py, queries))
    }

    fn any_of<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = asked)] queries: Asked<'py>,
    ) -> PyResult<Bound<'py, PyAny>> {
        with_queries!(queries, |queries| self.any_of_queries(py, queries))
    }

    fn is_free(&self, py: Python<'_>, body: Body) -> PyResult<bool> {
        self.ask(py, |search| search.is_free(&body.0))
    }

    #[pyo3(signature = (body, *, ignore=None, one_way=None, up=(0.0, -1.0)))]
    fn sweep(
        &self,
        py: Python<'_>,
        body: Body,
        ignore: Option<&Bound<'_, PyAny>>,
        one_way: Option<&Bound<'_, PyAny>>,
        up: (f64, f64),
    ) -> PyResult<Sweep> {
        let solid = Solid::read(py, ignore, one_way, up)?;
        self.ask(py, |search| search.sweep(&body.0, |impact| solid.counts(impact))).map(Sweep)
    }

    #[pyo3(signature = (body, *, ignore=None, one_way=None, up=(0.0, -1.0)))]
    fn slide(
        &self,
        py: Python<'_>,
        body: Body,
        ignore: Option<&Bound<'_, PyAny>>,
        one_way: Option<&Bound<'_, PyAny>>,
        up: (f64, f64),
    ) -> PyResult<Slide> {
        let solid = Solid::read(py, ignore, one_way, up)?;
        self.ask(py, |search| search.slide(&body.0, |impact| solid.counts(impact))).map(Slide)
    }
}
