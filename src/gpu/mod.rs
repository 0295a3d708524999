//! The engine on a GPU: integer compute shaders through wgpu, on its default limits, without optional features.
//!
//! A step is one list of dispatches ([`stages`]): *land* the bodies, *sort* them along a curve, *sweep* tiles of them against each other
//! for candidate pairs, *paint* the turned sprites among these, *judge* each, *order* those that hit, tell their *details*. The host
//! waits once, at the end. Counts stay on the GPU, which plans its later dispatches itself.
//!
//! What did not fit is counted all the same. The host then makes room, remembers that for later steps, and does the step again; where a
//! list cannot grow, rows are done in runs that fit. No dispatch runs long: an invocation that has spent its fuel puts down how far its
//! pair is, and the host dispatches again until all are done.
//!
//! # In a game
//!
//! [`Engine::from_device`] takes the device that a game draws with, at wgpu's default limits or more. [`Engine::submit`] sends a step off and
//! never waits; two may be in flight ([`Options::frames`]). The game's own passes, submitted to the same queue behind it, may read flags and
//! pairs where they lie ([`Results`] tells how): sprites are tinted in the frame of their hit, without a readback. The answer in memory is
//! taken when it has come, mostly a frame later.
//!
//! ```
//! use hitmask::{Ask, Body, Shape, World, gpu, wgpu};
//! # let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
//! # let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default())).expect("a GPU");
//! # let request = adapter.request_device(&wgpu::DeviceDescriptor::default());
//! # let (device, queue) = pollster::block_on(request).expect("it opens"); // the game's own
//! # let draw = |_flags: wgpu::BufferBinding<'_>| {};
//!
//! let mut engine = gpu::Engine::from_device(device.clone(), queue.clone())?;
//! let mut world = World::default();
//! let ball = world.add_shape(Shape::circle(3.0)?)?;
//! let thrown = world.add(&Body::new(ball, [0.0, 0.0]))?;
//! world.add(&Body::new(ball, [20.0, 0.0]))?;
//!
//! let (mut before, mut bounces) = (None::<gpu::Ticket>, 0);
//! for frame in 0..30 {
//!     world.set(thrown, &Body::new(ball, [f64::from(frame), 0.0]))?;
//!     let ticket = engine.submit(&world, Ask::Pairs)?;
//!     draw(ticket.results().flags()); // bound for a vertex shader, in a submission of the game's
//!     // The step of the frame before has had all of a frame's time. What is still not there is left.
//!     if let Some(hits) = before.replace(ticket).map_or(Ok(None), |mut ticket| ticket.try_take())? {
//!         bounces += hits.pairs.len();
//!     }
//! }
//! # let last = before.unwrap().wait(std::time::Duration::MAX)?.unwrap();
//! # assert_eq!((last.pairs, bounces <= 15), (vec![], true));
//! # Ok::<(), hitmask::Error>(())
//! ```

mod buffers;
mod device;
#[cfg(test)]
mod layout;
#[doc(hidden)]
pub mod limits;
pub mod modules;
mod narrow;
pub mod params;
mod pass;
mod readback;
mod record;
mod results;
pub mod scan;
mod shared;
mod slots;
pub mod sort;
pub mod stages;
mod step;
mod ticket;
#[cfg(test)]
mod twins;
mod upload;

pub use device::{GpuInfo, NEEDED, Options, limits_of, list, preference, wanted};
pub use results::Results;
pub use ticket::Ticket;

use std::sync::Arc;
use std::time::Duration;

use crate::ground::error::Result;
use crate::hits::{Ask, Hits};
use crate::profile::Profile;
use crate::world::World;
use shared::Shared;

/// Invocations in most workgroups.
#[doc(hidden)]
pub const GROUP: u32 = 64;
/// Bodies of a tile of the broad phase, tiles of a block, and invocations in its workgroups.
#[doc(hidden)]
pub const TILE: u32 = 64;
/// The most candidates in a dispatch, and pairs whose details are held at once.
#[doc(hidden)]
pub const AT_ONCE: u32 = 1 << 20;
/// The bytes that a pair's progress takes, which is more than anything else that there is for each candidate.
#[doc(hidden)]
pub const PROGRESS_SIZE: u64 = 16;

/// The GPU engine.
#[derive(Debug)]
pub struct Engine {
    shared: Arc<Shared>,
    profile: Profile,
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

    /// On a device that a host has opened, with wgpu's default limits or more, without optional features.
    ///
    /// What the host has set up for errors stays as it is, and hears of none of the engine's: these are returned.
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self> {
        Self::on(device, queue, &Options::default())
    }

    /// On an open device, as [`Engine::from_device`], and as `options` say of all but its opening.
    ///
    /// An [`Error::Gpu`](crate::Error::Gpu) names the limit that is too low, if one is.
    pub fn on(device: wgpu::Device, queue: wgpu::Queue, options: &Options) -> Result<Self> {
        Ok(Self { shared: Arc::new(Shared::new(device, queue, options)?), profile: Profile::default() })
    }

    /// What it runs on.
    #[must_use]
    pub fn info(&self) -> &GpuInfo {
        &self.shared.info
    }

    /// The limits with which the GPU was opened.
    #[must_use]
    pub fn limits(&self) -> wgpu::Limits {
        self.shared.device.limits()
    }

    /// What the last step of [`Engine::run`] cost.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The bytes that it holds on the GPU beyond the world's own and the pairs', steps in flight left out.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.shared.bytes()
    }

    /// Answers which bodies hit which, and waits for it.
    pub fn run(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        self.profile = Profile::default();
        let mut ticket = self.submit(world, ask)?;
        loop {
            if let Some(hits) = ticket.wait(Duration::MAX)? {
                self.profile = ticket.profile().cloned().unwrap_or_default();
                return Ok(hits);
            }
        }
    }

    /// Sends a step off, without a wait: see [`Ticket`], which stands for its answer. The world may change as soon as this returns.
    ///
    /// An [`Error::Gpu`](crate::Error::Gpu) tells where as many steps are in flight as [`Options::frames`] allows.
    pub fn submit(&mut self, world: &World, ask: Ask) -> Result<Ticket> {
        Ticket::submit(&self.shared, world, ask)
    }
}
