//! A body on its way to the GPU.

use bytemuck::{Pod, Zeroable};

use crate::world::packed::Body;

/// A body that has changed, to be put where it belongs by the dispatch `update`.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(super) struct Changed {
    /// The body.
    pub(super) body: Body,
    /// Its index.
    pub(super) index: u32,
    /// WGSL aligns a struct of `vec2`s to 8 bytes.
    pub(super) unused: u32,
}
