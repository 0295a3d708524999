//! The engine of the module without WebGPU.

use hitmask::{Ask, Hits, Result, World, cpu};

/// The CPU engine, with the methods of `hitmask::Engine`, which would bring the reference engine with it.
pub(crate) struct Engine(cpu::Engine);

impl Engine {
    pub(crate) fn cpu() -> Result<Self> {
        cpu::Engine::new().map(Self)
    }

    pub(crate) fn auto() -> Result<Self> {
        Self::cpu()
    }

    #[allow(clippy::unused_self, reason = "as `hitmask::Engine`, of which there are several")]
    pub(crate) fn name(&self) -> &'static str {
        "cpu"
    }

    pub(crate) fn device(&self) -> String {
        format!("{} thread, {}", self.0.threads(), self.0.simd().name())
    }

    pub(crate) fn run_into(&mut self, world: &World, ask: Ask, hits: &mut Hits) -> Result<()> {
        self.0.run_into(world, ask, hits)
    }
}
