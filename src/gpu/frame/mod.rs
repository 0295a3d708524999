//! What one step in flight has for itself on the GPU.

mod buffers;
mod held;
mod landing;
mod readback;
mod staging;
mod timer;

pub(super) use buffers::Buffers;
#[cfg(feature = "internals")]
pub(super) use buffers::LEAST;
#[cfg(feature = "internals")]
pub(super) use held::{FORM, Quad, Scattered, form, placement};
#[cfg(feature = "internals")]
pub(super) use landing::Landing;
pub(super) use readback::Readback;
pub(super) use staging::Staging;
pub(super) use timer::{Timed, Timer, Timing};

use super::device::Gpu;
use crate::ground::error::Result;
use crate::world::World;
use held::Held;

/// What one step in flight has for itself on the GPU. A later step that gets the same frame uploads of the same world
/// only what has changed.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) buffers: Buffers,
    pub(super) staging: Staging,
    pub(super) readback: Readback,
    /// Where stages are timed.
    pub(super) timer: Option<Timer>,
    held: Held,
    /// How often the device had failed when the frame was made: an older frame than the last failure is not used again.
    pub(super) era: u32,
}

impl Frame {
    /// A frame that holds nothing of any world.
    pub(super) fn new(gpu: &Gpu, timing: Option<Timing>, era: u32) -> Self {
        Self {
            buffers: Buffers::new(&gpu.device),
            staging: Staging::default(),
            readback: Readback::default(),
            timer: timing.map(|timing| Timer::new(gpu, timing)),
            held: Held::default(),
            era,
        }
    }

    /// Uploads a world, or what the frame does not hold of it; takes the placements that lie on the GPU, if any. Gives
    /// the number of changes that were uploaded by themselves, for the dispatch `update` to put where they belong.
    pub(super) fn upload(&mut self, gpu: &Gpu, world: &World, placements: Option<&wgpu::Buffer>) -> Result<u32> {
        if let Some(placements) = placements {
            self.buffers.lend_placements(placements);
        }
        self.held.upload(&mut self.buffers, &mut self.staging, gpu, world, placements.is_some())
    }

    /// What was uploaded is sent off.
    pub(super) fn sent(&mut self) {
        self.held.sent();
    }

    /// The elements of [`Binding::Landed`](super::binding::Binding::Landed) that the bodies need.
    pub(super) fn landed(&self) -> u64 {
        self.held.landed()
    }

    /// Whether some sprite is painted ahead.
    pub(super) fn paints(&self) -> bool {
        self.held.paints()
    }

    /// Whether some turned sprite is not painted ahead.
    pub(super) fn samples(&self) -> bool {
        self.held.samples()
    }
}
