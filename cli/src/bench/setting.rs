//! Settings: an engine, a broad phase, and the answer to request.

use std::fmt;

use hitmask::cpu::Simd;
use hitmask::{Engine, cpu};
#[cfg(feature = "gpu")]
use hitmask::{auto, gpu};

use super::options::{AskName, BroadName, Options, name_of};
use super::record::EngineRecord;
use crate::engines::Backend;

/// An engine, its broad phase, and the answer to request of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) backend: Backend,
    pub(super) broad: BroadName,
    pub(super) ask: AskName,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { backend, broad, ask } = self;
        write!(f, "{} {} {}", name_of(backend), name_of(broad), name_of(ask))
    }
}

/// The maximum number of bodies at which all pairs are compared only to check an answer.
const CHECKED_BY_ALL_PAIRS: usize = 20_000;

impl Setting {
    /// Returns whether the time of a step grows as the square of the number of bodies.
    pub(super) fn is_quadratic(self) -> bool {
        self.broad == BroadName::AllPairs
    }

    /// Returns another way to compute the answer for that many bodies, unless `settings` already have two.
    pub(super) fn witness(settings: &[Self], bodies: usize) -> Option<Self> {
        let ask = settings.iter().map(|setting| setting.ask).max()?;
        let mut fullest = settings.iter().filter(|setting| setting.ask == ask);
        // `auto` may be the CPU, so it does not count as another way than the CPU.
        let backend = |setting: &Self| if setting.backend == Backend::Auto { Backend::Cpu } else { setting.backend };
        let way = |setting: &Self| (backend(setting), setting.is_quadratic());
        let first = way(fullest.next()?);
        if fullest.any(|other| way(other) != first) {
            return None;
        }
        let broad = match first {
            (Backend::Cpu | Backend::Reference, true) => BroadName::Sorted,
            _ if bodies > CHECKED_BY_ALL_PAIRS => BroadName::Sorted,
            _ => BroadName::AllPairs,
        };
        Some(Self { backend: Backend::Cpu, broad, ask })
    }
}

/// An opener of engines, with the user's options.
pub(super) struct Opener<'a>(pub(super) &'a Options);

impl Opener<'_> {
    /// Opens a new engine.
    pub(super) fn open(&self, setting: Setting) -> anyhow::Result<Engine> {
        match setting.backend {
            Backend::Reference => Ok(Engine::reference()),
            Backend::Cpu => self.cpu(setting, self.0.simd.simd()),
            Backend::Gpu => self.gpu(setting),
            Backend::Auto => self.auto(setting),
        }
    }

    /// Opens the engine of a [`Setting::witness`], without vector instructions.
    pub(super) fn open_witness(&self, setting: Setting) -> anyhow::Result<Engine> {
        self.cpu(setting, Some(Simd::Scalar))
    }

    fn cpu(&self, setting: Setting, simd: Option<Simd>) -> anyhow::Result<Engine> {
        Ok(Engine::Cpu(cpu::Engine::with(&self.cpu_options(setting, simd))?))
    }

    fn cpu_options(&self, setting: Setting, simd: Option<Simd>) -> cpu::Options {
        let threads = self.0.threads.map_or(0, usize::from);
        cpu::Options::default().threads(threads).broad(setting.broad.into()).simd(simd)
    }

    #[cfg(feature = "gpu")]
    fn gpu(&self, setting: Setting) -> anyhow::Result<Engine> {
        Ok(Engine::Gpu(Box::new(gpu::Engine::with(&self.gpu_options(setting))?)))
    }

    /// Opens an engine that also times the stages on the GPU, for a setting whose steps run there; `None` for others.
    #[cfg(feature = "gpu")]
    pub(super) fn open_timed(&self, setting: Setting) -> anyhow::Result<Option<Engine>> {
        if setting.backend != Backend::Gpu {
            return Ok(None);
        }
        let options = self.gpu_options(setting).timestamps(true).dispatches(self.0.dispatches);
        Ok(Some(Engine::Gpu(Box::new(gpu::Engine::with(&options)?))))
    }

    #[cfg(not(feature = "gpu"))]
    #[expect(clippy::unnecessary_wraps, clippy::unused_self, reason = "with the feature `gpu` it opens one")]
    pub(super) fn open_timed(&self, _: Setting) -> anyhow::Result<Option<Engine>> {
        Ok(None)
    }

    #[cfg(feature = "gpu")]
    fn gpu_options(&self, setting: Setting) -> gpu::Options {
        self.0.gpu_path.of(gpu::Options::default().name(self.0.gpu.as_deref()).broad(setting.broad.into()))
    }

    #[cfg(feature = "gpu")]
    fn auto(&self, setting: Setting) -> anyhow::Result<Engine> {
        let cpu = self.cpu_options(setting, self.0.simd.simd());
        Ok(Engine::Auto(Box::new(auto::Engine::with(&cpu, &self.gpu_options(setting))?)))
    }

    #[cfg(not(feature = "gpu"))]
    fn auto(&self, setting: Setting) -> anyhow::Result<Engine> {
        self.cpu(setting, self.0.simd.simd())
    }

    #[cfg(not(feature = "gpu"))]
    #[expect(clippy::unused_self, reason = "with the feature `gpu` it opens one")]
    fn gpu(&self, _: Setting) -> anyhow::Result<Engine> {
        Err(crate::engines::without_gpu().into())
    }
}

