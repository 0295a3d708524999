//! The choice of an engine.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
#[cfg(feature = "gpu")]
use hitmask::internals::printable;
use hitmask::{Engine, Error, Result};

use crate::tell;

/// An engine, as named by `--backend`, `--backends` and `--engines`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// The reference: the definition of a hit, written out; slow
    Reference,
    /// All CPU cores
    Cpu,
    /// A GPU
    Gpu,
    /// The CPU, or a hardware GPU while it is faster
    Auto,
}

/// Returns the parser of `--backend`, where `auto` chooses by task, as [`Choice::open`] does.
fn backend_parser() -> impl TypedValueParser<Value = Backend> {
    const AUTO: &str = "Choose by task, and report the choice on standard error. For one step: a hardware GPU if there \
                        is one, else the CPU. For a replay: whichever of the two is faster. With --gpu: always that GPU";
    let values = [Backend::Auto, Backend::Gpu, Backend::Cpu, Backend::Reference].into_iter().filter_map(|backend| {
        let value = backend.to_possible_value()?;
        Some(match backend {
            Backend::Auto => value.help(AUTO),
            Backend::Gpu => value.help("A GPU; a software driver if there is no hardware"),
            Backend::Cpu | Backend::Reference => value,
        })
    });
    PossibleValuesParser::new(values).try_map(|name| Backend::from_str(&name, false))
}

/// Options that choose an engine.
#[derive(Args)]
pub(crate) struct Choice {
    /// Engine to use; all give the same answer
    #[arg(long, default_value = "auto", value_parser = backend_parser())]
    backend: Backend,
    /// Use the first GPU whose name contains NAME, ignoring case (default: `WGPU_ADAPTER_NAME` of the environment)
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
}

/// The work for which an engine is opened; the choice of `auto` depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// A single step, so there is nothing to learn for a next one.
    Step,
    /// Many steps. Afterwards [`tell_of`] reports which engine ran the last.
    Steps,
}

impl Choice {
    /// Opens the chosen engine. Reports on standard error which one `auto` took, unless [`tell_of`] does so later.
    pub(crate) fn open(&self, work: Work) -> anyhow::Result<Engine> {
        let gpu = self.gpu.as_deref();
        if self.backend != Backend::Auto {
            return open(self.backend, gpu);
        }
        let engine = match work {
            _ if is_named(gpu) => open_gpu(gpu)?,
            Work::Step => open_hardware_gpu().map_or_else(|_| Engine::cpu(), Ok)?,
            Work::Steps if cfg!(feature = "gpu") => return Ok(open_auto(gpu)?),
            Work::Steps => Engine::cpu()?,
        };
        let why = if work == Work::Step && engine.name() == "cpu" { "no hardware GPU here: " } else { "" };
        tell(&format!("{why}the engine is {} ({})", engine.name(), engine.device()));
        Ok(engine)
    }
}

/// Opens an engine. `gpu` is a part of the name of the GPU to use.
pub(crate) fn open(backend: Backend, gpu: Option<&str>) -> anyhow::Result<Engine> {
    if let (Some(gpu), Backend::Cpu | Backend::Reference) = (gpu, backend) {
        anyhow::bail!("--gpu {gpu} chooses a GPU, but the requested engine runs on the CPU");
    }
    Ok(match backend {
        Backend::Auto => open_auto(gpu)?,
        Backend::Gpu => open_gpu(gpu)?,
        Backend::Cpu => Engine::cpu()?,
        Backend::Reference => Engine::reference(),
    })
}

/// Reports which engine `auto` used for the last of many steps, and why. Does nothing for other engines.
#[cfg(feature = "gpu")]
pub(crate) fn tell_of(engine: &Engine) {
    if let Engine::Auto(auto) = engine {
        let line = format!("the engine is {} ({}) at the last step: {}", auto.name(), auto.device(), auto.status().why);
        tell(&printable(&line));
    }
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn tell_of(_: &Engine) {}

/// Returns whether `auto` is still choosing: it has not measured both engines, or it is trying one.
#[cfg(feature = "gpu")]
pub(crate) fn is_choosing(engine: &Engine) -> bool {
    use hitmask::auto::Why;

    let Engine::Auto(auto) = engine else { return false };
    matches!(auto.status().why, Why::Unmeasured | Why::Opening | Why::Trial)
}

#[cfg(not(feature = "gpu"))]
pub(crate) fn is_choosing(_: &Engine) -> bool {
    false
}

/// Returns whether the user named a GPU.
#[cfg(feature = "gpu")]
fn is_named(name: Option<&str>) -> bool {
    hitmask::internals::wanted(name).is_some()
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
    Engine::gpu_with(&hitmask::gpu::Options::default().name(name))
}

#[cfg(not(feature = "gpu"))]
fn open_gpu(_: Option<&str>) -> Result<Engine> {
    Err(without_gpu())
}

/// Returns the error of a program built without GPU support.
#[cfg_attr(feature = "gpu", expect(dead_code, reason = "for a program that knows no GPU"))]
pub(crate) fn without_gpu() -> Error {
    Error::Gpu { problem: "this program was built without the feature `gpu`".into() }
}

#[cfg(feature = "gpu")]
fn open_auto(name: Option<&str>) -> Result<Engine> {
    Engine::auto_with(&hitmask::cpu::Options::default(), &hitmask::gpu::Options::default().name(name))
}

#[cfg(not(feature = "gpu"))]
fn open_auto(name: Option<&str>) -> Result<Engine> {
    if name.is_some() { Err(without_gpu()) } else { Engine::auto() }
}
