//! The engine on a GPU: integer compute shaders through wgpu, on its default limits, without optional features.
//!
//! A step is a list of dispatches: `land` and `paint` pose the bodies, `bound_tiles`, `count_rows`, a scan and `write_rows` make the list of candidate
//! pairs in order, `judge` gives each a verdict and raises flags, another scan and `order` close up those that hit, `detail_pairs`
//! tells what they carry. No dispatch runs long: an invocation that has spent its fuel puts down how far its pair is, and is dispatched
//! again. Where candidates do not fit, their list is grown and the rows are done again; where it cannot grow, rows
//! are done in runs that fit.

mod buffers;
mod device;
pub mod modules;
pub mod params;
mod pass;
mod readback;

pub use device::{GpuInfo, Options, list, wanted};

use rayon::prelude::*;

use std::time::Instant;

use crate::broad::Broad;
use crate::error::{Error, Result};
use crate::hits::{Ask, Detail, Hits};
use crate::morton::morton_order;
use crate::packed::{Aabb, Body, Slots};
use crate::profile::Profile;
use crate::world::{Touch, World};
use buffers::{
    ATLAS, BODIES, BOUNDS, Buffers, CANDIDATES, DETAILS, FLAGS, LANDED, PAIRS, PARAMS, PROGRESS, RANKED, ROWS, SHAPES,
    SUMS, TILES, VERDICTS,
};
use params::{Params, RawDetail};
use pass::{PARAMS_STRIDE, Pass, Passes};
use readback::Readback;

/// Invocations in most workgroups.
#[doc(hidden)]
pub const GROUP: u32 = 64;
/// Bodies of a tile of the broad phase, and invocations in its workgroups.
#[doc(hidden)]
pub const TILE: u32 = 256;
/// The bodies from which on they are sorted, unless the user says otherwise.
const SORTED_FROM: usize = 4096;
/// Elements that a workgroup scans.
#[doc(hidden)]
pub const BLOCK: u32 = 1024;
/// The most comparisons of bounds in a dispatch: about a second on a slow GPU, since drivers kill what takes two.
const COMPARISONS: u64 = 1 << 32;
/// The most candidates or pairs in a dispatch, and pairs whose details are held at once.
const CANDIDATES_AT_ONCE: u32 = 1 << 20;
/// The most dispatches in a submission. A scan takes three; three of the longest stay below what a driver kills.
const DISPATCHES_AT_ONCE: usize = 3;
/// The most columns in a dispatch: lavapipe ends the loops of an invocation after 65,535 iterations in sum.
const COLUMNS_AT_ONCE: u32 = 1 << 15;
/// The most words of 64 bits that a sprite painted ahead takes, for the same reason; a larger one is sampled where it is looked at.
const PAINTED_WORDS: usize = 1 << 15;
/// What an invocation of the narrow phase may do in a dispatch, in iterations of loops, on hardware and in software.
const FUEL: [i32; 2] = [1 << 18, 24_000];
/// The least fuel with which a step is done again after loops were cut.
const LEAST_FUEL: i32 = 300;
/// How far shaders count to see that their loops were not cut.
const SENTINEL: u32 = 4;
/// The bit of the first flag that says that they were.
#[doc(hidden)]
pub const CUT: u32 = 1 << 31;
/// The bytes that a pair's progress takes.
#[doc(hidden)]
pub const PROGRESS_SIZE: u64 = 16;
/// The most bodies painted in a dispatch.
const PAINTED_AT_ONCE: u32 = 1 << 20;

/// The GPU engine.
#[derive(Debug)]
pub struct Engine {
    device: wgpu::Device,
    queue: wgpu::Queue,
    info: GpuInfo,
    passes: Passes,
    buffers: Buffers,
    readback: Readback,
    /// The most candidates held at once.
    most_candidates: u32,
    /// The most workgroups in a dimension of a dispatch.
    most_groups: u32,
    broad: Broad,
    /// What an invocation of the narrow phase may do.
    fuel: i32,
    /// Whether the driver has cut a loop short in the step that is under way.
    cut: bool,
    profile: Profile,
}

/// A pass over some workgroups.
struct Dispatch<'a> {
    pass: &'a Pass,
    groups: u32,
    params: Params,
    /// What a scan goes over.
    values: Option<u32>,
}

