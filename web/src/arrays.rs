//! Arrays of numbers that JavaScript passes. A parameter that is a slice would not do: bindings take what is no array
//! for an empty one.

use js_sys::{
    Array, ArrayBuffer, BigInt64Array, BigUint64Array, DataView, Float32Array, Float64Array, Uint8Array,
    Uint8ClampedArray, Uint32Array,
};
use wasm_bindgen::{JsCast as _, JsValue};

use crate::fail::{Fallible, wrong};
use crate::object::{integer, kind};

/// Returns the numbers of an array, typed or not.
pub(crate) fn doubles(name: &str, value: &JsValue) -> Fallible<Vec<f64>> {
    if let Some(array) = value.dyn_ref::<Array>() {
        let number = |(index, value): (usize, JsValue)| {
            value.as_f64().ok_or_else(|| wrong(&format!("{name}[{index}]"), kind(&value), "be a number"))
        };
        return array.iter().enumerate().map(number).collect();
    }
    let is_of_numbers = ArrayBuffer::is_view(value)
        && !value.is_instance_of::<DataView>()
        && !value.is_instance_of::<BigInt64Array>()
        && !value.is_instance_of::<BigUint64Array>();
    if is_of_numbers {
        return Ok(Float64Array::new(value).to_vec());
    }
    Err(wrong(name, kind(value), "be an array of numbers"))
}

/// Returns the numbers of an array, rounded to `f32`.
pub(crate) fn floats(name: &str, value: &JsValue) -> Fallible<Vec<f32>> {
    if let Some(array) = value.dyn_ref::<Float32Array>() {
        return Ok(array.to_vec());
    }
    Ok(doubles(name, value)?.into_iter().map(|number| number as f32).collect())
}

/// Returns the bytes of an array.
pub(crate) fn bytes(name: &str, value: &JsValue) -> Fallible<Vec<u8>> {
    if let Some(array) = value.dyn_ref::<Uint8Array>() {
        return Ok(array.to_vec());
    }
    if let Some(array) = value.dyn_ref::<Uint8ClampedArray>() {
        return Ok(array.to_vec());
    }
    doubles(name, value)?.into_iter().map(|number| integer(name, number, 0..=u8::MAX)).collect()
}

/// Returns the indices of bodies in an array.
pub(crate) fn indices_in(value: &JsValue) -> Fallible<Vec<u32>> {
    if let Some(array) = value.dyn_ref::<Uint32Array>() {
        return Ok(array.to_vec());
    }
    doubles("indices", value)?.into_iter().map(|number| integer("indices", number, 0..=u32::MAX)).collect()
}
