//! Handles of bodies and of shapes: single ones as objects, many as structured arrays.

use hitmask_python_documented::documented;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::array::{Column, array_of};
use crate::error::refusal;
use crate::structured::Handle;

macro_rules! id_class {
    ($name:ident, $library:ty) => {
        #[documented]
        #[pyclass(frozen, from_py_object, module = "hitmask")]
        #[derive(Clone, Copy)]
        pub(crate) struct $name(pub(crate) $library);

        #[documented]
        #[pymethods]
        impl $name {
            #[getter]
            fn index(&self) -> u32 {
                self.0.index()
            }

            fn to_bits(&self) -> u128 {
                self.0.to_bits()
            }

            #[staticmethod]
            fn from_bits(py: Python<'_>, bits: u128) -> PyResult<Self> {
                let id = <$library>::from_bits(bits);
                id.map(Self).ok_or_else(|| refusal(py, "bits", bits, "be below 2^96"))
            }

            fn __richcmp__(&self, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
                let py = other.py();
                let Ok(other) = other.extract::<Self>() else { return Ok(py.NotImplemented()) };
                Ok(op.matches(self.0.cmp(&other.0)).into_pyobject(py)?.to_owned().into_any().unbind())
            }

            fn __hash__(&self) -> u64 {
                let bits = self.0.to_bits();
                (bits as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (bits >> 64) as u64
            }

            fn __repr__(&self) -> String {
                format!(concat!(stringify!($name), "({})"), self.0.index())
            }

            fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (u128,))> {
                Ok((slf.get_type().getattr("from_bits")?, (slf.get().0.to_bits(),)))
            }
        }

        impl $name {
            /// Reads a handle: an object, or an element of a structured array.
            pub(crate) fn read(object: &Bound<'_, PyAny>, name: &str) -> PyResult<$library> {
                match Self::read_column(object, name)? {
                    Column::One(id) => Ok(id),
                    Column::Each(_) => Err(PyTypeError::new_err(format!("`{name}` must be one handle"))),
                }
            }

            /// Reads many handles, or one for all rows.
            pub(crate) fn read_column(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Column<$library>> {
                if let Ok(id) = object.extract::<Self>() {
                    return Ok(Column::One(id.0));
                }
                let make = |bits| <$library>::from_bits(bits).ok_or_else(|| unreadable(object, name));
                if object.hasattr("dtype")? {
                    let (handles, single) = structured(object, name)?;
                    let ids: Vec<$library> = handles.iter().map(|id| make(id.bits())).collect::<PyResult<_>>()?;
                    return Ok(if single { Column::One(ids[0]) } else { Column::Each(ids) });
                }
                let Ok(items) = object.try_iter() else { return Err(unreadable(object, name)) };
                let mut ids = Vec::new();
                for item in items {
                    let item = item?;
                    let Ok(id) = item.extract::<Self>() else {
                        if item.hasattr("dtype")? {
                            let (handles, true) = structured(&item, name)? else { return Err(unreadable(&item, name)) };
                            ids.push(make(handles[0].bits())?);
                            continue;
                        }
                        return Err(unreadable(&item, name));
                    };
                    ids.push(id.0);
                }
                Ok(Column::Each(ids))
            }
        }
    };
}

id_class!(BodyId, hitmask::BodyId);
id_class!(ShapeId, hitmask::ShapeId);

impl BodyId {
    /// Reads a list of handles.
    pub(crate) fn read_all(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<hitmask::BodyId>> {
        match Self::read_column(object, name)? {
            Column::One(id) => Ok(vec![id]),
            Column::Each(ids) => Ok(ids),
        }
    }
}

/// Makes the `TypeError` of an object that is no handle.
fn unreadable(object: &Bound<'_, PyAny>, name: &str) -> PyErr {
    let kind = object.get_type().name().map(|kind| kind.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!("`{name}` holds a {kind}; it must hold handles, as adding to a world returns them"))
}

/// Reads the handles of a structured array, and whether it is a single element.
fn structured(object: &Bound<'_, PyAny>, name: &str) -> PyResult<(Vec<Handle>, bool)> {
    let py = object.py();
    let (array, _) = array_of(object)?;
    let right = py.import("hitmask._dtypes")?.getattr("BODY_ID")?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    // The array of an empty list, which numpy makes one of floats.
    if shape == [0] {
        return Ok((Vec::new(), false));
    }
    if !array.getattr("dtype")?.eq(right)? {
        return Err(PyTypeError::new_err(format!(
            "`{name}` holds {}; it must hold handles, as adding to a world returns them",
            array.getattr("dtype")?.str()?
        )));
    }
    if shape.len() > 1 {
        return Err(refusal(py, name, format!("of shape {}", crate::array::display(&shape)), "be of shape (n,)"));
    }
    let text = array.call_method0("tobytes")?;
    let bytes: &[u8] = text.extract()?;
    Ok((bytemuck::pod_collect_to_vec(bytes), shape.is_empty()))
}
