//! Errors, as JavaScript gets them.

use wasm_bindgen::{JsError, JsValue};

/// The result of a method: an error of the library, or what code of the page has thrown.
pub(crate) type Fallible<T> = Result<T, JsValue>;

/// Makes an error of the library one of JavaScript, in the same words.
#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn fail(error: hitmask::Error) -> JsValue {
    JsError::new(&error.to_string()).into()
}

/// Makes an error of an argument that is not what its type says.
pub(crate) fn wrong(field: &str, value: impl std::fmt::Display, limit: &str) -> JsValue {
    let (field, value, limit) = (field.into(), value.to_string(), limit.into());
    fail(hitmask::Error::Value { field, value, limit })
}
