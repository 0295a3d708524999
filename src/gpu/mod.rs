//! The engine on a GPU: integer compute shaders through wgpu, on its default limits, without optional features.
//!
//! A step is one list of dispatches ([`stages`]): *land* the bodies, *sort* them along a curve, *sweep* tiles of them against each other
//! for candidate pairs, *paint* the turned sprites among these, *judge* each, *order* those that hit, tell their *details*. The host
//! waits once, at the end. Counts stay on the GPU, which plans its later dispatches itself.
//!
//! What did not fit is counted all the same. The host then makes room, remembers that for later steps, and does the step again; where a
//! list cannot grow, rows are done in runs that fit. No dispatch runs long: an invocation that has spent its fuel puts down how far its
//! pair is, and the host dispatches again until all are done.

mod buffers;
mod device;
pub mod modules;
mod narrow;
pub mod params;
mod pass;
mod readback;
mod record;
pub mod scan;
pub mod sort;
pub mod stages;
#[cfg(test)]
mod tests;

pub use device::{GpuInfo, Options, list, wanted};

use rayon::prelude::*;

use std::sync::Arc;
use std::time::Instant;

use crate::broad::Broad;
use crate::error::{Error, Result};
use crate::hits::{Ask, Detail, Hits};
use crate::packed::{Aabb, Body, Slots};
use crate::profile::Profile;
use crate::world::{Touch, World};
use buffers::{
    ATLAS, BODIES, BOUNDS, BOXES, Buffers, CANDIDATES, DETAILS, DISPATCHES, ELEMENTS, FILTERS, HEADER, LANDED, MARKED,
    PAIRS, PICKED, PROGRESS, ROWS, SHAPES, SUMS, SWEPT, TILES, VERDICTS,
};
use params::{Header, Params, RawDetail};
use pass::Passes;
use readback::Readback;
use record::{DISPATCH_STRIDE, Recording, Timer};
use stages::Stages;

/// Invocations in most workgroups.
#[doc(hidden)]
pub const GROUP: u32 = 64;
/// Bodies of a tile of the broad phase, tiles of a block, and invocations in its workgroups.
#[doc(hidden)]
pub const TILE: u32 = 64;
/// The bodies from which on they are sorted, unless the user says otherwise.
const SORTED_FROM: usize = 4096;
/// The most candidates in a dispatch, and pairs whose details are held at once.
#[doc(hidden)]
pub const AT_ONCE: u32 = 1 << 20;
/// The bytes that verdicts and lists of candidates take for each candidate.
const CANDIDATE_LISTS: u64 = 12;
/// The room for candidates to begin with, for each body.
const CANDIDATES_EACH: u32 = 4;
/// The tiles that a workgroup of the broad phase compares its own with in a dispatch, on hardware and in software: 64 columns each, and
/// at worst three iterations a column, of which lavapipe lets an invocation have 65,535 in sum.
const TILES_AT_ONCE: [u32; 2] = [512, 256];
/// The most words of 64 bits that a sprite painted ahead takes, for the same reason; a larger one is sampled where it is looked at.
const PAINTED_WORDS: usize = 1 << 15;
/// What an invocation of the narrow phase may do in a dispatch, in iterations of loops, on hardware and in software.
const FUEL: [i32; 2] = [1 << 18, 24_000];
/// The least fuel with which a step is done again after loops were cut.
const LEAST_FUEL: i32 = 300;
/// How far shaders count to see that their loops were not cut.
const SENTINEL: u32 = 4;
/// The bytes that a pair's progress takes, which is more than anything else that there is for each candidate.
#[doc(hidden)]
pub const PROGRESS_SIZE: u64 = 16;
/// The size of the buffer through which results come back; more comes in parts.
const STAGING: u64 = 32 << 20;

