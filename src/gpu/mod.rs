//! The engine on a GPU: integer compute shaders through wgpu, on its default limits; it needs no optional features.
//!
//! A step is one list of dispatches: *land* the bodies, *sort* them along a curve, *sweep* tiles of them against each
//! other for candidate pairs, *paint* the turned sprites among these, *judge* those that bounds do not decide, *order*
//! what hits, gather their *details*. The host waits once, at the end. Counts stay on the GPU, which plans its later
//! dispatches itself.
//!
//! What does not fit is counted all the same. The host then makes room, remembers that for later steps, and does the
//! step again; where a list cannot grow, rows are done in runs that fit. No dispatch runs long: an invocation of the
//! narrow phase has some *fuel*, and where that is spent it writes down how far its pair is, and a later dispatch goes
//! on: of the same submission where an earlier step has needed as many, else of another.
//!
//! # When shaders are compiled
//!
//! Each when a step first needs it: for a few thousand boxes and circles at rest these are three, for sprites two or
//! four more, and those that take long are for other hulls, for moving sprites, and for sprites beside convex bodies. A
//! thread of the engine's own makes the others meanwhile, the most likely ones first, so that a game does not stumble
//! when it comes to them. Where there is one core, they wait for the step that needs them. A shader that the driver
//! does not take is the error of that step. An engine that is dropped waits for the one that is being compiled, and
//! leaves the rest.
//!
//! # In a game
//!
//! [`Engine::from_device`] takes the device that a game draws with, at wgpu's default limits or more.
//! [`Engine::submit`] sends a step off and does not wait for its answer, only for shaders that no step has needed
//! before: a step in the loading screen saves the first frame that. Two may be in flight ([`Options::frames`]). The
//! game's own passes, submitted to the same queue after it, may read flags and pairs where they lie ([`Results`] says
//! how): sprites are tinted in the frame of their hit, without a readback. The answer in memory is taken when it has
//! come, mostly a frame later. A [`Request`] says what else a step may do: take positions that lie on the GPU, or leave
//! the answer there.
//!
//! ```
//! use hitmask::{Ask, Body, Shape, World, gpu, wgpu};
//! # let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
//! # let wanted = wgpu::RequestAdapterOptions::default();
//! # let adapter = pollster::block_on(instance.request_adapter(&wanted)).expect("a GPU");
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

mod ahead;
mod binding;
mod detail;
mod device;
pub(crate) mod door;
mod fault;
mod frame;
pub(crate) mod header;
mod kinds;
#[cfg(test)]
mod layout;
mod learnt;
mod limits;
mod lock;
#[cfg(test)]
mod loops;
pub(crate) mod modules;
mod options;
mod params;
mod pass;
mod pipelines;
mod queue;
mod record;
mod request;
mod results;
mod shared;
#[cfg(test)]
mod shifts;
mod step;
mod stream;
mod ticket;
mod twins;
#[cfg(feature = "internals")]
pub(crate) mod vectors;
mod whole;

pub use crate::broad::Broad;
pub use detail::RawDetail;
pub(crate) use device::find;
pub use device::{GpuInfo, NEEDED, limits_of, list, preference, wanted};
pub use options::Options;
pub use request::{Counts, Request};
pub use results::Results;
pub use stream::Stream;
pub use ticket::Ticket;
pub use whole::Whole;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::ground::error::{Error, Result};
use crate::hits::{Ask, Hits};
use crate::profile::Profile;
use crate::world::World;
use device::Gpu;
use learnt::Learnt;
use shared::Shared;

/// The GPU engine. It keeps its memory from step to step.
#[derive(Debug)]
pub struct Engine {
    shared: Arc<Shared>,
    profile: Profile,
    options: Options,
    /// Whether a host has opened the device.
    hosted: bool,
}

