//! Tools to test and measure `hitmask`: standard workloads, random scenes, and the comparison of engines.

#[cfg(feature = "scene")]
pub mod verify;
pub mod workloads;

use hitmask::Error;

/// Returns the error for an argument: its name, its value, and the rule that it breaks.
pub(crate) fn refused(argument: &str, value: impl std::fmt::Display, must: impl Into<String>) -> Error {
    Error::Value { field: argument.into(), value: value.to_string(), limit: must.into() }
}
