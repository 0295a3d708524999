//! Numbers from Python: arrays of any dtype and strides, and all else that numpy makes an array of.
//!
//! All of them are copied while the interpreter is held. So no other thread changes them while a call runs without it,
//! and no call keeps a reference to them.

use bytemuck::Pod;
use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyInt;

use crate::error::{Error, refusal};

/// Values of one argument: one for each row, or a single one for all.
pub(crate) enum Column<T> {
    One(T),
    Each(Vec<T>),
}

impl<T: Copy> Column<T> {
    /// Returns the number of rows; `None` if one value is for all.
    pub(crate) fn len(&self) -> Option<usize> {
        match self {
            Self::One(_) => None,
            Self::Each(values) => Some(values.len()),
        }
    }

    /// Returns all values.
    pub(crate) fn values(&self) -> &[T] {
        match self {
            Self::One(value) => std::slice::from_ref(value),
            Self::Each(values) => values,
        }
    }

    /// Raises unless there are values for `rows` rows.
    pub(crate) fn check(&self, py: Python<'_>, name: &str, rows: usize) -> PyResult<()> {
        match self.len() {
            Some(len) if len != rows => Err(refusal(
                py,
                name,
                format!("of length {len}"),
                &format!("have one value, or one for each of {rows}"),
            )),
            _ => Ok(()),
        }
    }

    /// Returns the value of a row.
    pub(crate) fn at(&self, row: usize) -> T {
        match self {
            Self::One(value) => *value,
            Self::Each(values) => values[row],
        }
    }

    /// Returns a value for each of `rows` rows.
    pub(crate) fn spread(self, rows: usize) -> Vec<T> {
        match self {
            Self::One(value) => vec![value; rows],
            Self::Each(values) => values,
        }
    }

    pub(crate) fn map<U>(self, f: impl Fn(T) -> U) -> Column<U> {
        match self {
            Self::One(value) => Column::One(f(value)),
            Self::Each(values) => Column::Each(values.into_iter().map(f).collect()),
        }
    }
}

/// Points in units, as wide as they were passed in.
pub(crate) enum Points {
    Narrow(Vec<[f32; 2]>),
    Wide(Vec<[f64; 2]>),
}

impl Points {
    /// Reads an array of shape (n, 2) of numbers.
    pub(crate) fn read(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Self> {
        if let Ok(array) = object.cast::<PyArrayDyn<f32>>() {
            return each(copied::<f32, [f32; 2]>(array, name, &[2], "(n, 2)")?, array.py(), name).map(Self::Narrow);
        }
        points(object, name).map(Self::Wide)
    }
}

/// Returns numpy's function `asarray`.
fn asarray(py: Python<'_>) -> PyResult<&Bound<'_, PyAny>> {
    static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let function = FUNCTION.get_or_try_init(py, || {
        let function = py.import("numpy")?.getattr("asarray")?;
        Ok::<_, PyErr>(function.unbind())
    })?;
    Ok(function.bind(py))
}

/// Makes an array of an object, and returns it with the letter of its kind of values: `b`, `i`, `u`, `f` and others.
pub(crate) fn array_of<'py>(object: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, char)> {
    let py = object.py();
    let array = asarray(py)?.call1((object,))?;
    let kind: char = array.getattr(intern!(py, "dtype"))?.getattr(intern!(py, "kind"))?.extract()?;
    Ok((array, kind))
}

/// Returns whether an array may be that of an empty list, which numpy makes one of floats.
fn is_empty_list(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(array.getattr(intern!(array.py(), "shape"))?.extract::<Vec<usize>>()? == [0])
}

/// Casts an array to `T` without checking its values.
fn cast<'py, T: Element>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let py = array.py();
    let array = match array.cast::<PyArrayDyn<T>>() {
        Ok(array) => array.clone(),
        Err(_) => array.call_method1(intern!(py, "astype"), (numpy::dtype::<T>(py),))?.cast_into()?,
    };
    Ok(array)
}

/// Makes an array of finite or other floats of an object. Raises `TypeError` if it holds no numbers.
fn floats<'py>(object: &Bound<'py, PyAny>, name: &str) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    if let Ok(array) = object.cast::<PyArrayDyn<f64>>() {
        return Ok(array.clone());
    }
    let (array, kind) = array_of(object)?;
    // The array of an empty list is of floats, so it passes.
    if matches!(kind, 'i' | 'u' | 'f') { cast(&array) } else { Err(wrong_type(&array, name, "numbers")) }
}

