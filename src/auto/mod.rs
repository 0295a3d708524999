//! An engine that runs each step on the CPU or on a GPU, whichever is faster.
//!
//! All engines give the same answers, bit for bit. So this one can switch between any two steps. It measures which
//! engine is faster by the time from the call to the answer.
//!
//! - It starts on the CPU. As long as a step takes less than a millisecond there, no GPU is opened.
//! - Once steps take longer, it opens a hardware GPU, if there is one, and compiles all shaders for it, on a thread
//!   that occupies a core meanwhile. The CPU continues to answer, and no step waits. Dropping the engine during this
//!   time waits for the shader that is being compiled and skips the rest.
//! - Then seven steps run on the GPU as a trial. The first two are not counted; the median of the other five is
//!   compared with that of the last five on the CPU. The other engine takes over if it takes at most 4/5 of the time. A
//!   step that takes more than four times as long ends the trial at once.
//! - The other engine is tried again if the cost has changed by a factor of two, or if the other engine's last
//!   measurement is at most 4/5 of the current cost; but not before 64 steps have passed since the last trial (up to
//!   256 after trials that changed nothing). Without any such change it is tried again after sixteen times as many
//!   steps.
//!
//! The engine does this separately for each [`Ask`] and for each size of world (to a power of two), so a large and a
//! small world can take turns. A new size starts on the engine of the nearest size known.
//!
//! # When the GPU fails
//!
//! If the GPU fails during a step (it is lost, or out of memory), the CPU answers this step and all later ones: only
//! time is lost, and no error is returned. The GPU is not tried again until you call [`Engine::rebuild`].
//!
//! If a world does not fit on the GPU ([`Error::Capacity`]), the CPU answers its steps, and the GPU goes on with those
//! for another [`Ask`] or of worlds of another size. It is tried again after a thousand steps or more, as the world may
//! have shrunk.
//!
//! # In a browser
//!
//! A page must not wait for a GPU. So [`Engine::run_async`] decides as above, and opens the GPU without a thread, while
//! [`Engine::run`] always answers on the CPU.
//!
//! # When not to use it
//!
//! If your game draws from the results on the GPU, or does not wait for answers, use
//! [`gpu::Engine::submit`](crate::gpu::Engine::submit). If it runs single steps far apart, there is nothing to measure:
//! use the CPU engine.

mod contest;
mod opening;
mod status;
#[cfg(test)]
mod tests;

pub use status::{Status, Why};

use std::ops::ControlFlow;
use std::time::Duration;

use crate::ground::clock::Instant;
use crate::ground::error::{Error, Result};
use crate::hits::{Ask, Detail, Hits};
use crate::profile::Profile;
use crate::world::World;
use crate::{cpu, gpu};
use contest::{Contest, Side};
use opening::{Host, Opening};

/// The engine that switches between the CPU and a GPU. It keeps the memory of both engines.
#[derive(Debug)]
pub struct Engine {
    cpu: cpu::Engine,
    gpu: Gpu,
    /// The options for opening a GPU.
    options: gpu::Options,
    /// The device to try, if the host program opened it.
    host: Option<Host>,
    /// The contest of each kind of step so far.
    contests: Vec<(Kind, Contest)>,
    /// The index of the last step's contest.
    last: usize,
    /// The engine that answered the last step.
    answered: Side,
    /// Returns the duration of a step that began at the given time. Tests replace it.
    meter: fn(Side, Instant) -> Duration,
}

/// The state of the GPU.
#[derive(Debug)]
enum Gpu {
    Unasked,
    Opening(Opening),
    Open(Box<gpu::Engine>),
    Gone(Error),
}

/// A kind of steps that cost about the same: the request, and the bit length of the number of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind(Ask, u32);

impl Engine {
    /// Creates an engine with a thread for each core and the most powerful GPU. A software driver is tried only if the
    /// environment variable `WGPU_ADAPTER_NAME` names it.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Hits, Shape, World, auto};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0, 20, 25] {
    ///     world.add(&Body::new(ball, [x, 0]))?;
    /// }
    /// let (mut engine, mut hits) = (auto::Engine::new()?, Hits::default());
    /// for _ in 0..60 {
    ///     engine.run_into(&world, Ask::Pairs, &mut hits)?;
    ///     assert_eq!(hits.pairs, [[1, 2]]);
    /// }
    /// println!("{}", engine.status()); // cpu: its steps are too short to try a GPU (cpu 0.00 ms a step)
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn new() -> Result<Self> {
        Self::with(&cpu::Options::default(), &gpu::Options::default())
    }

