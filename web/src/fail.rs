//! Errors, as JavaScript gets them.

use wasm_bindgen::JsError;

/// The result of a method.
pub(crate) type Fallible<T> = Result<T, JsError>;

/// Makes an error of the library one of JavaScript, in the same words.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn fail(error: hitmask::Error) -> JsError {
    JsError::new(&error.to_string())
}

/// Makes an error of an argument that is not what its type says.
pub(crate) fn wrong(field: &str, value: impl std::fmt::Display, limit: &str) -> JsError {
    let (field, value, limit) = (field.into(), value.to_string(), limit.into());
    fail(hitmask::Error::Value { field, value, limit })
}
