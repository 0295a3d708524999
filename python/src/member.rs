//! Members of enumerations, which `pickle` and `copy` find by their names.

use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::PyType;

/// A call of `getattr` with a class and a name.
pub(crate) type Member<'py> = (Bound<'py, PyAny>, (Bound<'py, PyType>, &'static str));

/// Returns the call that returns the member with a name, as `__reduce__` must.
pub(crate) fn member<'py, T: PyTypeInfo>(py: Python<'py>, name: &'static str) -> PyResult<Member<'py>> {
    let getattr = py.import("builtins")?.getattr("getattr")?;
    Ok((getattr, (py.get_type::<T>(), name)))
}
