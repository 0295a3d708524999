//! What crosses between host and GPU besides the packed arrays; mirrored by `shaders/types.wgsl`.

use bytemuck::{Pod, Zeroable};

use crate::hits::{Detail, Overlap};
use crate::world::packed::Body;

/// What one dispatch is told. A rank is a body's place in the order of the broad phase.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct Params {
    /// The number of bodies.
    pub bodies: u32,
    /// Whether touching counts: 0 or 1.
    pub touch: u32,
    /// Whether bodies are sorted: 0 or 1. Where they are not, a body's rank is its index.
    pub sorted: u32,
    /// The first rank whose pairs with later ones are asked for.
    pub first_row: u32,
    /// The rank behind the last.
    pub last_row: u32,
    /// The first element of this dispatch, be it a tile, a candidate, a pair or a slot of the planned dispatches.
    pub first: u32,
    /// The number of elements that are scanned or sorted, or dispatches that are planned, or the bodies that changed.
    pub count: u32,
    /// The candidates that there is room for.
    pub capacity: u32,
    /// The tiles that a workgroup of the broad phase compares its own with in a dispatch.
    pub tiles: u32,
    /// The lowest bit of a digit.
    pub shift: u32,
    /// Where elements come from.
    pub source: u32,
    /// Where they go.
    pub sink: u32,
    /// Whether pairs go on from where they were left: 0 or 1.
    pub resume: u32,
    /// What an invocation of the narrow phase may do, in iterations of loops.
    pub fuel: i32,
    /// Whether some sprite is painted ahead: 0 or 1.
    pub paints: u32,
    /// How far a shader counts to see that the driver has not cut its loops short.
    pub sentinel: u32,
    /// The most workgroups in a dimension of a dispatch.
    pub groups: u32,
}

/// A body that is to be put in its place.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Changed {
    /// The body.
    pub(crate) body: Body,
    /// Its index.
    pub index: u32,
    /// Makes it as long as WGSL does.
    pub unused: u32,
}

/// What a step counts, for later dispatches and for the host; behind it lie the flags of the bodies.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct Header {
    /// The pairs that hit. This and the next are for hosts too: see [`Results`](super::Results).
    pub pairs: u32,
    /// Whether all that was asked for lies on the GPU: 0 or 1.
    pub complete: u32,
    /// Whether loops were cut: 0 or 1.
    pub cut: u32,
    /// The rows of tiles that the broad phase has done.
    pub swept: u32,
    /// The candidates, also those that there is no room for: the low word.
    pub candidates: u32,
    /// The high word.
    pub candidates_high: u32,
    /// The candidates that are listed: all, or where there is no room for all or not all are found, none.
    pub listed: u32,
    /// Of these, the pairs of masks at rest with small overlaps.
    pub small_masks: u32,
    /// Those with large ones.
    pub large_masks: u32,
    /// All others that bounds do not decide.
    pub others: u32,
    /// The candidates without a verdict yet.
    pub unjudged: u32,
    /// The pairs without all of their details.
    pub undetailed: u32,
    /// The rows of pairs too long for one invocation to sort.
    pub long_rows: u32,
    /// Those too long for a workgroup.
    pub longest_rows: u32,
    /// The sprites to paint.
    pub paintings: u32,
    /// The sort's passes that are not needed.
    pub idle_passes: u32,
    /// The size of a cell of the curve, as a power of two.
    pub cell: u32,
    /// The bits of a cell along an axis.
    pub axis_bits: u32,
    /// The bits of the size of a typical body.
    pub typical: u32,
    /// The least centre.
    pub min_x: i32,
    /// The least centre.
    pub min_y: i32,
    /// The greatest centre.
    pub max_x: i32,
    /// The greatest centre.
    pub max_y: i32,
    /// Bodies by the bits of their size.
    pub sizes: [u32; 32],
    /// Makes it as long as what a copy or a binding begins with.
    pub unused: [u32; 9],
}

impl Header {
    /// Nothing counted yet.
    pub(super) const START: Self = Self {
        pairs: 0,
        complete: 0,
        cut: 0,
        swept: 0,
        candidates: 0,
        candidates_high: 0,
        listed: 0,
        small_masks: 0,
        large_masks: 0,
        others: 0,
        unjudged: 0,
        undetailed: 0,
        long_rows: 0,
        longest_rows: 0,
        paintings: 0,
        idle_passes: 0,
        cell: 0,
        axis_bits: 0,
        typical: 0,
        min_x: i32::MAX,
        min_y: i32::MAX,
        max_x: i32::MIN,
        max_y: i32::MIN,
        sizes: [0; 32],
        unused: [0; 9],
    };

    /// All candidates.
    pub(super) fn all_candidates(&self) -> u64 {
        u64::from(self.candidates_high) << 32 | u64::from(self.candidates)
    }
}

/// A [`Detail`] as the GPU writes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct RawDetail {
    /// Numerator and denominator; a denominator of 0 where there is no time.
    pub time: [u32; 2],
    /// Low and high word.
    pub area: [u32; 2],
    /// x, y, width, height.
    pub bounds: [i32; 4],
    /// x, y.
    pub first: [i32; 2],
    /// 1 for a pair with a sprite.
    pub sprite: u32,
    /// 1 where the pair is not done.
    pub unfinished: u32,
    /// Low and high word.
    pub sum_x: [u32; 2],
    /// Low and high word.
    pub sum_y: [u32; 2],
}

impl From<RawDetail> for Detail {
    fn from(raw: RawDetail) -> Self {
        let wide = |[low, high]: [u32; 2]| u64::from(high) << 32 | u64::from(low);
        let area = wide(raw.area);
        let sprite = raw.sprite == 1;
        Self {
            time: (raw.time[1] != 0).then_some(raw.time),
            area: sprite.then_some(area),
            overlap: (sprite && area > 0).then(|| Overlap {
                bounds: raw.bounds,
                first: raw.first,
                sums: [wide(raw.sum_x) as i64, wide(raw.sum_y) as i64],
            }),
        }
    }
}
