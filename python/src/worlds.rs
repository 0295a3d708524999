//! Many worlds with the same number of indices, edited and stepped in one call on all cores.

use std::iter::repeat_n;
use std::sync::{Mutex, PoisonError};

use hitmask::{Bodies, BodyId, geometry};
use hitmask_python_documented::documented;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;

use crate::array::{Column, Points, array_of, display, integers, truths};
use crate::error::{OrRaise, refusal};
use crate::fork;
use crate::hits::Ask;
use crate::memory;
use crate::world::World;
use crate::world_bulk::{bodies, chosen};
use crate::worlds_hits::{Block, WorldsHits};
use crate::worlds_share::{Worker, share};

/// Number of worlds that a thread takes at a time.
pub(crate) const TOGETHER: usize = 16;
/// An edit of a spacious world cannot fail while every coordinate lies within ± this number of units.
const NEAR: f64 = 1_048_576.0;
/// Bytes that an index of a world takes at least; about two thirds of those measured.
const BODY_BYTES: usize = 128;
/// The largest component of a motion, in units.
const FAST: f64 = (geometry::MAX_MOTION / geometry::SUBPIXELS) as f64;

/// A world, and facts that spare its edits a trial.
pub(crate) struct Member {
    pub(crate) world: hitmask::World,
    /// True if its bodies fit at every position that is `NEAR`, with every motion.
    spacious: bool,
}

impl Member {
    /// Makes a member of a copy of a world.
    fn new(world: &hitmask::World) -> hitmask::Result<Self> {
        let (mut trial, indices) = (world.clone(), world.indices());
        let mut fits = |[x, y]: [f64; 2]| {
            let (at, motion) = (vec![[x * NEAR, y * NEAR]; indices], vec![[x * FAST, y * FAST]; indices]);
            trial.set_moving(Bodies::All, &at, &motion).is_ok()
        };
        let spacious = [[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]].into_iter().all(&mut fits);
        Self { world: world.clone(), spacious }.copy()
    }

    /// Makes a copy with the memory that its edits need, so that they do not fail for lack of it.
    fn copy(&self) -> hitmask::Result<Self> {
        let (mut world, mut at) = (self.world.clone(), Vec::new());
        world.positions(Bodies::All, &mut at)?;
        world.set_positions(Bodies::All, &at)?;
        Ok(Self { world, spacious: self.spacious })
    }

    /// Makes copies of members. Returns `Error::Capacity` if there is no memory for them.
    fn copies<'a>(members: impl ExactSizeIterator<Item = &'a Self> + Clone) -> hitmask::Result<Vec<Self>> {
        let what = "the list of worlds";
        // Copying a world ends the program if there is no memory, so that of all copies is tried before.
        if let Some(member) = members.clone().next() {
            let each = size_of::<Self>() + BODY_BYTES * member.world.indices();
            memory::list::<u8>(what, members.len().saturating_mul(each))?;
        }
        let mut copies = memory::list(what, members.len())?;
        for member in members {
            copies.push(member.copy()?);
        }
        Ok(copies)
    }

    /// Returns whether all bodies of a list are in the world.
    fn has(&self, ids: Option<&[BodyId]>) -> bool {
        ids.is_none_or(|ids| ids.iter().all(|&id| self.world.id(id.index()) == Some(id)))
    }
}

/// The contents that the lock protects.
struct All {
    members: Vec<Member>,
    workers: Vec<Worker>,
    /// The answers of the last run, whose memory the next one uses.
    blocks: Vec<Block>,
}

#[documented]
#[pyclass(frozen, module = "hitmask", sequence, weakref)]
pub(crate) struct Worlds {
    all: Mutex<All>,
    /// The world that `reset` returns to.
    first: Member,
    count: usize,
    /// The number of body indices of each world.
    indices: usize,
}

