//! The parameters of a dispatch.

use bytemuck::{Pod, Zeroable};

/// The stride of dispatches' parameters in their buffer, in bytes: wgpu's default
/// `min_uniform_buffer_offset_alignment`.
pub(super) const PARAMS_STRIDE: u64 = 256;

const _: () = assert!(size_of::<Params>() as u64 <= PARAMS_STRIDE);

/// The parameters of one dispatch. A body's *rank* is its place in the order of the broad phase: along the curve if
/// bodies are sorted, else its index. A *row* is a rank whose pairs with later ranks are requested.
///
/// The first group of fields is the same in all dispatches of a run of rows. Each later field is for the dispatches
/// that its comment names, and unused in all others.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(super) struct Params {
    /// The stream of positions from the host program: the first word in its buffer, the stride in words, the format of
    /// numbers (`shaders/shared/stream.wgsl`), and 1 if the stream exists, else 0.
    pub(super) positions: [u32; 4],
    /// The stream of motions, likewise.
    pub(super) motions: [u32; 4],
    /// The stream of linear parts, likewise.
    pub(super) linears: [u32; 4],
    /// The stream of shape numbers, likewise, of integers; the third word is the number of shapes.
    pub(super) shape_numbers: [u32; 4],
    /// The stream of enabled flags, likewise, of integers.
    pub(super) enabled: [u32; 4],
    /// The number of bodies.
    pub(super) bodies: u32,
    /// 1 if touching counts, else 0.
    pub(super) touch: u32,
    /// 1 if bodies are sorted, else 0.
    pub(super) sorted: u32,
    /// 1 if some sprite is painted ahead, else 0.
    pub(super) paints: u32,
    /// 1 if two small turned sprites are sampled where they overlap instead of painted, provided that the row of one
    /// has few later candidates; else 0.
    pub(super) samples: u32,
    /// The first row.
    pub(super) first_row: u32,
    /// The rank after the last row.
    pub(super) end_row: u32,
    /// The room for candidates.
    pub(super) candidate_room: u32,
    /// The number of pairs whose details have room; `u32::MAX`, no limit, if details are not requested.
    pub(super) detail_room: u32,
    /// The maximum number of tiles that a workgroup of the broad phase compares with its own rows in a dispatch.
    pub(super) tiles_each: u32,
    /// The fuel of an invocation of the narrow phase in a dispatch, in loop iterations.
    pub(super) fuel: i32,
    /// The number to which an invocation counts at its end, to check that the driver has not cut its loops short.
    pub(super) sentinel: u32,
    /// 1 if the step has its own positions and motions, else 0.
    pub(super) placed: u32,
    /// 1 if the step has its own forms, else 0.
    pub(super) posed: u32,
    /// If the step has its own forms, the number of units of two words to land in.
    pub(super) landed_room: u32,
    /// The maximum number of these units for a sprite that is painted ahead.
    pub(super) paint_most: u32,
    /// If layers part the world, the layers of the lone bodies: most bodies, no two of which can hit each other. Else
    /// 0.
    pub(super) lone_layers: u32,
    /// The room for bodies in [`Binding::Bodies`](super::binding::Binding::Bodies).
    pub(super) body_room: u32,
    /// Bits of [`Whole`](super::whole::Whole): the parts that are requested.
    pub(super) asked: u32,
    /// 1 if all pairs are sorted after the rows, because a row may be too long for a workgroup; else 0.
    pub(super) sorts_pairs: u32,
    /// The number of pairs for each workgroup of an indirect dispatch over all pairs, at least 1.
    pub(super) pairs_each: u32,
    /// The number of vertices of an instance of an indirect draw.
    pub(super) vertices: u32,

    /// `update`: the number of changes, of four words each.
    pub(super) changed: u32,
    /// `make_keys`: the maximum number of bits of a key.
    pub(super) key_bits: u32,
    /// `sweep`, `sweep_all`: the first tile of rows.
    pub(super) first_tile: u32,
    /// `sweep_all`, `paint`: the part that it takes, of `parts` equal parts of the columns to compare with, or of the
    /// sprites to paint.
    pub(super) part: u32,
    /// `sweep_all`, `paint`: the number of parts, at least 1.
    pub(super) parts: u32,
    /// `judge_*`, `detail_*`, `contact_*`: 0 if it starts the pairs, else the number of rounds, including this one,
    /// that have resumed pairs of an earlier dispatch.
    pub(super) round: u32,
    /// `detail_*`: 1 to do nothing unless the pairs are complete, in order and few enough; else 0.
    pub(super) if_whole: u32,
    /// `detail_*`: the first pair; its details come first in their buffer.
    pub(super) first_pair: u32,
    /// Sorting: the number of elements, or the room for them.
    pub(super) elements: u32,
    /// Sorting: 1 if the elements are all pairs, whose number the header has; else 0. They are not sorted if no row is
    /// too long for a workgroup.
    pub(super) all_pairs: u32,
    /// Sorting: the word of an element that contains the digit, 0 or 1.
    pub(super) word: u32,
    /// Sorting: the lowest bit of the digit in its word.
    pub(super) shift: u32,
    /// `make_keys`, `count_digits`, `scatter_digits`: the index at which the elements begin before the pass.
    pub(super) source: u32,
    /// `scatter_digits`: the index at which the elements begin after the pass.
    pub(super) sink: u32,
}
