//! What a frame holds of a world, and the upload of the rest.

use super::buffers::Buffers;
use super::landing::Landing;
use crate::gpu::binding::Binding;
use crate::gpu::changed::Changed;
use crate::gpu::device::Gpu;
use crate::ground::error::Result;
use crate::world::World;
use crate::world::changes::Mark;
use crate::world::packed::Body;

/// Changes are uploaded by themselves where at most one in so many bodies has changed. Else all bodies are uploaded in
/// one run, which needs no dispatch.
const CHANGED_OF: usize = 4;
/// The bodies that are made ready for an upload at once, so that they stay in a cache.
const BATCH: usize = 512;

/// What a frame holds of a world.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// How far, in the log of which world, the buffers are up to date. Of no world while an upload is not sent off,
    /// since that may fail.
    mark: Mark,
    /// What `mark` becomes when the upload is sent off.
    coming: Mark,
    /// The number of shapes that are uploaded, and of their words. A world only adds to both.
    shapes: usize,
    words: usize,
    landing: Landing,
}

impl Held {
    /// What was uploaded is sent off.
    pub(super) fn sent(&mut self) {
        self.mark = self.coming;
    }

    /// The elements of [`Binding::Landed`] that the bodies need.
    pub(super) fn landed(&self) -> u64 {
        self.landing.elements()
    }

    /// Whether some sprite is painted ahead.
    pub(super) fn paints(&self) -> bool {
        self.landing.paints()
    }

    /// Uploads a world, or what has changed of it; gives the number of changes in [`Binding::Changed`].
    pub(super) fn upload(&mut self, buffers: &mut Buffers, gpu: &Gpu, world: &World) -> Result<u32> {
        let (packed, log) = (world.packed(), world.changes());
        let mark = std::mem::take(&mut self.mark);
        self.coming = log.mark();
        if !log.is_of(mark) {
            (self.shapes, self.words) = (0, 0);
        }
        buffers.append(gpu, Binding::Shapes, &packed.shapes, &mut self.shapes)?;
        buffers.append(gpu, Binding::Atlas, &packed.words, &mut self.words)?;

        let kept = buffers.get(Binding::Bodies).size() >= size_of_val(packed.bodies.as_slice()) as u64;
        let few = log.since(mark).filter(|changes| kept && changes.len() * CHANGED_OF <= packed.bodies.len());
        if let Some(changes) = few {
            let mut changes = changes.to_vec();
            changes.sort_unstable();
            changes.dedup();
            if changes.iter().all(|&index| self.landing.renew(packed, index as usize)) {
                let changed = changes.iter().map(|&index| {
                    let body = self.landing.of(packed, index as usize);
                    Changed { body, index, unused: 0 }
                });
                let changed: Vec<_> = changed.collect();
                buffers.write(gpu, Binding::Changed, &changed)?;
                return Ok(changed.len() as u32);
            }
        }
        self.landing.renew_all(packed, (buffers.limit() / Landing::UNIT_BYTES) as usize);
        let all = packed.bodies.len();
        let parts = (0..all).step_by(BATCH).map(|first| {
            let part = first..all.min(first + BATCH);
            part.map(|index| self.landing.of(packed, index)).collect::<Vec<Body>>()
        });
        buffers.write_parts(gpu, Binding::Bodies, all, parts)?;
        Ok(0)
    }
}
