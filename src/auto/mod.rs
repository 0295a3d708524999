//! An engine that takes the CPU or a GPU, whichever a game pays less for.
//!
//! All engines give the same answers, bit for bit. So this one may go over from one to the other between any two steps,
//! and measures which is cheaper: by the time from the call to the answer.
//!
//! - It begins on the CPU. As long as a step takes less than a millisecond there, no GPU is opened.
//! - Where a step takes longer, a GPU in hardware is opened, if there is one, and all shaders are compiled for it. A
//!   thread does that, which takes a core for as long, while the CPU answers: no step waits for it. An engine that is
//!   dropped meanwhile waits for the shader that is being compiled, and leaves the rest.
//! - Then seven steps go to the GPU. The first two are not counted; of the rest, and of the last five on the CPU, the
//!   medians are compared. The other engine takes over where it is cheaper by a fifth. A trial ends at the first step
//!   that takes four times as long.
//! - The other engine is tried again where the cost has changed by a factor of two, or is what the other had been
//!   cheaper than by a fifth, and there were 64 steps since the last trial (256 after some that changed nothing); and
//!   without any change after sixteen times as many.
//!
//! All this is done by itself for each [`Ask`], and for worlds of different size (to a power of two): a large world and
//! a small one may be asked about in turn. A size that comes up first begins with the engine of the size that is next
//! to it.
//!
//! # When the GPU fails
//!
//! A step in which the GPU fails, lost or without memory, is answered by the CPU, and so are all later ones: nothing is
//! lost but time, and no error is returned. The GPU is not tried again, unless [`Engine::rebuild`] says so.
//!
//! # When not to take it
//!
//! A game that draws from the GPU's own results, or does not wait for answers, has
//! [`gpu::Engine::submit`](crate::gpu::Engine::submit) for that. One that asks for single steps far apart, without
//! anything to measure, is best off on the CPU.

mod contest;
mod opening;
mod status;
#[cfg(test)]
mod tests;

pub use status::{Status, Why};

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::ground::error::{Error, Result};
use crate::hits::{Ask, Detail, Hits};
use crate::profile::Profile;
use crate::world::World;
use crate::{cpu, gpu};
use contest::{Contest, Side};
use opening::{Host, Opening};

/// The engine that takes the cheaper one. It keeps the memory of both.
#[derive(Debug)]
pub struct Engine {
    cpu: cpu::Engine,
    gpu: Gpu,
    /// How a GPU is opened.
    options: gpu::Options,
    /// The device that the host program has opened, where it is to be on that.
    host: Option<Host>,
    /// For each kind of question that came up, which engine answers it.
    contests: Vec<(Kind, Contest)>,
    /// Which of them the last step was, and the engine that has answered it.
    last: usize,
    answered: Side,
    /// What a step took that began then. Tests say what they like.
    meter: fn(Side, Instant) -> Duration,
}

/// What is known of a GPU.
#[derive(Debug)]
enum Gpu {
    Unasked,
    Opening(Opening),
    Open(Box<gpu::Engine>),
    Gone(Error),
}

/// Questions that cost about the same: what is asked for, and the bits of the number of bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind(Ask, u32);

impl Engine {
    /// With a thread for each core, and the most powerful GPU. A driver that computes in software is never tried,
    /// unless the environment's `WGPU_ADAPTER_NAME` names it.
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
    /// println!("{}", engine.status()); // cpu: it takes too little for a GPU to be tried (cpu 0.00 ms a step)
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn new() -> Result<Self> {
        Self::with(&cpu::Options::default(), &gpu::Options::default())
    }