/// Points of one world.
#[derive(Clone, Copy)]
enum Rows<'a> {
    Narrow(&'a [[f32; 2]]),
    Wide(&'a [[f64; 2]]),
}

impl<'a> Rows<'a> {
    /// Returns the points of row `row`, of which each row has `len`.
    fn of(points: &'a Points, row: usize, len: usize) -> Self {
        let range = row * len..(row + 1) * len;
        match points {
            Points::Narrow(points) => Self::Narrow(&points[range]),
            Points::Wide(points) => Self::Wide(&points[range]),
        }
    }

    /// Returns whether every coordinate lies within a limit; false for NaN.
    fn lie_within(self, limit: f64) -> bool {
        match self {
            Self::Narrow(points) => points.as_flattened().iter().all(|v| v.abs() <= limit as f32),
            Self::Wide(points) => points.as_flattened().iter().all(|v| v.abs() <= limit),
        }
    }

    fn set_positions(self, world: &mut hitmask::World, bodies: Bodies<'_>) -> hitmask::Result<()> {
        match self {
            Self::Narrow(at) => world.set_positions(bodies, at),
            Self::Wide(at) => world.set_positions(bodies, at),
        }
    }

    fn set_moving(self, motion: Self, world: &mut hitmask::World, bodies: Bodies<'_>) -> hitmask::Result<()> {
        match (self, motion) {
            (Self::Narrow(at), Self::Narrow(motion)) => world.set_moving(bodies, at, motion),
            (Self::Narrow(at), Self::Wide(motion)) => world.set_moving(bodies, at, motion),
            (Self::Wide(at), Self::Narrow(motion)) => world.set_moving(bodies, at, motion),
            (Self::Wide(at), Self::Wide(motion)) => world.set_moving(bodies, at, motion),
        }
    }
}

impl Worlds {
    /// Uses the worlds without the interpreter.
    fn with<R: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut All) -> R + Send) -> R {
        py.detach(|| work(&mut self.all.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Returns the index of a world; a negative one counts from the end.
    fn index(&self, world: isize) -> PyResult<usize> {
        let index = if world < 0 { world + self.count as isize } else { world };
        if !(0..self.count as isize).contains(&index) {
            return Err(PyIndexError::new_err(format!("there are {} worlds", self.count)));
        }
        Ok(index as usize)
    }

    /// Reads some worlds, from a mask or from indices; `None` for all.
    fn some(&self, which: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<usize>>> {
        let Some(which) = which else { return Ok(None) };
        let (py, count) = (which.py(), self.count);
        if array_of(which)?.1 == 'b' {
            let mask = match truths(which, "which")? {
                Column::Each(mask) if mask.len() == count => mask,
                Column::Each(mask) => {
                    let limit = format!("have one value for each of {count} worlds");
                    return Err(refusal(py, "which", format!("of length {}", mask.len()), &limit));
                }
                Column::One(one) => return Err(refusal(py, "which", one, "be a mask or indices of worlds")),
            };
            return Ok(Some((0..count).filter(|&world| mask[world]).collect()));
        }
        let most = count.saturating_sub(1) as u64;
        let worlds: Vec<usize> = integers(which, "which", most)?.spread(1).iter().map(|&i| i as usize).collect();
        let mut listed = vec![false; count];
        for &world in &worlds {
            match listed.get_mut(world) {
                None => return Err(refusal(py, "which", world, &format!("be below the number of worlds, {count}"))),
                Some(true) => return Err(refusal(py, "which", format!("world {world} twice"), "have each world once")),
                Some(listed) => *listed = true,
            }
        }
        Ok(Some(worlds))
    }

    /// Makes an array of an object and checks that it has one row for each world of an edit and one column for each
    /// body, and `tail` behind these. Returns it with both as one dimension, and the number of columns.
    fn shaped<'py>(
        &self,
        object: &Bound<'py, PyAny>,
        name: &str,
        which: Option<&[usize]>,
        ids: Option<&[BodyId]>,
        tail: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        let (array, _) = array_of(object)?;
        let (rows, columns) = (which.map_or(self.count, <[usize]>::len), ids.map_or(self.indices, <[BodyId]>::len));
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        let right = [&[rows, columns], tail].concat();
        if shape != right {
            let limit = format!("be of shape {}", display(&right));
            return Err(refusal(object.py(), name, format!("of shape {}", display(&shape)), &limit));
        }
        array.call_method1("reshape", ([&[rows * columns], tail].concat(),))
    }

    /// Edits some worlds, all of them or none. `edit` and `surely` get the row of the arrays and a world; an edit that
    /// may fail is tried on a copy of its world before any world changes.
    fn edit(
        &self,
        py: Python<'_>,
        which: Option<&[usize]>,
        surely: impl Fn(usize, &Member) -> bool + Sync,
        edit: impl Fn(usize, &mut hitmask::World) -> hitmask::Result<()> + Sync,
    ) -> PyResult<()> {
        let done = self.with(py, |All { members, workers, .. }| {
            let mut rows = rows(members, which);
            for tries in [true, false] {
                let failed = Mutex::new(None);
                share(rows.chunks_mut(TOGETHER), workers, |_, rows| {
                    for (world, row, member) in rows {
                        let done = match tries {
                            true if surely(*row, member) => Ok(()),
                            true => edit(*row, &mut member.world.clone()),
                            false => edit(*row, &mut member.world),
                        };
                        note(&failed, *world, done);
                    }
                });
                first(failed)?;
            }
            Ok(())
        });
        done.or_raise(py)
    }
}

/// Returns the worlds of an edit, each with its index and its row of the arrays.
fn rows<'a>(members: &'a mut [Member], which: Option<&[usize]>) -> Vec<(usize, usize, &'a mut Member)> {
    let Some(which) = which else {
        return members.iter_mut().enumerate().map(|(world, member)| (world, world, member)).collect();
    };
    let mut row_of = vec![None; members.len()];
    which.iter().enumerate().for_each(|(row, &world)| row_of[world] = Some(row));
    let all = members.iter_mut().zip(row_of).enumerate();
    all.filter_map(|(world, (member, row))| Some((world, row?, member))).collect()
}

/// The error of the lowest world that has one.
pub(crate) type Failed = Mutex<Option<(usize, hitmask::Error)>>;

/// Notes the error of a world, unless a lower one has failed.
pub(crate) fn note(failed: &Failed, world: usize, done: hitmask::Result<()>) {
    let Err(error) = done else { return };
    let mut failed = failed.lock().unwrap_or_else(PoisonError::into_inner);
    if failed.as_ref().is_none_or(|(other, _)| world < *other) {
        *failed = Some((world, error));
    }
}

/// Returns the error that was noted, with the name of its world.
pub(crate) fn first(failed: Failed) -> hitmask::Result<()> {
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some((world, error)) => Err(error.of(format!("world {world}"))),
        None => Ok(()),
    }
}