/// The GPU engine.
#[derive(Debug)]
pub struct Engine {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: GpuInfo,
    passes: Arc<Passes>,
    buffers: Buffers,
    readback: Readback,
    /// Where timestamps were asked for, and the GPU has them.
    timer: Option<Timer>,
    /// The most candidates held at once.
    most_candidates: u32,
    /// The most workgroups in a dimension of a dispatch.
    most_groups: u32,
    broad: Broad,
    /// What an invocation of the narrow phase may do.
    fuel: i32,
    /// Whether the driver has cut a loop short in the step that is under way.
    cut: bool,
    /// What the last steps have shown to be needed.
    learnt: Learnt,
    profile: Profile,
}

/// What a step needs that only a step tells: the next begins with it.
#[derive(Clone, Copy, Debug)]
struct Learnt {
    /// Room for candidates.
    candidates: u32,
    /// Pairs to bring back with the counts.
    pairs: u32,
    /// Dispatches of the broad phase after which all tiles are compared.
    rounds: u32,
    /// Whether some pair is not done in one dispatch, so that there is to be room for how far each is.
    unfinished: bool,
}

/// What a run of rows has come to.
struct Run {
    header: Header,
    flags: Vec<u32>,
    pairs: Vec<[u32; 2]>,
    details: Vec<RawDetail>,
}

impl Engine {
    /// On the GPU whose name contains `name`, in whatever case; by default the environment's `WGPU_ADAPTER_NAME`, else the most powerful.
    pub fn new(name: Option<&str>) -> Result<Self> {
        Self::with(&Options { name: name.map(str::to_owned), ..Options::default() })
    }

    /// On a GPU chosen and opened as `options` say.
    pub fn with(options: &Options) -> Result<Self> {
        let (device, queue) = device::open(options)?;
        Self::on(device, queue, options)
    }

    /// On a device that a host has opened, within its limits; its error handling is left as it is.
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self> {
        Self::on(device, queue, &Options::default())
    }

    /// On an open device, as `options` say of all but its opening.
    pub fn on(device: wgpu::Device, queue: wgpu::Queue, options: &Options) -> Result<Self> {
        let info = GpuInfo::new(&device.adapter_info());
        let passes = Arc::new(Passes::new(&device)?);
        let buffers = Buffers::new(&device);
        let readback = Readback::new(&device, STAGING);
        let timer = device.features().contains(wgpu::Features::TIMESTAMP_QUERY).then(|| Timer::new(&device, &queue));
        let fitting = (buffers.limit() / PROGRESS_SIZE).min(u64::from(u32::MAX / 4)) as u32;
        let most_candidates = options.candidates.unwrap_or(fitting).clamp(1, fitting);
        let fuel = FUEL[usize::from(info.software)];
        let most_groups = device.limits().max_compute_workgroups_per_dimension;
        Ok(Self {
            device,
            queue,
            info,
            passes,
            buffers,
            readback,
            timer,
            most_candidates,
            most_groups,
            broad: options.broad,
            fuel,
            cut: false,
            learnt: Learnt { candidates: 0, pairs: 0, rounds: 1, unfinished: false },
            profile: Profile::default(),
        })
    }

    /// What it runs on.
    #[must_use]
    pub fn info(&self) -> &GpuInfo {
        &self.info
    }

    /// The limits with which the GPU was opened.
    #[must_use]
    pub fn limits(&self) -> wgpu::Limits {
        self.device.limits()
    }

