//! What `hitmask` is tested and measured with: standard workloads, random scenes, and the comparison of engines.

#[cfg(feature = "scene")]
pub mod verify;
pub mod workloads;

use hitmask::Error;

/// The error of an argument, its value, and what it must do.
pub(crate) fn refused(argument: &str, value: impl std::fmt::Display, must: impl Into<String>) -> Error {
    Error::Value { field: argument.into(), value: value.to_string(), limit: must.into() }
}
