//! The details of a pair as the GPU writes them.

use bytemuck::{Pod, Zeroable};

use crate::hits::{Detail, Overlap};

/// A [`Detail`] in its layout on the GPU, 64 bytes, for programs that read
/// [`Results::details`](super::Results::details) back themselves. [`Results`](super::Results) shows the same layout in
/// WGSL.
///
/// ```
/// use hitmask::Detail;
/// use hitmask::gpu::RawDetail;
///
/// // A 64-bit number is two words, the low one first.
/// let raw = RawDetail { time: [3, 65536], area: [1, 0], first: [5, 7], sprite: 1, ..RawDetail::default() };
/// let detail = Detail::from(raw);
/// assert_eq!((detail.time, detail.area), (Some([3, 65536]), Some(1)));
/// assert_eq!(detail.overlap.map(|overlap| overlap.first), Some([5, 7]));
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct RawDetail {
    /// The tick at which the pair first hits, and the ticks of a step, 65,536; 0 and 0 if neither body moves.
    pub time: [u32; 2],
    /// The number of shared pixels: low and high word.
    pub area: [u32; 2],
    /// The bounding box of the shared pixels, in world pixels: x, y, width, height.
    pub bounds: [i32; 4],
    /// The first shared pixel, the leftmost of the top row: x, y.
    pub first: [i32; 2],
    /// 1 for a pair with a sprite. If it is 0, `area`, `bounds`, `first` and the sums are meaningless.
    pub sprite: u32,
    /// 1 if the details are incomplete; always 0 if [`Results::counts`](super::Results::counts) says complete.
    pub unfinished: u32,
    /// The sum of the shared pixels' x: low and high word.
    pub sum_x: [u32; 2],
    /// The sum of the shared pixels' y: low and high word.
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
