//! Regions of the plane, so that polygons that are near each other there are near each other in memory.

/// The polygons that a region should have, so that they fit into a core's cache: 512 to 2047 if they lie evenly.
const IN_REGION: usize = 1 << 10;

/// The polygons from which regions are chosen.
const SAMPLES: usize = 1 << 12;

/// Squares, along a Morton curve. Those at the edges reach beyond.
pub(super) struct Regions {
    /// The least corner of all.
    origin: [i64; 2],
    /// The side of a square is this power of two.
    shift: u32,
    /// There is this power of two of squares along both axes.
    bits: u32,
}

impl Regions {
    /// Returns regions for `count` polygons, by a corner of some of them, in lattice steps.
    pub(super) fn of(count: usize, corner: impl Fn(usize) -> Option<[i64; 2]>) -> Self {
        let some = || (0..count).step_by(count.div_ceil(SAMPLES).max(1)).filter_map(&corner);
        let origin = [0, 1].map(|axis| some().map(|corner| corner[axis]).min().unwrap_or(0));
        let extent = some().map(|corner| (corner[0] - origin[0]).max(corner[1] - origin[1])).max().unwrap_or(0);
        let bits = (count / IN_REGION).max(1).ilog2().div_ceil(2).min(15);
        Self { origin, shift: (i64::BITS - extent.leading_zeros()).saturating_sub(bits), bits }
    }

    pub(super) fn len(&self) -> usize {
        1 << (2 * self.bits)
    }

    /// Returns the region of a point.
    pub(super) fn at(&self, point: [i64; 2]) -> usize {
        let last = (1 << self.bits) - 1;
        let [x, y] = [0, 1].map(|axis| spread(((point[axis] - self.origin[axis]) >> self.shift).clamp(0, last) as u32));
        (x | y << 1) as usize
    }
}

/// Returns a number of 16 bits with a 0 after each bit.
fn spread(v: u32) -> u32 {
    let v = (v | v << 8) & 0x00ff_00ff;
    let v = (v | v << 4) & 0x0f0f_0f0f;
    let v = (v | v << 2) & 0x3333_3333;
    (v | v << 1) & 0x5555_5555
}
