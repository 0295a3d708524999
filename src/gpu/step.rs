//! A step: one submission and one wait where all fits, else as many as it takes.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use rayon::prelude::*;

use crate::broad::Broad;
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::touch::Touch;
use crate::hits::{Ask, Detail, Hits};
use crate::profile::Profile;
use crate::world::World;

use super::buffers::{
    BOUNDS, BOXES, CANDIDATES, DETAILS, DISPATCHES, ELEMENTS, FILTERS, HEADER, LANDED, MARKED, PAIRS, PICKED, PROGRESS,
    ROWS, SUMS, SWEPT, TILES, VERDICTS,
};
use super::params::{Header, Params, RawDetail};
use super::readback::{Readback, lock};
use super::record::{DISPATCH_STRIDE, Recording};
use super::results::Results;
use super::shared::{Frame, Shared};
use super::stages::{self, Stages};
use super::{AT_ONCE, PROGRESS_SIZE, TILE, scan};

/// The bodies from which on they are sorted, unless the user says otherwise.
const SORTED_FROM: usize = 4096;
/// The bytes that verdicts and lists of candidates take for each candidate.
const CANDIDATE_LISTS: u64 = 12;
/// The room for candidates to begin with, for each body.
pub(super) const CANDIDATES_EACH: u32 = 4;
/// The tiles that a workgroup of the sorted broad phase compares its own with in a dispatch, on hardware and in software: 64 columns each, and
/// at worst three iterations a column, of which lavapipe lets an invocation have 65,535 in sum.
const TILES_AT_ONCE: [u32; 2] = [512, 256];
/// The least fuel with which a step is done again after loops were cut.
const LEAST_FUEL: i32 = 300;
/// How far shaders count to see that their loops were not cut.
const SENTINEL: u32 = 4;

/// A step, with a frame of its own, which goes back when it is dropped.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) shared: Arc<Shared>,
    pub(super) frame: Frame,
    pub(super) told: Arc<Mutex<Told>>,
    pub(super) profile: Profile,
    /// Whether the driver has cut a loop short in the try that is under way.
    pub(super) cut: bool,
    pub(super) ask: Ask,
    /// What all dispatches are told of the world.
    pose: Params,
    /// The bodies that were uploaded to be put in their places.
    changed: u32,
}

/// What a step tells its ticket while it is in flight.
#[derive(Debug)]
pub(super) struct Told {
    /// Its last submission.
    pub(super) submission: Option<wgpu::SubmissionIndex>,
    /// Where its results are.
    pub(super) results: Results,
}

/// What a run of rows has come to.
pub(super) struct Run {
    pub(super) header: Header,
    pub(super) flags: Vec<u32>,
    pub(super) pairs: Vec<[u32; 2]>,
    pub(super) details: Vec<RawDetail>,
}

impl Step {
    /// A step of a world, which is uploaded: what it does later does not need it.
    pub(super) fn new(shared: &Arc<Shared>, world: &World, ask: Ask) -> Result<Self> {
        let frame = shared.lend()?;
        let results = Results::new(&frame.buffers, 0, ask);
        let mut step = Self {
            shared: Arc::clone(shared),
            frame,
            told: Arc::new(Mutex::new(Told { submission: None, results })),
            profile: Profile::default(),
            cut: false,
            ask,
            pose: Params::default(),
            changed: 0,
        };
        let start = Instant::now();
        step.pose = step.upload(world)?;
        step.profile.lap("upload", start);
        Ok(step)
    }

    /// The answer; with the step, whose frame holds what it leaves on the GPU. Pending whenever it waits for the device.
    pub(super) async fn answer(mut self: Box<Self>) -> (Box<Self>, Result<Hits>) {
        let hits = self.hits().await;
        (self, hits)
    }