impl Engine {
    /// On the GPU whose name contains `name`, in whatever case; by default the environment's `WGPU_ADAPTER_NAME`, else
    /// the most powerful. What steps need is [compiled later](self#when-shaders-are-compiled), but for the questions of
    /// [`Options::trusted`], which the GPU has answered when this returns.
    ///
    /// ```
    /// use hitmask::gpu::Engine;
    ///
    /// let engine = Engine::new(None)?;
    /// println!("on {}", engine.info());
    /// assert!(Engine::new(Some("no such GPU")).is_err());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn new(name: Option<&str>) -> Result<Self> {
        Self::with(&Options::default().name(name))
    }

    /// On a GPU chosen and opened as `options` say.
    ///
    /// ```
    /// use hitmask::gpu::{self, Broad};
    ///
    /// let engine = gpu::Engine::with(&gpu::Options::default().broad(Broad::Sorted).timestamps(true))?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn with(options: &Options) -> Result<Self> {
        Self::new_on(device::open(options)?, options, false)
    }

    /// As [`Engine::with`], with all that any step needs compiled when this returns, unless `stop` is set meanwhile.
    pub(crate) fn compiled(options: &Options, stop: &AtomicBool) -> Result<Self> {
        Self::with(&Options { lazy: true, ..options.clone() }).map(|engine| engine.all_made(stop))
    }

    /// As [`Engine::on`], likewise.
    pub(crate) fn compiled_on(
        device: wgpu::Device,
        queue: wgpu::Queue,
        options: &Options,
        stop: &AtomicBool,
    ) -> Result<Self> {
        Self::on(device, queue, &Options { lazy: true, ..options.clone() }).map(|engine| engine.all_made(stop))
    }

    fn all_made(self, stop: &AtomicBool) -> Self {
        ahead::make_all(&self.shared.pipelines, stop);
        self
    }

    /// Checks that a queue is a device's own.
    pub(crate) fn check_queue(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<()> {
        queue::check(&Gpu::new(device.clone(), queue.clone(), &Options::default()))
    }

    /// Makes an engine on a device that the host program has opened, with wgpu's default limits or higher, and on that
    /// device's queue. It needs no optional features; with `SHADER_INT64`, convex bodies take less time: see
    /// [`Options::int64`]. It returns once the GPU has answered some questions of which the answers are known.
    ///
    /// The program's error handlers stay as they are and hear of none of the engine's errors: these are returned. A
    /// queue of another device is an [`Error::Value`]; the handler of that device may hear of it.
    ///
    /// ```
    /// use hitmask::{gpu, wgpu};
    ///
    /// # let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    /// # let wanted = wgpu::RequestAdapterOptions::default();
    /// # let adapter = pollster::block_on(instance.request_adapter(&wanted)).expect("a GPU");
    /// let opened = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()));
    /// let (device, queue) = opened.expect("it opens");
    /// let engine = gpu::Engine::from_device(device.clone(), queue.clone())?;
    /// assert_eq!(engine.limits(), device.limits());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self> {
        Self::on(device, queue, &Options::default())
    }

    /// On an open device, as [`Engine::from_device`], and as `options` say of all but its opening.
    ///
    /// An [`Error::Gpu`] names the limit that is too low, if one is.
    ///
    /// ```
    /// use hitmask::{gpu, wgpu};
    ///
    /// # let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    /// # let wanted = wgpu::RequestAdapterOptions::default();
    /// # let adapter = pollster::block_on(instance.request_adapter(&wanted)).expect("a GPU");
    /// let limits = wgpu::Limits { max_storage_buffers_per_shader_stage: 4, ..wgpu::Limits::default() };
    /// let request = adapter.request_device(&wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() });
    /// let (device, queue) = pollster::block_on(request).expect("it opens");
    /// let error = gpu::Engine::on(device, queue, &gpu::Options::default().frames(1)).unwrap_err().to_string();
    /// assert!(error.contains("max_storage_buffers_per_shader_stage"), "{error}");
    /// ```
    pub fn on(device: wgpu::Device, queue: wgpu::Queue, options: &Options) -> Result<Self> {
        let gpu = Gpu::new(device, queue, options);
        queue::check(&gpu)?;
        Self::new_on(gpu, options, true)
    }

    fn new_on(gpu: Gpu, options: &Options, hosted: bool) -> Result<Self> {
        let shared = Arc::new(Shared::new(gpu, options)?);
        Ok(Self { shared, profile: Profile::default(), options: options.clone(), hosted })
    }

    /// Opens a GPU again, as the engine was made, and goes on with it: after an [`Error::GpuLost`], with which all
    /// calls end from then on. Worlds are not touched by a loss, and steps go on with them. Tickets from before stay
    /// lost.
    ///
    /// On an error, as where no GPU is there any more, the engine stays as it was: it may be tried again later, or the
    /// CPU engine taken. Where a host has opened the device, it is the one who opens another: see
    /// [`Engine::rebuild_on`].
    ///
    /// ```
    /// use hitmask::{Ask, Error, World, gpu};
    ///
    /// let (world, mut engine) = (World::default(), gpu::Engine::new(None)?);
    /// let hits = match engine.run(&world, Ask::Pairs) {
    ///     Err(Error::GpuLost { .. }) => {
    ///         engine.rebuild()?;
    ///         engine.run(&world, Ask::Pairs)?
    ///     }
    ///     answer => answer?,
    /// };
    /// # engine.rebuild()?;
    /// # assert_eq!(engine.run(&world, Ask::Pairs)?, hits);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn rebuild(&mut self) -> Result<()> {
        if self.hosted {
            let problem = "the host has opened its device: open another, and give that to `Engine::rebuild_on`";
            return Err(Error::Gpu { problem: problem.into() });
        }
        self.go_on_with(device::open(&self.options)?)
    }

    /// Goes on with another device that the host program has opened, as [`Engine::rebuild`] does with one of its own;
    /// from then on `rebuild` is an error. A queue that is not that device's is an [`Error::Value`]. On an error the
    /// engine stays as it was.
    ///
    /// ```
    /// use hitmask::{gpu, wgpu};
    ///
    /// fn recover(engine: &mut gpu::Engine, device: &wgpu::Device, queue: &wgpu::Queue) -> hitmask::Result<()> {
    ///     engine.rebuild_on(device.clone(), queue.clone())
    /// }
    /// ```
    pub fn rebuild_on(&mut self, device: wgpu::Device, queue: wgpu::Queue) -> Result<()> {
        let gpu = Gpu::new(device, queue, &self.options);
        queue::check(&gpu)?;
        self.go_on_with(gpu)?;
        self.hosted = true;
        Ok(())
    }

    fn go_on_with(&mut self, gpu: Gpu) -> Result<()> {
        let shared = Shared::new(gpu, &self.options)?;
        shared.learn(|learnt| *learnt = Learnt { fuel: learnt.fuel, ..self.shared.learnt() });
        self.shared = Arc::new(shared);
        Ok(())
    }

    /// Compiles every shader that a step may need, for a loading screen: no later step stumbles over one. Calls
    /// `progress` with the number of pipelines that are done and the number of all, first with 0, then after each.
    ///
    /// On hardware this takes from tenths of a second to a few seconds, of which the driver's cache of shaders saves
    /// most from the second start on. An error names the first shader that the driver refuses; steps that do not need
    /// it still work.
    ///
    /// ```no_run
    /// let engine = hitmask::gpu::Engine::new(None)?;
    /// engine.compile(|done, all| println!("shaders: {done} of {all}"))?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn compile(&self, mut progress: impl FnMut(usize, usize)) -> Result<()> {
        let pipelines = &self.shared.pipelines;
        let passes: Vec<_> = ahead::needed(pipelines).collect();
        progress(0, passes.len());
        for (done, &pass) in (1..).zip(&passes) {
            pipelines.make(&[pass]).map_err(|error| self.shared.gpu.cause(error))?;
            progress(done, passes.len());
        }
        Ok(())
    }

    /// What it runs on.
    ///
    /// ```
    /// let engine = hitmask::gpu::Engine::new(None)?;
    /// assert!(hitmask::gpu::list().contains(engine.info()));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn info(&self) -> &GpuInfo {
        &self.shared.info
    }

    /// The limits with which the GPU was opened.
    ///
    /// ```
    /// use hitmask::{gpu, wgpu};
    ///
    /// let engine = gpu::Engine::with(&gpu::Options::default().limits(wgpu::Limits::default()))?;
    /// assert_eq!(engine.limits(), wgpu::Limits::default());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn limits(&self) -> wgpu::Limits {
        self.shared.gpu.device.limits()
    }

    /// What the last step of [`Engine::run`] cost. The profile of a step that was sent off is its ticket's:
    /// [`Ticket::profile`].
    ///
    /// ```
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut engine = gpu::Engine::new(None)?;
    /// engine.run(&World::default(), Ask::Pairs)?;
    /// assert_eq!(engine.profile().stages[0].name, "upload");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The bytes that it holds on the GPU beyond the world's own and the pairs', without those of steps in flight.
    ///
    /// ```
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut engine = gpu::Engine::new(None)?;
    /// assert_eq!(engine.bytes(), 0, "no step has needed any");
    /// engine.run(&World::default(), Ask::Pairs)?;
    /// assert!(engine.bytes() > 0);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.shared.bytes()
    }

    /// Answers which bodies hit which, and waits for it.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Shape, World, gpu};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0.0, 20.0, 25.0] {
    ///     world.add(&Body::new(ball, [x, 0.0]))?;
    /// }
    /// let hits = gpu::Engine::new(None)?.run(&world, Ask::Pairs)?;
    /// assert_eq!(hits.pairs, [[1, 2]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
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

    /// Sends a step off, without a wait for its answer, for which a [`Ticket`] stands. Shaders that it is the first to
    /// need are compiled here, unless the engine's thread has done it already. The world may change as soon as
    /// this returns. What is asked for is an [`Ask`], or a [`Request`]: of bodies placed on the GPU, or of an answer
    /// that stays there.
    ///
    /// An [`Error::Gpu`] says so where as many steps are in flight as [`Options::frames`] allows.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask::{Ask, Body, Shape, World, gpu};
    ///
    /// let mut engine = gpu::Engine::new(None)?;
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// world.add(&Body::new(ball, [0.0, 0.0]))?;
    /// let other = world.add(&Body::new(ball, [5.0, 0.0]))?;
    /// let mut first = engine.submit(&world, Ask::Pairs)?;
    /// world.set(other, &Body::new(ball, [50.0, 0.0]))?;
    /// let mut second = engine.submit(&world, Ask::Pairs)?;
    /// assert_eq!(second.wait(Duration::MAX)?.unwrap().pairs, Vec::<[u32; 2]>::new());
    /// assert_eq!(first.wait(Duration::MAX)?.unwrap().pairs, [[0, 1]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn submit<'a>(&mut self, world: &World, request: impl Into<Request<'a>>) -> Result<Ticket> {
        Ticket::submit(&self.shared, world, &request.into(), None)
    }

    /// Records a step into an encoder of the caller's, who submits it to the engine's queue, so that a frame is one
    /// submission. Else as [`Engine::submit`].
    ///
    /// Passes that are encoded after this call see the step's results; those before it may write what a [`Request`]
    /// reads. Submit the encoder before the ticket is asked: [`Ticket::try_take`] answers `None` until then, and
    /// [`Ticket::wait`] an [`Error::Gpu`]. Where the encoder is dropped instead, drop the ticket too. A step with long
    /// dispatches is not cut into several submissions, as [`Engine::submit`] cuts it so that drivers do not take it for
    /// a hang: in worlds of a hundred thousand turned sprites or more, prefer that.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask::{Ask, Body, Shape, World, gpu, wgpu};
    /// # let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    /// # let wanted = wgpu::RequestAdapterOptions::default();
    /// # let adapter = pollster::block_on(instance.request_adapter(&wanted)).expect("a GPU");
    /// # let request = adapter.request_device(&wgpu::DeviceDescriptor::default());
    /// # let (device, queue) = pollster::block_on(request).expect("it opens"); // the game's own
    ///
    /// let mut engine = gpu::Engine::from_device(device.clone(), queue.clone())?;
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0.0, 20.0, 25.0] {
    ///     world.add(&Body::new(ball, [x, 0.0]))?;
    /// }
    /// let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    /// let mut ticket = engine.encode(&world, Ask::Pairs, &mut encoder)?;
    /// let (_arguments, _offset) = ticket.results().draw(); // here, the game encodes the passes that draw the frame
    /// queue.submit([encoder.finish()]);
    /// assert_eq!(ticket.wait(Duration::MAX)?.unwrap().pairs, [[1, 2]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn encode<'a>(
        &mut self,
        world: &World,
        request: impl Into<Request<'a>>,
        encoder: &mut wgpu::CommandEncoder,
    ) -> Result<Ticket> {
        Ticket::submit(&self.shared, world, &request.into(), Some(encoder))
    }
}
