//! The parts of a world that a frame already holds, and the upload of the rest.

use std::ops::Range;

use super::buffers::Buffers;
use super::landing::Landing;
use super::staging::Staging;
use crate::gpu::binding::Binding;
use crate::gpu::device::Gpu;
use crate::gpu::kinds::ShapeKinds;
use crate::gpu::stream::Own;
use crate::ground::error::Result;
use crate::ground::threads;
use crate::world::World;
use crate::world::changes::{Changes, Mark};
use crate::world::packed::Packed;

/// Changes are uploaded individually if at most one in this many bodies has changed. Otherwise all bodies are uploaded
/// in one run, which needs no dispatch.
const CHANGED_OF: usize = 4;
/// The number of bodies that a thread writes at once.
const WRITTEN_AT_ONCE: usize = 1 << 13;
/// Four words of a body.
pub(in crate::gpu) type Quad = [u32; 4];
/// The number of [`Quad`]s in a body's form.
pub(in crate::gpu) const FORM: usize = 4;

/// How far each of the four logs of a world's changes has been read.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    bodies: Mark,
    forms: Mark,
    shapes: Mark,
    words: Mark,
}

/// The parts of a world that a frame already holds.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// The position in a world's logs up to which the buffers are current. It belongs to no world while an upload has
    /// not been submitted yet, because that may fail.
    marks: Marks,
    /// The value that `marks` takes once the upload is submitted.
    coming: Marks,
    landing: Landing,
    shapes: ShapeKinds,
    /// Whether the last upload wrote the forms of all bodies.
    all_forms: bool,
}

/// Changed parts of bodies, and their places in [`Binding::Bodies`].
#[derive(Debug, Default)]
pub(in crate::gpu) struct Scattered {
    quads: Vec<Quad>,
    at: Vec<u32>,
}

impl Held {
    /// Records that the upload has been submitted.
    pub(super) fn sent(&mut self) {
        self.marks = self.coming;
    }

    /// Returns whether the buffers hold this world, perhaps as it was some steps ago.
    pub(super) fn holds(&self, world: &World) -> bool {
        world.changed_bodies().is_of(self.marks.bodies)
    }

    /// Returns the number of [`Binding::Landed`] elements that the bodies need.
    pub(super) fn landed(&self) -> u64 {
        self.landing.elements()
    }

    /// Returns whether some sprite is painted ahead.
    pub(super) fn paints(&self) -> bool {
        self.landing.paints()
    }

    /// Returns whether some turned sprite is not painted ahead.
    pub(super) fn samples(&self) -> bool {
        self.landing.samples()
    }

    /// Returns the kinds of the world's shapes.
    pub(super) fn shapes(&self) -> ShapeKinds {
        self.shapes
    }

    /// Uploads a world, or only its changes, for a step with this much data of its `own`. Returns the number of changes
    /// in [`Binding::Changed`], which the dispatch `update` applies.
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
        match changed {
            Some(shapes) => shapes.iter().for_each(|&shape| self.shapes.add(&packed.shapes[shape as usize])),
            None => self.shapes = ShapeKinds::of(&packed.shapes),
        }
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

        // All forms are usually written only once, so the first time needs no permanent staging memory.
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
        let bytes = |index| bytemuck::cast::<_, [u8; size_of::<[Quad; FORM]>()]>(form(&self.landing, packed, index));
        write(packed.len(), to, |bodies| bodies.map(bytes));
    }
}

impl Scattered {
    /// Adds quads for consecutive places from `at` on.
    pub(in crate::gpu) fn put(&mut self, at: u32, quads: &[Quad]) {
        self.at.extend((at..).take(quads.len()));
        self.quads.extend_from_slice(quads);
    }

    /// Returns the number of quads.
    pub(in crate::gpu) fn len(&self) -> u32 {
        self.quads.len() as u32
    }

    /// Returns the contents of [`Binding::Changed`]: all quads, followed by their places.
    pub(in crate::gpu) fn quads(mut self) -> Vec<Quad> {
        self.at.resize(self.quads.len().next_multiple_of(4), 0);
        self.quads.extend_from_slice(bytemuck::cast_slice(&self.at));
        self.quads
    }
}

/// Returns the form of a body: everything but its placement, as `shaders/shared/bodies.wgsl` reads it.
pub(in crate::gpu) fn form(landing: &Landing, packed: &Packed, index: usize) -> [Quad; FORM] {
    let [_placement, form @ ..]: [Quad; FORM + 1] = bytemuck::cast(landing.of(packed, index));
    form
}

/// Returns the placement of a body.
pub(in crate::gpu) fn placement(packed: &Packed, index: usize) -> Quad {
    bytemuck::cast([packed.positions[index], packed.motions[index]])
}

/// Writes the placements of all bodies, the part that games change most often.
fn write_placements(packed: &Packed, to: wgpu::WriteOnly<'_, [u8]>) {
    write(packed.len(), to, |bodies| {
        let placements = packed.positions[bodies.clone()].iter().zip(&packed.motions[bodies]);
        placements.map(|(position, motion)| bytemuck::cast::<_, [u8; size_of::<Quad>()]>([*position, *motion]))
    });
}

/// Writes `BYTES` bytes for each of `count` bodies, which `of` returns for a range of them, on all cores.
fn write<const BYTES: usize, I: Iterator<Item = [u8; BYTES]>>(
    count: usize,
    to: wgpu::WriteOnly<'_, [u8]>,
    of: impl Fn(Range<usize>) -> I + Sync,
) {
    let (to, _) = to.into_chunks::<BYTES>();
    let (parts, rest) = to.into_chunks::<WRITTEN_AT_ONCE>();
    // wgpu lets threads share memory to write to only if its length is part of its type.
    let parts: Vec<_> = parts.into_iter().enumerate().collect();
    let shared = parts.len() * WRITTEN_AT_ONCE;
    threads::share(parts.len(), parts.into_iter(), |(part, to)| {
        let first = part * WRITTEN_AT_ONCE;
        wgpu::WriteOnly::<[[u8; BYTES]]>::from(to).write_iter(of(first..first + WRITTEN_AT_ONCE));
    });
    rest.write_iter(of(shared..count));
}

/// Returns the changed bodies, each once, or `None` if too many have changed.
fn few(changes: &[u32], all: usize) -> Option<Vec<u32>> {
    if changes.len() * CHANGED_OF > all {
        return None;
    }
    let mut changes = changes.to_vec();
    // Skip bodies that no longer exist.
    changes.retain(|&index| (index as usize) < all);
    changes.sort_unstable();
    changes.dedup();
    Some(changes)
}
