//! The uploads of a step, and the room it makes in its frame.

use super::Step;
use crate::gpu::binding::Binding;
use crate::gpu::frame::{Frame, Landing};
use crate::gpu::kinds::Kinds;
use crate::gpu::params::Params;
use crate::gpu::record::{plan, sort};
use crate::gpu::request::Request;
use crate::gpu::stream::{Own, Window};
use crate::ground::error::{Error, Result};
use crate::hits::Ask;
use crate::world::World;

impl Step {
    /// Uploads a world, to be posed as the request says, makes room for everything that grows with it, and sets the
    /// parameters common to all dispatches.
    pub(super) fn upload(
        &mut self,
        world: &World,
        request: &Request<'_>,
        windows: Vec<(Binding, Option<Window>)>,
    ) -> Result<()> {
        let bodies = world.indices() as u32;
        let (sorted, own) = (plan::sorted(self.shared.broad, bodies), request.streams.own());
        let is_posed = own == Own::Forms;
        self.posing.changed = self.frame.upload(&self.shared.gpu, world, own)?;
        if sorted {
            self.make_sorting_room(bodies)?;
        }
        // Bodies posed on the GPU start with about as much room to land in as the world's own need.
        let learnt = self.shared.learnt();
        // Learnt perhaps on another device, before a rebuild.
        let own_landed = if is_posed { learnt.landed.min(self.most_landed()).into() } else { 0 };
        let landed = (self.frame.landed() / 2).max(own_landed);
        self.ensure(&plan::world_room(bodies, sorted, 2 * landed))?;
        let shapes = self.frame.shapes();
        let paints = if is_posed { shapes.masks } else { self.frame.paints() };
        let Self { shared, frame, .. } = self;
        frame.buffers.ensure_bytes(&shared.gpu.device, Binding::Header, plan::header_bytes(bodies))?;
        let common = plan::common(world, paints, sorted, shared.info.software, learnt.key_passes);
        let mut params = Params {
            samples: (shared.samples && plan::samples(world.touch(), self.ask, common)).into(),
            placed: (own > Own::Nothing).into(),
            posed: is_posed.into(),
            landed_room: landed as u32,
            paint_most: learnt.paint_most,
            body_room: frame.buffers.body_room(),
            asked: self.asked.bits(),
            pairs_each: request.workgroup,
            vertices: request.vertices,
            ..common
        };
        frame.lend(&shared.gpu, world, windows, &mut params)?;
        self.common = params;
        let moves = request.streams.motions.is_some();
        self.kinds = Kinds::of(world.packed(), world.touch(), self.frame.samples(), shapes, own, moves);
        Ok(())
    }

    /// Makes room for bodies posed on the GPU to land in, as the counts have shown. Returns an error if no more room is
    /// allowed.
    pub(super) fn make_landing_room(&mut self, (room, paint_most): (u32, u32), needed: u64) -> Result<()> {
        if self.common.paint_most == 0 && needed > u64::from(room) {
            return Err(Error::Capacity {
                what: format!("the buffer for {}", Binding::Landed.purpose()),
                needed: Binding::Landed.bytes(2 * needed),
                limit: "max_storage_buffer_binding_size",
                available: self.frame.buffers.limit(),
                advice: "use the CPU engine, a GPU with a larger limit, or several worlds",
            });
        }
        (self.common.landed_room, self.common.paint_most) = (room, paint_most);
        self.posing.allots = true;
        self.ensure(&[(Binding::Landed, 2 * u64::from(room))])
    }

    /// Returns the upper limit on the units to land in.
    pub(super) fn most_landed(&self) -> u32 {
        (self.frame.buffers.limit() / Landing::UNIT_BYTES).min(u64::from(u32::MAX / 2)) as u32
    }

    /// Makes room for everything that grows with the list of candidates, and for the progress of pairs if some take
    /// several dispatches.
    pub(super) fn make_room(&mut self, params: Params, unfinished: bool) -> Result<()> {
        self.ensure(&plan::list_room(params, self.ask, unfinished))?;
        if params.sorts_pairs == 1 {
            self.make_sorting_room(params.candidate_room)?;
        }
        self.show_results();
        Ok(())
    }

    /// Returns true if the buffers may be large enough to sort as many pairs as there is room for candidates.
    pub(super) fn sorts_pairs(&self, candidate_room: u32) -> bool {
        self.ask > Ask::Flags && Binding::Elements.bytes(sort::halves(candidate_room)) <= self.frame.buffers.limit()
    }

    /// Makes room to sort this many elements.
    pub(super) fn make_sorting_room(&mut self, elements: u32) -> Result<()> {
        self.ensure(&plan::sorting_room(elements))
    }

    /// Makes room for this many elements in each buffer.
    fn ensure(&mut self, room: &[(Binding, u64)]) -> Result<()> {
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        room.iter().try_for_each(|&(binding, elements)| buffers.ensure(&shared.gpu.device, binding, elements))
    }

    /// Makes room for the progress of pairs. Returns whether there already was room.
    pub(super) fn make_progress_room(&mut self, params: Params) -> Result<bool> {
        let Self { shared, frame: Frame { buffers, .. }, .. } = self;
        let room = u64::from(params.candidate_room);
        let there = buffers.get(Binding::Progress).size() >= Binding::Progress.bytes(room);
        buffers.ensure(&shared.gpu.device, Binding::Progress, room)?;
        Ok(there)
    }

    /// Returns [`Params::detail_room`] for this many candidates.
    pub(super) fn detail_room(&self, candidate_room: u32) -> u32 {
        plan::detail_room(self.ask, candidate_room, self.frame.buffers.limit())
    }

    /// Resets a counter to zero; it lies `offset` bytes from the start of the header.
    pub(super) fn reset(&self, offset: usize) {
        self.shared.gpu.queue.write_buffer(self.frame.buffers.get(Binding::Header), offset as u64, &[0; 4]);
    }
}