    /// Tries, again with less fuel where the driver cut loops short.
    async fn hits(&mut self) -> Result<Hits> {
        if self.pose.bodies < 2 {
            return Ok(self.none());
        }
        self.pose.fuel = self.shared.learnt().fuel;
        loop {
            self.cut = false;
            let hits = self.try_rows().await?;
            if !self.cut {
                return Ok(hits);
            }
            let fuel = &mut self.pose.fuel;
            if *fuel < LEAST_FUEL {
                // Another world may do with all of it.
                let full = self.shared.full_fuel();
                self.shared.learn(|learnt| learnt.fuel = full);
                let problem = "the driver ends loops early (lavapipe does after 65,535 iterations), and a shape has too many \
                               vertices for that; use the CPU engine";
                return Err(Error::Gpu { problem: problem.into() });
            }
            *fuel /= 4;
            self.shared.learn(|learnt| learnt.fuel = *fuel);
        }
    }

    /// The answer of a world without two bodies, here and on the GPU.
    fn none(&self) -> Hits {
        let header = Header { complete: 1, ..Header::START };
        let Self { shared, frame, .. } = self;
        shared.queue.write_buffer(frame.buffers.get(HEADER), 0, bytemuck::bytes_of(&header));
        shared.queue.write_buffer(frame.buffers.get(HEADER), size_of::<Header>() as u64, &[0; 4]);
        self.tell_results();
        Hits::none(self.pose.bodies as usize)
    }

    /// All rows, in as many runs as it takes; the answer means nothing where the driver cut loops short.
    async fn try_rows(&mut self) -> Result<Hits> {
        let (pose, learnt) = (self.pose, self.shared.learnt());
        let (bodies, most) = (pose.bodies, self.shared.most_candidates);
        let all_tiles = bodies.div_ceil(TILE);
        let all_rounds = all_tiles.div_ceil(pose.tiles);
        let mut rounds = learnt.rounds.min(all_rounds);
        let mut capacity = learnt.candidates.max(bodies.saturating_mul(CANDIDATES_EACH)).min(most);
        let mut hits = Hits::default();
        let (mut posed, mut ordered) = (false, true);
        let (mut first_row, mut last_row) = (0, bodies);
        while first_row < bodies {
            let params = Params { first_row, last_row, capacity, ..pose };
            let run = self.run_rows(params, rounds, !posed).await?;
            let header = run.header;
            posed = true;
            self.cut |= header.cut != 0;
            if self.cut {
                return Ok(hits);
            }
            if pose.sorted == 1 && header.swept < last_row.div_ceil(TILE) - first_row / TILE {
                // As many as there are tiles, which is more than enough.
                rounds = all_rounds;
                self.shared.learn(|learnt| learnt.rounds = rounds);
                continue;
            }
            let candidates = header.all_candidates();
            if candidates > u64::from(params.capacity) {
                let fits = u64::from(most);
                if candidates <= fits {
                    capacity = (candidates + candidates / 4).min(fits) as u32;
                } else if capacity < most {
                    capacity = most;
                } else if last_row - first_row == 1 {
                    return Err(Error::Capacity {
                        what: format!("the candidate pairs of body {} alone", self.body_at(params).await?),
                        needed: candidates * 8,
                        limit: "the memory allowed for them",
                        available: fits * 8,
                        advice: "allow more, or use the CPU engine",
                    });
                } else {
                    last_row = first_row + (last_row - first_row) / 2;
                }
                self.shared.learn(|learnt| learnt.candidates = learnt.candidates.max(capacity));
                continue;
            }
            self.profile.candidates += candidates;
            let done = first_row == 0 && last_row == bodies;
            let run = self.finish_run(params, run).await?;
            if self.cut {
                return Ok(hits);
            }
            // Runs of sorted rows, and rows of pairs too long for the GPU, are put in order here.
            ordered &= run.header.longest_rows == 0 && (done || pose.sorted == 0);
            hits.flags = run.flags;
            hits.pairs.extend(run.pairs);
            hits.details.extend(run.details.into_iter().map(Detail::from));
            (first_row, last_row) = (last_row, bodies.min(last_row.saturating_add(2 * (last_row - first_row))));
        }
        if !ordered {
            let start = Instant::now();
            sort_hits(&mut hits);
            self.profile.lap("order", start);
        }
        Ok(hits)
    }