/// Returns whether there is a hardware GPU.
#[cfg(feature = "gpu")]
pub(super) fn hardware_gpu() -> bool {
    hitmask::gpu::list().iter().any(|gpu| !gpu.software)
}

#[cfg(not(feature = "gpu"))]
pub(super) fn hardware_gpu() -> bool {
    false
}

/// Describes what an engine runs on. For `auto` that is the CPU: only its steps show whether it takes a GPU.
pub(super) fn describe(name: Backend, engine: &Engine) -> EngineRecord {
    let record = |threads, simd, adapter| EngineRecord { backend: name_of(&name), threads, simd, path: None, adapter };
    let on_cpu = |cpu: &cpu::Engine| record(Some(cpu.threads()), Some(cpu.simd().name().into()), None);
    match engine {
        Engine::Cpu(cpu) => on_cpu(cpu),
        #[cfg(feature = "gpu")]
        Engine::Gpu(gpu) => record(None, None, Some(adapter(gpu))),
        #[cfg(feature = "gpu")]
        Engine::Auto(auto) => on_cpu(auto.cpu()),
        _ => record(Some(1), None, None),
    }
}

#[cfg(feature = "gpu")]
fn adapter(gpu: &hitmask::gpu::Engine) -> super::record::Adapter {
    let (info, limits) = (gpu.info(), gpu.limits());
    super::record::Adapter {
        name: info.name.clone(),
        kind: info.kind.into(),
        interface: info.backend.clone(),
        driver: info.driver.clone(),
        software: info.software,
        limits: super::record::Limits {
            max_buffer_size: limits.max_buffer_size,
            max_storage_buffer_binding_size: limits.max_storage_buffer_binding_size,
            max_storage_buffers_per_shader_stage: limits.max_storage_buffers_per_shader_stage,
            max_compute_workgroup_storage_size: limits.max_compute_workgroup_storage_size,
            max_compute_invocations_per_workgroup: limits.max_compute_invocations_per_workgroup,
            max_compute_workgroups_per_dimension: limits.max_compute_workgroups_per_dimension,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_answer_goes_without_another_way_to_it() {
        use AskName::{Flags, Pairs};
        use BroadName::{AllPairs, Auto, Sorted};
        let of = |list: &[(Backend, BroadName, AskName)], bodies| {
            let settings: Vec<Setting> =
                list.iter().map(|&(backend, broad, ask)| Setting { backend, broad, ask }).collect();
            Setting::witness(&settings, bodies).map(|witness| (witness.backend, witness.broad, witness.ask))
        };
        let few = CHECKED_BY_ALL_PAIRS;
        assert_eq!(of(&[(Backend::Cpu, Auto, Pairs)], few), Some((Backend::Cpu, AllPairs, Pairs)));
        assert_eq!(of(&[(Backend::Cpu, Auto, Pairs)], few + 1), Some((Backend::Cpu, Sorted, Pairs)));
        assert_eq!(of(&[(Backend::Cpu, AllPairs, Flags)], few), Some((Backend::Cpu, Sorted, Flags)));
        assert_eq!(of(&[(Backend::Reference, AllPairs, Pairs)], few), Some((Backend::Cpu, Sorted, Pairs)));
        assert_eq!(
            of(&[(Backend::Cpu, Auto, Flags), (Backend::Cpu, Auto, Pairs)], few),
            Some((Backend::Cpu, AllPairs, Pairs))
        );
        assert_eq!(of(&[(Backend::Cpu, Auto, Pairs), (Backend::Gpu, Auto, Pairs)], few), None);
        assert_eq!(of(&[(Backend::Cpu, Sorted, Pairs), (Backend::Cpu, AllPairs, Pairs)], few), None);
        assert_eq!(
            of(&[(Backend::Cpu, Auto, Pairs), (Backend::Auto, Auto, Pairs)], few),
            Some((Backend::Cpu, AllPairs, Pairs)),
            "both may be the CPU"
        );
    }
}
