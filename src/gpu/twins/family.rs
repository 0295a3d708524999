//! Groups of functions that need the same WGSL files.

use std::sync::LazyLock;

use crate::gpu::modules::Wide;
use crate::world::atlas::Atlas;
use crate::world::packed::Packed;

use super::input::Random;
use super::twin::{LANDED, Twin, source};

/// WGSL that reads more kinds of inputs than `shaders/twins/read.wgsl` does.
const READ: &str = include_str!("../../../shaders/twins/read_more.wgsl");

/// Masks of noise, which functions read as the atlas.
pub(in crate::gpu) static ATLAS: LazyLock<Packed> = LazyLock::new(|| {
    let mut random = Random::new(0);
    Packed { atlas: Atlas::of((0..1 << 14).map(|_| random.next()).collect()), ..Packed::default() }
});

/// Functions that need the same WGSL files.
pub(in crate::gpu) struct Family {
    /// The texts of a module's files, besides those that all functions have, and those that the texts need.
    pub(in crate::gpu) files: &'static [&'static str],
    /// Whether the files declare `landed`, which holds the inputs, as writable.
    pub(in crate::gpu) writes_landed: bool,
    pub(in crate::gpu) twins: Vec<Twin>,
}

impl Default for Family {
    /// Returns a family with no files but those that all functions have, and no function yet.
    fn default() -> Self {
        Self { files: &[LANDED], writes_landed: false, twins: Vec::new() }
    }
}

impl Family {
    /// Returns a module that runs one of the family's functions on `cases` inputs.
    pub(in crate::gpu) fn source(&self, twin: &Twin, cases: usize, wide: Wide) -> String {
        source(std::slice::from_ref(twin), cases, twin.words, &[&[READ], self.files].concat(), wide)
    }
}
