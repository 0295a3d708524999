//! From the world to the GPU: what a frame does not hold of it yet.

use crate::ground::error::Result;
use crate::world::World;
use crate::world::changes::Mark;
use crate::world::packed::Body;

use super::buffers::{ATLAS, BODIES, CHANGED, SHAPES};
use super::params::Changed;
use super::shared::{Frame, Shared};
use super::slots::Slots;

/// Changes are uploaded by themselves where they are at most one in so many bodies: all bodies are written in one run, and need no dispatch.
const CHANGED_OF: usize = 4;
/// Bodies that are given their slots at once, so that they stay in a cache.
const AT_ONCE: usize = 512;

/// What a frame holds of a world.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// How much of the log of which world is in the buffers; of none, while an upload is not sent off, since that may fail.
    mark: Mark,
    /// What `mark` is once it is.
    coming: Mark,
    /// The first so many shapes, and words of them. A world only adds to both.
    shapes: usize,
    words: usize,
    pub(super) slots: Slots,
}

impl Held {
    /// What was uploaded is sent off.
    pub(super) fn sent(&mut self) {
        self.mark = self.coming;
    }
}

impl Frame {
    /// Uploads a world, or what has changed of it. Gives the number of changed bodies that a dispatch has to put in their places.
    pub(super) fn upload(&mut self, shared: &Shared, world: &World) -> Result<u32> {
        let Self { buffers, held, .. } = self;
        let (packed, log) = (world.packed(), world.changes());
        let gpu = (&shared.device, &shared.queue);
        let mark = std::mem::take(&mut held.mark);
        held.coming = log.mark();
        if !log.is_of(mark) {
            (held.shapes, held.words) = (0, 0);
        }
        buffers.append(gpu, SHAPES, &packed.shapes, &mut held.shapes)?;
        buffers.append(gpu, ATLAS, &packed.words, &mut held.words)?;

        let kept = buffers.get(BODIES).size() >= size_of_val(packed.bodies.as_slice()) as u64;
        let few = log.since(mark).filter(|changes| kept && changes.len() * CHANGED_OF <= packed.bodies.len());
        if let Some(changes) = few {
            let mut changes = changes.to_vec();
            changes.sort_unstable();
            changes.dedup();
            if changes.iter().all(|&index| held.slots.renew(packed, index as usize)) {
                let changed = changes.iter().map(|&index| {
                    let body = held.slots.placed(packed, index as usize);
                    Changed { body, index, unused: 0 }
                });
                let changed: Vec<_> = changed.collect();
                buffers.write(gpu, CHANGED, &changed)?;
                return Ok(changed.len() as u32);
            }
        }
        held.slots.renew_all(packed, (buffers.limit() / 8) as usize);
        let all = packed.bodies.len();
        let parts = (0..all).step_by(AT_ONCE).map(|first| {
            let part = first..all.min(first + AT_ONCE);
            part.map(|index| held.slots.placed(packed, index)).collect::<Vec<Body>>()
        });
        buffers.write_parts(gpu, BODIES, all, parts)?;
        Ok(0)
    }
}