impl Engine {
    /// On the GPU whose name contains `name`, in whatever case; by default the environment's `WGPU_ADAPTER_NAME`, else the most powerful.
    pub fn new(name: Option<&str>) -> Result<Self> {
        Self::with(&Options { name: name.map(str::to_owned), ..Options::default() })
    }

    /// On a GPU chosen and opened as `options` say.
    pub fn with(options: &Options) -> Result<Self> {
        let (device, queue, info) = device::open(options)?;
        let passes = Passes::new(&device)?;
        let buffers = Buffers::new(&device, DISPATCHES_AT_ONCE as u64 * PARAMS_STRIDE);
        let readback = Readback::new(&device);
        let fitting = (buffers.limit() / size_of::<[u32; 2]>() as u64).min(u64::from(u32::MAX)) as u32;
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
            most_candidates,
            most_groups,
            broad: options.broad,
            fuel,
            cut: false,
            profile: Profile::default(),
        })
    }

    /// What it runs on.
    #[must_use]
    pub fn info(&self) -> &GpuInfo {
        &self.info
    }

    /// The limits with which it was opened.
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
        if world.len() < 2 {
            return Ok(Hits::none(world.len()));
        }
        let scopes = [wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::Internal]
            .map(|filter| self.device.push_error_scope(filter));
        let start = Instant::now();
        let mut answer = self.step(world, ask);
        self.profile = Profile::default();
        self.profile.lap("whole", start);
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
        let sorted = match self.broad {
            Broad::ByNumber => world.len() >= SORTED_FROM,
            Broad::AllPairs => false,
            Broad::Sorted => true,
        };
        let pose = self.pose(world)?;
        let pose = self.rank(world, sorted, pose)?;
        let mut hits = Hits::default();
        let (mut first_row, mut last_row) = (0, pose.ranks);
        while first_row < pose.ranks {
            let params = Params { first_row, last_row, ..pose };
            let candidates = self.count_candidates(params)?;
            if candidates > self.most_candidates {
                if last_row - first_row == 1 {
                    return Err(Error::Capacity {
                        what: format!("the candidate pairs of body {first_row} alone"),
                        needed: u64::from(candidates) * 8,
                        limit: "the memory allowed for them",
                        available: u64::from(self.most_candidates) * 8,
                        advice: "allow more, or use the CPU engine",
                    });
                }
                last_row = first_row + (last_row - first_row) / 2;
                continue;
            }
            if candidates > 0 {
                self.judge_candidates(params, candidates)?;
                if ask > Ask::Flags {
                    self.take_pairs(params, candidates, ask, &mut hits)?;
                }
            }
            if self.cut {
                break;
            }
            (first_row, last_row) = (last_row, pose.ranks);
        }
        let mut flags = Vec::new();
        self.read(FLAGS, 0, 1 + world.len().div_ceil(32), &mut flags)?;
        self.cut |= flags[0] & CUT != 0;
        hits.flags = flags.split_off(1);
        if sorted {
            sort(&mut hits);
        }
        Ok(hits)
    }

    /// Uploads a world, lands its cores and bounds and paints its turned sprites.
    fn pose(&mut self, world: &World) -> Result<Params> {
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
        self.buffers.ensure(&self.device, LANDED, 8 * (vertices + slots.words as u64))?;
        self.buffers.ensure(&self.device, BOUNDS, bodies * size_of::<Aabb>() as u64)?;
        self.buffers.ensure(&self.device, ROWS, bodies * 4)?;
        self.buffers.ensure(&self.device, FLAGS, (1 + bodies.div_ceil(32)) * 4)?;
        self.clear(FLAGS);

        let params = Params {
            bodies: bodies as u32,
            touch: u32::from(world.touch() == Touch::Included),
            painted: 2 * vertices as u32,
            sentinel: SENTINEL,
            fuel: self.fuel,
            ..Params::default()
        };
        let mut dispatches =
            vec![Dispatch { pass: &self.passes.land, groups: params.bodies.div_ceil(GROUP), params, values: None }];
        if slots.words > 0 {
            dispatches.extend(parts(0, params.bodies, PAINTED_AT_ONCE).map(|(first, end)| Dispatch {
                pass: &self.passes.paint,
                groups: end - first,
                params: Params { first, ..params },
                values: None,
            }));
        }
        self.submit(&dispatches);
        Ok(params)
    }

    /// Gives bodies their order in the broad phase, along a curve where they are to be `sorted`, and tiles of them their bounds.
    fn rank(&mut self, world: &World, sorted: bool, params: Params) -> Result<Params> {
        let ranked = if sorted { morton_order(&world.packed().bounds) } else { (0..params.bodies).collect() };
        let params = Params { ranks: ranked.len() as u32, ..params };
        let tiles = params.ranks.div_ceil(TILE);
        self.buffers.write((&self.device, &self.queue), RANKED, &ranked)?;
        self.buffers.ensure(&self.device, TILES, u64::from(tiles) * size_of::<Aabb>() as u64)?;
        if tiles > 0 {
            self.submit(&[Dispatch { pass: &self.passes.bound_tiles, groups: tiles, params, values: None }]);
        }
        Ok(params)
    }

    /// Counts the candidates of all rows and makes of the counts the places where rows begin; the number of all, or where that is more
    /// than a `u32` holds, the largest `u32`.
    fn count_candidates(&mut self, params: Params) -> Result<u32> {
        let rows = params.last_row - params.first_row;
        self.clear(ROWS);
        self.submit(&Self::row_dispatches(&self.passes.count_rows, params));
        self.scan(ROWS, rows, params)
    }

    /// The dispatches of a pass over rows and all later columns, none too long, columns in order.
    fn row_dispatches(pass: &Pass, params: Params) -> Vec<Dispatch<'_>> {
        let rows_at_once = (COMPARISONS / u64::from(COLUMNS_AT_ONCE)) as u32;
        let mut dispatches = Vec::new();
        for (first, end) in parts(params.first_row, params.last_row, rows_at_once) {
            // Columns of a dispatch begin with a tile.
            for (first_column, last_column) in parts(first / TILE * TILE, params.ranks, COLUMNS_AT_ONCE) {
                dispatches.push(Dispatch {
                    pass,
                    groups: (end - first).div_ceil(TILE),
                    params: Params { dispatch_row: first, last_row: end, first_column, last_column, ..params },
                    values: None,
                });
            }
        }
        dispatches
    }

    /// Lists the candidates and gives each its verdict.
    fn judge_candidates(&mut self, params: Params, candidates: u32) -> Result<()> {
        self.buffers.ensure(&self.device, CANDIDATES, u64::from(candidates) * 8)?;
        self.buffers.ensure(&self.device, VERDICTS, u64::from(candidates) * 4)?;
        self.submit(&Self::row_dispatches(&self.passes.write_rows, params));
        for (first, end) in parts(0, candidates, CANDIDATES_AT_ONCE) {
            self.finish(Params { first, count: end, ..params }, |passes| &passes.judge)?;
        }
        Ok(())
    }

    /// Dispatches a pass over candidates or pairs again and again, until all are done.
    fn finish(&mut self, params: Params, pass: impl Fn(&Passes) -> &Pass) -> Result<()> {
        let pairs = params.count - params.first;
        self.buffers.ensure(&self.device, PROGRESS, u64::from(pairs) * PROGRESS_SIZE)?;
        self.clear(PROGRESS);
        loop {
            let pass = pass(&self.passes);
            self.submit(&[Dispatch { pass, groups: pairs.div_ceil(GROUP), params, values: None }]);
            let mut unfinished: Vec<u32> = Vec::new();
            self.read(FLAGS, 0, 1, &mut unfinished)?;
            self.cut |= unfinished[0] & CUT != 0;
            if self.cut || unfinished[0] == 0 {
                return Ok(());
            }
            self.queue.write_buffer(self.buffers.get(FLAGS), 0, &[0; 4]);
        }
    }

    /// Reads the pairs that hit back, and what they carry if that is asked for.
    fn take_pairs(&mut self, params: Params, candidates: u32, ask: Ask, hits: &mut Hits) -> Result<()> {
        let pairs = self.scan(VERDICTS, candidates, params)?;
        if pairs == 0 {
            return Ok(());
        }
        self.buffers.ensure(&self.device, PAIRS, u64::from(pairs) * 8)?;
        // The last of all candidates needs the total: each dispatch is told of all.
        let dispatches = parts(0, candidates, CANDIDATES_AT_ONCE).map(|(first, end)| Dispatch {
            pass: &self.passes.order,
            groups: (end - first).div_ceil(GROUP),
            params: Params { first, count: candidates, ..params },
            values: None,
        });
        self.submit(&dispatches.collect::<Vec<_>>());
        self.read(PAIRS, 0, pairs as usize, &mut hits.pairs)?;
        if ask < Ask::Details {
            return Ok(());
        }
        let most = (self.buffers.limit() / size_of::<RawDetail>() as u64).min(u64::from(CANDIDATES_AT_ONCE)) as u32;
        let mut raw: Vec<RawDetail> = Vec::new();
        for (first, end) in parts(0, pairs, most) {
            self.buffers.ensure(&self.device, DETAILS, u64::from(end - first) * size_of::<RawDetail>() as u64)?;
            self.clear(DETAILS);
            self.finish(Params { first, count: end, ..params }, |passes| &passes.detail_pairs)?;
            raw.clear();
            self.read(DETAILS, 0, (end - first) as usize, &mut raw)?;
            hits.details.extend(raw.iter().copied().map(Detail::from));
        }
        Ok(())
    }

    /// Makes each of `count` values the sum of those before it; the sum of all.
    fn scan(&mut self, values: u32, count: u32, params: Params) -> Result<u32> {
        let blocks = count.div_ceil(BLOCK);
        self.buffers.ensure(&self.device, SUMS, (u64::from(blocks) + 1) * 4)?;
        let params = Params { count, ..params };
        let dispatch = |pass, groups| Dispatch { pass, groups, params, values: Some(values) };
        let Passes { scan_blocks, scan_sums, add_sums, .. } = &self.passes;
        self.submit(&[dispatch(scan_blocks, blocks), dispatch(scan_sums, 1), dispatch(add_sums, blocks)]);
        let mut total = Vec::new();
        self.read(SUMS, u64::from(blocks) * 4, 1, &mut total)?;
        Ok(total[0])
    }

    /// Runs dispatches one after the other, a few in each submission.
    fn submit(&self, dispatches: &[Dispatch<'_>]) {
        for dispatches in dispatches.chunks(DISPATCHES_AT_ONCE) {
            // Each is told its own, at its own place: a buffer written between two passes would change for both.
            let mut told = [0; DISPATCHES_AT_ONCE * PARAMS_STRIDE as usize];
            for (place, dispatch) in told.chunks_exact_mut(PARAMS_STRIDE as usize).zip(dispatches) {
                place[..size_of::<Params>()].copy_from_slice(bytemuck::bytes_of(&dispatch.params));
            }
            self.queue.write_buffer(self.buffers.get(PARAMS), 0, &told);
            let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
            for (i, dispatch) in dispatches.iter().enumerate() {
                let bound = dispatch.pass.bind(&self.device, &self.buffers, dispatch.values);
                pass.set_pipeline(dispatch.pass.pipeline());
                pass.set_bind_group(0, &bound, &[i as u32 * PARAMS_STRIDE as u32]);
                // More groups than a dimension takes are folded into two.
                let wide = dispatch.groups.clamp(1, self.most_groups);
                pass.dispatch_workgroups(wide, dispatch.groups.div_ceil(wide), 1);
            }
            drop(pass);
            self.queue.submit([encoder.finish()]);
        }
    }

    /// Makes all of a buffer zero.
    fn clear(&self, binding: u32) {
        let mut encoder = self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.clear_buffer(self.buffers.get(binding), 0, None);
        self.queue.submit([encoder.finish()]);
    }

    fn read<T: bytemuck::Pod>(&self, binding: u32, offset: u64, count: usize, to: &mut Vec<T>) -> Result<()> {
        self.readback.read((&self.device, &self.queue), self.buffers.get(binding), offset, count, to)
    }
}

/// Puts pairs, and with them their details, in ascending order.
fn sort(hits: &mut Hits) {
    if hits.details.is_empty() {
        hits.pairs.par_sort_unstable();
    } else {
        let mut found: Vec<_> = hits.pairs.drain(..).zip(hits.details.drain(..)).collect();
        found.par_sort_unstable_by_key(|(pair, _)| *pair);
        (hits.pairs, hits.details) = found.into_iter().unzip();
    }
}

/// `first..end` in parts of at most `most`.
fn parts(first: u32, end: u32, most: u32) -> impl Iterator<Item = (u32, u32)> {
    (first..end).step_by(most as usize).map(move |start| (start, end.min(start.saturating_add(most))))
}
