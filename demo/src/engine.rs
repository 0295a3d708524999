//! Opens the engine that the controls name.

use hitmask::{Engine, auto, cpu, gpu};

use crate::controls::{Backend, Choice};
use crate::host::Host;
use crate::platform;

/// The maximum number of steps in flight on the GPU.
pub(crate) const IN_FLIGHT: usize = 2;

/// Opens an engine. On a page, `progress` is called with the number of shaders that are compiled, and their total.
pub(crate) async fn open(host: &Host, choice: Choice, progress: impl FnMut(usize, usize)) -> anyhow::Result<Engine> {
    let Choice { backend, broad } = choice;
    Ok(match backend {
        Backend::Gpu => {
            anyhow::ensure!(host.computes, "{}: {}: use the CPU engine", host.name(), platform::NO_COMPUTE);
            let options = gpu::Options::default().broad(broad).timestamps(true).frames(IN_FLIGHT as u32);
            Engine::Gpu(Box::new(platform::gpu(host, &options, progress).await?))
        }
        Backend::Cpu => Engine::Cpu(cpu::Engine::with(&cpu::Options::default().broad(broad))?),
        Backend::Auto => {
            let (cpu, gpu) = (cpu::Options::default().broad(broad), gpu::Options::default().broad(broad));
            Engine::Auto(Box::new(auto::Engine::with(&cpu, &gpu)?))
        }
        Backend::Reference => Engine::reference(),
    })
}
