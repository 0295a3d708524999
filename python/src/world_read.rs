//! Reading single bodies of a world.

use hitmask::geometry::Aabb;
use hitmask_python_documented::documented;
use pyo3::prelude::*;

use crate::array::vector;
use crate::body::Body;
use crate::error::{OrRaise, refusal};
use crate::ids::BodyId;
use crate::mask::Mask;
use crate::structured::{Handle, array};
use crate::world::World;

/// The corners of a box, in units: the least x and y, then the largest.
type Bounds = (f64, f64, f64, f64);

fn bounds_of(bounds: &Aabb) -> Bounds {
    let ([left, top], [right, bottom]) = (bounds.min.units(), bounds.max.units());
    (left, top, right, bottom)
}

#[documented]
#[pymethods]
impl World {
    fn id(&self, py: Python<'_>, index: u32) -> Option<BodyId> {
        self.glance(py, |world| world.id(index)).map(BodyId)
    }

    fn body(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<Option<Body>> {
        let id = BodyId::read(id, "id")?;
        Ok(self.glance(py, |world| world.body(id)).map(Body))
    }

    fn __contains__(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<bool> {
        let id = BodyId::read(id, "id")?;
        Ok(self.glance(py, |world| world.body(id).is_some()))
    }

    fn sees(&self, py: Python<'_>, body: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (body, other) = (BodyId::read(body, "body")?, BodyId::read(other, "other")?);
        self.glance(py, |world| world.sees(body, other)).or_raise(py)
    }

    fn bounds(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<Option<Bounds>> {
        let id = BodyId::read(id, "id")?;
        Ok(self.read(py, |world| world.bounds(id)).as_ref().map(bounds_of))
    }

    fn swept_bounds(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<Option<Bounds>> {
        let id = BodyId::read(id, "id")?;
        Ok(self.read(py, |world| world.swept_bounds(id)).as_ref().map(bounds_of))
    }

    fn local(&self, py: Python<'_>, id: &Bound<'_, PyAny>, at: &Bound<'_, PyAny>) -> PyResult<Option<(f64, f64)>> {
        let (id, at) = (BodyId::read(id, "id")?, vector(at, "at")?);
        Ok(self.read(py, |world| world.local(id, at)).map(Into::into))
    }

    fn texel(&self, py: Python<'_>, id: &Bound<'_, PyAny>, pixel: [i32; 2]) -> PyResult<Option<(u32, u32)>> {
        let id = BodyId::read(id, "id")?;
        Ok(self.read(py, |world| world.texel(id, pixel)).map(Into::into))
    }

    fn painted(&self, py: Python<'_>, id: &Bound<'_, PyAny>) -> PyResult<Option<(Mask, (i32, i32))>> {
        let id = BodyId::read(id, "id")?;
        let painted = self.read(py, |world| world.painted(id)).or_raise(py)?;
        Ok(painted.map(|(mask, at)| (Mask::new_of(mask), at.into())))
    }

    fn bodies_at<'py>(&self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let at = vector(at, "at")?;
        let found = self.read(py, |world| world.bodies_at(at)).or_raise(py)?;
        array(py, &found.into_iter().map(Handle::from).collect::<Vec<_>>())
    }

    fn parts_at(&self, py: Python<'_>, id: &Bound<'_, PyAny>, at: &Bound<'_, PyAny>) -> PyResult<Vec<u32>> {
        let (id, at) = (BodyId::read(id, "id")?, vector(at, "at")?);
        self.read(py, |world| world.parts_at(id, at)).or_raise(py)
    }

    fn part_tag(&self, py: Python<'_>, id: &Bound<'_, PyAny>, part: u32) -> PyResult<Option<u32>> {
        let id = BodyId::read(id, "id")?;
        Ok(self.glance(py, |world| world.part_tag(id, part)))
    }

    #[allow(clippy::type_complexity, reason = "a distance, and two points if the bodies are apart")]
    fn distance(
        &self,
        py: Python<'_>,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
    ) -> PyResult<Option<(f64, Option<[(f64, f64); 2]>)>> {
        let (a, b) = (BodyId::read(a, "a")?, BodyId::read(b, "b")?);
        let found = self.read(py, |world| world.distance(a, b)).or_raise(py)?;
        Ok(found.map(|found| (found.distance, found.points.map(|points| points.map(Into::into)))))
    }

    fn holds(&self, py: Python<'_>, outer: &Bound<'_, PyAny>, inner: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (outer, inner) = (BodyId::read(outer, "outer")?, BodyId::read(inner, "inner")?);
        self.read(py, |world| world.holds(outer, inner)).or_raise(py)
    }

    fn push_along(
        &self,
        py: Python<'_>,
        id: &Bound<'_, PyAny>,
        other: &Bound<'_, PyAny>,
        axis: &str,
    ) -> PyResult<Option<(f64, f64)>> {
        let (id, other) = (BodyId::read(id, "id")?, BodyId::read(other, "other")?);
        let axis = match axis {
            "x" => hitmask::response::Axis::X,
            "y" => hitmask::response::Axis::Y,
            _ => return Err(refusal(py, "axis", axis, "be \"x\" or \"y\"")),
        };
        Ok(self.read(py, |world| world.push_along(id, other, axis)).or_raise(py)?.map(Into::into))
    }
}
