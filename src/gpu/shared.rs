//! What an engine and its steps in flight have in common.

use std::sync::{Arc, Mutex};

use crate::broad::Broad;
use crate::ground::error::{Error, Result};

use super::buffers::Buffers;
use super::device::{GpuInfo, Options};
use super::pass::Passes;
use super::readback::{Readback, lock};
use super::record::Timer;
use super::upload::Held;
use super::{PROGRESS_SIZE, limits};

/// The steps in flight at once, unless the user says otherwise.
const FRAMES: u32 = 2;
/// What an invocation of the narrow phase may do in a dispatch, in iterations of loops, on hardware and in software.
const FUEL: [i32; 2] = [1 << 18, 24_000];

/// The device, what was made for it once, and what steps have shown.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    pub(super) info: GpuInfo,
    pub(super) passes: Arc<Passes>,
    /// The most candidates held at once.
    pub(super) most_candidates: u32,
    /// The most workgroups in a dimension of a dispatch.
    pub(super) most_groups: u32,
    pub(super) broad: Broad,
    /// Whether stages are timed.
    pub(super) timed: bool,
    learnt: Mutex<Learnt>,
    pool: Mutex<Pool>,
}

/// What a step needs that only a step tells: the next begins with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Learnt {
    /// Room for candidates.
    pub(super) candidates: u32,
    /// Pairs to bring back with the counts.
    pub(super) pairs: u32,
    /// Dispatches of the broad phase after which all tiles are compared.
    pub(super) rounds: u32,
    /// Whether some pair is not done in one dispatch, so that there is to be room for how far each is.
    pub(super) unfinished: bool,
    /// What an invocation of the narrow phase may do.
    pub(super) fuel: i32,
}

/// What one step in flight has for itself on the GPU.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) buffers: Buffers,
    pub(super) readback: Readback,
    pub(super) held: Held,
    /// Where stages are timed.
    pub(super) timer: Option<Timer>,
    /// Of which era of the pool it is.
    era: u32,
}

/// The frames that no step has, and how many there may be.
#[derive(Debug)]
struct Pool {
    free: Vec<Frame>,
    lent: u32,
    most: u32,
    /// Counts the errors of the device: a frame from before one may have a buffer that was not made.
    era: u32,
}

impl Shared {
    pub(super) fn new(device: wgpu::Device, queue: wgpu::Queue, options: &Options) -> Result<Self> {
        let limits = device.limits();
        limits::check(&limits)?;
        let most = options.frames.unwrap_or(FRAMES);
        if most == 0 {
            return Err(Error::value("frames", most, "be at least 1"));
        }
        let info = GpuInfo::new(&device.adapter_info());
        let passes = scoped(&device, || Passes::new(&device))??;
        let fitting = (Buffers::limit_of(&limits) / PROGRESS_SIZE).min(u64::from(u32::MAX / 4)) as u32;
        let fuel = FUEL[usize::from(info.software)];
        Ok(Self {
            most_candidates: options.candidates.unwrap_or(fitting).clamp(1, fitting),
            most_groups: limits.max_compute_workgroups_per_dimension,
            broad: options.broad,
            timed: options.timestamps && device.features().contains(wgpu::Features::TIMESTAMP_QUERY),
            learnt: Mutex::new(Learnt { candidates: 0, pairs: 0, rounds: 1, unfinished: false, fuel }),
            pool: Mutex::new(Pool { free: Vec::new(), lent: 0, most, era: 0 }),
            passes: Arc::new(passes),
            device,
            queue,
            info,
        })
    }

    /// What an invocation of the narrow phase may do where no loop was cut yet.
    pub(super) fn full_fuel(&self) -> i32 {
        FUEL[usize::from(self.info.software)]
    }

    /// What steps have shown so far.
    pub(super) fn learnt(&self) -> Learnt {
        *lock(&self.learnt)
    }

    /// Takes to heart what a step has shown.
    pub(super) fn learn(&self, lesson: impl FnOnce(&mut Learnt)) {
        lesson(&mut lock(&self.learnt));
    }

    /// The bytes of the frames that no step has.
    pub(super) fn bytes(&self) -> u64 {
        lock(&self.pool).free.iter().map(|frame| frame.buffers.bytes()).sum()
    }

    /// A frame for a step, if not too many are in flight.
    pub(super) fn lend(&self) -> Result<Frame> {
        let mut pool = lock(&self.pool);
        if pool.lent == pool.most {
            let problem = format!(
                "{} steps are in flight, as many as `Options::frames` allows: drop a ticket whose answer was taken, or is not \
                 needed, before the next step, or allow more",
                pool.most
            );
            return Err(Error::Gpu { problem });
        }
        pool.lent += 1;
        let era = pool.era;
        Ok(pool.free.pop().unwrap_or_else(|| Frame {
            buffers: Buffers::new(&self.device),
            readback: Readback::default(),
            held: Held::default(),
            timer: self.timed.then(|| Timer::new(&self.device, &self.queue)),
            era,
        }))
    }

    /// Takes a frame back. What of its step is still on the queue is done before anything that comes later.
    pub(super) fn take_back(&self, frame: Frame) {
        let mut pool = lock(&self.pool);
        pool.lent -= 1;
        if frame.era == pool.era {
            pool.free.push(frame);
        }
    }

    /// Does what makes or sends off something on the device, whose errors become the answer's.
    pub(super) fn scoped<R>(&self, act: impl FnOnce() -> Result<R>) -> Result<R> {
        scoped(&self.device, act).unwrap_or_else(|error| {
            let mut pool = lock(&self.pool);
            pool.era += 1;
            pool.free.clear();
            Err(error)
        })
    }

    /// Lets the device tell what has arrived, and perhaps waits for that.
    pub(super) fn poll(&self, how: wgpu::PollType) -> Result<()> {
        match self.device.poll(how) {
            Ok(_) | Err(wgpu::PollError::Timeout) => Ok(()),
            Err(error) => Err(Error::Gpu { problem: format!("the device does not answer: {error}") }),
        }
    }
}

/// Does what makes or sends off something on a device, and catches its errors, no other thread's.
fn scoped<R>(device: &wgpu::Device, act: impl FnOnce() -> R) -> Result<R> {
    let scopes = [wgpu::ErrorFilter::OutOfMemory, wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::Internal]
        .map(|filter| device.push_error_scope(filter));
    let answer = act();
    let errors = scopes.into_iter().rev().filter_map(|scope| pollster::block_on(scope.pop()));
    // All scopes are popped, in any case.
    match errors.last() {
        Some(error) => Err(Error::Gpu { problem: error.to_string() }),
        None => Ok(answer),
    }
}
