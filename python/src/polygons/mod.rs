//! Polygons of Arrow's nested lists: shapes of many at once, and pairs that meet, found without a shape of each.

mod list;
mod meeting;
mod polygon;
mod regions;
mod search;
mod simple;
mod source;
mod sweep;

use hitmask_python_documented::documented;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

use self::list::List;
use self::source::{Fault, Source};
use crate::array::{display, integers};
use crate::error::{Error, OrRaise, refusal};
use crate::shape::Shape;
use crate::structured::table;

#[documented(_Polygons)]
#[pyclass(frozen, name = "_Polygons", module = "hitmask")]
pub(crate) struct Polygons(List);

/// Corners, where rings begin, and the ring at which each polygon begins.
type Arrays<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Reads where parts of a list begin, and the end of the last.
fn starts(object: &Bound<'_, PyAny>, name: &str, most: usize) -> PyResult<Vec<usize>> {
    let starts: Vec<usize> =
        integers(object, name, most as u64)?.values().iter().map(|start| *start as usize).collect();
    if starts.is_sorted() { Ok(starts) } else { Err(refusal(object.py(), name, "not ascending", "ascend")) }
}

/// Makes the error of a polygon.
fn raised(ids: &Bound<'_, PyAny>, polygon: usize, fault: &Fault) -> PyErr {
    let show = |values: &[f64; 2]| PyResult::Ok(values.into_pyobject(ids.py())?.repr()?.to_string());
    let said = || {
        let id = ids.get_item(polygon)?;
        PyResult::Ok(match fault {
            Fault::Empty => format!("the polygon of id {id} is empty"),
            Fault::Beyond(corner) => {
                format!("the shape of id {id} has the coordinates {}; the limit is 2^40", show(corner)?)
            }
            Fault::Sides(sides) => {
                format!("the shape of id {id} has sides of {}; each must be above 0, at most 1048576", show(sides)?)
            }
            Fault::Crossed => format!("the polygon of id {id} has no area, or sides that cross each other"),
        })
    };
    said().map_or_else(|error| error, Error::new_err)
}

#[documented(_Polygons)]
#[pymethods]
impl Polygons {
    #[new]
    #[pyo3(signature = (arrays, ids, check, threads=0))]
    fn new(
        py: Python<'_>,
        arrays: Vec<Arrays<'_>>,
        ids: &Bound<'_, PyAny>,
        check: bool,
        threads: usize,
    ) -> PyResult<Self> {
        let mut read = Vec::new();
        for (corners, rings, polygons) in &arrays {
            let corners = corners.try_readonly().map_err(|error| Error::new_err(error.to_string()))?;
            if corners.shape()[1] != 2 {
                return Err(refusal(
                    py,
                    "corners",
                    format!("of shape {}", display(corners.shape())),
                    "be of shape (n, 2)",
                ));
            }
            let rings = starts(rings, "rings", corners.shape()[0])?;
            let polygons = starts(polygons, "polygons", rings.len().saturating_sub(1))?;
            read.push((corners, rings, polygons));
        }
        let rows: usize = read.iter().map(|(_, _, polygons)| polygons.len()).sum();
        if rows > u32::MAX as usize {
            return Err(refusal(py, "polygons", rows, "be fewer than 2^32"));
        }
        let mut sources = Vec::new();
        for (corners, rings, polygons) in &read {
            let corners = corners.as_slice().map_err(|error| Error::new_err(error.to_string()))?;
            sources.push(Source { corners: bytemuck::cast_slice(corners), rings, polygons });
        }
        let read = py.detach(|| List::read(&sources, check, threads));
        read.map(Self).map_err(|(polygon, fault)| raised(ids, polygon, &fault))
    }

    #[getter]
    fn extent(&self) -> Option<[i64; 4]> {
        self.0
            .iter()
            .map(|polygon| polygon.frame().corners())
            .reduce(|[x0, y0, x1, y1], [u0, v0, u1, v1]| [x0.min(u0), y0.min(v0), x1.max(u1), y1.max(v1)])
    }

    #[getter]
    fn boxes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let boxes = py.detach(|| {
            let mut boxes = vec![[0; 4]; self.0.len()];
            for polygon in self.0.iter() {
                boxes[polygon.row() as usize] = polygon.frame().corners();
            }
            boxes
        });
        table(py, &boxes)
    }

    #[getter]
    fn unproven<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u32>> {
        PyArray1::from_slice(py, self.0.unproven())
    }

    fn shapes(&self, py: Python<'_>, rows: &Bound<'_, PyAny>, ids: Vec<i64>) -> PyResult<Vec<Shape>> {
        let rows = integers(rows, "rows", self.0.len().saturating_sub(1) as u64)?;
        if rows.values().is_empty() {
            return Ok(Vec::new());
        }
        let mut places = vec![0; self.0.len()];
        for (place, polygon) in (0_u32..).zip(self.0.iter()) {
            places[polygon.row() as usize] = place;
        }
        let shape = |(&row, id): (&u64, &i64)| {
            let polygon = self.0.get(places[row as usize] as usize);
            let fraction = polygon.frame().origin.map(|v| v.rem_euclid(hitmask::geometry::SUBPIXELS.into()) as i32);
            let units = |corner: &[i32; 2]| {
                [0, 1].map(|axis| f64::from(corner[axis] + fraction[axis]) / f64::from(hitmask::geometry::SUBPIXELS))
            };
            // The last corner of a ring is the first.
            let rings: Vec<Vec<_>> =
                polygon.rings().map(|ring| ring.iter().take(ring.len().max(1) - 1).map(units).collect()).collect();
            let (outline, holes) = rings.split_first().map_or((&[][..], &[][..]), |(outline, holes)| (outline, holes));
            let holes: Vec<&[_]> = holes.iter().map(Vec::as_slice).collect();
            let shape = hitmask::Shape::polygon_with_holes(outline, &holes);
            shape.map(Shape).map_err(|error| error.of(format!("polygon of id {id}")))
        };
        let made = py.detach(|| rows.values().iter().zip(&ids).map(shape).collect::<hitmask::Result<Vec<_>>>());
        made.or_raise(py)
    }

    #[pyo3(signature = (others=None, threads=0))]
    fn meetings<'py>(
        &self,
        py: Python<'py>,
        others: Option<&Bound<'py, Self>>,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyArray1<bool>>)> {
        let others = others.map(|others| &others.get().0);
        let (pairs, overlap) = py.detach(|| search::pairs(&self.0, others, threads));
        Ok((table(py, &pairs)?, PyArray1::from_vec(py, overlap)))
    }
}
