//! Responding to the answer of a step.

use hitmask_python_documented::documented;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::error::{OrRaise, refusal};
use crate::hits::Hits;
use crate::ids::BodyId;
use crate::mask::Mask;
use crate::slide::{Impact, Solid, Stop};
use crate::structured::{Contact, array};
use crate::world::World;

/// Returns a pair of an answer and its details. Raises if there is no such row, or no details.
fn row(hits: &Hits, hit: isize) -> PyResult<([u32; 2], hitmask::Detail)> {
    let len = hits.answer.pairs.len() as isize;
    let row = usize::try_from(if hit < 0 { hit + len } else { hit }).ok().and_then(|row| hits.row(row));
    row.ok_or_else(|| {
        let details = hits.answer.details.len();
        PyIndexError::new_err(format!("there is no hit {hit}: the answer has {len} pairs and {details} details"))
    })
}

impl World {
    /// Reads the world that gave an answer. Raises for the answer of another world, or of this one before a body was
    /// added.
    fn read_hits<T: Send>(
        &self,
        py: Python<'_>,
        hits: &Hits,
        work: impl FnOnce(&hitmask::World) -> T + Send,
    ) -> PyResult<T> {
        self.read(py, |world| world.check_hits(&hits.answer).map(|()| work(world))).or_raise(py)
    }
}

#[documented]
#[pymethods]
impl World {
    fn contacts<'py>(&self, py: Python<'py>, hits: &Hits) -> PyResult<Bound<'py, PyAny>> {
        if hits.answer.details.len() < hits.answer.pairs.len() {
            return Err(refusal(py, "hits", "of a step without details", "be of a step with `Ask.DETAILS`"));
        }
        let rows = self.read_hits(py, hits, |world| {
            let pairs = hits.answer.pairs.iter().zip(&hits.answer.details);
            let contacts = pairs.map(|(pair, detail)| {
                let contact = world.contact(*pair, detail);
                Contact { normal: contact.normal, depth: contact.depth, push: contact.push.units() }
            });
            contacts.collect::<Vec<_>>()
        });
        array(py, &rows?)
    }

    fn before(&self, py: Python<'_>, id: &Bound<'_, PyAny>, hits: &Hits, hit: isize) -> PyResult<Option<(f64, f64)>> {
        let (id, (pair, detail)) = (BodyId::read(id, "id")?, row(hits, hit)?);
        Ok(self.read_hits(py, hits, |world| world.before(id, pair, &detail))?.map(Into::into))
    }

    fn overlap_mask(&self, py: Python<'_>, hits: &Hits, hit: isize) -> PyResult<Option<(Mask, (i32, i32))>> {
        let (pair, detail) = row(hits, hit)?;
        let overlap = self.read_hits(py, hits, |world| world.overlap_mask(pair, &detail))?;
        Ok(overlap.map(|(mask, at)| (Mask::new_of(mask), at.into())))
    }

    fn parts_hit(&self, py: Python<'_>, hits: &Hits, hit: isize) -> PyResult<Vec<(u32, u32)>> {
        let (pair, detail) = row(hits, hit)?;
        let parts = self.read_hits(py, hits, |world| world.parts_hit(pair, &detail))?;
        Ok(parts.into_iter().map(Into::into).collect())
    }

    fn impacts(&self, py: Python<'_>, id: &Bound<'_, PyAny>, hits: &Hits) -> PyResult<Vec<Impact>> {
        let id = BodyId::read(id, "id")?;
        let impacts = self.read(py, |world| Ok(world.impacts(id, &hits.answer)?.collect::<Vec<_>>()));
        Ok(impacts.or_raise(py)?.into_iter().map(Impact).collect())
    }

    #[pyo3(signature = (id, hits, *, ignore=None, one_way=None, up=(0.0, -1.0)))]
    fn stop(
        &self,
        py: Python<'_>,
        id: &Bound<'_, PyAny>,
        hits: &Hits,
        ignore: Option<&Bound<'_, PyAny>>,
        one_way: Option<&Bound<'_, PyAny>>,
        up: (f64, f64),
    ) -> PyResult<Option<Stop>> {
        let (id, solid) = (BodyId::read(id, "id")?, Solid::read(py, ignore, one_way, up)?);
        let stop = self.read(py, |world| world.stop(id, &hits.answer, |impact| solid.counts(impact)));
        Ok(stop.or_raise(py)?.map(Stop))
    }

    #[pyo3(signature = (id, hits, *, ignore=None, one_way=None, up=(0.0, -1.0)))]
    fn pushed_out(
        &self,
        py: Python<'_>,
        id: &Bound<'_, PyAny>,
        hits: &Hits,
        ignore: Option<&Bound<'_, PyAny>>,
        one_way: Option<&Bound<'_, PyAny>>,
        up: (f64, f64),
    ) -> PyResult<Option<(f64, f64)>> {
        let (id, solid) = (BodyId::read(id, "id")?, Solid::read(py, ignore, one_way, up)?);
        let at = self.read(py, |world| world.pushed_out(id, &hits.answer, |impact| solid.counts(impact)));
        Ok(at.or_raise(py)?.map(Into::into))
    }
}
