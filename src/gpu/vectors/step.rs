//! Whole steps, dispatch by dispatch.

use crate::Linear;
use crate::broad::Broad;
use crate::gpu::binding::Binding;
use crate::gpu::contact::RawContact;
use crate::gpu::contact::limits::{are_few, is_large};
use crate::gpu::detail::RawDetail;
use crate::gpu::frame::{FORM, Landing, MOST_WORDS, Quad, Scattered, WORLDS_LINEARS, form, placement};
use crate::gpu::header::Header;
use crate::gpu::kinds::{Kinds, ShapeKinds};
use crate::gpu::modules::Wide;
use crate::gpu::params::{PARAMS_STRIDE, Params};
use crate::gpu::pass::Pass;
use crate::gpu::record;
use crate::gpu::record::land::Posing;
use crate::gpu::record::order::{EndRounds, FEW_BODIES, FEW_CANDIDATES, LONG_ROW};
use crate::gpu::record::plan::{self, Rows};
use crate::gpu::shared::{BUSY_GROUPS, FUEL};
use crate::gpu::stream::Own;
use crate::gpu::whole::Whole;
use crate::gpu::{frame, modules};
use crate::hits::{Ask, Detail, Hits};
use crate::host::contact::{self, Contact};
use crate::world::World;
use crate::world::packed::{OFF, Packed, SPRITE};

/// One body in this many is uploaded as a change and put in place by the dispatch `update`, as when few have changed.
const CHANGED_OF: usize = 8;

/// A shader module, as sent to the driver.
#[derive(Clone, Debug)]
pub struct Module {
    /// The module's name.
    pub name: &'static str,
    /// The module's source text.
    pub source: String,
    /// The names of its entry points.
    pub entries: Vec<&'static str>,
    /// The numbers of the buffers that it declares as `storage, read`. Buffer 0 is its uniform.
    pub reads: Vec<u32>,
    /// The numbers of the buffers that it declares as `storage, read_write`.
    pub writes: Vec<u32>,
}

/// The rounds in which ways out are found. If a step took more, its counts would not be the expected ones.
const CONTACT_ROUNDS: u32 = 47;

/// Returns all modules of a step.
#[must_use]
pub fn modules() -> Vec<Module> {
    let entries = |name| Pass::ALL.iter().filter(move |pass| pass.module().name == name).map(|pass| pass.entry());
    let numbers = |bindings: &[Binding]| bindings.iter().map(|&binding| binding as u32).collect();
    let all = modules::ALL.iter().map(|module| Module {
        name: module.name,
        source: module.source(Wide::Words),
        entries: entries(module.name).collect(),
        reads: numbers(module.reads),
        writes: numbers(module.writes),
    });
    all.collect()
}

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Clears a buffer to zero from byte `start` on.
    Clear {
        /// The buffer's number.
        buffer: u32,
        /// The first byte.
        start: u64,
    },
    /// Copies the first `bytes` bytes of a buffer to the start of another.
    Copy {
        /// The number of the buffer that is read.
        from: u32,
        /// The number of the buffer that is written.
        to: u32,
        /// The number of bytes.
        bytes: u64,
    },
    /// Runs an entry point. The parameters of the dispatches lie in buffer 0, one after the other, 256 bytes apart.
    Dispatch {
        /// The entry point's name.
        entry: &'static str,
        /// The workgroups in x and in y.
        groups: [u32; 2],
    },
}

/// The contents of a buffer before the first command.
#[derive(Clone, Debug)]
pub struct Upload {
    /// The buffer's number.
    pub buffer: u32,
    /// The contents from the first byte on. Bytes beyond them may be anything, as in all buffers without an upload.
    pub bytes: Vec<u8>,
}

/// The required contents of a part of a buffer after the last command.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The part's name.
    pub what: &'static str,
    /// The buffer's number.
    pub buffer: u32,
    /// The first byte of the part.
    pub start: u64,
    /// The required words.
    pub words: Vec<u32>,
    /// The number of words of an element.
    pub element: usize,
    /// The bits of each word that must match; if `None`, all bits of all words.
    pub counts: Option<Vec<u32>>,
}