    /// With an engine on the CPU as `cpu` says, and where it is tried, a GPU as `gpu` says; but one in software only
    /// where its [name](gpu::Options::name()) is asked for.
    ///
    /// An [`Error::Gpu`] where a name is asked for that no GPU has.
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
        if is_named {
            gpu::find(gpu)?;
        }
        Self::beginning(cpu, gpu.clone().hardware(gpu.hardware || !is_named), None)
    }

    /// Makes an engine that tries the device on which the game draws, and opens no other. The device may compute in
    /// software: it is measured like any. Shaders are compiled for it on a thread, when the first step takes longer
    /// than a millisecond on the CPU; steps wait for the GPU on the game's queue, behind what the game has submitted
    /// there.
    ///
    /// A queue of another device is an [`Error::Value`]. Where the device is lost, the CPU answers from then on;
    /// [`Engine::rebuild_on`] takes another.
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
        gpu::Engine::check_queue(&device, &queue)?;
        Self::beginning(cpu, gpu.clone(), Some(Host { device, queue }))
    }

    fn beginning(cpu: &cpu::Options, options: gpu::Options, host: Option<Host>) -> Result<Self> {
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

    /// The engine that has answered the last step: "cpu" or "gpu"; before the first, "cpu".
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

    /// What that one runs on: "2 threads, avx2", or the GPU's name and interface.
    ///
    /// ```
    /// println!("on {}", hitmask::auto::Engine::new()?.device());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn device(&self) -> String {
        self.answering().map_or_else(|| self.cpu.device(), |gpu| gpu.info().to_string())
    }

    /// Its engine on the CPU.
    ///
    /// ```
    /// assert_eq!(hitmask::auto::Engine::new()?.cpu().threads(), hitmask::cpu::Engine::new()?.threads());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn cpu(&self) -> &cpu::Engine {
        &self.cpu
    }

    /// Which engine has answered the last step, and why that one.
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
        let why = match (&self.gpu, contest) {
            (Gpu::Gone(error), _) => Why::NoGpu(error.clone()),
            (_, Some(contest)) if contest.on() != self.answered => Why::Trial,
            (Gpu::Opening(_), Some(contest)) if contest.is_dear() => Why::Opening,
            (_, Some(contest)) if contest.is_cheap() => Why::Cheap,
            _ if cpu.is_some() && gpu.is_some() => Why::Cheaper,
            _ => Why::Unmeasured,
        };
        Status { engine: self.name(), why, cpu, gpu }
    }

    /// What the last step cost, on the engine that has answered it.
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

    /// The bytes that both engines hold beyond the world's own and the last answer's.
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

    /// Lets a GPU be opened again, after one has [failed](self#when-the-gpu-fails) or there was none.
    ///
    /// ```
    /// use hitmask::auto::{Engine, Why};
    ///
    /// /// Where the player has installed a driver, or the laptop is back on its dock.
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

    /// Takes another device of the game's from now on, as [`Engine::on`] does: after a loss, for example. A queue of
    /// another device is an [`Error::Value`], with which the engine stays as it was.
    ///
    /// ```
    /// use hitmask::{auto, wgpu};
    ///
    /// fn recover(engine: &mut auto::Engine, device: &wgpu::Device, queue: &wgpu::Queue) -> hitmask::Result<()> {
    ///     engine.rebuild_on(device.clone(), queue.clone())
    /// }
    /// ```
    pub fn rebuild_on(&mut self, device: wgpu::Device, queue: wgpu::Queue) -> Result<()> {
        gpu::Engine::check_queue(&device, &queue)?;
        self.host = Some(Host { device, queue });
        self.contests.iter_mut().for_each(|(_, contest)| contest.lose_gpu());
        (self.gpu, self.answered) = (Gpu::Unasked, Side::Cpu);
        Ok(())
    }

    /// Answers which bodies hit which.
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

    /// Answers as [`Engine::run`] does, in the memory of an earlier answer; on an error that is as it was, or empty.
    /// Errors are those of [`cpu::Engine::run_into`]: where the GPU has one, the CPU answers.
    ///
    /// ```
    /// use hitmask::{Ask, Hits, World, auto};
    ///
    /// let (mut engine, mut hits) = (auto::Engine::new()?, Hits::default());
    /// engine.run_into(&World::default(), Ask::Flags, &mut hits)?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn run_into(&mut self, world: &World, ask: Ask, hits: &mut Hits) -> Result<()> {
        self.take_opened();
        self.last = self.contest(Kind(ask, usize::BITS - world.len().leading_zeros()));
        let start = Instant::now();
        if let (Side::Gpu, Gpu::Open(gpu)) = (self.contests[self.last].1.next(), &mut self.gpu) {
            match gpu.run(world, ask) {
                Ok(answer) => *hits = answer,
                Err(error) => {
                    self.lose(error);
                    return self.cpu.run_into(world, ask, hits);
                }
            }
            self.answered = Side::Gpu;
        } else {
            self.answered = Side::Cpu;
            self.cpu.run_into(world, ask, hits)?;
        }
        let time = (self.meter)(self.answered, start);
        let contest = &mut self.contests[self.last].1;
        contest.took(time, matches!(self.gpu, Gpu::Open(_)));
        if contest.is_dear() && matches!(self.gpu, Gpu::Unasked) {
            match Opening::start(&self.options, self.host.as_ref()) {
                Ok(opening) => self.gpu = Gpu::Opening(opening),
                Err(error) => self.lose(error),
            }
        }
        Ok(())
    }

    /// Gives the pairs that [`Engine::run`] answers, in the same order, some at a time: see [`cpu::Engine::stream`],
    /// which does it.
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

    /// The GPU, where it has answered the last step.
    fn answering(&self) -> Option<&gpu::Engine> {
        match &self.gpu {
            Gpu::Open(gpu) if self.answered == Side::Gpu => Some(gpu),
            _ => None,
        }
    }

    /// Which contest is about such questions.
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

    /// Takes the GPU that was being opened, if that is done.
    fn take_opened(&mut self) {
        let Gpu::Opening(opening) = &mut self.gpu else { return };
        match opening.take() {
            None => {}
            Some(Err(error)) => self.lose(error),
            Some(Ok(gpu)) => {
                self.gpu = Gpu::Open(Box::new(gpu));
                // While shaders were compiled, there was a core less for steps.
                self.contests.iter_mut().for_each(|(_, contest)| contest.measure_again());
            }
        }
    }

    /// The CPU answers from now on.
    fn lose(&mut self, error: Error) {
        (self.gpu, self.answered) = (Gpu::Gone(error), Side::Cpu);
        self.contests.iter_mut().for_each(|(_, contest)| contest.lose_gpu());
    }
}