    /// Creates an engine with options for the CPU engine, and for the GPU to try. A software GPU is tried only if its
    /// [name](gpu::Options::name()) is given.
    ///
    /// Returns an [`Error::Gpu`] if no GPU has the given name, and an [`Error::Value`] for an option that
    /// [`gpu::Engine::with`] refuses.
    ///
    /// ```
    /// use hitmask::{auto, cpu, gpu};
    ///
    /// let cpu = cpu::Options::default().threads(1);
    /// assert!(auto::Engine::with(&cpu, &gpu::Options::default())?.device().starts_with("1 thread, "));
    /// assert!(auto::Engine::with(&cpu, &gpu::Options::default().name(Some("no such GPU"))).is_err());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn with(cpu: &cpu::Options, gpu: &gpu::Options) -> Result<Self> {
        let is_named = gpu::wanted(gpu.name.as_deref()).is_some();
        // A browser lists no GPUs.
        if is_named && !cfg!(target_family = "wasm") {
            gpu::find(gpu)?;
        }
        Self::beginning(cpu, gpu.clone().hardware(gpu.hardware || !is_named), None)
    }

    /// Creates an engine that tries the device with which the game draws, and opens no other. A software device is
    /// measured like any other. Once steps take longer than a millisecond on the CPU, a thread compiles the shaders for
    /// it. Steps on the GPU run on the game's queue, after the work that the game has submitted there.
    ///
    /// Returns the errors of [`gpu::Engine::on`] for a queue of another device, a limit of the device that is too low,
    /// and an option that is out of range. If the device is lost, the CPU answers from then on, until
    /// [`Engine::rebuild_on`] sets another device.
    ///
    /// ```
    /// use hitmask::{Ask, World, auto, cpu, gpu, wgpu};
    ///
    /// # let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    /// # let wanted = wgpu::RequestAdapterOptions::default();
    /// # let adapter = pollster::block_on(instance.request_adapter(&wanted)).expect("a GPU");
    /// # let request = adapter.request_device(&wgpu::DeviceDescriptor::default());
    /// # let (device, queue) = pollster::block_on(request).expect("it opens"); // the game's own
    /// let (cpu, gpu) = (cpu::Options::default(), gpu::Options::default());
    /// let mut engine = auto::Engine::on(device.clone(), queue.clone(), &cpu, &gpu)?;
    /// assert!(engine.run(&World::default(), Ask::Pairs)?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn on(device: wgpu::Device, queue: wgpu::Queue, cpu: &cpu::Options, gpu: &gpu::Options) -> Result<Self> {
        gpu::Engine::check_host(&device, &queue)?;
        Self::beginning(cpu, gpu.clone(), Some(Host { device, queue }))
    }

    fn beginning(cpu: &cpu::Options, options: gpu::Options, host: Option<Host>) -> Result<Self> {
        options.check()?;
        Ok(Self {
            cpu: cpu::Engine::with(cpu)?,
            gpu: Gpu::Unasked,
            options,
            host,
            contests: Vec::new(),
            last: 0,
            answered: Side::Cpu,
            meter: |_, start| start.elapsed(),
        })
    }

    /// Returns the engine that answered the last step: "cpu" or "gpu"; before the first step, "cpu".
    ///
    /// ```
    /// assert_eq!(hitmask::auto::Engine::new()?.name(), "cpu");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self.answering() {
            Some(_) => "gpu",
            None => "cpu",
        }
    }

    /// Returns the device of the engine that answered the last step: "2 threads, avx2", or the GPU's name and backend.
    ///
    /// ```
    /// println!("on {}", hitmask::auto::Engine::new()?.device());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn device(&self) -> String {
        self.answering().map_or_else(|| self.cpu.device(), |gpu| gpu.info().to_string())
    }

    /// Returns the CPU engine.
    ///
    /// ```
    /// assert_eq!(hitmask::auto::Engine::new()?.cpu().threads(), hitmask::cpu::Engine::new()?.threads());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn cpu(&self) -> &cpu::Engine {
        &self.cpu
    }

    /// Returns which engine answered the last step, and why.
    ///
    /// ```
    /// use hitmask::auto::Why;
    /// use hitmask::{Ask, World, auto};
    ///
    /// let mut engine = auto::Engine::new()?;
    /// for _ in 0..10 {
    ///     engine.run(&World::default(), Ask::Pairs)?;
    /// }
    /// let status = engine.status();
    /// assert!(status.engine == "cpu" && matches!(status.why, Why::Cheap), "{status}");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn status(&self) -> Status {
        let contest = self.contests.get(self.last).map(|(_, contest)| contest);
        let cost = |side| contest.and_then(|contest| contest.cost(side));
        let (cpu, gpu) = (cost(Side::Cpu), cost(Side::Gpu));
        let error = if let Gpu::Gone(error) = &self.gpu { Some(error) } else { contest.and_then(Contest::refused) };
        let why = match (error, contest) {
            (Some(error), _) => Why::NoGpu(error.clone()),
            (None, Some(contest)) if contest.on() != self.answered => Why::Trial,
            (None, Some(contest)) if matches!(self.gpu, Gpu::Opening(_)) && contest.is_dear() => Why::Opening,
            (None, Some(contest)) if contest.is_cheap() => Why::Cheap,
            (None, _) if cpu.is_some() && gpu.is_some() => Why::Cheaper,
            (None, _) => Why::Unmeasured,
        };
        Status { engine: self.name(), why, cpu, gpu }
    }

    /// Returns the profile of the last step, from the engine that answered it.
    ///
    /// ```
    /// use hitmask::{Ask, World, auto};
    ///
    /// let mut engine = auto::Engine::new()?;
    /// engine.run(&World::default(), Ask::Pairs)?;
    /// println!("{:?}", engine.profile().stages);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn profile(&self) -> &Profile {
        self.answering().map_or_else(|| self.cpu.profile(), gpu::Engine::profile)
    }

    /// Returns the bytes that both engines hold, not counting the world's data and the last answer.
    ///
    /// ```
    /// use hitmask::{auto, cpu};
    ///
    /// assert_eq!(auto::Engine::new()?.bytes(), cpu::Engine::new()?.bytes());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.cpu.bytes() + if let Gpu::Open(gpu) = &self.gpu { gpu.bytes() } else { 0 }
    }

    /// Allows a GPU to be opened again, after one has [failed](self#when-the-gpu-fails) or none was found.
    ///
    /// ```
    /// use hitmask::auto::{Engine, Why};
    ///
    /// /// Call it when the player has installed a driver, or the laptop is back on its dock.
    /// fn look_again(engine: &mut Engine) {
    ///     if let Why::NoGpu(_) = engine.status().why {
    ///         engine.rebuild();
    ///     }
    /// }
    /// # look_again(&mut Engine::new()?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn rebuild(&mut self) {
        if let Gpu::Gone(_) = self.gpu {
            self.gpu = Gpu::Unasked;
        }
    }

    /// Switches to another device of the game, as [`Engine::on`] does: after a loss, for example. After an error, which
    /// is one of `on`, the engine stays as it was.
    ///
    /// ```
    /// use hitmask::{auto, wgpu};
    ///
    /// fn recover(engine: &mut auto::Engine, device: &wgpu::Device, queue: &wgpu::Queue) -> hitmask::Result<()> {
    ///     engine.rebuild_on(device.clone(), queue.clone())
    /// }
    /// ```
    pub fn rebuild_on(&mut self, device: wgpu::Device, queue: wgpu::Queue) -> Result<()> {
        gpu::Engine::check_host(&device, &queue)?;
        self.host = Some(Host { device, queue });
        self.contests.iter_mut().for_each(|(_, contest)| contest.lose_gpu());
        (self.gpu, self.answered) = (Gpu::Unasked, Side::Cpu);
        Ok(())
    }

    /// Runs a step: finds the bodies that hit each other.
    ///
    /// ```
    /// use hitmask::{Ask, World, auto};
    ///
    /// assert!(auto::Engine::new()?.run(&World::default(), Ask::Pairs)?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn run(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        let mut hits = Hits::default();
        self.run_into(world, ask, &mut hits)?;
        Ok(hits)
    }

    /// As [`Engine::run`], but reuses the memory of an earlier answer; after an error `hits` is unchanged or empty. The
    /// errors are those of [`cpu::Engine::run_into`]: if the GPU has an error, the CPU answers.
    ///
    /// ```
    /// use hitmask::{Ask, Hits, World, auto};
    ///
    /// let (mut engine, mut hits) = (auto::Engine::new()?, Hits::default());
    /// engine.run_into(&World::default(), Ask::Flags, &mut hits)?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn run_into(&mut self, world: &World, ask: Ask, hits: &mut Hits) -> Result<()> {
        if cfg!(target_family = "wasm") {
            self.answered = Side::Cpu;
            return self.cpu.run_into(world, ask, hits);
        }
        let start = self.begin(world, ask);
        if let (Side::Gpu, Gpu::Open(gpu)) = (self.contests[self.last].1.next(), &mut self.gpu) {
            if let Err(error) = gpu.run_into(world, ask, hits) {
                self.fall_back(error);
                return self.cpu.run_into(world, ask, hits);
            }
            self.answered = Side::Gpu;
        } else {
            self.answered = Side::Cpu;
            self.cpu.run_into(world, ask, hits)?;
        }
        self.end(start);
        Ok(())
    }

    /// As [`Engine::run`], without blocking the thread while the GPU answers: see [`gpu::Ticket::answer`]. A step on
    /// the CPU is computed at once.
    ///
    /// ```
    /// use hitmask::{Ask, World, auto};
    ///
    /// # pollster::block_on(async {
    /// assert!(auto::Engine::new()?.run_async(&World::default(), Ask::Pairs).await?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// # })?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub async fn run_async(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        let start = self.begin(world, ask);
        let hits = if let (Side::Gpu, Gpu::Open(gpu)) = (self.contests[self.last].1.next(), &mut self.gpu) {
            match gpu.run_async(world, ask).await {
                Ok(hits) => {
                    self.answered = Side::Gpu;
                    hits
                }
                Err(error) => {
                    self.fall_back(error);
                    return self.cpu.run(world, ask);
                }
            }
        } else {
            self.answered = Side::Cpu;
            self.cpu.run(world, ask)?
        };
        self.end(start);
        Ok(hits)
    }

    /// Begins a step: chooses its contest, and returns the time.
    fn begin(&mut self, world: &World, ask: Ask) -> Instant {
        self.take_opened();
        self.last = self.contest(Kind(ask, usize::BITS - world.len().leading_zeros()));
        Instant::now()
    }

    /// Ends a step that began at `start`: tells its contest, and opens a GPU if that may pay.
    fn end(&mut self, start: Instant) {
        let time = (self.meter)(self.answered, start);
        let contest = &mut self.contests[self.last].1;
        contest.took(time, matches!(self.gpu, Gpu::Open(_)));
        if contest.is_dear() && matches!(self.gpu, Gpu::Unasked) {
            match Opening::start(&self.options, self.host.as_ref()) {
                Ok(opening) => self.gpu = Gpu::Opening(opening),
                Err(error) => self.lose(error),
            }
        }
    }

    /// Calls `each` with the pairs that [`Engine::run`] returns, in the same order, a batch at a time. It always runs
    /// on the CPU: see [`cpu::Engine::stream`].
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use hitmask::{Ask, World, auto};
    ///
    /// let mut engine = auto::Engine::new()?;
    /// let ended = engine.stream(&World::default(), Ask::Pairs, 1 << 20, |_, _| ControlFlow::<()>::Continue(()))?;
    /// assert!(ended.is_continue());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn stream<B>(
        &mut self,
        world: &World,
        ask: Ask,
        memory: u64,
        each: impl FnMut(&[[u32; 2]], &[Detail]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>> {
        self.cpu.stream(world, ask, memory, each)
    }

    /// Returns the GPU engine if it answered the last step.
    fn answering(&self) -> Option<&gpu::Engine> {
        match &self.gpu {
            Gpu::Open(gpu) if self.answered == Side::Gpu => Some(gpu),
            _ => None,
        }
    }

    /// Returns the index of the contest of a kind, which it adds if missing.
    fn contest(&mut self, kind: Kind) -> usize {
        if let Some(found) = self.contests.iter().position(|(known, _)| *known == kind) {
            return found;
        }
        let alike = self.contests.iter().filter(|(known, _)| known.0 == kind.0);
        let nearest = alike.min_by_key(|(known, _)| known.1.abs_diff(kind.1));
        let contest = Contest::new(nearest.map_or(Side::Cpu, |(_, contest)| contest.on()));
        self.contests.push((kind, contest));
        self.contests.len() - 1
    }

    /// Takes over the GPU that a thread was opening, if it is done.
    fn take_opened(&mut self) {
        let Gpu::Opening(opening) = &mut self.gpu else { return };
        match opening.take() {
            None => {}
            Some(Err(error)) => self.lose(error),
            Some(Ok(gpu)) => {
                self.gpu = Gpu::Open(Box::new(gpu));
                // While shaders were compiled, steps had one core less.
                self.contests.iter_mut().for_each(|(_, contest)| contest.measure_again());
            }
        }
    }

    /// Leaves a step to the CPU, because the GPU has an error: all later ones too, unless the world just does not fit.
    fn fall_back(&mut self, error: Error) {
        if let Error::Capacity { .. } = error {
            self.answered = Side::Cpu;
            self.contests[self.last].1.refuse_gpu(error);
        } else {
            self.lose(error);
        }
    }

    /// Gives the GPU up: the CPU answers from now on.
    fn lose(&mut self, error: Error) {
        (self.gpu, self.answered) = (Gpu::Gone(error), Side::Cpu);
        self.contests.iter_mut().for_each(|(_, contest)| contest.lose_gpu());
    }
}