/// Makes the `TypeError` of an array with values of the wrong type.
fn wrong_type(array: &Bound<'_, PyAny>, name: &str, right: &str) -> PyErr {
    let dtype = array.getattr("dtype").and_then(|dtype| dtype.str()).map(|dtype| dtype.to_string());
    PyTypeError::new_err(format!("`{name}` holds {}; it must hold {right}", dtype.unwrap_or_default()))
}

/// Returns an array itself if its values follow each other in memory, row by row, else a copy that has them so.
fn even<'py, T: Element>(array: &Bound<'py, PyArrayDyn<T>>) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    if array.is_c_contiguous() && array.is_aligned() {
        return Ok(array.clone());
    }
    Ok(array.call_method1(intern!(array.py(), "copy"), ("C",))?.cast_into()?)
}

/// Copies an array whose last dimensions are `tail` as rows of type `R`.
fn copied<T: Element + Pod, R: Pod>(
    array: &Bound<'_, PyArrayDyn<T>>,
    name: &str,
    tail: &[usize],
    right: &str,
) -> PyResult<Column<R>> {
    let py = array.py();
    let shape = array.shape();
    let single = shape == tail;
    if !single && (shape.len() != tail.len() + 1 || shape[1..] != *tail) {
        return Err(refusal(py, name, format!("of shape {}", display(shape)), &format!("be of shape {right}")));
    }
    let even = even(array)?;
    let borrowed = even.try_readonly().map_err(|error| Error::new_err(error.to_string()))?;
    let values = borrowed.as_slice().map_err(|error| Error::new_err(error.to_string()))?;
    let rows: &[R] = bytemuck::cast_slice(values);
    Ok(if single { Column::One(rows[0]) } else { Column::Each(rows.to_vec()) })
}

/// Displays a shape as Python does.
pub(crate) fn display(shape: &[usize]) -> String {
    let sides: Vec<String> = shape.iter().map(ToString::to_string).collect();
    if sides.len() == 1 { format!("({},)", sides[0]) } else { format!("({})", sides.join(", ")) }
}

/// Returns the rows of an argument that needs one for each.
fn each<R>(column: Column<R>, py: Python<'_>, name: &str) -> PyResult<Vec<R>> {
    match column {
        Column::Each(rows) => Ok(rows),
        Column::One(_) => Err(refusal(py, name, "of shape (2,)", "be of shape (n, 2)")),
    }
}

