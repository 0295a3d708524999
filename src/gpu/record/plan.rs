//! Plans a step before anything is recorded: room in buffers, and the parameters of all its dispatches.

use super::land::Posing;
use super::order::EndRounds;
use super::stages::{self, TILE};
use super::{Recording, order, sort};
use crate::broad::Broad;
use crate::gpu::binding::Binding;
use crate::gpu::header::Header;
use crate::gpu::kinds::Kinds;
use crate::gpu::params::Params;
use crate::gpu::whole::Whole;
use crate::ground::touch::Touch;
use crate::hits::Ask;
use crate::world::World;
use crate::world::parting::Parting;

/// Minimum number of bodies that are sorted, unless the user chooses otherwise.
const SORTED_FROM: u32 = 4096;
/// The most pairs whose details are held at once.
const DETAILS_AT_ONCE: u32 = 1 << 20;
/// The parts of [`Binding::Verdicts`], each with room for all candidates: the verdicts, and three for the lists that
/// the sieve makes.
const VERDICT_PARTS: u64 = 4;
/// Minimum number of bodies for which a sort by keys has at least three passes instead of two, because the passes that
/// earlier steps reported may come from fewer bodies.
const THREE_PASSES_FROM: u32 = 1 << 18;
/// How far each invocation counts at its end to check that its loops were not cut short.
const SENTINEL: u32 = 4;

/// Returns whether this many bodies are sorted.
pub(in crate::gpu) fn sorted(broad: Broad, bodies: u32) -> bool {
    match broad {
        Broad::Auto => bodies >= SORTED_FROM,
        Broad::AllPairs => false,
        Broad::Sorted => true,
    }
}

/// Returns the parameters common to all dispatches of a step, on hardware or in `software`. `paints` says whether some
/// sprite is painted ahead; `key_passes` is the number of key sort passes that earlier steps reported.
/// [`Params::samples`] is left at 0.
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

/// Returns whether pairs of turned sprites may be sampled. Touch must be excluded, no details requested (they need
/// painted words), and bodies sorted, so that a row shows whether it has few candidates.
pub(in crate::gpu) fn samples(touch: Touch, ask: Ask, params: Params) -> bool {
    params.paints == 1 && params.sorted == 1 && touch == Touch::Excluded && ask < Ask::Details
}

/// Returns the elements of the buffers that grow with the number of bodies, which need `landed` elements to land in.
pub(in crate::gpu) fn world_room(bodies: u32, sorted: bool, landed: u64) -> [(Binding, u64); 9] {
    let bodies = u64::from(bodies);
    let tiles = bodies.div_ceil(TILE.into());
    // The last tile is padded.
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

/// Returns the bytes of [`Binding::Header`] for this many bodies.
pub(in crate::gpu) fn header_bytes(bodies: u32) -> u64 {
    Header::BYTES + 2 * Header::flag_bytes(bodies.into())
}

/// Returns the elements of the buffers that a sort of this many elements needs.
pub(in crate::gpu) fn sorting_room(elements: u32) -> [(Binding, u64); 2] {
    [(Binding::Elements, sort::halves(elements)), (Binding::DigitCounts, sort::digit_counts(elements))]
}

/// Returns the elements of the buffers that grow with the list of candidates. `unfinished` says whether some pair takes
/// several dispatches.
pub(in crate::gpu) fn list_room(params: Params, ask: Ask, unfinished: bool) -> [(Binding, u64); 6] {
    let room = u64::from(params.candidate_room);
    let contacts = Whole::of_bits(params.asked).contains(Whole::CONTACTS);
    [
        (Binding::Candidates, room),
        (Binding::Verdicts, VERDICT_PARTS * room),
        (Binding::Pairs, if ask > Ask::Flags { room } else { 0 }),
        (Binding::Progress, if unfinished { room } else { 0 }),
        (Binding::Details, if ask == Ask::Details { params.detail_room.into() } else { 0 }),
        (Binding::Contacts, if contacts { params.detail_room.into() } else { 0 }),
    ]
}

/// Returns [`Params::detail_room`] for this many candidates, with buffers of at most `limit` bytes.
pub(in crate::gpu) fn detail_room(ask: Ask, candidate_room: u32, limit: u64) -> u32 {
    if ask < Ask::Details {
        return u32::MAX;
    }
    let fits = limit / Binding::Details.element_size();
    candidate_room.min(fits.min(DETAILS_AT_ONCE.into()) as u32)
}

/// Returns the most dispatches that the sorted broad phase takes: enough to compare each tile of rows with all tiles,
/// which is more than it ever needs.
pub(in crate::gpu) fn all_rounds(params: Params) -> u32 {
    params.bodies.div_ceil(TILE).div_ceil(params.tiles_each)
}

/// The dispatches for a range of rows.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu) struct Rows {
    /// The dispatches before bodies land, if this run also lands and sorts them.
    pub(in crate::gpu) pose: Option<Posing>,
    /// The number of broad-phase dispatches if bodies are sorted.
    pub(in crate::gpu) rounds: u32,
    /// Whether the GPU computes in software.
    pub(in crate::gpu) software: bool,
    /// The elements of [`Binding::Landed`].
    pub(in crate::gpu) landed: u64,
    /// The kinds of pairs that can occur.
    pub(in crate::gpu) kinds: Kinds,
    pub(in crate::gpu) ask: Ask,
    /// Whether pairs are few enough for one workgroup to order them.
    pub(in crate::gpu) few: bool,
    /// The rounds after the first in which candidates are judged.
    pub(in crate::gpu) judge_rounds: u32,
    pub(in crate::gpu) end_rounds: EndRounds,
}

impl Rows {
    /// Records all stages for the rows of `params`.
    pub(in crate::gpu) fn record(self, params: Params) -> Recording {
        let Self { pose, rounds, software, landed, kinds, ask, few, judge_rounds, end_rounds } = self;
        let mut recording = Recording::default();
        if let Some(posing) = pose {
            posing.record(&mut recording, params);
        }
        stages::sweep(&mut recording, rounds, software, (landed / 2) as u32, params);
        stages::judge(&mut recording, kinds, judge_rounds, params);
        order::order(&mut recording, ask, few, kinds, end_rounds, params);
        recording
    }
}
