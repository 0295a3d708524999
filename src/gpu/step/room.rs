//! What a step uploads, and the room that it makes in its frame.

use super::Step;
use crate::gpu::binding::Binding;
use crate::gpu::frame::Frame;
use crate::gpu::kinds::Kinds;
use crate::gpu::params::Params;
use crate::gpu::record::{plan, sort};
use crate::gpu::request::Request;
use crate::gpu::whole::Whole;
use crate::ground::error::Result;
use crate::hits::Ask;
use crate::world::World;

impl Step {
    /// Uploads a world, to be placed as a request says, makes room for what grows with it, and notes what all
    /// dispatches are told of it.
    pub(super) fn upload(&mut self, world: &World, request: &Request<'_>) -> Result<()> {
        let bodies = world.indices() as u32;
        let sorted = plan::sorted(self.shared.broad, bodies);
        self.changed = self.frame.upload(&self.shared.gpu, world, request.placements)?;
        if sorted {
            self.make_sorting_room(bodies)?;
        }
        self.ensure(&plan::world_room(bodies, sorted, self.frame.landed()))?;
        let paints = self.frame.paints();
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        buffers.ensure_bytes(&shared.gpu.device, Binding::Header, plan::header_bytes(bodies))?;
        let placed = request.placements.is_some();
        let key_passes = shared.learnt().key_passes;
        let common = plan::common(world, paints, sorted, shared.info.software, key_passes);
        self.common = Params {
            samples: (shared.as_hardware && plan::samples(world.touch(), self.ask, common)).into(),
            placed: placed.into(),
            body_room: buffers.body_room(),
            asked: Whole::asked(self.ask).bits(),
            ..common
        };
        self.kinds = Kinds::of(world.packed(), world.touch(), self.frame.samples(), placed);
        Ok(())
    }

    /// Makes room for what is as long as the list of candidates; also for how far each pair is, where some take several
    /// dispatches.
    pub(super) fn make_room(&mut self, params: Params, unfinished: bool) -> Result<()> {
        self.ensure(&plan::list_room(params, self.ask, unfinished))?;
        if params.sorts_pairs == 1 {
            self.make_sorting_room(params.candidate_room)?;
        }
        self.show_results();
        Ok(())
    }

    /// Returns true if there may be room to sort as many pairs as there is room for candidates.
    pub(super) fn sorts_pairs(&self, candidate_room: u32) -> bool {
        self.ask > Ask::Flags && Binding::Elements.bytes(sort::halves(candidate_room)) <= self.frame.buffers.limit()
    }

    /// Makes room to sort so many elements.
    pub(super) fn make_sorting_room(&mut self, elements: u32) -> Result<()> {
        self.ensure(&plan::sorting_room(elements))
    }

    /// Makes room for so many elements of some buffers.
    fn ensure(&mut self, room: &[(Binding, u64)]) -> Result<()> {
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        room.iter().try_for_each(|&(binding, elements)| buffers.ensure(&shared.gpu.device, binding, elements))
    }

    /// Sees that there is room for how far each pair is; whether there was.
    pub(super) fn make_progress_room(&mut self, params: Params) -> Result<bool> {
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        let room = u64::from(params.candidate_room);
        let there = buffers.get(Binding::Progress).size() >= Binding::Progress.bytes(room);
        buffers.ensure(&shared.gpu.device, Binding::Progress, room)?;
        Ok(there)
    }

    /// What [`Params::detail_room`] is, where there is room for so many candidates.
    pub(super) fn detail_room(&self, candidate_room: u32) -> u32 {
        plan::detail_room(self.ask, candidate_room, self.frame.buffers.limit())
    }

    /// Makes a counter zero, which lies `offset` bytes behind the beginning of the header.
    pub(super) fn reset(&self, offset: usize) {
        self.shared.gpu.queue.write_buffer(self.frame.buffers.get(Binding::Header), offset as u64, &[0; 4]);
    }
}
