//! The GPU engine: integer compute shaders through wgpu, within its default limits and without optional features.
//!
//! A step is one list of dispatches: *land* the bodies (transform their vertices and compute their bounds), *sort* them
//! along a curve, *sweep* tiles of 64 against each other for candidate pairs, *paint* the turned sprites among these,
//! *judge* the candidates that bounds do not decide, *order* the pairs that hit, and gather their *details*. The host
//! waits once, at the end. Counts stay on the GPU, which plans its later dispatches from them.
//!
//! Items that do not fit in a list are still counted. The host then grows the list, remembers the size for later steps,
//! and repeats the step; if a list cannot grow, the bodies are processed in several runs that fit. No dispatch runs
//! long: each invocation of the narrow phase has a budget of loop iterations, its *fuel*. When that is spent, it saves
//! the progress of its pair, and a later dispatch resumes it: in the same submission if an earlier step needed as many
//! dispatches, else in another.
//!
//! # When shaders are compiled
//!
//! Each shader is compiled when a step first needs it. A few thousand boxes and circles at rest need three shaders,
//! sprites two or four more. Shaders for other convex hulls, for moving sprites, and for sprites against convex bodies
//! take long to compile. So a background thread compiles the shaders that no step has needed yet, the most likely ones
//! first, and a game does not stutter when it first needs them. Those for [`Request::contacts`] are compiled only when
//! a step asks for contacts. On a machine with one core there is no such thread. If the driver rejects a shader, the
//! step that needs it returns the error. Dropping an engine waits for the shader that is being compiled, and skips the
//! rest.
//!
//! # In a browser
//!
//! A page must not wait: its event loop has to run for the GPU to answer. So there [`Engine::open`] opens an engine and
//! [`Ticket::answer`] or [`Engine::run_async`] gets an answer; calls that would wait are an [`Error::Blocking`]. A
//! browser also reports errors later: [`Ticket::try_take`] and `answer` keep an answer back until it is known that
//! nothing of its step failed. After an error that names a shader, open a new engine.
//!
//! # In a game
//!
//! [`Engine::from_device`] takes the device that a game draws with, at wgpu's default limits or higher.
//! [`Engine::submit`] submits a step without waiting for its answer; it blocks only to compile shaders that no step has
//! needed before, so run one step during your loading screen. Up to two steps can be in flight ([`Options::frames`]).
//! Passes that the game submits to the same queue afterwards can read flags and pairs directly on the GPU ([`Results`]
//! shows how): sprites can be tinted in the frame in which they hit, without a readback. The answer in memory usually
//! arrives a frame later. A [`Request`] can also take positions from GPU buffers, or leave the answer on the GPU.
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
//!     draw(ticket.results().flags()); // the game binds it for a vertex shader and submits its pass
//!     // The last frame's step has had a frame's time. If its answer is still missing, do without.
//!     if let Some(hits) = before.replace(ticket).map_or(Ok(None), |mut ticket| ticket.try_take())? {
//!         bounces += hits.pairs.len();
//!     }
//! }
//! # let last = before.unwrap().wait(std::time::Duration::MAX)?.unwrap();
//! # assert_eq!((last.pairs, bounces <= 15), (vec![], true));
//! # Ok::<(), hitmask::Error>(())
//! ```

// How long each part of the engine lives:
//
// | part | one for each | ends with |
// |---|---|---|
// | `Shared` | device | the engine and all its tickets; `rebuild` makes another |
// | `Learnt` | device, in `Shared` | likewise; a rebuild takes over all but the fuel |
// | `Frame` | step in flight | it goes back to `Shared` with its step, if that was submitted, and serves a later one |
// | `Held` | frame | the frame, or a step of another world in it |
// | `Step` | submission | its ticket, or the wait for its counts if the ticket is dropped |
// | `Run` | range of rows whose pairs fit into the buffers at once | the step that runs it |
// | `Recording` | run | it is played: encoded as passes |
// | `Ticket` | submission | the caller drops it |

