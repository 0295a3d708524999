//! What a frame holds of a world, and the upload of the rest.

use super::buffers::Buffers;
use super::landing::Landing;
use super::staging::Staging;
use crate::gpu::binding::Binding;
use crate::gpu::device::Gpu;
use crate::gpu::stream::Own;
use crate::ground::error::Result;
use crate::world::World;
use crate::world::changes::{Changes, Mark};
use crate::world::packed::Packed;

/// Changes are uploaded by themselves where at most one in so many bodies has changed. Else all bodies are uploaded in
/// one run, which needs no dispatch.
const CHANGED_OF: usize = 4;
/// Four words of a body.
pub(in crate::gpu) type Quad = [u32; 4];
/// Those of its form.
pub(in crate::gpu) const FORM: usize = 4;

/// How far the four logs of a world's changes were read.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    bodies: Mark,
    forms: Mark,
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
    /// Whether the forms of all bodies were uploaded last.
    all_forms: bool,
}

/// What has changed of bodies, and where in [`Binding::Bodies`] it belongs.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Scattered {
    quads: Vec<Quad>,
    at: Vec<u32>,
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

    /// Uploads a world, or what has changed of it, for a step that has so much of its `own`. Gives the number of
    /// changes in [`Binding::Changed`], for the dispatch `update`.
    pub(super) fn upload(
        &mut self,
        buffers: &mut Buffers,
        staging: &mut Staging,
        gpu: &Gpu,
        world: &World,
        own: Own,
    ) -> Result<u32> {
        let marks = std::mem::take(&mut self.marks);
        self.coming = Marks {
            bodies: world.changed_bodies().mark(),
            forms: world.changed_forms().mark(),
            shapes: world.changed_shapes().mark(),
            words: world.changed_words().mark(),
        };
        let packed = world.packed();
        let changed = world.changed_shapes().since(marks.shapes);
        let changed = changed.map(|shapes| shapes.iter().map(|&shape| shape as usize..shape as usize + 1));
        buffers.renew(gpu, Binding::Shapes, &packed.shapes, changed)?;
        let changed = world.changed_words().since(marks.words).map(|ranges| ranges.iter().cloned());
        buffers.renew(gpu, Binding::Atlas, packed.words(), changed)?;

        let all = packed.len();
        let kept = buffers.make_body_room(&gpu.device, all, own)?;
        let few = |log: &Changes<u32>, mark| log.since(mark).filter(|_| kept).and_then(|changes| few(changes, all));
        let forms = few(world.changed_forms(), marks.forms);
        let forms = forms.filter(|forms| forms.iter().all(|&index| self.landing.renew(packed, index as usize)));
        if forms.is_none() {
            self.landing.renew_all(packed, (buffers.limit() / Landing::UNIT_BYTES) as usize);
        }
        let placements = few(world.changed_bodies(), marks.bodies);
        let room = buffers.body_room();

        // Where all bodies are made, it is mostly once, and needs no memory for good.
        let again = std::mem::replace(&mut self.all_forms, forms.is_none());
        let [form_bytes, placement_bytes] = [FORM, 1].map(|quads| Binding::Bodies.bytes(quads as u64 * all as u64));
        let staged = [(forms.is_none() && again, form_bytes), (placements.is_none(), placement_bytes)];
        staging.begin(&gpu.device, staged.iter().filter(|(is, _)| *is).map(|(_, bytes)| bytes).sum());
        let mut scattered = Scattered::default();
        match forms {
            Some(forms) => forms.iter().for_each(|&index| {
                scattered.put(FORM as u32 * index, &form(&self.landing, packed, index as usize));
            }),
            None if again => staging.write(Binding::Bodies, 0, form_bytes, |to| self.write_forms(packed, to)),
            None => buffers.write_with(gpu, Binding::Bodies, form_bytes, |to| self.write_forms(packed, to)),
        }
        if let Some(placements) = placements {
            for index in placements {
                scattered.put(FORM as u32 * room + index, &[placement(packed, index as usize)]);
            }
        } else {
            let start = Binding::Bodies.bytes(FORM as u64 * u64::from(room));
            staging.write(Binding::Bodies, start, placement_bytes, |to| write_placements(packed, to));
        }
        let count = scattered.len();
        buffers.write(gpu, Binding::Changed, &scattered.quads())?;
        Ok(count)
    }

    /// Writes the forms of all bodies.
    fn write_forms(&self, packed: &Packed, to: wgpu::WriteOnly<'_, [u8]>) {
        let (to, _) = to.into_chunks::<{ size_of::<[Quad; FORM]>() }>();
        to.write_iter((0..packed.len()).map(|index| bytemuck::cast(form(&self.landing, packed, index))));
    }
}

impl Scattered {
    /// Adds some, for places from `at` on.
    pub(in crate::gpu) fn put(&mut self, at: u32, quads: &[Quad]) {
        self.at.extend((at..).take(quads.len()));
        self.quads.extend_from_slice(quads);
    }

    /// How many there are.
    pub(in crate::gpu) fn len(&self) -> u32 {
        self.quads.len() as u32
    }

    /// What [`Binding::Changed`] has of it: all, and behind them where they belong.
    pub(in crate::gpu) fn quads(mut self) -> Vec<Quad> {
        self.at.resize(self.quads.len().next_multiple_of(4), 0);
        self.quads.extend_from_slice(bytemuck::cast_slice(&self.at));
        self.quads
    }
}

/// The form of a body: all of it but its placement, as `shaders/shared/bodies.wgsl` reads it.
pub(in crate::gpu) fn form(landing: &Landing, packed: &Packed, index: usize) -> [Quad; FORM] {
    let [_placement, form @ ..]: [Quad; FORM + 1] = bytemuck::cast(landing.of(packed, index));
    form
}

/// The placement of a body.
pub(in crate::gpu) fn placement(packed: &Packed, index: usize) -> Quad {
    bytemuck::cast([packed.positions[index], packed.motions[index]])
}

/// Writes the placements of all bodies, which a game mostly moves.
fn write_placements(packed: &Packed, to: wgpu::WriteOnly<'_, [u8]>) {
    let (to, _) = to.into_chunks::<{ size_of::<Quad>() }>();
    let bodies = packed.positions.iter().zip(&packed.motions);
    to.write_iter(bodies.map(|(position, motion)| bytemuck::cast([*position, *motion])));
}

/// The bodies that have changed, each once, where these are few of all.
fn few(changes: &[u32], all: usize) -> Option<Vec<u32>> {
    if changes.len() * CHANGED_OF > all {
        return None;
    }
    let mut changes = changes.to_vec();
    // What is no longer there needs no room.
    changes.retain(|&index| (index as usize) < all);
    changes.sort_unstable();
    changes.dedup();
    Some(changes)
}
