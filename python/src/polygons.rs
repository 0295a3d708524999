//! Polygons of Arrow's nested lists: shapes of many at once, and pairs that meet, found without a shape of each.
//!
//! Most polygons that meet have sides that cross, or one contains the other. `meeting` finds these in whole numbers,
//! and takes no polygon apart into convex pieces. It leaves pairs open that only touch; a world decides about those.

use numpy::PyArray1;
use pyo3::prelude::*;

use crate::array::{integers, labels, points};
use crate::error::{OrRaise, refusal};
use crate::meetings::{Bounds, Boxes};
use crate::shape::Shape;
use crate::structured::table;

/// A corner in lattice steps, at most [`MOST`] from the origin, so that the product of two differences fits.
type Corner = [i64; 2];

/// Two neighbouring corners of a ring.
type Side = [Corner; 2];

/// Arrays of corners, of the corner at which each ring begins, and of the ring at which each polygon begins.
type Arrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

/// The largest magnitude of a coordinate.
const MOST: i64 = 1 << 29;

/// How two polygons meet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Meeting {
    /// Their closed sets have no common point.
    Apart = 0,
    /// Their interiors overlap.
    Overlap = 1,
    /// Their boundaries have a common point, but no sides cross: interiors may overlap or not.
    Contact = 2,
}

/// The sides of polygons, those without length left out.
struct Sides {
    all: Vec<Side>,
    /// The side at which each polygon begins, and the end of the last.
    starts: Vec<usize>,
}

/// Reads where parts of a list begin, and the end of the last.
fn starts(object: &Bound<'_, PyAny>, name: &str, most: usize) -> PyResult<Vec<usize>> {
    let starts: Vec<usize> =
        integers(object, name, most as u64)?.values().iter().map(|start| *start as usize).collect();
    if starts.is_sorted() { Ok(starts) } else { Err(refusal(object.py(), name, "not ascending", "ascend")) }
}

impl Sides {
    fn read((corners, rings, polygons): &Arrays<'_>) -> PyResult<Self> {
        let (values, [count, _]) = labels(corners, "corners")?;
        if let Some(wrong) = values.iter().find(|value| value.unsigned_abs() > MOST as u64) {
            return Err(refusal(corners.py(), "corners", wrong, &format!("lie within ±{MOST}")));
        }
        let corners = values.as_chunks::<2>().0;
        let rings = starts(rings, "rings", count.min(corners.len()))?;
        let polygons = starts(polygons, "polygons", rings.len().saturating_sub(1))?;
        let mut sides = Self { all: Vec::with_capacity(corners.len()), starts: vec![0] };
        for polygon in polygons.windows(2) {
            for ring in polygon[0]..polygon[1] {
                let ring = &corners[rings[ring]..rings[ring + 1]];
                let next = ring.iter().cycle().skip(1);
                sides.all.extend(ring.iter().zip(next).map(|(from, to)| [*from, *to]).filter(|[from, to]| from != to));
            }
            sides.starts.push(sides.all.len());
        }
        Ok(sides)
    }

    fn len(&self) -> usize {
        self.starts.len() - 1
    }

    fn of(&self, polygon: usize) -> &[Side] {
        &self.all[self.starts[polygon]..self.starts[polygon + 1]]
    }
}

/// Returns the box of some sides.
fn bounds(sides: &[Side]) -> Side {
    sides.iter().flatten().fold([[i64::MAX; 2], [i64::MIN; 2]], |[min, max], corner| {
        [[min[0].min(corner[0]), min[1].min(corner[1])], [max[0].max(corner[0]), max[1].max(corner[1])]]
    })
}

/// Returns whether two closed boxes meet.
fn meet(a: &Side, b: &Side) -> bool {
    (0..2).all(|axis| a[0][axis] <= b[1][axis] && b[0][axis] <= a[1][axis])
}

/// Returns on which side of a line a point lies: the sign of the area that they span.
fn turn([from, to]: &Side, point: &Corner) -> i64 {
    ((to[0] - from[0]) * (point[1] - from[1]) - (to[1] - from[1]) * (point[0] - from[0])).signum()
}

/// Returns how two sides meet: `Overlap` if they cross at a point inside both.
fn cross(a: &Side, b: &Side) -> Meeting {
    if !meet(&bounds(&[*a]), &bounds(&[*b])) {
        return Meeting::Apart;
    }
    let of_a = turn(a, &b[0]) * turn(a, &b[1]);
    if of_a > 0 {
        return Meeting::Apart;
    }
    match of_a.max(turn(b, &a[0]) * turn(b, &a[1])) {
        1 => Meeting::Apart,
        // Neither end of one lies on the line of the other.
        -1 => Meeting::Overlap,
        _ => Meeting::Contact,
    }
}

/// Returns whether a point that is on no side lies in a polygon: a ray from it to the right crosses an odd number.
fn contains(sides: &[Side], point: &Corner) -> bool {
    let crosses = |side: &&Side| {
        let down = side[0][1] <= point[1];
        down != (side[1][1] <= point[1]) && (turn(side, point) > 0) == down
    };
    sides.iter().filter(crosses).count() % 2 == 1
}