    /// Uploads a world and makes room for what is as large as it.
    fn upload(&mut self, world: &World) -> Result<Params> {
        let sorted = match self.shared.broad {
            Broad::ByNumber => world.len() >= SORTED_FROM,
            Broad::AllPairs => false,
            Broad::Sorted => true,
        };
        self.changed = self.frame.upload(&self.shared, world)?;
        let bodies = world.len() as u64;
        let (landed, paints) = (self.frame.held.slots.units() as u64, self.frame.held.slots.paints());
        let tiles = bodies.div_ceil(TILE.into());
        let in_tiles = tiles * u64::from(TILE);
        if sorted {
            self.make_sorting_room(bodies as u32)?;
        }
        let bits = bodies.div_ceil(32) * 4;
        let sizes = [
            (LANDED, 8 * landed),
            (BOUNDS, bodies * size_of::<Aabb>() as u64),
            (TILES, (tiles + tiles.div_ceil(TILE.into())) * size_of::<Aabb>() as u64),
            (BOXES, in_tiles * size_of::<Aabb>() as u64),
            (FILTERS, in_tiles * 8),
            (SWEPT, tiles * 4),
            (MARKED, bits),
            (PICKED, bodies * 4),
            (ROWS, bodies * 4),
            (SUMS, scan::sum_bytes(bodies)),
            (HEADER, size_of::<Header>() as u64 + bits),
        ];
        for (binding, bytes) in sizes {
            self.frame.buffers.ensure(&self.shared.device, binding, bytes)?;
        }
        Ok(Params {
            bodies: bodies as u32,
            touch: u32::from(world.touch() == Touch::Included),
            sorted: sorted.into(),
            tiles: if sorted {
                TILES_AT_ONCE[usize::from(self.shared.info.software)]
            } else {
                stages::columns_each(bodies as u32)
            },
            paints: paints.into(),
            sentinel: SENTINEL,
            groups: self.shared.most_groups,
            ..Params::default()
        })
    }

    /// Makes room for what is as long as the list of candidates.
    fn make_room(&mut self, params: Params) -> Result<()> {
        let ask = self.ask;
        let unfinished = self.shared.learnt().unfinished;
        let details = u64::from(self.details_at_once(params)) * size_of::<RawDetail>() as u64;
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        let capacity = u64::from(params.capacity);
        let slots = stages::FIRST_PART + stages::parts_of(params.capacity);
        buffers.ensure(&shared.device, CANDIDATES, capacity * 8)?;
        buffers.ensure(&shared.device, VERDICTS, capacity * CANDIDATE_LISTS)?;
        buffers.ensure(&shared.device, DISPATCHES, u64::from(slots) * DISPATCH_STRIDE)?;
        if ask > Ask::Flags {
            buffers.ensure(&shared.device, PAIRS, capacity * 8)?;
        }
        if unfinished {
            buffers.ensure(&shared.device, PROGRESS, capacity * PROGRESS_SIZE)?;
        }
        if ask == Ask::Details {
            buffers.ensure(&shared.device, DETAILS, details)?;
        }
        self.tell_results();
        Ok(())
    }

    /// The most pairs whose details are held at once.
    pub(super) fn details_at_once(&self, params: Params) -> u32 {
        let fits = (self.frame.buffers.limit() / size_of::<RawDetail>() as u64).min(AT_ONCE.into()) as u32;
        params.capacity.min(fits)
    }

    /// Tells the ticket where the results are.
    fn tell_results(&self) {
        lock(&self.told).results = Results::new(&self.frame.buffers, self.pose.bodies, self.ask);
    }

