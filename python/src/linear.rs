//! The linear parts of poses: rotation, scale, flip.

use hitmask::geometry::Flip;
use hitmask_python_documented::documented;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::array::{matrices, numbers, truths, vectors};
use crate::error::refusal;
use crate::structured::table;

#[documented]
#[pyclass(frozen, eq, from_py_object, module = "hitmask")]
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Linear(pub(crate) hitmask::Linear);

#[documented]
#[pymethods]
impl Linear {
    #[new]
    #[pyo3(signature = (degrees=0.0, scale=(1.0, 1.0), *, flip_x=false, flip_y=false))]
    fn new(degrees: f64, scale: (f64, f64), flip_x: bool, flip_y: bool) -> Self {
        Self(hitmask::Linear::new(degrees, [scale.0, scale.1], Flip { x: flip_x, y: flip_y }))
    }

    #[staticmethod]
    fn from_degrees(degrees: f64) -> Self {
        Self(hitmask::Linear::from_degrees(degrees))
    }

    #[staticmethod]
    fn from_radians(angle: f64) -> Self {
        Self(hitmask::Linear::from_radians(angle))
    }

    #[staticmethod]
    fn scaled(scale: f64) -> Self {
        Self(hitmask::Linear::scaled(scale))
    }

    #[staticmethod]
    fn from_matrix(matrix: &Bound<'_, PyAny>) -> PyResult<Self> {
        read(matrix).map(Self)
    }

    #[getter]
    fn x(&self) -> (f64, f64) {
        self.0.x.into()
    }

    #[getter]
    fn y(&self) -> (f64, f64) {
        self.0.y.into()
    }

    fn determinant(&self) -> f64 {
        self.0.determinant()
    }

    fn __matmul__(&self, other: &Self) -> Self {
        Self(self.0 * other.0)
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(PyValueError::new_err("a linear part is made an array by a copy; `copy` must not be False"));
        }
        let array = table(py, &[self.0.x, self.0.y])?;
        match dtype {
            Some(dtype) => array.call_method1("astype", (dtype,)),
            None => Ok(array),
        }
    }

    fn __repr__(&self) -> String {
        let hitmask::Linear { x: [a, b], y: [c, d] } = self.0;
        format!("Linear.from_matrix([[{a:?}, {b:?}], [{c:?}, {d:?}]])")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, ([[f64; 2]; 2],))> {
        let linear = slf.get().0;
        Ok((slf.get_type().getattr("from_matrix")?, ([linear.x, linear.y],)))
    }
}

/// Reads a linear part: an object, or a matrix of shape (2, 2).
pub(crate) fn read(object: &Bound<'_, PyAny>) -> PyResult<hitmask::Linear> {
    if let Ok(linear) = object.extract::<Linear>() {
        return Ok(linear.0);
    }
    let column = matrices(object, "linear")?;
    match column.len() {
        None => Ok(column.at(0)),
        Some(len) => Err(refusal(object.py(), "linear", format!("of shape ({len}, 2, 2)"), "be of shape (2, 2)")),
    }
}

#[documented]
#[pyfunction]
#[pyo3(signature = (degrees=None, scale=None, *, flip_x=None, flip_y=None))]
pub(crate) fn linears<'py>(
    py: Python<'py>,
    degrees: Option<&Bound<'py, PyAny>>,
    scale: Option<&Bound<'py, PyAny>>,
    flip_x: Option<&Bound<'py, PyAny>>,
    flip_y: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let degrees = degrees.map(|values| numbers(values, "degrees")).transpose()?;
    let scale = scale.map(scales).transpose()?;
    let flip_x = flip_x.map(|values| truths(values, "flip_x")).transpose()?;
    let flip_y = flip_y.map(|values| truths(values, "flip_y")).transpose()?;
    let lens = [
        degrees.as_ref().and_then(crate::array::Column::len),
        scale.as_ref().and_then(crate::array::Column::len),
        flip_x.as_ref().and_then(crate::array::Column::len),
        flip_y.as_ref().and_then(crate::array::Column::len),
    ];
    let rows = lens.iter().flatten().copied().next().unwrap_or(1);
    for (name, len) in ["degrees", "scale", "flip_x", "flip_y"].iter().zip(lens) {
        if len.is_some_and(|len| len != rows) {
            return Err(refusal(py, name, format!("of length {}", len.unwrap_or(0)), &format!("be of length {rows}")));
        }
    }
    let made: Vec<[f64; 4]> = py.detach(|| {
        (0..rows)
            .map(|row| {
                let flip = Flip {
                    x: flip_x.as_ref().is_some_and(|flip| flip.at(row)),
                    y: flip_y.as_ref().is_some_and(|flip| flip.at(row)),
                };
                let degrees = degrees.as_ref().map_or(0.0, |degrees| degrees.at(row));
                let linear =
                    hitmask::Linear::new(degrees, scale.as_ref().map_or([1.0; 2], |scale| scale.at(row)), flip);
                [linear.x[0], linear.x[1], linear.y[0], linear.y[1]]
            })
            .collect()
    });
    table(py, &made)?.call_method1("reshape", ((rows, 2, 2),))
}

/// Reads scales: numbers, or one in x and one in y for each.
fn scales(object: &Bound<'_, PyAny>) -> PyResult<crate::array::Column<[f64; 2]>> {
    let (array, _) = crate::array::array_of(object)?;
    if array.getattr("ndim")?.extract::<usize>()? == 2 {
        return vectors(&array, "scale");
    }
    numbers(&array, "scale").map(|column| column.map(|scale| [scale; 2]))
}