/// Returns how two polygons meet.
fn meeting(a: &[Side], b: &[Side]) -> Meeting {
    let both = [bounds(a), bounds(b)];
    let near: Vec<&Side> = b.iter().filter(|side| meet(&bounds(&[**side]), &both[0])).collect();
    let mut contact = false;
    for side in a.iter().filter(|side| meet(&bounds(&[**side]), &both[1])) {
        for other in &near {
            match cross(side, other) {
                Meeting::Apart => {}
                Meeting::Overlap => return Meeting::Overlap,
                Meeting::Contact => contact = true,
            }
        }
    }
    match (a.first(), b.first()) {
        _ if contact => Meeting::Contact,
        // No boundary is met, so each lies on one side of the other.
        (Some([one, _]), Some([other, _])) if contains(b, one) || contains(a, other) => Meeting::Overlap,
        _ => Meeting::Apart,
    }
}

/// Returns whether sides of a polygon cross each other, or it has no area.
fn is_crossed(sides: &[Side]) -> bool {
    let mut order: Vec<_> = sides.iter().map(|side| (bounds(&[*side]), side)).collect();
    order.sort_unstable_by_key(|(bounds, _)| bounds[0][0]);
    let crosses = |k: usize| {
        let (bounds, side) = &order[k];
        let near = order[k + 1..].iter().take_while(|(other, _)| other[0][0] <= bounds[1][0]);
        near.into_iter().any(|(_, other)| cross(side, other) == Meeting::Overlap)
    };
    let area = |[from, to]: &Side| i128::from(from[0]) * i128::from(to[1]) - i128::from(from[1]) * i128::from(to[0]);
    sides.iter().map(area).sum::<i128>() == 0 || (0..order.len()).any(crosses)
}

/// Makes a shape of each polygon, with corners in units. An error names the polygon by `ids`.
#[pyfunction]
pub(crate) fn _polygons(py: Python<'_>, polygons: Arrays<'_>, ids: Vec<i64>) -> PyResult<Vec<Shape>> {
    let (corners, rings, polygons) = polygons;
    let corners = points(&corners, "corners")?;
    let rings = starts(&rings, "rings", corners.len())?;
    let polygons = starts(&polygons, "polygons", rings.len().saturating_sub(1))?;
    let shape = |(polygon, id): (&[usize], &i64)| {
        let rings: Vec<_> = (polygon[0]..polygon[1]).map(|ring| &corners[rings[ring]..rings[ring + 1]]).collect();
        let (outline, holes) = rings.split_first().map_or((&[][..], &[][..]), |(outline, holes)| (*outline, holes));
        let shape = hitmask::Shape::polygon_with_holes(outline, holes);
        shape.map(Shape).map_err(|error| error.of(format!("polygon of id {id}")))
    };
    let made = py.detach(|| polygons.windows(2).zip(&ids).map(shape).collect::<hitmask::Result<Vec<_>>>());
    made.or_raise(py)
}

/// Returns the first polygon with sides that cross each other, or without area, with corners in lattice steps.
#[pyfunction]
pub(crate) fn _crossed(py: Python<'_>, polygons: Arrays<'_>) -> PyResult<Option<usize>> {
    let sides = Sides::read(&polygons)?;
    Ok(py.detach(|| (0..sides.len()).find(|polygon| is_crossed(sides.of(*polygon)))))
}

/// Returns the pairs of polygons whose closed sets meet, ascending, and of each whether their interiors surely overlap:
/// of two lists, or of one, each pair once. Corners are in lattice steps.
#[pyfunction]
pub(crate) fn _meetings<'py>(
    py: Python<'py>,
    a: Arrays<'py>,
    b: Option<Arrays<'py>>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyArray1<bool>>)> {
    let a = Sides::read(&a)?;
    let b = b.map(|b| Sides::read(&b)).transpose()?;
    let (pairs, overlap): (Vec<[u32; 2]>, Vec<bool>) = py.detach(|| {
        let other = b.as_ref().unwrap_or(&a);
        let boxes = |sides: &Sides| -> Vec<Bounds> {
            let closed = |[min, max]: Side| {
                // Closed boxes of whole numbers meet if they overlap when both are longer by 1.
                Bounds { min: min.map(|v| v as i32), max: max.map(|v| v as i32 + 1) }
            };
            let of = |sides: &[Side]| if sides.is_empty() { Bounds::NOWHERE } else { closed(bounds(sides)) };
            (0..sides.len()).map(|polygon| of(sides.of(polygon))).collect()
        };
        let (all, mut near, mut found) = (Boxes::new(&boxes(other)), Vec::new(), Vec::new());
        for (i, bounds) in boxes(&a).iter().enumerate() {
            all.search(bounds, &mut near);
            for &j in near.iter().filter(|j| b.is_some() || **j as usize > i) {
                let how = meeting(a.of(i), other.of(j as usize));
                if how != Meeting::Apart {
                    found.push(([i as u32, j], how == Meeting::Overlap));
                }
            }
        }
        found.into_iter().unzip()
    });
    Ok((table(py, &pairs)?, PyArray1::from_vec(py, overlap)))
}
