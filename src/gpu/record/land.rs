//! Records how bodies land: edits and streams first, then their places, order and bounds.

use super::stages::TILE;
use super::{Groups, Recording, Stage, sort};
use crate::gpu::binding::Binding;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;

/// The parts of a step that come before its bodies land.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu) struct Posing {
    /// The number of changed parts of bodies that were uploaded on their own.
    pub(in crate::gpu) changed: u32,
    /// Whether to read the caller's streams.
    pub(in crate::gpu) reads: bool,
    /// Whether to allot the bodies their room to land in.
    pub(in crate::gpu) allots: bool,
}

impl Posing {
    /// Scatters edits and reads streams into the bodies, then lands all bodies, sorts them and bounds their tiles.
    pub(in crate::gpu) fn record(self, to: &mut Recording, params: Params) {
        let Self { changed, reads, allots } = self;
        let tiles = params.bodies.div_ceil(TILE);
        to.stage(Stage::Land);
        if changed > 0 {
            to.dispatch_each(Pass::Update, changed, Params { changed, ..params });
        }
        if reads && params.posed == 1 {
            to.dispatch_each(Pass::Pose, params.bodies, params);
        }
        if reads && params.placed == 1 {
            to.dispatch_each(Pass::Place, params.bodies, params);
        }
        if allots && params.posed == 1 {
            to.dispatch_each(Pass::Allot, params.bodies, params);
        }
        let land = if params.sorted == 1 { Pass::Land } else { Pass::LandTiles };
        to.dispatch_each(land, params.bodies, params);
        to.has_zeros(Binding::Header);
        if params.sorted == 1 {
            to.stage(Stage::Sort);
            sort::bodies(to, params);
            to.dispatch(Pass::BoundTiles, Groups::Of(tiles), params);
            to.has_zeros(Binding::Swept);
            to.has_zeros(Binding::Rows);
            to.dispatch(Pass::BoundBlocks, Groups::Of(tiles.div_ceil(TILE)), params);
        }
    }
}
