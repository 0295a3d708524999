//! Code that the tests of all engines share: the engines, and a runner that checks an engine's answers against each
//! other.

#![allow(dead_code, reason = "each test takes what it needs")]

#[cfg(feature = "gpu")]
pub(crate) mod device;

use std::fmt;
#[cfg(feature = "gpu")]
use std::sync::OnceLock;

use hitmask::cpu::{Broad, Simd};
use hitmask::{Ask, Engine, Hits, World, cpu};
#[cfg(feature = "gpu")]
use hitmask::{gpu, internals};

/// The configuration of an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setup {
    Reference,
    Cpu { simd: Simd, broad: Broad, threads: usize },
    Gpu(Gpu),
}

/// The configuration of the GPU engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gpu {
    /// The default options.
    Default,
    /// Always with the sorted broad phase.
    Sorted,
    /// On exactly wgpu's default limits, without 64-bit integers, and with so little room for candidates that rows are
    /// processed in many runs.
    Cramped,
}

/// An engine with its configuration.
pub(crate) struct Runner {
    pub(crate) setup: Setup,
    pub(crate) engine: Engine,
}

impl Setup {
    /// Returns the CPU engine with default options, on `threads` threads.
    pub(crate) fn threads(threads: usize) -> Self {
        Self::Cpu { simd: Simd::best(), broad: Broad::Auto, threads }
    }

    /// Returns the CPU engine on `threads` threads, with both broad phases and each SIMD set of this machine.
    pub(crate) fn cpus(threads: usize) -> impl Iterator<Item = Self> {
        let kinds = Simd::available().into_iter();
        kinds.flat_map(move |simd| [Broad::AllPairs, Broad::Sorted].map(|broad| Self::Cpu { simd, broad, threads }))
    }

    /// Opens the engine.
    ///
    /// # Panics
    ///
    /// If there is no GPU: a GPU test never skips.
    pub(crate) fn runner(self) -> Runner {
        let engine = match self {
            Self::Reference => Engine::reference(),
            Self::Cpu { simd, broad, threads } => {
                let options = cpu::Options::default().threads(threads).broad(broad).simd(simd);
                Engine::Cpu(cpu::Engine::with(&options).expect("threads start"))
            }
            Self::Gpu(gpu) => gpu.engine(),
        };
        Runner { setup: self, engine }
    }
}

impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reference => f.write_str("reference"),
            Self::Cpu { simd, broad, threads } => write!(f, "cpu, {broad:?}, {}, {threads} threads", simd.name()),
            Self::Gpu(gpu) => write!(f, "gpu, {gpu:?}"),
        }
    }
}

impl Gpu {
    #[cfg(feature = "gpu")]
    fn engine(self) -> Engine {
        let engine = match self {
            Self::Default => gpu_engine(&gpu::Options::default()),
            Self::Sorted => gpu_engine(&gpu::Options::default().broad(Broad::Sorted)),
            Self::Cramped => {
                static FIRST: OnceLock<gpu::Engine> = OnceLock::new();
                let options = gpu::Options::default().limits(wgpu::Limits::default()).int64(false).candidates(100);
                beside(&FIRST, &options, gpu::Engine::with)
            }
        };
        Engine::Gpu(Box::new(engine))
    }

    #[cfg(not(feature = "gpu"))]
    fn engine(self) -> Engine {
        panic!("{self:?}: the GPU engine is not compiled")
    }
}

/// Makes a GPU engine with options that need the same device and the same pipelines as the default. Tests share both.
#[cfg(feature = "gpu")]
pub(crate) fn gpu_engine(options: &gpu::Options) -> gpu::Engine {
    static FIRST: OnceLock<gpu::Engine> = OnceLock::new();
    beside(&FIRST, options, gpu::Engine::with)
}

/// Makes an engine on the device of the first, which it opens if need be, with its pipelines: lavapipe takes seconds to
/// compile those of each.
///
/// # Panics
///
/// If there is no GPU: a GPU test never skips.
#[cfg(feature = "gpu")]
pub(crate) fn beside(
    first: &OnceLock<gpu::Engine>,
    options: &gpu::Options,
    open: impl FnOnce(&gpu::Options) -> hitmask::Result<gpu::Engine>,
) -> gpu::Engine {
    let hint = "a Vulkan driver; `./test --setup` installs one in software";
    let open = || open(&internals::lazy(options.clone())).unwrap_or_else(|error| panic!("{error} (wanted: {hint})"));
    internals::beside(first.get_or_init(open), options).unwrap()
}

/// Returns the configurations of the GPU engine, if it is compiled.
pub(crate) fn gpus() -> impl Iterator<Item = Setup> {
    let compiled = cfg!(feature = "gpu").then_some([Gpu::Default, Gpu::Sorted, Gpu::Cramped]);
    compiled.into_iter().flatten().map(Setup::Gpu)
}

/// Returns one of [`gpus`], if the GPU engine is compiled.
pub(crate) fn gpu(which: Gpu) -> Option<Setup> {
    gpus().find(|setup| *setup == Setup::Gpu(which))
}

/// Returns every compiled engine: the reference, the CPU on one thread and on several, the CPU sorted with each SIMD
/// set, and the GPU.
pub(crate) fn runners() -> Vec<Runner> {
    let sorted = Setup::cpus(2).filter(|setup| matches!(setup, Setup::Cpu { broad: Broad::Sorted, .. }));
    let by_number = [Setup::threads(1), Setup::threads(3)];
    let setups = [Setup::Reference].into_iter().chain(by_number).chain(sorted).chain(gpus());
    setups.map(Setup::runner).collect()
}

/// Iterates over all runners but those on a GPU, and one of these, each in its turn: a step in software takes as long
/// as hundreds on the CPU.
pub(crate) fn in_turn(runners: &mut [Runner], turn: usize) -> impl Iterator<Item = &mut Runner> {
    let is_gpu = |runner: &Runner| matches!(runner.setup, Setup::Gpu(_));
    let gpus: Vec<Setup> = runners.iter().filter(|runner| is_gpu(runner)).map(|runner| runner.setup).collect();
    runners.iter_mut().filter(move |runner| !is_gpu(runner) || runner.setup == gpus[turn % gpus.len()])
}

/// Returns the engines to compare with the reference.
pub(crate) fn contestants() -> Vec<Runner> {
    runners().into_iter().filter(|runner| runner.setup != Setup::Reference).collect()
}

impl Runner {
    /// Returns the answer with details, after checking that the answers with flags only and with pairs only are parts
    /// of it.
    pub(crate) fn answer(&mut self, world: &World, what: &str) -> Hits {
        let setup = self.setup;
        let mut ask = |ask| {
            let hits = self.engine.run(world, ask).unwrap_or_else(|error| panic!("{what} on {setup}: {error}"));
            assert_eq!(hits.broken_rule(ask), None, "{what} on {setup}, {ask:?}");
            hits
        };
        let [flags, pairs, details] = [Ask::Flags, Ask::Pairs, Ask::Details].map(&mut ask);
        assert_eq!(flags.flags, pairs.flags, "{what} on {setup}: flags alone");
        assert_eq!(pairs.pairs, details.pairs, "{what} on {setup}: pairs alone");
        assert_eq!(details.flags, pairs.flags, "{what} on {setup}: flags with details");
        details
    }
}