/// A step, from a world to its answer, as the engine runs it on hardware in one submission.
#[derive(Clone, Debug)]
pub struct Step {
    /// The size of each buffer in bytes, by number.
    pub sizes: Vec<u64>,
    /// The initial contents of buffers.
    pub uploads: Vec<Upload>,
    /// The commands, in order.
    pub commands: Vec<Command>,
    /// The required results.
    pub expected: Vec<Expected>,
}

impl Step {
    /// The size of a uniform's binding in bytes.
    pub const PARAMS_BYTES: usize = size_of::<Params>();
    /// The distance between the parameters of two dispatches, in bytes.
    pub const PARAMS_STRIDE: u64 = PARAMS_STRIDE;

    /// Creates the step of a world asked for pairs or details, whose answer is `hits`. Returns `None` for fewer than
    /// two bodies, and if some body has so many pairs that the engine would need a second submission. Also `None` for
    /// pairs if nothing may be sampled: a step with details has the same dispatches and more.
    ///
    /// This needs no device. Everything that a step in the engine learns on its way is counted here in advance, so
    /// there is room for all candidates and nothing runs twice. With [`Broad::Sorted`], streams on the GPU pose the
    /// bodies.
    #[must_use]
    pub fn new(world: &World, broad: Broad, ask: Ask, hits: &Hits) -> Option<Self> {
        let packed = world.packed();
        let bodies = packed.len() as u32;
        if bodies < 2 || hits.pairs.chunk_by(|a, b| a[0] == b[0]).any(|row| row.len() > LONG_ROW as usize) {
            return None;
        }
        let limit = wgpu::Limits::default().max_storage_buffer_binding_size;
        let mut landing = Landing::default();
        landing.renew_all(packed, (limit / Landing::UNIT_BYTES) as usize);
        let (sorted, placed) = (plan::sorted(broad, bodies), broad == Broad::Sorted);
        let candidates = candidates(world);
        let candidate_room = candidates.max(1);
        let common = plan::common(world, landing.paints(), sorted, false, 0);
        let samples = plan::samples(world.touch(), ask, common);
        if ask < Ask::Details && !samples {
            return None;
        }
        let params = Params {
            samples: samples.into(),
            end_row: bodies,
            candidate_room,
            detail_room: plan::detail_room(ask, candidate_room, limit),
            fuel: FUEL[0],
            positions: [0, 2, 1, 1],
            motions: [0, 2, 1, 1],
            linears: WORLDS_LINEARS,
            shape_numbers: [0, 1, packed.shapes.len() as u32, 1],
            enabled: [0, 1, 0, 1],
            placed: placed.into(),
            posed: placed.into(),
            landed_room: (landing.elements() / 2) as u32,
            paint_most: MOST_WORDS as u32,
            body_room: bodies,
            asked: asked(ask).bits(),
            ..common
        };
        let few = bodies <= FEW_BODIES && candidates <= FEW_CANDIDATES;
        let (held, scattered) = uploaded(packed, &landing);
        let (shapes, own) = (ShapeKinds::of(&packed.shapes), if placed { Own::Forms } else { Own::Nothing });
        let rows = Rows {
            pose: Some(Posing { changed: scattered.len(), reads: placed, allots: placed }),
            rounds: plan::all_rounds(params),
            software: false,
            landed: landing.elements(),
            kinds: Kinds::of(packed, world.touch(), landing.samples(), shapes, own, placed),
            ask,
            few,
            judge_rounds: 0,
            end_rounds: EndRounds { details: 0, contacts: CONTACT_ROUNDS },
        };
        let recording = rows.record(params);

        let linears: Vec<[f64; 4]> = world.linears().map(|Linear { x: [a, b], y: [c, d] }| [a, b, c, d]).collect();
        let shapes: Vec<u32> = packed.poses.iter().map(|pose| pose.shape).collect();
        let enabled: Vec<u32> = packed.poses.iter().map(|pose| u32::from(pose.flags & OFF == 0)).collect();
        let uploads = vec![
            upload(Binding::Params, &recording.params()),
            upload(Binding::Bodies, &held),
            upload(Binding::Changed, &scattered.quads()),
            upload(Binding::Positions, &packed.positions),
            upload(Binding::Motions, &packed.motions),
            upload(Binding::Linears, &linears),
            upload(Binding::ShapeNumbers, &shapes),
            upload(Binding::Enabled, &enabled),
            upload(Binding::Shapes, &packed.shapes),
            upload(Binding::Atlas, packed.words()),
            upload(Binding::Header, &[Header::START]),
        ];
        let mut sizes = vec![frame::LEAST; Binding::ALL.len()];
        let mut grow = |buffer: u32, bytes: u64| {
            let size = &mut sizes[buffer as usize];
            *size = bytes.next_multiple_of(16).max(*size);
        };
        let mut room = plan::world_room(bodies, sorted, landing.elements()).to_vec();
        room.extend(plan::list_room(params, ask, false));
        room.extend(sorted.then(|| plan::sorting_room(bodies)).into_iter().flatten());
        for (binding, elements) in room {
            grow(binding as u32, binding.bytes(elements));
        }
        grow(Binding::Header as u32, plan::header_bytes(bodies));
        for upload in &uploads {
            grow(upload.buffer, upload.bytes.len() as u64);
        }

        let commands = recording.commands().iter().filter_map(|command| match *command {
            record::Command::Stage(_) => None,
            record::Command::Clear { buffer, start } => Some(Command::Clear { buffer: buffer as u32, start }),
            record::Command::Copy { from, to, bytes } => {
                Some(Command::Copy { from: from as u32, to: to as u32, bytes })
            }
            record::Command::Dispatch(record::Dispatch { pass, groups, .. }) => {
                let wide = wgpu::Limits::default().max_compute_workgroups_per_dimension;
                Some(Command::Dispatch { entry: pass.entry(), groups: groups.dimensions(wide, BUSY_GROUPS) })
            }
        });
        Some(Self { sizes, uploads, commands: commands.collect(), expected: expected(world, ask, hits) })
    }
}