/// Reads points or vectors: an array of shape (n, 2).
pub(crate) fn points(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Vec<[f64; 2]>> {
    let array = floats(object, name)?;
    // An empty list stands for no points.
    if array.shape() == [0] {
        return Ok(Vec::new());
    }
    each(copied(&array, name, &[2], "(n, 2)")?, object.py(), name)
}

/// Reads points or vectors: an array of shape (n, 2), or one of shape (2,) for all rows.
pub(crate) fn vectors(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Column<[f64; 2]>> {
    let array = floats(object, name)?;
    if array.shape() == [0] {
        return Ok(Column::Each(Vec::new()));
    }
    copied(&array, name, &[2], "(n, 2) or (2,)")
}

/// Reads a point or a vector: two numbers.
pub(crate) fn vector(object: &Bound<'_, PyAny>, name: &str) -> PyResult<[f64; 2]> {
    if let Ok(pair) = object.extract::<(f64, f64)>() {
        return Ok([pair.0, pair.1]);
    }
    match copied(&floats(object, name)?, name, &[2], "(2,)")? {
        Column::One(vector) => Ok(vector),
        Column::Each(all) => {
            Err(refusal(object.py(), name, format!("of shape ({}, 2)", all.len()), "be of shape (2,)"))
        }
    }
}

/// Reads numbers: an array of shape (n,), or one number for all rows.
pub(crate) fn numbers(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Column<f64>> {
    copied(&floats(object, name)?, name, &[], "(n,) or a number")
}

/// Reads matrices: an array of shape (n, 2, 2), or one of shape (2, 2) for all rows.
pub(crate) fn matrices(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Column<hitmask::Linear>> {
    copied::<f64, [[f64; 2]; 2]>(&floats(object, name)?, name, &[2, 2], "(n, 2, 2) or (2, 2)")
        .map(|column| column.map(hitmask::Linear::from))
}

/// Reads integers from 0 to a limit: an array of shape (n,), or one integer for all rows.
pub(crate) fn integers(object: &Bound<'_, PyAny>, name: &str, most: u64) -> PyResult<Column<u64>> {
    whole(object, name, |value| value <= most, || format!("be 0 to {most}"))
}

/// Reads integers that are at least 0 and right otherwise, as [`integers`] does. Errors name what is `right`.
pub(crate) fn whole(
    object: &Bound<'_, PyAny>,
    name: &str,
    is_right: impl Fn(u64) -> bool,
    right: impl Fn() -> String,
) -> PyResult<Column<u64>> {
    let py = object.py();
    if let Ok(value) = object.extract::<u64>()
        && is_right(value)
    {
        return Ok(Column::One(value));
    }
    let (array, kind) = array_of(object)?;
    if is_empty_list(&array)? {
        return Ok(Column::Each(Vec::new()));
    }
    let beyond = |value: &dyn std::fmt::Display| refusal(py, name, value, &right());
    let column = match kind {
        'u' => copied::<u64, u64>(&cast(&array)?, name, &[], "(n,) or an integer")?,
        'i' => {
            let column = copied::<i64, i64>(&cast(&array)?, name, &[], "(n,) or an integer")?;
            if let Some(negative) = column.values().iter().find(|value| **value < 0) {
                return Err(beyond(negative));
            }
            column.map(|value| value as u64)
        }
        'O' => {
            // numpy has no type for integers of more than 64 bits.
            let values: Vec<Bound<'_, PyAny>> = array.call_method0("ravel")?.try_iter()?.collect::<PyResult<_>>()?;
            let large = values.iter().find(|value| value.extract::<u64>().is_err());
            return Err(match large.filter(|value| value.is_instance_of::<PyInt>()) {
                Some(value) => beyond(value),
                None => wrong_type(&array, name, "integers"),
            });
        }
        _ => return Err(wrong_type(&array, name, "integers")),
    };
    match column.values().iter().find(|value| !is_right(**value)) {
        Some(value) => Err(beyond(value)),
        None => Ok(column),
    }
}

/// Reads 32-bit words, as [`integers`] does.
pub(crate) fn words(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Column<u32>> {
    integers(object, name, u64::from(u32::MAX)).map(|column| column.map(|value| value as u32))
}

/// Reads truth values: an array of shape (n,), or one for all rows.
pub(crate) fn truths(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Column<bool>> {
    if let Ok(value) = object.extract::<bool>() {
        return Ok(Column::One(value));
    }
    let (array, kind) = array_of(object)?;
    if is_empty_list(&array)? {
        return Ok(Column::Each(Vec::new()));
    }
    if kind != 'b' {
        return Err(wrong_type(&array, name, "bools"));
    }
    let bytes = array.call_method1("view", (numpy::dtype::<u8>(object.py()),))?.cast_into::<PyArrayDyn<u8>>()?;
    Ok(copied::<u8, u8>(&bytes, name, &[], "(n,) or a bool")?.map(|byte| byte != 0))
}

/// Copies an image of integers, row by row, and returns it with its height and width.
pub(crate) fn labels(object: &Bound<'_, PyAny>, name: &str) -> PyResult<(Vec<i64>, [usize; 2])> {
    let (array, kind) = array_of(object)?;
    if !matches!(kind, 'b' | 'i' | 'u') {
        return Err(wrong_type(&array, name, "integers"));
    }
    if kind == 'u' && array.getattr("size")?.extract::<usize>()? > 0 {
        // Casting would make negative numbers of those beyond.
        let largest: u64 = array.call_method0("max")?.extract()?;
        if i64::try_from(largest).is_err() {
            return Err(refusal(
                object.py(),
                name,
                format!("{largest} in one place"),
                &format!("be at most {}", i64::MAX),
            ));
        }
    }
    let even = even(&cast::<i64>(&array)?)?;
    let &[height, width] = even.shape() else {
        return Err(refusal(object.py(), name, format!("of shape {}", display(even.shape())), "be of shape (h, w)"));
    };
    let borrowed = even.try_readonly().map_err(|error| Error::new_err(error.to_string()))?;
    let values = borrowed.as_slice().map_err(|error| Error::new_err(error.to_string()))?;
    Ok((values.to_vec(), [height, width]))
}

/// Copies the bytes of an array of `u8` or `bool` of any shape, row by row, and returns them with the shape.
pub(crate) fn bytes(array: &Bound<'_, PyAny>) -> PyResult<(Vec<u8>, Vec<usize>)> {
    let py = array.py();
    let array = array.call_method1("view", (numpy::dtype::<u8>(py),))?.cast_into::<PyArrayDyn<u8>>()?;
    let even = even(&array)?;
    let borrowed = even.try_readonly().map_err(|error| Error::new_err(error.to_string()))?;
    let values = borrowed.as_slice().map_err(|error| Error::new_err(error.to_string()))?;
    Ok((values.to_vec(), even.shape().to_vec()))
}