mod ahead;
#[cfg(any(target_family = "wasm", test))]
mod bare;
mod binding;
mod contact;
mod detail;
mod device;
mod doubt;
mod fault;
mod frame;
pub(crate) mod header;
mod kinds;
pub(crate) mod later;
#[cfg(test)]
mod layout;
mod learnt;
mod limits;
mod lock;
#[cfg(test)]
mod loops;
pub(crate) mod modules;
#[cfg(test)]
mod needs;
mod opening;
mod options;
mod params;
mod pass;
mod pipelines;
mod queue;
mod record;
#[cfg(all(debug_assertions, any(test, feature = "internals")))]
mod replaced;
mod request;
mod results;
pub(crate) mod self_test;
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
pub use contact::RawContact;
pub use detail::RawDetail;
#[cfg(feature = "internals")]
pub(crate) use device::preference;
pub use device::{GpuInfo, NEEDED, limits_of, list};
pub(crate) use device::{find, wanted};
pub use options::Options;
pub use request::{Counts, Request};
pub use results::Results;
pub use stream::Stream;
pub use ticket::Ticket;
pub use whole::Whole;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use crate::cpu;
#[cfg(feature = "internals")]
use crate::ground::clock::Instant;
use crate::ground::error::{Error, Result};
use crate::hits::{Ask, Detail, Hits};
use crate::profile::Profile;
use crate::world::World;
use device::Gpu;
use learnt::Learnt;
use shared::Shared;

/// The GPU engine. It keeps its GPU buffers from step to step.
#[derive(Debug)]
pub struct Engine {
    shared: Arc<Shared>,
    profile: Profile,
    options: Options,
    /// Whether the host program opened the device.
    hosted: bool,
    /// The memory of the answer before the one that [`Engine::run_into`] gave last.
    spare: Hits,
    /// The engine of [`Engine::stream`], created by its first call.
    streams: Option<cpu::Engine>,
}

