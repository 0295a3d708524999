//! The answer of a step.

use hitmask_python_documented::documented;
use numpy::PyArray1;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::member::{Member, member};
use crate::structured::{Detail, array, read_only, table};

#[documented]
#[pyclass(frozen, eq, from_py_object, module = "hitmask")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Ask {
    #[pyo3(name = "FLAGS")]
    Flags,
    #[pyo3(name = "PAIRS")]
    Pairs,
    #[pyo3(name = "DETAILS")]
    Details,
}

#[documented]
#[pymethods]
impl Ask {
    fn __hash__(&self) -> u64 {
        *self as u64
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Member<'py>> {
        let name = match self {
            Self::Flags => "FLAGS",
            Self::Pairs => "PAIRS",
            Self::Details => "DETAILS",
        };
        member::<Self>(py, name)
    }
}

impl From<Ask> for hitmask::Ask {
    fn from(ask: Ask) -> Self {
        match ask {
            Ask::Flags => Self::Flags,
            Ask::Pairs => Self::Pairs,
            Ask::Details => Self::Details,
        }
    }
}

// Each array is made when it is first read.
#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Hits {
    pub(crate) answer: hitmask::Hits,
    /// The number of body indices of the world.
    indices: usize,
    flags: PyOnceLock<Py<PyAny>>,
    pairs: PyOnceLock<Py<PyAny>>,
    details: PyOnceLock<Py<PyAny>>,
}

impl Hits {
    pub(crate) fn new_of(hits: hitmask::Hits, indices: usize) -> Self {
        Self { answer: hits, indices, flags: PyOnceLock::new(), pairs: PyOnceLock::new(), details: PyOnceLock::new() }
    }

    /// Returns a pair and its details; `None` if there is no such row.
    pub(crate) fn row(&self, row: usize) -> Option<([u32; 2], hitmask::Detail)> {
        Some((*self.answer.pairs.get(row)?, *self.answer.details.get(row)?))
    }
}

#[documented]
#[pymethods]
impl Hits {
    #[getter]
    fn flags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = || {
            let flags: Vec<bool> = py.detach(|| (0..self.indices).map(|body| self.answer.flag(body)).collect());
            read_only(PyArray1::from_vec(py, flags).into_any()).map(Bound::unbind)
        };
        Ok(self.flags.get_or_try_init(py, make)?.bind(py).clone())
    }

    #[getter]
    fn pairs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = || read_only(table(py, &self.answer.pairs)?).map(Bound::unbind);
        Ok(self.pairs.get_or_try_init(py, make)?.bind(py).clone())
    }

    #[getter]
    fn details<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let make = || {
            let rows: Vec<Detail> = py.detach(|| self.answer.details.iter().map(Detail::from).collect());
            read_only(array(py, &rows)?).map(Bound::unbind)
        };
        Ok(self.details.get_or_try_init(py, make)?.bind(py).clone())
    }

    fn checksum(&self, py: Python<'_>) -> u64 {
        py.detach(|| self.answer.checksum())
    }

    fn __len__(&self) -> usize {
        self.answer.pairs.len()
    }

    fn __bool__(&self) -> bool {
        self.answer.flags.iter().any(|word| *word != 0)
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let py = other.py();
        let Ok(other) = other.cast::<Self>() else { return Ok(py.NotImplemented()) };
        let other = other.get();
        let equal = py.detach(|| self.answer == other.answer);
        match op {
            CompareOp::Eq => Ok(equal.into_pyobject(py)?.to_owned().into_any().unbind()),
            CompareOp::Ne => Ok((!equal).into_pyobject(py)?.to_owned().into_any().unbind()),
            _ => Ok(py.NotImplemented()),
        }
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.Hits of {} pairs>", self.answer.pairs.len())
    }
}
