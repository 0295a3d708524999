//! What crosses between host and GPU besides the packed arrays; mirrored by `shaders/types.wgsl`.

use bytemuck::{Pod, Zeroable};

use crate::hits::{Detail, Overlap};

/// What one dispatch is told. Rows and columns are bodies in the order of the broad phase, as the first and second of their pairs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub struct Params {
    /// The number of bodies.
    pub bodies: u32,
    /// The bodies that are anywhere, and so have a rank in the order of the broad phase.
    pub ranks: u32,
    /// Whether touching counts: 0 or 1.
    pub touch: u32,
    /// The first row whose pairs are asked for.
    pub first_row: u32,
    /// The row behind the last, of this dispatch where it goes over rows.
    pub last_row: u32,
    /// The first row of this dispatch.
    pub dispatch_row: u32,
    /// The first column of this dispatch.
    pub first_column: u32,
    /// The column behind its last.
    pub last_column: u32,
    /// The number of elements to scan, or the end of the candidates or pairs of this dispatch.
    pub count: u32,
    /// The first candidate or pair of this dispatch.
    pub first: u32,
    /// What an invocation of the narrow phase may do, in iterations of loops.
    pub fuel: i32,
    /// The first painted word (of 32 bits) among what has landed.
    pub painted: u32,
    /// How far a shader counts to see that the driver has not cut its loops short.
    pub sentinel: u32,
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
    /// Keeps what follows aligned.
    pub unused: u32,
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