    /// What the last step cost.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The bytes that it holds on the GPU beyond the world's own and the pairs'.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.buffers.bytes()
    }

    /// Answers which bodies hit which.
    pub fn run(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        self.profile = Profile::default();
        if world.len() < 2 {
            return Ok(Hits::none(world.len()));
        }
        let scopes = [wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::Internal]
            .map(|filter| self.device.push_error_scope(filter));
        let mut answer = self.step(world, ask);
        for scope in scopes.into_iter().rev() {
            if let Some(error) = pollster::block_on(scope.pop()) {
                answer = Err(Error::Gpu { problem: error.to_string() });
            }
        }
        answer
    }

    /// A step, done again with less fuel where the driver cut loops short.
    fn step(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        loop {
            self.cut = false;
            let hits = self.try_step(world, ask)?;
            if !self.cut {
                return Ok(hits);
            }
            if self.fuel < LEAST_FUEL {
                // Another world may do with all of it.
                self.fuel = FUEL[usize::from(self.info.software)];
                let problem = "the driver ends loops early (lavapipe does after 65,535 iterations), and a shape has too many \
                               vertices for that; use the CPU engine";
                return Err(Error::Gpu { problem: problem.into() });
            }
            self.fuel /= 4;
        }
    }

    /// A step; its answer means nothing where the driver cut loops short.
    fn try_step(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        let start = Instant::now();
        let pose = self.upload(world)?;
        self.profile.lap("upload", start);
        let bodies = pose.bodies;
        let all_tiles = bodies.div_ceil(TILE);
        let all_rounds = all_tiles.div_ceil(pose.tiles);
        // Unsorted, every tile is compared with every later one.
        let mut rounds = if pose.sorted == 1 { self.learnt.rounds.min(all_rounds) } else { all_rounds };
        self.learnt.candidates =
            self.learnt.candidates.max(bodies.saturating_mul(CANDIDATES_EACH)).min(self.most_candidates);
        let mut hits = Hits::default();
        let (mut posed, mut ordered) = (false, true);
        let (mut first_row, mut last_row) = (0, bodies);
        while first_row < bodies {
            let params = Params { first_row, last_row, capacity: self.learnt.candidates, ..pose };
            let run = self.run_rows(params, rounds, ask, !posed)?;
            let header = run.header;
            posed = true;
            self.cut |= header.cut != 0;
            if self.cut {
                return Ok(hits);
            }
            if header.swept < last_row.div_ceil(TILE) - first_row / TILE {
                // As many as there are tiles, which is more than enough.
                rounds = all_rounds;
                self.learnt.rounds = rounds;
                continue;
            }
            let candidates = header.all_candidates();
            if candidates > u64::from(params.capacity) {
                let fits = u64::from(self.most_candidates);
                if candidates <= fits {
                    self.learnt.candidates = (candidates + candidates / 4).min(fits) as u32;
                } else if params.capacity < self.most_candidates {
                    self.learnt.candidates = self.most_candidates;
                } else if last_row - first_row == 1 {
                    return Err(Error::Capacity {
                        what: format!("the candidate pairs of body {} alone", self.body_at(params)?),
                        needed: candidates * 8,
                        limit: "the memory allowed for them",
                        available: fits * 8,
                        advice: "allow more, or use the CPU engine",
                    });
                } else {
                    last_row = first_row + (last_row - first_row) / 2;
                }
                continue;
            }
            self.profile.candidates += candidates;
            let done = first_row == 0 && last_row == bodies;
            let run = self.finish_run(params, ask, run)?;
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
        let sorted = match self.broad {
            Broad::ByNumber => world.len() >= SORTED_FROM,
            Broad::AllPairs => false,
            Broad::Sorted => true,
        };
        let packed = world.packed();
        let bodies = packed.bodies.len() as u64;
        // Painting ahead is a convenience: sprites beyond what a buffer holds are sampled where they are looked at.
        let vertices = packed.bodies.iter().map(|body| packed.corners(body)).sum::<usize>() as u64;
        let room = (self.buffers.limit() / 8).saturating_sub(vertices);
        let slots = Slots::new(packed, room as usize, PAINTED_WORDS);
        let placed = packed.bodies.iter().zip(&slots.of).map(|(&body, &slot)| Body { slot, ..body });
        let gpu = (&self.device, &self.queue);
        self.buffers.write(gpu, BODIES, &placed.collect::<Vec<_>>())?;
        self.buffers.write(gpu, SHAPES, &packed.shapes)?;
        self.buffers.write(gpu, ATLAS, &packed.words)?;
        let tiles = bodies.div_ceil(TILE.into());
        let in_tiles = tiles * u64::from(TILE);
        if sorted {
            self.make_sorting_room(bodies as u32)?;
        }
        let bits = bodies.div_ceil(32) * 4;
        let sizes = [
            (LANDED, 8 * (vertices + slots.words as u64)),
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
            self.buffers.ensure(&self.device, binding, bytes)?;
        }
        Ok(Params {
            bodies: bodies as u32,
            touch: u32::from(world.touch() == Touch::Included),
            sorted: sorted.into(),
            tiles: TILES_AT_ONCE[usize::from(self.info.software)],
            painted: 2 * vertices as u32,
            paints: u32::from(slots.words > 0),
            sentinel: SENTINEL,
            fuel: self.fuel,
            groups: self.most_groups,
            ..Params::default()
        })
    }

    /// Makes room for what is as long as the list of candidates.
    fn make_room(&mut self, params: Params, ask: Ask) -> Result<()> {
        let capacity = u64::from(params.capacity);
        let slots = stages::FIRST_PART + stages::parts_of(params.capacity);
        self.buffers.ensure(&self.device, CANDIDATES, capacity * 8)?;
        self.buffers.ensure(&self.device, VERDICTS, capacity * CANDIDATE_LISTS)?;
        self.buffers.ensure(&self.device, DISPATCHES, u64::from(slots) * DISPATCH_STRIDE)?;
        if ask > Ask::Flags {
            self.buffers.ensure(&self.device, PAIRS, capacity * 8)?;
        }
        if self.learnt.unfinished {
            self.buffers.ensure(&self.device, PROGRESS, capacity * PROGRESS_SIZE)?;
        }
        if ask == Ask::Details {
            self.buffers.ensure(
                &self.device,
                DETAILS,
                u64::from(self.details_at_once(params)) * size_of::<RawDetail>() as u64,
            )?;
        }
        Ok(())
    }

    /// The most pairs whose details are held at once.
    fn details_at_once(&self, params: Params) -> u32 {
        let fits = (self.buffers.limit() / size_of::<RawDetail>() as u64).min(AT_ONCE.into()) as u32;
        params.capacity.min(fits)
    }

    /// All stages for some rows, recorded at once, with one wait behind them.
    fn run_rows(&mut self, params: Params, rounds: u32, ask: Ask, pose: bool) -> Result<Run> {
        self.make_room(params, ask)?;
        // What is counted begins anew; flags are cleared with the pose, and stay for later runs.
        self.queue.write_buffer(self.buffers.get(HEADER), 0, bytemuck::bytes_of(&Header::START));
        let passes = Arc::clone(&self.passes);
        let mut stages = Stages::new(&passes, params);
        if pose {
            stages.pose();
        }
        stages.sweep(rounds);
        stages.judge();
        stages.order(ask, self.details_at_once(params));
        self.finish_with_pairs(&stages.recording, params, ask)
    }

    /// Does what is recorded, and brings back what is counted, the flags, and as many pairs as there were in the last step, with details.
    fn finish_with_pairs(&mut self, recording: &Recording<'_>, params: Params, ask: Ask) -> Result<Run> {
        let counted = size_of::<Header>() as u64 + u64::from(params.bodies.div_ceil(32)) * 4;
        let each = [0, 8, 8 + size_of::<RawDetail>() as u64][ask as usize];
        let room = self.readback.size().saturating_sub(counted).checked_div(each).unwrap_or(0);
        let most = if ask == Ask::Details { self.details_at_once(params) } else { params.capacity };
        let expected = u64::from(self.learnt.pairs.min(most)).min(room);
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
    }

    /// The body of the first row.
    fn body_at(&self, params: Params) -> Result<u32> {
        let mut element = vec![[0, params.first_row]];
        if params.sorted == 1 {
            element.clear();
            self.read(ELEMENTS, u64::from(params.first_row) * 8, 1, &mut element)?;
        }
        Ok(element[0][1])
    }

    fn read<T: bytemuck::Pod>(&self, binding: u32, offset: u64, count: usize, to: &mut Vec<T>) -> Result<()> {
        self.readback.read((&self.device, &self.queue), self.buffers.get(binding), offset, count, to)
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