#[documented]
#[pymethods]
impl Worlds {
    #[new]
    fn new(py: Python<'_>, world: &World, count: usize) -> PyResult<Self> {
        fork::check()?;
        if u32::try_from(count).is_err() {
            return Err(refusal(py, "count", count, &format!("be 0 to {}", u32::MAX)));
        }
        let made = world.read(py, |world| {
            let (first, indices) = (Member::new(world)?, world.indices());
            let members = Member::copies(repeat_n(&first, count))?;
            Ok((first, indices, All { members, workers: Worker::all()?, blocks: Vec::new() }))
        });
        let (first, indices, all) = made.or_raise(py)?;
        Ok(Self { all: Mutex::new(all), first, count, indices })
    }

    fn __len__(&self) -> usize {
        self.count
    }

    // So that `if worlds` does not ask for worlds.
    fn __bool__(&self) -> bool {
        true
    }

    #[getter]
    fn indices(&self) -> usize {
        self.indices
    }

    fn __getitem__(&self, py: Python<'_>, world: isize) -> PyResult<World> {
        fork::check()?;
        let index = self.index(world)?;
        Ok(World::new_of(self.with(py, |all| all.members[index].world.clone())))
    }

    fn replace(&self, py: Python<'_>, world: isize, by: &World) -> PyResult<()> {
        fork::check()?;
        let index = self.index(world)?;
        let (member, indices) = by.read(py, |world| (Member::new(world), world.indices()));
        if indices != self.indices {
            let limit = format!("have as many indices as all worlds, {}", self.indices);
            return Err(refusal(py, "by", format!("a world of {indices} indices"), &limit));
        }
        let member = member.or_raise(py)?;
        self.with(py, |all| all.members[index] = member);
        Ok(())
    }

    #[pyo3(signature = (which=None))]
    fn reset(&self, py: Python<'_>, which: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        fork::check()?;
        let which = self.some(which)?;
        self.with(py, |All { members, workers, .. }| {
            share(rows(members, which.as_deref()).chunks_mut(TOGETHER), workers, |_, rows| {
                for (_, _, member) in rows {
                    member.world.clone_from(&self.first.world);
                    member.spacious = self.first.spacious;
                }
            });
        });
        Ok(())
    }

    #[pyo3(signature = (at, ids=None, *, which=None))]
    fn set_positions(
        &self,
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
        which: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (ids, which) = (chosen(ids)?, self.some(which)?);
        let (ids, which) = (ids.as_deref(), which.as_deref());
        let at = Points::read(&self.shaped(at, "at", which, ids, &[2])?, "at")?;
        let len = ids.map_or(self.indices, <[BodyId]>::len);
        self.edit(
            py,
            which,
            |row, member| member.spacious && member.has(ids) && Rows::of(&at, row, len).lie_within(NEAR),
            |row, world| Rows::of(&at, row, len).set_positions(world, bodies(ids)),
        )
    }

