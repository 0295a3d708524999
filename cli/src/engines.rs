//! Which engine answers.

use clap::{Args, ValueEnum};
#[cfg(feature = "gpu")]
use hitmask::scene::printable;
use hitmask::{Engine, Error, Result};

use crate::tell;

/// An engine as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// For one step a hardware GPU if there is one, else the CPU; for the steps of a replay the CPU, or that GPU where
    /// it is cheaper; for questions the CPU; and always the GPU that --gpu names. Standard error says which
    Auto,
    /// A GPU, also one in software if there is no other
    Gpu,
    /// All cores of the CPU
    Cpu,
    /// The definition of a hit, spelled out; slow
    Reference,
}

/// An engine by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Name {
    /// The definition of a hit, spelled out
    Reference,
    /// All cores of the CPU
    Cpu,
    /// A GPU
    Gpu,
    /// The CPU, or a hardware GPU where that is cheaper
    Auto,
}

impl From<Name> for Backend {
    fn from(name: Name) -> Self {
        match name {
            Name::Reference => Self::Reference,
            Name::Cpu => Self::Cpu,
            Name::Gpu => Self::Gpu,
            Name::Auto => Self::Auto,
        }
    }
}

/// The options that choose an engine.
#[derive(Args)]
pub(crate) struct Choice {
    /// The engine; all give the same answer
    #[arg(long, value_enum, default_value_t = Backend::Auto)]
    backend: Backend,
    /// A part of the GPU's name, in whatever case; by default the environment's `WGPU_ADAPTER_NAME`
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
}

/// What an engine is for: by that `auto` chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// One step, which measures nothing for a next one.
    Step,
    /// Many steps, after which [`tell_of`] says which engine that was.
    Steps,
    /// Questions, which all engines leave to the CPU.
    Questions,
}

impl Choice {
    /// Opens the engine that was chosen; where that is `auto`, says which it is.
    pub(crate) fn open(&self, work: Work) -> anyhow::Result<Engine> {
        let gpu = self.gpu.as_deref();
        if self.backend != Backend::Auto {
            return open(self.backend, gpu);
        }
        let engine = match work {
            _ if is_named(gpu) => open_gpu(gpu)?,
            Work::Step => open_hardware_gpu().map_or_else(|_| Engine::cpu(), Ok)?,
            Work::Steps if cfg!(feature = "gpu") => return Ok(Engine::auto(gpu)?),
            Work::Steps | Work::Questions => Engine::cpu()?,
        };
        let why = if work == Work::Step && engine.name() == "cpu" { "no hardware GPU here: " } else { "" };
        tell(&format!("{why}the engine is {} ({})", engine.name(), engine.device()));
        Ok(engine)
    }
}

/// Opens an engine; `gpu` is a part of the name of the GPU that is wanted.
pub(crate) fn open(backend: Backend, gpu: Option<&str>) -> anyhow::Result<Engine> {
    if let (Some(gpu), Backend::Cpu | Backend::Reference) = (gpu, backend) {
        anyhow::bail!("--gpu {gpu} chooses a GPU, but the requested engine runs on the CPU");
    }
    Ok(match backend {
        Backend::Auto => Engine::auto(gpu)?,
        Backend::Gpu => open_gpu(gpu)?,
        Backend::Cpu => Engine::cpu()?,
        Backend::Reference => Engine::reference(),
    })
}

/// Says of an engine for many steps which one has answered the last of them, and why, where `auto` has chosen it.
#[cfg(feature = "gpu")]
pub(crate) fn tell_of(engine: &Engine) {
    if let Engine::Auto(auto) = engine {
        let line = format!("the engine is {} ({}) at the last step: {}", auto.name(), auto.device(), auto.status().why);
        tell(&printable(&line));
    }
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn tell_of(_: &Engine) {}

/// Whether a GPU is asked for by its name.
#[cfg(feature = "gpu")]
fn is_named(name: Option<&str>) -> bool {
    hitmask::gpu::wanted(name).is_some()
}

#[cfg(not(feature = "gpu"))]
fn is_named(name: Option<&str>) -> bool {
    name.is_some()
}

#[cfg(feature = "gpu")]
fn open_hardware_gpu() -> Result<Engine> {
    use hitmask::gpu;

    Ok(Engine::Gpu(Box::new(gpu::Engine::with(&gpu::Options::default().hardware(true))?)))
}

#[cfg(not(feature = "gpu"))]
fn open_hardware_gpu() -> Result<Engine> {
    Err(without_gpu())
}

#[cfg(feature = "gpu")]
fn open_gpu(name: Option<&str>) -> Result<Engine> {
    Engine::gpu(name)
}

#[cfg(not(feature = "gpu"))]
fn open_gpu(_: Option<&str>) -> Result<Engine> {
    Err(without_gpu())
}

/// The error of a program that knows no GPU.
#[cfg_attr(feature = "gpu", expect(dead_code, reason = "for a program that knows no GPU"))]
pub(crate) fn without_gpu() -> Error {
    Error::Gpu { problem: "this program was built without the feature `gpu`".into() }
}
