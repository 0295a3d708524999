//! What the tests of all engines share: the engines, and one runner that compares an answer with the reference's.

#![allow(dead_code, reason = "each test takes what it needs")]

#[cfg(feature = "gpu")]
pub(crate) mod device;

#[cfg(feature = "gpu")]
use hitmask::gpu;
use hitmask::{Ask, Broad, Engine, Hits, Simd, World, cpu};

/// An engine in a set-up, by a name that says which.
pub(crate) struct Runner {
    pub(crate) name: &'static str,
    pub(crate) engine: Engine,
}

/// The CPU engine on so many threads.
pub(crate) fn cpu(threads: usize) -> Engine {
    Engine::Cpu(cpu::Engine::with(&cpu::Options::default().threads(threads)).expect("threads start"))
}

/// The CPU engine with its broad phase sorted whatever the number, with each set of instructions that this machine has.
fn sorted_cpus() -> impl Iterator<Item = Runner> {
    let runner = |simd: Simd| {
        let name = match simd {
            Simd::Plain => "cpu, sorted, plain",
            Simd::Neon => "cpu, sorted, neon",
            Simd::Avx2 => "cpu, sorted, avx2",
            Simd::Avx512 => "cpu, sorted, avx512",
        };
        let options = cpu::Options::default().threads(2).broad(Broad::Sorted).simd(simd);
        Runner { name, engine: Engine::Cpu(cpu::Engine::with(&options).expect("threads start")) }
    };
    Simd::available().into_iter().map(runner)
}

/// The GPU as it opens by default, with its broad phase sorted whatever the number, and on exactly wgpu's default limits with room for so few
/// candidates that rows go in many runs.
///
/// # Panics
///
/// Where there is no GPU: a GPU test never skips.
#[cfg(feature = "gpu")]
fn gpus() -> [Runner; 3] {
    let gpu = |options: gpu::Options| {
        let hint = "a Vulkan driver; `./test` installs one in software";
        Engine::Gpu(Box::new(gpu::Engine::with(&options).unwrap_or_else(|error| panic!("{error} (wanted: {hint})"))))
    };
    let sorted = gpu::Options::default().broad(Broad::Sorted);
    let cramped = gpu::Options::default().limits(wgpu::Limits::default()).candidates(100);
    [
        Runner { name: "gpu", engine: gpu(gpu::Options::default()) },
        Runner { name: "gpu, sorted", engine: gpu(sorted) },
        Runner { name: "gpu, cramped", engine: gpu(cramped) },
    ]
}

/// Every engine that is compiled: the reference, the CPU on one thread and on several, and sorted with each set of instructions, and the GPU's.
pub(crate) fn runners() -> Vec<Runner> {
    let mut runners = vec![
        Runner { name: "reference", engine: Engine::reference() },
        Runner { name: "cpu, 1 thread", engine: cpu(1) },
        Runner { name: "cpu, 3 threads", engine: cpu(3) },
    ];
    runners.extend(sorted_cpus());
    #[cfg(feature = "gpu")]
    runners.extend(gpus());
    runners
}

/// The engines that are compared with the reference.
pub(crate) fn contestants() -> Vec<Runner> {
    runners().into_iter().filter(|runner| runner.name != "reference").collect()
}

impl Runner {
    /// The answer with details, after the answers to the smaller questions were seen to be parts of it.
    pub(crate) fn answer(&mut self, world: &World, what: &str) -> Hits {
        let mut ask = |ask| {
            let hits = self.engine.run(world, ask).unwrap_or_else(|error| panic!("{what} on {}: {error}", self.name));
            assert_eq!(hits.broken_rule(ask), None, "{what} on {}, {ask:?}", self.name);
            hits
        };
        let [flags, pairs, details] = [Ask::Flags, Ask::Pairs, Ask::Details].map(&mut ask);
        assert_eq!(flags.flags, pairs.flags, "{what} on {}: flags alone", self.name);
        assert_eq!(pairs.pairs, details.pairs, "{what} on {}: pairs alone", self.name);
        assert_eq!(details.flags, pairs.flags, "{what} on {}: flags with details", self.name);
        details
    }
}