    #[pyo3(signature = (at, motion, ids=None, *, which=None))]
    fn set_moving(
        &self,
        py: Python<'_>,
        at: &Bound<'_, PyAny>,
        motion: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
        which: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (ids, which) = (chosen(ids)?, self.some(which)?);
        let (ids, which) = (ids.as_deref(), which.as_deref());
        let at = Points::read(&self.shaped(at, "at", which, ids, &[2])?, "at")?;
        let motion = Points::read(&self.shaped(motion, "motion", which, ids, &[2])?, "motion")?;
        let len = ids.map_or(self.indices, <[BodyId]>::len);
        let both = |row| (Rows::of(&at, row, len), Rows::of(&motion, row, len));
        self.edit(
            py,
            which,
            |row, member| {
                let (at, motion) = both(row);
                member.spacious && member.has(ids) && at.lie_within(NEAR) && motion.lie_within(FAST)
            },
            |row, world| {
                let (at, motion) = both(row);
                at.set_moving(motion, world, bodies(ids))
            },
        )
    }

    #[pyo3(signature = (enabled, ids=None, *, which=None))]
    fn set_enabled(
        &self,
        py: Python<'_>,
        enabled: &Bound<'_, PyAny>,
        ids: Option<&Bound<'_, PyAny>>,
        which: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let (ids, which) = (chosen(ids)?, self.some(which)?);
        let (ids, which) = (ids.as_deref(), which.as_deref());
        let enabled = truths(&self.shaped(enabled, "enabled", which, ids, &[])?, "enabled")?;
        let len = ids.map_or(self.indices, <[BodyId]>::len);
        self.edit(
            py,
            which,
            |_, member| member.has(ids),
            |row, world| {
                for column in 0..len {
                    let id = match ids {
                        Some(ids) => Some(ids[column]),
                        None => world.id(column as u32),
                    };
                    // A body that stays as it is takes no time.
                    let enabled = enabled.at(row * len + column);
                    if let Some(id) = id
                        && world.body(id).is_none_or(|body| body.enabled != enabled)
                    {
                        world.set_enabled(id, enabled)?;
                    }
                }
                Ok(())
            },
        )
    }

    fn advance(&self, py: Python<'_>) -> PyResult<()> {
        fork::check()?;
        let surely = |_, member: &Member| {
            let mut at = Vec::new();
            // No motion is faster, so every body ends at a position that is `NEAR`.
            let stays = |at: &geometry::Vec2| at.x.abs().max(at.y.abs()) <= NEAR - FAST;
            member.spacious && member.world.positions(Bodies::All, &mut at).is_ok() && at.iter().all(stays)
        };
        self.edit(py, None, surely, |_, world| world.advance())
    }

    #[pyo3(signature = (ids=None))]
    fn positions<'py>(&self, py: Python<'py>, ids: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let ids = chosen(ids)?;
        let len = ids.as_ref().map_or(self.indices, Vec::len);
        let read = self.with(py, |All { members, workers, .. }| {
            let values = members.len().saturating_mul(len);
            // A list of zeros, which the system provides without writing them, cannot fail.
            memory::list::<[f64; 2]>("the array of positions", values)?;
            let mut rows = vec![[0.0; 2]; values];
            let failed = Mutex::new(None);
            let worlds = members.iter().enumerate().zip(rows.chunks_mut(len.max(1)));
            share(worlds, workers, |_, ((world, member), rows)| {
                let mut at = Vec::new();
                note(&failed, world, member.world.positions(bodies(ids.as_deref()), &mut at));
                rows.iter_mut().zip(at).for_each(|(row, at)| *row = at.into());
            });
            first(failed).map(|()| rows)
        });
        let flat = PyArray1::from_vec(py, read.or_raise(py)?.into_flattened());
        Ok(flat.reshape([self.count, len, 2])?.into_any())
    }

    #[pyo3(signature = (ask=Ask::Pairs))]
    fn run(&self, py: Python<'_>, ask: Ask) -> PyResult<WorldsHits> {
        fork::check()?;
        let ran = self.with(py, |All { members, workers, blocks }| {
            Block::run_all(members, workers, blocks, ask.into())?;
            Block::join(blocks, members.len(), self.indices)
        });
        WorldsHits::new_of(py, ran.or_raise(py)?)
    }

    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        fork::check()?;
        let all = self.with(py, |All { members, .. }| {
            let members = Member::copies(members.iter())?;
            Ok((self.first.copy()?, All { members, workers: Worker::all()?, blocks: Vec::new() }))
        });
        let (first, all) = all.or_raise(py)?;
        Ok(Self { all: Mutex::new(all), first, count: self.count, indices: self.indices })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.copy(py)
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.Worlds, {} of {} indices>", self.count, self.indices)
    }
}
