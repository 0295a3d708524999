//! Which engine answers.

use clap::{Args, ValueEnum};
use hitmask::{Engine, Error, Result};

use crate::tell;

/// An engine as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// A hardware GPU if there is one, else the CPU engine; standard error says which
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
}

impl From<Name> for Backend {
    fn from(name: Name) -> Self {
        match name {
            Name::Reference => Self::Reference,
            Name::Cpu => Self::Cpu,
            Name::Gpu => Self::Gpu,
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

impl Choice {
    /// Opens the engine that was chosen.
    pub(crate) fn open(&self) -> anyhow::Result<Engine> {
        open(self.backend, self.gpu.as_deref())
    }
}

/// Opens an engine; `gpu` is a part of the name of the GPU that is wanted.
pub(crate) fn open(backend: Backend, gpu: Option<&str>) -> anyhow::Result<Engine> {
    if let (Some(gpu), Backend::Cpu | Backend::Reference) = (gpu, backend) {
        anyhow::bail!("--gpu {gpu} chooses a GPU, and the engine that was asked for runs on the CPU");
    }
    Ok(match backend {
        Backend::Auto => {
            let engine = Engine::auto(gpu)?;
            let why = if engine.name() == "gpu" { "" } else { "no hardware GPU here: " };
            tell(&format!("{why}the engine is {} ({})", engine.name(), engine.device()));
            engine
        }
        Backend::Gpu => open_gpu(gpu)?,
        Backend::Cpu => Engine::cpu()?,
        Backend::Reference => Engine::reference(),
    })
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