/// Returns the number of pairs whose bounds meet: at least as many as there are candidates.
fn candidates(world: &World) -> u32 {
    let (bounds, touch) = (&world.packed().bounds, world.touch());
    let later = |i: usize| bounds[i + 1..].iter().filter(move |other| bounds[i].meets(other, touch)).count();
    (0..bounds.len()).map(later).sum::<usize>() as u32
}

/// Returns the bodies as they are uploaded: all in a row, except those that come as changes. Behind them is room for
/// the step's own data.
fn uploaded(packed: &Packed, landing: &Landing) -> (Vec<Quad>, Scattered) {
    let count = packed.len();
    let mut held = vec![Quad::default(); 2 * (FORM + 1) * count];
    let mut scattered = Scattered::default();
    for index in 0..count {
        let (form, placement) = (form(landing, packed, index), placement(packed, index));
        let [form_at, placement_at] = [FORM * index, FORM * count + index];
        if index % CHANGED_OF == 1 {
            scattered.put(form_at as u32, &form);
            scattered.put(placement_at as u32, &[placement]);
        } else {
            held[form_at..form_at + FORM].copy_from_slice(&form);
            held[placement_at] = placement;
        }
    }
    (held, scattered)
}

fn upload<T: bytemuck::Pod>(binding: Binding, data: &[T]) -> Upload {
    Upload { buffer: binding as u32, bytes: bytemuck::cast_slice(data).to_vec() }
}

/// Returns the parts that a step must complete: with details the ways out, too.
fn asked(ask: Ask) -> Whole {
    Whole::asked(ask, ask == Ask::Details)
}

