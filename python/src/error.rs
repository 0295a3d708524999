//! The exception `hitmask.Error`.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::ids::BodyId;

create_exception!(
    hitmask,
    Error,
    PyValueError,
    "A value that the library refuses; the message names the thing, the field, the value and the limit.\n\n`kind` is \
     the name of the variant in the Rust library, such as \"Gone\"; for most errors it is \"Value\". `body` is the \
     `BodyId` that the error is about, or None. A call that raises has changed nothing."
);

/// Returns the class. Its own `kind` is "Value" and its `body` None, for errors that set neither.
pub(crate) fn class(py: Python<'_>) -> PyResult<Bound<'_, PyType>> {
    let class = py.get_type::<Error>();
    class.setattr("kind", "Value")?;
    class.setattr("body", py.None())?;
    Ok(class)
}

/// Makes the exception of an error of the library.
pub(crate) fn exception(py: Python<'_>, error: hitmask::Error) -> PyErr {
    let raised = Error::new_err(error.to_string());
    let value = raised.value(py);
    // Fails only without memory; the message alone is then enough.
    let _ = value.setattr("kind", kind(&error)).and_then(|()| value.setattr("body", error.body().map(BodyId)));
    raised
}

/// Makes the exception of a value that this package refuses before the library sees it.
pub(crate) fn refusal(py: Python<'_>, field: &str, value: impl ToString, limit: &str) -> PyErr {
    exception(py, hitmask::Error::Value { field: field.to_owned(), value: value.to_string(), limit: limit.to_owned() })
}

/// A result of the library that becomes one of Python.
pub(crate) trait OrRaise<T> {
    /// Returns the value, or raises the error as `hitmask.Error`.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for hitmask::Result<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, error))
    }
}

/// Returns the name of the variant; that of the cause if the error only adds a subject.
fn kind(error: &hitmask::Error) -> &'static str {
    match error {
        hitmask::Error::In { source, .. } => kind(source),
        hitmask::Error::Value { .. } => "Value",
        hitmask::Error::NoArea { .. } => "NoArea",
        hitmask::Error::Crossing { .. } => "Crossing",
        hitmask::Error::Polygon { .. } => "Polygon",
        hitmask::Error::Mask { .. } => "Mask",
        hitmask::Error::File { .. } => "File",
        hitmask::Error::Unknown { .. } => "Unknown",
        hitmask::Error::Gone { .. } => "Gone",
        hitmask::Error::Used { .. } => "Used",
        hitmask::Error::Gpu { .. } => "Gpu",
        hitmask::Error::GpuLost { .. } => "GpuLost",
        hitmask::Error::GpuMemory { .. } => "GpuMemory",
        hitmask::Error::GpuWrong { .. } => "GpuWrong",
        hitmask::Error::Saved { .. } => "Saved",
        hitmask::Error::Capacity { .. } => "Capacity",
        _ => "Other",
    }
}
