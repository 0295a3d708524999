//! The state that an engine and its steps in flight share.

use std::sync::{Arc, Mutex};

use crate::broad::Broad;
use crate::ground::error::{Error, Result};
use crate::world::World;

use super::ahead::{self, Ahead};
use super::binding::Binding;
use super::device::{Gpu, GpuInfo};
use super::frame::{Buffers, Frame, MOST_WORDS, Timing};
use super::learnt::{Learnt, Rounds, Unasked};
use super::limits;
use super::lock::lock;
use super::options::Options;
use super::pass::Pass;
use super::pipelines::Pipelines;
use super::self_test;

/// The default number of steps that can be in flight.
const FRAMES: u32 = 2;
/// The maximum number of dropped steps whose counts are still awaited.
const MOST_UNASKED: usize = 8;
/// The fuel of an invocation of the narrow phase in a dispatch, in loop iterations: on hardware, and in software.
pub(super) const FUEL: [i32; 2] = [1 << 15, 24_000];
/// The maximum number of workgroups of a dispatch over a list, whose invocations process one item after the other: as
/// many as a large GPU runs at once.
pub(super) const BUSY_GROUPS: u32 = 4096;
/// The maximum of these workgroups for each core in software. There a branch takes time even if no invocation enters
/// it, so an idle workgroup costs as much as a busy one. Painting is excepted: it has no fuel, so its loops have to
/// stay short, which takes many workgroups.
const GROUPS_EACH: u32 = 4;
/// The maximum number of workgroups of a dispatch that samples pairs, a workgroup for each pair: enough that their fuel
/// lasts for the pairs of ten million sprites of 45 pixels, and few enough that no dispatch takes a slow GPU half a
/// second.
const SAMPLING_GROUPS: u32 = 4 * BUSY_GROUPS;

/// The device, the objects that are created on it once, and the sizes that steps have learnt.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) gpu: Gpu,
    pub(super) info: GpuInfo,
    pub(super) pipelines: Arc<Pipelines>,
    _ahead: Option<Ahead>,
    /// The maximum number of candidates in memory at once.
    pub(super) most_candidates: u32,
    /// The maximum number of workgroups in a dimension of a dispatch.
    pub(super) most_groups: u32,
    /// The maximum number of workgroups of a dispatch over a list, except sprites to paint and pairs to sample.
    list_groups: u32,
    pub(super) broad: Broad,
    /// Whether to sample small turned sprites: faster on hardware, slower in software.
    pub(super) samples: bool,
    timing: Option<Timing>,
    learnt: Mutex<Learnt>,
    unasked: Mutex<Vec<Unasked>>,
    pool: Mutex<Pool>,
}

/// The frames that no step uses, and the maximum number of frames.
#[derive(Debug)]
struct Pool {
    free: Vec<Frame>,
    lent: u32,
    most: u32,
    /// The number of failures of the device so far. A frame from before a failure may have a buffer that was never
    /// created.
    era: u32,
}

impl Pool {
    /// Adds a frame, unless the device has failed since the frame was created.
    fn put(&mut self, frame: Frame) {
        if frame.era == self.era {
            self.free.push(frame);
        }
    }
}

impl Shared {
    /// Creates the state, on a device that passes the self-test. Blocks natively.
    pub(super) async fn checked(gpu: Gpu, options: &Options) -> Result<Self> {
        // The shaders that most worlds need are compiled during the self-test.
        let shared = Self::new(gpu, options, None)?;
        if !options.trusted {
            self_test::check(&shared.gpu, &shared.info).await?;
        }
        Ok(shared)
    }

