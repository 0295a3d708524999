//! Edits of the masks of a world's sprites, and the parts that these cut off.

use std::sync::Arc;

use hitmask::Error;
use hitmask_python_documented::documented;
use pyo3::prelude::*;

use crate::error::OrRaise;
use crate::ids::ShapeId;
use crate::mask::{Area, Mask, area, neighbours};
use crate::structured::{Handle, array};
use crate::world::World;

/// A change of a mask.
struct Change {
    /// The texels that became solid.
    drawn: hitmask::Mask,
    /// The texels that became empty.
    erased: hitmask::Mask,
    /// The position of both in the mask.
    at: [i32; 2],
}

impl Change {
    /// Returns the change between two masks of one size; `None` if they are equal.
    fn between(before: &hitmask::Mask, after: &hitmask::Mask) -> Option<Self> {
        let mut rows = (0..after.height()).filter(|y| before.row(*y) != after.row(*y));
        let top = rows.next()?;
        let bottom = rows.next_back().unwrap_or(top);
        let [top, width, height] = [top, after.width(), bottom - top + 1].map(|value| value as i32);
        let mut changed = after.cropped([0, top, width, height]).ok()?;
        changed.xor(before, [0, -top]);
        let [x, y, width, height] = changed.bounds()?.map(|value| value as i32);
        let mut drawn = changed.cropped([x, y, width, height]).ok()?;
        let (mut erased, at) = (drawn.clone(), [x, top + y]);
        drawn.intersect(after, at.map(|value| -value));
        erased.erase(after, at.map(|value| -value));
        Some(Self { drawn, erased, at })
    }

    /// Applies the change to a mask, whose other texels stay.
    fn apply(&self, mask: &mut hitmask::Mask) {
        mask.draw(&self.drawn, self.at);
        mask.erase(&self.erased, self.at);
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask")]
pub(crate) struct Fragment(hitmask::Fragment);

#[documented]
#[pymethods]
impl Fragment {
    #[getter]
    fn shape(&self) -> ShapeId {
        ShapeId(self.0.shape)
    }

    #[getter]
    fn bounds(&self) -> Area {
        area(self.0.bounds)
    }

    #[getter]
    fn pivot(&self) -> (f64, f64) {
        self.0.pivot.into()
    }

    #[getter]
    fn bodies<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let handles: Vec<Handle> = self.0.bodies.iter().flatten().map(|id| (*id).into()).collect();
        array(py, &handles)?.call_method1("reshape", ((self.0.bodies.len(), 2),))
    }
}

#[documented]
#[pymethods]
impl World {
    fn edit_mask<'py>(&self, id: &Bound<'py, PyAny>, edit: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, id) = (id.py(), ShapeId::read(id, "id")?);
        // The mask is copied without the lock.
        let found = py.detach(|| self.read_detached(|world| world.shape(id).cloned())?.mask().cloned());
        let before = match found {
            Some(mask) => mask,
            // The library says what is wrong with the shape.
            None => self.write(py, |world| world.edit_mask(id, |mask| mask.clone())).or_raise(py)?,
        };
        let before = Arc::new(before);
        let mask = Bound::new(py, Mask::shared(before.clone()))?;
        // Called without the lock, so that it may use this world.
        let result = edit.call1((&mask,))?;
        let after = mask.get().now(py);
        let Some(change) = py.detach(|| Change::between(&before, &after)) else { return Ok(result) };
        self.write(py, |world| {
            let [width, height] = before.size();
            match world.shape(id).and_then(hitmask::Shape::mask).map(hitmask::Mask::size) {
                Some(now) if now != [width, height] => Err(Error::Value {
                    field: "mask".to_owned(),
                    value: format!("now {} x {}", now[0], now[1]),
                    limit: format!("keep its size while it is edited, {width} x {height}"),
                }),
                _ => world.edit_mask(id, |mask| change.apply(mask)),
            }
        })
        .or_raise(py)?;
        Ok(result)
    }

    #[pyo3(signature = (id, around, neighbours=8))]
    fn split(
        &self,
        py: Python<'_>,
        id: &Bound<'_, PyAny>,
        around: [u32; 4],
        neighbours: u32,
    ) -> PyResult<Vec<Fragment>> {
        let (id, neighbours) = (ShapeId::read(id, "id")?, self::neighbours(py, neighbours)?);
        let parts = self.write(py, |world| world.split(id, around, neighbours)).or_raise(py)?;
        Ok(parts.into_iter().map(Fragment).collect())
    }
}
