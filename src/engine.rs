//! The engines behind one type: the reference, the CPU, a GPU, and the faster of CPU and GPU.

use std::ops::ControlFlow;

#[cfg(feature = "gpu")]
use crate::auto;
use crate::cpu;
#[cfg(feature = "gpu")]
use crate::gpu;
use crate::ground::error::Result;
use crate::hits::{Ask, Detail, Hits};
use crate::index::Queries;
use crate::profile::Profile;
use crate::reference;
use crate::world::World;

/// An engine, which finds the bodies that hit each other. All engines return the same answer for the same world, bit
/// for bit.
#[derive(Debug)]
#[non_exhaustive]
pub enum Engine {
    /// The definition of a hit as plain, slow code: for tests and debugging.
    Reference,
    /// The CPU, on all cores.
    Cpu(cpu::Engine),
    /// A GPU, through wgpu.
    #[cfg(feature = "gpu")]
    Gpu(Box<gpu::Engine>),
    /// The CPU or a GPU, whichever is faster.
    #[cfg(feature = "gpu")]
    Auto(Box<auto::Engine>),
}

impl Engine {
    /// Creates the reference engine. It is slow.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// world.add(&Body::new(ball, [5, 0]))?;
    /// assert_eq!(Engine::reference().run(&world, Ask::Pairs)?, Engine::cpu()?.run(&world, Ask::Pairs)?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn reference() -> Self {
        Self::Reference
    }

    /// Creates an engine on the CPU, with a thread for each core.
    ///
    /// ```
    /// assert_eq!(hitmask::Engine::cpu()?.name(), "cpu");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn cpu() -> Result<Self> {
        Ok(Self::Cpu(cpu::Engine::new()?))
    }

    /// Opens the most powerful GPU; a software driver only if there is nothing else.
    ///
    /// ```
    /// println!("{}", hitmask::Engine::gpu()?.device());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[cfg(feature = "gpu")]
    pub fn gpu() -> Result<Self> {
        Self::gpu_with(&gpu::Options::default())
    }

    /// Opens a GPU with the given options.
    ///
    /// ```no_run
    /// use hitmask::{Engine, gpu};
    ///
    /// let engine = Engine::gpu_with(&gpu::Options::default().name(Some("radeon")))?;
    /// println!("{}", engine.device());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[cfg(feature = "gpu")]
    pub fn gpu_with(options: &gpu::Options) -> Result<Self> {
        Ok(Self::Gpu(Box::new(gpu::Engine::with(options)?)))
    }

    /// Creates an engine on a device that the host has opened: see [`gpu::Engine::from_device`].
    ///
    /// ```
    /// use hitmask::{Engine, wgpu};
    ///
    /// fn engine(device: &wgpu::Device, queue: &wgpu::Queue) -> hitmask::Result<Engine> {
    ///     Engine::from_device(device.clone(), queue.clone())
    /// }
    /// ```
    #[cfg(feature = "gpu")]
    pub fn from_device(device: wgpu::Device, queue: wgpu::Queue) -> Result<Self> {
        Ok(Self::Gpu(Box::new(gpu::Engine::from_device(device, queue)?)))
    }

    /// Creates an engine that starts on the CPU and, once steps take longer than a millisecond there, switches to a GPU
    /// if that is faster. `hitmask::auto` explains how it decides; [`Engine::cpu`] and `Engine::gpu` force either.
    ///
    /// The GPU is a hardware one, or the one that the environment variable `WGPU_ADAPTER_NAME` names. Without the
    /// feature `gpu`, this is the CPU engine.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Hits, Shape, World};
    ///
    /// let (mut world, mut engine, mut hits) = (World::default(), Engine::auto()?, Hits::default());
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// let thrown = world.add(&Body::new(ball, [0, 0]))?;
    /// world.add(&Body::new(ball, [20, 0]))?;
    /// for frame in 0..20 {
    ///     world.set(thrown, &Body::new(ball, [frame, 0]))?;
    ///     engine.run_into(&world, Ask::Pairs, &mut hits)?;
    ///     assert_eq!(hits.pairs.len(), usize::from(frame > 14));
    /// }
    /// assert_eq!(engine.name(), "cpu", "two bodies are no work for a GPU");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn auto() -> Result<Self> {
        #[cfg(feature = "gpu")]
        return Self::auto_with(&cpu::Options::default(), &gpu::Options::default());
        #[cfg(not(feature = "gpu"))]
        Self::cpu()
    }

    /// Creates the engine of [`Engine::auto`] with options for its two engines. Returns
    /// [`Error::Gpu`](crate::Error::Gpu) if the options name a GPU that is not there.
    ///
    /// ```
    /// use hitmask::{Engine, cpu, gpu};
    ///
    /// let named = gpu::Options::default().name(Some("no such GPU"));
    /// assert!(Engine::auto_with(&cpu::Options::default(), &named).is_err());
    /// ```
    #[cfg(feature = "gpu")]
    pub fn auto_with(cpu: &cpu::Options, gpu: &gpu::Options) -> Result<Self> {
        Ok(Self::Auto(Box::new(auto::Engine::with(cpu, gpu)?)))
    }

    /// Returns the name of the engine: "reference", "cpu" or "gpu". For [`Engine::auto`], that of the engine that ran
    /// the last step.
    ///
    /// ```
    /// assert_eq!(hitmask::Engine::reference().name(), "reference");
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Reference => "reference",
            Self::Cpu(_) => "cpu",
            #[cfg(feature = "gpu")]
            Self::Gpu(_) => "gpu",
            #[cfg(feature = "gpu")]
            Self::Auto(auto) => auto.name(),
        }
    }

    /// Describes what the engine runs on: the threads started and the vector instructions, such as "2 threads, avx2",
    /// or the GPU's name and API.
    ///
    /// ```
    /// assert_eq!(hitmask::Engine::reference().device(), "1 thread");
    /// ```
    #[must_use]
    pub fn device(&self) -> String {
        match self {
            Self::Reference => "1 thread".into(),
            Self::Cpu(cpu) => cpu.device(),
            #[cfg(feature = "gpu")]
            Self::Gpu(gpu) => gpu.info().to_string(),
            #[cfg(feature = "gpu")]
            Self::Auto(auto) => auto.device(),
        }
    }

    /// As [`Engine::run`], without blocking the thread while a GPU answers: for a browser, where `run` of a GPU engine
    /// is an [`Error::Blocking`](crate::Error::Blocking). Natively prefer `run`, or tickets: see
    /// [`gpu::Ticket::answer`]. A step on the CPU is computed at once.
    ///
    /// ```
    /// use hitmask::{Ask, Engine, World};
    ///
    /// # pollster::block_on(async {
    /// assert!(Engine::auto()?.run_async(&World::default(), Ask::Pairs).await?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// # })?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[cfg(feature = "gpu")]
    pub async fn run_async(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        match self {
            Self::Gpu(gpu) => gpu.run_async(world, ask).await,
            Self::Auto(auto) => auto.run_async(world, ask).await,
            Self::Reference | Self::Cpu(_) => self.run(world, ask),
        }
    }

    /// Returns the cost of the last step, stage by stage. The reference has no stages.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// world.add(&Body::new(ball, [5, 0]))?;
    /// let mut engine = Engine::cpu()?;
    /// engine.run(&world, Ask::Pairs)?;
    /// for stage in engine.profile().stages {
    ///     println!("{}: {:?}", stage.name, stage.time);
    /// }
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn profile(&self) -> Profile {
        match self {
            Self::Reference => Profile::default(),
            Self::Cpu(cpu) => cpu.profile().clone(),
            #[cfg(feature = "gpu")]
            Self::Gpu(gpu) => gpu.profile().clone(),
            #[cfg(feature = "gpu")]
            Self::Auto(auto) => auto.profile().clone(),
        }
    }

    /// Returns the memory that the engine holds, in bytes, excluding the world and the last answer; for a GPU engine,
    /// that on the GPU.
    ///
    /// ```
    /// assert_eq!(hitmask::Engine::reference().bytes(), 0);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Reference => 0,
            Self::Cpu(cpu) => cpu.bytes(),
            #[cfg(feature = "gpu")]
            Self::Gpu(gpu) => gpu.bytes(),
            #[cfg(feature = "gpu")]
            Self::Auto(auto) => auto.bytes(),
        }
    }

    /// Creates [`Queries`]: for the reference engine without an index, otherwise with one. Both run on the CPU and give
    /// the same answers.
    ///
    /// ```
    /// use hitmask::query::Nearest;
    /// use hitmask::{Engine, World};
    ///
    /// let world = World::default();
    /// assert!(Engine::reference().queries().on(&world).first(&Nearest::new([0, 0]))?.is_none());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn queries(&self) -> Queries {
        if matches!(self, Self::Reference) { Queries::reference() } else { Queries::new() }
    }

    /// Reopens a lost GPU: see `gpu::Engine::rebuild`. [`Engine::auto`] is never lost; this lets it try a GPU again.
    /// The other engines cannot be lost, and stay as they are.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Error, Shape, World};
    ///
    /// let (mut world, mut engine) = (World::default(), Engine::cpu()?);
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// let hits = match engine.run(&world, Ask::Pairs) {
    ///     Err(Error::GpuLost { .. }) => {
    ///         engine.rebuild().or_else(|_| Engine::cpu().map(|cpu| engine = cpu))?;
    ///         engine.run(&world, Ask::Pairs)?
    ///     }
    ///     answer => answer?,
    /// };
    /// # engine.rebuild()?;
    /// # assert_eq!(engine.run(&world, Ask::Pairs)?, hits);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn rebuild(&mut self) -> Result<()> {
        match self {
            #[cfg(feature = "gpu")]
            Self::Gpu(gpu) => gpu.rebuild(),
            #[cfg(feature = "gpu")]
            Self::Auto(auto) => {
                auto.rebuild();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Runs a step as [`Engine::run`] does, reusing the memory of an earlier answer. On an error, `hits` is unchanged
    /// or empty.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Hits, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// world.add(&Body::new(ball, [5, 0]))?;
    /// let (mut engine, mut hits) = (Engine::cpu()?, Hits::default());
    /// for _ in 0..3 {
    ///     engine.run_into(&world, Ask::Pairs, &mut hits)?;
    ///     assert_eq!(hits.pairs, [[0, 1]]);
    /// }
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn run_into(&mut self, world: &World, ask: Ask, hits: &mut Hits) -> Result<()> {
        match self {
            Self::Cpu(cpu) => return cpu.run_into(world, ask, hits),
            #[cfg(feature = "gpu")]
            Self::Gpu(gpu) => return gpu.run_into(world, ask, hits),
            #[cfg(feature = "gpu")]
            Self::Auto(auto) => return auto.run_into(world, ask, hits),
            _ => *hits = self.run(world, ask)?,
        }
        Ok(())
    }

    /// Runs a step: finds the bodies that hit each other in the current step of the world.
    ///
    /// Returns [`Error::Capacity`](crate::Error::Capacity) if the answer, or computing it, takes more memory than there
    /// is.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", "###"])?))?;
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(arrow, [10, 10]))?;
    /// world.add(&Body::new(ball, [0, 11]).moving([10, 0]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// assert_eq!(hits.pairs, [[0, 1]]);
    /// assert!(hits.details[0].fraction() > 0.89 && hits.details[0].fraction() < 0.91);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn run(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        match self {
            Self::Reference => Ok(reference::run(world, ask)),
            Self::Cpu(cpu) => cpu.run(world, ask),
            #[cfg(feature = "gpu")]
            Self::Gpu(gpu) => gpu.run(world, ask),
            #[cfg(feature = "gpu")]
            Self::Auto(auto) => auto.run(world, ask),
        }
    }

    /// Calls `each` with the pairs that [`Engine::run`] returns, in the same order, a batch at a time, using about
    /// `memory` bytes: see [`cpu::Engine::stream`]. A GPU finds pairs in no particular order, so a GPU engine also
    /// streams on the CPU.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0, 5, 10] {
    ///     world.add(&Body::new(ball, [x, 0]))?;
    /// }
    /// let mut all = Vec::new();
    /// Engine::cpu()?.stream(&world, Ask::Pairs, 1 << 20, |pairs, _| {
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
        mut each: impl FnMut(&[[u32; 2]], &[Detail]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>> {
        match self {
            Self::Reference => {
                let details = usize::from(ask == Ask::Details);
                let mut pairs = reference::pairs(world).peekable();
                while pairs.peek().is_some() {
                    let most = memory as usize / size_of::<([u32; 2], Detail)>();
                    let (run, carried): (Vec<_>, Vec<_>) = pairs.by_ref().take(most.max(1)).unzip();
                    if let stopped @ ControlFlow::Break(_) = each(&run, &carried[..details * run.len()]) {
                        return Ok(stopped);
                    }
                }
                Ok(ControlFlow::Continue(()))
            }
            Self::Cpu(cpu) => cpu.stream(world, ask, memory, each),
            #[cfg(feature = "gpu")]
            Self::Gpu(gpu) => gpu.stream(world, ask, memory, each),
            #[cfg(feature = "gpu")]
            Self::Auto(auto) => auto.stream(world, ask, memory, each),
        }
    }
}
