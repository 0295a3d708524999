//! The engines behind one face: a reference, the CPU's threads, a GPU.

use crate::error::Result;
use crate::hits::{Ask, Hits};
use crate::reference;
use crate::world::World;

/// An engine. All give the same answer to the same world, bit for bit.
#[derive(Debug)]
#[non_exhaustive]
pub enum Engine {
    /// The definition, spelled out: for tests, and for doubts.
    Reference,
}

impl Engine {
    /// Its name: "reference", "cpu" or "gpu".
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Reference => "reference",
        }
    }

    /// What it runs on: "2 threads", or the GPU's name.
    #[must_use]
    pub fn device(&self) -> String {
        match self {
            Self::Reference => "1 thread".into(),
        }
    }

    /// Answers which bodies hit which, at the moment that the world stands for.
    pub fn run(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        match self {
            Self::Reference => Ok(reference::run(world, ask)),
        }
    }
}
