//! What a step uploads, and the room that it makes in its frame.

use super::Step;
use crate::broad::Broad;
use crate::gpu::binding::Binding;
use crate::gpu::frame::Frame;
use crate::gpu::header::Header;
use crate::gpu::params::Params;
use crate::gpu::record::stages::{self, TILE};
use crate::gpu::record::{order, sort};
use crate::gpu::request::Request;
use crate::ground::error::Result;
use crate::ground::touch::Touch;
use crate::hits::Ask;
use crate::world::World;
use crate::world::parting::Parting;

/// The bodies from which on they are sorted, unless the user says otherwise.
const SORTED_FROM: usize = 4096;
/// The most pairs whose details are held at once.
const DETAILS_AT_ONCE: u32 = 1 << 20;
/// The lists in [`Binding::Verdicts`], each as long as there is room for candidates: the verdicts, and the two that the
/// sieve makes.
const VERDICT_LISTS: u64 = 3;
/// The bodies from which on a sort by keys has three passes at least, not two: a step before may have been of fewer.
const THREE_PASSES_FROM: u32 = 1 << 18;
/// How far invocations count to see that their loops were not cut.
const SENTINEL: u32 = 4;

impl Step {
    /// Uploads a world, to be placed as a request says, makes room for what grows with it, and notes what all
    /// dispatches are told of it.
    pub(super) fn upload(&mut self, world: &World, request: &Request<'_>) -> Result<()> {
        let sorted = match self.shared.broad {
            Broad::ByNumber => world.indices() >= SORTED_FROM,
            Broad::AllPairs => false,
            Broad::Sorted => true,
        };
        let all = world.indices() as u32;
        self.changed = self.frame.upload(&self.shared.gpu, world, request.placements)?;
        if sorted {
            self.make_sorting_room(all)?;
        }
        let bodies = u64::from(all);
        let tiles = bodies.div_ceil(TILE.into());
        // The last tile is filled up.
        let ranks = tiles * u64::from(TILE);
        let tiles_and_blocks = tiles + tiles.div_ceil(TILE.into());
        let sizes = [
            (Binding::Landed, self.frame.landed()),
            (Binding::Bounds, if sorted { bodies } else { ranks }),
            (Binding::Tiles, tiles_and_blocks),
            (Binding::Boxes, if sorted { ranks } else { 0 }),
            (Binding::Filters, ranks + tiles_and_blocks),
            (Binding::Swept, tiles),
            (Binding::Picked, bodies),
            (Binding::Rows, bodies),
            (Binding::Sums, order::sums(bodies)),
        ];
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        for (binding, elements) in sizes {
            buffers.ensure(&shared.gpu.device, binding, elements)?;
        }
        let counts = Header::BYTES + 2 * Header::flag_bytes(bodies);
        buffers.ensure_bytes(&shared.gpu.device, Binding::Header, counts)?;
        let usual = if all < THREE_PASSES_FROM { 2 } else { 3 };
        let key_passes = shared.learnt().key_passes.max(usual);
        let classes = &world.packed().classes;
        self.common = Params {
            bodies: all,
            touch: u32::from(world.touch() == Touch::Included),
            sorted: sorted.into(),
            paints: self.frame.paints().into(),
            tiles_each: stages::tiles_each(all, sorted, shared.info.software),
            sentinel: SENTINEL,
            key_bits: key_passes * sort::DIGIT_BITS,
            lone_layers: Parting::new(classes).map_or(0, |parting| parting.lone_layers(classes)),
            placed: request.placements.is_some().into(),
            body_room: self.frame.buffers.body_room(),
            ..Params::default()
        };
        Ok(())
    }

    /// Makes room for what is as long as the list of candidates.
    pub(super) fn make_room(&mut self, params: Params) -> Result<()> {
        let (ask, unfinished) = (self.ask, self.shared.learnt().unfinished);
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        let device = &shared.gpu.device;
        let room = u64::from(params.candidate_room);
        buffers.ensure(device, Binding::Candidates, room)?;
        buffers.ensure(device, Binding::Verdicts, VERDICT_LISTS * room)?;
        if ask > Ask::Flags {
            buffers.ensure(device, Binding::Pairs, room)?;
        }
        if unfinished {
            buffers.ensure(device, Binding::Progress, room)?;
        }
        if ask == Ask::Details {
            buffers.ensure(device, Binding::Details, params.detail_room.into())?;
        }
        self.show_results();
        Ok(())
    }

    /// Makes room to sort so many elements.
    pub(super) fn make_sorting_room(&mut self, elements: u32) -> Result<()> {
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        let device = &shared.gpu.device;
        buffers.ensure(device, Binding::Elements, sort::halves(elements))?;
        buffers.ensure(device, Binding::DigitCounts, sort::digit_counts(elements))
    }

    /// Sees that there is room for how far each pair is; whether there was.
    pub(super) fn make_progress_room(&mut self, params: Params) -> Result<bool> {
        self.shared.learn(|learnt| learnt.unfinished = true);
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        let room = u64::from(params.candidate_room);
        let there = buffers.get(Binding::Progress).size() >= Binding::Progress.bytes(room);
        buffers.ensure(&shared.gpu.device, Binding::Progress, room)?;
        Ok(there)
    }

    /// What [`Params::detail_room`] is, where there is room for so many candidates.
    pub(super) fn detail_room(&self, candidate_room: u32) -> u32 {
        if self.ask < Ask::Details {
            return u32::MAX;
        }
        let fits = self.frame.buffers.limit() / Binding::Details.element_size();
        candidate_room.min(fits.min(DETAILS_AT_ONCE.into()) as u32)
    }

    /// Makes a counter zero, which lies `offset` bytes behind the beginning of the header.
    pub(super) fn reset(&self, offset: usize) {
        self.shared.gpu.queue.write_buffer(self.frame.buffers.get(Binding::Header), offset as u64, &[0; 4]);
    }
}
