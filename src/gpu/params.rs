//! What a dispatch is told.

use bytemuck::{Pod, Zeroable};

/// The distance of two dispatches' parameters in their buffer, in bytes: wgpu's default
/// `min_uniform_buffer_offset_alignment`.
pub(super) const PARAMS_STRIDE: u64 = 256;

const _: () = assert!(size_of::<Params>() as u64 <= PARAMS_STRIDE);

/// What one dispatch is told. A body's *rank* is its place in the order of the broad phase: where bodies are sorted,
/// along their curve, else its index. A *row* is a rank whose pairs with later ranks are asked for.
///
/// The first group of fields is the same in all dispatches of a run of rows. Each later field is for the dispatches
/// that its comment names, and means nothing in all others.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct Params {
    /// A stream of the host's, which poses bodies: the first word in its buffer, the words from one body to the next,
    /// what numbers are (`shaders/shared/stream.wgsl`), and whether there is the stream: 0 or 1.
    pub(super) positions: [u32; 4],
    /// Likewise.
    pub(super) motions: [u32; 4],
    /// Likewise.
    pub(super) linears: [u32; 4],
    /// Likewise, of integers; the third is how many shapes there are.
    pub(super) shape_numbers: [u32; 4],
    /// Likewise, of integers.
    pub(super) enabled: [u32; 4],
    /// The number of bodies.
    pub(super) bodies: u32,
    /// Whether touching counts: 0 or 1.
    pub(super) touch: u32,
    /// Whether bodies are sorted: 0 or 1.
    pub(super) sorted: u32,
    /// Whether some sprite is painted ahead: 0 or 1.
    pub(super) paints: u32,
    /// Whether two small turned sprites are sampled where they overlap, not painted, if the row of one has few later
    /// candidates: 0 or 1.
    pub(super) samples: u32,
    /// The first row.
    pub(super) first_row: u32,
    /// The rank behind the last row.
    pub(super) end_row: u32,
    /// The candidates that there is room for.
    pub(super) candidate_room: u32,
    /// The pairs whose details there is room for; without limit, `u32::MAX`, where details are not asked for.
    pub(super) detail_room: u32,
    /// The tiles that a workgroup of the broad phase compares its own rows with, at most, in a dispatch.
    pub(super) tiles_each: u32,
    /// What an invocation of the narrow phase may do in a dispatch, in iterations of loops.
    pub(super) fuel: i32,
    /// How far an invocation counts, at its end, to see that the driver has not cut its loops short.
    pub(super) sentinel: u32,
    /// Whether positions, motions and whatever else of bodies are the step's own: 0 or 1.
    pub(super) placed: u32,
    /// Whether forms are the step's own: 0 or 1.
    pub(super) posed: u32,
    /// Where forms are the step's own, the units of two words that there are to land in.
    pub(super) landed_room: u32,
    /// The most of them for a sprite that is painted ahead.
    pub(super) paint_most: u32,
    /// Where layers part the world, the layers of the lone bodies: of most, no two of which hit each other. Else 0.
    pub(super) lone_layers: u32,
    /// The bodies that there is room for in [`Binding::Bodies`](super::binding::Binding::Bodies).
    pub(super) body_room: u32,
    /// Bits of [`Whole`](super::whole::Whole): the parts that are asked for.
    pub(super) asked: u32,
    /// 1 if all pairs are sorted once rows are, as one may be too long for a workgroup; else 0.
    pub(super) sorts_pairs: u32,
    /// The pairs that a workgroup of an indirect dispatch over all pairs takes, at least 1.
    pub(super) pairs_each: u32,
    /// The vertices of an instance of an indirect draw.
    pub(super) vertices: u32,

    /// `update`: what has changed of bodies, by four words.
    pub(super) changed: u32,
    /// `make_keys`: the most bits of a key.
    pub(super) key_bits: u32,
    /// `sweep`, `sweep_all`: the first tile of rows.
    pub(super) first_tile: u32,
    /// `sweep_all`, `paint`: which of some equal parts of the columns it compares with, of all sprites it paints,
    pub(super) part: u32,
    /// `sweep_all`, `paint`: and how many parts there are, at least 1.
    pub(super) parts: u32,
    /// `judge_*`, `detail_*`: 0 where pairs begin, else how often they have gone on, with this dispatch, from where an
    /// earlier one has left them.
    pub(super) round: u32,
    /// `detail_*`: whether it has nothing to do where pairs are not whole, in order and few enough, 0 or 1.
    pub(super) if_whole: u32,
    /// `detail_*`: the first pair; its details come first in their buffer.
    pub(super) first_pair: u32,
    /// Sorting: the number of elements, or the room for them.
    pub(super) elements: u32,
    /// Sorting: 1 if they are all pairs, as many as there are; else 0. Where no row of them is too long for a
    /// workgroup, none are sorted.
    pub(super) all_pairs: u32,
    /// Sorting: the word of an element that has the digit, 0 or 1.
    pub(super) word: u32,
    /// Sorting: the lowest bit of the digit in its word.
    pub(super) shift: u32,
    /// `make_keys`, `count_digits`, `scatter_digits`: the index of the first element before the pass.
    pub(super) source: u32,
    /// `scatter_digits`: the index of the first element behind the pass.
    pub(super) sink: u32,
}
