//! The inverse transform of a pixel, as in a program that draws sprites.

use hitmask::geometry::Sampling;
use hitmask_workbench::workloads::Crowd;

/// A mask and the mapping from world pixels to its texels, with 16 fractional bits: `u = u0 + a x + b y`,
/// `v = v0 + c x + d y`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texels<'a> {
    /// The mask, one word for each row.
    pub(crate) mask: &'a [u64],
    /// The values `[u0, a, b]`; `u0` is for the pixel `(0, 0)` of the world.
    pub(crate) u: [i64; 3],
    /// The values `[v0, c, d]`.
    pub(crate) v: [i64; 3],
}

impl Texels<'_> {
    /// Creates the mapping of a sprite in a pose. `masks` holds the rows of each shape's mask.
    pub(crate) fn new<'a>((shape, sampling): &Pose, masks: &'a [Vec<u64>]) -> Texels<'a> {
        let Sampling { pixels: [x, y, ..], start, across, down, .. } = *sampling;
        let along = |k: usize| {
            let [a, b] = [across[k], down[k]].map(i64::from);
            [start[k] - a * i64::from(x) - b * i64::from(y), a, b]
        };
        Texels { mask: &masks[*shape as usize], u: along(0), v: along(1) }
    }

    /// Returns whether the texel under the centre of a pixel is solid.
    pub(crate) fn solid(&self, x: i32, y: i32) -> bool {
        let along = |[t0, a, b]: [i64; 3]| (t0 + a * i64::from(x) + b * i64::from(y)) >> 16;
        let (i, j) = (along(self.u), along(self.v));
        // Columns beyond the mask's width are clear bits of its words.
        (0..64).contains(&i) && (0..self.mask.len() as i64).contains(&j) && self.mask[j as usize] >> i & 1 == 1
    }

    /// Returns the row of up to 64 pixels from `(x, y)` on, looked up one by one.
    pub(crate) fn row(&self, x: i32, y: i32, width: i32) -> u64 {
        let start = |[t0, a, b]: [i64; 3]| t0 + a * i64::from(x) + b * i64::from(y);
        let (mut u, mut v) = (start(self.u) as i32, start(self.v) as i32);
        let mut bits = 0;
        for k in 0..width {
            let (i, j) = (u >> 16, v >> 16);
            // Branch-free, as a branch would be unpredictable along the sprite's edge.
            let row = self.mask[(j as usize).min(self.mask.len() - 1)];
            let inside = (i as u32) < 64 && (j as u32) < self.mask.len() as u32;
            bits |= (row >> (i & 63) & u64::from(inside)) << k;
            u += self.u[1] as i32;
            v += self.v[1] as i32;
        }
        bits
    }
}

/// The index of a sprite's mask, and how its texels lie under the pixels.
pub(crate) type Pose = (u32, Sampling);

/// Returns the pose of each body. All must be sprites.
pub(crate) fn poses(crowd: &Crowd) -> anyhow::Result<Vec<Pose>> {
    let world = crowd.world();
    let pose = |id| Some((world.body(id)?.shape.index(), world.sampling(id)?));
    let poses: Option<Vec<Pose>> = world.ids().map(pose).collect();
    poses.ok_or_else(|| anyhow::anyhow!("a body is not a sprite with solid texels"))
}

/// Returns the rows of each shape's mask, of up to 64 columns.
pub(crate) fn masks(crowd: &Crowd) -> anyhow::Result<Vec<Vec<u64>>> {
    let rows = |(_, shape): (_, &hitmask::Shape)| {
        let mask = shape.mask().filter(|mask| mask.stride() == 1);
        mask.map(|mask| mask.words().to_vec())
            .ok_or_else(|| anyhow::anyhow!("a shape is not a sprite of up to 64 columns"))
    };
    crowd.world().shapes().map(rows).collect()
}
