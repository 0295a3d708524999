//! What a frame holds of a world, and the upload of the rest.

use super::buffers::Buffers;
use super::landing::Landing;
use crate::gpu::binding::Binding;
use crate::gpu::changed::Changed;
use crate::gpu::device::Gpu;
use crate::ground::error::Result;
use crate::world::World;
use crate::world::changes::Mark;
use crate::world::packed::{Body, Packed};

/// Changes are uploaded by themselves where at most one in so many bodies has changed. Else all bodies are uploaded in
/// one run, which needs no dispatch.
const CHANGED_OF: usize = 4;
/// The bodies that are made ready for an upload at once, so that they stay in a cache.
const BATCH: usize = 512;

/// How far the three logs of a world's changes were read.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    bodies: Mark,
    shapes: Mark,
    words: Mark,
}

/// What a frame holds of a world.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// How far, in the logs of which world, the buffers are up to date. Of no world while an upload is not sent off,
    /// since that may fail.
    marks: Marks,
    /// What `marks` becomes when the upload is sent off.
    coming: Marks,
    landing: Landing,
}

impl Held {
    /// What was uploaded is sent off.
    pub(super) fn sent(&mut self) {
        self.marks = self.coming;
    }

    /// The elements of [`Binding::Landed`] that the bodies need.
    pub(super) fn landed(&self) -> u64 {
        self.landing.elements()
    }

    /// Whether some sprite is painted ahead.
    pub(super) fn paints(&self) -> bool {
        self.landing.paints()
    }

    /// Whether some turned sprite is not painted ahead.
    pub(super) fn samples(&self) -> bool {
        self.landing.samples()
    }

    /// Uploads a world, or what has changed of it; gives the number of changes in [`Binding::Changed`].
    pub(super) fn upload(&mut self, buffers: &mut Buffers, gpu: &Gpu, world: &World) -> Result<u32> {
        let marks = std::mem::take(&mut self.marks);
        let [bodies, shapes, words] =
            [world.changed_bodies().mark(), world.changed_shapes().mark(), world.changed_words().mark()];
        self.coming = Marks { bodies, shapes, words };
        let packed = world.packed();
        let changed = world.changed_shapes().since(marks.shapes);
        let changed = changed.map(|shapes| shapes.iter().map(|&shape| shape as usize..shape as usize + 1));
        buffers.renew(gpu, Binding::Shapes, &packed.shapes, changed)?;
        let changed = world.changed_words().since(marks.words).map(|ranges| ranges.iter().cloned());
        buffers.renew(gpu, Binding::Atlas, packed.words(), changed)?;
        self.upload_bodies(buffers, gpu, packed, world.changed_bodies().since(marks.bodies))
    }

    /// Uploads the bodies that have changed, or all.
    fn upload_bodies(
        &mut self,
        buffers: &mut Buffers,
        gpu: &Gpu,
        packed: &Packed,
        changes: Option<&[u32]>,
    ) -> Result<u32> {
        let all = packed.len();
        let kept = buffers.get(Binding::Bodies).size() >= Binding::Bodies.bytes(all as u64);
        if let Some(changes) = changes.filter(|changes| kept && changes.len() * CHANGED_OF <= all) {
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
        let parts = (0..all).step_by(BATCH).map(|first| {
            let part = first..all.min(first + BATCH);
            part.map(|index| self.landing.of(packed, index)).collect::<Vec<Body>>()
        });
        buffers.write_parts(gpu, Binding::Bodies, all, parts)?;
        Ok(0)
    }
}
