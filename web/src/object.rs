//! Numbers and plain objects: checking those that JavaScript passes, and making those that it gets.

use std::fmt::Display;
use std::ops::RangeInclusive;

use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast as _, JsValue};

use crate::fail::{Fallible, wrong};

/// The largest whole number up to which JavaScript's numbers are exact.
pub(crate) const SAFE: i64 = (1 << 53) - 1;

/// Returns a number, which must be a whole one in a range.
pub(crate) fn integer<T>(name: &str, value: f64, range: RangeInclusive<T>) -> Fallible<T>
where
    T: Display + PartialOrd + TryFrom<i64>,
{
    let whole = if value.fract() == 0.0 { T::try_from(value as i64).ok() } else { None };
    let limit = || format!("be a whole number from {} to {}", range.start(), range.end());
    whole.filter(|whole| range.contains(whole)).ok_or_else(|| wrong(name, value, &limit()))
}

/// Makes an object with these fields.
pub(crate) fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let made = Object::new();
    for (name, value) in fields {
        // Setting a field of a new object does not fail.
        let _ = Reflect::set(&made, &name.into(), &value);
    }
    made.into()
}

/// Makes an array of numbers.
pub(crate) fn numbers<T: Into<f64>>(values: impl IntoIterator<Item = T>) -> JsValue {
    values.into_iter().map(|value| JsValue::from(value.into())).collect::<Array>().into()
}

/// Returns a field of an object; `None` if it is `undefined`, or the object is.
pub(crate) fn field(of: &JsValue, name: &str) -> Fallible<Option<JsValue>> {
    if of.is_undefined() {
        return Ok(None);
    }
    if !of.is_object() {
        return Err(wrong("options", kind(of), "be an object"));
    }
    let value = Reflect::get(of, &name.into())?;
    Ok((!value.is_undefined()).then_some(value))
}

/// Returns a field that is a number.
pub(crate) fn number(of: &JsValue, name: &str) -> Fallible<Option<f64>> {
    let Some(value) = field(of, name)? else { return Ok(None) };
    value.as_f64().map(Some).ok_or_else(|| wrong(name, kind(&value), "be a number"))
}

/// Returns a field that is a whole number from 0 to 4,294,967,295.
pub(crate) fn whole(of: &JsValue, name: &str) -> Fallible<Option<u32>> {
    number(of, name)?.map(|value| integer(name, value, 0..=u32::MAX)).transpose()
}

/// Returns a field that is true or false.
pub(crate) fn flag(of: &JsValue, name: &str) -> Fallible<Option<bool>> {
    let Some(value) = field(of, name)? else { return Ok(None) };
    value.as_bool().map(Some).ok_or_else(|| wrong(name, kind(&value), "be true or false"))
}

/// Returns a field that is an array of `N` numbers.
pub(crate) fn tuple<const N: usize>(of: &JsValue, name: &str) -> Fallible<Option<[f64; N]>> {
    let Some(value) = field(of, name)? else { return Ok(None) };
    let wrong = || wrong(name, kind(&value), &format!("be an array of {N} numbers"));
    let array = value.dyn_ref::<Array>().filter(|array| array.length() as usize == N).ok_or_else(wrong)?;
    let mut numbers = [0.0; N];
    for (number, value) in numbers.iter_mut().zip(array.iter()) {
        *number = value.as_f64().ok_or_else(wrong)?;
    }
    Ok(Some(numbers))
}

/// Returns the texts of an array. A parameter that is a vector of texts would not do: bindings throw at a wrong element
/// past the module's frames, whose stack is then lost to it.
pub(crate) fn texts(name: &str, value: &JsValue) -> Fallible<Vec<String>> {
    let array = value.dyn_ref::<Array>().ok_or_else(|| wrong(name, kind(value), "be an array of strings"))?;
    let text = |(index, value): (usize, JsValue)| {
        value.as_string().ok_or_else(|| wrong(&format!("{name}[{index}]"), kind(&value), "be a string"))
    };
    array.iter().enumerate().map(text).collect()
}

/// Returns a few words for a value of the wrong type.
pub(crate) fn kind(value: &JsValue) -> String {
    match value.as_f64() {
        Some(number) => number.to_string(),
        None if value.is_null() => "null".into(),
        None => value.js_typeof().as_string().unwrap_or_default(),
    }
}
