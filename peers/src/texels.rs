//! The inverse transform of a pixel, as a program that draws sprites has it.

use hitmask::packed::Body;
use hitmask::workloads::Crowd;

/// A mask and the way from a world pixel to a texel of it, of 16 fractional bits: `u = u0 + a x + b y`, `v = v0 + c x + d y`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Texels<'a> {
    /// A word for each row.
    pub(crate) mask: &'a [u64],
    /// `[u0, a, b]`, for the pixel `(0, 0)` of the world.
    pub(crate) u: [i64; 3],
    /// `[v0, c, d]`.
    pub(crate) v: [i64; 3],
}

impl Texels<'_> {
    /// Those of a sprite with a mask whose rows are given.
    pub(crate) fn new<'a>(crowd: &Crowd, body: &Body, mask: &'a [u64]) -> Texels<'a> {
        let shape = &crowd.world().packed().shapes[body.shape as usize];
        let (x0, y0) = (body.position.x >> 8, body.position.y >> 8);
        let fx = i64::from(256 * x0 + 128 - body.position.x);
        let fy = i64::from(256 * y0 + 128 - body.position.y);
        let along = |[a, b]: [i32; 2], anchor: i32| {
            let [a, b] = [i64::from(a), i64::from(b)];
            let at = ((a * fx + b * fy) >> 8) + (i64::from(anchor) << 8);
            [at - a * i64::from(x0) - b * i64::from(y0), a, b]
        };
        Texels { mask, u: along(body.linear.x, shape.anchor.x), v: along(body.linear.y, shape.anchor.y) }
    }

    /// Whether the texel under the centre of a pixel is solid.
    pub(crate) fn solid(&self, x: i32, y: i32) -> bool {
        let along = |[t0, a, b]: [i64; 3]| (t0 + a * i64::from(x) + b * i64::from(y)) >> 16;
        let (i, j) = (along(self.u), along(self.v));
        // Columns beyond the mask's are empty bits of its words.
        (0..64).contains(&i) && (0..self.mask.len() as i64).contains(&j) && self.mask[j as usize] >> i & 1 == 1
    }

    /// The row of up to 64 pixels from `(x, y)` on, texel after texel.
    pub(crate) fn row(&self, x: i32, y: i32, width: i32) -> u64 {
        let start = |[t0, a, b]: [i64; 3]| t0 + a * i64::from(x) + b * i64::from(y);
        let (mut u, mut v) = (start(self.u) as i32, start(self.v) as i32);
        let mut bits = 0;
        for k in 0..width {
            let (i, j) = (u >> 16, v >> 16);
            // Without a branch, which would go either way along the sprite's edge.
            let row = self.mask[(j as usize).min(self.mask.len() - 1)];
            let inside = (i as u32) < 64 && (j as u32) < self.mask.len() as u32;
            bits |= (row >> (i & 63) & u64::from(inside)) << k;
            u += self.u[1] as i32;
            v += self.v[1] as i32;
        }
        bits
    }
}

/// The rows of each shape's mask, of up to 64 columns.
pub(crate) fn masks(crowd: &Crowd) -> anyhow::Result<Vec<Vec<u64>>> {
    let rows = |shape: &hitmask::Shape| {
        let mask = shape.mask().filter(|mask| mask.stride() == 1);
        mask.map(|mask| mask.words().to_vec())
            .ok_or_else(|| anyhow::anyhow!("a shape is no sprite of up to 64 columns"))
    };
    crowd.world().shapes().iter().map(rows).collect()
}