    /// As [`Shared::checked`], without the test; with these pipelines, if there are any.
    pub(super) fn new(gpu: Gpu, options: &Options, pipelines: Option<Arc<Pipelines>>) -> Result<Self> {
        let device = &gpu.device;
        let limits = device.limits();
        limits::check(&limits)?;
        options.check()?;
        let most = options.frames.unwrap_or(FRAMES);
        let info = GpuInfo::new(&device.adapter_info());
        let [tables, samples] = [options.tables, options.samples].map(|chosen| chosen.unwrap_or(!info.software));
        let pipelines = pipelines.unwrap_or_else(|| Arc::new(Pipelines::new(&gpu, tables, samples)));
        let ahead = if options.lazy { None } else { ahead::begin(&pipelines) };
        // The largest buffer is that of progress: no other takes as many bytes for each candidate.
        let fitting = Buffers::limit_of(&limits) / Binding::Progress.element_size();
        let fitting = fitting.min(u64::from(u32::MAX / 4)) as u32;
        let fuel = FUEL[usize::from(info.software)];
        let list_groups = if info.software {
            GROUPS_EACH * std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32)
        } else {
            BUSY_GROUPS
        };
        let timing = match (options.dispatches, options.timestamps) {
            (true, _) => Some(Timing::Dispatches),
            (false, stages) => stages.then_some(Timing::Stages),
        };
        Ok(Self {
            most_candidates: options.candidates.unwrap_or(fitting).clamp(1, fitting),
            most_groups: limits.max_compute_workgroups_per_dimension,
            list_groups,
            broad: options.broad,
            samples,
            timing: timing.filter(|_| device.features().contains(wgpu::Features::TIMESTAMP_QUERY)),
            learnt: Mutex::new(Learnt {
                candidates: 0,
                pairs: 0,
                rounds: 1,
                key_passes: 0,
                crowded: false,
                judging: Rounds::default(),
                detailing: Rounds::default(),
                contacting: Rounds::default(),
                long_rows: 0,
                fuel,
                landed: 0,
                paint_most: MOST_WORDS as u32,
            }),
            unasked: Mutex::default(),
            pool: Mutex::new(Pool { free: Vec::new(), lent: 0, most, era: 0 }),
            pipelines,
            _ahead: ahead,
            gpu,
            info,
        })
    }

    /// Returns the fuel of an invocation of the narrow phase in a dispatch, if the driver has never cut loops short.
    pub(super) fn full_fuel(&self) -> i32 {
        FUEL[usize::from(self.info.software)]
    }

    /// Returns the maximum number of workgroups of a dispatch of a pass over a list. If the driver has cut loops short,
    /// invocations have less fuel and are more numerous, so that each processes a shorter part of the list.
    pub(super) fn busy_groups(&self, pass: Pass) -> u32 {
        let most = match pass {
            Pass::Paint => BUSY_GROUPS,
            Pass::JudgeSampled => SAMPLING_GROUPS,
            _ => self.list_groups,
        };
        most * (self.full_fuel() / self.learnt().fuel) as u32
    }

    /// Returns the sizes that steps have learnt so far.
    pub(super) fn learnt(&self) -> Learnt {
        *lock(&self.learnt)
    }

    /// Changes the sizes with which later steps begin.
    pub(super) fn learn(&self, change: impl FnOnce(&mut Learnt)) {
        change(&mut lock(&self.learnt));
    }

    /// Keeps a dropped step until its counts arrive; at most the last [`MOST_UNASKED`] steps.
    pub(super) fn leave(&self, unasked: Unasked) {
        let mut all = lock(&self.unasked);
        if all.len() == MOST_UNASKED {
            all.remove(0);
        }
        all.push(unasked);
    }

    /// Learns from the counts of dropped steps that have arrived, and gets back the frames of those that were recorded
    /// into an encoder of the caller. Poll the device first.
    pub(super) fn learn_from_unasked(&self) {
        let mut learnt = lock(&self.learnt);
        let mut pool = lock(&self.pool);
        lock(&self.unasked).retain_mut(|unasked| {
            let is_in_flight = unasked.teach(&mut learnt);
            if !is_in_flight && let Some(frame) = unasked.frame() {
                pool.put(frame);
            }
            is_in_flight
        });
    }

    /// Returns the bytes of the frames that no step uses.
    pub(super) fn bytes(&self) -> u64 {
        lock(&self.pool).free.iter().map(|frame| frame.buffers.bytes()).sum()
    }

    /// Lends a frame to a step of a world, or returns an error if too many are in flight. It is the frame that holds
    /// the world; else a new one; else, if there are enough, the one that has waited longest.
    pub(super) fn lend(&self, world: &World) -> Result<Frame> {
        let mut pool = lock(&self.pool);
        if pool.lent == pool.most {
            let problem = format!(
                "{} steps are in flight, the most that `Options::frames` allows: before the next step, drop a ticket \
                 whose answer was taken or is not needed, or allow more",
                pool.most
            );
            return Err(Error::Gpu { problem });
        }
        pool.lent += 1;
        let held = pool.free.iter().rposition(|frame| frame.holds(world));
        let are_enough = pool.free.len() as u32 + pool.lent > pool.most;
        Ok(match held.or(are_enough.then_some(0)) {
            Some(place) => pool.free.remove(place),
            None => Frame::new(&self.gpu, self.timing, pool.era),
        })
    }

    /// Takes a frame back, unless the device has failed since the frame was created. Work of its step that is still on
    /// the queue finishes before the work of the next step that uses the frame.
    pub(super) fn take_back(&self, frame: Frame) {
        let mut pool = lock(&self.pool);
        pool.lent -= 1;
        pool.put(frame);
    }

    /// Keeps a dropped step that only an encoder of the caller holds, with its frame, as [`Shared::leave`] does.
    pub(super) fn leave_recorded(&self, unasked: Unasked) {
        lock(&self.pool).lent -= 1;
        self.leave(unasked);
    }

    /// Calls `act`, which creates objects on the device or submits work, and returns the device's error if there is
    /// one. After such an error all frames are discarded.
    pub(super) fn scoped<R>(&self, act: impl FnOnce() -> Result<R>) -> Result<R> {
        let answer = self.gpu.scoped(act).unwrap_or_else(|error| {
            self.discard();
            Err(error)
        });
        answer.map_err(|error| self.gpu.cause(error))
    }

    /// Discards all frames, after an error of the device.
    pub(super) fn discard(&self) {
        let mut pool = lock(&self.pool);
        pool.era += 1;
        pool.free.clear();
    }
}
