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
pub(super) use landing::{Landing, MOST_WORDS};
pub(super) use readback::Readback;
pub(super) use staging::Staging;
pub(super) use timer::{Timed, Timer, Timing};

use super::binding::Binding;
use super::device::Gpu;
use super::params::Params;
use super::stream::{Own, Window};
use crate::Linear;
use crate::ground::error::Result;
use crate::world::World;
use held::Held;

/// What `Params` tells of the linear parts of a world: `f64`, without a gap.
pub(in crate::gpu) const WORLDS_LINEARS: [u32; 4] = [0, 8, 2, 1];

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

    /// Uploads a world, or what the frame does not hold of it, for a step that has so much of its `own`. Gives the
    /// number of changes that were uploaded by themselves, for the dispatch `update` to put where they belong.
    pub(super) fn upload(&mut self, gpu: &Gpu, world: &World, own: Own) -> Result<u32> {
        self.held.upload(&mut self.buffers, &mut self.staging, gpu, world, own)
    }

    /// Has the step read the host's streams, and of the world what they need besides; says in `params` where.
    pub(super) fn lend(
        &mut self,
        gpu: &Gpu,
        world: &World,
        windows: Vec<(Binding, Option<Window>)>,
        params: &mut Params,
    ) -> Result<()> {
        for (binding, window) in windows {
            let told = window.as_ref().map(|window| window.params).unwrap_or_default();
            match binding {
                Binding::Positions => params.positions = told,
                Binding::Motions => params.motions = told,
                Binding::Linears => params.linears = told,
                Binding::ShapeNumbers => params.shape_numbers = told,
                _ => params.enabled = told,
            }
            self.buffers.lend(binding, window);
        }
        let [_, _, shapes, are_given] = &mut params.shape_numbers;
        *shapes = world.packed().shapes.len() as u32;
        if *are_given == 1 && params.linears[3] == 0 {
            let linears: Vec<[f64; 4]> = world.linears().map(|Linear { x: [a, b], y: [c, d] }| [a, b, c, d]).collect();
            self.buffers.write(gpu, Binding::Linears, &linears)?;
            params.linears = WORLDS_LINEARS;
        }
        Ok(())
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