    /// All stages for some rows, recorded at once, with one wait behind them.
    async fn run_rows(&mut self, params: Params, rounds: u32, pose: bool) -> Result<Run> {
        self.make_room(params)?;
        // What is counted begins anew; flags are cleared with the pose, and stay for later runs.
        let header = self.frame.buffers.get(HEADER);
        self.shared.queue.write_buffer(header, 0, bytemuck::bytes_of(&Header::START));
        let passes = Arc::clone(&self.shared.passes);
        let mut stages = Stages::new(&passes, params);
        if pose {
            stages.pose(self.changed);
        }
        stages.sweep(rounds);
        stages.judge();
        stages.order(self.ask, self.details_at_once(params));
        self.finish_with_pairs(&stages.recording, params).await
    }

    /// Does what is recorded, and brings back what is counted, the flags, and as many pairs as there were in the last step, with details.
    pub(super) async fn finish_with_pairs(&mut self, recording: &Recording<'_>, params: Params) -> Result<Run> {
        let ask = self.ask;
        let counted = size_of::<Header>() as u64 + u64::from(params.bodies.div_ceil(32)) * 4;
        let each = [0, 8, 8 + size_of::<RawDetail>() as u64][ask as usize];
        let room = Readback::most(&self.shared.device).saturating_sub(counted).checked_div(each).unwrap_or(0);
        let most = if ask == Ask::Details { self.details_at_once(params) } else { params.capacity };
        let expected = u64::from(self.shared.learnt().pairs.min(most)).min(room);
        let mut parts = vec![(HEADER, 0, counted)];
        if expected > 0 {
            parts.push((PAIRS, 0, expected * 8));
            if ask == Ask::Details {
                parts.push((DETAILS, 0, expected * size_of::<RawDetail>() as u64));
            }
        }
        self.finish(recording, &parts, |bytes| {
            let (header, rest) = bytes.split_at(size_of::<Header>());
            let (flags, rest) = rest.split_at(counted as usize - size_of::<Header>());
            let header: Header = bytemuck::pod_read_unaligned(header);
            let there = expected.min(header.pairs.into()) as usize;
            let (pairs, details) = rest.split_at(expected as usize * 8);
            let details = if details.is_empty() { details } else { &details[..there * size_of::<RawDetail>()] };
            Run {
                header,
                flags: bytemuck::pod_collect_to_vec(flags),
                pairs: bytemuck::pod_collect_to_vec(&pairs[..there * 8]),
                details: bytemuck::pod_collect_to_vec(details),
            }
        })
        .await
    }

    /// The body of the first row.
    async fn body_at(&mut self, params: Params) -> Result<u32> {
        let mut element = vec![[0, params.first_row]];
        if params.sorted == 1 {
            element.clear();
            self.read(ELEMENTS, u64::from(params.first_row) * 8, 1, &mut element).await?;
        }
        Ok(element[0][1])
    }

    /// The `count` elements of a buffer from byte `offset` on, appended to `to`.
    pub(super) async fn read<T: bytemuck::Pod + Send>(
        &mut self,
        binding: u32,
        offset: u64,
        count: usize,
        to: &mut Vec<T>,
    ) -> Result<()> {
        let (mut at, end) = (offset, offset + (count * size_of::<T>()) as u64);
        to.reserve(count);
        while at < end {
            // A whole number of elements: their sizes are powers of two.
            let part = (end - at).min(Readback::most(&self.shared.device));
            let take = |bytes: &[u8]| to.extend(bytemuck::pod_collect_to_vec::<u8, T>(bytes));
            self.finish(&Recording::default(), &[(binding, at, part)], take).await?;
            at += part;
        }
        Ok(())
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        self.shared.take_back(std::mem::take(&mut self.frame));
    }
}

/// Puts pairs, and with them their details, in ascending order.
fn sort_hits(hits: &mut Hits) {
    if hits.details.is_empty() {
        hits.pairs.par_sort_unstable();
    } else {
        let mut found: Vec<_> = hits.pairs.drain(..).zip(hits.details.drain(..)).collect();
        found.par_sort_unstable_by_key(|(pair, _)| *pair);
        (hits.pairs, hits.details) = found.into_iter().unzip();
    }
}
