//! Answers to many queries.

use hitmask::query;
use hitmask_python_documented::documented;
use numpy::PyArray1;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::structured::{BodyHit, Detail, Handle, NearestHit, RayHit, Row};

/// An answer of the library that becomes a row of a structured array.
pub(crate) trait Found {
    /// The row.
    type Row: Row + Default + Send;

    /// Makes the row.
    fn row(&self) -> Self::Row;
}

impl Found for hitmask::BodyId {
    type Row = Handle;

    fn row(&self) -> Handle {
        (*self).into()
    }
}

impl Found for query::RayHit {
    type Row = RayHit;

    fn row(&self) -> RayHit {
        RayHit { body: self.body.into(), tick: self.tick }
    }
}

impl Found for query::NearestHit {
    type Row = NearestHit;

    fn row(&self) -> NearestHit {
        NearestHit { body: self.body.into(), unused: 0, distance: self.distance }
    }
}

impl Found for query::BodyHit {
    type Row = BodyHit;

    fn row(&self) -> BodyHit {
        BodyHit { body: self.body.into(), unused: 0, detail: Detail::from(&self.detail) }
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask", sequence)]
pub(crate) struct Answers {
    values: Py<PyAny>,
    offsets: Vec<i64>,
}

impl Answers {
    pub(crate) fn new_of(values: Py<PyAny>, offsets: Vec<i64>) -> Self {
        Self { values, offsets }
    }
}

#[documented]
#[pymethods]
impl Answers {
    #[getter]
    fn values<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.values.bind(py).clone()
    }

    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_slice(py, &self.offsets)
    }

    fn __len__(&self) -> usize {
        self.offsets.len() - 1
    }

    fn __getitem__<'py>(&self, py: Python<'py>, query: isize) -> PyResult<Bound<'py, PyAny>> {
        let len = self.__len__() as isize;
        let query = if query < 0 { query + len } else { query };
        if !(0..len).contains(&query) {
            return Err(PyIndexError::new_err(format!("there are {len} queries")));
        }
        let range = &self.offsets[query as usize..][..2];
        let slice = pyo3::types::PySlice::new(py, range[0] as isize, range[1] as isize, 1);
        self.values.bind(py).get_item(slice)
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.Answers to {} queries>", self.__len__())
    }
}
