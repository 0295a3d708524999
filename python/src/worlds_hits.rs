//! The answer of a step of many worlds.

use std::sync::Mutex;

use hitmask_python_documented::documented;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PySlice;

use crate::memory;
use crate::structured::{Detail, array_of_words, read_only};
use crate::worlds::{Member, TOGETHER, first, note};
use crate::worlds_share::{Worker, share};

/// The answers of some worlds that follow each other.
#[derive(Default)]
pub(crate) struct Block {
    flags: Vec<bool>,
    pairs: Vec<[u32; 3]>,
    details: Vec<Detail>,
    /// The number of pairs of each world.
    counts: Vec<usize>,
}

/// The answers of all worlds.
pub(crate) struct Joined {
    indices: usize,
    flags: Vec<bool>,
    pairs: Vec<[u32; 3]>,
    /// The words of `Detail`.
    details: Vec<u64>,
    offsets: Vec<i64>,
}

impl Block {
    /// Runs a step of all worlds.
    pub(crate) fn run_all(
        members: &[Member],
        workers: &mut [Worker],
        blocks: &mut Vec<Self>,
        ask: hitmask::Ask,
    ) -> hitmask::Result<()> {
        blocks.resize_with(members.len().div_ceil(TOGETHER), Self::default);
        let failed = Mutex::new(None);
        let tasks = members.chunks(TOGETHER).zip(blocks).enumerate();
        share(tasks, workers, |worker, (task, (members, block))| {
            block.clear();
            for (world, member) in (task * TOGETHER..).zip(members) {
                match worker.engine.run_into(&member.world, ask, &mut worker.hits) {
                    Ok(()) => block.add(world as u32, member.world.indices(), &worker.hits),
                    failure => note(&failed, world, failure),
                }
            }
        });
        first(failed)
    }

    fn clear(&mut self) {
        self.flags.clear();
        self.pairs.clear();
        self.details.clear();
        self.counts.clear();
    }

    /// Adds the answer of a world.
    fn add(&mut self, world: u32, indices: usize, hits: &hitmask::Hits) {
        self.flags.extend((0..indices).map(|body| hits.flag(body)));
        self.pairs.extend(hits.pairs.iter().map(|&[a, b]| [world, a, b]));
        self.details.extend(hits.details.iter().map(Detail::from));
        self.counts.push(hits.pairs.len());
    }

    /// Joins the answers of all worlds.
    pub(crate) fn join(blocks: &[Self], worlds: usize, indices: usize) -> hitmask::Result<Joined> {
        let mut offsets = memory::list("the list of offsets", worlds + 1)?;
        offsets.push(0);
        let mut end = 0;
        for count in blocks.iter().flat_map(|block| &block.counts) {
            end += *count as i64;
            offsets.push(end);
        }
        let details = blocks.iter().map(|block| bytemuck::cast_slice::<_, u64>(&block.details).len()).sum();
        let mut joined = Joined {
            indices,
            flags: memory::list("the array of flags", worlds.saturating_mul(indices))?,
            pairs: memory::list("the array of pairs", end as usize)?,
            details: memory::list("the array of details", details)?,
            offsets,
        };
        for block in blocks {
            joined.flags.extend_from_slice(&block.flags);
            joined.pairs.extend_from_slice(&block.pairs);
            joined.details.extend_from_slice(bytemuck::cast_slice(&block.details));
        }
        Ok(joined)
    }
}

#[documented]
#[pyclass(frozen, module = "hitmask", sequence)]
pub(crate) struct WorldsHits {
    flags: Py<PyAny>,
    pairs: Py<PyAny>,
    details: Py<PyAny>,
    offsets: Py<PyAny>,
    ends: Vec<i64>,
}

impl WorldsHits {
    pub(crate) fn new_of(py: Python<'_>, Joined { indices, flags, pairs, details, offsets }: Joined) -> PyResult<Self> {
        let (worlds, rows) = (offsets.len() - 1, pairs.len());
        let flags = PyArray1::from_vec(py, flags).reshape([worlds, indices])?;
        let pairs = PyArray1::from_vec(py, pairs.into_flattened()).reshape([rows, 3])?;
        Ok(Self {
            flags: read_only(flags.into_any())?.unbind(),
            pairs: read_only(pairs.into_any())?.unbind(),
            details: read_only(array_of_words::<Detail>(py, details)?)?.unbind(),
            offsets: read_only(PyArray1::from_slice(py, &offsets).into_any())?.unbind(),
            ends: offsets,
        })
    }
}

#[documented]
#[pymethods]
impl WorldsHits {
    #[getter]
    fn flags<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.flags.bind(py).clone()
    }

    #[getter]
    fn pairs<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.pairs.bind(py).clone()
    }

    #[getter]
    fn details<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.details.bind(py).clone()
    }

    #[getter]
    fn offsets<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.offsets.bind(py).clone()
    }

    fn __len__(&self) -> usize {
        self.ends.len() - 1
    }

    fn __getitem__<'py>(&self, py: Python<'py>, world: isize) -> PyResult<Bound<'py, PyAny>> {
        let len = self.__len__() as isize;
        let index = if world < 0 { world + len } else { world };
        if !(0..len).contains(&index) {
            return Err(PyIndexError::new_err(format!("there are {len} worlds")));
        }
        let range = &self.ends[index as usize..][..2];
        let rows = PySlice::new(py, range[0] as isize, range[1] as isize, 1);
        self.pairs.bind(py).get_item((rows, PySlice::new(py, 1, 3, 1)))
    }

    fn __repr__(&self) -> String {
        format!("<hitmask.WorldsHits of {} worlds>", self.__len__())
    }
}
