//! The GPU resources of one step in flight.

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
pub(super) use readback::{Readback, collect};
pub(super) use staging::Staging;
pub(super) use timer::{Timed, Timer, Timing};

use super::binding::Binding;
use super::device::Gpu;
use super::kinds::ShapeKinds;
use super::params::Params;
use super::stream::{Own, Window};
use crate::Linear;
use crate::ground::error::Result;
use crate::world::World;
use held::Held;

/// The `Params` fields that describe a world's own linear parts: `f64`, tightly packed.
pub(in crate::gpu) const WORLDS_LINEARS: [u32; 4] = [0, 8, 2, 1];

/// The GPU resources of one step in flight. A later step of the same world that gets this frame uploads only what has
/// changed.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) buffers: Buffers,
    pub(super) staging: Staging,
    pub(super) readback: Readback,
    /// Present if stages are timed.
    pub(super) timer: Option<Timer>,
    held: Held,
    /// The number of device failures before the frame was made. A frame older than the last failure is not reused.
    pub(super) era: u32,
}

impl Frame {
    /// Creates a frame that holds nothing of any world.
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

    /// Uploads a world, or the part that the frame does not hold yet, for a step with this much data of its `own`.
    /// Returns the number of changes that were uploaded individually, which the dispatch `update` applies.
    pub(super) fn upload(&mut self, gpu: &Gpu, world: &World, own: Own) -> Result<u32> {
        self.held.upload(&mut self.buffers, &mut self.staging, gpu, world, own)
    }

    /// Makes the step read the host's streams, uploads what else of the world they need, and stores their layout in
    /// `params`.
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

    /// Returns whether the frame holds this world, perhaps as it was some steps ago.
    pub(super) fn holds(&self, world: &World) -> bool {
        self.held.holds(world)
    }

    /// Records that the upload has been submitted.
    pub(super) fn sent(&mut self) {
        self.held.sent();
    }

    /// Returns the number of [`Binding::Landed`](super::binding::Binding::Landed) elements that the bodies need.
    pub(super) fn landed(&self) -> u64 {
        self.held.landed()
    }

    /// Returns whether some sprite is painted ahead.
    pub(super) fn paints(&self) -> bool {
        self.held.paints()
    }

    /// Returns the kinds of the world's shapes.
    pub(super) fn shapes(&self) -> ShapeKinds {
        self.held.shapes()
    }

    /// Returns whether some turned sprite is not painted ahead.
    pub(super) fn samples(&self) -> bool {
        self.held.samples()
    }
}