impl Engine {
    /// Opens the GPU that the environment variable `WGPU_ADAPTER_NAME` names, or without that the most powerful one.
    /// Shaders are [compiled later](self#when-shaders-are-compiled), except for the self-test, which the GPU has passed
    /// when this returns (see [`Options::trusted`]).
    ///
    /// ```
    /// use hitmask::gpu::Engine;
    ///
    /// println!("on {}", Engine::new()?.info());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn new() -> Result<Self> {
        Self::with(&Options::default())
    }

    /// Opens a GPU with the given options.
    ///
    /// ```
    /// use hitmask::gpu::{self, Broad};
    ///
    /// let engine = gpu::Engine::with(&gpu::Options::default().broad(Broad::Sorted).timestamps(true))?;
    /// assert!(gpu::Engine::with(&gpu::Options::default().name(Some("no such GPU"))).is_err());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn with(options: &Options) -> Result<Self> {
        Error::unless_native("gpu::Engine::with", "gpu::Engine::open")?;
        pollster::block_on(Self::opened(device::open(options)?, options, false))
    }

    /// Returns the time that each pipeline takes to compile, one after the other.
    #[cfg(feature = "internals")]
    pub(crate) fn compile_times(options: &Options) -> Result<Vec<(&'static str, Duration)>> {
        let engine = Self::with(&Options { lazy: true, trusted: true, ..options.clone() })?;
        let pipelines = &engine.shared.pipelines;
        let time = |pass| {
            let start = Instant::now();
            pipelines.make(&[pass]).map(|()| (pass.entry(), start.elapsed()))
        };
        pass::Pass::ALL.iter().copied().filter(|&pass| pipelines.may_need(pass)).map(time).collect()
    }

    /// Checks that a device has the limits that an engine needs, and that a queue belongs to it. In a browser,
    /// [`Engine::open_on`] checks the queue instead.
    pub(crate) fn check_host(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<()> {
        limits::check(&device.limits())?;
        if cfg!(target_family = "wasm") {
            return Ok(());
        }
        pollster::block_on(queue::check(&Gpu::new(device.clone(), queue.clone(), &Options::default())))
    }

    /// Creates an engine on a device that the host program opened, with wgpu's default limits or higher, and on that
    /// device's queue. It needs no optional features; with `SHADER_INT64`, convex bodies take less time: see
    /// [`Options::int64`]. It returns once the GPU has passed the self-test (see [`Options::trusted`]).
    ///
    /// The program's error handlers stay in place and receive none of the engine's errors: these are returned. But wgpu
    /// runs due callbacks of the program during each submission, also during those of the engine. An error on the
    /// device that such a callback causes there is returned as the engine's: cause none in callbacks.
    ///
    /// A queue of another device is an [`Error::Value`]. The error handler of that device may be called; if the queue
    /// is of another instance, wgpu panics inside, which is caught and returned as that error unless the program aborts
    /// on panics.
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

    /// Creates an engine on an open device, like [`Engine::from_device`], but with options. Those for choosing and
    /// opening a GPU are ignored.
    ///
    /// If a limit of the device is too low, the [`Error::Gpu`] names it.
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
        Error::unless_native("gpu::Engine::on", "gpu::Engine::open_on")?;
        pollster::block_on(Self::hosted(device, queue, options))
    }

    /// As [`Engine::on`]. Blocks natively.
    async fn hosted(device: wgpu::Device, queue: wgpu::Queue, options: &Options) -> Result<Self> {
        let gpu = Gpu::new(device, queue, options);
        queue::check(&gpu).await?;
        Self::opened(gpu, options, true).await
    }

    /// Creates an engine on a device that passes the self-test. Blocks natively.
    async fn opened(gpu: Gpu, options: &Options, hosted: bool) -> Result<Self> {
        Ok(Self::of(Shared::checked(gpu, options).await?, options, hosted))
    }

    fn of(shared: Shared, options: &Options, hosted: bool) -> Self {
        Self {
            shared: Arc::new(shared),
            profile: Profile::default(),
            options: options.clone(),
            hosted,
            spare: Hits::default(),
            streams: None,
        }
    }

    /// Returns a new engine on the same device, with the same pipelines. Panics if the options need others.
    #[cfg(feature = "internals")]
    pub(crate) fn beside(&self, options: &Options) -> Result<Self> {
        let fixed = |of: &Options| (of.limits.clone(), of.int64, of.timestamps, of.tables, of.samples);
        assert_eq!(fixed(options), fixed(&self.options), "the device and the pipelines depend on these options");
        let options = Options { lazy: true, ..options.clone() };
        let pipelines = Arc::clone(&self.shared.pipelines);
        let shared = Shared::new(self.shared.gpu.clone(), &options, Some(pipelines))?;
        Ok(Self::of(shared, &options, self.hosted))
    }

    /// Opens a GPU again, with the options of this engine, and continues on it. Call it after an [`Error::GpuLost`],
    /// which every later call returns too. A loss does not affect worlds, and further steps can use them. Tickets from
    /// before stay lost.
    ///
    /// On an error, for example because there is no GPU any more, the engine stays as it was: try again later, or use
    /// the CPU engine. If the host program opened the device, it has to open the new one too: see
    /// [`Engine::rebuild_on`].
    ///
    /// ```
    /// use hitmask::{Ask, Error, World, gpu};
    ///
    /// let (world, mut engine) = (World::default(), gpu::Engine::new()?);
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
            let problem = "the host program opened the device: open another, and pass it to `Engine::rebuild_on`";
            return Err(Error::Gpu { problem: problem.into() });
        }
        Error::unless_native("gpu::Engine::rebuild", "gpu::Engine::open")?;
        self.go_on_with(device::open(&self.options)?)
    }

    /// Continues on another device that the host program opened, as [`Engine::rebuild`] does on one that it opens
    /// itself. From then on `rebuild` returns an error. A queue that does not belong to the device is an
    /// [`Error::Value`]. On an error the engine stays as it was.
    ///
    /// ```
    /// use hitmask::{gpu, wgpu};
    ///
    /// fn recover(engine: &mut gpu::Engine, device: &wgpu::Device, queue: &wgpu::Queue) -> hitmask::Result<()> {
    ///     engine.rebuild_on(device.clone(), queue.clone())
    /// }
    /// ```
    pub fn rebuild_on(&mut self, device: wgpu::Device, queue: wgpu::Queue) -> Result<()> {
        Error::unless_native("gpu::Engine::rebuild_on", "gpu::Engine::open_on")?;
        let gpu = Gpu::new(device, queue, &self.options);
        pollster::block_on(queue::check(&gpu))?;
        self.go_on_with(gpu)?;
        self.hosted = true;
        Ok(())
    }

    fn go_on_with(&mut self, gpu: Gpu) -> Result<()> {
        let shared = pollster::block_on(Shared::checked(gpu, &self.options))?;
        shared.learn(|learnt| *learnt = Learnt { fuel: learnt.fuel, ..self.shared.learnt() });
        self.shared = Arc::new(shared);
        Ok(())
    }

    /// Compiles every shader that a step without contacts may need, for a loading screen, so that no later step has to.
    /// Calls `progress` with the number of pipelines done and their total, first with 0 done, then after each.
    ///
    /// Those for [`Request::contacts`] take several times as long as all others together: the first step that asks for
    /// contacts compiles those that its bodies need.
    ///
    /// On hardware this takes from tenths of a second to a few seconds; from the second start on, the driver's shader
    /// cache saves most of it. An error names a shader that the driver rejects; steps that do not need that
    /// shader still work.
    ///
    /// ```no_run
    /// let engine = hitmask::gpu::Engine::new()?;
    /// engine.compile(|done, all| println!("shaders: {done} of {all}"))?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn compile(&self, mut progress: impl FnMut(usize, usize)) -> Result<()> {
        let pipelines = &self.shared.pipelines;
        let passes: Vec<_> = ahead::needed(pipelines).collect();
        progress(0, passes.len());
        let mut done = 0;
        let made = || {
            done += 1;
            progress(done, passes.len());
        };
        pipelines.make_each(&passes, made).map_err(|error| self.shared.gpu.cause(error))?;
        // A lost device compiles nothing, and raises no errors.
        self.shared.gpu.check()
    }

    /// Returns the GPU that the engine runs on.
    ///
    /// ```
    /// let engine = hitmask::gpu::Engine::new()?;
    /// assert!(hitmask::gpu::list().contains(engine.info()));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn info(&self) -> &GpuInfo {
        &self.shared.info
    }

    /// Returns the limits with which the device was opened.
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

    /// Returns the profile of the last step of [`Engine::run`]. For a step from [`Engine::submit`], see
    /// [`Ticket::profile`].
    ///
    /// ```
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut engine = gpu::Engine::new()?;
    /// engine.run(&World::default(), Ask::Pairs)?;
    /// assert_eq!(engine.profile().stages[0].name, "upload");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Returns the bytes that the engine holds on the GPU, not counting the world's data, the pairs, and steps in
    /// flight.
    ///
    /// ```
    /// use hitmask::{Ask, World, gpu};
    ///
    /// let mut engine = gpu::Engine::new()?;
    /// assert_eq!(engine.bytes(), 0, "no step has needed any");
    /// engine.run(&World::default(), Ask::Pairs)?;
    /// assert!(engine.bytes() > 0);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.shared.bytes()
    }

    /// Runs a step, waits for its answer, and returns which bodies hit which. It needs a place in flight: if the
    /// program keeps [`Options::frames`] tickets of [`Engine::submit`], even ones whose answers were taken, it returns
    /// an [`Error::Gpu`] that says so.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Shape, World, gpu};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0.0, 20.0, 25.0] {
    ///     world.add(&Body::new(ball, [x, 0.0]))?;
    /// }
    /// let hits = gpu::Engine::new()?.run(&world, Ask::Pairs)?;
    /// assert_eq!(hits.pairs, [[1, 2]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn run(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        self.run_with(world, ask, Hits::default())
    }

    /// As [`Engine::run`], with the answer in `hits`, which is unchanged on an error. Answers take turns in two pieces
    /// of memory, so that most steps need no new memory for theirs.
    ///
    /// ```
    /// use hitmask::{Ask, Hits, World, gpu};
    ///
    /// let mut hits = Hits::default();
    /// gpu::Engine::new()?.run_into(&World::default(), Ask::Flags, &mut hits)?;
    /// assert_eq!(hits, Hits::default());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn run_into(&mut self, world: &World, ask: Ask, hits: &mut Hits) -> Result<()> {
        let spare = std::mem::take(&mut self.spare);
        let answer = self.run_with(world, ask, spare)?;
        self.spare = std::mem::replace(hits, answer);
        Ok(())
    }

    /// As [`Engine::run`], without blocking the thread: see [`Ticket::answer`].
    ///
    /// ```
    /// use hitmask::{Ask, Body, Shape, World, gpu};
    ///
    /// # pollster::block_on(async {
    /// let mut engine = gpu::Engine::open(&gpu::Options::default()).await?;
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0.0, 20.0, 25.0] {
    ///     world.add(&Body::new(ball, [x, 0.0]))?;
    /// }
    /// assert_eq!(engine.run_async(&world, Ask::Pairs).await?.pairs, [[1, 2]]);
    /// # Ok::<(), hitmask::Error>(())
    /// # })?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub async fn run_async(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        self.profile = Profile::default();
        let mut ticket = Ticket::submit(&self.shared, world, &ask.into(), None, std::mem::take(&mut self.spare))?;
        let hits = ticket.answer().await?;
        self.profile = ticket.profile().cloned().unwrap_or_default();
        Ok(hits)
    }

    /// Runs a step, with its answer in the memory of `spare`.
    fn run_with(&mut self, world: &World, ask: Ask, spare: Hits) -> Result<Hits> {
        Error::unless_native("gpu::Engine::run", "gpu::Engine::run_async")?;
        self.profile = Profile::default();
        let mut ticket = Ticket::submit(&self.shared, world, &ask.into(), None, spare)?;
        loop {
            if let Some(hits) = ticket.wait(Duration::MAX)? {
                self.profile = ticket.profile().cloned().unwrap_or_default();
                return Ok(hits);
            }
        }
    }

    /// Calls `each` with the pairs that [`Engine::run`] returns, in the same order, a batch at a time. A GPU finds
    /// pairs in no particular order, so this runs on the CPU, on an engine that the first call creates: see
    /// [`cpu::Engine::stream`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use hitmask::{Ask, Body, Shape, World, gpu};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0, 5, 10] {
    ///     world.add(&Body::new(ball, [x, 0]))?;
    /// }
    /// let mut all = Vec::new();
    /// gpu::Engine::new()?.stream(&world, Ask::Pairs, 1 << 20, |pairs, _| {
    ///     all.extend_from_slice(pairs);
    ///     ControlFlow::<()>::Continue(())
    /// })?;
    /// assert_eq!(all, [[0, 1], [1, 2]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn stream<B>(
        &mut self,
        world: &World,
        ask: Ask,
        memory: u64,
        each: impl FnMut(&[[u32; 2]], &[Detail]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>> {
        let cpu = match &mut self.streams {
            Some(cpu) => cpu,
            none => none.insert(cpu::Engine::new()?),
        };
        cpu.stream(world, ask, memory, each)
    }

    /// Submits a step without waiting for its answer, and returns a [`Ticket`] for it. Compiles the shaders that this
    /// step is the first to need, unless the engine's thread already has. The world may change as soon as this returns.
    /// The request is an [`Ask`], or a [`Request`], which can take poses from GPU buffers or leave the answer on the
    /// GPU.
    ///
    /// If [`Options::frames`] steps are already in flight, it returns an [`Error::Gpu`] that says so. Each ticket
    /// counts until it is dropped, even if its answer was taken.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use hitmask::{Ask, Body, Shape, World, gpu};
    ///
    /// let mut engine = gpu::Engine::new()?;
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
        Ticket::submit(&self.shared, world, &request.into(), None, Hits::default())
    }

    /// Records a step into the caller's encoder instead of submitting it, so that a whole frame can be one submission.
    /// Submit the encoder to the engine's queue. Otherwise as [`Engine::submit`].
    ///
    /// Passes encoded after this call see the step's results; passes encoded before it may write the buffers that a
    /// [`Request`] reads. Submit the encoder before you query the ticket: until then [`Ticket::try_take`] returns
    /// `None`, [`Ticket::wait`] an [`Error::Gpu`], and [`Ticket::answer`] waits for the submission. If the encoder is
    /// dropped instead, or the device refuses its submission because of an error in any part of it, all three return an
    /// `Error::Gpu`; later steps are not affected.
    ///
    /// The encoder must be of the engine's device, with no open pass: with one of another device, wgpu panics. An error
    /// of this call leaves it as it was, except in a browser, which reports errors of the device later, by the ticket.
    ///
    /// [`Engine::submit`] splits a step with long dispatches into several submissions, so that drivers do not take it
    /// for a hang; this method cannot. In worlds of a hundred thousand turned sprites or more, prefer `submit`.
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
        Ticket::submit(&self.shared, world, &request.into(), Some(encoder), Hits::default())
    }
}
