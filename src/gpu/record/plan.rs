//! What a step needs, before anything is recorded: room in buffers, and what all its dispatches are told.

use super::stages::{self, TILE};
use super::{Recording, order, sort};
use crate::broad::Broad;
use crate::gpu::binding::Binding;
use crate::gpu::header::Header;
use crate::gpu::kinds::Kinds;
use crate::gpu::params::Params;
use crate::ground::touch::Touch;
use crate::hits::Ask;
use crate::world::World;
use crate::world::parting::Parting;

/// The bodies from which on they are sorted, unless the user says otherwise.
const SORTED_FROM: u32 = 4096;
/// The most pairs whose details are held at once.
const DETAILS_AT_ONCE: u32 = 1 << 20;
/// The parts of [`Binding::Verdicts`], each as long as there is room for candidates: the verdicts, and three for the
/// lists that the sieve makes.
const VERDICT_PARTS: u64 = 4;
/// The bodies from which on a sort by keys has three passes at least, not two: a step before may have been of fewer.
const THREE_PASSES_FROM: u32 = 1 << 18;
/// How far invocations count to see that their loops were not cut.
const SENTINEL: u32 = 4;

/// Whether so many bodies are sorted.
pub(in crate::gpu) fn sorted(broad: Broad, bodies: u32) -> bool {
    match broad {
        Broad::ByNumber => bodies >= SORTED_FROM,
        Broad::AllPairs => false,
        Broad::Sorted => true,
    }
}

/// What all dispatches of a step are told, on hardware or in software: `paints` is whether some sprite is painted
/// ahead, `key_passes` the passes of the sort by keys that earlier steps have asked for. No pair is sampled.
pub(in crate::gpu) fn common(world: &World, paints: bool, sorted: bool, software: bool, key_passes: u32) -> Params {
    let bodies = world.indices() as u32;
    let usual = if bodies < THREE_PASSES_FROM { 2 } else { 3 };
    let classes = &world.packed().classes;
    Params {
        bodies,
        touch: u32::from(world.touch() == Touch::Included),
        sorted: sorted.into(),
        paints: paints.into(),
        tiles_each: stages::tiles_each(bodies, sorted, software),
        sentinel: SENTINEL,
        key_bits: key_passes.max(usual) * sort::DIGIT_BITS,
        lone_layers: Parting::new(classes).map_or(0, |parting| parting.lone_layers(classes)),
        pairs_each: 1,
        ..Params::default()
    }
}

/// Whether pairs of turned sprites may be sampled: where touch does not count, details do not need painted words, and
/// bodies are sorted, so that a row tells whether it has few candidates.
pub(in crate::gpu) fn samples(touch: Touch, ask: Ask, params: Params) -> bool {
    params.paints == 1 && params.sorted == 1 && touch == Touch::Excluded && ask < Ask::Details
}

/// The elements of the buffers that grow with a world of so many bodies, of which `landed` elements land.
pub(in crate::gpu) fn world_room(bodies: u32, sorted: bool, landed: u64) -> [(Binding, u64); 9] {
    let bodies = u64::from(bodies);
    let tiles = bodies.div_ceil(TILE.into());
    // The last tile is filled up.
    let ranks = tiles * u64::from(TILE);
    let tiles_and_blocks = tiles + tiles.div_ceil(TILE.into());
    [
        (Binding::Landed, landed),
        (Binding::Bounds, if sorted { bodies } else { ranks }),
        (Binding::Tiles, tiles_and_blocks),
        (Binding::Boxes, if sorted { ranks } else { 0 }),
        (Binding::Filters, ranks + tiles_and_blocks),
        (Binding::Swept, tiles),
        (Binding::Picked, bodies),
        (Binding::Rows, bodies),
        (Binding::Sums, order::sums(bodies)),
    ]
}

/// The bytes of [`Binding::Header`] for so many bodies.
pub(in crate::gpu) fn header_bytes(bodies: u32) -> u64 {
    Header::BYTES + 2 * Header::flag_bytes(bodies.into())
}

/// The elements of the buffers that a sort of so many needs.
pub(in crate::gpu) fn sorting_room(elements: u32) -> [(Binding, u64); 2] {
    [(Binding::Elements, sort::halves(elements)), (Binding::DigitCounts, sort::digit_counts(elements))]
}

/// The elements of the buffers that grow with the list of candidates; `unfinished` is whether some pair takes several
/// dispatches.
pub(in crate::gpu) fn list_room(params: Params, ask: Ask, unfinished: bool) -> [(Binding, u64); 5] {
    let room = u64::from(params.candidate_room);
    [
        (Binding::Candidates, room),
        (Binding::Verdicts, VERDICT_PARTS * room),
        (Binding::Pairs, if ask > Ask::Flags { room } else { 0 }),
        (Binding::Progress, if unfinished { room } else { 0 }),
        (Binding::Details, if ask == Ask::Details { params.detail_room.into() } else { 0 }),
    ]
}

/// What [`Params::detail_room`] is, where there is room for so many candidates, and a buffer has at most `limit` bytes.
pub(in crate::gpu) fn detail_room(ask: Ask, candidate_room: u32, limit: u64) -> u32 {
    if ask < Ask::Details {
        return u32::MAX;
    }
    let fits = limit / Binding::Details.element_size();
    candidate_room.min(fits.min(DETAILS_AT_ONCE.into()) as u32)
}

/// The most dispatches that the sorted broad phase takes: each tile of rows is then compared with all tiles, which is
/// more than enough.
pub(in crate::gpu) fn all_rounds(params: Params) -> u32 {
    params.bodies.div_ceil(TILE).div_ceil(params.tiles_each)
}

/// What comes before bodies land.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu) struct Posing {
    /// How much of bodies was uploaded by itself.
    pub(in crate::gpu) changed: u32,
    /// Whether the host's streams are to be read.
    pub(in crate::gpu) reads: bool,
    /// Whether bodies are to be told where they land.
    pub(in crate::gpu) allots: bool,
}

/// What is done for some rows.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu) struct Rows {
    /// Where bodies are landed and sorted first, what comes before that.
    pub(in crate::gpu) pose: Option<Posing>,
    /// The dispatches of the broad phase where bodies are sorted.
    pub(in crate::gpu) rounds: u32,
    /// Whether the GPU computes in software.
    pub(in crate::gpu) software: bool,
    /// The elements of [`Binding::Landed`].
    pub(in crate::gpu) landed: u64,
    /// What pairs may be.
    pub(in crate::gpu) kinds: Kinds,
    pub(in crate::gpu) ask: Ask,
    /// Whether pairs are so few that one workgroup puts them in order.
    pub(in crate::gpu) few: bool,
    /// The rounds beyond the first in which candidates are judged, and in which details are gathered.
    pub(in crate::gpu) judge_rounds: u32,
    pub(in crate::gpu) detail_rounds: u32,
}

impl Rows {
    /// All stages for the rows of `params`.
    pub(in crate::gpu) fn record(self, params: Params) -> Recording {
        let Self { pose, rounds, software, landed, kinds, ask, few, judge_rounds, detail_rounds } = self;
        let mut recording = Recording::default();
        if let Some(posing) = pose {
            stages::pose(&mut recording, posing, params);
        }
        stages::sweep(&mut recording, rounds, software, (landed / 2) as u32, params);
        stages::judge(&mut recording, kinds, judge_rounds, params);
        order::order(&mut recording, ask, few, kinds, detail_rounds, params);
        recording
    }
}