/// Returns the way out of a pair as it lies on the GPU.
fn contact(world: &World, pair: [u32; 2], detail: &Detail) -> RawContact {
    let bodies = pair.map(|index| world.packed().body(index as usize));
    let is_left = bodies.iter().any(is_large) && !bodies.iter().any(|body| body.is(SPRITE));
    let found = if is_left { None } else { contact::within(world, &bodies, detail, Some(are_few)) };
    let Some(Contact { normal, depth, push }) = found else {
        return RawContact { state: RawContact::LEFT_TO_HOST, ..RawContact::default() };
    };
    RawContact {
        normal: normal.map(|v| v as f32),
        depth: depth as f32,
        state: RawContact::FOUND,
        push: [push.x, push.y],
        unused: [0; 2],
    }
}

/// Returns where the parts of an answer lie in buffers.
fn expected(world: &World, ask: Ask, hits: &Hits) -> Vec<Expected> {
    let part = |what, buffer, start, words: &[u32], element| Expected {
        what,
        buffer: buffer as u32,
        start,
        words: words.to_vec(),
        element,
        counts: None,
    };
    // The counts: all pairs, complete, no body skipped, and the parts that are complete.
    let counts = [hits.pairs.len() as u32, 1, 0, asked(ask).bits()];
    let mut expected = vec![
        part("counts", Binding::Header, 0, &counts, 1),
        part("flags", Binding::Header, Header::BYTES, &hits.flags, 1),
        part("pairs", Binding::Pairs, 0, bytemuck::cast_slice(&hits.pairs), 2),
    ];
    if ask == Ask::Details {
        let (details, bits): (Vec<RawDetail>, Vec<RawDetail>) = hits.details.iter().map(raw).unzip();
        let details = bytemuck::cast_slice(&details);
        let details = part("details", Binding::Details, 0, details, size_of::<RawDetail>() / 4);
        expected.push(Expected { counts: Some(bytemuck::cast_slice(&bits).to_vec()), ..details });
        let found = hits.pairs.iter().zip(&hits.details).map(|(&pair, detail)| contact(world, pair, detail));
        let (contacts, size): (Vec<_>, _) = (found.collect(), size_of::<RawContact>() / 4);
        expected.push(part("contacts", Binding::Contacts, 0, bytemuck::cast_slice(&contacts), size));
    }
    expected
}

/// Returns a pair's details as they lie on the GPU, and a mask of the bits that have a meaning.
fn raw(detail: &Detail) -> (RawDetail, RawDetail) {
    const ALL: u32 = u32::MAX;
    let halves = |wide: u64| [wide as u32, (wide >> 32) as u32];
    let mut raw = RawDetail { time: detail.time.unwrap_or_default(), ..RawDetail::default() };
    let mut counts = RawDetail { time: [ALL; 2], sprite: ALL, unfinished: ALL, ..RawDetail::default() };
    if let Some(area) = detail.area {
        (raw.area, raw.sprite) = (halves(area), 1);
        counts.area = [ALL; 2];
    }
    if let Some(overlap) = detail.overlap {
        let [x, y] = overlap.sums.map(|sum| halves(sum as u64));
        raw = RawDetail { bounds: overlap.bounds, first: overlap.first, sum_x: x, sum_y: y, ..raw };
        counts = RawDetail { bounds: [-1; 4], first: [-1; 2], sum_x: [ALL; 2], sum_y: [ALL; 2], ..counts };
    }
    (raw, counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Mask, Shape};

    /// Bits without meaning are not compared; all others are.
    #[test]
    fn what_means_nothing_does_not_count() {
        let mut world = World::default();
        let sprite = world.add_shape(Shape::sprite(Mask::from_rows(&["##"]).unwrap())).unwrap();
        let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        for shape in [sprite, sprite, ball, ball] {
            world.add(&crate::Body::new(shape, [0.0, 0.0])).unwrap();
        }
        let hits = Engine::reference().run(&world, Ask::Details).unwrap();
        assert_eq!(hits.pairs.len(), 6);
        for detail in &hits.details {
            let (raw, counts) = raw(detail);
            assert_eq!(Detail::from(raw), *detail);
            assert_eq!(counts.area == [u32::MAX; 2], detail.area.is_some());
            assert_eq!(counts.bounds == [-1; 4], detail.overlap.is_some());
        }
    }
}
