//! What the tests of all engines share: the engines, and one runner that compares an answer with the reference's.

#![allow(dead_code, reason = "each test takes what it needs")]

#[cfg(feature = "gpu")]
pub(crate) mod device;

use std::fmt;

use hitmask::cpu::{Broad, Simd};
#[cfg(feature = "gpu")]
use hitmask::gpu;
use hitmask::{Ask, Engine, Hits, World, cpu};

/// An engine, and how it is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setup {
    Reference,
    Cpu { simd: Simd, broad: Broad, threads: usize },
    Gpu(Gpu),
}

/// How the GPU engine is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gpu {
    /// As it opens by default.
    Default,
    /// With its broad phase sorted whatever the number.
    Sorted,
    /// On exactly wgpu's default limits, without integers of 64 bits, and with room for so few candidates that rows go
    /// in many runs.
    Cramped,
}

/// An engine that is set up.
pub(crate) struct Runner {
    pub(crate) setup: Setup,
    pub(crate) engine: Engine,
}

impl Setup {
    /// The CPU engine on so many threads, and as it is by default.
    pub(crate) fn threads(threads: usize) -> Self {
        Self::Cpu { simd: Simd::best(), broad: Broad::ByNumber, threads }
    }

    /// Both broad phases of the CPU engine with each kind of vectors that this machine has, on so many threads.
    pub(crate) fn cpus(threads: usize) -> impl Iterator<Item = Self> {
        let kinds = Simd::available().into_iter();
        kinds.flat_map(move |simd| [Broad::AllPairs, Broad::Sorted].map(|broad| Self::Cpu { simd, broad, threads }))
    }

    /// The engine.
    ///
    /// # Panics
    ///
    /// Where there is no GPU: a GPU test never skips.
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
        let options = match self {
            Self::Default => gpu::Options::default(),
            Self::Sorted => gpu::Options::default().broad(Broad::Sorted),
            Self::Cramped => gpu::Options::default().limits(wgpu::Limits::default()).int64(false).candidates(100),
        };
        let hint = "a Vulkan driver; `./test` installs one in software";
        Engine::Gpu(Box::new(gpu::Engine::with(&options).unwrap_or_else(|error| panic!("{error} (wanted: {hint})"))))
    }

    #[cfg(not(feature = "gpu"))]
    fn engine(self) -> Engine {
        panic!("{self:?}: the GPU engine is not compiled")
    }
}

/// The set-ups of the GPU engine, if it is compiled.
pub(crate) fn gpus() -> impl Iterator<Item = Setup> {
    let compiled = cfg!(feature = "gpu").then_some([Gpu::Default, Gpu::Sorted, Gpu::Cramped]);
    compiled.into_iter().flatten().map(Setup::Gpu)
}

/// One of them.
pub(crate) fn gpu(which: Gpu) -> Option<Setup> {
    gpus().find(|setup| *setup == Setup::Gpu(which))
}

/// Every engine that is compiled: the reference, the CPU on one thread and on several, and sorted with each kind of
/// vectors, and the GPU's.
pub(crate) fn runners() -> Vec<Runner> {
    let sorted = Setup::cpus(2).filter(|setup| matches!(setup, Setup::Cpu { broad: Broad::Sorted, .. }));
    let by_number = [Setup::threads(1), Setup::threads(3)];
    let setups = [Setup::Reference].into_iter().chain(by_number).chain(sorted).chain(gpus());
    setups.map(Setup::runner).collect()
}

/// The engines that are compared with the reference.
pub(crate) fn contestants() -> Vec<Runner> {
    runners().into_iter().filter(|runner| runner.setup != Setup::Reference).collect()
}

impl Runner {
    /// The answer with details, after the answers to the smaller questions were seen to be parts of it.
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
